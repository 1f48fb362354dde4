/* warps: nothing is wrong. Columns of kernels.tsv have the launch and the findings. */
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

KERNEL(bitonic_sort) {
    __shared__ int s[256];
    int l = T & 31;
    int *w = s + (T & ~31);
    w[l] = a[T] ^ (l * 7);
    __syncwarp();
    for (int k = 2; k <= 32; k <<= 1)
        for (int j = k >> 1; j; j >>= 1) {
            int o = l ^ j;
            int x = w[l], y = w[o];
            bool up = (l & k) == 0;
            __syncwarp();
            w[l] = ((l < o) == up) ? min(x, y) : max(x, y);
            __syncwarp();
        }
    b[T] = w[l];
}

KERNEL(scan_shfl) {
    int v = a[T] & 255;
    for (int k = 1; k < 32; k <<= 1) {
        int x = __shfl_up_sync(~0u, v, k);
        if ((T & 31) >= k)
            v += x;
    }
    b[T] = v;
}

KERNEL(transpose_in_warp) {
    __shared__ int s[8][32][5];
    int w = T >> 5, l = T & 31;
    for (int i = 0; i < 4; i++)
        s[w][l][i] = l * 4 + i;
    __syncwarp();
    for (int i = 0; i < 4; i++) {
        int e = i * 32 + l;
        b[T * 4 + i] = s[w][e >> 2][e & 3];
    }
}

KERNEL(leader_broadcast) {
    __shared__ int s[8];
    if ((T & 31) == 0)
        s[T >> 5] = a[T];
    __syncwarp();
    b[T] = s[T >> 5];
}

KERNEL(compact_shared) {
    __shared__ int s[256];
    u32 p = (T % 3) == 0;
    u32 m = __ballot_sync(~0u, p);
    int l = T & 31, w = T & ~31;
    if (p)
        s[w + __popc(m & ((1u << l) - 1))] = T;
    __syncwarp();
    if (l < __popc(m))
        b[T] = s[w + l];
}

KERNEL(halves_sync_apart) {
    __shared__ int s[256];
    u32 m = (T & 16) ? 0xffff0000u : 0xffffu;
    s[T] = T;
    __syncwarp(m);
    b[T] = s[T ^ 5];
}

KERNEL(branches_with_masks) {
    __shared__ int s[256];
    s[T] = T;
    if (T & 1) {
        __syncwarp(0xaaaaaaaau);
        b[T] = s[T ^ 2];
    } else {
        __syncwarp(0x55555555u);
        b[T] = s[T ^ 4];
    }
}

KERNEL(flag_between_lanes) {
    __shared__ volatile int f[8];
    __shared__ int d[8];
    int w = T >> 5;
    if ((T & 31) == 0)
        f[w] = 0;
    __syncwarp();
    if ((T & 31) == 3) {
        d[w] = T;
        __threadfence_block();
        f[w] = 1;
    } else if ((T & 31) == 9) {
        while (!f[w])
            ;
        __threadfence_block();
        b[w] = d[w];
    }
}

KERNEL(lock_between_lanes) {
    __shared__ int lock, count;
    if (!T) {
        lock = 0;
        count = 0;
    }
    __syncthreads();
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            count = count + 1;
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    if (!T)
        b[0] = count;
}

KERNEL(match_leaders) {
    __shared__ int s[8];
    if (T < 8)
        s[T] = 0;
    __syncthreads();
    int key = T & 7;
    u32 m = __match_any_sync(~0u, key);
    if ((T & 31) == __ffs(m) - 1)
        atomicAdd(&s[key], __popc(m));
    __syncthreads();
    if (T < 8)
        b[T] = s[T];
}

KERNEL(ldmatrix_in_warp) {
    __shared__ __align__(16) half s[8][16 * 16];
    int w = T >> 5, l = T & 31;
    for (int i = l; i < 256; i += 32)
        s[w][i] = __float2half((float)i);
    __syncwarp();
    u32 r[4];
    ldm(r, s[w] + (l & 15) * 16 + (l >> 4) * 8);
    b[T] = r[0] ^ r[1] ^ r[2] ^ r[3];
}

KERNEL(ldmatrix_then_overwrite) {
    __shared__ __align__(16) half s[8][16 * 16];
    int w = T >> 5, l = T & 31;
    u32 acc = 0;
    for (int k = 0; k < 3; k++) {
        for (int i = l; i < 256; i += 32)
            s[w][i] = __float2half((float)(i + k));
        __syncwarp();
        u32 r[4];
        ldm(r, s[w] + (l & 15) * 16 + (l >> 4) * 8);
        acc ^= r[0] ^ r[3];
        __syncwarp();
    }
    b[T] = acc;
}

KERNEL(stmatrix_then_read) {
    __shared__ __align__(16) half s[8][16 * 16];
    int w = T >> 5, l = T & 31;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0],{%1,%1,%1,%1};" ::"r"(
                     sa(s[w] + (l & 15) * 16 + (l >> 4) * 8)),
                 "r"(T)
                 : "memory");
    __syncwarp();
    b[T] = ((int *)s[w])[(l * 5) & 127];
}

KERNEL(same_value_by_all) {
    __shared__ int s[8];
    s[T >> 5] = T >> 5;
    __syncwarp();
    b[T] = s[T >> 5];
}

KERNEL(private_columns) {
    __shared__ int s[8][256];
    for (int i = 0; i < 8; i++)
        s[i][T] = i * T;
    int v = 0;
    for (int i = 0; i < 8; i++) {
        v += s[(i * 3) & 7][T];
        s[i][T] = v;
    }
    b[T] = v + s[5][T];
}

KERNEL(private_rows) {
    __shared__ int s[32][9];
    int l = T;
    for (int i = 0; i < 8; i++)
        s[l][i] = i;
    int v = 0;
    for (int i = 7; i >= 0; i--)
        v = v * 3 + s[l][i];
    b[T] = v;
}

KERNEL(private_bytes) {
    __shared__ unsigned char s[1024];
    for (int i = 0; i < 4; i++)
        s[4 * T + i] = T + i;
    int v = 0;
    for (int i = 0; i < 4; i++)
        v += s[4 * T + 3 - i];
    b[T] = v;
}

KERNEL(private_halves) {
    __shared__ unsigned short s[512];
    s[T] = T;
    s[T + 256] = s[T] + 1;
    b[T] = s[T] + s[T + 256];
}

KERNEL(bytes_then_words) {
    __shared__ __align__(4) unsigned char s[256];
    s[T] = T;
    __syncwarp();
    if ((T & 3) == 0)
        b[T >> 2] = *(int *)(s + T);
}

KERNEL(shift_by_shfl) {
    int v = b[T];
    v = __shfl_down_sync(~0u, v, 1);
    b[T] = v + T;
}

KERNEL(global_exchange) {
    b[T] = a[T] + T;
    __syncwarp();
    int v = b[T ^ 1];
    __syncwarp();
    b[T] = v;
}

KERNEL(loop_until_none) {
    int count = T & 7;
    while (__any_sync(~0u, count > 0)) {
        if (count > 0)
            count--;
    }
    b[T] = count;
}

KERNEL(shrinking_loop) {
    u32 m = ~0u;
    int v = T;
    for (int i = 0; i < 5; i++) {
        m = __ballot_sync(m, (v & 1) == 0);
        if (v & 1)
            break;
        v = __shfl_sync(m, v, __ffs(m) - 1) / 2 + (T & 2);
    }
    b[T] = v;
}

KERNEL(tail_with_ballot) {
    int i = T;
    u32 m = __ballot_sync(~0u, i < 200);
    if (i < 200) {
        int v = a[i];
        for (int k = 16; k; k >>= 1) {
            int x = __shfl_xor_sync(m, v, k);
            if ((T ^ k) < 200)
                v += x;
        }
        b[i] = v;
    }
}

KERNEL(tile_sync) {
    __shared__ int s[256];
    auto t = cg::tiled_partition<16>(cg::this_thread_block());
    s[T] = T;
    t.sync();
    int v = s[T ^ 15];
    t.sync();
    s[T] = v;
    t.sync();
    b[T] = s[T ^ 3];
}

KERNEL(own_copies) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, a + 4 * T);
    COMMIT;
    WAITG(0);
    __syncwarp();
    b[T] = s[4 * (T ^ 1)];
}

KERNEL(volatile_tree_synced) {
    __shared__ volatile int s[64];
    s[T] = a[T];
    s[T + 32] = 0;
    __syncwarp();
    for (int k = 16; k; k >>= 1) {
        int v = s[T + k];
        __syncwarp();
        if (T < k)
            s[T] += v;
        __syncwarp();
    }
    if (!T)
        b[0] = s[0];
}

KERNEL(votes_order) {
    __shared__ int s[256];
    s[T] = T;
    __any_sync(~0u, T);
    b[T] = s[T ^ 1];
    __ballot_sync(~0u, T);
    s[T] = 5;
}

KERNEL(elected_lane_writes) {
    __shared__ int s[8];
    if (elect())
        s[T >> 5] = T;
    __syncwarp();
    int v = s[T >> 5];
    __syncwarp();
    if (elect())
        s[T >> 5] = v + 1;
    __syncwarp();
    b[T] = s[T >> 5];
}

KERNEL(shfl_tree_of_half) {
    int lane = T & 31, v = a[T] + lane;
    if (lane < 16) {
        for (int d = 8; d; d >>= 1)
            v += __shfl_down_sync(0xffff, v, d);
        if (lane == 0)
            b[T >> 5] = v;
    }
}

KERNEL(shfl_tail_selected) {
    int lane = T & 31, v = a[T] + lane;
    if (lane < 20) {
        for (int d = 16; d; d >>= 1) {
            int w = __shfl_down_sync(0xfffff, v, d);
            if (lane + d < 20)
                v = max(v, w);
        }
        b[T] = v;
    }
}

KERNEL(shfl_dropped_in_shared) {
    __shared__ int s[256];
    int lane = T & 31, v = a[T] + lane;
    if (lane < 8)
        s[T] = __shfl_xor_sync(0xff, v, lane ? 16 : 4);
    __syncthreads();
    b[T] = s[T & ~31];
}
