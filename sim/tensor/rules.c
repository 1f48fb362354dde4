/* The driver's checks of the parameters of a map: one function per rule, in the order of the
 * checks. Limits come from the tables. */
#include "../base/base.h"
#include "../isa/isa.h"
#include "tensor.h"

#include <inttypes.h>
#include <stdio.h>

typedef enum wsim_status rule(const struct wsim_tensor *t, struct wsim_diag *diag);

/* --- element type and target --- */

static enum wsim_status listed(enum wsim_tensor_list list, const char *name, unsigned value,
                               struct wsim_diag *diag) {
    unsigned count = 0;
    if (wsim_tensor_name(list, value))
        return WSIM_OK;
    while (wsim_tensor_name(list, count))
        count++;
    return base_refuse(diag, RULE_TENSOR_VALUE_UNKNOWN, 0,
                       "%s is %u, not in the enumeration, 0 to %u", name, value, count - 1);
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

/* Features that the GPU must have. */
static enum wsim_status check_arch(const struct wsim_tensor *t, const struct wsim_arch *arch,
                                   struct wsim_diag *diag) {
    const struct tensor_type *type = &tensor_types[t->dtype];
    const struct tensor_swizzle *swizzle = &tensor_swizzles[t->swizzle];
    const struct tensor_mode *mode = &tensor_modes[t->mode];
    uint32_t all = UINT32_C(1) << FEATURE_HOPPER | UINT32_C(1) << type->needs |
                   UINT32_C(1) << swizzle->needs | UINT32_C(1) << mode->needs;
    enum wsim_status status;
    char what[64];
    if (!arch)
        return base_refuse(diag, RULE_ARCH_MISSING, 0, "no architecture is given");
    if ((arch->features & all) == all) /* the common case, without a sentence */
        return WSIM_OK;
    status = isa_need(FEATURE_HOPPER, arch, "a tensor map", all, diag);
    if (status)
        return status;
    snprintf(what, sizeof what, "dtype %s", type->name);
    status = isa_need(type->needs, arch, what, all, diag);
    if (status)
        return status;
    snprintf(what, sizeof what, "mode %s", mode->name);
    status = isa_need(mode->needs, arch, what, all, diag);
    if (status)
        return status;
    snprintf(what, sizeof what, "swizzle %s", wsim_swizzle_name(t->swizzle));
    return isa_need(swizzle->needs, arch, what, all, diag);
}

static enum wsim_status check_kinds(const struct wsim_tensor *t, struct wsim_diag *diag) {
    const struct tensor_type *type = &tensor_types[t->dtype];
    if (!(type->interleaves >> t->interleave & 1))
        return base_refuse(diag, RULE_TENSOR_INTERLEAVE_TYPE, 0,
                           "interleave is %s: dtype %s can only have %s; the nearest is %s",
                           tensor_interleaves[t->interleave].name, type->name,
                           tensor_interleaves[0].name, tensor_interleaves[0].name);
    if (!(type->swizzles >> t->swizzle & 1))
        return base_refuse(diag, RULE_TENSOR_SWIZZLE_TYPE, 0,
                           "swizzle is %s: dtype %s has rows of 128 bytes and cannot have it; the "
                           "nearest is %s",
                           wsim_swizzle_name(t->swizzle), type->name,
                           wsim_swizzle_name(WSIM_SWIZZLE_128B));
    if (tensor_fills[t->oob].is_float && !type->is_float)
        return base_refuse(diag, RULE_TENSOR_OOB_TYPE, 0,
                           "oob is %s: only floating-point types have one, and dtype is %s; the "
                           "nearest is %s",
                           tensor_fills[t->oob].name, type->name,
                           tensor_fills[WSIM_TENSOR_FILL_ZERO].name);
    return tensor_check_limit(TENSOR_LIMIT_L2, "l2", -1, t->l2, diag);
}

static enum wsim_status check_wide(const struct wsim_tensor *t, struct wsim_diag *diag) {
    const char *mode = tensor_modes[t->mode].name;
    if (!tensor_modes[t->mode].wide)
        return WSIM_OK;
    if (t->interleave != WSIM_TENSOR_INTERLEAVE_NONE)
        return base_refuse(diag, RULE_TENSOR_INTERLEAVE_MODE, 0,
                           "interleave is %s: mode %s has none; the nearest is NONE",
                           tensor_interleaves[t->interleave].name, mode);
    if (!(tensor_wide_swizzles >> t->swizzle & 1))
        return base_refuse(diag, RULE_TENSOR_SWIZZLE_MODE, 0,
                           "swizzle is %s: mode %s has 64B, 128B or 128B_ATOM_32B; the nearest is "
                           "%s",
                           wsim_swizzle_name(t->swizzle), mode,
                           wsim_swizzle_name(wsim_swizzle_span(t->swizzle) > 64
                                                 ? WSIM_SWIZZLE_128B
                                                 : WSIM_SWIZZLE_64B));
    return WSIM_OK;
}

static enum wsim_status check_rank(const struct wsim_tensor *t, struct wsim_diag *diag) {
    unsigned least = tensor_interleaves[t->interleave].rank;
    enum tensor_limit_id limit =
        t->mode == WSIM_TENSOR_TILED ? TENSOR_LIMIT_RANK : TENSOR_LIMIT_IM2COL_RANK;
    enum wsim_status status = tensor_check_limit(limit, "rank", -1, t->rank, diag);
    if (!status && t->rank < least)
        return base_refuse(diag, RULE_TENSOR_RANK_INTERLEAVE, 0,
                           "rank is %u: interleave %s needs at least %u; the nearest is %u",
                           (unsigned)t->rank, tensor_interleaves[t->interleave].name, least, least);
    return status;
}

/* --- the tensor --- */

/* The stricter of interleave and element type applies, and the sentence names it. */
static enum wsim_status aligned(const struct wsim_tensor *t, const char *name, int index,
                                uint64_t value, struct wsim_diag *diag) {
    const struct tensor_interleave *slices = &tensor_interleaves[t->interleave];
    const struct tensor_type *type = &tensor_types[t->dtype];
    int by_type = type->align > slices->align;
    unsigned align = by_type ? type->align : slices->align;
    uint64_t below = value - value % align;
    char text[TENSOR_PLACE];
    if (value == below)
        return WSIM_OK;
    return base_refuse(diag, RULE_TENSOR_STRIDE_ALIGN, 0,
                       "%s is %" PRIu64 ": %s %s needs a multiple of %u; the nearest are %" PRIu64
                       " and %" PRIu64,
                       tensor_place(text, name, index), value, by_type ? "dtype" : "interleave",
                       by_type ? type->name : slices->name, align, below, below + align);
}

static enum wsim_status check_base(const struct wsim_tensor *t, struct wsim_diag *diag) {
    enum wsim_status status = tensor_check_limit(TENSOR_LIMIT_BASE, "base", -1, t->base, diag);
    return status ? status : aligned(t, "base", -1, t->base, diag);
}

static enum wsim_status check_dims(const struct wsim_tensor *t, struct wsim_diag *diag) {
    unsigned multiple = tensor_types[t->dtype].multiple;
    enum wsim_status status = WSIM_OK;
    for (uint32_t i = 0; i < t->rank && !status; i++)
        status = tensor_check_limit(TENSOR_LIMIT_DIM, "dims", (int)i, t->dims[i], diag);
    if (!status && t->dims[0] % multiple)
        return base_refuse(diag, RULE_TENSOR_DIMS_ALIGN, 0,
                           "dims[0] is %" PRIu64 ": dtype %s needs a multiple of %u; the nearest "
                           "is %" PRIu64,
                           t->dims[0], tensor_types[t->dtype].name, multiple,
                           (t->dims[0] + multiple - 1) / multiple * multiple);
    return status;
}

static enum wsim_status check_strides(const struct wsim_tensor *t, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    for (uint32_t i = 0; i + 1 < t->rank && !status; i++) {
        status = tensor_check_limit(TENSOR_LIMIT_STRIDE, "strides", (int)i, t->strides[i], diag);
        if (!status)
            status = aligned(t, "strides", (int)i, t->strides[i], diag);
    }
    return status;
}

static enum wsim_status check_estrides(const struct wsim_tensor *t, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    for (uint32_t i = 0; i < t->rank && !status; i++)
        status = tensor_check_limit(TENSOR_LIMIT_ESTRIDE, "estrides", (int)i, t->estrides[i], diag);
    return status;
}

enum wsim_status wsim_tensor_check(const struct wsim_tensor *tensor, const struct wsim_arch *arch,
                                   struct wsim_diag *diag) {
    static rule *const rules[] = {check_kinds,    check_wide,       check_rank,
                                  check_base,     check_dims,       check_strides,
                                  check_estrides, tensor_check_box, tensor_check_pixels};
    enum wsim_status status = check_listed(tensor, diag);
    if (!status)
        status = check_arch(tensor, arch, diag);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0] && !status; i++)
        status = rules[i](tensor, diag);
    return status;
}

/* --- strides of a tensor without gaps --- */

/* Multiplies by one more dimension; saturates at 64 bits. */
static uint64_t times(uint64_t bytes, uint64_t count) {
    return count && bytes > UINT64_MAX / count ? UINT64_MAX : bytes * count;
}

static enum wsim_status check_packed(const struct wsim_tensor *t, uint32_t i, uint64_t bytes,
                                     struct wsim_diag *diag) {
    const struct tensor_interleave *slices = &tensor_interleaves[t->interleave];
    const struct tensor_type *type = &tensor_types[t->dtype];
    unsigned align = type->align > slices->align ? type->align : slices->align;
    enum wsim_status status =
        tensor_check_limit(TENSOR_LIMIT_STRIDE, "strides", (int)i, bytes, diag);
    if (status || bytes % align == 0)
        return status;
    return base_refuse(diag, RULE_TENSOR_STRIDE_PACKED, 0,
                       "without gaps strides[%u] is %" PRIu64
                       " bytes, and must be a multiple of %u: pad each row to %" PRIu64 " bytes",
                       (unsigned)i, bytes, align, bytes - bytes % align + align);
}

enum wsim_status wsim_tensor_pack(struct wsim_tensor *tensor, struct wsim_diag *diag) {
    struct wsim_tensor t = *tensor;
    enum wsim_status status = check_listed(&t, diag);
    uint64_t bytes;
    if (!status)
        status = tensor_check_limit(TENSOR_LIMIT_RANK, "rank", -1, t.rank, diag);
    for (uint32_t i = 0; !status && i < t.rank; i++)
        status = tensor_check_limit(TENSOR_LIMIT_DIM, "dims", (int)i, t.dims[i], diag);
    if (status)
        return status;
    bytes = tensor_interleaves[t.interleave].slice;
    bytes =
        bytes ? times(t.dims[0], bytes) : times(t.dims[0], tensor_types[t.dtype].memory_bits) / 8;
    for (uint32_t i = 0; !status && i + 1 < t.rank; i++) {
        status = check_packed(&t, i, bytes, diag);
        t.strides[i] = bytes;
        bytes = times(bytes, t.dims[i + 1]);
    }
    if (!status)
        *tensor = t;
    return status;
}
