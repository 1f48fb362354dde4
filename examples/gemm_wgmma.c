/* gemm_wgmma.c - one 64x64x64 tile of a product of f16 matrices, as Hopper kernels compute it.
 * Tensor copies with the 128-byte swizzle load A and B. Four wgmma read them through
 * descriptors, each 32 bytes further along k. Then the same tiles go through ldmatrix and mma.
 *
 * Both products are equal bit for bit, because each step adds the same products and the steps have
 * the same order. An mma of an earlier GPU, or another order, rounds differently. */
#include "block.h"

#include <stdio.h>

/* A is M x K, and B^T is N x K. A row of each has 64 halves, 128 bytes. */
enum { M = 64, N = 64, K = 64, STEP = 16, STEPS = K / STEP, PITCH = 128 };
enum { A_AT = 0, B_AT = M * PITCH, TILES_BYTES = (M + N) * PITCH };

static uint8_t bytes_a[M * PITCH], bytes_b[N * PITCH];
static struct matrix a = {
    {.bytes = bytes_a, .size = sizeof bytes_a, .base = 0x10000, .space = WSIM_GLOBAL},
    WSIM_TENSOR_FLOAT16,
    2,
    M,
    K,
    PITCH};
static struct matrix b = {
    {.bytes = bytes_b, .size = sizeof bytes_b, .base = 0x20000, .space = WSIM_GLOBAL},
    WSIM_TENSOR_FLOAT16,
    2,
    N,
    K,
    PITCH};
static struct block block;

/* Raw bits of D, and the bank conflicts on the way. */
struct product {
    uint64_t d[M * N];
    unsigned conflicts;
};

/* Both matrices into shared memory. */
static void load_tiles(void) {
    struct wsim_tensor_map map_a = matrix_map(&a, WSIM_SWIZZLE_128B, M, K);
    struct wsim_tensor_map map_b = matrix_map(&b, WSIM_SWIZZLE_128B, N, K);
    block_start(&block);
    block_load(&block, &a, &map_a, A_AT, 0, 0);
    block_load(&block, &b, &map_b, B_AT, 0, 0);
    block_wait(&block, TILES_BYTES);
}

/* The tile at `at`, from k = 16 * step on. Eight rows are 1024 bytes. A step takes 32 bytes of a
 * row, so the leading offset is unused. */
static struct wsim_descriptor descriptor_at(uint32_t at, unsigned step) {
    return (struct wsim_descriptor){.start = at + step * STEP * 2,
                                    .leading = 16,
                                    .stride = 8 * PITCH,
                                    .mode = WSIM_SWIZZLE_128B};
}

static uint64_t encoded(uint32_t at, unsigned step) {
    struct wsim_descriptor descriptor = descriptor_at(at, step);
    struct wsim_diag diag;
    uint64_t bits;
    must(wsim_descriptor_encode(&descriptor, &bits, &diag), &diag);
    return bits;
}

/* Four wgmma; the first does not look at D. */
static struct product multiply_wgmma(const char *spelling) {
    static struct wsim_group_regs d;
    struct wsim_op op = must_parse(spelling);
    struct wsim_layout layout = must_layout(&op, WSIM_D);
    struct product product = {.conflicts = 0};
    struct wsim_diag diag;
    unsigned step;
    for (step = 0; step < STEPS; step++) {
        struct wsim_wgmma io = {.d = &d,
                                .c = &d,
                                .desc_a = encoded(A_AT, step),
                                .desc_b = encoded(B_AT, step),
                                .smem = block.bytes,
                                .smem_size = BLOCK_BYTES,
                                .scale_d = step > 0};
        must(wsim_wgmma_run(&op, must_find("sm_90a"), &io, &diag), &diag);
    }
    wsim_words_unpack(&layout, d.r[0], product.d);
    return product;
}

/* One ldmatrix of the tile at `at`: rows row + lane%rows, the piece of k that lane/rows says. */
static struct wsim_regs load_fragment(const struct wsim_arch *arch, const char *spelling,
                                      uint32_t at, unsigned row, unsigned rows, unsigned step,
                                      unsigned *conflicts) {
    struct wsim_op op = must_parse(spelling);
    struct wsim_memory smem = wsim_memory_over(WSIM_SHARED, block.bytes, BLOCK_BYTES, 0);
    struct wsim_banks banks;
    struct wsim_regs regs;
    struct wsim_diag diag;
    uint32_t addr[WSIM_LANES];
    unsigned lane;
    for (lane = 0; lane < WSIM_LANES; lane++) {
        unsigned y = row + lane % rows, piece = step * 2 + lane / rows % 2;
        addr[lane] = at + y * PITCH + (piece ^ y % 8) * 16;
    }
    must_exec(&op, arch, &(struct wsim_operands){.d = &regs, .smem = &smem, .addr = addr});
    must(wsim_banks_count(&op, arch, addr, ~(uint32_t)0, &banks, &diag), &diag);
    *conflicts += banks.conflicts;
    return regs;
}

/* How the same product is made of mma. */
struct order {
    const char *arch, *name;
    int down; /* the steps along k are taken from the last to the first */
};

/* Rows row to row + 15 and columns col to col + 7. */
static void multiply_tile(const struct order *order, const char *spelling, unsigned row,
                          unsigned col, struct product *product) {
    const struct wsim_arch *arch = must_find(order->arch);
    struct wsim_op op = must_parse(spelling);
    struct wsim_layout layout = must_layout(&op, WSIM_D);
    struct wsim_regs d = {{{0}}};
    uint64_t tile[16 * 8];
    unsigned i;
    for (i = 0; i < STEPS; i++) {
        unsigned step = order->down ? STEPS - 1 - i : i;
        struct wsim_regs fa = load_fragment(arch, "ldmatrix.sync.aligned.m8n8.x4.shared.b16", A_AT,
                                            row, 16, step, &product->conflicts);
        struct wsim_regs fb = load_fragment(arch, "ldmatrix.sync.aligned.m8n8.x2.shared.b16", B_AT,
                                            col, 8, step, &product->conflicts);
        must_exec(&op, arch, &(struct wsim_operands){.d = &d, .a = &fa, .b = &fb, .c = &d});
    }
    wsim_fragment_unpack(&layout, &d, tile);
    for (i = 0; i < 16 * 8; i++)
        product->d[(row + i / 8) * N + col + i % 8] = tile[i];
}

static struct product multiply_mma(const struct order *order, const char *spelling) {
    struct product product = {.conflicts = 0};
    unsigned row, col;
    for (row = 0; row < M; row += 16)
        for (col = 0; col < N; col += 8)
            multiply_tile(order, spelling, row, col, &product);
    return product;
}

static unsigned differing(const struct product *one, const struct product *other) {
    unsigned i, number = 0;
    for (i = 0; i < M * N; i++)
        number += one->d[i] != other->d[i];
    return number;
}

/* The first element that differs. */
static void show_first(const struct product *wgmma, const struct product *mma,
                       const struct wsim_format *format) {
    unsigned i = 0;
    while (wgmma->d[i] == mma->d[i])
        i++;
    printf("      D[%u][%u] is %0*llx by wgmma and %0*llx by mma, %.6f and %.6f\n", i / N, i % N,
           format->bits / 4, (unsigned long long)wgmma->d[i], format->bits / 4,
           (unsigned long long)mma->d[i], number_of(format, wgmma->d[i]),
           number_of(format, mma->d[i]));
}

static const struct order orders[] = {{"sm_90a", "mma on sm_90a, k ascending", 0},
                                      {"sm_90a", "mma on sm_90a, k descending", 1},
                                      {"sm_80", "mma on sm_80, k ascending", 0}};
enum { ORDERS = sizeof orders / sizeof *orders };

static void compare(const char *wgmma, const char *mma, int exact, struct facts *facts) {
    struct wsim_op op = must_parse(wgmma);
    struct wsim_layout layout = must_layout(&op, WSIM_D);
    struct product ours = multiply_wgmma(wgmma);
    unsigned i;
    printf("  %s\n", wgmma);
    for (i = 0; i < ORDERS; i++) {
        struct product theirs = multiply_mma(&orders[i], mma);
        unsigned number = differing(&ours, &theirs);
        printf("    %-27s  %4u of %u elements differ\n", orders[i].name, number, M * N);
        if (number)
            show_first(&ours, &theirs, layout.format);
        fact(facts, (number == 0) == (exact || i == 0), "not as expected");
        fact(facts, theirs.conflicts == 0, "%u conflicts of ldmatrix", theirs.conflicts);
    }
}

#define WGMMA(d) "wgmma.mma_async.sync.aligned.m64n64k16." d ".f16.f16"
#define MMA(d) "mma.sync.aligned.m16n8k16.row.col." d ".f16.f16." d

static void compare_both(int exact, struct facts *facts) {
    compare(WGMMA("f32"), MMA("f32"), exact, facts);
    compare(WGMMA("f16"), MMA("f16"), exact, facts);
}

/* Small integers: every sum is exact, so there is one answer. */
static void integers(struct facts *facts) {
    static int ints_a[M * K], ints_b[K * N], exact[M * N];
    const struct wsim_format *f16 = wsim_format_find("f16"), *f32 = wsim_format_find("f32");
    struct product product;
    uint32_t seed = 1;
    unsigned i, wrong = 0;
    for (i = 0; i < M * K; i++) {
        ints_a[i] = next_int(&seed, 4);
        matrix_put(&a, i / K, i % K, bits_of(f16, ints_a[i]));
    }
    for (i = 0; i < K * N; i++) {
        ints_b[i] = next_int(&seed, 4);
        matrix_put(&b, i % N, i / N, bits_of(f16, ints_b[i]));
    }
    load_tiles();
    exact_product(M, N, K, ints_a, ints_b, exact);
    product = multiply_wgmma(WGMMA("f32"));
    for (i = 0; i < M * N; i++)
        wrong += number_of(f32, product.d[i]) != exact[i];
    printf("\nsmall integers: %u of %u elements are the exact product\n", M * N - wrong, M * N);
    fact(facts, wrong == 0, "%u elements are not", wrong);
    compare_both(1, facts);
}

/* A number of either sign between 1/16 and 16. */
static uint64_t next_half(uint32_t *seed) {
    unsigned random = next_random(seed), exponent = 11 + (random >> 10) % 8;
    return (random & 0x83ff) | exponent << 10;
}

/* Numbers whose sums have more bits than the accumulator keeps. */
static void numbers(struct facts *facts) {
    uint32_t seed = 2;
    unsigned i;
    for (i = 0; i < M * K; i++)
        matrix_put(&a, i / K, i % K, next_half(&seed));
    for (i = 0; i < N * K; i++)
        matrix_put(&b, i / K, i % K, next_half(&seed));
    load_tiles();
    printf("\nnumbers from 1/16 to 16\n");
    compare_both(0, facts);
    printf("wgmma and mma of sm_90a add 16 products and the sum so far in one step, and cut off\n"
           "the bits below those they keep; sm_80 takes 8 products a step and keeps a bit less,\n"
           "and steps in another order cut off elsewhere\n");
}

/* The fields of a descriptor, put together by hand. */
static uint64_t by_hand(uint32_t at, unsigned step) {
    uint64_t start = (at + step * STEP * 2) / 16, leading = 16 / 16, stride = 8 * PITCH / 16;
    return start | leading << 16 | stride << 32 | (uint64_t)1 << 62;
}

static void show_descriptors(struct facts *facts) {
    unsigned step;
    printf("A and B^T are %ux%u halves, rows of %u bytes, 128B swizzle, at %u and %u\n", M, K,
           PITCH, A_AT, B_AT);
    for (step = 0; step < STEPS; step++) {
        printf("  k from %2u: descriptors %016llx and %016llx, starts %4u and %4u\n", step * STEP,
               (unsigned long long)encoded(A_AT, step), (unsigned long long)encoded(B_AT, step),
               descriptor_at(A_AT, step).start, descriptor_at(B_AT, step).start);
        fact(facts, encoded(A_AT, step) == by_hand(A_AT, step), "by hand: another for A");
        fact(facts, encoded(B_AT, step) == by_hand(B_AT, step), "by hand: another for B");
    }
    printf("  leading offset 16 (no step is that long), stride offset %u (8 rows), swizzle 1\n",
           8 * PITCH);
}

int main(void) {
    struct facts facts = {0};
    show_descriptors(&facts);
    integers(&facts);
    numbers(&facts);
    return facts_end(&facts);
}
