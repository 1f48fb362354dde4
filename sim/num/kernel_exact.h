/* kernel_exact.h - s8, u8, s4, u4: D = C + sum of products, exact, then wrapped or clamped once.
 *
 * A word of A (4 bytes of 16 rows) meets the same word of each column of B. What a lane adds up at
 * once is a part of a word: all 4 bytes where there is an instruction for it, bytes 0 and 2, then 1
 * and 3, as pairs of 16 bits, or one byte. Nibbles become bytes first, the low ones of a word and
 * then the high ones: the order of k means nothing to a sum.
 *
 * The instruction for 4 bytes multiplies an unsigned byte with a signed one. Where both are signed,
 * or both unsigned, 128 is added to, or taken from, the bytes of B (their sign bit is flipped), and
 * 128 times the sum of the row of A taken from, or added to, the result: it wraps, so nothing is
 * lost. Sums of k products of bytes stay below 2^31: k is at most 64. */

enum { EXACT_WORDS = 8 };

#if defined(VEC_AVX512)
enum { EXACT_PARTS = 1 };
#elif defined(VEC_AVX2)
enum { EXACT_PARTS = 2 };
#else
enum { EXACT_PARTS = 4 };
#endif

/* Part `part` of words of bytes. */
INLINE vec exact_part(vec x, int is_signed, unsigned part) {
#if defined(VEC_AVX512)
    (void)is_signed, (void)part;
    return x;
#elif defined(VEC_AVX2)
    __m256i y = part ? (__m256i)x : _mm256_slli_epi16((__m256i)x, 8);
    return (vec)(is_signed ? _mm256_srai_epi16(y, 8) : _mm256_srli_epi16(y, 8));
#else
    x <<= 24 - 8 * part;
    return is_signed ? vec_shift_signed(x, 24) : x >> 24;
#endif
}

/* sum + the products of two parts. */
INLINE vec exact_add(vec sum, vec a, vec b, int a_signed) {
#if defined(VEC_AVX512)
    return (vec)(a_signed ? _mm512_dpbusd_epi32((__m512i)sum, (__m512i)b, (__m512i)a)
                          : _mm512_dpbusd_epi32((__m512i)sum, (__m512i)a, (__m512i)b));
#elif defined(VEC_AVX2)
    (void)a_signed;
    return sum + (vec)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#else
    (void)a_signed;
    return sum + a * b;
#endif
}

/* The low (half 0) or the high nibbles of words, as bytes. */
INLINE vec exact_nibbles(vec x, int is_signed, unsigned half) {
    x = x >> 4 * half & 0x0F0F0F0F;
    return is_signed ? (vec)((vec_byte)(x ^ 0x08080808) - (vec_byte)vec_all8(8)) : x;
}

/* What is the same for all columns. The last four are constants where a kernel is compiled for
 * them. */
struct exact {
    vec a[EXACT_WORDS][ROW_VECS];
    vec meta[2][ROW_VECS];
    vec start[ROW_VECS]; /* what flipped bytes of B need: 128 times the sum of the row of A */
    uint32_t flip;       /* the sign bits of B, if they are flipped                         */
    int b_signed;
    unsigned words;  /* of a row of A    */
    unsigned halves; /* of nibbles, or 1 */
    int a_signed, sparse;
};

INLINE vec exact_half(vec x, const struct exact *e, int is_signed, unsigned half) {
    return e->halves > 1 ? exact_nibbles(x, is_signed, half) : x;
}

INLINE vec exact_half_b(vec x, const struct exact *e, unsigned half) {
    x = exact_half(x, e, e->b_signed, half);
    return x ^ e->flip;
}

/* --- A --- */

INLINE void exact_load(struct exact *e, const struct wsim_code_product *how,
                       const struct num_strip *strip) {
    e->b_signed = how->in_b->is_signed;
    e->flip = EXACT_PARTS == 1 && e->a_signed == e->b_signed ? UINT32_C(0x80808080) : 0;
    for (unsigned i = 0; i < e->words; i += 4)
        vec_columns(e->a + i, strip->a[i / 2], strip->a[i / 2 + 1]);
    for (unsigned i = 0; e->sparse && i < (e->words + 3) / 4; i++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            e->meta[i][r] = vec_rows(strip->meta + 16 * i, r);
    for (unsigned r = 0; r < ROW_VECS; r++) {
        vec sum = vec_all(0), ones = vec_all(UINT32_C(0x01010101));
        for (unsigned i = 0; e->flip && i < e->words; i++)
            for (unsigned half = 0; half < e->halves; half++)
                sum =
                    exact_add(sum, exact_half(e->a[i][r], e, e->a_signed, half), ones, e->a_signed);
        e->start[r] = (e->a_signed ? vec_all(0) - sum : sum) << 7;
    }
}

/* --- columns of B ---
 *
 * Sums of column j are sum[j % 2][j / 2]: those of a register of C stand together. */

enum { EXACT_BUFFER = 2 * EXACT_PARTS };

/* All parts of B, as registers have its words. */
INLINE void exact_split(const struct exact *e, const uint32_t *const *b, unsigned regs,
                        uint32_t (*parts)[2][32]) {
    for (unsigned reg = 0; reg < regs; reg++)
        for (unsigned at = 0; at < 32; at += VL)
            for (unsigned half = 0; half < e->halves; half++) {
                vec x = exact_half_b(vec_load(b[reg] + at), e, half);
                for (unsigned part = 0; part < EXACT_PARTS; part++)
                    vec_store(parts[half * EXACT_PARTS + part][reg] + at,
                              exact_part(x, e->b_signed, part));
            }
    KEEP_MEMORY(parts);
}

INLINE void exact_dense(const struct exact *e, const uint32_t *const *b, vec (*sum)[4][ROW_VECS]) {
    uint32_t parts[EXACT_BUFFER][2][32];
    exact_split(e, b, e->words / 4, parts);
    for (unsigned i = 0; i < e->words; i++)
        for (unsigned n = 0; n < e->halves * EXACT_PARTS; n++)
            for (unsigned r = 0; r < ROW_VECS; r++) {
                const uint32_t *words = parts[n][i / 4] + i % 4;
                vec a = exact_half(e->a[i][r], e, e->a_signed, n / EXACT_PARTS);
                a = exact_part(a, e->a_signed, n % EXACT_PARTS);
                UNROLL(8)
                for (unsigned j = 0; j < 8; j++)
                    sum[j % 2][j / 2][r] =
                        exact_add(sum[j % 2][j / 2][r], a, vec_word(words + 4 * j), e->a_signed);
            }
}

/* --- sparse: a word of A meets two words of B, of which each row keeps the bytes that a byte of
 * metadata names: two of each --- */

/* Where they are, counted over both words. */
INLINE vec exact_index(vec meta, unsigned word) {
    vec m = meta >> 8 * (word % 4) & 0xFF;
    return ((m | m << 6 | m << 12 | m << 18) & 0x03030303) | 0x04040000;
}

INLINE vec exact_pick(vec index, const uint32_t *b) {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    long long words;
    memcpy(&words, b, sizeof words);
#endif
#if defined(VEC_AVX512)
    return (vec)_mm512_shuffle_epi8(_mm512_set1_epi64(words), (__m512i)index);
#elif defined(VEC_AVX2)
    return (vec)_mm256_shuffle_epi8(_mm256_set1_epi64x(words), (__m256i)index);
#else
    vec low = vec_all(b[0]), high = vec_all(b[1]);
    return (low >> (index << 3 & 0x18) & 0xFF) | (low >> (index >> 5 & 0x18) & 0xFF) << 8 |
           (high >> (index >> 13 & 0x18) & 0xFF) << 16 | high >> (index >> 21 & 0x18) << 24;
#endif
}

INLINE void exact_sparse(const struct exact *e, const uint32_t *const *b, vec (*sum)[4][ROW_VECS]) {
    for (unsigned i = 0; i < e->words; i++)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            vec index = exact_index(e->meta[i / 4][r], i);
            UNROLL(8)
            for (unsigned j = 0; j < 8; j++) {
                vec picked = exact_pick(index, b[i / 2] + 4 * j + 2 * (i % 2));
                for (unsigned n = 0; n < e->halves * EXACT_PARTS; n++) {
                    vec x = exact_half(e->a[i][r], e, e->a_signed, n / EXACT_PARTS);
                    vec y = exact_half_b(picked, e, n / EXACT_PARTS);
                    sum[j % 2][j / 2][r] =
                        exact_add(sum[j % 2][j / 2][r], exact_part(x, e->a_signed, n % EXACT_PARTS),
                                  exact_part(y, e->b_signed, n % EXACT_PARTS), e->a_signed);
                }
            }
        }
}

/* --- results --- */

INLINE void exact_store(const struct wsim_code_product *how, vec (*sum)[4][ROW_VECS],
                        const uint32_t *const *c, uint32_t *const *d) {
    vec z[2][4][ROW_VECS];
    for (unsigned p = 0; p < 2; p++) {
        vec_columns(z[p], c[p], c[p + 2]);
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++) {
                vec old = z[p][t][r], more = sum[p][t][r], all = old + more;
                /* Past an end: both had the same sign, and the sum has not. */
                vec past = vec_shift_signed(~(old ^ more) & (old ^ all), 31);
                vec end = vec_shift_signed(old, 31) ^ 0x7FFFFFFF;
                z[p][t][r] = how->saturate ? (all & ~past) | (end & past) : all;
            }
    }
    for (unsigned p = 0; p < 2; p++)
        vec_registers((const vec(*)[ROW_VECS])z[p], d[p], d[p + 2]);
}

/* Bytes, or nibbles that are kept in pairs; C and D are s32. */
static int exact_takes(const struct wsim_code_product *how) {
    unsigned words = how->k * how->bits_a / 32u;
    return how->method == METHOD_EXACT && (how->bits_a == 8 || how->bits_a == 4) &&
           how->bits_b == how->bits_a && words % 4 == 0 && words <= EXACT_WORDS &&
           how->d->bits == 32 && (!how->kept || how->chunk * how->bits_a == 32);
}

INLINE void exact_all(const struct wsim_code_product *how, const struct num_strip *strip,
                      unsigned words, unsigned halves, int a_signed, int sparse) {
    struct exact e;
    unsigned regs = (sparse ? 2 : 1) * words / 4;
    e.words = words;
    e.halves = halves;
    e.a_signed = a_signed;
    e.sparse = sparse;
    exact_load(&e, how, strip);
    for (unsigned g = 0; g < strip->groups; g++) {
        vec sum[2][4][ROW_VECS];
        for (unsigned j = 0; j < 8; j++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                sum[j % 2][j / 2][r] = e.start[r];
        if (sparse)
            exact_sparse(&e, strip->b + g * regs, sum);
        else
            exact_dense(&e, strip->b + g * regs, sum);
        exact_store(how, sum, strip->c + 4 * g, strip->d + 4 * g);
    }
}

/* One function for each: the loops above are straight then. */
#define EXACT(name, words, halves, a_signed, sparse)                                               \
    static void name(const struct wsim_code_product *how, const struct num_strip *strip) {         \
        exact_all(how, strip, words, halves, a_signed, sparse);                                    \
    }
#define EXACT_SIGNS(name, words, halves, sparse)                                                   \
    EXACT(name##_u, words, halves, 0, sparse)                                                      \
    EXACT(name##_s, words, halves, 1, sparse)
#define EXACT_SIZES(name, sparse)                                                                  \
    EXACT_SIGNS(name##_bytes4, 4, 1, sparse)                                                       \
    EXACT_SIGNS(name##_bytes8, 8, 1, sparse)                                                       \
    EXACT_SIGNS(name##_nibbles4, 4, 2, sparse)                                                     \
    EXACT_SIGNS(name##_nibbles8, 8, 2, sparse)
EXACT_SIZES(exact_dense, 0)
EXACT_SIZES(exact_sparse, 1)

static void exact_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    /* [sparse][nibbles][8 words][A is signed] */
    static num_kernel_run *const runs[2][2][2][2] = {
        {{{exact_dense_bytes4_u, exact_dense_bytes4_s},
          {exact_dense_bytes8_u, exact_dense_bytes8_s}},
         {{exact_dense_nibbles4_u, exact_dense_nibbles4_s},
          {exact_dense_nibbles8_u, exact_dense_nibbles8_s}}},
        {{{exact_sparse_bytes4_u, exact_sparse_bytes4_s},
          {exact_sparse_bytes8_u, exact_sparse_bytes8_s}},
         {{exact_sparse_nibbles4_u, exact_sparse_nibbles4_s},
          {exact_sparse_nibbles8_u, exact_sparse_nibbles8_s}}}};
    runs[how->kept != 0][how->bits_a == 4][how->k * how->bits_a == 256][how->in_a->is_signed](
        how, strip);
}
#undef EXACT
#undef EXACT_SIGNS
#undef EXACT_SIZES
