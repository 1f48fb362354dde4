/* Kernels for any machine that gcc or clang compile for: 4 lanes, NEON on arm64. */
#include "kernel.h"
#include "kernel_target.h"

#if KERNELS_VECTORS
#define VL 4
#define KERNELS wsim_kernels_vectors
#include "kernel_classes.h"
#else
const struct num_kernel wsim_kernels_vectors[] = {{NULL, NULL, NULL, NULL}};
#endif
