/* fourth.cu - mistakes of whole algorithms, as a tester wrote them. */
#include <cuda/barrier>
#include <cuda/pipeline>
#include "../corpus.cuh"

KERNEL(setmaxnreg_of_one_warp) {
    if (T < 32)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    b[T] = T;
}

/* The wait of libcu++ reads the clock. */
KERNEL(bytes_counted_as_elements) {
    using bar_t = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(128) int s[256];
    __shared__ alignas(8) char raw[sizeof(bar_t)];
    bar_t &bar = *(bar_t *)raw;
    if (T == 0) {
        init(&bar, blockDim.x);
        PROXY;
    }
    __syncthreads();
    bar_t::arrival_token tok;
    if (T == 0) {
        bload(s, a, sizeof s, (u64 *)raw);
        tok = cuda::device::barrier_arrive_tx(bar, 1, 256);
    } else
        tok = bar.arrive();
    bar.wait(std::move(tok));
    b[T] = s[T];
}

KERNEL(consumer_does_not_release) {
    auto block = cg::this_thread_block();
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st;
    __shared__ int s[2][96];
    auto role = T < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &st, role);
    for (int i = 0; i < 6; i++)
        if (role == cuda::pipeline_role::producer) {
            pipe.producer_acquire();
            for (int j = T; j < 96; j += 32)
                cuda::memcpy_async(&s[i & 1][j], a + i * 96 + j, 4, pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            b[i * 96 + T - 32] = s[i & 1][T - 32];
            if (T < 96)
                pipe.consumer_release();
        }
}

KERNEL(rank_without_syncwarp) {
    __shared__ u32 cnt[8][16];
    int lane = T & 31, w = T >> 5;
    if (lane < 16)
        cnt[w][lane] = 0;
    __syncwarp();
    for (int i = 0; i < 4; i++) {
        u32 d = (a[i * 256 + T] ^ lane) & 15, peers = __match_any_sync(~0u, d), base = cnt[w][d];
        u32 before = __popc(peers & ((1u << lane) - 1));
        if (!before)
            cnt[w][d] = base + __popc(peers);
        __syncwarp();
        b[i * 256 + T] = base + before;
    }
}

KERNEL(slot_behind_its_counter) {
    if (B < 2) {
        int p = atomicAdd(b, 1);
        b[64 + p] = B * 64 + T;
        __threadfence();
    } else {
        int p = atomicAdd(b + 1, 1);
        while (*(volatile int *)b <= p)
            ;
        __threadfence();
        b[1024 + p] = b[64 + p];
    }
}

KERNEL(drains_one_group_less) {
    __shared__ int4 s[2][128];
    cpa(&s[0][T], (int4 *)a + T);
    COMMIT;
    for (int i = 0; i < 8; i++) {
        if (i < 7) {
            cpa(&s[(i + 1) & 1][T], (int4 *)a + (i + 1) * 128 + T);
            COMMIT;
        }
        WAITG(1);
        __syncthreads();
        ((int4 *)b)[i * 128 + T] = s[i & 1][T ^ 31];
        __syncthreads();
    }
}
