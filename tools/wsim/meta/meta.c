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

static void open_meta(struct meta *meta, const struct options *o, const char **args) {
    const struct wsim_arch *arch = NULL;
    struct wsim_diag diag;
    tool_op(args, &meta->op);
    if (o->arch)
        arch = tool_target(o->arch);
    if ((arch && wsim_op_check(&meta->op, arch, &diag)) ||
        wsim_meta_pattern(&meta->op, &meta->pattern, &diag) ||
        wsim_op_layout(&meta->op, arch, WSIM_A, &meta->a, &diag) ||
        wsim_op_layout(&meta->op, arch, WSIM_E, &meta->e, &diag))
        tool_refuse(NULL, &diag);
    wsim_op_spell(&meta->op, meta->spelling);
    meta->dense = dense_of(meta);
    meta->matrix = memory_make((size_t)meta->dense.rows * meta->dense.cols, sizeof *meta->matrix);
    tool_number("--selector", o->selector, meta->pattern.selectors - 1u, &meta->selector);
}

static void fill(struct meta *meta, const struct options *o, enum wsim_operand operand,
                 const char *text) {
    operand_fill(&meta->op, NULL, operand, text, &o->reading, meta->selector,
                 operand == WSIM_A ? &meta->words_a : &meta->words_e);
}

/* Messages call it --a. */
static void fill_dense(struct meta *meta, const struct options *o) {
    tool_subject("--dense: ");
    operand_matrix(WSIM_A, &meta->dense, o->dense, &o->reading, "", meta->matrix);
    tool_subject("");
}

/* --- the actions --- */

/* A page is a picture: the columns of A that are kept, and their places. */
static void draw(struct doc *doc, const struct meta *meta, struct wsim_sparse *sparse) {
    struct wsim_picture picture;
    struct wsim_diag diag;
    if (wsim_sparse_make(&meta->op, meta->words_e.words, meta->selector, sparse, &diag))
        tool_refuse(NULL, &diag);
    wsim_picture_sparse(sparse, &picture);
    doc_only(doc, 0);
    doc_picture(doc, &picture);
}

static int compress(struct doc *doc, struct meta *meta, const struct options *o) {
    struct wsim_diag diag;
    if (!o->dense)
        tool_fail("--dense is missing");
    fill_dense(meta, o);
    if (wsim_words_compress(&meta->op, meta->matrix, meta->selector, meta->words_a.words,
                            meta->words_e.words, &diag))
        tool_refuse(NULL, &diag);
    meta_compressed(doc, meta);
    return TOOL_FINE;
}

static int expand(struct doc *doc, struct meta *meta, const struct options *o) {
    struct wsim_diag diag;
    fill(meta, o, WSIM_A, o->a ? o->a : "iota");
    fill(meta, o, WSIM_E, o->e ? o->e : "keep");
    if (wsim_words_expand(&meta->op, meta->words_a.words, meta->words_e.words, meta->selector,
                          meta->matrix, &diag))
        tool_refuse(NULL, &diag);
    meta_expanded(doc, meta);
    return TOOL_FINE;
}

static int check(struct doc *doc, struct meta *meta, const struct options *o) {
    if (!o->e == !o->dense)
        tool_fail("wsim layout --sparse check: --e, metadata, or --dense, a matrix");
    if (o->e)
        fill(meta, o, WSIM_E, o->e);
    else
        fill_dense(meta, o);
    return meta_findings(doc, meta, !o->e);
}

static int lanes(struct doc *doc, struct meta *meta, const struct options *o) {
    (void)o;
    meta_lanes(doc, meta);
    return TOOL_FINE;
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

static void refuse_options(const struct action *action, const struct options *o) {
    const char *option = o->dense && !action->dense ? "dense"
                         : o->a && !action->a       ? "a"
                         : o->e && !action->e       ? "e"
                                                    : NULL;
    if (option)
        tool_fail("--%s: wsim layout --sparse %s does not read it", option, action->name);
}

static const struct action *find_action(const char *name) {
    const char *names[ACTIONS];
    int i = 0;
    while (i < ACTIONS && name && strcmp(name, actions[i].name) != 0)
        i++;
    if (name && i < ACTIONS)
        return &actions[i];
    for (i = 0; i < ACTIONS; i++)
        names[i] = actions[i].name;
    if (name)
        tool_fail("wsim layout --sparse '%s'%s (known are compress, expand, check and lanes)",
                  text_cut(name).text, name_near(name, names, ACTIONS).text);
    tool_fail("wsim layout --sparse: compress, expand, check or lanes?");
}

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    const struct action *action = find_action(tool->args[0]);
    struct wsim_sparse sparse;
    struct meta *meta;
    struct doc *doc;
    int status;
    tool_allows(tool->format, TOOL_TEXT | TOOL_JSON | action->formats);
    doc = doc_open(tool->format, "wsim.meta");
    meta = memory_make(1, sizeof *meta);
    open_meta(meta, o, tool->args + 1);
    refuse_options(action, o);
    doc_only(doc, TOOL_TEXT | TOOL_CSV);
    meta_head(doc, meta, action->name);
    status = action->run(doc, meta, o);
    if (doc_is(doc, DOC_PAGES))
        draw(doc, meta, &sparse);
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
