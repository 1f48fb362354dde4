/* kernel_target.h - which paths this compiler can compile for this machine. WSIM_NO_KERNELS leaves
 * the plain path alone; WSIM_INTEGER_KERNELS, the kernels that do without floating point, slower
 * ones for most types and none for those of 8 bits and less. CMake: -DWSIM_KERNELS=ON, INTEGER or
 * OFF. */
#ifndef WSIM_NUM_KERNEL_TARGET_H
#define WSIM_NUM_KERNEL_TARGET_H

/* Floats are floats: where C computes them wider (s390x, x87) a product of two vectors is not what
 * is written. */
#if defined(__has_builtin) && (__FLT_EVAL_METHOD__ == 0 || defined(WSIM_INTEGER_KERNELS))
#if __has_builtin(__builtin_shufflevector) && __has_builtin(__builtin_convertvector)
#define KERNELS_VECTORS 1
#endif
#endif
#if !defined(KERNELS_VECTORS) || defined(WSIM_NO_KERNELS)
#undef KERNELS_VECTORS
#define KERNELS_VECTORS 0
#endif

#if KERNELS_VECTORS && defined(__x86_64__)
#define KERNELS_X86 1
#else
#define KERNELS_X86 0
#endif

#endif
