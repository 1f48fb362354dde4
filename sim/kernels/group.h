/* group.h - block-scaled products of 4-bit elements (mxf4, mxf4nvf4). Sums of 16 products are
 * exact. Only the exponents of scale factors align them with each other and with C.
 *
 * Twice an element is an integer of at most 12. So a group is a sum of 16 small products in units
 * of 1/4, below 2^12. Multiplied by the significands of two factors it is below 2^20. A group
 * takes part in the largest exponent if any of its products is not zero and no factor is. One
 * bit for each element decides this. Terms are 64-bit integers, even and odd lanes apart: the
 * magnitude is lifted by GROUP_LIFT and then truncated toward zero, like in the plain path. Their
 * sum is below 2^51, so that it is exact in a double, which yields the highest 24 bits.
 *
 * Sparse (two pairs of four, 128 columns): a byte is a pair, so rows pick bytes of B (pick.h). The
 * bits of nonzero elements of A are spread to the places of their partners in B.
 */

enum { GROUP_GROUPS = 4, GROUP_LIFT = 38, GROUP_OFFSET = 12, GROUP_NONE = -4000 };

/* The even or the odd elements of a word are one vector of bytes, or two of 16 bits. */
#if defined(VEC_SHUFFLE8)
enum { GROUP_PARTS = 1 };
#else
enum { GROUP_PARTS = 2 };
#endif

/* Factors of the rows, or of columns, of one group. */
struct group_factors {
    vec exp, sig, nan; /* nan: all ones, or 0                                                  */
};

struct group {
    unsigned frac; /* fraction bits of a group with its factors                                */
    int keep, floor;
    unsigned blocks;
    const struct pick (*pick)[ROW_VECS]; /* sparse: the words of B for words of A                */
    vec a[2 * GROUP_GROUPS][2][GROUP_PARTS][ROW_VECS];
    vec some[GROUP_GROUPS][ROW_VECS]; /* nonzero elements: two bits of each nibble           */
    struct group_factors factors[GROUP_GROUPS][ROW_VECS];
#if defined(VEC_SHUFFLE8)
    vec start[GROUP_GROUPS][ROW_VECS]; /* sparse: minus GROUP_OFFSET in B times A               */
#endif
};

/* Lane 4 * n + t of [i] is word 4 * i + t of column n. Data of a group is at its first word.
 * Sparse: pick_bytes() reads the elements. */
struct group_columns {
    uint32_t b[4][2][32 * GROUP_PARTS]; /* even and odd elements; dense: part by part            */
    uint32_t some[4][32];
#if defined(VEC_SHUFFLE8)
    uint32_t start[2][32]; /* dense: minus GROUP_OFFSET in A times B                 */
#endif
    uint32_t exp[GROUP_GROUPS][16], sig[GROUP_GROUPS][16], nan[GROUP_GROUPS][16];
};

static int group_takes_element(const struct wsim_format *f) {
    return f->kind == WSIM_BINARY && f->is_signed && f->bits == 4 && f->exp_bits == 2 &&
           f->frac_bits == 1 && f->bias == 1 && f->specials == WSIM_SPECIALS_NONE;
}

/* Accepts dense products, and sparse ones that keep two pairs of four. */
static int group_takes_pattern(const struct wsim_code_product *how) {
    if (!how->kept)
        return how->k_dense == how->k;
    return how->kept == 4 && how->chunk == 8 && how->k_dense == 2 * how->k;
}

static int group_takes(const struct wsim_code_product *how) {
    const struct wsim_format *factor = how->factor;
    return how->method == METHOD_GROUPED && group_takes_pattern(how) && how->k == 64 &&
           how->width == 16 && how->bits_a == 4 && how->bits_b == 4 &&
           group_takes_element(how->in_a) && group_takes_element(how->in_b) &&
           how->a == how->in_a && how->b == how->in_b && (how->blocks == 2 || how->blocks == 4) &&
           factor && !factor->is_signed && factor->specials == WSIM_SPECIALS_NAN &&
           factor->bits <= 8 && factor->frac_bits <= 3 && how->keep <= GROUP_LIFT &&
           how->keep >= 23 && how->result_frac == 23 && how->result->bits == 32 &&
           how->rounding == WSIM_RZ && how->c == how->d;
}

/* --- elements --- */

/* Doubles the elements in the lower nibbles of bytes. */
INLINE vec group_doubled(vec x) {
#if defined(VEC_SHUFFLE8)
    return vec_shuffle8(vec_table(UINT64_C(0x0C08060403020100), UINT64_C(0xF4F8FAFCFDFEFF00)), x);
#else
    /* 0 1 2 3 4 6 8 12: the excess over 4 counts twice, and the largest has 2 more. */
    vec mag = x & 0x07070707, sign = (x >> 3 & 0x01010101) * 255;
    vec most = mag & mag >> 1 & mag >> 2 & 0x01010101;
    mag += vec_max8(mag, vec_all8(4)) - vec_all8(4) + 2 * most;
    return vec_sub8(mag ^ sign, sign);
#endif
}

INLINE vec group_nibbles(vec w, unsigned odd) {
    return w >> 4 * odd & 0x0F0F0F0F;
}

/* Part `part` of bytes: all bytes, or half of them, sign-extended to 16 bits. */
INLINE vec group_part(vec x, unsigned part) {
#if defined(VEC_SHUFFLE8)
    (void)part;
    return x;
#else
    vec_half_signed y = (vec_half_signed)x;
    return (vec)((part ? y : y << 8) >> 8);
#endif
}

/* Bit 3 of each nibble that is not zero. */
INLINE vec group_some(vec w) {
    return ((w & 0x77777777) + 0x77777777) & 0x88888888;
}

/* Swaps lanes 0 and 1, 2 and 3 ... */
INLINE vec group_swap(vec x) {
    vec_long y = (vec_long)x;
    return (vec)(y >> 32 | y << 32);
}

/* --- products --- */

/* sum + products of bytes or of 16 bits. The partial sums of a lane are added by group_sum(). With
 * bytes, a is not negative and at most 2 * GROUP_OFFSET: 8 products stay within 16 bits. */
INLINE vec group_add(vec sum, vec a, vec b) {
#if defined(VEC_AVX512)
    return (vec)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#elif defined(VEC_AVX2)
    return vec_add16(sum, (vec)_mm256_maddubs_epi16((__m256i)a, (__m256i)b));
#else
    return vec_add16(sum, (vec)((vec_half)a * (vec_half)b));
#endif
}

INLINE vec group_sum(vec x) {
#if defined(VEC_AVX512)
    return x;
#elif defined(VEC_AVX2)
    return (vec)_mm256_madd_epi16((__m256i)x, _mm256_set1_epi16(1));
#else
    return vec_shift_signed(x << 16, 16) + vec_shift_signed(x, 16);
#endif
}

/* Moves bit 3 of each nonzero nibble of a word of A to the place of its partner in two words of B.
 * The second word is one bit lower. `meta` begins with the byte of metadata of the word. */
INLINE vec group_picked_some(vec w, vec meta) {
    vec some = group_some(w), all = vec_all(0);
    for (unsigned q = 0; q < 4; q++) {
        vec at = (meta >> 2 * q & 3) << 3;
        all |= vec_shift_left_each(some >> 8 * q & 0xFF, at) >> q / 2;
    }
    return all;
}

/* --- scale factors --- */

/* Factor `block` of words with four factors. */
INLINE struct group_factors group_factor(const struct wsim_format *f, vec words, unsigned block) {
    uint32_t all = (1u << f->bits) - 1, one = 1u << f->frac_bits, least = f->frac_bits != 0;
    vec x = words >> 8 * block & vec_all(all), field = x >> f->frac_bits;
    struct group_factors factor;
    factor.exp = vec_max(field, vec_all(least)) - vec_all((uint32_t)f->bias);
    factor.sig = x & vec_all(one - 1);
    factor.sig |= ~vec_ones(vec_less(field, vec_all(least))) & vec_all(one);
    factor.nan = vec_ones(vec_equal(x, vec_all(all)));
    return factor;
}

/* Makes words of four factors each, on hosts of either byte order. */
static void group_words(uint32_t *words, const uint8_t *scales, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        words[i] = (uint32_t)scales[4 * i] | (uint32_t)scales[4 * i + 1] << 8 |
                   (uint32_t)scales[4 * i + 2] << 16 | (uint32_t)scales[4 * i + 3] << 24;
}

/* --- loading --- */

/* Loads words 2 * g and 2 * g + 1 of A. */
INLINE void group_load_words(struct group *y, const struct num_strip *strip, unsigned g, unsigned r,
                             const vec w[2]) {
#if defined(VEC_SHUFFLE8)
    vec sum = vec_all(0);
#endif
    for (unsigned i = 0; i < 2; i++)
        for (unsigned odd = 0; odd < 2; odd++) {
            vec x = group_doubled(group_nibbles(w[i], odd));
#if defined(VEC_SHUFFLE8)
            if (y->pick)
                sum = group_add(sum, vec_all8(GROUP_OFFSET), x);
            else
                x = vec_add8(x, vec_all8(GROUP_OFFSET));
#endif
            for (unsigned part = 0; part < GROUP_PARTS; part++)
                y->a[2 * g + i][odd][part][r] = group_part(x, part);
        }
#if defined(VEC_SHUFFLE8)
    y->start[g][r] = -group_sum(sum);
#endif
    y->some[g][r] = group_some(w[0]) | group_some(w[1]) >> 1;
    if (y->pick) {
        vec meta = vec_rows(strip->meta + g / 2 * 16, r) >> 16 * (g % 2);
        y->some[g][r] = group_picked_some(w[0], meta) | group_picked_some(w[1], meta >> 8) >> 2;
    }
}

APART void group_load(struct group *y, const struct wsim_code_product *how,
                      const struct num_strip *strip) {
    vec z[4][ROW_VECS];
    uint32_t words[16];
    y->frac = (unsigned)how->frac + how->scale_frac;
    y->keep = how->keep;
    y->floor = how->floor;
    y->blocks = how->blocks;
    group_words(words, strip->scales_a, 16);
    for (unsigned g = 0; g < GROUP_GROUPS; g++) {
        if (g % 2 == 0)
            vec_columns(z, strip->a[g], strip->a[g + 1]);
        for (unsigned r = 0; r < ROW_VECS; r++) {
            const vec w[2] = {z[g % 2 * 2][r], z[g % 2 * 2 + 1][r]};
            group_load_words(y, strip, g, r, w);
            y->factors[g][r] = group_factor(how->factor, vec_rows(words, r), g * y->blocks / 4);
        }
    }
}

/* Loads register i of B: groups 2 * i and 2 * i + 1. */
static void group_load_register(struct group_columns *c, unsigned i, const uint32_t *b) {
    for (unsigned at = 0; at < 32; at += VL) {
        vec w = vec_load(b + at), some = group_some(w);
#if defined(VEC_SHUFFLE8)
        vec start = vec_all(0);
#endif
        for (unsigned odd = 0; odd < 2; odd++) {
            vec x = group_doubled(group_nibbles(w, odd));
            for (unsigned part = 0; part < GROUP_PARTS; part++)
                vec_store(c->b[i][odd] + 32 * part + at, group_part(x, part));
#if defined(VEC_SHUFFLE8)
            start = group_add(start, vec_all8(GROUP_OFFSET), x);
#endif
        }
#if defined(VEC_SHUFFLE8)
        start = group_sum(start);
        vec_store(c->start[i] + at, -(start + group_swap(start)));
#endif
        vec_store(c->some[i] + at, some | group_swap(some) >> 1);
    }
}

/* Loads group i of a sparse product. */
static void group_load_picked(struct group_columns *c, unsigned i, const uint32_t *b) {
    uint32_t some[32];
    for (unsigned odd = 0; odd < 2; odd++) {
        uint32_t words[32];
        for (unsigned at = 0; at < 32; at += VL) {
            vec x = group_doubled(group_nibbles(vec_load(b + at), odd));
#if defined(VEC_SHUFFLE8)
            x = vec_add8(x, vec_all8(GROUP_OFFSET));
#endif
            vec_store(words + at, x);
        }
        pick_bytes_prepare(words, 32, c->b[i][odd]);
    }
    for (unsigned at = 0; at < 32; at += VL)
        vec_store(some + at, group_some(vec_load(b + at)));
    for (unsigned at = 0; at < 32; at += 4)
        c->some[i][at] = some[at] | some[at + 1] >> 1 | some[at + 2] >> 2 | some[at + 3] >> 3;
}

static void group_load_columns(const struct group *y, struct group_columns *c,
                               const struct wsim_code_product *how, const uint8_t *scales,
                               const uint32_t *const *b) {
    uint32_t words[16] = {0};
    group_words(words, scales, 8);
    for (unsigned i = 0; i < how->k_dense / 32u; i++)
        (y->pick ? group_load_picked : group_load_register)(c, i, b[i]);
    for (unsigned g = 0; g < GROUP_GROUPS; g++)
        for (unsigned at = 0; at < 8; at += VL) {
            struct group_factors f =
                group_factor(how->factor, vec_load(words + at), g * y->blocks / GROUP_GROUPS);
            vec_store(c->exp[g] + at, f.exp);
            vec_store(c->sig[g] + at, f.sig);
            vec_store(c->nan[g] + at, f.nan);
        }
    KEEP_MEMORY(c);
}

/* --- one column --- */

/* sum + the products of the even or odd elements of a word of group g. */
INLINE vec group_products(const struct group *y, const struct group_columns *c, int sparse,
                          unsigned g, unsigned word, unsigned odd, unsigned n, unsigned r,
                          vec sum) {
    const vec(*a)[ROW_VECS] = y->a[2 * g + word][odd];
    if (sparse) {
        const uint32_t *from = c->b[g][odd] + (2 * n + word) * PICK_BYTES;
        vec b = pick_bytes(&y->pick[2 * g + word][r], from);
#if defined(VEC_SHUFFLE8)
        return group_add(sum, b, a[0][r]);
#else
        for (unsigned part = 0; part < GROUP_PARTS; part++)
            sum = group_add(sum, a[part][r], group_part(b, part));
        return sum;
#endif
    }
    for (unsigned part = 0; part < GROUP_PARTS; part++)
        sum = group_add(sum, a[part][r],
                        vec_all(c->b[g / 2][odd][32 * part + 4 * n + g % 2 * 2 + word]));
    return sum;
}

/* The exact sums of the products of group g. *exp: the exponent of the group, or GROUP_NONE. */
INLINE vec group_exact(const struct group *y, const struct group_columns *c, int sparse, unsigned g,
                       unsigned n, unsigned r, vec *exp) {
    const struct group_factors *f = &y->factors[g][r];
    unsigned i = sparse ? g : g / 2, at = sparse ? 4 * n : 4 * n + g % 2 * 2;
    vec sum = vec_all(0), sig = f->sig * vec_all(c->sig[g][n]);
    for (unsigned word = 0; word < 2; word++)
        for (unsigned odd = 0; odd < 2; odd++)
            sum = group_products(y, c, sparse, g, word, odd, n, r, sum);
    sum = group_sum(sum);
#if defined(VEC_SHUFFLE8)
    sum += sparse ? y->start[g][r] : vec_all(c->start[i][at]);
#endif
    sig &= vec_ones(vec_test(y->some[g][r], vec_all(c->some[i][at])));
    *exp = vec_choose(vec_equal(sig, vec_all(0)), vec_all((uint32_t)GROUP_NONE),
                      f->exp + vec_all(c->exp[g][n]));
    return sum * sig;
}

/* Partial sums of 64 bits, of even and of odd lanes. */
struct group_total {
    vec_long of[2];
};

/* Adds x / 2^drop, lifted and truncated. */
INLINE void group_term(struct group_total *total, vec x, vec drop) {
    vec sign = vec_shift_signed(x, 31), mag = (x ^ sign) - sign;
    drop = vec_min(drop, vec_all(63)) & 63; /* may be negative if x is zero */
    for (unsigned odd = 0; odd < 2; odd++) {
        vec_long minus = vec_lanes(sign, odd), term = vec_lanes(mag, odd) << GROUP_LIFT;
        minus |= minus << 32;
        term >>= vec_lanes(drop, odd);
        total->of[odd] += (term ^ minus) - minus;
    }
}

/* The highest 24 bits of a sum, truncated, as a float. The magnitude, below 2^52, becomes the
 * fraction of a double that is larger by 2^52; subtracting 2^52 is exact. */
INLINE vec group_round(const struct group_total *total) {
    vec_long half[2];
    for (unsigned odd = 0; odd < 2; odd++) {
        vec_long sign = total->of[odd] >> 63, mag = (total->of[odd] ^ -sign) + sign;
        vec_double exact = (vec_double)(mag | UINT64_C(0x4330000000000000)) - 0x1p52;
        vec_long bits = ((vec_long)exact & UINT64_C(0x7FFFFFFFFFFFFFFF)) >> 29;
        vec_long some = (vec_long)(mag != 0);
        half[odd] = ((bits - ((UINT64_C(1023) - 127) << 23)) & some) | sign << 31;
    }
    return vec_of_lanes(half);
}

/* Computes column n: *d is C and becomes D. */
INLINE void group_column(const struct group *y, const struct group_columns *columns, int sparse,
                         unsigned n, unsigned r, vec *d) {
    vec c = *d, own, top, exp[GROUP_GROUPS], sum[GROUP_GROUPS], nan = vec_all(0), x;
    vec sig = byte_significand(c, &own), special = c & 0x7FFFFFFF;
    struct group_total total = {{{0}, {0}}};
    own -= 127;
    top = vec_max(own, vec_all((uint32_t)y->floor));
    for (unsigned g = 0; g < GROUP_GROUPS; g++) {
        sum[g] = group_exact(y, columns, sparse, g, n, r, exp + g);
        top = vec_max(top, exp[g]);
        nan |= y->factors[g][r].nan | vec_all(columns->nan[g][n]);
    }
    x = vec_shift_signed(c, 31);
    group_term(&total, (sig ^ x) - x, vec_all((uint32_t)(GROUP_LIFT - (y->keep - 23))) + top - own);
    for (unsigned g = 0; g < GROUP_GROUPS; g++)
        group_term(&total, sum[g],
                   vec_all((uint32_t)(GROUP_LIFT - y->keep) + y->frac) + top - exp[g]);
    x = byte_scale(group_round(&total), top - vec_all((uint32_t)y->keep));
    x &= ~vec_ones(vec_equal(x << 1, vec_all(0)));
    /* Elements are finite. So only C is infinite, which remains, and only C or a factor is NaN. */
    x = vec_choose(vec_equal(special, vec_all(0x7F800000)), c, x);
    nan |= vec_ones(vec_less(vec_all(0x7F800000), special));
    *d = vec_choose(vec_less(nan, vec_all(0)), vec_all(0x7FFFFFFF), x);
}

APART void group_dense_column(const struct group *y, const struct group_columns *columns,
                              unsigned n, unsigned r, vec *d) {
    group_column(y, columns, 0, n, r, d);
}

APART void group_sparse_column(const struct group *y, const struct group_columns *columns,
                               unsigned n, unsigned r, vec *d) {
    group_column(y, columns, 1, n, r, d);
}

/* --- a group of columns --- */

APART void group_columns(const struct group *y, const struct wsim_code_product *how,
                         const uint8_t *scales, const uint32_t *const *b, const uint32_t *const *c,
                         uint32_t *const *d) {
    struct group_columns columns;
    vec z[2][4][ROW_VECS];
    group_load_columns(y, &columns, how, scales, b);
    vec_columns(z[0], c[0], c[2]);
    vec_columns(z[1], c[1], c[3]);
    for (unsigned n = 0; n < 8; n++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            (y->pick ? group_sparse_column : group_dense_column)(y, &columns, n, r,
                                                                 &z[n % 2][n / 2][r]);
    vec_registers((const vec(*)[ROW_VECS])z[0], d[0], d[2]);
    vec_registers((const vec(*)[ROW_VECS])z[1], d[1], d[3]);
}

APART void group_run_with(const struct wsim_code_product *how, const struct num_strip *strip,
                          const struct pick (*pick)[ROW_VECS]) {
    unsigned regs_b = how->k_dense / 32u;
    struct group y;
    y.pick = pick;
    group_load(&y, how, strip);
    for (unsigned g = 0; g < strip->groups; g++)
        group_columns(&y, how, strip->scales_b + NUM_SCALES * g, strip->b + regs_b * g,
                      strip->c + 4 * g, strip->d + 4 * g);
}

APART void group_run_sparse(const struct wsim_code_product *how, const struct num_strip *strip) {
    struct pick pick[2 * GROUP_GROUPS][ROW_VECS];
    for (unsigned i = 0; i < 2 * GROUP_GROUPS; i++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            pick[i][r] = pick_bytes_at(vec_rows(strip->meta + i / 4 * 16, r), i);
    group_run_with(how, strip, (const struct pick(*)[ROW_VECS])pick);
}

static void group_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    if (how->kept)
        group_run_sparse(how, strip);
    else
        group_run_with(how, strip, NULL);
}
