// undefined_kernels.h - one instruction each, all of its registers in words, by a part of the warp.
#ifndef PROBE_UNDEFINED_KERNELS_H
#define PROBE_UNDEFINED_KERNELS_H

#include "gpu.h"

enum { WINDOW = 4096, WAIT = 1 << 22 };

// Lanes outside the mask: their predicate is false, they have exited, or they wait elsewhere.
enum part { PREDICATE, EXIT, BRANCH, PARTS };
static const char *const part_names[PARTS] = {"predicate", "exit", "branch"};

struct words {
    uint32_t in[12][32], out[4][32], addr[32];
    uint8_t window[WINDOW];
    uint32_t mask, part, cycles[32];
};

#define OUT1 "+r"(d[0])
#define OUT2 OUT1, "+r"(d[1])
#define OUT4 OUT2, "+r"(d[2]), "+r"(d[3])
#define IN1 "r"(x[0])
#define IN2 IN1, "r"(x[1])
#define IN4 IN2, "r"(x[2]), "r"(x[3])
#define IN8 IN4, "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7])
#define IN10 IN8, "r"(x[8]), "r"(x[9])

// The instruction has a predicate, asm operand `p`, which keeps its result registers if false. The
// compiler
*cannot know that it is true.All is loaded before
// lanes part.
#define KERNEL(name, p, text, outputs, ...)                                                        \
    __global__ void name(words *o) {                                                               \
        __shared__ __align__(1024) uint8_t window[WINDOW];                                         \
        const unsigned lane = threadIdx.x;                                                         \
        volatile words *v = o;                                                                     \
        uint32_t x[12], d[4];                                                                      \
        for (unsigned i = lane; i < WINDOW; i += 32)                                               \
            window[i] = o->window[i];                                                              \
        for (int i = 0; i < 12; i++)                                                               \
            x[i] = v->in[i][lane];                                                                 \
        for (int i = 0; i < 4; i++)                                                                \
            d[i] = v->out[i][lane];                                                                \
        const uint32_t at = (uint32_t)__cvta_generic_to_shared(window) + v->addr[lane];            \
        const uint32_t active = v->mask >> lane & 1, part = v->part;                               \
        (void)at, (void)x[0];                                                                      \
        __syncwarp();                                                                              \
        const long long start = clock64();                                                         \
        if (active || part == PREDICATE)                                                           \
            asm volatile("{.reg .pred p;\n setp.ne.u32 p, %" #p ", 0;\n" text ";}"                 \
                         : outputs                                                                 \
                         : __VA_ARGS__, "r"(active)                                                \
                         : "memory");                                                              \
        else if (part == EXIT)                                                                     \
            return;                                                                                \
        else                                                                                       \
            while (clock64() - start < WAIT)                                                       \
                ;                                                                                  \
        o->cycles[lane] = (uint32_t)(clock64() - start);                                           \
        for (int i = 0; i < 4; i++)                                                                \
            v->out[i][lane] = d[i];                                                                \
        for (unsigned i = 0; i < WINDOW; i++)                                                      \
            o->window[i] = window[i];                                                              \
    }

#define ROW "mma.sync.aligned."
#define LD "ldmatrix.sync.aligned.m8n8."
#define ST "stmatrix.sync.aligned.m8n8."
#define F16 ROW "m16n8k16.row.col.f16.f16.f16.f16"
#define FP8 ROW "m16n8k32.row.col.f16.e4m3.e4m3.f16"
#define S8 ROW "m16n8k32.row.col.s32.s8.s8.s32"
#define QUAD ROW "m8n8k4.row.col.f16.f16.f16.f16"
#define F64 ROW "m8n8k4.row.col.f64.f64.f64.f64"
#define MOV "movmatrix.sync.aligned.m8n8.trans.b16"

#define OPERANDS_2422 " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9}"
#define OPERANDS_4424 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13}"
#define OPERANDS_4224 " {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%8, %9, %10, %11}"
#define FOUR "{%0, %1, %2, %3}"

 KERNEL(mma_f16, 10, "@p " F16 OPERANDS_2422, OUT2,
        IN8) KERNEL(mma_fp8, 10, "@p " FP8 OPERANDS_2422, OUT2,
                    IN8) KERNEL(mma_s8, 14, "@p " S8 OPERANDS_4424, OUT4,
                                IN10) KERNEL(mma_quad, 12, "@p " QUAD OPERANDS_4224, OUT4, IN8)
     KERNEL(mma_f64, 12,
            ".reg .f64 a, b, c<2>, d<2>;\n mov.b64 a, {%4, %5};\n mov.b64 b, {%6, %7};\n"
            "mov.b64 c0, {%8, %9};\n mov.b64 c1, {%10, %11};\n"
            "mov.b64 d0, {%0, %1};\n mov.b64 d1, {%2, %3};\n @p " F64
            " {d0, d1}, {a}, {b}, {c0, c1};\n"
            "mov.b64 {%0, %1}, d0;\n mov.b64 {%2, %3}, d1",
            OUT4,
            IN8) KERNEL(movmatrix, 2, "@p " MOV " %0, %1", OUT1,
                        IN1) KERNEL(ld_x1, 2, "@p " LD "x1.shared.b16 {%0}, [%1]", OUT1, "r"(at))
         KERNEL(ld_x2, 3, "@p " LD "x2.shared.b16 {%0, %1}, [%2]", OUT2,
                "r"(at)) KERNEL(ld_x4, 5, "@p " LD "x4.shared.b16 " FOUR ", [%4]", OUT4, "r"(at))
             KERNEL(ld_x4_trans, 5, "@p " LD "x4.trans.shared.b16 " FOUR ", [%4]", OUT4, "r"(at))
                 KERNEL(st_x1, 3, "@p " ST "x1.shared.b16 [%1], {%2}", OUT1, "r"(at), IN1)
                     KERNEL(st_x2, 5, "@p " ST "x2.shared.b16 [%2], {%3, %4}", OUT2, "r"(at), IN2)
                         KERNEL(st_x4, 9, "@p " ST "x4.shared.b16 [%4], {%5, %6, %7, %8}", OUT4,
                                "r"(at), IN4)
                             KERNEL(st_x4_trans, 9,
                                    "@p " ST "x4.trans.shared.b16 [%4], {%5, %6, %7, %8}", OUT4,
                                    "r"(at), IN4)

                                 struct instruction {
    const char *spelling;
    void (*kernel)(words *);
    int outputs, store, matrices; // registers of the result; moves: matrices, else 0
};
static const instruction instructions[] = {
    {LD "x1.shared.b16", ld_x1, 1, 0, 1},
    {LD "x2.shared.b16", ld_x2, 2, 0, 2},
    {LD "x4.shared.b16", ld_x4, 4, 0, 4},
    {LD "x4.trans.shared.b16", ld_x4_trans, 4, 0, 4},
    {ST "x1.shared.b16", st_x1, 0, 1, 1},
    {ST "x2.shared.b16", st_x2, 0, 1, 2},
    {ST "x4.shared.b16", st_x4, 0, 1, 4},
    {ST "x4.trans.shared.b16", st_x4_trans, 0, 1, 4},
    {MOV, movmatrix, 1, 0, 0},
    {F16, mma_f16, 2, 0, 0},
    {FP8, mma_fp8, 2, 0, 0},
    {S8, mma_s8, 4, 0, 0},
    {QUAD, mma_quad, 4, 0, 0},
    {F64, mma_f64, 4, 0, 0},
};
enum { MOVES = 8, STORES = 4, INSTRUCTIONS = sizeof instructions / sizeof *instructions };

#endif
