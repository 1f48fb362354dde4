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
