/* kernel_byte_chain.h - the terms of a step of class byte by chains of multiply-adds that round
 * toward zero: one instruction for each vector of terms.
 *
 * The sum begins as M = 1.5 * 2^(p - 1) units of 2^(e - keep), p the precision of the float, and
 * stays between 2^(p - 1) and 2^p units: there the last bit of the float is one unit, and what is
 * added is rounded down to whole units. In place of a product P it is P * (1 + d), as b has its
 * last bit set: elements have far fewer bits. 0 < d < 2^(1 - p), so that P * d is less than a unit,
 * and less than what P is away from the next multiple of a unit. So of P > 0 what remains is P
 * toward zero, and of P < 0 it is one unit less than that, always. How many of those there are is a
 * population count: signs of the row and the column, where neither is zero. The sum begins with
 * that many more, and with C's term; as the float's last bit is a unit, that is added as an
 * integer, and the sum taken out as one.
 *
 * In floats (narrow) sums have to be below 2^22 units: 32 products of 2^(keep + 2), and C. In
 * doubles (wide) there is room for more than is needed. Infinities and NaN come through the chain
 * as they are, M being finite. Exponents of M are kept where 2^(e - keep) is above every product,
 * and below every nonzero product. */

enum { CHAIN_HIGH = 127 + 70 };

/* Factors from number `at` of register i on: last bits set, but of zeros, and of infinities and
 * NaN. */
INLINE void byte_put(const struct byte *y, struct byte_words *b, unsigned i, unsigned at,
                     vec_float x, int special) {
    __m512i bits = (__m512i)x;
    __mmask16 some = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(0x7FFFFFFF));
    if (BYTE_RARELY(special))
        some &=
            ~_mm512_cmpeq_epi32_mask((__m512i)((vec)x & 0x7F800000), _mm512_set1_epi32(0x7F800000));
    if (y->shape.narrow) {
        vec_store(b->of.narrow[i] + at,
                  (vec)_mm512_mask_or_epi32(bits, some, bits, _mm512_set1_epi32(1)));
        return;
    }
    for (unsigned h = 0; h < 2; h++) {
        __m256 half = h ? _mm512_extractf32x8_ps((__m512)x, 1) : _mm512_castps512_ps256((__m512)x);
        __m512i z = _mm512_castpd_si512(_mm512_cvt_roundps_pd(half, _MM_FROUND_NO_EXC));
        z = _mm512_mask_or_epi64(z, (__mmask8)(some >> 8 * h), z, _mm512_set1_epi64(1));
        memcpy(b->of.wide[i] + at + 8 * h, &z, sizeof z);
    }
}

/* Signs of word `i` (of each lane its own) join those of other words. */
INLINE void byte_add_signs(struct byte_signs *s, vec w, vec i) {
    vec some = (w & 0x7F7F7F7F) + 0x7F7F7F7F;
    s->negative |= vec_shift_left_each(w >> 7 & 0x01010101, i);
    s->some |= vec_shift_left_each(some >> 7 & 0x01010101, i);
}

/* Sparse: those of word `i` of A, of 16 rows, where B has what they meet: in its words 2 * i and 2
 * * i + 1, of which 8 to 15 are signs[1]. Two elements never meet the same one. A byte has both
 * signs, in bits 0 and 1, while it moves. */
static void byte_add_picked_signs(struct byte *y, vec w, unsigned i) {
    vec signs = (w >> 7 & 0x01010101) | (((w & 0x7F7F7F7F) + 0x7F7F7F7F) >> 6 & 0x02020202);
    vec at = y->pick[i][0].index << 3;
    for (unsigned half = 0; half < 2; half++) {
        vec first = vec_shift_left_each(signs >> 16 * half & 3, at >> 16 * half & 0x18);
        vec last = vec_shift_left_each(signs >> (16 * half + 8) & 3, at >> (16 * half + 8) & 0x18);
        vec both = first | last;
        y->signs[i / 4].negative |= (both & 0x01010101) << (2 * i + half) % 8;
        y->signs[i / 4].some |= (both >> 1 & 0x01010101) << (2 * i + half) % 8;
    }
}

/* Of two registers of B, or one. */
static void byte_signs_of_columns(const struct byte *y, struct byte_words *b,
                                  const uint32_t *const *words, unsigned regs) {
    const vec t = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    for (unsigned at = 0; at < 32; at += 16) {
        struct byte_signs s = {vec_all(0), vec_all(0)};
        for (unsigned i = 0; i < regs; i++)
            byte_add_signs(&s, byte_lift(vec_load(words[i] + at), &y->in_b), t + 4 * i);
        for (unsigned by = 0; by < 2; by++) {
            s.negative |= by ? (vec)_mm512_shuffle_epi32((__m512i)s.negative, 0x4E)
                             : (vec)_mm512_shuffle_epi32((__m512i)s.negative, 0xB1);
            s.some |= by ? (vec)_mm512_shuffle_epi32((__m512i)s.some, 0x4E)
                         : (vec)_mm512_shuffle_epi32((__m512i)s.some, 0xB1);
        }
        vec_store(b->negative + at, s.negative);
        vec_store(b->some + at, s.some);
    }
}

/* How many products are negative of those of the lowest 8 words of B: bits of `words`. */
INLINE vec byte_negatives(const struct byte_signs *a, const struct byte_words *b, unsigned n,
                          uint32_t words) {
    vec some = a->some & vec_all(b->some[4 * n]) & words;
    return vec_count_ones(some & (a->negative ^ vec_all(b->negative[4 * n])));
}

/* Numbers of a register: sparse, the four that element q of word i of rows meets one of. */
INLINE const float *byte_narrow_at(const struct byte_columns *g, int sparse, unsigned i, unsigned q,
                                   unsigned n) {
    return byte_words_of(g, sparse, i)->of.narrow[byte_register(sparse, i)] +
           byte_place(sparse, i, q, n);
}
INLINE const double *byte_wide_at(const struct byte_columns *g, int sparse, unsigned i, unsigned q,
                                  unsigned n) {
    return byte_words_of(g, sparse, i)->of.wide[byte_register(sparse, i)] +
           byte_place(sparse, i, q, n);
}

/* --- the chains of 8 columns, over bytes `from` to before `end` of some words --- */

INLINE void byte_narrow(const struct byte *y, int sparse, const struct byte_columns *g,
                        unsigned first, unsigned last, unsigned from, unsigned end, __m512 sum[8]) {
    for (unsigned i = first; i < last; i++)
        for (unsigned q = from; q < end; q++) {
            struct pick pick = {vec_all(0)};
            if (sparse)
                pick = pick_byte(&y->pick[i][0], q);
            for (unsigned n = 0; n < 8; n++) {
                const float *b = byte_narrow_at(g, sparse, i, q, n);
                __m512 x = sparse ? (__m512)pick_word(&pick, b) : _mm512_set1_ps(*b);
                sum[n] = _mm512_fmadd_round_ps((__m512)y->a[4 * i + q][0], x, sum[n],
                                               _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
            }
        }
}

/* The lower (0) or the upper half of a vector. */
INLINE __m256i byte_half(vec x, unsigned upper) {
    return upper ? _mm512_extracti64x4_epi64((__m512i)x, 1) : _mm512_castsi512_si256((__m512i)x);
}

/* Of four doubles that stand there twice, one for each of eight rows: bits of the index above the
 * lowest two mean nothing. */
INLINE __m512d byte_pick_wide(__m512i index, const double *four) {
    return _mm512_permutexvar_pd(index, _mm512_broadcast_f64x4(_mm256_loadu_pd(four)));
}

INLINE void byte_wide(const struct byte *y, int sparse, const struct byte_columns *g,
                      unsigned first, unsigned last, unsigned from, unsigned end,
                      __m512d sum[8][2]) {
    for (unsigned i = first; i < last; i++)
        for (unsigned q = from; q < end; q++) {
            const float *a = (const float *)&y->a[4 * i + q][0];
            __m512d low = _mm512_cvtps_pd(_mm256_loadu_ps(a));
            __m512d high = _mm512_cvtps_pd(_mm256_loadu_ps(a + 8));
            __m512i index[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
            for (unsigned h = 0; sparse && h < 2; h++)
                index[h] = _mm512_cvtepu32_epi64(byte_half(y->pick[i][0].index >> 8 * q, h));
            for (unsigned n = 0; n < 8; n++) {
                const double *b = byte_wide_at(g, sparse, i, q, n);
                __m512d x = sparse ? byte_pick_wide(index[0], b) : _mm512_set1_pd(*b);
                __m512d z = sparse ? byte_pick_wide(index[1], b) : x;
                sum[n][0] = _mm512_fmadd_round_pd(low, x, sum[n][0],
                                                  _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
                sum[n][1] = _mm512_fmadd_round_pd(high, z, sum[n][1],
                                                  _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
            }
        }
}

/* The bits of M: of a float, or the upper ones of a double. */
INLINE vec byte_narrow_m(const struct byte *y, vec e) {
    e = vec_min(e, vec_all((uint32_t)CHAIN_HIGH << 23));
    return e + vec_all(((uint32_t)(23 - y->keep) << 23) + (1u << 22));
}
INLINE vec byte_wide_m(const struct byte *y, vec e) {
    return (e >> 3) + vec_all(((uint32_t)(1023 - 127 + 52 - y->keep) << 20) + (1u << 19));
}

INLINE void byte_chain_narrow(const struct byte *y, const struct byte_shape k,
                              const struct byte_columns *g, unsigned step, const vec e[8],
                              const vec start[8], int special, vec x[8], vec sums[8]) {
    unsigned first = k.split ? 0 : step * k.words, last = first + k.words;
    __m512 sum[8];
    for (unsigned n = 0; n < 8; n++) {
        vec c = g->acc[n][0], m = byte_narrow_m(y, e[n]) + start[n];
        if (BYTE_RARELY(special))
            m = vec_choose(vec_equal(c & 0x7F800000, vec_all(0x7F800000)), c, m);
        sum[n] = (__m512)m;
    }
    if (k.split)
        byte_narrow(y, k.sparse, g, first, last, 2 * step, 2 * step + 2, sum);
    else
        byte_narrow(y, k.sparse, g, first, last, 0, 4, sum);
    for (unsigned n = 0; n < 8; n++) {
        sums[n] = (vec)sum[n];
        x[n] = (vec)vec_float_toward_zero(sums[n] - byte_narrow_m(y, e[n]));
    }
}

INLINE __m512i byte_doubles(vec m, unsigned upper) {
    return _mm512_slli_epi64(_mm512_cvtepu32_epi64(byte_half(m, upper)), 32);
}

/* M and what it begins with; or C, if that is infinite or NaN. */
INLINE __m512d byte_wide_start(vec m, vec start, vec c, int special, unsigned upper) {
    __m512i from = _mm512_cvtepi32_epi64(byte_half(start, upper));
    __m512d sum = _mm512_castsi512_pd(_mm512_add_epi64(byte_doubles(m, upper), from));
    if (BYTE_RARELY(special)) {
        vec_mask mask = vec_equal(c & 0x7F800000, vec_all(0x7F800000));
        __m256 bits = _mm256_castsi256_ps(byte_half(c, upper));
        sum = _mm512_mask_blend_pd((__mmask8)(mask >> 8 * upper), sum,
                                   _mm512_cvt_roundps_pd(bits, _MM_FROUND_NO_EXC));
    }
    return sum;
}

/* A sum without M, an integer: 24 bits of it, toward zero; with `odd`, the lowest is one if any was
 * lost. */
INLINE __m256i byte_wide_round(__m512d sum, vec m, int odd, unsigned upper) {
    __m512i z = _mm512_sub_epi64(_mm512_castpd_si512(sum), byte_doubles(m, upper));
    __m256 x = _mm512_cvt_roundepi64_ps(z, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    __m256i bits = _mm256_castps_si256(x);
    if (odd) {
        __m512i back = _mm512_cvtt_roundps_epi64(x, _MM_FROUND_NO_EXC);
        bits = _mm256_mask_or_epi32(bits, _mm512_cmpneq_epi64_mask(back, z), bits,
                                    _mm256_set1_epi32(1));
    }
    return bits;
}

INLINE vec byte_join(__m256i low, __m256i high) {
    return (vec)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

INLINE void byte_chain_wide(const struct byte *y, const struct byte_shape k,
                            const struct byte_columns *g, unsigned step, const vec e[8],
                            const vec start[8], int special, vec x[8], vec sums[8]) {
    unsigned first = k.split ? 0 : step * k.words, last = first + k.words;
    __m512d sum[8][2];
    for (unsigned n = 0; n < 8; n++)
        for (unsigned h = 0; h < 2; h++)
            sum[n][h] = byte_wide_start(byte_wide_m(y, e[n]), start[n], g->acc[n][0], special, h);
    if (k.split)
        byte_wide(y, k.sparse, g, first, last, 2 * step, 2 * step + 2, sum);
    else
        byte_wide(y, k.sparse, g, first, last, 0, 4, sum);
    for (unsigned n = 0; n < 8; n++) {
        vec m = byte_wide_m(y, e[n]);
        x[n] = byte_join(byte_wide_round(sum[n][0], m, k.half, 0),
                         byte_wide_round(sum[n][1], m, k.half, 1));
        if (BYTE_RARELY(special)) {
            __m256 low = _mm512_cvt_roundpd_ps(sum[n][0], _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
            __m256 high = _mm512_cvt_roundpd_ps(sum[n][1], _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
            sums[n] = byte_join(_mm256_castps_si256(low), _mm256_castps_si256(high));
        }
    }
}

/* The sums of a step, 24 bits of them as floats; with `special`, in sums[] floats that are infinite
 * or NaN where the result is. */
INLINE void byte_chain(const struct byte *y, const struct byte_shape k,
                       const struct byte_columns *g, unsigned step, const vec e[8], vec start[8],
                       int special, vec x[8], vec sums[8]) {
    /* Bit i is of word i of B. */
    unsigned first = k.split ? 0 : step * k.words, ones = ((1u << k.words) - 1) << first;
    uint32_t bytes = k.split ? UINT32_C(0x101) << 16 * step : UINT32_C(0x01010101);
    if (k.sparse) {
        ones = k.split ? 0x5555u << step : ((1u << 2 * k.words) - 1) << 2 * first;
        bytes = UINT32_C(0x01010101);
    }
    for (unsigned n = 0; n < 8; n++)
        start[n] += byte_negatives(y->signs, &g->b, n, (ones & 0xFF) * bytes);
    for (unsigned n = 0; k.sparse && n < 8; n++)
        start[n] += byte_negatives(y->signs + 1, g->more, n, (ones >> 8 & 0xFF) * bytes);
    if (k.narrow)
        byte_chain_narrow(y, k, g, step, e, start, special, x, sums);
    else
        byte_chain_wide(y, k, g, step, e, start, special, x, sums);
}
