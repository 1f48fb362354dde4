/* memory: a mistake in each kernel. Columns of kernels.tsv have the launch and the findings. */
#include "../corpus.cuh"

__constant__ int cc[16];

KERNEL(oob_one) {
    if (T <= n + 256)
        b[16384 - 255 + T] = 1;
}

KERNEL(oob_before) {
    b[T] = a[T - 1];
}

KERNEL(smem_end) {
    __shared__ int s[256];
    s[T + 1] = T;
    __syncthreads();
    b[T] = s[T];
}

KERNEL(smem_next) {
    __shared__ struct {
        int s[64];
        int t[64];
    } q;
    if (T < 64)
        q.t[T] = 1;
    __syncthreads();
    volatile int i = T;
    if (T < 65)
        q.s[i] = 5;
    __syncthreads();
    if (T < 64)
        b[T] = q.t[T] + q.s[T];
}

KERNEL(padded_row) {
    __shared__ int s[8][33];
    if (T < 256)
        s[T >> 5][T & 31] = T;
    __syncthreads();
    b[T] = s[T >> 5][(T & 31) + 2];
}

KERNEL(local_oob) {
    int l[8];
    for (int i = 0; i < 8; i++)
        l[i] = a[i];
    volatile int k = T;
    b[T] = l[(k & 7) + 1 + n];
}

KERNEL(misaligned_v4) {
    int4 v = *(int4 *)(a + 1 + T * 4);
    b[T] = v.x + v.w;
}

KERNEL(misaligned_smem) {
    __shared__ __align__(16) int s[512];
    s[T] = T;
    s[T + 256] = 1;
    __syncthreads();
    b[T] = (int)*(u64 *)((char *)s + 4 * T);
}

KERNEL(uninit_smem) {
    __shared__ int s[256];
    if (T < 255)
        s[T] = T;
    __syncthreads();
    b[T] = s[T];
}

KERNEL(uninit_global) {
    b[T] = u[T];
}

KERNEL(uaf_malloc) {
    if (!T) {
        int *p = (int *)malloc(64);
        p[0] = 1;
        free(p);
        b[0] = ((volatile int *)p)[0];
    }
}

KERNEL(double_free) {
    if (!T) {
        int *p = (int *)malloc(64);
        p[0] = 1;
        free(p);
        asm volatile("" ::: "memory");
        free(p);
    }
}

KERNEL(malloc_leak) {
    if (!T) {
        int *p = (int *)malloc(64);
        ((volatile int *)p)[0] = 1;
        b[0] = ((volatile int *)p)[0];
    }
}

KERNEL(malloc_oob) {
    if (!T) {
        volatile int *p = (int *)malloc(64);
        p[16] = 1;
        b[0] = 1;
        free((void *)p);
    }
}

KERNEL(null_pointer) {
    int *p = (int *)(u64)n;
    if (!T)
        b[0] = p[1];
}

KERNEL(bad_free) {
    if (!T) {
        int *p = (int *)malloc(64);
        p[0] = 1;
        free(p + 4);
    }
}

KERNEL(uninit_local) {
    volatile int l[8];
    l[T & 3] = 1;
    b[T] = l[4 + (T & 3)];
}

KERNEL(const_oob) {
    b[T] = cc[T];
}

KERNEL(dyn_smem) {
    extern __shared__ int ds[];
    ds[T + 64] = T;
    __syncthreads();
    b[T] = ds[64 + T];
}

KERNEL(uninit_malloc) {
    if (!T) {
        volatile int *p = (int *)malloc(64);
        b[0] = p[3];
        free((void *)p);
    }
}

KERNEL(row_major_over) {
    int row = T / 16, col = T % 16;
    if (row <= 16)
        a[16384 - 256 + row * 16 + col + 16] = 1;
}

KERNEL(local_oob_write) {
    int l[4] = {1, 2, 3, 4};
    volatile int k = T;
    l[(k & 3) + n + 3] = 9;
    b[T] = l[k & 3];
}

KERNEL(uninit_partial_struct) {
    __shared__ int2 s[64];
    if (T < 64)
        s[T].x = T;
    __syncthreads();
    if (T < 64) {
        int2 v = s[T];
        b[T] = v.x + v.y;
    }
}

KERNEL(leftover_ptr_local) {
    int *p;
    {
        int l[4];
        volatile int k = T & 3;
        l[k] = T;
        p = (int *)l;
    }
    b[T] = p[(T + 1) & 3];
}

KERNEL(row_in_bounds) {
    __shared__ int s[8][33];
    s[T >> 5][T & 31] = T;
    __syncthreads();
    b[T] = (T >> 5) < 7 ? s[T >> 5][(T & 31) + 1] : 0;
}

KERNEL(free_then_write) {
    if (!T) {
        volatile int *p = (int *)malloc(32);
        p[0] = 1;
        free((void *)p);
        p[1] = 2;
    }
}

KERNEL(free_by_one_used_by_all) {
    __shared__ volatile int *p;
    if (!T)
        p = (volatile int *)malloc(1024);
    __syncthreads();
    p[T] = T;
    __syncthreads();
    if (!T)
        free((void *)p);
    __syncthreads();
    b[T] = p[T];
}

KERNEL(malloc_before_block) {
    if (!T) {
        int *q = (int *)malloc(64);
        volatile int *p = (int *)malloc(64);
        q[0] = 1;
        p[-1] = 3;
        b[0] = q[0];
        free((void *)p);
        free(q);
    }
}

KERNEL(malloc_one_byte_short) {
    if (!T) {
        volatile char *p = (char *)malloc(13);
        for (int i = 0; i <= 13; i++)
            p[i] = i;
        b[0] = p[12];
        free((void *)p);
    }
}

KERNEL(vector_over_end) {
    int4 v = ((int4 *)(a + 4))[4095];
    b[T] = v.x;
}

/* The sum of the asm statement begins with nothing. */
KERNEL(register_unset) {
    int sum;
    asm("{.reg .s32 s, i;\n.reg .pred p;\nmov.s32 i, 0;\nL%=: add.s32 s, s, %1;\nadd.s32 i, i, 1;\n"
        "setp.lt.s32 p, i, 4;\n@p bra L%=;\nmov.s32 %0, s;}"
        : "=r"(sum)
        : "r"(a[T]));
    b[T] = sum;
}

/* The asm statement tests q, and p is meant. */
KERNEL(predicate_of_another) {
    asm volatile(
        "{.reg .pred p, q;\nsetp.lt.s32 p, %1, 16;\n@q st.global.s32 [%0], %1;}" ::"l"(b + T),
        "r"(T)
        : "memory");
}
