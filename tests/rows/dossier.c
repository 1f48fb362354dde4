#include "dossier.h"

enum { MOST = 64 * 256 }; /* elements of an operand */

/* An operand under way. */
struct matrix {
    struct wsim_layout layout;
    const struct wsim_format *format;
    unsigned rows, cols; /* rows: with those of all batches */
    uint64_t *bits;
};

/* The common parameters of all elements of a tile. */
struct tile {
    enum dossier_dist dist;
    uint64_t *seed;
    unsigned style; /* eight kinds of tiles */
};

static const char *const names[] = {
    "raw",   "near-one", "cancelling", "wide",   "tiny",  "huge",
    "zeros", "specials", "full",       "powers", "floor",
};

const char *dossier_name(unsigned dist) {
    return dist < DOSSIER_DISTS ? names[dist] : NULL;
}

static uint64_t ones(unsigned bits) {
    return bits < 64 ? (UINT64_C(1) << bits) - 1 : ~UINT64_C(0);
}

static unsigned random_below(struct tile *tile, unsigned end) {
    return (unsigned)(every_random(tile->seed) >> 16) % end;
}

static uint64_t random_bits(struct tile *tile) {
    uint64_t high = every_random(tile->seed) >> 8;
    return high << 32 ^ every_random(tile->seed) >> 8;
}

static uint64_t sign_of(const struct wsim_format *format) {
    return format->is_signed ? UINT64_C(1) << (format->bits - 1) : 0;
}

static unsigned top_field(const struct wsim_format *format) {
    return (unsigned)ones(format->exp_bits);
}

/* A finite number; a field that there is none of becomes the nearest. */
static uint64_t build(const struct wsim_format *format, int negative, int field, uint64_t frac) {
    int top = (int)top_field(format) - (format->specials == WSIM_SPECIALS_IEEE);
    field = field < 0 ? 0 : field > top ? top : field;
    frac &= ones(format->frac_bits);
    if (format->specials == WSIM_SPECIALS_NAN && field == top && frac == ones(format->frac_bits))
        frac ^= 1;
    return (negative ? sign_of(format) : 0) | (uint64_t)field << format->frac_bits | frac;
}

static int is_special(const struct wsim_format *format, uint64_t bits) {
    return wsim_format_decode(format, bits).cls >= WSIM_INF;
}

static uint64_t near_one(const struct wsim_format *format, struct tile *tile) {
    uint64_t r = random_bits(tile);
    return build(format, (int)(r >> 63), format->bias - 2 + (int)random_below(tile, 4), r);
}

static uint64_t wide(const struct wsim_format *format, struct tile *tile) {
    uint64_t r = random_bits(tile);
    return build(format, (int)(r >> 63), (int)random_below(tile, top_field(format) + 1), r);
}

static uint64_t zero(const struct wsim_format *format, struct tile *tile) {
    return build(format, (int)random_below(tile, 2), 0, 0);
}

static uint64_t tiny(const struct wsim_format *format, struct tile *tile) {
    uint64_t r = random_bits(tile);
    if (random_below(tile, 32) == 0)
        return near_one(format, tile);
    return build(format, (int)(r >> 63), (int)random_below(tile, r & 3 ? 2 : 4), r);
}

static uint64_t huge(const struct wsim_format *format, struct tile *tile) {
    uint64_t r = random_bits(tile);
    int field = random_below(tile, 2) ? format->bias - 1 + (int)random_below(tile, 3)
                                      : (int)top_field(format) - (int)random_below(tile, 4);
    return build(format, (int)(r >> 63), field, r);
}

static uint64_t special(const struct wsim_format *format, struct tile *tile) {
    uint64_t infinity = (uint64_t)top_field(format) << format->frac_bits;
    uint64_t sign = random_below(tile, 2) ? sign_of(format) : 0;
    switch (random_below(tile, 7)) {
    case 0: return sign;
    case 1: return sign | build(format, 0, 0, 1);
    case 2: return sign | infinity | ones(format->frac_bits);
    case 3: return sign | infinity | (random_bits(tile) & ones(format->frac_bits));
    case 4: return sign | build(format, 0, (int)top_field(format), ~UINT64_C(0));
    default: return sign | infinity;
    }
}

/* Significands of ones: equal signs, but for one in sixteen; now and then low zeros. */
static uint64_t full(const struct wsim_format *format, struct tile *tile) {
    int field = format->bias + (tile->style & 1 ? 0 : random_below(tile, 8) == 0);
    uint64_t frac = random_below(tile, 8) ? ~UINT64_C(0) : ~UINT64_C(0) << random_below(tile, 4);
    return build(format, random_below(tile, 16) == 0, field, frac);
}

/* No fraction, or one bit. */
static uint64_t power_fraction(const struct wsim_format *format, struct tile *tile, unsigned most) {
    return random_below(tile, most) || !format->frac_bits
               ? 0
               : UINT64_C(1) << random_below(tile, format->frac_bits);
}

static uint64_t power(const struct wsim_format *format, struct tile *tile) {
    int field = format->bias - 6 + (int)random_below(tile, 12);
    return build(format, (int)random_below(tile, 2), field, power_fraction(format, tile, 3));
}

/* Operands whose 16-bit result shows the floor: half of its least bit, 2^-25, and one product that
 * the floor cuts or keeps, 2^-45 to 2^-48. Other formats: products about 2^-132. */
static uint64_t about_floor(const struct wsim_format *format, struct tile *tile, int is_c) {
    int few = tile->style & 1, negative = (int)random_below(tile, 2);
    uint64_t r = random_bits(tile);
    if (is_c && random_below(tile, 2))
        return zero(format, tile);
    if (is_c)
        return build(format, negative, (int)random_below(tile, 3), r & 1 ? r >> 1 & 7 : r);
    if (few && random_below(tile, 4))
        return zero(format, tile);
    if (format->exp_bits > 5)
        return build(format, negative, format->bias - 80 + (int)random_below(tile, 28),
                     few ? power_fraction(format, tile, 2) : r);
    if (few)
        return random_below(tile, 2) ? build(format, 0, (int)random_below(tile, 7), 0)
                                     : build(format, 0, 0, UINT64_C(1) << random_below(tile, 4));
    return build(format, negative, (int)random_below(tile, 3), r);
}

static uint64_t number(const struct wsim_format *format, struct tile *tile, int is_c) {
    switch (tile->dist) {
    case DOSSIER_RAW: return random_bits(tile) & ones(format->bits);
    case DOSSIER_WIDE: return wide(format, tile);
    case DOSSIER_TINY: return tiny(format, tile);
    case DOSSIER_HUGE: return huge(format, tile);
    case DOSSIER_ZEROS:
        if ((tile->style & 1 && !is_c) || random_below(tile, 4))
            return zero(format, tile);
        return random_below(tile, 4) ? near_one(format, tile) : wide(format, tile);
    case DOSSIER_SPECIALS:
        return random_below(tile, is_c ? 4 : 24) ? near_one(format, tile) : special(format, tile);
    case DOSSIER_FULL: return full(format, tile);
    case DOSSIER_POWERS: return power(format, tile);
    case DOSSIER_FLOOR: return about_floor(format, tile, is_c);
    default: return near_one(format, tile);
    }
}

static uint64_t integer(const struct wsim_format *format, struct tile *tile) {
    uint64_t r = random_bits(tile), middle = UINT64_C(1) << (format->bits - 1);
    switch (tile->dist) {
    case DOSSIER_NEAR_ONE: return (r % 5 - 2) & ones(format->bits);
    case DOSSIER_TINY: return r & 1;
    case DOSSIER_ZEROS: return r & 3 ? 0 : r >> 2 & ones(format->bits);
    case DOSSIER_HUGE:
        return (r & 1 ? middle - 1 - (r >> 1 & 7) : middle + (r >> 1 & 7)) & ones(format->bits);
    case DOSSIER_FULL: return r & 15 ? ones(format->bits) : middle;
    case DOSSIER_POWERS: return UINT64_C(1) << r % format->bits;
    default: return r & ones(format->bits);
    }
}

static void fill(struct matrix *m, struct tile *tile, int is_c) {
    for (unsigned i = 0; i < m->rows * m->cols; i++)
        m->bits[i] = m->format->kind == WSIM_BINARY ? number(m->format, tile, is_c)
                                                    : integer(m->format, tile);
}

/* --- what elements have to do with each other --- */

static void make_finite(struct matrix *m, struct tile *tile) {
    for (unsigned i = 0; i < m->rows * m->cols; i++)
        if (is_special(m->format, m->bits[i]))
            m->bits[i] = wide(m->format, tile);
}

static void relate_raw(struct matrix *a, struct matrix *b, struct matrix *c, struct tile *tile) {
    if (!(tile->style & 1))
        return;
    make_finite(a, tile);
    make_finite(b, tile);
    if (tile->style & 2)
        make_finite(c, tile);
}

/* About minus the first product of the row and the column. */
static uint64_t minus_product(const struct matrix *c, const struct matrix *a,
                              const struct matrix *b, unsigned i, unsigned j) {
    struct wsim_value x = wsim_format_decode(a->format, a->bits[i * a->cols]);
    struct wsim_value y = wsim_format_decode(b->format, b->bits[j]);
    struct wsim_value z = {WSIM_FINITE, 0, (int16_t)(x.exp + y.exp), 0};
    z.negative = x.negative == y.negative;
    if (x.cls != WSIM_FINITE || y.cls != WSIM_FINITE || x.sig >> 32 || y.sig >> 32)
        return 0;
    z.sig = x.sig * y.sig;
    return wsim_format_encode(c->format, z, WSIM_RZ);
}

/* Elements of A at a distance along k are opposite, where those of B that they meet are the same;
 * a few are disturbed. `per`: rows of B for an element of A. */
static void relate_cancel(struct matrix *a, struct matrix *b, struct matrix *c, struct tile *tile) {
    unsigned gap = 1u << random_below(tile, 3), k_dense = b->layout.rows, per = k_dense / a->cols;
    unsigned same = per > 1 ? 2 * gap * per - 1 : gap;
    if (tile->style & 1)
        for (unsigned i = 0; i < a->rows * a->cols; i++)
            a->bits[i] = wide(a->format, tile);
    for (unsigned i = 0; i < b->rows; i++)
        for (unsigned j = 0; j < b->cols; j++)
            b->bits[i * b->cols + j] = b->bits[(i & ~same) * b->cols + j];
    for (unsigned i = 0; i < a->rows; i++)
        for (unsigned k = 0; k < a->cols; k++)
            if (k & gap && random_below(tile, 13))
                a->bits[i * a->cols + k] = a->bits[i * a->cols + (k & ~gap)] ^ sign_of(a->format);
    for (unsigned i = 0; i < c->rows; i++)
        for (unsigned j = 0; j < c->cols; j++) {
            uint64_t r = random_bits(tile), *bits = &c->bits[i * c->cols + j];
            if (r % 4 == 0)
                *bits = zero(c->format, tile);
            else if (r % 4 == 1)
                *bits = build(c->format, (int)(r >> 63),
                              c->format->bias - (int)random_below(tile, 30), r);
            else if (r % 4 == 2)
                *bits = minus_product(c, a, b, i, j);
        }
}

static void relate_zeros(struct matrix *a, struct matrix *c, struct tile *tile) {
    struct tile other = *tile;
    if (tile->style & 2)
        for (unsigned i = 0; i < c->rows * c->cols; i++) {
            other.dist = random_below(tile, 2) ? DOSSIER_TINY : DOSSIER_WIDE;
            c->bits[i] =
                random_below(tile, 2) ? zero(c->format, tile) : number(c->format, &other, 1);
        }
    for (unsigned i = 0; i < a->rows && tile->style & 4; i++)
        for (unsigned k = 0, empty = random_below(tile, 2); empty && k < a->cols; k++)
            a->bits[i * a->cols + k] = 0;
}

/* Rows of one sign in A, B without signs, C with the sign of the row: sums of 33 bits. */
static void relate_full(struct matrix *a, struct matrix *b, struct matrix *c, struct tile *tile) {
    for (unsigned i = 0; i < c->rows * c->cols; i++)
        if (random_below(tile, 2))
            c->bits[i] =
                build(c->format, 0, c->format->bias + (int)random_below(tile, 3), ~UINT64_C(0));
    for (unsigned i = 0; i < b->rows * b->cols && tile->style & 4; i++)
        b->bits[i] &= ~sign_of(b->format);
    for (unsigned i = 0; i < a->rows && tile->style & 2; i++) {
        unsigned negative = random_below(tile, 2);
        for (unsigned k = 0; k < a->cols; k++)
            a->bits[i * a->cols + k] = (a->bits[i * a->cols + k] & ~sign_of(a->format)) |
                                       (negative ? sign_of(a->format) : 0);
        for (unsigned j = 0; j < c->cols && tile->style & 4; j++)
            c->bits[i * c->cols + j] = (c->bits[i * c->cols + j] & ~sign_of(c->format)) |
                                       (negative ? sign_of(c->format) : 0);
    }
}

/* --- matrices and registers --- */

static void look(const struct wsim_op *op, const struct wsim_arch *arch, enum wsim_operand operand,
                 struct matrix *m) {
    wsim_op_layout(op, arch, operand, &m->layout, NULL);
    m->format = m->layout.format;
    m->rows = (unsigned)m->layout.rows * m->layout.batches;
    m->cols = m->layout.cols;
    expect(m->rows * m->cols <= MOST, "an operand of %u elements", m->rows * m->cols);
}

/* Bits that the format ignores are noise. */
static void pack(struct matrix *m, struct tile *tile, uint32_t *words) {
    unsigned pad = m->layout.elem_bits > m->format->bits ? m->format->pad : 0;
    unsigned above = m->layout.elem_bits - m->format->bits - pad;
    for (unsigned i = 0; i < m->rows * m->cols; i++) {
        m->bits[i] <<= pad;
        if (pad)
            m->bits[i] |= random_bits(tile) & ones(pad);
        if (above)
            m->bits[i] |= (random_bits(tile) & ones(above)) << (pad + m->format->bits);
    }
    wsim_words_pack(&m->layout, m->bits, words);
}

int dossier_knows(const struct wsim_plan *plan) {
    return plan->threads == WSIM_LANES && plan->input[WSIM_IN_A].rows &&
           plan->input[WSIM_IN_B].rows && plan->input[WSIM_IN_C].rows;
}

void dossier_fill(const struct wsim_op *op, const struct wsim_arch *arch,
                  const struct wsim_plan *plan, enum dossier_dist dist, uint64_t *seed,
                  uint32_t *in) {
    static uint64_t bits[3][MOST];
    struct tile tile = {dist, seed, 0};
    struct matrix a = {.bits = bits[0]}, b = {.bits = bits[1]}, c = {.bits = bits[2]};
    tile.style = random_below(&tile, 8);
    look(op, arch, WSIM_A, &a);
    look(op, arch, WSIM_B, &b);
    look(op, arch, WSIM_C, &c);
    fill(&a, &tile, 0);
    fill(&b, &tile, 0);
    fill(&c, &tile, 1);
    if (a.format->kind == WSIM_BINARY)
        switch (dist) {
        case DOSSIER_RAW: relate_raw(&a, &b, &c, &tile); break;
        case DOSSIER_CANCEL: relate_cancel(&a, &b, &c, &tile); break;
        case DOSSIER_ZEROS: relate_zeros(&a, &c, &tile); break;
        case DOSSIER_FULL: relate_full(&a, &b, &c, &tile); break;
        default: break;
        }
    pack(&a, &tile, in + plan->input[WSIM_IN_A].first * WSIM_LANES);
    pack(&b, &tile, in + plan->input[WSIM_IN_B].first * WSIM_LANES);
    pack(&c, &tile, in + plan->input[WSIM_IN_C].first * WSIM_LANES);
}
