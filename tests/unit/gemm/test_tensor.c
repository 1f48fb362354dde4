/* Products of whole matrices through tcgen05.mma: every kind, shape, group of blocks and order of
 * the matrices in shared memory. Sums of small numbers are exact, so doubles have the same result.
 * Raw numbers have equal bits in all shapes. */
#include "../../every.h"

#include <stdlib.h>
#include <wsim/gemm.h>
#include <wsim/number.h>
#include <wsim/umma.h>

static const struct form {
    struct wsim_umma umma;
    const char *a, *b, *d, *factor;
    uint16_t m, n;
    uint8_t trans[2], id;
} forms[] = {
#define ONE(k)                                                                                     \
    { .kind = WSIM_UMMA_##k, .blocks = 1 }
#define PAIR(k)                                                                                    \
    { .kind = WSIM_UMMA_##k, .blocks = 2 }
#define WS(k)                                                                                      \
    { .kind = WSIM_UMMA_##k, .blocks = 1, .stationary = 1 }
#define SCALED(k, b, f)                                                                            \
    { .kind = WSIM_UMMA_##k, .blocks = b, .factors = f }
    {ONE(F16), "f16", "f16", "f32", NULL, 128, 128, {0, 0}, 0},
    {ONE(F16), "f16", "f16", "f32", NULL, 64, 8, {0, 0}, 0},
    {ONE(F16), "f16", "f16", "f32", NULL, 128, 256, {1, 0}, 0},
    {PAIR(F16), "f16", "f16", "f32", NULL, 128, 16, {0, 1}, 0},
    {PAIR(F16), "f16", "f16", "f32", NULL, 256, 48, {1, 1}, 0},
    {WS(F16), "f16", "f16", "f32", NULL, 32, 64, {0, 0}, 0},
    {WS(F16), "f16", "f16", "f32", NULL, 64, 256, {0, 0}, 0},
    {ONE(F16), "bf16", "bf16", "f32", NULL, 128, 128, {0, 0}, 0},
    {PAIR(F16), "bf16", "bf16", "f32", NULL, 256, 256, {0, 0}, 0},
    {ONE(F16), "f16", "f16", "f16", NULL, 128, 128, {0, 0}, 0},
    {ONE(F16), "f16", "f16", "f16", NULL, 64, 24, {0, 0}, 0},
    {PAIR(F16), "f16", "f16", "f16", NULL, 128, 32, {0, 0}, 0},
    {ONE(TF32), "tf32", "tf32", "f32", NULL, 128, 128, {0, 0}, 0},
    {ONE(TF32), "tf32", "tf32", "f32", NULL, 64, 8, {1, 1}, 0},
    {PAIR(TF32), "tf32", "tf32", "f32", NULL, 256, 64, {1, 0}, 0},
    {ONE(F8F6F4), "e4m3", "e4m3", "f32", NULL, 128, 128, {0, 0}, 0},
    {PAIR(F8F6F4), "e4m3", "e4m3", "f32", NULL, 256, 32, {1, 1}, 0},
    {WS(F8F6F4), "e4m3", "e4m3", "f32", NULL, 32, 128, {0, 0}, 0},
    {ONE(F8F6F4), "e2m1", "e3m2", "f32", NULL, 128, 128, {0, 0}, 0},
    {ONE(F8F6F4), "e2m1", "e3m2", "f32", NULL, 64, 40, {0, 0}, 0},
    {PAIR(F8F6F4), "e2m1", "e3m2", "f32", NULL, 128, 64, {0, 0}, 0},
    {ONE(F8F6F4), "e2m3", "e5m2", "f16", NULL, 128, 128, {0, 0}, 0},
    {PAIR(F8F6F4), "e2m3", "e5m2", "f16", NULL, 256, 16, {0, 0}, 0},
    {ONE(I8), "s8", "u8", "s32", NULL, 128, 128, {0, 0}, 0},
    {ONE(I8), "s8", "u8", "s32", NULL, 64, 24, {0, 0}, 0},
    {PAIR(I8), "s8", "u8", "s32", NULL, 128, 96, {1, 0}, 0},
    {WS(I8), "s8", "u8", "s32", NULL, 32, 64, {0, 0}, 0},
    {SCALED(MXF8F6F4, 1, 1), "e4m3", "e2m1", "f32", "ue8m0", 128, 128, {0, 0}, 0},
    {SCALED(MXF8F6F4, 1, 1), "e4m3", "e2m1", "f32", "ue8m0", 128, 40, {0, 0}, 3},
    {SCALED(MXF8F6F4, 2, 1), "e4m3", "e2m1", "f32", "ue8m0", 128, 80, {0, 0}, 1},
    {SCALED(MXF8F6F4, 2, 1), "e4m3", "e2m1", "f32", "ue8m0", 256, 256, {0, 0}, 0},
    {SCALED(MXF4, 1, 2), "e2m1", "e2m1", "f32", "ue8m0", 128, 128, {0, 0}, 0},
    {SCALED(MXF4, 1, 2), "e2m1", "e2m1", "f32", "ue8m0", 128, 8, {0, 0}, 2},
    {SCALED(MXF4, 2, 2), "e2m1", "e2m1", "f32", "ue8m0", 128, 256, {0, 0}, 0},
    {SCALED(MXF4NVF4, 1, 4), "e2m1", "e2m1", "f32", "ue4m3", 128, 128, {0, 0}, 0},
    {SCALED(MXF4NVF4, 2, 4), "e2m1", "e2m1", "f32", "ue4m3", 128, 48, {0, 0}, 0},
    {SCALED(MXF4NVF4, 2, 4), "e2m1", "e2m1", "f32", "ue4m3", 256, 176, {0, 0}, 0},
    {SCALED(MXF4NVF4, 1, 2), "e2m1", "e2m1", "f32", "ue8m0", 128, 24, {0, 0}, 2},
};

enum { ROWS = 150, COLUMNS = 77, LENGTH = 170, MOST = ROWS * LENGTH };

/* A matrix of raw elements, one in `bytes`, and its numbers, which include their factors. */
struct matrix {
    uint8_t bytes[4 * MOST], scales[MOST];
    double numbers[MOST];
};

static struct wsim_code code;
static struct wsim_gemm gemm;
static struct matrix a, b, c;
static uint8_t d[4 * MOST];

static void prepare(const struct form *form) {
    const struct wsim_gemm_size size = {ROWS, COLUMNS, LENGTH, 0, 0};
    struct wsim_umma_shape shape = {.a = wsim_format_find(form->a),
                                    .b = wsim_format_find(form->b),
                                    .d = wsim_format_find(form->d),
                                    .m = form->m,
                                    .n = form->n,
                                    .trans = {form->trans[0], form->trans[1]},
                                    .factor_id = {form->id, form->id}};
    struct wsim_diag diag;
    uint32_t idesc;
    if (form->factor)
        shape.factor = wsim_format_find(form->factor);
    expect(!wsim_umma_encode(&form->umma, &shape, &idesc, &diag), "%s", diag.text);
    expect(!wsim_umma_prepare(&form->umma, idesc, wsim_arch_find("sm_100a"), 0, &code, &diag), "%s",
           diag.text);
    expect(!wsim_gemm_prepare(&code, &size, &gemm, &diag), "%s", diag.text);
    ck_assert_uint_eq(gemm.tile_m, form->m);
    ck_assert_uint_eq(gemm.tile_n, form->n);
}

static void put(uint8_t *at, unsigned bytes, uint64_t bits) {
    const uint8_t byte = (uint8_t)bits;
    const uint16_t half = (uint16_t)bits;
    const uint32_t word = (uint32_t)bits;
    memcpy(at, bytes == 1 ? (const void *)&byte : bytes == 2 ? (const void *)&half : &word, bytes);
}

/* Elements from -2 to 2, or the integers of a byte; raw ones have any bits. Factors are 1/2, 1, 2.
 */
static void draw(struct matrix *m, const struct wsim_format *format, unsigned bytes, size_t count,
                 uint64_t seed, int raw) {
    const unsigned pad = format->bits <= 6 && gemm.tile_k == 32 ? format->pad : 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = every_random(&seed);
        const int value = (int)(random % 5) - 2 + (format->is_signed ? 0 : 2);
        uint64_t bits = random >> 8;
        if (format->kind == WSIM_INT) {
            m->numbers[i] = format->is_signed ? (int8_t)bits : (uint8_t)bits;
            bits = (uint64_t)(int64_t)m->numbers[i];
        } else if (!raw) {
            bits = wsim_from_double(format, value, WSIM_RN);
            m->numbers[i] = value;
        }
        if (bytes * 8 > format->bits)
            bits &= (UINT64_C(1) << format->bits) - 1;
        put(m->bytes + i * bytes, bytes, bits << (bytes == 4 ? format->pad : pad));
    }
}

static void draw_factors(struct matrix *m, size_t count, uint64_t seed) {
    for (size_t i = 0; gemm.scale && i < count; i++) {
        static const double values[] = {0.5, 1, 2};
        m->scales[i] =
            (uint8_t)wsim_from_double(gemm.scale, values[every_random(&seed) % 3], WSIM_RN);
    }
}

static void multiply(void) {
    const size_t blocks = gemm.scale ? (LENGTH + gemm.block_k - 1) / gemm.block_k : 0;
    const struct wsim_gemm_from from[] = {{a.bytes, 1, ROWS, a.scales, blocks, 1},
                                          {b.bytes, COLUMNS, 1, b.scales, COLUMNS, 1},
                                          {c.bytes, COLUMNS, 1, NULL, 0, 0}};
    const struct wsim_gemm_to to = {d, COLUMNS, 1};
    void *packed_a = malloc(gemm.bytes_a), *packed_b = malloc(gemm.bytes_b);
    void *own = malloc(gemm.bytes_own);
    struct wsim_diag diag;
    expect(packed_a && packed_b && own, "out of memory");
    for (size_t i = 0; i < gemm.parts_a; i++)
        wsim_gemm_pack_a(&gemm, &from[0], i, packed_a, NULL);
    for (size_t i = 0; i < gemm.parts_b; i++)
        wsim_gemm_pack_b(&gemm, &from[1], i, packed_b, NULL);
    for (size_t i = gemm.blocks; i-- > 0;)
        expect(!wsim_gemm_run(&gemm, packed_a, packed_b, &from[2], &to, i, own, &diag), "%s",
               diag.text);
    free(packed_a);
    free(packed_b);
    free(own);
}

static void scale_numbers(void) {
    const size_t blocks = gemm.scale ? (LENGTH + gemm.block_k - 1) / gemm.block_k : 0;
    for (size_t k = 0; gemm.scale && k < LENGTH; k++) {
        const size_t block = k / gemm.block_k;
        for (size_t row = 0; row < ROWS; row++)
            a.numbers[row + k * ROWS] *= wsim_to_double(gemm.scale, a.scales[row * blocks + block]);
        for (size_t column = 0; column < COLUMNS; column++)
            b.numbers[k * COLUMNS + column] *=
                wsim_to_double(gemm.scale, b.scales[block * COLUMNS + column]);
    }
}

static double sum_of(size_t row, size_t column) {
    double sum = c.numbers[row * COLUMNS + column];
    for (size_t k = 0; k < LENGTH; k++)
        sum += a.numbers[row + k * ROWS] * b.numbers[k * COLUMNS + column];
    return sum;
}

static uint64_t result_of(size_t at) {
    uint32_t word;
    uint16_t half;
    memcpy(&word, d + 4 * at, gemm.element_d == 4 ? 4 : 0);
    memcpy(&half, d + 2 * at, 2);
    return gemm.element_d == 4 ? word : half;
}

static void fill(int raw) {
    draw(&a, gemm.a, gemm.element_a, (size_t)ROWS * LENGTH, 1, raw);
    draw(&b, gemm.b, gemm.element_b, (size_t)LENGTH * COLUMNS, 2, raw);
    draw(&c, gemm.d, gemm.element_d, (size_t)ROWS * COLUMNS, 3, raw);
    draw_factors(&a, (size_t)ROWS * LENGTH, 4);
    draw_factors(&b, (size_t)LENGTH * COLUMNS, 5);
}

START_TEST(sums_of_small_numbers_are_exact) {
    prepare(&forms[_i]);
    fill(0);
    scale_numbers();
    multiply();
    for (size_t row = 0; row < ROWS; row++)
        for (size_t column = 0; column < COLUMNS; column++) {
            const uint64_t bits = result_of(row * COLUMNS + column);
            const double got =
                gemm.d->kind == WSIM_INT ? (int32_t)bits : wsim_to_double(gemm.d, bits);
            expect(got == sum_of(row, column), "form %d, %u x %u: [%zu][%zu] is %g, not %g", _i,
                   forms[_i].m, forms[_i].n, row, column, got, sum_of(row, column));
        }
}
END_TEST

static int is_same_kind(const struct form *x, const struct form *y) {
    return x->umma.kind == y->umma.kind && x->umma.factors == y->umma.factors &&
           strcmp(x->a, y->a) == 0 && strcmp(x->b, y->b) == 0 && strcmp(x->d, y->d) == 0;
}

/* The shape does not change the sums, whatever the numbers are. */
START_TEST(all_shapes_have_the_same_bits) {
    static uint8_t first[sizeof d];
    int i = 0;
    if (run_skips(_i))
        return;
    while (!is_same_kind(&forms[i], &forms[_i]))
        i++;
    prepare(&forms[i]);
    fill(1);
    multiply();
    memcpy(first, d, sizeof d);
    prepare(&forms[_i]);
    fill(1);
    multiply();
    ck_assert_mem_eq(d, first, (size_t)ROWS * COLUMNS * gemm.element_d);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {sums_of_small_numbers_are_exact, 0, COUNT(forms)},
        {all_shapes_have_the_same_bits, 0, COUNT(forms)},
    };
    return every_run("tensor", tests, COUNT(tests));
}
