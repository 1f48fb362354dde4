/* From coordinates to texels. */
#include "texture.h"

#include "../base/bits.h"
#include "../isa/isa.h"

#include <string.h>

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
static struct number reduced(struct number x, unsigned power) {
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

/* How an axis turns a coordinate into texels. */
struct rule {
    uint32_t size;
    unsigned mode, n;           /* n: texels of a lookup, 1 or 2                        */
    int kept, below;            /* fraction bits, and those that the result lacks       */
    int whole, turned, repeats; /* as texture_point has it; repeats: the period is 1 or 2 */
    int64_t scale;
};

static struct rule rule_of(const struct wsim_texture *texture, const struct texture_point *point,
                           unsigned k, uint32_t size) {
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

static int64_t modulo(int64_t i, int64_t by) {
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
        const struct rule rule = rule_of(texture, point, k, sizes[k] ? sizes[k] : 1);
        axis[k] = axis_of(&rule, point->at[k], point->offset[k], &taps->fraction[taps->levels][k]);
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

/* --- a warp at once --- */

int texture_has_row(const struct wsim_texture *texture) {
    const struct wsim_array *array = &texture->array;
    const struct texture_shape *shape = &texture_shapes[array->shape];
    return array->levels <= 1 && !shape->cube && axes_of(texture) <= 2 &&
           wsim_array_bytes(array) <= UINT32_MAX;
}

/* Moves the taps of the lanes along axis k. Neighbours often have one coordinate. */
static void row_axis(const struct rule *rule, unsigned k, uint32_t step, const uint32_t at[],
                     const int8_t offset[], uint32_t lanes, struct texture_row *row) {
    struct axis axis = {.n = 0};
    uint32_t bits = 0, flat = 0;
    uint16_t fraction = 0;
    int moved = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = base_lowest(rest);
        if (!axis.n || at[lane] != bits || offset[lane] != moved) {
            bits = at[lane];
            moved = offset[lane];
            fraction = 0;
            axis = axis_of(rule, bits, moved, &fraction);
        }
        row->fraction[k][lane] = fraction;
        flat |= (uint32_t)!fraction << lane;
        for (unsigned i = 0; i < row->n; i++) {
            const int64_t texel = axis.texel[axis.n == 2 && i >> k & 1];
            row->border[i] |= (uint32_t)(texel < 0) << lane;
            row->at[i][lane] += (uint32_t)texel * step;
        }
    }
    for (unsigned i = 0; i < row->n; i++)
        row->needs[i] &= i >> k & 1 ? ~flat : UINT32_MAX;
}

void texture_place_row(const struct wsim_texture *texture, const struct texture_points *points,
                       uint32_t lanes, struct texture_row *row) {
    const struct wsim_array *array = &texture->array;
    const struct texture_point like = {.whole = points->whole};
    const unsigned axes = axes_of(texture);
    const uint32_t sizes[2] = {array->width, array->height ? array->height : 1};
    const uint32_t steps[2] = {texture_texel(array), (uint32_t)texture_pitch(array)};
    const int layered = texture_shapes[array->shape].layered;
    struct rule rules[2];
    row->n = 1;
    for (unsigned k = 0; k < axes; k++) {
        rules[k] = rule_of(texture, &like, k, sizes[k]);
        row->n *= rules[k].n;
    }
    memset(row->border, 0, sizeof row->border);
    memset(row->needs, 0xFF, sizeof row->needs);
    memset(row->fraction, 0, sizeof row->fraction);
    row->beyond = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = base_lowest(rest);
        const uint32_t layer =
            points->layer[lane] < array->depth ? points->layer[lane] : array->depth - 1;
        const uint32_t first = layered ? layer * (uint32_t)texture_slice(array) : 0;
        if (array->shape == WSIM_ARRAY_LINEAR && points->at[0][lane] >= array->width)
            row->beyond |= 1u << lane;
        for (unsigned i = 0; i < row->n; i++)
            row->at[i][lane] = first;
    }
    for (unsigned k = 0; k < axes; k++)
        row_axis(&rules[k], k, steps[k], points->at[k], points->offset[k], lanes & ~row->beyond,
                 row);
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
