/* quick_target.h - machines for which steps are compiled, and whether they may use floats of the
 * host. Such floats must be 32 bits wide in every operation, and their modes must be settable. */
#ifndef WSIM_STEP_QUICK_TARGET_H
#define WSIM_STEP_QUICK_TARGET_H

#include "../kernels/target.h"

#define QUICK_X86 KERNELS_X86
#if defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__)) &&                            \
    __FLT_EVAL_METHOD__ == 0 && !defined(WSIM_INTEGER_KERNELS) && !defined(WSIM_NO_KERNELS)
#define QUICK_FLOATS 1
#endif
#if defined(QUICK_FLOATS) && !defined(__FAST_MATH__) && !defined(__RECIPROCAL_MATH__)
#define QUICK_DIVISION /* is not made of a reciprocal */
#endif
#if defined(QUICK_FLOATS) && defined(__SSE2__)
#define QUICK_ROOTS /* of one number, by an instruction that no compiler replaces */
#endif
#if defined(__aarch64__)
#define QUICK_FMA /* part of every such machine */
#endif

#endif
