/* phases: correct kernels that look like those of planted/phases.cu. Columns of kernels.tsv say
 * which launch. */
#include "../corpus.cuh"

// Each group has a barrier of its own, from a register.
KERNEL(groups_have_barriers) {
    __shared__ int s[256];
    s[T] = a[T] + T;
    asm volatile("bar.sync %0,64;" ::"r"(1 + T / 64) : "memory");
    b[T] = s[T ^ 32];
}

// Two groups use one barrier one after the other, with the whole block between.
KERNEL(groups_in_turn) {
    __shared__ int s[256];
    s[T] = a[T] + T;
    if (T < 64) {
        BAR(1, 64);
        b[T] = s[T ^ 32];
    }
    __syncthreads();
    if (T >= 64 && T < 128) {
        BAR(1, 64);
        b[T] = s[T ^ 32];
    }
}

// Two groups use one barrier; a second barrier hands it over.
KERNEL(groups_hand_over) {
    __shared__ int s[128];
    s[T] = a[T] + T;
    if (T < 64) {
        BAR(1, 64);
        b[T] = s[T ^ 32];
        ARR(2, 128);
    } else {
        BAR(2, 128);
        BAR(1, 64);
        b[T] = s[T ^ 32];
    }
}

// Each group has a barrier for its turn, as in ordered pipelines of CUTLASS. It waits there, and
// arrives at that of the other group.
KERNEL(turns) {
    __shared__ int s[128];
    const int g = T / 128;
    if (g == 1)
        ARR(1, 256);
    for (int i = 0; i < 4; i++) {
        if (g == 0)
            BAR(1, 256);
        else
            BAR(2, 256);
        s[T % 128] = a[T] + i;
        if (g == 0)
            BAR(3, 128);
        else
            BAR(4, 128);
        b[256 * i + T] = s[T % 128 ^ 64];
        if (g == 0)
            ARR(2, 256);
        else if (i < 3)
            ARR(1, 256);
    }
}

// Full and empty barriers of two stages: producer and consumer change between arriving and waiting.
KERNEL(full_and_empty) {
    __shared__ int s[2][64];
    const int l = T % 64;
    for (int i = 0; i < 6; i++) {
        const int st = i & 1;
        if (T < 64) {
            asm volatile("bar.sync %0,128;" ::"r"(3 + st) : "memory");
            s[st][l] = a[T] + i;
            asm volatile("bar.arrive %0,128;" ::"r"(1 + st) : "memory");
        } else {
            if (i == 0) {
                ARR(3, 128);
                ARR(4, 128);
            }
            asm volatile("bar.sync %0,128;" ::"r"(1 + st) : "memory");
            b[64 * i + l] = s[st][63 - l];
            if (i < 4)
                asm volatile("bar.arrive %0,128;" ::"r"(3 + st) : "memory");
        }
    }
}

// One barrier for a group of three warps in a loop, while others do other work.
KERNEL(one_group_many_times) {
    __shared__ int s[96];
    if (T < 96)
        for (int i = 0; i < 5; i++) {
            s[T] = a[T] + i;
            BAR(1, 96);
            b[96 * i + T] = s[95 - T];
            BAR(1, 96);
        }
    else
        b[1024 + T] = T;
}

// Three stages, eleven steps: copies of one thread, consumers with stage and parity.
KERNEL(three_stages) {
    __shared__ __align__(128) int s[3][256];
    __shared__ u64 full[3], empty[3];
    if (T < 3) {
        minit(full + T, 1);
        minit(empty + T, 7);
    }
    __syncthreads();
    int st = 0, ph = 0;
    for (int i = 0; i < 11; i++) {
        if (T == 0) {
            mwait(empty + st, ph ^ 1);
            mexp(full + st, 1024);
            bload(s[st], a + 256 * i, 1024, full + st);
        } else if (T >= 32) {
            mwait(full + st, ph);
            b[256 * i + T] = s[st][T];
            __syncwarp();
            if (T % 32 == 0)
                marr(empty + st);
        }
        if (++st == 3) {
            st = 0;
            ph ^= 1;
        }
    }
}

// One warp waits for each phase and the block meets behind it: the other warps know phases without
// a wait.
KERNEL(one_warp_waits_for_all) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T)
        minit(&m, 1);
    __syncthreads();
    for (int i = 0; i < 5; i++) {
        if (!T) {
            mexp(&m, 1024);
            bload(s, a + 256 * i, 1024, &m);
        }
        if (T < 32 || i == 4)
            mwait(&m, i & 1);
        __syncthreads();
        b[256 * i + T] = s[T];
        __syncthreads();
    }
}

// Warps wait for the phases of their own turn; the empty barrier counts all of them, so that no one
// is two phases behind.
KERNEL(warps_in_turn) {
    __shared__ int s[2][32];
    __shared__ u64 full, empty;
    if (!T) {
        minit(&full, 32);
        minit(&empty, 64);
    }
    __syncthreads();
    for (int i = 0; i < 6; i++) {
        if (T < 32) {
            s[i & 1][T] = a[T] + i;
            marr(&full);
            mwait(&empty, i & 1);
        } else if (T < 96) {
            if (T / 32 == 1 + (i & 1)) {
                mwait(&full, i & 1);
                b[32 * i + T % 32] = s[i & 1][31 - T % 32];
                __syncwarp();
            }
            marr(&empty);
            mwait(&empty, i & 1);
        }
    }
}

// A warp ends both phases itself: it knows them, and waits for the second one only.
KERNEL(own_phases) {
    __shared__ int s[32];
    __shared__ u64 m;
    if (!T)
        minit(&m, 32);
    __syncthreads();
    if (T < 32) {
        marr(&m);
        s[T] = a[T] + T;
        marr(&m);
        mwait(&m, 1);
        b[T] = s[31 - T];
    }
}

// Lanes of the warp meet before they use the mbarrier of lane 0.
KERNEL(init_syncwarp) {
    __shared__ u64 m;
    if (T < 32) {
        if (!T)
            minit(&m, 32);
        __syncwarp();
        marr(&m);
        mwait(&m, 0);
        b[T] = T;
    }
}

// The lane that initialises an mbarrier uses it first.
KERNEL(init_and_arrive) {
    __shared__ u64 m;
    if (!T) {
        minit(&m, 33);
        marr(&m);
    }
    __syncthreads();
    if (T < 32) {
        marr(&m);
        mwait(&m, 0);
        b[T] = T;
    }
}

// fence.mbarrier_init, or a proxy fence of the thread that copies, makes the mbarrier visible.
KERNEL(init_fences) {
    __shared__ __align__(128) int s[2][256];
    __shared__ u64 m[2];
    if (!T) {
        minit(m, 1);
        MFENCE;
    }
    __syncthreads();
    if (T == 32) {
        minit(m + 1, 1);
        PROXY;
        mexp(m + 1, 1024);
        bload(s[1], a + 256, 1024, m + 1);
    }
    __syncthreads();
    if (!T) {
        mexp(m, 1024);
        bload(s[0], a, 1024, m);
    }
    mwait(m, 0);
    mwait(m + 1, 0);
    b[T] = s[0][T] + s[1][T];
}

// Two warps arrive at one mbarrier in turn, each after the phase of the other one.
KERNEL(arrivals_in_turn) {
    __shared__ int s[32];
    __shared__ u64 m;
    if (!T)
        minit(&m, 1);
    __syncthreads();
    for (int k = 0; k < 6; k++)
        if (T / 32 == (k & 1)) {
            if (k)
                mwait(&m, ~k & 1);
            s[T % 32] = k ? s[T % 32] + 1 : a[T];
            __syncwarp();
            if (T % 32 == 0)
                marr(&m);
        }
    if (T < 32) {
        mwait(&m, 1);
        b[T] = s[T];
    }
}

// Two lanes arrive in turn, and meet between.
KERNEL(lanes_in_turn) {
    __shared__ int s[2];
    __shared__ u64 m;
    if (!T)
        minit(&m, 1);
    __syncthreads();
    for (int k = 0; k < 2 && T < 32; k++) {
        if (T == k) {
            s[k] = a[k];
            marr(&m);
        }
        __syncwarp();
    }
    if (T < 32) {
        mwait(&m, 1);
        b[T] = s[T & 1];
    }
}
