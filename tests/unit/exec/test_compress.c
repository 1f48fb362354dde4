/* test_compress.c - compressing and expanding a matrix with the pattern is the identity, under
 * every selector. Beside the nonzeros, the lowest free positions are kept. A matrix that does not
 * fit is refused at its first mistake. */
#include "../../every.h"

enum { MAX_DENSE = 16 * 128, MAX_GROUP = 64 * 64 };

struct sparse {
    struct wsim_op op;
    struct wsim_op_info info;
    struct wsim_layout a;
    int chunk, each; /* columns a nibble speaks for; columns an index speaks for */
};

static int sparse_at(int index, struct sparse *s) {
    every_op(index, &s->op);
    s->info = wsim_op_describe(&s->op);
    if (!s->info.sparse)
        return 0;
    wsim_op_layout(&s->op, NULL, WSIM_A, &s->a, NULL);
    s->chunk = s->a.elem_bits == 32 ? 2 : s->a.elem_bits == 4 ? 8 : 4;
    s->each = s->chunk == 8 ? 2 : 1;
    return 1;
}

/* At most half of each chunk nonzero, in whole pairs for 4:8, sometimes less than half. */
static void fill(const struct sparse *s, uint64_t *seed, uint64_t *dense) {
    int row, first, i, places = s->chunk / s->each;
    uint64_t mask = UINT64_MAX >> (64 - s->a.elem_bits);
    memset(dense, 0, sizeof *dense * s->info.m * s->info.k);
    for (row = 0; row < s->info.m; row++)
        for (first = 0; first < s->info.k; first += s->chunk) {
            int keep;
            for (keep = 0; keep < places / 2; keep++) {
                int at = (int)(every_random(seed) % (unsigned)places) * s->each;
                for (i = 0; i < s->each; i++)
                    dense[row * s->info.k + first + at + i] = every_random(seed) & mask;
            }
        }
}

START_TEST(expanding_is_the_inverse_of_compressing) {
    static uint64_t dense[MAX_DENSE], again[MAX_DENSE];
    struct sparse s;
    struct wsim_regs a;
    uint32_t e[WSIM_LANES];
    struct wsim_diag diag;
    uint64_t seed = (uint64_t)_i;
    unsigned f;
    if (!sparse_at(_i, &s))
        return;
    for (f = 0; f < s.info.selectors; f++) {
        fill(&s, &seed, dense);
        every_fill(again, sizeof again, &seed);
        expect(wsim_sparse_compress(&s.op, dense, f, &a, e, &diag) == WSIM_OK, "%s: %s", s.info.row,
               diag.text);
        expect(wsim_sparse_expand(&s.op, &a, e, f, again, &diag) == WSIM_OK, "%s: %s", s.info.row,
               diag.text);
        expect(memcmp(dense, again, sizeof *dense * 16 * s.info.k) == 0, "%s", s.info.row);
    }
}
END_TEST

/* An empty matrix keeps the first places of each chunk, 0x4 in each nibble that counts, and
 * nothing elsewhere. */
START_TEST(where_nothing_is_the_lowest_places_are_kept) {
    static const uint64_t none[MAX_DENSE] = {0};
    struct sparse s;
    struct wsim_layout layout;
    struct wsim_regs a;
    uint32_t e[WSIM_LANES];
    unsigned f, lane, n;
    if (!sparse_at(_i, &s))
        return;
    wsim_op_layout(&s.op, NULL, WSIM_E, &layout, NULL);
    for (f = 0; f < s.info.selectors; f++) {
        ck_assert_int_eq(wsim_sparse_compress(&s.op, none, f, &a, e, NULL), WSIM_OK);
        for (lane = 0; lane < WSIM_LANES; lane++)
            for (n = 0; n < 8; n++) {
                unsigned want = wsim_layout_coord(&layout, lane, n).batch == f ? 4 : 0;
                expect((e[lane] >> 4 * n & 15) == want, "%s lane %u nibble %u", s.info.row, lane,
                       n);
            }
    }
}
END_TEST

/* A product of pruning: -0 where the mask was 0. Compression keeps every value and drops -0. */
START_TEST(minus_zero_is_dropped) {
    static uint64_t dense[MAX_DENSE];
    struct sparse s;
    struct wsim_regs a;
    uint32_t e[WSIM_LANES];
    struct wsim_diag diag;
    uint64_t sign;
    int i, kept;
    if (!sparse_at(_i, &s) || s.a.format->kind != WSIM_BINARY)
        return;
    sign = UINT64_C(1) << (s.a.format->bits - 1 + (s.a.elem_bits > 4 ? s.a.format->pad : 0));
    for (i = 0; i < 16 * s.info.k; i++) {
        kept = i % s.chunk >= s.chunk / 2;
        dense[i] = kept ? sign | sign >> 1 : sign;
    }
    expect(wsim_sparse_compress(&s.op, dense, 0, &a, e, &diag) == WSIM_OK, "%s: %s", s.info.row,
           diag.text);
    expect(wsim_sparse_expand(&s.op, &a, e, 0, dense, &diag) == WSIM_OK, "%s", s.info.row);
    for (i = 0; i < 16 * s.info.k; i++)
        expect(dense[i] == (i % s.chunk >= s.chunk / 2 ? sign | sign >> 1 : 0), "%s", s.info.row);
}
END_TEST

/* One chunk gets one nonzero too many: refused with its row and columns. */
START_TEST(a_chunk_that_is_too_full_is_named) {
    static uint64_t dense[MAX_DENSE];
    struct sparse s;
    struct wsim_regs a, before;
    uint32_t e[WSIM_LANES];
    struct wsim_diag diag;
    char where[64];
    uint64_t seed = (uint64_t)_i;
    int row, first, i;
    if (!sparse_at(_i, &s))
        return;
    fill(&s, &seed, dense);
    row = (int)(every_random(&seed) % 16);
    first = (int)(every_random(&seed) % (uint64_t)(s.info.k / s.chunk)) * s.chunk;
    for (i = 0; i < s.chunk; i++)
        dense[row * s.info.k + first + i] =
            (uint64_t)(i % s.each == 0 && i / s.each <= s.chunk / s.each / 2) << s.a.format->pad;
    every_fill(&a, sizeof a, &seed);
    before = a;
    ck_assert_int_eq(wsim_sparse_compress(&s.op, dense, 0, &a, e, &diag), WSIM_OPERAND);
    snprintf(where, sizeof where, "row %d, columns %d to %d:", row, first, first + s.chunk - 1);
    expect(strstr(diag.text, where), "%s: no \"%s\" in: %s", s.info.row, where, diag.text);
    ck_assert_mem_eq(&a, &before, sizeof a);
}
END_TEST

/* By hand: 2:4 of f16, row 0 holds 7 in column 1 and 9 in column 3; row 8 holds 5 in column 2. */
START_TEST(a_small_matrix_by_hand) {
    static uint64_t dense[MAX_DENSE];
    struct wsim_op op = every_parse("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct wsim_regs a;
    uint32_t e[WSIM_LANES];
    memset(dense, 0, sizeof dense);
    dense[0 * 16 + 1] = 7;
    dense[0 * 16 + 3] = 9;
    dense[8 * 16 + 2] = 5;
    ck_assert_int_eq(wsim_sparse_compress(&op, dense, 2, &a, e, NULL), WSIM_OK);
    ck_assert_uint_eq(a.r[0][0], 7 | 9 << 16); /* columns 1, 3 of row 0               */
    ck_assert_uint_eq(a.r[1][0], 0 | 5 << 16); /* columns 0, 2 of row 8               */
    ck_assert_uint_eq(e[2], 0x4448444D);       /* lane 4 * 0 + selector, rows 0 and 8 */
    ck_assert_uint_eq(e[0] | e[1] | e[3], 0);
    ck_assert_uint_eq(e[6], 0x44444444);
}
END_TEST

/* Warpgroups too: each warp has sixteen rows. */
START_TEST(words_of_all_lanes) {
    static uint64_t dense[MAX_GROUP], again[MAX_GROUP];
    static uint32_t a[WSIM_GROUP_REGS * WSIM_GROUP_THREADS], e[WSIM_GROUP_THREADS];
    struct sparse s;
    uint64_t seed = (uint64_t)_i;
    if (!sparse_at(_i, &s))
        return;
    for (unsigned f = 0; f < s.info.selectors; f++) {
        size_t bytes = sizeof *dense * s.info.m * s.info.k;
        struct wsim_diag diag;
        ck_assert_uint_le(bytes, sizeof dense);
        fill(&s, &seed, dense);
        every_fill(again, sizeof again, &seed);
        expect(wsim_words_compress(&s.op, dense, f, a, e, &diag) == WSIM_OK, "%s: %s", s.info.row,
               diag.text);
        expect(wsim_words_expand(&s.op, a, e, f, again, &diag) == WSIM_OK, "%s: %s", s.info.row,
               diag.text);
        expect(memcmp(dense, again, bytes) == 0, "%s", s.info.row);
    }
    ck_assert_int_eq(wsim_words_compress(&s.op, dense, s.info.selectors, a, e, NULL), WSIM_OPERAND);
    ck_assert_int_eq(wsim_words_expand(&s.op, a, NULL, 0, again, NULL), WSIM_OPERAND);
}
END_TEST

/* By hand: row 17 is the second of warp 1; column 7 is the last of its second chunk. The other rows
 * keep the first places. */
START_TEST(a_row_of_the_second_warp_by_hand) {
    static uint64_t dense[MAX_GROUP], again[MAX_GROUP];
    static uint32_t a[WSIM_GROUP_REGS * WSIM_GROUP_THREADS], e[WSIM_GROUP_THREADS];
    struct wsim_op op = every_parse("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16");
    struct wsim_regs warp;
    struct wsim_layout layout;
    struct wsim_diag diag;
    uint64_t *row = dense + 17 * 32;
    row[7] = 0x4700;
    ck_assert_int_eq(wsim_words_compress(&op, dense, 1, a, e, NULL), WSIM_OK);
    wsim_op_layout(&op, NULL, WSIM_E, &layout, NULL);
    for (unsigned t = 0; t < WSIM_GROUP_THREADS; t++) {
        ck_assert_uint_eq(a[t], t == 32 + 4 + 1 ? UINT32_C(0x47000000) : 0);
        for (unsigned n = 0; n < layout.elems; n++) {
            struct wsim_coord at = wsim_layout_coord(&layout, t, n);
            unsigned want = at.batch != 1 ? 0 : at.row == 17 && at.col == 1 ? 0xC : 4;
            ck_assert_uint_eq(e[t] >> 4 * n & 15, want);
            if (want == 0xC)
                ck_assert_uint_eq(t / 4, 9);
        }
    }
    ck_assert_int_eq(wsim_words_expand(&op, a, e, 1, again, NULL), WSIM_OK);
    ck_assert_uint_eq(again[17 * 32 + 7], 0x4700);
    row[5] = row[6] = 1;
    ck_assert_int_eq(wsim_words_compress(&op, dense, 1, a, e, &diag), WSIM_OPERAND);
    expect(strstr(diag.text, "row 17, columns 4 to 7:"), "%s", diag.text);
    ck_assert_uint_eq(a[37], UINT32_C(0x47000000));
    ck_assert_int_eq(wsim_sparse_compress(&op, dense, 1, &warp, e, NULL), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_sparse_expand(&op, &warp, e, 1, dense, NULL), WSIM_ILLEGAL);
}
END_TEST

int main(void) {
    int ops = every_warp_op_count();
    const struct every_test tests[] = {{expanding_is_the_inverse_of_compressing, 0, ops},
                                       {where_nothing_is_the_lowest_places_are_kept, 0, ops},
                                       {minus_zero_is_dropped, 0, ops},
                                       {a_chunk_that_is_too_full_is_named, 0, ops},
                                       {a_small_matrix_by_hand, 0, 1},
                                       {words_of_all_lanes, 0, every_op_count()},
                                       {a_row_of_the_second_warp_by_hand, 0, 1}};
    return every_run("unit/exec/compress", tests, COUNT(tests));
}
