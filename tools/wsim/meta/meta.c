/* wsim meta: a sparse A and its metadata: compress, expand, check, and who holds it. */
#include "meta.h"
#include "../common/memory.h"
#include "../common/names.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>

static const char about[] =
    "Works on a sparse operand A and its metadata:\n"
    "  compress     turn a dense matrix (--dense) into registers of A and of the metadata\n"
    "  expand       turn registers (--a, --e) into the dense matrix\n"
    "  check        list undefined groups of metadata (--e), or groups of a dense matrix\n"
    "               (--dense) with too many nonzeros; exit status 1 if there are any\n"
    "  lanes        show which lanes supply the metadata of which rows, for each selector\n"
    "\n"
    "Each group of columns keeps some: 2 of 4, 1 of 2 (tf32), or 2 pairs of 8 (e2m1). A nibble\n"
    "of two 2-bit indices, lower first, selects them. --dense, --a and --e take the operands of\n"
    "wsim exec: words, 'I,J=NUMBER; ...', FILE.csv, FILE.npy, hex:. --dense has all columns of\n"
    "A.\n";
static const char examples[] =
    "  wsim layout --sparse compress mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --dense "
    "'0,1=3; "
    "0,2=5'\n"
    "  wsim layout --sparse check mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --e "
    "random:1\n";

struct options {
    char *arch, *dense, *a, *e, *selector;
    struct operand_reading reading;
};

/* --- operands --- */

/* A of the dense matrix: as many rows, all columns of k. */
static struct wsim_layout dense_of(const struct meta *meta) {
    struct wsim_layout dense = meta->a;
    dense.name = "dense";
    dense.batches = 1;
    dense.rows = meta->pattern.rows;
    dense.cols = (uint16_t)(meta->pattern.groups * meta->pattern.columns);
    return dense;
}

static int open_meta(struct meta *meta, const struct options *o, const char **args) {
    const struct wsim_arch *arch = NULL;
    struct wsim_diag diag;
    int status = tool_op(args, &meta->op);
    if (status != TOOL_GO)
        return status;
    if (o->arch && !(arch = tool_arch(o->arch)))
        return TOOL_USAGE;
    if ((arch && wsim_op_check(&meta->op, arch, &diag)) ||
        wsim_meta_pattern(&meta->op, &meta->pattern, &diag) ||
        wsim_op_layout(&meta->op, arch, WSIM_A, &meta->a, &diag) ||
        wsim_op_layout(&meta->op, arch, WSIM_E, &meta->e, &diag))
        return tool_refused(NULL, &diag);
    wsim_op_spell(&meta->op, meta->spelling);
    meta->dense = dense_of(meta);
    meta->matrix = memory_make((size_t)meta->dense.rows * meta->dense.cols, sizeof *meta->matrix);
    return tool_number("--selector", o->selector, meta->pattern.selectors - 1u, &meta->selector);
}

static int fill(struct meta *meta, const struct options *o, enum wsim_operand operand,
                const char *text) {
    return operand_fill(&meta->op, NULL, operand, text, &o->reading, meta->selector,
                        operand == WSIM_A ? &meta->words_a : &meta->words_e);
}

/* Messages call it --a. */
static int fill_dense(struct meta *meta, const struct options *o) {
    int status;
    tool_subject("--dense: ");
    status = operand_matrix(WSIM_A, &meta->dense, o->dense, &o->reading, "", meta->matrix);
    tool_subject("");
    return status;
}

/* --- the actions --- */

/* A page is a picture: the columns of A that are kept, and their places. */
static int draw(struct doc *doc, const struct meta *meta, struct wsim_sparse *sparse) {
    struct wsim_picture picture;
    struct wsim_diag diag;
    if (wsim_sparse_make(&meta->op, meta->words_e.words, meta->selector, sparse, &diag))
        return tool_refused(NULL, &diag);
    wsim_picture_sparse(sparse, &picture);
    doc_only(doc, 0);
    doc_picture(doc, &picture);
    return TOOL_GO;
}

static int compress(struct doc *doc, struct meta *meta, const struct options *o) {
    struct wsim_diag diag;
    int status = o->dense ? fill_dense(meta, o) : tool_error("--dense is missing");
    if (status == TOOL_GO && wsim_words_compress(&meta->op, meta->matrix, meta->selector,
                                                 meta->words_a.words, meta->words_e.words, &diag))
        status = tool_refused(NULL, &diag);
    if (status == TOOL_GO)
        meta_compressed(doc, meta);
    return status;
}

static int expand(struct doc *doc, struct meta *meta, const struct options *o) {
    struct wsim_diag diag;
    int status = fill(meta, o, WSIM_A, o->a ? o->a : "iota");
    if (status == TOOL_GO)
        status = fill(meta, o, WSIM_E, o->e ? o->e : "keep");
    if (status == TOOL_GO && wsim_words_expand(&meta->op, meta->words_a.words, meta->words_e.words,
                                               meta->selector, meta->matrix, &diag))
        status = tool_refused(NULL, &diag);
    if (status == TOOL_GO)
        meta_expanded(doc, meta);
    return status;
}

static int check(struct doc *doc, struct meta *meta, const struct options *o) {
    int status;
    if (!o->e == !o->dense)
        return tool_error("wsim layout --sparse check: --e, metadata, or --dense, a matrix");
    status = o->e ? fill(meta, o, WSIM_E, o->e) : fill_dense(meta, o);
    return status == TOOL_GO ? meta_findings(doc, meta, !o->e) : status;
}

static int lanes(struct doc *doc, struct meta *meta, const struct options *o) {
    (void)o;
    meta_lanes(doc, meta);
    return TOOL_GO;
}

static const struct action {
    const char *name;
    int (*run)(struct doc *doc, struct meta *meta, const struct options *o);
    unsigned formats;    /* beside text and json */
    uint8_t a, e, dense; /* it reads the option  */
} actions[] = {{"compress", compress, DOC_PAGES, 0, 0, 1},
               {"expand", expand, TOOL_CSV | DOC_PAGES, 1, 1, 0},
               {"check", check, 0, 0, 1, 1},
               {"lanes", lanes, 0, 0, 0, 0}};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

static int refuse_options(const struct action *action, const struct options *o) {
    const char *option = o->dense && !action->dense ? "dense"
                         : o->a && !action->a       ? "a"
                         : o->e && !action->e       ? "e"
                                                    : NULL;
    return option
               ? tool_error("--%s: wsim layout --sparse %s does not read it", option, action->name)
               : TOOL_GO;
}

static int find_action(const char *name) {
    const char *names[ACTIONS];
    int i = 0;
    while (i < ACTIONS && name && strcmp(name, actions[i].name) != 0)
        i++;
    if (name && i < ACTIONS)
        return i;
    for (i = 0; i < ACTIONS; i++)
        names[i] = actions[i].name;
    if (name)
        tool_error("wsim layout --sparse '%s'%s (known are compress, expand, check and lanes)",
                   text_cut(name).text, name_near(name, names, ACTIONS).text);
    else
        tool_error("wsim layout --sparse: compress, expand, check or lanes?");
    return -1;
}

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    const int number = find_action(tool->args[0]);
    const struct action *action = &actions[number < 0 ? 0 : number];
    struct wsim_sparse sparse;
    struct meta *meta;
    struct doc *doc;
    int status = number < 0 ? TOOL_USAGE
                            : tool_allows(tool->format, TOOL_TEXT | TOOL_JSON | action->formats);
    if (status != TOOL_GO)
        return status;
    doc = doc_open(tool->format, "wsim.meta");
    meta = memory_make(1, sizeof *meta);
    status = open_meta(meta, o, tool->args + 1);
    if (status == TOOL_GO)
        status = refuse_options(action, o);
    if (status == TOOL_GO) {
        doc_only(doc, TOOL_TEXT | TOOL_CSV);
        meta_head(doc, meta, action->name);
        status = action->run(doc, meta, o);
    }
    if (status == TOOL_GO && doc_is(doc, DOC_PAGES))
        status = draw(doc, meta, &sparse);
    status = doc_close(doc, status);
    free(meta->matrix);
    free(meta);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"arch", 0, TOOL_STRING, TOOL_AT(arch), "Target that must have the instruction", "NAME"},
    {"dense", 0, TOOL_STRING, TOOL_AT(dense), "Dense matrix A", "X"},
    {"a", 0, TOOL_STRING, TOOL_AT(a), "Registers of A", "X"},
    {"e", 0, TOOL_STRING, TOOL_AT(e), "Registers of the metadata", "X"},
    {"round", 0, TOOL_FLAG, TOOL_AT(reading.round), "Round numbers of X", NULL},
    {"bits", 0, TOOL_FLAG, TOOL_AT(reading.bits), "Read integers of a .npy as bits", NULL},
    {"selector", 0, TOOL_STRING, TOOL_AT(selector), "Sparsity selector", "NUMBER"},
    TOOL_OPTIONS_END};

const struct tool_command meta_command = {
    "compress|expand|check|lanes SPELLING", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON, "text, json; compress, expand: md, svg, html; expand: csv", run};
/* clang-format on */
