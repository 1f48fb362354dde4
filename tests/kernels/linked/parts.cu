// What the kernels of main.cu use.
#include "parts.h"

__device__ int visits = 40;
__device__ float weights[16] = {0.5f, 1.0f, 1.5f, 2.0f, 2.5f};
__constant__ float table[4] = {1.0f, 0.25f, 4.0f, -8.0f};
extern __shared__ float tile[];

static __device__ int own = 7;

__device__ __noinline__ float half(float x) {
    return 0.5f * x;
}
__device__ __noinline__ float twice(float x) {
    return x + x;
}
__device__ op chosen = half;
__device__ op *where = &chosen; // the address of a variable

__device__ __noinline__ float mix(float x, int i) {
    return (*where)(x) + clamped<3>(tile[0]) * table[3 - (i & 3)];
}
__device__ int own_of_parts() {
    return own++;
}
