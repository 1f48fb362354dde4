/* mufu.h - the approximate functions of PTX, bit for bit like an H200.
 *
 * One unit computes them: a table of quadratic polynomials, an exact integer sum, a truncation
 * (mufu.def). The assembler adds steps for operands and results that the unit does not support.
 * Measured for sm_90; inferred for other targets.
 */
#ifndef WSIM_NUM_MUFU_H
#define WSIM_NUM_MUFU_H

#include "num.h"

enum mufu_function {
    MUFU_EX2,
    MUFU_LG2,
    MUFU_RCP,
    MUFU_RSQRT,
    MUFU_SQRT,
    MUFU_SIN,
    MUFU_COS,
    MUFU_TANH
};

/* NAME.approx.f32, or NAME.approx.ftz.f32 with `ftz` (ignored for tanh, which has one form). */
uint32_t mufu_f32(enum mufu_function function, int ftz, uint32_t x);

/* The value of NAME.approx.f32 where x is a number of the text: the assembler computes it and
 * rounds to nearest (lab/contract/numbers.py). 0: it leaves the instruction, or the value is zero,
 * infinite or no number, which the unit gives too. tanh is never computed. */
uint32_t mufu_folded(enum mufu_function function, int ftz, uint32_t x);

/* ex2 and tanh of f16 and bf16. */
uint32_t mufu_f16(enum mufu_function function, const struct wsim_format *format, uint32_t x);

/* rcp.approx.ftz.f64, rsqrt.approx.ftz.f64, rsqrt.approx.f64. */
uint64_t mufu_f64(enum mufu_function function, int ftz, uint64_t x);

/* div.approx.f32 and div.full.f32, with or without .ftz. */
uint32_t mufu_div_approx(int ftz, uint32_t a, uint32_t b);
uint32_t mufu_div_full(int ftz, uint32_t a, uint32_t b);
/* The two factors whose product is the quotient, for an addition that the assembler fuses. */
void mufu_div_factors(int full, int ftz, uint32_t a, uint32_t b, uint32_t factors[2]);

#endif
