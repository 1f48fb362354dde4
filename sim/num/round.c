/* Rounds exact values to bits: the only place that rounds. It depends on formats and rounding
 * modes, not on the origin of a value. */
#include "bits.h"
#include "num.h"

static int max_int(int x, int y) {
    return x > y ? x : y;
}

/* mag / 2^shift as an integer. Exact if shift <= 0; the caller ensures that it fits. */
static uint64_t round_off(uint64_t mag, int shift, int negative, enum wsim_rounding rounding) {
    uint64_t halves, kept, rest;
    if (shift <= 0)
        return mag << -shift;
    if (shift > 64) { /* below a half, so 1/4 rounds alike */
        mag = mag != 0;
        shift = 2;
    }
    halves = mag >> (shift - 1);
    rest = mag & ((UINT64_C(1) << (shift - 1)) - 1);
    kept = halves >> 1;
    switch (rounding) {
    case WSIM_RN: return kept + (halves & (rest != 0 || (kept & 1)));
    case WSIM_RM: return kept + (negative && (halves & 1 || rest));
    case WSIM_RP: return kept + (!negative && (halves & 1 || rest));
    case WSIM_RNA: return kept + (halves & 1);
    case WSIM_RZ: break;
    }
    return kept;
}

static uint64_t sign_bit(const struct wsim_format *format, int negative) {
    return format->is_signed && negative ? UINT64_C(1) << (format->bits - 1) : 0;
}

/* Exponent and fraction of infinity, with a fraction of `frac` bits. */
static uint64_t infinity(const struct wsim_format *format, unsigned frac) {
    return ((UINT64_C(1) << format->exp_bits) - 1) << frac;
}

/* Exponent and fraction of the largest finite number, likewise. */
static uint64_t largest(const struct wsim_format *format, unsigned frac) {
    uint64_t ones = infinity(format, frac) | ((UINT64_C(1) << frac) - 1);
    switch (format->specials) {
    case WSIM_SPECIALS_IEEE: return infinity(format, frac) - 1;
    case WSIM_SPECIALS_NAN: return ones - 1;
    default: return ones;
    }
}

static uint64_t overflow(const struct num_result *result, int negative, int rz_overflows) {
    const struct wsim_format *format = result->format;
    int away = result->rounding == WSIM_RN || result->rounding == WSIM_RNA ||
               (result->rounding == WSIM_RZ && rz_overflows) ||
               result->rounding == (negative ? WSIM_RM : WSIM_RP);
    return format->specials == WSIM_SPECIALS_IEEE && away ? infinity(format, result->frac)
                                                          : largest(format, result->frac);
}

/* Exponent and fraction of a nonzero value, with a fraction of result->frac bits. */
static uint64_t pack(const struct num_result *result, int negative, uint64_t mag, int exp,
                     int rz_overflows) {
    const struct wsim_format *format = result->format;
    int least = format->frac_bits != 0; /* the field of the least exponent, as in decode.c */
    int field = max_int(exp + bits_top(mag) + format->bias, least);
    int lowest = field - format->bias - result->frac; /* exponent of the last bit kept */
    uint64_t kept, packed;
    if (field >> format->exp_bits)
        return overflow(result, negative, rz_overflows);
    kept = round_off(mag, lowest - exp, negative, (enum wsim_rounding)result->rounding);
    if (format->frac_bits == 0 && kept == 0)
        kept = 1; /* ue8m0 has no zero */
    /* The leading one of kept adds 1 to the field, and a carry out of the fraction 1 more. A
     * subnormal has no leading one, so its field becomes 0. */
    packed = ((uint64_t)field << result->frac) + kept - (UINT64_C(1) << result->frac);
    return packed > largest(format, result->frac) ? overflow(result, negative, rz_overflows)
                                                  : packed;
}

uint64_t num_round(const struct num_result *result, int negative, uint64_t mag, int exp,
                   int rz_overflows) {
    const struct wsim_format *format = result->format;
    uint64_t sign = sign_bit(format, negative);
    if (mag == 0)
        return sign;
    return sign | pack(result, negative, mag, exp, rz_overflows)
                      << (format->frac_bits - result->frac);
}

static uint64_t encode_integer(const struct wsim_format *format, struct wsim_value value,
                               enum wsim_rounding rounding) {
    unsigned unused = format->bits < 64 ? 64 - format->bits : 0;
    uint64_t max = ~UINT64_C(0) >> (unused + format->is_signed);
    uint64_t limit = !value.negative ? max : format->is_signed ? max + 1 : 0;
    uint64_t mag = value.sig;
    if (value.cls == WSIM_INF || (mag && value.exp + bits_top(mag) > 63))
        mag = limit;
    else if (mag)
        mag = round_off(mag, -value.exp, value.negative, rounding);
    if (mag > limit)
        mag = limit;
    return (value.negative ? ~mag + 1 : mag) & ~UINT64_C(0) >> unused;
}

uint64_t wsim_format_encode(const struct wsim_format *format, struct wsim_value value,
                            enum wsim_rounding rounding) {
    struct num_result result = {format, format->frac_bits, (uint8_t)rounding};
    if (value.cls == WSIM_NAN)
        return format->nan;
    if (format->kind != WSIM_BINARY)
        return encode_integer(format, value, rounding);
    if (value.negative && !format->is_signed)
        return 0; /* the nearest limit of the range */
    if (value.cls == WSIM_INF) {
        result.rounding = WSIM_RN;
        return sign_bit(format, value.negative) | overflow(&result, value.negative, 0);
    }
    return num_round(&result, value.negative, value.sig, value.exp, 0);
}

uint64_t num_convert(const struct wsim_format *from, const struct wsim_format *to, uint64_t bits) {
    return wsim_format_encode(to, wsim_format_decode(from, bits), WSIM_RN);
}
