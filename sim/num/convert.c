/* cvt: from one format to another, rounded once, on bits. */
#include "real_bits.h"

static uint64_t low_bits(uint64_t x, unsigned n) {
    return n < 64 ? x & ((UINT64_C(1) << n) - 1) : x;
}

static int is_f32(const struct wsim_format *format) {
    return format->bits == 32;
}

/* ftz is of f32 alone: what other formats have below their normal numbers stays. */
static uint64_t flushed(const struct wsim_format *format, const struct real_mode *mode,
                        uint64_t bits) {
    return mode->ftz && is_f32(format) ? real_operand(format, 1, bits) : bits;
}

/* The largest finite number of the sign of `value`. */
static uint64_t largest(const struct wsim_format *format, int negative) {
    struct wsim_value value = {WSIM_INF, 0, 0, 0};
    value.negative = (uint8_t)negative;
    value.cls = WSIM_FINITE;
    value.sig = 1;
    value.exp = INT16_MAX;
    return wsim_format_encode(format, value, WSIM_RZ);
}

uint64_t convert_real(const struct wsim_format *from, const struct wsim_format *to,
                      const struct real_mode *mode, uint64_t bits) {
    struct wsim_value value = wsim_format_decode(from, flushed(from, mode, bits));
    struct real_mode after = *mode;
    uint64_t d;
    if (value.cls == WSIM_NAN && to->bits == 64) {
        unsigned up = to->frac_bits - from->frac_bits;
        d = low_bits(bits, from->frac_bits) << up | real_infinity(to);
        d = real_quiet(to, value.negative ? d | real_sign(to) : d);
    } else {
        d = wsim_format_encode(to, value, (enum wsim_rounding)mode->rounding);
        if (mode->satfinite && to->specials == WSIM_SPECIALS_IEEE &&
            real_magnitude(to, d) == real_infinity(to))
            d = largest(to, value.negative);
    }
    after.ftz = mode->ftz && is_f32(to);
    return to->is_signed ? real_finish(to, &after, d) : d;
}

uint64_t convert_integral(const struct wsim_format *format, const struct real_mode *mode,
                          uint64_t bits) {
    uint64_t x = real_operand(format, mode->ftz, bits);
    struct wsim_value value = wsim_format_decode(format, x);
    if (value.cls == WSIM_NAN)
        return real_finish(format, mode, real_quiet(format, x));
    if (value.cls == WSIM_FINITE && value.exp < 0) {
        static const struct wsim_format whole = {"", WSIM_INT, 64, 0, 0, 0, 0, 0, 0, 0};
        uint64_t sign = x & real_sign(format);
        /* The magnitude is rounded as an integer: down is up of a negative number's. */
        uint8_t rounding = mode->rounding;
        if (value.negative && rounding == WSIM_RM)
            rounding = WSIM_RP;
        else if (value.negative && rounding == WSIM_RP)
            rounding = WSIM_RM;
        value.negative = 0;
        value.sig = wsim_format_encode(&whole, value, (enum wsim_rounding)rounding);
        value.exp = 0;
        value.cls = value.sig ? WSIM_FINITE : WSIM_ZERO;
        x = sign | wsim_format_encode(format, value, WSIM_RZ);
    }
    return real_finish(format, mode, x);
}

uint64_t convert_to_integer(const struct wsim_format *from, const struct wsim_format *to,
                            const struct real_mode *mode, uint64_t bits) {
    struct wsim_value value = wsim_format_decode(from, flushed(from, mode, bits));
    if (value.cls == WSIM_NAN)
        return to->bits == 64 ? UINT64_C(1) << 63 : 0;
    return wsim_format_encode(to, value, (enum wsim_rounding)mode->rounding);
}

uint64_t convert_from_integer(const struct wsim_format *from, const struct wsim_format *to,
                              const struct real_mode *mode, uint64_t bits) {
    struct wsim_value value = wsim_format_decode(from, bits);
    return real_finish(to, mode, wsim_format_encode(to, value, (enum wsim_rounding)mode->rounding));
}
