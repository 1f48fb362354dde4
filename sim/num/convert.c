/* cvt: conversion between formats, rounded once, on bits. NaNs and the effect of .ftz follow
 * recordings of an H200. */
#include "real_bits.h"

static int is_f32(const struct wsim_format *format) {
    return format->bits == 32;
}

/* The payload of a NaN of `from`, its highest bits first, and its sign, in `to`. */
static uint64_t payload(const struct wsim_format *from, const struct wsim_format *to,
                        uint64_t bits) {
    uint64_t frac = bits & ((UINT64_C(1) << from->frac_bits) - 1);
    if (to->frac_bits >= from->frac_bits)
        frac <<= to->frac_bits - from->frac_bits;
    else
        frac >>= from->frac_bits - to->frac_bits;
    return frac | real_infinity(to) | (bits & real_sign(from) ? real_sign(to) : 0);
}

static uint64_t quiet(const struct wsim_format *format, uint64_t bits) {
    return bits | UINT64_C(1) << (format->frac_bits - 1);
}

/* The result for a NaN. Conversions from and to f64 keep the payload, made quiet, and bf16 to f32
 * is a shift. All others give the canonical NaN, or the largest number if the format has no NaN.
 * With ftz an f32 passes through an adder, which has only the canonical NaN. */
static uint64_t nan_of(const struct wsim_format *from, const struct wsim_format *to,
                       const struct real_mode *mode, uint64_t bits) {
    if (mode->ftz && is_f32(from))
        bits = from->nan;
    if (from->bits == 64 || to->bits == 64)
        return quiet(to, payload(from, to, bits));
    if (is_f32(to) && from->exp_bits == to->exp_bits && !mode->ftz)
        return payload(from, to, bits);
    return to->specials == WSIM_SPECIALS_NONE ? real_sign(to) - 1 : to->nan;
}

/* Replaces infinity by the largest finite number. */
static uint64_t satfinite(const struct wsim_format *to, uint64_t d) {
    return to->specials == WSIM_SPECIALS_IEEE && real_magnitude(to, d) == real_infinity(to) ? d - 1
                                                                                            : d;
}

/* ftz flushes an f32 operand, except in conversions to f16, whose range ends far above. */
static int flushes(const struct wsim_format *from, const struct wsim_format *to,
                   const struct real_mode *mode) {
    return mode->ftz && is_f32(from) && to->exp_bits >= from->exp_bits;
}

/* Conversion to tf32 with ties away is integer arithmetic from the assembler, without a case for
 * NaN. A finite number gains half of its last place, then 13 bits are truncated. With satfinite, a
 * result with the exponent of infinity then loses one last place. */
static uint64_t tf32_away(const struct real_mode *mode, uint64_t bits) {
    uint32_t x = (uint32_t)bits, top = 0x7F800000;
    x = ((x & top) == top ? x : x + 0x1000) >> 13;
    return mode->satfinite && (x << 13 & top) == top ? x - 1 : x;
}

uint64_t convert_real(const struct wsim_format *from, const struct wsim_format *to,
                      const struct real_mode *mode, uint64_t bits) {
    struct wsim_value value;
    struct real_mode how = *mode;
    struct num_exact exact;
    uint64_t d;
    if (from == to && !mode->ftz && !mode->sat && from->bits >= 32)
        return real_operand(from, 0, bits); /* a move */
    if (mode->rounding == WSIM_RNA && is_f32(from))
        return tf32_away(mode, bits);
    value = wsim_format_decode(from, real_operand(from, flushes(from, to, mode), bits));
    how.ftz = mode->ftz && is_f32(to);
    if (value.cls == WSIM_NAN) {
        d = nan_of(from, to, mode, bits);
    } else if (value.cls == WSIM_INF || !to->is_signed) {
        d = wsim_format_encode(to, value, (enum wsim_rounding)mode->rounding);
    } else {
        exact.negative = value.negative;
        exact.mag = value.sig;
        exact.exp = value.exp;
        d = real_round(to, &how, exact);
    }
    if (mode->satfinite)
        d = satfinite(to, d);
    return to->is_signed ? real_finish(to, &how, d) : d;
}

uint64_t convert_integral(const struct wsim_format *format, const struct real_mode *mode,
                          uint64_t bits) {
    static const struct wsim_format whole = {"", WSIM_INT, 64, 0, 1, 0, 0, 0, 0, 0};
    uint64_t x = real_operand(format, mode->ftz, bits);
    struct wsim_value value = wsim_format_decode(format, x);
    if (value.cls == WSIM_NAN)
        return real_finish(format, mode, real_quiet(format, x));
    if (value.cls == WSIM_FINITE && value.exp < 0) {
        uint64_t rounded = wsim_format_encode(&whole, value, (enum wsim_rounding)mode->rounding);
        value = wsim_format_decode(&whole, rounded);
        x = (x & real_sign(format)) | wsim_format_encode(format, value, WSIM_RZ);
    }
    return real_finish(format, mode, x);
}

/* A NaN becomes the least signed integer of the width if it comes from f64 or goes to 64 bits,
 * otherwise 0. */
uint64_t convert_to_integer(const struct wsim_format *from, const struct wsim_format *to,
                            const struct real_mode *mode, uint64_t bits) {
    struct wsim_value value =
        wsim_format_decode(from, real_operand(from, mode->ftz && is_f32(from), bits));
    if (value.cls == WSIM_NAN)
        return from->bits == 64 || to->bits == 64 ? real_sign(to) : 0;
    return wsim_format_encode(to, value, (enum wsim_rounding)mode->rounding);
}

uint64_t convert_from_integer(const struct wsim_format *from, const struct wsim_format *to,
                              const struct real_mode *mode, uint64_t bits) {
    uint64_t d =
        wsim_format_encode(to, wsim_format_decode(from, bits), (enum wsim_rounding)mode->rounding);
    return real_finish(to, mode, d);
}
