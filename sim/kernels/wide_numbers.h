/* wide_numbers.h - numbers of class wide in lanes: decodes A and B to significands and exponent
 * fields, encodes sums as results, and handles infinities and NaN. */

/* The exponent field of a zero. It is lower than any sum, and so is its sum with any field. Its
 * last bit is that of a subnormal number, so that neither gets a leading one. */
#define WIDE_NEVER 0xF801
#define WIDE_LEAST (-1000) /* lower bound of floors */

struct wide_form {
    unsigned per, words;     /* elements of a word; words of k                             */
    unsigned frac, exp_bits; /* of A and B                                                 */
    unsigned lift[2];        /* left shifts of the significands of A and B                 */
    unsigned below;          /* see wide.h                                                 */
    unsigned keep, step;     /* fraction bits of a sum; words of a step                    */
    unsigned c_frac, c_lift, c_drop; /* fraction bits of the accumulator; shifts to a sum's    */
    int floor;    /* as a sum of fields, like all exponents here                */
    int c_fields; /* field of the accumulator + this                            */
    int d_exp;    /* sum of fields + this: the power of two of a sum's bit 0    */
    int quick;    /* results are f32 of 23 fraction bits, and sums have as many */
    const struct wsim_code_product *how;
};

/* A bit for each element of a row or of a column. The first word has bits 15 and 31, and each next
 * word the bits below. A tf32 word has one element, with a bit in the upper half. */
struct wide_marks {
    vec negative, zero, nan, infinite;
};

/* The marks of the columns of a group: column j at 4 * j. */
struct wide_columns {
    uint32_t negative[32], zero[32], nan[32], infinite[32];
};

/* A, the same for all groups of columns. Word w of a row has elements 2 * w and 2 * w + 1. */
struct wide_a {
    vec sig[16][ROW_VECS], field[16][ROW_VECS];
    vec fields[8][ROW_VECS];           /* of both elements of a word                           */
    struct wide_marks marks[ROW_VECS]; /* sparse: at the places of the picked elements of B    */
    vec special;                       /* marks of infinities and NaN, in any lanes            */
};

/* B of a group: word w of column j at [w / 4][4 * j + w % 4]. */
struct wide_b {
    uint32_t sig[2][2][32], field[2][2][32]; /* first: low or high half                          */
    uint32_t fields[2][32];
    struct wide_columns columns;
};

/* --- decode --- */

/* The bits of marks for the first word. */
INLINE uint32_t wide_bit(const struct wide_form *form) {
    return form->per == 2 ? 0x80008000 : 0x80000000;
}

/* The decoded elements of a word. */
struct wide_word {
    vec fields; /* of both elements, 16 bits each; tf32: of the only one                */
    vec sig[2], field[2];
    struct wide_marks marks; /* as of the first word; ignore the other bits                */
};

/* Significands for wide_term, of the low and of the high halves. With intrinsics, the high half of
 * a lane has the sign, 1 or -1. `negative` is all ones where it is -1. */
INLINE void wide_sigs(vec halves, vec negative, vec sig[2]) {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    vec signs = negative | 0x00010001;
    sig[0] = (halves & 0xFFFF) | signs << 16;
    sig[1] = halves >> 16 | (signs & 0xFFFF0000);
#else
    (void)negative;
    sig[0] = vec_shift_signed(halves << 16, 16);
    sig[1] = vec_shift_signed(halves, 16);
#endif
}

/* Fields; a subnormal number has 1, and a zero WIDE_NEVER. */
INLINE vec wide_fields16(vec mag, unsigned frac) {
    vec field = (vec)((vec_half)mag >> (uint16_t)frac);
#if defined(VEC_AVX512)
    __mmask32 some = _mm512_test_epi16_mask((__m512i)mag, (__m512i)mag);
    return (vec)_mm512_mask_max_epi16(_mm512_set1_epi16((short)WIDE_NEVER), some, (__m512i)field,
                                      _mm512_set1_epi16(1));
#else
    vec zero = (vec)((vec_half)mag == 0);
    return vec_sub16(vec_max16(field, vec_all16(1)), zero & vec_all16((uint16_t)(1 - WIDE_NEVER)));
#endif
}

/* Decodes two elements. A number is special if adding 1 to its field makes it negative. */
INLINE struct wide_word wide_decode16(const struct wide_form *form, vec w, unsigned side) {
    struct wide_word x;
    vec mag = w & 0x7FFF7FFF, negative = (vec)((vec_half_signed)w >> 15), sig;
    vec whole = vec_add16(mag, vec_all16((uint16_t)(1 << form->frac)));
    x.fields = wide_fields16(mag, form->frac);
    sig = vec_sub16(whole, (vec)((vec_half)x.fields << (uint16_t)form->frac));
    sig = (vec)((vec_half)sig << (uint16_t)form->lift[side]);
    wide_sigs(vec_sub16(sig ^ negative, negative), negative, x.sig);
    x.field[0] = vec_shift_signed(x.fields << 16, 16);
    x.field[1] = vec_shift_signed(x.fields, 16);
    x.marks.negative = w;
    x.marks.zero = x.fields;
    x.marks.nan = vec_sub16(vec_all16((uint16_t)(0x8000 - (1 << form->frac))), mag);
    x.marks.infinite = whole & ~x.marks.nan;
    return x;
}

/* Decodes one element in each word, ignoring bits below its fraction. */
INLINE struct wide_word wide_decode32(const struct wide_form *form, vec w, unsigned side) {
    struct wide_word x;
    unsigned pad = 31 - form->exp_bits - form->frac, top = form->exp_bits + form->frac;
    vec mag = (w & 0x7FFFFFFF) >> pad, negative = vec_shift_signed(w, 31), sig, both[2];
    vec field = vec_max(mag >> form->frac, vec_all(1)), whole = mag + vec_all(1u << form->frac);
    x.field[0] = vec_choose(vec_equal(mag, vec_all(0)), vec_all(0xFFFF0000 | WIDE_NEVER), field);
    sig = (whole - (field << form->frac)) << form->lift[side];
    wide_sigs((sig ^ negative) - negative, negative, both);
    x.fields = x.field[0];
    x.sig[0] = both[0];
    x.sig[1] = x.field[1] = vec_all(0);
    x.marks.negative = w;
    x.marks.zero = x.field[0];
    x.marks.nan = vec_all((1u << top) - (1u << form->frac)) - mag;
    x.marks.infinite = (whole << pad) & ~x.marks.nan;
    return x;
}

/* side: 0 for A, 1 for B. */
INLINE struct wide_word wide_decode(const struct wide_form *form, vec w, unsigned side) {
    return form->per == 2 ? wide_decode16(form, w, side) : wide_decode32(form, w, side);
}

/* Prepends the marks of one word; the marks of the other words move down by `by` words. */
INLINE void wide_mark(const struct wide_form *form, struct wide_marks *marks,
                      const struct wide_marks *word, unsigned by) {
    uint32_t bit = wide_bit(form);
    marks->negative = marks->negative >> by | (word->negative & bit);
    marks->zero = marks->zero >> by | (word->zero & bit);
    marks->nan = marks->nan >> by | (word->nan & bit);
    marks->infinite = marks->infinite >> by | (word->infinite & bit);
}

INLINE struct wide_marks wide_no_marks(void) {
    struct wide_marks none = {vec_all(0), vec_all(0), vec_all(0), vec_all(0)};
    return none;
}

/* Stores words w of A and their elements. */
INLINE void wide_put_a(const struct wide_form *form, struct wide_a *a, unsigned w, unsigned r,
                       const struct wide_word *x) {
    a->fields[w][r] = x->fields;
    for (unsigned h = 0; h < form->per; h++) {
        a->sig[2 * w + h][r] = x->sig[h];
        a->field[2 * w + h][r] = x->field[h];
    }
}

INLINE void wide_decode_a(const struct wide_form *form, const uint32_t *const *regs,
                          struct wide_a *a) {
    struct wide_marks marks[ROW_VECS];
    for (unsigned r = 0; r < ROW_VECS; r++)
        marks[r] = wide_no_marks();
    for (unsigned i = form->words / 4; i-- > 0;) {
        vec z[4][ROW_VECS];
        vec_columns(z, regs[2 * i], regs[2 * i + 1]);
        UNROLL(4)
        for (unsigned t = 4; t-- > 0;)
            for (unsigned r = 0; r < ROW_VECS; r++) {
                struct wide_word x = wide_decode(form, z[t][r], 0);
                wide_put_a(form, a, 4 * i + t, r, &x);
                wide_mark(form, &marks[r], &x.marks, 1);
            }
    }
    a->special = vec_all(0);
    for (unsigned r = 0; r < ROW_VECS; r++) {
        a->marks[r] = marks[r];
        a->special |= marks[r].nan | marks[r].infinite;
    }
}

/* Collects the marks of words 4 * j + t of registers at 4 * j, for column j. Marks of word t move
 * down by t. */
INLINE void wide_collect(uint32_t column[32], vec words, unsigned v) {
    vec by = vec_all(0);
    for (unsigned i = 0; i < VL; i++)
        by[i] = i % 4;
    words = vec_shift_each(words, by);
    words |= turn(words, 2);
    vec_store(column + VL * v, words | turn(words, 1));
}

/* Collects all marks of vector v of registers. Returns those of infinities and NaN, in any lanes.
 */
INLINE vec wide_collect_marks(struct wide_columns *b, const struct wide_marks *marks, unsigned v) {
    wide_collect(b->negative, marks->negative, v);
    wide_collect(b->zero, marks->zero, v);
    wide_collect(b->nan, marks->nan, v);
    wide_collect(b->infinite, marks->infinite, v);
    return vec_load(b->nan + VL * v) | vec_load(b->infinite + VL * v);
}

/* Decodes B. Returns the marks of infinities and NaN, in any lanes. */
INLINE vec wide_decode_b(const struct wide_form *form, const uint32_t *const *regs,
                         struct wide_b *b) {
    vec any = vec_all(0);
    for (unsigned v = 0; v < 32 / VL; v++) {
        struct wide_marks marks = wide_no_marks();
        for (unsigned i = form->words / 4; i-- > 0;) {
            struct wide_word x = wide_decode(form, vec_load(regs[i] + v * VL), 1);
            for (unsigned h = 0; h < form->per; h++) {
                vec_store(b->sig[h][i] + v * VL, x.sig[h]);
                vec_store(b->field[h][i] + v * VL, x.field[h]);
            }
            vec_store(b->fields[i] + v * VL, x.fields);
            wide_mark(form, &marks, &x.marks, 4);
        }
        any |= wide_collect_marks(&b->columns, &marks, v);
    }
    KEEP_MEMORY(b);
    return any;
}

/* --- result --- */

/* Sign and magnitude of a sum of 33 bits; the two terms have 32. */
INLINE void wide_add(vec x, vec y, vec *negative, vec *mag) {
    vec sum = x + y;
    *negative = vec_shift_signed((x & y) | ((x | y) & sum), 31);
    *mag = (sum ^ *negative) - *negative;
}

/* The bits of mag, which is below 2^31, as a float, truncated. */
INLINE vec wide_float(vec mag) {
#if defined(WSIM_INTEGER_KERNELS)
    /* A binary search moves the first one to bit 31. The 23 bits below it are kept, and the first
     * one adds 1 to the field. */
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

/* wide_float() of a signed number, which may be -2^31. */
INLINE vec wide_signed_float(vec x) {
#if defined(WSIM_INTEGER_KERNELS)
    vec negative = vec_shift_signed(x, 31);
    return wide_float((x ^ negative) - negative) | (negative & 0x80000000);
#else
    return (vec)vec_float_toward_zero(x);
#endif
}

/* mag * 2^exp, truncated to the magnitude of an f32. A field above all gives infinity. A field
 * below 1 gives a subnormal with the bits that are left (two truncations are one). mag may have 32
 * bits; a float takes the upper 31. odd: expect such fields, so that a branch would cost more than
 * it saves. */
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

/* mag * 2^exp, rounded to nearest even to the magnitude of an f16, in the upper half. The exponent
 * of its last bit is 10 below that of the first one, or -24: this gives the number of bits to drop.
 * A 32-bit mag is first shifted right by one, and its lowest bit stays sticky. */
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

/* The bits of (-1)^negative * mag * 2^exp; zero is +0. */
INLINE vec wide_encode(const struct wide_form *form, vec negative, vec mag, vec exp, int odd) {
    vec y;
    if (form->how->result->bits == 16)
        y = wide_encode16(mag, exp);
    else
        y = wide_encode32(mag, exp, odd) & vec_all(~0u << (23 - form->how->result_frac));
    return vec_choose(vec_equal(y, vec_all(0)), y, y | (negative & 0x80000000));
}

/* --- infinities and NaN --- */

/* The marks of a column, in all lanes. */
INLINE struct wide_marks wide_column(const struct wide_columns *b, unsigned j) {
    struct wide_marks marks = {vec_all(b->negative[4 * j]), vec_all(b->zero[4 * j]),
                               vec_all(b->nan[4 * j]), vec_all(b->infinite[4 * j])};
    return marks;
}

/* Where infinities and NaN may be in a step: nowhere, in the accumulator only, or anywhere. */
enum wide_specials { WIDE_NO_SPECIAL, WIDE_SPECIAL_C, WIDE_SPECIAL };

/* The special result of a step by the rule of fused steps, or y. A NaN, infinity times zero, and
 * infinities of both signs give NaN; infinities of one sign give that infinity. a, b: the marks of
 * this row and this column; `step` selects those of the step. */
INLINE vec wide_special(const struct wide_form *form, const struct wide_marks *a,
                        const struct wide_marks *b, vec step, enum wide_specials specials, vec c,
                        vec y) {
    const struct wsim_format *result = form->how->result;
    vec infinity_bits = vec_all(((1u << result->exp_bits) - 1) << (31 - result->exp_bits));
    vec nan_bits = vec_all((uint32_t)result->nan << (32 - result->bits));
    vec c_mag = c & 0x7FFFFFFF, infinity, signs, times_zero;
    vec_mask is_nan, is_minus, is_plus;
    if (specials == WIDE_NO_SPECIAL)
        return y;
    is_nan = vec_less(infinity_bits, c_mag);
    if (specials == WIDE_SPECIAL_C)
        return vec_choose(is_nan, nan_bits, vec_choose(vec_equal(c_mag, infinity_bits), c, y));
    infinity = (a->infinite | b->infinite) & step;
    signs = a->negative ^ b->negative;
    times_zero = (a->infinite & b->zero) | (b->infinite & a->zero);
    is_nan |= vec_test(a->nan | b->nan | times_zero, step);
    is_minus = vec_test(infinity, signs) | vec_equal(c, infinity_bits | 0x80000000);
    is_plus = vec_test(infinity, ~signs) | vec_equal(c, infinity_bits);
    y = vec_choose(is_plus, infinity_bits, y);
    y = vec_choose(is_minus, infinity_bits | 0x80000000, y);
    return vec_choose(is_nan | (is_plus & is_minus), nan_bits, y);
}

/* Where infinities and NaN are in a step. `special` has marks of A and B, in any lanes, and top the
 * largest exponent field of the accumulator in each lane. */
INLINE enum wide_specials wide_specials_of(const struct wide_form *form, vec special, uint32_t step,
                                           vec top) {
    unsigned exp_bits = form->how->result->exp_bits;
    vec infinity = vec_all(((1u << exp_bits) - 1) << (31 - exp_bits));
    if (vec_any(vec_test(special, vec_all(step))))
        return WIDE_SPECIAL;
    return vec_any(vec_equal(top & infinity, infinity)) ? WIDE_SPECIAL_C : WIDE_NO_SPECIAL;
}

/* The largest exponent fields of eight columns, in their place; the other bits are 0. */
INLINE vec wide_top_c(const struct wide_form *form, vec (*c)[ROW_VECS]) {
    unsigned exp_bits = form->how->result->exp_bits;
    vec infinity = vec_all(((1u << exp_bits) - 1) << (31 - exp_bits)), top = vec_all(0);
    for (unsigned j = 0; j < 8; j++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            top = vec_max(top, c[j][r] & infinity);
    return top;
}
