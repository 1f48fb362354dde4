/* clusters: nothing is wrong. Columns of kernels.tsv have the launch and the findings. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include "../corpus.cuh"

KERNEL(dsmem) {
    __shared__ int s[64];
    if (T < 64)
        s[T] = T + B;
    CSYNC;
    int v = ldc(mapa(sa(s + T % 64), B ^ 1));
    CSYNC;
    b[T + 256 * B] = v;
}

KERNEL(cg_cluster) {
    __shared__ int s[256];
    auto c = cg::this_cluster();
    s[T] = T + B;
    c.sync();
    int *r = c.map_shared_rank(s, B ^ 1);
    b[T + 256 * B] = r[255 - T];
    c.sync();
}

KERNEL(remote_mbar) {
    __shared__ u64 m;
    __shared__ int s[64];
    if (!T) {
        minit(&m, 256);
        MFENCE;
    }
    CSYNC;
    if (T < 64)
        stc(mapa(sa(s + T), B ^ 1), T + 1);
    asm volatile(
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%0];" ::"r"(mapa(sa(&m), B ^ 1))
        : "memory");
    asm volatile("{.reg .pred p;\nL%=: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
                 "p,[%0],0;\n@!p bra L%=;}" ::"r"(sa(&m))
                 : "memory");
    if (T < 64)
        b[T + 256 * B] = s[T];
    CSYNC;
}

KERNEL(st_async) {
    __shared__ u64 m;
    __shared__ __align__(16) int s[64];
    if (!T) {
        minit(&m, 1);
        mexp(&m, 256);
        MFENCE;
    }
    CSYNC;
    if (T < 64)
        asm volatile(
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0],%1,[%2];" ::"r"(
                mapa(sa(s + T), B ^ 1)),
            "r"(T), "r"(mapa(sa(&m), B ^ 1))
            : "memory");
    mwait(&m, 0);
    if (T < 64)
        b[T + 256 * B] = s[T];
    CSYNC;
}

KERNEL(multicast) {
    __shared__ u64 m;
    __shared__ __align__(128) int s[256];
    if (!T) {
        minit(&m, 1);
        mexp(&m, 1024);
        MFENCE;
    }
    CSYNC;
    if (!T && !B)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                     "cluster [%0],[%1],1024,[%2],%3;" ::"r"(sa(s)),
                     "l"(a), "r"(sa(&m)), "h"((short)3)
                     : "memory");
    mwait(&m, 0);
    b[T + 256 * B] = s[T];
    CSYNC;
}

KERNEL(split_arrive) {
    __shared__ int s[256];
    s[T] = T + B;
    CARRIVE;
    int x = a[T];
    CWAIT;
    int v = ldc(mapa(sa(s + T), B ^ 1));
    CARRIVE;
    b[T + 256 * B] = v + x;
    CWAIT;
}

KERNEL(dsmem_hist) {
    __shared__ int s[16];
    if (T < 16)
        s[T] = 0;
    CSYNC;
    asm volatile(
        "red.relaxed.cluster.shared::cluster.add.u32 [%0],1;" ::"r"(mapa(sa(s + (T & 15)), T & 1))
        : "memory");
    CSYNC;
    if (T < 16)
        b[T + 16 * B] = s[T];
}

KERNEL(ring_of_blocks) {
    __shared__ int s[256];
    s[T] = T + B;
    CSYNC;
    int v = ldc(mapa(sa(s + T), (B + 1) & 3));
    CSYNC;
    s[T] = v;
    CSYNC;
    b[256 * B + T] = ldc(mapa(sa(s + 255 - T), (B + 3) & 3));
    CSYNC;
}

KERNEL(reduce_to_first) {
    __shared__ int s[4];
    if (T < 4)
        s[T] = 0;
    CSYNC;
    if (!T)
        stc(mapa(sa(s + B), 0), B + 1);
    CSYNC;
    if (B == 0 && !T)
        b[0] = s[0] + s[1] + s[2] + s[3];
}

KERNEL(writes_then_exit) {
    __shared__ int s[256];
    CSYNC;
    stc(mapa(sa(s + T), B ^ 1), T);
    CSYNC;
    b[256 * B + T] = s[T];
}

KERNEL(remote_atomics) {
    __shared__ int count;
    if (!T)
        count = 0;
    CSYNC;
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0],1;" ::"r"(mapa(sa(&count), 0))
                 : "memory");
    CSYNC;
    if (B == 0 && !T)
        b[0] = count;
}

KERNEL(full_and_empty) {
    __shared__ u64 f, e;
    __shared__ int s[64];
    if (!T) {
        minit(&f, 64);
        minit(&e, 64);
        MFENCE;
    }
    CSYNC;
    if (B == 0) {
        if (T < 64)
            for (int i = 0; i < 4; i++) {
                if (i)
                    asm volatile("{.reg .pred p;\nL%=: "
                                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
                                 "p,[%0],%1;\n@!p bra L%=;}" ::"r"(sa(&e)),
                                 "r"((i - 1) & 1)
                                 : "memory");
                stc(mapa(sa(s + T), 1), T + i);
                asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%0];" ::"r"(
                                 mapa(sa(&f), 1))
                             : "memory");
            }
    } else if (T < 64)
        for (int i = 0; i < 4; i++) {
            asm volatile(
                "{.reg .pred p;\nL%=: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
                "p,[%0],%1;\n@!p bra L%=;}" ::"r"(sa(&f)),
                "r"(i & 1)
                : "memory");
            b[64 * i + T] = s[63 - T];
            asm volatile(
                "mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%0];" ::"r"(mapa(sa(&e), 0))
                : "memory");
        }
    CSYNC;
}

KERNEL(multicast_twice) {
    __shared__ u64 m;
    __shared__ __align__(128) int s[256];
    if (!T) {
        minit(&m, 1);
        MFENCE;
    }
    CSYNC;
    for (int i = 0; i < 2; i++) {
        if (!T)
            mexp(&m, 1024);
        CSYNC;
        if (!T && !B)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                         "multicast::cluster [%0],[%1],1024,[%2],%3;" ::"r"(sa(s)),
                         "l"(a + 256 * i), "r"(sa(&m)), "h"((short)3)
                         : "memory");
        mwait(&m, i);
        b[512 * i + 256 * B + T] = s[255 - T];
        CSYNC;
    }
}

KERNEL(one_block_idle) {
    __shared__ int s[64];
    if (T < 64)
        s[T] = T;
    CSYNC;
    if (B == 0 && T < 64)
        b[T] = ldc(mapa(sa(s + T), 1));
    CSYNC;
}

KERNEL(own_rank) {
    __shared__ int s[64];
    if (T < 64) {
        stc(mapa(sa(s + T), B), T);
    }
    __syncthreads();
    if (T < 64)
        b[256 * B + T] = s[63 - T];
}

KERNEL(arrive_early_wait_late) {
    __shared__ int s[256];
    s[T] = T;
    CARRIVE;
    CWAIT;
    int v = ldc(mapa(sa(s + T), B ^ 1));
    CARRIVE;
    for (int i = 0; i < 20; i++)
        v = v * 3 + 1;
    CWAIT;
    b[256 * B + T] = v;
}

/* A flag in shared memory of the other block. */
KERNEL(flag_with_scope_cluster) {
    __shared__ int s[32], flag;
    cg::cluster_group c = cg::this_cluster();
    flag = 0;
    CSYNC;
    if (c.block_rank() == 0) {
        if (T == 0) {
            stc(mapa(sa(s), 1), 7);
            asm volatile("st.release.cluster.shared::cluster.u32 [%0],1;" ::"r"(mapa(sa(&flag), 1))
                         : "memory");
        }
    } else if (T == 0) {
        int x;
        do
            asm volatile("ld.acquire.cluster.shared.u32 %0,[%1];"
                         : "=r"(x)
                         : "r"(sa(&flag))
                         : "memory");
        while (!x);
        b[0] = s[0];
    }
    CSYNC;
}

KERNEL(red_with_scope_cluster) {
    __shared__ int s[32];
    s[T] = 0;
    CSYNC;
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0],1;" ::"r"(mapa(sa(s + T), 0))
                 : "memory");
    CSYNC;
    b[T + 32 * B] = s[T];
}

// The address that mapa gives for the own block, in an instruction for the own block.
KERNEL(own_rank_by_shared_cta) {
    __shared__ int s[32];
    s[T] = a[T] + B;
    CSYNC;
    int x;
    asm volatile("ld.shared.u32 %0,[%1];" : "=r"(x) : "r"(mapa(sa(&s[T]), B)) : "memory");
    b[B * 32 + T] = x;
    CSYNC;
}

// The source of a copy to another block stays until that one has it.
KERNEL(stays_while_its_copy_reads) {
    __shared__ __align__(128) int s[128], d[128];
    __shared__ u64 m;
    const int other = (B & 1) ^ 1;
    if (!T) {
        minit(&m, 1);
        MFENCE;
        mexp(&m, 512);
    }
    for (int i = 0; i < 4; i++)
        s[T * 4 + i] = T;
    PROXY;
    CSYNC;
    if (!T)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                     "[%0],[%1],512,[%2];" ::"r"(mapa(sa(d), other)),
                     "r"(sa(s)), "r"(mapa(sa(&m), other))
                     : "memory");
    asm volatile("{.reg .pred p;\nL%=: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
                 "p,[%0],0;\n@!p bra L%=;}" ::"r"(sa(&m))
                 : "memory");
    b[B * 32 + T] = d[T];
    CSYNC;
}
