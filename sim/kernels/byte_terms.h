/* byte_terms.h - the terms of a step of class byte, one by one. C truncates toward zero when it
 * converts a float to an integer, and this aligns a term:
 *
 *     term = (int) (a * b * 2^(keep - e))
 *
 * a * b is exact and normal. An integer addition to its exponent replaces the second
 * multiplication. B is stored times 2^-BYTE_PRE, so that zeros need no branch. */

/* The factor of column n for element q of word i of A. */
INLINE vec_float byte_factor(const struct byte *y, int sparse, const struct byte_columns *g,
                             unsigned i, unsigned q, unsigned n, unsigned r) {
    const float *x = byte_words_of(g, sparse, i)->of.narrow[byte_register(sparse, i)];
    x += byte_place(sparse, i, q, n);
    if (sparse) {
        struct pick pick = pick_byte(&y->pick[i][r], q);
        return (vec_float)pick_word(&pick, x);
    }
    return vec_number(x);
}

/* Adds the terms of bytes [from, end) of words [first, last).
 *
 * `scale` is added to exponents: (keep + 127 + BYTE_PRE) - e, or 0 if that is negative. A nonzero
 * product has an exponent of at most e. So it becomes less than 2^(keep + 2), and its field remains
 * valid. If `scale` is 0 because the difference is negative, 2^(e - keep) is above every product,
 * and the result is below 1. A zero, whose field was 0, becomes 2^(scale - 127). That is below 1,
 * because e is at least byte.low, which is at least BYTE_START + BYTE_BIAS. */
INLINE vec byte_sum(const struct byte *y, int sparse, const struct byte_columns *g, unsigned n,
                    unsigned r, unsigned first, unsigned last, unsigned from, unsigned end,
                    vec scale, vec sum) {
    for (unsigned i = first; i < last; i++)
        for (unsigned q = from; q < end; q++) {
            vec_float p = y->a[4 * i + q][r] * byte_factor(y, sparse, g, i, q, n, r);
            sum += vec_truncate((vec_float)((vec)p + scale));
            KEEP(sum);
        }
    return sum;
}

/* The sum in units of 2^(e - keep), truncated to 24 bits, as a float times 2^*more. With `odd`, the
 * lowest bit is one if any bit was lost. The sum of two 32-bit integers is computed as a multiple
 * of 256 and a rest below 256. */
INLINE vec byte_round(vec low, vec high, int wide, int odd, vec *more) {
    vec sign, rest = vec_all(0), sum = low, x;
    *more = vec_all(0);
    if (wide) {
        rest = (low & 0xFF) + (high & 0xFF);
        sum = vec_shift_signed(low, 8) + vec_shift_signed(high, 8) + (rest >> 8);
        sign = vec_shift_signed(sum, 31);
        rest = ((rest ^ sign) - sign) & 0xFF;
        sum = (sum ^ sign) + (vec_ones(vec_equal(rest, vec_all(0))) & sign & 1);
        vec large = vec_ones(vec_less(vec_all(0x7FFFFF), sum));
        sum = (large & sum) | (~large & (sum << 8 | rest));
        rest &= large;
        *more = large & 8;
        x = (vec)vec_float_toward_zero(sum);
        if (odd)
            x |= vec_ones(vec_less(vec_all(0), rest | (sum ^ vec_truncate((vec_float)x)))) & 1;
        return x | (sign & vec_all(0x80000000));
    }
    x = (vec)vec_float_toward_zero(sum);
    if (odd)
        x |= ~vec_ones(vec_equal(sum, vec_truncate((vec_float)x))) & 1;
    return x;
}

/* x * 2^(e - keep), with e in the exponent field: exact, as nothing is subnormal or out of range.
 */
INLINE vec byte_units(const struct byte *y, vec x, vec e) {
    return (vec)((vec_float)x * (vec_float)(e - vec_all((uint32_t)y->keep << 23)));
}

/* C's term plus the terms of products, rounded by byte_round(). A sum of 16 products and C is below
 * 2^31 with keep 25: 16 * (2 - 2^-3)^2 * 2^25 + 2^26. More products need two sums. */
INLINE vec byte_terms(const struct byte *y, const struct byte_shape k, const struct byte_columns *g,
                      unsigned step, unsigned n, unsigned r, vec e, vec term) {
    unsigned first = k.split ? 0 : step * k.words, last = first + k.words;
    vec scale = vec_all((uint32_t)(y->keep + 127 + BYTE_PRE) << 23), high = vec_all(0), more;
    scale = vec_max(scale - e, vec_all(0));
    if (k.split && step == 0)
        term = byte_sum(y, k.sparse, g, n, r, first, last, 0, 2, scale, term);
    else if (k.split)
        term = byte_sum(y, k.sparse, g, n, r, first, last, 2, 4, scale, term);
    else if (k.words <= 4)
        term = byte_sum(y, k.sparse, g, n, r, first, last, 0, 4, scale, term);
    else {
        high = byte_sum(y, k.sparse, g, n, r, first + 4, last, 0, 4, scale, vec_all(0));
        term = byte_sum(y, k.sparse, g, n, r, first, first + 4, 0, 4, scale, term);
    }
    term = byte_round(term, high, !k.split && k.words > 4, k.half, &more);
    return byte_units(y, term, e + (more << 23));
}

/* The sum of float products, and of C if it is special: only infinities and NaN matter. */
static vec byte_special_sum(const struct byte *y, const struct byte_columns *g, unsigned step,
                            unsigned n, unsigned r) {
    const struct byte_shape k = y->shape;
    unsigned first = k.split ? 0 : step * k.words;
    unsigned from = k.split ? 2 * step : 0, end = k.split ? from + 2 : 4;
    vec c = g->acc[n][r], infinity = vec_all(0x7F800000);
    vec_float sum = (vec_float)(c & vec_ones(vec_equal(c & 0x7F800000, infinity)));
    for (unsigned i = first; i < first + k.words; i++)
        for (unsigned q = from; q < end; q++)
            sum += y->a[4 * i + q][r] * byte_factor(y, k.sparse, g, i, q, n, r);
    return (vec)sum;
}
