/* arrivals: correct kernels that look like those of planted/arrivals.cu. Columns of kernels.tsv say
 * which launch. */
#include "../corpus.cuh"

#define PIPE(n)                                                                                    \
    __shared__ int s[64];                                                                          \
    __shared__ u64 full, empty;                                                                    \
    if (!T) {                                                                                      \
        minit(&full, 32);                                                                          \
        minit(&empty, n);                                                                          \
    }                                                                                              \
    __syncthreads()

// One elected lane arrives, behind __syncwarp.
KERNEL(elected) {
    PIPE(1);
    for (int i = 0; i < 4; i++) {
        if (T < 32) {
            mwait(&empty, (i & 1) ^ 1);
            s[T] = a[T] + i;
            marr(&full);
        } else {
            mwait(&full, i & 1);
            b[32 * i + T] = s[63 - T];
            __syncwarp();
            if (elect())
                marr(&empty);
        }
    }
}

// The lane that arrives is the only reader.
KERNEL(only_reader) {
    PIPE(1);
    if (T < 32) {
        s[T] = a[T];
        marr(&full);
        mwait(&empty, 0);
        s[T] = 7;
    } else if (T == 40) {
        int sum = 0;
        mwait(&full, 0);
        for (int i = 0; i < 32; i++)
            sum += s[i];
        b[T] = sum;
        marr(&empty);
    }
}

// Lane 0 says that its own word is free, and only that word is written again.
KERNEL(own_word) {
    PIPE(1);
    if (T < 32) {
        s[T] = a[T];
        marr(&full);
        mwait(&empty, 0);
        if (!T)
            s[0] = 7;
    } else {
        mwait(&full, 0);
        b[T] = s[T - 32];
        if (T == 32)
            marr(&empty);
    }
}

// Half of the readers arrive in one branch, the others in another one.
KERNEL(two_branches) {
    PIPE(32);
    if (T < 32) {
        s[T] = a[T];
        marr(&full);
        mwait(&empty, 0);
        s[T] = 7;
    } else {
        mwait(&full, 0);
        b[T] = s[(T * 5) & 31] + s[0];
        if (T & 1)
            marr(&empty);
        else
            marr(&empty);
    }
}

// Each lane arrives at a barrier, and lane 0 says so behind its wait there.
KERNEL(through_another) {
    __shared__ int s[32];
    __shared__ u64 full, empty, all;
    if (!T) {
        minit(&full, 32);
        minit(&empty, 1);
        minit(&all, 32);
    }
    __syncthreads();
    if (T < 32) {
        s[T] = a[T];
        marr(&full);
        mwait(&empty, 0);
        s[T] = 7;
    } else {
        mwait(&full, 0);
        b[T] = s[63 - T];
        marr(&all);
        if (T == 32) {
            mwait(&all, 0);
            marr(&empty);
        }
    }
}

// Lane 0 of one warp arrives for two, behind a barrier of both.
KERNEL(two_warps) {
    __shared__ int s[64];
    __shared__ u64 full, empty;
    if (!T) {
        minit(&full, 64);
        minit(&empty, 1);
    }
    __syncthreads();
    if (T < 64) {
        s[T] = a[T];
        marr(&full);
        mwait(&empty, 0);
        s[T] = 7;
    } else {
        mwait(&full, 0);
        b[T] = s[127 - T];
        BAR(1, 64);
        if (T == 64)
            marr(&empty);
    }
}

// The readers arrive one by one, each behind its own reads of single bytes.
KERNEL(byte_by_byte) {
    __shared__ unsigned char s[32];
    __shared__ u64 full, empty;
    if (!T) {
        minit(&full, 32);
        minit(&empty, 32);
    }
    __syncthreads();
    if (T < 32) {
        s[T] = (unsigned char)a[T];
        marr(&full);
        mwait(&empty, 0);
        s[T] = 7;
    } else {
        mwait(&full, 0);
        b[T] = s[63 - T];
        for (int i = 0; i < 32; i++)
            if (T == 32 + i)
                marr(&empty);
    }
}

// Lane 0 of each block tells the other block of the cluster that all of its lanes have read.
KERNEL(other_block) {
    __shared__ int s[32];
    __shared__ u64 empty;
    u32 me, there;
    asm volatile("mov.u32 %0,%%cluster_ctarank;" : "=r"(me));
    if (!T)
        minit(&empty, 1);
    s[T] = a[T];
    MFENCE;
    CSYNC;
    b[32 * me + T] = s[T ^ 1];
    __syncwarp();
    there = mapa(sa(&empty), me ^ 1);
    if (!T)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%0];" ::"r"(there)
                     : "memory");
    asm volatile("{.reg .pred p;\nL%=: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
                 "p,[%0],0;\n@!p bra L%=;}" ::"r"(sa(&empty))
                 : "memory");
    stc(mapa(sa(s), me ^ 1) + 4 * T, 7);
    CSYNC;
}

// All lanes come to a barrier of two warps. The other warp tells lane 0 so.
KERNEL(through_a_warp) {
    __shared__ int s[32];
    __shared__ u64 full, empty, all;
    if (!T) {
        minit(&full, 32);
        minit(&empty, 1);
        minit(&all, 1);
    }
    __syncthreads();
    if (T < 32) {
        s[T] = a[T];
        marr(&full);
        mwait(&empty, 0);
        s[T] = 7;
    } else if (T < 64) {
        mwait(&full, 0);
        b[T] = s[63 - T];
        ARR(1, 64);
        if (T == 32) {
            mwait(&all, 0);
            marr(&empty);
        }
    } else {
        BAR(1, 64);
        if (T == 64)
            marr(&all);
    }
    __syncthreads();
}

// All lanes arrive at a barrier, and lane 0 at an mbarrier later.
KERNEL(released_before) {
    __shared__ int s[32];
    __shared__ u64 m;
    if (!T)
        minit(&m, 1);
    __syncthreads();
    if (T < 32) {
        s[T] = a[T];
        ARR(1, 64);
        if (!T)
            marr(&m);
    } else {
        BAR(1, 64);
        s[T - 32] = T;
        mwait(&m, 0);
        __syncwarp();
        b[T] = s[63 - T];
    }
    __syncthreads();
}

// Lane 0 waits and reads the slot alone. The other lanes read it behind __syncwarp.
KERNEL(waits_alone) {
    PIPE(1);
    if (T < 32) {
        s[T] = a[T];
        s[T + 32] = a[T] + 1;
        marr(&full);
        mwait(&empty, 0);
        s[T] = 7;
    } else {
        int sum = 0;
        if (T == 32) {
            mwait(&full, 0);
            for (int i = 0; i < 32; i++)
                sum += s[i];
        }
        b[T] = sum;
        __syncwarp();
        b[T] += s[95 - T];
        __syncwarp();
        if (T == 32)
            marr(&empty);
    }
}

// Each lane waits in its own branch, and reads behind it.
KERNEL(waits_one_by_one) {
    PIPE(32);
    if (T < 32) {
        s[T] = a[T];
        marr(&full);
        mwait(&empty, 0);
        s[T] = 7;
    } else {
        for (int i = 0; i < 32; i++)
            if (T == 32 + i) {
                mwait(&full, 0);
                b[T] = s[i ^ 1];
                marr(&empty);
            }
    }
}
