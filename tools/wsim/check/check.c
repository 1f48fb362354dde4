/* wsim check: one answer an instruction, in input order. 10,000 lines take 0.1 s on one core, 0.2 s
 * if each is wrong and needs its nearest legal spelling. */
#include "../common/lines.h"
#include "../common/memory.h"
#include "../common/pasted.h"
#include "../common/text.h"
#include "../common/tool.h"
#include "operands.h"
#include "../common/statement.h"

#include <stdlib.h>
#include <string.h>

static const struct tool_help help = {
    "wsim check", "[INSTRUCTION... | -]",
    "Answers each instruction on a line of its own, in input order: 'legal'; 'illegal', a tab and\n"
    "the reason; or 'unmodelled', a tab and what it is: an instruction of PTX that wsim does not\n"
    "have, whose words are looked at, but not whether they go together. '-' reads PTX from\n"
    "standard input: a whole file, lines of one, or a spelling a line. Empty lines, comments,\n"
    "labels, directives, braces and guards (@p, @!%p1) are passed over. Of operands only numbers\n"
    "that are part of the instruction are looked at: the bytes of a cp.async, that\n"
    "wgmma.wait_group has one. Without --arch the target is\n" TOOL_ARCH
    ". Exit status 1 if any is illegal, else 3 if any is unmodelled, else 0; 2 if the input\n"
    "cannot be read (a line has at most 65536 bytes).\n",
    "  wsim check --arch sm_80 mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32\n"
    "  wsim ops --family mma | wsim check --arch a100 - | sort | uniq -c\n"};

/* Bytes of the input come back in the reason; none of them may end the line or the field, nor be
 * half a character of whatever encoding the reader has. */
static void print_reason(const char *text) {
    for (; *text; text++)
        putchar((unsigned char)*text < ' ' || (unsigned char)*text >= 0x7F ? '?' : *text);
}

/* What all answers of a run share. */
struct check {
    const struct wsim_arch *arch;
    int lines; /* tell the line of each */
    int worst; /* status so far         */
};

/* Bad input is worse than what is illegal, that than what is not modelled. */
static void note(struct check *check, int status) {
    static const int rank[] = {
        [TOOL_FINE] = 0, [TOOL_UNMODELLED] = 1, [TOOL_FOUND] = 2, [TOOL_USAGE] = 3};
    if (rank[status] > rank[check->worst])
        check->worst = status;
}

/* The nearest legal spelling is one of any target: say so where it is not one of this. */
static void print_elsewhere(const char *spelling, const struct wsim_arch *arch) {
    struct wsim_diag diag;
    struct wsim_op op;
    if (wsim_op_nearest(spelling, &op) && wsim_op_check(&op, arch, &diag))
        printf(" (but %s)", diag.text);
}

/* Whether it looks like a name of CuTe or of machine code: it begins with a capital, and no word
 * behind a dot with a small letter, as those of PTX do. */
static int is_name(const char *text) {
    if (*text < 'A' || *text > 'Z')
        return 0;
    while ((text = strchr(text, '.')) != NULL)
        if (*++text >= 'a' && *text <= 'z')
            return 0;
    return 1;
}

/* The spelling that such a name stands for, if it does. Others are as they are. */
static const char *spelling_of(const char *text, char spelling[WSIM_SPELLING_MAX]) {
    struct wsim_op op;
    size_t count = 0;
    if (!is_name(text) || wsim_op_find(text, &op, 1, &count, NULL) || count > 1)
        return text;
    wsim_op_spell(&op, spelling);
    tool_note("%s is %s", text_cut(text).text, spelling);
    return spelling;
}

static void answer(struct check *check, const struct statement *statement) {
    struct wsim_diag diag = {0};
    struct wsim_instruction instruction;
    char why[128], named[WSIM_SPELLING_MAX];
    const char *spelling = spelling_of(statement->spelling, named);
    enum wsim_status parsed = wsim_instruction_parse(spelling, &instruction, &diag);
    enum wsim_status status =
        parsed ? parsed : wsim_instruction_check(&instruction, check->arch, &diag);
    const char *reason = diag.text;
    if (!status && instruction.is_op &&
        !operands_allowed(statement, &instruction.op, why, sizeof why)) {
        status = WSIM_ILLEGAL;
        reason = why;
    }
    note(check, !status ? TOOL_FINE : status == WSIM_UNMODELLED ? TOOL_UNMODELLED : TOOL_FOUND);
    if (check->lines)
        printf("%lu\t", statement->line);
    fputs(!status ? "legal" : status == WSIM_UNMODELLED ? "unmodelled\t" : "illegal\t", stdout);
    if (status && status != WSIM_UNMODELLED && diag.col)
        printf("column %u: ", (unsigned)(diag.col + statement->column));
    if (status)
        print_reason(reason);
    if (parsed && parsed != WSIM_UNMODELLED)
        print_elsewhere(spelling, check->arch);
    putchar('\n');
}

/* Answers all there is; the number of instructions. */
static unsigned long answer_all(struct check *check, struct statements *in) {
    struct statement statement;
    unsigned long n = 0;
    for (; !ferror(stdout) && statements_next(in, &statement); n++)
        answer(check, &statement);
    if (in->failed)
        note(check, TOOL_USAGE);
    return n;
}

static void answer_argument(struct check *check, const char *text) {
    if (strcmp(text, "-") == 0) {
        struct lines lines = lines_open(stdin, "<stdin>");
        struct statements in = statements_in(&lines);
        answer_all(check, &in);
        lines_close(&lines);
    } else {
        const char *quote = strchr(text, '"'), *c = strstr(text, "asm");
        char *ptx = c && quote && c < quote ? pasted_ptx(text) : memory_text(text, strlen(text));
        struct statements in = statements_of(ptx);
        if (answer_all(check, &in) == 0)
            note(check, tool_error("there is no instruction in '%s'", text_cut(text).text));
        free(ptx);
    }
}

int check_main(int argc, const char **argv) {
    struct check check = {NULL, 0, TOOL_FINE};
    char *arch_name = NULL;
    const struct poptOption table[] = {
        {"arch", 0, POPT_ARG_STRING, &arch_name, 0, "Target, such as sm_80 or h100", "NAME"},
        {"lines", 0, POPT_ARG_NONE, &check.lines, 0,
         "Begin each answer with the number of its line", NULL},
        TOOL_OPTIONS_END};
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO) {
        check.arch = tool_arch(arch_name);
        if (!check.arch)
            status = TOOL_USAGE;
        else if (!tool.args[0])
            status = tool_error("no spelling given ('-' reads them from standard input)");
        for (const char **arg = tool.args; status == TOOL_GO && *arg; arg++)
            answer_argument(&check, *arg);
        if (status == TOOL_GO)
            status = check.worst;
    }
    tool_close(&tool);
    return status;
}
