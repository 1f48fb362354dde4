/* wsim layout --fits with tcgen05.ld and tcgen05.st. Their registers are compared with an operand
 * of mma or wgmma: rows are lanes and columns are columns of tensor memory. */
#include "../common/text.h"
#include "../common/umma.h"
#include "fits.h"
#include "layout.h"

#include <string.h>

struct tensor_fits {
    struct wsim_scalar move;
    struct wsim_op op;
    char move_text[WSIM_SPELLING_MAX], op_text[WSIM_SPELLING_MAX];
    enum wsim_operand operand;
    struct wsim_layout brings, wants;
    unsigned fragments, moves; /* of a move; of a fragment */
    int fits;
    char why[256];
};

static struct wsim_coord shifted(const struct wsim_layout *layout, unsigned number, unsigned lane,
                                 unsigned elem) {
    struct wsim_coord at = wsim_layout_coord(layout, lane, elem);
    at.col = (uint16_t)(at.col + number * layout->cols);
    return at;
}

/* Compares each element of the first warp; fragments and moves follow one another in columns. */
static int compare(struct tensor_fits *f) {
    const struct wsim_layout *brings = &f->brings, *wants = &f->wants;
    const unsigned all = brings->elems > wants->elems ? brings->elems : wants->elems;
    if (brings->elem_bits != wants->elem_bits) {
        snprintf(f->why, sizeof f->why,
                 "it moves elements of %u bits, and the operand has elements of %u bits",
                 brings->elem_bits, wants->elem_bits);
        return 0;
    }
    if (all % brings->elems || all % wants->elems) {
        snprintf(f->why, sizeof f->why,
                 "its %u registers and the %u of the operand do not go into each other",
                 brings->regs, wants->regs);
        return 0;
    }
    for (unsigned e = 0; e < all; e++)
        for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
            const struct wsim_coord has =
                shifted(brings, e / brings->elems, lane, e % brings->elems);
            const struct wsim_coord want = shifted(wants, e / wants->elems, lane, e % wants->elems);
            if (has.row == want.row && has.col == want.col && has.batch == want.batch)
                continue;
            snprintf(f->why, sizeof f->why,
                     "element %u of thread %u should have row %u, column %u and would have "
                     "%slane %u, column %u",
                     e, lane, want.row, want.col, has.batch ? "the other half, " : "", has.row,
                     has.col);
            return 0;
        }
    f->fragments = all / wants->elems;
    f->moves = all / brings->elems;
    return 1;
}

/* --- the answer --- */

/* Spellings of one fragment and one move. */
static void add_others(struct doc *doc, const struct tensor_fits *f) {
    static const char *const shapes[] = {"32x32b", "16x64b", "16x128b", "16x256b"};
    static const struct doc_column columns[] = {
        {"registers", "registers", 0}, {"spelling", "fits", DOC_LEFT}, {NULL, NULL, 0}};
    const int stores = strstr(f->move_text, "tcgen05.st") != NULL;
    unsigned found = 0;
    doc_only(doc, DOC_SHOWN);
    doc_table(doc, "others", columns);
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (unsigned times = 1; times <= 128; times *= 2)
            for (int packs = 0; packs < 2; packs++) {
                struct tensor_fits other = *f;
                char text[WSIM_SPELLING_MAX];
                snprintf(text, sizeof text, "tcgen05.%s.sync.aligned.%s.x%u%s.b32",
                         stores ? "st" : "ld", shapes[i], times,
                         !packs   ? ""
                         : stores ? ".unpack::16b"
                                  : ".pack::16b");
                if (wsim_scalar_parse(text, &other.move, NULL) ||
                    !layout_tensor_registers(&other.move, &other.brings) || !compare(&other) ||
                    other.fragments * other.moves != 1)
                    continue;
                doc_row_of(doc, "us", other.brings.regs, text);
                found++;
            }
    doc_leave(doc);
    doc_only(doc, 0);
    if (!found)
        doc_line(doc, "no shape fits");
}

static int state(struct doc *doc, const struct tensor_fits *f) {
    const int stores = strstr(f->move_text, "tcgen05.st") != NULL;
    doc_pack(doc, "{s:s, s:s, s:s, s:b}", "move", f->move_text, "product", f->op_text, "operand",
             wsim_operand_name(f->operand), "fits", f->fits);
    if (!f->fits) {
        doc_line(doc, "no: %s does not %s the registers of operand %s of %s: %s", f->move_text,
                 stores ? "store" : "fill", wsim_operand_name(f->operand), f->op_text, f->why);
        doc_set(doc, "because", json_string(f->why));
        add_others(doc, f);
        return TOOL_FOUND;
    }
    doc_line(doc, "yes: %s %s operand %s of %s", f->move_text, stores ? "stores" : "loads",
             wsim_operand_name(f->operand), f->op_text);
    doc_line(doc, "row r is lane r of the address, column c its column c%s",
             f->wants.lanes > WSIM_LANES ? " (of each warp, in its quarter of the lanes)" : "");
    if (f->fragments > 1)
        doc_line(doc, "%u fragments of %u registers, %u columns each", f->fragments, f->wants.regs,
                 f->wants.cols);
    if (f->moves > 1)
        doc_line(doc, "%u moves for one fragment, %u columns each", f->moves, f->brings.cols);
    doc_pack(doc, "{s:i, s:i}", "moves_a_fragment", f->moves, "fragments_a_move", f->fragments);
    return TOOL_FINE;
}

int fits_tensor(enum tool_format format, const char **args, const char *operand) {
    struct tensor_fits f = {.operand = WSIM_D};
    struct wsim_diag diag;
    struct doc *doc;
    const char *op[] = {args[1], NULL};
    if (!args[1])
        tool_fail("give a product too, such as mma.sync.aligned.m16n8k16.row.col.f32.f16."
                  "f16.f32");
    if (umma_is(args[1]))
        tool_fail("the operands of tcgen05.mma lie in tensor memory: wsim layout shows the "
                  "lanes and columns; --fits is about registers of mma and wgmma");
    umma_scalar(args[0], &f.move);
    tool_op(op, &f.op);
    if (!layout_tensor_registers(&f.move, &f.brings))
        tool_fail("'%s' has no registers of a matrix: tcgen05.ld and tcgen05.st have",
                  text_cut(args[0]).text);
    if (operand)
        f.operand = tool_operand(operand, "a, b, c or d");
    if (wsim_op_layout(&f.op, NULL, f.operand, &f.wants, &diag))
        tool_refuse(NULL, &diag);
    wsim_scalar_spell(&f.move, f.move_text, sizeof f.move_text);
    wsim_op_spell(&f.op, f.op_text);
    f.fits = compare(&f);
    doc = doc_open(format, "wsim.fits");
    return doc_close(doc, state(doc, &f));
}
