/* real.h - what a scalar instruction computes of floating-point bits, on one element of one lane.
 *
 * Formats are f16, bf16, f32 and f64 unless said otherwise; operands and results are right-aligned
 * bits, those above the format are ignored and come out 0. IEEE 754 rounded once, signed zeros
 * included. NaN: f16, bf16 and f32 results are the NaN of their format, whatever the operands'
 * were. f64 hands on the payload of an operand, made quiet: of b before those of c and a, but of a
 * before b in a quotient; where there is none it is the default NaN with the sign bit set. Held
 * against recordings of an H200.
 *
 * Order in which a mode applies: subnormal operands to zeros of their sign (ftz), the operation
 * rounded once, subnormal result to zero of its sign (ftz; subnormal is what is so after rounding
 * with exponents without end), then relu and sat.
 */
#ifndef WSIM_NUM_REAL_H
#define WSIM_NUM_REAL_H

#include "num.h"

/* The words of an instruction that say how. All zero: nearest even and nothing else. What an
 * operation does not have is not looked at. */
struct real_mode {
    uint8_t rounding;    /* enum wsim_rounding                                              */
    uint8_t ftz;         /* subnormal operands and results are zeros of their sign          */
    uint8_t sat;         /* result into [0, 1], NaN to +0                                   */
    uint8_t satfinite;   /* conversions: too large is the largest finite number             */
    uint8_t relu;        /* negative results are +0, NaN is canonical                       */
    uint16_t oob;        /* fma: a or b of this magnitude, out of bounds, make +0; 0: none    */
    uint8_t nan;         /* min, max: NaN if an operand is                                  */
    uint8_t xorsign_abs; /* min, max: of magnitudes; sign is the operands' exclusive or     */
};

uint64_t real_add(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b);
uint64_t real_sub(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b);
uint64_t real_mul(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b);
/* a * b + c, rounded once. Operands of narrower formats (fma.rn.f32.f16) are widened by the caller:
 * that is exact. */
uint64_t real_fma(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b, uint64_t c);

/* f32 and f64 only. rcp is 1 / a. */
uint64_t real_div(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b);
uint64_t real_rcp(const struct wsim_format *format, const struct real_mode *mode, uint64_t a);
uint64_t real_sqrt(const struct wsim_format *format, const struct real_mode *mode, uint64_t a);

/* -0 is less than +0; the number if one operand is NaN and mode->nan is not set. */
uint64_t real_min(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b);
uint64_t real_max(const struct wsim_format *format, const struct real_mode *mode, uint64_t a,
                  uint64_t b);

uint64_t real_neg(const struct wsim_format *format, const struct real_mode *mode, uint64_t a);
uint64_t real_abs(const struct wsim_format *format, const struct real_mode *mode, uint64_t a);
/* The magnitude of b under the sign of a, on bits. */
uint64_t real_copysign(const struct wsim_format *format, uint64_t a, uint64_t b);

/* How a stands to b: one bit, so that a comparison is a set of these. */
enum real_order { REAL_LESS = 1, REAL_EQUAL = 2, REAL_GREATER = 4, REAL_UNORDERED = 8 };
enum real_order real_compare(const struct wsim_format *format, int ftz, uint64_t a, uint64_t b);

/* testp: 1 where a is such a number. Zero is a normal one. */
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

/* From one binary format to another (f16 bf16 tf32 f32 f64 e5m2 e4m3 e3m2 e2m3 e2m1 ue8m0), rounded
 * once; narrow values are right-aligned (a register holds a tf32 13 bits higher). Without words
 * f32.f32 and f64.f64 are moves. ftz is of f32 operands and results. A NaN becomes that of `to`,
 * but f64 takes and gives payloads, and bf16 to f32 without ftz is a shift. WSIM_RNA is of tf32
 * alone. */
uint64_t convert_real(const struct wsim_format *from, const struct wsim_format *to,
                      const struct real_mode *mode, uint64_t bits);

/* To an integral value of the same format (cvt.rni.f32.f32). */
uint64_t convert_integral(const struct wsim_format *format, const struct real_mode *mode,
                          uint64_t bits);

/* To an integer of `to` (WSIM_INT of 8, 16, 32 or 64 bits), bits above its width are 0. Out of
 * range: the nearest end. NaN: the least signed number of that width where f64 or 64 bits are
 * involved, else 0. */
uint64_t convert_to_integer(const struct wsim_format *from, const struct wsim_format *to,
                            const struct real_mode *mode, uint64_t bits);

uint64_t convert_from_integer(const struct wsim_format *from, const struct wsim_format *to,
                              const struct real_mode *mode, uint64_t bits);

#endif
