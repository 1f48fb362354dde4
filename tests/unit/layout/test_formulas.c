/* test_formulas.c - fragments are where the manual's closed formulas put them, element by element:
 * with g = lane / 4, t = lane % 4, register r and sub-element s. Nothing here is XOR. */
#include "../../every.h"

struct at {
    int batch, row, col;
};

/* The variables of the formulas. */
struct slot {
    int lane, g, t, r, s, p, i; /* p sub-elements a register, i = r * p + s */
};

typedef struct at formula(const struct slot *at, int rows);

static void agree_on(const char *arch, const char *spelling, enum wsim_operand operand,
                     formula *formula) {
    struct wsim_op op = every_parse(spelling);
    struct wsim_layout layout;
    unsigned lane, elem;
    ck_assert_int_eq(
        wsim_op_layout(&op, arch ? wsim_arch_find(arch) : NULL, operand, &layout, NULL), WSIM_OK);
    for (lane = 0; lane < WSIM_LANES; lane++)
        for (elem = 0; elem < layout.elems; elem++) {
            int p = layout.elem_bits > 32 ? 1 : 32 / layout.elem_bits, e = (int)elem;
            struct slot slot = {(int)lane, (int)lane / 4, (int)lane % 4, e / p, e % p, p, e};
            struct at want = formula(&slot, layout.rows);
            struct wsim_coord got = wsim_layout_coord(&layout, lane, elem);
            struct wsim_place place = wsim_layout_place(&layout, lane, elem);
            expect(got.batch == want.batch && got.row == want.row && got.col == want.col,
                   "%s operand %d lane %u element %u: (%d, %d, %d), not (%d, %d, %d)", spelling,
                   operand, lane, elem, got.batch, got.row, got.col, want.batch, want.row,
                   want.col);
            expect(place.reg == slot.r * (layout.elem_bits > 32 ? 2 : 1) &&
                       place.lsb == slot.s * (32 / p) % 32,
                   "%s operand %d lane %u element %u", spelling, operand, lane, elem);
        }
}

static void agree(const char *spelling, enum wsim_operand operand, formula *formula) {
    agree_on(NULL, spelling, operand, formula);
}

/* --- dense and sparse fragments --- */

static struct at a_of(const struct slot *x, int rows) {
    int halves = rows / 8;
    return (struct at){0, x->g + 8 * (x->r % halves),
                       x->r / halves * 4 * x->p + x->t * x->p + x->s};
}

static struct at b_of(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){0, x->r * 4 * x->p + x->t * x->p + x->s, x->g};
}

static struct at c_of(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){0, x->g + 8 * (x->i >> 1), 2 * x->t + (x->i & 1)};
}

static const char *const fragments[] = {
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
    "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64",
    "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64",
    "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64",
    "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32",
    "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32",
    "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16",
    "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32",
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
    "mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32",
    "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32",
    "mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32",
    "mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32",
    "mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32",
    "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc",
    "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc",
    "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
    "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", /* A: the stored columns */
    "mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
    "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32",
    "mma.sp.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32",
};

START_TEST(fragments_of_all_shapes) {
    agree(fragments[_i], WSIM_A, a_of);
    agree(fragments[_i], WSIM_B, b_of);
    agree(fragments[_i], WSIM_C, c_of);
    agree(fragments[_i], WSIM_D, c_of);
}
END_TEST

/* --- m8n8k4 of f16: u = lane % 4, h = 4 in the upper half warp, product lane / 4 % 4 --- */

static int upper(const struct slot *x) {
    return x->lane >= 16 ? 4 : 0;
}

static struct at quad_plain(const struct slot *x, int rows) { /* A row; C and D of f16 */
    (void)rows;
    return (struct at){x->g % 4, x->t + upper(x), x->i};
}

static struct at quad_a_col(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){x->g % 4, x->i + upper(x), x->t};
}

static struct at quad_b_row(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){x->g % 4, x->t, x->i + upper(x)};
}

static struct at quad_b_col(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){x->g % 4, x->i, x->t + upper(x)};
}

static struct at quad_wide(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){x->g % 4, (x->lane & 1) + (x->i & 2) + upper(x),
                       (x->i & 4) + (x->lane & 2) + (x->i & 1)};
}

START_TEST(quads_in_four_layouts) {
    static const char *const row_row = "mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f16";
    static const char *const row_col = "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16";
    static const char *const col_row = "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32";
    static const char *const col_col = "mma.sync.aligned.m8n8k4.col.col.f32.f16.f16.f16";
    agree(row_row, WSIM_A, quad_plain);
    agree(row_row, WSIM_B, quad_b_row);
    agree(row_row, WSIM_C, quad_plain);
    agree(row_row, WSIM_D, quad_wide);
    agree(row_col, WSIM_A, quad_plain);
    agree(row_col, WSIM_B, quad_b_col);
    agree(row_col, WSIM_D, quad_plain);
    agree(col_row, WSIM_A, quad_a_col);
    agree(col_row, WSIM_B, quad_b_row);
    agree(col_row, WSIM_C, quad_wide);
    agree(col_row, WSIM_D, quad_wide);
    agree(col_col, WSIM_A, quad_a_col);
    agree(col_col, WSIM_B, quad_b_col);
    agree(col_col, WSIM_C, quad_plain);
}
END_TEST

/* --- wmma of f16 on sm_70: u and h as above; lanes with bit 2 have the lower rows, those with bit
 * 3 the right columns --- */

static int lower_rows(const struct slot *x) {
    return x->lane & 4 ? 8 : 0;
}

static int right_columns(const struct slot *x) {
    return x->lane & 8 ? 8 : 0;
}

static struct at volta_a_row(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){0, x->t + upper(x) + lower_rows(x), x->i};
}

static struct at volta_a_col(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){0, x->i % 4 + upper(x) + lower_rows(x), x->t + x->i / 4 * 4};
}

static struct at volta_b_row(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){0, x->t + x->i / 4 * 4, x->i % 4 + upper(x) + right_columns(x)};
}

static struct at volta_b_col(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){0, x->i, x->t + upper(x) + right_columns(x)};
}

static struct at volta_c16(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){0, x->t + upper(x) + lower_rows(x), x->i + right_columns(x)};
}

static struct at volta_c32(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){0, x->lane % 2 + (x->i & 2) + upper(x) + lower_rows(x),
                       x->i % 2 + (x->lane & 2) + (x->i & 4) + right_columns(x)};
}

START_TEST(fragments_of_volta) {
    static const char *const mma[2][2] = {{"wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32",
                                           "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16"},
                                          {"wmma.mma.sync.aligned.col.row.m16n16k16.f32.f16",
                                           "wmma.mma.sync.aligned.col.col.m16n16k16.f16.f32"}};
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            agree_on("sm_70", mma[a][b], WSIM_A, a ? volta_a_col : volta_a_row);
            agree_on("sm_70", mma[a][b], WSIM_B, b ? volta_b_col : volta_b_row);
            agree_on("sm_70", mma[a][b], WSIM_C, a == b ? volta_c32 : volta_c16);
            agree_on("sm_70", mma[a][b], WSIM_D, b ? volta_c16 : volta_c32);
        }
    agree_on("sm_70", "wmma.load.a.sync.aligned.row.m16n16k16.f16", WSIM_D, volta_a_row);
    agree_on("sm_70", "wmma.load.a.sync.aligned.col.m16n16k16.shared.f16", WSIM_D, volta_a_col);
    agree_on("sm_70", "wmma.load.b.sync.aligned.row.m16n16k16.f16", WSIM_D, volta_b_row);
    agree_on("sm_70", "wmma.load.b.sync.aligned.col.m16n16k16.global.f16", WSIM_D, volta_b_col);
    agree_on("sm_70", "wmma.load.c.sync.aligned.row.m16n16k16.f16", WSIM_D, volta_c16);
    agree_on("sm_70", "wmma.load.c.sync.aligned.col.m16n16k16.f32", WSIM_D, volta_c32);
    agree_on("sm_70", "wmma.store.d.sync.aligned.col.m16n16k16.f16", WSIM_R, volta_c16);
    agree_on("sm_70", "wmma.store.d.sync.aligned.row.m16n16k16.f32", WSIM_R, volta_c32);
}
END_TEST

/* An element has as many places as lanes hold it, in order, and all of them lead back. */
START_TEST(elements_that_two_lanes_hold) {
    const struct wsim_op op = every_parse("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32");
    struct wsim_layout layout;
    struct wsim_place places[4];
    for (int operand = WSIM_D; operand <= WSIM_C; operand++) {
        size_t holders = operand == WSIM_A || operand == WSIM_B ? 2 : 1;
        ck_assert_int_eq(
            wsim_op_layout(&op, wsim_arch_find("v100"), (enum wsim_operand)operand, &layout, NULL),
            WSIM_OK);
        ck_assert_int_eq(layout.regs, 8);
        for (unsigned i = 0; i < 256; i++) {
            struct wsim_coord at = {0, (uint16_t)(i / 16), (uint16_t)(i % 16)};
            ck_assert_uint_eq(wsim_layout_places(&layout, at, places, 4), holders);
            for (size_t k = 0; k < holders; k++) {
                struct wsim_coord back = wsim_layout_coord(&layout, places[k].lane, places[k].elem);
                ck_assert(back.row == at.row && back.col == at.col && back.batch == 0);
                ck_assert(k == 0 || places[k].lane > places[0].lane);
            }
        }
    }
}
END_TEST

/* --- metadata, scale factors: batch is the selection --- */

static struct at meta_one(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){x->t, x->g + 8 * (x->i / 4), x->i % 4};
}

static struct at meta_pair_k(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){x->t / 2, x->g + 8 * (x->i / 4), 4 * (x->t % 2) + x->i % 4};
}

static struct at meta_pair_m(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){x->t / 2, x->g + 8 * (x->t % 2), x->i};
}

static struct at meta_all(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){0, x->g + 8 * (x->t % 2), 8 * (x->t / 2) + x->i};
}

START_TEST(metadata_of_four_placements) {
    agree("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_E, meta_one);
    agree("mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", WSIM_E, meta_one);
    agree("mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", WSIM_E, meta_pair_k);
    agree("mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", WSIM_E, meta_pair_k);
    agree("mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", WSIM_E, meta_pair_m);
    agree("mma.sp.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", WSIM_E, meta_pair_m);
    agree("mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32", WSIM_E, meta_all);
    agree("mma.sp.sync.aligned.m16n8k128.row.col.s32.u4.s4.s32", WSIM_E, meta_all);
}
END_TEST

/* Byte s starts factor s % S of byte-id s - s % S; selection = thread-id + threads * (byte / S). */
#define SCALES(S)                                                                                  \
    static struct at sfa_##S(const struct slot *x, int rows) {                                     \
        (void)rows;                                                                                \
        return (struct at){x->t / 2 + 2 * (x->s / S), x->g + 8 * (x->t % 2), x->s % S};            \
    } static struct at sfb_##S(const struct slot *x, int rows) {                                   \
        (void)rows;                                                                                \
        return (struct at){x->t + 4 * (x->s / S), x->s % S, x->g};                                 \
    }
SCALES(1)
SCALES(2)
SCALES(4)

#define MX8 "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0"
#define MX4 "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0"
#define NV4                                                                                        \
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1."    \
    "f32.ue4m3"

START_TEST(scale_factors_of_three_vectors) {
    agree(MX8, WSIM_SFA, sfa_1);
    agree(MX8, WSIM_SFB, sfb_1);
    agree(MX4, WSIM_SFA, sfa_2);
    agree(MX4, WSIM_SFB, sfb_2);
    agree(NV4, WSIM_SFA, sfa_4);
    agree(NV4, WSIM_SFB, sfb_4);
}
END_TEST

/* --- moves: row is the memory row, column the element in it --- */

static struct at m8n8(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){x->r, x->g, 2 * x->t + x->s};
}

static struct at m8n8_trans(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){x->r, 2 * x->t + x->s, x->g};
}

static struct at m16n16_trans(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){x->r / 2, 4 * x->t + x->s, x->g + 8 * (x->r % 2)};
}

static struct at m8n16(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){x->r, x->g, 4 * x->t + x->s};
}

static struct at m16n8_trans(const struct slot *x, int rows) {
    (void)rows;
    return (struct at){x->r, 2 * x->t + (x->s & 1), x->g + 8 * (x->s >> 1)};
}

START_TEST(moves_of_all_shapes) {
    agree("ldmatrix.sync.aligned.m8n8.x1.b16", WSIM_D, m8n8);
    agree("ldmatrix.sync.aligned.m8n8.x4.b16", WSIM_D, m8n8);
    agree("ldmatrix.sync.aligned.m8n8.x2.trans.b16", WSIM_D, m8n8_trans);
    agree("ldmatrix.sync.aligned.m16n16.x1.trans.b8", WSIM_D, m16n16_trans);
    agree("ldmatrix.sync.aligned.m16n16.x2.trans.b8x16.b6x16_p32", WSIM_D, m16n16_trans);
    agree("ldmatrix.sync.aligned.m8n16.x4.b8x16.b4x16_p64", WSIM_D, m8n16);
    agree("stmatrix.sync.aligned.m8n8.x4.b16", WSIM_R, m8n8);
    agree("stmatrix.sync.aligned.m8n8.x1.trans.b16", WSIM_R, m8n8_trans);
    agree("stmatrix.sync.aligned.m16n8.x4.trans.b8", WSIM_R, m16n8_trans);
    agree("movmatrix.sync.aligned.m8n8.trans.b16", WSIM_A, m8n8);
    agree("movmatrix.sync.aligned.m8n8.trans.b16", WSIM_D, m8n8_trans);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{fragments_of_all_shapes, 0, COUNT(fragments)},
                                       {quads_in_four_layouts, 0, 1},
                                       {fragments_of_volta, 0, 1},
                                       {elements_that_two_lanes_hold, 0, 1},
                                       {metadata_of_four_placements, 0, 1},
                                       {scale_factors_of_three_vectors, 0, 1},
                                       {moves_of_all_shapes, 0, 1}};
    return every_run("unit/layout/formulas", tests, COUNT(tests));
}
