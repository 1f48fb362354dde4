/* The rows of sim/isa/tensor.def as constant data, and their names. */
#include "../isa/isa.h"
#include "tensor.h"

#include <string.h>

const struct tensor_limit tensor_limits[TENSOR_LIMITS] = {
#define LIMIT(id, least, most, source) [TENSOR_LIMIT_##id] = {UINT64_C(least), UINT64_C(most)},
#include "../isa/tensor.def"
};

#define SLICES(id) (1u << WSIM_TENSOR_INTERLEAVE_##id)
#define SWIZZLES(id) (1u << WSIM_SWIZZLE_##id)

const struct tensor_type tensor_types[WSIM_TENSOR_TYPES] = {
#define TYPE(id, name, bits, memory, is_float, align, multiple, box, interleaves, swizzles, needs, \
             replace)                                                                              \
    [WSIM_TENSOR_##id] = {name, bits,        memory,   is_float,        align,  multiple,          \
                          box,  interleaves, swizzles, FEATURE_##needs, replace},
#include "../isa/tensor.def"
};

const struct tensor_interleave tensor_interleaves[WSIM_TENSOR_INTERLEAVES] = {
#define INTERLEAVE(id, name, slice, align, rank)                                                   \
    [WSIM_TENSOR_INTERLEAVE_##id] = {name, slice, align, rank},
#include "../isa/tensor.def"
};

const struct tensor_swizzle tensor_swizzles[WSIM_SWIZZLES] = {
#define SWIZZLE(id, needs, mode, atom) [WSIM_SWIZZLE_##id] = {FEATURE_##needs, mode, atom},
#include "../isa/tensor.def"
};

const struct tensor_fill tensor_fills[WSIM_TENSOR_FILLS] = {
#define FILL(id, name, is_float, replace) [WSIM_TENSOR_FILL_##id] = {name, is_float, replace},
#include "../isa/tensor.def"
};

const unsigned tensor_wide_swizzles = 0
#define WIDE_SWIZZLE(id) | SWIZZLES(id)
#include "../isa/tensor.def"
    ;

const uint8_t tensor_corner_bits[WSIM_TENSOR_RANK + 1] = {
#define CORNER(rank, bits) [rank] = bits,
#include "../isa/tensor.def"
};

const struct tensor_mode tensor_modes[WSIM_TENSOR_MODES] = {
#define MODE(id, name, needs, wide, pixels)                                                        \
    [WSIM_TENSOR_##id] = {name, FEATURE_##needs, wide, pixels},
#include "../isa/tensor.def"
};

static const char *const fields[WSIM_TENSOR_FIELDS] = {
    [WSIM_TENSOR_GLOBAL_ADDRESS] = "global_address",
    [WSIM_TENSOR_FIELD_RANK] = "rank",
    [WSIM_TENSOR_BOX_DIM] = "box_dim",
    [WSIM_TENSOR_GLOBAL_DIM] = "global_dim",
    [WSIM_TENSOR_GLOBAL_STRIDE] = "global_stride",
    [WSIM_TENSOR_ELEMENT_STRIDE] = "element_stride",
    [WSIM_TENSOR_ELEMTYPE] = "elemtype",
    [WSIM_TENSOR_INTERLEAVE_LAYOUT] = "interleave_layout",
    [WSIM_TENSOR_SWIZZLE_MODE] = "swizzle_mode",
    [WSIM_TENSOR_SWIZZLE_ATOMICITY] = "swizzle_atomicity",
    [WSIM_TENSOR_FILL_MODE] = "fill_mode",
};

const char *wsim_tensor_name(enum wsim_tensor_list list, unsigned value) {
    switch (list) {
    case WSIM_TENSOR_LIST_MODE: return value < WSIM_TENSOR_MODES ? tensor_modes[value].name : NULL;
    case WSIM_TENSOR_LIST_DTYPE: return value < WSIM_TENSOR_TYPES ? tensor_types[value].name : NULL;
    case WSIM_TENSOR_LIST_INTERLEAVE:
        return value < WSIM_TENSOR_INTERLEAVES ? tensor_interleaves[value].name : NULL;
    case WSIM_TENSOR_LIST_SWIZZLE: return wsim_swizzle_name((enum wsim_swizzle)value);
    case WSIM_TENSOR_LIST_OOB: return value < WSIM_TENSOR_FILLS ? tensor_fills[value].name : NULL;
    case WSIM_TENSOR_LIST_FIELD: return value < WSIM_TENSOR_FIELDS ? fields[value] : NULL;
    case WSIM_TENSOR_LISTS: break;
    }
    return NULL;
}

int wsim_tensor_find(enum wsim_tensor_list list, const char *name) {
    const char *there;
    unsigned i;
    for (i = 0; (there = wsim_tensor_name(list, i)) != NULL; i++)
        if (strcmp(there, name) == 0)
            return (int)i;
    return -1;
}
