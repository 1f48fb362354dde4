/* byte.h - floating-point elements of 8, 6 and 4 bits, each in a byte. Steps are fused, or split
 * with C added last. Each row and column may have one scale factor.
 *
 * An element is read with the exponent bias of f16: as its value times 2^(bias - 15). The product
 * of two is exact in a float (at most 4 x 4 significant bits) and normal. A term of a step is a * b
 * in units of 2^(e - keep), truncated. e is the largest exponent of C and the nonzero products.
 *
 * Exponents of products come from bytes. The code of an element is BYTE_CODE plus the exponent
 * field that aligns it; the code of a zero is far below every other. One addition without carries
 * adds four codes of a word of A to four of B, and the largest sum is the largest exponent. A chain
 * of plain floats finds infinities and NaN. It is NaN exactly if the result is, and infinite
 * exactly if the result is, because the finite rest cannot overflow.
 *
 * In sparse forms each row picks its elements of B (pick.h): codes as bytes, and one of four
 * neighbouring factors.
 *
 * Terms of a step are added as integers (byte_terms.h). Instructions that name their rounding allow
 * chains of multiply-adds (byte_chain.h), which are faster except in split steps of 16 bytes, where
 * they would need doubles. With these instructions, tiles that lose no bits of a product are sums
 * of integers (byte_whole.h), which are several times as fast.
 *
 * "Exponent" here means the exponent of a true product with the bias of f32. No subnormal float
 * matters, so flushing subnormals changes nothing. */

#include "byte_kinds.h"

#include "byte_elements.h"

#include "byte_terms.h"
#if defined(BYTE_CHAINS)
#include "byte_chain.h"
#endif

#include "byte_tiles.h"

#include "byte_exponents.h"
#if defined(BYTE_CHAINS)
#include "byte_whole.h"
#endif

#include "byte_steps.h"

/* --- a group of columns --- */

/* Loads C as 32-bit floats. */
INLINE void byte_load(const struct byte *y, vec acc[8][ROW_VECS], const uint32_t *const *c) {
    vec z[4][ROW_VECS];
    for (unsigned p = 0; p < 2; p++) {
        if (!y->shape.half || p == 0)
            vec_columns(z, c[p], c[y->shape.half ? 1 : p + 2]);
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                acc[2 * t + p][r] =
                    y->shape.half ? vec_from_half(z[t][r] >> 16 * p & 0xFFFF) : z[t][r];
    }
}

INLINE void byte_save(const struct byte *y, vec acc[8][ROW_VECS], uint32_t *const *d) {
    vec z[4][ROW_VECS];
    for (unsigned p = 0; p < 2; p++) {
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++) {
                vec x = acc[2 * t + p][r];
                if (y->shape.half)
                    x = vec_to_half(x) | (p ? z[t][r] : vec_to_half(acc[2 * t + 1][r]) << 16);
                z[t][r] = x;
            }
        if (!y->shape.half || p == 0)
            vec_registers((const vec(*)[ROW_VECS])z, d[p], d[y->shape.half ? 1 : p + 2]);
        if (y->shape.half)
            break;
    }
}

/* C + x, rounded to nearest. x is 0 or at least 2^-60 and below 2^60. */
INLINE vec byte_add(const struct byte *y, vec c, vec x) {
    vec sum = vec_add_nearest(c, x);
    return y->shape.half ? vec_from_half(vec_to_half(sum)) : sum;
}

/* C + x in full: C may be subnormal, and either may be infinite or NaN. */
static vec byte_add_special(const struct byte *y, vec c, vec x) {
    vec_mask zero = vec_equal(x << 1, vec_all(0));
    vec infinity = vec_all(0x7F800000), mag;
    vec sum = vec_choose(zero, vec_choose(vec_equal(c << 1, vec_all(0)), vec_all(0), c),
                         byte_add(y, c, x));
    vec both = (vec)((vec_float)(c & vec_ones(vec_less(vec_all(0x7F7FFFFF), c & 0x7FFFFFFF))) +
                     (vec_float)(x & vec_ones(vec_less(vec_all(0x7F7FFFFF), x & 0x7FFFFFFF))));
    mag = both & 0x7FFFFFFF;
    sum = vec_choose(vec_equal(mag, infinity), both, sum);
    return vec_choose(vec_less(infinity, mag), vec_all(0x7FFFFFFF), sum);
}

APART void byte_add_all(const struct byte *y, vec x[8][ROW_VECS], const uint32_t *const *c) {
    int whole = y->shape.whole; /* x is finite */
    vec acc[8][ROW_VECS], most = vec_all(0), least = vec_all(0x7FFFFFFF);
    byte_load(y, acc, c);
    for (unsigned n = 0; n < 8; n++)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            vec mag = acc[n][r] & 0x7FFFFFFF;
            most = vec_max(most, mag);
            if (!whole)
                most = vec_max(most, x[n][r] & 0x7FFFFFFF);
            /* Zero becomes the largest signed integer; other values count up from the least. */
            least = vec_min(least, mag + 0x7FFFFFFF);
        }
    if (BYTE_RARELY(vec_any(vec_less(vec_all(0x7F7FFFFF), most)) |
                    vec_any(vec_less(least, vec_all(0x807FFFFF)))))
        for (unsigned n = 0; n < 8; n++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                x[n][r] = byte_add_special(y, acc[n][r], x[n][r]);
    else
        for (unsigned n = 0; n < 8; n++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                x[n][r] = byte_add(y, acc[n][r], x[n][r]);
}

/* Sums the products of g in all steps. Returns 0 if a product was cut that was assumed whole. */
INLINE int byte_steps(const struct byte *y, struct byte_columns *g) {
#if defined(BYTE_CHAINS)
    if (y->shape.split && y->shape.whole)
        return byte_whole_split(y, g);
#endif
    (y->shape.sparse ? byte_sparse_exponents : byte_dense_exponents)(y, g);
    for (unsigned step = 0; step < y->steps; step++)
        if (!(y->shape.sparse ? byte_sparse_step : byte_dense_step)(y, g, step))
            return 0;
    return 1;
}

/* Writes D. Returns 0 if a product was cut that was assumed whole. */
APART int byte_group(const struct byte *y, const uint8_t *scales, const uint32_t *const *b,
                     const uint32_t *const *c, uint32_t *const *d, struct byte_words *more) {
    struct byte_columns g;
    g.more = more;
#if defined(BYTE_CHAINS)
    if (y->shape.whole)
        byte_whole_b(y, &g, b);
    else
#endif
        byte_decode_b(y, &g, b);
    if (y->scaled)
        byte_scales_b(&g, scales);
    if (!y->shape.split)
        byte_load(y, g.acc, c);
    else if (!y->shape.whole)
        for (unsigned n = 0; n < 8; n++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                g.acc[n][r] = vec_all(0);
    if (!byte_steps(y, &g))
        return 0;
    if (y->shape.split)
        byte_add_all(y, g.acc, c);
    byte_save(y, g.acc, d);
    return 1;
}

/* A sparse group has twice as many words; half of them are in the frame of this function. */
APART int byte_sparse_group(const struct byte *y, const uint8_t *scales, const uint32_t *const *b,
                            const uint32_t *const *c, uint32_t *const *d) {
    struct byte_words more;
    int done = byte_group(y, scales, b, c, d, &more);
    KEEP_MEMORY(&more);
    return done;
}

/* Computes group g. `whole`: the columns need A as integers, otherwise as floats. */
static int byte_run_group(struct byte *y, const struct wsim_code_product *how,
                          const struct num_strip *strip, unsigned g, int whole) {
    unsigned regs_b = how->k_dense / 16u, regs_c = how->result->bits == 16 ? 2 : 4;
    const uint32_t *const *b = strip->b + g * regs_b, *const *c = strip->c + g * regs_c;
    const uint8_t *scales = strip->scales_b ? strip->scales_b + NUM_SCALES * g : NULL;
    uint32_t *const *d = strip->d + g * regs_c;
    if (g == 0 || whole != y->shape.whole) {
        y->shape.whole = whole;
#if defined(BYTE_CHAINS)
        if (whole)
            byte_whole_a(y, strip->a);
        else
#endif
            byte_decode_a(y, strip->a);
    }
    if (y->shape.sparse)
        return byte_sparse_group(y, scales, b, c, d);
    return byte_group(y, scales, b, c, d, NULL);
}

/* Classifies the elements of A. Returns whether products may be whole. */
APART int byte_look_a(struct byte *y, const uint32_t *const *a) {
    struct byte_extent x = byte_extent_of(&y->in_a, a, y->words / 2);
    y->normal_a = byte_are_normal(&y->in_a, &x, &y->special);
    if (!y->normal_a)
        byte_format_small(&y->in_a);
#if defined(BYTE_CHAINS)
    return !y->special && byte_whole_rows(y, a, &x);
#else
    return 0;
#endif
}

/* Classifies the elements of B. Returns whether products may be whole in this group. */
APART int byte_look_b(struct byte *y, const uint32_t *const *b, const uint32_t *const *c,
                      int whole) {
    unsigned regs = y->shape.sparse ? y->words / 2 : y->words / 4;
    struct byte_extent x = byte_extent_of(&y->in_b, b, regs);
    y->normal_b = byte_are_normal(&y->in_b, &x, &y->special_b) && !y->special;
    if (!y->normal_b)
        byte_format_small(&y->in_b);
#if defined(BYTE_CHAINS)
    return whole && !y->special_b && byte_whole_columns(y, b, regs, &x, c);
#else
    return (void)whole, (void)c, 0;
#endif
}

APART void byte_run_with(const struct wsim_code_product *how, const struct num_strip *strip,
                         const struct pick (*pick)[ROW_VECS]) {
    struct byte y;
    unsigned regs_b = how->k_dense / 16u, regs_c = how->result->bits == 16 ? 2 : 4;
    int may;
    byte_start(&y, how);
    y.pick = pick;
    if (y.scaled)
        byte_scales_a(&y, strip->scales_a);
    may = byte_look_a(&y, strip->a);
    for (unsigned g = 0; g < strip->groups; g++) {
        int whole = byte_look_b(&y, strip->b + g * regs_b, strip->c + g * regs_c, may);
        if (!byte_run_group(&y, how, strip, g, whole)) {
            /* C is large, and may be large in other columns too. */
            may = 0;
            byte_run_group(&y, how, strip, g, 0);
        }
    }
}

/* A word of metadata belongs to 4 words of A. */
APART void byte_run_sparse(const struct wsim_code_product *how, const struct num_strip *strip) {
    struct pick pick[BYTE_WORDS][ROW_VECS];
    for (unsigned i = 0; i < how->k / 4u; i++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            pick[i][r] = pick_bytes_at(vec_rows(strip->meta + i / 4 * 16, r), i);
    byte_run_with(how, strip, (const struct pick(*)[ROW_VECS])pick);
}

static void byte_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    if (how->kept)
        byte_run_sparse(how, strip);
    else
        byte_run_with(how, strip, NULL);
}
