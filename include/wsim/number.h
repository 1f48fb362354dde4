/* number.h - float and double of C to bits of any format, and back.
 *
 * The library has no floating point; these few lines are for its callers. They move bits and let
 * format.h do the rest, so that no rounding mode and no compiler flag changes a bit. double and
 * float are IEEE 754's binary64 and binary32, as they are on all hosts of wsim.
 */
#ifndef WSIM_NUMBER_H
#define WSIM_NUMBER_H

#include "format.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bits of `number` in `format`, right-aligned and without `pad`, rounded once. A NaN gives
 * format->nan. A number that is too large gives the result of wsim_format_encode. */
static inline uint64_t wsim_from_double(const struct wsim_format *format, double number,
                                        enum wsim_rounding rounding) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return wsim_format_convert(wsim_format_find("f64"), bits, format, rounding);
}

/* The value of `bits`. It is exact for formats of up to 53 significant bits; 64-bit integers are
 * rounded to nearest even. */
static inline double wsim_to_double(const struct wsim_format *format, uint64_t bits) {
    double number;
    bits = wsim_format_convert(format, bits, wsim_format_find("f64"), WSIM_RN);
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline uint64_t wsim_from_float(const struct wsim_format *format, float number,
                                       enum wsim_rounding rounding) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return wsim_format_convert(wsim_format_find("f32"), bits, format, rounding);
}

/* Rounded to nearest even; all formats but f64 and integers of more than 24 bits are exact. */
static inline float wsim_to_float(const struct wsim_format *format, uint64_t bits) {
    float number;
    uint32_t low = (uint32_t)wsim_format_convert(format, bits, wsim_format_find("f32"), WSIM_RN);
    memcpy(&number, &low, sizeof number);
    return number;
}

#ifdef __cplusplus
}
#endif
#endif
