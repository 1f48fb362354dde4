/* tensormap.replace: changes one field by its number in PTX, without checking the other fields. */
#include "../base/base.h"
#include "../isa/isa.h"
#include "image.h"

#include <inttypes.h>
#include <string.h>

static int is_template(const struct wsim_tensor_map *map) {
    for (size_t i = 0; i < sizeof map->opaque / sizeof map->opaque[0]; i++)
        if (map->opaque[i])
            return 0;
    return 1;
}

/* *own: the map in the layout that fields have here. */
static enum wsim_status check_map(const struct wsim_tensor_map *map, struct wsim_tensor_map *own,
                                  struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    if (is_template(map))
        *own = *map;
    else
        status = tensor_image_own(map, own, diag);
    if (!status && tensor_get(own, TENSOR_MODE, 0) != WSIM_TENSOR_TILED)
        return base_refuse(diag, RULE_TENSOR_REPLACE_MODE, 0,
                           "tensormap.replace is for tiled maps, and this one is im2col");
    return status;
}

static enum wsim_status check_arch(enum wsim_tensor_field field, const struct wsim_arch *arch,
                                   struct wsim_diag *diag) {
    unsigned needs = isa_forms[tensor_fields[field].row].feature;
    uint32_t all = UINT32_C(1) << FEATURE_REPLACE_MAP | UINT32_C(1) << needs;
    enum wsim_status status;
    if (!arch)
        return base_refuse(diag, RULE_ARCH_MISSING, 0, "no architecture is given");
    status = isa_need(FEATURE_REPLACE_MAP, arch, "tensormap.replace", all, diag);
    return status
               ? status
               : isa_need(needs, arch, wsim_tensor_name(WSIM_TENSOR_LIST_FIELD, field), all, diag);
}

/* The driver's number for a PTX number of `field` (the first of several), -1 if there is none. */
static int listed(enum wsim_tensor_field field, uint64_t value) {
    const struct tensor_list *list = &tensor_lists[tensor_fields[field].list];
    for (int i = 0; i < list->count; i++)
        if (list->numbers[i] == value)
            return i;
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
        return base_refuse(
            diag, RULE_TENSOR_REPLACE_NUMBER, 0,
            "%s is %" PRIu64
            ": not a value of PTX and the driver for this field; the nearest is %" PRIu64,
            name, value, nearest(field, value));
    if (tensor_fields[field].list == TENSOR_LIST_TYPE)
        return isa_need(tensor_types[i].needs, arch, tensor_types[i].name,
                        UINT32_C(1) << tensor_types[i].needs | UINT32_C(1) << FEATURE_REPLACE_MAP,
                        diag);
    return WSIM_OK;
}

static enum wsim_status check_value(enum wsim_tensor_field field, unsigned index, uint64_t value,
                                    const struct wsim_arch *arch, struct wsim_diag *diag) {
    const char *name = wsim_tensor_name(WSIM_TENSOR_LIST_FIELD, field);
    const struct tensor_field *row = &tensor_fields[field];
    unsigned count = tensor_slots[row->slot].count;
    int wide = isa_form_allows(&isa_forms[row->row], PLACE_D, FORMAT_B64);
    char text[TENSOR_PLACE], range[BASE_RANGE];
    if (index >= count)
        return base_refuse(diag, RULE_TENSOR_REPLACE_ORDINAL, 0, "ordinal %u of %s: it can be %s",
                           index, name, base_range(range, count - 1));
    if (row->list != TENSOR_LIST_NONE)
        return check_listed(field, value, arch, diag);
    if (!wide && value > UINT32_MAX)
        return base_refuse(diag, RULE_TENSOR_REPLACE_WIDTH, 0,
                           "%s is %" PRIu64 ": its operand has 32 bits",
                           tensor_place(text, name, count > 1 ? (int)index : -1), value);
    if (field == WSIM_TENSOR_FIELD_RANK && value < UINT32_MAX) /* the operand is one less */
        value++;
    return tensor_check_limit((enum tensor_limit_id)row->limit, name, count > 1 ? (int)index : -1,
                              value, diag);
}

enum wsim_status wsim_tensor_replace(struct wsim_tensor_map *map, enum wsim_tensor_field field,
                                     unsigned index, uint64_t value, const struct wsim_arch *arch,
                                     struct wsim_diag *diag) {
    const struct tensor_list *list;
    struct wsim_tensor_map own;
    enum wsim_status status;
    if (!wsim_tensor_name(WSIM_TENSOR_LIST_FIELD, (unsigned)field))
        return base_refuse(diag, RULE_TENSOR_REPLACE_FIELD, 0, "field %u: there are %d, from 0",
                           (unsigned)field, WSIM_TENSOR_FIELDS);
    status = check_arch(field, arch, diag);
    if (!status)
        status = check_map(map, &own, diag);
    if (!status)
        status = check_value(field, index, value, arch, diag);
    if (status)
        return status;
    list = &tensor_lists[tensor_fields[field].list];
    if (list->count && !list->kept)
        value = (uint64_t)listed(field, value);
    *map = own;
    tensor_stamp(map);
    tensor_put(map, (enum tensor_slot_id)tensor_fields[field].slot, index, value);
    return WSIM_OK;
}
