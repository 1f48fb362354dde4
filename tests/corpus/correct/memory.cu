/* memory: nothing is wrong. Columns of kernels.tsv have the launch and the findings. */
#include "../corpus.cuh"

KERNEL(malloc_and_free) {
    int *p = (int *)malloc(4 * (1 + (T & 7)));
    if (p) {
        for (int i = 0; i <= (T & 7); i++)
            p[i] = T;
        b[T] = p[T & 7];
        free(p);
    }
}

KERNEL(malloc_bytes) {
    if (T < 4) {
        char *p = (char *)malloc(13);
        for (int i = 0; i < 13; i++)
            p[i] = i;
        b[T] = p[12];
        free(p);
    }
}

KERNEL(malloc_of_one_used_by_all) {
    __shared__ int *p;
    if (!T)
        p = (int *)malloc(1024);
    __syncthreads();
    p[T] = T;
    __syncthreads();
    b[T] = p[255 - T];
    __syncthreads();
    if (!T)
        free(p);
}

KERNEL(malloc_again) {
    if (!T)
        for (int i = 1; i < 50; i++) {
            int *p = (int *)malloc(i * 4);
            p[i - 1] = i;
            b[i] = p[i - 1];
            free(p);
        }
}

KERNEL(free_null) {
    free(nullptr);
    b[T] = 1;
}

KERNEL(linked_list) {
    struct N {
        N *next;
        int v;
    };
    if (!T) {
        N *l = nullptr;
        for (int i = 0; i < 5; i++) {
            N *n = (N *)malloc(sizeof(N));
            n->next = l;
            n->v = i;
            l = n;
        }
        int s = 0;
        while (l) {
            s = s * 3 + l->v;
            N *n = l->next;
            free(l);
            l = n;
        }
        b[0] = s;
    }
}

KERNEL(local_rotated) {
    int l[8];
    for (int i = 0; i < 8; i++)
        l[i] = a[i] + i;
    volatile int k = T;
    int v = 0;
    for (int i = 0; i < 8; i++)
        v += l[(i + k) & 7] * i;
    b[T] = v;
}

KERNEL(local_partly_used) {
    int l[16];
    volatile int k = T & 7;
    l[k] = T;
    b[T] = l[k];
}

KERNEL(padding_copied) {
    struct P {
        char c;
        int i;
    };
    P p;
    p.c = T;
    p.i = T;
    P *q = (P *)b;
    q[T] = p;
    b[2048 + T] = q[T].i;
}

__constant__ int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};

KERNEL(constants) {
    b[T] = primes[T & 7] + primes[7 - (T & 7)];
}

KERNEL(last_element) {
    b[16383 - T] = a[16383 - T];
}

KERNEL(vectors_aligned) {
    int4 v = ((int4 *)a)[T];
    ((int4 *)b)[T] = make_int4(v.w, v.z, v.y, v.x);
}

KERNEL(bytes_unaligned) {
    unsigned char *p = (unsigned char *)b;
    for (int i = 0; i < 3; i++)
        p[3 * T + i] = T;
}

KERNEL(guarded_tail) {
    for (int i = T; i < 16384; i += 192)
        b[i] = a[i] + 1;
}

KERNEL(dead_branch) {
    int *p = n ? (int *)0x10 : b;
    if (n)
        p[0] = 1;
    b[T] = 2;
}

KERNEL(shared_generic) {
    __shared__ int s[256];
    int *p = s + T;
    *p = T;
    __syncthreads();
    volatile int *q = (T & 1) ? (volatile int *)s + (255 - T) : (volatile int *)a + T;
    b[T] = *q;
}

__device__ int counter_of_all;

KERNEL(device_variable) {
    if (!T)
        atomicAdd(&counter_of_all, 1);
    b[T] = a[T];
}

/* The high half of the pair has no value, and the kernel drops it. */
KERNEL(register_half) {
    int low;
    asm("{.reg .b32 none, high;\n.reg .b64 pair;\nmov.b64 pair, {%1, none};\nmov.b64 {%0, high}, "
        "pair;}"
        : "=r"(low)
        : "r"(a[T]));
    b[T] = low;
}

/* Each thread has one of two guarded values. */
KERNEL(register_guarded) {
    int value;
    asm("{.reg .pred p;\n.reg .s32 v;\nsetp.lt.s32 p, %1, 16;\n@p mov.s32 v, 1;\n@!p mov.s32 v, "
        "2;\n"
        "mov.s32 %0, v;}"
        : "=r"(value)
        : "r"(T));
    b[T] = value;
}
