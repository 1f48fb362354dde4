/* bulk: nothing is wrong. Columns of kernels.tsv say which launch and what is found. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include "../corpus.cuh"

KERNEL(store) {
    __shared__ __align__(128) int s[256];
    for (int i = 0; i < 3; i++) {
        s[T] = a[T] + i;
        PROXY;
        __syncthreads();
        if (!T) {
            bstore(b + 256 * i, s, 1024);
            BCOMMIT;
            BWAITR;
        }
        __syncthreads();
    }
    if (!T)
        BWAIT;
}

KERNEL(load) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
        PROXY;
    }
    __syncthreads();
    if (!T) {
        mexp(&m, 1024);
        bload(s, a, 1024, &m);
    }
    mwait(&m, 0);
    b[T] = s[255 - T];
}

KERNEL(pipe) {
    __shared__ __align__(128) int s[2][256];
    __shared__ u64 f[2], e[2];
    if (!T) {
        for (int i = 0; i < 2; i++) {
            minit(f + i, 1);
            minit(e + i, 256);
        }
        PROXY;
    }
    __syncthreads();
    if (T == 256) {
        for (int i = 0; i < 8; i++) {
            mwait(e + (i & 1), ((i >> 1) & 1) ^ 1);
            mexp(f + (i & 1), 1024);
            bload(s[i & 1], a + 256 * i, 1024, f + (i & 1));
        }
    } else if (T < 256) {
        for (int i = 0; i < 8; i++) {
            mwait(f + (i & 1), (i >> 1) & 1);
            b[256 * i + T] = s[i & 1][255 - T];
            marr(e + (i & 1));
        }
    }
}

KERNEL(pipe_warp_release) {
    __shared__ __align__(128) int s[2][256];
    __shared__ u64 f[2], e[2];
    if (!T) {
        for (int i = 0; i < 2; i++) {
            minit(f + i, 1);
            minit(e + i, 8);
        }
        PROXY;
    }
    __syncthreads();
    if (T >= 256) {
        if (T < 288 && elect())
            for (int i = 0; i < 8; i++) {
                mwait(e + (i & 1), ((i >> 1) & 1) ^ 1);
                mexp(f + (i & 1), 1024);
                bload(s[i & 1], a + 256 * i, 1024, f + (i & 1));
            }
    } else {
        for (int i = 0; i < 8; i++) {
            mwait(f + (i & 1), (i >> 1) & 1);
            int v = s[i & 1][255 - T];
            __syncwarp();
            if (!(T & 31))
                marr(e + (i & 1));
            b[256 * i + T] = v;
        }
    }
}

KERNEL(two_phase) {
    __shared__ u64 m;
    __shared__ int s[256];
    if (!T)
        minit(&m, 256);
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        s[T] = i + T;
        marr(&m);
        mwait(&m, i & 1);
        int v = s[255 - T];
        __syncthreads();
        b[T] = v;
    }
}

KERNEL(generic_then_tma) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
        PROXY;
    }
    s[T] = a[T];
    __syncthreads();
    b[T] = s[255 - T];
    PROXY;
    __syncthreads();
    if (!T) {
        mexp(&m, 1024);
        bload(s, a + 256, 1024, &m);
    }
    mwait(&m, 0);
    b[T + 256] = s[T];
}

KERNEL(split_arrive) {
    __shared__ u64 m;
    __shared__ int s[256];
    if (!T)
        minit(&m, 256);
    __syncthreads();
    s[T] = T;
    u64 tk;
    asm volatile("mbarrier.arrive.shared.b64 %0,[%1];" : "=l"(tk) : "r"(sa(&m)) : "memory");
    asm volatile(
        "{.reg .pred p;\nL%=: mbarrier.try_wait.shared.b64 p,[%0],%1;\n@!p bra L%=;}" ::"r"(sa(&m)),
        "l"(tk)
        : "memory");
    b[T] = s[255 - T];
}

KERNEL(inval_reuse) {
    __shared__ __align__(16) int s[64];
    u64 *m = (u64 *)s;
    if (!T)
        minit(m, 256);
    __syncthreads();
    marr(m);
    mwait(m, 0);
    __syncthreads();
    if (!T)
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(sa(m)) : "memory");
    __syncthreads();
    if (T < 64)
        s[T] = T;
    __syncthreads();
    if (T < 64)
        b[T] = s[63 - T];
}

KERNEL(reduce_add) {
    __shared__ __align__(128) int s[256];
    s[T] = T;
    PROXY;
    __syncthreads();
    if (!T) {
        asm volatile(
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0],[%1],1024;" ::"l"(b),
            "r"(sa(s))
            : "memory");
        BCOMMIT;
        BWAIT;
    }
}
