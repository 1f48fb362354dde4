/* global: a mistake in each kernel. Columns of kernels.tsv have the launch and the findings. */
#include "../corpus.cuh"

KERNEL(flag_nofence) {
    if (B == 0) {
        b[64] = 42;
        ((volatile int *)b)[0] = 1;
    } else {
        while (((volatile int *)b)[0] == 0)
            ;
        b[128] = b[64];
    }
}

KERNEL(lastblock_nofence) {
    __shared__ bool last;
    if (!T) {
        b[64 + B] = a[B];
        last = atomicAdd(b, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && T < gridDim.x)
        b[1024 + T] = b[64 + T];
}

KERNEL(fence_block) {
    __shared__ bool last;
    if (!T) {
        b[64 + B] = a[B];
        __threadfence_block();
        last = atomicAdd(b, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && T < gridDim.x)
        b[1024 + T] = b[64 + T];
}

KERNEL(atomic_block) {
    atomicAdd_block(b, 1);
}

KERNEL(counter_plain) {
    if (!T)
        b[0] = b[0] + 1;
}

KERNEL(lookback_nofence) {
    if (!T) {
        b[64 + B] = a[B];
        strlx(b + B, 1);
        if (B) {
            while (ldrlx(b + B - 1) == 0)
                ;
            b[128 + B] = b[64 + B - 1];
        }
    }
}

KERNEL(stencil_inplace) {
    int i = B * 256 + T;
    if (i > 0 && i < 4095)
        b[i] = b[i - 1] + b[i + 1] + 1;
}

KERNEL(twophase_nogrid) {
    int i = B * 256 + T;
    b[i] = i;
    __syncthreads();
    b[4096 + i] = b[(i + 256) % 1024];
}

KERNEL(last_nosync) {
    __shared__ bool last;
    if (!T) {
        b[64 + B] = a[B];
        __threadfence();
        last = atomicAdd(b, 1) == gridDim.x - 1;
    }
    if (last && T < gridDim.x)
        b[1024 + T] = b[64 + T];
}

KERNEL(acquire_cta) {
    if (!T) {
        if (B == 0) {
            b[64] = 42;
            strelc(b, 1);
        } else {
            while (ldacqc(b) == 0)
                ;
            b[128] = b[64];
        }
    }
}

KERNEL(relaxed_flag) {
    if (!T) {
        if (B == 0) {
            b[64] = 42;
            strlx(b, 1);
        } else {
            while (ldacq(b) == 0)
                ;
            b[128] = b[64];
        }
    }
}

KERNEL(global_in_block) {
    b[T] = T;
    b[1024 + T] = b[255 - T];
}

KERNEL(spinlock_nofence) {
    if (!T) {
        while (atomicCAS(b, 0, 1))
            ;
        b[64] = b[64] + 1;
        ((volatile int *)b)[0] = 0;
    }
}

KERNEL(release_after) {
    if (!T) {
        if (B == 0) {
            strel(b, 1);
            b[64] = 42;
        } else {
            while (ldacq(b) == 0)
                ;
            b[128] = b[64];
        }
    }
}

KERNEL(fence_onethread_block) {
    b[64 + B * 256 + T] = a[T];
    __threadfence();
    if (!T) {
        atomicAdd(b, 1);
    }
    if (B == gridDim.x - 1) {
        if (!T)
            while (ldacq(b) < (int)gridDim.x)
                ;
        __syncthreads();
        b[4096 + T] = b[64 + T];
    }
}

KERNEL(grid_waw) {
    b[T] = B;
}

KERNEL(nc_written) {
    b[T] = a[T] + T;
    __syncthreads();
    int x;
    asm volatile("ld.global.nc.u32 %0,[%1];" : "=r"(x) : "l"(b + 255 - T));
    b[1024 + T] = x;
}

KERNEL(sys_scope_cta_fence) {
    if (!T) {
        if (B == 0) {
            b[64] = 42;
            asm volatile("fence.acq_rel.cta;" ::: "memory");
            strlx(b, 1);
        } else {
            while (ldrlx(b) == 0)
                ;
            asm volatile("fence.acq_rel.gpu;" ::: "memory");
            b[128] = b[64];
        }
    }
}

KERNEL(atom_cta_flag) {
    if (!T) {
        if (B == 0) {
            b[64] = 42;
            __threadfence();
            atomicExch_block(b, 1);
        } else {
            while (atomicAdd_block(b, 0) == 0)
                ;
            __threadfence();
            b[128] = b[64];
        }
    }
}

KERNEL(consumer_nofence) {
    if (!T) {
        if (B == 0) {
            b[64] = 42;
            __threadfence();
            strlx(b, 1);
        } else {
            while (ldrlx(b) == 0)
                ;
            b[128] = b[64];
        }
    }
}

KERNEL(cluster_scope_flag) {
    if (!T) {
        if (B == 0) {
            b[64] = 42;
            asm volatile("st.release.cluster.global.u32 [%0],1;" ::"l"(b) : "memory");
        } else {
            int x;
            do
                asm volatile("ld.acquire.cluster.global.u32 %0,[%1];"
                             : "=r"(x)
                             : "l"(b)
                             : "memory");
            while (!x);
            b[128] = b[64];
        }
    }
}

KERNEL(block_scope_histogram) {
    atomicAdd_block(b + (T & 15), 1);
}

// One thread polls with a relaxed load, and the block meets: a barrier of the block is no fence for
// other blocks.
KERNEL(poll_then_barrier) {
    if (B == 0) {
        b[64 + T] = a[T] + T;
        __syncthreads();
        if (!T) {
            __threadfence();
            strlx(b, 1);
        }
    } else {
        if (!T)
            while (!ldrlx(b))
                ;
        __syncthreads();
        b[1024 + T] = b[64 + T];
    }
}

// The last block adds up what all wrote, without a fence behind the counter.
KERNEL(last_block_nofence) {
    __shared__ int last;
    b[64 + T + 256 * B] = a[T] + T;
    __threadfence();
    __syncthreads();
    if (!T)
        last = atomicAdd(b, 1) == gridDim.x - 1;
    __syncthreads();
    if (last)
        b[2048 + T] = b[64 + T] + b[64 + 256 + T];
}
