/* test_layouts.c - every layout of every operand is a bijection. Each element of the
 * matrix has one place, and the matrix has the shape of the instruction. Places are inverse to
 * coordinates, unpack is inverse to pack. */
#include "../every.h"

#include "../../sim/isa/isa.h"

#define MAX_ELEMENTS (WSIM_GROUP_REGS * 2 * WSIM_GROUP_THREADS)

static int elems(const struct wsim_layout *layout) {
    return layout->elems;
}

static size_t size_of(const struct wsim_layout *layout) {
    return (size_t)layout->batches * layout->rows * layout->cols;
}

/* Fragments of wmma may have copies: registers as the first, once more. */
static unsigned own_elems(const struct wsim_layout *layout) {
    unsigned own = (unsigned)(size_of(layout) / layout->lanes);
    return strncmp(layout->format->name, "f16", 3) == 0 && layout->regs == 8 ? own : layout->elems;
}

static size_t index_of(const struct wsim_layout *layout, struct wsim_coord at) {
    return ((size_t)at.batch * layout->rows + at.row) * layout->cols + at.col;
}

static int same_place(struct wsim_place a, struct wsim_place b) {
    return a.lane == b.lane && a.elem == b.elem && a.reg == b.reg && a.lsb == b.lsb;
}

/* Calls `visit` for every operand of the operation; returns their number. */
static int each_operand(const struct wsim_op *op,
                        void (*visit)(const struct wsim_layout *, const char *)) {
    struct wsim_layout layout;
    char text[WSIM_SPELLING_MAX];
    int operand, n = 0;
    wsim_op_spell(op, text);
    for (operand = 0; operand < WSIM_OPERANDS; operand++)
        if (wsim_op_layout(op, NULL, (enum wsim_operand)operand, &layout, NULL) == WSIM_OK) {
            visit(&layout, text);
            n++;
        }
    return n;
}

static void once_each(const struct wsim_layout *layout, const char *text) {
    static uint8_t seen[MAX_ELEMENTS];
    const unsigned own = own_elems(layout);
    int lane, elem;
    expect(size_of(layout) == (size_t)own * layout->lanes, "%s: %s is not onto", text,
           layout->name);
    memset(seen, 0, sizeof seen);
    for (lane = 0; lane < layout->lanes; lane++)
        for (elem = 0; elem < elems(layout); elem++) {
            struct wsim_coord at = wsim_layout_coord(layout, (unsigned)lane, (unsigned)elem);
            struct wsim_place in = wsim_layout_place(layout, (unsigned)lane, (unsigned)elem);
            expect(at.row < layout->rows && at.col < layout->cols && at.batch < layout->batches,
                   "%s: %s lane %d element %d is outside", text, layout->name, lane, elem);
            expect(seen[index_of(layout, at)]++ == (unsigned)elem / own,
                   "%s: %s has (%d, %d, %d) twice", text, layout->name, at.batch, at.row, at.col);
            expect(in.reg < layout->regs && (in.lsb + layout->elem_bits <= 32 ||
                                             (layout->elem_bits == 64 && in.lsb == 0)),
                   "%s: %s lane %d element %d is in no register", text, layout->name, lane, elem);
        }
}

/* Fragments of a warpgroup differ by form and width, so that some widths stand for all. */
static int stands_for_others(const struct wsim_op *op) {
    int n = wsim_op_describe(op).n;
    return wsim_op_describe(op).family != WSIM_WGMMA || n <= 40 || n == 136 || n == 256;
}

START_TEST(every_element_has_one_place) {
    struct wsim_op op;
    every_op(_i, &op);
    if (stands_for_others(&op))
        each_operand(&op, once_each);
}
END_TEST

static void there_and_back(const struct wsim_layout *layout, const char *text) {
    static uint64_t matrix[MAX_ELEMENTS], back[MAX_ELEMENTS];
    static struct wsim_group_regs regs, again;
    uint64_t seed = size_of(layout), mask = UINT64_MAX >> (64 - layout->elem_bits);
    size_t i, n = size_of(layout), used = (size_t)layout->regs * layout->lanes * 4;
    for (i = 0; i < n; i++)
        matrix[i] = every_random(&seed) & mask;
    every_fill(&regs, sizeof regs, &seed);
    again = regs;
    wsim_words_pack(layout, matrix, regs.r[0]);
    wsim_words_unpack(layout, regs.r[0], back);
    expect(memcmp(matrix, back, n * sizeof *back) == 0, "%s: %s", text, layout->name);
    expect(memcmp((char *)&regs + used, (char *)&again + used, sizeof regs - used) == 0,
           "%s: %s writes registers that it does not have", text, layout->name);
    if (own_elems(layout) < layout->elems)
        return; /* copies that do not agree are no fragment */
    wsim_words_unpack(layout, again.r[0], back);
    wsim_words_pack(layout, back, regs.r[0]);
    expect(memcmp(&regs, &again, sizeof regs) == 0, "%s: %s", text, layout->name);
}

START_TEST(unpack_is_the_inverse_of_pack) {
    struct wsim_op op;
    every_op(_i, &op);
    if (stands_for_others(&op))
        each_operand(&op, there_and_back);
}
END_TEST

static void inverse_at(const struct wsim_layout *layout, unsigned lane, unsigned elem) {
    struct wsim_place found[5];
    struct wsim_coord at = wsim_layout_coord(layout, lane, elem);
    const unsigned own = own_elems(layout), copies = layout->elems / own;
    expect(wsim_layout_places(layout, at, found, 5) == copies &&
               same_place(found[elem / own], wsim_layout_place(layout, lane, elem)),
           "%s: lane %u element %u", layout->name, lane, elem);
}

static void inverse(const struct wsim_layout *layout, const char *text) {
    uint64_t seed = strlen(text);
    struct wsim_place none;
    struct wsim_coord outside = {0, layout->rows, 0};
    int i;
    for (i = 0; i < 12; i++) {
        uint64_t any = every_random(&seed);
        inverse_at(layout, any % layout->lanes, (unsigned)(any >> 8) % (unsigned)elems(layout));
    }
    ck_assert_uint_eq(wsim_layout_places(layout, outside, &none, 1), 0);
    outside = (struct wsim_coord){0, 0, layout->cols};
    ck_assert_uint_eq(wsim_layout_places(layout, outside, &none, 1), 0);
    outside = (struct wsim_coord){layout->batches, 0, 0};
    ck_assert_uint_eq(wsim_layout_places(layout, outside, &none, 1), 0);
}

START_TEST(places_are_the_inverse_of_coordinates) {
    struct wsim_op op;
    every_op(_i, &op);
    if (stands_for_others(&op))
        each_operand(&op, inverse);
}
END_TEST

/* --- shapes and formats --- */

static void expect_shape(const struct wsim_op *op, enum wsim_operand operand, int batches, int rows,
                         int cols) {
    struct wsim_layout layout;
    char text[WSIM_SPELLING_MAX];
    wsim_op_spell(op, text);
    expect(wsim_op_layout(op, NULL, operand, &layout, NULL) == WSIM_OK, "%s has no operand %d",
           text, operand);
    expect(layout.batches == batches && layout.rows == rows && layout.cols == cols,
           "%s operand %d: %d x %d x %d, not %d x %d x %d", text, operand, layout.batches,
           layout.rows, layout.cols, batches, rows, cols);
    ck_assert_ptr_nonnull(layout.format);
}

static void expect_mma(const struct wsim_op *op, const struct wsim_op_info *info) {
    struct wsim_layout a;
    int quads = info->m == 8 && info->k == 4 && strstr(info->row, "f16") ? 4 : 1;
    wsim_op_layout(op, NULL, WSIM_A, &a, NULL);
    expect_shape(op, WSIM_A, quads, info->m, info->sparse ? info->k / 2 : info->k);
    if (info->family != WSIM_WGMMA)
        expect_shape(op, WSIM_B, quads, info->k, info->n);
    expect_shape(op, WSIM_C, quads, info->m, info->n);
    expect_shape(op, WSIM_D, quads, info->m, info->n);
    if (info->sparse) {
        int chunk = a.elem_bits == 4 ? 8 : a.elem_bits == 32 ? 2 : 4;
        expect_shape(op, WSIM_E, info->selectors, info->m, info->k / chunk);
    }
}

/* One bank of scale bytes serves 32 lanes of 4 bytes: what a selection does not use, others do. */
static void expect_scales(const struct wsim_op *op, const struct wsim_op_info *info) {
    struct wsim_layout layout;
    char text[WSIM_SPELLING_MAX];
    int s;
    wsim_op_spell(op, text);
    if (!strstr(text, "block_scale"))
        return;
    s = strstr(text, "4X") ? 4 : strstr(text, "mxf8f6f4") ? 1 : 2;
    expect_shape(op, WSIM_SFA, 2 * 4 / s, info->m, s);
    expect_shape(op, WSIM_SFB, 4 * 4 / s, s, info->n);
    wsim_op_layout(op, NULL, WSIM_SFA, &layout, NULL);
    ck_assert_str_eq(layout.format->name, strstr(text, "ue4m3") ? "ue4m3" : "ue8m0");
}

START_TEST(matrices_have_the_shape_of_the_instruction) {
    struct wsim_op op;
    struct wsim_op_info info;
    every_op(_i, &op);
    info = wsim_op_describe(&op);
    if (info.counting == WSIM_COUNT_FRAGMENT) {
        int a = info.family == WSIM_WMMA_LOAD_A, b = info.family == WSIM_WMMA_LOAD_B;
        expect_shape(&op, info.family == WSIM_WMMA_STORE ? WSIM_R : WSIM_D, 1, b ? info.k : info.m,
                     a ? info.k : info.n);
    } else if (info.operands >> WSIM_C & 1) {
        expect_mma(&op, &info);
        expect_scales(&op, &info);
    } else if (info.family == WSIM_MOVMATRIX) {
        expect_shape(&op, WSIM_A, 1, 8, 8);
        expect_shape(&op, WSIM_D, 1, 8, 8);
    } else if (info.family == WSIM_LDMATRIX) {
        expect_shape(&op, WSIM_D, info.matrices, info.m, info.n);
    } else if (info.family == WSIM_STMATRIX) { /* memory holds m16n8 as 8 rows of 16 */
        int tall = info.m == 16;
        expect_shape(&op, WSIM_R, info.matrices, tall ? 8 : info.m, tall ? 16 : info.n);
    }
}
END_TEST

/* One operation of each form, in all its coordinates (of single bits every seventh), not in a few.
 */
START_TEST(every_coordinate_of_a_form_finds_its_place) {
    struct wsim_op op;
    struct wsim_layout layout;
    uint32_t cursor = 0;
    int operand;
    unsigned lane, elem;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op) && op.form != _i)
        continue;
    for (operand = 0; op.form == _i && operand < WSIM_OPERANDS; operand++)
        if (wsim_op_layout(&op, NULL, (enum wsim_operand)operand, &layout, NULL) == WSIM_OK)
            for (lane = 0; lane < layout.lanes; lane++)
                for (elem = lane % 7; elem < layout.elems; elem += layout.elem_bits == 1 ? 7 : 1)
                    inverse_at(&layout, lane, elem);
}
END_TEST

int main(void) {
    int ops = every_op_count();
    const struct every_test tests[] = {{every_element_has_one_place, 0, ops},
                                       {unpack_is_the_inverse_of_pack, 0, ops},
                                       {places_are_the_inverse_of_coordinates, 0, ops},
                                       {matrices_have_the_shape_of_the_instruction, 0, ops},
                                       {every_coordinate_of_a_form_finds_its_place, 0, FORM_COUNT}};
    return every_run("rows/layouts", tests, COUNT(tests));
}
