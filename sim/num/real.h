/* real.h - floating-point arithmetic of scalar instructions, on one element of one lane.
 *
 * Formats are f16, bf16, f32 and f64 unless stated otherwise. Operands and results are
 * right-aligned bits: bits above the format are ignored in operands and 0 in results. Results
 * follow IEEE 754, rounded once, signed zeros included.
 *
 * NaN: f16, bf16 and f32 results are the NaN of their format, for any NaN operand. f64 keeps the
 * payload of an operand, made quiet: b has priority, then c, then a; in a quotient a precedes b.
 * Without a NaN operand it is the default NaN with the sign bit set. Recordings of an H200 confirm
 * all this.
 *
 * A mode applies in this order. ftz turns subnormal operands into zeros with their sign. The
 * operation rounds once. ftz turns a subnormal result into zero with its sign; the test for
 * subnormal follows rounding with an unbounded exponent. relu and sat come last.
 */
#ifndef WSIM_NUM_REAL_H
#define WSIM_NUM_REAL_H

#include "num.h"

/* The modifiers of an instruction. All zero: round to nearest even. An operation ignores modifiers
 * that it does not have. */
struct real_mode {
    uint8_t rounding;    /* enum wsim_rounding                                              */
    uint8_t ftz;         /* subnormal operands and results are zeros of their sign          */
    uint8_t sat;         /* result into [0, 1], NaN to +0                                   */
    uint8_t satfinite;   /* conversions: overflow gives the largest finite number           */
    uint8_t relu;        /* negative results are +0, NaN is canonical                       */
    uint16_t oob;        /* fma: an a or b of this magnitude is out of bounds, gives +0; 0: none */
    uint8_t nan;         /* min, max: NaN if an operand is NaN                              */
    uint8_t xorsign_abs; /* min, max: of magnitudes; the sign is the xor of the operands'   */
};

uint64_t real_add(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b);
uint64_t real_sub(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b);
uint64_t real_mul(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b);
/* a * b * 2^scale, rounded once. */
uint64_t real_scaled_mul(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                         uint64_t b, int scale);
/* a * b + c, rounded once. The caller widens operands of narrower formats (fma.rn.f32.f16), which
 * is exact. */
uint64_t real_fma(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b, uint64_t c);

/* f32 and f64 only. rcp is 1 / a. */
uint64_t real_div(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b);
uint64_t real_rcp(const struct wsim_format *format, const struct real_mode *mode, uint64_t a);
uint64_t real_sqrt(const struct wsim_format *format, const struct real_mode *mode, uint64_t a);

/* -0 is less than +0. If one operand is NaN and mode->nan is not set, the result is the number. */
uint64_t real_min(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b);
uint64_t real_max(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b);

uint64_t real_neg(const struct wsim_format *format, const struct real_mode *mode, uint64_t a);
uint64_t real_abs(const struct wsim_format *format, const struct real_mode *mode, uint64_t a);
/* The magnitude of b with the sign of a, on bits. */
uint64_t real_copysign(const struct wsim_format *format, uint64_t a, uint64_t b);

/* The order of a and b, one bit each, so that a comparison is a set of bits. */
enum real_order { REAL_LESS = 1, REAL_EQUAL = 2, REAL_GREATER = 4, REAL_UNORDERED = 8 };
enum real_order real_compare(const struct wsim_format *format, int ftz, uint64_t a, uint64_t b);

/* testp: 1 if a is a number of this kind. Zero counts as normal. */
enum real_kind {
    REAL_FINITE,
    REAL_INFINITE,
    REAL_NUMBER,
    REAL_NOTANUMBER,
    REAL_NORMAL,
    REAL_SUBNORMAL
};
int real_test(const struct wsim_format *format, enum real_kind kind, uint64_t a);

/* --- convert.c: cvt --- */

/* Converts a binary format to another, rounded once: f16 bf16 tf32 f32 f64 e5m2 e4m3 e3m2 e2m3 e2m1
 * ue8m0. Narrow values are right-aligned (a register holds a tf32 13 bits higher). Without
 * modifiers f32.f32 and f64.f64 are moves. ftz applies to f32 operands and results. A NaN becomes
 * the NaN of `to`, except that f64 preserves payloads, and bf16 to f32 without ftz is a shift.
 * WSIM_RNA is for tf32 only. */
uint64_t convert_real(const struct wsim_format *from, const struct wsim_format *to,
                      const struct real_mode *mode, uint64_t bits);

/* Rounds to an integral value in the same format (cvt.rni.f32.f32). */
uint64_t convert_integral(const struct wsim_format *format, const struct real_mode *mode,
                          uint64_t bits);

/* Converts to an integer of `to` (WSIM_INT of 8, 16, 32 or 64 bits); bits above its width are 0.
 * Out of range gives the nearest limit. NaN gives the least signed number of that width if `from`
 * is f64 or `to` has 64 bits, otherwise 0. */
uint64_t convert_to_integer(const struct wsim_format *from, const struct wsim_format *to,
                            const struct real_mode *mode, uint64_t bits);

uint64_t convert_from_integer(const struct wsim_format *from, const struct wsim_format *to,
                              const struct real_mode *mode, uint64_t bits);

#endif
