/* kernel_byte.h - floating-point elements of 8, 6 and 4 bits that are kept in bytes: fused steps
 * and, with C added last, split ones; with or without one scale factor of each row and column.
 *
 * Elements are read as if their exponent were that of f16: an element is its value times
 * 2^(bias - 15). Products of two are exact in a float (at most 4 x 4 significant bits) and normal.
 * Conversion of a float to an integer truncates toward zero, and that is the alignment of a term:
 *
 *     term = (int) (a * b * 2^(keep - e)),    e: the largest exponent of nonzero products and C.
 *
 * Exponents of products come from bytes: the code of an element is the exponent field that it is
 * aligned by, far below every other if it is zero; four codes of a word of A are added to four of B
 * at once, and the largest sum is the largest exponent. Infinities and NaN are a second chain, of
 * floats as they are: it is NaN exactly if the result is, infinite exactly if the result is, as the
 * finite rest cannot overflow.
 *
 * "Exponent" here is biased as that of f32, and counted as elements are read: `shift` is what is
 * to be added for the true one. C is only ever integers: no float that is subnormal is computed
 * with, so that flushing them changes nothing. */

enum {
    BYTE_WORDS = 8,    /* of a row of A                                                         */
    BYTE_ZERO = -64,   /* code of zero: with any other it is below BYTE_START                     */
    BYTE_START = -30,  /* below every sum of codes of nonzero elements, which is -4 or more       */
    BYTE_BIAS = 97,    /* from a sum of codes to an exponent: 127 - 2 * 15                        */
    BYTE_NONE = -2000, /* exponent of what is zero                                                */
    BYTE_LOW = BYTE_START + BYTE_BIAS, /* no product has an exponent below this                   */
    BYTE_PRE = 40                      /* elements of B are kept times 2^-BYTE_PRE               */
};

/* What is special is computed rarely, and apart. */
#define BYTE_RARELY(x) __builtin_expect(!!(x), 0)

/* --- formats --- */

/* An element in a byte, moved up so that its sign is the highest bit. */
struct byte_format {
    unsigned lift; /* how far it is moved up                                               */
    unsigned frac,
        pad;          /* of the seven bits below the sign: fraction, and the lowest of it: zeros */
    int least;        /* the least code: an element below is subnormal where it is multiplied */
    unsigned special; /* infinities and NaN begin here among those seven bits; 128: none      */
};

static void byte_format(struct byte_format *f, const struct wsim_format *own,
                        const struct wsim_format *in) {
    unsigned field = (1u << own->exp_bits) - 1;
    f->lift = 8u - own->bits - (own->bits < 8 ? own->pad : 0);
    f->frac = 7u - own->exp_bits;
    f->pad = f->frac - own->frac_bits;
    f->least = own->bias - in->bias + 1;
    f->special = own->specials == WSIM_SPECIALS_IEEE  ? field << f->frac
                 : own->specials == WSIM_SPECIALS_NAN ? 127
                                                      : 128;
}

/* Formats with at most 4 significant bits that f16 has every value of, and f16's infinities if any;
 * multiplied as they are or as f16. */
static int byte_takes_format(const struct wsim_format *own, const struct wsim_format *in) {
    int whole = own->bits == 8, most = (1 << own->exp_bits) - 1 - own->bias;
    if (own->kind != WSIM_BINARY || !own->is_signed || own->bits + (whole ? 0 : own->pad) > 8 ||
        own->bits != 1 + own->exp_bits + own->frac_bits || own->exp_bits < 2 || own->exp_bits > 5 ||
        own->frac_bits > 3 || own->bias > 15 || most - (own->specials == WSIM_SPECIALS_IEEE) > 15)
        return 0;
    if (own->specials == WSIM_SPECIALS_IEEE  ? !whole || own->exp_bits != 5
        : own->specials == WSIM_SPECIALS_NAN ? !whole || own->exp_bits == 5
                                             : own->exp_bits == 5)
        return 0;
    return in == own || (in->exp_bits == 5 && in->frac_bits == 10 && in->bias == 15 &&
                         in->specials == WSIM_SPECIALS_IEEE);
}

/* --- the arithmetic --- */

struct byte {
    struct byte_format in_a, in_b;
    unsigned words; /* of a row                                                                */
    unsigned steps, step_words;
    int split;       /* step 0 has bytes 0 and 1 of each word, step 1 the others               */
    int half;        /* results are f16, rounded to nearest; else f32, toward zero             */
    int scaled;      /* by factors of rows and columns                                         */
    int wide;        /* more than 16 products in a step                                        */
    int keep, floor; /* bits of fraction; the least exponent, true and biased                  */
    int least;       /* ... of C, if it is not zero                                            */
    int shift;       /* without scale factors                                                  */
    uint32_t drop;   /* bits of f32 that results do not have                                   */
    uint32_t nan;
    vec_float a[4 * BYTE_WORDS][ROW_VECS];
    vec code[BYTE_WORDS][ROW_VECS];
    vec shifts[ROW_VECS]; /* of rows: exponents of scale factors, or 0                         */
    vec nans[ROW_VECS];   /* all ones, where a scale factor is NaN                             */
    int special;          /* there is an infinity or a NaN in A                                */
};

/* A group of columns. Element q of word 4 * i + t of column n is number 4 * n + t. */
struct byte_columns {
    float b[BYTE_WORDS / 4][4][32];
    uint32_t code[BYTE_WORDS / 4][32];
    vec acc[8][ROW_VECS];
    int shift[8], nan[8];
    int special; /* there is an infinity or a NaN in A or B                                    */
};

/* Steps of 16 products with keep 25 stay below 2^31 with C: 16 * (2 - 2^-3)^2 * 2^25 + 2^26. */
static int byte_takes(const struct wsim_code_product *how) {
    int split = how->method == METHOD_SPLIT, half = how->result->bits == 16;
    return (how->method == METHOD_FUSED || split) && !how->kept && (how->k == 16 || how->k == 32) &&
           how->bits_a == 8 && how->bits_b == 8 && byte_takes_format(how->a, how->in_a) &&
           byte_takes_format(how->b, how->in_b) && how->width && how->width <= 32 &&
           how->k % how->width == 0 && how->width % 4 == 0 &&
           (!split || how->width == how->k / 2) && how->keep <= 25 && how->c == how->d &&
           (half ? how->result_frac == 10 && how->rounding == WSIM_RN && !how->blocks
                 : how->result->bits == 32 && how->rounding == WSIM_RZ && how->result_frac <= 23 &&
                       how->result_frac <= how->keep &&
                       (how->result_frac == 23 || how->result_frac == how->keep)) &&
           (!how->blocks || (how->blocks == 1 && how->scale_frac == 0 && !split));
}

static void byte_start(struct byte *y, const struct wsim_code_product *how) {
    byte_format(&y->in_a, how->a, how->in_a);
    byte_format(&y->in_b, how->b, how->in_b);
    y->words = how->k / 4u;
    y->split = how->split != 0;
    y->steps = (unsigned)how->k / how->width;
    y->step_words = y->split ? y->words : how->width / 4u;
    y->half = how->result->bits == 16;
    y->scaled = how->blocks != 0;
    y->wide = how->width > 16;
    y->keep = how->keep;
    y->floor = how->floor + 127;
    y->least = 128 - how->result->bias;
    y->shift = 30 - how->a->bias - how->b->bias;
    y->drop = y->half ? 0 : (1u << (23 - how->result_frac)) - 1;
    y->nan = (uint32_t)how->result->nan;
    y->special = 0;
}

/* --- decoding --- */

/* Codes of four elements: of those below `least`, `least`; where they are multiplied as f16, the
 * subnormal ones have the exponent of their highest bit. */
INLINE vec byte_codes(vec w, const struct byte_format *f) {
    vec mag = w & 0x7F7F7F7F;
    vec code = vec_max8(mag >> f->frac & vec_all8((uint8_t)(0x7F >> f->frac)), vec_all8(1));
    unsigned digits = f->frac - f->pad;
    if (f->least < 1) {
        for (unsigned i = 1; i <= digits; i++)
            code += vec_not_less8(mag, (uint8_t)(1u << (i + f->pad))) & 0x01010101;
        code = vec_max8(vec_sub8(code, vec_all8((uint8_t)digits)), vec_all8((uint8_t)f->least));
    }
    vec some = vec_not_less8(mag, 1);
    return (code & some) | (vec_all8((uint8_t)BYTE_ZERO) & ~some);
}

/* Elements 0 to 3 of each word as floats. */
INLINE void byte_values(vec w, const struct byte_format *f, vec_float x[4]) {
    for (unsigned q = 0; q < 4; q++) {
        vec top = w << (24 - 8 * q);
        /* The exponent of f16 is 112 less than that of f32. */
        vec mag = (top & 0x7F000000) >> (1 + f->frac),
            sub = vec_ones(vec_less(mag, vec_all(1 << 23)));
        /* A subnormal gets the least exponent and with it a leading one, which is taken off. */
        vec_float y = (vec_float)(mag + vec_all(112u << 23) + (sub & (1 << 23))) -
                      (vec_float)(sub & vec_all(113u << 23));
        x[q] = (vec_float)(((vec)y & 0x7FFFFFFF) | (top & 0x80000000));
    }
}

/* Whether there is an infinity or a NaN in words, of which `most` has the largest magnitudes. */
INLINE int byte_any_special(vec most, const struct byte_format *f) {
    return vec_any(vec_test(most + vec_all8((uint8_t)(128 - f->special)), vec_all(0x80808080)));
}

/* Makes those infinities and NaN. */
static vec_float byte_specials(vec_float x, const struct byte_format *f) {
    vec from = vec_all((f->special << (23 - f->frac)) + (112u << 23));
    return (vec_float)((vec)x | (~vec_ones(vec_less((vec)x & 0x7FFFFFFF, from)) & 0x7F800000));
}

static void byte_decode_a(struct byte *y, const uint32_t *const *a) {
    vec most = vec_all(0), z[4][ROW_VECS];
    for (unsigned i = 0; i < y->words; i++) {
        if (i % 4 == 0)
            vec_columns(z, a[i / 2], a[i / 2 + 1]);
        for (unsigned r = 0; r < ROW_VECS; r++) {
            vec w = z[i % 4][r] << y->in_a.lift, x;
            vec_float value[4];
            x = w & vec_all8((uint8_t)(0xFF << y->in_a.pad));
            y->code[i][r] = byte_codes(x, &y->in_a);
            most = vec_max8(most, x & 0x7F7F7F7F);
            byte_values(x, &y->in_a, value);
            for (unsigned q = 0; q < 4; q++)
                y->a[4 * i + q][r] = value[q];
        }
    }
    y->special = byte_any_special(most, &y->in_a);
    for (unsigned i = 0; y->special && i < 4 * y->words; i++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            y->a[i][r] = byte_specials(y->a[i][r], &y->in_a);
}

static void byte_decode_b(const struct byte *y, struct byte_columns *g, const uint32_t *const *b) {
    vec most = vec_all(0);
    for (unsigned i = 0; i < y->words / 4; i++)
        for (unsigned at = 0; at < 32; at += VL) {
            vec x = vec_load(b[i] + at) << y->in_b.lift;
            vec_float value[4];
            x &= vec_all8((uint8_t)(0xFF << y->in_b.pad));
            vec_store(g->code[i] + at, byte_codes(x, &y->in_b));
            most = vec_max8(most, x & 0x7F7F7F7F);
            byte_values(x, &y->in_b, value);
            for (unsigned q = 0; q < 4; q++)
                vec_store(g->b[i][q] + at, (vec)value[q]);
        }
    g->special = byte_any_special(most, &y->in_b);
    for (unsigned i = 0; i < y->words * 32; i += VL) {
        vec_float x = (vec_float)vec_load(g->b[0][0] + i);
        if (g->special)
            x = byte_specials(x, &y->in_b);
        vec_store(g->b[0][0] + i, (vec)(x * 0x1p-40f));
    }
    g->special |= y->special;
    KEEP_MEMORY(g->b);
}

/* --- scale factors --- */

/* Powers of two, all ones: NaN. */
static void byte_scales_a(struct byte *y, const uint8_t *scales) {
    uint32_t shifts[16], nans[16];
    for (unsigned i = 0; i < 16; i++) {
        shifts[i] = y->scaled ? scales[4 * i] - 127u : 0;
        nans[i] = y->scaled && scales[4 * i] == 255 ? UINT32_MAX : 0;
    }
    for (unsigned r = 0; r < ROW_VECS; r++) {
        y->shifts[r] = vec_rows(shifts, r);
        y->nans[r] = vec_rows(nans, r);
    }
}

static void byte_scales_b(const struct byte *y, struct byte_columns *g, const uint8_t *scales) {
    for (unsigned n = 0; n < 8; n++) {
        g->shift[n] = y->shift + (y->scaled ? scales[4 * n] - 127 : 0);
        g->nan[n] = y->scaled && scales[4 * n] == 255;
    }
}

/* --- exponents --- */

/* The largest exponent of the products of a step. */
INLINE vec byte_exponents(const struct byte *y, const struct byte_columns *g, unsigned step,
                          unsigned n, unsigned r) {
    unsigned first = y->split ? 0 : step * y->step_words;
    vec most = vec_all8((uint8_t)BYTE_START);
    for (unsigned i = first; i < first + y->step_words; i++)
        most = vec_max8(most, vec_add8(y->code[i][r], vec_word(&g->code[i / 4][4 * n + i % 4])));
    most = vec_max8(most, most >> 8);
    most = y->split ? most >> 16 * step : vec_max8(most, most >> 16);
    return (vec_add8(most, vec_all8(BYTE_BIAS)) & 0xFF);
}

/* C, or the result of the step before: its significand, and its exponent, BYTE_NONE if it is zero.
 * With f16 it is a float too, and what was subnormal keeps its exponent. */
INLINE vec byte_significand(const struct byte *y, vec c, vec *exponent) {
    vec field = c >> 23 & 0xFF, sig = c & 0x7FFFFF, some = vec_ones(vec_less(vec_all(0), field));
    vec own = vec_max(field, vec_all(1)), exp = vec_max(own, vec_all((uint32_t)y->least));
    sig |= some & 0x800000;
    if (y->half)
        sig = vec_right(sig, vec_min(exp - own, vec_all(31)));
    *exponent = vec_choose(vec_less(vec_all(0), sig), exp, vec_all((uint32_t)BYTE_NONE));
    return sig;
}

/* --- a step of one column --- */

/* Products of a step: terms are added to *low, those after the first 16 to *high.
 *
 * `scale` is added to exponents: (keep + 127 + BYTE_PRE) - e, or 0 if that is negative. A nonzero
 * product has an exponent of at most e, so that it becomes less than 2^(keep + 2), and its field
 * stays within a float. Where it is 0 instead, e is so large that 2^(e - keep) is above every
 * product, and what comes out is below 1. A zero, whose field was 0, becomes 2^(scale - 127), which
 * is below 1 as e is at least BYTE_LOW. */
INLINE void byte_terms(const struct byte *y, const struct byte_columns *g, unsigned step,
                       unsigned n, unsigned r, vec scale, vec *low, vec *high) {
    unsigned first = y->split ? 0 : step * y->step_words;
    unsigned bytes = y->split ? 2 : 4, from = y->split ? 2 * step : 0;
    for (unsigned i = first; i < first + y->step_words; i++)
        for (unsigned q = from; q < from + bytes; q++) {
            vec_float p = y->a[4 * i + q][r] * vec_number(&g->b[i / 4][q][4 * n + i % 4]);
            vec term = vec_truncate((vec_float)((vec)p + scale));
            if (!y->split && i - first >= 4) {
                *high += term;
                KEEP(*high);
            } else {
                *low += term;
                KEEP(*low);
            }
        }
}

/* The sum in units of 2^(e - keep), 24 bits of it, toward zero, as a float times 2^*more; with
 * `odd` the lowest is one if any was lost. The sum of two integers of 32 bits is taken as multiples
 * of 256 and a rest below it. */
INLINE vec byte_round(vec low, vec high, int wide, int odd, vec *more) {
    vec sign, rest = vec_all(0), sum = low, x;
    *more = vec_all(0);
    if (wide) {
        rest = (low & 0xFF) + (high & 0xFF);
        sum = vec_shift_signed(low, 8) + vec_shift_signed(high, 8) + (rest >> 8);
        sign = vec_shift_signed(sum, 31);
        rest = ((rest ^ sign) - sign) & 0xFF;
        sum = (sum ^ sign) + (vec_ones(vec_equal(rest, vec_all(0))) & sign & 1);
        vec large = vec_ones(vec_less(vec_all(0x7FFFFF), sum));
        sum = (large & sum) | (~large & (sum << 8 | rest));
        rest &= large;
        *more = large & 8;
        x = (vec)vec_float_toward_zero(sum);
        if (odd)
            x |= vec_ones(vec_less(vec_all(0), rest | (sum ^ vec_truncate((vec_float)x)))) & 1;
        return x | (sign & vec_all(0x80000000));
    }
    x = (vec)vec_float_toward_zero(sum);
    if (odd)
        x |= ~vec_ones(vec_equal(sum, vec_truncate((vec_float)x))) & 1;
    return x;
}

/* x * 2^exponent, toward zero, as f32; 0 is +0. Truncations compose. */
INLINE vec byte_scale(vec x, vec exponent) {
    vec field = (x >> 23 & 0xFF), sum = field + exponent;
    vec some = ~vec_ones(vec_equal(field, vec_all(0))), result = x + (exponent << 23);
    vec outside =
        (vec_ones(vec_less(sum, vec_all(1))) | vec_ones(vec_less(vec_all(254), sum))) & some;
    if (BYTE_RARELY(vec_any(vec_less(outside, vec_all(0))))) {
        vec sign = x & vec_all(0x80000000), large = vec_ones(vec_less(vec_all(254), sum));
        vec by = vec_min(vec_max(vec_all(1) - sum, vec_all(0)), vec_all(31));
        vec small = vec_right((x & 0x7FFFFF) | 0x800000, by);
        small |= sign & ~vec_ones(vec_equal(small, vec_all(0)));
        result = vec_choose(vec_less(outside, vec_all(0)),
                            (large & (sign | 0x7F800000)) | (~large & small), result);
    }
    return result & some;
}

/* What infinities and NaN make of a step: *d is replaced where the result is one. */
static void byte_special(const struct byte *y, const struct byte_columns *g, unsigned step,
                         unsigned n, unsigned r, vec *d) {
    unsigned first = y->split ? 0 : step * y->step_words;
    unsigned bytes = y->split ? 2 : 4, from = y->split ? 2 * step : 0;
    vec c = g->acc[n][r], infinity = vec_all(0x7F800000), mag;
    vec_float sum = (vec_float)(c & vec_ones(vec_equal(c & 0x7F800000, infinity)));
    for (unsigned i = first; i < first + y->step_words; i++)
        for (unsigned q = from; q < from + bytes; q++)
            sum += y->a[4 * i + q][r] * vec_number(&g->b[i / 4][q][4 * n + i % 4]);
    mag = (vec)sum & 0x7FFFFFFF;
    *d = vec_choose(vec_equal(mag, infinity), (vec)sum, *d);
    *d = vec_choose(vec_less(infinity, mag), vec_all(0x7FFFFFFF), *d);
}

INLINE void byte_step(const struct byte *y, struct byte_columns *g, unsigned step, unsigned n,
                      unsigned r) {
    vec c = g->acc[n][r], shift = y->shifts[r] + vec_all((uint32_t)g->shift[n]);
    vec products = byte_exponents(y, g, step, n, r), own, e, sign, low, high, x, more, scale;
    vec sig = byte_significand(y, c, &own);
    /* All exponents as elements are read. Without a product they are those of C and the floor. */
    e = vec_choose(vec_less(vec_all(BYTE_LOW), products), products, vec_all((uint32_t)BYTE_NONE));
    e = vec_max(e, vec_max(own, vec_all((uint32_t)y->floor)) - shift);
    /* C has 7 bits below the 24 of its significand, and what it drops is what e is above it. */
    sign = vec_shift_signed(c, 31);
    low = vec_right(
        sig << 7, vec_min(vec_all((uint32_t)(30 - y->keep)) + e - (own - shift), vec_all(31)) & 31);
    low = (low ^ sign) - sign;
    high = vec_all(0);
    scale = vec_max(vec_all((uint32_t)(y->keep + 127 + BYTE_PRE)) - vec_max(e, vec_all(BYTE_LOW)),
                    vec_all(0));
    byte_terms(y, g, step, n, r, scale << 23, &low, &high);
    x = byte_round(low, high, y->wide, y->half, &more);
    x = byte_scale(x, e + shift + more - vec_all((uint32_t)(y->keep + 127)));
    if (y->half)
        x = vec_from_half(vec_to_half(x));
    x &= ~vec_all(y->drop);
    /* What is or becomes zero is +0. */
    x &= ~vec_ones(vec_equal(x << 1, vec_all(0)));
    if (BYTE_RARELY(g->special || vec_any(vec_equal(c & 0x7F800000, vec_all(0x7F800000)))))
        byte_special(y, g, step, n, r, &x);
    if (y->scaled)
        x = vec_choose(vec_less(y->nans[r] | vec_all(g->nan[n] ? UINT32_MAX : 0), vec_all(0)),
                       vec_all(0x7FFFFFFF), x);
    g->acc[n][r] = x;
}

/* --- a group of columns --- */

/* C, as floats of 32 bits. */
INLINE void byte_load(const struct byte *y, vec acc[8][ROW_VECS], const uint32_t *const *c) {
    vec z[4][ROW_VECS];
    for (unsigned p = 0; p < 2; p++) {
        if (!y->half || p == 0)
            vec_columns(z, c[p], c[y->half ? 1 : p + 2]);
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                acc[2 * t + p][r] = y->half ? vec_from_half(z[t][r] >> 16 * p & 0xFFFF) : z[t][r];
    }
}

INLINE void byte_save(const struct byte *y, vec acc[8][ROW_VECS], uint32_t *const *d) {
    vec z[4][ROW_VECS];
    for (unsigned p = 0; p < 2; p++) {
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++) {
                vec x = acc[2 * t + p][r];
                if (y->half)
                    x = vec_to_half(x) | (p ? z[t][r] : vec_to_half(acc[2 * t + 1][r]) << 16);
                z[t][r] = x;
            }
        if (!y->half || p == 0)
            vec_registers((const vec(*)[ROW_VECS])z, d[p], d[y->half ? 1 : p + 2]);
        if (y->half)
            break;
    }
}

/* C + x, to nearest. x is 0 or at least 2^-60 and below 2^60. */
INLINE vec byte_add(const struct byte *y, vec c, vec x) {
    vec_mask zero = vec_equal(x << 1, vec_all(0));
    vec infinity = vec_all(0x7F800000), special, mag;
    vec sum = vec_add_nearest(c, x);
    sum = vec_choose(zero, vec_choose(vec_equal(c << 1, vec_all(0)), vec_all(0), c), sum);
    special = vec_ones(vec_less(vec_all(0x7F7FFFFF), c & 0x7FFFFFFF)) |
              vec_ones(vec_less(vec_all(0x7F7FFFFF), x & 0x7FFFFFFF));
    if (y->half)
        sum = vec_from_half(vec_to_half(sum));
    if (BYTE_RARELY(vec_any(vec_less(special, vec_all(0))))) {
        vec both = (vec)((vec_float)(c & vec_ones(vec_less(vec_all(0x7F7FFFFF), c & 0x7FFFFFFF))) +
                         (vec_float)(x & vec_ones(vec_less(vec_all(0x7F7FFFFF), x & 0x7FFFFFFF))));
        mag = both & 0x7FFFFFFF;
        sum = vec_choose(vec_equal(mag, infinity), both, sum);
        sum = vec_choose(vec_less(infinity, mag), vec_all(0x7FFFFFFF), sum);
    }
    return sum;
}

static __attribute__((noinline)) void byte_group(const struct byte *y, const uint8_t *scales,
                                                 const uint32_t *const *b, const uint32_t *const *c,
                                                 uint32_t *const *d) {
    struct byte_columns g;
    byte_decode_b(y, &g, b);
    byte_scales_b(y, &g, scales);
    if (y->split)
        memset(g.acc, 0, sizeof g.acc);
    else
        byte_load(y, g.acc, c);
    for (unsigned step = 0; step < y->steps; step++)
        for (unsigned n = 0; n < 8; n++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                byte_step(y, &g, step, n, r);
    if (y->split) {
        vec acc[8][ROW_VECS];
        byte_load(y, acc, c);
        for (unsigned n = 0; n < 8; n++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                g.acc[n][r] = byte_add(y, acc[n][r], g.acc[n][r]);
    }
    byte_save(y, g.acc, d);
}

static uint32_t byte_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    struct byte y;
    unsigned regs_b = how->k / 16u, regs_c = how->result->bits == 16 ? 2 : 4;
    byte_start(&y, how);
    byte_decode_a(&y, strip->a);
    byte_scales_a(&y, strip->scales_a);
    for (unsigned g = 0; g < strip->groups; g++)
        byte_group(&y, strip->scales_b, strip->b + g * regs_b, strip->c + g * regs_c,
                   strip->d + g * regs_c);
    return 0;
}
