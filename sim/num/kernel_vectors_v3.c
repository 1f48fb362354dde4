/* Kernels for x86-64-v3 without intrinsics: 8 lanes. */
#include "kernel.h"
#include "kernel_target.h"

#if KERNELS_X86
#define VL 8
#define KERNELS wsim_kernels_vectors_v3
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
const struct num_kernel wsim_kernels_vectors_v3[] = {{NULL, NULL, NULL, 0}};
#endif
