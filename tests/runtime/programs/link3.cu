/* clang-format off */ // Registers of kernels whose units have options of their own in the linker.
#include "d.h"
#include "s.h"
#include <string>
static std::string unit(const char *n, const char *extra = "") {
    std::string s = std::string(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry ") + n + "(.param .u64 p)\n" + extra + "{\n.reg .b64 %rd<3>;\n.reg .f32 %f<101>;\nld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n"; char b[100];
    for (int i = 1; i <= 100; i++) { sprintf(b, "ld.volatile.global.f32 %%f%d, [%%rd2+%d];\n", i, i * 4); s += b; }
    for (int i = 100; i > 0; i--) { sprintf(b, "st.volatile.global.f32 [%%rd2+%d], %%f%d;\n", i * 4 + 1000, i); s += b; }
    return s + "ret;\n}\n";
}
static void init() { CUdevice d; CUcontext c; cuInit(0); cuDeviceGet(&d, 0); cuDevicePrimaryCtxRetain(&c, d); cuCtxSetCurrent(c); }
static void regs(CUmodule m, const char *n) { CUfunction f; int v = -1; CUresult e = cuModuleGetFunction(&f, m, n); cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, f); printf(" %s %d %s", n, (int)e, v <= 32 ? "32" : "more"); }
struct opt { int o; long long v; };
static void go(const char *w, opt whole, opt first, opt second, const char *extra = "") {
    std::string a = unit("a", extra), b = unit("b"); CUlinkState s; CUjit_option wo[] = {(CUjit_option)whole.o}, fo[] = {(CUjit_option)first.o}, so[] = {(CUjit_option)second.o}; void *wv[] = {(void *)whole.v}, *fv[] = {(void *)first.v}, *sv[] = {(void *)second.v};
    CUresult e0 = cuLinkCreate(whole.o >= 0, wo, wv, &s), e1 = cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)a.c_str(), a.size() + 1, "a", first.o >= 0, fo, fv), e2 = cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)b.c_str(), b.size() + 1, "b", second.o >= 0, so, sv); void *out = 0; size_t n = 0; CUresult e3 = cuLinkComplete(s, &out, &n); CUmodule m; CUresult e4 = e3 ? (CUresult)-1 : cuModuleLoadData(&m, out); printf("%s: %d %d %d %d %d", w, e0, e1, e2, e3, e4); if (!e4) { regs(m, "a"); regs(m, "b"); cuModuleUnload(m); } puts(""); cuLinkDestroy(s);
}
static const opt no = {-1, 0};
SECTION(registers) { init(); go("none", no, no, no); go("whole 32", {0, 32}, no, no); go("first 32", no, {0, 32}, no); go("second 32", no, no, {0, 32}); go("first 32, second 64", no, {0, 32}, {0, 64}); go("whole 64, first 32", {0, 64}, {0, 32}, no); go("whole 32, first 64", {0, 32}, {0, 64}, no); go("whole 32, second 255", {0, 32}, no, {0, 255}); go("first 32, of at most 128 threads", no, {0, 32}, no, ".maxntid 128, 1, 1\n"); go("first 32, .maxnreg 64", no, {0, 32}, no, ".maxnreg 64\n"); go("first 32, two blocks", no, {0, 32}, no, ".maxntid 512, 1, 1\n.minnctapersm 2\n"); }
SECTION(threads) { init(); go("whole 1024 threads", {1, 1024}, no, no); go("first 1024 threads", no, {1, 1024}, no); go("first at most 1024", no, {32, 1024}, no); go("first two of an SM", no, {31, 2}, no); go("first level 0", no, {7, 0}, no); go("first level 9", no, {7, 9}, no); go("first for 80", no, {9, 80}, no); go("first cache", no, {14, 1}, no); go("first cache 7", no, {14, 7}, no); }
SECTION(logs) { init(); static char b[500]; for (int o : {2, 3, 4, 5, 6, 8, 12, 13}) { opt q = {o, o == 3 || o == 5 ? (long long)b : 100}; char n[30]; sprintf(n, "option %d", o); go(n, no, q, no); } }
SECTION(twice) { init(); std::string a = unit("a"); for (int k = 0; k < 2; k++) { CUmodule m; CUjit_option os[] = {CU_JIT_MAX_REGISTERS, CU_JIT_MAX_REGISTERS}; void *vs[] = {(void *)(k ? 32ll : 64ll), (void *)(k ? 64ll : 32ll)}; CUresult e = cuModuleLoadDataEx(&m, a.c_str(), 2, os, vs); printf("%d", (int)e); if (!e) regs(m, "a"); puts(""); } CUmodule m; CUjit_option os[] = {CU_JIT_THREADS_PER_BLOCK}; for (long long v : {256ll, 512ll, 1024ll}) { void *vs[] = {(void *)v}; CUresult e = cuModuleLoadDataEx(&m, a.c_str(), 1, os, vs); printf("%d, read %lld", (int)e, (long long)vs[0]); if (!e) regs(m, "a"); puts(""); } os[0] = CU_JIT_MAX_THREADS_PER_BLOCK; for (long long v : {256ll, 1024ll}) { void *vs[] = {(void *)v}; CUresult e = cuModuleLoadDataEx(&m, a.c_str(), 1, os, vs); printf("%d", (int)e); if (!e) regs(m, "a"); puts(""); } }
int main() { return sections_run(); }
