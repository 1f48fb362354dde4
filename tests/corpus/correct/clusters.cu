/* clusters: nothing is wrong. Columns of kernels.tsv say which launch and what is found. */
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
