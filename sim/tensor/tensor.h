/* tensor.h - the rows of sim/isa/tensor.def as data, and the bytes of a map. */
#ifndef WSIM_TENSOR_TENSOR_H
#define WSIM_TENSOR_TENSOR_H

#include <wsim/tensor.h>

struct tensor_limit {
    uint64_t least, most;
};

enum tensor_limit_id {
#define LIMIT(id, least, most, source) TENSOR_LIMIT_##id,
#include "../isa/tensor.def"
    TENSOR_LIMITS
};

enum tensor_scalar {
#define SCALAR(id, value, source) TENSOR_##id = value,
#include "../isa/tensor.def"
    TENSOR_SCALARS_END
};

struct tensor_type {
    const char *name;
    uint8_t bits, memory_bits;
    uint8_t is_float, align, multiple, box;
    uint8_t interleaves, swizzles; /* bit per value of the driver                             */
    uint8_t needs, replace;
};

struct tensor_mode {
    const char *name;
    uint8_t needs, wide, pixels;
};

struct tensor_interleave {
    const char *name;
    uint8_t slice, align, rank;
};

struct tensor_swizzle {
    uint8_t needs, mode, atom;
};

struct tensor_fill {
    const char *name;
    uint8_t is_float, replace;
};

extern const struct tensor_limit tensor_limits[TENSOR_LIMITS];
extern const struct tensor_mode tensor_modes[WSIM_TENSOR_MODES];
extern const struct tensor_type tensor_types[WSIM_TENSOR_TYPES];
extern const struct tensor_interleave tensor_interleaves[WSIM_TENSOR_INTERLEAVES];
extern const struct tensor_swizzle tensor_swizzles[WSIM_SWIZZLES];
extern const struct tensor_fill tensor_fills[WSIM_TENSOR_FILLS];
extern const unsigned tensor_wide_swizzles;
extern const uint8_t tensor_corner_bits[WSIM_TENSOR_RANK + 1];

/* The number of spatial dimensions, which have corners. */
static inline unsigned tensor_corners(const struct wsim_tensor *t) {
    return t->mode == WSIM_TENSOR_TILED ? 0 : tensor_modes[t->mode].wide ? 1 : t->rank - 2;
}

/* Numbers of an element that a copy moves as one: those of a byte, or with padding behind them. */
static inline unsigned tensor_packed(const struct wsim_tensor *t) {
    const struct tensor_type *type = &tensor_types[t->dtype];
    return type->bits != type->memory_bits ? TENSOR_PADDED_NUMBERS
           : type->bits < 8                ? 8u / type->bits
                                           : 1;
}

/* Pixels of a copy without its halo. */
static inline uint32_t tensor_pixels(const struct wsim_tensor *t) {
    return tensor_modes[t->mode].pixels ? tensor_modes[t->mode].pixels : t->pixels;
}

/* The dimension of spatial index `i` of an im2col map. */
static inline unsigned tensor_spatial_dim(const struct wsim_tensor *t, unsigned i) {
    return i + (t->interleave == WSIM_TENSOR_INTERLEAVE_NONE); /* channels come before, if at all */
}

/* "box[1]", or "rank" if `name` is not a list (`index` < 0). */
#define TENSOR_PLACE 24
const char *tensor_place(char out[TENSOR_PLACE], const char *name, int index);

/* Checks the box of a tiled map, and the pixels of an im2col map (box.c). Each accepts the other
 * mode. */
enum wsim_status tensor_check_box(const struct wsim_tensor *t, struct wsim_diag *diag);
enum wsim_status tensor_check_pixels(const struct wsim_tensor *t, struct wsim_diag *diag);

/* Refuses a value outside a limit; `index` < 0: `name` is not a list. */
enum wsim_status tensor_check_limit(enum tensor_limit_id limit, const char *name, int index,
                                    uint64_t value, struct wsim_diag *diag);

#endif
