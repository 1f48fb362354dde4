/* Blocks that wait for each other through words of global memory: loops that wait for a value see
 * it long after it was written. */
#include "corpus.cuh"
#define GRID ((int)gridDim.x)
#define FENCE __threadfence()
// a counter that grows
__device__ __forceinline__ void meet(int *count, int goal) {
    __syncthreads();
    if (T == 0) {
        FENCE;
        atomicAdd(count, 1);
        while (ldacq(count) < goal)
            ;
    }
    __syncthreads();
}
// the last one lets the others go
__device__ __forceinline__ void meet_by_generation(int *count, int *gen, int g) {
    __syncthreads();
    if (T == 0) {
        FENCE;
        if (atomicAdd(count, 1) == GRID - 1) {
            *count = 0;
            strel(gen, g + 1);
        } else
            while (ldacq(gen) == g)
                ;
        FENCE;
    }
    __syncthreads();
}
KERNEL(grid_barrier_counts) {
    int *count = b, *x = b + 64;
    for (int k = 0, g = 0; k < 3; k++) {
        x[B * 64 + T] = T + k;
        meet(count, ++g * GRID);
        b[1024 + B * 64 + T] += x[(B + 1) % GRID * 64 + T];
    }
}
KERNEL(grid_barrier_generation) {
    int *count = b, *gen = b + 1, *x = b + 64;
    for (int k = 0, g = 0; k < 3; k++) {
        x[B * 64 + T] = T + k;
        meet_by_generation(count, gen, g++);
        b[1024 + B * 64 + T] += x[(B + 1) % GRID * 64 + T];
    }
}
KERNEL(grid_sync) {
    auto g = cg::this_grid();
    int *x = b + 64;
    for (int k = 0; k < 3; k++) {
        x[B * 64 + T] = T + k;
        g.sync();
        b[1024 + B * 64 + T] += x[(B + 1) % GRID * 64 + T];
    }
}
// block 0 hands over slots; it does not wait until they are free
KERNEL(slots_are_free) {
    int *full = b, *empty = b + 1, *slot = b + 64;
    if (B == 0) {
        for (int k = 0; k < 6; k++) {
            __syncthreads();
            slot[(k & 1) * 64 + T] = k;
            __syncthreads();
            if (T == 0) {
                FENCE;
                strel(full, k + 1);
            }
        }
    } else if (B == 1) {
        int acc = 0;
        for (int k = 0; k < 6; k++) {
            if (T == 0)
                while (ldacq(full) < k + 1)
                    ;
            __syncthreads();
            acc += slot[(k & 1) * 64 + T];
            __syncthreads();
            if (T == 0) {
                FENCE;
                strel(empty, k + 1);
            }
        }
        b[1024 + T] = acc;
    }
}
// the flag is set before the last part is written
KERNEL(flag_after_all_parts) {
    int *flag = b, *x = b + 64;
    if (B == 0) {
        x[T] = T;
        __syncthreads();
        if (T == 0) {
            FENCE;
            strel(flag, 1);
        }
        __syncthreads();
        x[64 + T] = T;
        __syncthreads();
        if (T == 0) {
            FENCE;
            strel(flag, 2);
        }
    } else {
        if (T == 0)
            while (ldacq(flag) < 1)
                ;
        __syncthreads();
        b[1024 + B * 64 + T] = x[T] + x[64 + T];
    }
}
// each lane waits for a word of its own
KERNEL(each_lane_waits) {
    int *flag = b, *x = b + 64;
    if (B == 0) {
        for (int k = 0; k < 3; k++) {
            x[T] = k;
            FENCE;
            strel(flag + T, k + 1);
        }
    } else if (B == 1) {
        while (ldacq(flag + T) < 1)
            ;
        b[1024 + T] = x[T];
    }
}
// block 3 does not come
KERNEL(grid_sync_of_a_part) {
    if (B < 3)
        cg::this_grid().sync();
    b[64 + B * 64 + T] = T;
}
__device__ int never;
// a variable of the module that no thread sets
KERNEL(flag_that_nobody_sets) {
    if (T == 0)
        while (!ldacq(&never))
            ;
    b[T] = 1;
}
// the unlock has no fence
KERNEL(unlock_without_fence) {
    int *lock = b, *x = b + 64;
    if (T == 0) {
        while (atomicCAS(lock, 0, 1))
            ;
        FENCE;
        x[0] += 1;
        strlx(lock, 0);
    }
}
