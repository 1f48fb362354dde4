/* Kernels for any machine that gcc or clang target: 4 lanes, NEON on arm64. */
#include "kernels.h"
#include "target.h"

#if KERNELS_VECTORS
#define VL 4
#define KERNELS wsim_kernels_vectors
#include "classes.h"
#else
const struct num_kernel wsim_kernels_vectors[] = {{NULL, NULL, NULL, NULL}};
#endif
