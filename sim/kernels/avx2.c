/* Kernels for x86-64-v3: 8 lanes, intrinsics. */
#include "kernels.h"
#include "target.h"

#if KERNELS_X86
#define VL 8
#define VEC_AVX2
#define KERNELS wsim_kernels_avx2
TARGET_BEGIN(TARGET_V3)
#include "classes.h"
TARGET_END
#else
const struct num_kernel wsim_kernels_avx2[] = {{NULL, NULL, NULL, NULL}};
#endif
