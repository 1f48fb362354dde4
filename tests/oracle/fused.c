/* fused.c - truncated, fused dot products. Every term stands in an exact number; alignment is
 * clearing its bits below the greatest exponent minus the bits kept. */
#include "fused.h"

#include <limits.h>
#include <string.h>

static int nonzero(struct number x) {
    return x.kind != NUMBER_FINITE || x.sig != 0;
}

static int larger(int x, int y) {
    return x > y ? x : y;
}

/* Sign set of the infinities among the terms, bit 0 positive, bit 1 negative; -1 for NaN. */
static int infinities(const struct number *a, const struct number *b, int count, struct number c) {
    int signs = c.kind == NUMBER_INFINITE ? 1 << c.negative : 0;
    int nan = c.kind == NUMBER_NAN;
    for (int i = 0; i < count; i++) {
        nan |= a[i].kind == NUMBER_NAN || b[i].kind == NUMBER_NAN;
        if (a[i].kind == NUMBER_INFINITE || b[i].kind == NUMBER_INFINITE) {
            nan |= !nonzero(a[i]) || !nonzero(b[i]);
            signs |= 1 << (a[i].negative ^ b[i].negative);
        }
    }
    return nan || signs == 3 ? -1 : signs;
}

/* The end of a step: f16 to nearest, all else toward zero; a zero is +0. */
static uint64_t finish(const struct wide *sum, const char *result) {
    const struct number_format *format = number_format(result);
    enum wide_rounding rounding = strcmp(result, "f16") == 0 ? WIDE_NEAREST_EVEN : WIDE_TOWARD_ZERO;
    struct wide_rounded out =
        wide_round(sum, format->frac, 1 - format->bias - format->frac, rounding);
    if (out.sig == 0)
        out.negative = 0;
    return number_encode(format, out, rounding, OVERFLOW_INFINITY);
}

static uint64_t fused_step(const struct fused_rule *rule, const struct number *a,
                           const struct number *b, int count, int scale, struct number c) {
    const struct number_format *format = number_format(rule->result);
    int signs = infinities(a, b, count, c), greatest = rule->floor;
    struct wide sum;
    if (signs < 0)
        return format->nan;
    if (signs > 0)
        return number_infinity(format, signs == 2);
    for (int i = 0; i < count; i++)
        if (nonzero(a[i]) && nonzero(b[i]))
            greatest = larger(greatest, a[i].exp + b[i].exp + scale);
    if (nonzero(c))
        greatest = larger(greatest, c.exp);
    wide_clear(&sum);
    for (int i = 0; i < count; i++)
        wide_add(&sum, a[i].negative ^ b[i].negative, a[i].sig, b[i].sig,
                 a[i].exp - a[i].frac + b[i].exp - b[i].frac + scale, greatest - rule->bits);
    wide_add(&sum, c.negative, c.sig, 1, c.exp - c.frac, greatest - rule->bits);
    return finish(&sum, rule->result);
}

uint64_t fused_chain(const struct fused_rule *rule, const struct number *a, const struct number *b,
                     int count, int scale, struct number c) {
    const struct number_format *format = number_format(rule->result);
    uint64_t bits = 0;
    for (int at = 0; at < count; at += rule->width) {
        int now = count - at < rule->width ? count - at : rule->width;
        bits = fused_step(rule, a + at, b + at, now, scale, c);
        c = number_decode(format, bits);
    }
    return bits;
}

struct number fused_scale(const char *format, unsigned byte) {
    if (strcmp(format, "ue8m0") == 0)
        return (struct number){byte == 0xff ? NUMBER_NAN : NUMBER_FINITE, 0, (int)byte - 127, 0, 1};
    return number_decode(number_format(format), byte);
}

enum { GROUPS = 4, GROUP = 16, GROUP_BITS = 35, GROUP_FLOOR = -139 };

/* The exact sum of one group's products in quarters; *any is 1 if one product is not zero. */
static int quarters(const struct number *a, const struct number *b, int *any) {
    int sum = 0;
    *any = 0;
    for (int i = 0; i < GROUP; i++) {
        int value = (int)(a[i].sig * b[i].sig) * (1 << (a[i].exp + b[i].exp));
        sum += a[i].negative ^ b[i].negative ? -value : value;
        *any |= value != 0;
    }
    return sum;
}

uint64_t fused_groups(const struct number *a, const struct number *b, const struct number *sa,
                      const struct number *sb, struct number c) {
    const struct number_format *format = number_format("f32");
    int sum[GROUPS], exp[GROUPS], any, greatest = GROUP_FLOOR, nan = c.kind == NUMBER_NAN;
    struct wide total;
    for (int g = 0; g < GROUPS; g++) {
        sum[g] = quarters(a + GROUP * g, b + GROUP * g, &any);
        exp[g] = sa[g].exp + sb[g].exp;
        nan |= sa[g].kind == NUMBER_NAN || sb[g].kind == NUMBER_NAN;
        if (any && nonzero(sa[g]) && nonzero(sb[g]))
            greatest = larger(greatest, exp[g]);
    }
    if (nan)
        return format->nan;
    if (c.kind == NUMBER_INFINITE)
        return number_infinity(format, c.negative);
    if (nonzero(c))
        greatest = larger(greatest, c.exp);
    wide_clear(&total);
    for (int g = 0; g < GROUPS; g++)
        wide_add(&total, sum[g] < 0, (uint64_t)(sum[g] < 0 ? -sum[g] : sum[g]),
                 sa[g].sig * sb[g].sig, exp[g] - sa[g].frac - sb[g].frac - 2,
                 greatest - GROUP_BITS);
    wide_add(&total, c.negative, c.sig, 1, c.exp - c.frac, greatest - GROUP_BITS);
    return finish(&total, "f32");
}
