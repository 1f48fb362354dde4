// memory that is short: what is trimmed
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
#include <cuda.h>
#include <cuda_runtime.h>
static const size_t G = (size_t)1 << 30;
static double gi(size_t b) { return (double)b / (double)G; }
static cudaMemPool_t make(size_t threshold) { cudaMemPoolProps p = {}; p.allocType = cudaMemAllocationTypePinned; p.location.type = cudaMemLocationTypeDevice; cudaMemPool_t m; cudaMemPoolCreate(&m, &p); cudaMemPoolSetAttribute(m, cudaMemPoolAttrReleaseThreshold, &threshold); return m; }
static double res(cudaMemPool_t m) { size_t v = 0; cudaMemPoolGetAttribute(m, cudaMemPoolAttrReservedMemCurrent, &v); return gi(v); }
static size_t fr() { size_t f, t; cudaMemGetInfo(&f, &t); return f; }
__global__ void spin(long long n) { long long t = clock64(); while (clock64() - t < n) ; }
static void fillp(cudaMemPool_t m, size_t gib, cudaStream_t s, int pieces) { void *q[64]; for (int i = 0; i < pieces; i++) { int e = cudaMallocFromPoolAsync(&q[i], gib * G / pieces, m, s); if (e) printf("pool alloc %d\n", e); } for (int i = 0; i < pieces; i++) cudaFreeAsync(q[i], s); }
static void one(int which) {
    cudaSetDevice(0); cudaFree(0); cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); spin<<<1, 1, 0, s>>>(10); cudaDeviceSynchronize(); cudaMemPool_t d; cudaDeviceGetDefaultMemPool(&d, 0);
    cudaMemPool_t a = make(~(size_t)0), b = make(~(size_t)0); size_t big = 20; fillp(a, big, s, 4); fillp(b, big, s, 1); cudaDeviceSynchronize(); printf("%d: reserved %.2f %.2f\n", which, res(a), res(b));
    size_t f = fr(); void *p = 0, *rest = 0; int e = -1;
    if (which < 20) { e = cudaMalloc(&rest, f - G); printf("rest %d, free %.1f\n", e, gi(fr())); }
    e = -1;
    switch (which) {
    case 0: e = cudaMalloc(&p, 3 * G); break;
    case 1: e = cudaMalloc(&p, 25 * G); break;
    case 2: e = cudaMalloc(&p, 60 * G); break; // too much
    case 3: e = cudaMallocAsync(&p, 3 * G, s); break;
    case 4: e = cudaMallocFromPoolAsync(&p, 25 * G, a, s); break;
    case 5: e = cudaMallocFromPoolAsync(&p, 60 * G, a, s); break;
    case 7: { cudaArray_t r; cudaChannelFormatDesc c = cudaCreateChannelDesc<float4>(); cudaExtent x = make_cudaExtent(1024, 1024, 192); e = cudaMalloc3DArray(&r, &c, x, 0); } break; // 3 GiB
    case 8: { CUmemGenericAllocationHandle h; CUmemAllocationProp pr; memset(&pr, 0, sizeof pr); pr.type = CU_MEM_ALLOCATION_TYPE_PINNED; pr.location.type = CU_MEM_LOCATION_TYPE_DEVICE; e = cuMemCreate(&h, 3 * G, &pr, 0); } break;
    case 10: { void *q; cudaMallocFromPoolAsync(&q, 4 * G, a, s); cudaDeviceSynchronize(); e = cudaMalloc(&p, 30 * G); } break; // a keeps 4 (a piece)
    case 11: { cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n, n2; cudaMemAllocNodeParams q = {}; q.poolProps.allocType = cudaMemAllocationTypePinned; q.poolProps.location.type = cudaMemLocationTypeDevice; q.bytesize = 3 * G; printf("node %d\n", cudaGraphAddMemAllocNode(&n, g, 0, 0, &q)); cudaGraphAddMemFreeNode(&n2, g, &n, 1, q.dptr); cudaGraphExec_t x; printf("inst %d\n", cudaGraphInstantiate(&x, g, 0)); printf("reserved %.2f %.2f\n", res(a), res(b)); e = cudaGraphLaunch(x, s); printf("sync %d\n", cudaStreamSynchronize(s)); } break;
    case 12: { e = cudaMalloc(&p, 3 * G); printf("free %.1f\n", gi(fr())); void *p2; printf("again %d", cudaMalloc(&p2, 30 * G)); printf(" reserved %.2f %.2f\n", res(a), res(b)); } break;
    case 13: e = cudaMallocHost(&p, G); break;
    case 14: { size_t v = 3 * G; e = cudaDeviceSetLimit(cudaLimitMallocHeapSize, v); } break;
    case 16: { e = cudaMalloc(&p, 60 * G); printf(" last %d free %.1f\n", cudaGetLastError(), gi(fr())); } break;
    case 17: { void *q; fillp(d, 0, s, 1); e = cudaMalloc(&q, 22 * G); } break;
    case 18: { cudaMemPool_t c = make(0); void *q; e = cudaMallocFromPoolAsync(&q, 3 * G, c, s); printf("c %.2f\n", res(c)); } break;
    case 19: { size_t n = 0; while (cudaMalloc(&p, G) == 0) n++; printf("pieces %zu\n", n); e = 0; } break;
    case 20: { // graph memory that is cached
        cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n, n2; cudaMemAllocNodeParams q = {}; q.poolProps.allocType = cudaMemAllocationTypePinned; q.poolProps.location.type = cudaMemLocationTypeDevice; q.bytesize = 30 * G; cudaGraphAddMemAllocNode(&n, g, 0, 0, &q); cudaGraphAddMemFreeNode(&n2, g, &n, 1, q.dptr); cudaGraphExec_t x; printf("inst %d\n", cudaGraphInstantiate(&x, g, 0)); printf("launch %d\n", cudaGraphLaunch(x, s)); printf("sync %d\n", cudaStreamSynchronize(s)); size_t v = 0; cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &v); printf("graphs %.2f\n", gi(v)); printf("rest %d\n", cudaMalloc(&rest, fr() - G)); e = cudaMalloc(&p, 3 * G); cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &v); printf("graphs %.2f\n", gi(v)); printf("reserved %.2f %.2f\n", res(a), res(b)); printf("more %d\n", cudaMalloc(&rest, 55 * G)); cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &v); printf("graphs %.2f\n", gi(v)); } break;
    }
    printf("result %d, set %d, reserved %.2f %.2f %.2f, free %.1f, last %d\n", e, p != 0, res(a), res(b), res(d), gi(fr()), cudaGetLastError()); printf("sync %d\n", cudaDeviceSynchronize()); printf("free now %.1f reserved %.2f %.2f\n", gi(fr()), res(a), res(b));
}
int main() { setvbuf(stdout, 0, _IONBF, 0); for (int i = 0; i <= 20; i++) { if (i == 6 || i == 9 || i == 15) continue; pid_t child = fork(); if (!child) { one(i); _exit(0); } int status; waitpid(child, &status, 0); if (status) printf("%d: status %x\n", i, status); } return 0; }
