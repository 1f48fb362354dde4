/* mma_tile.c - computes one 16x8x16 tile from shared memory to shared memory, like a kernel.
 * ldmatrix.x4 loads A, ldmatrix.x2.trans the row-major B; one mma follows, and D goes back.
 *
 * The operands are small integers, so the product is exact and every element is compared. */
#include "show.h"

#include <stdio.h>
#include <string.h>

enum { M = 16, N = 8, K = 16 };
enum { A_AT = 0, B_AT = A_AT + 2 * M * K, D_AT = B_AT + 2 * K * N, BYTES = D_AT + 2 * M * N };

/* Shared memory of the kernel, and the expected product. */
struct tile {
    uint8_t bytes[BYTES];
    int product[M * N];
};

static void put_halves(uint8_t *to, const int *matrix, unsigned count) {
    const struct wsim_format *f16 = wsim_format_find("f16");
    unsigned i;
    for (i = 0; i < count; i++) {
        uint64_t bits = bits_of(f16, matrix[i]);
        to[2 * i] = (uint8_t)bits;
        to[2 * i + 1] = (uint8_t)(bits >> 8);
    }
}

static void fill(struct tile *tile) {
    int a[M * K], b[K * N];
    uint32_t seed = 1;
    unsigned i;
    for (i = 0; i < M * K; i++)
        a[i] = next_int(&seed, 4);
    for (i = 0; i < K * N; i++)
        b[i] = next_int(&seed, 4);
    memset(tile->bytes, 0, sizeof tile->bytes);
    put_halves(tile->bytes + A_AT, a, M * K);
    put_halves(tile->bytes + B_AT, b, K * N);
    exact_product(M, N, K, a, b, tile->product);
}

/* The addresses of the rows: A[lane%16][(lane/16)*8], B[lane%16][0], D[lane%16][0]. */
static uint32_t row_of_a(unsigned lane) {
    return A_AT + 2 * (lane % 16 * K + lane / 16 * 8);
}
static uint32_t row_of_b(unsigned lane) {
    return B_AT + 2 * (lane % 16 * N);
}
static uint32_t row_of_d(unsigned lane) {
    return D_AT + 2 * (lane % 16 * N);
}

/* One ldmatrix into `regs`, or one stmatrix of `regs`. */
static void move(struct tile *tile, const char *spelling, uint32_t (*row)(unsigned),
                 struct wsim_regs *regs) {
    struct wsim_op op = must_parse(spelling);
    struct wsim_memory smem = wsim_memory_over(WSIM_SHARED, tile->bytes, BYTES, 0);
    uint32_t addr[WSIM_LANES];
    unsigned lane;
    for (lane = 0; lane < WSIM_LANES; lane++)
        addr[lane] = row(lane);
    must_exec(&op, must_find("sm_90a"),
              &(struct wsim_operands){.d = regs, .r = regs, .smem = &smem, .addr = addr});
    printf("  %s\n", spelling);
}

/* Loads A and B and multiplies with `spelling`; C is zero. */
static struct wsim_regs multiply(struct tile *tile, const char *spelling) {
    struct wsim_op op = must_parse(spelling);
    struct wsim_regs a, b, c = {{{0}}}, d;
    move(tile, "ldmatrix.sync.aligned.m8n8.x4.shared.b16", row_of_a, &a);
    move(tile, "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", row_of_b, &b);
    must_exec(&op, must_find("sm_90a"),
              &(struct wsim_operands){.d = &d, .a = &a, .b = &b, .c = &c});
    printf("  %s\n", spelling);
    return d;
}

static void compare(const struct tile *tile, const struct wsim_format *format, const uint64_t *d,
                    struct facts *facts) {
    unsigned i;
    for (i = 0; i < M * N; i++)
        fact(facts, number_of(format, d[i]) == tile->product[i], "D[%u][%u] is %g, exactly %d",
             i / N, i % N, number_of(format, d[i]), tile->product[i]);
}

/* f16 accumulators have the fragment that stmatrix stores. */
static void through_memory(struct tile *tile, struct facts *facts) {
    struct wsim_regs d = multiply(tile, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16");
    uint64_t matrix[M * N];
    unsigned i;
    move(tile, "stmatrix.sync.aligned.m8n8.x2.shared.b16", row_of_d, &d);
    for (i = 0; i < M * N; i++)
        matrix[i] = tile->bytes[D_AT + 2 * i] | (uint64_t)tile->bytes[D_AT + 2 * i + 1] << 8;
    compare(tile, wsim_format_find("f16"), matrix, facts);
    printf("D in shared memory:\n");
    show_matrix(wsim_format_find("f16"), matrix, M, N);
}

/* f32 accumulators: the layout of the library gives lane and register of each element. */
static void through_layout(struct tile *tile, struct facts *facts) {
    const char *spelling = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    struct wsim_op op = must_parse(spelling);
    struct wsim_regs d = multiply(tile, spelling);
    struct wsim_layout layout = must_layout(&op, WSIM_D);
    uint64_t matrix[M * N];
    wsim_fragment_unpack(&layout, &d, matrix);
    compare(tile, layout.format, matrix, facts);
    printf(
        "D in the registers, element (row, column) = (lane/4 + 8*(reg/2), lane%%4*2 + reg%%2):\n");
    show_lanes(&layout, &d, 0, 7);
}

int main(void) {
    struct facts facts = {0};
    struct tile tile;
    fill(&tile);
    printf("f16 accumulators\n");
    through_memory(&tile, &facts);
    printf("\nf32 accumulators\n");
    through_layout(&tile, &facts);
    return facts_end(&facts);
}
