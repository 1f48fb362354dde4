/* kernel_byte.h - floating-point elements of 8, 6 and 4 bits that are kept in bytes: fused steps
 * and, with C added last, split ones; with or without one scale factor of each row and column.
 *
 * Elements are read as if their exponent were that of f16: an element is its value times
 * 2^(bias - 15). Products of two are exact in a float (at most 4 x 4 significant bits) and normal.
 * A term of a step is a * b in units of 2^(e - keep), toward zero, where e is the largest exponent
 * of nonzero products and C.
 *
 * Exponents of products come from bytes: the code of an element is the exponent field that it is
 * aligned by, and BYTE_CODE; far below every other if it is zero. Four codes of a word of A are
 * added to four of B at once, without a carry, and the largest sum is the largest exponent.
 * Infinities and NaN are found by a chain of floats as they are: it is NaN exactly if the result
 * is, infinite exactly if the result is, as the finite rest cannot overflow.
 *
 * Sparse forms are the same with B picked by each row (kernel_pick.h): codes as bytes, and factors
 * one of four, which stand side by side.
 *
 * Terms of a step are added up as integers (kernel_byte_terms.h) or, where instructions name their
 * rounding, in chains of multiply-adds (kernel_byte_chain.h), which are quicker but for split steps
 * of 16 bytes each: those would need doubles. With the same instructions, tiles in which no product
 * is cut are sums of integers (kernel_byte_whole.h), which is several times as quick.
 *
 * "Exponent" here is that of true products, biased as f32 has it. No float that is subnormal
 * counts, so that flushing them changes nothing. */

enum {
    BYTE_WORDS = 8,    /* of a row of A                                                         */
    BYTE_CODE = 64,    /* that of exponent field 0                                              */
    BYTE_ZERO = 0,     /* code of zero: with any other it is below BYTE_START                     */
    BYTE_START = 98,   /* below every sum of codes of nonzero elements, which is 124 or more      */
    BYTE_BIAS = -31,   /* from a sum of codes to an exponent: 127 - 2 * 15 - 2 * BYTE_CODE        */
    BYTE_NONE = -2000, /* exponent of what is zero                                                */
    BYTE_NARROW = 14, /* bits of fraction with which 32 terms and C fit into a float              */
    BYTE_PRE = 40,    /* kernel_byte_terms.h: bits that factors of B are shifted down             */
    BYTE_HIGH = 127 + 70 /* exponents above this are those of C, far above every product          */
};

#define ONES8 UINT64_C(0x0101010101010101)

/* What is special is computed rarely, and apart. */
#define BYTE_RARELY(x) __builtin_expect(!!(x), 0)

/* --- formats --- */

/* An element in a byte, moved up so that its sign is the highest bit. */
struct byte_format {
    unsigned lift;    /* how far it is moved up                                               */
    unsigned frac;    /* of the seven bits below the sign: fraction, ...                      */
    unsigned pad;     /* ... the lowest bits of which are nothing                             */
    int least;        /* the least code: an element below is subnormal where it is multiplied */
    unsigned special; /* infinities and NaN begin here among those seven bits; 128: none      */
#if defined(VEC_SHUFFLE8)
    vec small;       /* codes of subnormals less BYTE_CODE, by their fraction; then zeros       */
    unsigned narrow; /* by how many bits the exponent is less wide than that of f16            */
#endif
#if defined(VEC_AVX512)
    vec doubled; /* kernel_byte_whole.h: what makes the significand of a subnormal               */
#endif
    int digits, bias; /* fraction bits; of the format itself                                    */
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
#if defined(VEC_SHUFFLE8)
    f->narrow = 5u - own->exp_bits;
#endif
    f->digits = own->frac_bits;
    f->bias = own->bias;
}

/* What only zeros and subnormals need. */
static void byte_format_small(struct byte_format *f) {
#if defined(VEC_SHUFFLE8)
    uint64_t end = f->digits < 3 ? (UINT64_C(1) << (8 << f->digits)) - 1 : UINT64_MAX;
    vec small = vec_table(UINT64_C(0x0202020201010000), 0);
    small = vec_add8(small, vec_all8((uint8_t)(1 - f->digits)));
    small = vec_max8(small, vec_all8((uint8_t)f->least)) & vec_table(end & ~UINT64_C(0xFF), 0);
    f->small = small | vec_table((uint8_t)(BYTE_ZERO - BYTE_CODE), 0);
#endif
#if defined(VEC_AVX512)
    uint64_t doubled = (UINT64_C(0x0706050403020100) << (6 - f->digits)) + ONES8 * 0xC0;
    f->doubled = vec_table(doubled & end, 0);
#endif
    (void)f;
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

#if defined(VEC_AVX512)
#define BYTE_CHAINS
#endif

#if defined(BYTE_CHAINS)
/* How elements become integers (kernel_byte_whole.h). */
struct byte_grid {
    int top;  /* the field of those with WHOLE_BITS below the highest one */
    int unit; /* the exponent of a one                                    */
    int high; /* that of the largest element                              */
};

/* What is negative and what is not zero: bit 8 * q + i is of byte q of word i; sparse, bit 4 * i +
 * q. */
struct byte_signs {
    vec negative, some;
};
#endif

/* Two registers of B, of a group of columns: number 4 * n + t of each is word t of column n. Of
 * factors byte q of it is number 32 * q + 4 * n + t; sparse: its bytes are four numbers, those of
 * VL / 4 columns with the same t together, and codes are as pick_bytes() takes them. */
struct byte_words {
#if defined(BYTE_CHAINS)
    union {
        float narrow[2][128];
        double wide[2][128];
        uint32_t whole[2][64]; /* kernel_byte_whole.h                                         */
    } of;
    uint32_t negative[32], some[32]; /* struct byte_signs: words 4 * n to 4 * n + 3 are the same */
#else
    struct {
        float narrow[2][128];
    } of;
#endif
    uint32_t code[2][16 * PICK_BYTES];
};

/* How a step goes. What is known when it is compiled is code that is not there: see byte_step(). */
struct byte_shape {
    unsigned words; /* of rows, in a step                                                      */
    int split;      /* step 0 has bytes 0 and 1 of each word, step 1 the others                */
    int half;       /* results are f16, rounded to nearest; else f32, toward zero              */
    int narrow;     /* kernel_byte_chain.h: in floats                                          */
    int sparse;     /* of four elements of B, rows pick two                                    */
    int whole;      /* nothing is cut: kernel_byte_whole.h                                     */
};

INLINE int byte_chains(const struct byte_shape k) {
#if defined(BYTE_CHAINS)
    return !k.split;
#else
    return (void)k, 0;
#endif
}

struct byte {
    struct byte_format in_a, in_b;
    unsigned words; /* of a row                                                                */
    unsigned steps;
    struct byte_shape shape;
    int scaled;      /* by factors of rows and columns                                         */
    int keep, floor; /* bits of fraction; the least exponent, ...                              */
    int least;       /* ... of C, if it is not zero                                            */
    int bias, low;   /* from a sum of codes to an exponent; no product has one below this      */
    float times;     /* from an element of B as it is read to a factor                         */
    unsigned bias_b; /* ... the same for byte_normal_values()                                  */
    uint32_t drop;   /* bits of f32 that results do not have                                   */
    union {
        vec_float a[4 * BYTE_WORDS][ROW_VECS];
        vec whole[BYTE_WORDS][2]; /* kernel_byte_whole.h: two elements each                      */
    };
    vec code[BYTE_WORDS][ROW_VECS];
    vec shifts[ROW_VECS];   /* of rows: exponents of scale factors, or 0                         */
    vec nans[ROW_VECS];     /* all ones, where a scale factor is NaN                             */
    int special, special_b; /* there is an infinity or a NaN in A; in B                       */
    int normal_a, normal_b; /* ... neither, and no zero and no subnormal                      */
#if defined(BYTE_CHAINS)
    struct byte_grid rows, columns;
    int unit, limit; /* exponent of a one of products; the largest e with which none is cut     */
#endif
    const struct pick (*pick)[ROW_VECS]; /* sparse: what words of A meet                         */
#if defined(BYTE_CHAINS)
    struct byte_signs signs[2]; /* sparse: of words of B that A meets, 8 each                   */
#endif
};

/* A group of columns. */
struct byte_columns {
    struct byte_words b, *more; /* registers 0 and 1; sparse: 2 and 3                           */
    vec acc[8][ROW_VECS];
    vec most[2][2][ROW_VECS]; /* [step][column / 4]: largest exponents, a byte each column      */
    int empty;                /* somewhere there is no product but of zeros                     */
    int shift[8], nan[8];
    int special; /* there is an infinity or a NaN in A or B                                    */
    int unit,
        limit; /* kernel_byte_whole.h: exponent of a one; the largest with which nothing is cut */
};

/* Where the factors of element q of word i of A are in column n: among those of one register. */
INLINE const struct byte_words *byte_words_of(const struct byte_columns *g, int sparse,
                                              unsigned i) {
    return sparse && i >= 4 ? g->more : &g->b;
}
INLINE unsigned byte_register(int sparse, unsigned i) {
    return sparse ? i / 2 % 2 : i / 4;
}
INLINE size_t byte_place(int sparse, unsigned i, unsigned q, unsigned n) {
    size_t columns = VL / 4, word = i % 4; /* not of 32 bits: constants become parts of addresses */
    if (sparse)
        return n / columns * 4 * VL + (2 * word + q / 2) % 4 * VL + n % columns * 4;
    return word + 32 * (size_t)q + 4 * (size_t)n;
}

/* Scale factors that are powers of two and nothing else, or NaN. */
static int byte_takes_factor(const struct wsim_format *f) {
    return !f->is_signed && f->exp_bits == 8 && f->frac_bits == 0 && f->bias == 127 &&
           f->specials == WSIM_SPECIALS_NAN;
}

/* All of k, or two of four. */
static int byte_takes_pattern(const struct wsim_code_product *how) {
    if (!how->kept)
        return how->k_dense == how->k;
    return how->kept == 2 && how->chunk == 4 && how->k_dense == 2 * how->k;
}

/* Steps of 16 products with keep 25 stay below 2^31 with C: 16 * (2 - 2^-3)^2 * 2^25 + 2^26. */
static int byte_takes(const struct wsim_code_product *how) {
    int split = how->method == METHOD_SPLIT, half = how->result->bits == 16;
    return (how->method == METHOD_FUSED || split) && byte_takes_pattern(how) &&
           (how->k == 16 || how->k == 32) && how->bits_a == 8 && how->bits_b == 8 &&
           byte_takes_format(how->a, how->in_a) && byte_takes_format(how->b, how->in_b) &&
           (how->width == 32 || how->width == 16 || split) && how->k % how->width == 0 &&
           (!split || how->width == how->k / 2) && how->keep <= 25 && how->c == how->d &&
           (half ? how->result_frac == 10 && how->rounding == WSIM_RN && !how->blocks
                 : how->result->bits == 32 && how->rounding == WSIM_RZ && how->result_frac <= 23 &&
                       how->result_frac <= how->keep &&
                       (how->result_frac == 23 || how->result_frac == how->keep)) &&
           (!how->blocks || (how->blocks == 1 && how->width == 32 && how->keep > BYTE_NARROW &&
                             byte_takes_factor(how->factor)));
}

static void byte_start(struct byte *y, const struct wsim_code_product *how) {
    byte_format(&y->in_a, how->a, how->in_a);
    byte_format(&y->in_b, how->b, how->in_b);
    y->words = how->k / 4u;
    y->steps = (unsigned)how->k / how->width;
    y->shape.split = how->split != 0;
    y->shape.words = how->split ? y->words : how->width / 4u;
    y->shape.half = how->result->bits == 16;
    y->shape.narrow = how->keep <= BYTE_NARROW;
    y->shape.sparse = how->kept != 0;
    y->shape.whole = 0;
    y->scaled = how->blocks != 0;
    y->keep = how->keep;
    y->floor = how->floor + 127;
    y->least = 128 - how->result->bias;
    y->bias = BYTE_BIAS + 30 - how->a->bias - how->b->bias;
    y->low = BYTE_START + y->bias;
    uint32_t times = (uint32_t)(y->bias - BYTE_BIAS + 127 - (byte_chains(y->shape) ? 0 : BYTE_PRE))
                     << 23;
    memcpy(&y->times, &times, sizeof times);
    y->bias_b = 112 + (times >> 23) - 127;
    y->drop = y->shape.half ? 0 : (1u << (23 - how->result_frac)) - 1;
}

#include "kernel_byte_decode.h"

/* --- scale factors --- */

/* Powers of two; all ones is NaN. */
static void byte_scales_a(struct byte *y, const uint8_t *scales) {
    uint32_t shifts[16], nans[16];
    for (unsigned i = 0; i < 16; i++) {
        shifts[i] = scales[4 * i] - 127u;
        nans[i] = scales[4 * i] == 255 ? UINT32_MAX : 0;
    }
    for (unsigned r = 0; r < ROW_VECS; r++) {
        y->shifts[r] = vec_rows(shifts, r);
        y->nans[r] = vec_rows(nans, r);
    }
}

static void byte_scales_b(struct byte_columns *g, const uint8_t *scales) {
    for (unsigned n = 0; n < 8; n++) {
        g->shift[n] = scales[4 * n] - 127;
        g->nan[n] = scales[4 * n] == 255;
    }
}

#include "kernel_byte_steps.h"

/* --- a group of columns --- */

/* C, as floats of 32 bits. */
INLINE void byte_load(const struct byte *y, vec acc[8][ROW_VECS], const uint32_t *const *c) {
    vec z[4][ROW_VECS];
    for (unsigned p = 0; p < 2; p++) {
        if (!y->shape.half || p == 0)
            vec_columns(z, c[p], c[y->shape.half ? 1 : p + 2]);
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                acc[2 * t + p][r] =
                    y->shape.half ? vec_from_half(z[t][r] >> 16 * p & 0xFFFF) : z[t][r];
    }
}

INLINE void byte_save(const struct byte *y, vec acc[8][ROW_VECS], uint32_t *const *d) {
    vec z[4][ROW_VECS];
    for (unsigned p = 0; p < 2; p++) {
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++) {
                vec x = acc[2 * t + p][r];
                if (y->shape.half)
                    x = vec_to_half(x) | (p ? z[t][r] : vec_to_half(acc[2 * t + 1][r]) << 16);
                z[t][r] = x;
            }
        if (!y->shape.half || p == 0)
            vec_registers((const vec(*)[ROW_VECS])z, d[p], d[y->shape.half ? 1 : p + 2]);
        if (y->shape.half)
            break;
    }
}

/* C + x, to nearest. x is 0 or at least 2^-60 and below 2^60. */
INLINE vec byte_add(const struct byte *y, vec c, vec x) {
    vec sum = vec_add_nearest(c, x);
    return y->shape.half ? vec_from_half(vec_to_half(sum)) : sum;
}

/* ... with what an addition may not have: C that is subnormal, or either infinite or NaN. */
static vec byte_add_special(const struct byte *y, vec c, vec x) {
    vec_mask zero = vec_equal(x << 1, vec_all(0));
    vec infinity = vec_all(0x7F800000), mag;
    vec sum = vec_choose(zero, vec_choose(vec_equal(c << 1, vec_all(0)), vec_all(0), c),
                         byte_add(y, c, x));
    vec both = (vec)((vec_float)(c & vec_ones(vec_less(vec_all(0x7F7FFFFF), c & 0x7FFFFFFF))) +
                     (vec_float)(x & vec_ones(vec_less(vec_all(0x7F7FFFFF), x & 0x7FFFFFFF))));
    mag = both & 0x7FFFFFFF;
    sum = vec_choose(vec_equal(mag, infinity), both, sum);
    return vec_choose(vec_less(infinity, mag), vec_all(0x7FFFFFFF), sum);
}

APART void byte_add_all(const struct byte *y, vec x[8][ROW_VECS], const uint32_t *const *c) {
    int whole = y->shape.whole; /* x is finite */
    vec acc[8][ROW_VECS], most = vec_all(0), least = vec_all(0x7FFFFFFF);
    byte_load(y, acc, c);
    for (unsigned n = 0; n < 8; n++)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            vec mag = acc[n][r] & 0x7FFFFFFF;
            most = vec_max(most, mag);
            if (!whole)
                most = vec_max(most, x[n][r] & 0x7FFFFFFF);
            /* The least of all that is not zero, less one, begins at the least integer. */
            least = vec_min(least, mag + 0x7FFFFFFF);
        }
    if (BYTE_RARELY(vec_any(vec_less(vec_all(0x7F7FFFFF), most)) |
                    vec_any(vec_less(least, vec_all(0x807FFFFF)))))
        for (unsigned n = 0; n < 8; n++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                x[n][r] = byte_add_special(y, acc[n][r], x[n][r]);
    else
        for (unsigned n = 0; n < 8; n++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                x[n][r] = byte_add(y, acc[n][r], x[n][r]);
}

/* Sums of the products of g, in all steps. */
INLINE int byte_steps(const struct byte *y, struct byte_columns *g) {
#if defined(BYTE_CHAINS)
    if (y->shape.split && y->shape.whole)
        return byte_whole_split(y, g);
#endif
    (y->shape.sparse ? byte_sparse_exponents : byte_dense_exponents)(y, g);
    for (unsigned step = 0; step < y->steps; step++)
        if (!(y->shape.sparse ? byte_sparse_step : byte_dense_step)(y, g, step))
            return 0;
    return 1;
}

/* Writes D, or returns 0 if what was taken for whole is not. */
APART int byte_group(const struct byte *y, const uint8_t *scales, const uint32_t *const *b,
                     const uint32_t *const *c, uint32_t *const *d, struct byte_words *more) {
    struct byte_columns g;
    g.more = more;
#if defined(BYTE_CHAINS)
    if (y->shape.whole)
        byte_whole_b(y, &g, b);
    else
#endif
        byte_decode_b(y, &g, b);
    if (y->scaled)
        byte_scales_b(&g, scales);
    if (!y->shape.split)
        byte_load(y, g.acc, c);
    else if (!y->shape.whole)
        for (unsigned n = 0; n < 8; n++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                g.acc[n][r] = vec_all(0);
    if (!byte_steps(y, &g))
        return 0;
    if (y->shape.split)
        byte_add_all(y, g.acc, c);
    byte_save(y, g.acc, d);
    return 1;
}

/* Twice as many words, half of them in a frame of their own. */
APART int byte_sparse_group(const struct byte *y, const uint8_t *scales, const uint32_t *const *b,
                            const uint32_t *const *c, uint32_t *const *d) {
    struct byte_words more;
    int done = byte_group(y, scales, b, c, d, &more);
    KEEP_MEMORY(&more);
    return done;
}

/* A is integers or floats, as the columns want it: `whole`. */
static int byte_run_group(struct byte *y, const struct wsim_code_product *how,
                          const struct num_strip *strip, unsigned g, int whole) {
    unsigned regs_b = how->k_dense / 16u, regs_c = how->result->bits == 16 ? 2 : 4;
    const uint32_t *const *b = strip->b + g * regs_b, *const *c = strip->c + g * regs_c;
    uint32_t *const *d = strip->d + g * regs_c;
    if (g == 0 || whole != y->shape.whole) {
        y->shape.whole = whole;
#if defined(BYTE_CHAINS)
        if (whole)
            byte_whole_a(y, strip->a);
        else
#endif
            byte_decode_a(y, strip->a);
    }
    if (y->shape.sparse)
        return byte_sparse_group(y, strip->scales_b, b, c, d);
    return byte_group(y, strip->scales_b, b, c, d, NULL);
}

/* What elements of A are, and of B. Returns whether products may be whole. */
APART int byte_look_a(struct byte *y, const uint32_t *const *a) {
    struct byte_extent x = byte_extent_of(&y->in_a, a, y->words / 2);
    y->normal_a = byte_are_normal(&y->in_a, &x, &y->special);
    if (!y->normal_a)
        byte_format_small(&y->in_a);
#if defined(BYTE_CHAINS)
    return !y->special && byte_whole_rows(y, a, &x);
#else
    return 0;
#endif
}

APART int byte_look_b(struct byte *y, const uint32_t *const *b, const uint32_t *const *c,
                      int whole) {
    unsigned regs = y->shape.sparse ? y->words / 2 : y->words / 4;
    struct byte_extent x = byte_extent_of(&y->in_b, b, regs);
    y->normal_b = byte_are_normal(&y->in_b, &x, &y->special_b) && !y->special;
    if (!y->normal_b)
        byte_format_small(&y->in_b);
#if defined(BYTE_CHAINS)
    return whole && !y->special_b && byte_whole_columns(y, b, regs, &x, c);
#else
    return (void)whole, (void)c, 0;
#endif
}

APART void byte_run_with(const struct wsim_code_product *how, const struct num_strip *strip,
                         const struct pick (*pick)[ROW_VECS]) {
    struct byte y;
    unsigned regs_b = how->k_dense / 16u, regs_c = how->result->bits == 16 ? 2 : 4;
    int may;
    byte_start(&y, how);
    y.pick = pick;
    if (y.scaled)
        byte_scales_a(&y, strip->scales_a);
    may = byte_look_a(&y, strip->a);
    for (unsigned g = 0; g < strip->groups; g++) {
        int whole = byte_look_b(&y, strip->b + g * regs_b, strip->c + g * regs_c, may);
        if (!byte_run_group(&y, how, strip, g, whole)) {
            /* C is large, and may be so in other columns. */
            may = 0;
            byte_run_group(&y, how, strip, g, 0);
        }
    }
}

/* A word of metadata is of 4 words of A. */
APART void byte_run_sparse(const struct wsim_code_product *how, const struct num_strip *strip) {
    struct pick pick[BYTE_WORDS][ROW_VECS];
    for (unsigned i = 0; i < how->k / 4u; i++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            pick[i][r] = pick_bytes_at(vec_rows(strip->meta + i / 4 * 16, r), i);
    byte_run_with(how, strip, (const struct pick(*)[ROW_VECS])pick);
}

static void byte_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    if (how->kept)
        byte_run_sparse(how, strip);
    else
        byte_run_with(how, strip, NULL);
}
