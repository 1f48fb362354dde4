/* Rules of the extent of one copy: the box of a tiled map, the pixels of an im2col map. */
#include "../base/base.h"
#include "tensor.h"

#include <inttypes.h>
#include <stdio.h>

/* Elements of the innermost dimension: a row. */
static enum wsim_status check_row(const struct wsim_tensor *t, const char *name, uint32_t elements,
                                  struct wsim_diag *diag) {
    const struct tensor_type *type = &tensor_types[t->dtype];
    uint32_t span = wsim_swizzle_span(t->swizzle);
    uint32_t bytes = elements * type->bits / 8, whole = TENSOR_INNER_MULTIPLE * 8 / type->bits;
    uint32_t most = span * 8u / type->bits;
    if (type->box && elements != type->box)
        return base_refuse(diag, RULE_TENSOR_ROW_TYPE, 0, "%s is %u: dtype %s can only have %u",
                           name, (unsigned)elements, type->name, type->box);
    if (elements % whole)
        return base_refuse(diag, RULE_TENSOR_ROW_ALIGN, 0,
                           "%s is %u: a row of dtype %s comes in pieces of %d bytes, multiples of "
                           "%u; the nearest is %u",
                           name, (unsigned)elements, type->name, (int)TENSOR_INNER_MULTIPLE,
                           (unsigned)whole,
                           (unsigned)(elements < whole ? whole : elements - elements % whole));
    if (t->interleave == WSIM_TENSOR_INTERLEAVE_NONE && span && bytes > span)
        return base_refuse(diag, RULE_TENSOR_ROW_SWIZZLE, 0,
                           "%s is %u, %u bytes: swizzle %s has rows of at most %u bytes; the "
                           "nearest is %u",
                           name, (unsigned)elements, (unsigned)bytes, wsim_swizzle_name(t->swizzle),
                           span, (unsigned)most);
    return WSIM_OK;
}

/* `fits`: the largest legal value of `name`; 0 if no value is legal. */
static enum wsim_status check_bytes(uint64_t bytes, const char *what, const char *name,
                                    uint64_t fits, struct wsim_diag *diag) {
    char nearest[64] = "";
    if (bytes <= TENSOR_MOST_BYTES)
        return WSIM_OK;
    if (fits)
        snprintf(nearest, sizeof nearest, "; the nearest is %s of %" PRIu64, name, fits);
    return base_refuse(diag, RULE_TENSOR_BOX_BYTES, 0,
                       "%s has %" PRIu64 " bytes: it can have at most %d, the shared memory of an "
                       "SM%s",
                       what, bytes, (int)TENSOR_MOST_BYTES, nearest);
}

/* The driver's count, which differs from the copied extent: it rounds down and applies a stride to
 * dimension 0. */
static enum wsim_status check_box_bytes(const struct wsim_tensor *t, struct wsim_diag *diag) {
    uint64_t bits = tensor_types[t->dtype].bits, count;
    uint32_t outer = 0;
    char name[TENSOR_PLACE];
    for (uint32_t i = 0; i < t->rank; i++) {
        count = t->box[i] / t->estrides[i];
        bits *= count;
        outer = count > 1 ? i : outer;
    }
    if (bits / 8 <= TENSOR_MOST_BYTES) /* no name has to be made */
        return WSIM_OK;
    count = t->box[outer] / t->estrides[outer];
    return check_bytes(bits / 8, "box (each entry / its element stride, rounded down)",
                       tensor_place(name, "box", (int)outer),
                       TENSOR_MOST_BYTES * UINT64_C(8) / (bits / count) * t->estrides[outer], diag);
}

enum wsim_status tensor_check_box(const struct wsim_tensor *t, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    if (t->mode != WSIM_TENSOR_TILED)
        return WSIM_OK;
    for (uint32_t i = 0; i < t->rank && !status; i++)
        status = tensor_check_limit(TENSOR_LIMIT_BOX, "box", (int)i, t->box[i], diag);
    if (!status)
        status = check_row(t, "box[0]", t->box[0], diag);
    return status ? status : check_box_bytes(t, diag);
}

static enum wsim_status check_corner(const struct wsim_tensor *t, const char *name, unsigned i,
                                     int32_t value, struct wsim_diag *diag) {
    int bits = tensor_modes[t->mode].wide ? (int)TENSOR_WIDE_CORNER : tensor_corner_bits[t->rank];
    int32_t most = (INT32_C(1) << (bits - 1)) - 1, least = -most - 1;
    if (value >= least && value <= most)
        return WSIM_OK;
    return base_refuse(diag, RULE_TENSOR_CORNER_RANGE, 0,
                       "%s[%u] is %" PRId32 ": in rank %u it can be %" PRId32 " to %" PRId32
                       "; the nearest is %" PRId32,
                       name, i, value, (unsigned)t->rank, least, most,
                       value < least ? least : most);
}

/* A number as the driver stores it: the low 32 bits, signed. */
static int64_t low_word(int64_t value) {
    int64_t low = value & INT64_C(0xFFFFFFFF);
    return low > INT32_MAX ? low - (INT64_C(1) << 32) : low;
}

static enum wsim_status check_between(const struct wsim_tensor *t, unsigned i,
                                      struct wsim_diag *diag) {
    unsigned dim = tensor_spatial_dim(t, i);
    int64_t end = (int64_t)t->dims[dim] + t->upper[i], nearest;
    if (low_word(end) > t->lower[i])
        return WSIM_OK;
    if (end > t->lower[i])
        return base_refuse(diag, RULE_TENSOR_CORNER_WRAPS, 0,
                           "dims[%u] is %" PRIu64 ": with upper[%u], %" PRId32 ", it is %" PRId64
                           " in 32 bits, not above lower[%u], %" PRId32 "; the nearest is %" PRId64,
                           dim, t->dims[dim], i, t->upper[i], low_word(end), i, t->lower[i],
                           INT64_C(0x7FFFFFFF) - t->upper[i]);
    nearest = t->upper[i] + (t->lower[i] - end) + 1;
    return base_refuse(diag, RULE_TENSOR_CORNER_EMPTY, 0,
                       "upper[%u] is %" PRId32 ": no pixel from lower[%u], %" PRId32
                       ", to before dims[%u] + upper[%u], %" PRId64 "; the nearest is %" PRId64,
                       i, t->upper[i], i, t->lower[i], dim, i, end, nearest);
}

/* The driver ignores element strides here. */
static enum wsim_status check_pixel_bytes(const struct wsim_tensor *t, struct wsim_diag *diag) {
    uint64_t each = (uint64_t)t->channels * tensor_types[t->dtype].bits / 8;
    return check_bytes(each * tensor_pixels(t), "channels * pixels", "pixels",
                       TENSOR_MOST_BYTES / each, diag);
}

enum wsim_status tensor_check_pixels(const struct wsim_tensor *t, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    if (t->mode == WSIM_TENSOR_TILED)
        return WSIM_OK;
    for (unsigned i = 0; i < tensor_corners(t) && !status; i++) {
        status = check_corner(t, "lower", i, t->lower[i], diag);
        if (!status)
            status = check_corner(t, "upper", i, t->upper[i], diag);
        if (!status)
            status = check_between(t, i, diag);
    }
    if (!status)
        status = tensor_check_limit(TENSOR_LIMIT_CHANNELS, "channels", -1, t->channels, diag);
    if (!status && !tensor_modes[t->mode].pixels)
        status = tensor_check_limit(TENSOR_LIMIT_PIXELS, "pixels", -1, t->pixels, diag);
    if (!status)
        status = check_row(t, "channels", t->channels, diag);
    return status ? status : check_pixel_bytes(t, diag);
}
