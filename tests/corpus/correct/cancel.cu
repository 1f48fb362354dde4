/* The kernels of planted/cancel.cu without their mistakes, and others that only look wrong. */
#include "../cancel.cuh"

/* Each block works, and takes over the work of others. */
KERNEL(steal) {
    MEMORY;
    BEGIN;
    for (int at = B, phase = 0;; phase ^= 1) {
        REQUEST;
        b[64 * at + T] = at;
        mwait(&m, phase);
        if (!canceled(&r))
            break;
        at = first(&r);
        PROXY;
        __syncthreads();
    }
}

/* The number of a block in a grid of three dimensions. */
KERNEL(steal_in_space) {
    MEMORY;
    BEGIN;
    int3 at = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z};
    for (int phase = 0;; phase ^= 1) {
        REQUEST;
        b[64 * (at.x + gridDim.x * (at.y + gridDim.y * at.z)) + T] = 1;
        mwait(&m, phase);
        if (!canceled(&r))
            break;
        at = place(&r);
        PROXY;
        __syncthreads();
    }
}

/* One thread of a cluster asks for all of its blocks. */
KERNEL(steal_clusters) {
    MEMORY;
    BEGIN;
    for (int at = B, phase = 0;; phase ^= 1) {
        CSYNC;
        if (!T)
            mexp(&m, 16);
        if (!T && B % 2 == 0)
            cancel_all(&r, &m);
        b[64 * at + T] = at;
        mwait(&m, phase);
        if (!canceled(&r))
            break;
        at = first(&r) + B % 2;
        PROXY;
    }
}

/* The second request comes before the block sees that the first one failed. */
KERNEL(asks_ahead) {
    __shared__ __align__(16) uint4 r[2];
    __shared__ u64 m[2];
    if (!T)
        for (int i = 0; i < 2; i++) {
            minit(&m[i], 1);
            mexp(&m[i], 16);
        }
    __syncthreads();
    if (!T)
        for (int i = 0; i < 2; i++)
            cancel(&r[i], &m[i]);
    b[64 * B + T] = 1;
    for (int i = 0; i < 2; i++) {
        mwait(&m[i], 0);
        if (canceled(&r[i]))
            b[64 * first(&r[i]) + T] = 1;
    }
}

/* Two threads take a block each, by one barrier. */
KERNEL(two_threads_ask) {
    __shared__ __align__(16) uint4 r[2];
    __shared__ u64 m;
    if (!T) {
        minit(&m, 1);
        mexp(&m, 32);
    }
    __syncthreads();
    if (T < 2)
        cancel(&r[T], &m);
    b[64 * B + T] = 1;
    mwait(&m, 0);
    for (int i = 0; i < 2; i++)
        if (canceled(&r[i]))
            b[64 * first(&r[i]) + T] = 1;
}

/* Threads may exit while the response is under way: the others wait for it. */
KERNEL(some_exit) {
    MEMORY;
    BEGIN;
    b[64 * B + T] = 1;
    if (T >= 32)
        return;
    REQUEST;
    mwait(&m, 0);
    if (canceled(&r)) {
        b[64 * first(&r) + T] = 1;
        b[64 * first(&r) + T + 32] = 1;
    }
}
