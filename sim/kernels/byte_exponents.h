/* byte_exponents.h - exponents, sums, infinities and NaN of one step of class byte. A part of
 * byte.h. */

/* --- exponents --- */

/* The largest sums of codes per byte, in the words of a step from `first` on and columns n to
 * n + 3. */
INLINE void byte_most(const struct byte *y, const struct byte_shape k, const struct byte_columns *g,
                      unsigned first, unsigned n, unsigned r, vec most[4]) {
#define MOST_BEGIN(i) vec most##i = vec_all8((uint8_t)BYTE_START);
#define MOST_ADD(i)                                                                                \
    code = k.sparse ? pick_bytes(pick, b + 2 * i * PICK_BYTES) : vec_word(b + 4 * i);              \
    most##i = vec_max_unsigned8(most##i, own + code);
#define MOST_END(i) most[i] = most##i;
#define MOST_EACH(each) each(0) each(1) each(2) each(3)
    MOST_EACH(MOST_BEGIN)
    UNROLL(8)
    for (unsigned i = first; i < first + k.words; i++) {
        const uint32_t *b = byte_words_of(g, k.sparse, i)->code[byte_register(k.sparse, i)];
        const struct pick *pick = k.sparse ? &y->pick[i][r] : NULL;
        vec own = y->code[i][r], code;
        b += k.sparse ? i % 2 * PICK_BYTES + 2 * PICK_BYTES * n : i % 4 + 4 * n;
        MOST_EACH(MOST_ADD)
    }
    MOST_EACH(MOST_END)
#undef MOST_BEGIN
#undef MOST_ADD
#undef MOST_END
#undef MOST_EACH
}

/* The larger of bytes 0 and 1, and the larger of bytes 2 and 3. Bytes 0 and 2 of the result come
 * from a, and bytes 1 and 3 from b. */
INLINE vec byte_most_of_pairs(vec a, vec b) {
    vec even = vec_all(0x00FF00FF);
    return vec_max_unsigned8((a & even) | (b << 8 & ~even), (a >> 8 & even) | (b & ~even));
}

/* The largest exponents of the products of step `step`, or of both steps if it is split. Each of
 * columns half * 4 to half * 4 + 3 is a byte. */
INLINE void byte_exponents_of(const struct byte *y, const struct byte_shape k,
                              struct byte_columns *g, unsigned step, unsigned half, unsigned r,
                              vec *some) {
    vec most[4], first, last, low = vec_all(0xFFFF), bias = vec_all8((uint8_t)y->bias);
    byte_most(y, k, g, k.split ? 0 : step * k.words, 4 * half, r, most);
    first = byte_most_of_pairs(most[0], most[1]);
    last = byte_most_of_pairs(most[2], most[3]);
    most[0] = (first & low) | last << 16;
    most[1] = first >> 16 | (last & ~low);
    if (!k.split)
        most[0] = most[1] = vec_max_unsigned8(most[0], most[1]);
    /* Sums are BYTE_START or above it; bit 7 remains set in those above. */
    *some &= vec_sub8(most[0], vec_all8((uint8_t)BYTE_START)) + 0x7F7F7F7F;
    *some &= vec_sub8(most[1], vec_all8((uint8_t)BYTE_START)) + 0x7F7F7F7F;
    g->most[step][half][r] = vec_add8(most[0], bias);
    if (k.split)
        g->most[1][half][r] = vec_add8(most[1], bias);
}

INLINE void byte_exponents_as(const struct byte *y, const struct byte_shape k,
                              struct byte_columns *g) {
    vec some = vec_all(0x80808080);
    for (unsigned step = 0; step < (k.split ? 1 : y->steps); step++)
        for (unsigned half = 0; half < 2; half++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                byte_exponents_of(y, k, g, step, half, r, &some);
    g->empty = vec_any(vec_test(~some, vec_all(0x80808080)));
}

/* The largest exponent of the products of a step, in the exponent field of a float. */
INLINE vec byte_products(const struct byte_columns *g, unsigned step, unsigned n, unsigned r) {
    vec most = g->most[step][n / 4][r];
    unsigned byte = n % 4;
    return (byte < 3 ? most << (23 - 8 * byte) : most >> 1) & 0x7F800000;
}

/* --- a step without scale factors --- */

/* The exponent of C, in the exponent field of a float. A nonzero C of f16 has at least the least
 * exponent of f16. A subnormal C of f32 has 0, which is less than the exponent of any product;
 * byte_empty() handles sums without a product. */
INLINE vec byte_own(const struct byte *y, const struct byte_shape k, vec c) {
    vec own = c & 0x7F800000;
    if (k.half)
        own = vec_max(own, vec_all((uint32_t)y->least << 23)) & vec_ones(vec_less(vec_all(0), own));
    return own;
}

/* Returns e. *term = C * 2^(keep - e), truncated. The product is exact, because the factor is a
 * power of two and C is not subnormal. If it underflows, it is less than one unit, as is a
 * subnormal C. The field of the factor is 254 + keep - e, between keep - 1 and 254. The first step
 * of a split product has no addend. */
INLINE vec byte_align(const struct byte *y, const struct byte_shape k, const struct byte_columns *g,
                      unsigned step, unsigned n, unsigned r, vec *term) {
    vec c = g->acc[n][r], e = byte_products(g, step, n, r), own;
    if (k.half)
        e = vec_max_float(e, vec_all((uint32_t)y->floor << 23));
    *term = vec_all(0);
    if (k.split && step == 0)
        return e;
    own = byte_own(y, k, c);
    e = vec_max_float(e, own);
#if !defined(VEC_AVX512)
    c = vec_finite(c, own); /* C does not define the conversion of infinities and NaN */
#endif
    *term = vec_truncate((vec_float)c * (vec_float)(vec_all((uint32_t)(254 + y->keep) << 23) - e));
    return e;
}

/* The sum in the format of results; zero is +0. If every sum has a product, no result is subnormal
 * or too large. A unit is at least 2^-53, and below C's last bit where C is large. */
INLINE vec byte_result(const struct byte *y, const struct byte_shape k, vec x) {
    x &= ~vec_all(y->drop);
    if (k.half) {
        x = vec_from_half(vec_to_half(x));
        x &= ~vec_ones(vec_equal(x << 1, vec_all(0)));
    }
    return x;
}

/* If all products are zero, the new C is C truncated to the bits of results. (Not with f16: its
 * exponents and the floor are all above those of products.) */
static vec byte_empty(const struct byte *y, vec c, vec products, vec x) {
    c &= ~vec_all(y->drop);
    c &= ~vec_ones(vec_equal(c << 1, vec_all(0)));
    return vec_choose(vec_less(vec_all((uint32_t)y->low << 23), products), x, c);
}

/* --- a step with scale factors, to f32: exponents may leave the range on both sides --- */

/* The significand of C. *exponent: its exponent, BYTE_NONE if C is zero. */
INLINE vec byte_significand(vec c, vec *exponent) {
    vec field = c >> 23 & 0xFF, sig = c & 0x7FFFFF;
    sig |= vec_ones(vec_less(vec_all(0), field)) & 0x800000;
    *exponent = vec_choose(vec_less(vec_all(0), sig), vec_max(field, vec_all(1)),
                           vec_all((uint32_t)BYTE_NONE));
    return sig;
}

/* Returns e as an integer. Without a product, C and the floor determine e. C has 7 bits below the
 * 24 of its significand, and drops as many bits as e is above its exponent. */
INLINE vec byte_align_scaled(const struct byte *y, const struct byte_columns *g, unsigned step,
                             unsigned n, unsigned r, vec *term) {
    vec c = g->acc[n][r], shift = y->shifts[r] + vec_all((uint32_t)g->shift[n]), own;
    vec products = byte_products(g, step, n, r) >> 23, sig = byte_significand(c, &own), e, by;
    e = vec_choose(vec_less(vec_all((uint32_t)y->low), products), products,
                   vec_all((uint32_t)BYTE_NONE));
    e = vec_max(e, vec_max(own, vec_all((uint32_t)y->floor)) - shift);
    by = vec_all((uint32_t)(30 - y->keep)) + e - (own - shift);
    sig = vec_shift_each(sig << 7, by);
    *term = (sig ^ vec_shift_signed(c, 31)) - vec_shift_signed(c, 31);
    return e;
}

/* e for the sum of terms, clamped to the range from products to far above them. */
INLINE vec byte_within(const struct byte *y, vec e) {
    return vec_min(vec_max(e, vec_all((uint32_t)y->low)), vec_all(BYTE_HIGH));
}

/* x * 2^exponent, truncated to f32; 0 is +0. Truncations compose. */
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

/* x in the format of results, with its clamped e undone. byte_or_nan() handles NaN. */
INLINE vec byte_result_scaled(const struct byte *y, const struct byte_columns *g, unsigned n,
                              unsigned r, vec x, vec e) {
    vec shift = y->shifts[r] + vec_all((uint32_t)g->shift[n]);
    x = byte_scale(x, e - byte_within(y, e) + shift) & ~vec_all(y->drop);
    return x & ~vec_ones(vec_equal(x << 1, vec_all(0)));
}

/* --- infinities and NaN --- */

/* x, or `sum` where it is infinite or NaN. */
INLINE vec byte_or_special(vec x, vec sum) {
    vec nan = vec_all(0x7FFFFFFF), infinity = vec_all(0x7F800000);
    x = vec_choose(vec_equal(sum & nan, infinity), sum, x);
    return vec_choose(vec_less(infinity, sum & nan), nan, x);
}

/* NaN where a scale factor is NaN, otherwise x. */
INLINE vec byte_or_nan(const struct byte *y, const struct byte_columns *g, unsigned n, unsigned r,
                       vec x) {
    vec nans = y->nans[r] | vec_all((uint32_t)-g->nan[n]);
    return vec_choose(vec_less(nans, vec_all(0)), vec_all(0x7FFFFFFF), x);
}

/* --- steps: all columns at once, because they are independent --- */

/* Adds the terms of a step, in units of 2^(e - keep), to C's terms in x[], as floats. With
 * `special`, e[] becomes floats that are infinite or NaN where the result is. */
INLINE void byte_sums(const struct byte *y, const struct byte_shape k, const struct byte_columns *g,
                      unsigned step, vec e[8][ROW_VECS], int special, vec x[8][ROW_VECS]) {
#if defined(BYTE_CHAINS)
    if (byte_chains(k)) {
        byte_chain(y, k, g, step, e, special, x);
        return;
    }
#endif
    for (unsigned n = 0; n < 8; n++)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            x[n][r] = byte_terms(y, k, g, step, n, r, e[n][r], x[n][r]);
            if (BYTE_RARELY(special))
                e[n][r] = byte_special_sum(y, g, step, n, r);
        }
}
