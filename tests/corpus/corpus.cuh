/* corpus.cuh - shared by the kernels of this folder. Each has the arguments a (64 KB, all bytes 1), b
 * (64 KB of zeros), u (4 KB, uninitialised) and n (0). */
#pragma once
#include <cuda_fp16.h>
#include <stdint.h>
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
typedef unsigned u32;
typedef unsigned long long u64;
#define T ((int)threadIdx.x)
#define B ((int)blockIdx.x)
#define KERNEL(name) extern "C" __global__ void name(int *a, int *b, int *u, int n)
__device__ __forceinline__ u32 sa(const void *p) {
    return (u32)__cvta_generic_to_shared(p);
}
__device__ __forceinline__ void cpa(void *s, const void *g) {
    asm volatile("cp.async.cg.shared.global [%0],[%1],16;" ::"r"(sa(s)), "l"(g) : "memory");
}
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAITG(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define PROXY asm volatile("fence.proxy.async;" ::: "memory")
__device__ __forceinline__ void minit(u64 *m, int c) {
    asm volatile("mbarrier.init.shared.b64 [%0],%1;" ::"r"(sa(m)), "r"(c) : "memory");
}
__device__ __forceinline__ void mexp(u64 *m, int b) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _,[%0],%1;" ::"r"(sa(m)), "r"(b) : "memory");
}
__device__ __forceinline__ void marr(u64 *m) {
    asm volatile("mbarrier.arrive.shared.b64 _,[%0];" ::"r"(sa(m)) : "memory");
}
__device__ __forceinline__ void mwait(u64 *m, int p) {
    asm volatile(
        "{.reg .pred p;\nL%=: mbarrier.try_wait.parity.shared.b64 p,[%0],%1;\n@!p bra L%=;}" ::"r"(
            sa(m)),
        "r"(p)
        : "memory");
}
__device__ __forceinline__ void mwait_relaxed(u64 *m, int p) {
    asm volatile("{.reg .pred p;\nL%=: mbarrier.try_wait.parity.relaxed.cta.shared.b64 p,[%0],%1;\n"
                 "@!p bra L%=;}" ::"r"(sa(m)),
                 "r"(p)
                 : "memory");
}
__device__ __forceinline__ void bload(void *s, const void *g, int n, u64 *m) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],%2,[%3];" ::
            "r"(sa(s)),
        "l"(g), "r"(n), "r"(sa(m))
        : "memory");
}
__device__ __forceinline__ void bstore(void *g, const void *s, int n) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0],[%1],%2;" ::"l"(g), "r"(sa(s)),
                 "r"(n)
                 : "memory");
}
#define BCOMMIT asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define BWAIT asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")
#define BWAITR asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory")
#define BAR(id, n) asm volatile("bar.sync %0,%1;" ::"n"(id), "n"(n) : "memory")
#define ARR(id, n) asm volatile("bar.arrive %0,%1;" ::"n"(id), "n"(n) : "memory")
#define MFENCE asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")
#define CARRIVE asm volatile("barrier.cluster.arrive.aligned;" ::: "memory")
#define CWAIT asm volatile("barrier.cluster.wait.aligned;" ::: "memory")
#define CSYNC                                                                                      \
    do {                                                                                           \
        CARRIVE;                                                                                   \
        CWAIT;                                                                                     \
    } while (0)
__device__ __forceinline__ u32 mapa(u32 a, int r) {
    u32 x;
    asm volatile("mapa.shared::cluster.u32 %0,%1,%2;" : "=r"(x) : "r"(a), "r"(r));
    return x;
}
__device__ __forceinline__ int ldc(u32 a) {
    int x;
    asm volatile("ld.shared::cluster.u32 %0,[%1];" : "=r"(x) : "r"(a) : "memory");
    return x;
}
__device__ __forceinline__ void stc(u32 a, int v) {
    asm volatile("st.shared::cluster.u32 [%0],%1;" ::"r"(a), "r"(v) : "memory");
}
__device__ __forceinline__ int ldacq(const int *p) {
    int x;
    asm volatile("ld.acquire.gpu.global.u32 %0,[%1];" : "=r"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ int ldacqc(const int *p) {
    int x;
    asm volatile("ld.acquire.cta.global.u32 %0,[%1];" : "=r"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ int ldrlx(const int *p) {
    int x;
    asm volatile("ld.relaxed.gpu.global.u32 %0,[%1];" : "=r"(x) : "l"(p) : "memory");
    return x;
}
__device__ __forceinline__ void strel(int *p, int v) {
    asm volatile("st.release.gpu.global.u32 [%0],%1;" ::"l"(p), "r"(v) : "memory");
}
__device__ __forceinline__ void strelc(int *p, int v) {
    asm volatile("st.release.cta.global.u32 [%0],%1;" ::"l"(p), "r"(v) : "memory");
}
__device__ __forceinline__ void strlx(int *p, int v) {
    asm volatile("st.relaxed.gpu.global.u32 [%0],%1;" ::"l"(p), "r"(v) : "memory");
}
__device__ __forceinline__ bool elect() {
    u32 p;
    asm volatile("{.reg .pred p; elect.sync _|p,0xffffffff; selp.u32 %0,1,0,p;}" : "=r"(p));
    return p;
}
#define WFENCE asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define WCOMMIT asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WWAIT asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory")
__device__ __forceinline__ u64 dsc(const void *p) {
    u64 a = sa(p);
    return ((a & 0x3ffff) >> 4) | ((u64)8 << 16) | ((u64)16 << 32);
}
// m64n8k16 f32: 4 acc
#define WG(d, A, Bd)                                                                               \
    asm volatile(                                                                                  \
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3},%4,%5,1,1,1,0,0;"         \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                           \
        : "l"(A), "l"(Bd))
__device__ __forceinline__ void ldm(u32 *r, const void *p) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(sa(p))
                 : "memory");
}
