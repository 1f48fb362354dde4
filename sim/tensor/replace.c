/* tensormap.replace on a map: one field, its number in PTX, nothing else looked at. */
#include "../base/base.h"
#include "../isa/isa.h"
#include "image.h"

#include <inttypes.h>
#include <string.h>

/* Where a field goes: the limit of a number (LISTED: one of an enumeration of PTX). */
#define LISTED TENSOR_LIMITS
static const struct {
    uint8_t slot, limit, bits, needs;
} fields[WSIM_TENSOR_FIELDS] = {
    [WSIM_TENSOR_GLOBAL_ADDRESS] = {TENSOR_BASE, TENSOR_LIMIT_BASE, 64, FEATURE_REPLACE_MAP},
    [WSIM_TENSOR_FIELD_RANK] = {TENSOR_RANK, TENSOR_LIMIT_RANK, 32, FEATURE_REPLACE_MAP},
    [WSIM_TENSOR_BOX_DIM] = {TENSOR_BOX, TENSOR_LIMIT_BOX, 32, FEATURE_REPLACE_MAP},
    [WSIM_TENSOR_GLOBAL_DIM] = {TENSOR_DIM, TENSOR_LIMIT_DIM, 32, FEATURE_REPLACE_MAP},
    [WSIM_TENSOR_GLOBAL_STRIDE] = {TENSOR_STRIDE, TENSOR_LIMIT_STRIDE, 64, FEATURE_REPLACE_MAP},
    [WSIM_TENSOR_ELEMENT_STRIDE] = {TENSOR_ESTRIDE, TENSOR_LIMIT_ESTRIDE, 32, FEATURE_REPLACE_MAP},
    [WSIM_TENSOR_ELEMTYPE] = {TENSOR_DTYPE, LISTED, 32, FEATURE_REPLACE_MAP},
    [WSIM_TENSOR_INTERLEAVE_LAYOUT] = {TENSOR_INTERLEAVE, LISTED, 32, FEATURE_REPLACE_MAP},
    [WSIM_TENSOR_SWIZZLE_MODE] = {TENSOR_SWIZZLE, LISTED, 32, FEATURE_REPLACE_MAP},
    [WSIM_TENSOR_SWIZZLE_ATOMICITY] = {TENSOR_ATOM, LISTED, 32, FEATURE_REPLACE_ATOM},
    [WSIM_TENSOR_FILL_MODE] = {TENSOR_OOB, LISTED, 32, FEATURE_REPLACE_MAP},
};

static int is_template(const struct wsim_tensor_map *map) {
    size_t i;
    for (i = 0; i < sizeof map->opaque / sizeof map->opaque[0]; i++)
        if (map->opaque[i])
            return 0;
    return 1;
}

static enum wsim_status check_map(const struct wsim_tensor_map *map, struct wsim_diag *diag) {
    enum wsim_status status = is_template(map) ? WSIM_OK : tensor_check_stamp(map, diag);
    if (!status && tensor_get(map, TENSOR_MODE, 0) != WSIM_TENSOR_TILED)
        return base_refuse(diag, RULE_TENSOR_REPLACE_MODE, 0,
                           "tensormap.replace is for tiled maps, and this one is im2col");
    return status;
}

static enum wsim_status check_arch(enum wsim_tensor_field field, const struct wsim_arch *arch,
                                   struct wsim_diag *diag) {
    uint32_t all = UINT32_C(1) << FEATURE_REPLACE_MAP | UINT32_C(1) << fields[field].needs;
    enum wsim_status status;
    if (!arch)
        return base_refuse(diag, RULE_ARCH_MISSING, 0, "no architecture is given");
    status = isa_need(FEATURE_REPLACE_MAP, arch, "tensormap.replace", all, diag);
    return status ? status
                  : isa_need(fields[field].needs, arch,
                             wsim_tensor_name(WSIM_TENSOR_LIST_FIELD, field), all, diag);
}

/* The driver's number of one that PTX has for `field`, -1 if none. Of a swizzle, PTX's own. */
static int listed(enum wsim_tensor_field field, uint64_t value) {
    int i, n = field == WSIM_TENSOR_ELEMTYPE            ? WSIM_TENSOR_TYPES
               : field == WSIM_TENSOR_FILL_MODE         ? WSIM_TENSOR_FILLS
               : field == WSIM_TENSOR_INTERLEAVE_LAYOUT ? WSIM_TENSOR_INTERLEAVES
                                                        : WSIM_SWIZZLES;
    for (i = 0; i < n; i++) {
        uint64_t number = field == WSIM_TENSOR_ELEMTYPE            ? tensor_types[i].replace
                          : field == WSIM_TENSOR_FILL_MODE         ? tensor_fills[i].replace
                          : field == WSIM_TENSOR_SWIZZLE_MODE      ? tensor_swizzles[i].mode
                          : field == WSIM_TENSOR_SWIZZLE_ATOMICITY ? tensor_swizzles[i].atom
                                                                   : (unsigned)i;
        if (number == value)
            return field == WSIM_TENSOR_SWIZZLE_MODE || field == WSIM_TENSOR_SWIZZLE_ATOMICITY
                       ? (int)value
                       : i;
    }
    return -1;
}

/* The listed number nearest to `value`, the lower of two. */
static uint64_t nearest(enum wsim_tensor_field field, uint64_t value) {
    uint64_t below = value < UINT8_MAX ? value : UINT8_MAX, above = below;
    while (below && listed(field, below) < 0)
        below--;
    while (above < UINT8_MAX && listed(field, above) < 0)
        above++;
    return listed(field, above) >= 0 && above - value < value - below ? above : below;
}

static enum wsim_status check_listed(enum wsim_tensor_field field, uint64_t value,
                                     const struct wsim_arch *arch, struct wsim_diag *diag) {
    int i = listed(field, value);
    const char *name = wsim_tensor_name(WSIM_TENSOR_LIST_FIELD, field);
    if (i < 0)
        return base_refuse(diag, RULE_TENSOR_REPLACE_NUMBER, 0,
                           "%s is %" PRIu64 ": PTX has no such number there that the driver has "
                           "too; the nearest is %" PRIu64,
                           name, value, nearest(field, value));
    if (field == WSIM_TENSOR_ELEMTYPE)
        return isa_need(tensor_types[i].needs, arch, tensor_types[i].name,
                        UINT32_C(1) << tensor_types[i].needs | UINT32_C(1) << FEATURE_REPLACE_MAP,
                        diag);
    return WSIM_OK;
}

static enum wsim_status check_value(enum wsim_tensor_field field, unsigned index, uint64_t value,
                                    const struct wsim_arch *arch, struct wsim_diag *diag) {
    const char *name = wsim_tensor_name(WSIM_TENSOR_LIST_FIELD, field);
    unsigned count = tensor_slots[fields[field].slot].count;
    char text[TENSOR_PLACE];
    if (index >= count)
        return base_refuse(diag, RULE_TENSOR_REPLACE_ORDINAL, 0,
                           "ordinal %u of %s: it can be 0 to %u", index, name, count - 1);
    if (fields[field].limit == LISTED)
        return check_listed(field, value, arch, diag);
    if (fields[field].bits == 32 && value > UINT32_MAX)
        return base_refuse(diag, RULE_TENSOR_REPLACE_WIDTH, 0,
                           "%s is %" PRIu64 ": its operand has 32 bits",
                           tensor_place(text, name, count > 1 ? (int)index : -1), value);
    if (field == WSIM_TENSOR_FIELD_RANK && value < UINT32_MAX) /* the operand is one less */
        value++;
    return tensor_check_limit((enum tensor_limit_id)fields[field].limit, name,
                              count > 1 ? (int)index : -1, value, diag);
}

enum wsim_status wsim_tensor_replace(struct wsim_tensor_map *map, enum wsim_tensor_field field,
                                     unsigned index, uint64_t value, const struct wsim_arch *arch,
                                     struct wsim_diag *diag) {
    enum wsim_status status;
    if (!wsim_tensor_name(WSIM_TENSOR_LIST_FIELD, (unsigned)field))
        return base_refuse(diag, RULE_TENSOR_REPLACE_FIELD, 0, "field %u: there are %d, from 0",
                           (unsigned)field, WSIM_TENSOR_FIELDS);
    status = check_arch(field, arch, diag);
    if (!status)
        status = check_map(map, diag);
    if (!status)
        status = check_value(field, index, value, arch, diag);
    if (status)
        return status;
    tensor_stamp(map);
    tensor_put(map, (enum tensor_slot_id)fields[field].slot, index,
               fields[field].limit == LISTED ? (uint64_t)listed(field, value) : value);
    return WSIM_OK;
}
