/* phases: barriers that two groups share, and parities that a warp mistakes. Columns of kernels.tsv
 * have the launch and the findings. */
#include "../corpus.cuh"

// Four groups of two warps wait at one barrier for themselves.
KERNEL(groups_share_a_barrier) {
    __shared__ int s[256];
    s[T] = a[T] + T;
    BAR(1, 64);
    b[T] = s[T ^ 32];
}

// Two pairs of producer and consumer have one barrier. Producers do not wait.
KERNEL(pairs_share_a_barrier) {
    __shared__ int s[2][64];
    const int pair = T / 128, l = T % 64;
    if (T % 128 < 64) {
        s[pair][l] = a[T] + T;
        ARR(1, 128);
    } else {
        BAR(1, 128);
        b[T] = s[pair][63 - l];
    }
}

// Two consumer groups hand a turn over, but both wait at the barrier of the first one.
KERNEL(turns_at_one_barrier) {
    __shared__ int s[256];
    const int g = T / 128;
    for (int i = 0; i < 3; i++) {
        if (g == 0 || i > 0)
            BAR(1, 128);
        s[T] = a[T] + i;
        BAR(2, 128);
        b[256 * i + T] = s[T ^ 64];
    }
}

// A helper of both halves takes the number of a barrier from the library call that it copies.
__device__ __forceinline__ int half_sum(int *s, int v) {
    const int h = T / 128;
    s[T] = v;
    BAR(7, 128);
    v = 0;
    for (int i = 0; i < 128; i += 32)
        v += s[128 * h + (T + i) % 128];
    BAR(7, 128);
    return v;
}
KERNEL(helper_has_one_barrier) {
    __shared__ int s[256];
    b[T] = half_sum(s, a[T] + T);
    b[T + 256] = half_sum(s, b[T]);
}

// The producer fills a stage again before the consumers have waited for it: no barrier says that
// the stage is empty.
KERNEL(no_empty_barriers) {
    __shared__ __align__(128) int s[2][256];
    __shared__ u64 full[2];
    if (T < 2)
        minit(full + T, 1);
    __syncthreads();
    if (T < 32) {
        if (T == 0)
            for (int i = 0; i < 6; i++) {
                bload(s[i % 2], a + 256 * i, 1024, full + i % 2);
                mexp(full + i % 2, 1024);
            }
    } else {
        for (int i = 0; i < 6; i++) {
            mwait(full + i % 2, i / 2 & 1);
            b[256 * i + T] = s[i % 2][T];
        }
    }
}

// A warp has work of its own, then waits for the parity of the last phase: earlier phases have it
// too.
KERNEL(waits_for_the_last_phase) {
    __shared__ u64 m;
    if (!T)
        minit(&m, 32);
    __syncthreads();
    if (T < 32) {
        for (int i = 0; i < 7; i++) {
            b[64 + T] = i;
            marr(&m);
            mwait(&m, i & 1);
        }
    } else if (T < 64) {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += a[(sum + 64 * i + T) & 4095];
        mwait(&m, 0);
        b[T] = sum;
    }
}

// Two warps consume in turn and skip the phases of the other one: the parity of a warp never
// changes.
KERNEL(consumers_skip_phases) {
    __shared__ int s[2][32];
    __shared__ u64 full, empty;
    if (!T) {
        minit(&full, 32);
        minit(&empty, 32);
    }
    __syncthreads();
    for (int i = 0; i < 6; i++) {
        if (T < 32) {
            s[i & 1][T] = a[T] + i;
            marr(&full);
            mwait(&empty, i & 1);
        } else if (T / 32 == 1 + (i & 1) && T < 96) {
            mwait(&full, i & 1);
            b[32 * i + T % 32] = s[i & 1][31 - T % 32];
            __syncwarp();
            marr(&empty);
        }
    }
}

// Seven warps read a stage, and the first one of them says that it is empty.
KERNEL(one_reader_empties) {
    __shared__ __align__(128) int s[2][256];
    __shared__ u64 full[2], empty[2];
    if (T < 2) {
        minit(full + T, 1);
        minit(empty + T, 1);
    }
    __syncthreads();
    for (int i = 0; i < 6; i++) {
        if (T == 0) {
            mwait(empty + i % 2, (i / 2 & 1) ^ 1);
            mexp(full + i % 2, 1024);
            bload(s[i % 2], a + 256 * i, 1024, full + i % 2);
        } else if (T >= 32) {
            mwait(full + i % 2, i / 2 & 1);
            b[256 * i + T] = s[i % 2][T];
            if (T == 32)
                marr(empty + i % 2);
        }
    }
}

// The producer waits for the empty stage a lap too late: it may be two laps ahead.
KERNEL(empty_a_lap_late) {
    __shared__ __align__(128) int s[2][256];
    __shared__ u64 full[2], empty[2];
    if (T < 2) {
        minit(full + T, 1);
        minit(empty + T, 7);
    }
    __syncthreads();
    if (T < 32) {
        if (T == 0)
            for (int i = 0; i < 8; i++) {
                if (i >= 4)
                    mwait(empty + i % 2, i / 2 & 1);
                mexp(full + i % 2, 1024);
                bload(s[i % 2], a + 256 * i, 1024, full + i % 2);
            }
    } else {
        for (int i = 0; i < 8; i++) {
            mwait(full + i % 2, i / 2 & 1);
            b[256 * i + T] = s[i % 2][T];
            __syncwarp();
            if (T % 32 == 0)
                marr(empty + i % 2);
        }
    }
}

// The parity changes with each step instead of each lap: the second stage is read before it is
// full.
KERNEL(parity_of_the_step) {
    __shared__ __align__(128) int s[2][256];
    __shared__ u64 full[2], empty[2];
    if (T < 2) {
        minit(full + T, 1);
        minit(empty + T, 7);
    }
    __syncthreads();
    if (T < 32) {
        if (T == 0)
            for (int i = 0; i < 4; i++) {
                mwait(empty + i % 2, (i / 2 & 1) ^ 1);
                mexp(full + i % 2, 1024);
                bload(s[i % 2], a + 256 * i, 1024, full + i % 2);
            }
    } else {
        for (int i = 0; i < 4; i++) {
            mwait(full + i % 2, i & 1);
            b[256 * i + T] = s[i % 2][T];
            __syncwarp();
            if (T % 32 == 0)
                marr(empty + i % 2);
        }
    }
}

// Lane 0 initialises an mbarrier, and the other lanes of its warp use it at once.
KERNEL(init_without_syncwarp) {
    __shared__ u64 m;
    if (T < 32) {
        if (!T)
            minit(&m, 32);
        marr(&m);
        mwait(&m, 0);
        b[T] = T;
    }
}

// A copy completes at an mbarrier that no fence has made visible to copies.
KERNEL(init_without_fence) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T)
        minit(&m, 1);
    __syncthreads();
    if (!T) {
        mexp(&m, 1024);
        bload(s, a, 1024, &m);
    }
    mwait(&m, 0);
    b[T] = s[T];
}

// Lane 0 says that the slot is empty, while other lanes may still read it.
KERNEL(empty_without_syncwarp) {
    __shared__ int s[32];
    __shared__ u64 full, empty;
    if (!T) {
        minit(&full, 32);
        minit(&empty, 1);
    }
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        if (T < 32) {
            mwait(&empty, (i & 1) ^ 1);
            s[T] = a[T] + i;
            marr(&full);
        } else if (T < 64) {
            mwait(&full, i & 1);
            b[32 * i + T] = s[63 - T];
            if (T == 32)
                marr(&empty);
        }
    }
}

// Two consumers release the slot, and the mbarrier counts one.
KERNEL(count_of_one_consumer) {
    __shared__ int s[64];
    __shared__ u64 full, empty;
    if (!T) {
        minit(&full, 1);
        minit(&empty, 1);
    }
    __syncthreads();
    for (int k = 0; k < 4; k++)
        if (T < 32) {
            mwait(&empty, ~k & 1);
            s[T] = a[T] + k;
            s[T + 32] = a[T + 32] - k;
            __syncwarp();
            if (!T)
                marr(&full);
        } else {
            mwait(&full, k & 1);
            b[T] += s[T - 32];
            __syncwarp();
            if (T % 32 == 0)
                marr(&empty);
        }
}

// All lanes of the producer arrive for one.
KERNEL(all_lanes_arrive_for_one) {
    __shared__ int s[32];
    __shared__ u64 full;
    if (!T)
        minit(&full, 1);
    __syncthreads();
    if (T < 32) {
        s[T] = a[T];
        __syncwarp();
        marr(&full);
    } else {
        mwait(&full, 0);
        b[T] = s[63 - T];
    }
}

// Each block of the cluster arrives at the mbarrier of the first one, which counts one.
KERNEL(count_of_one_block) {
    __shared__ int s[2];
    __shared__ u64 full;
    if (!T) {
        minit(&full, 1);
        MFENCE;
    }
    CSYNC;
    if (!T) {
        stc(mapa(sa(&s[B]), 0), a[B]);
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%0];" ::"r"(
                         mapa(sa(&full), 0))
                     : "memory");
    }
    if (!B) {
        mwait(&full, 0);
        b[T] = s[T & 1];
    }
    CSYNC;
}

// Both threads that load a half announce it, and the mbarrier counts one.
KERNEL(expected_by_two) {
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    if (!T) {
        minit(&full, 1);
        MFENCE;
    }
    __syncthreads();
    if (T % 32 == 0) {
        mexp(&full, 128);
        bload(s + T, a + T, 128, &full);
    }
    mwait(&full, 0);
    b[T] = s[T];
}
