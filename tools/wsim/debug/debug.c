/* wsim debug: a Debug Adapter Protocol server, by which editors step through kernels. */
#include "server.h"

#include <unistd.h>

static const char about[] =
    "Steps through kernels with an editor: a server of the Debug Adapter Protocol on standard "
    "input\n"
    "and output. docs/debug.md shows how Visual Studio Code, Neovim and Emacs start it.\n\n"
    "The arguments of the launch request are those of wsim run:\n\n"
    "  program      a launch file (.json), PTX, or CUDA C++ (.cu)\n"
    "  kernel grid block cluster shared cooperative arch nvcc\n"
    "  args         a list, as --arg takes them; buffers and symbols, too\n"
    "  sources      the folder of the sources (that of the PTX)\n"
    "  stopOnEntry  stop at the first instruction\n"
    "  checks       false: run without checks\n\n"
    "Threads are warps. Breakpoints are at lines of sources or of the PTX.\n";
static const char examples[] = "  wsim debug <tests/debug/session.dap\n"
                               "  wsim debug </dev/null\n";

struct options {
    int none;
};

static int run(struct tool *tool) {
    struct server server = {.lane = 0};
    json_t *request;
    if (tool->args[0])
        return tool_error("wsim debug takes its program from the launch request");
    if (isatty(STDIN_FILENO))
        tool_note("wsim debug waits for the Debug Adapter Protocol of an editor: docs/debug.md");
    while (!server.quits && !server.wire.ended) {
        request = wire_read(&server.wire, 1);
        if (!request)
            break;
        if (server_request(&server, request) && server.is_configured && !server.ended &&
            !server.quits)
            launched_run(&server);
        json_decref(request);
    }
    launched_close(&server);
    return server.wire.used && !server.quits ? TOOL_USAGE : TOOL_FINE;
}

static const struct tool_option rows[] = {TOOL_OPTIONS_END};

const struct tool_command debug_command = {"", about, examples, rows, sizeof(struct options),
                                           0,  NULL,  run};
