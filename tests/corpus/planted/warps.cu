/* warps: a mistake in each kernel. Columns of kernels.tsv say which launch and what is found. */
#include "../corpus.cuh"

KERNEL(shfl_inactive) {
    int v = a[T] + T;
    if (T < 16)
        b[T] = __shfl_sync(0xffff, v, T + 16);
}

KERNEL(shfl_fullmask_div) {
    int v = a[T] + T;
    if ((T & 31) < 16) {
        v = __shfl_sync(0xffffffff, v, (T + 1) & 15);
    } else {
        v = __ballot_sync(0xffff0000, 1);
    }
    b[T] = v;
}

KERNEL(warp_reduce_nosync) {
    __shared__ volatile int s[64];
    s[T] = a[T];
    s[T + 32] = 0;
    if (T < 16)
        s[T] += s[T + 16];
    if (T < 8)
        s[T] += s[T + 8];
    if (T < 4)
        s[T] += s[T + 4];
    b[T] = s[0];
}

KERNEL(exchange_nosync) {
    __shared__ int s[32];
    s[T] = a[T] + T;
    asm volatile("" ::: "memory");
    b[T] = s[T ^ 1];
}

KERNEL(mask_foreign) {
    if (T < 16)
        __syncwarp(0xffff0000u);
    b[T] = 1;
}

KERNEL(branches) {
    int v;
    if (T & 1)
        v = __ballot_sync(0xffffffff, 1);
    else
        v = __any_sync(0xffffffff, T);
    b[T] = v;
}

KERNEL(div_producer) {
    __shared__ int s[32];
    if (T < 16)
        s[T] = a[T];
    else
        b[T] = s[T - 16];
}

KERNEL(shfl_oob_width_undef) {
    int v = a[T];
    if (T < 8 || T > 23)
        v = __shfl_xor_sync(0xff0000ff, v, 8);
    b[T] = v;
}

KERNEL(warp_waw) {
    __shared__ int s[1];
    s[0] = T;
    __syncwarp();
    b[T] = s[0];
}

KERNEL(warp_global_nosync) {
    b[T] = a[T] + T;
    asm volatile("" ::: "memory");
    b[64 + T] = b[T ^ 1];
}

KERNEL(activemask_reduce) {
    int v = a[T];
    if (T < 20) {
        u32 m = __activemask();
        v = __reduce_add_sync(0xffffffff, v);
        b[1] = m;
    } else {
        b[2] = __ballot_sync(0xffffffffu << 20, 1);
    }
    b[T + 64] = v;
}
