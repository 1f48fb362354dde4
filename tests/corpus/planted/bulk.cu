/* bulk: a mistake in each kernel. Columns of kernels.tsv have the launch and the findings. */
#include "../corpus.cuh"

KERNEL(store_noproxy) {
    __shared__ __align__(128) int s[256];
    s[T] = a[T] + T;
    __syncthreads();
    if (!T) {
        bstore(b, s, 1024);
        BCOMMIT;
        BWAIT;
    }
}

KERNEL(store_nosync) {
    __shared__ __align__(128) int s[256];
    s[T] = a[T] + T;
    PROXY;
    if (!T) {
        bstore(b, s, 1024);
        BCOMMIT;
        BWAIT;
    }
}

KERNEL(store_reuse) {
    __shared__ __align__(128) int s[256];
    for (int i = 0; i < 2; i++) {
        s[T] = a[T] + i;
        PROXY;
        __syncthreads();
        if (!T) {
            bstore(b + 256 * i, s, 1024);
            BCOMMIT;
        }
        __syncthreads();
    }
    if (!T)
        BWAIT;
}

KERNEL(load_nowait) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
    }
    __syncthreads();
    if (!T) {
        mexp(&m, 1024);
        bload(s, a, 1024, &m);
    }
    __syncthreads();
    b[T] = s[T];
    mwait(&m, 0);
}

KERNEL(wrong_parity) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
    }
    __syncthreads();
    if (!T) {
        mexp(&m, 1024);
        bload(s, a, 1024, &m);
    }
    mwait(&m, 1);
    b[T] = s[T];
    mwait(&m, 0);
}

KERNEL(noflip) {
    __shared__ __align__(128) int s[2][256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
    }
    __syncthreads();
    for (int i = 0; i < 2; i++) {
        if (!T) {
            mexp(&m, 1024);
            bload(s[i], a + 256 * i, 1024, &m);
        }
        mwait(&m, 0);
        b[T + 256 * i] = s[i][T];
        __syncthreads();
    }
    mwait(&m, 1);
}

KERNEL(tx_small) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
    }
    __syncthreads();
    if (!T) {
        mexp(&m, 512);
        bload(s, a, 512, &m);
        bload(s + 128, a + 128, 512, &m);
    }
    mwait(&m, 0);
    b[T] = s[T];
}

KERNEL(tx_large) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
    }
    __syncthreads();
    if (!T) {
        mexp(&m, 2048);
        bload(s, a, 1024, &m);
    }
    mwait(&m, 0);
    b[T] = s[T];
}

KERNEL(init_nosync) {
    __shared__ u64 m;
    if (T == 128)
        minit(&m, 256);
    marr(&m);
    mwait(&m, 0);
    b[T] = 1;
}

KERNEL(stage_noempty) {
    __shared__ __align__(128) int s[2][256];
    __shared__ u64 f[2];
    if (!T) {
        minit(f, 1);
        minit(f + 1, 1);
    }
    __syncthreads();
    if (T == 256) {
        for (int i = 0; i < 6; i++) {
            mexp(f + (i & 1), 1024);
            bload(s[i & 1], a + 256 * i, 1024, f + (i & 1));
            mwait(f + (i & 1), (i >> 1) & 1);
        }
    } else if (T < 256) {
        for (int i = 0; i < 6; i++) {
            mwait(f + (i & 1), (i >> 1) & 1);
            b[256 * i + T] = s[i & 1][T];
        }
    }
}

KERNEL(count_small) {
    __shared__ u64 m;
    if (!T)
        minit(&m, 1);
    __syncthreads();
    marr(&m);
    mwait(&m, 0);
    b[T] = 1;
}

KERNEL(count_large) {
    __shared__ u64 m;
    if (!T)
        minit(&m, 257);
    __syncthreads();
    marr(&m);
    mwait(&m, 0);
    b[T] = 1;
}

KERNEL(wait_one_thread) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
    }
    __syncthreads();
    if (!T) {
        mexp(&m, 1024);
        bload(s, a, 1024, &m);
        mwait(&m, 0);
    }
    b[T] = s[T];
}

KERNEL(mbar_reused) {
    __shared__ __align__(16) int s[64];
    u64 *m = (u64 *)s;
    if (!T)
        minit(m, 256);
    __syncthreads();
    marr(m);
    mwait(m, 0);
    s[T & 1] = T;
    __syncthreads();
    if (!T)
        marr(m);
    b[T] = s[T & 1];
}

KERNEL(load_over_generic) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
    }
    s[T] = a[T];
    __syncthreads();
    b[T] = s[255 - T];
    __syncthreads();
    if (!T) {
        mexp(&m, 1024);
        bload(s, a + 256, 1024, &m);
    }
    mwait(&m, 0);
    b[T + 256] = s[T];
}

KERNEL(bulk_size) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
    }
    __syncthreads();
    if (!T) {
        mexp(&m, 20);
        bload(s, a, n + 20, &m);
    }
    mwait(&m, 0);
    b[T] = 1;
}

KERNEL(bulk_align) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
    }
    __syncthreads();
    if (!T) {
        mexp(&m, 32);
        bload(s, a + 1, 32, &m);
    }
    mwait(&m, 0);
    b[T] = 1;
}

KERNEL(bulk_oob) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
    }
    __syncthreads();
    if (!T) {
        mexp(&m, 1024);
        bload(s, a + 16384 - 128, 1024, &m);
    }
    mwait(&m, 0);
    b[T] = 1;
}

KERNEL(release_early) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 f, e;
    if (!T) {
        minit(&f, 1);
        minit(&e, 256);
    }
    __syncthreads();
    if (T == 256) {
        for (int i = 0; i < 4; i++) {
            if (i)
                mwait(&e, (i - 1) & 1);
            mexp(&f, 1024);
            bload(s, a + 256 * i, 1024, &f);
        }
    } else if (T < 256) {
        for (int i = 0; i < 4; i++) {
            mwait(&f, i & 1);
            marr(&e);
            b[256 * i + T] = s[T];
        }
    }
}

KERNEL(bulk_leak) {
    __shared__ __align__(128) int s[256];
    s[T] = T;
    PROXY;
    __syncthreads();
    if (!T) {
        bstore(b, s, 1024);
        BCOMMIT;
    }
}

KERNEL(trywait_once) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
    }
    __syncthreads();
    if (!T) {
        mexp(&m, 1024);
        bload(s, a, 1024, &m);
    }
    u32 ok;
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p,[%1],0; selp.u32 %0,1,0,p;}"
                 : "=r"(ok)
                 : "r"(sa(&m))
                 : "memory");
    b[T] = s[T];
    b[256 + T] = ok;
    mwait(&m, 0);
}

KERNEL(reduce_nowait) {
    __shared__ __align__(128) int s[256];
    s[T] = T;
    PROXY;
    __syncthreads();
    if (!T) {
        asm volatile(
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0],[%1],1024;" ::"l"(b),
            "r"(sa(s))
            : "memory");
        BCOMMIT;
        b[1024] = ((volatile int *)b)[5];
        BWAIT;
    }
}

KERNEL(store_flag_readwait) {
    __shared__ __align__(128) int s[256];
    if (B == 0) {
        s[T] = T;
        PROXY;
        __syncthreads();
        if (!T) {
            bstore(b + 1024, s, 1024);
            BCOMMIT;
            BWAITR;
            strel(b, 1);
            BWAIT;
        }
    } else {
        if (!T)
            while (!ldacq(b))
                ;
        __syncthreads();
        b[4096 + T] = b[1024 + T];
    }
}

KERNEL(global_noproxy) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 m;
    if (!T)
        minit(&m, 1);
    b[T] = a[T] + T;
    __syncthreads();
    if (!T) {
        mexp(&m, 1024);
        bload(s, b, 1024, &m);
    }
    mwait(&m, 0);
    b[1024 + T] = s[T];
}

KERNEL(init_known_to_one_warp) {
    __shared__ u64 m;
    if (!T)
        minit(&m, 256);
    __syncwarp();
    marr(&m);
    mwait(&m, 0);
    b[T] = 1;
}

// The producer loads one stage more than the block waits for.
KERNEL(exits_before_the_copy) {
    __shared__ alignas(128) int s[2][32];
    __shared__ u64 full[2];
    if (!T) {
        minit(&full[0], 1);
        minit(&full[1], 1);
        MFENCE;
        for (int k = 0; k < 2; k++) {
            mexp(&full[k], 128);
            bload(s[k], a + 32 * k, 128, &full[k]);
        }
    }
    __syncthreads();
    mwait(&full[0], 0);
    b[T] = s[0][T & 31];
}
