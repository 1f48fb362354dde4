/* byte_kinds.h - formats and shapes of class byte, and the data of one product. struct byte has the
 * rows of A, and struct byte_columns a group of columns of B. A part of byte.h. */

enum {
    BYTE_WORDS = 8,    /* words of a row of A                                                   */
    BYTE_CODE = 64,    /* code of exponent field 0                                              */
    BYTE_ZERO = 0,     /* code of zero: its sum with any other code is below BYTE_START           */
    BYTE_START = 98,   /* below every sum of codes of nonzero elements, which is 124 or more      */
    BYTE_BIAS = -31,   /* from a sum of codes to an exponent: 127 - 2 * 15 - 2 * BYTE_CODE        */
    BYTE_NONE = -2000, /* exponent of a zero                                                      */
    BYTE_NARROW = 14, /* bits of fraction with which 32 terms and C fit into a float              */
    BYTE_PRE = 40, /* byte_terms.h: factors of B are scaled by 2^-40                            */
    BYTE_HIGH = 127 + 70 /* a higher exponent is that of C, far above every product               */
};

#define ONES8 UINT64_C(0x0101010101010101)

/* Infinities, NaN and other rare cases are computed apart. */
#define BYTE_RARELY(x) __builtin_expect(!!(x), 0)

/* --- formats --- */

/* An element in a byte, shifted up so that its sign is the highest bit. */
struct byte_format {
    unsigned lift;    /* shift of an element in memory                                        */
    unsigned frac;    /* bits of fraction among the seven below the sign, with the padding    */
    unsigned pad;     /* unused lowest bits                                                   */
    int least;        /* the least code: lower elements are subnormal in the multiplication   */
    unsigned special; /* the least infinity or NaN in the seven bits; 128: none               */
#if defined(VEC_SHUFFLE8)
    vec small;       /* codes of subnormals less BYTE_CODE, by their fraction; then zeros       */
    unsigned narrow; /* bits of exponent that f16 has in addition                              */
#endif
#if defined(VEC_AVX512)
    vec doubled; /* byte_whole.h: added to make the significand of a subnormal             */
#endif
    int digits, bias; /* bits of fraction and bias of the format itself                         */
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

/* Fills the tables for zeros and subnormals. */
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

/* Accepts formats of at most 4 significant bits whose values all exist in f16, with infinities only
 * if they are those of f16. Elements are multiplied in their own format or as f16. */
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
/* How elements become integers (byte_whole.h). */
struct byte_grid {
    int top;  /* exponent field of elements with WHOLE_BITS bits below the highest one */
    int unit; /* exponent of the integer 1                                             */
    int high; /* exponent of the largest element                                       */
};

/* Which elements are negative and which are not zero. Bit 8 * q + i is byte q of word i; sparse:
 * bit 4 * i + q. */
struct byte_signs {
    vec negative, some;
};
#endif

/* Two registers of B, of a group of columns. Word t of column n is number 4 * n + t of a register.
 * The factor of its byte q is number 32 * q + 4 * n + t. Sparse: the factors of its bytes are four
 * neighbours, VL / 4 columns with equal t follow each other, and pick_bytes() reads the codes. */
struct byte_words {
#if defined(BYTE_CHAINS)
    union {
        float narrow[2][128];
        double wide[2][128];
        uint32_t whole[2][64]; /* byte_whole.h                                         */
    } of;
    uint32_t negative[32], some[32]; /* struct byte_signs: words 4 * n to 4 * n + 3 are the same */
#else
    struct {
        float narrow[2][128];
    } of;
#endif
    uint32_t code[2][16 * PICK_BYTES];
};

/* The shape of a step. Where it is a constant, the compiler drops the other cases: byte_step(). */
struct byte_shape {
    unsigned words; /* words of a row in a step                                                */
    int split;      /* step 0 has bytes 0 and 1 of each word, step 1 the others                */
    int half;       /* results are f16, rounded to nearest; else f32, toward zero              */
    int narrow;     /* byte_chain.h: chains of floats, not doubles                             */
    int sparse;     /* rows pick two of four elements of B                                     */
    int whole;      /* byte_whole.h: alignment cuts no product                                 */
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
    unsigned words; /* words of a row                                                          */
    unsigned steps;
    struct byte_shape shape;
    int scaled;      /* rows and columns have scale factors                                    */
    int keep, floor; /* bits of fraction; the least exponent of a step                         */
    int least;       /* the least exponent of a nonzero C                                      */
    int bias, low;   /* from a sum of codes to an exponent; the least exponent of a product    */
    float times;     /* turns a decoded element of B into a factor                             */
    unsigned bias_b; /* `times` as a bias of byte_normal_values()                              */
    uint32_t drop;   /* bits of f32 that results do not have                                   */
    union {
        vec_float a[4 * BYTE_WORDS][ROW_VECS];
        vec whole[BYTE_WORDS][2]; /* byte_whole.h: two elements each                      */
    };
    vec code[BYTE_WORDS][ROW_VECS];
    vec shifts[ROW_VECS];   /* exponents of the scale factors of rows, or 0                      */
    vec nans[ROW_VECS];     /* all ones where a scale factor is NaN                              */
    int special, special_b; /* A, and B, has an infinity or a NaN                             */
    int normal_a, normal_b; /* all elements are normal numbers                                */
#if defined(BYTE_CHAINS)
    struct byte_grid rows, columns;
    int unit, limit; /* exponent of the integer 1 in products; the largest e that cuts none     */
#endif
    const struct pick (*pick)[ROW_VECS]; /* sparse: the words of B for words of A                */
#if defined(BYTE_CHAINS)
    struct byte_signs signs[2]; /* sparse: signs at the places of 8 words of B each             */
#endif
};

/* A group of columns. */
struct byte_columns {
    struct byte_words b, *more; /* registers 0 and 1; sparse: 2 and 3                           */
    vec acc[8][ROW_VECS];
    vec most[2][2][ROW_VECS]; /* [step][column / 4]: largest exponents, a byte each column      */
    int empty;                /* some sum has no nonzero product                                */
    int shift[8], nan[8];
    int special;     /* A or B has an infinity or a NaN                                        */
    int unit, limit; /* byte_whole.h: exponent of the integer 1; the largest e that cuts none  */
};

/* The place of the factors of column n for element q of word i of A, within one register. */
INLINE const struct byte_words *byte_words_of(const struct byte_columns *g, int sparse,
                                              unsigned i) {
    return sparse && i >= 4 ? g->more : &g->b;
}
INLINE unsigned byte_register(int sparse, unsigned i) {
    return sparse ? i / 2 % 2 : i / 4;
}
INLINE size_t byte_place(int sparse, unsigned i, unsigned q, unsigned n) {
    size_t columns = VL / 4, word = i % 4; /* size_t, so that addresses absorb the constants */
    if (sparse)
        return n / columns * 4 * VL + (2 * word + q / 2) % 4 * VL + n % columns * 4;
    return word + 32 * (size_t)q + 4 * (size_t)n;
}

/* Accepts scale factors that are powers of two or NaN. */
static int byte_takes_factor(const struct wsim_format *f) {
    return !f->is_signed && f->exp_bits == 8 && f->frac_bits == 0 && f->bias == 127 &&
           f->specials == WSIM_SPECIALS_NAN;
}

/* Accepts dense products, and sparse ones that keep two of four. */
static int byte_takes_pattern(const struct wsim_code_product *how) {
    if (!how->kept)
        return how->k_dense == how->k;
    return how->kept == 2 && how->chunk == 4 && how->k_dense == 2 * how->k;
}

/* Steps of 16 products and C with keep 25 are below 2^31: 16 * (2 - 2^-3)^2 * 2^25 + 2^26. */
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
