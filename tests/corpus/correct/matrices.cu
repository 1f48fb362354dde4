/* matrices: nothing is wrong. Columns of kernels.tsv say which launch and what is found. */
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
