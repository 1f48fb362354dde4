/* wsim layout: which lane and register holds which element, asked from either side. */
#include "layout_print.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <strings.h>

static const struct tool_help help = {
    "wsim layout", "SPELLING",
    "Prints who holds what: for each operand a table of lanes and registers, and one of rows and\n"
    "columns. With --lane, --reg, --row or --col (any of them) it lists the elements that these\n"
    "numbers leave, in order of lane and element; exit status 1 if none is left. Rows and columns\n"
    "as in the manual: A is m x k, B is k x n; sparse A is the compressed matrix, metadata has "
    "one\n"
    "index pair a chunk of k; ldmatrix, stmatrix: rows of memory.\n"
    "wgmma: lanes are the 128 threads of the warpgroup; B, and A if it is not in registers, is "
    "where\n"
    "a descriptor says (wsim desc).\n"
    "Fragments of wmma were others before Turing: --arch sm_70 has them as far as they are known.\n"
    "A register is 32 bits; f64 elements take two. --batch is the matrix of a move or of m8n8k4,\n"
    "or the selector of metadata and scale factors.\n",
    "  wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand a --lane 5 --reg 1\n"
    "  wsim layout ldmatrix.sync.aligned.m8n8.x4.shared.b16 --row 3 --col 5 --format csv\n"};

static int is_operand(const char *name, int operand) {
    return !name || strcasecmp(name, wsim_operand_name(operand)) == 0;
}

/* Whether who holds what is known on the architecture: of all operands alike. */
static int is_known(const struct layout_subject *s, struct wsim_diag *diag) {
    struct wsim_layout layout;
    for (int i = 0; i < WSIM_OPERANDS; i++)
        if (wsim_op_layout(s->op, s->arch, (enum wsim_operand)i, &layout, diag) == WSIM_UNMODELLED)
            return 0;
    return 1;
}

/* Fills the operands the question is about. */
static int select_operands(const char *name, struct layout_subject *s) {
    struct wsim_diag diag = {0};
    int i, known = 0, found = 0;
    if (!is_known(s, &diag))
        return tool_refused(NULL, &diag);
    for (i = 0; i < WSIM_OPERANDS; i++) {
        s->has[i] =
            is_operand(name, i) && ++known &&
            wsim_op_layout(s->op, s->arch, (enum wsim_operand)i, &s->layout[i], &diag) == WSIM_OK;
        found += s->has[i];
    }
    if (!known)
        return tool_error("unknown operand '%s': it can be a, b, c, d, e, sfa, sfb or r",
                          text_cut(name).text);
    if (!found && name)
        return tool_refused(NULL, &diag);
    if (!found)
        return tool_error("%s has no matrix operand; wsim banks shows what it accesses",
                          s->spelling);
    return TOOL_GO;
}

enum { LANE, REG, ROW, COL, BATCH, NUMBERS };

struct options {
    char *operand, *number[NUMBERS], *format, *arch;
};

/* Of an architecture that has the instruction. */
static int choose_arch(const char *name, struct layout_subject *s) {
    struct wsim_diag diag;
    s->arch = tool_arch(name);
    if (!s->arch)
        return TOOL_USAGE;
    return wsim_op_check(s->op, s->arch, &diag) ? tool_refused(NULL, &diag) : TOOL_GO;
}

static void widen(uint32_t *most, unsigned count) {
    *most = count - 1 > *most ? count - 1 : *most;
}

/* Reads what was given; a number may be too large for some operands, but not for all. */
static int read_query(const struct layout_subject *s, const struct options *o,
                      struct layout_query *q) {
    static const char *const option[] = {"--lane", "--reg", "--row", "--col", "--batch"};
    int *const to[] = {&q->lane, &q->reg, &q->row, &q->col, &q->batch};
    uint32_t most[NUMBERS] = {0}, number;
    int i, status = TOOL_GO;
    for (i = 0; i < WSIM_OPERANDS; i++)
        if (s->has[i]) {
            widen(&most[LANE], s->layout[i].lanes);
            widen(&most[REG], s->layout[i].regs);
            widen(&most[ROW], s->layout[i].rows);
            widen(&most[COL], s->layout[i].cols);
            widen(&most[BATCH], s->layout[i].batches);
        }
    for (i = 0; i < NUMBERS && status == TOOL_GO; i++) {
        status = tool_number(option[i], o->number[i], most[i], &number);
        *to[i] = status == TOOL_GO && o->number[i] ? (int)number : -1;
    }
    return status;
}

/* Leaves the operands that have such an element; answers how many. */
static int narrow(struct layout_subject *s, const struct layout_query *query) {
    int i, found = 0;
    for (i = 0; i < WSIM_OPERANDS; i++) {
        struct layout_entry e;
        unsigned cursor = 0;
        s->has[i] = s->has[i] && layout_next(&s->layout[i], query, &cursor, &e);
        found += s->has[i];
    }
    return found;
}

static int answer(struct layout_subject *s, const struct layout_query *query,
                  enum tool_format format) {
    int found = narrow(s, query);
    if (!found)
        tool_error("no element of %s is where these numbers meet", s->spelling);
    if (format == TOOL_CSV)
        layout_print_csv(s, query);
    else if (format == TOOL_JSON)
        layout_print_json(s, query);
    else if (found)
        layout_print_text(s, query);
    return found ? TOOL_FINE : TOOL_FOUND;
}

static int run(const char **args, const struct options *o) {
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op op;
    struct layout_subject subject = {.op = &op, .spelling = spelling};
    struct layout_query query;
    enum tool_format format;
    int status = tool_format(o->format, TOOL_TEXT | TOOL_JSON | TOOL_CSV, &format);
    if (status == TOOL_GO)
        status = tool_op(args, &op);
    if (status != TOOL_GO)
        return status;
    wsim_op_spell(&op, spelling);
    if (o->arch)
        status = choose_arch(o->arch, &subject);
    if (status == TOOL_GO)
        status = select_operands(o->operand, &subject);
    if (status == TOOL_GO)
        status = read_query(&subject, o, &query);
    return status == TOOL_GO ? answer(&subject, &query, format) : status;
}

int layout_main(int argc, const char **argv) {
    struct options o = {.operand = NULL};
    const struct poptOption table[] = {
        {"operand", 0, POPT_ARG_STRING, &o.operand, 0, "Only this: a b c d e sfa sfb r", "NAME"},
        {"lane", 0, POPT_ARG_STRING, &o.number[LANE], 0, "What this lane holds", "LANE"},
        {"reg", 0, POPT_ARG_STRING, &o.number[REG], 0, "What this register holds", "REG"},
        {"row", 0, POPT_ARG_STRING, &o.number[ROW], 0, "Who holds this row", "ROW"},
        {"col", 0, POPT_ARG_STRING, &o.number[COL], 0, "Who holds this column", "COL"},
        {"batch", 0, POPT_ARG_STRING, &o.number[BATCH], 0, "Only this matrix or selector",
         "NUMBER"},
        {"arch", 0, POPT_ARG_STRING, &o.arch, 0, "Target, such as sm_70 (those since Turing agree)",
         "NAME"},
        {"format", 0, POPT_ARG_STRING, &o.format, 0, "text, json or csv", "FORMAT"},
        TOOL_OPTIONS_END};
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO)
        status = run(tool.args, &o);
    tool_close(&tool);
    return status;
}
