#include <cuda.h>
#include "h.h"
#define DK(x) do{ CUresult r_=(x); if(r_){ const char*n_=0; cuGetErrorName(r_,&n_); printf("line %d: %s -> %s\n",__LINE__,#x,n_?n_:"?"); bad_++; } }while(0)
static const char ptx[]=
    ".version 8.0\n"
    ".target sm_90\n"
    ".address_size 64\n"
    ".global .align 4 .u32 gv = 11;\n"
    ".visible .entry k(.param .u64 p,.param .u32 v){ .reg .u64 %a;\n"
    ".reg .u32 %r<4>;\n"
    "ld.param.u64 %a,[p];\n"
    "ld.param.u32 %r0,[v];\n"
    "mov.u32 %r1,%tid.x;\n"
    "mad.wide.u32 %a,%r1,4,%a;\n"
    "ld.global.u32 %r2,[gv];\n"
    "add.u32 %r0,%r0,%r1;\n"
    "add.u32 %r0,%r0,%r2;\n"
    "st.global.u32 [%a],%r0;\n"
    "ret;\n"
    "}\n";
int main(){ DK(cuInit(0)); int n; DK(cuDeviceGetCount(&n)); CUdevice d; DK(cuDeviceGet(&d,0)); CUcontext c; DK(cuDevicePrimaryCtxRetain(&c,d)); DK(cuCtxSetCurrent(c)); CUmodule m; char log[1024]=""; CUjit_option jo[]={CU_JIT_INFO_LOG_BUFFER,CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES}; void*jv[]={log,(void*)1024}; DK(cuModuleLoadDataEx(&m,ptx,2,jo,jv)); CUfunction f; DK(cuModuleGetFunction(&f,m,"k")); EXPECT(cuModuleGetFunction(&f,m,"nope")==CUDA_ERROR_NOT_FOUND); DK(cuModuleGetFunction(&f,m,"k")); CUdeviceptr g,p; size_t gs; DK(cuModuleGetGlobal(&g,&gs,m,"gv")); EXPECT(gs==4); DK(cuMemsetD32(g,20,1)); DK(cuMemAlloc(&p,128)); int v=1000; void*a[]={&p,&v}; DK(cuLaunchKernel(f,1,1,1,32,1,1,0,0,a,0)); int h[32]; DK(cuMemcpyDtoH(h,p,128)); EXPECT(h[31]==1051); CUlaunchConfig lc={}; lc.gridDimX=lc.gridDimY=lc.gridDimZ=1; lc.blockDimX=32; lc.blockDimY=lc.blockDimZ=1; v=5; DK(cuLaunchKernelEx(&lc,f,a,0)); DK(cuCtxSynchronize()); DK(cuMemcpyDtoH(h,p,128)); EXPECT(h[0]==25); struct{CUdeviceptr p;int v;} pk={p,7}; size_t sz=12; void*ex[]={CU_LAUNCH_PARAM_BUFFER_POINTER,&pk,CU_LAUNCH_PARAM_BUFFER_SIZE,&sz,CU_LAUNCH_PARAM_END}; DK(cuLaunchKernel(f,1,1,1,32,1,1,0,0,0,ex)); DK(cuMemcpyDtoH(h,p,128)); EXPECT(h[1]==28); int at; DK(cuFuncGetAttribute(&at,CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,f)); EXPECT(at==1024); CUmodule m2; EXPECT(cuModuleLoadData(&m2,"garbage")!=CUDA_SUCCESS); EXPECT(cuModuleLoadData(&m2,".version 8.0\n.target sm_90\n.visible .entry k(){ bogus; }")==CUDA_ERROR_INVALID_PTX); CUlibrary l; DK(cuLibraryLoadData(&l,ptx,0,0,0,0,0,0)); CUkernel kn; DK(cuLibraryGetKernel(&kn,l,"k")); DK(cuLaunchKernel((CUfunction)kn,1,1,1,32,1,1,0,0,a,0)); DK(cuCtxSynchronize()); DK(cuModuleUnload(m)); DK(cuMemFree(p)); return done(); }
