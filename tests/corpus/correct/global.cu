/* global: nothing is wrong. Columns of kernels.tsv say which launch and what is found. */
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
