/* wsim why: one element of a product, step by step; what a register or a byte enters; why an
 * instruction is refused. */
#include "why.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../commands.h"
#include "../exec/exec.h"

#include <stdlib.h>
#include <string.h>
#include <wsim/harness/lint.h>

static const char about[] =
    "Explains one element of D (--element ROW,COL) of an mma, wgmma, wmma.mma or tcgen05.mma\n"
    "(after which fields of its instruction descriptor follow, M=128 N=64 A=f16): each product,\n"
    "the places of its factors, and the steps of the sum on the architecture (default sm_90a,\n"
    "tcgen05: sm_100a): the largest exponent, the truncated bits, the rounding. D of m8n8k4 has\n"
    "four "
    "matrices: MATRIX,ROW,COL. --digits and the formats md, svg and html draw the digits of all\n"
    "terms and mark the lost ones.\n"
    "\n"
    "Forward: --operand X --lane L --reg R lists the elements of D that use that register;\n"
    "--byte N lists those that use a byte of shared memory.\n"
    "\n"
    "--a-addr and --b-addr give the row addresses of the ldmatrix that loaded A and B (an\n"
    "expression over lane, hex: and 32 x 8 digits, or a file). Each factor then has its byte\n"
    "and bank. --a-by and --b-by name another load (ldmatrix.trans, ld.shared), --swizzle the\n"
    "swizzle of the addresses. wgmma shows the bytes that its descriptors reach. Operands are\n"
    "those of wsim exec.\n"
    "The name of a rule, such as race.shared, prints that rule. For an illegal instruction it\n"
    "prints the rule, its source and the smallest legal changes (exit status 1).\n";
static const char examples[] =
    "  wsim why mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --element 3,5 --a random:1\n"
    "  wsim why mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32 --arch sm_80\n";

struct options {
    struct exec_options exec;
    struct why_feed_options feed;
    int digits;
    char *element, *row, *col, *operand, *lane, *reg, *byte;
};

/* "ROW,COL" or "MATRIX,ROW,COL", or as source code has it, "D[ROW][COL]". */
static void read_element(const struct exec_run *run, const char *text, struct wsim_coord *at) {
    const struct wsim_layout *d = &run->layout[WSIM_D];
    uint32_t number[3] = {0};
    unsigned n = 0;
    const char *from = text + (*text == 'D' || *text == 'd');
    int indexed = *from == '[';
    if (from > text && !indexed)
        tool_fail("--element '%s': write ROW,COL or MATRIX,ROW,COL, of D", text_cut(text).text);
    for (from += indexed;; n++) {
        size_t length = strcspn(from, indexed ? "]" : ",");
        if (n == 3 || !tool_is_number(from, length, UINT16_MAX, &number[n]))
            tool_fail("--element '%s': write ROW,COL or MATRIX,ROW,COL", text_cut(text).text);
        from += length;
        if (indexed && strncmp(from, "][", 2) != 0) {
            if (strcmp(from, "]") == 0)
                break;
            tool_fail("--element '%s': write ROW,COL or MATRIX,ROW,COL, or D[ROW][COL]",
                      text_cut(text).text);
        }
        from += indexed;
        if (!*from++)
            break;
    }
    if (n == 0)
        tool_fail("--element '%s': write ROW,COL or MATRIX,ROW,COL", text_cut(text).text);
    if (n == 1 && d->batches > 1)
        tool_fail("--element '%s': D of %s has %u matrices: write MATRIX,ROW,COL",
                  text_cut(text).text, run->spelling, d->batches);
    *at = n == 1
              ? (struct wsim_coord){0, (uint16_t)number[0], (uint16_t)number[1]}
              : (struct wsim_coord){(uint16_t)number[0], (uint16_t)number[1], (uint16_t)number[2]};
}

static int explain(const struct exec_run *run, const struct why_feeds *feeds, const char *element,
                   int digits, enum tool_format format) {
    struct wsim_why *why = memory_make(1, sizeof *why);
    struct why_answer answer = {run, feeds, why};
    struct wsim_why_card card;
    struct wsim_diag diag;
    struct wsim_coord at;
    struct doc *doc;
    int status;
    read_element(run, element, &at);
    if (wsim_why(&run->code, &run->io, at, why, &diag)) {
        if (strcmp(diag.rule, "why.element.outside") == 0)
            tool_refuse("--element", &diag);
        free(why);
        return why_refused(run, &diag, format);
    }
    card = why_card(run, why);
    doc = doc_open(format, "wsim.why");
    why_answer(doc, &answer, &card, digits);
    status = doc_close(doc, TOOL_FINE);
    free(why);
    return status;
}

/* --- forward --- */

static void read_operand(const struct exec_run *run, const char *text, enum wsim_operand *operand) {
    for (int i = 0; i < WSIM_OPERANDS; i++)
        if (strcmp(text, wsim_operand_name((enum wsim_operand)i)) == 0 && run->has[i]) {
            *operand = (enum wsim_operand)i;
            return;
        }
    tool_fail("--operand '%s': %s has no such operand", text_cut(text).text, run->spelling);
}

static void read_source(const struct exec_run *run, const struct options *o,
                        struct why_source *source) {
    const struct wsim_layout *layout;
    source->operand = WSIM_A;
    source->is_byte = o->byte != NULL;
    if (o->byte && (o->lane || o->reg || o->operand))
        tool_fail("--byte selects shared memory: leave out --lane, --reg and --operand");
    if (o->byte) {
        tool_number("--byte", o->byte, UINT32_MAX, &source->byte);
        return;
    }
    if (!o->lane || !o->reg)
        tool_fail("select a register with --lane, --reg and --operand (default a)");
    if (o->operand)
        read_operand(run, o->operand, &source->operand);
    layout = &run->layout[source->operand];
    if (run->group.in_memory[source->operand])
        tool_fail("--operand: %s is in shared memory: select a byte with --byte",
                  wsim_operand_name(source->operand));
    tool_number("--lane", o->lane, layout->lanes - 1u, &source->lane);
    tool_number("--reg", o->reg, layout->regs - 1u, &source->reg);
}

/* --- the whole --- */

/* --row and --col stand for --element; NULL: none is given. */
static void join_element(const struct options *o, char joined[64], const char **element) {
    *element = o->element;
    if (!o->row && !o->col)
        return;
    if (!o->row || !o->col || o->element)
        tool_fail(o->element ? "--row and --col repeat --element" : "--row and --col go together");
    snprintf(joined, 64, "%.30s,%.30s", o->row, o->col);
    *element = joined;
}

static int answer(const struct exec_run *run, const struct options *o, enum tool_format format) {
    char joined[64];
    const char *element;
    struct why_feeds feeds = {.mode = WSIM_SWIZZLE_NONE};
    struct why_source source = {.operand = WSIM_A};
    int forward = o->byte || o->lane || o->reg || o->operand;
    join_element(o, joined, &element);
    if (run->tensor && (forward || o->feed.addr[0] || o->feed.addr[1]))
        tool_fail("operands of tcgen05 are in memory: only --element explains them");
    if (o->digits && (forward || format != TOOL_TEXT))
        tool_fail("--digits draws the sums of --element as text; md, svg and html have "
                  "them, json and csv all numbers");
    if (forward == (element != NULL))
        tool_fail(forward ? "--element explains a result; --lane, --reg, --operand and "
                            "--byte follow an input: give one or the other"
                          : "no element given: add --element ROW,COL (or --lane and --reg, "
                            "or --byte, to follow an input)");
    why_feed_open(run, &o->feed, &feeds);
    if (forward)
        read_source(run, o, &source);
    return forward ? why_forward(run, &feeds, &source, format)
                   : explain(run, &feeds, element, o->digits, format);
}

/* Whether the arguments are the name of a rule, as findings and refusals print it. */
static int is_rule(const char *const *args) {
    struct wsim_lint_rule lint;
    struct wsim_rule rule;
    uint32_t at = 0;
    if (!args[0] || args[1])
        return 0;
    while (wsim_rule_next(&at, &rule))
        if (strcmp(rule.name, args[0]) == 0)
            return 1;
    for (at = 0; wsim_lint_rule_next(&at, &lint);)
        if (strcmp(lint.name, args[0]) == 0)
            return 1;
    return 0;
}

static int run_why(struct tool *tool) {
    const struct options *o = tool->options;
    struct exec_run *run;
    struct instruction in;
    const struct wsim_arch *arch;
    int status;
    if (is_rule(tool->args))
        return rules_command.run(tool);
    arch = tool_target(o->exec.arch || !umma_is(tool->args[0]) ? o->exec.arch : UMMA_ARCH);
    status = why_refusal(tool->args, arch, tool->format);
    if (status != TOOL_GO)
        return status;
    run = memory_make(1, sizeof *run);
    instruction_read(tool->args, &in);
    exec_prepare(run, &o->exec, &in);
    if (wsim_code_arithmetic(&run->code, &(struct wsim_arithmetic){0}, NULL))
        tool_fail("%s is legal on %s and computes nothing: wsim layout shows its "
                  "elements, wsim banks its cost",
                  run->spelling, wsim_arch_name(arch));
    exec_fill(run, &o->exec);
    exec_bind(run);
    status = answer(run, o, tool->format);
    exec_close(run);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    TOOL_GROUP("Question"),
    {"arch", 0, TOOL_STRING, TOOL_AT(exec.arch), "Target, such as sm_80 or h100", "NAME"},
    {"element", 0, TOOL_STRING, TOOL_AT(element), "Element of D to explain", "ROW,COL"},
    {"row", 0, TOOL_STRING, TOOL_AT(row), "Row of the element", "ROW"},
    {"col", 0, TOOL_STRING, TOOL_AT(col), "Column of the element", "COL"},
    {"digits", 0, TOOL_FLAG, TOOL_AT(digits), "Draw the digits of each sum", NULL},
    TOOL_GROUP("Forward, from a register"),
    {"operand", 0, TOOL_STRING, TOOL_AT(operand), "Forward: operand of the register", "a|b|c|e|sfa|sfb"},
    {"lane", 0, TOOL_STRING, TOOL_AT(lane), "Forward: lane of the register", "LANE"},
    {"reg", 0, TOOL_STRING, TOOL_AT(reg), "Forward: number of the register", "NUMBER"},
    {"byte", 0, TOOL_STRING, TOOL_AT(byte), "Forward: byte of shared memory", "ADDRESS"},
    TOOL_GROUP("Back, to memory"),
    {"a-addr", 0, TOOL_STRING, TOOL_AT(feed.addr[0]), "Addresses that A was loaded from", "EXPR|FILE"},
    {"b-addr", 0, TOOL_STRING, TOOL_AT(feed.addr[1]), "Addresses that B was loaded from", "EXPR|FILE"},
    {"a-by", 0, TOOL_STRING, TOOL_AT(feed.by[0]), "Instruction that loaded A", "SPELLING"},
    {"b-by", 0, TOOL_STRING, TOOL_AT(feed.by[1]), "Instruction that loaded B", "SPELLING"},
    {"swizzle", 0, TOOL_STRING, TOOL_AT(feed.swizzle), "Swizzle of these addresses", "MODE"},
    EXEC_OPERAND_ROWS,
    TOOL_OPTIONS_END};

const struct tool_command why_command = {
    "SPELLING", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON, NULL, run_why};
/* clang-format on */
