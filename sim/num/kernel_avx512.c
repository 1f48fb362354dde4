/* Kernels for x86-64-v4 with VBMI, VNNI, BITALG and VPOPCNTDQ: 16 lanes, intrinsics. */
#include "kernel.h"
#include "kernel_target.h"

#if KERNELS_X86
#define VL 16
#define VEC_AVX512
#define KERNELS wsim_kernels_avx512
#if defined(__clang__)
#pragma clang attribute push(                                                                      \
    __attribute__((target("avx2,fma,f16c,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,"      \
                          "avx512vnni,avx512bitalg,avx512vpopcntdq"))),                            \
    apply_to = function)
#else
#pragma GCC target("avx2,fma,f16c,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vnni,"  \
                   "avx512bitalg,avx512vpopcntdq")
#endif
#include "kernel_classes.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
const struct num_kernel wsim_kernels_avx512[] = {{NULL, NULL, NULL, 0}};
#endif
