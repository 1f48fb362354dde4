/* Whether the driver makes a map of parameters. Every rule is a function of its own, in the order
 * in which they are held; what the limits are is read from the tables. */
#include "../base/base.h"
#include "../isa/isa.h"
#include "tensor.h"

#include <inttypes.h>
#include <stdio.h>

typedef enum wsim_status rule(const struct wsim_tensor *t, struct wsim_diag *diag);

#define NAME 24

/* "box[1]", or "rank" for what is no list. */
static const char *place(char out[NAME], const char *name, int index) {
    if (index < 0)
        snprintf(out, NAME, "%s", name);
    else
        snprintf(out, NAME, "%s[%d]", name, index);
    return out;
}

enum wsim_status tensor_check_limit(enum tensor_limit_id limit, const char *name, int index,
                                    uint64_t value, struct wsim_diag *diag) {
    const struct tensor_limit *row = &tensor_limits[limit];
    char text[NAME];
    if (value >= row->least && value <= row->most)
        return WSIM_OK;
    return base_refuse(diag, WSIM_OPERAND, 0,
                       "%s is %" PRIu64 ": it can be %" PRIu64 " to %" PRIu64
                       "; the nearest is %" PRIu64,
                       place(text, name, index), value, row->least, row->most,
                       value < row->least ? row->least : row->most);
}

/* --- what it is a map of --- */

static enum wsim_status listed(enum wsim_tensor_list list, const char *name, unsigned value,
                               struct wsim_diag *diag) {
    unsigned count = 0;
    if (wsim_tensor_name(list, value))
        return WSIM_OK;
    while (wsim_tensor_name(list, count))
        count++;
    return base_refuse(diag, WSIM_OPERAND, 0, "%s is %u: it is one of the enumeration, 0 to %u",
                       name, value, count - 1);
}

static enum wsim_status check_listed(const struct wsim_tensor *t, struct wsim_diag *diag) {
    enum wsim_status status = listed(WSIM_TENSOR_LIST_MODE, "mode", (unsigned)t->mode, diag);
    if (!status)
        status = listed(WSIM_TENSOR_LIST_DTYPE, "dtype", (unsigned)t->dtype, diag);
    if (!status)
        status = listed(WSIM_TENSOR_LIST_INTERLEAVE, "interleave", (unsigned)t->interleave, diag);
    if (!status)
        status = listed(WSIM_TENSOR_LIST_SWIZZLE, "swizzle", (unsigned)t->swizzle, diag);
    return status ? status : listed(WSIM_TENSOR_LIST_OOB, "oob", (unsigned)t->oob, diag);
}

/* What the GPU must have. */
static enum wsim_status check_arch(const struct wsim_tensor *t, const struct wsim_arch *arch,
                                   struct wsim_diag *diag) {
    const struct tensor_type *type = &tensor_types[t->dtype];
    const struct tensor_swizzle *swizzle = &tensor_swizzles[t->swizzle];
    uint32_t all = UINT32_C(1) << type->needs | UINT32_C(1) << swizzle->needs;
    enum wsim_status status;
    char what[64];
    if (!arch)
        return base_refuse(diag, WSIM_ILLEGAL, 0, "no architecture is given");
    status = isa_need(FEATURE_HOPPER, arch, "a tensor map", all, diag);
    if (status)
        return status;
    snprintf(what, sizeof what, "dtype %s", type->name);
    status = isa_need(type->needs, arch, what, all, diag);
    if (status)
        return status;
    snprintf(what, sizeof what, "swizzle %s", swizzle->name);
    return isa_need(swizzle->needs, arch, what, all, diag);
}

static enum wsim_status check_kinds(const struct wsim_tensor *t, struct wsim_diag *diag) {
    const struct tensor_type *type = &tensor_types[t->dtype];
    if (!(type->interleaves >> t->interleave & 1))
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "interleave is %s: dtype %s can only have %s; the nearest is %s",
                           tensor_interleaves[t->interleave].name, type->name,
                           tensor_interleaves[0].name, tensor_interleaves[0].name);
    if (!(type->swizzles >> t->swizzle & 1))
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "swizzle is %s: dtype %s has rows of 128 bytes and cannot have it; the "
                           "nearest is %s",
                           tensor_swizzles[t->swizzle].name, type->name,
                           tensor_swizzles[WSIM_TENSOR_SWIZZLE_128B].name);
    if (tensor_fills[t->oob].is_float && !type->is_float)
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "oob is %s: only floating-point types have one, and dtype is %s; the "
                           "nearest is %s",
                           tensor_fills[t->oob].name, type->name,
                           tensor_fills[WSIM_TENSOR_FILL_ZERO].name);
    return tensor_check_limit(TENSOR_LIMIT_L2, "l2", -1, t->l2, diag);
}

static enum wsim_status check_rank(const struct wsim_tensor *t, struct wsim_diag *diag) {
    unsigned least = tensor_interleaves[t->interleave].rank;
    enum tensor_limit_id limit =
        t->mode == WSIM_TENSOR_IM2COL ? TENSOR_LIMIT_IM2COL_RANK : TENSOR_LIMIT_RANK;
    enum wsim_status status = tensor_check_limit(limit, "rank", -1, t->rank, diag);
    if (!status && t->rank < least)
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "rank is %u: interleave %s needs at least %u; the nearest is %u",
                           (unsigned)t->rank, tensor_interleaves[t->interleave].name, least, least);
    return status;
}

/* --- the tensor --- */

/* Whose rule it is, and how strict. */
static enum wsim_status aligned(const struct wsim_tensor *t, const char *name, int index,
                                uint64_t value, struct wsim_diag *diag) {
    const struct tensor_interleave *slices = &tensor_interleaves[t->interleave];
    const struct tensor_type *type = &tensor_types[t->dtype];
    int by_type = type->align > slices->align;
    unsigned align = by_type ? type->align : slices->align;
    uint64_t below = value - value % align;
    char text[NAME];
    if (value == below)
        return WSIM_OK;
    return base_refuse(diag, WSIM_ALIGN, 0,
                       "%s is %" PRIu64 ": %s %s needs a multiple of %u; the nearest are %" PRIu64
                       " and %" PRIu64,
                       place(text, name, index), value, by_type ? "dtype" : "interleave",
                       by_type ? type->name : slices->name, align, below, below + align);
}

static enum wsim_status check_base(const struct wsim_tensor *t, struct wsim_diag *diag) {
    enum wsim_status status = tensor_check_limit(TENSOR_LIMIT_BASE, "base", -1, t->base, diag);
    return status ? status : aligned(t, "base", -1, t->base, diag);
}

static enum wsim_status check_dims(const struct wsim_tensor *t, struct wsim_diag *diag) {
    unsigned multiple = tensor_types[t->dtype].multiple;
    enum wsim_status status = WSIM_OK;
    uint32_t i;
    for (i = 0; i < t->rank && !status; i++)
        status = tensor_check_limit(TENSOR_LIMIT_DIM, "dims", (int)i, t->dims[i], diag);
    if (!status && t->dims[0] % multiple)
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "dims[0] is %" PRIu64 ": dtype %s needs a multiple of %u; the nearest "
                           "is %" PRIu64,
                           t->dims[0], tensor_types[t->dtype].name, multiple,
                           (t->dims[0] + multiple - 1) / multiple * multiple);
    return status;
}

static enum wsim_status check_strides(const struct wsim_tensor *t, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    uint32_t i;
    for (i = 0; i + 1 < t->rank && !status; i++) {
        status = tensor_check_limit(TENSOR_LIMIT_STRIDE, "strides", (int)i, t->strides[i], diag);
        if (!status)
            status = aligned(t, "strides", (int)i, t->strides[i], diag);
    }
    return status;
}

static enum wsim_status check_estrides(const struct wsim_tensor *t, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    uint32_t i;
    for (i = 0; i < t->rank && !status; i++)
        status = tensor_check_limit(TENSOR_LIMIT_ESTRIDE, "estrides", (int)i, t->estrides[i], diag);
    return status;
}

/* --- what is copied at once --- */

/* Elements of the innermost dimension: a row. */
static enum wsim_status check_row(const struct wsim_tensor *t, const char *name, uint32_t elements,
                                  struct wsim_diag *diag) {
    const struct tensor_type *type = &tensor_types[t->dtype];
    const struct tensor_swizzle *swizzle = &tensor_swizzles[t->swizzle];
    uint32_t bytes = elements * type->bits / 8, whole = TENSOR_INNER_MULTIPLE * 8 / type->bits;
    uint32_t most = swizzle->span * 8u / type->bits;
    if (type->box && elements != type->box)
        return base_refuse(diag, WSIM_OPERAND, 0, "%s is %u: dtype %s can only have %u", name,
                           (unsigned)elements, type->name, type->box);
    if (elements % whole)
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "%s is %u: a row of dtype %s comes in pieces of %d bytes, multiples of "
                           "%u; the nearest is %u",
                           name, (unsigned)elements, type->name, (int)TENSOR_INNER_MULTIPLE,
                           (unsigned)whole,
                           (unsigned)(elements < whole ? whole : elements - elements % whole));
    if (t->interleave == WSIM_TENSOR_INTERLEAVE_NONE && swizzle->span && bytes > swizzle->span)
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "%s is %u, %u bytes: swizzle %s has rows of at most %u bytes; the "
                           "nearest is %u",
                           name, (unsigned)elements, (unsigned)bytes, swizzle->name, swizzle->span,
                           (unsigned)most);
    return WSIM_OK;
}

/* `fits`: what `name` can be at most; 0: no value of it is enough. */
static enum wsim_status check_bytes(uint64_t bytes, const char *what, const char *name,
                                    uint64_t fits, struct wsim_diag *diag) {
    char nearest[64] = "";
    if (bytes <= TENSOR_MOST_BYTES)
        return WSIM_OK;
    if (fits)
        snprintf(nearest, sizeof nearest, "; the nearest is %s of %" PRIu64, name, fits);
    return base_refuse(diag, WSIM_OPERAND, 0,
                       "%s has %" PRIu64 " bytes: it can have at most %d, the shared memory of an "
                       "SM%s",
                       what, bytes, (int)TENSOR_MOST_BYTES, nearest);
}

/* The driver's count, not what is copied: it rounds down, and dimension 0 has a stride. */
static enum wsim_status check_box_bytes(const struct wsim_tensor *t, struct wsim_diag *diag) {
    uint64_t bits = tensor_types[t->dtype].bits, count;
    uint32_t i, outer = 0;
    char name[NAME];
    for (i = 0; i < t->rank; i++) {
        count = t->box[i] / t->estrides[i];
        bits *= count;
        outer = count > 1 ? i : outer;
    }
    count = t->box[outer] / t->estrides[outer];
    return check_bytes(
        bits / 8, "box (each entry / its element stride, rounded down)",
        place(name, "box", (int)outer),
        bits ? TENSOR_MOST_BYTES * UINT64_C(8) / (bits / count) * t->estrides[outer] : 0, diag);
}

static enum wsim_status check_box(const struct wsim_tensor *t, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    uint32_t i;
    if (t->mode != WSIM_TENSOR_TILED)
        return WSIM_OK;
    for (i = 0; i < t->rank && !status; i++)
        status = tensor_check_limit(TENSOR_LIMIT_BOX, "box", (int)i, t->box[i], diag);
    if (!status)
        status = check_row(t, "box[0]", t->box[0], diag);
    return status ? status : check_box_bytes(t, diag);
}

static enum wsim_status check_corner(const struct wsim_tensor *t, const char *name, unsigned i,
                                     int32_t value, struct wsim_diag *diag) {
    int32_t most = (INT32_C(1) << (tensor_corner_bits[t->rank] - 1)) - 1, least = -most - 1;
    if (value >= least && value <= most)
        return WSIM_OK;
    return base_refuse(diag, WSIM_OPERAND, 0,
                       "%s[%u] is %" PRId32 ": in rank %u it can be %" PRId32 " to %" PRId32
                       "; the nearest is %" PRId32,
                       name, i, value, (unsigned)t->rank, least, most,
                       value < least ? least : most);
}

/* A number as the driver keeps it: its low 32 bits, with a sign. */
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
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "dims[%u] is %" PRIu64 ": with upper[%u], %" PRId32 ", it is %" PRId64
                           " in 32 bits, not above lower[%u], %" PRId32 "; the nearest is %" PRId64,
                           dim, t->dims[dim], i, t->upper[i], low_word(end), i, t->lower[i],
                           INT64_C(0x7FFFFFFF) - t->upper[i]);
    nearest = t->upper[i] + (t->lower[i] - end) + 1;
    return base_refuse(diag, WSIM_OPERAND, 0,
                       "upper[%u] is %" PRId32 ": no pixel from lower[%u], %" PRId32
                       ", to before dims[%u] + upper[%u], %" PRId64 "; the nearest is %" PRId64,
                       i, t->upper[i], i, t->lower[i], dim, i, end, nearest);
}

/* Element strides do not count here. */
static enum wsim_status check_pixel_bytes(const struct wsim_tensor *t, struct wsim_diag *diag) {
    uint64_t each = (uint64_t)t->channels * tensor_types[t->dtype].bits / 8;
    return check_bytes(each * t->pixels, "channels * pixels", "pixels", TENSOR_MOST_BYTES / each,
                       diag);
}

static enum wsim_status check_pixels(const struct wsim_tensor *t, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    unsigned i;
    if (t->mode != WSIM_TENSOR_IM2COL)
        return WSIM_OK;
    for (i = 0; i + 2 < t->rank && !status; i++) {
        status = check_corner(t, "lower", i, t->lower[i], diag);
        if (!status)
            status = check_corner(t, "upper", i, t->upper[i], diag);
        if (!status)
            status = check_between(t, i, diag);
    }
    if (!status)
        status = tensor_check_limit(TENSOR_LIMIT_CHANNELS, "channels", -1, t->channels, diag);
    if (!status)
        status = tensor_check_limit(TENSOR_LIMIT_PIXELS, "pixels", -1, t->pixels, diag);
    if (!status)
        status = check_row(t, "channels", t->channels, diag);
    return status ? status : check_pixel_bytes(t, diag);
}

enum wsim_status wsim_tensor_check(const struct wsim_tensor *tensor, const struct wsim_arch *arch,
                                   struct wsim_diag *diag) {
    static rule *const rules[] = {check_kinds,   check_rank,     check_base, check_dims,
                                  check_strides, check_estrides, check_box,  check_pixels};
    enum wsim_status status = check_listed(tensor, diag);
    size_t i;
    if (!status)
        status = check_arch(tensor, arch, diag);
    for (i = 0; i < sizeof rules / sizeof rules[0] && !status; i++)
        status = rules[i](tensor, diag);
    return status;
}
