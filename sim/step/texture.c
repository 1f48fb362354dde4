/* tex, tld4: texels of global memory, found and blended by room texture. */
#include "texture.h"

#include "../isa/isa.h"
#include "../num/num.h"
#include "../reach/hear.h"

static enum run_next unmodelled(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                const char *what) {
    return run_finding(warp, op, lane, RULE_TEXTURE_LOOKUP_UNMODELLED, 1, "%s is not modelled",
                       what);
}

static int is_blended(const struct wsim_texture *texture) {
    int has = texture->filter == WSIM_FILTER_LINEAR || texture->mip_filter == WSIM_FILTER_LINEAR;
    for (unsigned k = 0; k < 3; k++)
        has |= texture->address_mode[k] == WSIM_ADDRESS_BORDER;
    return has;
}

/* Refuses lookups that were not measured. */
static enum run_next check(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           const struct texture_lookup *lookup,
                           const struct wsim_texture *texture) {
    const struct wsim_array *array = &texture->array;
    const int linear = array->shape == WSIM_ARRAY_LINEAR;
    const unsigned shape = lookup->from.shape;
    if (array->shape != shape && !(linear && shape == WSIM_ARRAY_1D))
        return texture_shape_refused(warp, op, lane, &lookup->from, array);
    if (texture_shapes[array->shape].cube && (lookup->gathers || !texture->normalized))
        return unmodelled(warp, op, lane, "tld4 in a cube, and a cube of texels,");
    if (array->levels > 1 && lookup->gathers)
        return unmodelled(warp, op, lane, "tld4 in a mipmap");
    /* gradients choose a level, and texels with an anisotropic filter */
    if (lookup->lookup == SCALAR_LOOKUP_GRADIENT && (array->levels > 1 || texture->anisotropy > 1))
        return unmodelled(warp, op, lane, "a lookup by gradients in a mipmap, or anisotropic,");
    if (texture->srgb && (lookup->gathers || is_blended(texture)))
        return unmodelled(warp, op, lane, "sRGB with tld4, a linear filter or a border");
    if (linear != lookup->whole)
        return unmodelled(warp, op, lane,
                          linear ? "a lookup in linear memory by a number that is no integer"
                                 : "a lookup in an array by integers");
    return RUN_ON;
}

static void point_of(const struct texture_lookup *lookup, const struct wsim_texture *texture,
                     uint8_t *frame, unsigned lane, struct texture_point *point) {
    *point = (struct texture_point){.whole = lookup->whole, .gathers = lookup->gathers != 0};
    point->layer = (uint32_t)run_get(frame, lookup->from.layer, lane);
    point->lod = texture_lod(texture, lookup->lookup == SCALAR_LOOKUP_LEVEL,
                             (uint32_t)run_get(frame, lookup->level, lane));
    for (unsigned k = 0; k < 3; k++) {
        point->at[k] = (uint32_t)run_get(frame, lookup->from.at[k], lane);
        point->offset[k] = (int8_t)run_get(frame, lookup->offset[k], lane);
    }
}

/* The bytes of the taps of a lane. */
static enum run_next reach_taps(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                const struct wsim_array *array, const struct texture_taps *taps,
                                struct run_access *access) {
    access->lanes = ((1u << taps->n) - 1) & ~(uint32_t)taps->border;
    access->bytes = texture_texel(array);
    access->for_lane = (uint8_t)(lane + 1);
    for (unsigned i = 0; i < taps->n; i++)
        access->at[i] = array->address + taps->at[i];
    return access->lanes ? run_reach(warp, op, access, access->bytes) : RUN_ON;
}

/* A register of f16 has the bits of f32 rounded, whatever the texel is. */
static void put(const struct texture_lookup *lookup, uint8_t *frame, unsigned lane,
                const uint32_t out[4]) {
    const struct wsim_format *f32 = &isa_formats[FORMAT_F32], *f16 = &isa_formats[FORMAT_F16];
    uint64_t half[4];
    for (unsigned i = 0; i < 4 && !lookup->halves; i++)
        run_put(frame, lookup->to[i], lane, out[i]);
    for (unsigned i = 0; i < 4 && lookup->halves; i++)
        half[i] = num_convert(f32, f16, out[i]);
    for (unsigned i = 0; i < 4 && lookup->halves == 1; i++)
        run_put(frame, lookup->to[i], lane, half[i]);
    for (unsigned i = 0; i < 2 && lookup->halves == 2; i++)
        run_put(frame, lookup->to[i], lane, half[2 * i] | half[2 * i + 1] << 16);
    run_put(frame, lookup->resident, lane, 1);
}

/* Whether all lanes read one texture that has rows. */
static int is_row(const struct texture_lookup *lookup, uint8_t *frame, uint32_t lanes,
                  const struct wsim_texture *texture, uint64_t handle) {
    if (lookup->gathers || !texture_has_row(texture))
        return 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (run_get(frame, lookup->from.handle, run_lowest(rest)) != handle)
            return 0;
    return 1;
}

/* Tap by tap: an access of all lanes each. */
static enum run_next reach_row(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                               const struct wsim_array *array, const struct texture_row *row,
                               const uint8_t *texel[TEXTURE_LANES][TEXTURE_PLANE]) {
    struct run_access access = {.space = PTX_GLOBAL, .kind = RUN_READ, .weak = 1, .nc = 1};
    static const uint8_t nothing[16];
    access.bytes = texture_texel(array);
    for (unsigned i = 0; i < row->n; i++) {
        enum run_next next;
        access.lanes = lanes & ~row->beyond & ~row->border[i] & row->needs[i];
        for (uint32_t rest = lanes & ~access.lanes; rest; rest &= rest - 1)
            texel[run_lowest(rest)][i] = nothing;
        for (uint32_t rest = access.lanes; rest; rest &= rest - 1)
            access.at[run_lowest(rest)] = array->address + row->at[i][run_lowest(rest)];
        next = access.lanes ? run_reach(warp, op, &access, access.bytes) : RUN_ON;
        if (next)
            return next;
        for (uint32_t rest = access.lanes; rest; rest &= rest - 1)
            texel[run_lowest(rest)][i] = access.host[run_lowest(rest)];
    }
    return RUN_ON;
}

/* A row of 32 bits, or zeros. */
static void words_of(uint8_t *frame, struct run_row row, uint32_t words[TEXTURE_LANES]) {
    if (row.bits > 1 && row.bits <= 32)
        memcpy(words, run_words(frame, row.at), TEXTURE_LANES * sizeof *words);
    for (unsigned lane = 0; lane < TEXTURE_LANES && row.bits > 32; lane++)
        words[lane] = (uint32_t)run_get(frame, row, lane);
}

static enum run_next look_up_row(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                 struct run_warp *warp, const struct wsim_texture *texture) {
    const struct texture_lookup *lookup = op->more;
    const uint8_t *texel[TEXTURE_LANES][TEXTURE_PLANE];
    struct texture_points points = {.whole = lookup->whole};
    struct texture_row row;
    enum run_next next;
    words_of(frame, lookup->from.layer, points.layer);
    for (unsigned k = 0; k < 2; k++) {
        words_of(frame, lookup->from.at[k], points.at[k]);
        for (unsigned lane = 0; lane < RUN_LANES && lookup->offset[k].bits; lane++)
            points.offset[k][lane] = (int8_t)run_get(frame, lookup->offset[k], lane);
    }
    texture_place_row(texture, &points, lanes, &row);
    next = reach_row(warp, op, lanes, &texture->array, &row, texel);
    for (; lanes && !next; lanes &= lanes - 1) {
        const unsigned lane = run_lowest(lanes);
        uint32_t out[4];
        texture_blend_row(texture, &row, lane, texel[lane], out);
        if (lookup->halves || lookup->resident.bits || lookup->to[0].bits != 32)
            put(lookup, frame, lane, out);
        else
            for (unsigned i = 0; i < 4; i++)
                if (lookup->to[i].bits)
                    run_words(frame, lookup->to[i].at)[lane] = out[i];
    }
    return next;
}

enum run_next texture_look_up(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp) {
    const struct texture_lookup *lookup = op->more;
    const uint32_t all = lanes;
    struct texture_object found = {0};
    struct run_access access = {.space = PTX_GLOBAL, .kind = RUN_READ, .weak = 1, .nc = 1};
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = run_lowest(lanes);
        const uint64_t handle = run_get(frame, lookup->from.handle, lane);
        const uint8_t *texel[TEXTURE_TAPS];
        const struct wsim_texture *texture;
        struct texture_point point;
        struct texture_taps taps;
        uint32_t out[4];
        enum run_next next = texture_find(warp, op, lane, RUN_TEXTURE, handle, &found);
        if (next)
            return next;
        if (!found.object) {
            put(lookup, frame, lane, (const uint32_t[4]){0});
            continue;
        }
        texture = &found.object->texture;
        next = check(warp, op, lane, lookup, texture);
        if (next)
            return next;
        if (lanes == all && is_row(lookup, frame, all, texture, handle))
            return look_up_row(frame, op, all, warp, texture);
        point_of(lookup, texture, frame, lane, &point);
        texture_place(texture, &point, &taps);
        next = reach_taps(warp, op, lane, &texture->array, &taps, &access);
        if (next)
            return next;
        for (unsigned i = 0; i < taps.n; i++)
            texel[i] = access.host[i];
        if (lookup->gathers)
            texture_gather(texture, &taps, texel, lookup->gathers - 1u, out);
        else
            texture_blend(texture, &taps, texel, out);
        put(lookup, frame, lane, out);
    }
    return RUN_ON;
}
