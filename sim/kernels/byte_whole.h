/* byte_whole.h - steps of class byte in which alignment cuts no product: sums of integers, a pair
 * of products an instruction.
 *
 * Let the last bit of the least element of A have the weight 2^u, and that of B 2^v, and let unit
 * be u + v. If the exponents of a tile are close enough, all elements are 16-bit integers in these
 * units. Then every product is a whole multiple of 2^unit. If 2^(e - keep) is at most 2^unit,
 * alignment cuts no product, and the sum is exact in units of 2^unit.
 *
 * Each product is below (2 - 2^-3)^2 * 2^e. So the sum of 16 products is less than
 * 16 * 3.52 * 2^keep units, which is below 2^31 with keep 25. A sum of 32 products with e - keep
 * below unit is also below 2^31.
 *
 * C is cut as in all steps. Its term and the sum of products are exact floats. One multiply-add
 * toward zero adds them; a sum of more than 24 bits needs doubles. If e turns out to be too large,
 * the tile is done again by chains or terms.
 *
 * In split steps C is the result of the first step: a multiple of 2^unit, or of a larger power of
 * two. If it is below 2^(unit + keep + 1), it raises no e above unit + keep. So neither step cuts a
 * product, and exponents of products do not matter: the largest is below that of the largest
 * elements. With f16 the exponents are also at least the floor, and that of C at least the exponent
 * of the least normal number. Both have to be at most unit + keep.
 *
 * Tiles with an infinity or a NaN use the other methods. One in C makes e too large. */

enum {
    WHOLE_BITS = 14, /* bits of an element below its highest, in 16 with a sign               */
    WHOLE_SPARE = 2  /* distance of limit above the largest products, as room for C           */
};

INLINE unsigned byte_least(vec x) {
    __m256i y = _mm256_min_epu8(byte_half(x, 0), byte_half(x, 1));
    __m128i z = _mm_min_epu8(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
    z = _mm_minpos_epu16(_mm_min_epu8(z, _mm_srli_epi16(z, 8)));
    return (unsigned)_mm_cvtsi128_si32(z) & 0xFF;
}

/* The least magnitude that is not zero, if any. */
static unsigned byte_least_of_some(const struct byte_format *f, const uint32_t *const *regs,
                                   unsigned count) {
    vec least = vec_all8(255);
    for (unsigned i = 0; i < count; i++)
        for (unsigned at = 0; at < 32; at += VL) {
            vec mag = byte_lift(vec_load(regs[i] + at), f) & 0x7F7F7F7F;
            least = vec_min_unsigned8(least, vec_sub8(mag, vec_all8(1)));
        }
    return byte_least(least) + 1;
}

/* Returns 0 if the exponents of elements are too far apart. */
INLINE int byte_grid_of(struct byte_grid *s, const struct byte_format *f,
                        const uint32_t *const *regs, unsigned count, const struct byte_extent *x) {
    unsigned most = 255 - byte_least(~x->most), least = byte_least(x->least);
    int low, high = (int)(most >> f->frac);
    if (!least)
        least = byte_least_of_some(f, regs, count);
    low = (int)((least > most ? most : least) >> f->frac);
    low = low ? low : 1; /* subnormals, or zeros alone */
    high = high ? high : 1;
    s->top = low + WHOLE_BITS - f->digits;
    s->unit = low - f->digits - f->bias;
    s->high = high - f->bias;
    return high <= s->top;
}

/* Whether the elements of A can be integers, in steps that can be whole. */
INLINE int byte_whole_rows(struct byte *y, const uint32_t *const *a, const struct byte_extent *x) {
    return y->shape.words == 8 && !y->shape.narrow &&
           byte_grid_of(&y->rows, &y->in_a, a, y->words / 2, x);
}

/* Whether a 32-bit C may be above 2^(limit + 1). Not for steps with scale factors. */
static int byte_whole_large(const struct byte *y, const uint32_t *const *c) {
    vec most = vec_all(0);
    for (unsigned i = 0; i < 4; i++)
        for (unsigned at = 0; at < 32; at += VL)
            most = vec_max(most, vec_load(c[i] + at) & 0x7FFFFFFF);
    return vec_any(vec_less(vec_all(((uint32_t)y->limit + 1) << 23), most));
}

/* Whether the elements of B can be integers, and products are whole unless C raises e. */
INLINE int byte_whole_columns(struct byte *y, const uint32_t *const *b, unsigned regs,
                              const struct byte_extent *x, const uint32_t *const *c) {
    const struct byte_shape k = y->shape;
    int spare;
    if (!byte_grid_of(&y->columns, &y->in_b, b, regs, x))
        return 0;
    y->unit = 127 + y->rows.unit + y->columns.unit;
    y->limit = y->unit + y->keep - !k.split;
    spare = y->limit - (127 + y->rows.high + y->columns.high);
    return spare >= (k.split ? 0 : WHOLE_SPARE) &&
           (k.half ? y->limit >= y->floor && y->limit >= y->least
                   : k.split || y->scaled || !byte_whole_large(y, c));
}

/* Elements 0 and 1, and 2 and 3, of each word as 16-bit integers. A significand in a byte, in two's
 * complement, is shifted up by 8 and down by `top` - field. The significand of a subnormal is
 * doubled, because its field is 0 and not 1. */
INLINE void byte_whole_pairs(vec w, const struct byte_format *f, int top, int normal, vec pair[2]) {
    const vec lanes = {0,          0x04040404, 0x08080808, 0x0C0C0C0C, 0,          0x04040404,
                       0x08080808, 0x0C0C0C0C, 0,          0x04040404, 0x08080808, 0x0C0C0C0C,
                       0,          0x04040404, 0x08080808, 0x0C0C0C0C};
    vec mag = w & 0x7F7F7F7F, field = vec_shift_each(mag, vec_all(f->frac)), sig, down;
    unsigned by = 6 - f->frac;
    field &= vec_all8((uint8_t)(0x7F >> f->frac));
    sig = (vec_shift_left_each(mag, vec_all(by)) & vec_all8((uint8_t)(0x3F >> by << by))) |
          vec_all8(0x40);
    if (!normal)
        sig = vec_add8(sig, vec_shuffle8(f->doubled, byte_small_index(mag, f)));
    sig = (vec)_mm512_mask_sub_epi8((__m512i)sig, _mm512_movepi8_mask((__m512i)w),
                                    _mm512_setzero_si512(), (__m512i)sig);
    down = vec_sub8(vec_all8((uint8_t)top), field);
    for (unsigned p = 0; p < 2; p++) {
        vec up = lanes | vec_all(p ? UINT32_C(0x03800280) : UINT32_C(0x01800080));
        vec low = lanes | vec_all(p ? UINT32_C(0x80038002) : UINT32_C(0x80018000));
        pair[p] = (vec)_mm512_srav_epi16((__m512i)vec_shuffle8(sig, up),
                                         (__m512i)vec_shuffle8(down, low));
    }
}

/* --- a tile --- */

INLINE void byte_whole_decode_a(struct byte *y, const uint32_t *const *a, int normal) {
    const struct byte_format f = y->in_a;
    for (unsigned i = 0; i < y->words; i += 4) {
        vec z[4][ROW_VECS];
        vec_columns(z, a[i / 2], a[i / 2 + 1]);
        for (unsigned t = 0; t < 4; t++) {
            vec w = byte_lift(z[t][0], &f);
            byte_whole_pairs(w, &f, y->rows.top, normal, y->whole[i + t]);
            if (!y->shape.split)
                y->code[i + t][0] = normal ? byte_normal_codes(w, &f) : byte_codes(w, &f);
        }
    }
}

APART void byte_whole_a(struct byte *y, const uint32_t *const *a) {
    if (y->normal_a)
        byte_whole_decode_a(y, a, 1);
    else
        byte_whole_decode_a(y, a, 0);
}

INLINE void byte_whole_decode_b(const struct byte *y, struct byte_columns *g,
                                const uint32_t *const *b, int normal) {
    unsigned regs = y->shape.sparse ? y->words / 2 : y->words / 4;
    const struct byte_format f = y->in_b;
    for (unsigned i = 0; i < regs; i++) {
        struct byte_words *to = i < 2 ? &g->b : g->more;
        uint32_t *words = to->of.whole[i % 2];
        for (unsigned at = 0; at < 32; at += VL) {
            vec w = byte_lift(vec_load(b[i] + at), &f), pair[2];
            byte_whole_pairs(w, &f, y->columns.top, normal, pair);
            if (!y->shape.split)
                vec_store(to->code[i % 2] + at,
                          normal ? byte_normal_codes(w, &f) : byte_codes(w, &f));
            if (y->shape.sparse) {
                __m512i low = (__m512i)pair[0], high = (__m512i)pair[1];
                vec_store(words + 2 * at, (vec)_mm512_unpacklo_epi32(low, high));
                vec_store(words + 2 * at + 16, (vec)_mm512_unpackhi_epi32(low, high));
            } else {
                vec_store(words + at, pair[0]);
                vec_store(words + 32 + at, pair[1]);
            }
        }
    }
}

INLINE void byte_whole_b(const struct byte *y, struct byte_columns *g, const uint32_t *const *b) {
    if (y->normal_b)
        byte_whole_decode_b(y, g, b, 1);
    else
        byte_whole_decode_b(y, g, b, 0);
    g->special = 0;
    KEEP_MEMORY(g);
    KEEP_MEMORY(g->more);
}

/* The elements of column n for pair p of word i of A. Sparse: all candidates in one of two words,
 * those of pair 0 beside those of pair 1. */
INLINE const uint32_t *byte_whole_at(const struct byte_columns *g, int sparse, unsigned i,
                                     unsigned p, unsigned n) {
    const uint32_t *words = byte_words_of(g, sparse, i)->of.whole[byte_register(sparse, i)];
    return words + (sparse ? n / 4 * 32 + i % 2 * 16 + n % 4 * 4 : 32 * p + 4 * n + i % 4);
}

/* The places of the two elements of pair p among these eight, as bytes of each lane. */
INLINE vec byte_whole_pick(const struct byte *y, unsigned i, unsigned p) {
    const vec lanes = {0,          0x04040404, 0x08080808, 0x0C0C0C0C, 0,          0x04040404,
                       0x08080808, 0x0C0C0C0C, 0,          0x04040404, 0x08080808, 0x0C0C0C0C,
                       0,          0x04040404, 0x08080808, 0x0C0C0C0C};
    vec index = lanes | vec_all(p ? UINT32_C(0x03030202) : UINT32_C(0x01010000));
    index = vec_shuffle8(y->pick[i][0].index, index);
    return vec_add8(index, index) | vec_all(UINT32_C(0x01000100));
}

INLINE __m512i byte_whole_picked(vec index, const uint32_t *eight) {
    return (__m512i)vec_shuffle8(
        (vec)_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)eight)), index);
}

/* Adds the products of pairs [from, end) of words [first, last) to the sums of columns. */
INLINE void byte_whole_add(const struct byte *y, int sparse, const struct byte_columns *g,
                           unsigned first, unsigned last, unsigned from, unsigned end, vec sum[8]) {
#define WHOLE_BEGIN(n) __m512i sum##n = (__m512i)sum[n];
#define WHOLE_ADD(n)                                                                               \
    at = byte_whole_at(g, sparse, i, p, n);                                                        \
    x = sparse ? byte_whole_picked(index, at) : _mm512_set1_epi32((int)*at);                       \
    sum##n = _mm512_dpwssd_epi32(sum##n, a, x);
#define WHOLE_END(n) sum[n] = (vec)sum##n;
    CHAIN_EACH(WHOLE_BEGIN)
    UNROLL(4)
    for (unsigned i = first; i < last; i++)
        for (unsigned p = from; p < end; p++) {
            vec index = sparse ? byte_whole_pick(y, i, p) : vec_all(0);
            __m512i a = (__m512i)y->whole[i][p], x;
            const uint32_t *at;
            CHAIN_EACH(WHOLE_ADD)
        }
    CHAIN_EACH(WHOLE_END)
#undef WHOLE_BEGIN
#undef WHOLE_ADD
#undef WHOLE_END
}

/* The sum plus C's term in doubles; together they have at most 32 bits. */
INLINE __m256i byte_whole_joined(__m256i sum, __m256i term, __m512d unit, __m256i units, int odd) {
    __m512d c = _mm512_mul_pd(_mm512_cvtepi32_pd(term),
                              _mm512_cvt_roundps_pd(_mm256_castsi256_ps(units), _MM_FROUND_NO_EXC));
    c = _mm512_fmadd_round_pd(_mm512_cvtepi32_pd(sum), unit, c, CHAIN_ROUND);
    return byte_wide_round(c, _mm512_setzero_pd(), odd);
}
INLINE vec byte_whole_wide(vec sum, vec term, vec unit, vec units, int odd) {
    __m512d one = _mm512_cvt_roundps_pd(_mm256_castsi256_ps(byte_half(unit, 0)), _MM_FROUND_NO_EXC);
    return byte_join(
        byte_whole_joined(byte_half(sum, 0), byte_half(term, 0), one, byte_half(units, 0), odd),
        byte_whole_joined(byte_half(sum, 1), byte_half(term, 1), one, byte_half(units, 1), odd));
}

/* byte_sums() of whole products, in a step that is not split. Returns 0 if an e is above limit, so
 * that alignment would cut a product. */
INLINE int byte_whole_sums(const struct byte *y, const struct byte_shape k,
                           const struct byte_columns *g, unsigned step, vec e[8][ROW_VECS],
                           vec most, vec x[8][ROW_VECS]) {
    unsigned first = step * k.words;
    vec sum[8], large = vec_all(0), unit = vec_all((uint32_t)y->unit << 23);
    if (vec_any(vec_less(vec_all((uint32_t)y->limit << 23), most)))
        return 0;
    for (unsigned n = 0; n < 8; n++)
        sum[n] = vec_all(0);
    byte_whole_add(y, k.sparse, g, first, first + k.words, 0, 2, sum);
    for (unsigned n = 0; n < 8; n++)
        large |= sum[n] ^ vec_shift_signed(sum[n], 31);
    if (k.half || BYTE_RARELY(vec_any(vec_less(vec_all(0xFFFFFF), large)))) {
        for (unsigned n = 0; n < 8; n++)
            x[n][0] = byte_whole_wide(sum[n], x[n][0], unit,
                                      e[n][0] - vec_all((uint32_t)y->keep << 23), k.half);
        return 1;
    }
    for (unsigned n = 0; n < 8; n++) {
        vec c = byte_units(y, (vec)vec_float_exact(x[n][0]), e[n][0]);
        x[n][0] = (vec)_mm512_fmadd_round_ps((__m512)vec_float_exact(sum[n]), (__m512)unit,
                                             (__m512)c, CHAIN_ROUND);
    }
    return 1;
}

/* A sum of integers as a float, truncated to 24 bits. With `odd`, the lowest bit is one if any bit
 * was lost. */
INLINE vec byte_whole_round(vec sum, int odd) {
    vec x = (vec)vec_float_toward_zero(sum);
    return odd ? x | (~vec_ones(vec_equal(sum, vec_truncate((vec_float)x))) & 1) : x;
}

/* Both steps of a split product, to g->acc. Returns 0 if alignment would cut a product. */
INLINE int byte_whole_split_as(const struct byte *y, const struct byte_shape k,
                               struct byte_columns *g) {
    vec sum[8], most = vec_all(0), unit = vec_all((uint32_t)y->unit << 23);
    vec one = vec_all((uint32_t)(254 - y->unit) << 23);
    uint32_t end = (uint32_t)((k.half ? y->limit : 127 + y->keep) + 1) << 23;
    for (unsigned n = 0; n < 8; n++)
        sum[n] = vec_all(0);
    byte_whole_add(y, k.sparse, g, 0, k.words, 0, 1, sum);
    for (unsigned n = 0; n < 8; n++) {
        vec x = byte_whole_round(sum[n], k.half);
        if (k.half)
            x = (vec)((vec_float)x * (vec_float)unit);
        x = byte_result(y, k, x);
        most = vec_max(most, x & 0x7FFFFFFF);
        sum[n] = vec_truncate(k.half ? (vec_float)x * (vec_float)one : (vec_float)x);
    }
    if (vec_any(vec_less(vec_all(end - 1), most)))
        return 0;
    KEEP_MEMORY(g); /* both steps read the same words, which need no registers in between */
    byte_whole_add(y, k.sparse, g, 0, k.words, 1, 2, sum);
    for (unsigned n = 0; n < 8; n++) {
        vec z = byte_whole_round(sum[n], k.half);
        g->acc[n][0] = byte_result(y, k, (vec)((vec_float)z * (vec_float)unit));
    }
    return 1;
}

/* Each shape has its own frame. */
#define WHOLE_SPLIT(name, half, sparse)                                                            \
    APART int name(const struct byte *y, struct byte_columns *g) {                                 \
        const struct byte_shape k = {8, 1, half, 0, sparse, 1};                                    \
        return byte_whole_split_as(y, k, g);                                                       \
    }
WHOLE_SPLIT(byte_whole_split_dense, 0, 0)
WHOLE_SPLIT(byte_whole_split_dense_half, 1, 0)
WHOLE_SPLIT(byte_whole_split_sparse, 0, 1)
WHOLE_SPLIT(byte_whole_split_sparse_half, 1, 1)
#undef WHOLE_SPLIT

static int byte_whole_split(const struct byte *y, struct byte_columns *g) {
    if (y->shape.sparse)
        return (y->shape.half ? byte_whole_split_sparse_half : byte_whole_split_sparse)(y, g);
    return (y->shape.half ? byte_whole_split_dense_half : byte_whole_split_dense)(y, g);
}
