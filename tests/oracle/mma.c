/* mma.c - which arithmetic an mma of a generation uses, and D from it. */
#include "fused.h"
#include "generation.h"
#include "place.h"

#include <string.h>

enum { MAX_A = 16 * 256, MAX_B = 256 * 8, MAX_C = 4 * 8 * 8, MAX_DOT = 64 };

/* The operands as matrices of raw bits: a[(quad * m + row) * stored + col] and so on; `stored` is
 * the columns of A that are there. b is k x n also where A is sparse. */
struct matrices {
    int stored;
    uint64_t a[MAX_A], b[MAX_B], c[MAX_C], d[MAX_C];
};

/* One element of D in the making: the terms it is a sum of. */
struct dot {
    const struct oracle_op *op;
    const struct generation *generation;
    int count;
    uint64_t abits[256], bbits[256], cbits;
    struct number a[MAX_DOT], b[MAX_DOT], c;
    struct number scale_a[4], scale_b[4]; /* of each quarter of the products */
};

static int is(const char *name, const char *other) {
    return strcmp(name, other) == 0;
}

static void gather(const struct oracle_op *op, enum place_operand operand,
                   const struct wsim_regs *regs, int rows, int cols, uint64_t *matrix) {
    int width = place_width(op, operand);
    for (int lane = 0; lane < WSIM_LANES; lane++)
        for (int elem = 0; elem < place_elems(op, operand); elem++) {
            struct place place = place_of(op, operand, lane, elem);
            matrix[(place.quad * rows + place.row) * cols + place.col] =
                place_get(regs, width, lane, elem);
        }
}

/* Integers: an exact sum, one wrap or one clamp. */

static int64_t integer(const char *type, uint64_t bits) {
    int width = type[1] == '8' ? 8 : 4;
    return type[0] == 's' && bits >> (width - 1) ? (int64_t)bits - (1 << width) : (int64_t)bits;
}

static uint64_t integer_dot(const struct dot *dot) {
    int64_t sum = (int32_t)dot->cbits;
    for (int i = 0; i < dot->count; i++) {
        uint64_t a = dot->abits[i], b = dot->bbits[i];
        if (is(dot->op->type[1], "b1"))
            sum += (int64_t)(dot->op->bit_and ? (a & b) : (a ^ b));
        else
            sum += integer(dot->op->type[1], a) * integer(dot->op->type[2], b);
    }
    if (dot->op->satfinite && sum > INT32_MAX)
        sum = INT32_MAX;
    if (dot->op->satfinite && sum < INT32_MIN)
        sum = INT32_MIN;
    return (uint32_t)(uint64_t)sum;
}

/* f64: a chain of IEEE multiply-adds; the first NaN of b, c, a goes through, made quiet. */

static uint64_t double_fma(uint64_t a, uint64_t b, uint64_t c, enum wide_rounding rounding) {
    const struct number_format *f64 = number_format("f64");
    uint64_t order[3] = {b, c, a};
    for (int i = 0; i < 3; i++)
        if (number_decode(f64, order[i]).kind == NUMBER_NAN)
            return order[i] | 1ull << 51;
    return number_fma(f64, number_decode(f64, a), number_decode(f64, b), number_decode(f64, c),
                      rounding);
}

static uint64_t double_dot(const struct dot *dot) {
    uint64_t sum = dot->cbits;
    for (int i = 0; i < dot->count; i++)
        sum = double_fma(dot->abits[i], dot->bbits[i], sum, (enum wide_rounding)dot->op->rounding);
    return sum;
}

/* Scalar code in binary32, where the matrix unit lacks the operation. */

static struct number scalar_fma(struct number a, struct number b, struct number c) {
    const struct number_format *f32 = number_format("f32");
    return number_decode(f32, number_fma(f32, a, b, c, WIDE_NEAREST_EVEN));
}

static const struct number one = {NUMBER_FINITE, 0, 0, 0, 1};
static const struct number plus_zero = {NUMBER_FINITE, 0, 0, 0, 0};
static const struct number minus_zero = {NUMBER_FINITE, 1, 0, 0, 0};

static struct number scalar_add(struct number x, struct number y) {
    return scalar_fma(one, x, y);
}

static uint64_t scalar_quad_dot(const struct dot *dot) {
    const struct number *a = dot->a, *b = dot->b;
    if (is(dot->op->type[PLACE_D], "f32")) {
        struct number sum = plus_zero;
        for (int i = 0; i < 4; i++)
            sum = scalar_fma(a[i], b[i], sum);
        return number_convert(number_format("f32"), scalar_add(dot->c, sum));
    }
    struct number p01 = scalar_fma(a[1], b[1], scalar_fma(a[0], b[0], minus_zero));
    struct number p23 = scalar_fma(a[3], b[3], scalar_fma(a[2], b[2], minus_zero));
    return number_convert(number_format("f16"), scalar_add(scalar_add(dot->c, p01), p23));
}

/* Floats on the matrix unit. */

static int floor_of(const struct dot *dot) {
    return is(dot->op->type[PLACE_D], "f16") ? dot->generation->floor16 : dot->generation->floor32;
}

/* 8-bit floats as f16: positions 0 and 1 of each four, then 2 and 3, from zero; C last. */
static uint64_t converted_dot(const struct dot *dot) {
    const struct number_format *f16 = number_format("f16");
    const struct number_format *result = number_format(dot->op->type[PLACE_D]);
    struct fused_rule rule = {16, dot->generation->bits, floor_of(dot), result->name};
    struct number a[MAX_DOT], b[MAX_DOT], sum = plus_zero;
    for (int half = 0; half < 2; half++) {
        int count = 0;
        for (int i = 0; i < dot->count; i++)
            if (i % 4 / 2 == half) {
                a[count] = number_decode(f16, number_convert(f16, dot->a[i]));
                b[count++] = number_decode(f16, number_convert(f16, dot->b[i]));
            }
        sum = number_decode(result, fused_chain(&rule, a, b, count, 0, sum));
    }
    return number_fma(result, one, dot->c, sum, WIDE_NEAREST_EVEN);
}

static struct fused_rule rule_of(const struct dot *dot) {
    const struct generation *generation = dot->generation;
    const char *result = dot->op->type[PLACE_D];
    switch (place_width(dot->op, PLACE_A)) {
    case 32:
        return (struct fused_rule){generation->width_tf32, generation->bits, floor_of(dot), result};
    case 16:
        return (struct fused_rule){generation->width16, generation->bits, floor_of(dot), result};
    default:
        return (struct fused_rule){generation->width8, generation->bits8, floor_of(dot),
                                   is(result, "f32") ? generation->result8 : result};
    }
}

/* One pair of factors for all products; their significands are 1. */
static uint64_t scaled_dot(const struct dot *dot) {
    struct fused_rule rule = rule_of(dot);
    if (dot->scale_a[0].kind == NUMBER_NAN || dot->scale_b[0].kind == NUMBER_NAN)
        return number_format("f32")->nan;
    return fused_chain(&rule, dot->a, dot->b, dot->count, dot->scale_a[0].exp + dot->scale_b[0].exp,
                       dot->c);
}

static uint64_t fused_dot(const struct dot *dot) {
    struct fused_rule rule = rule_of(dot);
    struct number c = dot->c;
    if (is(rule.result, "f32") && is(dot->op->type[PLACE_C], "f16")) /* widened on the way in */
        c = number_decode(number_format("f32"), number_convert(number_format("f32"), c));
    return fused_chain(&rule, dot->a, dot->b, dot->count, 0, c);
}

static uint64_t grouped_dot(const struct dot *dot) {
    return fused_groups(dot->a, dot->b, dot->scale_a, dot->scale_b, dot->c);
}

/* Which of the above; NULL where the documents have no arithmetic for it. */
typedef uint64_t dot_function(const struct dot *dot);

static dot_function *choose(const struct oracle_op *op, const struct generation *generation) {
    const char *type = op->type[PLACE_A];
    int width = place_width(op, PLACE_A);
    if (is(op->type[PLACE_D], "s32"))
        return integer_dot;
    if (is(type, "f64"))
        return double_dot;
    if (op->scales > 0)
        return !generation->block_scale ? NULL : width == 4 ? grouped_dot : scaled_dot;
    if (op->m == 8 && !generation->native_quads)
        return scalar_quad_dot;
    if (width == 8 && generation->fp8_by_f16)
        return converted_dot;
    int step = width == 32   ? generation->width_tf32
               : width == 16 ? generation->width16
                             : generation->width8;
    return step == 0 ? NULL : fused_dot;
}

static const struct number_format *element_format(const struct oracle_op *op,
                                                  enum place_operand operand) {
    return number_format(place_width(op, operand) == 4 ? "e2m1 nibble" : op->type[operand]);
}

static void decode_terms(struct dot *dot) {
    const struct number_format *a = element_format(dot->op, PLACE_A);
    const struct number_format *b = element_format(dot->op, PLACE_B);
    for (int i = 0; i < dot->count; i++) {
        dot->a[i] = number_decode(a, dot->abits[i]);
        dot->b[i] = number_decode(b, dot->bbits[i]);
    }
    dot->c = number_decode(number_format(dot->op->type[PLACE_C]), dot->cbits);
}

static void fill_terms(struct dot *dot, const struct matrices *all, const struct wsim_operands *io,
                       struct place d) {
    const struct oracle_op *op = dot->op;
    dot->count = all->stored;
    dot->cbits = all->c[(d.quad * op->m + d.row) * op->n + d.col];
    for (int i = 0; i < all->stored; i++) {
        int k = op->sparse ? place_logical(op, io->e, (int)io->selector, d.row, i) : i;
        dot->abits[i] = all->a[(d.quad * op->m + d.row) * all->stored + i];
        dot->bbits[i] = all->b[(d.quad * op->k + k) * op->n + d.col];
    }
    for (int quarter = 0; quarter < 4 && op->scales > 0; quarter++) {
        int j = quarter * op->scales / 4;
        dot->scale_a[quarter] = fused_scale(op->scale_type, place_scale_a(io, d.row, j));
        dot->scale_b[quarter] = fused_scale(op->scale_type, place_scale_b(io, d.col, j));
    }
    if (!is(op->type[PLACE_D], "s32"))
        decode_terms(dot);
}

const char *oracle_generation(const char *arch) {
    const struct generation *generation = generation_of(arch);
    return generation ? generation->name : NULL;
}

int oracle_mma(const struct oracle_op *op, const char *arch, const struct wsim_operands *io,
               struct wsim_regs *d) {
    struct matrices all = {.stored = op->sparse ? op->k / 2 : op->k};
    struct dot dot = {.op = op, .generation = generation_of(arch)};
    if (!dot.generation)
        return 0;
    dot_function *function = choose(op, dot.generation);
    if (!function)
        return 0;
    gather(op, PLACE_A, io->a, op->m, all.stored, all.a);
    gather(op, PLACE_B, io->b, op->k, op->n, all.b);
    gather(op, PLACE_C, io->c, op->m, op->n, all.c);
    for (int lane = 0; lane < WSIM_LANES; lane++)
        for (int elem = 0; elem < place_elems(op, PLACE_D); elem++) {
            fill_terms(&dot, &all, io, place_of(op, PLACE_D, lane, elem));
            place_set(d, place_width(op, PLACE_D), lane, elem, function(&dot));
        }
    return 1;
}
