/* test_fits.c - the answers of wsim_move_fits match the move. Rows are read from the answered
 * addresses of a matrix in memory; the registers are then those of the operand. */
#include "../../every.h"

static const char *const products[] = {
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16",
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
    "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32",
    "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32",
    "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
    "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64",
    "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
    "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32",
    "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
};

static unsigned bits_of(const struct wsim_layout *layout) {
    return layout->elem_bits;
}

/* Any value of the operand's element, another one for each place. */
static uint64_t value_at(const struct wsim_layout *layout, size_t index) {
    uint64_t value = wsim_hash_mix(index + 1);
    unsigned bits = layout->format->bits;
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

static size_t index_of(const struct wsim_layout *layout, unsigned cols, struct wsim_coord at) {
    return ((size_t)at.batch * 4096 + at.row) * cols + at.col + 0 * layout->rows;
}

/* Writes the 16 bytes of the row that begins at `at`. */
static void fill_row(const struct wsim_layout *layout, const struct wsim_move_fit *fit,
                     int by_columns, int packed, struct wsim_coord at, uint8_t row[16]) {
    unsigned bits = packed ? layout->format->bits : bits_of(layout);
    unsigned count = packed ? 16 : 128 / bits;
    memset(row, 0, 16);
    for (unsigned i = 0; i < count; i++) {
        uint64_t value = value_at(layout, index_of(layout, 4096, at));
        if (!packed)
            value <<= bits >= layout->format->bits + layout->format->pad ? layout->format->pad : 0;
        for (unsigned b = 0; b < bits; b++)
            row[(i * bits + b) / 8] |= (uint8_t)((value >> b & 1) << (i * bits + b) % 8);
        at.row = (uint16_t)(at.row + (by_columns != 0));
        at.col = (uint16_t)(at.col + (by_columns == 0));
    }
    (void)fit;
}

/* The content of a register of the fragment. */
static uint32_t wanted(const struct wsim_layout *layout, enum wsim_operand operand, unsigned lane,
                       unsigned reg, unsigned fragment, unsigned shift) {
    uint32_t word = 0;
    for (unsigned e = 0; e < layout->elems; e++) {
        struct wsim_place place = wsim_layout_place(layout, lane, e);
        struct wsim_coord at = wsim_layout_coord(layout, lane, e);
        uint64_t value;
        if (operand == WSIM_A)
            at.row = (uint16_t)(at.row + fragment * layout->rows);
        else
            at.col = (uint16_t)(at.col + fragment * layout->cols);
        value = value_at(layout, index_of(layout, 4096, at));
        if (bits_of(layout) >= layout->format->bits + layout->format->pad)
            value <<= layout->format->pad - shift;
        if (bits_of(layout) == 64 && reg == place.reg + 1u)
            word = (uint32_t)(value >> 32);
        else if (reg == place.reg)
            word |= (uint32_t)(value << place.lsb);
    }
    return word;
}

/* Runs the move on rows that are where *fit says. */
static void held(const struct wsim_op *move, const struct wsim_op *op, enum wsim_operand operand,
                 int by_columns, unsigned number, const struct wsim_move_fit *fit) {
    const struct wsim_arch *arch = wsim_arch_find("sm_120a");
    struct wsim_layout layout;
    struct wsim_regs regs;
    uint8_t bytes[WSIM_LANES * 16];
    uint32_t addr[WSIM_LANES];
    char text[WSIM_SPELLING_MAX], spelled[WSIM_SPELLING_MAX];
    struct wsim_diag diag = {.text = ""};
    int loads = wsim_op_describe(move).family == WSIM_LDMATRIX, packed;
    unsigned moved = 0;
    wsim_op_spell(move, text);
    wsim_op_spell(op, spelled);
    packed = strstr(text, "b8x16") != NULL;
    ck_assert_int_eq(wsim_op_layout(op, NULL, operand, &layout, NULL), WSIM_OK);
    memset(bytes, 0, sizeof bytes);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
        addr[lane] = lane * 16;
        if (lane < fit->rows)
            fill_row(&layout, fit, by_columns, packed, fit->at[lane], bytes + addr[lane]);
    }
    if (!loads)
        return;
    {
        struct wsim_memory shared = wsim_memory_over(WSIM_SHARED, bytes, sizeof bytes, 0);
        struct wsim_operands io = {.d = &regs, .addr = addr, .smem = &shared};
        expect(wsim_exec(move, arch, &io, &diag) == WSIM_OK, "%s: %s", text, diag.text);
    }
    moved = layout.regs * fit->fragments / fit->moves;
    for (unsigned r = 0; r < moved; r++)
        for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
            unsigned at = number * moved + r;
            unsigned fragment = fit->interleaved ? at % fit->fragments : at / layout.regs;
            unsigned own = fit->interleaved ? at / fit->fragments : at % layout.regs;
            uint32_t wants = wanted(&layout, operand, lane, own, fragment, fit->shift);
            expect(regs.r[r][lane] == wants,
                   "%s for %s of %s, %d: register %u of lane %u is %08x, "
                   "not %08x",
                   text, wsim_operand_name(operand), spelled, by_columns, r, lane,
                   (unsigned)regs.r[r][lane], (unsigned)wants);
        }
}

/* Every load, both ways of lying in memory, every operand. */
START_TEST(what_fits_is_what_is_loaded) {
    struct wsim_op op = every_parse(products[_i]), move;
    int fitting = 0;
    memset(&move, 0, sizeof move);
    for (uint32_t cursor = 0; wsim_op_next(&cursor, &move);) {
        char text[WSIM_SPELLING_MAX];
        wsim_op_spell(&move, text);
        if (wsim_op_describe(&move).family != WSIM_LDMATRIX || !strstr(text, ".shared."))
            continue;
        for (int i = WSIM_D; i <= WSIM_C; i++)
            for (int by_columns = 0; by_columns < 2; by_columns++) {
                struct wsim_move_fit fit = {.moves = 1};
                for (unsigned n = 0; n < fit.moves && n < 16; n++) {
                    if (wsim_move_fits(&move, &op, (enum wsim_operand)i, by_columns, n, &fit, NULL))
                        break;
                    ck_assert(!fit.fits || fit.comparable);
                    if (!fit.fits)
                        break;
                    fitting++;
                    held(&move, &op, (enum wsim_operand)i, by_columns, n, &fit);
                }
            }
    }
    ck_assert_msg((fitting > 0) == (_i != 8 && _i != 9), "%s", products[_i]);
}
END_TEST

#define LD "ldmatrix.sync.aligned.m8n8."
#define ST "stmatrix.sync.aligned.m8n8."
#define F16 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#define S8 "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"
#define HALF "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"

/* As kernels have it: operand A from x4, B of two tiles from x4, its columns by .trans. */
static const struct {
    const char *move, *op;
    enum wsim_operand operand;
    int by_columns, fits;
    unsigned moves, fragments, row9, col9; /* where the row of lane 9 begins */
} known[] = {
    {LD "x4.shared.b16", F16, WSIM_A, 0, 1, 1, 1, 9, 0},
    {LD "x4.trans.shared.b16", F16, WSIM_A, 1, 1, 1, 1, 8, 1},
    {LD "x4.trans.shared.b16", F16, WSIM_A, 0, 0, 1, 1, 0, 0},
    {LD "x4.shared.b16", F16, WSIM_A, 1, 0, 1, 1, 0, 0},
    {LD "x2.shared.b16", F16, WSIM_B, 1, 1, 1, 1, 8, 1},
    {LD "x2.trans.shared.b16", F16, WSIM_B, 0, 1, 1, 1, 9, 0},
    {LD "x2.shared.b16", F16, WSIM_B, 0, 0, 1, 1, 0, 0},
    {LD "x4.shared.b16", F16, WSIM_B, 1, 1, 1, 2, 8, 1},
    {LD "x1.shared.b16", F16, WSIM_B, 1, 1, 2, 1, 0, 0},
    {LD "x4.shared.b16", S8, WSIM_A, 0, 1, 1, 1, 9, 0},
    {LD "x2.trans.shared.b16", S8, WSIM_B, 0, 0, 1, 1, 0, 0},
    {ST "x2.shared.b16", HALF, WSIM_D, 0, 1, 1, 1, 9, 0},
    {ST "x2.trans.shared.b16", HALF, WSIM_D, 1, 1, 1, 1, 8, 1},
    {ST "x4.shared.b16", F16, WSIM_D, 0, 0, 1, 1, 0, 0},
};

START_TEST(known_answers) {
    struct wsim_op move = every_parse(known[_i].move), op = every_parse(known[_i].op);
    struct wsim_move_fit fit;
    ck_assert_int_eq(
        wsim_move_fits(&move, &op, known[_i].operand, known[_i].by_columns, 0, &fit, NULL),
        WSIM_OK);
    ck_assert_msg(fit.fits == known[_i].fits, "%s", known[_i].move);
    ck_assert_uint_eq(fit.moves, known[_i].moves);
    ck_assert_uint_eq(fit.fragments, known[_i].fragments);
    if (fit.fits && fit.rows > 9) {
        ck_assert_uint_eq(fit.at[9].row, known[_i].row9);
        ck_assert_uint_eq(fit.at[9].col, known[_i].col9);
    }
}
END_TEST

START_TEST(the_first_wrong_element_is_told) {
    struct wsim_op move = every_parse(LD "x2.shared.b16"), op = every_parse(F16);
    struct wsim_move_fit fit;
    wsim_move_fits(&move, &op, WSIM_B, 0, 0, &fit, NULL);
    ck_assert(fit.comparable && !fit.fits && !fit.parted);
    ck_assert(fit.lane == 0 && fit.reg == 0 && fit.bit == 16);
    ck_assert(fit.wants.row == 1 && fit.wants.col == 0 && fit.has.row == 0 && fit.has.col == 1);
}
END_TEST

START_TEST(lanes_give_rows) {
    struct wsim_op x4 = every_parse(LD "x4.shared.b16"), x1 = every_parse(LD "x1.trans.shared.b16"),
                   b8 = every_parse("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8"),
                   st = every_parse(ST "x2.shared.b16"), mma = every_parse(F16);
    struct wsim_coord row = {9, 9, 9};
    struct wsim_diag diag = {.rule = ""};
    ck_assert(wsim_move_row(&x4, 19, &row, NULL) == WSIM_OK && row.batch == 2 && row.row == 3);
    ck_assert(wsim_move_row(&b8, 19, &row, NULL) == WSIM_OK && row.batch == 1 && row.row == 3);
    ck_assert(wsim_move_row(&st, 15, &row, NULL) == WSIM_OK && row.batch == 1 && row.row == 7);
    ck_assert_int_eq(wsim_move_row(&x1, 8, &row, &diag), WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "matrix.row.none");
    ck_assert_int_eq(wsim_move_row(&mma, 0, &row, &diag), WSIM_ILLEGAL);
    ck_assert_str_eq(diag.rule, "op.door.wrong");
    ck_assert(row.batch == 1 && row.row == 7);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{what_fits_is_what_is_loaded, 0, COUNT(products)},
                                       {known_answers, 0, COUNT(known)},
                                       {the_first_wrong_element_is_told, 0, 1},
                                       {lanes_give_rows, 0, 1}};
    return every_run("unit/isa/fits", tests, COUNT(tests));
}
