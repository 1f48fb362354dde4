/* texture.h - reading textures: from coordinates to texels, and from texels to a colour.
 *
 *     texture_place   coordinates -> taps: which texels, and the fractions between them
 *     texture_blend   taps and the bytes of their texels -> four channels
 *
 * Between the two, the caller finds the bytes. Integers only; arithmetic as an H100 has it.
 */
#ifndef WSIM_TEXTURE_TEXTURE_H
#define WSIM_TEXTURE_TEXTURE_H

#include "../base/base.h"

#include <wsim/texture.h>

#define TEXTURE_TAPS 16 /* two levels of eight texels */
#define TEXTURE_CELL 8  /* texels of a linear filter in three dimensions */
#define TEXTURE_ONE 256 /* a fraction of 1: coordinates have 8 fraction bits */

/* A shape: a row of texture.def. */
struct texture_shape {
    const char *word;
    uint8_t axes, layered, cube;
};
extern const struct texture_shape texture_shapes[];

/* The bytes of a texel. */
static inline uint32_t texture_texel(const struct wsim_array *array) {
    return (uint32_t)array->channels * array->bits / 8;
}

/* --- array.c --- */

/* The bytes from row to row, and from plane to plane, of level 0. */
uint64_t texture_pitch(const struct wsim_array *array);
uint64_t texture_slice(const struct wsim_array *array);

/* --- place.c --- */

/* The place that an instruction reads. */
struct texture_point {
    uint32_t at[3];   /* of x, y, z: f32, or s32 with `whole`                                 */
    int8_t offset[3]; /* texels that are added                                                */
    uint8_t whole;    /* coordinates are numbers of texels                                    */
    uint8_t gathers;  /* tld4: the four texels of a linear filter, not blended                */
    uint32_t layer;   /* as the register has it                                               */
    int32_t lod;      /* level, in 1/256                                                      */
    uint8_t turned;   /* x and y are those of a face, from -1 to 1 */
};

/* The texels of a result. A tap is the texel at `at` bytes from the beginning of the array. The
 * taps of a level follow each other. Tap number i of a level takes the second texel of axis k if
 * bit k of i is set. */
struct texture_taps {
    uint8_t n, levels;
    uint16_t border;         /* a bit a tap: it is the colour of the border      */
    uint16_t between;        /* the fraction of the second level, in 1/256       */
    uint16_t fraction[2][3]; /* of each level and axis, in 1/256                 */
    uint64_t at[TEXTURE_TAPS];
};

/* A lookup in a cube as one in a face: its layer, and x and y from -1 to 1. */
void texture_turn(const struct wsim_texture *texture, const struct texture_point *point,
                  struct texture_point *turned);

/* The level of a lookup in 1/256: that of an instruction with a level (f32), or of one without.
 * Bias and limits of the texture are applied. */
int32_t texture_lod(const struct wsim_texture *texture, int has_level, uint32_t level);

void texture_place(const struct wsim_texture *texture, const struct texture_point *point,
                   struct texture_taps *taps);

/* --- row.c --- */

/* Lookups of a warp in one level of an array of at most two axes. */
#define TEXTURE_LANES 32
#define TEXTURE_PLANE 4 /* texels of a linear filter in two dimensions */
struct texture_points {
    uint32_t at[2][TEXTURE_LANES], layer[TEXTURE_LANES];
    int8_t offset[2][TEXTURE_LANES];
    uint8_t whole;
};

/* Tap i of a lane is at[i][lane] bytes from the beginning of the array. Bits of border[i], needs[i]
 * and `beyond` are lanes. A tap that is not needed has no fraction along an axis. A lane beyond has
 * no taps, so its result is 0. */
struct texture_row {
    unsigned n;
    uint32_t border[TEXTURE_PLANE], needs[TEXTURE_PLANE], beyond;
    uint16_t fraction[2][TEXTURE_LANES];
    uint32_t at[TEXTURE_PLANE][TEXTURE_LANES];
};

/* Whether texture_place_row can place lookups of tex in the texture; the results equal those of
 * texture_place. */
int texture_has_row(const struct wsim_texture *texture);
void texture_place_row(const struct wsim_texture *texture, const struct texture_points *points,
                       uint32_t lanes, struct texture_row *row);

/* --- texel.c --- */

/* The bits of a channel that the texel has. */
static inline uint32_t texture_raw(const struct wsim_array *array, const uint8_t *texel,
                                   unsigned channel) {
    const unsigned bytes = array->bits / 8;
    const uint8_t *at = texel + (size_t)channel * bytes;
    const uint32_t low = bytes == 1 ? at[0] : at[0] | (uint32_t)at[1] << 8;
    return bytes == 4 ? low | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24 : low;
}

/* The result of an instruction without a filter: the bits of f32, or of an integer. */
uint32_t texture_value(const struct wsim_texture *texture, uint32_t raw, unsigned channel);

/* The bits of a channel of the border, as a texel would have them. */
uint32_t texture_border(const struct wsim_texture *texture, unsigned channel);

/* An integer of [0, 1] or [-1, 1] as f32, rounded to nearest. The least signed one is -1. */
uint32_t texture_fraction(unsigned bits, int is_signed, uint32_t raw);

/* f16 as f32. */
uint32_t texture_widened(uint32_t half);

/* --- filter.c --- */

/* Four channels of a result. texel[i] are the bytes of tap i, unless it is of the border. */
void texture_blend(const struct wsim_texture *texture, const struct texture_taps *taps,
                   const uint8_t *const texel[TEXTURE_TAPS], uint32_t out[4]);

/* The same of a lane of a row. Taps that are not needed may be any bytes of a texel. */
void texture_blend_row(const struct wsim_texture *texture, const struct texture_row *row,
                       unsigned lane, const uint8_t *const texel[TEXTURE_PLANE], uint32_t out[4]);

/* tld4: one channel of four texels, counterclockwise from the lower left. */
void texture_gather(const struct wsim_texture *texture, const struct texture_taps *taps,
                    const uint8_t *const texel[TEXTURE_TAPS], unsigned channel, uint32_t out[4]);

#endif
