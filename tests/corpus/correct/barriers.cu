/* barriers: nothing is wrong. Columns of kernels.tsv say which launch and what is found. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include "../corpus.cuh"

KERNEL(double_buffer) {
    __shared__ int s[2][256];
    int acc = 0;
    s[0][T] = a[T];
    for (int i = 0; i < 6; i++) {
        __syncthreads();
        if (i < 5)
            s[(i + 1) & 1][T] = a[256 * (i + 1) + T] + i;
        acc += s[i & 1][255 - T];
    }
    b[T] = acc;
}

KERNEL(pingpong_scan) {
    __shared__ int s[2][256];
    int p = 0;
    s[0][T] = a[T];
    __syncthreads();
    for (int k = 1; k < 256; k <<= 1) {
        s[1 - p][T] = s[p][T] + (T >= k ? s[p][T - k] : 0);
        p = 1 - p;
        __syncthreads();
    }
    b[T] = s[p][T];
}

KERNEL(named_pair) {
    __shared__ int s[256];
    int g = T >> 6;
    s[T] = T;
    if (g == 0)
        BAR(1, 64);
    else if (g == 1)
        BAR(2, 64);
    else if (g == 2)
        BAR(3, 64);
    else
        BAR(4, 64);
    b[T] = s[g * 64 + 63 - (T & 63)];
}

KERNEL(arrive_sync) {
    __shared__ int s[2][64];
    if (T < 64) {
        for (int i = 0; i < 4; i++) {
            if (i >= 2) {
                if (i & 1)
                    BAR(4, 128);
                else
                    BAR(3, 128);
            }
            s[i & 1][T] = a[T] + i;
            __threadfence_block();
            if (i & 1)
                ARR(2, 128);
            else
                ARR(1, 128);
        }
    } else {
        for (int i = 0; i < 4; i++) {
            if (i & 1)
                BAR(2, 128);
            else
                BAR(1, 128);
            b[i * 64 + T - 64] = s[i & 1][127 - T];
            if (i < 2) {
                if (i & 1)
                    ARR(4, 128);
                else
                    ARR(3, 128);
            }
        }
    }
}

KERNEL(bar_in_branch_uniform) {
    __shared__ int s[256];
    s[T] = T;
    if (n == 0)
        __syncthreads();
    b[T] = s[255 - T];
}

KERNEL(two_sites) {
    __shared__ int s[256];
    s[T] = T;
    if (T < 128) {
        asm volatile("barrier.sync 0;" ::: "memory");
        b[T] = s[T + 128];
    } else {
        asm volatile("barrier.sync 0;" ::: "memory");
        b[T] = s[T - 128];
    }
}

KERNEL(bar_red) {
    int c = __syncthreads_count(T & 1);
    int o = __syncthreads_or(T == 77);
    int d = __syncthreads_and(T < 256);
    b[T] = c + o + d;
}

KERNEL(shared_lock) {
    __shared__ int lock, cnt;
    if (!T) {
        lock = 0;
        cnt = 0;
    }
    __syncthreads();
    if (!(T & 31)) {
        while (atomicCAS(&lock, 0, 1))
            ;
        __threadfence_block();
        cnt = cnt + 1;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (!T)
        b[0] = cnt;
}

KERNEL(shared_flag) {
    __shared__ volatile int f;
    __shared__ int d;
    if (!T)
        f = 0;
    __syncthreads();
    if (T == 0) {
        d = 42;
        __threadfence_block();
        f = 1;
    }
    if (T == 32) {
        while (!f)
            ;
        __threadfence_block();
        b[0] = d;
    }
}

KERNEL(hist) {
    __shared__ int s[16];
    if (T < 16)
        s[T] = 0;
    __syncthreads();
    atomicAdd(s + (T & 15), 1);
    __syncthreads();
    if (T < 16)
        atomicAdd(b + T, s[T]);
}

KERNEL(same_value_store) {
    __shared__ int f;
    f = 0;
    __syncthreads();
    if (a[T])
        f = 1;
    __syncthreads();
    b[T] = f;
}

KERNEL(reduce_volatile_free) {
    __shared__ int s[256];
    s[T] = a[T];
    for (int k = 128; k >= 32; k >>= 1) {
        __syncthreads();
        if (T < k)
            s[T] += s[T + k];
    }
    if (T < 32) {
        __syncwarp();
        int v = s[T];
        for (int k = 16; k; k >>= 1)
            v += __shfl_down_sync(~0u, v, k);
        if (!T)
            b[0] = v;
    }
}

KERNEL(disjoint_bytes) {
    __shared__ unsigned char s[256];
    s[T] = T;
    __syncthreads();
    b[T] = s[255 - T];
}

KERNEL(union_reuse) {
    __shared__ union {
        int i[256];
        float f[256];
    } s;
    s.i[T] = T;
    __syncthreads();
    int x = s.i[255 - T];
    __syncthreads();
    s.f[T] = x;
    __syncthreads();
    b[T] = (int)s.f[255 - T];
}

KERNEL(padded_struct_copy) {
    struct P {
        char c;
        int i;
    };
    __shared__ P s[256];
    s[T].c = 1;
    s[T].i = T;
    __syncthreads();
    P p = s[255 - T];
    b[T] = p.c + p.i;
}
