/* fourth.cu - lock-free algorithms that are right, as a tester wrote them. */
#include <cuda/atomic>
#include "../corpus.cuh"
template <class X> using dev = cuda::atomic_ref<X, cuda::thread_scope_device>;
template <class X> using blk = cuda::atomic_ref<X, cuda::thread_scope_block>;
#define RELAXED cuda::memory_order_relaxed
#define ACQUIRE cuda::memory_order_acquire
#define RELEASE cuda::memory_order_release

struct cell {
    int seq, data;
};

/* The bounded queue of Vyukov: each cell has a number that says whose turn it is. */
KERNEL(queue_of_many) {
    const int N = 8;
    cell *q = (cell *)(b + 64);
    if (B == 0 && T == 0) {
        for (int i = 0; i < N; i++)
            dev<int>(q[i].seq).store(i, RELAXED);
        dev<int>(b[0]).store(1, RELEASE);
    }
    if (T)
        return;
    while (!dev<int>(b[0]).load(ACQUIRE))
        ;
    const int takes = B >= 2;
    dev<int> at(b[1 + takes]);
    for (int k = 0; k < 16; k++) {
        int p = at.load(RELAXED);
        for (;;) {
            cell &c = q[p % N];
            if (dev<int>(c.seq).load(ACQUIRE) != p + takes) {
                p = at.load(RELAXED);
                continue;
            }
            if (!at.compare_exchange_weak(p, p + 1, RELAXED))
                continue;
            if (takes)
                b[1024 + p] = c.data;
            else
                c.data = B * 100 + k;
            dev<int>(c.seq).store(takes ? p + N : p + 1, RELEASE);
            break;
        }
    }
}

KERNEL(seqlock) {
    dev<int> s(b[0]), d0(b[1]), d1(b[2]);
    if (T)
        return;
    if (B == 0) {
        for (int i = 1; i < 8; i++) {
            s.store(2 * i - 1, RELAXED);
            cuda::atomic_thread_fence(RELEASE, cuda::thread_scope_device);
            d0.store(i, RELAXED);
            d1.store(i * i, RELAXED);
            s.store(2 * i, RELEASE);
        }
    } else {
        int one, two, x, y;
        do {
            one = s.load(ACQUIRE);
            x = d0.load(RELAXED);
            y = d1.load(RELAXED);
            cuda::atomic_thread_fence(ACQUIRE, cuda::thread_scope_device);
            two = s.load(RELAXED);
        } while (one != two || (one & 1));
        b[64 + B * 2] = x, b[65 + B * 2] = y;
    }
}

/* Blocks of 3 steps share tiles of 5: the block that ends a tile adds the sums of others. */
KERNEL(tiles_of_several_blocks) {
    int *part = b + 64, *flag = b + 2048, *out = b + 4096;
    int first = B * 3, last = first + 3;
    for (int it = first; it < last;) {
        const int tile = it / 5, end = min(last, tile * 5 + 5), ends = end == tile * 5 + 5;
        int sum = 0;
        const int begins = it == tile * 5;
        for (; it < end; it++)
            sum += it + T;
        if (!ends) {
            part[B * 64 + T] = sum;
            __syncthreads();
            if (T == 0)
                dev<int>(flag[B]).fetch_add(1, RELEASE);
            continue;
        }
        for (int p = B - 1; !begins && p >= 0 && p * 3 + 3 > tile * 5; p--) {
            if (T == 0)
                while (!dev<int>(flag[p]).load(ACQUIRE))
                    ;
            __syncthreads();
            sum += part[p * 64 + T];
        }
        out[tile * 64 + T] = sum;
    }
}

/* One warp fills a ring, another one empties it. */
KERNEL(ring_of_two_warps) {
    __shared__ int ring[4][32], head, tail;
    const int lane = T & 31;
    if (T == 0)
        head = tail = 0;
    __syncthreads();
    for (int i = 0; i < 20; i++) {
        if (T < 32) {
            if (lane == 0)
                while (i - blk<int>(tail).load(ACQUIRE) >= 4)
                    ;
            __syncwarp();
            ring[i % 4][lane] = i * 100 + lane;
            __syncwarp();
            if (lane == 0)
                blk<int>(head).store(i + 1, RELEASE);
        } else {
            if (lane == 0)
                while (blk<int>(head).load(ACQUIRE) <= i)
                    ;
            __syncwarp();
            b[i * 32 + lane] = ring[i % 4][31 - lane];
            __syncwarp();
            if (lane == 0)
                blk<int>(tail).store(i + 1, RELEASE);
        }
    }
}

/* Roles of warps have a setmaxnreg each, for one number. */
KERNEL(setmaxnreg_of_roles) {
    if (T < 32)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    else if (T < 128)
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    else
        asm volatile("setmaxnreg.inc.sync.aligned.u32 40;");
    b[T] = T;
}

/* A loop with a limit of time ends. */
KERNEL(gives_up_in_time) {
    if (T == 0) {
        long long begin = clock64();
        while (!*(volatile int *)(b + 1) && clock64() - begin < 1ll << 34)
            __nanosleep(100);
        b[0] = 1;
    }
}
