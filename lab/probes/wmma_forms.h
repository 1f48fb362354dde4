// wmma_forms.h - the forms of wmma: a kernel and a row each, with the mma that could be inside.
#ifndef PROBE_WMMA_FORMS_H
#define PROBE_WMMA_FORMS_H

#include "gpu.h"

#include <mma.h>

namespace w = nvcuda::wmma;
namespace sub = nvcuda::wmma::experimental::precision;

enum { BYTES = 1024, REGISTERS = 16 };

// One case: matrices without gaps as wmma loads them, and the fragments.
struct slot {
    uint8_t a[BYTES], b[BYTES], c[BYTES], d[BYTES];
    uint32_t regs[4][REGISTERS][32]; // of A, B, C, D
    int spoilt[2];                   // of A and B, the first register to be changed; 0: none
};

// Other halves, below 2 in size, in the registers of a fragment from `first` on.
template <class F> __device__ void spoil(F &fragment, int first) {
    uint32_t *words = (uint32_t *)fragment.x;
    for (int i = 0; i < (int)(sizeof fragment.x / 4); i++)
        if (first && i >= first)
            words[i] = (words[i] * 0x9e3779b1u + threadIdx.x * 0x85ebca6bu + i) & 0xbfffbfffu;
}

template <class F> __device__ void dump(const F &fragment, uint32_t (*to)[32]) {
    const uint32_t *words = (const uint32_t *)fragment.x;
    for (int i = 0; i < (int)(sizeof fragment.x / 4); i++)
        to[i][threadIdx.x] = words[i];
}

// M N K, element type of the fragments, type in memory, layouts, C, D; `how`: 0 plain, 1 satfinite,
// 2 b1 xor, 3 b1 and.
template <int M, int N, int K, class A, class B, class Memory, class LA, class LB, class C, class D,
          int how>
__global__ void kernel(slot *slots) {
    slot *o = slots + blockIdx.x;
    w::fragment<w::matrix_a, M, N, K, A, LA> a;
    w::fragment<w::matrix_b, M, N, K, B, LB> b;
    w::fragment<w::accumulator, M, N, K, C> c;
    w::fragment<w::accumulator, M, N, K, D> d;
    constexpr bool row_a = std::is_same<LA, w::row_major>::value;
    constexpr bool row_b = std::is_same<LB, w::row_major>::value;
    w::load_matrix_sync(a, (const Memory *)o->a, row_a ? K : M);
    w::load_matrix_sync(b, (const Memory *)o->b, row_b ? N : K);
    w::load_matrix_sync(c, (const C *)o->c, N, w::mem_row_major);
    spoil(a, o->spoilt[0]);
    spoil(b, o->spoilt[1]);
    if constexpr (how == 0)
        w::mma_sync(d, a, b, c);
    else if constexpr (how == 1)
        w::mma_sync(d, a, b, c, true);
    else
        w::bmma_sync(d, a, b, c,
                     how == 2 ? w::experimental::bmmaBitOpXOR : w::experimental::bmmaBitOpAND);
    w::store_matrix_sync((D *)o->d, d, N, w::mem_row_major);
    dump(a, o->regs[0]);
    dump(b, o->regs[1]);
    dump(c, o->regs[2]);
    dump(d, o->regs[3]);
}

struct form {
    const char *spelling;
    void (*kernel)(slot *);
    unsigned m, n, k, elements[4]; // of a lane in A B C D
    const char *types[4];          // of A B C D
    int row_a, row_b;
    const char *candidates[4]; // an mma each; more steps where its k is less
};

using row = w::row_major;
using col = w::col_major;
using tf32 = w::precision::tf32;
using bf16 = __nv_bfloat16;
typedef signed char s8;
typedef unsigned char u8;

#define MMA "mma.sync.aligned."
#define M16 "mma.sync.aligned.m16n8k16.row.col"
#define M8 "mma.sync.aligned.m16n8k8.row.col"
#define F16(M, N, c, C, d, D, la, lb)                                                              \
    {                                                                                              \
        "wmma.mma.sync.aligned." #la "." #lb ".m" #M "n" #N "k16." d "." c,                        \
            kernel<M, N, 16, half, half, half, la, lb, C, D, 0>, M, N, 16, {16, 16, 8, 8},         \
            {"f16", "f16", c, d}, std::is_same<la, row>::value, std::is_same<lb, row>::value, {    \
            M16 ".f16.f16.f16.f16", M16 ".f32.f16.f16.f32", M8 ".f16.f16.f16.f16",                 \
                M8 ".f32.f16.f16.f32"                                                              \
        }                                                                                          \
    }
#define F16_ALL(M, N)                                                                              \
    F16(M, N, "f32", float, "f32", float, row, col),                                               \
        F16(M, N, "f16", half, "f16", half, row, col),                                             \
        F16(M, N, "f32", float, "f16", half, row, col),                                            \
        F16(M, N, "f16", half, "f32", float, row, col)
#define BF16(M, N, EA, EB)                                                                         \
    {                                                                                              \
        "wmma.mma.sync.aligned.row.col.m" #M "n" #N "k16.f32.bf16.bf16.f32",                       \
            kernel<M, N, 16, bf16, bf16, bf16, row, col, float, float, 0>, M, N, 16,               \
            {EA, EB, 8, 8}, {"bf16", "bf16", "f32", "f32"}, 1, 0, {                                \
            M16 ".f32.bf16.bf16.f32", M8 ".f32.bf16.bf16.f32"                                      \
        }                                                                                          \
    }
#define INT8(M, N, t, T, EA, EB, sat, how)                                                         \
    {                                                                                              \
        "wmma.mma.sync.aligned.row.col.m" #M "n" #N "k16.s32." t "." t ".s32" sat,                 \
            kernel<M, N, 16, T, T, T, row, col, int, int, how>, M, N, 16, {EA, EB, 8, 8},          \
            {t, t, "s32", "s32"}, 1, 0, {                                                          \
            M16 sat ".s32." t "." t ".s32"                                                         \
        }                                                                                          \
    }
#define INT4(t, T, sat, how)                                                                       \
    {                                                                                              \
        "wmma.mma.sync.aligned.row.col.m8n8k32.s32." t "." t ".s32" sat,                           \
            kernel<8, 8, 32, T, T, void, row, col, int, int, how>, 8, 8, 32, {8, 8, 2, 2},         \
            {t, t, "s32", "s32"}, 1, 0, {                                                          \
            MMA "m8n8k32.row.col" sat ".s32." t "." t ".s32"                                       \
        }                                                                                          \
    }
#define B1(op, how)                                                                                \
    {                                                                                              \
        "wmma.mma." op ".popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32",                        \
            kernel<8, 8, 128, sub::b1, sub::b1, void, row, col, int, int, how>, 8, 8, 128,         \
            {32, 32, 2, 2}, {"b1", "b1", "s32", "s32"}, 1, 0, {                                    \
            MMA "m8n8k128.row.col.s32.b1.b1.s32." op ".popc"                                       \
        }                                                                                          \
    }

static const form forms[] = {
    F16_ALL(16, 16),
    F16_ALL(32, 8),
    F16_ALL(8, 32),
    F16(16, 16, "f32", float, "f32", float, row, row),
    F16(16, 16, "f32", float, "f32", float, col, col),
    F16(16, 16, "f32", float, "f32", float, col, row),
    BF16(16, 16, 8, 8),
    BF16(32, 8, 16, 4),
    BF16(8, 32, 4, 16),
    {"wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32",
     kernel<16, 16, 8, tf32, tf32, float, row, col, float, float, 0>,
     16,
     16,
     8,
     {4, 4, 8, 8},
     {"tf32", "tf32", "f32", "f32"},
     1,
     0,
     {MMA "m16n8k4.row.col.f32.tf32.tf32.f32", MMA "m16n8k8.row.col.f32.tf32.tf32.f32"}},
    {"wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64",
     kernel<8, 8, 4, double, double, double, row, col, double, double, 0>,
     8,
     8,
     4,
     {1, 1, 2, 2},
     {"f64", "f64", "f64", "f64"},
     1,
     0,
     {MMA "m8n8k4.row.col.f64.f64.f64.f64"}},
    INT8(16, 16, "s8", s8, 8, 8, "", 0),
    INT8(16, 16, "s8", s8, 8, 8, ".satfinite", 1),
    INT8(16, 16, "u8", u8, 8, 8, ".satfinite", 1),
    INT8(32, 8, "s8", s8, 16, 4, ".satfinite", 1),
    INT8(8, 32, "u8", u8, 4, 16, "", 0),
    INT8(8, 32, "s8", s8, 4, 16, ".satfinite", 1),
    INT4("s4", sub::s4, ".satfinite", 1),
    INT4("u4", sub::u4, "", 0),
    B1("xor", 2),
    B1("and", 3),
};

#endif
