// wgmma_forms.h - the forms of wgmma that are probed: a kernel and a row each.
#ifndef PROBE_WGMMA_FORMS_H
#define PROBE_WGMMA_FORMS_H

#include "gpu.h"

enum { WINDOW = 512, THREADS = 128, ROWS = 64, COLS = 8 };

struct operands {
    uint32_t a[4][THREADS], c[4][THREADS], d[4][THREADS], e[THREADS];
    uint8_t window[WINDOW];
    uint64_t descriptor;
    uint32_t scale_d;
};

#define BODY(inout, to, from, count, operands_d, text)                                             \
    __shared__ __align__(1024) uint8_t window[WINDOW];                                             \
    const unsigned t = threadIdx.x;                                                                \
    for (unsigned i = t; i < WINDOW; i += THREADS)                                                 \
        window[i] = o->window[i];                                                                  \
    asm volatile("fence.proxy.async;" ::: "memory");                                               \
    __syncthreads();                                                                               \
    const uint64_t b = o->descriptor + ((uint64_t)__cvta_generic_to_shared(window) >> 4);          \
    inout d[4];                                                                                    \
    for (int i = 0; i < 4; i++)                                                                    \
        d[i] = to(o->c[i][t]);                                                                     \
    asm volatile("{.reg .pred p;\n setp.ne.b32 p, %10, 0;\n wgmma.fence.sync.aligned;\n" text      \
                 ";\n wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0;}"        \
                 : operands_d                                                                      \
                 : "r"(o->a[0][t]), "r"(o->a[1][t]), "r"(o->a[2][t]), "r"(o->a[3][t]), "l"(b),     \
                   "r"(o->e[t]), "r"(o->scale_d)                                                   \
                 : "memory");                                                                      \
    for (int i = 0; i < count; i++)                                                                \
    o->d[i][t] = from(d[i])

#define FLOATS "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define WORDS "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define SAME(x) (x)
#define DENSE_ARGS " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p"
#define SPARSE_ARGS " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, %9, 0, p"
#define DENSE_ARGS_F16 " {%0, %1}, {%4, %5, %6, %7}, %8, p"
#define SPARSE_ARGS_F16 " {%0, %1}, {%4, %5, %6, %7}, %8, %9, 0, p"
#define DENSE "wgmma.mma_async.sync.aligned."
#define SPARSE "wgmma.mma_async.sp.sync.aligned."

#define KERNEL_F32(name, text)                                                                     \
    __global__ void name(operands *o) {                                                            \
        BODY(float, __uint_as_float, __float_as_uint, 4, FLOATS, text);                            \
    }
#define KERNEL_S32(name, text)                                                                     \
    __global__ void name(operands *o) {                                                            \
        BODY(uint32_t, SAME, SAME, 4, WORDS, text);                                                \
    }
#define KERNEL_F16(name, text)                                                                     \
    __global__ void name(operands *o) {                                                            \
        BODY(uint32_t, SAME, SAME, 2, WORDS, text);                                                \
    }

#define F16_F32 "m64n8k16.f32.f16.f16"
#define F16_F16 "m64n8k16.f16.f16.f16"
#define BF16 "m64n8k16.f32.bf16.bf16"
#define TF32 "m64n8k8.f32.tf32.tf32"
#define E4M3_F32 "m64n8k32.f32.e4m3.e4m3"
#define E4M3_F16 "m64n8k32.f16.e4m3.e4m3"
#define E5M2_F32 "m64n8k32.f32.e5m2.e5m2"
#define E5M2_F16 "m64n8k32.f16.e5m2.e5m2"
#define MIX_F32 "m64n8k32.f32.e4m3.e5m2"
#define S8 "m64n8k32.s32.s8.s8.satfinite"
#define U8S8 "m64n8k32.s32.u8.s8.satfinite"
#define SP_F16_F32 "m64n8k32.f32.f16.f16"
#define SP_F16_F16 "m64n8k32.f16.f16.f16"
#define SP_BF16 "m64n8k32.f32.bf16.bf16"
#define SP_TF32 "m64n8k16.f32.tf32.tf32"
#define SP_E4M3_F32 "m64n8k64.f32.e4m3.e4m3"
#define SP_E5M2_F16 "m64n8k64.f16.e5m2.e5m2"
#define SP_S8 "m64n8k64.s32.s8.s8.satfinite"
#define SP_U8S8 "m64n8k64.s32.u8.s8.satfinite"

KERNEL_F32(f16_f32, DENSE F16_F32 DENSE_ARGS ", 1, 1, 0")
KERNEL_F32(f16_f32_minus_a, DENSE F16_F32 DENSE_ARGS ", -1, 1, 0")
KERNEL_F32(f16_f32_minus_b, DENSE F16_F32 DENSE_ARGS ", 1, -1, 0")
KERNEL_F16(f16_f16, DENSE F16_F16 DENSE_ARGS_F16 ", 1, 1, 0")
KERNEL_F16(f16_f16_minus_a, DENSE F16_F16 DENSE_ARGS_F16 ", -1, 1, 0")
KERNEL_F32(bf16, DENSE BF16 DENSE_ARGS ", 1, 1, 0")
KERNEL_F32(tf32, DENSE TF32 DENSE_ARGS ", 1, 1")
KERNEL_F32(e4m3_f32, DENSE E4M3_F32 DENSE_ARGS ", 1, 1")
KERNEL_F32(e4m3_f32_minus_a, DENSE E4M3_F32 DENSE_ARGS ", -1, 1")
KERNEL_F16(e4m3_f16, DENSE E4M3_F16 DENSE_ARGS_F16 ", 1, 1")
KERNEL_F32(e5m2_f32, DENSE E5M2_F32 DENSE_ARGS ", 1, 1")
KERNEL_F16(e5m2_f16, DENSE E5M2_F16 DENSE_ARGS_F16 ", 1, 1")
KERNEL_F32(mix_f32, DENSE MIX_F32 DENSE_ARGS ", 1, 1")
KERNEL_S32(s8, DENSE S8 DENSE_ARGS)
KERNEL_S32(u8s8, DENSE U8S8 DENSE_ARGS)
KERNEL_F32(sp_f16_f32, SPARSE SP_F16_F32 SPARSE_ARGS ", 1, 1, 0")
KERNEL_F16(sp_f16_f16, SPARSE SP_F16_F16 SPARSE_ARGS_F16 ", 1, 1, 0")
KERNEL_F32(sp_bf16, SPARSE SP_BF16 SPARSE_ARGS ", 1, 1, 0")
KERNEL_F32(sp_tf32, SPARSE SP_TF32 SPARSE_ARGS ", 1, 1")
KERNEL_F32(sp_e4m3_f32, SPARSE SP_E4M3_F32 SPARSE_ARGS ", 1, 1")
KERNEL_F16(sp_e5m2_f16, SPARSE SP_E5M2_F16 SPARSE_ARGS_F16 ", 1, 1")
KERNEL_S32(sp_s8, SPARSE SP_S8 SPARSE_ARGS)
KERNEL_S32(sp_u8s8, SPARSE SP_U8S8 SPARSE_ARGS)

struct type {
    int bits, bias, fraction; // bits of the container; fraction bits
    uint32_t nan;
};
static const type f16 = {16, 15, 10, 0x7fff}, b16 = {16, 127, 7, 0x7fff},
                  t32 = {32, 127, 23, 0x7fffffff}, e4 = {8, 7, 3, 0x7f}, e5 = {8, 15, 2, 0x7f},
                  i8 = {8, 0, 0, 0x55};

struct form {
    const char *spelling;
    void (*kernel)(operands *);
    const type *a, *b;
    int d_bits, sparse, scale_a, scale_b; // scales 0: the form has none
};
static const form forms[] = {
    {DENSE F16_F32, f16_f32, &f16, &f16, 32, 0, 1, 1},
    {DENSE F16_F32, f16_f32_minus_a, &f16, &f16, 32, 0, -1, 1},
    {DENSE F16_F32, f16_f32_minus_b, &f16, &f16, 32, 0, 1, -1},
    {DENSE F16_F16, f16_f16, &f16, &f16, 16, 0, 1, 1},
    {DENSE F16_F16, f16_f16_minus_a, &f16, &f16, 16, 0, -1, 1},
    {DENSE BF16, bf16, &b16, &b16, 32, 0, 1, 1},
    {DENSE TF32, tf32, &t32, &t32, 32, 0, 1, 1},
    {DENSE E4M3_F32, e4m3_f32, &e4, &e4, 32, 0, 1, 1},
    {DENSE E4M3_F32, e4m3_f32_minus_a, &e4, &e4, 32, 0, -1, 1},
    {DENSE E4M3_F16, e4m3_f16, &e4, &e4, 16, 0, 1, 1},
    {DENSE E5M2_F32, e5m2_f32, &e5, &e5, 32, 0, 1, 1},
    {DENSE E5M2_F16, e5m2_f16, &e5, &e5, 16, 0, 1, 1},
    {DENSE MIX_F32, mix_f32, &e4, &e5, 32, 0, 1, 1},
    {DENSE S8, s8, &i8, &i8, 32, 0, 0, 0},
    {DENSE U8S8, u8s8, &i8, &i8, 32, 0, 0, 0},
    {SPARSE SP_F16_F32, sp_f16_f32, &f16, &f16, 32, 1, 1, 1},
    {SPARSE SP_F16_F16, sp_f16_f16, &f16, &f16, 16, 1, 1, 1},
    {SPARSE SP_BF16, sp_bf16, &b16, &b16, 32, 1, 1, 1},
    {SPARSE SP_TF32, sp_tf32, &t32, &t32, 32, 1, 1, 1},
    {SPARSE SP_E4M3_F32, sp_e4m3_f32, &e4, &e4, 32, 1, 1, 1},
    {SPARSE SP_E5M2_F16, sp_e5m2_f16, &e5, &e5, 16, 1, 1, 1},
    {SPARSE SP_S8, sp_s8, &i8, &i8, 32, 1, 0, 0},
    {SPARSE SP_U8S8, sp_u8s8, &i8, &i8, 32, 1, 0, 0},
};

#endif
