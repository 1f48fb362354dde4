// Calls after an error of a kernel, and a reset.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define K(x) do { cudaError_t e_ = (x); printf("%s -> %d %s\n", #x, (int)e_, cudaGetErrorName(e_)); fflush(stdout); } while (0)
__global__ void ok(int *p) { p[threadIdx.x] = 1; }
__global__ void trap() { asm("trap;"); }
__global__ void far(int *p) { p[1 << 28] = 1; }
__global__ void odd(char *p) { *(int *)(p + 1) = 1; }
__global__ void shared_far(int n) { __shared__ int s[4]; s[n] = 1; if (s[n + 1]) printf("x"); }
static void after(const char *what) {
    int *p = 0, n = 0; cudaStream_t s; cudaEvent_t e; size_t a, b; void *h; cudaDeviceProp prop; cudaFuncAttributes f;
    printf("-- %s\n", what);
    K(cudaDeviceSynchronize()); K(cudaGetLastError()); K(cudaPeekAtLastError()); K(cudaMalloc(&p, 16)); K(cudaFree(0)); K(cudaMemcpy(&n, &n, 4, cudaMemcpyHostToHost));
    K(cudaStreamCreate(&s)); K(cudaEventCreate(&e)); K(cudaMemGetInfo(&a, &b)); K(cudaGetDevice(&n)); K(cudaSetDevice(0)); K(cudaGetDeviceCount(&n));
    K(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0)); K(cudaGetDeviceProperties(&prop, 0)); K(cudaFuncGetAttributes(&f, ok)); K(cudaMallocHost(&h, 16));
    K(cudaRuntimeGetVersion(&n)); K(cudaDriverGetVersion(&n)); K(cudaStreamQuery(0)); K(cudaStreamSynchronize(0)); K(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    K(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, ok, 32, 0));
    ok<<<1, 1>>>(p); K(cudaGetLastError()); K(cudaPeekAtLastError());
    K(cudaDeviceReset()); K(cudaGetLastError()); K(cudaDeviceSynchronize()); K(cudaMalloc(&p, 128)); ok<<<1, 32>>>(p); K(cudaGetLastError()); K(cudaDeviceSynchronize()); K(cudaFree(p));
}
int main(int c, char **v) {
    int *p; cudaMalloc(&p, 1024);
    switch (c > 1 ? atoi(v[1]) : 0) {
    case 0: trap<<<1, 32>>>(); after("trap"); break;
    case 1: far<<<1, 32>>>(p); after("far"); break;
    case 2: odd<<<1, 32>>>((char *)p); after("odd"); break;
    case 3: shared_far<<<1, 32>>>(1 << 20); after("shared"); break;
    }
    return 0;
}
