/* wsim layout of tcgen05: operands in tensor memory, and the registers of loads and stores. */
#include "layout.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/umma.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- operands of a product --- */

struct tensor {
    struct umma umma;
    struct wsim_code code;
    struct wsim_tensor_card card;
    struct wsim_tensor_word *word;
    char title[WSIM_CAPTION];
};

/* Rows and columns of an operand as a matrix, as wsim exec shows it. */
static void measure(const struct umma *u, enum wsim_operand operand, uint32_t *rows,
                    uint32_t *cols) {
    const uint32_t k = u->shape.k, stored = u->form.sparse ? k / 2 : k;
    const uint32_t factors = u->form.factors, chunks = umma_chunks(&u->form, &u->shape);
    *rows = operand == WSIM_SFB ? factors : u->shape.m;
    *cols = operand == WSIM_A     ? stored
            : operand == WSIM_E   ? chunks
            : operand == WSIM_SFA ? factors
                                  : u->shape.n;
}

static int choose(const char *name, enum wsim_operand *operand) {
    int i = WSIM_D;
    while (i < WSIM_OPERANDS && strcasecmp(name, wsim_operand_name((enum wsim_operand)i)) != 0)
        i++;
    *operand = (enum wsim_operand)i;
    return i < WSIM_OPERANDS && i != WSIM_R
               ? TOOL_GO
               : tool_error("unknown operand '%s': must be d, a, e, sfa or sfb",
                            text_cut(name).text);
}

/* The places that are asked for: a list in JSON, and if `is_worded` lines. */
static void list_places(struct doc *doc, const struct wsim_tensor_card *card, int is_worded) {
    struct wsim_umma_place p;
    doc_list(doc, "places");
    for (uint32_t row = 0; row < card->rows; row++)
        for (uint32_t col = 0; col < card->cols; col++)
            for (uint32_t copy = 0;
                 wsim_umma_place_at(card->code, card->operand, row, col, copy, &p); copy++) {
                if ((card->row >= 0 && row != (uint32_t)card->row) ||
                    (card->col >= 0 && col != (uint32_t)card->col) ||
                    (card->lane >= 0 && p.lane != (uint32_t)card->lane))
                    continue;
                doc_enter(doc, NULL);
                doc_pack(doc, "{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "row", (int)row, "col",
                         (int)col, "block", p.block, "lane", p.lane, "column", p.column, "bit",
                         p.bit, "bits", p.bits);
                doc_leave(doc);
                if (is_worded)
                    doc_line(doc,
                             "%s  row %3u  col %3u%s  lane %3u  column %3u  bits %2u..%-2u  warp "
                             "%u",
                             wsim_operand_name(card->operand), (unsigned)row, (unsigned)col,
                             card->blocks < 2 ? ""
                             : p.block        ? "  odd block"
                                              : "  even block",
                             p.lane, p.column, p.bit, p.bit + p.bits - 1u, p.lane / 32u);
            }
    doc_leave(doc);
}

static int answer_product(struct doc *doc, const char **args, const struct layout_question *q) {
    struct tensor *t = memory_make(1, sizeof *t);
    enum wsim_operand operand = WSIM_D;
    struct wsim_picture picture;
    struct wsim_diag diag;
    char words[UMMA_TEXT];
    uint32_t rows, cols;
    int is_list, status = umma_from_words(args, &t->umma);
    const struct wsim_arch *arch = tool_arch(q->arch ? q->arch : UMMA_ARCH);
    if (status == TOOL_GO && !arch)
        status = TOOL_USAGE;
    if (status == TOOL_GO && q->operand)
        status = choose(q->operand, &operand);
    if (status == TOOL_GO &&
        wsim_umma_prepare(&t->umma.form, t->umma.idesc, arch, 0, &t->code, &diag))
        status = tool_refused(NULL, &diag);
    measure(&t->umma, operand, &rows, &cols);
    if (status == TOOL_GO && wsim_tensor_card_open(&t->code, operand, rows, cols, &t->card, &diag))
        status = tool_refused(NULL, &diag);
    if (status == TOOL_GO) {
        umma_words(&t->umma.shape, words);
        snprintf(t->title, sizeof t->title, "%s of %s, %s: %u x %u in tensor memory",
                 wsim_operand_name(operand), t->umma.spelling, words, (unsigned)rows,
                 (unsigned)cols);
        t->word = memory_make((size_t)t->card.blocks * WSIM_TENSOR_LANES * t->card.columns,
                              sizeof *t->word);
        wsim_tensor_card_fill(&t->card, t->word);
        t->card.title = t->title;
        t->card.row = q->row;
        t->card.col = q->col;
        t->card.lane = q->lane;
        doc_pack(doc, "{s:s, s:s, s:s, s:o, s:i, s:i, s:i, s:i}", "spelling", t->umma.spelling,
                 "shape", words, "operand", wsim_operand_name(operand), "idesc",
                 json_sprintf("%08lx", (unsigned long)t->umma.idesc), "rows", (int)rows, "cols",
                 (int)cols, "columns", (int)t->card.columns, "blocks", (int)t->card.blocks);
        wsim_picture_tensor(&t->card, &picture);
        is_list = doc_is(doc, TOOL_TEXT) && (q->row >= 0 || q->col >= 0 || q->lane >= 0);
        if (is_list || doc_is(doc, TOOL_JSON))
            list_places(doc, &t->card, is_list);
        if (!is_list)
            doc_picture(doc, &picture);
        status = doc_close(doc, TOOL_FINE);
    } else {
        status = doc_close(doc, status);
    }
    free(t->word);
    free(t);
    return status;
}

/* --- registers --- */

static uint32_t coordinate(const struct wsim_scalar *op, unsigned thread, unsigned reg,
                           unsigned bit) {
    struct wsim_umma_place near, far;
    wsim_tensor_place_at(op, thread, reg, bit, 0, &near);
    wsim_tensor_place_at(op, thread, reg, bit, 1, &far);
    return near.lane | (uint32_t)near.column << 12 | (uint32_t)(far.column - near.column) << 24;
}

/* The registers of a load or store as a layout: its bits add lanes as rows and columns. Register
 * halves of .pack::16b and .unpack::16b are elements. The second half of .16x32bx2 is batch 1. 0:
 * another instruction. */
static int read_registers(const struct wsim_scalar *op, struct wsim_layout *layout) {
    struct wsim_umma_place place;
    unsigned regs = 0, halves, bits = 0;
    while (wsim_tensor_place_at(op, 0, regs, 0, 0, &place))
        regs++;
    if (!regs)
        return 0;
    wsim_tensor_place_at(op, 0, 0, 16, 0, &place);
    halves = place.column != 0;
    *layout = (struct wsim_layout){.name = "tensor memory",
                                   .format = wsim_format_find(halves ? "b16" : "b32"),
                                   .lanes = WSIM_LANES,
                                   .elems = (uint16_t)(regs << halves),
                                   .elem_bits = halves ? 16 : 32,
                                   .regs = (uint8_t)regs};
    for (unsigned i = 0; i < 5; i++)
        layout->lane[i] = coordinate(op, 1u << i, 0, 0);
    if (halves)
        layout->elem[bits++] = coordinate(op, 0, 0, 16);
    for (unsigned i = 0; regs >> (i + 1); i++)
        layout->elem[bits++] = coordinate(op, 0, 1u << i, 0);
    layout->batches = (uint16_t)(1 + (layout->lane[4] >> 24));
    layout->rows = (layout->lane[4] & 0xFFF) == 16 ? 32 : 16;
    layout->cols = (uint16_t)(WSIM_LANES * layout->elems / layout->rows / layout->batches);
    return 1;
}

static int answer_registers(struct doc *doc, const struct wsim_scalar *op,
                            const struct wsim_layout *layout, const struct layout_question *q) {
    struct wsim_fragments f;
    struct wsim_picture picture;
    char spelling[WSIM_SPELLING_MAX];
    wsim_scalar_spell(op, spelling, sizeof spelling);
    wsim_fragments_of(spelling, layout, &f);
    f.only = (struct wsim_fragment_query){q->lane, q->reg, q->row, q->col, q->batch};
    layout_state(doc, &f);
    wsim_picture_fragments(&f, &picture);
    if (!(doc_is(doc, TOOL_TEXT) && layout_is_list(&f.only)))
        doc_picture(doc, &picture);
    return doc_close(doc, TOOL_FINE);
}

int layout_tensor(struct doc *doc, const char **args, const struct layout_question *q) {
    struct wsim_scalar op;
    struct wsim_layout layout;
    if (umma_is_product(args[0]))
        return answer_product(doc, args, q);
    if (umma_scalar(args[0], &op) != TOOL_GO)
        return doc_close(doc, TOOL_USAGE);
    if (!read_registers(&op, &layout))
        return doc_close(doc, tool_error("no registers or matrices: use tcgen05.mma, tcgen05.ld or "
                                         "tcgen05.st"));
    return answer_registers(doc, &op, &layout, q);
}
