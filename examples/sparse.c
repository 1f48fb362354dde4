/* sparse.c - shows mma.sp. It compresses a matrix with few nonzeros in every chunk of columns and
 * stores their places in metadata. The product is that of the dense matrix.
 *
 * 16-bit and 8-bit types keep 2 of 4 columns, tf32 keeps 1 of 2, 4-bit types keep 2 pairs of 4. A
 * metadata nibble holds two 2-bit indices, the lower one in its low bits. */
#include "show.h"

#include <stdio.h>
#include <string.h>

#define SP "mma.sp.sync.aligned."

static const char *const spellings[] = {
    SP "m16n8k16.row.col.f32.f16.f16.f32",  SP "m16n8k16.row.col.f16.f16.f16.f16",
    SP "m16n8k32.row.col.f32.f16.f16.f32",  SP "m16n8k32.row.col.f16.f16.f16.f16",
    SP "m16n8k8.row.col.f32.tf32.tf32.f32", SP "m16n8k16.row.col.f32.tf32.tf32.f32",
    SP "m16n8k32.row.col.s32.s8.s8.s32",    SP "m16n8k64.row.col.s32.s8.s8.s32",
    SP "m16n8k64.row.col.s32.s4.s4.s32",    SP "m16n8k128.row.col.s32.s4.s4.s32",
};

enum { MAX_M = 16, MAX_N = 8, MAX_K = 128 };

/* One product on integers, and the shape of its instruction. */
struct product {
    struct wsim_op op;
    struct wsim_op_info info;
    unsigned chunk, unit, units; /* columns a chunk, columns a unit, kept units */
    int a[MAX_M * MAX_K], b[MAX_K * MAX_N], d[MAX_M * MAX_N];
};

static void find_pattern(struct product *product) {
    struct wsim_layout a = must_layout(&product->op, WSIM_A);
    struct wsim_layout e = must_layout(&product->op, WSIM_E);
    unsigned kept = a.cols / e.cols;
    product->chunk = product->info.k / e.cols;
    product->unit = kept == 4 ? 2 : 1;
    product->units = kept / product->unit;
}

/* A chunk with the largest number of nonzeros that the pattern keeps, in random places. */
static void fill_chunk(const struct product *product, int *chunk, uint32_t *seed) {
    unsigned left = product->units, places = product->chunk / product->unit, place, i;
    memset(chunk, 0, product->chunk * sizeof *chunk);
    for (place = 0; place < places; place++)
        if (next_random(seed) % (places - place) < left) {
            left--;
            for (i = 0; i < product->unit; i++)
                chunk[place * product->unit + i] = next_int(seed, 7);
        }
}

static void fill(struct product *product, const char *spelling, uint32_t seed) {
    unsigned i;
    product->op = must_parse(spelling);
    product->info = wsim_op_describe(&product->op);
    find_pattern(product);
    for (i = 0; i < product->info.m * product->info.k; i += product->chunk)
        fill_chunk(product, product->a + i, &seed);
    for (i = 0; i < product->info.k * product->info.n; i++)
        product->b[i] = next_int(&seed, 7);
    exact_product(product->info.m, product->info.n, product->info.k, product->a, product->b,
                  product->d);
}

static void to_bits(const struct wsim_format *format, const int *numbers, unsigned count,
                    uint64_t *bits) {
    unsigned i;
    for (i = 0; i < count; i++)
        bits[i] = bits_of(format, numbers[i]) & (~(uint64_t)0 >> (64 - format->bits - format->pad));
}

/* The first columns of a dense row, and the nibbles with the places of its nonzeros. */
static void show_row(const struct product *product, const uint32_t e[WSIM_LANES], unsigned selector,
                     unsigned row) {
    struct wsim_layout layout = must_layout(&product->op, WSIM_E);
    unsigned col, cols = product->info.k < 16 ? product->info.k : 16,
                  chunks = cols / product->chunk;
    printf("  row %2u ", row);
    for (col = 0; col < cols; col++)
        printf("%s%2d", col % product->chunk ? " " : " |", product->a[row * product->info.k + col]);
    printf(" |%s nibbles", product->info.k > cols ? " ..." : "");
    for (col = 0; col < chunks; col++) {
        struct wsim_coord at = {(uint16_t)selector, (uint16_t)row, (uint16_t)col};
        struct wsim_place place;
        if (wsim_layout_places(&layout, at, &place, 1))
            printf(" %x", e[place.lane] >> place.lsb & 15);
    }
    printf("\n");
}

/* Compresses for one selector, multiplies and compares all of D. */
static void multiply(const struct product *product, unsigned selector, struct facts *facts) {
    struct wsim_layout a_layout = must_layout(&product->op, WSIM_A);
    struct wsim_layout b_layout = must_layout(&product->op, WSIM_B);
    struct wsim_layout d_layout = must_layout(&product->op, WSIM_D);
    uint64_t dense[MAX_M * MAX_K], columns[MAX_K * MAX_N], result[MAX_M * MAX_N];
    struct wsim_regs a, b, c = {{{0}}}, d;
    struct wsim_diag diag;
    uint32_t e[WSIM_LANES];
    unsigned i, m = product->info.m, n = product->info.n, k = product->info.k;
    to_bits(a_layout.format, product->a, m * k, dense);
    to_bits(b_layout.format, product->b, k * n, columns);
    must(wsim_sparse_compress(&product->op, dense, selector, &a, e, &diag), &diag);
    wsim_fragment_pack(&b_layout, columns, &b);
    must_exec(
        &product->op, must_find("sm_80"),
        &(struct wsim_operands){.d = &d, .a = &a, .b = &b, .c = &c, .e = e, .selector = selector});
    wsim_fragment_unpack(&d_layout, &d, result);
    for (i = 0; i < m * n; i++)
        fact(facts, number_of(d_layout.format, result[i]) == product->d[i],
             "D[%u][%u] is %g, the dense product %d", i / n, i % n,
             number_of(d_layout.format, result[i]), product->d[i]);
    if (selector == 0)
        for (i = 0; i < m; i += 7)
            show_row(product, e, selector, i);
}

/* One nonzero too many: refused, with the row and the columns. */
static void refuse(struct facts *facts) {
    struct wsim_op op = must_parse(spellings[0]);
    struct wsim_layout layout = must_layout(&op, WSIM_A);
    uint64_t dense[16 * 16] = {0};
    struct wsim_regs a;
    uint32_t e[WSIM_LANES];
    struct wsim_diag diag = {0};
    unsigned col;
    for (col = 8; col < 11; col++)
        dense[5 * 16 + col] = bits_of(layout.format, 1);
    printf("\nthree nonzeros in columns 8 to 11 of row 5\n");
    fact(facts, wsim_sparse_compress(&op, dense, 0, &a, e, &diag) == WSIM_OPERAND,
         "compressing them was not refused");
    printf("  %s: %s\n", wsim_status_name(diag.status), diag.text);
}

int main(void) {
    static struct product product;
    struct facts facts = {0};
    unsigned i, selector, differ;
    for (i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        fill(&product, spellings[i], i);
        printf("%s%s\n", i ? "\n" : "", spellings[i]);
        differ = facts.differ;
        for (selector = 0; selector < product.info.selectors; selector++)
            multiply(&product, selector, &facts);
        printf("  D %s the dense product, with each of %u selectors\n",
               facts.differ == differ ? "is" : "is not", product.info.selectors);
    }
    refuse(&facts);
    return facts_end(&facts);
}
