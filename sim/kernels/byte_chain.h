/* byte_chain.h - the terms of a step of class byte by chains of multiply-adds that round
 * toward zero: one instruction for each vector of terms.
 *
 * Let p be the precision of the float, and one unit 2^(e - keep). The sum begins at
 * M = 1.5 * 2^(p - 1) units and stays between 2^(p - 1) and 2^p units. In that range the last bit
 * of the float is one unit, and an addition rounds down to whole units.
 *
 * The chain adds P * (1 + d) in place of a product P, because b has its last bit set: elements have
 * far fewer bits. Here 0 < d < 2^(1 - p). So P * d is less than a unit, and less than the distance
 * from P to the next multiple of a unit. So a P > 0 adds P truncated toward zero, and a P < 0
 * always adds one unit less than that. The number of negative products is a population count: signs
 * of the row and the column, where A is not zero. A zero of B becomes CHAIN_TINY with its sign:
 * every product with it is far below a unit, and counts like the others.
 *
 * The sum begins with that many units more, and with C's term. The last bit of the float is a unit,
 * so an integer addition puts both in. At the end M is subtracted, which is exact.
 *
 * In floats (narrow) sums have to be below 2^22 units: 32 products of 2^(keep + 2), and C. Doubles
 * (wide) have more room than the sums need. There M is 2^31 units more, so that integers added to
 * it need no sign. Infinities and NaN pass through the chain, because M is finite in special tiles.
 * In such tiles zeros of B remain zeros, which are not counted. */

#define CHAIN_TINY 0x1p-110f

INLINE void byte_put_chain(const struct byte *y, struct byte_words *b, unsigned i, unsigned at,
                           vec_float x, int normal, int special) {
    __mmask16 some = 0xFFFF;
    if (BYTE_RARELY(special)) {
        vec mag = (vec)x & 0x7FFFFFFF;
        some = vec_less(vec_all(0), mag) & vec_less(mag, vec_all(0x7F800000));
    } else if (!normal)
        x = (vec_float)_mm512_range_round_ps((__m512)x, _mm512_set1_ps(CHAIN_TINY), 3,
                                             _MM_FROUND_NO_EXC); /* the larger, with x's sign */
    if (y->shape.narrow) {
        vec_store(b->of.narrow[i] + at,
                  (vec)_mm512_mask_or_epi32((__m512i)x, some, (__m512i)x, _mm512_set1_epi32(1)));
        return;
    }
    for (unsigned h = 0; h < 2; h++) {
        __m256 half = h ? _mm512_extractf32x8_ps((__m512)x, 1) : _mm512_castps512_ps256((__m512)x);
        __m512i z = _mm512_castpd_si512(_mm512_cvt_roundps_pd(half, _MM_FROUND_NO_EXC));
        z = _mm512_mask_or_epi64(z, (__mmask8)(some >> 8 * h), z, _mm512_set1_epi64(1));
        memcpy(b->of.wide[i] + at + 8 * h, &z, sizeof z);
    }
}

/* Bit 7 of each byte that is not zero; ignore the other bits. */
INLINE vec byte_some_bits(vec w) {
    return (w & 0x7F7F7F7F) + 0x7F7F7F7F;
}

/* Appends the signs of the next word of each row, as bit 7 of each byte. */
INLINE void byte_add_row_signs(struct byte_signs *s, vec w) {
    s->negative = (s->negative >> 1) | (w & 0x80808080);
    s->some = (s->some >> 1) | (byte_some_bits(w) & 0x80808080);
}
INLINE struct byte_signs byte_end_row_signs(const struct byte_signs *s, unsigned words) {
    struct byte_signs all = {s->negative >> (8 - words), s->some >> (8 - words)};
    return all;
}

/* Sparse: a 4-bit mask of a chunk of B for two elements. An index has their two places, 2 bits
 * each, and their two bits, which the mask has at these places. */
INLINE vec byte_chunks(vec index) {
#define CHUNK(i) ((i) >> 4 & 1) << ((i)&3) | ((i) >> 5 & 1) << ((i) >> 2 & 3)
#define CHUNKS(i) CHUNK(i), CHUNK((i) + 1), CHUNK((i) + 2), CHUNK((i) + 3)
#define CHUNKS_16(i) CHUNKS(i), CHUNKS((i) + 4), CHUNKS((i) + 8), CHUNKS((i) + 12)
    static const uint8_t table[64] = {CHUNKS_16(0), CHUNKS_16(16), CHUNKS_16(32), CHUNKS_16(48)};
#undef CHUNKS_16
#undef CHUNKS
#undef CHUNK
    return (vec)_mm512_permutexvar_epi8((__m512i)index, (__m512i)vec_load(table));
}

/* Moves bit 7 of each byte of two words of A to the place of its partner in four words of B: 16
 * bits. */
INLINE vec byte_picked_bits(const vec index[2], const vec bits[2]) {
    vec chunk[2];
    for (unsigned i = 0; i < 2; i++) /* bytes 0 and 2 are a chunk each */
        chunk[i] = (index[i] & 0x00030003) | (index[i] >> 6 & 0x000C000C) |
                   (bits[i] >> 3 & 0x00100010) | (bits[i] >> 10 & 0x00200020);
    chunk[0] = byte_chunks(chunk[0] | chunk[1] << 8);
    return (chunk[0] | chunk[0] >> 12) & 0xFFFF;
}

/* The same for a row: bit 4 * i + q is byte q of word i of B. Words from 8 on are in signs[1]. */
static void byte_picked_signs(struct byte *y, const vec words[BYTE_WORDS], int normal) {
    for (unsigned i = 0; i < y->words; i += 2) {
        const vec index[2] = {y->pick[i][0].index, y->pick[i + 1][0].index};
        vec bits[2] = {vec_all(UINT32_MAX), vec_all(UINT32_MAX)};
        unsigned by = 8 * (i % 4);
        y->signs[i / 4].negative |= byte_picked_bits(index, words + i) << by;
        for (unsigned j = 0; !normal && j < 2; j++)
            bits[j] = byte_some_bits(words[i + j]);
        y->signs[i / 4].some |= byte_picked_bits(index, bits) << by;
    }
}

/* Collects bit 7 of each byte of one or two registers of B by columns, for 16 words. Word
 * 4 * n + t of register i becomes bit 4 * i + t of the byte in column n. */
INLINE vec byte_columns_bits(const vec bits[2], unsigned regs) {
    const vec by = {7, 6, 5, 4, 7, 6, 5, 4, 7, 6, 5, 4, 7, 6, 5, 4};
    vec all = vec_all(0);
    for (unsigned i = 0; i < regs; i++)
        all |= vec_shift_each(bits[i] & 0x80808080, by - 4 * i);
    all |= (vec)_mm512_shuffle_epi32((__m512i)all, 0xB1);
    return all | (vec)_mm512_shuffle_epi32((__m512i)all, 0x4E);
}

/* The same in the order of byte_picked_signs(). */
INLINE void byte_columns_chunks(const vec bits[2], unsigned regs, uint32_t *to) {
    uint64_t low = _mm512_movepi8_mask((__m512i)bits[0]);
    uint64_t high = regs > 1 ? _mm512_movepi8_mask((__m512i)bits[1]) : 0;
    for (unsigned n = 0; n < 4; n++)
        to[4 * n] = (uint32_t)(low >> 16 * n & 0xFFFF) | (uint32_t)(high >> 16 * n & 0xFFFF) << 16;
}

static void byte_signs_of_columns(const struct byte *y, struct byte_words *b,
                                  const uint32_t *const *words, unsigned regs, int special) {
    for (unsigned at = 0; at < 32; at += 16) {
        vec bits[2];
        for (unsigned i = 0; i < regs; i++)
            bits[i] = byte_lift(vec_load(words[i] + at), &y->in_b);
        if (y->shape.sparse)
            byte_columns_chunks(bits, regs, b->negative + at);
        else
            vec_store(b->negative + at, byte_columns_bits(bits, regs));
        if (!BYTE_RARELY(special))
            continue;
        for (unsigned i = 0; i < regs; i++)
            bits[i] = byte_some_bits(bits[i]);
        if (y->shape.sparse)
            byte_columns_chunks(bits, regs, b->some + at);
        else
            vec_store(b->some + at, byte_columns_bits(bits, regs));
    }
}

/* Number of negative products with 8 words of B. `words` selects bits of the signs. */
INLINE vec byte_negatives(const struct byte_signs *a, const struct byte_words *b, unsigned n,
                          uint32_t words, int special) {
    vec some = a->some & words;
    if (BYTE_RARELY(special))
        some &= vec_all(b->some[4 * n]);
    return vec_count_ones(some & (a->negative ^ vec_all(b->negative[4 * n])));
}

/* The factor of B for element q of word i of rows; sparse: the four to pick from. */
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

/* --- the chains of 8 columns, over some words. Each sum is a variable of its own, so that it stays
 * in a register --- */

#define CHAIN_EACH(each) each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7)
#define CHAIN_ROUND (_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)

INLINE void byte_narrow(const struct byte *y, int sparse, const struct byte_columns *g,
                        unsigned first, unsigned last, __m512 sum[8]) {
#define CHAIN_BEGIN(n) __m512 sum##n = sum[n];
#define CHAIN_ADD(n)                                                                               \
    at = byte_narrow_at(g, sparse, i, q, n);                                                       \
    x = sparse ? (__m512)pick_word(&pick, at) : _mm512_set1_ps(*at);                               \
    sum##n = _mm512_fmadd_round_ps(a, x, sum##n, CHAIN_ROUND);
#define CHAIN_END(n) sum[n] = sum##n;
    CHAIN_EACH(CHAIN_BEGIN)
    for (unsigned i = first; i < last; i++) {
        UNROLL(4)
        for (unsigned q = 0; q < 4; q++) {
            struct pick pick = sparse ? pick_byte(&y->pick[i][0], q) : pick_of(vec_all(0));
            __m512 a = (__m512)y->a[4 * i + q][0], x;
            const float *at;
            CHAIN_EACH(CHAIN_ADD)
        }
    }
    CHAIN_EACH(CHAIN_END)
#undef CHAIN_BEGIN
#undef CHAIN_ADD
#undef CHAIN_END
}

/* The lower (0) or the upper half of a vector. */
INLINE __m256i byte_half(vec x, unsigned upper) {
    return upper ? _mm512_extracti64x4_epi64((__m512i)x, 1) : _mm512_castsi512_si256((__m512i)x);
}

/* Picks one of four doubles for each of eight rows. The vector holds the four twice, so that bits
 * of the index above the lowest two do not matter. */
INLINE __m512d byte_pick_wide(__m512i index, const double *four) {
    return _mm512_permutexvar_pd(index, _mm512_broadcast_f64x4(_mm256_loadu_pd(four)));
}

INLINE void byte_wide(const struct byte *y, int sparse, const struct byte_columns *g,
                      unsigned first, unsigned last, __m512d sum[8][2]) {
#define CHAIN_BEGIN(n) __m512d low##n = sum[n][0], high##n = sum[n][1];
#define CHAIN_ADD(n)                                                                               \
    at = byte_wide_at(g, sparse, i, q, n);                                                         \
    x = sparse ? byte_pick_wide(low_index, at) : _mm512_set1_pd(*at);                              \
    low##n = _mm512_fmadd_round_pd(low, x, low##n, CHAIN_ROUND);                                   \
    x = sparse ? byte_pick_wide(high_index, at) : x;                                               \
    high##n = _mm512_fmadd_round_pd(high, x, high##n, CHAIN_ROUND);
#define CHAIN_END(n) sum[n][0] = low##n, sum[n][1] = high##n;
    CHAIN_EACH(CHAIN_BEGIN)
    for (unsigned i = first; i < last; i++) {
        UNROLL(4)
        for (unsigned q = 0; q < 4; q++) {
            const float *a = (const float *)&y->a[4 * i + q][0];
            __m512d low = _mm512_cvtps_pd(_mm256_loadu_ps(a)), x;
            __m512d high = _mm512_cvtps_pd(_mm256_loadu_ps(a + 8));
            vec index = sparse ? y->pick[i][0].index >> 8 * q : vec_all(0);
            __m512i low_index = _mm512_cvtepu32_epi64(byte_half(index, 0));
            __m512i high_index = _mm512_cvtepu32_epi64(byte_half(index, 1));
            const double *at;
            CHAIN_EACH(CHAIN_ADD)
        }
    }
    CHAIN_EACH(CHAIN_END)
#undef CHAIN_BEGIN
#undef CHAIN_ADD
#undef CHAIN_END
}

/* The bits of M as a float, or its upper bits as a double. */
INLINE vec byte_narrow_m(const struct byte *y, vec e) {
    return e + vec_all(((uint32_t)(23 - y->keep) << 23) + (1u << 22));
}
INLINE vec byte_wide_m(const struct byte *y, vec e) {
    return (e >> 3) + vec_all(((uint32_t)(1023 - 127 + 52 - y->keep) << 20) + (1u << 19));
}

INLINE void byte_chain_narrow(const struct byte *y, const struct byte_shape k,
                              const struct byte_columns *g, unsigned step, vec e[8][ROW_VECS],
                              int special, vec x[8][ROW_VECS]) {
    unsigned first = step * k.words, last = first + k.words;
    __m512 sum[8];
    vec m[8];
    for (unsigned n = 0; n < 8; n++) {
        m[n] = byte_narrow_m(y, e[n][0]);
        if (BYTE_RARELY(special))
            m[n] = byte_narrow_m(y, vec_min(e[n][0], vec_all(BYTE_HIGH << 23)));
        sum[n] = (__m512)(m[n] + x[n][0]);
        if (BYTE_RARELY(special)) {
            vec c = g->acc[n][0];
            sum[n] =
                (__m512)vec_choose(vec_equal(c & 0x7F800000, vec_all(0x7F800000)), c, (vec)sum[n]);
        }
    }
    byte_narrow(y, k.sparse, g, first, last, sum);
    for (unsigned n = 0; n < 8; n++) {
        x[n][0] = (vec)_mm512_sub_round_ps(sum[n], (__m512)m[n], CHAIN_ROUND);
        if (BYTE_RARELY(special)) {
            /* An exponent far above every product means that the sum is C alone. */
            vec_mask far = vec_less(vec_all(BYTE_HIGH << 23), e[n][0]);
            x[n][0] = vec_choose(far, g->acc[n][0], x[n][0]);
            e[n][0] = (vec)sum[n];
        }
    }
}

/* The first value of a sum: M plus `start`, or C if it is infinite or NaN. */
INLINE __m512d byte_wide_start(vec m, vec start, vec c, int special, unsigned upper) {
    const vec low = {0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23};
    vec from = start ^ 0x80000000;
    __m512d sum = _mm512_castsi512_pd(
        _mm512_permutex2var_epi32((__m512i)from, (__m512i)(low + 8 * upper), (__m512i)m));
    if (BYTE_RARELY(special)) {
        vec_mask mask = vec_equal(c & 0x7F800000, vec_all(0x7F800000));
        __m256 bits = _mm256_castsi256_ps(byte_half(c, upper));
        sum = _mm512_mask_blend_pd((__mmask8)(mask >> 8 * upper), sum,
                                   _mm512_cvt_roundps_pd(bits, _MM_FROUND_NO_EXC));
    }
    return sum;
}

/* sum - M as a float, truncated to 24 bits. With `odd`, the lowest bit is one if any bit was lost.
 */
INLINE __m256i byte_wide_round(__m512d sum, __m512d m, int odd) {
    __m512d z = _mm512_sub_round_pd(sum, m, CHAIN_ROUND);
    __m256 x = _mm512_cvt_roundpd_ps(z, CHAIN_ROUND);
    __m256i bits = _mm256_castps_si256(x);
    if (odd) {
        __m512d back = _mm512_cvt_roundps_pd(x, _MM_FROUND_NO_EXC);
        bits = _mm256_mask_or_epi32(
            bits, _mm512_cmp_round_pd_mask(back, z, _CMP_NEQ_UQ, _MM_FROUND_NO_EXC), bits,
            _mm256_set1_epi32(1));
    }
    return bits;
}

INLINE vec byte_join(__m256i low, __m256i high) {
    return (vec)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

INLINE void byte_chain_wide(const struct byte *y, const struct byte_shape k,
                            const struct byte_columns *g, unsigned step, vec e[8][ROW_VECS],
                            int special, vec x[8][ROW_VECS]) {
    unsigned first = step * k.words, last = first + k.words;
    __m512d sum[8][2];
    for (unsigned n = 0; n < 8; n++)
        for (unsigned h = 0; h < 2; h++)
            sum[n][h] = byte_wide_start(byte_wide_m(y, e[n][0]), x[n][0], g->acc[n][0], special, h);
    byte_wide(y, k.sparse, g, first, last, sum);
    for (unsigned n = 0; n < 8; n++) {
        vec upper = byte_wide_m(y, e[n][0]), none = vec_all(0);
        KEEP(upper); /* made again, because registers have no room for it */
        __m512d low_m = byte_wide_start(upper, none, none, 0, 0);
        __m512d high_m = byte_wide_start(upper, none, none, 0, 1);
        x[n][0] = byte_join(byte_wide_round(sum[n][0], low_m, k.half),
                            byte_wide_round(sum[n][1], high_m, k.half));
        if (BYTE_RARELY(special)) {
            __m256 low = _mm512_cvt_roundpd_ps(sum[n][0], CHAIN_ROUND);
            __m256 high = _mm512_cvt_roundpd_ps(sum[n][1], CHAIN_ROUND);
            e[n][0] = byte_join(_mm256_castps_si256(low), _mm256_castps_si256(high));
        }
    }
}

/* byte_sums() by chains. */
INLINE void byte_chain(const struct byte *y, const struct byte_shape k,
                       const struct byte_columns *g, unsigned step, vec e[8][ROW_VECS], int special,
                       vec x[8][ROW_VECS]) {
    /* Dense: bit i of each byte belongs to word i. Sparse: a word has the bits of half a row. */
    unsigned first = step * k.words, ones = ((1u << k.words) - 1) << first;
    uint32_t bits = k.sparse ? UINT32_MAX : ones * UINT32_C(0x01010101);
    for (unsigned n = 0; n < 8; n++) {
        if (!k.sparse || first == 0)
            x[n][0] += byte_negatives(y->signs, &g->b, n, bits, g->special);
        if (k.sparse && first + k.words > 4)
            x[n][0] += byte_negatives(y->signs + 1, g->more, n, bits, g->special);
    }
    if (k.narrow)
        byte_chain_narrow(y, k, g, step, e, special, x);
    else
        byte_chain_wide(y, k, g, step, e, special, x);
}
