/* kernel_wide.h - chains of fused steps by integers alone: factors of 16 bits and tf32, whatever
 * their exponents.
 *
 * A finite element is significand * 2^exponent, and so is a product of two. All products of a step
 * and the accumulator are aligned to the largest exponent E among them, that is, shifted right as
 * far as theirs lies below E and cut off toward zero, added, and rounded once. In lanes of 32 bits:
 *
 *   decode      of each element the exponent field (a subnormal has that of the least normal
 *               number, a zero one that never counts) and the significand with its sign, moved left
 *               so that the last bit that is kept of a product under its own exponent becomes its
 *               bit number `below`, at least 1;
 *   exponents   E = the largest sum of two fields, of the accumulator's, and the floor;
 *   terms       product >> (E - its exponent + below), toward zero;
 *   result      sum to sign and magnitude, and that to bits.
 *
 * An arithmetic shift rounds down, not toward zero. With intrinsics one instruction multiplies the
 * significands and the signs (+1, -1) and adds both: x = product + sign. Bits below `below` of a
 * product are there to be dropped and bit 0 is 0, so that
 *   sign +    x >> n = floor((p + 1) / 2^n) = floor(p / 2^n), as p is even and n > 0;
 *   sign -    x >> n = floor(-(p + 1) / 2^n) = -(floor(p / 2^n) + 1), p the magnitude,
 * zeros included (p = 0). Each product of negative sign is 1 too low, and how many those are says a
 * count of the ones of (signs of the row ^ signs of the column). Without intrinsics products of
 * zero have no sign and each term is put right by itself.
 *
 * Infinities and NaN are masks of a bit for each element; what they make of a result is looked up
 * in those (see wide_special) and chosen over the sum, which for them means nothing.
 */

/* The exponent field of a zero: lower than any sum, and with any field a sum that is lower still.
 */
#define WIDE_NEVER 0xF800
#define WIDE_LEAST (-1000) /* floors are not below it */

struct wide_form {
    unsigned per, words;       /* elements of a word; words of k                              */
    unsigned frac[2], lift[2]; /* of A and B: fraction bits, and how far significands are moved */
    unsigned infinity[2];      /* the field of infinities, in its place                        */
    unsigned below;            /* see above                                                   */
    unsigned keep, step;       /* fraction bits of a sum; words of a step                     */
    unsigned c_frac, c_lift, c_drop; /* of the accumulator, from its fraction to that of a sum   */
    int floor;    /* as a sum of fields, as all exponents here are:              */
    int c_fields; /* field of the accumulator + this                             */
    int d_exp;    /* sum of fields + this: the power of two of a sum's bit 0     */
    const struct wsim_code_product *how;
};

/* A, the same for all groups of columns. Word w of a row has its elements 2 * w and 2 * w + 1. */
struct wide_a {
    vec sig[16][ROW_VECS], field[16][ROW_VECS];
    vec fields[8][ROW_VECS]; /* of both elements of a word                                     */
    vec signs[ROW_VECS];     /* a bit for each element, see wide_bits                          */
    vec meta[ROW_VECS];      /* sparse: metadata                                               */
};

/* B of a group: word w of column j at [w / 4][4 * j + w % 4]. */
struct wide_b {
    uint32_t sig[2][2][32], field[2][2][32]; /* first: low or high half                          */
    uint32_t fields[2][32];
    uint32_t signs[8];
};

/* --- what it is for --- */

static int wide_takes_factor(const struct wsim_format *format) {
    return format->kind == WSIM_BINARY && format->is_signed &&
           format->specials == WSIM_SPECIALS_IEEE && format->frac_bits <= 10 &&
           format->exp_bits <= 8 && format->frac_bits + format->exp_bits + 1 == format->bits &&
           (format->bits == 16 || format->bits + format->pad == 32);
}

static int wide_takes_result(const struct wsim_code_product *how) {
    const struct wsim_format *result = how->result;
    if (how->c != how->d || result->kind != WSIM_BINARY || result->specials != WSIM_SPECIALS_IEEE)
        return 0;
    return result->bits == 32 ? result->frac_bits == 23 && how->rounding == WSIM_RZ
                              : result->bits == 16 && result->exp_bits == 5 &&
                                    how->rounding == WSIM_RN && how->result_frac == 10;
}

/* How far the significands of A and B are moved, together. */
static unsigned wide_lift(const struct wsim_code_product *how) {
    unsigned frac = (unsigned)how->in_a->frac_bits + how->in_b->frac_bits;
    return how->keep + 1u > frac ? how->keep + 1u - frac : 0;
}

/* Significands with their sign have to fit in 16 bits; and the sum of `width` terms below
 * 2^(keep + 2) in 32. The accumulator's is below 2^(keep + 1), at most 2^26. */
static int wide_takes(const struct wsim_code_product *how) {
    unsigned lift, per;
    if (how->method != METHOD_FUSED || how->kept || how->blocks || how->split ||
        how->in_a != how->a || how->in_b != how->b || how->bits_a != how->bits_b ||
        !wide_takes_factor(how->a) || !wide_takes_factor(how->b) || !wide_takes_result(how))
        return 0;
    lift = wide_lift(how);
    per = how->bits_a == 16 ? 2 : 1;
    return how->a->frac_bits + 1u + (lift + 1) / 2 <= 15 &&
           how->b->frac_bits + 1u + lift / 2 <= 15 && how->keep <= 25 &&
           (uint32_t)how->width << how->keep <= UINT32_C(1) << 29 && how->k <= 8 * per &&
           how->k % (4 * per) == 0 && how->width % per == 0 && how->k % how->width == 0 &&
           how->floor >= WIDE_LEAST;
}

static struct wide_form wide_form_of(const struct wsim_code_product *how) {
    struct wide_form form;
    const struct wsim_format *side[2] = {how->a, how->b};
    unsigned lift = wide_lift(how);
    int bias = how->a->bias + how->b->bias;
    form.how = how;
    form.per = how->bits_a == 16 ? 2 : 1;
    form.words = how->k / form.per;
    form.step = how->width / form.per;
    for (unsigned s = 0; s < 2; s++) {
        form.frac[s] = side[s]->frac_bits;
        form.infinity[s] = ((1u << side[s]->exp_bits) - 1) << (31 - side[s]->exp_bits);
        form.lift[s] = (lift + 1 - s) / 2;
    }
    form.below = lift + form.frac[0] + form.frac[1] - how->keep;
    form.keep = how->keep;
    form.c_frac = how->result->frac_bits;
    form.c_lift = form.keep > form.c_frac ? form.keep - form.c_frac : 0;
    form.c_drop = form.c_frac > form.keep ? form.c_frac - form.keep : 0;
    form.floor = how->floor + bias;
    form.c_fields = bias - how->result->bias;
    form.d_exp = -bias - (int)form.keep;
    return form;
}

/* --- decode --- */

/* Masks have two bits for each element: at the place of its sign and 8 below it, both moved down by
 * the number of its word. In `signs` these are: it is negative, it is zero; in `special`: it is a
 * NaN, it is infinite. */
INLINE uint32_t wide_bit(const struct wide_form *form) {
    return form->per == 2 ? 0x80008000 : 0x80000000;
}

INLINE vec wide_bits(const struct wide_form *form, vec upper, vec lower) {
    return (upper & wide_bit(form)) | (lower & wide_bit(form) >> 8);
}

/* Elements of a word, decoded. */
struct wide_word {
    vec fields; /* of 16 bits; of tf32 the high half is never                           */
    vec sig[2], field[2];
    vec zero; /* all ones where an element is zero */
};

/* A significand for wide_term: with intrinsics, in the high half its sign. */
INLINE vec wide_sig(vec low, vec negative) {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    return (low & 0xFFFF) | (negative | 1) << 16;
#else
    (void)negative;
    return vec_shift_signed(low << 16, 16);
#endif
}

INLINE struct wide_word wide_decode16(vec w, unsigned frac, unsigned lift) {
    struct wide_word x;
    vec mag = w & 0x7FFF7FFF;
    vec field = vec_max16((mag >> frac) & vec_all16((uint16_t)(0x7FFF >> frac)), vec_all16(1));
    vec whole = vec_add16(mag, vec_all16((uint16_t)(1 << frac)));
    vec sig = vec_sub16(whole, field << frac); /* no field is so large that it leaves its half */
    vec negative = (vec)((vec_half_signed)w >> 15);
    x.zero = (vec)((vec_half_signed)vec_sub16(sig, vec_all16(1)) >> 15);
    x.fields = field | (x.zero & vec_all16(WIDE_NEVER));
    sig = vec_sub16((sig << lift) ^ negative, negative);
    x.sig[0] = wide_sig(sig, vec_shift_signed(w << 16, 31));
    x.sig[1] = wide_sig(sig >> 16, vec_shift_signed(w, 31));
    x.field[0] = vec_shift_signed(x.fields << 16, 16);
    x.field[1] = vec_shift_signed(x.fields, 16);
    return x;
}

/* One element in each word; bits below its fraction have no meaning. */
INLINE struct wide_word wide_decode32(vec w, unsigned frac, unsigned exp_bits, unsigned lift) {
    struct wide_word x;
    vec mag = (w & 0x7FFFFFFF) >> (31 - exp_bits - frac);
    vec field = vec_max(mag >> frac, vec_all(1));
    vec sig = mag + vec_all(1u << frac) - (field << frac);
    vec negative = vec_shift_signed(w, 31);
    x.zero = vec_shift_signed(sig - 1, 31);
    x.field[0] = field | (x.zero & vec_all(0xFFFF0000 | WIDE_NEVER));
    x.fields = (x.field[0] & 0xFFFF) | vec_all((uint32_t)WIDE_NEVER << 16);
    x.sig[0] = wide_sig(((sig << lift) ^ negative) - negative, negative);
    x.sig[1] = x.field[1] = vec_all(0);
    return x;
}

/* side: 0 for A, 1 for B. */
INLINE struct wide_word wide_decode(const struct wide_form *form, vec w, unsigned side) {
    const struct wsim_format *format = side ? form->how->b : form->how->a;
    if (form->per == 2)
        return wide_decode16(w, form->frac[side], form->lift[side]);
    return wide_decode32(w, form->frac[side], format->exp_bits, form->lift[side]);
}

/* Whether an element of these fields is an infinity or a NaN. */
INLINE int wide_any_special(const struct wide_form *form, unsigned side, vec top) {
    unsigned shift = form->per == 2 ? 16 + form->frac[side] : 31u - form->how->a->exp_bits;
    uint16_t below = (uint16_t)((form->infinity[side] >> shift) - 1);
    return vec_any(vec_test(vec_sub16(vec_all16(below), top), vec_all(0x80008000)));
}

/* Whether there is an infinity or a NaN. */
INLINE int wide_decode_a(const struct wide_form *form, const uint32_t *const *regs,
                         struct wide_a *a) {
    vec top = vec_all(0);
    for (unsigned r = 0; r < ROW_VECS; r++)
        a->signs[r] = vec_all(0);
    for (unsigned i = 0; i < form->words / 4; i++) {
        vec z[4][ROW_VECS];
        vec_columns(z, regs[2 * i], regs[2 * i + 1]);
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++) {
                struct wide_word x = wide_decode(form, z[t][r], 0);
                unsigned w = 4 * i + t;
                a->sig[2 * w][r] = x.sig[0];
                a->field[2 * w][r] = x.field[0];
                if (form->per == 2) {
                    a->sig[2 * w + 1][r] = x.sig[1];
                    a->field[2 * w + 1][r] = x.field[1];
                }
                a->fields[w][r] = x.fields;
                a->signs[r] |= wide_bits(form, z[t][r], x.zero) >> w;
                top = vec_max16(top, x.fields);
            }
    }
    return wide_any_special(form, 0, top);
}

/* What words 4 * j + t of a register have in common with the masks of columns: moved by t. */
INLINE vec wide_by_word(vec bits) {
    vec by = vec_all(0);
    for (unsigned i = 0; i < VL; i++)
        by[i] = i % 4;
    return vec_shift_each(bits, by);
}

/* Masks of the columns. */
INLINE void wide_collect(uint32_t column[8], const vec words[32 / VL]) {
    uint32_t w[32];
    memcpy(w, words, sizeof w);
    for (unsigned j = 0; j < 8; j++)
        column[j] = w[4 * j] | w[4 * j + 1] | w[4 * j + 2] | w[4 * j + 3];
}

INLINE int wide_decode_b(const struct wide_form *form, const uint32_t *const *regs,
                         struct wide_b *b) {
    vec top = vec_all(0), signs[32 / VL];
    for (unsigned v = 0; v < 32 / VL; v++)
        signs[v] = vec_all(0);
    for (unsigned i = 0; i < form->words / 4; i++)
        for (unsigned v = 0; v < 32 / VL; v++) {
            vec w = vec_load(regs[i] + v * VL);
            struct wide_word x = wide_decode(form, w, 1);
            vec_store(b->sig[0][i] + v * VL, x.sig[0]);
            vec_store(b->field[0][i] + v * VL, x.field[0]);
            if (form->per == 2) {
                vec_store(b->sig[1][i] + v * VL, x.sig[1]);
                vec_store(b->field[1][i] + v * VL, x.field[1]);
            }
            vec_store(b->fields[i] + v * VL, x.fields);
            signs[v] |= wide_by_word(wide_bits(form, w, x.zero)) >> 4 * i;
            top = vec_max16(top, x.fields);
        }
    wide_collect(b->signs, signs);
    KEEP_MEMORY(b);
    return wide_any_special(form, 1, top);
}

/* --- exponents, terms --- */

/* Columns that are computed at once: as many sums as there are registers for. */
#define WIDE_BLOCK (VL == 16 ? 8 : 4)

/* A number apart from its sign: exponent as a sum of fields (or never), and significand. */
INLINE void wide_split_c(const struct wide_form *form, vec c, vec *field, vec *sig) {
    unsigned pad = 31u - form->how->result->exp_bits - form->c_frac;
    vec mag = (c & 0x7FFFFFFF) >> pad, f = vec_max(mag >> form->c_frac, vec_all(1));
    *sig = mag + vec_all(1u << form->c_frac) - (f << form->c_frac);
    *field = vec_choose(vec_equal(*sig, vec_all(0)), vec_all(0xFFFF0000 | WIDE_NEVER),
                        f + vec_all((uint32_t)form->c_fields));
}

/* The largest sum of fields of the products of a step, or the floor. */
INLINE void wide_exponents(const struct wide_form *form, const struct wide_a *a,
                           const struct wide_b *b, unsigned first, unsigned r, unsigned column,
                           vec e[WIDE_BLOCK]) {
    vec m[WIDE_BLOCK];
#pragma GCC unroll 8
    for (unsigned j = 0; j < WIDE_BLOCK; j++)
        m[j] = vec_all16((uint16_t)form->floor);
    for (unsigned w = first; w < first + form->step; w++)
#pragma GCC unroll 8
        for (unsigned j = 0; j < WIDE_BLOCK; j++) {
            vec fields = vec_word(&b->fields[w / 4][4 * (column + j) + w % 4]);
            m[j] = vec_max16(m[j], vec_add16(a->fields[w][r], fields));
        }
#pragma GCC unroll 8
    for (unsigned j = 0; j < WIDE_BLOCK; j++)
        e[j] = vec_max(vec_shift_signed(m[j] << 16, 16), vec_shift_signed(m[j], 16));
}

/* A product of significands, shifted right by n > 0: see the head of this file. */
INLINE vec wide_term(vec a, vec b, vec n) {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    return vec_shift_signed_each(vec_pairs_product(a, b), n);
#else
    vec product = a * b, negative = vec_shift_signed(product, 31);
    return vec_shift_signed_each(product + negative, n) - negative;
#endif
}

/* Negative products among those of `mask`, where each of them is 1 too low. */
INLINE vec wide_too_low(vec signs_a, vec signs_b, uint32_t mask) {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    return vec_count_ones((signs_a ^ signs_b) & mask);
#else
    (void)signs_a, (void)signs_b, (void)mask;
    return vec_all(0);
#endif
}

/* Sums of the terms of a step; n: E + below. */
INLINE void wide_terms(const struct wide_form *form, const struct wide_a *a, const struct wide_b *b,
                       unsigned first, unsigned r, unsigned column, const vec *e, vec *sum) {
    vec n[WIDE_BLOCK], all[WIDE_BLOCK];
#pragma GCC unroll 8
    for (unsigned j = 0; j < WIDE_BLOCK; j++) {
        n[j] = e[j];
        all[j] = vec_all(0);
    }
    for (unsigned w = first; w < first + form->step; w++)
#pragma GCC unroll 2
        for (unsigned h = 0; h < form->per; h++) {
            vec sig = a->sig[2 * w + h][r], field = a->field[2 * w + h][r];
            const uint32_t *sigs = &b->sig[h][w / 4][4 * column + w % 4];
            const uint32_t *fields = &b->field[h][w / 4][4 * column + w % 4];
#pragma GCC unroll 8
            for (unsigned j = 0; j < WIDE_BLOCK; j++) {
                vec by = n[j] - field - vec_word(fields + 4 * j);
                all[j] += wide_term(sig, vec_word(sigs + 4 * j), by);
                KEEP(all[j]);
            }
        }
#pragma GCC unroll 8
    for (unsigned j = 0; j < WIDE_BLOCK; j++)
        sum[j] = all[j];
}

/* --- result --- */

/* A sum of 33 bits: the two terms have 32. */
INLINE void wide_add(vec x, vec y, vec *negative, vec *mag) {
    vec sum = x + y;
    *negative = vec_shift_signed((x & y) | ((x | y) & sum), 31);
    *mag = (sum ^ *negative) - *negative;
}

/* The bits of mag, below 2^31, as a float, toward zero. */
INLINE vec wide_float(vec mag) {
#if defined(WSIM_INTEGER_KERNELS)
    /* Its first one goes to bit 31, by halves; below it the 23 bits that are kept, and it adds 1 to
     * the field. */
    vec field = vec_all(127 + 31 - 1), zero = vec_ones(vec_equal(mag, vec_all(0)));
    for (unsigned by = 16; by; by /= 2) {
        vec few = vec_ones(vec_equal(mag >> (32 - by), vec_all(0)));
        mag = (few & mag << by) | (~few & mag);
        field -= few & by;
    }
    return ((field << 23) + (mag >> 8)) & ~zero;
#else
    return (vec)vec_float_toward_zero(mag);
#endif
}

/* mag * 2^exp toward zero to the magnitude of an f32: what has a field above all is infinity, and
 * what has none is a significand without one, of as many bits as there are left (two truncations
 * are one). mag may have 32 bits; a float takes its upper 31. odd: there will be such fields, so
 * that asking, and guessing wrong, costs more than it saves. */
INLINE vec wide_encode32(vec mag, vec exp, int odd) {
    vec_mask large = vec_less(mag, vec_all(0));
    vec x = wide_float(vec_choose(large, mag >> 1, mag));
    vec field, y;
    exp = vec_choose(large, exp + 1, exp);
    field = (x >> 23) + exp;
    y = x + (exp << 23);
    if (odd || vec_any(vec_less(field, vec_all(1)) | vec_less(vec_all(254), field))) {
        vec sig = (x & 0x7FFFFF) | 0x800000;
        y = vec_choose(vec_less(field, vec_all(1)), vec_shift_each(sig, 1 - field), y);
        y = vec_choose(vec_less(vec_all(254), field), vec_all(0x7F800000), y);
    }
    return vec_choose(vec_equal(mag, vec_all(0)), mag, y);
}

/* mag * 2^exp to nearest even to the magnitude of an f16, in the upper half. Its last bit is 10
 * below the first one, or -24: so many bits of mag go. The 32nd bit of mag is folded into the rest
 * first, where a one says no more than that there is something. */
INLINE vec wide_encode16(vec mag, vec exp) {
    vec_mask large = vec_less(mag, vec_all(0));
    vec x, field, drop, kept, tie;
    mag = vec_choose(large, (mag >> 1) | (mag & 1), mag);
    exp = vec_choose(large, exp + 1, exp);
    x = wide_float(mag);
    field = vec_max((x >> 23) + exp - (127 - 15), vec_all(1));
    drop = field - 25 - exp;
    tie = vec_shift_each(mag, drop) & 1;
    kept = vec_shift_each(mag + vec_shift_left_each(vec_all(1), drop - 1) - 1 + tie, drop);
    kept = vec_choose(vec_less(drop, vec_all(1)), vec_shift_left_each(mag, -drop), kept);
    return vec_min((field << 10) + kept - (1 << 10), vec_all(0x7C00)) << 16;
}

/* Bits of (-1)^negative * mag * 2^exp; what is or becomes zero is +0. */
INLINE vec wide_encode(const struct wide_form *form, vec negative, vec mag, vec exp, int odd) {
    vec y;
    if (form->how->result->bits == 16)
        y = wide_encode16(mag, exp);
    else
        y = wide_encode32(mag, exp, odd) & vec_all(~0u << (23 - form->how->result_frac));
    return vec_choose(vec_equal(y, vec_all(0)), y, y | (negative & 0x80000000));
}

/* --- infinities and NaN --- */

/* Which elements of a word are a NaN and which an infinity, as masks have it. A magnitude has 15
 * bits or 31, so that a difference shows in the bit of the sign. */
INLINE vec wide_specials(const struct wide_form *form, vec w, unsigned side) {
    const struct wsim_format *format = side ? form->how->b : form->how->a;
    if (form->per == 2) {
        vec infinity = vec_all16((uint16_t)(form->infinity[side] >> 16));
        vec above = vec_sub16(infinity, w & 0x7FFF7FFF),
            below = vec_sub16(w & 0x7FFF7FFF, infinity);
        return wide_bits(form, above, ~(above | below) >> 8);
    } else {
        vec mag = (w & 0x7FFFFFFF) >> format->pad << format->pad;
        vec above = form->infinity[side] - mag, below = mag - form->infinity[side];
        return wide_bits(form, above, ~(above | below) >> 8);
    }
}

APART void wide_special_of_a(const struct wide_form *form, const uint32_t *const *regs,
                             vec special[ROW_VECS]) {
    for (unsigned r = 0; r < ROW_VECS; r++)
        special[r] = vec_all(0);
    for (unsigned i = 0; i < form->words / 4; i++) {
        vec z[4][ROW_VECS];
        vec_columns(z, regs[2 * i], regs[2 * i + 1]);
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                special[r] |= wide_specials(form, z[t][r], 0) >> (4 * i + t);
    }
}

APART void wide_special_of_b(const struct wide_form *form, const uint32_t *const *regs,
                             uint32_t special[8]) {
    vec words[32 / VL];
    for (unsigned v = 0; v < 32 / VL; v++) {
        words[v] = vec_all(0);
        for (unsigned i = 0; i < form->words / 4; i++) {
            vec w = vec_load(regs[i] + v * VL);
            words[v] |= wide_by_word(wide_specials(form, w, 1)) >> 4 * i;
        }
    }
    wide_collect(special, words);
}

/* What makes a result of a step special, by the rule of fused steps: a NaN, an infinity times zero,
 * infinities of both signs make NaN; infinities of one sign that one. y where nothing does. The
 * arguments of A and B are their masks of this row and this column; `mask` has the bits of signs of
 * the step. */
INLINE vec wide_special(const struct wide_form *form, vec special_a, vec special_b, vec signs_a,
                        vec signs_b, uint32_t mask, vec c, vec y) {
    const struct wsim_format *result = form->how->result;
    vec infinity_bits = vec_all(((1u << result->exp_bits) - 1) << (31 - result->exp_bits));
    vec nan_bits = vec_all((uint32_t)result->nan << (32 - result->bits));
    vec all = vec_all(~0u), c_mag = c & 0x7FFFFFFF, c_negative = vec_shift_signed(c, 31);
    vec c_infinity = vec_ones(vec_equal(c_mag, infinity_bits));
    vec special = special_a | special_b, signs = signs_a ^ signs_b;
    vec infinity = special << 8 & mask;
    vec times_zero = (special_a & signs_b) | (special_b & signs_a);
    vec nan = ((special | times_zero << 8) & mask) | vec_ones(vec_less(infinity_bits, c_mag));
    vec minus = (infinity & signs) | (c_infinity & c_negative);
    vec plus = (infinity & ~signs) | (c_infinity & ~c_negative);
    vec_mask is_plus = vec_test(plus, all), is_minus = vec_test(minus, all);
    y = vec_choose(is_plus, infinity_bits, y);
    y = vec_choose(is_minus, infinity_bits | 0x80000000, y);
    return vec_choose(vec_test(nan, all) | (is_plus & is_minus), nan_bits, y);
}

static int wide_has_special_c(const struct wide_form *form, vec (*c)[ROW_VECS]) {
    unsigned exp_bits = form->how->result->exp_bits;
    vec infinity = vec_all(((1u << exp_bits) - 1) << (31 - exp_bits)), top = vec_all(0);
    for (unsigned j = 0; j < 8; j++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            top = vec_max(top, c[j][r] & infinity);
    return vec_any(vec_equal(top, infinity));
}

/* --- all of it --- */

/* Columns of the accumulator; an f16 is in the upper half. */
INLINE void wide_load_c(unsigned bits, const uint32_t *const *regs, vec c[8][ROW_VECS]) {
    for (unsigned p = 0; p < bits / 16; p++) {
        vec z[4][ROW_VECS];
        vec_columns(z, regs[p], regs[p + bits / 16]);
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                if (bits == 32) {
                    c[2 * t + p][r] = z[t][r];
                } else {
                    c[2 * t][r] = z[t][r] << 16;
                    c[2 * t + 1][r] = z[t][r] & 0xFFFF0000;
                }
    }
}

INLINE void wide_store_d(unsigned bits, vec d[8][ROW_VECS], uint32_t *const *regs) {
    for (unsigned p = 0; p < bits / 16; p++) {
        vec z[4][ROW_VECS];
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                z[t][r] = bits == 32 ? d[2 * t + p][r] : d[2 * t][r] >> 16 | d[2 * t + 1][r];
        vec_registers((const vec(*)[ROW_VECS])z, regs[p], regs[p + bits / 16]);
    }
}

/* What a row and a column have in masks; `specials`: of neither an infinity or a NaN. */
struct wide_masks {
    vec signs_a, signs_b, special_a, special_b;
    int specials;
};

/* The bits of signs of a step. */
INLINE uint32_t wide_step_mask(const struct wide_form *form, unsigned first) {
    uint32_t mask = 0;
    for (unsigned w = first; w < first + form->step; w++)
        mask |= wide_bit(form) >> w;
    return mask;
}

/* x, the accumulator, after a step: top is E, `sum` that of the terms. */
INLINE vec wide_result(const struct wide_form *form, const struct wide_masks *masks, uint32_t mask,
                       vec x, vec top, vec sum) {
    vec field, sig, negative = vec_shift_signed(x, 31), mag, y;
    wide_split_c(form, x, &field, &sig);
    sig = vec_shift_each(sig << form->c_lift, top - field + form->c_drop);
    sum += wide_too_low(masks->signs_a, masks->signs_b, mask);
    wide_add(sum, (sig ^ negative) - negative, &negative, &mag);
    y = wide_encode(form, negative, mag, top + (uint32_t)form->d_exp, masks->specials);
    if (masks->specials)
        y = wide_special(form, masks->special_a, masks->special_b, masks->signs_a, masks->signs_b,
                         mask, x, y);
    return y;
}

/* One step of a block of columns; without special_a there are no infinities and no NaN. */
INLINE void wide_block(const struct wide_form *form, const struct wide_a *a, const struct wide_b *b,
                       const vec *special_a, const uint32_t *special_b, unsigned first, unsigned r,
                       unsigned column, vec (*c)[ROW_VECS]) {
    vec e[WIDE_BLOCK], sum[WIDE_BLOCK], field, sig;
    uint32_t mask = wide_step_mask(form, first);
    wide_exponents(form, a, b, first, r, column, e);
#pragma GCC unroll 1
    for (unsigned j = 0; j < WIDE_BLOCK; j++) {
        wide_split_c(form, c[column + j][r], &field, &sig);
        e[j] = vec_max(e[j], field) + form->below;
    }
    wide_terms(form, a, b, first, r, column, e, sum);
#pragma GCC unroll 1
    for (unsigned j = 0; j < WIDE_BLOCK; j++) {
        struct wide_masks masks = {.signs_a = a->signs[r],
                                   .signs_b = vec_all(b->signs[column + j]),
                                   .specials = special_a != NULL};
        if (special_a) {
            masks.special_a = special_a[r];
            masks.special_b = vec_all(special_b[column + j]);
        }
        c[column + j][r] =
            wide_result(form, &masks, mask, c[column + j][r], e[j] - form->below, sum[j]);
    }
}

/* A group of 8 columns. */
INLINE void wide_group_of(const struct wide_form *form, const struct num_strip *strip, unsigned g,
                          const struct wide_a *a, int special) {
    const uint32_t *const *regs_b = strip->b + g * (form->words / 4);
    unsigned bits = form->how->result->bits, regs_c = bits / 8;
    struct wide_b b;
    vec special_a[ROW_VECS], c[8][ROW_VECS];
    uint32_t special_b[8];
    int ready = 0;
    special |= wide_decode_b(form, regs_b, &b);
    wide_load_c(bits, strip->c + g * regs_c, c);
    for (unsigned first = 0; first < form->words; first += form->step) {
        special = special || wide_has_special_c(form, c);
        if (special && !ready) {
            wide_special_of_a(form, strip->a, special_a);
            wide_special_of_b(form, regs_b, special_b);
            ready = 1;
        }
        for (unsigned r = 0; r < ROW_VECS; r++)
            for (unsigned column = 0; column < 8; column += WIDE_BLOCK)
                wide_block(form, a, &b, special ? special_a : NULL, special_b, first, r, column, c);
    }
    wide_store_d(bits, c, strip->d + g * regs_c);
}

/* The same, and decoding A, where a word has so many elements, known to the compiler. */
#define WIDE_PER(number)                                                                           \
    APART int wide_decode_a_##number(struct wide_form form, const uint32_t *const *regs,           \
                                     struct wide_a *a) {                                           \
        form.per = number;                                                                         \
        return wide_decode_a(&form, regs, a);                                                      \
    }                                                                                              \
    APART void wide_group_of_##number(struct wide_form form, const struct num_strip *strip,        \
                                      unsigned g, const struct wide_a *a, int special) {           \
        form.per = number;                                                                         \
        wide_group_of(&form, strip, g, a, special);                                                \
    }
WIDE_PER(1)
WIDE_PER(2)
#undef WIDE_PER

/* The groups of a mask. */
APART void wide_groups(const struct wsim_code_product *how, const struct num_strip *strip,
                       uint32_t groups) {
    struct wide_form form = wide_form_of(how);
    struct wide_a a;
    int special = (form.per == 2 ? wide_decode_a_2 : wide_decode_a_1)(form, strip->a, &a);
    for (unsigned g = 0; g < strip->groups; g++)
        if (groups >> g & 1)
            (form.per == 2 ? wide_group_of_2 : wide_group_of_1)(form, strip, g, &a, special);
}

static uint32_t wide_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    wide_groups(how, strip, ~UINT32_C(0));
    return 0;
}

/* --- sparse: B is picked by each row (kernel_pick.h) and decoded where that was done --- */

/* A column of B as each row of a vector meets it. */
struct wide_picked {
    vec sig[16], field[16], fields[8];
    vec signs, special;
    int specials;
};

/* Two of four are kept, or one of two whose index counts its halves: 4 or 14. The arithmetic is
 * that of the list of what is kept. */
static int wide_sparse_takes(const struct wsim_code_product *how) {
    struct wsim_code_product dense = *how;
    int pairs = how->bits_a == 16 && how->kept == 2 && how->chunk == 4;
    int halves = how->bits_a == 32 && how->kept == 1 && how->chunk == 2 && how->valid == 0x4010;
    dense.kept = 0;
    return (pairs || halves) && how->k_dense == 2 * how->k && wide_takes(&dense);
}

/* Elements in the upper bits of words, 4 * q to 4 * q + 3 along k of column j from [q][4 * j] on.
 */
INLINE void wide_elements(const struct wide_form *form, const uint32_t *const *regs,
                          uint32_t (*to)[32]) {
    for (unsigned i = 0; i < form->words / 2; i++) {
        uint32_t low[32], high[32];
        if (form->per == 1) {
            memcpy(to[i], regs[i], sizeof to[i]);
            continue;
        }
        for (unsigned v = 0; v < 32; v += VL) {
            vec w = vec_load(regs[i] + v);
            vec_store(low + v, w << 16);
            vec_store(high + v, w & 0xFFFF0000);
        }
        pick_in_turns(low, high, 32, to[2 * i], to[2 * i + 1]);
    }
    pick_prepare(to, 16 * form->per * form->words);
    KEEP_MEMORY(to);
}

/* `meta` is that of the rows, `elements` are those of a column. */
INLINE void wide_pick(const struct wide_form *form, vec meta, const uint32_t (*elements)[32],
                      unsigned column, struct wide_picked *b) {
    vec top = vec_all(0);
    b->signs = b->special = vec_all(0);
    for (unsigned w = 0; w < form->words; w++) {
        vec z = vec_all(0);
        struct wide_word x;
        for (unsigned h = 0; h < form->per; h++) {
            unsigned k = form->per * w + h;
            struct pick pick = pick_at(meta, k, form->per == 1);
            vec element = pick_word(&pick, &elements[k / 2][4 * column]);
            z |= form->per == 2 && !h ? element >> 16 : element;
        }
        x = wide_decode(form, z, 1);
        for (unsigned h = 0; h < form->per; h++) {
            b->sig[2 * w + h] = x.sig[h];
            b->field[2 * w + h] = x.field[h];
        }
        b->fields[w] = x.fields;
        b->signs |= wide_bits(form, z, x.zero) >> w;
        b->special |= wide_specials(form, z, 1) >> w;
        top = vec_max16(top, x.fields);
    }
    b->specials = wide_any_special(form, 1, top);
}

/* All steps of one column and the rows of a vector; special_a NULL: none of A is special. */
INLINE vec wide_sparse_column(const struct wide_form *form, const struct wide_a *a,
                              const vec *special_a, const struct wide_picked *b, unsigned r,
                              vec c) {
    unsigned exp_bits = form->how->result->exp_bits;
    vec infinity = vec_all(((1u << exp_bits) - 1) << (31 - exp_bits));
    struct wide_masks masks = {a->signs[r], b->signs, special_a ? special_a[r] : vec_all(0),
                               b->special, special_a || b->specials};
    for (unsigned first = 0; first < form->words; first += form->step) {
        vec m = vec_all16((uint16_t)form->floor), e, field, sig, sum = vec_all(0);
        masks.specials = masks.specials || vec_any(vec_equal(c & infinity, infinity));
        for (unsigned w = first; w < first + form->step; w++)
            m = vec_max16(m, vec_add16(a->fields[w][r], b->fields[w]));
        wide_split_c(form, c, &field, &sig);
        e = vec_max(vec_shift_signed(m << 16, 16), vec_shift_signed(m, 16));
        e = vec_max(e, field);
        for (unsigned w = first; w < first + form->step; w++)
            for (unsigned h = 0; h < form->per; h++) {
                unsigned i = 2 * w + h;
                sum += wide_term(a->sig[i][r], b->sig[i],
                                 e + form->below - a->field[i][r] - b->field[i]);
            }
        c = wide_result(form, &masks, wide_step_mask(form, first), c, e, sum);
    }
    return c;
}

/* A group of 8 columns, where a word has so many elements, known to the compiler. */
#define WIDE_PER(number)                                                                           \
    APART vec wide_sparse_column_##number(struct wide_form form, const struct wide_a *a,           \
                                          const vec *special_a, const uint32_t(*elements)[32],     \
                                          unsigned j, unsigned r, vec c) {                         \
        struct wide_picked b;                                                                      \
        form.per = number;                                                                         \
        wide_pick(&form, a->meta[r], elements, j, &b);                                             \
        return wide_sparse_column(&form, a, special_a, &b, r, c);                                  \
    }                                                                                              \
    APART void wide_sparse_group_##number(struct wide_form form, const struct num_strip *strip,    \
                                          unsigned g, const struct wide_a *a,                      \
                                          const vec *special_a) {                                  \
        unsigned bits = form.how->result->bits;                                                    \
        uint32_t elements[8][32];                                                                  \
        vec c[8][ROW_VECS];                                                                        \
        form.per = number;                                                                         \
        wide_elements(&form, strip->b + g * (form.words / 2), elements);                           \
        wide_load_c(bits, strip->c + g * (bits / 8), c);                                           \
        for (unsigned j = 0; j < 8; j++)                                                           \
            for (unsigned r = 0; r < ROW_VECS; r++)                                                \
                c[j][r] = wide_sparse_column_##number(                                             \
                    form, a, special_a, (const uint32_t(*)[32])elements, j, r, c[j][r]);           \
        wide_store_d(bits, c, strip->d + g * (bits / 8));                                          \
    }
WIDE_PER(1)
WIDE_PER(2)
#undef WIDE_PER

/* The groups of a mask. */
APART void wide_sparse_groups(const struct wsim_code_product *how, const struct num_strip *strip,
                              uint32_t groups) {
    struct wide_form form = wide_form_of(how);
    struct wide_a a;
    vec special_a[ROW_VECS];
    int special = (form.per == 2 ? wide_decode_a_2 : wide_decode_a_1)(form, strip->a, &a);
    if (special)
        wide_special_of_a(&form, strip->a, special_a);
    for (unsigned r = 0; r < ROW_VECS; r++)
        a.meta[r] = vec_rows(strip->meta, r);
    for (unsigned g = 0; g < strip->groups; g++)
        if (groups >> g & 1)
            (form.per == 2 ? wide_sparse_group_2 : wide_sparse_group_1)(form, strip, g, &a,
                                                                        special ? special_a : NULL);
}

static uint32_t wide_sparse_run(const struct wsim_code_product *how,
                                const struct num_strip *strip) {
    wide_sparse_groups(how, strip, ~UINT32_C(0));
    return 0;
}
