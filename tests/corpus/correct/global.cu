/* global: nothing is wrong. Columns of kernels.tsv have the launch and the findings. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include "../corpus.cuh"

KERNEL(lastblock) {
    __shared__ bool last;
    if (!T) {
        b[64 + B] = a[B];
        __threadfence();
        last = atomicAdd(b, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        if (T < gridDim.x)
            b[1024 + T] = b[64 + T];
        if (!T)
            b[0] = 0;
    }
}

KERNEL(lastblock_all) {
    __shared__ bool last;
    b[1024 + B * 256 + T] = a[T];
    __threadfence();
    __syncthreads();
    if (!T)
        last = atomicAdd(b, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        int s = 0;
        for (int i = 0; i < (int)gridDim.x; i++)
            s += b[1024 + i * 256 + T];
        b[8192 + T] = s;
    }
}

KERNEL(lookback_acqrel) {
    if (!T) {
        int agg = B + 1;
        b[64 + B] = agg;
        strel(b + B, 1);
        int sum = 0;
        for (int p = B - 1; p >= 0; p--) {
            while (ldacq(b + p) == 0)
                ;
            sum += b[64 + p];
        }
        b[128 + B] = sum + agg;
    }
}

KERNEL(lookback_volatile) {
    if (!T) {
        volatile int *v = b;
        v[64 + B] = B + 1;
        __threadfence();
        v[B] = 1;
        int sum = 0;
        for (int p = B - 1; p >= 0; p--) {
            while (v[p] == 0)
                ;
            __threadfence();
            sum += v[64 + p];
        }
        b[128 + B] = sum;
    }
}

KERNEL(lookback_packed) {
    if (!T) {
        u64 *v = (u64 *)b;
        u64 mine = (1ull << 32) | (B + 1);
        atomicExch((unsigned long long *)v + B, mine);
        int sum = 0;
        for (int p = B - 1; p >= 0; p--) {
            u64 x;
            do {
                x = *(volatile u64 *)(v + p);
            } while (!(x >> 32));
            sum += (int)x;
        }
        b[256 + B] = sum;
    }
}

KERNEL(flag_atomic) {
    if (!T) {
        if (B == 0) {
            b[64] = 42;
            __threadfence();
            atomicExch(b, 1);
        } else {
            while (atomicAdd(b, 0) == 0)
                ;
            __threadfence();
            b[128 + B] = b[64];
        }
    }
}

KERNEL(spinlock) {
    if (!T) {
        while (atomicCAS(b, 0, 1))
            ;
        __threadfence();
        b[64] = b[64] + 1;
        __threadfence();
        atomicExch(b, 0);
    }
}

KERNEL(gridsync) {
    int i = B * 256 + T;
    b[i] = i;
    cg::this_grid().sync();
    b[4096 + i] = b[(i + 256) % 1024];
    cg::this_grid().sync();
    b[i] = b[4096 + (i + 512) % 1024];
}

KERNEL(own_gridbar) {
    int i = B * 256 + T;
    b[4096 + i] = i;
    __syncthreads();
    if (!T) {
        __threadfence();
        atomicAdd(b, 1);
        while (*(volatile int *)b < (int)gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    b[8192 + i] = b[4096 + (i + 256) % 1024];
}

KERNEL(ticket_persistent) {
    __shared__ int t;
    for (;;) {
        if (!T)
            t = atomicAdd(b, 1);
        __syncthreads();
        int x = t;
        __syncthreads();
        if (x >= 12)
            break;
        b[1024 + x * 256 + T] = x;
    }
}

KERNEL(cuda_atomic_ref) {
    if (!T) {
        cuda::atomic_ref<int, cuda::thread_scope_device> f(b[0]);
        if (B == 0) {
            b[64] = 7;
            f.store(1, cuda::memory_order_release);
        } else {
            while (!f.load(cuda::memory_order_acquire))
                ;
            b[128 + B] = b[64];
        }
    }
}

KERNEL(dynamic_id) {
    __shared__ int id;
    if (!T)
        id = atomicAdd(b, 1);
    __syncthreads();
    if (!T) {
        b[64 + id] = id;
        strel(b + 1 + id, 1);
        if (id) {
            while (!ldacq(b + id))
                ;
            b[128 + id] = b[64 + id - 1];
        }
    }
}

KERNEL(cta_scope) {
    if (T == 0) {
        b[64 + B] = 42;
        strelc(b + B, 1);
    }
    if (T == 32) {
        while (ldacqc(b + B) == 0)
            ;
        b[128 + B] = b[64 + B];
    }
}

KERNEL(cas_loop) {
    float *f = (float *)b;
    int *p = b;
    int old = *(volatile int *)p, as;
    do {
        as = old;
        old = atomicCAS(p, as, __float_as_int(__int_as_float(as) + 1.f));
    } while (as != old);
    (void)f;
}

KERNEL(semaphore_chain) {
    if (!T) {
        while (ldacq(b) != B)
            ;
    }
    __syncthreads();
    b[64 + T] += B;
    __syncthreads();
    if (!T)
        strel(b, B + 1);
}

KERNEL(bcast_same_value) {
    b[64] = 7;
    b[128 + T] = 9;
}

KERNEL(malloc_each) {
    int *p = (int *)malloc(64);
    if (p) {
        p[0] = T;
        p[15] = 1;
        b[T] = p[0] + p[15];
        free(p);
    }
}

KERNEL(atomicInc_wrap) {
    __shared__ bool last;
    b[64 + B * 256 + T] = T;
    __threadfence();
    __syncthreads();
    if (!T)
        last = atomicInc((u32 *)b, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        int s = 0;
        for (int i = 0; i < (int)gridDim.x; i++)
            s += ((volatile int *)b)[64 + i * 256 + T];
        b[8192 + T] = s;
    }
}

KERNEL(message_release_acquire) {
    if (B == 0) {
        b[64 + T] = T;
        __threadfence();
        __syncthreads();
        if (!T)
            strel(b, 1);
    } else {
        if (!T)
            while (!ldacq(b))
                ;
        __syncthreads();
        b[1024 + T] = b[64 + T];
    }
}

KERNEL(sense_barrier) {
    __shared__ int dummy;
    int i = B * 256 + T;
    b[1024 + i] = i;
    for (int r = 0; r < 2; r++) {
        __syncthreads();
        if (!T) {
            __threadfence();
            int old = atomicAdd(b, 1);
            int goal = (r + 1) * (int)gridDim.x;
            if (old + 1 < goal)
                while (*(volatile int *)b < goal)
                    ;
            __threadfence();
        }
        __syncthreads();
        dummy = 0;
        b[8192 + r * 2048 + i] = b[1024 + (i + 256) % 1024];
    }
    (void)dummy;
}

KERNEL(ticket_lock_blocks) {
    if (!T) {
        int t = atomicAdd(b, 1);
        while (*(volatile int *)(b + 1) != t)
            ;
        __threadfence();
        b[64] = b[64] + t;
        __threadfence();
        atomicExch(b + 1, t + 1);
    }
}

KERNEL(hash_insert) {
    u32 key = 1 + ((B * 256 + T) * 2654435761u >> 22);
    u32 h = key & 1023;
    for (;;) {
        u32 old = atomicCAS((u32 *)b + h, 0, key);
        if (old == 0 || old == key)
            break;
        h = (h + 1) & 1023;
    }
}

KERNEL(queue_of_results) {
    if (T % 7 == 0) {
        int i = atomicAdd(b, 1);
        b[64 + i] = B * 256 + T;
    }
}

KERNEL(slots_of_blocks) {
    atomicAdd_block(b + B, 1);
    __syncthreads();
    if (!T)
        b[64 + B] = b[B];
}

KERNEL(split_sum_semaphore) {
    if (!T)
        while (ldacq(b) != B)
            ;
    __syncthreads();
    b[64 + T] = (B ? b[64 + T] : 0) + a[T];
    __threadfence();
    __syncthreads();
    if (!T)
        strel(b, B + 1);
}

KERNEL(bits_of_all) {
    int i = B * 256 + T;
    atomicOr(b + (i >> 5), 1u << (i & 31));
}

KERNEL(min_float_bits) {
    float f = (float)((B * 256 + T * 7) % 1000);
    atomicMax(b, __float_as_int(f));
}

KERNEL(last_block_resets) {
    __shared__ bool last;
    b[64 + B * 256 + T] = T;
    __threadfence();
    __syncthreads();
    if (!T)
        last = atomicAdd(b, 1) == (int)gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        b[8192 + T] = b[64 + T] + b[64 + 256 + T];
        if (!T)
            b[0] = 0;
    }
}

KERNEL(relaxed_then_fence) {
    if (!T) {
        if (B == 0) {
            b[64] = 42;
            __threadfence();
            strlx(b, 1);
        } else {
            while (!ldrlx(b))
                ;
            __threadfence();
            b[128 + B] = b[64];
        }
    }
}

KERNEL(chain_of_blocks) {
    if (!T) {
        if (B)
            while (!ldacq(b + B - 1))
                ;
        b[64 + B] = (B ? b[64 + B - 1] : 0) + 1;
        strel(b + B, 1);
    }
}

KERNEL(transitive) {
    if (!T) {
        if (B == 0) {
            b[64] = 7;
            strel(b, 1);
        } else if (B == 1) {
            while (!ldacq(b))
                ;
            strel(b + 1, 1);
        } else if (B == 2) {
            while (!ldacq(b + 1))
                ;
            b[128] = b[64];
        }
    }
}

KERNEL(cas_max) {
    int v = (B * 97 + T * 31) & 1023;
    int old = ldrlx(b);
    while (old < v) {
        int seen = atomicCAS(b, old, v);
        if (seen == old)
            break;
        old = seen;
    }
}

KERNEL(double_fenced_flag) {
    if (B == 0) {
        b[64 + T] = T;
        __syncthreads();
        if (!T) {
            __threadfence();
            atomicExch(b, 1);
        }
    } else {
        if (!T) {
            while (!atomicAdd(b, 0))
                ;
            __threadfence();
        }
        __syncthreads();
        b[1024 + T] = b[64 + 255 - T];
    }
}

KERNEL(read_only_table) {
    int i = B * 256 + T;
    b[i] = __ldg(a + i) + __ldg(a + (i ^ 1));
}

KERNEL(in_place_own) {
    int i = B * 256 + T;
    for (int k = 0; k < 3; k++)
        b[i] = b[i] * 2 + 1;
}

KERNEL(neighbour_other_buffer) {
    int i = B * 256 + T;
    b[8192 + i] = a[i] + a[i + 1] + (i ? a[i - 1] : 0);
}

// One thread polls with a relaxed load and fences, and the block meets.
KERNEL(poll_fence_barrier) {
    if (B == 0) {
        b[64 + T] = a[T] + T;
        __syncthreads();
        if (!T) {
            __threadfence();
            strlx(b, 1);
        }
    } else {
        if (!T) {
            while (!ldrlx(b))
                ;
            __threadfence();
        }
        __syncthreads();
        b[1024 + T] = b[64 + T];
    }
}

// The block meets behind the poll of one thread, and every thread fences.
KERNEL(poll_barrier_fence) {
    if (B == 0) {
        b[64 + T] = a[T] + T;
        __syncthreads();
        if (!T) {
            __threadfence();
            strlx(b, 1);
        }
    } else {
        if (!T)
            while (!ldrlx(b))
                ;
        __syncthreads();
        __threadfence();
        b[1024 + T] = b[64 + T];
    }
}

// The last block fences behind the counter.
KERNEL(last_block_fences) {
    __shared__ int last;
    b[64 + T + 256 * B] = a[T] + T;
    __threadfence();
    __syncthreads();
    if (!T) {
        last = atomicAdd(b, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last)
        b[2048 + T] = b[64 + T] + b[64 + 256 + T];
}
