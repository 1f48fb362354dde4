/* tensor.cuh - instructions of tcgen05 for the suite `tensor`, which nvcc compiles for sm_100a. */
#pragma once
#include "corpus.cuh"
#define ALLOC(slot, n)                                                                             \
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0],%1;" ::"r"(         \
                     sa(slot)),                                                                    \
                 "r"(n)                                                                            \
                 : "memory")
#define FREE(t, n) asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0,%1;" ::"r"(t), "r"(n))
#define RELINQUISH asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;")
#define BEFORE asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory")
#define AFTER asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory")
#define WAIT_LD asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory")
#define WAIT_ST asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory")
__device__ __forceinline__ int tld(u32 t) {
    int x;
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0},[%1];" : "=r"(x) : "r"(t) : "memory");
    return x;
}
__device__ __forceinline__ void tst(u32 t, int x) {
    asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0],{%1};" ::"r"(t), "r"(x) : "memory");
}
/* The lanes of a warp. */
__device__ __forceinline__ u32 mine(u32 t) {
    return t + (T / 32 % 4 << 21);
}
__device__ __forceinline__ void commit(u64 *m) {
    asm volatile(
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(sa(m))
        : "memory");
}
/* K-major, no swizzle: 16 bytes of K by 8 rows are 128 bytes; then K, then rows. */
__device__ __forceinline__ u64 tdesc(const void *p) {
    return (u64)(sa(p) >> 4) | (u64)8 << 16 | (u64)16 << 32 | (u64)1 << 46;
}
#define IDESC 0x08020010u /* f16 x f16 -> f32, M 128, N 8 */
#define MMA_OP(words, d, a, b, idesc, adds)                                                        \
    ({ asm volatile("{.reg .pred p;\nsetp.ne.u32 p,%4,0;\n"                                           \
                 "tcgen05.mma.cta_group::1.kind::f16" words " [%0],%1,%2,%3,p;}" ::"r"(d),         \
                 "l"(a), "l"(b), "r"(idesc), "r"(adds)                                             \
                 : "memory"); })
#define MMA(d, a, b, adds) MMA_OP("", d, a, b, IDESC, adds)
#define MMA_WS(words, d, a, b, idesc)                                                              \
    ({ asm volatile("{.reg .pred p;\nsetp.ne.u32 p,0,0;\n"                                            \
                 "tcgen05.mma.ws.cta_group::1.kind::f16" words " [%0],%1,%2,%3,p;}" ::"r"(d),      \
                 "l"(a), "l"(b), "r"(idesc)                                                        \
                 : "memory"); })
#define MMA_SCALED(d, a, b, idesc, fa, fb)                                                         \
    ({ asm volatile("{.reg .pred p;\nsetp.ne.u32 p,0,0;\n"                                            \
                 "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%0],%1,%2,%3,[%4],[%5],"    \
                 "p;}" ::"r"(d),                                                                   \
                 "l"(a), "l"(b), "r"(idesc), "r"(fa), "r"(fb)                                      \
                 : "memory"); })
/* A in tensor memory. */
#define MMA_TENSOR(d, a, b)                                                                        \
    ({ asm volatile("tcgen05.mma.cta_group::1.kind::f16 [%0],[%1],%2,%3,0;" ::"r"(d), "r"(a),      \
                 "l"(b), "r"(IDESC)                                                                \
                 : "memory"); })
#define MMA_SPARSE(d, a, b, e)                                                                     \
    ({ asm volatile("tcgen05.mma.sp.cta_group::1.kind::f16 [%0],%1,%2,[%3],%4,0;" ::"r"(d),        \
                 "l"(a), "l"(b), "r"(e), "r"(IDESC | 4u)                                           \
                 : "memory"); })
/* Two factors of each row: kind::mxf4. */
#define MMA_MXF4(d, a, b, idesc, fa, fb)                                                           \
    ({ asm volatile("tcgen05.mma.cta_group::1.kind::mxf4.block_scale [%0],%1,%2,%3,[%4],[%5],0;"   \
                 ::"r"(d), "l"(a), "l"(b), "r"(idesc), "r"(fa), "r"(fb)                            \
                 : "memory"); })
#define SHIFT(t) ({ asm volatile("tcgen05.shift.cta_group::1.down [%0];" ::"r"(t) : "memory"); })
#define CP(t, d) ({ asm volatile("tcgen05.cp.cta_group::1.128x128b [%0],%1;" ::"r"(t), "l"(d) : "memory"); })

/* A block of 128 threads with A (128 x 16) and B (8 x 16) of f16 in shared memory. It has `columns`
 * of tensor memory, and an mbarrier. */
struct place {
    __align__(1024) unsigned char a[4096], b[2048];
    u64 done, full;
    u32 slot[4];
};
/* Both matrices, which the block fills. */
#define FILL                                                                                       \
    __shared__ place s;                                                                            \
    for (int i = T; i < 1024; i += 128)                                                            \
        ((int *)s.a)[i] = a[i];                                                                    \
    for (int i = T; i < 512; i += 128)                                                             \
        ((int *)s.b)[i] = a[i]
#define BEGIN(columns)                                                                             \
    FILL;                                                                                          \
    if (T == 0) {                                                                                  \
        minit(&s.done, 1), minit(&s.full, 1);                                                      \
        MFENCE;                                                                                    \
    }                                                                                              \
    if (T < 32)                                                                                    \
        ALLOC(&s.slot[0], columns);                                                                \
    PROXY;                                                                                         \
    BEFORE;                                                                                        \
    __syncthreads();                                                                               \
    AFTER;                                                                                         \
    u32 t = s.slot[0];                                                                             \
    u64 da = tdesc(s.a), db = tdesc(s.b);                                                          \
    (void)da, (void)db
#define END(columns)                                                                               \
    BEFORE;                                                                                        \
    __syncthreads();                                                                               \
    if (T < 32) {                                                                                  \
        AFTER;                                                                                     \
        FREE(t, columns);                                                                          \
    }
#define RESULT                                                                                     \
    b[T] = tld(mine(t));                                                                           \
    WAIT_LD

/* A pair of blocks: each has 128 rows of A and D, and 8 of 16 columns of B. */
#define MMA_PAIR(d, a, b)                                                                          \
    ({ asm volatile("tcgen05.mma.cta_group::2.kind::f16 [%0],%1,%2,%3,0;" ::"r"(d), "l"(a),        \
                 "l"(b), "r"(0x10040010u)                                                          \
                 : "memory"); })
#define COMMIT_PAIR(m, blocks)                                                                     \
    ({ asm volatile("{.reg .b16 h;\ncvt.u16.u32 h,%1;\n"                                           \
                 "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster"               \
                 ".multicast::cluster.b64 [%0],h;}" ::"r"(sa(m)),                                  \
                 "r"(blocks)                                                                       \
                 : "memory"); })
#define BEGIN_PAIR(sync)                                                                           \
    FILL;                                                                                          \
    if (T == 0) {                                                                                  \
        minit(&s.done, 1);                                                                         \
        MFENCE;                                                                                    \
    }                                                                                              \
    if (T < 32)                                                                                    \
        asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0],32;" ::"r"(     \
                         sa(&s.slot[0]))                                                           \
                     : "memory");                                                                  \
    PROXY;                                                                                         \
    BEFORE;                                                                                        \
    sync;                                                                                          \
    AFTER;                                                                                         \
    u32 t = s.slot[0];                                                                             \
    u64 da = tdesc(s.a), db = tdesc(s.b)
#define END_PAIR                                                                                   \
    b[T + 128 * B] = tld(mine(t));                                                                 \
    WAIT_LD;                                                                                       \
    BEFORE;                                                                                        \
    CSYNC;                                                                                         \
    if (T < 32) {                                                                                  \
        AFTER;                                                                                     \
        asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0,32;" ::"r"(t));             \
    }
