/* turn.h - products of words by words, in the order of registers: A, C and D are not transposed.
 * Lane 4 * g + t has word t of row g of A, and column 2 * t + p of row g of C. To reach all four
 * words of the row, A is rotated four times by one lane within each four. The matching words of B
 * have another order, which is the same for all rows. So B is put in order once, and read four
 * words at a time.
 *
 * A class defines its product (turn_add). A word may be split into parts, each in a word.
 */

enum {
    TURN_REGS = 2,                 /* registers of a row of A, four words each                  */
    TURN_VECS = WSIM_LANES / VL,   /* vectors of a register                                     */
    TURN_AT_ONCE = VL > 4 ? 4 : 2, /* row vectors whose sums stay in registers                  */
    TURN_ROWS = 2 * TURN_VECS      /* row vectors in all                                        */
};

/* Parts of B, of 8 columns: [register][turn][p][t] is word (t + turn) % 4 of column 2 * t + p. */
typedef uint32_t turn_columns[TURN_REGS][4][2][4];

/* Parts of some vectors of A: [register][vector]. */
typedef vec turn_rows[TURN_REGS][TURN_AT_ONCE];

/* sum + a * b. */
typedef vec turn_add(vec sum, vec a, vec b);

/* Rotates each four lanes: lane t receives lane (t + by) % 4. */
INLINE vec turn(vec x, unsigned by) {
#if defined(VEC_AVX512)
#define TURN(a, b, c, d) (vec) _mm512_shuffle_epi32((__m512i)x, a | b << 2 | c << 4 | d << 6)
#elif VL == 8
#define TURN(a, b, c, d) __builtin_shufflevector(x, x, a, b, c, d, 4 + a, 4 + b, 4 + c, 4 + d)
#else
#define TURN(a, b, c, d) __builtin_shufflevector(x, x, a, b, c, d)
#endif
    switch (by) {
    case 1: return TURN(1, 2, 3, 0);
    case 2: return TURN(2, 3, 0, 1);
    case 3: return TURN(3, 0, 1, 2);
    default: return x;
    }
#undef TURN
}

/* Repeats four words in each four lanes. */
INLINE vec turn_four(const uint32_t four[4]) {
#if defined(VEC_AVX512)
    return (vec)_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)four));
#elif defined(VEC_AVX2)
    return (vec)_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)four));
#else
    uint32_t __attribute__((vector_size(16))) x;
    memcpy(&x, four, sizeof x);
#if VL == 8
    return __builtin_shufflevector(x, x, 0, 1, 2, 3, 0, 1, 2, 3);
#else
    return x;
#endif
#endif
}

/* Puts the words of a register of B in order. */
INLINE void turn_order(const vec words[TURN_VECS], uint32_t to[4][2][4]) {
#if VL == 16
    /* Words 4 * (2 * t + p) + (t + turn) % 4 for turns 0 and 1, and for turns 2 and 3. */
    const vec first = {0, 9, 18, 27, 4, 13, 22, 31, 1, 10, 19, 24, 5, 14, 23, 28};
    const vec last = {2, 11, 16, 25, 6, 15, 20, 29, 3, 8, 17, 26, 7, 12, 21, 30};
    __m512i low = (__m512i)words[0], high = (__m512i)words[1];
    vec_store(to[0], (vec)_mm512_permutex2var_epi32(low, (__m512i)first, high));
    vec_store(to[2], (vec)_mm512_permutex2var_epi32(low, (__m512i)last, high));
#else
    /* Column 2 * t + p turned by t; then a transpose makes turns of words. */
    for (unsigned p = 0; p < 8 / VL; p++) {
        vec z[4];
        for (unsigned t = 0; t < 4; t++)
            z[t] = turn(words[8 / VL * t + p], t);
        vec_transpose(z);
        for (unsigned by = 0; by < 4; by++)
            vec_store(to[by][p], z[by]);
    }
#endif
}

/* Loads registers of A or C. D may be the same registers, so all loads precede the stores. */
INLINE void turn_load(vec of[TURN_ROWS], const uint32_t *low, const uint32_t *high) {
    for (unsigned i = 0; i < TURN_ROWS; i++)
        of[i] = vec_load((i < TURN_VECS ? low : high) + i % TURN_VECS * VL);
}

/* Adds the products of `parts` parts: sum[p][i] is column 2 * t + p of row vector i. */
INLINE void turn_products(turn_rows *a, turn_columns *b, unsigned parts, unsigned regs,
                          turn_add *add, vec sum[2][TURN_AT_ONCE]) {
    UNROLL(2)
    for (unsigned part = 0; part < parts; part++) {
        UNROLL(2)
        for (unsigned reg = 0; reg < regs; reg++) {
            UNROLL(4)
            for (unsigned by = 0; by < 4; by++) {
                vec even = turn_four(b[part][reg][by][0]), odd = turn_four(b[part][reg][by][1]);
                UNROLL(4)
                for (unsigned i = 0; i < TURN_AT_ONCE; i++) {
                    vec x = turn(a[part][reg][i], by);
                    sum[0][i] = add(sum[0][i], x, even);
                    sum[1][i] = add(sum[1][i], x, odd);
                    KEEP(sum[0][i]);
                    KEEP(sum[1][i]);
                }
            }
        }
    }
}

/* Stores row vector i of columns 2 * t + p in registers of D. */
INLINE void turn_store(uint32_t *const *d, unsigned p, unsigned i, vec x) {
    vec_store(d[i / TURN_VECS * 2 + p] + i % TURN_VECS * VL, x);
}
