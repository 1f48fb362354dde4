/* wsim env: the environment in which CUDA programs run without a GPU, for shells. */
#include "runtime.h"
#include "../common/tool.h"

#include <stdio.h>
#include <string.h>

static const char about[] =
    "Prints the variables with which any command runs CUDA programs on wsim: wsim run sets them\n"
    "for one command. Each process then reports on standard error, or into --records DIR for\n"
    "wsim run --merge. docs/programs.md has the list.\n";
static const char examples[] =
    "  eval \"$(wsim run --env --check memory,race)\" && echo tests run here\n"
    "  wsim run --env --plain --devices 2 --records \"$(mktemp -d)\"\n";

struct options {
    struct runtime_options runtime;
    char *records;
    int plain;
};

/* In quotes that a shell removes. */
static void print_quoted(const char *text) {
    putchar('\'');
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    putchar('\'');
}

static int run(struct tool *tool) {
    struct options *o = tool->options;
    struct runtime runtime;
    struct suppress suppress;
    int status = suppress_open(&suppress, &o->runtime.suppress, NULL, NULL);
    suppress_close(&suppress);
    if (status != TOOL_GO)
        return status;
    if (*tool->args)
        return tool_error("unexpected argument: wsim run --env takes only options");
    if (o->records)
        status = runtime_make_folder(&o->records);
    if (status == TOOL_GO)
        status = runtime_open(&runtime, &o->runtime, o->records, NULL);
    if (status != TOOL_GO)
        return status;
    for (size_t i = 0; i < runtime.count; i++) {
        const char *value = strchr(runtime.variables[i], '=') + 1;
        const int name = (int)(value - 1 - runtime.variables[i]);
        if (o->plain) {
            puts(runtime.variables[i]);
            continue;
        }
        printf("export %.*s=", name, runtime.variables[i]);
        print_quoted(value);
        putchar('\n');
    }
    runtime_close(&runtime);
    return TOOL_FINE;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"arch", 0, TOOL_STRING, TOOL_AT(runtime.arch), "Architecture of the GPUs (h200)", "NAME"},
    {"check", 0, TOOL_STRING, TOOL_AT(runtime.check), CHECK_WORDS_ALL " (default: all but leak)", "LIST"},
    RUNTIME_ROWS(runtime),
    {"async", 0, TOOL_STRING, TOOL_AT(runtime.async), "When copies of kernels complete: eager, late", "WHEN"},
    {"seed", 0, TOOL_STRING, TOOL_AT(runtime.seed), "Shuffle warps, blocks and streams (0: no)", "NUMBER"},
    {"threads", 0, TOOL_STRING, TOOL_AT(runtime.threads), "Host threads of a launch (all)", "N"},
    SUPPRESS_ROW_IGNORE(runtime.suppress),
    SUPPRESS_ROW_BASELINE(runtime.suppress),
    {"records", 0, TOOL_STRING, TOOL_AT(records), "Folder where processes leave records", "DIR"},
    {"plain", 0, TOOL_FLAG, TOOL_AT(plain), "NAME=VALUE lines without export and quotes", NULL},
    TOOL_OPTIONS_END};

const struct tool_command env_command = {
    "", about, examples, rows, sizeof(struct options), 0, NULL, run};
/* clang-format on */
