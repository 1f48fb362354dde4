/* kernel_byte_steps.h - one step of an accumulator with the products of 8 columns: exponents, sums,
 * results, infinities and NaN. A part of kernel_byte.h. */

/* --- exponents --- */

/* The largest sums of codes in `words` words, of each byte; then of pairs of bytes, in bytes 0 and
 * 2, and if those are one step, of all, in byte 0. */
INLINE vec byte_most(const struct byte *y, const struct byte_shape k, const struct byte_columns *g,
                     unsigned first, unsigned n, unsigned r) {
    vec most = vec_all8((uint8_t)BYTE_START);
    for (unsigned i = first; i < first + k.words; i++) {
        const uint32_t *b = byte_words_of(g, k.sparse, i)->code[byte_register(k.sparse, i)];
        vec code = k.sparse ? pick_bytes(&y->pick[i][r], b + (2 * n + i % 2) * PICK_BYTES)
                            : vec_word(b + 4 * n + i % 4);
        most = vec_max8(most, vec_add8(y->code[i][r], code));
    }
    most = vec_max8(most, most >> 8);
    return k.split ? most : vec_max8(most, most >> 16);
}

/* The largest exponent of the products of a step where a float has its own. */
INLINE vec byte_products(const struct byte *y, const struct byte_shape k,
                         const struct byte_columns *g, unsigned step, unsigned n, unsigned r) {
    unsigned first = k.split ? 0 : step * k.words;
    vec most = byte_most(y, k, g, first, n, r);
    most = vec_add8(most, vec_all8(BYTE_BIAS));
    return (k.split && step ? most << 7 : most << 23) & 0x7F800000;
}

/* --- a step without scale factors --- */

/* Exponents are where a float has them. Of C: that of f16, if it is that and not zero, though it is
 * a float here. What is subnormal of f32 has 0, which is less than that of any product; what 0
 * means if there is no product at all, byte_empty() puts right. */
INLINE vec byte_own(const struct byte *y, const struct byte_shape k, vec c) {
    vec own = c & 0x7F800000;
    if (k.half)
        own = vec_max(own, vec_all((uint32_t)y->least << 23)) & vec_ones(vec_less(vec_all(0), own));
    return own;
}

/* Returns e, and *products, the largest exponent of the products. *term = C * 2^(keep - e), toward
 * zero: exact before, as the factor is a power of two and C not subnormal; if it underflows, it is
 * less than one unit. Its exponent is 254 + keep - shift - e, between keep - 1 and 254. */
INLINE vec byte_align(const struct byte *y, const struct byte_shape k, const struct byte_columns *g,
                      unsigned step, unsigned n, unsigned r, vec *products, vec *term) {
    vec c = g->acc[n][r], own = byte_own(y, k, c), e;
    *products = byte_products(y, k, g, step, n, r);
    e = vec_max(*products, own - vec_all((uint32_t)y->shift << 23));
    if (k.half)
        e = vec_max(e, vec_all((uint32_t)(y->floor - y->shift) << 23));
    c = vec_finite(c, own);
    *term = vec_truncate((vec_float)c *
                         (vec_float)(vec_all((uint32_t)(254 + y->keep - y->shift) << 23) - e));
    return e;
}

/* x * 2^(e - keep), rounded to what results are; zero is +0. With a product in every sum nothing is
 * subnormal or beyond the largest number: a unit is at least 2^-53, and below C's last bit where C
 * is large. */
INLINE vec byte_result(const struct byte *y, const struct byte_shape k, vec x, vec e) {
    vec some = vec_ones(vec_less(vec_all(0), x & 0x7FFFFFFF));
    x += e + vec_all((uint32_t)(y->shift - y->keep - 127) << 23);
    x &= some & ~vec_all(y->drop);
    if (k.half) {
        x = vec_from_half(vec_to_half(x));
        x &= ~vec_ones(vec_equal(x << 1, vec_all(0)));
    }
    return x;
}

/* Where there is no product but of zeros the new C is C, or what results keep of it. (Not with f16:
 * its exponents and the floor are all above BYTE_LOW.) */
static vec byte_empty(const struct byte *y, vec c, vec products, vec x) {
    c &= ~vec_all(y->drop);
    c &= ~vec_ones(vec_equal(c << 1, vec_all(0)));
    return vec_choose(vec_less(vec_all((uint32_t)BYTE_LOW << 23), products), x, c);
}

INLINE int byte_any_empty(const struct byte_shape k, vec products) {
    return !k.half && vec_any(vec_equal(products, vec_all((uint32_t)BYTE_LOW << 23)));
}

/* --- a step with scale factors, to f32: they may leave the range of exponents on both sides --- */

/* C, its significand and its exponent, BYTE_NONE if it is zero. */
INLINE vec byte_significand(vec c, vec *exponent) {
    vec field = c >> 23 & 0xFF, sig = c & 0x7FFFFF;
    sig |= vec_ones(vec_less(vec_all(0), field)) & 0x800000;
    *exponent = vec_choose(vec_less(vec_all(0), sig), vec_max(field, vec_all(1)),
                           vec_all((uint32_t)BYTE_NONE));
    return sig;
}

/* Returns e as an integer. Without a product it is that of C and the floor. C has 7 bits below the
 * 24 of its significand, and what it drops is what e is above it. */
INLINE vec byte_align_scaled(const struct byte *y, const struct byte_shape k,
                             const struct byte_columns *g, unsigned step, unsigned n, unsigned r,
                             vec *term) {
    vec c = g->acc[n][r], shift = y->shifts[r] + vec_all((uint32_t)g->shift[n]), own;
    vec products = byte_products(y, k, g, step, n, r) >> 23, sig = byte_significand(c, &own), e, by;
    e = vec_choose(vec_less(vec_all(BYTE_LOW), products), products, vec_all((uint32_t)BYTE_NONE));
    e = vec_max(e, vec_max(own, vec_all((uint32_t)y->floor)) - shift);
    by = vec_all((uint32_t)(30 - y->keep)) + e - (own - shift);
    sig = vec_shift_each(sig << 7, by);
    *term = (sig ^ vec_shift_signed(c, 31)) - vec_shift_signed(c, 31);
    return e;
}

/* e for the sum of terms: where a float has it, and within what it can have. */
INLINE vec byte_within(vec e) {
    return vec_min(vec_max(e, vec_all(BYTE_LOW)), vec_all(255)) << 23;
}

/* x * 2^exponent, toward zero, as f32; 0 is +0. Truncations compose. */
INLINE vec byte_scale(vec x, vec exponent) {
    vec field = (x >> 23 & 0xFF), sum = field + exponent;
    vec some = ~vec_ones(vec_equal(field, vec_all(0))), result = x + (exponent << 23);
    vec outside =
        (vec_ones(vec_less(sum, vec_all(1))) | vec_ones(vec_less(vec_all(254), sum))) & some;
    if (BYTE_RARELY(vec_any(vec_less(outside, vec_all(0))))) {
        vec sign = x & vec_all(0x80000000), large = vec_ones(vec_less(vec_all(254), sum));
        vec by = vec_min(vec_max(vec_all(1) - sum, vec_all(0)), vec_all(31));
        vec small = vec_shift_each((x & 0x7FFFFF) | 0x800000, by);
        small |= sign & ~vec_ones(vec_equal(small, vec_all(0)));
        result = vec_choose(vec_less(outside, vec_all(0)),
                            (large & (sign | 0x7F800000)) | (~large & small), result);
    }
    return result & some;
}

/* x * 2^(e - keep) as results are, NaN where a factor is one. */
INLINE vec byte_result_scaled(const struct byte *y, const struct byte_columns *g, unsigned n,
                              unsigned r, vec x, vec e) {
    vec shift = y->shifts[r] + vec_all((uint32_t)g->shift[n]);
    x = byte_scale(x, e + shift - vec_all((uint32_t)(y->keep + 127))) & ~vec_all(y->drop);
    return x & ~vec_ones(vec_equal(x << 1, vec_all(0)));
}

/* --- infinities and NaN --- */

INLINE int byte_special_addend(vec c) {
    return vec_any(vec_equal(c & 0x7F800000, vec_all(0x7F800000)));
}

/* x, or what is infinite or NaN of `sum`. */
INLINE vec byte_or_special(vec x, vec sum) {
    vec nan = vec_all(0x7FFFFFFF), infinity = vec_all(0x7F800000);
    x = vec_choose(vec_equal(sum & nan, infinity), sum, x);
    return vec_choose(vec_less(infinity, sum & nan), nan, x);
}

/* NaN where a scale factor is. */
INLINE vec byte_or_nan(const struct byte *y, const struct byte_columns *g, unsigned n, unsigned r,
                       vec x) {
    vec nans = y->nans[r] | vec_all((uint32_t)-g->nan[n]);
    return vec_choose(vec_less(nans, vec_all(0)), vec_all(0x7FFFFFFF), x);
}

/* --- steps --- */

#if defined(BYTE_CHAINS)

/* All columns at once: their chains are independent. */
INLINE void byte_step_as(const struct byte *y, const struct byte_shape k, struct byte_columns *g,
                         unsigned step) {
    vec e[8], products[8], start[8], x[8], sums[8], least = vec_all(0x7F800000);
    vec most = vec_all(0);
    int special;
    for (unsigned n = 0; n < 8; n++) {
        e[n] = byte_align(y, k, g, step, n, 0, products + n, start + n);
        least = vec_min(least, products[n]);
        most = vec_max(most, g->acc[n][0] & 0x7FFFFFFF);
    }
    special = g->special || byte_special_addend(most);
    byte_chain(y, k, g, step, e, start, special, x, sums);
    for (unsigned n = 0; n < 8; n++)
        x[n] = byte_result(y, k, x[n], e[n]);
    if (BYTE_RARELY(byte_any_empty(k, least)))
        for (unsigned n = 0; n < 8; n++)
            x[n] = byte_empty(y, g->acc[n][0], products[n], x[n]);
    for (unsigned n = 0; n < 8; n++)
        g->acc[n][0] = BYTE_RARELY(special) ? byte_or_special(x[n], sums[n]) : x[n];
}

INLINE void byte_step_scaled_as(const struct byte *y, const struct byte_shape k,
                                struct byte_columns *g, unsigned step) {
    vec e[8], at[8], start[8], x[8], sums[8], most = vec_all(0);
    int special;
    for (unsigned n = 0; n < 8; n++) {
        e[n] = byte_align_scaled(y, k, g, step, n, 0, start + n);
        at[n] = byte_within(e[n]);
        most = vec_max(most, g->acc[n][0] & 0x7FFFFFFF);
    }
    special = g->special || byte_special_addend(most);
    byte_chain(y, k, g, step, at, start, special, x, sums);
    for (unsigned n = 0; n < 8; n++) {
        vec d = byte_result_scaled(y, g, n, 0, x[n], e[n]);
        d = BYTE_RARELY(special) ? byte_or_special(d, sums[n]) : d;
        g->acc[n][0] = byte_or_nan(y, g, n, 0, d);
    }
}

#else

INLINE void byte_step_as(const struct byte *y, const struct byte_shape k, struct byte_columns *g,
                         unsigned step) {
    for (unsigned n = 0; n < 8; n++)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            vec c = g->acc[n][r], term, products, more = vec_all(0), x;
            vec e = byte_align(y, k, g, step, n, r, &products, &term);
            x = byte_terms(y, k, g, step, n, r, e, term, &more);
            x = byte_result(y, k, x, e + (more << 23));
            if (BYTE_RARELY(byte_any_empty(k, products)))
                x = byte_empty(y, c, products, x);
            if (BYTE_RARELY(g->special || byte_special_addend(c)))
                x = byte_or_special(x, byte_special_sum(y, g, step, n, r));
            g->acc[n][r] = x;
        }
}

INLINE void byte_step_scaled_as(const struct byte *y, const struct byte_shape k,
                                struct byte_columns *g, unsigned step) {
    for (unsigned n = 0; n < 8; n++)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            vec c = g->acc[n][r], term, more = vec_all(0), x;
            vec e = byte_align_scaled(y, k, g, step, n, r, &term);
            x = byte_terms(y, k, g, step, n, r, byte_within(e), term, &more);
            x = byte_result_scaled(y, g, n, r, x, e + more);
            if (BYTE_RARELY(g->special || byte_special_addend(c)))
                x = byte_or_special(x, byte_special_sum(y, g, step, n, r));
            g->acc[n][r] = byte_or_nan(y, g, n, r, x);
        }
}
#endif

/* Shapes that are compiled, each with its own code; the last takes what is none of them. */
#define BYTE_STEP(name, step_as, ...)                                                              \
    APART void name(const struct byte *y, struct byte_columns *g, unsigned step) {                 \
        const struct byte_shape k = __VA_ARGS__;                                                   \
        step_as(y, k, g, step);                                                                    \
    }
BYTE_STEP(byte_step_any, byte_step_as, y->shape)
BYTE_STEP(byte_step_scaled_any, byte_step_scaled_as, y->shape)
#define BYTE_STEPS(kind, sparse)                                                                   \
    BYTE_STEP(byte_##kind##_16_narrow, byte_step_as, {4, 0, 0, 1, sparse})                         \
    BYTE_STEP(byte_##kind##_32_narrow, byte_step_as, {8, 0, 0, 1, sparse})                         \
    BYTE_STEP(byte_##kind##_32, byte_step_as, {8, 0, 0, 0, sparse})                                \
    BYTE_STEP(byte_##kind##_split, byte_step_as, {8, 1, 0, 0, sparse})                             \
    BYTE_STEP(byte_##kind##_split_half, byte_step_as, {8, 1, 1, 0, sparse})                        \
    BYTE_STEP(byte_##kind##_scaled, byte_step_scaled_as, {8, 0, 0, 0, sparse})                     \
    static void byte_##kind##_step(const struct byte *y, struct byte_columns *g, unsigned step) {  \
        const struct byte_shape k = y->shape;                                                      \
        int wide = k.words == 8;                                                                   \
        if (y->scaled)                                                                             \
            (wide && !k.narrow ? byte_##kind##_scaled : byte_step_scaled_any)(y, g, step);         \
        else if (k.split && wide && !k.narrow)                                                     \
            (k.half ? byte_##kind##_split_half : byte_##kind##_split)(y, g, step);                 \
        else if (k.half || k.split)                                                                \
            byte_step_any(y, g, step);                                                             \
        else if (k.narrow)                                                                         \
            (wide ? byte_##kind##_32_narrow : byte_##kind##_16_narrow)(y, g, step);                \
        else                                                                                       \
            (wide ? byte_##kind##_32 : byte_step_any)(y, g, step);                                 \
    }
BYTE_STEPS(dense, 0)
BYTE_STEPS(sparse, 1)
#undef BYTE_STEPS
#undef BYTE_STEP
