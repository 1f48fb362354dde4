/* wsim layout: which lane and register holds which element, asked from either side. */
#include "layout.h"
#include "../common/text.h"

#include <strings.h>

static const char about[] =
    "Prints which lane and register holds each element: for each operand a table by lane and\n"
    "register, and one by row and column. --lane, --reg, --row and --col, in any combination,\n"
    "list the matching elements; exit status 1 if none matches. Rows and columns follow the PTX\n"
    "manual: A is m x k, B is k x n. A sparse A is the compressed matrix; metadata holds one\n"
    "index pair per chunk of k. Rows of ldmatrix and stmatrix are rows of memory.\n"
    "wgmma: lanes are the 128 threads of the warpgroup. B, and A of atoms with _SS, is in\n"
    "shared memory; the table shows it without a swizzle, in the major of the atom\n"
    "(SM90_..._SS<GMMA::Major::K, GMMA::Major::MN>). For other layouts use wsim desc.\n"
    "wmma fragments had a different layout before Turing; --arch sm_70 shows the known ones. A\n"
    "register has 32 bits; an f64 element takes two. --batch selects the matrix of a move or of\n"
    "m8n8k4, or the selector of metadata and scale factors. --addresses shows which lane\n"
    "supplies the address of each matrix row of an ldmatrix or stmatrix, and which lanes hold\n"
    "that row.\n"
    "tcgen05.mma: lanes by columns of tensor memory for D, or for --operand a, e, sfa, sfb. "
    "Fields\n"
    "of the instruction descriptor follow the spelling (M=128 N=64 A=f16). tcgen05.ld and\n"
    "tcgen05.st: rows are lanes and columns are columns of tensor memory, from the address on.\n"
    "tcgen05.cp: rows and words of 32 bits of its source.\n"
    "CuTe's layout of D maps row and column of a block to lane << 16 | column.\n"
    "--cute compares a CuTe thread-value layout with the operand and prints the first\n"
    "difference (exit status 1). For B the layout is n x k, as --format cute prints it.\n"
    "ldmatrix, stmatrix and movmatrix have two CuTe layouts, SrcLayout and DstLayout, in\n"
    "threads and bits.\n";
static const char examples[] =
    "  wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand a --lane 5 --reg 1\n"
    "  wsim layout ldmatrix.sync.aligned.m8n8.x4.shared.b16 --row 3 --col 5 --format csv\n";

static int is_operand(const char *name, int operand) {
    return !name || strcasecmp(name, wsim_operand_name(operand)) == 0 ||
           (operand == WSIM_E && strcasecmp(name, "metadata") == 0);
}

/* Reads the layouts of the operands. They are known on the architecture for all operands or none.
 */
static void select_operands(const char *name, const struct wsim_op *op,
                            const struct wsim_arch *arch, struct wsim_fragments *f) {
    struct wsim_diag diag = {0};
    uint32_t operands = 0;
    enum wsim_status status;
    for (int i = 0; i < WSIM_OPERANDS; i++)
        operands |= is_operand(name, i) ? 1u << i : 0;
    if (wsim_fragments_make(op, arch, WSIM_EVERY_OPERAND, f, &diag) == WSIM_UNMODELLED)
        tool_refuse(NULL, &diag);
    if (!operands)
        tool_fail("unknown operand '%s': must be a, b, c, d, e (metadata), sfa, sfb or r",
                  text_cut(name).text);
    status = wsim_fragments_make(op, arch, operands, f, &diag);
    if (status && name)
        tool_refuse(NULL, &diag);
    if (status)
        tool_fail("%s has no matrix operand; wsim banks shows what it accesses", f->spelling);
}

enum { LANE, REG, ROW, COL, BATCH, NUMBERS };

struct options {
    char *operand, *number[NUMBERS], *arch;
    char *cute;
    int addresses;
};

/* An architecture that has the instruction; NULL: none is named. */
static const struct wsim_arch *choose_arch(const char *name, const struct wsim_op *op) {
    const struct wsim_arch *arch = name ? tool_target(name) : NULL;
    struct wsim_diag diag;
    if (arch && wsim_op_check(op, arch, &diag))
        tool_refuse(NULL, &diag);
    return arch;
}

static void widen(uint32_t *most, unsigned count) {
    *most = count - 1 > *most ? count - 1 : *most;
}

/* Reads what was given; a number may be too large for some operands, but not for all. */
static void read_query(const struct options *o, struct wsim_fragments *f) {
    struct wsim_fragment_query *q = &f->only;
    static const char *const option[] = {"--lane", "--reg", "--row", "--col", "--batch"};
    int32_t *const to[] = {&q->lane, &q->reg, &q->row, &q->col, &q->batch};
    uint32_t most[NUMBERS] = {0}, number;
    int i;
    for (i = 0; i < WSIM_OPERANDS; i++)
        if (f->has >> i & 1) {
            widen(&most[LANE], f->layout[i].lanes);
            widen(&most[REG], f->layout[i].regs);
            widen(&most[ROW], f->layout[i].rows);
            widen(&most[COL], f->layout[i].cols);
            widen(&most[BATCH], f->layout[i].batches);
        }
    for (i = 0; i < NUMBERS; i++) {
        tool_number(option[i], o->number[i], most[i], &number);
        *to[i] = o->number[i] ? (int)number : -1;
    }
}

/* Leaves the operands that have such an element. */
static void narrow(struct wsim_fragments *f) {
    for (int i = 0; i < WSIM_OPERANDS; i++) {
        struct layout_entry e;
        unsigned cursor = 0;
        if (f->has >> i & 1 && !layout_next(&f->layout[i], &f->only, &cursor, &e))
            f->has &= ~(1u << i);
    }
}

/* Text of a query is a list; pages show the whole operands with its elements marked. */
static int answer(struct doc *doc, struct wsim_fragments *f) {
    struct wsim_picture picture;
    if (doc_is(doc, TOOL_CUTE) && layout_is_list(&f->only))
        tool_fail("a layout of CuTe describes whole operands, not single elements");
    narrow(f);
    if (!f->has)
        tool_error("no element of %s is where these numbers meet", f->spelling);
    layout_state(doc, f);
    wsim_picture_fragments(f, &picture);
    if ((f->has || doc_is(doc, TOOL_CSV)) && !(doc_is(doc, TOOL_TEXT) && layout_is_list(&f->only)))
        doc_picture(doc, &picture);
    return f->has ? TOOL_FINE : TOOL_FOUND;
}

/* --- operands in shared memory --- */

/* Whether --operand lies in shared memory: 1 and *shared. */
static int find_shared(const struct instruction *in, const struct options *o,
                       struct layout_shared *shared) {
    int operand = WSIM_A;
    while (operand <= WSIM_B && (!o->operand || !is_operand(o->operand, operand)))
        operand++;
    return operand <= WSIM_B && layout_shared_find(in, (enum wsim_operand)operand, shared);
}

static int answer_shared(struct doc *doc, const struct instruction *in, const struct options *o,
                         struct layout_shared *shared) {
    uint32_t number[2] = {0};
    if (o->number[LANE] || o->number[REG] || o->number[BATCH] || o->addresses || o->cute)
        tool_fail(
            "%s is in shared memory, not in registers: select an element with --row and --col",
            wsim_operand_name(shared->operand));
    tool_number("--row", o->number[ROW], UINT16_MAX, &number[0]);
    tool_number("--col", o->number[COL], UINT16_MAX, &number[1]);
    return layout_shared_answer(doc, shared, in->spelling, o->number[ROW] ? (int32_t)number[0] : -1,
                                o->number[COL] ? (int32_t)number[1] : -1);
}

/* Names the operands in shared memory beside an answer about registers. */
static void note_shared(struct doc *doc, const struct instruction *in) {
    struct layout_shared shared;
    for (int operand = WSIM_A; operand <= WSIM_B; operand++)
        if (layout_shared_find(in, (enum wsim_operand)operand, &shared)) {
            const char *name = wsim_operand_name((enum wsim_operand)operand);
            if (doc_is(doc, TOOL_CUTE))
                layout_shared_cute(doc, &shared);
            else
                tool_note("%s is in shared memory: --operand %s", name, name);
        }
}

static int answer_registers(struct doc *doc, const struct instruction *in, const struct options *o,
                            struct wsim_fragments *fragments) {
    int status;
    read_query(o, fragments);
    if (o->cute)
        return layout_cute(doc, fragments, o->cute);
    if (o->addresses)
        return layout_rows(doc, &in->op, fragments);
    status = answer(doc, fragments);
    if (status == TOOL_FINE && !o->operand && !layout_is_list(&fragments->only))
        note_shared(doc, in);
    return status;
}

static int run_tensor(struct tool *tool, const struct options *o) {
    struct layout_question q = {.operand = o->operand, .arch = o->arch, .cute = o->cute};
    static const char *const option[] = {"--lane", "--reg", "--row", "--col", "--batch"};
    int32_t *const to[] = {&q.lane, &q.reg, &q.row, &q.col, &q.batch};
    for (int i = 0; i < NUMBERS; i++) {
        uint32_t number = 0;
        tool_number(option[i], o->number[i], UINT16_MAX, &number);
        *to[i] = o->number[i] ? (int32_t)number : -1;
    }
    if (o->addresses)
        tool_fail("--addresses does not apply to tcgen05");
    if (o->cute && !umma_is_product(tool->args[0]))
        tool_fail("--cute is about operands of tcgen05.mma");
    return layout_tensor(doc_open(tool->format, "wsim.layout"), tool->args, &q);
}

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    struct instruction in;
    struct wsim_fragments fragments;
    struct layout_shared shared;
    const struct wsim_arch *arch;
    struct doc *doc;
    if (umma_is(tool->args[0]))
        return run_tensor(tool, o);
    instruction_read(tool->args, &in);
    arch = choose_arch(o->arch, &in.op);
    doc = doc_open(tool->format, "wsim.layout");
    if (find_shared(&in, o, &shared))
        return doc_close(doc, answer_shared(doc, &in, o, &shared));
    select_operands(o->operand, &in.op, arch, &fragments);
    if (in.atom.a_in == WSIM_ATOM_SHARED)
        fragments.has &= ~(1u << WSIM_A);
    return doc_close(doc, answer_registers(doc, &in, o, &fragments));
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"operand", 0, TOOL_STRING, TOOL_AT(operand), "Show one operand: a b c d e sfa sfb r", "NAME"},
    {"lane", 0, TOOL_STRING, TOOL_AT(number[LANE]), "List the elements of this lane", "LANE"},
    {"reg", 0, TOOL_STRING, TOOL_AT(number[REG]), "List the elements of this register", "REG"},
    {"row", 0, TOOL_STRING, TOOL_AT(number[ROW]), "List the holders of this row", "ROW"},
    {"col", 0, TOOL_STRING, TOOL_AT(number[COL]), "List the holders of this column", "COL"},
    {"batch", 0, TOOL_STRING, TOOL_AT(number[BATCH]), "Show one matrix or selector", "NUMBER"},
    {"cute", 0, TOOL_STRING, TOOL_AT(cute), "Compare a CuTe layout with the operand", "LAYOUT"},
    {"addresses", 0, TOOL_FLAG, TOOL_AT(addresses), "Show the lane that addresses each row", NULL},
    {"arch", 0, TOOL_STRING, TOOL_AT(arch), "Target; all since Turing agree", "NAME"},
    TOOL_OPTIONS_END};

const struct tool_command layout_command = {
    "SPELLING [FIELD=VALUE...]", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON | TOOL_CUTE, NULL, run};
/* clang-format on */
