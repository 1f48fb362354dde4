/* From coordinates to texels: one lookup at a time, of any shape and level. */
#include "axis.h"

#include <string.h>

/* Plain memory reads as 0 behind its end. */
static int is_beyond(const struct wsim_array *array, const struct texture_point *point) {
    return array->shape == WSIM_ARRAY_LINEAR && point->at[0] >= array->width;
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
