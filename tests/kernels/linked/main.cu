// Two sources that make one program: kernels here, what they use in parts.cu.
// nvcc -rdc=true -ptx -O3 -lineinfo -arch=compute_90a
#include "parts.h"

extern __device__ int visits;               // of all blocks together
extern __device__ float weights[16];
extern __constant__ float table[4];
extern __device__ op chosen;                // a pointer to a function of the other source
__device__ op pair[2] = {half, twice};      // and two of pointers that this one keeps
extern __shared__ float tile[];

static __device__ int own = 1; // each source has one, and they are two

extern "C" __global__ void mixed(const float *in, float *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    float sum = mix(tile[threadIdx.x ^ 1], i) + table[i & 3] * weights[i & 15];
    sum += chosen(sum) + pair[i & 1](in[i]) + clamped<3>(sum);
    out[i] = sum;
    if (threadIdx.x == 0)
        atomicAdd(&visits, own);
}

extern "C" __global__ void count(int *out) {
    out[0] = visits;
    out[1] = own_of_parts();
    out[2] = own;
}
