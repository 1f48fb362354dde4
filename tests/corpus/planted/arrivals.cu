/* arrivals: planted mistakes of lanes that arrive at an mbarrier for others. Columns of kernels.tsv
 * say which launch and rule. */
#include "../corpus.cuh"

#define PIPE                                                                                       \
    __shared__ int s[64];                                                                          \
    __shared__ u64 full, empty;                                                                    \
    if (!T) {                                                                                      \
        minit(&full, 1);                                                                           \
        minit(&empty, 1);                                                                          \
    }                                                                                              \
    __syncthreads()

// Lane 0 says that the slot is full, while other lanes may still write it.
KERNEL(full_for_others) {
    PIPE;
    if (T < 32) {
        s[T] = a[T];
        if (!T)
            marr(&full);
    } else {
        mwait(&full, 0);
        b[T] = s[63 - T];
    }
}

// All lanes wait for the next slot between the reads and the arrival. A wait orders no other lane.
KERNEL(empty_behind_a_wait) {
    PIPE;
    if (T < 32) {
        s[T] = a[T];
        s[32 + T] = a[T];
        __syncwarp();
        if (!T)
            marr(&full);
        mwait(&empty, 0);
        s[T] = 7;
    } else {
        mwait(&full, 0);
        b[T] = s[63 - T];
        mwait(&full, 0);
        if (T == 32)
            marr(&empty);
    }
}

// A fence of each lane does not order the reads of another one.
KERNEL(empty_behind_fences) {
    PIPE;
    if (T < 32) {
        s[T] = a[T];
        __syncwarp();
        if (!T)
            marr(&full);
        mwait(&empty, 0);
        s[T] = 7;
    } else {
        mwait(&full, 0);
        b[T] = s[63 - T];
        __threadfence_block();
        if (T == 32)
            marr(&empty);
    }
}

// Sixteen lanes arrive. The others have read, too.
KERNEL(half_of_the_readers) {
    __shared__ int s[32];
    __shared__ u64 full, empty;
    if (!T) {
        minit(&full, 32);
        minit(&empty, 16);
    }
    __syncthreads();
    if (T < 32) {
        s[T] = a[T];
        marr(&full);
        mwait(&empty, 0);
        s[T] = 7;
    } else {
        mwait(&full, 0);
        b[T] = s[T - 32];
        if (T < 48)
            marr(&empty);
    }
}

// A bulk copy fills the slot again that other lanes may still read.
KERNEL(empty_for_a_copy) {
    __shared__ __align__(16) int s[32];
    __shared__ u64 full, empty;
    if (!T) {
        minit(&full, 1);
        minit(&empty, 1);
        PROXY;
    }
    __syncthreads();
    if (!T) {
        mexp(&full, 128);
        bload(s, a, 128, &full);
        mwait(&empty, 0);
        mexp(&full, 128);
        bload(s, a + 32, 128, &full);
    } else if (T >= 32) {
        mwait(&full, 0);
        b[T] = s[63 - T];
        if (T == 32)
            marr(&empty);
        mwait(&full, 1);
        b[T + 32] = s[63 - T];
    }
}

// Lane 0 stores a flag with .release for other lanes.
KERNEL(flag_for_others) {
    __shared__ int s[32];
    __shared__ u32 flag;
    if (!T)
        flag = 0;
    __syncthreads();
    if (T < 32) {
        s[T] = a[T];
        if (!T)
            asm volatile("st.release.cta.shared.u32 [%0],1;" ::"r"(sa(&flag)) : "memory");
    } else {
        u32 x;
        do
            asm volatile("ld.acquire.cta.shared.u32 %0,[%1];"
                         : "=r"(x)
                         : "r"(sa(&flag))
                         : "memory");
        while (!x);
        b[T] = s[63 - T];
    }
}

// Two warps meet at a barrier of their own. The first warp is no part of it, though it has exited.
KERNEL(exit_is_no_arrival) {
    __shared__ int s[32];
    if (T < 32) {
        s[T] = a[T];
        return;
    }
    BAR(1, 64);
    b[T] = s[T & 31];
}

// Lane 0 waits for the slot, and other lanes read it without __syncwarp.
KERNEL(waits_for_others) {
    PIPE;
    if (T < 32) {
        s[T] = a[T];
        __syncwarp();
        if (!T)
            marr(&full);
    } else {
        if (T == 32)
            mwait(&full, 0);
        b[T] = s[63 - T];
    }
}

// Lane 0 waits for a bulk copy, and other lanes read its bytes without __syncwarp.
KERNEL(waits_for_a_copy) {
    __shared__ __align__(16) int s[32];
    __shared__ u64 full;
    if (!T) {
        minit(&full, 1);
        PROXY;
    }
    __syncthreads();
    if (!T) {
        mexp(&full, 128);
        bload(s, a, 128, &full);
    }
    if (T == 32)
        mwait(&full, 0);
    if (T >= 32)
        b[T] = s[63 - T];
}

// Lane 0 loads a flag with .acquire for other lanes.
KERNEL(flag_seen_for_others) {
    __shared__ int s[32];
    __shared__ u32 flag;
    if (!T)
        flag = 0;
    __syncthreads();
    if (T < 32) {
        s[T] = a[T];
        __syncwarp();
        if (!T)
            asm volatile("st.release.cta.shared.u32 [%0],1;" ::"r"(sa(&flag)) : "memory");
    } else {
        u32 x = T != 32;
        while (!x)
            asm volatile("ld.acquire.cta.shared.u32 %0,[%1];"
                         : "=r"(x)
                         : "r"(sa(&flag))
                         : "memory");
        b[T] = s[63 - T];
    }
}
