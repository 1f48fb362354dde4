/* format.h - number formats as rows: what the bits of an element mean.
 *
 * A format is plain constant data. Values go in and out as integers (sign, significand, power of
 * two), never as host floating point, so no compiler flag can change a bit.
 * Source: PTX ISA 9.0, "Fundamental Types" and "Alternate Floating-Point Data Formats"; OCP
 * Microscaling Formats 1.0 for e3m2 e2m3 e2m1 ue8m0.
 */
#ifndef WSIM_FORMAT_H
#define WSIM_FORMAT_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum wsim_format_kind {
    WSIM_BITS,  /* no number: b16, b8x16 ...                    */
    WSIM_INT,   /* two's complement or unsigned                 */
    WSIM_BINARY /* sign, biased exponent, fraction              */
};

enum wsim_specials {
    WSIM_SPECIALS_IEEE, /* top exponent: infinity and NaN                              */
    WSIM_SPECIALS_NAN,  /* only the all-ones pattern is NaN, no infinity (e4m3, ue4m3, ue8m0) */
    WSIM_SPECIALS_NONE  /* every pattern is a finite number (e3m2, e2m3, e2m1)         */
};

struct wsim_format {
    const char *name;
    uint8_t kind;      /* enum wsim_format_kind                                            */
    uint8_t bits;      /* width of the value                                               */
    uint8_t pad;       /* zero bits below the value in a container wider than `bits`:
                          13 for tf32 in 32 bits, 2 for e2m1 in 8 bits                     */
    uint8_t is_signed; /* has a sign bit (WSIM_INT: two's complement)                      */
    uint8_t exp_bits;
    uint8_t frac_bits;
    uint8_t specials; /* enum wsim_specials                                               */
    int16_t bias;
    uint64_t nan; /* the NaN that arithmetic produces                                 */
};

enum wsim_class { WSIM_ZERO, WSIM_FINITE, WSIM_INF, WSIM_NAN };

/* A decoded value: (-1)^negative * sig * 2^exp, not normalised (a subnormal keeps the format's
 * least exponent). For WSIM_INT exp is 0. sig is 0 unless class is WSIM_FINITE. */
struct wsim_value {
    uint8_t cls; /* enum wsim_class */
    uint8_t negative;
    int16_t exp;
    uint64_t sig;
};

/* To nearest even, toward zero, down, up; to nearest, halves away from zero. */
enum wsim_rounding { WSIM_RN, WSIM_RZ, WSIM_RM, WSIM_RP, WSIM_RNA };

/* The format called `name` ("f16", "e4m3", ...; PTX spelling without the dot), or NULL. */
WSIM_API const struct wsim_format *wsim_format_find(const char *name);

/* The value of `bits` (right-aligned, without `pad`). The call ignores bits above the format's
 * width. WSIM_BITS formats decode as unsigned integers. */
WSIM_API struct wsim_value wsim_format_decode(const struct wsim_format *format, uint64_t bits);

/* The bits of `value` rounded once to `format`. Too large: infinity, the largest finite number
 * (format without infinity, or a rounding away from it), or for WSIM_INT the nearest end of the
 * range. NaN gives format->nan. A nonzero value that rounds to zero keeps its sign. */
WSIM_API uint64_t wsim_format_encode(const struct wsim_format *format, struct wsim_value value,
                                     enum wsim_rounding rounding);

/* The value of `bits` in `from`, rounded once to bits of `to`; as wsim_format_encode otherwise. */
WSIM_API uint64_t wsim_format_convert(const struct wsim_format *from, uint64_t bits,
                                      const struct wsim_format *to, enum wsim_rounding rounding);

/* Reads a number into the bits of `format`, right-aligned and without `pad`. A number is decimal,
 * with or without sign, point and exponent ("-1.5", "6e-8"), or "inf", "-inf", "nan". "0x"
 * introduces the bits themselves. No text may precede or follow the number. *exact is 1 if the
 * format has the number exactly, else the call rounds it and sets *exact to 0. With `exact` NULL,
 * the call refuses an inexact number. double and float are in number.h. Errors, in the order
 * checked. WSIM_SYNTAX: no number. WSIM_OPERAND: more bits than the format has; an infinity or NaN
 * that it lacks; an inexact number with `exact` NULL. The diag of an inexact number has the range
 * or both neighbours. *bits is untouched then. */
WSIM_API enum wsim_status wsim_format_read(const struct wsim_format *format, const char *text,
                                           enum wsim_rounding rounding, int *exact, uint64_t *bits,
                                           struct wsim_diag *diag);

/* Writes the value of `bits`: "-1.5", "6e-08", "inf", "nan". The text has the fewest digits that
 * wsim_format_read turns back into the same bits, except for those of a NaN. */
#define WSIM_NUMBER_TEXT 32
WSIM_API void wsim_format_write(const struct wsim_format *format, uint64_t bits,
                                char out[WSIM_NUMBER_TEXT]);

#ifdef __cplusplus
}
#endif
#endif
