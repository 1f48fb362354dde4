/* exact.h - s8, u8, s4, u4: D = C + sum of products, exact, then wrapped or clamped once.
 *
 * A word of A (4 bytes of a row) is multiplied by the same word of each column of B. A lane adds
 * all 4 bytes at once if there is an instruction for it. Otherwise it adds bytes 0 and 2, then
 * bytes 1 and 3, as pairs of 16 bits. Nibbles become bytes first: the low ones of a word, then the
 * high ones. The order of k does not change a sum.
 *
 * The instruction for 4 bytes multiplies an unsigned byte by a signed one. If both are signed, the
 * kernel adds 128 to the bytes of B, and subtracts 128 times the sum of the row of A. If both are
 * unsigned, it subtracts 128 and adds 128 times the sum. Either flips the sign bit of the bytes,
 * and sums wrap, so nothing is lost. Without such an instruction products of bytes have to fit in
 * 16 bits with a sign, and only unsigned bytes of B are flipped. Sums of k products of bytes stay
 * below 2^31: k is at most 64. */

enum { EXACT_WORDS = 8 };

#if defined(VEC_AVX512)
enum { EXACT_PARTS = 1 };
#else
enum { EXACT_PARTS = 2 };
#endif

/* Part `part` of words of bytes. */
INLINE vec exact_part(vec x, int is_signed, unsigned part) {
#if defined(VEC_AVX512)
    (void)is_signed, (void)part;
    return x;
#else
    vec_half y = part ? (vec_half)x : (vec_half)x << 8;
    return is_signed ? (vec)((vec_half_signed)y >> 8) : (vec)(y >> 8);
#endif
}

/* sum + the products of two parts of a word. */
INLINE vec exact_add(vec sum, vec a, vec b, int a_signed) {
#if defined(VEC_AVX512)
    return (vec)(a_signed ? _mm512_dpbusd_epi32((__m512i)sum, (__m512i)b, (__m512i)a)
                          : _mm512_dpbusd_epi32((__m512i)sum, (__m512i)a, (__m512i)b));
#elif defined(VEC_AVX2)
    (void)a_signed;
    return sum + vec_pairs_product(a, b);
#else
    vec two = (vec)((vec_half)a * (vec_half)b);
    (void)a_signed;
    return sum + vec_shift_signed(two << 16, 16) + vec_shift_signed(two, 16);
#endif
}
INLINE vec exact_add_signed(vec sum, vec a, vec b) {
    return exact_add(sum, a, b, 1);
}
INLINE vec exact_add_unsigned(vec sum, vec a, vec b) {
    return exact_add(sum, a, b, 0);
}

INLINE int exact_flips(int a_signed, int b_signed) {
#if defined(VEC_AVX512)
    return a_signed == b_signed;
#elif defined(VEC_AVX2)
    return (void)a_signed, (void)b_signed, 0;
#else
    return (void)a_signed, !b_signed;
#endif
}

/* The low (half 0) or the high nibbles of words, as bytes. */
INLINE vec exact_nibbles(vec x, int is_signed, unsigned half) {
    x = x >> 4 * half & 0x0F0F0F0F;
    return is_signed ? (vec)((vec_byte)(x ^ 0x08080808) - (vec_byte)vec_all8(8)) : x;
}

/* The constants of one compiled kernel. */
struct exact {
    unsigned words;  /* words of a row of A          */
    unsigned halves; /* 2 for nibbles, 1 for bytes   */
    int a_signed;
};

/* B: the same for all columns. */
struct exact_b {
    int is_signed;
    uint32_t flip;  /* the sign bits of B if it is flipped      */
    int are_signed; /* whether the parts are signed after that  */
};

INLINE struct exact_b exact_of_b(const struct exact e, const struct wsim_code_product *how) {
    int is_signed = how->in_b->is_signed, flips = exact_flips(e.a_signed, is_signed);
    struct exact_b b = {is_signed, flips ? UINT32_C(0x80808080) : 0, is_signed ^ flips};
    return b;
}

/* The bytes of a word, or its low or high nibbles as bytes; bytes of B are flipped if necessary. */
INLINE vec exact_half_a(const struct exact e, vec x, unsigned half) {
    return e.halves > 1 ? exact_nibbles(x, e.a_signed, half) : x;
}
INLINE vec exact_half_b(const struct exact e, const struct exact_b *b, vec x, unsigned half) {
    return (e.halves > 1 ? exact_nibbles(x, b->is_signed, half) : x) ^ b->flip;
}

/* Part `part` of a word, counted over its bytes, or over its low and then its high nibbles. */
INLINE vec exact_part_a(const struct exact e, vec x, unsigned part) {
    return exact_part(exact_half_a(e, x, part / EXACT_PARTS), e.a_signed, part % EXACT_PARTS);
}
INLINE vec exact_part_b(const struct exact e, const struct exact_b *b, vec x, unsigned part) {
    return exact_part(exact_half_b(e, b, x, part / EXACT_PARTS), b->are_signed, part % EXACT_PARTS);
}

/* The correction for flipped bytes of B: 128 times the sum of the bytes of A. Word i of A is
 * a[i * stride]. */
INLINE vec exact_amends(const struct exact e, const struct exact_b *b, const vec *a, unsigned words,
                        unsigned stride) {
    vec sum = vec_all(0), ones = exact_part(vec_all(UINT32_C(0x01010101)), 0, 0);
    for (unsigned i = 0; b->flip && i < words; i++)
        for (unsigned part = 0; part < e.halves * EXACT_PARTS; part++)
            sum = exact_add(sum, exact_part_a(e, a[i * stride], part), ones, e.a_signed);
    return (b->is_signed ? vec_all(0) - sum : sum) << 7;
}

/* C + the sum. */
INLINE vec exact_total(vec old, vec sum, int saturate) {
    vec all = old + sum;
    if (saturate) {
        /* Overflow: both terms have the same sign, and the sum has the other. */
        vec past = vec_shift_signed(~(old ^ sum) & (old ^ all), 31);
        vec end = vec_shift_signed(old, 31) ^ 0x7FFFFFFF;
        all = (all & ~past) | (end & past);
    }
    return all;
}

/* --- dense: words in the order of registers (turn.h) --- */

INLINE void exact_dense_group(const struct exact e, const struct exact_b *how, int saturate,
                              const vec (*a)[TURN_ROWS], const uint32_t *const *b,
                              const uint32_t *const *c, uint32_t *const *d) {
    unsigned parts = e.halves * EXACT_PARTS, regs = e.words / 4;
    vec old[2][TURN_ROWS];
    turn_columns columns[2 * EXACT_PARTS];
    for (unsigned part = 0; part < parts; part++)
        for (unsigned reg = 0; reg < regs; reg++) {
            vec words[TURN_VECS];
            for (unsigned i = 0; i < TURN_VECS; i++)
                words[i] = exact_part_b(e, how, vec_load(b[reg] + VL * i), part);
            turn_order(words, columns[part][reg]);
        }
    KEEP_MEMORY(columns);
    for (unsigned p = 0; p < 2; p++)
        turn_load(old[p], c[p], c[p + 2]);
    for (unsigned first = 0; first < TURN_ROWS; first += TURN_AT_ONCE) {
        vec sum[2][TURN_AT_ONCE];
        UNROLL(4)
        for (unsigned i = 0; i < TURN_AT_ONCE; i++) {
            vec amends = exact_amends(e, how, &a[0][first + i], regs, TURN_ROWS);
            /* Each lane has summed only one word of four. */
            amends += turn(amends, 2);
            sum[0][i] = sum[1][i] = amends + turn(amends, 1);
        }
        for (unsigned half = 0; half < e.halves; half++) {
            turn_rows rows[EXACT_PARTS];
            UNROLL(4)
            for (unsigned i = 0; i < TURN_AT_ONCE; i++)
                for (unsigned part = 0; part < EXACT_PARTS; part++)
                    for (unsigned reg = 0; reg < regs; reg++)
                        rows[part][reg][i] =
                            exact_part_a(e, a[reg][first + i], half * EXACT_PARTS + part);
            turn_products(rows, columns + half * EXACT_PARTS, EXACT_PARTS, regs,
                          e.a_signed ? exact_add_signed : exact_add_unsigned, sum);
        }
        for (unsigned i = 0; i < TURN_AT_ONCE; i++)
            for (unsigned p = 0; p < 2; p++)
                turn_store(d, p, first + i, exact_total(old[p][first + i], sum[p][i], saturate));
    }
}

INLINE void exact_dense(const struct exact e, const struct wsim_code_product *how,
                        const struct num_strip *strip) {
    struct exact_b of_b = exact_of_b(e, how);
    unsigned regs = e.words / 4;
    vec a[TURN_REGS][TURN_ROWS];
    for (unsigned reg = 0; reg < regs; reg++)
        turn_load(a[reg], strip->a[2 * reg], strip->a[2 * reg + 1]);
    for (unsigned g = 0; g < strip->groups; g++)
        exact_dense_group(e, &of_b, how->saturate, (const vec(*)[TURN_ROWS])a, strip->b + g * regs,
                          strip->c + 4 * g, strip->d + 4 * g);
}

/* --- sparse: for a word of A, each row picks two bytes of each of two words of B, which a byte of
 * metadata selects. Lanes are rows, because each row has its own metadata --- */

struct exact_rows {
    vec a[EXACT_WORDS][ROW_VECS];
    vec meta[2][ROW_VECS];
};

INLINE void exact_load(struct exact_rows *rows, unsigned words, const struct num_strip *strip) {
    for (unsigned i = 0; i < words; i += 4)
        vec_columns(rows->a + i, strip->a[i / 2], strip->a[i / 2 + 1]);
    for (unsigned i = 0; i < words / 4; i++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            rows->meta[i][r] = vec_rows(strip->meta + 16 * i, r);
}

/* The places of the bytes, counted over both words. */
INLINE vec exact_index(vec meta, unsigned word) {
    return pick_twos(meta, word) | 0x04040000;
}

INLINE vec exact_pick(vec index, const uint32_t *b) {
#if defined(VEC_SHUFFLE8)
    struct pick pick = {index};
    return pick_bytes(&pick, b);
#else
    vec low = vec_all(b[0]), high = vec_all(b[1]);
    return (low >> (index << 3 & 0x18) & 0xFF) | (low >> (index >> 5 & 0x18) & 0xFF) << 8 |
           (high >> (index >> 13 & 0x18) & 0xFF) << 16 | high >> (index >> 21 & 0x18) << 24;
#endif
}

/* Turns columns of sums into registers and adds C, so that C needs no transpose. */
INLINE void exact_add_registers(vec sum[2][4][ROW_VECS], const uint32_t *const *c, int saturate) {
    UNROLL(2)
    for (unsigned p = 0; p < 2; p++)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            vec x[4];
            UNROLL(4)
            for (unsigned t = 0; t < 4; t++)
                x[t] = sum[p][t][r];
            vec_transpose(x);
            UNROLL(4)
            for (unsigned t = 0; t < 4; t++) {
                unsigned at = (4 * r + t) * VL;
                vec old = vec_load(c[at < 32 ? p : p + 2] + at % 32);
                sum[p][t][r] = exact_total(old, x[t], saturate);
            }
        }
}

/* Turns nibbles of B into bytes, once for all rows. */
INLINE void exact_split_b(const struct exact e, const struct exact_b *how, const uint32_t *const *b,
                          uint32_t (*nibbles)[4][32]) {
    for (unsigned half = 0; half < e.halves; half++)
        for (unsigned i = 0; i < e.words / 2; i++)
            for (unsigned v = 0; v < 32; v += VL)
                vec_store(nibbles[half][i] + v, exact_half_b(e, how, vec_load(b[i] + v), half));
    KEEP_MEMORY(nibbles);
}

/* The sums of column j are sum[j % 2][j / 2], so that the sums of a register of C are adjacent. */
INLINE void exact_sparse_group(const struct exact e, const struct exact_b *how, int saturate,
                               const struct exact_rows *rows, const uint32_t *const *b,
                               const uint32_t *const *c, uint32_t *const *d) {
    vec sum[2][4][ROW_VECS];
    uint32_t nibbles[2][4][32];
    if (e.halves > 1)
        exact_split_b(e, how, b, nibbles);
    for (unsigned r = 0; r < ROW_VECS; r++) {
        vec amends, all[8];
        UNROLL(8)
        for (unsigned j = 0; j < 8; j++)
            all[j] = vec_all(0);
        for (unsigned i = 0; i < e.words; i++) {
            vec index = exact_index(rows->meta[i / 4][r], i);
            UNROLL(2)
            for (unsigned half = 0; half < e.halves; half++) {
                const uint32_t *words = e.halves > 1 ? nibbles[half][i / 2] : b[i / 2];
                vec a = exact_half_a(e, rows->a[i][r], half), parts[EXACT_PARTS];
                for (unsigned part = 0; part < EXACT_PARTS; part++)
                    parts[part] = exact_part(a, e.a_signed, part);
                UNROLL(8)
                for (unsigned j = 0; j < 8; j++) {
                    vec picked = exact_pick(index, words + 4 * j + 2 * (i % 2));
                    if (e.halves == 1)
                        picked ^= how->flip;
                    for (unsigned part = 0; part < EXACT_PARTS; part++)
                        all[j] = exact_add(all[j], parts[part],
                                           exact_part(picked, how->are_signed, part), e.a_signed);
                }
            }
        }
        /* Last, because each of these additions depends on the one before. */
        amends = exact_amends(e, how, &rows->a[0][r], e.words, ROW_VECS);
        UNROLL(8)
        for (unsigned j = 0; j < 8; j++)
            sum[j % 2][j / 2][r] = all[j] + amends;
    }
    exact_add_registers(sum, c, saturate);
    for (unsigned p = 0; p < 2; p++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            for (unsigned t = 0; t < 4; t++) {
                unsigned at = (4 * r + t) * VL;
                vec_store(d[at < 32 ? p : p + 2] + at % 32, sum[p][t][r]);
            }
}

INLINE void exact_sparse(const struct exact e, const struct wsim_code_product *how,
                         const struct num_strip *strip) {
    struct exact_b of_b = exact_of_b(e, how);
    struct exact_rows rows;
    unsigned regs = e.words / 2;
    exact_load(&rows, e.words, strip);
    for (unsigned g = 0; g < strip->groups; g++)
        exact_sparse_group(e, &of_b, how->saturate, &rows, strip->b + g * regs, strip->c + 4 * g,
                           strip->d + 4 * g);
}

/* Bytes, or nibbles that are kept in pairs. C and D are s32. */
static int exact_takes(const struct wsim_code_product *how) {
    unsigned words = how->k * how->bits_a / 32u;
    return how->method == METHOD_EXACT && (how->bits_a == 8 || how->bits_a == 4) &&
           how->bits_b == how->bits_a && (words == 4 || words == EXACT_WORDS) &&
           how->d->bits == 32 && (!how->kept || how->chunk * how->bits_a == 32);
}

/* One function for each shape, so that the loops above have no branches. */
#define EXACT(name, walk, words, halves, a_signed)                                                 \
    static void name(const struct wsim_code_product *how, const struct num_strip *strip) {         \
        const struct exact e = {words, halves, a_signed};                                          \
        walk(e, how, strip);                                                                       \
    }
#define EXACT_SIGNS(name, walk, words, halves)                                                     \
    EXACT(name##_u, walk, words, halves, 0)                                                        \
    EXACT(name##_s, walk, words, halves, 1)
#define EXACT_SIZES(walk)                                                                          \
    EXACT_SIGNS(walk##_bytes4, walk, 4, 1)                                                         \
    EXACT_SIGNS(walk##_bytes8, walk, 8, 1)                                                         \
    EXACT_SIGNS(walk##_nibbles4, walk, 4, 2)                                                       \
    EXACT_SIGNS(walk##_nibbles8, walk, 8, 2)
EXACT_SIZES(exact_dense)
EXACT_SIZES(exact_sparse)

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
