/* wsim check: one answer a spelling, in input order. 10,000 lines take 0.2 s on one core, 0.4 s if
 * each is wrong and needs its nearest legal spelling. */
#include "common/lines.h"
#include "common/tool.h"

#include <stdlib.h>
#include <string.h>

static const struct tool_help help = {
    "wsim check", "[SPELLING... | -]",
    "Answers each spelling on a line of its own, in input order: 'legal', or 'illegal', a tab and\n"
    "the reason. '-' reads one spelling a line from standard input; a line of PTX can be pasted:\n"
    "a guard (@p, @!%p1) in front is skipped, and what follows the first blank, ';', '{' or // is\n"
    "not looked at. A line without an instruction is illegal. Without --arch the target "
    "is\n" TOOL_ARCH ". Exit status 1 if any is illegal. A line has at most 65536 bytes.\n",
    "  wsim check --arch sm_80 mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32\n"
    "  wsim ops --family mma | wsim check --arch a100 - | sort | uniq -c\n"};

static const char *blank(struct wsim_diag *diag) {
    diag->col = 0;
    return "there is no instruction on this line";
}

/* Bytes of the input come back in the reason; none of them may end the line or the field, nor be
 * half a character of whatever encoding the reader has. */
static void print_reason(const char *text) {
    for (; *text; text++)
        putchar((unsigned char)*text < ' ' || (unsigned char)*text >= 0x7F ? '?' : *text);
}

static void print_illegal(const char *reason, const struct wsim_diag *diag, size_t skipped) {
    fputs("illegal\t", stdout);
    if (diag->col)
        printf("column %u: ", (unsigned)(diag->col + skipped));
    print_reason(reason);
}

static int answer(const char *line, const struct wsim_arch *arch) {
    struct wsim_diag diag = {0}, elsewhere;
    struct wsim_op op;
    size_t skipped;
    char *spelling = tool_spelling(line, &skipped);
    int empty = *spelling == 0;
    enum wsim_status status = wsim_op_parse(spelling, &op, &diag);
    free(spelling);
    if (!status && !wsim_op_check(&op, arch, &diag)) {
        puts("legal");
        return TOOL_FINE;
    }
    print_illegal(empty ? blank(&diag) : diag.text, &diag, skipped);
    /* The nearest legal spelling is one of any target: say so where it is not one of this. */
    if (status && status != WSIM_UNMODELLED && !empty && wsim_op_check(&op, arch, &elsewhere))
        printf(" (but %s)", elsewhere.text);
    putchar('\n');
    return TOOL_FOUND;
}

static int worse(int a, int b) {
    return a > b ? a : b;
}

static int answer_stdin(const struct wsim_arch *arch) {
    struct lines lines = lines_open(stdin, "<stdin>");
    const char *line;
    int worst = TOOL_FINE, more;
    while ((more = lines_next(&lines, &line)) > 0 && !ferror(stdout))
        worst = worse(worst, answer(line, arch));
    lines_close(&lines);
    return more < 0 ? TOOL_USAGE : worst;
}

static int answer_all(const char **spellings, const struct wsim_arch *arch) {
    int worst = TOOL_FINE;
    if (!spellings[0])
        return tool_error("no spelling given ('-' reads them from standard input)");
    for (; *spellings && worst != TOOL_USAGE; spellings++)
        worst = worse(worst,
                      strcmp(*spellings, "-") == 0 ? answer_stdin(arch) : answer(*spellings, arch));
    return worst;
}

int check_main(int argc, const char **argv) {
    char *arch_name = NULL;
    const struct poptOption table[] = {
        {"arch", 0, POPT_ARG_STRING, &arch_name, 0, "Target, such as sm_80 or h100", "NAME"},
        TOOL_OPTIONS_END};
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO) {
        const struct wsim_arch *arch = tool_arch(arch_name);
        status = arch ? answer_all(tool.args, arch) : TOOL_USAGE;
    }
    tool_close(&tool);
    return status;
}
