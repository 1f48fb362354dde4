/* From coordinates to texels. */
#include "texture.h"

#include "../isa/isa.h"

#include <string.h>

/* Farther coordinates act alike in every mode that does not wrap. */
enum { FRACTION_BITS = 8, FAR_BITS = 20 };

/* A finite f32 is mag * 2^exp. */
struct number {
    uint64_t mag;
    int exp, negative;
};

static struct number number_of(uint32_t bits) {
    const unsigned field = bits >> 23 & 255;
    struct number x = {.negative = (int)(bits >> 31), .exp = (int)field - 150};
    if (field && (field < 255 || !(bits & 0x7FFFFF))) /* a subnormal or a NaN reads at 0 */
        x.mag = 0x800000 | (bits & 0x7FFFFF);
    return x;
}

/* x modulo 2^power: period of a wrapped or mirrored coordinate. */
static struct number reduced(struct number x, unsigned power) {
    const int bits = (int)power - x.exp; /* of mag, below the period */
    if (bits <= 0)
        x.mag = 0;
    else if (bits < 64)
        x.mag &= (UINT64_C(1) << bits) - 1;
    return x;
}

/* x * 2^bits, rounded down. */
static int64_t floored(struct number x, int bits) {
    const int left = x.exp + bits;
    uint64_t lost = 0, mag = x.mag;
    if (!mag)
        return 0;
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
static int64_t floor_shift(int64_t at, int by) {
    const int64_t last = (INT64_C(1) << by) - 1;
    return at >= 0 ? at >> by : -((-at + last) >> by);
}

static int repeats(unsigned mode) {
    return mode == WSIM_ADDRESS_WRAP || mode == WSIM_ADDRESS_MIRROR;
}

/* Without normalised coordinates nothing repeats. */
static unsigned mode_of(const struct wsim_texture *texture, unsigned axis) {
    const unsigned mode = texture->address_mode[axis];
    return !texture->normalized && repeats(mode) ? WSIM_ADDRESS_CLAMP : mode;
}

/* The fraction bits that a normalised coordinate keeps; others are cut off. Measured on an H100,
 * with 16 widths from 7 to 131,071. */
static int kept_bits(uint32_t size) {
    return size <= 8192 ? 21 : size <= 65536 ? 22 : 23;
}

/* Where a coordinate is, in 1/256 texels to nearest if it is `blended`; otherwise its texel. */
static int64_t position(const struct wsim_texture *texture, const struct texture_point *point,
                        unsigned k, unsigned mode, uint32_t size, int blended) {
    struct number x = number_of(point->at[k]);
    const int kept = texture->normalized ? kept_bits(size) : FRACTION_BITS + 1;
    const int below = blended ? kept - FRACTION_BITS : kept; /* bits that the result lacks */
    int64_t at;
    if (repeats(mode) && !point->turned)
        x = reduced(x, mode == WSIM_ADDRESS_MIRROR);
    at = point->turned ? floored(x, kept - 1) + (INT64_C(1) << (kept - 1)) : floored(x, kept);
    at *= texture->normalized ? (int64_t)size : 1;
    if (blended)
        at += INT64_C(1) << (below - 1);
    return floor_shift(at, below);
}

static int64_t modulo(int64_t i, int64_t by) {
    return (i % by + by) % by;
}

/* Where texel `i` of an endless row is among `size`; -1: in the border. */
static int64_t inside(int64_t i, unsigned mode, uint32_t size) {
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

static struct axis axis_of(const struct wsim_texture *texture, const struct texture_point *point,
                           unsigned k, uint32_t size, uint16_t *fraction) {
    const unsigned mode = mode_of(texture, k);
    const int blends = texture->filter == WSIM_FILTER_LINEAR || point->gathers;
    struct axis axis = {.n = blends && !point->whole ? 2 : 1};
    int64_t first;
    if (point->whole) {
        first = (int32_t)point->at[k];
    } else {
        const int64_t at = position(texture, point, k, mode, size, axis.n == 2);
        first = axis.n == 2 ? floor_shift(at - TEXTURE_ONE / 2, FRACTION_BITS) : at;
        if (axis.n == 2)
            *fraction = (uint16_t)(at - TEXTURE_ONE / 2 - first * TEXTURE_ONE);
    }
    first += point->offset[k];
    for (unsigned i = 0; i < axis.n; i++)
        axis.texel[i] = inside(first + i, mode, size);
    if (mode == WSIM_ADDRESS_CLAMP && axis.n == 2 &&
        axis.texel[0] == axis.texel[1]) /* no fraction, so weights round otherwise */
        *fraction = 0;
    return axis;
}

/* Plain memory reads as 0 behind its end. */
static int is_beyond(const struct wsim_array *array, const struct texture_point *point) {
    return array->shape == WSIM_ARRAY_LINEAR && point->at[0] >= array->width;
}

/* A GPU has textures of one dimension as rows of two, read at y = 0. With a border, a linear filter
 * sees half of it there. */
static unsigned axes_of(const struct wsim_texture *texture) {
    const unsigned shape = texture->array.shape;
    return shape == WSIM_ARRAY_1D && texture->address_mode[1] == WSIM_ADDRESS_BORDER
               ? 2
               : texture_shapes[shape].axes;
}

/* Moves the taps from `begin` on along an axis, or into the border. */
static void add_axis(const struct axis *axis, unsigned k, uint64_t step, unsigned n, unsigned begin,
                     struct texture_taps *taps) {
    const unsigned both = axis->n == 2;
    const uint64_t bytes[2] = {(uint64_t)axis->texel[0] * step, (uint64_t)axis->texel[both] * step};
    const uint8_t out[2] = {axis->texel[0] < 0, axis->texel[both] < 0};
    for (unsigned i = 0; i < n; i++) {
        const unsigned side = both & i >> k;
        if (out[side])
            taps->border |= (uint16_t)(1u << (begin + i));
        else
            taps->at[begin + i] += bytes[side];
    }
}

/* The taps of one level. */
static void place_level(const struct wsim_texture *texture, const struct wsim_array *array,
                        const struct texture_point *point, struct texture_taps *taps) {
    const struct texture_shape *shape = &texture_shapes[array->shape];
    const uint32_t sizes[3] = {array->width, array->height, array->depth};
    const uint64_t steps[3] = {texture_texel(array), texture_pitch(array), texture_slice(array)};
    const unsigned axes = axes_of(texture), begin = taps->n;
    uint64_t first = array->address - texture->array.address;
    struct axis axis[3];
    unsigned n = 1;
    if (shape->layered || shape->cube)
        first += steps[2] * (point->layer < array->depth ? point->layer : array->depth - 1);
    for (unsigned k = 0; k < axes; k++) {
        axis[k] =
            axis_of(texture, point, k, sizes[k] ? sizes[k] : 1, &taps->fraction[taps->levels][k]);
        n *= axis[k].n;
    }
    taps->n = (uint8_t)(begin + n);
    taps->levels++;
    for (unsigned i = 0; i < n; i++)
        taps->at[begin + i] = first;
    for (unsigned k = 0; k < axes; k++)
        add_axis(&axis[k], k, steps[k], n, begin, taps);
}

void texture_place(const struct wsim_texture *texture, const struct texture_point *point,
                   struct texture_taps *taps) {
    const int32_t half = texture->mip_filter == WSIM_FILTER_POINT ? TEXTURE_ONE / 2 : 0;
    const unsigned level = (unsigned)(point->lod + half) / TEXTURE_ONE;
    struct texture_point turned;
    struct wsim_array array;
    taps->n = taps->levels = 0;
    taps->border = taps->between = 0;
    memset(taps->fraction, 0, sizeof taps->fraction);
    if (texture_shapes[texture->array.shape].cube) {
        texture_turn(texture, point, &turned);
        point = &turned;
    }
    if (is_beyond(&texture->array, point))
        return;
    if (!level)
        place_level(texture, &texture->array, point, taps);
    else if (wsim_array_level(&texture->array, level, &array))
        place_level(texture, &array, point, taps);
    else
        return;
    taps->between = half ? 0 : (uint16_t)(point->lod % TEXTURE_ONE);
    if (taps->between && wsim_array_level(&texture->array, level + 1, &array))
        place_level(texture, &array, point, taps);
}

int32_t texture_lod(const struct wsim_texture *texture, int has_level, uint32_t level) {
    const int levels = texture->array.levels ? texture->array.levels : 1;
    int64_t lod = 0, least, most;
    if (levels == 1)
        return 0;
    least = floored(number_of(texture->lod_least), FRACTION_BITS);
    most = floored(number_of(texture->lod_most), FRACTION_BITS);
    if (has_level)
        lod = floored(number_of(level), FRACTION_BITS) +
              floored(number_of(texture->lod_bias), FRACTION_BITS);
    lod = lod < least ? least : lod;
    lod = lod > most ? most : lod;
    lod = lod < 0 ? 0 : lod;
    return (int32_t)(lod < (levels - 1) * TEXTURE_ONE ? lod : (levels - 1) * TEXTURE_ONE);
}
