/* barriers: nothing is wrong. Columns of kernels.tsv have the launch and the findings. */
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

KERNEL(ring_of_named) {
    __shared__ int s[4][64];
    int g = T >> 6, l = T & 63;
    s[g][l] = T;
    if (g == 0) {
        ARR(1, 128);
        BAR(4, 128);
    } else if (g == 1) {
        BAR(1, 128);
        ARR(2, 128);
    } else if (g == 2) {
        BAR(2, 128);
        ARR(3, 128);
    } else {
        BAR(3, 128);
        ARR(4, 128);
    }
    if (g)
        b[T] = s[g - 1][63 - l];
    else
        b[T] = s[3][63 - l];
}

KERNEL(blelloch) {
    __shared__ int s[256];
    s[T] = a[T] & 7;
    for (int d = 1; d < 256; d <<= 1) {
        __syncthreads();
        int i = (T + 1) * 2 * d - 1;
        if (i < 256)
            s[i] += s[i - d];
    }
    __syncthreads();
    if (!T)
        s[255] = 0;
    for (int d = 128; d; d >>= 1) {
        __syncthreads();
        int i = (T + 1) * 2 * d - 1;
        if (i < 256) {
            int t = s[i - d];
            s[i - d] = s[i];
            s[i] += t;
        }
    }
    __syncthreads();
    b[T] = s[T];
}

KERNEL(odd_even_sort) {
    __shared__ int s[64];
    s[T] = (T * 37) & 63;
    __syncthreads();
    for (int i = 0; i < 64; i++) {
        int l = 2 * T + (i & 1);
        if (l + 1 < 64) {
            int x = s[l], y = s[l + 1];
            if (x > y) {
                s[l] = y;
                s[l + 1] = x;
            }
        }
        __syncthreads();
    }
    b[T] = s[T];
}

KERNEL(tile_transposed) {
    __shared__ int s[16][17];
    int x = T & 15, y = T >> 4;
    for (int k = 0; k < 3; k++) {
        s[y][x] = a[T] + k;
        __syncthreads();
        b[k * 256 + T] = s[x][y];
        __syncthreads();
    }
}

KERNEL(halo) {
    __shared__ int s[258];
    s[T + 1] = a[T];
    if (T < 2)
        s[T * 257] = a[T];
    __syncthreads();
    b[T] = s[T] + s[T + 1] + s[T + 2];
}

KERNEL(private_histograms) {
    __shared__ int s[8][16];
    if (T < 128)
        s[T >> 4][T & 15] = 0;
    __syncthreads();
    atomicAdd(&s[T >> 5][a[T] & T & 15], 1);
    __syncthreads();
    if (T < 16) {
        int v = 0;
        for (int i = 0; i < 8; i++)
            v += s[i][T];
        b[T] = v;
    }
}

KERNEL(max_by_atomic) {
    __shared__ int m;
    if (!T)
        m = 0;
    __syncthreads();
    atomicMax(&m, (T * 61) & 255);
    __syncthreads();
    b[T] = m;
}

KERNEL(ticket_lock) {
    __shared__ int next, now, count;
    if (!T)
        next = now = count = 0;
    __syncthreads();
    if ((T & 31) == 0) {
        int t = atomicAdd(&next, 1);
        while (*(volatile int *)&now != t)
            ;
        __threadfence_block();
        count = count + t;
        __threadfence_block();
        atomicAdd(&now, 1);
    }
    __syncthreads();
    if (!T)
        b[0] = count;
}

KERNEL(last_warp_reduces) {
    __shared__ int s[8], count;
    __shared__ bool last[8];
    int w = T >> 5, v = a[T] & 3;
    if (!T)
        count = 0;
    __syncthreads();
    for (int k = 16; k; k >>= 1)
        v += __shfl_xor_sync(~0u, v, k);
    if ((T & 31) == 0) {
        s[w] = v;
        __threadfence_block();
        last[w] = atomicAdd(&count, 1) == 7;
    }
    __syncwarp();
    if (last[w]) {
        __threadfence_block();
        if ((T & 31) < 8)
            b[T & 31] = s[T & 31];
    }
}

KERNEL(warps_leave_one_by_one) {
    __shared__ int s[256];
    s[T] = T;
    for (int i = 0; i < 8; i++) {
        __syncthreads();
        if ((T >> 5) == i) {
            b[T] = s[255 - T];
            return;
        }
    }
}

KERNEL(or_decides_loop) {
    __shared__ int count;
    if (!T)
        count = 0;
    __syncthreads();
    int i = 0;
    while (__syncthreads_or(count < 5)) {
        if (!T)
            count++;
        i++;
        __syncthreads();
    }
    b[T] = i;
}

KERNEL(barrier_in_function) {
    __shared__ int s[256];
    auto f = [&](int k) {
        __syncthreads();
        int v = s[(T + k) & 255];
        __syncthreads();
        s[T] = v + 1;
    };
    s[T] = T;
    f(32);
    f(64);
    f(96);
    __syncthreads();
    b[T] = s[T];
}

KERNEL(counted_pair) {
    __shared__ int s[128];
    if (T < 64) {
        s[T] = T;
        BAR(5, 128);
        b[T] = s[64 + T];
    } else if (T < 128) {
        s[T] = T;
        BAR(5, 128);
        b[T] = s[T - 64];
    }
}

KERNEL(flags_of_warps) {
    __shared__ volatile int f[8];
    __shared__ int d[8];
    int w = T >> 5;
    if (T < 8)
        f[T] = 0;
    __syncthreads();
    if ((T & 31) == 0) {
        if (w) {
            while (!f[w - 1])
                ;
            __threadfence_block();
            d[w] = d[w - 1] + 1;
        } else
            d[0] = 1;
        __threadfence_block();
        f[w] = 1;
        b[w] = d[w];
    }
}

KERNEL(one_warp_block) {
    __shared__ int s[32];
    if (T < 32) {
        s[T] = T;
    }
    __syncthreads();
    if (T < 32) {
        b[T] = s[31 - T];
    }
    __syncthreads();
    if (T < 32)
        s[T] = 0;
}

KERNEL(struct_of_words) {
    struct P {
        int x, y, z;
    };
    __shared__ P s[256];
    s[T] = {T, T + 1, T + 2};
    __syncthreads();
    P p = s[255 - T];
    b[T] = p.x + p.y * p.z;
}
