/* matrices: nothing is wrong. Columns of kernels.tsv have the launch and the findings. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include "../corpus.cuh"

#define WGPRE                                                                                      \
    __shared__ __align__(128) half s[2 * (64 * 16 + 8 * 16)];                                      \
    for (int i = T; i < 64 * 16 + 8 * 16; i += 128)                                                \
        s[i] = __float2half(1.f);                                                                  \
    float d[4] = {0, 0, 0, 0};
#define WOUT                                                                                       \
    ((float *)b)[4 * T] = d[0];                                                                    \
    ((float *)b)[4 * T + 1] = d[1];                                                                \
    ((float *)b)[4 * T + 2] = d[2];                                                                \
    ((float *)b)[4 * T + 3] = d[3];

KERNEL(overwrite_after_own_wait) {
    WGPRE PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    s[1024 + T] = __float2half(2.f);
    WOUT
}

KERNEL(wgmma) {
    WGPRE PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    WOUT
}

KERNEL(wgmma_chain) {
    WGPRE PROXY;
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        WFENCE;
        WG(d, dsc(s), dsc(s + 1024));
        WG(d, dsc(s), dsc(s + 1024));
        WCOMMIT;
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }
    WOUT
}

KERNEL(wgmma_tma) {
    WGPRE __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
    }
    PROXY;
    __syncthreads();
    if (!T) {
        mexp(&m, 2304);
        bload(s, a, 2304, &m);
    }
    mwait(&m, 0);
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    WOUT
}

KERNEL(ldmatrix) {
    __shared__ __align__(16) half s[16 * 24];
    for (int i = T; i < 384; i += 64)
        s[i] = __float2half(1.f);
    __syncthreads();
    u32 r[4];
    ldm(r, s + (T & 15) * 24 + ((T >> 4) & 1) * 8);
    b[T] = r[0] + r[3];
}

KERNEL(wgmma_reuse_after) {
    WGPRE PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    __syncthreads();
    for (int i = T; i < 1152; i += 128)
        s[i] = __float2half(2.f);
    PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    WOUT
}

KERNEL(wgmma_wait1) {
    WGPRE float e[4] = {0, 0, 0, 0};
    PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WG(e, dsc(s), dsc(s + 1024));
    WCOMMIT;
    asm volatile("wgmma.wait_group.sync.aligned 1;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
    WOUT WWAIT;
    b[2048 + T] = (int)e[0];
}

KERNEL(wgmma_two_groups) {
    __shared__ __align__(128) half s2[2][64 * 16 + 8 * 16];
    int g = T >> 7;
    half *s = s2[g];
    for (int i = T & 127; i < 64 * 16 + 8 * 16; i += 128)
        s[i] = __float2half(1.f);
    float d[4] = {0, 0, 0, 0};
    PROXY;
    if (g)
        BAR(1, 128);
    else
        BAR(2, 128);
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    WOUT
}

KERNEL(wgmma_shared_b) {
    __shared__ __align__(128) half s[2 * 64 * 16 + 8 * 16];
    int g = T >> 7;
    for (int i = T; i < 2 * 1024 + 128; i += 256)
        s[i] = __float2half(1.f);
    float d[4] = {0, 0, 0, 0};
    PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s + 1024 * g), dsc(s + 2048));
    WCOMMIT;
    WWAIT;
    WOUT
}

KERNEL(wgmma_release_by_one) {
    WGPRE __shared__ u64 e;
    if (!T)
        minit(&e, 1);
    PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    if (!T)
        marr(&e);
    mwait(&e, 0);
    s[T] = __float2half(3.f);
    WOUT
}

KERNEL(wgmma_fence_by_reader) {
    WGPRE __syncthreads();
    PROXY;
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    WOUT
}

KERNEL(wgmma_then_store) {
    WGPRE PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    __syncthreads();
    float *o = (float *)s;
    for (int i = 0; i < 4; i++)
        o[4 * T + i] = d[i];
    PROXY;
    __syncthreads();
    if (!T) {
        bstore(b, o, 2048);
        BCOMMIT;
        BWAIT;
    }
}

KERNEL(mma_from_shared) {
    __shared__ __align__(16) half s[16 * 16 + 16 * 8];
    for (int i = T; i < 384; i += 32)
        s[i] = __float2half(1.f);
    __syncwarp();
    u32 r[4], q[4];
    ldm(r, s + (T & 15) * 16 + (T >> 4) * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1},[%2];"
                 : "=r"(q[0]), "=r"(q[1])
                 : "r"(sa(s + 256 + (T & 15) * 8))
                 : "memory");
    float d[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(q[0]), "r"(q[1]));
    WOUT
}

KERNEL(mma_epilogue_in_warp) {
    __shared__ float s[8][16 * 8];
    int w = T >> 5, l = T & 31;
    float d[4] = {(float)l, 1, 2, 3};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++) {
            s[w][(l >> 2) * 8 + (l & 3) * 2 + i] = d[i];
            s[w][((l >> 2) + 8) * 8 + (l & 3) * 2 + i] = d[2 + i];
        }
        __syncwarp();
        for (int i = 0; i < 4; i++)
            ((float *)b)[w * 128 + i * 32 + l] = s[w][i * 32 + l];
        __syncwarp();
    }
}

KERNEL(staged_tiles) {
    __shared__ __align__(16) half s[2][16 * 16];
    u32 acc = 0;
    int l = T & 31;
    for (int i = l; i < 256; i += 32)
        s[0][i] = __float2half(1.f);
    for (int k = 0; k < 4; k++) {
        __syncwarp();
        if (k < 3)
            for (int i = l; i < 256; i += 32)
                s[(k + 1) & 1][i] = __float2half((float)k);
        u32 r[4];
        ldm(r, s[k & 1] + (l & 15) * 16 + (l >> 4) * 8);
        acc ^= r[0];
    }
    b[T] = acc;
}

#define WG_UNSET(x, p)                                                                             \
    asm volatile(                                                                                  \
        "{.reg .f32 d<4>;\n.reg .pred p;\nsetp.ne.u32 p,%3,0;\nwgmma.fence.sync.aligned;\n"        \
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {d0,d1,d2,d3},%1,%2,p,1,1,0,0;\n"       \
        "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nmov.f32 %0,d0;}"      \
        : "=f"(x)                                                                                  \
        : "l"(dsc(s)), "l"(dsc(s + 2048)), "r"(p)                                                  \
        : "memory")

// The first wgmma of a sum does not read its accumulator, which nothing has set.
KERNEL(accumulator_not_read) {
    __shared__ alignas(1024) char s[4096];
    for (int i = T; i < 1024; i += 128)
        ((int *)s)[i] = 0;
    PROXY;
    __syncthreads();
    float x;
    WG_UNSET(x, n);
    b[T] = x;
}
