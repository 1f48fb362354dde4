/* clang-format off */ /* Two contexts of a device: the driver refuses kernels, streams and events of the other one. */ #include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#define D(x) do { CUresult e_ = (x); const char *n_ = "?"; cuGetErrorName(e_, &n_); printf("%d %s -> %s\n", __LINE__, #x, n_); fflush(stdout);} while (0)
static const char ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n" ".visible .entry k(.param .u64 p) { .reg .u64 %a; .reg .u32 %r<4>; " "ld.param.u64 %a, [p]; ld.global.u32 %r1, [%a]; add.u32 %r1, %r1, 1; st.global.u32 [%a], %r1; ret; }\n";
int main() {
    CUcontext a, b; CUmodule m; CUfunction k; CUdeviceptr p, q; int v = -1; CUdevice d; CUstream sa;
    D(cuInit(0)); D(cuDeviceGet(&d, 0)); 
    D(cuCtxCreate(&a, NULL, 0, d)); D(cuMemAlloc(&p, 4)); D(cuMemsetD32(p, 5, 1)); D(cuStreamCreate(&sa, 0));
    D(cuCtxCreate(&b, NULL, 0, d)); D(cuMemAlloc(&q, 4)); D(cuMemsetD32(q, 7, 1)); D(cuMemcpyDtoD(q, p, 4)); D(cuMemcpyDtoH(&v, q, 4)); printf("v %d\n", v);
    D(cuMemcpyDtoH(&v, p, 4)); D(cuMemsetD32(p, 6, 1)); printf("v %d\n", v);
    D(cuCtxEnablePeerAccess(a, 0));
    D(cuMemFree(p) == CUDA_SUCCESS ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS); 
    D(cuCtxSetCurrent(a)); D(cuMemAlloc(&p, 4)); D(cuMemsetD32(p, 5, 1)); D(cuCtxSetCurrent(b));
    D(cuModuleLoadData(&m, ptx)); D(cuModuleGetFunction(&k, m, "k"));
    void *args[] = {&q}; D(cuLaunchKernel(k, 1,1,1, 1,1,1, 0, 0, args, NULL)); D(cuCtxSynchronize());
    D(cuLaunchKernel(k, 1,1,1, 1,1,1, 0, sa, args, NULL)); D(cuStreamSynchronize(sa)); D(cuStreamQuery(sa)); D(cuMemsetD32Async(q, 1, 1, sa)); D(cuMemcpyDtoDAsync(q, p, 4, sa)); CUevent e; D(cuEventCreate(&e, 0)); D(cuEventRecord(e, sa)); D(cuStreamWaitEvent(sa, e, 0));
    CUcontext c; D(cuStreamGetCtx(sa, &c)); printf("ctx a %d\n", c == a); D(cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, p)); printf("ctx a %d\n", c == a);
    D(cuCtxSynchronize());
    args[0] = &p; D(cuLaunchKernel(k, 1,1,1, 1,1,1, 0, 0, args, NULL)); D(cuCtxSynchronize()); D(cuMemcpyDtoH(&v, p, 4)); printf("v %d\n", v);
    D(cuCtxSetCurrent(a)); D(cuMemcpyDtoH(&v, p, 4)); printf("v %d\n", v); D(cuCtxSynchronize());
    D(cuLaunchKernel(k, 1,1,1, 1,1,1, 0, 0, args, NULL)); D(cuCtxSynchronize()); D(cuMemcpyDtoH(&v, p, 4)); printf("v %d\n", v);
    D(cuModuleUnload(m)); D(cuCtxDestroy(b)); D(cuMemcpyDtoH(&v, q, 4)); D(cuMemFree(q)); return 0;
}
