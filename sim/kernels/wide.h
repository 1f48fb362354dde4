/* wide.h - chains of fused steps by integers alone: factors of 16 bits and tf32, with any
 * exponents.
 *
 * A finite element is significand * 2^exponent, and so is a product of two. A step aligns all
 * products and the accumulator to the largest exponent E. It shifts each right by the distance of
 * its exponent below E, and truncates. Then it adds them and rounds once. In lanes of 32 bits:
 *
 *   decode      for each element the exponent field (a subnormal has that of the least normal
 *               number, a zero one that never counts), and the signed significand. It is shifted
 *               left so that bit `below`, at least 1, of a product is the last one that is kept
 *               under the product's own exponent;
 *   exponents   E = the largest sum of two fields, of the accumulator's, and the floor;
 *   terms       product >> (E - its exponent + below), toward zero;
 *   result      sum to sign and magnitude, and that to bits.
 *
 * An arithmetic shift rounds down, not toward zero. With intrinsics one instruction multiplies the
 * significands and the signs (+1, -1) and adds both: x = product + sign. The shift drops the bits
 * of a product below `below`, and bit 0 is 0. With p the magnitude, even and n > 0:
 *
 *   sign +    x >> n = floor((p + 1) / 2^n) = floor(p / 2^n)
 *   sign -    x >> n = floor(-(p + 1) / 2^n) = -(floor(p / 2^n) + 1)
 *
 * This includes zeros (p = 0). Each negative product is 1 too low, and their number is the count of
 * ones in (signs of the row ^ signs of the column). Without intrinsics, products of zero have no
 * sign, and each term is corrected by itself.
 *
 * Infinities and NaN are masks with a bit for each element. wide_special() derives the result from
 * the masks and replaces the sum, which is meaningless in that case.
 */

#include "wide_numbers.h"

/* --- the arithmetic that this class accepts --- */

static int wide_takes_factor(const struct wsim_format *format) {
    return format->kind == WSIM_BINARY && format->is_signed &&
           format->specials == WSIM_SPECIALS_IEEE && format->frac_bits <= 10 &&
           format->exp_bits <= 8 && format->frac_bits + format->exp_bits + 1 == format->bits &&
           (format->bits == 16 ||
            (format->frac_bits == 10 && format->exp_bits == 8 && format->bits + format->pad == 32));
}

static int wide_takes_result(const struct wsim_code_product *how) {
    const struct wsim_format *result = how->result;
    if (how->c != how->d || result->kind != WSIM_BINARY || result->specials != WSIM_SPECIALS_IEEE)
        return 0;
    return result->bits == 32 ? result->frac_bits == 23 && how->rounding == WSIM_RZ
                              : result->bits == 16 && result->exp_bits == 5 &&
                                    how->rounding == WSIM_RN && how->result_frac == 10;
}

/* Signed significands have to fit in 16 bits, and the sum of `width` terms, each below 2^(keep +
 * 2), in 32. The term of the accumulator is below 2^(keep + 1), at most 2^26. */
static int wide_takes(const struct wsim_code_product *how) {
    unsigned lift, per;
    if (how->method != METHOD_FUSED || how->kept || how->blocks || how->split ||
        how->in_a != how->a || how->in_b != how->b || how->a != how->b ||
        !wide_takes_factor(how->a) || !wide_takes_result(how))
        return 0;
    lift = how->keep + 1u > 2u * how->a->frac_bits ? how->keep + 1u - 2u * how->a->frac_bits : 0;
    per = how->bits_a == 16 ? 2 : 1;
    return how->a->frac_bits + 1u + (lift + 1) / 2 <= 15 && how->keep <= 25 &&
           (uint32_t)how->width << how->keep <= UINT32_C(1) << 29 && how->k <= 8 * per &&
           how->k % (4 * per) == 0 && how->width % per == 0 && how->k % how->width == 0 &&
           how->floor >= WIDE_LEAST;
}

/* Formats whose parameters are constants in the loops over elements, and any other of 16 bits. */
#define WIDE_FORMS(FORM)                                                                           \
    FORM(bf16, 2, 7, 8)                                                                            \
    FORM(tf32, 1, 10, 8)                                                                           \
    FORM(other, 2, how->a->frac_bits, how->a->exp_bits)

INLINE struct wide_form wide_form_of(const struct wsim_code_product *how, unsigned per,
                                     unsigned frac, unsigned exp_bits) {
    struct wide_form form;
    unsigned lift = how->keep + 1u > 2 * frac ? how->keep + 1u - 2 * frac : 0;
    int bias = 2 * how->a->bias;
    form.how = how;
    form.per = per;
    form.words = how->k >> (per - 1);
    form.step = how->width >> (form.per - 1);
    form.frac = frac;
    form.exp_bits = exp_bits;
    form.lift[0] = (lift + 1) / 2;
    form.lift[1] = lift / 2;
    form.below = lift + 2 * frac - how->keep;
    form.keep = how->keep;
    form.c_frac = how->result->frac_bits;
    form.c_lift = form.keep > form.c_frac ? form.keep - form.c_frac : 0;
    form.c_drop = form.c_frac > form.keep ? form.c_frac - form.keep : 0;
    form.floor = how->floor + bias;
    form.c_fields = bias - how->result->bias;
    form.d_exp = -bias - (int)form.keep;
    form.quick = how->result->bits == 32 && how->result_frac == 23 && how->keep >= 23;
    return form;
}

/* --- exponents, terms --- */

/* Columns that are computed at once: their sums fit in registers. */
#define WIDE_BLOCK (VL == 16 ? 8 : 4)

/* Splits a number without its sign: exponent as a sum of fields (or never), and significand. */
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
    int halves = form->per == 2;
    vec least = halves ? vec_all16((uint16_t)form->floor) : vec_all((uint32_t)form->floor);
    vec m[WIDE_BLOCK];
    UNROLL(8)
    for (unsigned j = 0; j < WIDE_BLOCK; j++)
        m[j] = least;
    for (unsigned w = first; w < first + form->step; w++) {
        UNROLL(8)
        for (unsigned j = 0; j < WIDE_BLOCK; j++) {
            vec fields = vec_word(&b->fields[w / 4][4 * (column + j) + w % 4]);
            m[j] = halves ? vec_max16(m[j], vec_add16(a->fields[w][r], fields))
                          : vec_max(m[j], a->fields[w][r] + fields);
        }
    }
    UNROLL(8)
    for (unsigned j = 0; j < WIDE_BLOCK; j++)
        e[j] =
            halves ? vec_max(vec_shift_signed(m[j] << 16, 16), vec_shift_signed(m[j], 16)) : m[j];
}

/* A product of significands, shifted right by n > 0: see the top of this file. */
INLINE vec wide_term(vec a, vec b, vec n) {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    return vec_shift_signed_each(vec_pairs_product(a, b), n);
#else
    vec product = a * b, negative = vec_shift_signed(product, 31);
    return vec_shift_signed_each(product + negative, n) - negative;
#endif
}

/* The number of negative products of a step, where each of them is 1 too low. */
INLINE vec wide_too_low(vec negative_a, vec negative_b, vec step) {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    return vec_count_ones((negative_a ^ negative_b) & step);
#else
    (void)negative_a, (void)negative_b, (void)step;
    return vec_all(0);
#endif
}

/* Sums of the terms of a step. e: E + below. */
INLINE void wide_terms(const struct wide_form *form, const struct wide_a *a, const struct wide_b *b,
                       unsigned first, unsigned r, unsigned column, const vec *e, vec *sum) {
    vec n[WIDE_BLOCK], all[WIDE_BLOCK];
    UNROLL(8)
    for (unsigned j = 0; j < WIDE_BLOCK; j++) {
        n[j] = e[j];
        all[j] = vec_all(0);
    }
    for (unsigned w = first; w < first + form->step; w++) {
        UNROLL(2)
        for (unsigned h = 0; h < form->per; h++) {
            vec sig = a->sig[2 * w + h][r], field = a->field[2 * w + h][r];
            const uint32_t *sigs = &b->sig[h][w / 4][4 * column + w % 4];
            const uint32_t *fields = &b->field[h][w / 4][4 * column + w % 4];
            UNROLL(8)
            for (unsigned j = 0; j < WIDE_BLOCK; j++) {
                vec by = n[j] - field - vec_word(fields + 4 * j);
                all[j] += wide_term(sig, vec_word(sigs + 4 * j), by);
                KEEP(all[j]);
            }
        }
    }
    UNROLL(8)
    for (unsigned j = 0; j < WIDE_BLOCK; j++)
        sum[j] = all[j];
}

/* --- steps and groups --- */

/* Loads the columns of the accumulator, an f16 in the upper half. */
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

/* The marks of `words` words from `first` on. */
INLINE uint32_t wide_words_marks(const struct wide_form *form, unsigned first, unsigned words) {
    uint32_t bits = (UINT32_C(0x10000) - (UINT32_C(0x10000) >> words)) >> first;
    return form->per == 2 ? bits | bits << 16 : bits << 16;
}

/* *top: E of the accumulator c and products with exponents of at most e. *addend: the term of c. */
INLINE void wide_any_c(const struct wide_form *form, vec c, vec e, vec *top, vec *addend) {
    vec field, sig, negative = vec_shift_signed(c, 31);
    wide_split_c(form, c, &field, &sig);
    *top = vec_max(e, field);
    sig = vec_shift_each(sig << form->c_lift, *top - field + form->c_drop);
    *addend = (sig ^ negative) - negative;
}

/* The accumulator x after a step. top: E; sum: of the terms of products; addend: the term of x. */
INLINE vec wide_result(const struct wide_form *form, const struct wide_marks *a,
                       const struct wide_marks *b, vec step, enum wide_specials specials, vec x,
                       vec top, vec sum, vec addend) {
    vec negative, mag, y;
    sum += wide_too_low(a->negative, b->negative, step);
    wide_add(sum, addend, &negative, &mag);
    y = wide_encode(form, negative, mag, top + (uint32_t)form->d_exp, specials != WIDE_NO_SPECIAL);
    return wide_special(form, a, b, step, specials, x, y);
}

/* One step of a block of columns. */
INLINE void wide_block(const struct wide_form *form, const struct wide_a *a, const struct wide_b *b,
                       enum wide_specials specials, unsigned first, unsigned r, unsigned column,
                       vec (*c)[ROW_VECS]) {
    vec e[WIDE_BLOCK], sum[WIDE_BLOCK], addend[WIDE_BLOCK];
    vec step = vec_all(wide_words_marks(form, first, form->step));
    wide_exponents(form, a, b, first, r, column, e);
#pragma GCC unroll 1
    for (unsigned j = 0; j < WIDE_BLOCK; j++) {
        wide_any_c(form, c[column + j][r], e[j], &e[j], &addend[j]);
        e[j] += form->below;
    }
    wide_terms(form, a, b, first, r, column, e, sum);
#pragma GCC unroll 1
    for (unsigned j = 0; j < WIDE_BLOCK; j++) {
        struct wide_marks of_b = wide_column(&b->columns, column + j);
        c[column + j][r] = wide_result(form, &a->marks[r], &of_b, step, specials, c[column + j][r],
                                       e[j] - form->below, sum[j], addend[j]);
    }
}

/* --- quick steps: every result is 0, normal or too large ---
 *
 * This holds if the last bit of each sum is a normal number. Such a step takes a fourth of the
 * instructions, because C needs no special cases either. A field of 0 is that of a zero or a
 * subnormal number, more than `keep` below E. All of its significand is shifted out, with a leading
 * one or without. */

struct wide_quick {
    vec top[8][ROW_VECS], addend[8][ROW_VECS];
};

/* wide_any_c of a quick step. On entry *top is e. */
INLINE void wide_quick_c(const struct wide_form *form, vec c, vec *top, vec *addend) {
    vec field = (c << 1 >> 24) + (uint32_t)form->c_fields, negative = vec_shift_signed(c, 31);
    vec sig = ((c & 0x7FFFFF) | 0x800000) << form->c_lift;
    *top = vec_max(*top, field);
    *addend = (vec_shift_each(sig, *top - field) ^ negative) - negative;
}

/* Whether the last bit of every sum is a normal number. least: the least E of each lane. */
INLINE int wide_is_quick(const struct wide_form *form, vec least) {
    return !vec_any(vec_less(least, vec_all((uint32_t)(-126 - form->d_exp))));
}

/* Returns 0 if the step is not quick. */
INLINE int wide_quick_start(const struct wide_form *form, const struct wide_a *a,
                            const struct wide_b *b, unsigned first, vec (*c)[ROW_VECS],
                            struct wide_quick *quick) {
    vec least = vec_all(0x7FFFFFFF), e[WIDE_BLOCK];
    for (unsigned r = 0; r < ROW_VECS; r++)
        for (unsigned column = 0; column < 8; column += WIDE_BLOCK) {
            wide_exponents(form, a, b, first, r, column, e);
            UNROLL(8)
            for (unsigned j = 0; j < WIDE_BLOCK; j++) {
                wide_quick_c(form, c[column + j][r], &e[j], &quick->addend[column + j][r]);
                least = vec_min(least, e[j]);
                quick->top[column + j][r] = e[j];
            }
        }
    return wide_is_quick(form, least);
}

/* The bits of sum * 2^exp, which is 0, normal or, if it is too large, infinite. */
INLINE vec wide_quick_encode(vec sum, vec exp) {
#if defined(VEC_AVX512) && !defined(WSIM_INTEGER_KERNELS)
    return vec_scale(vec_float_toward_zero(sum), vec_float_exact(exp));
#else
    vec x = wide_signed_float(sum), field = (x << 1 >> 24) + exp;
    vec infinity = (x & 0x80000000) | 0x7F800000;
    x = vec_choose(vec_less(vec_all(254), field), infinity, x + (exp << 23));
    return vec_choose(vec_equal(sum, vec_all(0)), sum, x);
#endif
}

/* wide_result of a quick step. A lane of *bad is negative if its sum has 33 bits. */
INLINE vec wide_quick_result(const struct wide_form *form, const struct wide_marks *a,
                             const struct wide_marks *b, vec step, enum wide_specials specials,
                             vec x, vec top, vec sum, vec addend, vec *bad) {
    vec terms = sum + wide_too_low(a->negative, b->negative, step), all = terms + addend;
    vec y = wide_quick_encode(all, top + (uint32_t)form->d_exp);
    *bad |= (terms ^ all) & (addend ^ all);
    return wide_special(form, a, b, step, specials, x, y);
}

/* Computes a quick step. Returns 0 and changes nothing if it is not quick or a sum has 33 bits. */
INLINE int wide_quick_step(const struct wide_form *form, const struct wide_a *a,
                           const struct wide_b *b, enum wide_specials specials, unsigned first,
                           vec (*c)[ROW_VECS]) {
    struct wide_quick quick;
    vec bad = vec_all(0), d[8][ROW_VECS], sum[WIDE_BLOCK], e[WIDE_BLOCK];
    vec step = vec_all(wide_words_marks(form, first, form->step));
    if (!wide_quick_start(form, a, b, first, c, &quick))
        return 0;
    for (unsigned r = 0; r < ROW_VECS; r++)
        for (unsigned column = 0; column < 8; column += WIDE_BLOCK) {
            UNROLL(8)
            for (unsigned j = 0; j < WIDE_BLOCK; j++)
                e[j] = quick.top[column + j][r] + form->below;
            wide_terms(form, a, b, first, r, column, e, sum);
            UNROLL(8)
            for (unsigned j = 0; j < WIDE_BLOCK; j++) {
                unsigned at = column + j;
                struct wide_marks of_b = wide_column(&b->columns, at);
                d[at][r] = wide_quick_result(form, &a->marks[r], &of_b, step, specials, c[at][r],
                                             quick.top[at][r], sum[j], quick.addend[at][r], &bad);
            }
        }
    if (vec_any_negative(bad))
        return 0;
    memcpy(c, d, sizeof d);
    return 1;
}

/* Computes any step. */
INLINE void wide_any_step(const struct wide_form *form, const struct wide_a *a,
                          const struct wide_b *b, enum wide_specials specials, unsigned first,
                          vec (*c)[ROW_VECS]) {
    for (unsigned r = 0; r < ROW_VECS; r++)
        for (unsigned column = 0; column < 8; column += WIDE_BLOCK)
            wide_block(form, a, b, specials, first, r, column, c);
}

/* A step as a separate function, because one frame has no room for all steps. */
typedef int wide_step(const struct wsim_code_product *how, const struct wide_a *a,
                      const struct wide_b *b, enum wide_specials specials, unsigned first,
                      vec (*c)[ROW_VECS]);

/* Computes a group of 8 columns. */
INLINE void wide_group_of(const struct wide_form *form, const struct num_strip *strip, unsigned g,
                          const struct wide_a *a, wide_step *quick, wide_step *any) {
    unsigned bits = form->how->result->bits, regs_c = bits / 8;
    struct wide_b b;
    vec c[8][ROW_VECS], special;
    special = a->special | wide_decode_b(form, strip->b + g * (form->words / 4), &b);
    wide_load_c(bits, strip->c + g * regs_c, c);
    for (unsigned first = 0; first < form->words; first += form->step) {
        enum wide_specials specials = wide_specials_of(
            form, special, wide_words_marks(form, first, form->step), wide_top_c(form, c));
        if (!form->quick || !quick(form->how, a, &b, specials, first, c))
            any(form->how, a, &b, specials, first, c);
    }
    wide_store_d(bits, c, strip->d + g * regs_c);
}

/* Instances for each format, and a function for the groups of a mask. Vectors are neither arguments
 * nor results of functions that are not inlined: callers may be compiled without vectors. */
#define WIDE_FORM(name, per, frac, exp_bits)                                                       \
    APART void wide_decode_a_##name(const struct wsim_code_product *how,                           \
                                    const uint32_t *const *regs, struct wide_a *a) {               \
        struct wide_form form = wide_form_of(how, per, frac, exp_bits);                            \
        wide_decode_a(&form, regs, a);                                                             \
    }                                                                                              \
    APART int wide_quick_step_##name(const struct wsim_code_product *how, const struct wide_a *a,  \
                                     const struct wide_b *b, enum wide_specials specials,          \
                                     unsigned first, vec(*c)[ROW_VECS]) {                          \
        struct wide_form form = wide_form_of(how, per, frac, exp_bits);                            \
        return wide_quick_step(&form, a, b, specials, first, c);                                   \
    }                                                                                              \
    APART int wide_any_step_##name(const struct wsim_code_product *how, const struct wide_a *a,    \
                                   const struct wide_b *b, enum wide_specials specials,            \
                                   unsigned first, vec(*c)[ROW_VECS]) {                            \
        struct wide_form form = wide_form_of(how, per, frac, exp_bits);                            \
        wide_any_step(&form, a, b, specials, first, c);                                            \
        return 1;                                                                                  \
    }                                                                                              \
    APART void wide_group_of_##name(const struct wsim_code_product *how,                           \
                                    const struct num_strip *strip, unsigned g,                     \
                                    const struct wide_a *a) {                                      \
        struct wide_form form = wide_form_of(how, per, frac, exp_bits);                            \
        wide_group_of(&form, strip, g, a, wide_quick_step_##name, wide_any_step_##name);           \
    }                                                                                              \
    APART void wide_groups_##name(const struct wsim_code_product *how,                             \
                                  const struct num_strip *strip, uint32_t groups) {                \
        struct wide_a a;                                                                           \
        wide_decode_a_##name(how, strip->a, &a);                                                   \
        for (unsigned g = 0; g < strip->groups; g++)                                               \
            if (groups >> g & 1)                                                                   \
                wide_group_of_##name(how, strip, g, &a);                                           \
    }
WIDE_FORMS(WIDE_FORM)
#undef WIDE_FORM

enum wide_format { WIDE_BF16, WIDE_TF32, WIDE_OTHER };

static enum wide_format wide_format_of(const struct wsim_code_product *how) {
    if (how->bits_a == 32)
        return WIDE_TF32;
    return how->a->frac_bits == 7 ? WIDE_BF16 : WIDE_OTHER;
}

static void wide_groups(const struct wsim_code_product *how, const struct num_strip *strip,
                        uint32_t groups) {
    switch (wide_format_of(how)) {
    case WIDE_BF16: wide_groups_bf16(how, strip, groups); break;
    case WIDE_TF32: wide_groups_tf32(how, strip, groups); break;
    case WIDE_OTHER: wide_groups_other(how, strip, groups); break;
    }
}

static void wide_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    wide_groups(how, strip, ~UINT32_C(0));
}

#include "wide_sparse.h"
