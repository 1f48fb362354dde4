/* clang-format off */ /* Options of the just-in-time compiler, and the linker: logs that are cut, targets, units. */ #include <cstdio>
#include <cstring>
#include <cstdlib>
#include <unistd.h>
#include <sys/wait.h>
#include <cuda.h>
#define P(x) printf("%s = %d\n", #x, (int)(x))
static const char good[] = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p){.reg .u64 %a; ld.param.u64 %a,[p]; st.global.u32 [%a], 7; ret;}\n";
static const char good90[] = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p){.reg .u64 %a; ld.param.u64 %a,[p]; st.global.u32 [%a], 7; ret;}\n";
static const char bad[] = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(){ nonsense; ret;}\n";
static void part(int w) {
    CUdevice dev; CUcontext c; CUmodule m; cuInit(0); cuDeviceGet(&dev, 0); cuDevicePrimaryCtxRetain(&c, dev); cuCtxSetCurrent(c);
    char err[300]; unsigned char fb[24] = {0x50, 0xED, 0x55, 0xBA, 1, 0, 16, 0, 8}; CUlinkState s; void *out; size_t n;
    if (w < 3) { static const int sizes[] = {1, 4, 60}; memset(err, 'E', sizeof err); err[299] = 0; CUjit_option o[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES}; void *v[] = {err, (void *)(long)sizes[w]}; int r = cuModuleLoadDataEx(&m, bad, 2, o, v); printf("size %d: %d strlen %d, value %ld, is full %d\n", sizes[w], r, (int)strlen(err), (long)v[1], (long)v[1] == (long)strlen(err) + 1); }
    else if (w == 5) { static const int t[] = {7, 0, 1, 10, 20, 30, 35, 50, 52, 61, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 110, 120, 121, 130, 999, 0x10000 + 90, 0x10000 + 100, 0x20000 + 100, 0x10000 + 80, -1}; for (int x : t) { CUjit_option o[] = {CU_JIT_TARGET}; void *v[] = {(void *)(long)x}; int r = cuModuleLoadDataEx(&m, good, 1, o, v); int r2 = cuModuleLoadDataEx(&m, good90, 1, o, v); printf("target %d: %d, 90a %d\n", x, r, r2); } }
    else if (w == 6) { CUjit_option o[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE}; memset(err, 'E', sizeof err); err[299] = 0; void *v[] = {err, (void *)299, (void *)1}; int r = cuModuleLoadDataEx(&m, good, 3, o, v); printf("info %d strlen %d value %ld\n", r, (int)strlen(err), (long)v[1]); }
    else if (w == 7) { P(cuLinkCreate(0, 0, 0, &s)); P(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)"garbage", 8, "g", 0, 0, 0)); P(cuLinkComplete(s, &out, &n)); P(cuLinkDestroy(s)); }
    else if (w == 8) { P(cuLinkCreate(0, 0, 0, &s)); P(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)"", 1, "e", 0, 0, 0)); P(cuLinkComplete(s, &out, &n)); P(cuLinkDestroy(s)); }
    else if (w == 9) { P(cuLinkCreate(0, 0, 0, &s)); P(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)good, 0, "z", 0, 0, 0)); P(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)good, sizeof good, 0, 0, 0, 0)); P(cuLinkComplete(s, &out, &n)); P(n > 0); P(cuLinkDestroy(s)); }
    else if (w == 10) { P(cuLinkCreate(0, 0, 0, &s)); P(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)good, sizeof good, "a", 0, 0, 0)); P(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)good, sizeof good, "twice", 0, 0, 0)); P(cuLinkComplete(s, &out, &n)); P(cuLinkDestroy(s)); }
    else if (w == 11) { P(cuLinkCreate(0, 0, 0, &s)); P(cuLinkAddData(s, CU_JIT_INPUT_CUBIN, (void *)"garbage", 8, "g", 0, 0, 0)); P(cuLinkDestroy(s)); }
    else if (w == 12) { P(cuLinkCreate(0, 0, 0, &s)); P(cuLinkAddData(s, (CUjitInputType)77, fb, sizeof fb, "f", 0, 0, 0)); P(cuLinkDestroy(s)); }
    else if (w == 15) { P(cuLinkCreate(0, 0, 0, &s)); P(cuLinkComplete(s, &out, &n)); P(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)good, sizeof good, "late", 0, 0, 0)); P(cuLinkComplete(s, &out, &n)); P(cuLinkDestroy(s)); }
    else if (w == 17) { P(cuLinkCreate(0, 0, 0, &s)); P(cuLinkAddFile(s, CU_JIT_INPUT_PTX, "/nowhere.ptx", 0, 0, 0)); P(cuLinkAddFile(s, CU_JIT_INPUT_PTX, "/dev/null", 0, 0, 0)); P(cuLinkDestroy(s)); }
}
int main() { setvbuf(stdout, 0, _IONBF, 0);
    for (int i : {0, 1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 15, 17}) { printf("== %d\n", i); pid_t p = fork(); if (!p) { alarm(6); part(i); _exit(0); } int st; waitpid(p, &st, 0); if (st) printf("status %d\n", st); } return 0; }
