/* Kernels for x86-64-v4 with VBMI, VNNI, BITALG and VPOPCNTDQ: 16 lanes, intrinsics. */
#include "kernels.h"
#include "target.h"

#if KERNELS_X86
#define VL 16
#define VEC_AVX512
#define KERNELS wsim_kernels_avx512
TARGET_BEGIN(TARGET_V4)
#include "classes.h"
TARGET_END
#else
const struct num_kernel wsim_kernels_avx512[] = {{NULL, NULL, NULL, NULL}};
#endif
