/* Decodes bits: a format row splits them into sign, exponent and significand. No arithmetic and no
 * normalisation: a subnormal keeps the least exponent of its format. */
#include "num.h"

static uint64_t low_bits(uint64_t bits, unsigned n) {
    return n < 64 ? bits & ((UINT64_C(1) << n) - 1) : bits;
}

static int is_negative(const struct wsim_format *format, uint64_t bits) {
    return format->is_signed && bits >> (format->bits - 1) & 1;
}

static struct wsim_value decode_integer(const struct wsim_format *format, uint64_t bits) {
    struct wsim_value value = {WSIM_FINITE, 0, 0, 0};
    value.sig = low_bits(bits, format->bits);
    value.negative = (uint8_t)is_negative(format, bits);
    if (value.negative)
        value.sig = low_bits(~value.sig + 1, format->bits);
    return value;
}

/* `magnitude` is exponent and fraction without the sign; `infinity` has all exponent bits. */
static enum wsim_class class_of(const struct wsim_format *format, uint64_t magnitude,
                                uint64_t infinity, uint64_t one) {
    if (format->specials == WSIM_SPECIALS_IEEE)
        return magnitude == infinity ? WSIM_INF : WSIM_NAN;
    if (format->specials == WSIM_SPECIALS_NAN && magnitude == (infinity | (one - 1)))
        return WSIM_NAN;
    return WSIM_FINITE;
}

static struct wsim_value decode_binary(const struct wsim_format *format, uint64_t bits) {
    uint64_t one = UINT64_C(1) << format->frac_bits;
    uint64_t infinity = ((UINT64_C(1) << format->exp_bits) - 1) << format->frac_bits;
    uint64_t magnitude = bits & (infinity | (one - 1));
    int field = (int)(magnitude >> format->frac_bits);
    /* Field 0 is subnormal if there is a fraction; ue8m0 has neither a fraction nor a zero. */
    int least = format->frac_bits != 0;
    struct wsim_value value = {WSIM_FINITE, 0, 0, 0};
    value.negative = (uint8_t)is_negative(format, bits);
    value.exp = (int16_t)((field > least ? field : least) - format->bias - format->frac_bits);
    value.sig = (magnitude & (one - 1)) | (field >= least ? one : 0);
    if (magnitude >= infinity)
        value.cls = (uint8_t)class_of(format, magnitude, infinity, one);
    if (value.cls != WSIM_FINITE)
        value.sig = 0;
    return value;
}

struct wsim_value wsim_format_decode(const struct wsim_format *format, uint64_t bits) {
    struct wsim_value value =
        format->kind == WSIM_BINARY ? decode_binary(format, bits) : decode_integer(format, bits);
    if (value.cls == WSIM_FINITE && value.sig == 0)
        value.cls = WSIM_ZERO;
    return value;
}

struct num_elem num_decode(const struct wsim_format *format, unsigned container_bits,
                           uint64_t bits) {
    unsigned pad = container_bits > format->bits ? format->pad : 0;
    struct wsim_value value = wsim_format_decode(format, bits >> pad);
    int32_t mag = value.cls == WSIM_INF ? 1 : (int32_t)value.sig;
    struct num_elem elem;
    elem.sig = value.negative ? -mag : mag;
    elem.exp = (int16_t)(value.exp + format->frac_bits);
    elem.cls = value.cls;
    return elem;
}
