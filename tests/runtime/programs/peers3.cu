/* clang-format off */ /* peers3: what two devices answer about contexts after faults, valid devices, fills and managed variables. */
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <thread>
#include <unistd.h>
#include <sys/wait.h>
#define S(x) do { cudaError_t e_ = (x); cudaError_t l_ = cudaGetLastError(); printf("%d %s -> %s / %s\n", __LINE__, #x, cudaGetErrorName(e_), cudaGetErrorName(l_)); fflush(stdout);} while (0)
#define D(x) do { CUresult e_ = (x); const char *n_ = "?"; cuGetErrorName(e_, &n_); printf("%d %s -> %s\n", __LINE__, #x, n_); fflush(stdout);} while (0)
#define V(x) do { printf("%d %s = %lld\n", __LINE__, #x, (long long)(x)); fflush(stdout);} while (0)
__device__ int plain = 3;
__managed__ int shared_value = 7;

__global__ void far() { *(volatile int *)16 = 1; }
__global__ void bump() { shared_value += 100; plain++; }

__global__ void fill(int *p) { p[threadIdx.x] = 5; }
static const char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .attribute(.managed) .align 4 .u32 m = 9;\n.visible .global .align 4 .u32 g = 2;\n"
    ".visible .entry inc() {\n.reg .u32 %r; .reg .u64 %a;\nmov.u64 %a, m;\nld.global.u32 %r, [%a];\nadd.u32 %r, %r, 1;\nst.global.u32 [%a], %r;\nret;\n}\n";
static void set(int d) { S(cudaSetDevice(d)); S(cudaFree(0)); }
static void at(const void *p) { cudaPointerAttributes a; memset(&a, 0, sizeof a); cudaError_t e = cudaPointerGetAttributes(&a, p); printf("  attributes: %s type %d device %d dev==p %d dev==0 %d host %d\n", cudaGetErrorName(e), a.type, a.device, a.devicePointer == p, a.devicePointer == NULL, a.hostPointer != NULL); cudaGetLastError(); }
static void part(int which) {
    int *a, *b, *c, d = -1, v = 0; CUcontext x, y, cur; CUmodule m, n; CUdeviceptr p, q; size_t bytes; CUfunction f; unsigned fl; int act;
    if (which == 0) { // device 1 has no context when device 0 faults
        set(0); far<<<1, 1>>>(); S(cudaDeviceSynchronize()); S(cudaSetDevice(1)); S(cudaMalloc(&b, 4)); S(cudaGetDevice(&d)); V(d); D(cuDevicePrimaryCtxGetState(1, &fl, &act)); V(act); D(cuCtxCreate(&x, NULL, 0, 1)); D(cuCtxCreate(&x, NULL, 0, 0)); S(cudaDeviceReset()); S(cudaMalloc(&b, 4)); S(cudaSetDevice(0)); S(cudaMalloc(&b, 4)); S(cudaDeviceReset()); S(cudaMalloc(&b, 4)); S(cudaSetDevice(1)); S(cudaMalloc(&b, 4)); S(cudaDeviceReset()); S(cudaMalloc(&b, 4)); S(cudaGetDeviceCount(&d)); V(d); S(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0)); S(cudaSetDevice(0));
    } else if (which == 1) { // contexts of the program
        D(cuInit(0)); D(cuCtxCreate(&x, NULL, 0, 0)); D(cuMemAlloc(&p, 256)); D(cuCtxCreate(&y, NULL, 0, 1)); D(cuMemAlloc(&q, 256)); D(cuCtxSetCurrent(x)); far<<<1, 1>>>(); D(cuCtxSynchronize()); D(cuCtxSetCurrent(y)); D(cuMemsetD8(q, 0, 4)); D(cuCtxSynchronize()); D(cuCtxDestroy(x)); D(cuMemsetD8(q, 0, 4)); D(cuCtxCreate(&x, NULL, 0, 0)); D(cuCtxSetCurrent(y)); D(cuCtxDestroy(y)); D(cuCtxCreate(&y, NULL, 0, 1)); D(cuCtxCreate(&x, NULL, 0, 0)); D(cuDevicePrimaryCtxRetain(&x, 0)); D(cuDevicePrimaryCtxRetain(&x, 1));
    } else if (which == 2) { // not looked at: which calls see it first on the other device
        set(0); S(cudaMalloc(&a, 256)); cudaStream_t s; S(cudaStreamCreate(&s)); set(1); S(cudaMalloc(&b, 256)); S(cudaSetDevice(0)); far<<<1, 1>>>(); S(cudaSetDevice(1)); S(cudaSetDevice(0)); S(cudaStreamQuery(s)); S(cudaMalloc(&c, 4)); S(cudaDeviceSynchronize());
    } else if (which == 3) { // not looked at: a call on the other device that waits
        set(0); S(cudaMalloc(&a, 256)); set(1); S(cudaMalloc(&b, 256)); S(cudaSetDevice(0)); far<<<1, 1>>>(); S(cudaSetDevice(1)); S(cudaDeviceSynchronize()); S(cudaMemset(b, 0, 4)); S(cudaSetDevice(0)); S(cudaMalloc(&c, 4));
    } else if (which == 4) { // valid devices
        int list[2] = {1, 0}; S(cudaSetValidDevices(list, 1)); S(cudaGetDevice(&d)); V(d); S(cudaSetDevice(0)); S(cudaGetDevice(&d)); V(d); S(cudaMalloc(&a, 4)); S(cudaGetDevice(&d)); V(d); std::thread([] { int e = -1; S(cudaGetDevice(&e)); V(e); S(cudaFree(0)); S(cudaGetDevice(&e)); V(e); }).join(); S(cudaSetValidDevices(NULL, 0)); std::thread([] { int e = -1; S(cudaGetDevice(&e)); V(e); }).join(); S(cudaSetValidDevices(list, 0)); S(cudaSetValidDevices(NULL, 1)); S(cudaSetValidDevices(list, 3)); S(cudaSetValidDevices(list, -1)); int twice[2] = {1, 1}; S(cudaSetValidDevices(twice, 2)); std::thread([] { int e = -1; S(cudaGetDevice(&e)); V(e); }).join();
    } else if (which == 5) { // a thread that chose none, and one that used a device, when the list comes
        int list[2] = {1, 0}; S(cudaGetDevice(&d)); V(d); S(cudaSetValidDevices(list, 2)); S(cudaGetDevice(&d)); V(d); S(cudaFree(0)); S(cudaSetValidDevices(list + 1, 1)); S(cudaGetDevice(&d)); V(d); S(cudaMalloc(&a, 4)); at(a); S(cudaDeviceReset()); S(cudaGetDevice(&d)); V(d);
    } else if (which == 6) { // a thread that used device 0
        int list[2] = {1, 0}; S(cudaFree(0)); S(cudaSetValidDevices(list, 2)); S(cudaGetDevice(&d)); V(d); S(cudaMalloc(&a, 4)); at(a);
    } else if (which == 7) { // managed variables and memory
        set(0); at(&shared_value); bump<<<1, 1>>>(); S(cudaDeviceSynchronize());
    } else if (which == 8) { // managed variables: reset of one device
        set(0); bump<<<1, 1>>>(); S(cudaDeviceSynchronize()); set(1); bump<<<1, 1>>>(); S(cudaDeviceSynchronize()); V(shared_value); S(cudaDeviceReset()); V(shared_value); bump<<<1, 1>>>(); S(cudaDeviceSynchronize()); V(shared_value); at(&shared_value); S(cudaSetDevice(0)); bump<<<1, 1>>>(); S(cudaDeviceSynchronize()); V(shared_value);
    } else if (which == 9) { // the first device is reset
        set(0); bump<<<1, 1>>>(); S(cudaDeviceSynchronize()); set(1); bump<<<1, 1>>>(); S(cudaDeviceSynchronize()); V(shared_value); S(cudaSetDevice(0)); S(cudaDeviceReset()); S(cudaSetDevice(1)); at(&shared_value); bump<<<1, 1>>>(); S(cudaDeviceSynchronize()); V(shared_value);
    } else if (which == 10) { // first use on device 1
        S(cudaSetDevice(1)); bump<<<1, 1>>>(); S(cudaDeviceSynchronize()); V(shared_value); at(&shared_value); D(cuDevicePrimaryCtxGetState(0, &fl, &act)); V(act);
    } else if (which == 11) { // modules and libraries of the driver
        D(cuInit(0)); D(cuDevicePrimaryCtxRetain(&x, 0)); D(cuDevicePrimaryCtxRetain(&y, 1)); D(cuCtxSetCurrent(x)); D(cuModuleLoadData(&m, text)); D(cuModuleGetGlobal(&p, &bytes, m, "m")); D(cuModuleGetFunction(&f, m, "inc")); D(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL)); D(cuCtxSynchronize()); V(*(int *)p); D(cuCtxSetCurrent(y)); D(cuModuleLoadData(&n, text)); D(cuModuleGetGlobal(&q, &bytes, n, "m")); V(p == q); V(*(int *)q); at((void *)p); at((void *)q); D(cuPointerGetAttribute(&d, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, q)); V(d); D(cuPointerGetAttribute(&cur, CU_POINTER_ATTRIBUTE_CONTEXT, q)); V(cur == y);
        CUlibrary l; CUkernel k; D(cuLibraryLoadData(&l, text, NULL, NULL, 0, NULL, NULL, 0)); D(cuLibraryGetManaged(&p, &bytes, l, "m")); V(*(int *)p); D(cuLibraryGetKernel(&k, l, "inc")); D(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL)); D(cuCtxSynchronize()); V(*(int *)p); D(cuCtxSetCurrent(x)); D(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL)); D(cuCtxSynchronize()); V(*(int *)p); D(cuLibraryGetManaged(&q, &bytes, l, "m")); V(p == q); at((void *)q); D(cuLibraryGetGlobal(&q, &bytes, l, "m")); V(p == q); D(cuLibraryGetManaged(&q, &bytes, l, "g")); D(cuLibraryGetManaged(&q, &bytes, l, "zz")); D(cuLibraryUnload(l));
    } else if (which == 12) { // fills of memory without access
        set(0); S(cudaMalloc(&a, 4096)); set(1); S(cudaMalloc(&b, 4096)); S(cudaSetDevice(0)); cudaPitchedPtr pp = make_cudaPitchedPtr(b, 64, 64, 4); S(cudaMemset3D(pp, 0, make_cudaExtent(16, 4, 1))); S(cudaMemset2DAsync(b, 16, 0, 16, 4, 0)); D(cuMemsetD8((CUdeviceptr)b, 0, 4)); D(cuMemsetD32Async((CUdeviceptr)b, 0, 4, 0)); S(cudaMemset(b, 0, 0)); S(cudaMemset(b + 1020, 0, 64)); S(cudaMemset(b + 4096, 0, 4));
        cudaGraph_t g; cudaGraphNode_t nd; cudaGraphExec_t ge; S(cudaGraphCreate(&g, 0)); cudaMemsetParams mp = {b, 0, 1, 4, 64, 1}; S(cudaGraphAddMemsetNode(&nd, g, NULL, 0, &mp)); S(cudaGraphInstantiate(&ge, g, 0)); cudaStream_t s; S(cudaStreamCreate(&s)); S(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); S(cudaMemsetAsync(b, 0, 4, s)); S(cudaStreamEndCapture(s, &g)); D(cuGraphCreate(&g, 0)); CUDA_MEMSET_NODE_PARAMS dp = {(CUdeviceptr)b, 0, 0, 4, 64, 1}; D(cuCtxGetCurrent(&cur)); D(cuGraphAddMemsetNode(&nd, g, NULL, 0, &dp, cur)); D(cuDevicePrimaryCtxRetain(&y, 1)); D(cuGraphAddMemsetNode(&nd, g, NULL, 0, &dp, y)); S(cudaGraphInstantiate(&ge, g, 0)); S(cudaGraphLaunch(ge, s)); S(cudaStreamSynchronize(s)); at(b); S(cudaMallocAsync(&c, 256, s)); at(c); S(cudaSetDevice(1)); at(c); S(cudaMemset(c, 0, 4)); cudaMemPool_t pl; cudaMemAccessDesc ad = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite}; S(cudaDeviceGetDefaultMemPool(&pl, 0)); S(cudaMemPoolSetAccess(pl, &ad, 1)); S(cudaMemset(c, 0, 4)); at(c); ad.flags = cudaMemAccessFlagsProtRead; S(cudaMemPoolSetAccess(pl, &ad, 1)); ad.location.id = 0; S(cudaMemPoolSetAccess(pl, &ad, 1)); ad.flags = cudaMemAccessFlagsProtReadWrite; S(cudaMemPoolSetAccess(pl, &ad, 1)); D(cuMemsetD8((CUdeviceptr)a, 0, 4)); D(cuPointerGetAttribute(&p, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, (CUdeviceptr)a)); D(cuPointerGetAttribute(&cur, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)a)); D(cuPointerGetAttribute(&d, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, (CUdeviceptr)a)); V(d); int *sym; S(cudaGetSymbolAddress((void **)&sym, plain)); at(sym); S(cudaSetDevice(0)); at(sym); S(cudaMemset(sym, 0, 4)); fill<<<1, 1>>>(sym); S(cudaDeviceSynchronize());
    } else if (which == 13) { // a variable of the other device, with and without access
        int *sym; set(1); S(cudaGetSymbolAddress((void **)&sym, plain)); S(cudaSetDevice(0)); S(cudaDeviceEnablePeerAccess(1, 0)); at(sym); S(cudaMemset(sym, 0, 4)); fill<<<1, 1>>>(sym); S(cudaDeviceSynchronize()); S(cudaMemcpy(&v, sym, 4, cudaMemcpyDefault)); V(v); S(cudaDeviceDisablePeerAccess(1)); fill<<<1, 1>>>(sym); S(cudaDeviceSynchronize());
    }
}
int main() { for (int i = 0; i < 14; i++) { printf("== part %d\n", i); fflush(stdout); pid_t pid = fork(); if (!pid) { part(i); fflush(stdout); _exit(0); } int status; waitpid(pid, &status, 0); printf("status %d\n", status); fflush(stdout); } return 0; }
