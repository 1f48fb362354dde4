/* mufu.h - the approximate functions of PTX, bit for bit as an H200 gives them.
 *
 * One unit computes them: a table of quadratic polynomials, an exact integer sum, a truncation
 * (mufu.def). Around it are the steps that the assembler puts there for operands and results that
 * the unit has not. Measured for sm_90; for others inferred.
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

/* NAME.approx.f32, with `ftz` NAME.approx.ftz.f32 (tanh has one form; ftz is not looked at). */
uint32_t mufu_f32(enum mufu_function function, int ftz, uint32_t x);

/* ex2 and tanh of f16 and bf16. */
uint32_t mufu_f16(enum mufu_function function, const struct wsim_format *format, uint32_t x);

/* rcp.approx.ftz.f64, rsqrt.approx.ftz.f64, rsqrt.approx.f64. */
uint64_t mufu_f64(enum mufu_function function, int ftz, uint64_t x);

/* div.approx.f32 and div.full.f32, with or without .ftz. */
uint32_t mufu_div_approx(int ftz, uint32_t a, uint32_t b);
uint32_t mufu_div_full(int ftz, uint32_t a, uint32_t b);

#endif
