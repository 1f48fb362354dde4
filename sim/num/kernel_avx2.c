/* Kernels for x86-64-v3: 8 lanes, intrinsics. */
#include "kernel.h"
#include "kernel_target.h"

#if KERNELS_X86
#define VL 8
#define VEC_AVX2
#define KERNELS wsim_kernels_avx2
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c,bmi2"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,f16c,bmi2")
#endif
#include "kernel_classes.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
const struct num_kernel wsim_kernels_avx2[] = {{NULL, NULL, NULL, 0}};
#endif
