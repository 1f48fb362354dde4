#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#define P(x) do { CUresult e_ = (x); const char *n_ = 0; cuGetErrorName(e_, &n_); printf("%d: %s -> %d %s\n", __LINE__, #x, (int)e_, n_ ? n_ : "?"); } while (0)
#define V(x) printf("%d: %s = %lld\n", __LINE__, #x, (long long)(x))
static char A[] = ".version 8.0\n"
".target sm_90\n"
".address_size 64\n"
".extern .func (.param .b32 r) twice(.param .b32 x);\n"
".visible .entry k(.param .u64 p){ .reg .b32 %r<3>; "
".reg .b64 %d<2>; "
"ld.param.u64 %d1,[p]; "
"cvta.to.global.u64 %d1,%d1; "
"mov.u32 %r1, 21; "
"{ .param .b32 x; "
".param .b32 r; "
"st.param.b32 [x], %r1; "
"call (r), twice, (x); "
"ld.param.b32 %r2, [r]; "
"} st.global.u32 [%d1],%r2; "
"ret; "
"}\n", B[] = ".version 8.0\n"
".target sm_90\n"
".address_size 64\n"
".visible .func (.param .b32 r) twice(.param .b32 x){ .reg .b32 %r<2>; "
"ld.param.b32 %r1,[x]; "
"add.u32 %r1,%r1,%r1; "
"st.param.b32 [r],%r1; "
"ret; "
"}\n", C[] = "rubbish";
#line 8
int main() { setvbuf(stdout, 0, _IONBF, 0); cuInit(0); CUcontext c; cuDevicePrimaryCtxRetain(&c, 0); cuCtxSetCurrent(c); CUlinkState s; CUmodule m; CUfunction f; void *o; size_t z; CUdeviceptr p; cuMemAlloc(&p, 4); int v; P(cuLinkCreate(0, 0, 0, &s)); P(cuLinkAddData(s, CU_JIT_INPUT_PTX, A, sizeof A, "a", 0, 0, 0)); P(cuLinkAddData(s, CU_JIT_INPUT_PTX, B, sizeof B, "b", 0, 0, 0)); P(cuLinkComplete(s, &o, &z)); V(z > 0); P(cuModuleLoadData(&m, o)); P(cuLinkDestroy(s)); P(cuModuleGetFunction(&f, m, "k")); void *a[] = {&p}; P(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, a, 0)); P(cuMemcpyDtoH(&v, p, 4)); V(v); P(cuModuleUnload(m)); P(cuModuleUnload(m)); P(cuLinkCreate(0, 0, 0, &s)); P(cuLinkAddData(s, CU_JIT_INPUT_PTX, A, sizeof A, "a", 0, 0, 0)); P(cuLinkComplete(s, &o, &z)); P(cuLinkDestroy(s)); char log[2000] = "", err[2000] = ""; CUjit_option jo[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_WALL_TIME}; float wt = -1; void *jv[] = {log, (void *)2000, err, (void *)2000, &wt}; P(cuLinkCreate(4, jo, jv, &s)); P(cuLinkAddData(s, CU_JIT_INPUT_PTX, C, sizeof C, "c", 0, 0, 0)); V(strlen(err) > 0); P(cuLinkDestroy(s)); P(cuLinkCreate(0, 0, 0, &s)); P(cuLinkAddFile(s, CU_JIT_INPUT_PTX, "/none", 0, 0, 0)); P(cuLinkComplete(s, &o, &z)); P(cuLinkDestroy(s)); P(cuLinkCreate(0, 0, 0, 0)); P(cuModuleLoadDataEx(&m, B, 0, 0, 0)); P(cuModuleGetFunction(&f, m, "twice")); P(cuModuleLoadDataEx(&m, C, 4, jo, jv)); P(cuModuleLoadData(&m, A)); CUjit_option o2[] = {CU_JIT_MAX_REGISTERS, CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_TARGET}; void *v2[] = {(void *)32, (void *)9, (void *)90}; P(cuModuleLoadDataEx(&m, B, 1, o2, v2)); P(cuModuleLoadDataEx(&m, B, 2, o2, v2)); return 0; }
