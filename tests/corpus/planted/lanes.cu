/* lanes: a mistake in each kernel. Lanes of a warp that copy, wait or meet for others. */
#include "../corpus.cuh"

#define L (T & 31)
#define SYNC(mask) asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory")

KERNEL(copy_wait_no_syncwarp) {
    __shared__ __align__(16) int s[128];
    cpa(s + 4 * L, a + 4 * L);
    COMMIT;
    WAITG(0);
    b[T] = s[4 * (31 - L)];
}

KERNEL(copy_syncwarp_too_early) {
    __shared__ __align__(16) int s[128];
    cpa(s + 4 * L, a + 4 * L);
    COMMIT;
    __syncwarp();
    WAITG(0);
    b[T] = s[4 * (31 - L)];
}

KERNEL(copy_over_what_others_read) {
    __shared__ __align__(16) int s[128];
    cpa(s + 4 * L, a + 4 * L);
    COMMIT;
    WAITG(0);
    __syncwarp();
    b[T] = s[4 * (31 - L)];
    cpa(s + 4 * L, a + 512 + 4 * L);
    COMMIT;
    WAITG(0);
}

KERNEL(copy_twice) {
    __shared__ __align__(16) int s[128];
    cpa(s + 4 * L, a + 4 * L);
    COMMIT;
    cpa(s + 4 * L, a + 512 + 4 * L);
    COMMIT;
    WAITG(0);
    b[T] = s[4 * L];
}

KERNEL(copy_then_one_arrives) {
    __shared__ __align__(16) int s[128];
    __shared__ u64 m;
    if (T == 0)
        minit(&m, 1);
    __syncthreads();
    if (T < 32) {
        cpa(s + 4 * L, a + 4 * L);
        COMMIT;
        WAITG(0);
        if (L == 0)
            marr(&m);
    } else {
        mwait(&m, 0);
        b[T] = s[4 * L];
    }
}

KERNEL(copy_without_proxy_fence) {
    __shared__ __align__(128) int s[128];
    cpa(s + 4 * L, a + 4 * L);
    COMMIT;
    WAITG(0);
    __syncwarp();
    if (L == 0) {
        bstore(b, s, 512);
        BCOMMIT;
        BWAIT;
    }
}

KERNEL(store_without_syncwarp) {
    __shared__ __align__(128) int s[32];
    s[L] = a[L];
    PROXY;
    if (L == 0) {
        bstore(b, s, 128);
        BCOMMIT;
        BWAIT;
    }
}

KERNEL(store_waited_by_one) {
    __shared__ __align__(128) int s[32];
    s[L] = a[L];
    PROXY;
    __syncwarp();
    if (L == 0) {
        bstore(b, s, 128);
        BCOMMIT;
        BWAITR;
    }
    s[L] = n;
}

KERNEL(load_over_what_others_read) {
    __shared__ __align__(128) int s[32];
    __shared__ u64 m;
    if (T == 0)
        minit(&m, 1);
    s[L] = a[L];
    __syncthreads();
    b[T] = s[31 - L];
    PROXY;
    if (L == 0) {
        mexp(&m, 128);
        bload(s, a, 128, &m);
    }
    mwait(&m, 0);
    b[T + 32] = s[L];
}

KERNEL(mask_of_the_other_half) {
    __shared__ int s[32];
    s[L] = a[L];
    SYNC(L < 16 ? 0xFFFFu : 0xFFFF0000u);
    b[T] = s[L ^ 16];
}

KERNEL(tile_too_small) {
    __shared__ int s[32];
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    s[L] = a[L];
    tile.sync();
    b[T] = s[L ^ 8];
}
