/* clusters: a mistake in each kernel. Columns of kernels.tsv have the launch and the findings. */
#include "../corpus.cuh"

KERNEL(dsmem_nosync) {
    __shared__ int s[64];
    if (T < 64)
        s[T] = T + B;
    int v = ldc(mapa(sa(s + T % 64), B ^ 1));
    b[T + 256 * B] = v;
    CSYNC;
}

KERNEL(dsmem_exit) {
    __shared__ int s[64];
    if (T < 64)
        s[T] = T + B;
    CSYNC;
    if (B == 0) {
        int acc = 0;
        for (int i = 0; i < 200; i++)
            acc += ldc(mapa(sa(s + (T + i) % 64), 1));
        b[T] = acc;
    }
}

KERNEL(rank_outside) {
    __shared__ int s[64];
    if (T < 64)
        s[T] = T;
    CSYNC;
    b[T] = ldc(mapa(sa(s + T % 64), 2));
    CSYNC;
}

KERNEL(remote_mbar_nosync) {
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
        MFENCE;
    }
    __syncthreads();
    if (!T)
        asm volatile(
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%0];" ::"r"(mapa(sa(&m), B ^ 1))
            : "memory");
    mwait(&m, 0);
    b[T + 256 * B] = 1;
    CSYNC;
}

KERNEL(arrive_twice) {
    CARRIVE;
    CARRIVE;
    CWAIT;
    b[T] = 1;
}

KERNEL(dsmem_write_race) {
    __shared__ int s[64];
    if (T < 64)
        s[T] = 0;
    CSYNC;
    if (T < 64)
        stc(mapa(sa(s + T), B ^ 1), T + 1);
    __syncthreads();
    if (T < 64)
        b[T + 256 * B] = s[T];
    CSYNC;
}

KERNEL(arrive_nowait) {
    __shared__ int s[64];
    if (T < 64)
        s[T] = 0;
    CARRIVE;
    if (T < 64)
        stc(mapa(sa(s + T), B ^ 1), T + 1);
    CWAIT;
    CSYNC;
    if (T < 64)
        b[T + 256 * B] = s[T];
}

KERNEL(stasync_nowait) {
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
    if (T < 64)
        b[T + 256 * B] = s[T];
    mwait(&m, 0);
    CSYNC;
}

KERNEL(multicast_early) {
    __shared__ u64 m;
    __shared__ __align__(128) int s[256];
    if (!T) {
        minit(&m, 1);
        mexp(&m, 1024);
        MFENCE;
    }
    __syncthreads();
    if (!T && !B)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                     "cluster [%0],[%1],1024,[%2],%3;" ::"r"(sa(s)),
                     "l"(a), "r"(sa(&m)), "h"((short)3)
                     : "memory");
    mwait(&m, 0);
    b[T + 256 * B] = s[T];
    CSYNC;
}

KERNEL(remote_arrive_exited) {
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
        MFENCE;
    }
    CSYNC;
    if (B == 0 && !T) {
        for (volatile int i = 0; i < 100; i++)
            ;
        asm volatile(
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%0];" ::"r"(mapa(sa(&m), 1))
            : "memory");
    }
    b[T] = 1;
}

KERNEL(cluster_wait_first) {
    CWAIT;
    b[T] = 1;
}

KERNEL(remote_write_exited) {
    __shared__ int s[64];
    CSYNC;
    if (B == 0) {
        for (volatile int i = 0; i < 200; i++)
            ;
        if (T < 64)
            stc(mapa(sa(s + T), 1), T);
    }
    b[T + 256 * B] = 1;
}

KERNEL(reads_after_last_sync) {
    __shared__ int s[256];
    s[T] = T;
    CSYNC;
    int v = ldc(mapa(sa(s + T), (B + 1) & 3));
    b[256 * B + T] = v;
}

KERNEL(atomic_to_exited) {
    __shared__ int k;
    if (!T)
        k = 0;
    CSYNC;
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0],1;" ::"r"(mapa(sa(&k), 0))
                 : "memory");
    if (B == 0) {
        __syncthreads();
        if (!T)
            b[0] = 1;
    }
}

KERNEL(expect_after_multicast) {
    __shared__ u64 m;
    __shared__ __align__(128) int s[256];
    if (!T) {
        minit(&m, 1);
        mexp(&m, 1024);
    }
    __syncthreads();
    if (!T && !B)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                     "cluster [%0],[%1],1024,[%2],%3;" ::"r"(sa(s)),
                     "l"(a), "r"(sa(&m)), "h"((short)3)
                     : "memory");
    mwait(&m, 0);
    b[T + 256 * B] = s[T];
}

/* A flag in shared memory of the other block. */
KERNEL(flag_with_scope_cta) {
    __shared__ int s[32], flag;
    cg::cluster_group c = cg::this_cluster();
    flag = 0;
    CSYNC;
    if (c.block_rank() == 0) {
        if (T == 0) {
            stc(mapa(sa(s), 1), 7);
            asm volatile("st.release.cta.shared::cluster.u32 [%0],1;" ::"r"(mapa(sa(&flag), 1))
                         : "memory");
        }
    } else if (T == 0) {
        int x;
        do
            asm volatile("ld.acquire.cta.shared.u32 %0,[%1];"
                         : "=r"(x)
                         : "r"(sa(&flag))
                         : "memory");
        while (!x);
        b[0] = s[0];
    }
    CSYNC;
}

KERNEL(red_with_scope_cta) {
    __shared__ int s[32];
    s[T] = 0;
    CSYNC;
    asm volatile("red.relaxed.cta.shared::cluster.add.u32 [%0],1;" ::"r"(mapa(sa(s + T), 0))
                 : "memory");
    CSYNC;
    b[T + 32 * B] = s[T];
}

// The address of another block, in an instruction for the own block alone.
KERNEL(remote_by_shared_cta) {
    __shared__ int s[32];
    s[T] = a[T] + B;
    CSYNC;
    int x;
    asm volatile("ld.shared.u32 %0,[%1];" : "=r"(x) : "r"(mapa(sa(&s[T]), B ^ 1)) : "memory");
    b[B * 32 + T] = x;
    CSYNC;
}

// A block waits for the mbarrier of another one.
KERNEL(waits_for_remote_mbarrier) {
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
        MFENCE;
    }
    CSYNC;
    if (!T && !B)
        marr(&m);
    asm volatile("{.reg .pred p;\nL%=: mbarrier.try_wait.parity.shared.b64 p,[%0],0;\n"
                 "@!p bra L%=;}" ::"r"(mapa(sa(&m), 0))
                 : "memory");
    b[B * 32 + T] = T;
    CSYNC;
}

// The same of an atomic.
KERNEL(remote_red_by_shared_cta) {
    __shared__ int s[32];
    s[T] = a[T] + B;
    CSYNC;
    asm volatile("red.shared.add.u32 [%0],1;" ::"r"(mapa(sa(&s[T]), B ^ 1)) : "memory");
    CSYNC;
    b[B * 32 + T] = s[T];
}
// the source of a bulk store is .shared::cta, and the address is another block's
KERNEL(bulk_store_from_another_block) {
    __shared__ __align__(128) int s[128];
    s[T] = T;
    PROXY;
    CSYNC;
    u32 other = mapa(sa(s), (B & 1) ^ 1);
    if (T == 0) {
        asm volatile(
            "cp.async.bulk.global.shared::cta.bulk_group [%0],[%1],512;" ::"l"(b + B * 128),
            "r"(other)
            : "memory");
        BCOMMIT;
        BWAIT;
    }
    CSYNC;
}
KERNEL(ldmatrix_from_another_block) {
    __shared__ __align__(128) u32 s[128];
    u32 q[4];
    s[T] = T;
    CSYNC;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
                 : "=r"(q[0]), "=r"(q[1]), "=r"(q[2]), "=r"(q[3])
                 : "r"(mapa(sa(&s[T % 32 * 4]), (B & 1) ^ 1))
                 : "memory");
    b[B * 128 + T] = q[0] + q[1] + q[2] + q[3];
    CSYNC;
}

// The source of a copy to another block exits before that one has it.
KERNEL(exits_while_its_copy_reads) {
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
}
