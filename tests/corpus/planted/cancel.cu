/* One mistake a kernel: requests to cancel blocks. */
#include "../cancel.cuh"

/* No wait for the mbarrier before the response is read. */
KERNEL(read_too_early) {
    MEMORY;
    BEGIN;
    REQUEST;
    b[64 * B + T] = canceled(&r);
    mwait(&m, 0);
}

/* The response is read, and no barrier comes before the next request. */
KERNEL(response_overwritten) {
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
    }
}

/* Nothing was requested. */
KERNEL(nothing_requested) {
    MEMORY;
    BEGIN;
    b[64 * B + T] = canceled(&r);
}

/* The block has seen that nothing is left, and asks again. */
KERNEL(asks_again) {
    MEMORY;
    BEGIN;
    for (int i = 0; i < 9; i++) {
        REQUEST;
        mwait(&m, i & 1);
        b[64 * B + T] = canceled(&r);
        PROXY;
        __syncthreads();
    }
}

/* The number of a block without a question whether there is one. */
KERNEL(number_of_nothing) {
    MEMORY;
    BEGIN;
    for (int i = 0; i < 9; i++) {
        REQUEST;
        mwait(&m, i & 1);
        b[64 * B + T] = first(&r);
        PROXY;
        __syncthreads();
    }
}

/* One block of the cluster has exited. */
KERNEL(block_exited) {
    MEMORY;
    BEGIN;
    CSYNC;
    if (B % 2)
        return;
    for (int i = 0; i < 1000; i++)
        b[64 * B + T] += i;
    if (!T) {
        mexp(&m, 16);
        cancel_all(&r, &m);
    }
    mwait(&m, 0);
    b[64 * B + T] = canceled(&r);
}

/* The response is to go to the other block of the cluster. */
KERNEL(response_elsewhere) {
    MEMORY;
    BEGIN;
    CSYNC;
    if (!T) {
        mexp(&m, 16);
        asm volatile(
            "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes."
            "b128 [%0],[%1];" ::"r"(mapa(sa(&r), B % 2 ^ 1)),
            "r"(sa(&m))
            : "memory");
    }
    mwait(&m, 0);
    CSYNC;
}

/* No thread announces the bytes, so the phase ends before they come. */
KERNEL(bytes_unannounced) {
    MEMORY;
    BEGIN;
    if (!T) {
        marr(&m);
        cancel(&r, &m);
    }
    mwait(&m, 0);
    b[64 * B + T] = canceled(&r);
}
