/* brain.h - chains of fused steps by floats: bf16 and tf32, where exponents are moderate.
 *
 * Elements are the upper bits of a float, and the product of two is exact in a float. With E the
 * largest exponent of a step, and `keep` bits kept below it, a term is
 *
 *   truncate(a * b * 2^(keep - E))
 *
 * because the conversion of a float to an integer truncates toward zero. A term takes four
 * instructions in each lane. The method requires moderate factors:
 *
 *   each is 0 or has an exponent of -44 to 19, so that nonzero products are 2^-88 to 2^40 and
 *   never leave the range of normal floats. Class wide computes all other tiles.
 *
 * The exponent of a moderate factor fits in a byte: code = exponent + 108, which is 64 to 127, and
 * 0 for a zero. The sum of two codes is 128 to 254 if neither factor is zero, and at most 127 if
 * one is. The search for the largest sum begins at 127: it means that all products are zero, and it
 * is below every other sum. A byte m is the exponent field m - 89 of a float: 38 to 165. With the
 * field of the accumulator, at most 247,
 *
 *   scale      2^(keep - E) has the field keep + 254 - (38 to 247): a normal float;
 *   products   a * b * scale is below 2^(keep + 2) <= 2^27, and exact unless it is below 1, where
 *              it truncates to 0 in any rounding mode, with or without subnormals;
 *   C          C * scale is below 2^(keep + 1), and the same holds; a subnormal C is below 1;
 *   result     sum * 2^(E - keep): the factor has the field E - keep, at least 38 - 25, and the
 *              result is 0 or 2^-114 to 2^127: normal, so exact.
 *
 * If all products are zero, the result is C, whose exponent may be below that of field 38.
 *
 * In sparse forms each row picks its elements of B (pick.h). B is stored element by element along
 * k, in fours. */

#define BRAIN_LEAST 83   /* exponent field of code 64                                          */
#define BRAIN_CODE 19    /* field - code                                                       */
#define BRAIN_BARE 127   /* the largest sum of codes if all products are zero                  */
#define BRAIN_FIELD 89   /* sum of codes - exponent field                                      */
#define BRAIN_MOST_C 247 /* exponent field of the accumulator                                  */

struct brain_a {
    vec value[16][ROW_VECS]; /* floats of word w: 2 * w and, with 16-bit elements, 2 * w + 1    */
    vec codes[8][ROW_VECS];  /* in the lowest byte of each half                                  */
    struct pick pick[16][ROW_VECS]; /* sparse: the element of B for each element */
};

/* B. Half h of word 4 * i + t is value[2 * h + i][4 * j + t] in column j. The codes of columns p,
 * 2 + p, 4 + p, 6 + p are the bytes of codes[2 * h + i][4 * p + t]. Sparse rows pick one of
 * elements 4 * q to 4 * q + 3 of k: value[q][4 * j ...], and codes[q][4 * p ...]. */
struct brain_b {
    uint32_t (*value)[32];
    uint32_t (*codes)[8];
};

static int brain_takes_factor(const struct wsim_format *format) {
    return format->exp_bits == 8 && format->bias == 127;
}

static int brain_suits(const struct wsim_code_product *how) {
    return brain_takes_factor(how->a) && brain_takes_factor(how->b) &&
           (how->width == 128 / how->bits_a || how->width == 256 / how->bits_a) &&
           how->result->bits == 32 && how->result_frac == 23 && how->keep >= 23;
}

static int brain_takes(const struct wsim_code_product *how) {
    return wide_takes(how) && brain_suits(how);
}

static int brain_sparse_takes(const struct wsim_code_product *how) {
    return wide_sparse_takes(how) && brain_suits(how);
}

/* --- decode --- */

/* Returns the codes of the elements of a word. A bit of *bad above the lowest 6 of a code reports
 * an element without a code. `used`: the bits of a word that are an exponent or a fraction. */
INLINE vec brain_codes(vec w, unsigned per, vec used, vec *bad) {
    vec mag = w & used, code;
    if (per == 2) {
        vec nonzero = (vec)((vec_half_signed)vec_sub16(vec_all(0), mag) >> 15);
        code = vec_sub16((mag >> 7) & 0x00FF00FF, vec_all16(BRAIN_CODE)) & nonzero;
        *bad |= code ^ (nonzero & 0x00400040);
    } else {
        vec nonzero = vec_shift_signed(-mag, 31);
        code = ((mag >> 23) - BRAIN_CODE) & nonzero;
        *bad |= code ^ (nonzero & 0x40);
    }
    return code;
}

INLINE vec brain_used(unsigned per, const struct wsim_format *format) {
    return vec_all(per == 2 ? 0x7FFF7FFF : 0x7FFFFFFF & ~0u << (23 - format->frac_bits));
}

/* Element h of a word as a float. */
INLINE vec brain_value(vec w, unsigned per, unsigned h, vec used) {
    if (per == 1)
        return w & (used | 0x80000000);
    return h ? w & 0xFFFF0000 : w << 16;
}

INLINE int brain_is_bad(unsigned per, vec bad) {
    return vec_any(vec_test(bad, vec_all(per == 2 ? 0xFFC0FFC0 : 0xFFFFFFC0)));
}

/* Returns 0 if an element is not moderate. */
INLINE int brain_decode_a(unsigned per, unsigned blocks, vec used, const uint32_t *const *regs,
                          struct brain_a *a) {
    vec bad = vec_all(0);
    for (unsigned i = 0; i < blocks; i++) {
        vec z[4][ROW_VECS];
        vec_columns(z, regs[2 * i], regs[2 * i + 1]);
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++) {
                a->value[2 * (4 * i + t)][r] = brain_value(z[t][r], per, 0, used);
                if (per == 2)
                    a->value[2 * (4 * i + t) + 1][r] = brain_value(z[t][r], per, 1, used);
                a->codes[4 * i + t][r] = brain_codes(z[t][r], per, used, &bad);
            }
        if (brain_is_bad(per, bad))
            return 0;
    }
    return 1;
}

typedef uint32_t brain_eight __attribute__((vector_size(32)));

/* Packs the codes of a register, where column j is in lanes 4 * j + t, as words of four columns. */
INLINE void brain_gather_codes(const uint32_t *codes, uint32_t *low, uint32_t *high) {
    brain_eight v[4], x, y;
    memcpy(v, codes, sizeof v);
    x = v[0] | v[1] << 8;
    y = v[2] | v[3] << 8;
    v[0] = (x & 0xFFFF) | y << 16;
    v[1] = x >> 16 | (y & 0xFFFF0000);
    memcpy(low, &v[0], sizeof v[0]);
    memcpy(high, &v[1], sizeof v[1]);
}

INLINE int brain_decode_b(unsigned per, unsigned blocks, vec used, const uint32_t *const *regs,
                          struct brain_b b) {
    vec bad = vec_all(0);
    for (unsigned i = 0; i < blocks; i++) {
        uint32_t codes[32];
        for (unsigned v = 0; v < 32; v += VL) {
            vec w = vec_load(regs[i] + v);
            vec_store(b.value[i] + v, brain_value(w, per, 0, used));
            if (per == 2)
                vec_store(b.value[2 + i] + v, brain_value(w, per, 1, used));
            vec_store(codes + v, brain_codes(w, per, used, &bad));
        }
        brain_gather_codes(codes, b.codes[i], b.codes[2 + i]);
    }
    KEEP_MEMORY(b.value);
    KEEP_MEMORY(b.codes);
    return !brain_is_bad(per, bad);
}

/* brain_decode_b() of all elements that a sparse A may keep. */
INLINE int brain_decode_sparse_b(unsigned per, unsigned blocks, vec used,
                                 const uint32_t *const *regs, struct brain_b b) {
    vec bad = vec_all(0);
    for (unsigned i = 0; i < blocks; i++) {
        uint32_t codes[32], of[2][8];
        for (unsigned v = 0; v < 32; v += VL) {
            vec w = vec_load(regs[i] + v), first = brain_value(w, per, 0, used), last;
            if (per == 2) {
                pick_turns(first, brain_value(w, per, 1, used), &first, &last);
                vec_store(b.value[2 * i] + v, first);
                vec_store(b.value[2 * i + 1] + v, last);
            } else {
                vec_store(b.value[i] + v, first);
            }
            vec_store(codes + v, brain_codes(w, per, used, &bad));
        }
        brain_gather_codes(codes, of[0], of[1]);
        if (per == 2)
            pick_in_turns(of[0], of[1], 8, b.codes[2 * i], b.codes[2 * i + 1]);
        else
            memcpy(b.codes[i], of[0], sizeof b.codes[i]);
    }
    pick_prepare(b.value, 32 * per * blocks);
    pick_prepare(b.codes, 8 * per * blocks);
    KEEP_MEMORY(b.value);
    KEEP_MEMORY(b.codes);
    return !brain_is_bad(per, bad);
}

/* --- a step --- */

/* Byte c of m[p][r] becomes the largest sum of codes of column 2 * c + p. */
INLINE void brain_exponents(unsigned per, unsigned first, unsigned words, int sparse,
                            const struct brain_a *a, struct brain_b b, vec m[2][ROW_VECS]) {
    for (unsigned p = 0; p < 2; p++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            m[p][r] = vec_all8(BRAIN_BARE);
    for (unsigned w = first; w < first + words; w++)
        for (unsigned h = 0; h < per; h++)
            for (unsigned r = 0; r < ROW_VECS; r++) {
                vec row = vec_spread(a->codes[w][r], 2 * h);
                for (unsigned p = 0; p < 2; p++) {
                    unsigned k = per * w + h;
                    vec column = sparse ? pick_word(&a->pick[k][r], &b.codes[k / 2][4 * p])
                                        : vec_word(&b.codes[2 * h + w / 4][4 * p + w % 4]);
                    m[p][r] = vec_max_unsigned8(m[p][r], vec_add8(row, column));
                }
            }
}

/* Byte `byte` of each lane as the exponent of a float. */
INLINE vec brain_field(vec m, unsigned byte) {
    return (byte == 3 ? m >> 1 : m << (23 - 8 * byte)) & 0x7F800000;
}

/* Sum of the terms of a column. KEEP prevents (b * scale) * a, which a compiler with relaxed floats
 * may substitute for the second product. */
INLINE vec brain_terms(unsigned per, unsigned first, unsigned words, int sparse,
                       const struct brain_a *a, struct brain_b columns, unsigned j, unsigned r,
                       vec_float scale) {
    vec sum = vec_all(0);
    if (sparse)
        KEEP_MEMORY(a); /* registers have no room for copies of the picks of all columns */
    UNROLL(8)
    for (unsigned w = first; w < first + words; w++) {
        UNROLL(2)
        for (unsigned h = 0; h < per; h++) {
            unsigned k = per * w + h;
            vec_float b =
                (vec_float)(sparse ? pick_word(&a->pick[k][r], &columns.value[k / 2][4 * j])
                                   : vec_word(&columns.value[2 * h + w / 4][4 * j + w % 4]));
            vec_float product = (vec_float)a->value[2 * w + h][r] * b;
            KEEP(product);
            sum += vec_truncate(product * scale);
            KEEP(sum);
        }
    }
    return sum;
}

INLINE int brain_is_moderate_c(vec (*c)[ROW_VECS]) {
    vec top = vec_all(0);
    for (unsigned j = 0; j < 8; j++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            top = vec_max(top, c[j][r] & 0x7F800000);
    return !vec_any(vec_less(vec_all((uint32_t)BRAIN_MOST_C << 23), top));
}

/* One step of all columns. A lane of the result is negative if a sum did not fit in 32 bits. */
INLINE vec brain_step(unsigned per, unsigned first, unsigned words, unsigned keep, int sparse,
                      const struct brain_a *a, struct brain_b b, vec (*c)[ROW_VECS]) {
    vec m[2][ROW_VECS], bad = vec_all(0);
    int bare = 0;
    brain_exponents(per, first, words, sparse, a, b, m);
    for (unsigned p = 0; p < 2; p++)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            bare |= vec_any(vec_test(~m[p][r], vec_all(0x80808080)));
            m[p][r] -= vec_all8(BRAIN_FIELD); /* no byte borrows: all are 127 and more */
        }
    UNROLL(8)
    for (unsigned j = 0; j < 8; j++)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            vec x = c[j][r], field = brain_field(m[j % 2][r], j / 2);
            vec e = vec_max(field, x & 0x7F800000), sum, terms;
            vec_float scale = (vec_float)(vec_all((keep + 254) << 23) - e), y;
            vec addend = vec_truncate((vec_float)x * scale);
            terms = brain_terms(per, first, words, sparse, a, b, j, r, scale);
            sum = terms + addend;
            bad |= (terms ^ sum) & (addend ^ sum);
            y = vec_float_toward_zero(sum) * (vec_float)(e - (keep << 23));
            c[j][r] = (vec)y;
            if (bare) {
                vec_mask alone = vec_equal(field, vec_all((BRAIN_BARE - BRAIN_FIELD) << 23));
                x = vec_choose(vec_equal(x, vec_all(0x80000000)), vec_all(0), x);
                c[j][r] = vec_choose(alone, x, (vec)y);
            }
        }
    return bad;
}

/* --- groups --- */

/* Computes a group of columns. Returns 0 if it leaves the group, unchanged, to class wide. */
INLINE int brain_group_of(unsigned per, unsigned words, int sparse,
                          const struct wsim_code_product *how, const struct num_strip *strip,
                          unsigned g, const struct brain_a *a, struct brain_b b) {
    unsigned blocks = how->k / per / 4, regs = sparse ? 2 * blocks : blocks;
    vec c[8][ROW_VECS];
    if (!(sparse ? brain_decode_sparse_b : brain_decode_b)(per, regs, brain_used(per, how->b),
                                                           strip->b + g * regs, b))
        return 0;
    wide_load_c(32, strip->c + 4 * g, c);
    UNROLL(2)
    for (unsigned first = 0; first < 8; first += words) {
        if (first == 4 * blocks)
            break;
        if (!brain_is_moderate_c(c) ||
            vec_any_negative(brain_step(per, first, words, how->keep, sparse, a, b, c)))
            return 0;
    }
    wide_store_d(32, c, strip->d + 4 * g);
    return 1;
}

/* Each size of a step has its own loop. */
#define BRAIN_GROUP(name, sparse, rows)                                                            \
    APART int name(const struct wsim_code_product *how, const struct num_strip *strip, unsigned g, \
                   const struct brain_a *a) {                                                      \
        uint32_t value[rows][32], codes[rows][8];                                                  \
        struct brain_b b = {value, codes};                                                         \
        if (how->bits_a == 16)                                                                     \
            return how->width == 16 ? brain_group_of(2, 8, sparse, how, strip, g, a, b)            \
                                    : brain_group_of(2, 4, sparse, how, strip, g, a, b);           \
        return how->width == 8 ? brain_group_of(1, 8, sparse, how, strip, g, a, b)                 \
                               : brain_group_of(1, 4, sparse, how, strip, g, a, b);                \
    }
BRAIN_GROUP(brain_group, 0, 4)
BRAIN_GROUP(brain_sparse_group, 1, 8)
#undef BRAIN_GROUP

/* Returns a bit for each group that class wide has to compute. */
APART uint32_t brain_groups(const struct wsim_code_product *how, const struct num_strip *strip) {
    uint32_t left = 0;
    struct brain_a a;
    int moderate;
    if (how->bits_a == 16)
        moderate = brain_decode_a(2, how->k / 8u, brain_used(2, how->a), strip->a, &a);
    else
        moderate = brain_decode_a(1, how->k / 4u, brain_used(1, how->a), strip->a, &a);
    if (!moderate)
        return ~UINT32_C(0);
    if (how->kept)
        pick_rows(a.pick, how, strip->meta);
    for (unsigned g = 0; g < strip->groups; g++)
        left |= (uint32_t) !(how->kept ? brain_sparse_group : brain_group)(how, strip, g, &a) << g;
    return left;
}

static void brain_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    uint32_t left = brain_groups(how, strip);
    if (left)
        (how->kept ? wide_sparse_groups : wide_groups)(how, strip, left);
}
