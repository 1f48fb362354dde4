/* wsim lint: mistakes in PTX and inline assembly, found without a compiler. */
#include "print.h"

#include "../common/input.h"
#include "../common/memory.h"

#include <stdlib.h>

static const char about[] =
    "Checks inline assembly of CUDA C++ and PTX files: spellings, features of the target,\n"
    "number and type of operands, vector sizes. In asm statements it also checks constraints,\n"
    "volatile and \"memory\", % and %%, scopes of registers and labels, generic pointers used as\n"
    "shared addresses, and missing commits, waits and fences. It runs no compiler and no\n"
    "preprocessor: it evaluates only #if conditions on __CUDA_ARCH__, and skips statements that\n"
    "a macro hides in part. Without --arch, anything legal on some target is accepted.\n"
    "\n"
    "Each line is FILE:LINE:COLUMN: error, warning or note: problem [rule]. Notes are optional.\n"
    "Standard error counts skipped statements. Exit status 1 if there are errors or\n"
    "warnings (--strict: or notes), 2 if a file cannot be read.\n";
static const char examples[] = "  wsim lint -q --arch sm_90a examples/cuda/kernels.cu\n"
                               "  wsim lint -q --format github tests/lint/statements.cu\n";

struct options {
    const struct wsim_arch *arch;
    char *format;
    int strict, quiet;
};

static unsigned long lint_mistakes(const struct wsim_lint_counts *counts, int strict) {
    return (unsigned long)(counts->findings[WSIM_LINT_ERROR] + counts->findings[WSIM_LINT_WARNING] +
                           (strict ? counts->findings[WSIM_LINT_NOTE] : 0));
}

/* Prints the findings in a file and adds to *all. */
static int lint_file(const char *name, const struct options *o, struct lint_print *print,
                     struct wsim_lint_counts *all) {
    const struct wsim_lint_options options = {o->arch, name};
    struct wsim_lint_counts counts;
    struct wsim_lint *lint;
    size_t size;
    char *bytes = input_bytes(name, &size);
    if (!bytes)
        return TOOL_USAGE;
    if (wsim_lint_text(bytes, size, &options, &lint, NULL))
        memory_out();
    lint_print_file(print, input_name(name), lint);
    wsim_lint_count(lint, &counts);
    all->statements += counts.statements;
    all->hidden += counts.hidden;
    all->unmodelled += counts.unmodelled;
    wsim_lint_free(lint);
    free(bytes);
    return lint_mistakes(&counts, o->strict) ? TOOL_FOUND : TOOL_FINE;
}

/* Counts skipped code on standard error; silent if there is none. */
static void print_summary(const struct wsim_lint_counts *counts) {
    const unsigned long statements = (unsigned long)counts->statements;
    const unsigned long unmodelled = (unsigned long)counts->unmodelled;
    if (!counts->hidden && !unmodelled)
        return;
    fprintf(stderr, "%lu asm statement%s", statements, statements == 1 ? "" : "s");
    if (counts->hidden)
        fprintf(stderr, "; %lu skipped, hidden in part by macros", (unsigned long)counts->hidden);
    if (unmodelled)
        fprintf(stderr, "; %lu instruction%s without a model", unmodelled,
                unmodelled == 1 ? "" : "s");
    fputc('\n', stderr);
}

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    struct lint_print print;
    struct wsim_lint_counts counts = {0};
    int status = tool->args[0] ? lint_print_open(&print, o->format)
                               : tool_error("no file given ('-' reads standard input)");
    if (status != TOOL_GO)
        return status;
    status = TOOL_FINE;
    for (const char **arg = tool->args; *arg; arg++) {
        const int found = lint_file(*arg, o, &print, &counts);
        status = found > status ? found : status;
    }
    lint_print_close(&print);
    if (!o->quiet)
        print_summary(&counts);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"arch", 0, TOOL_TARGET, TOOL_AT(arch), "Target, such as sm_80 (PTX: its own)", "NAME"},
    {"strict", 0, TOOL_FLAG, TOOL_AT(strict), "Count notes for the exit status", NULL},
    {"quiet", 'q', TOOL_FLAG, TOOL_AT(quiet), "Do not count skipped statements", NULL},
    {"format", 0, TOOL_STRING, TOOL_AT(format), "text, github, json or sarif", "FORMAT"},
    TOOL_OPTIONS_END};

const struct tool_command lint_command = {"FILE... | -", about, examples, rows, sizeof(struct options), 0, NULL, run};
/* clang-format on */
