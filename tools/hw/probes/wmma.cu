// wmma.cu - what wmma computes, compared with chains of mma on the model.
//
// For each wmma form: matrices through load, mma and store; then, for each mma that could be
// inside, how many results of the model differ (standard error). Standard output is a trace of some
// cases, with the fragments as they were in registers.
#include "gpu.h"

#include <mma.h>
#include <wsim/wsim.h>

namespace w = nvcuda::wmma;
namespace sub = nvcuda::wmma::experimental::precision;

enum { CASES = 256, TRACED = 5, BYTES = 1024, REGISTERS = 16 };

// One case: matrices without gaps as wmma loads them, and the fragments.
struct slot {
    uint8_t a[BYTES], b[BYTES], c[BYTES], d[BYTES];
    uint32_t regs[4][REGISTERS][32]; // of A, B, C, D
};

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

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t get(const uint8_t *memory, unsigned index, unsigned bits) {
    uint64_t v = 0;
    if (bits < 8)
        return memory[index * bits / 8] >> index * bits % 8 & ((1u << bits) - 1);
    memcpy(&v, memory + index * bits / 8, bits / 8);
    return v;
}

static void set(uint8_t *memory, unsigned index, unsigned bits, uint64_t v) {
    if (bits < 8)
        memory[index * bits / 8] |= (uint8_t)((v & ((1u << bits) - 1)) << index * bits % 8);
    else
        memcpy(memory + index * bits / 8, &v, bits / 8);
}

static unsigned container(const wsim_format *format) {
    return format->bits == 19 ? 32 : format->bits;
}

static uint64_t number(const wsim_format *f, int negative, int exponent, uint64_t fraction) {
    const int top = (1 << f->exp_bits) - 2, field = exponent + f->bias;
    const uint64_t exp = (uint64_t)(field < 0 ? 0 : field > top ? top : field);
    const uint64_t bits = (uint64_t)negative << (f->exp_bits + f->frac_bits) | exp << f->frac_bits |
                          (fraction & ((UINT64_C(1) << f->frac_bits) - 1));
    return bits << f->pad;
}

// Element of A (k along the row), B (k along the column) or C. Four distributions in turn: raw
// bits, exponents about zero, wide, pairs of opposite products; case 0 is one large pair and a 1.
static uint64_t element(const wsim_format *f, int which, unsigned number_of_case, unsigned across,
                        unsigned k, unsigned depth) {
    const unsigned pairs = number_of_case % 4 == 3 && which != 2;
    const uint64_t at = (uint64_t)number_of_case << 40 | (uint64_t)which << 32 | across << 16;
    uint64_t r = mix(0x9e3779b97f4a7c15u * (1 + (at | (pairs ? k & ~1u : k))));
    if (f->kind != WSIM_BINARY || (number_of_case % 4 == 0 && number_of_case))
        return r >> 7;
    if (number_of_case == 0 && which == 2)
        return 0;
    if (number_of_case == 0)
        return k < 2 ? number(f, which == 0 && k, 15, 0) : k == depth / 2 ? number(f, 0, 0, 0) : 0;
    if (pairs)
        return number(f, which == 0 && (k & 1), (int)(r >> 40 & 15) - 4, r & ~(r >> 60 & k));
    return number(f, r >> 63,
                  number_of_case % 4 == 1 ? (int)(r >> 40 & 3) - 2 : (int)(r >> 40 & 31) - 16, r);
}

static unsigned index_of(int is_row, unsigned row, unsigned col, unsigned rows, unsigned cols) {
    return is_row ? row * cols + col : col * rows + row;
}

static void fill(const form *f, slot *o, unsigned number_of_case) {
    const wsim_format *t[3];
    memset(o, 0, sizeof *o);
    for (int i = 0; i < 3; i++)
        t[i] = wsim_format_find(f->types[i]);
    for (unsigned k = 0; k < f->k; k++) {
        for (unsigned i = 0; i < f->m; i++)
            set(o->a, index_of(f->row_a, i, k, f->m, f->k), container(t[0]),
                element(t[0], 0, number_of_case, i, k, f->k));
        for (unsigned j = 0; j < f->n; j++)
            set(o->b, index_of(f->row_b, k, j, f->k, f->n), container(t[1]),
                element(t[1], 1, number_of_case, j, k, f->k));
    }
    for (unsigned i = 0; i < f->m * f->n; i++)
        set(o->c, i, container(t[2]), element(t[2], 2, number_of_case, i, 0, 0));
}

static uint64_t convert(uint64_t bits, const wsim_format *from, const wsim_format *to) {
    return from == to ? bits : wsim_format_encode(to, wsim_format_decode(from, bits), WSIM_RN);
}

// One mma tile of the model: the accumulator, in the mma's type, is c on entry and d on return.
static void step(const wsim_op *op, const wsim_layout *la, const wsim_layout *lb,
                 const wsim_layout *lc, const uint64_t *a, const uint64_t *b, uint64_t *c) {
    static wsim_regs ra, rb, rc;
    wsim_operands io = {};
    wsim_diag diag;
    wsim_fragment_pack(la, a, &ra);
    wsim_fragment_pack(lb, b, &rb);
    wsim_fragment_pack(lc, c, &rc);
    io.d = &rc, io.a = &ra, io.b = &rb, io.c = &rc;
    if (wsim_exec(op, wsim_arch_find("sm_90a"), &io, &diag) != WSIM_OK) {
        fprintf(stderr, "wmma: %s\n", diag.text);
        exit(2);
    }
    wsim_fragment_unpack(lc, &rc, c);
}

static unsigned compare_tile(const form *f, const slot *o, const wsim_op *op, unsigned row0,
                             unsigned col0) {
    static uint64_t a[4096], b[4096], c[256];
    wsim_layout la, lb, lc;
    const wsim_format *from = wsim_format_find(f->types[2]), *to = wsim_format_find(f->types[3]);
    unsigned wrong = 0, bits_a = container(wsim_format_find(f->types[0]));
    wsim_op_layout(op, WSIM_A, &la, NULL);
    wsim_op_layout(op, WSIM_B, &lb, NULL);
    wsim_op_layout(op, WSIM_C, &lc, NULL);
    memset(c, 0, sizeof c);
    for (unsigned i = 0; i < lc.rows && row0 + i < f->m; i++)
        for (unsigned j = 0; j < lc.cols; j++)
            c[i * lc.cols + j] =
                convert(get(o->c, (row0 + i) * f->n + col0 + j, container(from)), from, lc.format);
    for (unsigned k0 = 0; k0 < f->k; k0 += la.cols) {
        memset(a, 0, sizeof a);
        for (unsigned k = 0; k < la.cols; k++) {
            for (unsigned i = 0; i < la.rows && row0 + i < f->m; i++)
                a[i * la.cols + k] =
                    get(o->a, index_of(f->row_a, row0 + i, k0 + k, f->m, f->k), bits_a);
            for (unsigned j = 0; j < lb.cols; j++)
                b[k * lb.cols + j] =
                    get(o->b, index_of(f->row_b, k0 + k, col0 + j, f->k, f->n), bits_a);
        }
        step(op, &la, &lb, &lc, a, b, c);
    }
    for (unsigned i = 0; i < lc.rows && row0 + i < f->m; i++)
        for (unsigned j = 0; j < lc.cols; j++)
            wrong += convert(c[i * lc.cols + j], lc.format, to) !=
                     get(o->d, (row0 + i) * f->n + col0 + j, container(to));
    return wrong;
}

static unsigned compare(const form *f, const slot *slots, const char *candidate) {
    wsim_op op;
    struct wsim_op_info info;
    unsigned wrong = 0;
    if (wsim_op_parse(candidate, &op, NULL) != WSIM_OK) {
        fprintf(stderr, "wmma: no %s\n", candidate);
        exit(2);
    }
    info = wsim_op_info(&op);
    for (unsigned i = 0; i < CASES; i++)
        for (unsigned row0 = 0; row0 < f->m; row0 += info.m)
            for (unsigned col0 = 0; col0 < f->n; col0 += info.n)
                wrong += compare_tile(f, slots + i, &op, row0, col0);
    return wrong;
}

static void print_case(const form *f, const slot *o, unsigned number_of_case) {
    printf("# case %u\n%s", number_of_case, f->spelling);
    for (int i = 0; i < 4; i++) {
        const unsigned bits = container(wsim_format_find(f->types[i]));
        const unsigned registers = (f->elements[i] * bits + 31) / 32;
        printf("\t%c=", "abcd"[i]);
        for (unsigned r = 0; r < registers; r += bits == 64 ? 2 : 1)
            for (int lane = 0; lane < 32; lane++) {
                if (bits == 64)
                    printf("%08x", o->regs[i][r + 1][lane]);
                printf("%08x", o->regs[i][r][lane]);
            }
    }
    printf("\n");
}

int main() {
    static slot slots[CASES];
    slot *on_gpu;
    trace_head("tools/hw/probes/wmma.cu");
    check(cudaMalloc(&on_gpu, sizeof slots));
    for (const form &f : forms) {
        for (unsigned i = 0; i < CASES; i++)
            fill(&f, slots + i, i);
        check(cudaMemcpy(on_gpu, slots, sizeof slots, cudaMemcpyHostToDevice));
        f.kernel<<<CASES, 32>>>(on_gpu);
        check(cudaMemcpy(slots, on_gpu, sizeof slots, cudaMemcpyDeviceToHost));
        fprintf(stderr, "%s: %u results\n", f.spelling, CASES * f.m * f.n);
        for (int i = 0; i < 4 && f.candidates[i]; i++)
            fprintf(stderr, "    %8u differ from %s\n", compare(&f, slots, f.candidates[i]),
                    f.candidates[i]);
        for (unsigned i = 0; i < TRACED; i++)
            print_case(&f, slots + i, i);
    }
    return 0;
}
