/* copies: nothing is wrong. Columns of kernels.tsv have the launch and the findings. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include "../corpus.cuh"

KERNEL(basic) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, a + 4 * T);
    COMMIT;
    WAITG(0);
    __syncthreads();
    b[T] = s[4 * (255 - T)];
}

KERNEL(multistage) {
    __shared__ __align__(16) int s[3][1024];
    int acc = 0;
    for (int i = 0; i < 2; i++) {
        cpa(s[i] + 4 * T, a + 1024 * i + 4 * T);
        COMMIT;
    }
    for (int i = 0; i < 6; i++) {
        WAITG(1);
        __syncthreads();
        if (i + 2 < 6)
            cpa(s[(i + 2) % 3] + 4 * T, a + 1024 * (i + 2) + 4 * T);
        COMMIT;
        acc += s[i % 3][4 * (255 - T)];
    }
    b[T] = acc;
    WAITG(0);
}

KERNEL(own_data) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, a + 4 * T);
    COMMIT;
    WAITG(0);
    b[T] = s[4 * T + 1];
}

KERNEL(cuda_pipeline) {
    __shared__ __align__(16) int s[2][256];
    int acc = 0;
    __pipeline_memcpy_async(&s[0][T], a + T, 4);
    __pipeline_commit();
    for (int i = 0; i < 4; i++) {
        if (i < 3)
            __pipeline_memcpy_async(&s[(i + 1) & 1][T], a + 256 * (i + 1) + T, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        acc += s[i & 1][255 - T];
        __syncthreads();
    }
    b[T] = acc;
    __pipeline_wait_prior(0);
}

KERNEL(mbarrier_cpasync) {
    __shared__ __align__(16) int s[1024];
    __shared__ u64 m;
    if (!T)
        minit(&m, 256);
    __syncthreads();
    cpa(s + 4 * T, a + 4 * T);
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(sa(&m)) : "memory");
    mwait(&m, 0);
    b[T] = s[4 * (255 - T)];
}

KERNEL(cuda_barrier) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[256];
    if (!T)
        init(&bar, 256);
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        cuda::memcpy_async(s + T, a + T, 4, bar);
        bar.arrive_and_wait();
        b[T] = s[255 - T] + i;
        bar.arrive_and_wait();
    }
}

KERNEL(cuda_pipeline_shared) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st;
    __shared__ __align__(16) int s[2][256];
    auto blk = cg::this_thread_block();
    auto p = cuda::make_pipeline(blk, &st);
    int acc = 0;
    p.producer_acquire();
    cuda::memcpy_async(blk, s[0], a, sizeof(int) * 256, p);
    p.producer_commit();
    for (int i = 0; i < 4; i++) {
        if (i < 3) {
            p.producer_acquire();
            cuda::memcpy_async(blk, s[(i + 1) & 1], a + 256 * (i + 1), 1024, p);
            p.producer_commit();
        }
        p.consumer_wait();
        acc += s[i & 1][255 - T];
        p.consumer_release();
    }
    b[T] = acc;
}

KERNEL(four_bytes) {
    __shared__ int s[256];
    asm volatile("cp.async.ca.shared.global [%0],[%1],4;" ::"r"(sa(s + T)), "l"(a + T) : "memory");
    COMMIT;
    WAITG(0);
    __syncthreads();
    b[T] = s[255 - T];
}

KERNEL(zero_fill) {
    __shared__ __align__(16) int s[1024];
    int have = T < 100 ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0],[%1],16,%2;" ::"r"(sa(s + 4 * T)), "l"(a + 4 * T),
                 "r"(have)
                 : "memory");
    COMMIT;
    WAITG(0);
    __syncthreads();
    b[T] = s[4 * (255 - T)];
}

KERNEL(wait_all) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, a + 4 * T);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    b[T] = s[4 * (255 - T)];
}

KERNEL(empty_groups) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, a + 4 * T);
    COMMIT;
    COMMIT;
    COMMIT;
    WAITG(2);
    __syncthreads();
    b[T] = s[4 * (255 - T)];
    WAITG(0);
}

KERNEL(half_of_threads) {
    __shared__ __align__(16) int s[512];
    if (T < 128)
        cpa(s + 4 * T, a + 4 * T);
    COMMIT;
    WAITG(0);
    __syncthreads();
    b[T] = s[511 - T];
}

KERNEL(two_tiles) {
    __shared__ __align__(16) int s[2][1024];
    cpa(s[0] + 4 * T, a + 4 * T);
    COMMIT;
    cpa(s[1] + 4 * T, a + 1024 + 4 * T);
    COMMIT;
    WAITG(1);
    __syncthreads();
    int v = s[0][4 * (255 - T)];
    WAITG(0);
    __syncthreads();
    b[T] = v + s[1][4 * (255 - T)];
}

KERNEL(source_rewritten_later) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, b + 4 * T);
    COMMIT;
    WAITG(0);
    __syncthreads();
    b[4 * T] = s[4 * (255 - T)];
}

KERNEL(copy_then_store_elsewhere) {
    __shared__ __align__(16) int s[2048];
    cpa(s + 4 * T, a + 4 * T);
    COMMIT;
    s[1024 + T] = T;
    WAITG(0);
    __syncthreads();
    b[T] = s[4 * (255 - T)] + s[1024 + 255 - T];
}

// The same with the fence of libcu++ behind init.
KERNEL(library_with_fence) {
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ __align__(16) int s[256];
    __shared__ __align__(8) unsigned char room[sizeof(barrier)];
    barrier &bar = *(barrier *)room;
    if (!T) {
        init(&bar, blockDim.x);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    if (!T)
        cuda::memcpy_async(s, a, cuda::aligned_size_t<16>(sizeof s), bar);
    bar.arrive_and_wait();
    b[T] = s[T ^ 32];
}
