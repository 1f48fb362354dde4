/* Texels: their channels as f32 or integers. */
#include "../isa/isa.h"
#include "../num/real.h"
#include "texture.h"

enum { ALPHA = 3, F32_DIGITS = 23, F32_BIAS = 127, F32_ONE = 0x3F800000 };

/* Bytes of sRGB as f16: what an H100 makes of each. */
static const uint16_t srgb[256] = {
    0x0000, 0x0D00, 0x1100, 0x1380, 0x1500, 0x1640, 0x1780, 0x1860, 0x1900, 0x19A0, 0x1A40, 0x1AE0,
    0x1B80, 0x1C20, 0x1C80, 0x1CE0, 0x1D50, 0x1DC0, 0x1E30, 0x1EB0, 0x1F30, 0x1FB0, 0x2018, 0x2060,
    0x20B0, 0x20F8, 0x2148, 0x21A0, 0x21F0, 0x2248, 0x22A8, 0x2300, 0x2360, 0x23D0, 0x2418, 0x2450,
    0x2488, 0x24C0, 0x24F8, 0x2530, 0x2570, 0x25B0, 0x25F0, 0x2630, 0x2670, 0x26B8, 0x2700, 0x2748,
    0x2790, 0x27E0, 0x2818, 0x2840, 0x2868, 0x2890, 0x28B8, 0x28E0, 0x2910, 0x2940, 0x2968, 0x2998,
    0x29C8, 0x29F8, 0x2A28, 0x2A60, 0x2A90, 0x2AC0, 0x2B00, 0x2B30, 0x2B60, 0x2BA0, 0x2BD0, 0x2C08,
    0x2C28, 0x2C40, 0x2C60, 0x2C80, 0x2CA0, 0x2CC0, 0x2CE0, 0x2D00, 0x2D20, 0x2D48, 0x2D68, 0x2D88,
    0x2DB0, 0x2DD0, 0x2DF8, 0x2E18, 0x2E40, 0x2E68, 0x2E88, 0x2EB0, 0x2ED8, 0x2F00, 0x2F28, 0x2F50,
    0x2F80, 0x2FA0, 0x2FD0, 0x3000, 0x3010, 0x3028, 0x3040, 0x3058, 0x3070, 0x3088, 0x30A0, 0x30B8,
    0x30D0, 0x30E8, 0x3100, 0x3118, 0x3130, 0x3148, 0x3160, 0x3180, 0x3198, 0x31B0, 0x31D0, 0x31E8,
    0x3200, 0x3220, 0x3238, 0x3258, 0x3270, 0x3290, 0x32B0, 0x32C8, 0x32E8, 0x3308, 0x3328, 0x3340,
    0x3360, 0x3380, 0x33A0, 0x33C0, 0x33E0, 0x3400, 0x3410, 0x3420, 0x3430, 0x3440, 0x3450, 0x3468,
    0x3478, 0x3488, 0x3498, 0x34A8, 0x34C0, 0x34D0, 0x34E0, 0x34F0, 0x3508, 0x3518, 0x3528, 0x3540,
    0x3550, 0x3568, 0x3578, 0x3590, 0x35A0, 0x35B0, 0x35C8, 0x35E0, 0x35F0, 0x3608, 0x3618, 0x3630,
    0x3640, 0x3658, 0x3670, 0x3688, 0x3698, 0x36B0, 0x36C8, 0x36D8, 0x36F0, 0x3708, 0x3720, 0x3738,
    0x3750, 0x3768, 0x3780, 0x3790, 0x37B0, 0x37C0, 0x37E0, 0x37F0, 0x3808, 0x3810, 0x3820, 0x3828,
    0x3838, 0x3848, 0x3850, 0x3860, 0x3868, 0x3878, 0x3888, 0x3890, 0x38A0, 0x38B0, 0x38B8, 0x38C8,
    0x38D8, 0x38E0, 0x38F0, 0x3900, 0x3908, 0x3918, 0x3928, 0x3938, 0x3948, 0x3950, 0x3960, 0x3970,
    0x3980, 0x3990, 0x3998, 0x39A8, 0x39B8, 0x39C8, 0x39D8, 0x39E8, 0x39F8, 0x3A08, 0x3A18, 0x3A28,
    0x3A38, 0x3A48, 0x3A58, 0x3A68, 0x3A78, 0x3A88, 0x3A98, 0x3AA8, 0x3AB8, 0x3AC8, 0x3AD8, 0x3AE8,
    0x3AF8, 0x3B08, 0x3B18, 0x3B28, 0x3B40, 0x3B50, 0x3B60, 0x3B70, 0x3B80, 0x3B90, 0x3BA0, 0x3BB0,
    0x3BD0, 0x3BE0, 0x3BF0, 0x3C00,
};

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

uint32_t texture_value(const struct wsim_texture *texture, uint32_t raw, unsigned channel) {
    const struct wsim_array *array = &texture->array;
    const uint32_t sign = UINT32_C(1) << (array->bits - 1);
    if (texture->srgb && channel != ALPHA)
        return texture_widened(srgb[raw & 0xFF]);
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
