/* third: correct kernels that look like those of planted/third.cu. Columns of kernels.tsv say which
 * launch. */
#include "../corpus.cuh"

extern __shared__ int dyn1[];
extern __shared__ float dyn2[];

// The ring of cp.async waits for all groups at its end.
KERNEL(tail_waits_for_all) {
    __shared__ __align__(16) int s[3][1024];
    for (int k = 0; k < 2; k++) {
        cpa(&s[k][4 * T], a + 1024 * k + 4 * T);
        COMMIT;
    }
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        if (k + 1 < 4)
            WAITG(1);
        else
            WAITG(0);
        __syncthreads();
        sum += s[k % 3][T];
        if (k + 2 < 4) {
            cpa(&s[(k + 2) % 3][4 * T], a + 1024 * (k + 2) + 4 * T);
            COMMIT;
        }
        __syncthreads();
    }
    b[T] = sum;
}

// Two threads copy to one place, one after the other.
KERNEL(two_copies_in_turn) {
    __shared__ __align__(16) int s[512];
    if (T < 128) {
        cpa(s + 4 * T, a + 4 * T);
        COMMIT;
        WAITG(0);
    }
    __syncthreads();
    if (T >= 128) {
        cpa(s + 4 * (T - 128), a + 4 * T);
        COMMIT;
        WAITG(0);
    }
    __syncthreads();
    b[T] = s[T];
}

// A fence publishes the writes before the relaxed arrival.
KERNEL(cluster_fence_then_relaxed) {
    __shared__ int s[256];
    s[T] = a[T] + B;
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    CWAIT;
    b[T + 256 * B] = ldc(mapa(sa(s + T), B ^ 1));
    CSYNC;
}

// The relaxed arrival has nothing to publish: the other block only must not exit.
KERNEL(cluster_relaxed_before_exit) {
    __shared__ int s[256];
    s[T] = a[T] + B;
    CSYNC;
    const int x = ldc(mapa(sa(s + T), B ^ 1));
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    CWAIT;
    b[T + 256 * B] = x;
}

// An mbarrier is initialised, and the relaxed arrival follows the fence for it, as in CUTLASS.
KERNEL(cluster_init_relaxed) {
    __shared__ u64 m;
    if (!T) {
        minit(&m, 2);
        MFENCE;
    }
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    CWAIT;
    if (T < 2)
        asm volatile(
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%0];" ::"r"(mapa(sa(&m), T))
            : "memory");
    mwait(&m, 0);
    b[T + 256 * B] = T;
    CSYNC;
}

// Each thread finds the address of its own local array in shared memory.
KERNEL(local_address_kept) {
    __shared__ int *where[256];
    int own[8];
    for (int i = 0; i < 8; i++)
        own[i] = a[i] + T;
    where[T] = own;
    __syncthreads();
    b[T] = where[T][(T + n) & 7];
}

// mbarrier.inval, then the bytes are data, then an mbarrier again.
KERNEL(mbarrier_then_data_then_mbarrier) {
    __shared__ u64 m;
    for (int i = 0; i < 2; i++) {
        if (!T)
            minit(&m, 256);
        __syncthreads();
        marr(&m);
        mwait(&m, 0);
        __syncthreads();
        if (!T) {
            asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(sa(&m)) : "memory");
            m = 5 + i;
        }
        __syncthreads();
        b[T + 256 * i] = (int)m;
        __syncthreads();
    }
}

// The mbarrier counts the threads that stay.
KERNEL(mbarrier_of_those_who_stay) {
    __shared__ u64 m;
    if (!T)
        minit(&m, 200);
    __syncthreads();
    if (T >= 200)
        return;
    marr(&m);
    mwait(&m, 0);
    b[T] = T;
}

// ldmatrix.x2 reads the addresses of lanes 0 to 15 only; the others are anything.
KERNEL(ldmatrix_unused_addresses) {
    __shared__ __align__(16) half s[16 * 8];
    u32 r0, r1;
    for (int i = T; i < 128; i += 32)
        s[i] = __float2half(i);
    __syncwarp();
    const u32 at = T < 16 ? sa(s + T * 8) : 0xfffffff1u - T;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1},[%2];"
                 : "=r"(r0), "=r"(r1)
                 : "r"(at)
                 : "memory");
    b[T] = r0 + r1;
}

// cp.async of no byte: its source is no address.
KERNEL(copy_of_nothing) {
    __shared__ __align__(16) int s[1024];
    const int *from = T < 200 ? a + 4 * T : (const int *)16;
    asm volatile("cp.async.cg.shared.global [%0],[%1],16,%2;" ::"r"(sa(s + 4 * T)), "l"(from),
                 "r"(T < 200 ? 16 : 0)
                 : "memory");
    COMMIT;
    WAITG(0);
    __syncthreads();
    b[T] = s[1023 - T];
}

// Polls with a volatile load, and a fence follows.
KERNEL(poll_volatile) {
    if (B == 0) {
        b[64 + T] = T;
        __threadfence();
        __syncthreads();
        if (!T)
            *(volatile int *)b = 1;
    } else {
        if (!T) {
            while (!*(volatile int *)b)
                ;
            __threadfence();
        }
        __syncthreads();
        b[1024 + T] = b[64 + T];
    }
}

// The storage of two reductions changes sides, so one barrier a step is enough.
KERNEL(storage_changes_sides) {
    __shared__ int s[2][8];
    for (int i = 0; i < 4; i++) {
        int v = a[T + i];
        for (int o = 16; o; o >>= 1)
            v += __shfl_xor_sync(~0u, v, o);
        if (T % 32 == 0)
            s[i & 1][T / 32] = v;
        __syncthreads();
        int sum = 0;
        for (int k = 0; k < 8; k++)
            sum += s[i & 1][k];
        b[T + 256 * i] = sum;
    }
}

// The last reader of memory of malloc frees it.
KERNEL(last_reader_frees) {
    int *volatile *at = (int *volatile *)(b + 64);
    if (T)
        return;
    int *p;
    if (B == 0) {
        p = (int *)malloc(256);
        for (int i = 0; i < 64; i++)
            p[i] = i;
        at[0] = p;
        strel(b, 1);
    } else {
        while (!ldacq(b))
            ;
        p = at[0];
    }
    b[1024 + B] = p[5];
    __threadfence();
    if (atomicAdd(b + 1, 1) == 1) {
        __threadfence();
        free(p);
    }
}

// Every thread arrives with the bytes of its own copy.
KERNEL(each_expects_its_own) {
    __shared__ __align__(128) int s[1024];
    __shared__ u64 m;
    if (!T)
        minit(&m, 256);
    __syncthreads();
    mexp(&m, 16);
    bload(s + 4 * T, a + 4 * T, 16, &m);
    mwait(&m, 0);
    b[T] = s[1023 - T];
}

// The bytes arrive before they are expected: the pending arrival keeps the phase open.
KERNEL(expected_after_the_copy) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T)
        minit(&m, 1);
    __syncthreads();
    if (!T) {
        bload(s, a, 1024, &m);
        mexp(&m, 1024);
    }
    mwait(&m, 0);
    b[T] = s[T];
}

// Two extern arrays are one place, used one after the other.
KERNEL(extern_arrays_in_turn) {
    dyn1[T] = a[T];
    __syncthreads();
    const int v = dyn1[255 - T];
    __syncthreads();
    dyn2[T] = 2.0f * v;
    __syncthreads();
    b[T] = (int)dyn2[255 - T];
}

// Both sides of a branch shuffle among themselves.
KERNEL(shfl_in_both_branches) {
    int v = a[T] + T;
    if (T & 1)
        v = __shfl_sync(0xaaaaaaaau, v, T & 30 | 1);
    else
        v = __shfl_sync(0x55555555u, v, T & 28);
    b[T] = v;
}

// The stack in shared memory is popped by an atomic.
KERNEL(pop_by_atomic) {
    __shared__ int top, list[256];
    list[T] = T;
    if (!T)
        top = 256;
    __syncthreads();
    if (T % 32 == 0)
        b[T] = list[atomicSub(&top, 1) - 1];
}

// The receiver of st.async waits for the bytes before it exits.
KERNEL(store_async_received) {
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
    if (B == 1) {
        mwait(&m, 0);
        b[T] = s[T & 63];
    }
    CSYNC;
}

// Two wgmma of one group add to the same accumulators.
KERNEL(accumulators_shared_in_order) {
    __shared__ __align__(128) half s[64 * 16 + 8 * 16];
    float d[4] = {0, 0, 0, 0};
    for (int i = T; i < 1152; i += 128)
        s[i] = __float2half(i & 7);
    PROXY;
    __syncthreads();
    WFENCE;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WG(d, dsc(s), dsc(s + 1024));
    WCOMMIT;
    WWAIT;
    b[T] = d[0] + d[3];
}

// A flag of the cluster's shared memory is handed over with release and acquire of scope cluster.
KERNEL(flag_in_remote_shared) {
    __shared__ int s[256], flag;
    if (!T)
        flag = 0;
    CSYNC;
    if (B == 0) {
        stc(mapa(sa(s + T), 1), T);
        __syncthreads();
        if (!T) {
            asm volatile("fence.acq_rel.cluster;" ::: "memory");
            asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0],1;" ::"r"(mapa(sa(&flag), 1))
                         : "memory");
        }
    } else {
        int x;
        do
            asm volatile("ld.acquire.cluster.shared.u32 %0,[%1];"
                         : "=r"(x)
                         : "r"(sa(&flag))
                         : "memory");
        while (!x);
        b[T] = s[255 - T];
    }
    CSYNC;
}

// The value of a load outside of the rows is dropped by a select.
KERNEL(clamped_then_dropped) {
    __shared__ int s[264];
    s[T] = a[T];
    __syncthreads();
    const int v = s[T + 4];
    b[T] = T < 252 ? v : 0;
}

// The twin of mbarrier_arrive_relaxed: a fence releases what the relaxed arrival does not.
KERNEL(fence_before_relaxed_arrive) {
    __shared__ int s[256];
    __shared__ u64 m;
    if (!T)
        minit(&m, 256);
    __syncthreads();
    s[T] = a[T] + T;
    asm volatile("fence.acq_rel.cta;" ::: "memory");
    asm volatile("mbarrier.arrive.relaxed.cta.shared.b64 _,[%0];" ::"r"(sa(&m)) : "memory");
    mwait(&m, 0);
    b[T] = s[255 - T];
}

// The twin of mbarrier_wait_relaxed: a fence behind the wait acquires.
KERNEL(fence_behind_relaxed_wait) {
    __shared__ int s[256];
    __shared__ u64 m;
    if (!T)
        minit(&m, 256);
    __syncthreads();
    s[T] = a[T] + T;
    marr(&m);
    mwait_relaxed(&m, 0);
    asm volatile("fence.acq_rel.cta;" ::: "memory");
    b[T] = s[255 - T];
}

// The twin of expect_is_no_release: the thread that writes arrives itself, after expect_tx.
KERNEL(expect_then_arrive) {
    __shared__ int s[32];
    __shared__ u64 m;
    if (!T)
        minit(&m, 1);
    __syncthreads();
    if (T == 32) {
        s[0] = a[0] + n;
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0],0;" ::"r"(sa(&m)) : "memory");
        marr(&m);
    }
    mwait(&m, 0);
    if (T >= 96)
        b[T] = s[0];
}

// The twin of the writes into an mbarrier: its memory is used again after mbarrier.inval, and a
// store beside it is none into it.
KERNEL(mbarrier_memory_again) {
    __shared__ __align__(16) u64 m[4];
    if (!T)
        minit(m, 256);
    __syncthreads();
    if (T == 9)
        m[1] = a[0];
    marr(m);
    mwait(m, 0);
    __syncthreads();
    if (!T) {
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(sa(m)) : "memory");
        cpa(m, a);
        COMMIT;
        WAITG(0);
    }
    __syncthreads();
    atomicAdd((int *)m, n);
    __syncthreads();
    b[T] = ((int *)m)[T & 3];
}
