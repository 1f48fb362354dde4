/* matrices: a mistake in each kernel. Columns of kernels.tsv have the launch and the findings. */
#include "../corpus.cuh"

#define WGPRE                                                                                      \
    __shared__ __align__(128) half s[64 * 16 + 8 * 16];                                            \
    for (int i = T & 127; i < 64 * 16 + 8 * 16; i += 128)                                          \
        s[i] = __float2half(1.f);                                                                  \
    float d[4] = {0, 0, 0, 0};
#define WOUT                                                                                       \
    ((float *)b)[4 * T] = d[0];                                                                    \
    ((float *)b)[4 * T + 1] = d[1];                                                                \
    ((float *)b)[4 * T + 2] = d[2];                                                                \
    ((float *)b)[4 * T + 3] = d[3];

KERNEL(ldmatrix_stride) {
    __shared__ __align__(16) half s[16 * 20];
    for (int i = T; i < 320; i += 32)
        s[i] = __float2half(1.f);
    __syncwarp();
    u32 r[4];
    ldm(r, s + (T & 15) * 20 + (T >> 4) * 8);
    b[T] = r[0] + r[3];
}

KERNEL(ldmatrix_oob) {
    __shared__ __align__(16) half s[16 * 16];
    for (int i = T; i < 256; i += 32)
        s[i] = __float2half(1.f);
    __syncwarp();
    u32 r[4];
    ldm(r, s + (T & 15) * 16 + (T >> 4) * 16);
    b[T] = r[0] + r[3];
}

KERNEL(ldmatrix_nosync) {
    __shared__ __align__(16) half s[16 * 16];
    for (int i = T; i < 256; i += 64)
        s[i] = __float2half(1.f);
    u32 r[4];
    if (T < 32) {
        ldm(r, s + (T & 15) * 16 + (T >> 4) * 8);
        b[T] = r[0] + r[3];
    }
}

KERNEL(wgmma_nowait) {
    WGPRE PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WOUT WWAIT;
}

KERNEL(wgmma_nofence) {
    WGPRE PROXY;
    __syncthreads();
    d[0] = a[T];
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    WOUT
}

KERNEL(wgmma_smem_reuse) {
    WGPRE PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    s[T] = __float2half(2.f);
    WWAIT;
    WOUT
}

KERNEL(wgmma_noproxy) {
    WGPRE __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    WOUT
}

KERNEL(wgmma_nocommit) {
    WGPRE PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WWAIT;
    WOUT
}

KERNEL(sparse_meta) {
    u32 A0 = a[T], d0, d1, d2, d3;
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3},{%4,%4},{%4,%4},{%5,%5,%5,%5},%6,0x0;"
                 : "=r"(d0), "=r"(d1), "=r"(d2), "=r"(d3)
                 : "r"(A0), "r"(0), "r"(n));
    b[T] = d0 + d1 + d2 + d3;
}

KERNEL(wgmma_nosync) {
    WGPRE PROXY;
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    WOUT
}

KERNEL(wgmma_wait1) {
    WGPRE PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    WOUT WWAIT;
}

KERNEL(tma_wgmma_early) {
    __shared__ __align__(128) half s[64 * 16 + 8 * 16];
    __shared__ u64 m;
    float d[4] = {0, 0, 0, 0};
    if (!T)
        minit(&m, 1);
    __syncthreads();
    if (!T) {
        mexp(&m, 2304);
        bload(s, a, 2304, &m);
    }
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    mwait(&m, 0);
    WOUT
}

KERNEL(wg2_other_group) {
    __shared__ __align__(128) half s[64 * 16 + 8 * 16];
    float d[4] = {0, 0, 0, 0};
    if (T >= 128) {
        for (int i = T - 128; i < 1152; i += 128)
            s[i] = __float2half(1.f);
        PROXY;
    } else {
        WFENCE;
        WG(d, dsc(s), dsc(s + 1024));
        WCOMMIT;
        WWAIT;
        WOUT
    }
}

KERNEL(ldmatrix_cpasync) {
    __shared__ __align__(16) half s[16 * 16];
    cpa(s + 8 * (T & 31), a + 4 * (T & 31));
    COMMIT;
    __syncwarp();
    u32 r[4];
    ldm(r, s + (T & 15) * 16 + ((T >> 4) & 1) * 8);
    b[T] = r[0] + r[3];
    WAITG(0);
}

KERNEL(stmatrix_noproxy) {
    __shared__ __align__(128) half s[16 * 16];
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0],{%1,%1,%1,%1};" ::"r"(
                     sa(s + (T & 15) * 16 + ((T >> 4) & 1) * 8)),
                 "r"(T)
                 : "memory");
    __syncthreads();
    if (!T) {
        bstore(b, s, 512);
        BCOMMIT;
        BWAIT;
    }
}

KERNEL(wgmma_areg) {
    __shared__ __align__(128) half s[8 * 16];
    if (T < 128)
        s[T] = __float2half(1.f);
    float d[4] = {0, 0, 0, 0};
    u32 r0 = a[T], r1 = r0, r2 = r0, r3 = r0;
    PROXY;
    __syncthreads();
    WFENCE;
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                 "{%0,%1,%2,%3},{%4,%5,%6,%7},%8,1,1,1,0;\n add.u32 %4,%4,1;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+r"(r0), "+r"(r1), "+r"(r2),
                   "+r"(r3)
                 : "l"(dsc(s)));
    WCOMMIT;
    WWAIT;
    WOUT b[2048 + T] = r0;
}

KERNEL(wait1_second) {
    WGPRE float e[4] = {0, 0, 0, 0};
    PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WG(e, dsc(s), dsc(s + 1024));
    WCOMMIT;
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    b[2048 + T] = (int)e[0];
    WWAIT;
    WOUT
}

KERNEL(wgmma_half_synced) {
    WGPRE PROXY;
    if (T < 64)
        BAR(1, 64);
    else
        BAR(2, 64);
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    WOUT
}

// A stage goes back to the producer while the wgmma still reads it.
KERNEL(released_before_wgmma_wait) {
    __shared__ alignas(1024) char s[4096];
    __shared__ u64 full, empty;
    if (!T) {
        minit(&full, 1);
        minit(&empty, 128);
        MFENCE;
    }
    __syncthreads();
    if (T == 128)
        for (int k = 0; k < 2; k++) {
            if (k)
                mwait(&empty, 0);
            mexp(&full, 4096);
            bload(s, (char *)a + 4096 * k, 4096, &full);
        }
    if (T < 128) {
        float d[4] = {};
        for (int k = 0; k < 2; k++) {
            mwait(&full, k);
            WFENCE;
            WG(d, dsc(s), dsc(s + 2048));
            WCOMMIT;
            marr(&empty);
        }
        WWAIT;
        b[T] = d[0] + d[1] + d[2] + d[3];
    }
}

#define WG_UNSET(x, p)                                                                             \
    asm volatile(                                                                                  \
        "{.reg .f32 d<4>;\n.reg .pred p;\nsetp.ne.u32 p,%3,0;\nwgmma.fence.sync.aligned;\n"        \
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {d0,d1,d2,d3},%1,%2,p,1,1,0,0;\n"       \
        "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nmov.f32 %0,d0;}"      \
        : "=f"(x)                                                                                  \
        : "l"(dsc(s)), "l"(dsc(s + 2048)), "r"(p)                                                  \
        : "memory")

// The first wgmma adds to registers that nothing has set.
KERNEL(accumulator_unset) {
    __shared__ alignas(1024) char s[4096];
    for (int i = T; i < 1024; i += 128)
        ((int *)s)[i] = 0;
    PROXY;
    __syncthreads();
    float x;
    WG_UNSET(x, n + 1);
    b[T] = x;
}
