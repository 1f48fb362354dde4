/* Products of whole matrices equal those of their instructions by hand, for every instruction,
 * size, order of memory and order of work. */
#include "product.h"

static const struct {
    const char *spelling, *arch;
} forms[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_90"},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "sm_80"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", "sm_80"},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", "sm_90"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", "sm_89"},
    {"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e2m1.f32", "sm_120a"},
    {"mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e2m1.f32.ue8m0",
     "sm_120a"},
    {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
     "ue8m0",
     "sm_120a"},
    {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1."
     "f32.ue4m3",
     "sm_121a"},
    {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32", "sm_80"},
    {"mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32", "sm_80"},
    {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", "sm_80"},
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", "sm_75"},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "sm_80"},
    {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", "sm_90"},
    {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "sm_70"},
    {"mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16", "sm_70"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "sm_80"},
    {"wmma.mma.sync.aligned.col.row.m8n32k16.f16.f16", "sm_80"},
    {"wmma.mma.sync.aligned.row.col.m32n8k16.s32.u8.u8.s32", "sm_80"},
    {"wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", "sm_80"},
    {"wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16", "sm_90a"},
    {"wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e5m2", "sm_90a"},
    {"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32", "sm_90a"},
    {"wgmma.mma_async.sync.aligned.m64n48k32.s32.u8.s8", "sm_90a"},
    {"wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc", "sm_90a"},
};

static const unsigned dists[] = {WSIM_DIST_NEAR_ONE, WSIM_DIST_CANCELLING, WSIM_DIST_SPECIALS};

static void one(const char *spelling, const char *arch, uint32_t flags, struct wsim_gemm_size size,
                unsigned dist, unsigned order, int with_c, int backwards) {
    struct product p;
    product_open(&p, spelling, arch, flags, size, dist, order);
    product_run(&p, with_c, backwards);
    product_check(&p, with_c, spelling);
    product_close(&p);
}

/* The tile of a form, from its description; m8n8k4 of four products has four of m. */
static struct wsim_gemm_size tile_of(const char *spelling) {
    struct wsim_op op = every_parse(spelling);
    struct wsim_op_info info = wsim_op_describe(&op);
    struct wsim_layout d;
    wsim_op_layout(&op, NULL, WSIM_D, &d, NULL);
    return (struct wsim_gemm_size){.m = (size_t)info.m * d.batches, .n = info.n, .k = info.k};
}

/* Odd in all three directions, and more than a block; on every path, the best one of the machine
 * first. */
START_TEST(products_are_those_by_hand) {
    const char *spelling = forms[_i].spelling;
    struct wsim_gemm_size size = tile_of(spelling);
    size.m = size.m < 64 ? 128 + size.m + 3 : size.m + 3;
    size.n = size.n < 16 ? 128 + 5 : 2 * size.n - 1;
    size.k = 2 * size.k + size.k / 2 + 1;
    one(spelling, forms[_i].arch, 0, size, dists[_i % 3], (unsigned)_i, 1, _i & 1);
    for (unsigned path = 0; path < WSIM_PATHS; path++)
        if (wsim_path_available((enum wsim_path)path) &&
            (run_sample() == 1 ||
             path == (unsigned)_i % WSIM_PATHS)) /* a sample: one path a form */
            one(spelling, forms[_i].arch, WSIM_UP_TO(path), size, dists[((unsigned)_i + path) % 3],
                path, (int)path & 1, 0);
}
END_TEST

START_TEST(small_ones_too) {
    static const struct wsim_gemm_size sizes[] = {
        {1, 1, 1, 0, 0},  {1, 7, 16, 0, 0},  {17, 1, 33, 0, 0},
        {16, 8, 0, 0, 0}, {16, 8, 16, 0, 0}, {15, 9, 31, 0, 0},
        {0, 8, 16, 0, 0}, {16, 0, 16, 0, 0}, {33, 17, 100, 0, 0}};
    for (int i = 0; i < COUNT(sizes); i++)
        for (unsigned order = 0; order < 16; order++)
            one(forms[_i].spelling, forms[_i].arch, 0, sizes[i], dists[order % 3], order,
                (int)order & 1, i & 1);
}
END_TEST

/* k is taken in chunks, which is seen only where it is long. */
START_TEST(a_long_k_is_one_chain) {
    struct wsim_gemm_size size = {3, 5, 0, 0, 0};
    size.k = 300 * tile_of(forms[_i].spelling).k + 1;
    one(forms[_i].spelling, forms[_i].arch, 0, size, WSIM_DIST_NEAR_ONE, 0, 1, 0);
}
END_TEST

START_TEST(accumulators_are_promoted) {
    static const size_t each[] = {32, 64, 96, 4096};
    for (int i = 0; i < COUNT(each); i++) {
        struct wsim_gemm_size size = {20, 11, 200, each[i], 0};
        one("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_89", 0, size, dists[i % 3],
            0, i & 1, 0);
        one("wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e4m3", "sm_90a", 0, size, dists[i % 3],
            0, 1, 0);
    }
}
END_TEST

/* Promotion is there to be seen: with 13 fraction bits a long sum is another one. */
START_TEST(promotion_changes_a_long_sum) {
    const char *spelling = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
    struct wsim_gemm_size size = {4, 4, 2048, 0, 0};
    struct product with, without;
    product_open(&without, spelling, "sm_89", 0, size, WSIM_DIST_NEAR_ONE, 0);
    size.promote = 128;
    product_open(&with, spelling, "sm_89", 0, size, WSIM_DIST_NEAR_ONE, 0);
    product_run(&without, 0, 0);
    product_run(&with, 0, 0);
    ck_assert(memcmp(without.d.memory, with.d.memory, with.d.room * with.d.bytes) != 0);
    product_close(&with);
    product_close(&without);
}
END_TEST

/* Slices of k are products of their own, whatever their type, promoted or not; the last one is
 * shorter, and sometimes fewer are enough. */
START_TEST(slices_are_added) {
    static const struct {
        const char *spelling, *arch;
        size_t k, promote, split;
    } split[] = {{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_90", 200, 0, 2},
                 {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_80", 90, 0, 4},
                 {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "sm_100", 64, 0, 4},
                 {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "sm_80", 30, 0, 3},
                 {"mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", "sm_80", 200, 0, 7},
                 {"wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e4m3", "sm_90a", 400, 64, 3},
                 {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_89", 300, 96, 2}};
    for (int i = 0; i < COUNT(split); i++)
        for (int dist = 0; dist < COUNT(dists); dist++) {
            struct wsim_gemm_size size = {20, 11, split[i].k, split[i].promote, split[i].split};
            one(split[i].spelling, split[i].arch, 0, size, dists[dist], 0, dist & 1, 0);
        }
}
END_TEST

START_TEST(slices_are_told) {
    static const size_t told[][4] = {/* k, split, slices, k of one */
                                     {64, 0, 1, 64},    {64, 1, 1, 64}, {64, 2, 2, 32},
                                     {65, 2, 2, 48},    {80, 4, 3, 32}, {160, 3, 3, 64},
                                     {160, 10, 10, 16}, {7, 1, 1, 7}};
    for (int i = 0; i < COUNT(told); i++) {
        struct wsim_gemm_size size = {4, 4, told[i][0], 0, told[i][1]};
        struct product p;
        product_open(&p, forms[0].spelling, "sm_90", 0, size, WSIM_DIST_NEAR_ONE, 0);
        ck_assert_uint_eq(p.gemm.slices, told[i][2]);
        ck_assert_uint_eq(p.gemm.slice_k, told[i][3]);
        product_close(&p);
    }
}
END_TEST

/* A step of 0 is a row for all rows: a bias. And D may be C. */
START_TEST(a_row_of_c_serves_all_and_d_may_be_c) {
    struct wsim_gemm_size size = {40, 20, 50, 0, 0};
    struct product p;
    product_open(&p, forms[0].spelling, "sm_90", 0, size, WSIM_DIST_NEAR_ONE, 0);
    p.c.row = 0;
    for (size_t i = 0; i < size.m * size.n; i++)
        p.c.raw[i] = p.c.raw[i % size.n];
    product_run(&p, 1, 0);
    product_check(&p, 1, "a row of C");
    product_close(&p);

    product_open(&p, forms[0].spelling, "sm_90", 0, size, WSIM_DIST_NEAR_ONE, 0);
    free(p.d.memory);
    p.d.memory = p.c.memory;
    product_run(&p, 1, 0);
    product_check(&p, 1, "D in the place of C");
    p.d.memory = NULL;
    product_close(&p);
}
END_TEST

/* Blocks cover D, each element once. */
START_TEST(blocks_are_all_of_d) {
    static uint8_t seen[300][600];
    struct wsim_gemm_size size = {300, 600, 16, 0, 0};
    struct wsim_op op = every_parse(forms[_i].spelling);
    struct wsim_code code;
    struct wsim_gemm gemm;
    struct wsim_gemm_block block;
    memset(seen, 0, sizeof seen);
    ck_assert_int_eq(wsim_prepare(&op, wsim_arch_find(forms[_i].arch), 0, &code, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_gemm_prepare(&code, &size, &gemm, NULL), WSIM_OK);
    for (size_t i = 0; i < gemm.blocks; i++) {
        block = wsim_gemm_locate(&gemm, i);
        for (size_t r = 0; r < block.rows; r++)
            for (size_t c = 0; c < block.columns; c++)
                expect(!seen[block.row + r][block.column + c]++, "an element twice");
    }
    for (size_t r = 0; r < size.m; r++)
        for (size_t c = 0; c < size.n; c++)
            expect(seen[r][c], "D[%zu][%zu] is of no block", r, c);
    block = wsim_gemm_locate(&gemm, gemm.blocks);
    ck_assert_uint_eq(block.rows, 0);
}
END_TEST

/* Matrices that were packed for one architecture serve another: only the instructions differ. */
START_TEST(packed_matrices_serve_all_architectures) {
    struct wsim_gemm_size size = {16, 8, 4096, 0, 0};
    struct product hopper, ampere;
    unsigned different = 0;
    product_open(&hopper, forms[0].spelling, "sm_90", 0, size, WSIM_DIST_NEAR_ONE, 0);
    product_open(&ampere, forms[0].spelling, "sm_80", 0, size, WSIM_DIST_NEAR_ONE, 0);
    ck_assert_uint_eq(hopper.gemm.bytes_a, ampere.gemm.bytes_a);
    ck_assert_uint_eq(hopper.gemm.bytes_b, ampere.gemm.bytes_b);
    product_run(&hopper, 0, 0);
    product_run(&ampere, 0, 0);
    for (size_t i = 0; i < size.m * size.n; i++)
        different += product_result(&hopper, i / size.n, i % size.n) !=
                     product_result(&ampere, i / size.n, i % size.n);
    ck_assert_uint_gt(different, 0);
    product_close(&hopper);
    product_close(&ampere);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {products_are_those_by_hand, 0, COUNT(forms)},
        {small_ones_too, 0, 3},
        {a_long_k_is_one_chain, 0, 1},
        {accumulators_are_promoted, 0, 1},
        {slices_are_added, 0, 1},
        {slices_are_told, 0, 1},
        {promotion_changes_a_long_sum, 0, 1},
        {a_row_of_c_serves_all_and_d_may_be_c, 0, 1},
        {blocks_are_all_of_d, 0, COUNT(forms)},
        {packed_matrices_serve_all_architectures, 0, 1},
    };
    return every_run("gemm", tests, COUNT(tests));
}
