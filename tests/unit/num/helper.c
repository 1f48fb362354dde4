#include "helper.h"

/* BINARY: name, bits, pad, sign, exponent bits, fraction bits, specials, bias, NaN */
#define BINARY(bits, pad, sign, exp, frac, specials, bias, nan)                                    \
    { "", WSIM_BINARY, bits, pad, sign, exp, frac, WSIM_SPECIALS_##specials, bias, nan }
#define WHOLE(kind, bits, sign)                                                                    \
    { "", kind, bits, 0, sign, 0, 0, WSIM_SPECIALS_NONE, 0, 0 }

const struct wsim_format F16 = BINARY(16, 0, 1, 5, 10, IEEE, 15, 0x7FFF);
const struct wsim_format BF16 = BINARY(16, 0, 1, 8, 7, IEEE, 127, 0x7FFF);
const struct wsim_format TF32 = BINARY(19, 13, 1, 8, 10, IEEE, 127, 0x3FFFF);
const struct wsim_format F32 = BINARY(32, 0, 1, 8, 23, IEEE, 127, 0x7FFFFFFF);
const struct wsim_format F64 = BINARY(64, 0, 1, 11, 52, IEEE, 1023, 0x7FF8000000000000);
const struct wsim_format E5M2 = BINARY(8, 0, 1, 5, 2, IEEE, 15, 0x7F);
const struct wsim_format E4M3 = BINARY(8, 0, 1, 4, 3, NAN, 7, 0x7F);
const struct wsim_format E3M2 = BINARY(6, 0, 1, 3, 2, NONE, 3, 0);
const struct wsim_format E2M3 = BINARY(6, 0, 1, 2, 3, NONE, 1, 0);
const struct wsim_format E2M1 = BINARY(4, 2, 1, 2, 1, NONE, 1, 0);
const struct wsim_format UE8M0 = BINARY(8, 0, 0, 8, 0, NAN, 127, 0xFF);
const struct wsim_format UE4M3 = BINARY(7, 0, 0, 4, 3, NAN, 7, 0x7F);
const struct wsim_format S4 = WHOLE(WSIM_INT, 4, 1);
const struct wsim_format U8 = WHOLE(WSIM_INT, 8, 0);
const struct wsim_format S32 = WHOLE(WSIM_INT, 32, 1);
const struct wsim_format U32 = WHOLE(WSIM_INT, 32, 0);
const struct wsim_format S64 = WHOLE(WSIM_INT, 64, 1);
const struct wsim_format B64 = WHOLE(WSIM_BITS, 64, 0);

const struct wsim_format *const small_formats[] = {&F16,  &BF16, &TF32,  &E5M2,  &E4M3, &E3M2,
                                                   &E2M3, &E2M1, &UE8M0, &UE4M3, &S4,   &U8};
const unsigned n_small_formats = COUNT(small_formats);

void elems(const struct wsim_format *format, unsigned container_bits, unsigned n,
           const uint32_t *bits, struct num_elem *out) {
    unsigned k;
    for (k = 0; k < n; k++)
        out[k] = num_decode(format, container_bits, bits[k]);
}

struct num_fused fused_f32(unsigned frac, unsigned keep, int floor, unsigned width,
                           unsigned result_frac) {
    struct num_fused fused = {.result = {&F32, 0, WSIM_RZ}};
    fused.frac = (uint8_t)frac;
    fused.keep = (uint8_t)keep;
    fused.floor = (int16_t)floor;
    fused.width = (uint8_t)width;
    fused.result.frac = (uint8_t)result_frac;
    return fused;
}

struct num_fused fused_f16(unsigned frac, unsigned keep, int floor, unsigned width) {
    struct num_fused fused = fused_f32(frac, keep, floor, width, 10);
    fused.result.format = &F16;
    fused.result.rounding = WSIM_RN;
    return fused;
}

uint64_t chain(const struct num_fused *fused, const struct wsim_format *format,
               unsigned container_bits, unsigned n, const uint32_t *a, const uint32_t *b,
               uint64_t acc) {
    struct num_elem x[MAX_ELEMS], y[MAX_ELEMS];
    elems(format, container_bits, n, a, x);
    elems(format, container_bits, n, b, y);
    return num_fused_chain(fused, n, x, y, 0, acc);
}

/* splitmix64, public domain */
uint64_t random_bits(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}
