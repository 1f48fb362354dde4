/* barriers: a mistake in each kernel. Columns of kernels.tsv have the launch and the findings. */
#include "../corpus.cuh"

KERNEL(raw) {
    __shared__ int s[256];
    s[T] = a[T] + T;
    b[T] = s[255 - T];
}

KERNEL(war) {
    __shared__ int s[256];
    s[T] = a[T] + T;
    __syncthreads();
    int x = s[255 - T];
    s[T] = x + 1;
    __syncthreads();
    b[T] = s[T];
}

KERNEL(waw) {
    __shared__ int s[256];
    s[T] = T;
    s[255 - T] = T + 1000;
    __syncthreads();
    b[T] = s[T];
}

KERNEL(reduce_nosync) {
    __shared__ int s[256];
    s[T] = a[T];
    __syncthreads();
    for (int k = 128; k; k >>= 1) {
        if (T < k)
            s[T] += s[T + k];
    }
    if (!T)
        b[0] = s[0];
}

KERNEL(scan_onesync) {
    __shared__ int s[256];
    s[T] = a[T];
    __syncthreads();
    for (int k = 1; k < 256; k <<= 1) {
        int v = T >= k ? s[T - k] : 0;
        s[T] += v;
        __syncthreads();
    }
    b[T] = s[T];
}

KERNEL(transpose) {
    __shared__ int s[16][17];
    int x = T & 15, y = T >> 4;
    s[y][x] = a[T] + T;
    b[T] = s[x][y];
}

KERNEL(double_buffer) {
    __shared__ int s[2][256];
    int acc = 0;
    for (int i = 0; i < 4; i++) {
        s[i & 1][T] = a[i * 256 + T] + i;
        if (i == 0)
            __syncthreads();
        acc += s[i & 1][(T + 32) & 255];
    }
    b[T] = acc;
}

KERNEL(tile_trailing) {
    __shared__ int s[256];
    int acc = 0;
    for (int i = 0; i < 4; i++) {
        s[T] = a[i * 256 + T] + i;
        __syncthreads();
        for (int k = 0; k < 256; k += 32)
            acc += s[(T + k) & 255];
    }
    b[T] = acc;
}

KERNEL(hist_plain) {
    __shared__ int s[16];
    if (T < 16)
        s[T] = 0;
    __syncthreads();
    s[T & 15] += 1;
    __syncthreads();
    if (T < 16)
        b[T] = s[T];
}

KERNEL(init_nosync) {
    __shared__ int s[16];
    if (T < 16)
        s[T] = 0;
    atomicAdd(&s[T & 15], 1);
    __syncthreads();
    if (T < 16)
        b[T] = s[T];
}

KERNEL(div_bar_lane) {
    __shared__ int s[256];
    s[T] = a[T];
    if (T < 100) {
        asm volatile("bar.sync 0;" ::: "memory");
        b[T] = s[255 - T];
    } else {
        b[T] = 1;
    }
}

KERNEL(div_bar_ifelse) {
    if (T & 1) {
        asm volatile("bar.sync 0;" ::: "memory");
        b[T] = 1;
    } else {
        asm volatile("bar.sync 0;" ::: "memory");
        b[T] = 2;
    }
}

KERNEL(count_few) {
    if (T < 96)
        BAR(1, 128);
    else
        BAR(2, 128);
    b[T] = 1;
}

KERNEL(count_many) {
    __shared__ int s[256];
    s[T] = T;
    if (T < 96) {
        BAR(1, 64);
    }
    b[T] = s[(T + 32) % 96];
    __syncthreads();
}

KERNEL(arrive_count) {
    __shared__ int s[128];
    if (T < 64) {
        s[T] = a[T];
        ARR(1, 96);
    } else if (T < 128) {
        BAR(1, 128);
        b[T] = s[T - 64];
    }
}

KERNEL(id_mismatch) {
    if (T < 64) {
        ARR(1, 128);
        BAR(3, 128);
    } else {
        BAR(2, 128);
        ARR(3, 128);
    }
    b[T] = 1;
}

KERNEL(notmul32) {
    asm volatile("bar.sync 1,%0;" ::"r"(n + 40));
    b[T] = 1;
}

KERNEL(bar_loop_trip) {
    for (int i = 0; i < 1 + (T >> 5); i++)
        __syncthreads();
    if (T < 32) {
        volatile int *f = b;
        while (f[0] == 0)
            ;
    }
    b[T] = 1;
}

KERNEL(extra_bar_warp0) {
    __shared__ int s[256];
    if (T < 32)
        __syncthreads();
    s[T] = T;
    __syncthreads();
    b[T] = s[255 - T];
}

KERNEL(atomic_plain) {
    __shared__ int c;
    if (!T)
        c = 0;
    __syncthreads();
    atomicAdd(&c, 1);
    b[T] = ((int *)&c)[0];
}

KERNEL(count_div) {
    if (T < 200) {
        b[T] = __syncthreads_count(T & 1);
    } else
        b[T] = 5;
}

KERNEL(shared_flag_nofence) {
    __shared__ volatile int f;
    __shared__ int d;
    int v;
    if (!T)
        f = 0;
    __syncthreads();
    if (T == 0) {
        asm volatile("st.shared.u32 [%0],%1;" ::"r"(sa(&d)), "r"(42));
        f = 1;
    }
    if (T == 32) {
        while (!f)
            ;
        asm volatile("ld.shared.u32 %0,[%1];" : "=r"(v) : "r"(sa(&d)));
        b[0] = v;
    }
}

KERNEL(lanes_partial_exit) {
    if (T % 32 > 20)
        return;
    __syncthreads();
    b[T] = 1;
}

KERNEL(tail_bar) {
    __shared__ int s[64];
    if (T < 64)
        s[T] = 0;
    __syncthreads();
    for (int i = 0; i < 16; i++) {
        int o = 64 * i + T;
        if (o < 1000) {
            s[T & 63] += a[o];
            __syncthreads();
        }
    }
    if (T < 64)
        b[T] = s[T];
}

KERNEL(exit_in_loop) {
    __shared__ int s[256];
    for (int i = 0; i < 4; i++) {
        s[T] = T + i;
        if (i == 3 && T > 250) {
            b[T] = 7;
            return;
        }
        __syncthreads();
        b[T] = s[T ^ 32];
        __syncthreads();
    }
}
