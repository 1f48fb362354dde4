#include "p.h"
#include <sys/mman.h>
__global__ void k(volatile int *p) { p[threadIdx.x] += threadIdx.x; }
int main() {
    int *h, *d; unsigned f; void *q; cudaPointerAttributes a;
    unsigned fl[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 16};
    for (unsigned x : fl) { h = 0; cudaError_t e = cudaHostAlloc(&h, 256, x); cudaGetLastError(); f = 99; if (!e) cudaHostGetFlags(&f, h); printf("alloc %u -> %d flags %u\n", x, (int)e, f); if (!e) { d = 0; P(cudaHostGetDevicePointer(&d, h, 0)); V(d == h); P(cudaHostGetDevicePointer(&d, h + 8, 0)); V(d == h + 8); P(cudaPointerGetAttributes(&a, h)); V(a.type); V(a.device); V(a.devicePointer == h); V(a.hostPointer == h); P(cudaFreeHost(h)); } }
    P(cudaHostAlloc(&h, 1024, cudaHostAllocMapped)); memset(h, 0, 1024); k<<<1, 32>>>(h); P(cudaDeviceSynchronize()); V(h[31]); P(cudaHostGetDevicePointer(&d, h, 1)); P(cudaHostGetDevicePointer((void **)0, h, 0)); P(cudaFree(h)); P(cudaHostUnregister(h)); P(cudaFreeHost(h + 1)); P(cudaFreeHost(h)); P(cudaFreeHost(h)); P(cudaFreeHost(0));
    char *m = (char *)mmap(0, 1 << 16, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned rf[] = {0, 1, 2, 3, 4, 8, 16, 10}; for (unsigned x : rf) { cudaError_t e = cudaHostRegister(m, 8192, x); cudaGetLastError(); f = 99; if (!e) cudaHostGetFlags(&f, m); printf("register %u -> %d flags %u\n", x, (int)e, f); if (!e) P(cudaHostUnregister(m)); }
    P(cudaHostRegister(m, 8192, 0)); P(cudaHostRegister(m + 4096, 8192, 0)); P(cudaHostRegister(m + 8192, 4096, 0)); P(cudaHostUnregister(m + 4096)); P(cudaHostGetDevicePointer(&q, m + 100, 0)); V(q == m + 100); P(cudaHostGetDevicePointer(&q, m + 40000, 0)); P(cudaPointerGetAttributes(&a, m + 5)); V(a.type); V(a.device); V(a.devicePointer == m + 5); P(cudaPointerGetAttributes(&a, m + 40000)); V(a.type); V(a.device); V(a.devicePointer == 0); V(a.hostPointer == m + 40000);
    memset(m, 0, 8192); k<<<1, 32>>>((int *)m); P(cudaDeviceSynchronize()); V(((int *)m)[31]); P(cudaFreeHost(m)); P(cudaHostUnregister(m)); P(cudaHostUnregister(m)); P(cudaHostUnregister(m + 8192)); P(cudaHostRegister(m + 3, 100, 0)); P(cudaHostGetFlags(&f, m + 50)); P(cudaHostUnregister(m + 3));
    int *dev; cudaMalloc(&dev, 64); P(cudaHostRegister(dev, 64, 0)); P(cudaHostRegister(m, 64, 0x40)); P(cudaHostGetFlags(&f, dev)); P(cudaHostGetFlags((unsigned *)0, m)); P(cudaPointerGetAttributes(&a, 0)); V(a.type); P(cudaPointerGetAttributes(0, m)); P(cudaPointerGetAttributes(&a, (char *)dev + 63)); V(a.type); V(a.devicePointer == (char *)dev + 63); P(cudaPointerGetAttributes(&a, (void *)main)); V(a.type); P(cudaMallocHost(&q, 100)); P(cudaHostGetFlags(&f, q)); V(f); P(cudaHostGetFlags(&f, (char *)q + 10)); P(cudaMallocHost((void **)0, 4)); P(cudaHostAlloc((void **)0, 4, 0)); q = (void *)1; P(cudaHostAlloc(&q, 0, 0)); V(q == 0); P(cudaHostAlloc(&q, (size_t)1 << 50, 0));
    return 0;
}
