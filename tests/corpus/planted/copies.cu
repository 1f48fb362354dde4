/* copies: a mistake in each kernel. Columns of kernels.tsv have the launch and the findings. */
#include <cuda/barrier>
#include "../corpus.cuh"

KERNEL(nowait) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, a + 4 * T);
    COMMIT;
    __syncthreads();
    b[T] = s[4 * T];
}

KERNEL(wait1) {
    __shared__ __align__(16) int s[2][1024];
    cpa(s[0] + 4 * T, a + 4 * T);
    COMMIT;
    cpa(s[1] + 4 * T, a + 1024 + 4 * T);
    COMMIT;
    WAITG(1);
    __syncthreads();
    b[T] = s[1][4 * T] + s[0][T];
}

KERNEL(nosync) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, a + 4 * T);
    COMMIT;
    WAITG(0);
    b[T] = s[4 * (255 - T)];
}

KERNEL(stage_reuse) {
    __shared__ __align__(16) int s[2][1024];
    cpa(s[0] + 4 * T, a + 4 * T);
    COMMIT;
    int acc = 0;
    for (int i = 0; i < 4; i++) {
        if (i < 3)
            cpa(s[(i + 1) & 1] + 4 * T, a + 1024 * (i + 1) + 4 * T);
        COMMIT;
        WAITG(1);
        __syncthreads();
        acc += s[i & 1][4 * (255 - T)];
    }
    b[T] = acc;
    WAITG(0);
}

KERNEL(nocommit) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, a + 4 * T);
    WAITG(0);
    __syncthreads();
    b[T] = s[4 * T];
    asm volatile("cp.async.wait_all;");
}

KERNEL(leak) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, a + 4 * T);
    COMMIT;
    b[T] = 1;
}

KERNEL(overwrite_src) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, b + 4 * T);
    COMMIT;
    b[4 * T] = 7;
    WAITG(0);
    __syncthreads();
    b[4096 + T] = s[T];
}

KERNEL(mbarrier_noinc) {
    __shared__ __align__(16) int s[1024];
    __shared__ u64 m;
    if (!T)
        minit(&m, 256);
    __syncthreads();
    cpa(s + 4 * T, a + 4 * T);
    marr(&m);
    mwait(&m, 0);
    b[T] = s[4 * (255 - T)];
    asm volatile("cp.async.wait_all;");
}

KERNEL(st_while_copy) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, a + 4 * T);
    COMMIT;
    s[4 * T] = 9;
    WAITG(0);
    __syncthreads();
    b[T] = s[T];
}

// cuda::memcpy_async becomes a bulk copy, and init of libcu++ has no fence for it.
KERNEL(library_without_fence) {
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ __align__(16) int s[256];
    __shared__ __align__(8) unsigned char room[sizeof(barrier)];
    barrier &bar = *(barrier *)room;
    if (!T)
        init(&bar, blockDim.x);
    __syncthreads();
    if (!T)
        cuda::memcpy_async(s, a, cuda::aligned_size_t<16>(sizeof s), bar);
    bar.arrive_and_wait();
    b[T] = s[T ^ 32];
}
