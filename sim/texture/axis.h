/* axis.h - where a coordinate is among the texels of an axis: place.c and row.c. */
#ifndef WSIM_TEXTURE_AXIS_H
#define WSIM_TEXTURE_AXIS_H

#include "texture.h"

/* Farther coordinates act alike in every mode that does not wrap. */
enum { FRACTION_BITS = 8, FAR_BITS = 20 };

/* A finite f32 is mag * 2^exp. */
struct number {
    uint64_t mag;
    int exp, negative;
};

static inline struct number number_of(uint32_t bits) {
    const unsigned field = bits >> 23 & 255;
    struct number x = {.negative = (int)(bits >> 31), .exp = (int)field - 150};
    if (field && (field < 255 || !(bits & 0x7FFFFF))) /* a subnormal or a NaN reads at 0 */
        x.mag = 0x800000 | (bits & 0x7FFFFF);
    return x;
}

/* x modulo 2^power: period of a wrapped or mirrored coordinate. */
static inline struct number reduced(struct number x, unsigned power) {
    const int bits = (int)power - x.exp; /* of mag, below the period */
    if (bits <= 0)
        x.mag = 0;
    else if (bits < 64)
        x.mag &= (UINT64_C(1) << bits) - 1;
    return x;
}

/* x * 2^bits, rounded down. */
static inline int64_t floored(struct number x, int bits) {
    const int left = x.exp + bits;
    uint64_t lost = 0, mag = x.mag;
    if (!mag)
        return 0;
    if (left <= 0 && left > -64 && !x.negative) /* almost all */
        return (int64_t)(mag >> -left);
    if (left >= 0 && (left > FAR_BITS + bits || mag >> (FAR_BITS + bits - left))) {
        mag = UINT64_C(1) << (FAR_BITS + bits);
    } else if (left >= 0) {
        mag <<= left;
    } else {
        mag = left < -63 ? 0 : mag >> -left;
        lost = left < -63 || mag << -left != x.mag;
    }
    return x.negative ? -(int64_t)(mag + lost) : (int64_t)mag;
}

/* at / 2^by, rounded down. */
static inline int64_t floor_shift(int64_t at, int by) {
    const int64_t last = (INT64_C(1) << by) - 1;
    return at >= 0 ? at >> by : -((-at + last) >> by);
}

static inline int repeats(unsigned mode) {
    return mode == WSIM_ADDRESS_WRAP || mode == WSIM_ADDRESS_MIRROR;
}

/* Without normalised coordinates nothing repeats. */
static inline unsigned mode_of(const struct wsim_texture *texture, unsigned axis) {
    const unsigned mode = texture->address_mode[axis];
    return !texture->normalized && repeats(mode) ? WSIM_ADDRESS_CLAMP : mode;
}

/* The fraction bits that a normalised coordinate keeps; others are cut off. Measured on an H100,
 * with 16 widths from 7 to 131,071. */
static inline int kept_bits(uint32_t size) {
    return size <= 8192 ? 21 : size <= 65536 ? 22 : 23;
}

/* How an axis turns a coordinate into texels. */
struct rule {
    uint32_t size;
    unsigned mode, n;           /* n: texels of a lookup, 1 or 2                        */
    int kept, below;            /* fraction bits, and those that the result lacks       */
    int whole, turned, repeats; /* as texture_point has it; repeats: the period is 1 or 2 */
    int64_t scale;
};

static inline struct rule rule_of(const struct wsim_texture *texture,
                                  const struct texture_point *point, unsigned k, uint32_t size) {
    const int blends = texture->filter == WSIM_FILTER_LINEAR || point->gathers;
    struct rule rule = {.size = size, .mode = mode_of(texture, k), .whole = point->whole};
    rule.turned = point->turned;
    rule.n = blends && !point->whole ? 2 : 1;
    rule.kept = texture->normalized ? kept_bits(size) : FRACTION_BITS + 1;
    rule.below = rule.n == 2 ? rule.kept - FRACTION_BITS : rule.kept;
    rule.repeats = repeats(rule.mode) && !point->turned;
    rule.scale = texture->normalized ? (int64_t)size : 1;
    return rule;
}

/* Where a coordinate is: in 1/256 texels to nearest, if two texels are blended, or its texel. */
static inline int64_t position(const struct rule *rule, uint32_t bits) {
    struct number x = number_of(bits);
    int64_t at;
    if (rule->repeats)
        x = reduced(x, rule->mode == WSIM_ADDRESS_MIRROR);
    at = rule->turned ? floored(x, rule->kept - 1) + (INT64_C(1) << (rule->kept - 1))
                      : floored(x, rule->kept);
    at *= rule->scale;
    if (rule->n == 2)
        at += INT64_C(1) << (rule->below - 1);
    return floor_shift(at, rule->below);
}

static inline int64_t modulo(int64_t i, int64_t by) {
    return (i % by + by) % by;
}

/* Where texel `i` of an endless row is among `size`; -1: in the border. */
static inline int64_t inside(int64_t i, unsigned mode, uint32_t size) {
    if (i >= 0 && i < size)
        return i;
    switch (mode) {
    case WSIM_ADDRESS_WRAP: return modulo(i, size);
    case WSIM_ADDRESS_MIRROR:
        i = modulo(i, 2 * (int64_t)size);
        return i < size ? i : 2 * (int64_t)size - 1 - i;
    case WSIM_ADDRESS_BORDER: return i < 0 || i >= size ? -1 : i;
    default: return i < 0 ? 0 : i >= size ? (int64_t)size - 1 : i;
    }
}

/* The texels of one axis: one, or two and the fraction between them. */
struct axis {
    int64_t texel[2];
    unsigned n;
};

static inline struct axis axis_of(const struct rule *rule, uint32_t bits, int offset,
                                  uint16_t *fraction) {
    struct axis axis = {.n = rule->n};
    int64_t first;
    if (rule->whole) {
        first = (int32_t)bits;
    } else {
        const int64_t at = position(rule, bits);
        first = axis.n == 2 ? floor_shift(at - TEXTURE_ONE / 2, FRACTION_BITS) : at;
        if (axis.n == 2)
            *fraction = (uint16_t)(at - TEXTURE_ONE / 2 - first * TEXTURE_ONE);
    }
    first += offset;
    for (unsigned i = 0; i < axis.n; i++)
        axis.texel[i] = inside(first + i, rule->mode, rule->size);
    if (rule->mode == WSIM_ADDRESS_CLAMP && axis.n == 2 &&
        axis.texel[0] == axis.texel[1]) /* no fraction, so weights round otherwise */
        *fraction = 0;
    return axis;
}

/* A GPU has textures of one dimension as rows of two, read at y = 0. With a border, a linear filter
 * sees half of it there. */
static inline unsigned axes_of(const struct wsim_texture *texture) {
    const unsigned shape = texture->array.shape;
    return shape == WSIM_ARRAY_1D && texture->address_mode[1] == WSIM_ADDRESS_BORDER
               ? 2
               : texture_shapes[shape].axes;
}

#endif
