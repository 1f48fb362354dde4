/* clang-format off */ /* Two contexts of a device: work in streams of the other one, and a graph that was captured there. */ #include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#define S(x) do { cudaError_t e_ = (x); cudaError_t l_ = cudaGetLastError(); printf("%d %s -> %s / %s\n", __LINE__, #x, cudaGetErrorName(e_), cudaGetErrorName(l_)); fflush(stdout);} while (0)
#define D(x) do { CUresult e_ = (x); const char *n_ = "?"; cuGetErrorName(e_, &n_); printf("%d %s -> %s\n", __LINE__, #x, n_); fflush(stdout);} while (0)
__device__ int mark = 5;
__global__ void add(int *p) { atomicAdd(p, mark); }
int main() {
    int *a, *b, v = 0, one = 100; cudaStream_t s0, s1; CUcontext c0, c1; cudaEvent_t e0; cudaGraph_t g; cudaGraphExec_t x;
    S(cudaSetDevice(0)); S(cudaMalloc(&a, 4)); S(cudaMemset(a, 0, 4)); S(cudaStreamCreate(&s0)); S(cudaEventCreate(&e0)); D(cuCtxGetCurrent(&c0));
    add<<<1, 1, 0, s0>>>(a); S(cudaDeviceSynchronize()); S(cudaMemcpy(&v, a, 4, cudaMemcpyDefault)); printf("v %d\n", v);
    D(cuCtxCreate(&c1, NULL, 0, 0)); S(cudaMalloc(&b, 4)); S(cudaMemset(b, 0, 4)); S(cudaStreamCreate(&s1)); S(cudaMemcpyToSymbol(mark, &one, 4));
    add<<<1, 1>>>(b); S(cudaDeviceSynchronize()); S(cudaMemcpy(&v, b, 4, cudaMemcpyDefault)); printf("v %d\n", v);
    add<<<1, 1, 0, s0>>>(a); S(cudaGetLastError()); S(cudaStreamSynchronize(s0)); S(cudaMemcpy(&v, a, 4, cudaMemcpyDefault)); printf("v %d\n", v);
    add<<<1, 1, 0, s1>>>(a); S(cudaGetLastError()); S(cudaStreamSynchronize(s1)); S(cudaMemcpy(&v, a, 4, cudaMemcpyDefault)); printf("v %d\n", v);
    S(cudaEventRecord(e0, s1)); S(cudaEventRecord(e0, s0)); S(cudaStreamWaitEvent(s1, e0, 0)); S(cudaEventSynchronize(e0)); S(cudaMemsetAsync(b, 0, 4, s0)); S(cudaMemcpyAsync(b, a, 4, cudaMemcpyDeviceToDevice, s0)); S(cudaStreamSynchronize(s0)); S(cudaMemcpy(&v, b, 4, cudaMemcpyDefault)); printf("v %d\n", v);
    void *args[] = {&a}; S(cudaLaunchKernel((const void *)add, dim3(1), dim3(1), args, 0, s0)); cudaLaunchConfig_t cfg = {}; cfg.gridDim = 1; cfg.blockDim = 1; cfg.stream = s0; S(cudaLaunchKernelExC(&cfg, (const void *)add, args)); S(cudaStreamSynchronize(s0)); S(cudaMemcpy(&v, a, 4, cudaMemcpyDefault)); printf("v %d\n", v);
    S(cudaLaunchCooperativeKernel((const void *)add, dim3(1), dim3(1), args, 0, s0)); S(cudaStreamSynchronize(s0)); 
    S(cudaStreamBeginCapture(s0, cudaStreamCaptureModeGlobal)); add<<<1, 1, 0, s0>>>(a); S(cudaGetLastError()); S(cudaStreamEndCapture(s0, &g)); S(cudaGraphInstantiate(&x, g, 0)); S(cudaGraphLaunch(x, s1)); S(cudaStreamSynchronize(s1)); S(cudaMemcpy(&v, a, 4, cudaMemcpyDefault)); printf("v %d\n", v);
    S(cudaMallocAsync(&b, 4, s0)); S(cudaFreeAsync(b, s1)); cudaPointerAttributes at; S(cudaPointerGetAttributes(&at, b));
    S(cudaLaunchHostFunc(s0, [](void *) { puts("host"); }, NULL)); S(cudaStreamSynchronize(s0)); S(cudaStreamDestroy(s0));
    D(cuCtxSetCurrent(c0)); add<<<1, 1>>>(a); S(cudaDeviceSynchronize()); S(cudaMemcpy(&v, a, 4, cudaMemcpyDefault)); printf("v %d\n", v); return 0;
}
