/* warps: nothing is wrong. Columns of kernels.tsv say which launch and what is found. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include "../corpus.cuh"

KERNEL(warp_reduce_sync) {
    __shared__ int s[64];
    s[T] = a[T];
    s[T + 32] = 0;
    __syncwarp();
    for (int k = 16; k; k >>= 1) {
        int v = s[T + k];
        __syncwarp();
        s[T] += v;
        __syncwarp();
    }
    b[T] = s[0];
}

KERNEL(shfl_reduce) {
    int v = a[T];
    for (int k = 16; k; k >>= 1)
        v += __shfl_down_sync(~0u, v, k);
    if (!(T & 31))
        b[T >> 5] = v;
}

KERNEL(shfl_partial) {
    int l = T & 31;
    if (l < 16) {
        int v = a[T];
        for (int k = 8; k; k >>= 1)
            v += __shfl_xor_sync(0xffff, v, k);
        b[T] = v;
    }
}

KERNEL(ballot_compact) {
    int p = (a[T] + T) & 1;
    u32 m = __ballot_sync(~0u, p);
    if (p)
        b[(T & ~31) + __popc(m & ((1u << (T & 31)) - 1))] = T;
}

KERNEL(match_aggregate) {
    int key = T % 5;
    u32 m = __match_any_sync(~0u, key);
    int leader = __ffs(m) - 1;
    if ((T & 31) == leader)
        atomicAdd(b + key, __popc(m));
}

KERNEL(activemask_agg) {
    if (T % 3 == 0) {
        u32 m = __activemask();
        int l = __ffs(m) - 1;
        int base;
        if ((T & 31) == l)
            base = atomicAdd(b, __popc(m));
        base = __shfl_sync(m, base, l);
        b[64 + base + __popc(m & ((1u << (T & 31)) - 1))] = T;
    }
}

KERNEL(syncwarp_sub) {
    __shared__ int s[256];
    if ((T & 31) < 8) {
        s[T] = T;
        __syncwarp(0xff);
        b[T] = s[T ^ 1];
    }
}

KERNEL(branch_same_mask) {
    int v;
    if (T & 1)
        v = __shfl_sync(0xaaaaaaaau, T, 1);
    else
        v = __shfl_sync(0x55555555u, T, 0);
    b[T] = v;
}

KERNEL(warp_exchange) {
    __shared__ int s[256];
    s[T] = a[T] + T;
    __syncwarp();
    b[T] = s[T ^ 1];
    __syncwarp();
    s[T] = b[T];
    __syncwarp();
    b[T] = s[T ^ 2];
}

KERNEL(redux) {
    b[T] = __reduce_add_sync(~0u, T) + __reduce_max_sync(~0u, a[T]);
}

KERNEL(elect_leader) {
    __shared__ int s[256];
    if (elect())
        s[T >> 5] = T;
    __syncthreads();
    if (T < 8)
        b[T] = s[T];
}

KERNEL(exit_early_then_sync) {
    if (T >= 64)
        return;
    u32 m = __ballot_sync(~0u, T < 48);
    b[T] = m;
    __syncwarp();
}

KERNEL(exit_warps_bar) {
    __shared__ int s[64];
    if (T >= 64)
        return;
    s[T] = T;
    __syncthreads();
    b[T] = s[63 - T];
}

KERNEL(cg_tiled) {
    auto t = cg::tiled_partition<8>(cg::this_thread_block());
    int v = a[T] + T;
    v = cg::reduce(t, v, cg::plus<int>());
    int w = cg::inclusive_scan(t, v);
    b[T] = v + w;
    t.sync();
}

KERNEL(cg_coalesced) {
    if (T % 3) {
        auto g = cg::coalesced_threads();
        b[T] = g.shfl(T, 0) + g.size();
        g.sync();
    }
}

KERNEL(cg_binary) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    auto g = cg::binary_partition(w, T % 3 == 0);
    b[T] = cg::reduce(g, T, cg::plus<int>());
}
