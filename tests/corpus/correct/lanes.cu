/* lanes: correct kernels. Lanes of a warp that copy, wait or meet for others. */
#include "../corpus.cuh"

#define L (T & 31)
#define SYNC(mask) asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory")

KERNEL(copy_own_words) {
    __shared__ __align__(16) int s[128];
    cpa(s + 4 * L, a + 4 * L);
    COMMIT;
    WAITG(0);
    b[T] = s[4 * L];
    cpa(s + 4 * L, a + 512 + 4 * L);
    COMMIT;
    WAITG(0);
    b[T + 32] = s[4 * L];
}

KERNEL(copy_wait_syncwarp) {
    __shared__ __align__(16) int s[2][128];
    int sum = 0;
    cpa(s[0] + 4 * L, a + 4 * L);
    COMMIT;
    for (int i = 0; i < 4; i++) {
        cpa(s[~i & 1] + 4 * L, a + 128 * i + 4 * L);
        COMMIT;
        WAITG(1);
        __syncwarp();
        sum += s[i & 1][4 * (31 - L)];
        __syncwarp();
    }
    WAITG(0);
    b[T] = sum;
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
        __syncwarp();
        if (L == 0)
            marr(&m);
    } else {
        mwait(&m, 0);
        b[T] = s[4 * L];
    }
}

/* Lane 0 copies alone, waits and arrives alone. */
KERNEL(one_lane_does_all) {
    __shared__ __align__(16) int s[4];
    __shared__ u64 m;
    if (T == 0)
        minit(&m, 1);
    __syncthreads();
    if (T == 0) {
        cpa(s, a);
        COMMIT;
        WAITG(0);
        marr(&m);
    } else if (T >= 32) {
        mwait(&m, 0);
        b[T] = s[T & 3];
    }
}

KERNEL(copy_with_proxy_fence) {
    __shared__ __align__(128) int s[128];
    cpa(s + 4 * L, a + 4 * L);
    COMMIT;
    WAITG(0);
    PROXY;
    __syncwarp();
    if (L == 0) {
        bstore(b, s, 512);
        BCOMMIT;
        BWAIT;
    }
}

/* Each lane stores its own words, and writes them again after its own wait. */
KERNEL(store_of_each_lane) {
    __shared__ __align__(16) int s[128];
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 4; k++)
            s[4 * L + k] = a[128 * i + 4 * L + k];
        PROXY;
        bstore(b + 128 * i + 4 * L, s + 4 * L, 16);
        BCOMMIT;
        BWAITR;
    }
    BWAIT;
}

KERNEL(halves_meet) {
    __shared__ int s[32];
    s[L] = a[L];
    SYNC(L < 16 ? 0xFFFFu : 0xFFFF0000u);
    b[T] = s[L ^ 15];
}

/* Lane 0 passes on to lane 16 what it knows of its half, and that one to the other half. */
KERNEL(halves_pass_on) {
    __shared__ int s[32];
    if (L < 16)
        s[L] = a[L];
    SYNC(L < 16 ? 0xFFFFu : 0xFFFF0000u);
    if (L % 16 == 0)
        SYNC(0x10001u);
    SYNC(L < 16 ? 0xFFFFu : 0xFFFF0000u);
    b[T] = s[L & 15];
}

KERNEL(tiles_shuffle) {
    __shared__ int s[32];
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    int sum = a[L];
    for (int i = 8; i; i /= 2) {
        s[L] = sum;
        tile.sync();
        sum += s[L ^ i];
        tile.sync();
        sum += tile.shfl_xor(sum, i);
    }
    b[T] = sum;
}
