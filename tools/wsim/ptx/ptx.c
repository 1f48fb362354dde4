/* wsim ptx: what is in files of PTX, and what of it is not modelled. */
#include "print.h"

#include "../common/memory.h"
#include "../common/text.h"
#include "../run/file.h"
#include "../run/launch_packed.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of one file; the largest that compilers are known to have made have a tenth of it. */
#define MOST_BYTES ((uint64_t)256 << 20)

static const struct tool_help help = {
    "wsim ptx", "FILE... | -",
    "Reads PTX, as text or packed (.zst, .xz, .gz), and lists its kernels, their parameters and\n"
    "what they need, and all that is not modelled or not PTX, with the number of times. '-' is\n"
    "standard input. A kernel is modelled if all of it and of the functions that it calls is:\n"
    "wsim run takes it then; others of the same file do not matter. Instructions are those of\n"
    "the kernel and what it calls, registers those that occur. Exit status 2 if a file cannot be\n"
    "read or is not PTX, else 3 if something is not modelled, else 0.\n",
    "  wsim ptx tests/kernels/divergence/divergence.ptx\n"
    "  wsim ptx --quiet tests/kernels/reductions/reductions.ptx\n"};

/* All of standard input. */
static int read_stdin(struct file_bytes *out) {
    enum { FIRST = 1 << 16 };
    size_t room = FIRST, n = 1;
    *out = (struct file_bytes){NULL, 0};
    for (; n; room *= 2) {
        out->bytes = memory_grow(out->bytes, room + 1);
        n = fread(out->bytes + out->size, 1, room - (size_t)out->size, stdin);
        out->size += n;
        if (out->size > MOST_BYTES)
            return tool_error("<stdin> has more than %lu bytes", (unsigned long)MOST_BYTES);
    }
    return ferror(stdin) ? tool_error("<stdin> cannot be read") : TOOL_GO;
}

static int read_file(const char *name, struct file_bytes *out) {
    const struct place_source source = {.name = "the command line"};
    const struct place root = place_root(&source);
    *out = (struct file_bytes){NULL, 0};
    if (strcmp(name, "-") == 0)
        return read_stdin(out);
    return file_read(&root, NULL, name, MOST_BYTES, "what is read of PTX", out);
}

/* Bad input is worse than what is not modelled. */
static int worse(int a, int b) {
    static const int rank[] = {[TOOL_FINE] = 0, [TOOL_UNMODELLED] = 1, [TOOL_USAGE] = 2};
    return rank[a] >= rank[b] ? a : b;
}

/* One file: its exit status. */
static int describe(const char *name, const struct print *print) {
    struct file_bytes file;
    struct wsim_module *module;
    struct wsim_diag diag = {0};
    int status = read_file(name, &file);
    if (status != TOOL_GO) {
        free(file.bytes);
        return status;
    }
    launch_unpack(&file, MOST_BYTES);
    enum wsim_status loaded = wsim_module_load((const char *)file.bytes, (size_t)file.size,
                                               print->flags | WSIM_MODULE_DIAGNOSE, &module, &diag);
    free(file.bytes);
    if (!module)
        return tool_refused(text_path(name).text, &diag);
    status = print_module(print, strcmp(name, "-") == 0 ? "<stdin>" : name, module, loaded);
    wsim_module_free(module);
    return status;
}

int ptx_main(int argc, const char **argv) {
    struct print print = {0};
    int json = 0, lenient = 0;
    const struct poptOption table[] = {
        {"quiet", 'q', POPT_ARG_NONE, &print.quiet, 0, "Only what is not modelled or not PTX",
         NULL},
        {"lenient", 0, POPT_ARG_NONE, &lenient, 0,
         "Take what compilers write and no assembler takes (rcp.approx.f64)", NULL},
        {"json", 0, POPT_ARG_NONE, &json, 0, "Print JSON", NULL},
        TOOL_OPTIONS_END};
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO && !tool.args[0])
        status = tool_error("no file given ('-' reads standard input)");
    if (status == TOOL_GO) {
        status = TOOL_FINE;
        print.flags = lenient ? WSIM_MODULE_LENIENT : 0;
        print.json = json ? json_array() : NULL;
        for (const char **arg = tool.args; *arg; arg++)
            status = worse(status, describe(*arg, &print));
        if (print.json)
            tool_print_json(json_pack("{s:o}", "files", print.json));
    }
    tool_close(&tool);
    return status;
}
