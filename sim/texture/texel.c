/* Texels: their channels as f32 or integers. */
#include "../isa/isa.h"
#include "../num/real.h"
#include "texture.h"

enum { F32_DIGITS = 23, F32_BIAS = 127, F32_ONE = 0x3F800000 };

int texture_is_float(const struct wsim_texture *texture) {
    return texture->array.kind == WSIM_CHANNEL_FLOAT || texture->reads_float;
}

uint32_t texture_fraction(unsigned bits, int is_signed, uint32_t raw) {
    const uint32_t most = (UINT32_C(1) << (bits - (is_signed != 0))) - 1;
    const uint32_t sign = UINT32_C(1) << (bits - 1);
    const int negative = is_signed && raw & sign;
    uint32_t size = negative ? 2 * sign - raw : raw, shift = F32_DIGITS;
    uint64_t digits;
    if (!size || size >= most)
        return (size ? F32_ONE : 0) | (uint32_t)negative << 31;
    while ((uint64_t)size << shift < (uint64_t)most << F32_DIGITS)
        shift++;
    digits = ((uint64_t)size << shift) / most; /* `most` is odd, so nothing is half way */
    digits += 2 * (((uint64_t)size << shift) - digits * most) > most;
    return (uint32_t)(digits + ((uint64_t)(F32_BIAS + F32_DIGITS - 1 - shift) << F32_DIGITS)) |
           (uint32_t)negative << 31;
}

uint32_t texture_raw(const struct wsim_array *array, const uint8_t *texel, unsigned channel) {
    const unsigned bytes = array->bits / 8;
    const uint8_t *at = texel + (size_t)channel * bytes;
    const uint32_t low = bytes == 1 ? at[0] : at[0] | (uint32_t)at[1] << 8;
    return bytes == 4 ? low | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24 : low;
}

uint32_t texture_value(const struct wsim_texture *texture, uint32_t raw) {
    const struct wsim_array *array = &texture->array;
    const uint32_t sign = UINT32_C(1) << (array->bits - 1);
    if (array->bits == 32)
        return raw;
    if (array->kind == WSIM_CHANNEL_FLOAT)
        return texture_widened(raw);
    if (texture->reads_float)
        return texture_fraction(array->bits, array->kind == WSIM_CHANNEL_SIGNED, raw);
    return array->kind == WSIM_CHANNEL_SIGNED ? (raw ^ sign) - sign : raw;
}

uint32_t texture_widened(uint32_t half) {
    const uint32_t sign = (half & 0x8000) << 16, digits = half & 0x3FF;
    if ((half & 0x7C00) == 0x7C00) /* a NaN keeps its digits */
        return sign | 0x7F800000u | digits << 13;
    return (uint32_t)num_convert(&isa_formats[FORMAT_F16], &isa_formats[FORMAT_F32], half);
}

/* A f32 of [0, 1] or [-1, 1] in parts of `most`, cut off. */
static uint32_t parts_of(uint32_t bits, uint32_t most, int is_signed) {
    const struct wsim_value x = wsim_format_decode(&isa_formats[FORMAT_F32], bits);
    uint32_t size = 0;
    if (x.cls == WSIM_INF || (x.cls == WSIM_FINITE && x.exp >= -23))
        size = most;
    else if (x.cls == WSIM_FINITE && x.exp > -63)
        size = (uint32_t)(x.sig * most >> -x.exp);
    if (x.negative)
        return is_signed ? 0 - size : 0;
    return size;
}

uint32_t texture_border(const struct wsim_texture *texture, unsigned channel) {
    const struct wsim_array *array = &texture->array;
    const struct num_result half = {&isa_formats[FORMAT_F16], 10, WSIM_RZ};
    const int is_signed = array->kind == WSIM_CHANNEL_SIGNED;
    const uint32_t bits = texture->border[channel];
    const uint32_t mask = 0xFFFFFFFFu >> (32 - array->bits);
    if (array->kind == WSIM_CHANNEL_FLOAT && array->bits == 16) {
        const struct wsim_value x = wsim_format_decode(&isa_formats[FORMAT_F32], bits);
        return x.cls == WSIM_NAN
                   ? 0x7FFF
                   : (uint32_t)num_round(&half, x.negative,
                                         x.cls == WSIM_INF ? UINT64_C(1) << 40 : x.sig, x.exp, 0);
    }
    return (texture->reads_float ? parts_of(bits, mask >> is_signed, is_signed) : bits) & mask;
}
