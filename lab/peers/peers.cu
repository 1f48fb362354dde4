/* clang-format off */ /* peers: what two devices answer, one line for each fact, in eight processes (README.md). */ // Facts about two devices: each line is one answer.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <sys/wait.h>
#define S(x) do { cudaError_t e_ = (x); cudaError_t l_ = cudaGetLastError(); printf("%d %s -> %s / %s\n", __LINE__, #x, cudaGetErrorName(e_), cudaGetErrorName(l_)); fflush(stdout);} while (0)
#define D(x) do { CUresult e_ = (x); const char *n_ = "?"; cuGetErrorName(e_, &n_); printf("%d %s -> %s\n", __LINE__, #x, n_); fflush(stdout);} while (0)
#define V(x) do { printf("%d %s = %lld\n", __LINE__, #x, (long long)(x)); fflush(stdout);} while (0)
__device__ int mark = 5;
__managed__ int shared_value = 7;
__global__ void add(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] += i + mark; }
__global__ void get(const int *from, int *to, int n) { int i = threadIdx.x; if (i < n) to[i] = from[i] * 2; }
__global__ void bump(int *p) { atomicAdd_system(p, 1); shared_value += 100; }
static void attributes(const void *p) {
    cudaPointerAttributes a; memset(&a, 0, sizeof a);
    cudaError_t e = cudaPointerGetAttributes(&a, p);
    printf("  attributes: %s type %d device %d dev==p %d host %d\n", cudaGetErrorName(e), a.type, a.device, a.devicePointer == p, a.hostPointer != NULL);
}
static int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
int part(int which) {
    int n = 0, can = -1, host[64], *a = NULL, *b = NULL, *c = NULL;
    cudaStream_t s0, s1; cudaEvent_t e0, e1; float ms;
    if (which == 0) {
        S(cudaGetDeviceCount(&n)); V(n);
        S(cudaSetDevice(2)); S(cudaSetDevice(-1)); S(cudaSetDevice(99));
        S(cudaDeviceCanAccessPeer(&can, 0, 1)); V(can);
        S(cudaDeviceCanAccessPeer(&can, 1, 0)); V(can);
        S(cudaDeviceCanAccessPeer(&can, 0, 0)); V(can);
        can = -1; S(cudaDeviceCanAccessPeer(&can, 0, 2)); V(can);
        S(cudaDeviceCanAccessPeer(&can, 5, 0)); V(can);
        S(cudaDeviceEnablePeerAccess(0, 0)); S(cudaDeviceEnablePeerAccess(1, 1)); S(cudaDeviceEnablePeerAccess(2, 0));
        S(cudaDeviceEnablePeerAccess(1, 0)); S(cudaDeviceEnablePeerAccess(1, 0));
        S(cudaDeviceDisablePeerAccess(1)); S(cudaDeviceDisablePeerAccess(1)); S(cudaDeviceDisablePeerAccess(0)); S(cudaDeviceDisablePeerAccess(7));
        int v;
        S(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 1)); V(v);
        S(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrNativeAtomicSupported, 0, 1)); V(v);
        S(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrCudaArrayAccessSupported, 0, 1)); V(v);
        S(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrPerformanceRank, 0, 1)); 
        S(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 0));
        S(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 2));
        S(cudaDeviceGetP2PAttribute(&v, (cudaDeviceP2PAttr)77, 0, 1));
        S(cudaDeviceGetP2PAttribute(NULL, cudaDevP2PAttrAccessSupported, 0, 1));
        int dev; S(cudaGetDevice(&dev)); V(dev);
        cudaDeviceProp p0, p1; S(cudaGetDeviceProperties(&p0, 0)); S(cudaGetDeviceProperties(&p1, 1)); S(cudaGetDeviceProperties(&p1, 2));
        V(p0.unifiedAddressing); V(p0.concurrentManagedAccess); V(p0.isMultiGpuBoard);
        S(cudaChooseDevice(&dev, &p0)); V(dev);
        int list[2] = {1, 0}; S(cudaSetValidDevices(list, 2)); int bad[2] = {1, 5}; S(cudaSetValidDevices(bad, 2));
        S(cudaInitDevice(1, 0, 0)); S(cudaGetDevice(&dev)); V(dev); S(cudaInitDevice(3, 0, 0));
    } else if (which == 1) { // memory and copies without peer access
        S(cudaSetDevice(0)); S(cudaMalloc(&a, 256)); S(cudaSetDevice(1)); S(cudaMalloc(&b, 256));
        attributes(a); attributes(b); attributes(&n); attributes(&shared_value);
        for (int i = 0; i < 64; i++) host[i] = i;
        S(cudaMemcpy(a, host, 256, cudaMemcpyHostToDevice)); // current is 1, memory of 0
        S(cudaMemcpy(b, a, 256, cudaMemcpyDeviceToDevice));
        S(cudaMemcpy(host, b, 256, cudaMemcpyDefault)); V(sum(host, 64));
        S(cudaMemcpyPeer(b, 1, a, 0, 256)); S(cudaMemcpyPeer(b, 0, a, 1, 256)); S(cudaMemcpyPeer(b, 2, a, 0, 256)); S(cudaMemcpyPeer(b, 1, a, 0, 512));
        S(cudaMemcpyPeerAsync(b, 1, a, 0, 256, 0)); S(cudaMemset(a, 1, 256)); S(cudaMemsetAsync(a, 0, 256, 0)); S(cudaDeviceSynchronize());
        S(cudaMemcpy(host, a, 256, cudaMemcpyDefault)); V(sum(host, 64));
        add<<<1, 64>>>(b, 64); S(cudaDeviceSynchronize());
        S(cudaMemcpy(host, b, 256, cudaMemcpyDefault)); V(sum(host, 64));
        int m = 9; S(cudaMemcpyToSymbol(mark, &m, 4)); // device 1's copy
        S(cudaSetDevice(0)); m = 0; S(cudaMemcpyFromSymbol(&m, mark, 4)); V(m);
        S(cudaSetDevice(1)); S(cudaMemcpyFromSymbol(&m, mark, 4)); V(m);
        void *sym0, *sym1; S(cudaGetSymbolAddress(&sym1, mark)); S(cudaSetDevice(0)); S(cudaGetSymbolAddress(&sym0, mark)); V(sym0 == sym1);
        S(cudaMemcpyPeer(sym0, 0, sym1, 1, 4)); S(cudaMemcpyFromSymbol(&m, mark, 4)); V(m);
        S(cudaFree(b)); S(cudaFree(b)); S(cudaFree(a));
        S(cudaMallocManaged(&a, 256)); for (int i = 0; i < 64; i++) a[i] = i; attributes(a);
        add<<<1, 64>>>(a, 64); S(cudaDeviceSynchronize()); S(cudaSetDevice(1)); add<<<1, 64>>>(a, 64); S(cudaDeviceSynchronize()); V(sum(a, 64));
        bump<<<1, 1>>>(a); S(cudaDeviceSynchronize()); S(cudaSetDevice(0)); bump<<<1, 1>>>(a); S(cudaDeviceSynchronize()); V(a[0]); V(shared_value);
        cudaMemLocation where = {cudaMemLocationTypeDevice, 1};
        S(cudaMemPrefetchAsync(a, 256, where, 0, 0)); where.id = 3; S(cudaMemPrefetchAsync(a, 256, where, 0, 0)); where.id = 1; S(cudaMemAdvise(a, 256, cudaMemAdviseSetPreferredLocation, where)); attributes(a);
        int loc = -9; S(cudaMemRangeGetAttribute(&loc, 4, cudaMemRangeAttributePreferredLocation, a, 256)); V(loc);
        S(cudaFree(a));
        S(cudaMallocHost(&a, 256)); attributes(a); S(cudaSetDevice(1)); attributes(a);
        int *dp = NULL; S(cudaHostGetDevicePointer(&dp, a, 0)); V(dp == a);
        memset(a, 0, 256); add<<<1, 64>>>(dp, 64); S(cudaDeviceSynchronize()); V(sum(a, 64)); S(cudaFreeHost(a));
        S(cudaHostAlloc(&a, 256, cudaHostAllocPortable)); attributes(a); S(cudaFreeHost(a));
    } else if (which == 2) { // streams and events of another device
        S(cudaSetDevice(0)); S(cudaStreamCreate(&s0)); S(cudaEventCreate(&e0)); S(cudaMalloc(&a, 256)); S(cudaMemset(a, 0, 256));
        S(cudaSetDevice(1)); S(cudaStreamCreate(&s1)); S(cudaEventCreate(&e1)); S(cudaMalloc(&b, 256)); S(cudaMemset(b, 0, 256));
        add<<<1, 64, 0, s0>>>(b, 64); S(cudaGetLastError());
        S(cudaEventRecord(e0, s1)); S(cudaEventRecord(e0, s0)); S(cudaEventRecord(e1, s0)); S(cudaEventRecord(e1, s1));
        S(cudaStreamWaitEvent(s1, e0, 0)); S(cudaStreamWaitEvent(s0, e1, 0));
        S(cudaEventSynchronize(e0)); S(cudaEventQuery(e1)); S(cudaEventSynchronize(e1)); S(cudaEventElapsedTime(&ms, e0, e1));
        S(cudaStreamSynchronize(s0)); S(cudaStreamQuery(s1));
        S(cudaMemcpyAsync(b, a, 256, cudaMemcpyDeviceToDevice, s0)); S(cudaMemcpyAsync(host, a, 256, cudaMemcpyDeviceToHost, s0)); S(cudaMemsetAsync(a, 0, 256, s0)); S(cudaMemsetAsync(b, 0, 256, s0));
        S(cudaStreamSynchronize(s0)); 
        int dev = -1; S(cudaStreamGetDevice(s0, &dev)); V(dev); S(cudaStreamGetDevice(s1, &dev)); V(dev); S(cudaStreamGetDevice(0, &dev)); V(dev);
        S(cudaMallocAsync(&c, 256, s0)); attributes(c); S(cudaFreeAsync(c, s1)); S(cudaFreeAsync(c, s0)); S(cudaStreamSynchronize(s0));
        cudaMemPool_t p0, p1; S(cudaDeviceGetDefaultMemPool(&p0, 0)); S(cudaDeviceGetDefaultMemPool(&p1, 1)); V(p0 == p1); S(cudaDeviceGetDefaultMemPool(&p1, 2));
        S(cudaDeviceSetMemPool(0, p1)); S(cudaDeviceSetMemPool(1, p1));
        cudaMemAccessDesc d = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
        cudaMemAccessFlags f; cudaMemLocation where = {cudaMemLocationTypeDevice, 1};
        S(cudaMemPoolGetAccess(&f, p0, &where)); V(f); S(cudaMemPoolSetAccess(p0, &d, 1)); S(cudaMemPoolGetAccess(&f, p0, &where)); V(f);
        d.location.id = 0; d.flags = cudaMemAccessFlagsProtNone; S(cudaMemPoolSetAccess(p0, &d, 1)); d.location.id = 4; S(cudaMemPoolSetAccess(p0, &d, 1));
        S(cudaMallocAsync(&c, 256, s0)); S(cudaMemsetAsync(c, 0, 256, s0)); S(cudaStreamSynchronize(s0)); add<<<1, 64, 0, s1>>>(c, 64); S(cudaStreamSynchronize(s1)); // pool access granted
        S(cudaMemcpy(host, c, 256, cudaMemcpyDefault)); V(sum(host, 64));
        S(cudaStreamDestroy(s0)); S(cudaEventDestroy(e0));
        cudaFuncAttributes fa; S(cudaFuncGetAttributes(&fa, add));
        cudaStream_t cap; cudaGraph_t g; S(cudaStreamCreate(&cap)); S(cudaStreamBeginCapture(cap, cudaStreamCaptureModeGlobal)); add<<<1, 64, 0, cap>>>(b, 64); S(cudaMemcpyAsync(host, b, 256, cudaMemcpyDeviceToHost, cap)); S(cudaStreamEndCapture(cap, &g));
        cudaGraphExec_t ge; S(cudaGraphInstantiate(&ge, g, 0)); S(cudaSetDevice(0)); S(cudaStreamCreate(&s0)); S(cudaGraphLaunch(ge, s0)); S(cudaStreamSynchronize(s0)); S(cudaGraphLaunch(ge, cap)); S(cudaStreamSynchronize(cap)); V(sum(host, 64));
    } else if (which == 3) { // peer access enabled
        S(cudaSetDevice(0)); S(cudaMalloc(&a, 256)); S(cudaMemset(a, 0, 256)); S(cudaDeviceEnablePeerAccess(1, 0));
        S(cudaSetDevice(1)); S(cudaMalloc(&b, 256)); S(cudaMemset(b, 0, 256));
        S(cudaSetDevice(0)); add<<<1, 64>>>(b, 64); S(cudaDeviceSynchronize()); S(cudaMemcpy(host, b, 256, cudaMemcpyDefault)); V(sum(host, 64));
        get<<<1, 64>>>(b, a, 64); S(cudaDeviceSynchronize()); S(cudaMemcpy(host, a, 256, cudaMemcpyDefault)); V(sum(host, 64));
        S(cudaDeviceEnablePeerAccess(1, 1)); cudaFree(0); S(cudaDeviceDisablePeerAccess(1));
        add<<<1, 64>>>(b, 64); S(cudaDeviceSynchronize()); S(cudaMalloc(&c, 4)); S(cudaSetDevice(1)); S(cudaMalloc(&c, 4)); S(cudaDeviceReset()); S(cudaMalloc(&c, 4));
    } else if (which == 4) { // without peer access
        S(cudaSetDevice(0)); S(cudaMalloc(&a, 256)); S(cudaSetDevice(1)); S(cudaMalloc(&b, 256)); S(cudaMemset(b, 0, 256));
        S(cudaSetDevice(0)); get<<<1, 64>>>(b, a, 64); S(cudaDeviceSynchronize()); S(cudaSetDevice(1)); S(cudaMemset(b, 0, 256)); S(cudaMalloc(&c, 4)); S(cudaSetDevice(0)); S(cudaMalloc(&c, 4)); S(cudaGetLastError());
    } else if (which == 5) { // reset
        S(cudaSetDevice(0)); S(cudaMalloc(&a, 256)); S(cudaStreamCreate(&s0)); S(cudaSetDevice(1)); S(cudaMalloc(&b, 256)); S(cudaMemset(b, 0, 256)); S(cudaDeviceReset());
        S(cudaMemset(b, 0, 256)); S(cudaSetDevice(0)); S(cudaMemset(a, 0, 256)); S(cudaStreamSynchronize(s0)); S(cudaDeviceReset()); S(cudaStreamSynchronize(0)); 
        unsigned flags; S(cudaSetDevice(1)); S(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync)); S(cudaGetDeviceFlags(&flags)); V(flags); S(cudaSetDevice(0)); S(cudaGetDeviceFlags(&flags)); V(flags);
    } else if (which == 6) { // driver
        CUdevice d0, d1; CUcontext c0, c1, cur; CUdeviceptr p, q; int v; CUdevice dd;
        D(cuInit(0)); D(cuDeviceGet(&d0, 0)); D(cuDeviceGet(&d1, 1)); D(cuDeviceGet(&dd, 2));
        D(cuDevicePrimaryCtxRetain(&c0, d0)); D(cuDevicePrimaryCtxRetain(&c1, d1)); D(cuCtxGetCurrent(&cur)); V(cur == NULL);
        D(cuCtxSetCurrent(c0)); D(cuMemAlloc(&p, 256)); D(cuCtxPushCurrent(c1)); D(cuMemAlloc(&q, 256)); D(cuCtxGetDevice(&dd)); V(dd);
        D(cuMemcpyPeer(q, c1, p, c0, 256)); D(cuMemcpyPeer(q, c0, p, c1, 256)); D(cuMemcpyDtoD(q, p, 256));
        D(cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p)); V(v); CUcontext cc; D(cuPointerGetAttribute(&cc, CU_POINTER_ATTRIBUTE_CONTEXT, q)); V(cc == c1);
        D(cuCtxEnablePeerAccess(c0, 0)); D(cuCtxEnablePeerAccess(c0, 0)); D(cuCtxEnablePeerAccess(c1, 0)); D(cuCtxDisablePeerAccess(c0)); D(cuCtxDisablePeerAccess(c0)); D(cuCtxEnablePeerAccess(c0, 1)); D(cuCtxEnablePeerAccess(NULL, 0));
        D(cuCtxPopCurrent(&cur)); V(cur == c1); D(cuCtxPopCurrent(&cur)); V(cur == c0); D(cuCtxPopCurrent(&cur));
        D(cuDeviceCanAccessPeer(&v, d0, d1)); V(v); D(cuDeviceCanAccessPeer(&v, d0, d0)); V(v); D(cuDeviceGetP2PAttribute(&v, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, d0, d1)); V(v); D(cuDeviceGetP2PAttribute(&v, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, d0, d0));
        D(cuMemAlloc(&p, 256)); D(cuCtxSetCurrent(c1)); D(cuMemFree(p)); 
        int dev; S(cudaGetDevice(&dev)); V(dev); S(cudaSetDevice(0)); D(cuCtxGetCurrent(&cur)); V(cur == c0); D(cuCtxGetDevice(&dd)); V(dd);
        D(cuDevicePrimaryCtxRelease(d1)); D(cuDevicePrimaryCtxRelease(d1)); D(cuDevicePrimaryCtxRelease(d1)); unsigned fl; int act; D(cuDevicePrimaryCtxGetState(d1, &fl, &act)); V(act);
        // VMM shared by two devices
        CUmemAllocationProp pr; memset(&pr, 0, sizeof pr); pr.type = CU_MEM_ALLOCATION_TYPE_PINNED; pr.location.type = CU_MEM_LOCATION_TYPE_DEVICE; pr.location.id = 1; size_t gran; D(cuMemGetAllocationGranularity(&gran, &pr, CU_MEM_ALLOC_GRANULARITY_MINIMUM)); V(gran);
        CUmemGenericAllocationHandle h; D(cuMemCreate(&h, gran, &pr, 0)); D(cuMemAddressReserve(&p, gran, 0, 0, 0)); D(cuMemMap(p, gran, 0, h, 0)); D(cuMemsetD32(p, 3, 64));
        CUmemAccessDesc ad[2]; memset(ad, 0, sizeof ad); ad[0].location.type = ad[1].location.type = CU_MEM_LOCATION_TYPE_DEVICE; ad[0].location.id = 0; ad[1].location.id = 1; ad[0].flags = ad[1].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE; D(cuMemSetAccess(p, gran, ad, 1)); unsigned long long fg; D(cuMemGetAccess(&fg, &ad[0].location, p)); V(fg); D(cuMemGetAccess(&fg, &ad[1].location, p)); V(fg);
        D(cuMemsetD32(p, 3, 64)); D(cuMemSetAccess(p, gran, ad, 2)); D(cuMemGetAccess(&fg, &ad[1].location, p)); V(fg); add<<<1, 64>>>((int *)p, 64); S(cudaDeviceSynchronize()); D(cuMemcpyDtoH(host, p, 256)); V(sum(host, 64)); pr.location.id = 2; D(cuMemCreate(&h, gran, &pr, 0));
    } else if (which == 7) { // occupancy of multi-device graphs, cooperative multi, launches of functions of another device
        S(cudaSetDevice(0)); S(cudaMalloc(&a, 256)); S(cudaMemset(a, 0, 256)); S(cudaSetDevice(1)); S(cudaMalloc(&b, 256)); S(cudaMemset(b, 0, 256));
        int h[64]; cudaGraph_t g; cudaGraphNode_t n0, n1; S(cudaGraphCreate(&g, 0)); S(cudaGraphAddMemcpyNode1D(&n0, g, NULL, 0, b, a, 256, cudaMemcpyDeviceToDevice)); cudaMemsetParams mp = {a, 0, 1, 4, 64, 1}; S(cudaGraphAddMemsetNode(&n1, g, &n0, 1, &mp)); cudaGraphExec_t x; S(cudaGraphInstantiate(&x, g, 0)); S(cudaStreamCreate(&s1)); S(cudaGraphLaunch(x, s1)); S(cudaStreamSynchronize(s1)); S(cudaMemcpy(h, a, 256, cudaMemcpyDefault)); V(sum(h, 64));
        cudaMemcpy3DPeerParms pp; memset(&pp, 0, sizeof pp); pp.srcDevice = 0; pp.dstDevice = 1; pp.srcPtr = make_cudaPitchedPtr(a, 64, 64, 4); pp.dstPtr = make_cudaPitchedPtr(b, 64, 64, 4); pp.extent = make_cudaExtent(32, 4, 1); S(cudaMemcpy3DPeer(&pp)); S(cudaMemcpy(h, b, 256, cudaMemcpyDefault)); V(sum(h, 64)); pp.dstDevice = 3; S(cudaMemcpy3DPeer(&pp));
        cudaArray_t arr; cudaChannelFormatDesc cd = cudaCreateChannelDesc<int>(); S(cudaMallocArray(&arr, &cd, 16, 4)); S(cudaMemcpy2DToArray(arr, 0, 0, a, 64, 64, 4, cudaMemcpyDeviceToDevice)); S(cudaSetDevice(0)); S(cudaMemcpy2DFromArray(h, 64, arr, 0, 0, 64, 4, cudaMemcpyDeviceToHost)); V(sum(h, 64)); S(cudaFreeArray(arr));
        void *p = NULL; char bus[32]; int dev; S(cudaDeviceGetPCIBusId(bus, 32, 1)); S(cudaDeviceGetByPCIBusId(&dev, bus)); V(dev); S(cudaDeviceGetPCIBusId(bus, 32, 2));
        cudaIpcMemHandle_t ih; S(cudaIpcGetMemHandle(&ih, b)); S(cudaIpcOpenMemHandle(&p, ih, cudaIpcMemLazyEnablePeerAccess)); size_t fr, to; S(cudaSetDevice(1)); S(cudaMemGetInfo(&fr, &to)); V(fr < to);
        S(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20)); size_t lim; S(cudaSetDevice(0)); S(cudaDeviceGetLimit(&lim, cudaLimitMallocHeapSize)); V(lim); S(cudaSetDevice(1)); S(cudaDeviceGetLimit(&lim, cudaLimitMallocHeapSize)); V(lim);
        int lo, hi; S(cudaDeviceGetStreamPriorityRange(&lo, &hi)); V(lo); V(hi);
    }
    return 0;
}
int main() {
    for (int i = 0; i < 8; i++) {
        printf("== part %d\n", i); fflush(stdout);
        pid_t pid = fork();
        if (!pid) { part(i); fflush(stdout); _exit(0); }
        int status; waitpid(pid, &status, 0); printf("status %d\n", status); fflush(stdout);
    }
}
