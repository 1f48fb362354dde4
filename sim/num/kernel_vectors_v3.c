/* Kernels for x86-64-v3 without intrinsics: 8 lanes. */
#include "kernel.h"
#include "kernel_target.h"

#if KERNELS_X86
#define VL 8
#define KERNELS wsim_kernels_vectors_v3
TARGET_BEGIN(TARGET_V3)
#include "kernel_classes.h"
TARGET_END
#else
const struct num_kernel wsim_kernels_vectors_v3[] = {{NULL, NULL, NULL, NULL}};
#endif
