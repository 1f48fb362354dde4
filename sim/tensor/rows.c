/* The rows of sim/isa/tensor.def as constant data, and their names. */
#include "../isa/isa.h"
#include "image.h"

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

/* --- the fields of tensormap.replace --- */

static const uint8_t of_type[] = {
#define TYPE(id, name, bits, memory, is_float, align, multiple, box, interleaves, swizzles, needs, \
             replace)                                                                              \
    [WSIM_TENSOR_##id] = replace,
#include "../isa/tensor.def"
};

static const uint8_t of_interleave[] = {
#define INTERLEAVE(id, name, slice, align, rank)                                                   \
    [WSIM_TENSOR_INTERLEAVE_##id] = WSIM_TENSOR_INTERLEAVE_##id,
#include "../isa/tensor.def"
};

static const uint8_t of_swizzle_mode[] = {
#define SWIZZLE(id, needs, mode, atom) [WSIM_SWIZZLE_##id] = mode,
#include "../isa/tensor.def"
};

static const uint8_t of_swizzle_atom[] = {
#define SWIZZLE(id, needs, mode, atom) [WSIM_SWIZZLE_##id] = atom,
#include "../isa/tensor.def"
};

static const uint8_t of_fill[] = {
#define FILL(id, name, is_float, replace) [WSIM_TENSOR_FILL_##id] = replace,
#include "../isa/tensor.def"
};

/* A map stores a swizzle as the two numbers of PTX, and other lists as the index of the row. */
const struct tensor_list tensor_lists[TENSOR_LISTS] = {
    [TENSOR_LIST_NONE] = {NULL, 0, 0},
    [TENSOR_LIST_TYPE] = {of_type, sizeof of_type, 0},
    [TENSOR_LIST_INTERLEAVE] = {of_interleave, sizeof of_interleave, 0},
    [TENSOR_LIST_SWIZZLE_MODE] = {of_swizzle_mode, sizeof of_swizzle_mode, 1},
    [TENSOR_LIST_SWIZZLE_ATOM] = {of_swizzle_atom, sizeof of_swizzle_atom, 1},
    [TENSOR_LIST_FILL] = {of_fill, sizeof of_fill, 0},
};

#define LIMITED(id) TENSOR_LIMIT_##id, TENSOR_LIST_NONE
#define EACH(id) LIMITED(id)
#define LISTED(id) TENSOR_LIMITS, TENSOR_LIST_##id
const struct tensor_field tensor_fields[WSIM_TENSOR_FIELDS] = {
#define FIELD(id, slot, number, row)                                                               \
    [WSIM_TENSOR_FIELD_##id] = {FORM_##row, Q_##id, TENSOR_##slot, number},
#include "../isa/tensor.def"
};

/* The public enumeration has the rows in order, and so has PLACE_FIELD. */
#define FIELD(id, slot, number, row)                                                               \
    _Static_assert((int)WSIM_TENSOR_FIELD_##id == (int)Q_##id - 1, "a field is out of order");
#include "../isa/tensor.def"
enum {
    FIELD_ROWS = 0
#define FIELD(id, slot, number, row) +1
#include "../isa/tensor.def"
};
_Static_assert((int)FIELD_ROWS == (int)WSIM_TENSOR_FIELDS, "a field has no row");

const char *wsim_tensor_name(enum wsim_tensor_list list, unsigned value) {
    switch (list) {
    case WSIM_TENSOR_LIST_MODE: return value < WSIM_TENSOR_MODES ? tensor_modes[value].name : NULL;
    case WSIM_TENSOR_LIST_DTYPE: return value < WSIM_TENSOR_TYPES ? tensor_types[value].name : NULL;
    case WSIM_TENSOR_LIST_INTERLEAVE:
        return value < WSIM_TENSOR_INTERLEAVES ? tensor_interleaves[value].name : NULL;
    case WSIM_TENSOR_LIST_SWIZZLE: return wsim_swizzle_name((enum wsim_swizzle)value);
    case WSIM_TENSOR_LIST_OOB: return value < WSIM_TENSOR_FILLS ? tensor_fills[value].name : NULL;
    case WSIM_TENSOR_LIST_FIELD:
        return value < WSIM_TENSOR_FIELDS ? isa_word_text(PLACE_FIELD, tensor_fields[value].word)
                                          : NULL;
    case WSIM_TENSOR_LISTS: break;
    }
    return NULL;
}

int wsim_tensor_find(enum wsim_tensor_list list, const char *name) {
    const char *there;
    for (unsigned i = 0; (there = wsim_tensor_name(list, i)) != NULL; i++)
        if (strcmp(there, name) == 0)
            return (int)i;
    return -1;
}
