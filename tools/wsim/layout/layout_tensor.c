/* wsim layout of tcgen05: operands and copies in tensor memory, and the registers of loads and
 * stores. */
#include "layout.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wsim/harness/cute.h>

/* --- operands of a product --- */

struct tensor {
    struct instruction in;
    struct wsim_code code;
    struct wsim_tensor_card card;
    char title[WSIM_CAPTION];
};

static int place_of(const struct wsim_tensor_card *card, uint32_t row, uint32_t col, uint32_t copy,
                    struct wsim_umma_place *place) {
    return card->copy ? wsim_tensor_copied_at(card->copy, row, col, copy, place)
                      : wsim_umma_place_at(card->code, card->operand, row, col, copy, place);
}

/* The places that are asked for: a list in JSON, and if `is_worded` lines. */
static void list_places(struct doc *doc, const struct wsim_tensor_card *card, int is_worded) {
    struct wsim_umma_place p;
    doc_list(doc, "places");
    for (uint32_t row = 0; row < card->rows; row++)
        for (uint32_t col = 0; col < card->cols; col++)
            for (uint32_t copy = 0; place_of(card, row, col, copy, &p); copy++) {
                if ((card->row >= 0 && row != (uint32_t)card->row) ||
                    (card->col >= 0 && col != (uint32_t)card->col) ||
                    (card->lane >= 0 && p.lane != (uint32_t)card->lane))
                    continue;
                doc_object(doc, NULL, "{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "row", (int)row, "col",
                           (int)col, "block", p.block, "lane", p.lane, "column", p.column, "bit",
                           p.bit, "bits", p.bits);
                if (is_worded)
                    doc_line(doc,
                             "%s  row %3u  col %3u%s  lane %3u  column %3u  bits %2u..%-2u  warp "
                             "%u",
                             card->copy ? "source" : wsim_operand_name(card->operand),
                             (unsigned)row, (unsigned)col,
                             card->blocks < 2 ? ""
                             : p.block        ? "  odd block"
                                              : "  even block",
                             p.lane, p.column, p.bit, p.bit + p.bits - 1u, p.lane / 32u);
            }
    doc_leave(doc);
}

/* Text of a query is a list, all else a picture. The caller frees card->word when the document is
 * closed. */
static void show_card(struct doc *doc, struct wsim_tensor_card *card, const char *title,
                      const struct layout_question *q) {
    const int asks = q->row >= 0 || q->col >= 0 || q->lane >= 0;
    const int is_list = doc_is(doc, TOOL_TEXT) && asks;
    const size_t words = (size_t)card->blocks * WSIM_TENSOR_LANES * card->columns;
    struct wsim_picture picture;
    card->title = title;
    card->row = q->row;
    card->col = q->col;
    card->lane = q->lane;
    wsim_tensor_card_fill(card, memory_make(words, sizeof *card->word));
    wsim_picture_tensor(card, &picture);
    if (is_list || doc_is(doc, TOOL_JSON))
        list_places(doc, card, is_list);
    if (!is_list)
        doc_picture(doc, &picture);
}

/* --- D as a layout of CuTe --- */

/* Half of a layout: its shapes, or its strides. */
struct half {
    char text[WSIM_CUTE_TEXT / 2];
    size_t length;
};

static void add(struct half *half, const char *before, const char *open, uint32_t number) {
    const size_t room = sizeof half->text - half->length;
    const int n =
        snprintf(half->text + half->length, room, "%s%s%u", before, open, (unsigned)number);
    half->length += n > 0 && (size_t)n < room ? (size_t)n : 0;
}

/* The address of an element of D, or none: lane << 16 | column. */
static uint32_t address_of(const struct tensor *t, uint32_t row, uint32_t col) {
    struct wsim_umma_place p;
    return wsim_umma_place_at(&t->code, WSIM_D, row, col, 0, &p) ? (uint32_t)p.lane << 16 | p.column
                                                                 : WSIM_CUTE_NONE;
}

/* Rows and columns of D that a block has. */
static uint32_t rows_of(const struct tensor *t) {
    return t->in.umma.shape.m / t->in.umma.form.blocks;
}

/* Modes of rows (0) or columns (1): one for each run of equal steps. */
enum { MODES = 4 };
static uint32_t find_modes(const struct tensor *t, int cols, uint32_t shape[MODES],
                           uint32_t stride[MODES]) {
    const uint32_t all = cols ? t->in.umma.shape.n : rows_of(t);
    uint32_t count = 0;
    for (uint32_t first = 1, n; first < all && count < MODES; first *= n, count++) {
        stride[count] = cols ? address_of(t, 0, first) : address_of(t, first, 0);
        for (n = 1; n * first < all; n++)
            if ((cols ? address_of(t, 0, n * first) : address_of(t, n * first, 0)) !=
                n * stride[count])
                break;
        shape[count] = n;
    }
    return count;
}

static int write_cute(struct doc *doc, const struct tensor *t) {
    struct half shapes = {0}, strides = {0};
    uint32_t shape[2 * MODES], stride[2 * MODES], rows = find_modes(t, 0, shape, stride);
    const uint32_t all = rows + find_modes(t, 1, shape + rows, stride + rows);
    for (uint32_t i = 0; i < all; i++) {
        const int opens = i == 0 ? rows > 1 : all - rows > 1;
        const char *before = i == 0 ? "(" : i != rows ? "," : rows > 1 ? ")," : ",";
        add(&shapes, before, opens && (i == 0 || i == rows) ? "(" : "", shape[i]);
        add(&strides, before, opens && (i == 0 || i == rows) ? "(" : "", stride[i]);
    }
    doc_line(doc, "d: %s%s:%s%s", shapes.text, all - rows > 1 ? "))" : ")", strides.text,
             all - rows > 1 ? "))" : ")");
    return TOOL_FINE;
}

/* States whether a layout of rows and columns of D, of the first block, has its addresses. */
static int compare_cute(struct doc *doc, const struct tensor *t, const char *text) {
    struct wsim_cute cute;
    struct wsim_diag diag;
    if (wsim_cute_read(text, &cute, &diag))
        tool_refuse("--cute", &diag);
    doc_pack(doc, "{s:s, s:s}", "schema", "wsim.layout.cute", "spelling", t->in.spelling);
    for (uint32_t row = 0; row < rows_of(t) || row < cute.threads; row++)
        for (uint32_t col = 0; col < t->in.umma.shape.n || col < cute.values; col++) {
            const int given = row < cute.threads && col < cute.values;
            const int there = row < rows_of(t) && col < t->in.umma.shape.n;
            const uint32_t got = given ? wsim_cute_index(&cute, row, col) : WSIM_CUTE_NONE;
            const uint32_t want = there ? address_of(t, row, col) : WSIM_CUTE_NONE;
            if (got == want)
                continue;
            doc_pack(doc, "{s:b, s:i, s:i}", "same", 0, "row", (int)row, "col", (int)col);
            if (!given || !there)
                doc_line(doc, "d: not the same: there, D is %u x %u; here, %u x %u",
                         (unsigned)cute.threads, (unsigned)cute.values, (unsigned)rows_of(t),
                         (unsigned)t->in.umma.shape.n);
            else
                doc_line(doc,
                         "d: not the same: (%u,%u) is in lane %u, column %u there; in lane %u, "
                         "column %u of D",
                         (unsigned)row, (unsigned)col, (unsigned)(got >> 16),
                         (unsigned)(got & 0xFFFF), (unsigned)(want >> 16),
                         (unsigned)(want & 0xFFFF));
            return TOOL_FOUND;
        }
    doc_pack(doc, "{s:b}", "same", 1);
    doc_line(doc, "d: the same");
    return TOOL_FINE;
}

static int answer_cute(struct doc *doc, const struct tensor *t, enum wsim_operand operand,
                       const char *text) {
    if (operand != WSIM_D)
        tool_fail("%s: a layout of CuTe for tensor memory is that of D",
                  wsim_operand_name(operand));
    return text ? compare_cute(doc, t, text) : write_cute(doc, t);
}

/* Reads the instruction. Answers the chosen operand. */
static enum wsim_operand open_product(struct tensor *t, const char **args,
                                      const struct layout_question *q) {
    static const char can_be[] = "d, a, e, sfa or sfb";
    enum wsim_operand operand = WSIM_D;
    const struct wsim_arch *arch = tool_target(q->arch ? q->arch : UMMA_ARCH);
    struct wsim_diag diag;
    instruction_read(args, &t->in);
    if (q->operand)
        operand = tool_operand(q->operand, can_be);
    if (operand == WSIM_R)
        tool_fail("unknown operand '%s': must be %s", text_cut(q->operand).text, can_be);
    if (instruction_prepare(&t->in, arch, 0, &t->code, &diag))
        tool_refuse(NULL, &diag);
    if (operand == WSIM_B)
        tool_fail("B lies in shared memory; for its bytes: wsim desc encode 'K-major B, 64x64 f16, "
                  "128B' --arch %s",
                  wsim_arch_name(arch));
    if ((operand == WSIM_SFA || operand == WSIM_SFB) && !t->in.umma.form.factors)
        tool_fail("%s has no scale factors: kinds mxf8f6f4, mxf4 and mxf4nvf4 have",
                  t->in.spelling);
    if (operand == WSIM_E && !t->in.umma.form.sparse)
        tool_fail("%s has no metadata: forms with .sp have", t->in.spelling);
    return operand;
}

static void state_card(struct doc *doc, struct tensor *t, enum wsim_operand operand,
                       const struct layout_question *q) {
    struct wsim_layout matrix;
    struct wsim_diag diag;
    char words[UMMA_TEXT];
    umma_matrix(&t->in.umma, operand, &matrix);
    if (wsim_tensor_card_open(&t->code, operand, matrix.rows, matrix.cols, &t->card, &diag))
        tool_refuse(NULL, &diag);
    umma_words(&t->in.umma.shape, words);
    snprintf(t->title, sizeof t->title, "%s of %s, %s: %u x %u in tensor memory",
             wsim_operand_name(operand), t->in.spelling, words, matrix.rows, matrix.cols);
    doc_pack(doc, "{s:s, s:s, s:s, s:o, s:i, s:i, s:i, s:i}", "spelling", t->in.spelling, "shape",
             words, "operand", wsim_operand_name(operand), "idesc",
             json_sprintf("%08lx", (unsigned long)t->in.umma.idesc), "rows", matrix.rows, "cols",
             matrix.cols, "columns", (int)t->card.columns, "blocks", (int)t->card.blocks);
    show_card(doc, &t->card, t->title, q);
}

static int answer_product(struct doc *doc, const char **args, const struct layout_question *q) {
    struct tensor *t = memory_make(1, sizeof *t);
    const enum wsim_operand operand = open_product(t, args, q);
    int status = TOOL_FINE;
    if (q->cute || doc_is(doc, TOOL_CUTE))
        status = answer_cute(doc, t, operand, q->cute);
    else
        state_card(doc, t, operand, q);
    status = doc_close(doc, status);
    free(t->card.word);
    free(t);
    return status;
}

static int answer_copy(struct doc *doc, const struct wsim_scalar *op,
                       const struct layout_question *q) {
    struct wsim_tensor_card card;
    struct wsim_diag diag;
    char spelling[WSIM_SPELLING_MAX], title[WSIM_CAPTION];
    const enum wsim_status status = wsim_tensor_card_copy(op, &card, &diag);
    if (status == WSIM_ILLEGAL)
        tool_fail("no registers or matrices: use tcgen05.mma, cp, ld or st");
    if (status)
        tool_refuse(NULL, &diag);
    if (q->operand || doc_is(doc, TOOL_CUTE))
        tool_fail("--operand and --format cute are about operands of tcgen05.mma");
    wsim_scalar_spell(op, spelling, sizeof spelling);
    snprintf(title, sizeof title,
             "the source of %s, %u rows of %u words of 32 bits, in tensor memory", spelling,
             (unsigned)card.rows, (unsigned)card.cols);
    doc_pack(doc, "{s:s, s:i, s:i, s:i, s:i}", "spelling", spelling, "rows", (int)card.rows, "cols",
             (int)card.cols, "columns", (int)card.columns, "copies", (int)card.copies);
    show_card(doc, &card, title, q);
    doc_close(doc, TOOL_FINE);
    free(card.word);
    return TOOL_FINE;
}

/* --- registers --- */

static uint32_t coordinate(const struct wsim_scalar *op, unsigned thread, unsigned reg,
                           unsigned bit) {
    struct wsim_umma_place near, far;
    wsim_tensor_place_at(op, thread, reg, bit, 0, &near);
    wsim_tensor_place_at(op, thread, reg, bit, 1, &far);
    return near.lane | (uint32_t)near.column << 12 | (uint32_t)(far.column - near.column) << 24;
}

int layout_tensor_registers(const struct wsim_scalar *op, struct wsim_layout *layout) {
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
    umma_scalar(args[0], &op);
    return layout_tensor_registers(&op, &layout) ? answer_registers(doc, &op, &layout, q)
                                                 : answer_copy(doc, &op, q);
}
