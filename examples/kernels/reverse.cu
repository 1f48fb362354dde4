/* Reverses 64 numbers through shared memory. A __syncthreads() is missing between the two lines. */
extern "C" __global__ void reverse(float *x) {
    __shared__ float tile[64];
    tile[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = tile[63 - threadIdx.x];
}
