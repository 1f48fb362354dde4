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

#include "kernel_wide_numbers.h"

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
    form.words = how->k >> (form.per - 1);
    form.step = how->width >> (form.per - 1);
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

/* The accumulator as a term, where E is `top`. */
INLINE vec wide_addend(const struct wide_form *form, vec x, vec field, vec sig, vec top) {
    vec negative = vec_shift_signed(x, 31);
    sig = vec_shift_each(sig << form->c_lift, top - field + form->c_drop);
    return (sig ^ negative) - negative;
}

/* x, the accumulator, after a step: top is E, `sum` that of the terms, `addend` x as one. */
INLINE vec wide_result(const struct wide_form *form, const struct wide_masks *masks, uint32_t mask,
                       vec x, vec top, vec sum, vec addend) {
    vec negative, mag, y;
    sum += wide_too_low(masks->signs_a, masks->signs_b, mask);
    wide_add(sum, addend, &negative, &mag);
    y = wide_encode(form, negative, mag, top + (uint32_t)form->d_exp, masks->specials);
    if (masks->specials)
        y = wide_special(form, masks->special_a, masks->special_b, masks->signs_a, masks->signs_b,
                         mask, x, y);
    return y;
}

/* One step of a block of columns; without `specials` there are no infinities and no NaN. */
INLINE void wide_block(const struct wide_form *form, const struct wide_a *a, const struct wide_b *b,
                       int specials, unsigned first, unsigned r, unsigned column,
                       vec (*c)[ROW_VECS]) {
    vec e[WIDE_BLOCK], sum[WIDE_BLOCK], addend[WIDE_BLOCK], field, sig;
    uint32_t mask = wide_step_mask(form, first);
    wide_exponents(form, a, b, first, r, column, e);
#pragma GCC unroll 1
    for (unsigned j = 0; j < WIDE_BLOCK; j++) {
        wide_split_c(form, c[column + j][r], &field, &sig);
        e[j] = vec_max(e[j], field);
        addend[j] = wide_addend(form, c[column + j][r], field, sig, e[j]);
        e[j] += form->below;
    }
    wide_terms(form, a, b, first, r, column, e, sum);
#pragma GCC unroll 1
    for (unsigned j = 0; j < WIDE_BLOCK; j++) {
        struct wide_masks masks = {.signs_a = a->signs[r],
                                   .signs_b = vec_all(b->signs[column + j]),
                                   .special_a = a->special[r],
                                   .special_b = vec_all(b->special[column + j]),
                                   .specials = specials};
        c[column + j][r] = wide_result(form, &masks, mask, c[column + j][r], e[j] - form->below,
                                       sum[j], addend[j]);
    }
}

/* A group of 8 columns. */
INLINE void wide_group_of(const struct wide_form *form, const struct num_strip *strip, unsigned g,
                          const struct wide_a *a, int special) {
    unsigned bits = form->how->result->bits, regs_c = bits / 8;
    struct wide_b b;
    vec c[8][ROW_VECS];
    special |= wide_decode_b(form, strip->b + g * (form->words / 4), &b);
    wide_load_c(bits, strip->c + g * regs_c, c);
    for (unsigned first = 0; first < form->words; first += form->step) {
        special = special || wide_has_special_c(form, c);
        for (unsigned r = 0; r < ROW_VECS; r++)
            for (unsigned column = 0; column < 8; column += WIDE_BLOCK)
                wide_block(form, a, &b, special, first, r, column, c);
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

static void wide_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    wide_groups(how, strip, ~UINT32_C(0));
}

#include "kernel_wide_sparse.h"
