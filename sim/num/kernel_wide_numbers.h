/* kernel_wide_numbers.h - numbers of the class wide, in lanes: A and B to significands and exponent
 * fields, sums to results, and what infinities and NaN make of them. */

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
    vec signs[ROW_VECS], special[ROW_VECS]; /* a bit for each element, see wide_bits           */
    vec meta[ROW_VECS]; /* sparse: metadata                                               */
};

/* B of a group: word w of column j at [w / 4][4 * j + w % 4]. */
struct wide_b {
    uint32_t sig[2][2][32], field[2][2][32]; /* first: low or high half                          */
    uint32_t fields[2][32];
    uint32_t signs[8], special[8];
};

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

/* Whether there is an infinity or a NaN. */
INLINE int wide_decode_a(const struct wide_form *form, const uint32_t *const *regs,
                         struct wide_a *a) {
    vec any = vec_all(0), signs[ROW_VECS], special[ROW_VECS];
    for (unsigned r = 0; r < ROW_VECS; r++)
        signs[r] = special[r] = vec_all(0);
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
                signs[r] |= wide_bits(form, z[t][r], x.zero) >> w;
                special[r] |= wide_specials(form, z[t][r], 0) >> w;
            }
    }
    for (unsigned r = 0; r < ROW_VECS; r++) {
        a->signs[r] = signs[r];
        a->special[r] = special[r];
        any |= special[r];
    }
    return vec_any(vec_test(any, any));
}

/* Masks of the columns, from words 4 * j + t of registers, which move down by t. */
INLINE void wide_collect(uint32_t column[8], const vec words[32 / VL]) {
    uint32_t w[32];
    vec by = vec_all(0);
    for (unsigned i = 0; i < VL; i++)
        by[i] = i % 4;
    for (unsigned v = 0; v < 32 / VL; v++)
        vec_store(w + VL * v, vec_shift_each(words[v], by));
    for (unsigned j = 0; j < 8; j++)
        column[j] = w[4 * j] | w[4 * j + 1] | w[4 * j + 2] | w[4 * j + 3];
}

INLINE int wide_decode_b(const struct wide_form *form, const uint32_t *const *regs,
                         struct wide_b *b) {
    vec any = vec_all(0), signs[32 / VL], special[32 / VL];
    for (unsigned v = 0; v < 32 / VL; v++)
        signs[v] = special[v] = vec_all(0);
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
            signs[v] |= wide_bits(form, w, x.zero) >> 4 * i;
            special[v] |= wide_specials(form, w, 1) >> 4 * i;
        }
    for (unsigned v = 0; v < 32 / VL; v++)
        any |= special[v];
    wide_collect(b->signs, signs);
    wide_collect(b->special, special);
    KEEP_MEMORY(b);
    return vec_any(vec_test(any, any));
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
