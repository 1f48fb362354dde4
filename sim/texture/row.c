/* From coordinates to texels: lookups of a warp in one level of at most two axes. */
#include "axis.h"

#include "../base/bits.h"

#include <string.h>

int texture_has_row(const struct wsim_texture *texture) {
    const struct wsim_array *array = &texture->array;
    const struct texture_shape *shape = &texture_shapes[array->shape];
    return array->levels <= 1 && !shape->cube && axes_of(texture) <= 2 &&
           wsim_array_bytes(array) <= UINT32_MAX;
}

/* Where lanes are on one axis: texels, -1 in the border, and fractions. */
struct row_places {
    int32_t texel[2][TEXTURE_LANES];
    uint16_t fraction[TEXTURE_LANES];
};

/* Any coordinate. Neighbours often have one. */
static void place_lanes(const struct rule *rule, const uint32_t at[], const int8_t offset[],
                        uint32_t lanes, struct row_places *places) {
    struct axis axis = {.n = 0};
    uint32_t bits = 0;
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
        places->fraction[lane] = fraction;
        for (unsigned i = 0; i < axis.n; i++)
            places->texel[i][lane] = (int32_t)axis.texel[i];
    }
}

/* Whether coordinates need no case of axis_of(): they are clamped numbers from 0 on, of which no
 * bit is left of the fraction bits. */
static int are_simple(const struct rule *rule, const uint32_t at[], uint32_t lanes) {
    const uint32_t end = (uint32_t)(151 - rule->kept) << 23;
    uint32_t other = 0;
    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++)
        other |= (lanes >> lane & 1) & (at[lane] >= end);
    return !other && rule->mode == WSIM_ADDRESS_CLAMP && !rule->whole && !rule->turned;
}

static int32_t clamped(int64_t texel, int64_t last) {
    return (int32_t)(texel < 0 ? 0 : texel > last ? last : texel);
}

/* The same as place_lanes() for such coordinates. */
static void place_simply(const struct rule *rule, const uint32_t at[], const int8_t offset[],
                         struct row_places *places) {
    const uint64_t scale = (uint64_t)rule->scale;
    const int64_t last = (int64_t)rule->size - 1;
    const int blends = rule->n == 2;
    /* of two texels, the middle of the first one is 0 */
    const uint64_t half = blends ? UINT64_C(1) << (rule->below - 1) : 0;
    const unsigned more = blends ? TEXTURE_ONE / 2 : 0;
    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
        const uint32_t field = at[lane] >> 23;
        const uint32_t shift = 150u - (uint32_t)rule->kept - field;
        const uint64_t mag = field ? 0x800000 | (at[lane] & 0x7FFFFF) : 0;
        const uint64_t place =
            (((mag >> (shift < 63 ? shift : 63)) * scale + half) >> rule->below) + more;
        const int64_t first =
            (blends ? (int64_t)(place / TEXTURE_ONE) - 1 : (int64_t)place) + offset[lane];
        const int32_t low = clamped(first, last), high = clamped(first + 1, last);
        places->texel[0][lane] = low;
        places->texel[1][lane] = high;
        places->fraction[lane] = (uint16_t)(blends && low != high ? place % TEXTURE_ONE : 0);
    }
}

/* Moves the taps of the lanes along axis k. */
static void row_axis(const struct rule *rule, unsigned k, uint32_t step, const uint32_t at[],
                     const int8_t offset[], uint32_t lanes, struct texture_row *row) {
    struct row_places places;
    uint32_t flat = 0;
    memset(&places, 0, sizeof places);
    if (are_simple(rule, at, lanes))
        place_simply(rule, at, offset, &places);
    else
        place_lanes(rule, at, offset, lanes, &places);
    memcpy(row->fraction[k], places.fraction, sizeof places.fraction);
    for (unsigned i = 0; i < row->n; i++) {
        const int32_t *texel = places.texel[rule->n == 2 && i >> k & 1];
        for (unsigned lane = 0; lane < TEXTURE_LANES; lane++)
            row->at[i][lane] += (uint32_t)texel[lane] * step;
        for (unsigned lane = 0; lane < TEXTURE_LANES && rule->mode == WSIM_ADDRESS_BORDER; lane++)
            row->border[i] |= (uint32_t)(texel[lane] < 0) << lane;
    }
    if (rule->n < 2)
        return; /* no tap is another one along this axis */
    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++)
        flat |= (uint32_t)!places.fraction[lane] << lane;
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
