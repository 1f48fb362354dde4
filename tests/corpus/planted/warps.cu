/* warps: a mistake in each kernel. Columns of kernels.tsv have the launch and the findings. */
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

KERNEL(overwritten_before_read) {
    __shared__ int s[256];
    s[T] = T;
    __syncwarp();
    int v = s[T ^ 1];
    s[T] = v + 1;
    __syncwarp();
    b[T] = s[T];
}

KERNEL(broadcast_nosync) {
    __shared__ int s[8];
    if ((T & 31) == 0)
        s[T >> 5] = a[T];
    b[T] = s[T >> 5];
}

KERNEL(ldmatrix_own_warp) {
    __shared__ __align__(16) half s[8][16 * 16];
    int w = T >> 5, l = T & 31;
    for (int i = l; i < 256; i += 32)
        s[w][i] = __float2half((float)i);
    u32 r[4];
    ldm(r, s[w] + (l & 15) * 16 + (l >> 4) * 8);
    b[T] = r[0] ^ r[3];
}

KERNEL(stmatrix_then_load) {
    __shared__ __align__(16) half s[8][16 * 16];
    int w = T >> 5, l = T & 31;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0],{%1,%1,%1,%1};" ::"r"(
                     sa(s[w] + (l & 15) * 16 + (l >> 4) * 8)),
                 "r"(T)
                 : "memory");
    b[T] = ((int *)s[w])[(l * 5) & 127];
}

KERNEL(transpose_nosync) {
    __shared__ int s[8][32][5];
    int w = T >> 5, l = T & 31;
    for (int i = 0; i < 4; i++)
        s[w][l][i] = l * 4 + i;
    for (int i = 0; i < 4; i++) {
        int e = i * 32 + l;
        b[T * 4 + i] = s[w][e >> 2][e & 3];
    }
}

KERNEL(epilogue_reused) {
    __shared__ float s[8][32];
    int w = T >> 5, l = T & 31;
    for (int k = 0; k < 2; k++) {
        s[w][l] = (float)(T + k);
        __syncwarp();
        ((float *)b)[k * 256 + T] = s[w][31 - l];
    }
}

KERNEL(shared_counter_of_lanes) {
    __shared__ int s[8];
    if ((T & 31) == 0)
        s[T >> 5] = 0;
    __syncwarp();
    s[T >> 5] += 1;
    __syncwarp();
    b[T] = s[T >> 5];
}

KERNEL(bytes_read_as_words) {
    __shared__ __align__(4) unsigned char s[256];
    s[T] = T;
    if ((T & 3) == 0)
        b[T >> 2] = *(int *)(s + T);
}

KERNEL(global_shift_in_place) {
    int v = b[T + 1];
    b[T] = v + 1;
}

KERNEL(cleared_by_neighbour) {
    __shared__ int s[256];
    s[T ^ 1] = 0;
    atomicAdd(&s[T], 1);
    __syncthreads();
    b[T] = s[T];
}

KERNEL(shfl_tail_sum) {
    int v = a[T] + T;
    for (int d = 16; d; d >>= 1)
        v += __shfl_xor_sync(~0u, v, d);
    if ((T & 31) == 0)
        b[T >> 5] = v;
}

KERNEL(shfl_tail_branch) {
    int v = a[T] + T;
    if ((T & 31) < 12 && __shfl_down_sync(0xfff, v, 4) > 7)
        b[T] = 1;
}
