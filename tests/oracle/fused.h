/* fused.h - the one algorithm of the matrix units: truncate each term, add exactly, round once. */
#ifndef ORACLE_FUSED_H
#define ORACLE_FUSED_H

#include "number.h"

/* How one step adds: products a step, bits kept below the greatest exponent, the least greatest
 * exponent, and the format that it rounds to. */
struct fused_rule {
    int width, bits, floor;
    const char *result;
};

/* c + sum a[i] * b[i] * 2^scale over `count` products, in steps of rule->width, ascending. The
 * accumulator has the result format between steps. Returns the bits. */
uint64_t fused_chain(const struct fused_rule *rule, const struct number *a, const struct number *b,
                     int count, int scale, struct number c);

/* A scale factor: NaN, or sig * 2^(exp - frac). Formats "ue8m0" and "ue4m3". */
struct number fused_scale(const char *format, unsigned byte);

/* 64 products of e2m1 in four groups of 16, each with its pair of scale factors, and c, in f32. */
uint64_t fused_groups(const struct number *a, const struct number *b, const struct number *sa,
                      const struct number *sb, struct number c);

#endif
