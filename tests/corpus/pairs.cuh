/* pairs.cuh - kernels that real programs have, each with a mistake (X) and without it. */
#pragma once
#include "corpus.cuh"
#define PAIR(name)                                                                                 \
    template <bool X> __device__ __forceinline__ void name##_of(int *a, int *b, int *u, int n);    \
    KERNEL(name) {                                                                                 \
        name##_of<MISTAKE>(a, b, u, n);                                                            \
    }                                                                                              \
    template <bool X> __device__ __forceinline__ void name##_of(int *a, int *b, int *u, int n)

/* The last step of a pipeline waits for all groups but the newest. */
PAIR(pipe_tail) {
    __shared__ __align__(16) int s[2][256];
    cpa(&s[0][T * 4], a + T * 4);
    COMMIT;
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        if (k < 3) {
            cpa(&s[(k + 1) & 1][T * 4], a + 256 * (k + 1) + T * 4);
            COMMIT;
        }
        if (X) {
            WAITG(1);
        } else if (k < 3) {
            WAITG(1);
        } else {
            WAITG(0);
        }
        __syncthreads();
        sum += s[k & 1][255 - T];
        __syncthreads();
    }
    b[T] = sum;
}

/* The wait leaves one group too many pending. */
PAIR(pipe_wait_before_commit) {
    __shared__ __align__(16) int s[3][256];
    for (int k = 0; k < 2; k++) {
        cpa(&s[k][T * 4], a + 256 * k + T * 4);
        COMMIT;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        if (X) {
            WAITG(2);
        } else {
            WAITG(1);
        }
        __syncthreads();
        sum += s[k % 3][255 - T];
        if (k + 2 < 6)
            cpa(&s[(k + 2) % 3][T * 4], a + 256 * (k + 2) + T * 4);
        COMMIT;
    }
    b[T] = sum;
}

/* Two stages and one barrier a step: a copy overwrites what others read. */
PAIR(pipe_two_stages_one_barrier) {
    __shared__ __align__(16) int s[3][256];
    const int S = X ? 2 : 3;
    cpa(&s[0][T * 4], a + T * 4);
    COMMIT;
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        if (k + 1 < 6)
            cpa(&s[(k + 1) % S][T * 4], a + 256 * (k + 1) + T * 4);
        COMMIT;
        WAITG(1);
        __syncthreads();
        sum += s[k % S][255 - T];
    }
    b[T] = sum;
}

/* A bulk store is read back after wait_group.read. */
PAIR(store_read_back) {
    __shared__ __align__(128) int s[64];
    s[T] = T;
    PROXY;
    __syncthreads();
    if (T == 0) {
        bstore(b, s, 256);
        BCOMMIT;
        if (!X)
            BWAIT;
        else
            BWAITR;
        asm volatile("fence.proxy.async;");
        b[64] = b[5];
        if (X)
            BWAIT;
    }
}

/* Wait_group.read 1 with one buffer. */
PAIR(store_ring_one_buffer) {
    __shared__ __align__(128) int s[2][64];
    for (int k = 0; k < 4; k++) {
        int *t = s[X ? 0 : k & 1];
        if (T == 0)
            asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        __syncthreads();
        t[T] = T + k;
        PROXY;
        __syncthreads();
        if (T == 0) {
            bstore(b + 64 * k, t, 256);
            BCOMMIT;
        }
    }
    if (T == 0)
        BWAIT;
}

/* Two copies, and the bytes of one are expected. */
PAIR(expect_one_of_two) {
    __shared__ __align__(128) int s[2][64];
    __shared__ u64 m;
    if (T == 0) {
        minit(&m, 1);
        MFENCE;
    }
    __syncthreads();
    if (T == 0) {
        mexp(&m, X ? 256 : 512);
        bload(s[0], a, 256, &m);
        bload(s[1], a + 64, 256, &m);
    }
    mwait(&m, 0);
    b[T] = s[0][T] + s[1][T];
    if (X) {
        if (T == 0)
            mexp(&m, 0);
    }
}

/* The last tile is smaller than its expect_tx. */
PAIR(expect_tail_full) {
    __shared__ __align__(128) int s[2][64];
    __shared__ u64 m[2];
    if (T == 0) {
        minit(&m[0], 1);
        minit(&m[1], 1);
        MFENCE;
    }
    __syncthreads();
    if (T == 0)
        for (int k = 0; k < 2; k++) {
            int bytes = k ? 128 : 256;
            mexp(&m[k], X ? 256 : bytes);
            bload(s[k], a + 64 * k, bytes, &m[k]);
        }
    int sum = 0;
    for (int k = 0; k < 2; k++) {
        mwait(&m[k], 0);
        if (T < (k ? 32 : 64))
            sum += s[k][T];
    }
    b[T] = sum;
}

/* Thread 0 hands the tile over before all have added. */
PAIR(splitk_no_barrier) {
    int *sem = b + 4096;
    if (T == 0)
        while (ldacq(sem) != B) {
        }
    __syncthreads();
    b[T] += a[B * 64 + T];
    if (!X)
        __syncthreads();
    if (T == 0)
        strel(sem, B + 1);
}

/* A semaphore is polled, and no fence follows. */
PAIR(splitk_volatile_wait) {
    volatile int *sem = b + 4096;
    if (T == 0) {
        while (*sem != B) {
        }
        if (!X)
            __threadfence();
    }
    __syncthreads();
    b[T] += a[B * 64 + T];
    __syncthreads();
    if (T == 0) {
        __threadfence();
        *sem = B + 1;
    }
}

/* A block counts itself before it writes its part. */
PAIR(splitk_count_then_write) {
    __shared__ bool last;
    if (!X)
        b[1024 + B * 64 + T] = a[B * 64 + T];
    __threadfence();
    __syncthreads();
    if (T == 0)
        last = atomicInc((u32 *)b + 4096, 3) == 3;
    if (X)
        b[1024 + B * 64 + T] = a[B * 64 + T];
    __syncthreads();
    if (last) {
        __threadfence();
        int sum = 0;
        for (int k = 0; k < 4; k++)
            sum += b[1024 + k * 64 + T];
        b[T] = sum;
    }
}

/* Accumulators are scaled before the wait. */
PAIR(wg_regs_next_tile) {
    __shared__ __align__(1024) __half A[2][64 * 16], Bm[2][8 * 16];
    for (int i = T; i < 2 * 64 * 16; i += 128)
        A[0][i] = __float2half(1.f);
    for (int i = T; i < 2 * 8 * 16; i += 128)
        Bm[0][i] = __float2half(1.f);
    PROXY;
    __syncthreads();
    float d[4] = {0, 0, 0, 0};
    for (int k = 0; k < 2; k++) {
        WFENCE;
        WG(d, dsc(A[k]), dsc(Bm[k]));
        WCOMMIT;
        if (!X)
            WWAIT;
        d[0] *= 2.f;
        if (X)
            WWAIT;
    }
    ((float *)b)[T] = d[0] + d[1];
}

/* An index leaves an array for the next variable. */
PAIR(past_into_other_array) {
    __shared__ int x[64];
    __shared__ int y[64];
    x[T] = a[T];
    y[T] = 7;
    __syncthreads();
    b[T] = x[X ? T + 1 : 63 - T] + y[T ^ 1];
}

/* One lane too many uses the half that no thread writes. */
PAIR(half_shared) {
    __shared__ int s[128];
    if (T < 32)
        s[T] = a[T];
    __syncthreads();
    int v = s[T];
    b[T] = T < (X ? 33 : 32) ? v : 0;
}

/* The last one reads a counter that others still update. */
PAIR(atomics_then_own_read) {
    __shared__ int c;
    if (T == 0)
        c = 0;
    __syncthreads();
    int k = atomicAdd(&c, 1);
    if (!X)
        __syncthreads();
    b[T] = k == 63 ? c : X ? c : 1;
}

/* A key is published before its value. */
PAIR(hash_value_late) {
    int key = B * 64 + T + 1, slot = (key * 7) % 512;
    int *keys = b, *vals = b + 1024;
    for (;;) {
        if (!X) {
            int old = atomicCAS(&keys[slot], 0, -1);
            if (old == 0) {
                vals[slot] = key * 2;
                __threadfence();
                atomicExch(&keys[slot], key);
                break;
            }
        } else {
            int old = atomicCAS(&keys[slot], 0, key);
            if (old == 0) {
                vals[slot] = key * 2;
                break;
            }
        }
        slot = (slot + 1) % 512;
    }
    int want = (key * 5) % 128 + 1, at = (want * 7) % 512;
    for (int i = 0; i < 512; i++) {
        int k = atomicAdd(&keys[at], 0);
        if (k == want) {
            if (!X)
                __threadfence();
            atomicAdd(&b[2048], X ? vals[at] : atomicAdd(&vals[at], 0));
            break;
        }
        if (!k)
            break;
        at = (at + 1) % 512;
    }
}

/* A union without a compare-and-swap. */
PAIR(union_find) {
    int *parent = b;
    int i = B * 64 + T;
    atomicExch(&parent[i], i);
    if (T == 0) {
        __threadfence();
        atomicAdd(&b[4096], 1);
        while (atomicAdd(&b[4096], 0) < 2) {
        }
        __threadfence();
    }
    __syncthreads();
    int x = i, y = (i * 37 + 11) % 128;
    for (;;) {
        while (true) {
            int p = X ? parent[x] : atomicAdd(&parent[x], 0);
            if (p == x)
                break;
            x = p;
        }
        while (true) {
            int p = X ? parent[y] : atomicAdd(&parent[y], 0);
            if (p == y)
                break;
            y = p;
        }
        if (x == y)
            break;
        if (x < y) {
            int t = x;
            x = y;
            y = t;
        }
        if (X) {
            parent[x] = y;
            break;
        }
        if (atomicCAS(&parent[x], x, y) == x)
            break;
    }
}

/* A value is published by a relaxed store. */
PAIR(double_checked) {
    int *state = b + 1024, *value = b + 1025;
    if (T)
        return;
    if (ldacq(state) != 2) {
        if (atomicCAS(state, 0, 1) == 0) {
            *value = 77;
            if (X)
                strlx(state, 2);
            else
                strel(state, 2);
        } else
            while (ldacq(state) != 2) {
            }
    }
    b[B] = *value;
}

/* A volatile flag and a volatile payload without a fence. */
PAIR(volatile_both) {
    volatile int *flag = b + 1024, *data = b + 2048;
    if (T)
        return;
    if (B == 0) {
        *data = 5;
        if (!X)
            __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        if (!X)
            __threadfence();
        b[1] = *data;
    }
}

/* Two words are written where a reader expects one of 64 bits. */
PAIR(packed_in_halves) {
    if (T)
        return;
    volatile u64 *state = (u64 *)(b + 1024);
    if (B == 0) {
        if (X) {
            ((volatile int *)state)[0] = 5;
            ((volatile int *)state)[1] = 1;
        } else
            *state = (1ull << 32) | 5;
    } else {
        u64 s;
        do
            s = *state;
        while (!(s >> 32));
        b[0] = (int)s;
    }
}

/* Atomics of 32 and 64 bits on one word. */
PAIR(atomic_mixed_width) {
    u64 *w = (u64 *)(b + 64);
    if (T < 32)
        atomicAdd(w, 1ull);
    else if (X)
        atomicAdd((u32 *)w, 1u);
    else
        atomicAdd(w, 1ull << 32);
    __syncthreads();
    if (T == 0)
        b[0] = (int)*w;
}

/* The next tile number is written before all have read this one. */
PAIR(tile_number_overwritten) {
    __shared__ int tile;
    for (;;) {
        if (T == 0)
            tile = atomicAdd(b + 4096, 1);
        __syncthreads();
        int mine = tile;
        if (!X)
            __syncthreads();
        if (mine >= 6)
            break;
        b[mine * 64 + T] = a[mine * 64 + T];
    }
}

/* A tree over 48 words reads behind them. */
PAIR(tree_of_48) {
    __shared__ int s[64];
    if (T < 48)
        s[T] = a[T];
    __syncthreads();
    for (int k = 32; k; k /= 2) {
        if (T < k && (X || T + k < 48))
            s[T] += s[T + k];
        __syncthreads();
    }
    if (T == 0)
        b[0] = s[0];
}

/* Sums of warps are read without a barrier. */
PAIR(sums_of_warps) {
    __shared__ int sums[4];
    int v = a[T];
    for (int k = 16; k; k /= 2)
        v += __shfl_xor_sync(~0u, v, k);
    if (T % 32 == 0)
        sums[T / 32] = v;
    if (!X)
        __syncthreads();
    int before = 0;
    for (int w = 0; w < T / 32; w++)
        before += sums[w];
    b[T] = before + v;
}

/* A mask is cleared while others read it. */
PAIR(mask_cleared_early) {
    __shared__ u32 mask;
    u32 all = 0;
    if (T == 0)
        mask = 0;
    for (int k = 0; k < 3; k++) {
        __syncthreads();
        if (a[T + k] & 1)
            atomicOr(&mask, 1u << (T / 2));
        __syncthreads();
        all |= mask;
        if (!X)
            __syncthreads();
        if (T == 0)
            mask = 0;
    }
    b[T] = all;
}

/* The last step loads one element ahead. */
PAIR(reads_ahead) {
    int next = a[T];
    for (int i = T; i < 16384; i += 64) {
        int now = next;
        if (X || i + 64 < 16384)
            next = a[i + 64];
        b[i] = now;
    }
}

/* Two arrays in one block of shared memory overlap. */
PAIR(arrays_overlap) {
    __shared__ int pool[128];
    int *left = pool, *right = pool + (X ? 32 : 64);
    left[T] = a[T];
    right[T] = a[T + 64] + 1;
    __syncthreads();
    b[T] = left[T ^ 1] + right[T ^ 1];
}

/* A word is read from bytes at an odd place. */
PAIR(word_of_bytes) {
    const unsigned char *p = (const unsigned char *)a + T * 5;
    b[T] = X ? *(const int *)p : p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24;
}

/* A negative index into a local array. */
PAIR(local_before) {
    int l[8];
    for (int i = 0; i < 8; i++)
        l[(i + n) & 7] = a[i];
    b[T] = l[((T & 7) - (X ? 1 : 0)) - n];
}

/* A consumer reads the stage of another barrier. */
PAIR(stage_of_another) {
    __shared__ int s[2][64];
    if (T < 64) {
        for (int k = 0; k < 2; k++) {
            s[k][T] = a[64 * k + T];
            if (k == 0)
                ARR(1, 128);
            else
                ARR(2, 128);
        }
    } else {
        int v = 0;
        for (int k = 0; k < 2; k++) {
            if (k == 0)
                BAR(1, 128);
            else
                BAR(2, 128);
            v += s[X ? k ^ 1 : k][127 - T];
        }
        b[T] = v;
    }
}

/* A lock is released before the write. */
PAIR(lock_released_early) {
    if (T)
        return;
    while (atomicCAS(b + 1024, 0, 1)) {
    }
    __threadfence();
    int v = b[0];
    if (X) {
        __threadfence();
        atomicExch(b + 1024, 0);
    }
    b[0] = v + 1;
    if (!X) {
        __threadfence();
        atomicExch(b + 1024, 0);
    }
}

/* A writer polls the count of readers, and no fence follows. */
PAIR(count_of_readers) {
    if (T)
        return;
    int *readers = b + 1024, *data = b + 2048;
    if (B == 0) {
        int v = *data;
        b[4096] = v;
        __threadfence();
        atomicAdd(readers, 1);
    } else {
        while (X ? *(volatile int *)readers == 0 : ldacq(readers) == 0) {
        }
        if (X) {
        }
        *data = 7;
    }
}

/* A word of the leader is read before the barrier of the cluster. */
PAIR(sum_of_leader) {
    __shared__ int sum;
    if (T == 0)
        sum = B + 1;
    CSYNC;
    if (B == 0 && T == 0)
        stc(mapa(sa(&sum), 1), 40);
    if (!X)
        CSYNC;
    b[B * 64 + T] = sum;
    CSYNC;
}

/* A struct whose word was never set is copied. */
struct padded {
    char c;
    int x;
};
PAIR(struct_assigned) {
    padded *from = (padded *)u, *to = (padded *)b;
    from[T].c = 1;
    if (!X || T % 2)
        from[T].x = T;
    __syncthreads();
    to[T] = from[T];
}
