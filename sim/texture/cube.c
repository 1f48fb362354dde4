/* Cubes: from a direction to a face and a place on it. The machine code divides by the largest
 * coordinate, with its approximate reciprocal. */
#include "../isa/isa.h"
#include "../num/mufu.h"
#include "../num/real.h"
#include "texture.h"

enum { SIGN_SHIFT = 31 };
#define SIGN (UINT32_C(1) << SIGN_SHIFT)

/* Orders sizes; a NaN is below all. */
static uint32_t size_of(uint32_t bits) {
    bits &= ~SIGN;
    return bits > 0x7F800000 ? 0 : bits + 1;
}

/* The axis of the largest coordinate; of equal ones z, then y. */
static unsigned longest(const uint32_t at[3]) {
    unsigned axis = 2;
    for (unsigned k = 2; k-- > 0;)
        if (size_of(at[k]) > size_of(at[axis]))
            axis = k;
    return axis;
}

void texture_turn(const struct wsim_texture *texture, const struct texture_point *point,
                  struct texture_point *turned) {
    const struct wsim_format *f32 = &isa_formats[FORMAT_F32];
    const struct real_mode nearest = {.rounding = WSIM_RN};
    const uint32_t inverse = mufu_f32(MUFU_RCP, 1, point->at[longest(point->at)] & ~SIGN);
    const uint32_t cubes = texture->array.depth / 6;
    uint32_t at[3], sign;
    unsigned axis;
    for (unsigned k = 0; k < 3; k++)
        at[k] = (uint32_t)real_mul(f32, &nearest, point->at[k], inverse);
    axis = longest(at);
    sign = at[axis] & ~SIGN ? at[axis] & SIGN : 0;
    *turned = *point;
    turned->turned = 1;
    turned->at[0] = axis == 0 ? at[2] ^ SIGN ^ sign : axis == 1 ? at[0] : at[0] ^ sign;
    turned->at[1] = axis == 1 ? at[2] ^ sign : at[1] ^ SIGN;
    turned->layer = texture_shapes[texture->array.shape].layered
                        ? 6 * (point->layer < cubes ? point->layer : cubes - 1)
                        : 0;
    turned->layer += 2 * axis + (sign >> SIGN_SHIFT);
}
