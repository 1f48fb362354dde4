/* The 128 bytes of a map, from parameters and back. */
#include "../base/base.h"
#include "card.h"
#include "image.h"

#include <string.h>

static enum wsim_status check_version(const struct wsim_tensor_map *map, struct wsim_diag *diag) {
    const unsigned version = (unsigned)tensor_get(map, TENSOR_VERSION, 0);
    return version == TENSOR_IMAGE_VERSION
               ? WSIM_OK
               : base_refuse(diag, RULE_TENSOR_IMAGE_VERSION, 0,
                             "this tensor map has version %u: this wsim reads version %d", version,
                             TENSOR_IMAGE_VERSION);
}

enum wsim_status tensor_image_own(const struct wsim_tensor_map *map, struct wsim_tensor_map *own,
                                  struct wsim_diag *diag) {
    if (tensor_is_stamped(map)) {
        *own = *map;
        return check_version(map, diag);
    }
    if (tensor_from_card(map, own))
        return WSIM_OK;
    return base_refuse(diag, RULE_TENSOR_IMAGE_STAMP, 0,
                       "these 128 bytes are not a tensor map: they do not begin with 'wsimtmap', "
                       "and do not have the bits of a map of the driver");
}

static void put_list32(struct wsim_tensor_map *map, enum tensor_slot_id id, const uint32_t *list,
                       unsigned n) {
    for (unsigned i = 0; i < n; i++)
        tensor_put(map, id, i, list[i]);
}

static void put_box(struct wsim_tensor_map *map, const struct wsim_tensor *t) {
    if (t->mode == WSIM_TENSOR_TILED) {
        put_list32(map, TENSOR_BOX, t->box, t->rank);
        return;
    }
    for (unsigned i = 0; i < tensor_corners(t); i++) {
        tensor_put(map, TENSOR_LOWER, i, (uint64_t)t->lower[i]);
        tensor_put(map, TENSOR_UPPER, i, (uint64_t)t->upper[i]);
    }
    tensor_put(map, TENSOR_CHANNELS, 0, t->channels);
    tensor_put(map, TENSOR_PIXELS, 0, t->pixels);
}

enum wsim_status wsim_tensor_encode(const struct wsim_tensor *t, const struct wsim_arch *arch,
                                    struct wsim_tensor_map *map, struct wsim_diag *diag) {
    enum wsim_status status = wsim_tensor_check(t, arch, diag);
    if (status)
        return status;
    memset(map, 0, sizeof *map);
    tensor_stamp(map);
    tensor_put(map, TENSOR_MODE, 0, t->mode);
    tensor_put(map, TENSOR_DTYPE, 0, t->dtype);
    tensor_put(map, TENSOR_RANK, 0, t->rank - 1);
    tensor_put(map, TENSOR_INTERLEAVE, 0, t->interleave);
    tensor_put(map, TENSOR_SWIZZLE, 0, tensor_swizzles[t->swizzle].mode);
    tensor_put(map, TENSOR_ATOM, 0, tensor_swizzles[t->swizzle].atom);
    tensor_put(map, TENSOR_OOB, 0, t->oob);
    tensor_put(map, TENSOR_L2, 0, t->l2);
    tensor_put(map, TENSOR_BASE, 0, t->base);
    put_list32(map, TENSOR_ESTRIDE, t->estrides, t->rank);
    for (unsigned i = 0; i < t->rank; i++)
        tensor_put(map, TENSOR_DIM, i, t->dims[i]);
    for (unsigned i = 0; i + 1 < t->rank; i++)
        tensor_put(map, TENSOR_STRIDE, i, t->strides[i]);
    put_box(map, t);
    return WSIM_OK;
}

/* The swizzle of two numbers of tensormap.replace, -1 if there is none. */
static int swizzle_of(unsigned mode, unsigned atom) {
    for (int i = 0; i < WSIM_SWIZZLES; i++)
        if (tensor_swizzles[i].mode == mode && tensor_swizzles[i].atom == atom)
            return i;
    return -1;
}

/* A slot as a signed number. */
static int32_t get_signed(const struct wsim_tensor_map *map, enum tensor_slot_id id, unsigned i) {
    int32_t value = (int32_t)tensor_get(map, id, i);
    return value > INT16_MAX ? value - 65536 : value;
}

static void get_box(const struct wsim_tensor_map *map, struct wsim_tensor *t) {
    if (t->mode == WSIM_TENSOR_TILED) {
        for (unsigned i = 0; i < t->rank; i++)
            t->box[i] = (uint32_t)tensor_get(map, TENSOR_BOX, i);
        return;
    }
    for (unsigned i = 0; i < tensor_corners(t); i++) {
        t->lower[i] = get_signed(map, TENSOR_LOWER, i);
        t->upper[i] = get_signed(map, TENSOR_UPPER, i);
    }
    t->channels = (uint32_t)tensor_get(map, TENSOR_CHANNELS, 0);
    t->pixels = (uint32_t)tensor_get(map, TENSOR_PIXELS, 0);
}

static void get_lists(const struct wsim_tensor_map *map, struct wsim_tensor *t) {
    for (unsigned i = 0; i < t->rank; i++) {
        t->dims[i] = tensor_get(map, TENSOR_DIM, i);
        t->estrides[i] = (uint32_t)tensor_get(map, TENSOR_ESTRIDE, i);
    }
    for (unsigned i = 0; i + 1 < t->rank; i++)
        t->strides[i] = tensor_get(map, TENSOR_STRIDE, i);
}

/* Refuses slots that no map of wsim has. This includes a rank that the mode does not have: the
 * corners depend on it, and tensormap.replace only takes tiled maps. */
static int is_damaged(const struct wsim_tensor_map *map) {
    uint64_t mode = tensor_get(map, TENSOR_MODE, 0), rank = tensor_get(map, TENSOR_RANK, 0) + 1;
    enum tensor_limit_id limit =
        mode == WSIM_TENSOR_TILED ? TENSOR_LIMIT_RANK : TENSOR_LIMIT_IM2COL_RANK;
    return mode >= WSIM_TENSOR_MODES || tensor_get(map, TENSOR_DTYPE, 0) >= WSIM_TENSOR_TYPES ||
           rank < tensor_limits[limit].least || rank > tensor_limits[limit].most ||
           tensor_get(map, TENSOR_INTERLEAVE, 0) >= WSIM_TENSOR_INTERLEAVES ||
           tensor_get(map, TENSOR_OOB, 0) >= WSIM_TENSOR_FILLS;
}

static enum wsim_status check_kinds(const struct wsim_tensor_map *map, struct wsim_diag *diag) {
    unsigned mode = (unsigned)tensor_get(map, TENSOR_SWIZZLE, 0);
    unsigned atom = (unsigned)tensor_get(map, TENSOR_ATOM, 0);
    if (is_damaged(map))
        return base_refuse(diag, RULE_TENSOR_IMAGE_DAMAGED, 0,
                           "this tensor map is damaged: mode %u, dtype %u, rank %u, interleave %u, "
                           "oob %u",
                           (unsigned)tensor_get(map, TENSOR_MODE, 0),
                           (unsigned)tensor_get(map, TENSOR_DTYPE, 0),
                           (unsigned)tensor_get(map, TENSOR_RANK, 0) + 1,
                           (unsigned)tensor_get(map, TENSOR_INTERLEAVE, 0),
                           (unsigned)tensor_get(map, TENSOR_OOB, 0));
    if (swizzle_of(mode, atom) < 0)
        return base_refuse(diag, RULE_TENSOR_SWIZZLE_ATOMICITY, 0,
                           "this tensor map has swizzle_mode %u with swizzle_atomicity %u: the "
                           "driver has no such swizzle; the nearest is atomicity 0",
                           mode, atom);
    return WSIM_OK;
}

enum wsim_status wsim_tensor_decode(const struct wsim_tensor_map *given, struct wsim_tensor *tensor,
                                    struct wsim_diag *diag) {
    struct wsim_tensor_map own, *const map = &own;
    enum wsim_status status = tensor_image_own(given, map, diag);
    if (!status)
        status = check_kinds(map, diag);
    if (status)
        return status;
    memset(tensor, 0, sizeof *tensor);
    tensor->mode = (enum wsim_tensor_mode)tensor_get(map, TENSOR_MODE, 0);
    tensor->dtype = (enum wsim_tensor_type)tensor_get(map, TENSOR_DTYPE, 0);
    tensor->interleave = (enum wsim_tensor_interleave)tensor_get(map, TENSOR_INTERLEAVE, 0);
    tensor->swizzle = (enum wsim_swizzle)swizzle_of((unsigned)tensor_get(map, TENSOR_SWIZZLE, 0),
                                                    (unsigned)tensor_get(map, TENSOR_ATOM, 0));
    tensor->oob = (enum wsim_tensor_fill)tensor_get(map, TENSOR_OOB, 0);
    tensor->l2 = (uint32_t)tensor_get(map, TENSOR_L2, 0);
    tensor->rank = (uint32_t)tensor_get(map, TENSOR_RANK, 0) + 1;
    tensor->base = tensor_get(map, TENSOR_BASE, 0);
    get_lists(map, tensor);
    get_box(map, tensor);
    return WSIM_OK;
}
