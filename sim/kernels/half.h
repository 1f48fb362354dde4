/* half.h - factors of f16 and sums of f16 or f32: fused steps (num_fused) of 4, 8 or 16 products.
 *
 * A step aligns its products and C to the largest exponent among them, emax. It truncates each to
 * F = `keep` fraction bits, that is, toward zero to a multiple of the unit u = 2^(emax - F).
 * Conversion of a float to an integer truncates toward zero, so a term is
 *
 *     t = (int) (a * b * 2^(F - emax))
 *
 * The rest is exact. a * b has 22 bits, which a float holds; the power of two is added to the
 * exponent; the sum is one of integers. Lanes are the 16 rows of one column. Below, an exponent is
 * always the field of a float, e + 127.
 *
 * Order of work: first the rows of A (half_rows). Then for each group the columns of B
 * (half_columns), emax of all products (half_tops), and the terms and results of each column
 * (half_column). For infinities, NaN, sums of 33 bits and C beyond 2^63, half_careful computes all
 * lanes again. */

/* B is stored times 2^-HALF_LOW: see half_term. */
#define HALF_LOW 40
#define HALF_FIELD(exponent) ((uint32_t)(exponent) << 23)
#define HALF_EXPONENT UINT32_C(0x7F800000)
#define HALF_MAGNITUDE UINT32_C(0x7FFFFFFF)
#define HALF_SIGN UINT32_C(0x80000000)

/* Codes of exponents: the field of the f16, 1 for subnormals. The sum of two codes is the sum of
 * the exponents plus 30. The code of a zero is so low that even with the largest code, 31, it is
 * below 2, the least sum of two others. So a zero does not affect emax. Sums start at HALF_NONE,
 * also below 2. */
#define HALF_ZERO (-35)
#define HALF_NONE (-30)
#define HALF_TO_FIELD 97 /* from a sum of codes to a field */
#define HALF_LEAST 99    /* the least field of a nonzero product */
#define HALF_TOP_CODE 31 /* infinities and NaN */

/* Rows of A: each element as a float, and the two codes of each word. */
struct half_rows {
    vec_float number[16][ROW_VECS];
    vec code[8][ROW_VECS];
    vec top;                        /* largest codes */
    struct pick pick[16][ROW_VECS]; /* sparse: the element of B for each element */
};

/* Columns of B: numbers times 2^-HALF_LOW, and the codes of columns 2 * t + p as bytes. */
struct half_columns {
    float number[4][8][8];  /* [k / 8][column][k % 8] */
    uint32_t code[4][2][8]; /* [k / 8][p][k % 8]: a byte for each t, the lowest first */
    vec top;
};

/* A group during a step, by columns: the fields of the largest products; C, then D. */
struct half_sums {
    vec top[8][ROW_VECS];
    vec c[8][ROW_VECS];
};

/* --- vectors of halves --- */

INLINE vec half_code(vec w) {
    vec twice = vec_add16(w, w), field = (vec)((vec_half)twice >> 11);
#if defined(VEC_AVX512)
    __mmask32 some = _mm512_test_epi16_mask((__m512i)twice, (__m512i)twice);
    return (vec)_mm512_mask_max_epi16(_mm512_set1_epi16(HALF_ZERO), some, (__m512i)field,
                                      _mm512_set1_epi16(1));
#else
    vec zero = (vec)((vec_half)twice == 0);
    return vec_sub16(vec_max16(field, vec_all16(1)), zero & vec_all16(1 - HALF_ZERO));
#endif
}

INLINE int half_any_special(vec top) {
#if defined(VEC_AVX512)
    return _mm512_cmpeq_epi16_mask((__m512i)top, _mm512_set1_epi16(HALF_TOP_CODE)) != 0;
#else
    return vec_any((vec)((vec_half)top == HALF_TOP_CODE));
#endif
}

#if !defined(VEC_AVX512) && !defined(VEC_AVX2)
/* An f16 in the low half of each lane as a float. A subnormal is converted as an integer in units
 * of 2^-24, because a machine may flush subnormal floats. */
INLINE vec_float half_float(vec w) {
    vec magnitude = w & 0x7FFF, sign = (w & 0x8000) << 16;
    vec bits = (magnitude << 13) + HALF_FIELD(112);
    vec small = (vec)(vec_float_exact(magnitude) * (1.0f / 16777216));
    bits += vec_less(vec_all(0x7BFF), magnitude) & HALF_FIELD(112);
    return (vec_float)(vec_choose(vec_less(magnitude, vec_all(0x400)), small, bits) | sign);
}

/* Rounds to f16, to nearest even, in the low half of each lane. */
INLINE vec half_round(vec_float x) {
    vec bits = (vec)x & HALF_MAGNITUDE, field = bits >> 23;
    vec low = vec_max(vec_all(113) - field, vec_all(0));
    vec drop = 13 + vec_min(low, vec_all(13));
    vec significand = (bits & 0x7FFFFF) | 0x800000;
    vec half = (significand + ((vec_all(1) << (drop - 1)) - 1) + (significand >> drop & 1)) >> drop;
    half += vec_max(field - 113, vec_all(0)) << 10;
    half = vec_min(half, vec_all(0x7C00));
    half = vec_choose(vec_less(vec_all(HALF_EXPONENT), bits), vec_all(0x7FFF), half);
    return half | ((vec)x >> 16 & 0x8000);
}
#endif

/* The halves of each word as floats. */
INLINE void half_floats(vec w, vec_float *low, vec_float *high) {
#if defined(VEC_AVX512)
    static const uint16_t apart[32] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
                                       1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31};
    __m512i x = _mm512_permutexvar_epi16(_mm512_loadu_si512(apart), (__m512i)w);
    *low = (vec_float)_mm512_cvt_roundph_ps(_mm512_castsi512_si256(x), _MM_FROUND_NO_EXC);
    *high = (vec_float)_mm512_cvt_roundph_ps(_mm512_extracti64x4_epi64(x, 1), _MM_FROUND_NO_EXC);
#elif defined(VEC_AVX2)
    const __m256i apart = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15, 0,
                                           1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    __m256i x = _mm256_permute4x64_epi64(_mm256_shuffle_epi8((__m256i)w, apart), 0xD8);
    *low = (vec_float)_mm256_cvtph_ps(_mm256_castsi256_si128(x));
    *high = (vec_float)_mm256_cvtph_ps(_mm256_extracti128_si256(x, 1));
#else
    *low = half_float(w & 0xFFFF);
    *high = half_float(w >> 16);
#endif
}

/* Two vectors of floats as words of halves, rounded to nearest even. */
INLINE vec half_words(vec_float low, vec_float high) {
#if defined(VEC_AVX512)
    static const uint16_t together[32] = {0,  16, 1,  17, 2,  18, 3,  19, 4,  20, 5,
                                          21, 6,  22, 7,  23, 8,  24, 9,  25, 10, 26,
                                          11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    __m256i x = _mm512_cvt_roundps_ph((__m512)low, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256i y = _mm512_cvt_roundps_ph((__m512)high, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    return (vec)_mm512_permutexvar_epi16(_mm512_loadu_si512(together),
                                         _mm512_inserti64x4(_mm512_castsi256_si512(x), y, 1));
#elif defined(VEC_AVX2)
    __m128i x = _mm256_cvtps_ph((__m256)low, _MM_FROUND_TO_NEAREST_INT);
    __m128i y = _mm256_cvtps_ph((__m256)high, _MM_FROUND_TO_NEAREST_INT);
    return (vec)_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi16(x, y)),
                                        _mm_unpackhi_epi16(x, y), 1);
#else
    return half_round(low) | half_round(high) << 16;
#endif
}

/* -0 becomes +0 in every half. */
INLINE vec half_without_minus_zero(vec w) {
    vec minus_zero = vec_all16(0x8000);
#if defined(VEC_AVX512)
    return (vec)_mm512_maskz_mov_epi16(_mm512_cmpneq_epi16_mask((__m512i)w, (__m512i)minus_zero),
                                       (__m512i)w);
#else
    return w & ~(vec)((vec_half)w == (vec_half)minus_zero);
#endif
}

/* --- decoding --- */

APART void half_decode_rows(struct half_rows *rows, const uint32_t *const *a, unsigned k) {
    rows->top = vec_all(0);
    for (unsigned i = 0; i < k / 8; i++) {
        vec w[4][ROW_VECS];
        vec_columns(w, a[2 * i], a[2 * i + 1]);
        UNROLL(4)
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++) {
                vec code = half_code(w[t][r]);
                rows->code[4 * i + t][r] = code;
                rows->top = vec_max16(rows->top, code);
                half_floats(w[t][r], &rows->number[8 * i + 2 * t][r],
                            &rows->number[8 * i + 2 * t + 1][r]);
            }
    }
}

/* The numbers of a register of B, in the order of memory: each column with k ascending. */
INLINE void half_numbers(float *numbers, const uint32_t *b) {
    const vec_float low = (vec_float)vec_all(HALF_FIELD(127 - HALF_LOW));
#if defined(VEC_AVX512)
    for (unsigned i = 0; i < 4; i++) {
        __m256i w = _mm256_loadu_si256((const void *)(b + 8 * i));
        vec_float x = (vec_float)_mm512_cvt_roundph_ps(w, _MM_FROUND_NO_EXC) * low;
        vec_store(numbers + VL * i, (vec)x);
    }
#elif defined(VEC_AVX2)
    for (unsigned i = 0; i < 8; i++) {
        __m128i w = _mm_loadu_si128((const void *)(b + 4 * i));
        vec_store(numbers + VL * i, (vec)((vec_float)_mm256_cvtph_ps(w) * low));
    }
#else
    for (unsigned i = 0; i < 32; i += VL) {
        vec_float even, odd;
        half_floats(vec_load(b + i), &even, &odd);
        even *= low;
        odd *= low;
#if VL == 8
        vec_store(numbers + 2 * i,
                  (vec)__builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11));
        vec_store(numbers + 2 * i + VL,
                  (vec)__builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15));
#else
        vec_store(numbers + 2 * i, (vec)__builtin_shufflevector(even, odd, 0, 4, 1, 5));
        vec_store(numbers + 2 * i + VL, (vec)__builtin_shufflevector(even, odd, 2, 6, 3, 7));
#endif
    }
#endif
}

typedef uint32_t half_quad __attribute__((vector_size(16)));

/* Interleaves the low bytes of each half of x and y. */
INLINE half_quad half_pair(half_quad x, half_quad y) {
    return (x & 0x00FF00FF) | (y & 0x00FF00FF) << 8;
}

/* Turns the codes of a register of B, column after column, into words [p][k]. */
INLINE void half_bytes(uint32_t (*bytes)[8], const vec *code) {
#if defined(VEC_AVX512)
    static const uint8_t order[64] = {0,  32,  64, 96,  2,  34,  66, 98,  4,  36,  68, 100, 6,  38,
                                      70, 102, 8,  40,  72, 104, 10, 42,  74, 106, 12, 44,  76, 108,
                                      14, 46,  78, 110, 16, 48,  80, 112, 18, 50,  82, 114, 20, 52,
                                      84, 116, 22, 54,  86, 118, 24, 56,  88, 120, 26, 58,  90, 122,
                                      28, 60,  92, 124, 30, 62,  94, 126};
    vec_store(bytes, (vec)_mm512_permutex2var_epi8((__m512i)code[0], _mm512_loadu_si512(order),
                                                   (__m512i)code[1]));
#else
    half_quad column[8];
    for (unsigned i = 0; i < 32 / VL; i++)
        vec_store((uint32_t *)column + VL * i, code[i]);
    for (unsigned p = 0; p < 2; p++) {
        /* For every k the bytes of t = 0 and 1, and of t = 2 and 3; a word has an even and an odd
         * k. */
        half_quad low = half_pair(column[p], column[2 + p]);
        half_quad high = half_pair(column[4 + p], column[6 + p]);
        half_quad even = (low & 0xFFFF) | high << 16, odd = low >> 16 | (high & 0xFFFF0000);
        half_quad first = __builtin_shufflevector(even, odd, 0, 4, 1, 5);
        half_quad last = __builtin_shufflevector(even, odd, 2, 6, 3, 7);
        memcpy(bytes[p], &first, sizeof first);
        memcpy(bytes[p] + 4, &last, sizeof last);
    }
#endif
}

static void half_decode_columns(struct half_columns *columns, const uint32_t *const *b, unsigned k,
                                int sparse) {
    columns->top = vec_all(0);
    for (unsigned i = 0; i < (sparse ? k / 4 : k / 8); i++) {
        vec code[32 / VL];
        for (unsigned j = 0; j < 32 / VL; j++) {
            code[j] = half_code(vec_load(b[i] + VL * j));
            columns->top = vec_max16(columns->top, code[j]);
        }
        half_bytes(columns->code[i], code);
        half_numbers(columns->number[i][0], b[i]);
        if (sparse) {
            pick_prepare(columns->code[i], 16);
            pick_prepare(columns->number[i], 64);
        }
    }
    KEEP_MEMORY(columns);
}

/* Loads C as floats, by columns. An element has `bits` bits. */
INLINE void half_load(struct half_sums *sums, const uint32_t *const *c, unsigned bits) {
    for (unsigned p = 0; p < (bits == 16 ? 1 : 2); p++) {
        vec w[4][ROW_VECS];
        vec_columns(w, c[p], bits == 16 ? c[1] : c[p + 2]);
        UNROLL(4)
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                if (bits == 16)
                    half_floats(w[t][r], (vec_float *)&sums->c[2 * t][r],
                                (vec_float *)&sums->c[2 * t + 1][r]);
                else
                    sums->c[2 * t + p][r] = w[t][r];
    }
}

/* Stores D. A zero has no sign if sums are f16; an f32 that is stored as f16 keeps its sign. */
INLINE void half_store(const struct half_sums *sums, uint32_t *const *d, unsigned bits,
                       unsigned sum_bits) {
    for (unsigned p = 0; p < (bits == 16 ? 1 : 2); p++) {
        vec w[4][ROW_VECS];
        UNROLL(4)
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                if (bits == 16) {
                    w[t][r] =
                        half_words((vec_float)sums->c[2 * t][r], (vec_float)sums->c[2 * t + 1][r]);
                    if (sum_bits == 16)
                        w[t][r] = half_without_minus_zero(w[t][r]);
                } else
                    w[t][r] = sums->c[2 * t + p][r];
        vec_registers((const vec(*)[ROW_VECS])w, d[p], bits == 16 ? d[1] : d[p + 2]);
    }
}

/* --- steps --- */

/* The shape of a step, a constant in inlined functions. */
struct half_step {
    unsigned width, keep, sum_bits; /* sum_bits: of the format of the sum, 16 or 32 */
    uint32_t floor;                 /* least field of emax, for sums of 16 bits */
    int sparse;                     /* rows pick two of four elements of B */
    int last;                       /* no other step follows */
};

INLINE struct half_step half_step_of(const struct wsim_code_product *how, unsigned width,
                                     unsigned sum_bits, int sparse) {
    struct half_step step = {width, how->keep, sum_bits, HALF_FIELD(how->floor + 127), sparse, 1};
    return step;
}

/* The number of column j for element k of rows of A. It is element k of B, or with a sparse A one
 * of the four elements of chunk k / 2. half_codes() returns the codes of four columns. */
INLINE vec_float half_number(const struct half_rows *rows, const struct half_columns *columns,
                             const struct half_step *step, unsigned k, unsigned j, unsigned r) {
    if (step->sparse)
        return (vec_float)pick_word(&rows->pick[k][r], &columns->number[k / 4][j][k / 2 % 2 * 4]);
    return vec_number(&columns->number[k / 8][j][k % 8]);
}

INLINE vec half_codes(const struct half_rows *rows, const struct half_columns *columns,
                      const struct half_step *step, unsigned k, unsigned p, unsigned r) {
    if (step->sparse)
        return pick_word(&rows->pick[k][r], &columns->code[k / 4][p][k / 2 % 2 * 4]);
    return vec_all(columns->code[k / 8][p][k % 8]);
}

/* --- largest exponents --- */

/* Copies the code of the even or odd k of each word to all four bytes of the word. */
INLINE vec half_spread(vec code, unsigned odd) {
#if defined(VEC_AVX512)
    const __m128i of_row = _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    __m128i at = _mm_add_epi8(of_row, _mm_set1_epi8((char)(2 * odd)));
    return (vec)_mm512_shuffle_epi8((__m512i)code, _mm512_broadcast_i32x4(at));
#elif defined(VEC_AVX2)
    const __m128i of_row = _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    __m128i at = _mm_add_epi8(of_row, _mm_set1_epi8((char)(2 * odd)));
    return (vec)_mm256_shuffle_epi8((__m256i)code, _mm256_broadcastsi128_si256(at));
#else
    vec x = (odd ? code >> 16 : code) & 0xFF;
    x |= x << 8;
    return x | x << 16;
#endif
}

/* Whether some byte is below every sum of codes: there is no product. */
INLINE int half_any_none(vec bytes) {
#if defined(VEC_AVX512)
    return _mm512_cmplt_epi8_mask((__m512i)bytes, _mm512_set1_epi8(2)) != 0;
#else
    return vec_any((vec)((vec_byte_signed)bytes < 2));
#endif
}

/* Computes emax of the `width` products from `from` on. A word has four columns: byte t is column
 * 2 * t + p. Returns whether some row and column have only zero products. */
INLINE int half_tops(struct half_sums *sums, const struct half_rows *rows,
                     const struct half_columns *columns, const struct half_step *step,
                     unsigned from) {
    vec none = vec_all8(127);
    for (unsigned r = 0; r < ROW_VECS; r++)
        for (unsigned p = 0; p < 2; p++) {
            vec even = vec_all8((uint8_t)HALF_NONE), odd = even, top;
            UNROLL(8)
            for (unsigned k = from; k < from + step->width; k += 2) {
                vec code = rows->code[k / 2][r];
                vec low = half_codes(rows, columns, step, k, p, r);
                vec high = half_codes(rows, columns, step, k + 1, p, r);
                low = vec_add8(half_spread(code, 0), low);
                high = vec_add8(half_spread(code, 1), high);
                even = vec_max8(even, low);
                odd = vec_max8(odd, high);
            }
            top = vec_max8(even, odd);
            none = vec_min8(none, top);
            top = vec_add8(top, vec_all8(HALF_TO_FIELD));
            sums->top[p][r] = top << 23 & HALF_EXPONENT;
            sums->top[2 + p][r] = top << 15 & HALF_EXPONENT;
            sums->top[4 + p][r] = top << 7 & HALF_EXPONENT;
            sums->top[6 + p][r] = top >> 1 & HALF_EXPONENT;
        }
    return half_any_none(none);
}

/* --- a column --- */

/* emax of the products and C. A C that is subnormal as f16 has the exponent -14, though its float
 * is normal. A C that is subnormal as a float has field 0. With any product it is below one unit,
 * and without a product half_alone ignores emax. */
INLINE vec half_emax(const struct half_step *step, vec top, vec c) {
    vec of_c = c & HALF_EXPONENT;
    if (step->sum_bits == 32)
        return vec_max(top, of_c);
    of_c = vec_choose(vec_test(c, vec_all(HALF_MAGNITUDE)), vec_max(of_c, vec_all(HALF_FIELD(113))),
                      vec_all(0));
    return vec_max(vec_max(top, vec_all(step->floor)), of_c);
}

/* The number that is added to the exponent of a product. */
INLINE vec half_scale(const struct half_step *step, vec emax) {
    return HALF_FIELD(step->keep + 127 + HALF_LOW) - emax;
}

/* Adds the term of one k. a * b is exact, 22 bits, and at least 2^(-48 - 40): normal.
 *
 * Nonzero: the exponent of a product is at most emax, so its magnitude is below 4 * 2^F <= 2^27
 * after scaling. So its field stays below 255, and the conversion is in range. The field cannot
 * become 0 or negative: the least field of a product is 39, and the scale is not negative.
 *
 * Zero: the product is +-0, and the addition to its field makes it 2^(scale - 127). This has to
 * truncate to 0, so 0 <= scale <= 126 is required. HALF_LOW ensures that: scale = F + 167 - emax
 * (as fields) is not negative while emax <= F + 167. (For products emax is at most 157; this allows
 * C up to 2^63.) And emax >= 67 = HALF_NONE + HALF_TO_FIELD, so scale is at most 125. */
INLINE vec half_term(vec_float a, vec_float b, vec scale) {
    return vec_truncate((vec_float)((vec)(a * b) + scale));
}

/* C in units. The scale is a normal float for fields of emax from F to F + 253. If C is a flushed
 * subnormal, or the product underflows, the term is below one unit. */
INLINE vec half_term_c(const struct half_step *step, vec c, vec emax) {
    return vec_truncate((vec_float)c * (vec_float)(HALF_FIELD(step->keep + 254) - emax));
}

/* A sum of 32 bits, truncated, as a float in units of 2^0. For f16, the lowest of the 24 bits is
 * set if any lower bit is ("to odd"). As 24 >= 11 + 2, rounding that to nearest is rounding the
 * sum. */
INLINE vec_float half_sum(const struct half_step *step, vec sum) {
    vec_float x = vec_float_toward_zero(sum);
    if (step->sum_bits == 32)
        return x;
    return (vec_float)vec_choose(vec_equal(vec_truncate(x), sum), (vec)x, (vec)x | 1);
}

/* The sum from a float in units. The unit is at least 2^-85, so the sum is 0 or normal. Between
 * steps, a sum of f16 is rounded to f16. */
INLINE vec half_result(const struct half_step *step, vec_float units, vec emax) {
    vec_float low, high, x = units * (vec_float)(emax - HALF_FIELD(step->keep));
    if (step->sum_bits == 32 || step->last)
        return (vec)x;
    half_floats(half_words(x, x), &low, &high);
    return (vec)low;
}

/* If all products are zero: C unchanged, but +0 for -0. F >= 23, so that no bit of C is cut. */
INLINE vec half_alone(vec top, vec c, vec d) {
    vec alone = vec_choose(vec_test(c, vec_all(HALF_MAGNITUDE)), c, vec_all(0));
    return vec_choose(vec_less(top, vec_all(HALF_FIELD(HALF_LEAST))), alone, d);
}

/* One step of column j. Sets the sign bit in *bad of lanes that are wrong. A negative scale shows
 * that C is infinite, NaN or too large for a zero product. A sum has 33 bits if its sign is neither
 * that of the products' sum nor that of C's term. The products' sum fits in 32: 16 of them are
 * below 16 * (2 - 2^-10)^2 * 2^25 = 2^31 - 2^21 + 2^9; 8 products with C are below 2^31. */
INLINE void half_column(struct half_sums *sums, const struct half_rows *rows,
                        const struct half_columns *columns, const struct half_step *step,
                        unsigned j, unsigned from, int none, vec *bad) {
    vec emax[ROW_VECS], scale[ROW_VECS], sum[ROW_VECS];
    if (step->sparse)
        KEEP_MEMORY(rows); /* registers have no room for copies of the picks of all columns */
    for (unsigned r = 0; r < ROW_VECS; r++) {
        emax[r] = half_emax(step, sums->top[j][r], sums->c[j][r]);
        scale[r] = half_scale(step, emax[r]);
        sum[r] = vec_all(0);
    }
    UNROLL_ALWAYS(16)
    for (unsigned k = from; k < from + step->width; k++) {
        UNROLL_ALWAYS(4)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            vec_float b = half_number(rows, columns, step, k, j, r);
            sum[r] += half_term(rows->number[k][r], b, scale[r]);
            KEEP(sum[r]);
        }
    }
    UNROLL(4)
    for (unsigned r = 0; r < ROW_VECS; r++) {
        vec c = sums->c[j][r], of_c = half_term_c(step, c, emax[r]), all = sum[r] + of_c;
        *bad |= step->width == 16 ? scale[r] | ((sum[r] ^ all) & (of_c ^ all)) : scale[r];
        sums->c[j][r] = half_result(step, half_sum(step, all), emax[r]);
        if (step->sum_bits == 32 && none)
            sums->c[j][r] = half_alone(sums->top[j][r], c, sums->c[j][r]);
    }
}

/* --- careful steps --- */

/* The magnitude of a sum of 33 bits, from its two parts. If both have the same sign, the sum has it
 * too. A magnitude of 32 bits is halved (*halved), and *lost is the bit that it loses. */
INLINE vec half_magnitude(vec products, vec of_c, vec *negative, vec *halved, vec *lost) {
    vec sum = products + of_c, magnitude;
    *negative = vec_shift_signed((products & of_c) | ((products | of_c) & sum), 31);
    magnitude = (sum ^ *negative) - *negative;
    *halved = magnitude >> 31;
    *lost = magnitude & *halved;
    return vec_choose(vec_less(magnitude, vec_all(0)), magnitude >> 1, magnitude);
}

/* Puts infinities and NaN into d. y = C + sum of a * b as floats, with C only if it is infinite or
 * NaN. Finite parts cannot overflow. So y is a NaN exactly if the result is: from a NaN, infinity
 * times 0, or infinity minus infinity. And y is infinite exactly if the result is. Rounding does
 * not matter. */
INLINE vec half_specials(vec y, vec d) {
    vec magnitude = y & HALF_MAGNITUDE;
    d = vec_choose(vec_equal(magnitude, vec_all(HALF_EXPONENT)), y, d);
    return vec_choose(vec_less(vec_all(HALF_EXPONENT), magnitude), vec_all(HALF_MAGNITUDE), d);
}

/* One step of column j and row vector r, with all cases that half_column leaves. If C is beyond
 * 2^63, the scale is 0: a unit is then above every product, and times 2^-40 they are below 1. Lanes
 * with infinities or NaN compute a meaningless sum first, which half_specials replaces. */
INLINE vec half_careful_column(const struct half_sums *sums, const struct half_rows *rows,
                               const struct half_columns *columns, const struct half_step *step,
                               unsigned j, unsigned r, unsigned from) {
    vec c = sums->c[j][r], top = sums->top[j][r], emax = half_emax(step, top, c);
    vec scale = vec_max(half_scale(step, emax), vec_all(0)), sum = vec_all(0);
    vec finite =
        (vec)vec_choose(vec_less(c & HALF_MAGNITUDE, vec_all(HALF_EXPONENT)), vec_all(0), c);
    vec magnitude, negative, halved, lost, d;
    vec_float y = (vec_float)finite, x;
    UNROLL(16)
    for (unsigned k = from; k < from + step->width; k++) {
        vec_float p = rows->number[k][r] * half_number(rows, columns, step, k, j, r);
        sum += vec_truncate((vec_float)((vec)p + scale));
        y += p;
        KEEP(sum);
    }
    magnitude = half_magnitude(sum, half_term_c(step, c, emax), &negative, &halved, &lost);
    x = half_sum(step, magnitude);
    if (step->sum_bits == 16)
        x = (vec_float)((vec)x | lost);
    d = half_result(step, (vec_float)((vec)x + (halved << 23) + (negative & HALF_SIGN)), emax);
    if (step->sum_bits == 32)
        d = half_alone(top, c, d);
    return half_specials((vec)y, d);
}

/* --- groups --- */

/* Replaces C by D in all steps. Returns nonzero if some lane is wrong. */
INLINE int half_add(struct half_sums *sums, const struct half_rows *rows,
                    const struct half_columns *columns, struct half_step step, unsigned k) {
    vec bad = vec_all(0);
    for (unsigned from = 0; from < k; from += step.width) {
        int none = half_tops(sums, rows, columns, &step, from);
        step.last = from + step.width == k;
        for (unsigned j = 0; j < 8; j++)
            half_column(sums, rows, columns, &step, j, from, none, &bad);
    }
    return vec_any_negative(bad);
}

INLINE void half_add_careful(struct half_sums *sums, const struct half_rows *rows,
                             const struct half_columns *columns, struct half_step step,
                             unsigned k) {
    for (unsigned from = 0; from < k; from += step.width) {
        half_tops(sums, rows, columns, &step, from);
        step.last = from + step.width == k;
        for (unsigned j = 0; j < 8; j++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                sums->c[j][r] = half_careful_column(sums, rows, columns, &step, j, r, from);
    }
}

/* A function half_careful_KIND_WIDTH_BITS. */
typedef void half_careful(struct half_sums *sums, const struct half_rows *rows,
                          const struct half_columns *columns, const struct wsim_code_product *how);

/* Computes one group of columns. The strip begins at the group. */
INLINE void half_group(const struct wsim_code_product *how, const struct half_rows *rows,
                       const struct num_strip *strip, unsigned width, unsigned sum_bits, int sparse,
                       half_careful *careful) {
    struct half_step step = half_step_of(how, width, sum_bits, sparse);
    struct half_columns columns;
    struct half_sums sums;
    unsigned k = width == 16 ? 16 : how->k;
    half_decode_columns(&columns, strip->b, k, sparse);
    half_load(&sums, strip->c, how->c->bits);
    if (half_any_special(vec_max16(rows->top, columns.top)) ||
        half_add(&sums, rows, &columns, step, k)) {
        half_load(&sums, strip->c, how->c->bits);
        careful(&sums, rows, &columns, how);
    }
    half_store(&sums, strip->d, how->d->bits, sum_bits);
}

typedef void half_form(const struct wsim_code_product *how, const struct half_rows *rows,
                       const struct num_strip *strip);

#define HALF_FORM(kind, width, bits, sparse)                                                       \
    APART void half_careful_##kind##_##width##_##bits(                                             \
        struct half_sums *sums, const struct half_rows *rows, const struct half_columns *columns,  \
        const struct wsim_code_product *how) {                                                     \
        half_add_careful(sums, rows, columns, half_step_of(how, width, bits, sparse),              \
                         width == 16 ? 16 : how->k);                                               \
    }                                                                                              \
    static void half_##kind##_##width##_##bits(const struct wsim_code_product *how,                \
                                               const struct half_rows *rows,                       \
                                               const struct num_strip *strip) {                    \
        half_group(how, rows, strip, width, bits, sparse, half_careful_##kind##_##width##_##bits); \
    }
HALF_FORM(dense, 4, 16, 0)
HALF_FORM(dense, 4, 32, 0)
HALF_FORM(dense, 8, 16, 0)
HALF_FORM(dense, 8, 32, 0)
HALF_FORM(dense, 16, 16, 0)
HALF_FORM(dense, 16, 32, 0)
HALF_FORM(sparse, 8, 16, 1)
HALF_FORM(sparse, 8, 32, 1)
HALF_FORM(sparse, 16, 16, 1)
HALF_FORM(sparse, 16, 32, 1)
#undef HALF_FORM

static half_form *half_form_of(const struct wsim_code_product *how) {
    int wide = how->result->bits == 32;
    if (how->kept) {
        if (how->width == 8)
            return wide ? half_sparse_8_32 : half_sparse_8_16;
        return wide ? half_sparse_16_32 : half_sparse_16_16;
    }
    switch (how->width) {
    case 4: return wide ? half_dense_4_32 : half_dense_4_16;
    case 8: return wide ? half_dense_8_32 : half_dense_8_16;
    default: return wide ? half_dense_16_32 : half_dense_16_16;
    }
}

static void half_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    unsigned regs_b = how->k_dense / 8u, regs_c = how->c->bits / 8u, regs_d = how->d->bits / 8u;
    half_form *form = half_form_of(how);
    struct num_strip group = *strip;
    struct half_rows rows;
    half_decode_rows(&rows, strip->a, how->k);
    if (how->kept)
        pick_rows(rows.pick, how, strip->meta);
    for (unsigned g = 0; g < strip->groups; g++) {
        form(how, &rows, &group);
        group.b += regs_b;
        group.c += regs_c;
        group.d += regs_d;
    }
}

/* --- the arithmetic that this class accepts --- */

static int half_is(const struct wsim_format *format, unsigned exp_bits, unsigned frac_bits) {
    return format->kind == WSIM_BINARY && format->is_signed && format->exp_bits == exp_bits &&
           format->frac_bits == frac_bits && format->bits == 1 + exp_bits + frac_bits &&
           format->bias == (1 << (exp_bits - 1)) - 1 && format->specials == WSIM_SPECIALS_IEEE;
}

static int half_is_f16(const struct wsim_format *format) {
    return half_is(format, 5, 10) && format->nan == 0x7FFF;
}

static int half_is_f32(const struct wsim_format *format) {
    return half_is(format, 8, 23) && format->nan == 0x7FFFFFFF;
}

/* Sums of f32 are truncated, and the floor is too low to matter: below the fields of products, and
 * not above those of subnormals. Sums of f16 are rounded; the bounds of half_term for emax hold for
 * the floor too. */
static int half_takes_sum(const struct wsim_code_product *how) {
    if (half_is_f32(how->result))
        return how->result_frac == 23 && how->rounding == WSIM_RZ && how->floor <= -127 &&
               (half_is_f32(how->c) || half_is_f16(how->c)) &&
               (half_is_f32(how->d) || half_is_f16(how->d));
    return half_is_f16(how->result) && half_is_f16(how->c) && half_is_f16(how->d) &&
           how->result_frac == 10 && how->rounding == WSIM_RN && how->floor >= -60 &&
           how->floor <= 0;
}

/* Accepts dense products, and sparse ones that keep two of four. */
static int half_takes_pattern(const struct wsim_code_product *how) {
    if (!how->kept)
        return how->k_dense == how->k;
    return how->kept == 2 && how->chunk == 4 && how->k_dense == 2 * how->k && how->width >= 8;
}

static int half_takes(const struct wsim_code_product *how) {
    return how->method == METHOD_FUSED && half_takes_pattern(how) && !how->blocks && !how->split &&
           half_is_f16(how->in_a) && half_is_f16(how->in_b) && half_is_f16(how->a) &&
           half_is_f16(how->b) && (how->k == 8 || how->k == 16) &&
           (how->width == 4 || how->width == 8 || how->width == 16) && how->k % how->width == 0 &&
           how->keep >= 23 && how->keep <= 25 && half_takes_sum(how);
}
