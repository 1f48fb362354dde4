/* bulk: nothing is wrong. Columns of kernels.tsv have the launch and the findings. */
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

KERNEL(two_barriers) {
    __shared__ __align__(128) int s[2][256];
    __shared__ u64 m[2];
    if (!T) {
        minit(m, 1);
        minit(m + 1, 1);
        PROXY;
    }
    __syncthreads();
    if (!T)
        for (int i = 0; i < 2; i++) {
            mexp(m + i, 1024);
            bload(s[i], a + 256 * i, 1024, m + i);
        }
    mwait(m, 0);
    int v = s[0][255 - T];
    mwait(m + 1, 0);
    b[T] = v + s[1][255 - T];
}

KERNEL(expect_apart) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
        PROXY;
    }
    __syncthreads();
    if (!T) {
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0],1024;" ::"r"(sa(&m))
                     : "memory");
        bload(s, a, 512, &m);
        bload(s + 128, a + 128, 512, &m);
        marr(&m);
    }
    mwait(&m, 0);
    b[T] = s[255 - T];
}

KERNEL(all_arrive) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 256);
        PROXY;
    }
    __syncthreads();
    if (!T) {
        mexp(&m, 1024);
        bload(s, a, 1024, &m);
    } else
        marr(&m);
    mwait(&m, 0);
    b[T] = s[255 - T];
}

KERNEL(six_phases) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
        PROXY;
    }
    __syncthreads();
    for (int i = 0; i < 6; i++) {
        if (!T) {
            mexp(&m, 1024);
            bload(s, a + 256 * i, 1024, &m);
        }
        mwait(&m, i & 1);
        b[256 * i + T] = s[255 - T];
        __syncthreads();
    }
}

KERNEL(store_groups) {
    __shared__ __align__(128) int s[3][256];
    for (int i = 0; i < 3; i++)
        s[i][T] = a[T] + i;
    PROXY;
    __syncthreads();
    if (!T) {
        for (int i = 0; i < 3; i++) {
            bstore(b + 256 * i, s[i], 1024);
            BCOMMIT;
        }
        BWAIT;
    }
}

KERNEL(store_ring) {
    __shared__ __align__(128) int s[2][256];
    for (int i = 0; i < 5; i++) {
        if (!T)
            asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        __syncthreads();
        s[i & 1][T] = a[T] + i;
        PROXY;
        __syncthreads();
        if (!T) {
            bstore(b + 256 * i, s[i & 1], 1024);
            BCOMMIT;
        }
    }
    if (!T)
        BWAIT;
}

KERNEL(load_store) {
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
        mwait(&m, 0);
        bstore(b, s, 1024);
        BCOMMIT;
        BWAIT;
    }
}

KERNEL(thread_reads_own_store) {
    __shared__ __align__(128) int s[256];
    s[T] = T;
    PROXY;
    __syncthreads();
    if (!T) {
        bstore(b, s, 1024);
        BCOMMIT;
        BWAIT;
        b[1024] = b[7];
    }
}

KERNEL(drop_and_go) {
    __shared__ u64 m;
    __shared__ int s[256];
    if (!T)
        minit(&m, 256);
    __syncthreads();
    s[T] = T;
    if (T >= 128) {
        asm volatile("mbarrier.arrive_drop.shared.b64 _,[%0];" ::"r"(sa(&m)) : "memory");
        return;
    }
    marr(&m);
    mwait(&m, 0);
    b[T] = s[T + 128];
    marr(&m);
    mwait(&m, 1);
    b[256 + T] = 1;
}

KERNEL(producer_warp) {
    __shared__ __align__(128) int s[4][256];
    __shared__ u64 f[4], e[4];
    if (!T) {
        for (int i = 0; i < 4; i++) {
            minit(f + i, 1);
            minit(e + i, 8);
        }
        PROXY;
    }
    __syncthreads();
    if (T >= 256) {
        if (T == 256)
            for (int i = 0; i < 9; i++) {
                int k = i & 3;
                mwait(e + k, ((i >> 2) & 1) ^ 1);
                mexp(f + k, 1024);
                bload(s[k], a + 256 * i, 1024, f + k);
            }
    } else
        for (int i = 0; i < 9; i++) {
            int k = i & 3;
            mwait(f + k, (i >> 2) & 1);
            int v = s[k][255 - T];
            __syncwarp();
            if (!(T & 31))
                marr(e + k);
            b[256 * i + T] = v;
        }
}

KERNEL(token_wait) {
    __shared__ u64 m;
    __shared__ int s[256];
    if (!T)
        minit(&m, 256);
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        s[T] = T + i;
        u64 tk;
        asm volatile("mbarrier.arrive.shared.b64 %0,[%1];" : "=l"(tk) : "r"(sa(&m)) : "memory");
        asm volatile(
            "{.reg .pred p;\nL%=: mbarrier.test_wait.shared.b64 p,[%0],%1;\n@!p bra L%=;}" ::"r"(
                sa(&m)),
            "l"(tk)
            : "memory");
        b[256 * i + T] = s[255 - T];
        __syncthreads();
    }
}

KERNEL(shared_to_global_parts) {
    __shared__ __align__(128) int s[256];
    s[T] = a[T];
    PROXY;
    __syncthreads();
    if ((T & 31) == 0) {
        bstore(b + T, s + T, 128);
        BCOMMIT;
        BWAIT;
    }
}

// One warp loads, and another one waits before the block exits.
KERNEL(only_the_other_warp_waits) {
    __shared__ alignas(128) int s[32];
    __shared__ u64 full;
    if (!T) {
        minit(&full, 1);
        MFENCE;
        mexp(&full, 128);
        bload(s, a, 128, &full);
    }
    __syncthreads();
    if (T >= 32) {
        mwait(&full, 0);
        b[T] = s[T - 32];
    }
}
