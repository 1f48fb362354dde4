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
        meet(count, ++g * GRID);
    }
}
KERNEL(grid_barrier_generation) {
    int *count = b, *gen = b + 1, *x = b + 64;
    for (int k = 0, g = 0; k < 3; k++) {
        x[B * 64 + T] = T + k;
        meet_by_generation(count, gen, g++);
        b[1024 + B * 64 + T] += x[(B + 1) % GRID * 64 + T];
        meet_by_generation(count, gen, g++);
    }
}
KERNEL(grid_sync) {
    auto g = cg::this_grid();
    int *x = b + 64;
    for (int k = 0; k < 3; k++) {
        x[B * 64 + T] = T + k;
        g.sync();
        b[1024 + B * 64 + T] += x[(B + 1) % GRID * 64 + T];
        g.sync();
    }
}
// block 0 hands over slots; it does not wait until they are free
KERNEL(slots_are_free) {
    int *full = b, *empty = b + 1, *slot = b + 64;
    if (B == 0) {
        for (int k = 0; k < 6; k++) {
            if (T == 0)
                while (ldacq(empty) < k - 1)
                    ;
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
        __syncthreads();
        x[64 + T] = T;
        __syncthreads();
        if (T == 0) {
            FENCE;
            strel(flag, 2);
        }
    } else {
        if (T == 0)
            while (ldacq(flag) < 2)
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
        while (ldacq(flag + T) < 3)
            ;
        b[1024 + T] = x[T];
    }
}
KERNEL(ticket_lock_in_rounds) {
    int *next = b, *serving = b + 1, *x = b + 2;
    if (T == 0)
        for (int k = 0; k < 4; k++) {
            int mine = atomicAdd(next, 1);
            while (ldacq(serving) != mine)
                ;
            x[0] += 1;
            x[1] += x[0];
            FENCE;
            strel(serving, mine + 1);
        }
}
KERNEL(lock_by_test_then_exchange) {
    int *lock = b, *x = b + 2;
    if (T == 0)
        for (int k = 0; k < 4; k++) {
            do {
                while (ldrlx(lock) != 0)
                    ;
            } while (atomicExch(lock, 1) != 0);
            FENCE;
            x[0] += 1;
            FENCE;
            strlx(lock, 0);
        }
}
KERNEL(reads_as_far_as_the_counter_says) {
    int *done = b, *x = b + 64;
    if (B == 0) {
        for (int k = 0; k < 8; k++) {
            x[k * 64 + T] = k;
            __syncthreads();
            if (T == 0) {
                FENCE;
                strel(done, k + 1);
            }
        }
    } else if (B == 1 && T == 0) {
        int seen = 0, n_ = 0, acc = 0;
        while (seen < 8) {
            do
                n_ = ldacq(done);
            while (n_ == seen);
            for (; seen < n_; seen++)
                acc += x[seen * 64];
        }
        b[4096] = acc;
    }
}
KERNEL(semaphore_of_two) {
    int *free_ = b, *x = b + 64;
    if (T == 0) {
        if (B == 0) {
            x[0] = 1;
            FENCE;
            atomicExch(free_, 2);
        }
        for (int k = 0; k < 3; k++) {
            for (;;) {
                int old;
                while ((old = ldacq(free_)) <= 0)
                    ;
                if (atomicCAS(free_, old, old - 1) == old)
                    break;
            }
            FENCE;
            atomicAdd(x + 1, x[0]);
            FENCE;
            atomicAdd(free_, 1);
        }
    }
}
KERNEL(waits_for_the_sum_of_all) {
    int *count = b, *x = b + 64;
    for (int k = 0; k < 3; k++) {
        x[(k * GRID + B) * 64 + T] = T;
        __syncthreads();
        if (T == 0) {
            FENCE;
            atomicAdd(count, 1);
        }
    }
    if (T == 0)
        while (ldacq(count) < 3 * GRID)
            ;
    __syncthreads();
    int acc = 0;
    for (int i = 0; i < 3 * GRID; i++)
        acc += x[i * 64 + T];
    b[8192 + B * 64 + T] = acc;
}
KERNEL(look_back_of_states) {
    int *state = b, *sum = b + 64;
    if (T == 0) {
        int before = 0;
        if (B) {
            while (ldacq(state + B - 1) == 0)
                ;
            before = sum[B - 1];
        }
        sum[B] = before + a[B];
        FENCE;
        strel(state + B, 1);
    }
}
KERNEL(ring_of_blocks) {
    int *turn = b, *x = b + 1;
    if (T == 0)
        for (int k = 0; k < 3; k++) {
            while (ldacq(turn) % GRID != B)
                ;
            x[0] += k;
            FENCE;
            atomicAdd(turn, 1);
        }
}
KERNEL(ring_counts_with_relaxed_loads) {
    int *turn = b, *x = b + 1;
    if (T == 0)
        for (int k = 0; k < 3; k++) {
            while (ldrlx(turn) < k * GRID + B)
                ;
            FENCE;
            x[0] += k;
            FENCE;
            strlx(turn, k * GRID + B + 1);
        }
}
KERNEL(two_words_in_a_loop) {
    int *one = b, *two = b + 1, *x = b + 64;
    if (B == 0) {
        x[T] = 1;
        __syncthreads();
        if (T == 0) {
            FENCE;
            strel(one, 1);
        }
        x[64 + T] = 2;
        __syncthreads();
        if (T == 0) {
            FENCE;
            strel(two, 1);
            FENCE;
            strel(one, 2);
        }
    } else {
        if (T == 0) {
            while (ldacq(two) != 1)
                ;
            while (ldacq(one) < 1)
                ;
        }
        __syncthreads();
        b[1024 + B * 64 + T] = x[T] + x[64 + T];
    }
}
