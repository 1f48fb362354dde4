/* sum.c - which arithmetic an instruction of a generation uses, and what it gives. */
#include "sum.h"
#include "fused.h"
#include "place.h"

#include <string.h>

static int is(const char *name, const char *other) {
    return strcmp(name, other) == 0;
}

/* Integers: an exact sum, one wrap or one clamp. */

static int64_t integer(const char *type, uint64_t bits) {
    int width = type[1] == '8' ? 8 : 4;
    return type[0] == 's' && bits >> (width - 1) ? (int64_t)bits - (1 << width) : (int64_t)bits;
}

static uint64_t integer_dot(const struct sum *s) {
    int64_t sum = (int32_t)s->cbits;
    for (int i = 0; i < s->count; i++) {
        uint64_t a = s->abits[i], b = s->bbits[i];
        if (is(s->op->type[1], "b1"))
            sum += (int64_t)(s->op->bit_and ? (a & b) : (a ^ b));
        else
            sum += integer(s->op->type[1], a) * integer(s->op->type[2], b);
    }
    if (s->op->satfinite && sum > INT32_MAX)
        sum = INT32_MAX;
    if (s->op->satfinite && sum < INT32_MIN)
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

static uint64_t double_dot(const struct sum *s) {
    uint64_t sum = s->cbits;
    for (int i = 0; i < s->count; i++)
        sum = double_fma(s->abits[i], s->bbits[i], sum, (enum wide_rounding)s->op->rounding);
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

static uint64_t scalar_quad_dot(const struct sum *s) {
    const struct number *a = s->a, *b = s->b;
    if (is(s->op->type[PLACE_D], "f32")) {
        struct number sum = plus_zero;
        for (int i = 0; i < 4; i++)
            sum = scalar_fma(a[i], b[i], sum);
        return number_convert(number_format("f32"), scalar_add(s->c, sum));
    }
    struct number p01 = scalar_fma(a[1], b[1], scalar_fma(a[0], b[0], minus_zero));
    struct number p23 = scalar_fma(a[3], b[3], scalar_fma(a[2], b[2], minus_zero));
    return number_convert(number_format("f16"), scalar_add(scalar_add(s->c, p01), p23));
}

/* Floats on the matrix unit. */

/* wmma may have a C of f32 and a D of f16: the sum is then an f32, converted to D. */
static const char *result_of(const struct oracle_op *op) {
    return is(op->type[PLACE_C], "f32") ? "f32" : op->type[PLACE_D];
}

static int floor_of(const struct sum *s) {
    return is(result_of(s->op), "f16") ? s->generation->floor16 : s->generation->floor32;
}

/* 8-bit floats as f16: positions 0 and 1 of each four, then 2 and 3, from zero; C last. */
static uint64_t converted_dot(const struct sum *s) {
    const struct number_format *f16 = number_format("f16");
    const struct number_format *result = number_format(s->op->type[PLACE_D]);
    struct fused_rule rule = {16, s->generation->bits, floor_of(s), result->name};
    struct number a[SUM_NUMBERS], b[SUM_NUMBERS], sum = plus_zero;
    for (int half = 0; half < 2; half++) {
        int count = 0;
        for (int i = 0; i < s->count; i++)
            if (i % 4 / 2 == half) {
                a[count] = number_decode(f16, number_convert(f16, s->a[i]));
                b[count++] = number_decode(f16, number_convert(f16, s->b[i]));
            }
        sum = number_decode(result, fused_chain(&rule, a, b, count, 0, sum));
    }
    return number_fma(result, one, s->c, sum, WIDE_NEAREST_EVEN);
}

/* wmma takes tf32 in halves of its k, whatever the unit could do. */
static int tf32_width(const struct sum *s) {
    int half = s->op->k / 2, width = s->generation->width_tf32;
    return s->op->move == ORACLE_WMMA && half < width ? half : width;
}

static struct fused_rule rule_of(const struct sum *s) {
    const struct generation *generation = s->generation;
    const char *result = result_of(s->op);
    switch (place_width(s->op, PLACE_A)) {
    case 32: return (struct fused_rule){tf32_width(s), generation->bits, floor_of(s), result};
    case 16: return (struct fused_rule){generation->width16, generation->bits, floor_of(s), result};
    default:
        return (struct fused_rule){generation->width8, generation->bits8, floor_of(s),
                                   is(result, "f32") ? generation->result8 : result};
    }
}

/* One pair of factors for all products; their significands are 1. */
static uint64_t scaled_dot(const struct sum *s) {
    struct fused_rule rule = rule_of(s);
    if (s->scale_a[0].kind == NUMBER_NAN || s->scale_b[0].kind == NUMBER_NAN)
        return number_format("f32")->nan;
    return fused_chain(&rule, s->a, s->b, s->count, s->scale_a[0].exp + s->scale_b[0].exp, s->c);
}

static uint64_t fused_dot(const struct sum *s) {
    struct fused_rule rule = rule_of(s);
    struct number c = s->c;
    if (is(rule.result, "f32") && is(s->op->type[PLACE_C], "f16")) /* widened on the way in */
        c = number_decode(number_format("f32"), number_convert(number_format("f32"), c));
    uint64_t bits = fused_chain(&rule, s->a, s->b, s->count, 0, c);
    if (is(rule.result, "f32") && is(s->op->type[PLACE_D], "f16"))
        return number_convert(number_format("f16"), number_decode(number_format("f32"), bits));
    return bits;
}

static uint64_t grouped_dot(const struct sum *s) {
    return fused_groups(s->a, s->b, s->scale_a, s->scale_b, s->c);
}

sum_function *sum_choose(const struct oracle_op *op, const struct generation *generation) {
    const char *type = op->type[PLACE_A];
    int width = place_width(op, PLACE_A);
    if (is(op->type[PLACE_D], "s32"))
        return integer_dot;
    if (is(type, "f64"))
        return double_dot;
    if (op->scales > 0)
        return !generation->block_scale ? NULL : width == 4 ? grouped_dot : scaled_dot;
    if (op->m == 8 && op->k == 4 && !generation->native_quads)
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

void sum_decode(struct sum *s) {
    if (is(s->op->type[PLACE_D], "s32"))
        return;
    const struct number_format *a = element_format(s->op, PLACE_A);
    const struct number_format *b = element_format(s->op, PLACE_B);
    for (int i = 0; i < s->count; i++) {
        s->a[i] = number_decode(a, s->abits[i]);
        s->b[i] = number_decode(b, s->bbits[i]);
    }
    s->c = number_decode(number_format(s->op->type[PLACE_C]), s->cbits);
}
