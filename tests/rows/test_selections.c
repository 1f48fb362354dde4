/* test_selections.c - metadata and scale factors are read at the places of the manual, under every
 * selector, byte-id and thread-id. All other lanes and bytes hold garbage. */
#include "warp.h"

/* --- metadata --- */

/* Lane and lowest bit of the nibble of (row, chunk), from the table of the manual. It depends on
 * the number of chunks and the width of an element of A. */
static void nibble_at(const struct wsim_op_info *info, int width, unsigned f, int row, int chunk,
                      int *lane, int *bit) {
    int chunks = info->k / (width == 32 ? 2 : width == 4 ? 8 : 4), four = 4 * (row & 7);
    if (width >= 16) {
        *lane = four + (chunks == 4 ? (int)f : 2 * (int)f + (chunk >> 2));
        *bit = 16 * (row >> 3) + 4 * (chunk & 3);
    } else {
        *lane = four + 2 * (chunks == 8 ? (int)f : chunk >> 3) + (row >> 3);
        *bit = 4 * (chunk & 7);
    }
}

/* Column in its chunk of stored element s, under a nibble. */
static int column_of(int width, unsigned nibble, int s) {
    if (width == 32)
        return nibble == 0xE;
    if (width == 4)
        return 2 * (int)(s < 2 ? nibble & 3 : nibble >> 2) + s % 2;
    return (int)(s == 0 ? nibble & 3 : nibble >> 2);
}

struct sparse {
    struct wsim_op op;
    struct wsim_op_info info;
    struct wsim_layout a;
    int chunk; /* columns a nibble speaks for */
};

static int sparse_at(int index, struct sparse *sparse) {
    every_op(index, &sparse->op);
    sparse->info = wsim_op_describe(&sparse->op);
    if (!sparse->info.sparse)
        return 0;
    wsim_op_layout(&sparse->op, NULL, WSIM_A, &sparse->a, NULL);
    sparse->chunk = sparse->a.elem_bits == 32 ? 2 : sparse->a.elem_bits == 4 ? 8 : 4;
    return 1;
}

/* Metadata of selector f into a register file of garbage; garbage nibbles are invalid ones. With
 * it, the dense matrix that it makes of `stored`. */
static void write_metadata(const struct sparse *sparse, unsigned f, const uint64_t *stored,
                           uint64_t *seed, uint32_t *e, uint64_t *dense) {
    int row, chunk, s, lane, bit, k = sparse->info.k, w = sparse->chunk;
    memset(dense, 0, sizeof *dense * 16 * (size_t)k);
    for (lane = 0; lane < WSIM_LANES; lane++)
        e[lane] = 0xFA50FA50u;
    for (row = 0; row < 16; row++)
        for (chunk = 0; chunk < k / w; chunk++) {
            unsigned nibble = warp_nibble(&sparse->op, seed);
            nibble_at(&sparse->info, sparse->a.elem_bits, f, row, chunk, &lane, &bit);
            e[lane] = (e[lane] & ~(UINT32_C(15) << bit)) | (uint32_t)nibble << bit;
            for (s = 0; s < w / 2; s++)
                dense[row * k + chunk * w + column_of(sparse->a.elem_bits, nibble, s)] =
                    stored[row * (k / 2) + chunk * (w / 2) + s];
        }
}

START_TEST(metadata_expands_as_the_manual_places_it) {
    static uint64_t stored[16 * 64], dense[16 * 128], got[16 * 128];
    struct sparse sparse;
    struct wsim_regs a;
    uint32_t e[WSIM_LANES];
    struct wsim_diag diag;
    uint64_t seed = (uint64_t)_i;
    unsigned f;
    if (!sparse_at(_i, &sparse))
        return;
    for (f = 0; f < sparse.info.selectors; f++) {
        every_fill(&a, sizeof a, &seed);
        wsim_fragment_unpack(&sparse.a, &a, stored);
        write_metadata(&sparse, f, stored, &seed, e, dense);
        expect(wsim_sparse_expand(&sparse.op, &a, e, f, got, &diag) == WSIM_OK,
               "%s selector %u: %s", sparse.info.row, f, diag.text);
        expect(memcmp(got, dense, sizeof *got * 16 * sparse.info.k) == 0, "%s selector %u",
               sparse.info.row, f);
    }
}
END_TEST

/* D of the compressed A is D of its dense matrix times B, in plain whole numbers. */
static int whole(const struct wsim_layout *layout, uint64_t bits) {
    unsigned pad = layout->elem_bits > layout->format->bits ? layout->format->pad : 0;
    struct wsim_value v = wsim_format_decode(layout->format, bits >> pad);
    long long magnitude = 0;
    if (v.cls == WSIM_FINITE)
        magnitude = (long long)(v.exp >= 0 ? v.sig << v.exp : v.sig >> -v.exp);
    return (int)(v.negative ? -magnitude : magnitude);
}

static void read_whole(const struct wsim_op *op, enum wsim_operand operand,
                       const struct wsim_regs *regs, int *out) {
    static uint64_t bits[128 * 16];
    struct wsim_layout layout;
    int i;
    wsim_op_layout(op, NULL, operand, &layout, NULL);
    wsim_fragment_unpack(&layout, regs, bits);
    for (i = 0; i < layout.rows * layout.cols; i++)
        out[i] = whole(&layout, bits[i]);
}

START_TEST(a_sparse_product_is_the_dense_one) {
    static uint64_t stored[16 * 64], dense[16 * 128];
    int b[128 * 8], c[16 * 8], d[16 * 8], row, col, k;
    struct sparse sparse;
    struct warp warp;
    uint64_t seed = (uint64_t)_i;
    unsigned f;
    if (!sparse_at(_i, &sparse))
        return;
    for (f = 0; f < sparse.info.selectors; f++) {
        warp_fill(&sparse.op, &seed, &warp);
        wsim_fragment_unpack(&sparse.a, &warp.a, stored);
        write_metadata(&sparse, f, stored, &seed, warp.e, dense);
        warp.io.selector = f;
        warp_exec(&sparse.op, every_first_arch(&sparse.op), &warp.io);
        read_whole(&sparse.op, WSIM_B, &warp.b, b);
        read_whole(&sparse.op, WSIM_C, &warp.c, c);
        read_whole(&sparse.op, WSIM_D, &warp.d, d);
        for (row = 0; row < 16; row++)
            for (col = 0; col < 8; col++) {
                int sum = c[row * 8 + col];
                for (k = 0; k < sparse.info.k; k++)
                    sum += whole(&sparse.a, dense[row * sparse.info.k + k]) * b[k * 8 + col];
                expect(d[row * 8 + col] == sum, "%s selector %u (%d, %d): %d, not %d",
                       sparse.info.row, f, row, col, d[row * 8 + col], sum);
            }
    }
}
END_TEST

/* A nibble that the selector reads is checked wherever it is, others nowhere. */
START_TEST(each_nibble_is_checked_under_its_selector_only) {
    static uint64_t dense[16 * 128];
    struct sparse sparse;
    struct warp warp;
    uint64_t seed = (uint64_t)_i;
    unsigned f;
    int lane, n;
    if (!sparse_at(_i, &sparse))
        return;
    f = (unsigned)every_random(&seed) % sparse.info.selectors;
    warp_fill(&sparse.op, &seed, &warp);
    write_metadata(&sparse, f, dense, &seed, warp.e, dense);
    for (lane = 0; lane < WSIM_LANES; lane++)
        for (n = 0; n < 8; n++) {
            uint32_t was = warp.e[lane];
            int supplies = (was >> 4 * n & 15) % 5 != 0;
            enum wsim_status status;
            warp.e[lane] |= UINT32_C(15) << 4 * n;
            status = wsim_sparse_expand(&sparse.op, &warp.a, warp.e, f, dense, NULL);
            expect(status == (supplies ? WSIM_OPERAND : WSIM_OK), "%s lane %d nibble %d",
                   sparse.info.row, lane, n);
            warp.e[lane] = was;
        }
}
END_TEST

/* --- scale factors --- */

struct selection {
    unsigned byte, thread;
};

/* Writes factor(line, block) into bytes that the selection reads; the rest is NaN. For A a line is
 * a row and two lanes of four share one selection, for B a column and each lane is one. */
static void write_factors(int is_a, int blocks, struct selection at, unsigned one, uint32_t *regs) {
    int line, j, lane;
    for (lane = 0; lane < WSIM_LANES; lane++)
        regs[lane] = 0xFFFFFFFFu;
    for (line = 0; line < (is_a ? 16 : 8); line++)
        for (j = 0; j < blocks; j++) {
            unsigned bit = 8 * (at.byte + (unsigned)j);
            unsigned factor = one + (unsigned)((line + j + is_a) & 1) * (one == 127 ? 1 : 8);
            lane = is_a ? 4 * (line & 7) + 2 * (int)at.thread + (line >> 3)
                        : 4 * line + (int)at.thread;
            regs[lane] = (regs[lane] & ~(UINT32_C(255) << bit)) | (uint32_t)factor << bit;
        }
}

/* All 8 x 16 / blocks^2 selections give the result of the first. */
START_TEST(every_selection_of_scales_reads_its_own_bytes) {
    struct wsim_op op;
    struct wsim_layout sfa;
    struct wsim_regs first;
    struct warp warp;
    struct selection a, b;
    uint64_t seed = (uint64_t)_i;
    unsigned blocks, one;
    every_op(_i, &op);
    if (wsim_op_layout(&op, NULL, WSIM_SFA, &sfa, NULL))
        return;
    blocks = sfa.cols;
    one = warp_one(&op);
    warp_fill(&op, &seed, &warp);
    for (a.byte = 0; a.byte < 4; a.byte += blocks)
        for (a.thread = 0; a.thread < 2; a.thread++)
            for (b.byte = 0; b.byte < 4; b.byte += blocks)
                for (b.thread = 0; b.thread < 4; b.thread++) {
                    write_factors(1, (int)blocks, a, one, warp.sfa);
                    write_factors(0, (int)blocks, b, one, warp.sfb);
                    warp.io.bid_a = a.byte;
                    warp.io.tid_a = a.thread;
                    warp.io.bid_b = b.byte;
                    warp.io.tid_b = b.thread;
                    warp_exec(&op, every_first_arch(&op), &warp.io);
                    if (a.byte + a.thread + b.byte + b.thread == 0)
                        first = warp.d;
                    expect(warp_same(&op, WSIM_D, &warp.d, &first), "%s {%u, %u} {%u, %u}",
                           wsim_op_describe(&op).row, a.byte, a.thread, b.byte, b.thread);
                }
}
END_TEST

/* D = C + sum of A * SFA * B * SFB, with factors 1 and 2 that differ by line and block. */
START_TEST(factors_scale_their_row_and_block) {
    int a[16 * 128], b[128 * 8], c[16 * 8], d[16 * 8], row, col, k, blocks;
    static uint64_t dense[16 * 128];
    struct wsim_op op;
    struct wsim_op_info info;
    struct wsim_layout sfa, la;
    struct warp warp;
    struct selection at = {0, 1};
    uint64_t seed = (uint64_t)_i;
    every_op(_i, &op);
    info = wsim_op_describe(&op);
    if (wsim_op_layout(&op, NULL, WSIM_SFA, &sfa, NULL))
        return;
    blocks = sfa.cols;
    wsim_op_layout(&op, NULL, WSIM_A, &la, NULL);
    warp_fill(&op, &seed, &warp);
    write_factors(1, blocks, at, warp_one(&op), warp.sfa);
    write_factors(0, blocks, at, warp_one(&op), warp.sfb);
    warp.io.tid_a = warp.io.tid_b = 1;
    warp_exec(&op, every_first_arch(&op), &warp.io);
    if (info.sparse)
        wsim_sparse_expand(&op, &warp.a, warp.e, 0, dense, NULL);
    else
        wsim_fragment_unpack(&la, &warp.a, dense);
    for (k = 0; k < 16 * info.k; k++)
        a[k] = whole(&la, dense[k]);
    read_whole(&op, WSIM_B, &warp.b, b);
    read_whole(&op, WSIM_C, &warp.c, c);
    read_whole(&op, WSIM_D, &warp.d, d);
    for (row = 0; row < 16; row++)
        for (col = 0; col < 8; col++) {
            int sum = c[row * 8 + col];
            for (k = 0; k < info.k; k++) {
                int j = k / (info.k / blocks);
                sum += a[row * info.k + k] * b[k * 8 + col] * (1 + ((row + j + 1) & 1)) *
                       (1 + ((col + j) & 1));
            }
            expect(d[row * 8 + col] == sum, "%s (%d, %d): %d, not %d", info.row, row, col,
                   d[row * 8 + col], sum);
        }
}
END_TEST

int main(void) {
    int ops = every_warp_op_count();
    const struct every_test tests[] = {{metadata_expands_as_the_manual_places_it, 0, ops},
                                       {a_sparse_product_is_the_dense_one, 0, ops},
                                       {each_nibble_is_checked_under_its_selector_only, 0, ops},
                                       {every_selection_of_scales_reads_its_own_bytes, 0, ops},
                                       {factors_scale_their_row_and_block, 0, ops}};
    return every_run("rows/selections", tests, COUNT(tests));
}
