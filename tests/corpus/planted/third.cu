/* third: a mistake in each kernel, of kinds that the other files do not have. Columns of
 * kernels.tsv have the launch and the findings. */
#include "../corpus.cuh"

extern __shared__ int dyn1[];
extern __shared__ float dyn2[];

// A ring of three cp.async stages. The last steps commit no empty groups, so that wait_group 1
// waits for too few.
KERNEL(tail_without_empty_groups) {
    __shared__ __align__(16) int s[3][1024];
    for (int k = 0; k < 2; k++) {
        cpa(&s[k][4 * T], a + 1024 * k + 4 * T);
        COMMIT;
    }
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        WAITG(1);
        __syncthreads();
        sum += s[k % 3][T];
        if (k + 2 < 4) {
            cpa(&s[(k + 2) % 3][4 * T], a + 1024 * (k + 2) + 4 * T);
            COMMIT;
        }
        __syncthreads();
    }
    b[T] = sum;
    WAITG(0);
}

// Two threads copy to the same 16 bytes: neither copy is ordered before the other.
KERNEL(two_copies_one_place) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * (T % 128), a + 4 * T);
    COMMIT;
    WAITG(0);
    __syncthreads();
    b[T] = s[T];
}

// Each thread waits for its own copies only: warp 0 waits, the others do not.
KERNEL(one_warp_waits) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, a + 4 * T);
    COMMIT;
    if (T < 32)
        WAITG(0);
    __syncthreads();
    b[T] = s[1023 - T];
    WAITG(0);
}

// The wait at the cluster barrier acquires, but the arrival is relaxed: nothing publishes the
// writes.
KERNEL(cluster_arrive_relaxed) {
    __shared__ int s[256];
    s[T] = a[T] + B;
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    CWAIT;
    b[T + 256 * B] = ldc(mapa(sa(s + T), B ^ 1));
    CSYNC;
}

// The threads of a block write, one thread releases a flag; no barrier orders the writes of the
// others before it.
KERNEL(release_without_barrier) {
    if (B == 0) {
        b[64 + T] = a[T] + T;
        if (!T)
            strel(b, 1);
    } else {
        if (!T)
            while (!ldacq(b))
                ;
        __syncthreads();
        b[1024 + T] = b[64 + 255 - T];
    }
}

// One thread acquires the flag; the others read without a barrier behind it.
KERNEL(acquire_without_barrier) {
    if (B == 0) {
        b[64 + T] = a[T] + T;
        __syncthreads();
        if (!T)
            strel(b, 1);
    } else {
        if (T == 255)
            while (!ldacq(b))
                ;
        b[1024 + T] = b[64 + 255 - T];
    }
}

// The address of a local variable goes to another thread through shared memory.
KERNEL(local_of_another_thread) {
    __shared__ int *where;
    int own[8];
    for (int i = 0; i < 8; i++)
        own[i] = a[i] + T;
    if (!T)
        where = own;
    __syncthreads();
    b[T] = where[(T + a[0]) & 7] + own[(T + n) & 7];
}

// An mbarrier is used after mbarrier.inval.
KERNEL(mbarrier_after_inval) {
    __shared__ u64 m;
    if (!T)
        minit(&m, 256);
    __syncthreads();
    marr(&m);
    mwait(&m, 0);
    __syncthreads();
    if (!T)
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(sa(&m)) : "memory");
    __syncthreads();
    marr(&m);
    mwait(&m, 1);
    b[T] = T;
}

// mbarrier.init of an mbarrier that is valid.
KERNEL(mbarrier_init_again) {
    __shared__ u64 m;
    for (int i = 0; i < 2; i++) {
        if (!T)
            minit(&m, 256);
        __syncthreads();
        marr(&m);
        mwait(&m, 0);
        __syncthreads();
    }
    b[T] = T;
}

// A plain store into an mbarrier that is in use.
KERNEL(store_into_mbarrier) {
    __shared__ u64 m;
    int *at = (int *)&m;
    if (!T)
        minit(&m, 256);
    __syncthreads();
    if (T == 7)
        at[n] = a[0];
    __syncthreads();
    marr(&m);
    mwait(&m, 0);
    b[T] = T;
}

// A thread outside of its own mask.
KERNEL(mask_without_self) {
    __shared__ int s[256];
    s[T] = a[T] + T;
    if ((T & 31) < 16)
        __syncwarp(0xffff0000u);
    else
        __syncwarp(0xffff0000u);
    b[T] = s[T ^ 1];
}

// The mbarrier counts all threads; some exit without arriving.
KERNEL(exited_thread_never_arrives) {
    __shared__ u64 m;
    if (!T)
        minit(&m, 256);
    __syncthreads();
    if (T >= 200)
        return;
    marr(&m);
    mwait(&m, 0);
    b[T] = T;
}

// Polls with a plain load: the compiler reads the flag once.
KERNEL(poll_plain) {
    if (B == 0) {
        if (!T)
            strel(b, 1);
    } else {
        if (!T)
            while (!b[0])
                ;
        __syncthreads();
        b[64 + T] = T;
    }
}

// Two scans use the same temporary storage without a barrier between them.
KERNEL(storage_reused) {
    __shared__ int s[8];
    for (int i = 0; i < 2; i++) {
        int v = a[T + i];
        for (int o = 16; o; o >>= 1)
            v += __shfl_xor_sync(~0u, v, o);
        if (T % 32 == 0)
            s[T / 32] = v;
        __syncthreads();
        int sum = 0;
        for (int k = 0; k < 8; k++)
            sum += s[k];
        b[T + 256 * i] = sum;
    }
}

// A block frees memory that another one may still read.
KERNEL(free_before_the_other_reads) {
    int *volatile *at = (int *volatile *)(b + 64);
    if (T)
        return;
    if (B == 0) {
        int *p = (int *)malloc(256);
        for (int i = 0; i < 64; i++)
            p[i] = i;
        at[0] = p;
        strel(b, 1);
        free(p);
    } else {
        while (!ldacq(b))
            ;
        b[1024] = at[0][5];
    }
}

// cp.async of 16 bytes from a place that is a multiple of 4.
KERNEL(copy_misaligned) {
    __shared__ __align__(16) int s[1024];
    cpa(s + 4 * T, a + 4 * T + 1);
    COMMIT;
    WAITG(0);
    b[T] = s[4 * T];
}

// The descriptor of B leads behind the shared memory of the block.
KERNEL(descriptor_beyond) {
    extern __shared__ __align__(128) half h[];
    __shared__ __align__(128) half s[64 * 16];
    float d[4] = {0, 0, 0, 0};
    for (int i = T; i < 1024; i += 128)
        s[i] = __float2half(i);
    PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    b[T] = d[0] + d[3];
}

// The bits of multicast name a block outside of the cluster.
KERNEL(multicast_outside) {
    __shared__ u64 m;
    __shared__ __align__(128) int s[256];
    if (!T) {
        minit(&m, 1);
        mexp(&m, 1024);
        MFENCE;
    }
    CSYNC;
    if (!T && !B)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                     "cluster [%0],[%1],1024,[%2],%3;" ::"r"(sa(s)),
                     "l"(a), "r"(sa(&m)), "h"((short)7)
                     : "memory");
    mwait(&m, 0);
    b[T + 256 * B] = s[T];
    CSYNC;
}

// The mbarrier expects the bytes of the next copy before all have seen that this one is complete.
KERNEL(expects_too_early) {
    __shared__ __align__(128) int s[2][256];
    __shared__ u64 m;
    if (!T)
        minit(&m, 1);
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        if (!T) {
            mexp(&m, 1024);
            bload(s[0], a + 256 * i, 1024, &m);
        }
        mwait(&m, i & 1);
        b[T + 256 * i] = s[0][T];
    }
}

// A reduction through a bulk copy reads what other threads wrote before, without a proxy fence of
// the writers.
KERNEL(reduce_noproxy) {
    __shared__ __align__(128) int s[256];
    s[T] = a[T] + T;
    __syncthreads();
    if (!T) {
        asm volatile(
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0],[%1],1024;" ::"l"(b),
            "r"(sa(s))
            : "memory");
        BCOMMIT;
        BWAIT;
    }
}

// Two extern arrays are one place.
KERNEL(extern_arrays_are_one) {
    dyn1[T] = a[T];
    dyn2[255 - T] = 2.0f * T;
    __syncthreads();
    b[T] = dyn1[T] + (int)dyn2[T];
}

// ldmatrix whose rows are 72 bytes apart: every second row is misaligned.
KERNEL(ldmatrix_row_misaligned) {
    __shared__ __align__(16) half s[16 * 36];
    u32 r[4];
    for (int i = T; i < 16 * 36; i += 32)
        s[i] = __float2half(i);
    __syncwarp();
    ldm(r, s + (T % 16) * 36 + T / 16 * 8);
    b[T] = r[0] + r[3];
}

// The group of the warp is split by a branch, and the shuffle reads across it.
KERNEL(shfl_across_branch) {
    int v = a[T] + T;
    if (T & 1)
        v = __shfl_sync(0xaaaaaaaau, v, T & 30);
    else
        v = __shfl_sync(0x55555555u, v, T | 1);
    b[T] = v;
}

// The free list of a shared stack is popped without a lock.
KERNEL(pop_without_lock) {
    __shared__ int top, list[256];
    list[T] = T;
    if (!T)
        top = 256;
    __syncthreads();
    if (T % 32 == 0) {
        int at = top - 1;
        top = at;
        b[T] = list[at & 255];
    }
}

// The last copy of a block into another one is not waited for: the other block exits.
KERNEL(store_async_to_exited) {
    __shared__ u64 m;
    __shared__ __align__(16) int s[64];
    if (!T) {
        minit(&m, 1);
        mexp(&m, 256);
        MFENCE;
    }
    CSYNC;
    if (B == 0 && T < 64)
        asm volatile(
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0],%1,[%2];" ::"r"(
                mapa(sa(s + T), 1)),
            "r"(T), "r"(mapa(sa(&m), 1))
            : "memory");
    b[T + 256 * B] = T;
}

// An index from an atomic counter is used without a bound.
KERNEL(counter_beyond) {
    __shared__ int count, list[128];
    if (!T)
        count = 0;
    __syncthreads();
    int at = atomicAdd(&count, 1);
    list[at] = T;
    __syncthreads();
    b[T] = list[T & 127];
}

// Accumulators are set to zero while a wgmma uses them.
KERNEL(accumulator_cleared_early) {
    __shared__ __align__(128) half s[64 * 16 + 8 * 16];
    float d[4] = {0, 0, 0, 0};
    for (int i = T; i < 1152; i += 128)
        s[i] = __float2half(i & 7);
    PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    asm volatile("mov.f32 %0, 0f00000000;" : "+f"(d[0]));
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    b[T] = d[0] + d[3];
}

// The arrival is relaxed, so the wait does not acquire the writes before it.
KERNEL(mbarrier_arrive_relaxed) {
    __shared__ int s[256];
    __shared__ u64 m;
    if (!T)
        minit(&m, 256);
    __syncthreads();
    s[T] = a[T] + T;
    asm volatile("mbarrier.arrive.relaxed.cta.shared.b64 _,[%0];" ::"r"(sa(&m)) : "memory");
    mwait(&m, 0);
    b[T] = s[255 - T];
}

// Relaxed waits acquire nothing: the reads behind them may come first.
KERNEL(mbarrier_wait_relaxed) {
    __shared__ int s[256];
    __shared__ u64 m;
    if (!T)
        minit(&m, 256);
    __syncthreads();
    s[T] = a[T] + T;
    marr(&m);
    mwait_relaxed(&m, 0);
    b[T] = s[255 - T];
}

// The writes of a thread, then expect_tx: that orders nothing, and another thread arrives for it.
KERNEL(expect_is_no_release) {
    __shared__ int s[32];
    __shared__ u64 m;
    if (!T)
        minit(&m, 1);
    __syncthreads();
    if (T == 32) {
        s[0] = a[0] + n;
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0],0;" ::"r"(sa(&m)) : "memory");
    }
    if (T == 64)
        marr(&m);
    mwait(&m, 0);
    if (T >= 96)
        b[T] = s[0];
}

// A cp.async into memory that an mbarrier still has.
KERNEL(copy_into_mbarrier) {
    __shared__ __align__(16) u64 m[2];
    if (!T)
        minit(m, 256);
    __syncthreads();
    marr(m);
    mwait(m, 0);
    __syncthreads();
    if (!T) {
        cpa(m, a);
        COMMIT;
        WAITG(0);
    }
    __syncthreads();
    b[T] = ((int *)m)[T & 3];
}

// An atomic on the bytes of an mbarrier.
KERNEL(atomic_on_mbarrier) {
    __shared__ u64 m;
    if (!T)
        minit(&m, 256);
    __syncthreads();
    marr(&m);
    mwait(&m, 0);
    __syncthreads();
    atomicAdd((int *)&m, n);
    b[T] = T;
}
