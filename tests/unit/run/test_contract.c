/* The products and sums that the assembler fuses, and their results. Their cases were read
 * out of machine code (lab/contract). */
#include "kernel.h"

/* 1 + 2^-13 and 1 - 2^-13, and -1. The product is 1 - 2^-26, which rounds to 1. So the sum is 0
 * for two operations and -2^-26 for one. */
#define NUMBERS                                                                                    \
    "add.u32 %r1, %r0, 0x3F800400; add.u32 %r2, %r0, 0x3F7FF800; mov.f32 %f3, 0fBF800000;\n"       \
    "mov.b32 %f1, %r1; mov.b32 %f2, %r2;\n"                                                        \
    "mov.f32 %f7, %f1; mov.f32 %f8, %f2; setp.eq.u32 %p1, %r0, 0;\n"
#define TWO 0x00000000u
#define ONE 0xb2800000u
#define SQUARE 0x32800000u /* 2^-26 */

#define KEPT " st.global.f32 [%rd0+8], %f6;" /* so that %f6 is not dead */
#define OTHER_BLOCK "bar.sync 0; @!%p1 bra L; add.f32 %f7, %f7, %f8; L: add.f32 %f5, %f4, %f3;"

static const struct {
    const char *body;
    uint32_t sums, result; /* how many sums are fused, and %f5 then */
} pairs[] = {
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f3, %f4;", 1, ONE},
    {"neg.f32 %f3, %f3; mul.f32 %f4, %f1, %f2; sub.f32 %f5, %f4, %f3;", 1, ONE},
    {"neg.f32 %f3, %f3; mul.f32 %f4, %f1, %f2; sub.f32 %f5, %f3, %f4;", 1, ONE ^ 0x80000000u},
    {"mul.rn.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; add.rn.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.ftz.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.ftz.f32 %f4, %f1, %f2; add.ftz.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.sat.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; add.sat.f32 %f5, %f4, %f3;", 1, TWO},
    {"@%p1 mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; @%p1 add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; add.f32 %f6, %f4, %f1;" KEPT, 2, ONE},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; st.global.f32 [%rd0+4], %f4;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; mul.f32 %f6, %f4, %f1;" KEPT, 0, TWO},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; abs.f32 %f6, %f4;" KEPT, 0, TWO},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f4; add.f32 %f5, %f5, -2.0;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; @%p1 bra L; bar.sync 0; L: add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; membar.gl; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; bar.warp.sync 1; add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; div.rn.f32 %f6, %f7, %f8; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; div.rn.ftz.f32 %f6, %f7, 3.0; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; div.full.f32 %f6, %f7, %f8; add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; rcp.rn.f32 %f6, %f7; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; rcp.rn.f32 %f6, 3.0; add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; sqrt.rn.f32 %f6, %f7; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; sqrt.approx.f32 %f6, %f7; add.f32 %f5, %f4, %f3;", 1, ONE},
    /* guards of instructions that only compute, and of others */
    {"mul.f32 %f4, %f1, %f2; @%p1 add.u32 %r1, %r1, 1; add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; @%p1 cvta.shared.u64 %rd1, %rd1; add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; ld.global.f32 %f6, [%rd0]; add.f32 %f5, %f4, %f3;" KEPT, 1, ONE},
    {"mul.f32 %f4, %f1, %f2; @%p1 ld.global.f32 %f6, [%rd0]; add.f32 %f5, %f4, %f3;" KEPT, 0, TWO},
    {"mul.f32 %f4, %f1, %f2; @!%p1 st.global.f32 [%rd0+4], %f1; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; @%p1 bar.warp.sync 1; add.f32 %f5, %f4, %f3;", 0, TWO},
    /* two products: the first one takes part */
    {"mul.f32 %f4, %f1, %f2; mul.f32 %f6, %f3, 0f3F800000; add.f32 %f5, %f4, %f6;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; mul.f32 %f6, %f3, 0f3F800000; add.f32 %f5, %f6, %f4;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; mul.f32 %f6, %f3, 0f3F800000; st.global.f32 [%rd0+4], %f6;"
     "add.f32 %f5, %f6, %f4;",
     1, ONE},
    /* ... but one with fewer sums goes before one with more; those with one sum go first of all */
    {"mul.f32 %f6, %f7, %f8; mul.f32 %f4, %f1, %f2; add.f32 %f9, %f4, %f6; mov.f32 %f6, %f3; "
     "add.f32 %f5, %f4, %f6; st.global.f32 [%rd0+4], %f9;",
     1, TWO},
    {"mul.f32 %f6, %f3, %f8; mul.f32 %f4, %f1, %f2; add.f32 %f9, %f6, %f1; add.f32 %f5, %f6, %f4; "
     "st.global.f32 [%rd0+4], %f9; add.f32 %f5, %f5, 0fB9000000;",
     1, ONE},
    {"mul.f32 %f4, %f1, %f2; mul.f32 %f6, %f7, %f8; add.f32 %f9, %f6, %f3; st.global.f32 [%rd0+4],"
     "%f9; add.f32 %f9, %f6, %f1; st.global.f32 [%rd0+4], %f9; add.f32 %f9, %f4, %f6; "
     "st.global.f32 [%rd0+4], %f9; add.f32 %f5, %f4, %f3;",
     4, ONE},
    {"mul.f32 %f4, %f1, %f2; mul.f32 %f6, %f7, %f7; mul.f32 %f9, %f8, %f8; add.f32 %f5, %f6, %f4; "
     "st.global.f32 [%rd0+4], %f5; add.f32 %f5, %f9, %f6; st.global.f32 [%rd0+4], %f5; add.f32 "
     "%f5, %f4, %f1; st.global.f32 [%rd0+4], %f5; add.f32 %f5, %f4, %f3;",
     4, ONE},
    /* ... a product that was fused with the sums before is an addend then */
    {"mul.f32 %f4, %f1, %f2; mul.f32 %f6, %f7, %f7; add.f32 %f5, %f4, %f3; add.f32 %f9, %f6, %f4; "
     "st.global.f32 [%rd0+4], %f9; add.f32 %f9, %f4, %f1; st.global.f32 [%rd0+8], %f9; "
     "add.f32 %f9, %f6, %f1; st.global.f32 [%rd0+12], %f9;",
     3, ONE},
    {"mul.f32 %f4, %f1, %f2; mul.f32 %f6, %f7, %f7; add.f32 %f9, %f6, %f4; st.global.f32 [%rd0+4], "
     "%f9; add.f32 %f9, %f4, %f1; st.global.f32 [%rd0+8], %f9; add.f32 %f5, %f4, %f3;",
     1, TWO},
    /* a register that is written again */
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; mov.f32 %f4, %f1; st.global.f32 [%rd0+4], %f4;",
     1, ONE},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f4, %f4, %f3; mov.f32 %f5, %f4;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; mul.rn.f32 %f4, %f1, %f3; add.f32 %f6, %f4, "
     "%f1;",
     1, ONE},
    {"mul.f32 %f4, %f1, %f3; add.f32 %f6, %f4, %f1; mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; "
     "mov.f32 %f4, %f6;" KEPT,
     1, ONE}, /* %f3 is -1 */
    {"mul.f32 %f1, %f1, %f2; add.f32 %f5, %f1, %f3; mov.f32 %f1, %f3;", 1, ONE},
    {"mul.f32 %f1, %f1, %f2; mov.f32 %f2, %f3; add.f32 %f5, %f1, %f3; mov.f32 %f1, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; st.global.f32 [%rd0+4], %f4; add.f32 %f5, %f4, %f3; mov.f32 %f4, %f1;",
     0, TWO},
    {"mul.f32 %f4, %f1, %f2; @!%p1 mov.f32 %f4, %f7; add.f32 %f5, %f4, %f3; mov.f32 %f4, %f1;", 0,
     TWO},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; @!%p1 mov.f32 %f4, %f1; st.global.f32 "
     "[%rd0+4], %f4;",
     0, TWO},
    /* ... in another block: on every path before a read */
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; div.s32 %r3, %r1, %r2; mov.f32 %f4, %f1; "
     "st.global.f32 [%rd0+4], %f4;",
     1, ONE},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; @%p1 bra L; bar.sync 0; mov.f32 %f4, %f1; "
     "bra E; L: mov.f32 %f4, %f2; E: st.global.f32 [%rd0+4], %f4;",
     1, ONE},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; @%p1 bra L; bar.sync 0; mov.f32 %f4, %f1; "
     "L: st.global.f32 [%rd0+4], %f4;",
     0, TWO},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; @%p1 bra L; bar.sync 0; @%p1 mov.f32 %f4, %f1; "
     "L: @%p1 mov.f32 %f4, %f1; st.global.f32 [%rd0+4], %f4;",
     0, TWO},
    {"mov.u32 %r3, 3; L: mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; sub.u32 %r3, %r3, 1; "
     "setp.ne.u32 %p2, %r3, 0; @%p2 bra L; mul.f32 %f4, %f1, %f7; add.f32 %f6, %f4, %f1;" KEPT,
     2, ONE},
    {"mov.f32 %f4, %f1; mov.u32 %r3, 3; L: add.f32 %f6, %f4, %f1; mul.f32 %f4, %f1, %f2; "
     "add.f32 %f5, %f4, %f3; sub.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0; @%p2 bra L;",
     0, TWO},
    /* machine code with a call or with blocks in between */
    {"mul.f32 %f4, %f1, %f2; div.u32 %r3, %r1, %r2; add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; rem.u32 %r3, %r1, 7; add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; div.s32 %r3, %r1, %r2; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; rem.s32 %r3, %r1, 8; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; div.u64 %rd1, %rd0, 10; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; rem.s64 %rd1, %rd0, 8; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; div.u16 %h1, %h0, 7; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; bfind.u64 %r3, %rd0; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; bfind.u32 %r3, %r1; add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; rsqrt.approx.f32 %f6, %f1; add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; rsqrt.approx.f64 %fd1, %fd0; add.f32 %f5, %f4, %f3;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; rsqrt.approx.ftz.f64 %fd1, %fd0; add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; pmevent 1; add.f32 %f5, %f4, %f3;", 0, TWO},
    /* a constant as factor: fused in every block */
    {"mul.f32 %f4, %f1, 0f3F7FF800; membar.gl; add.f32 %f5, %f4, %f3;", 1, ONE},
    {"mul.f32 %f4, 0f3F7FF800, %f1;" OTHER_BLOCK, 1, ONE},
    {"mov.f32 %f6, 0f3F7FF800; mul.f32 %f4, %f1, %f6;" OTHER_BLOCK, 1, ONE},
    {"mov.f32 %f6, 0fBF7FF800; neg.f32 %f9, %f6; mul.f32 %f4, %f1, %f9;" OTHER_BLOCK, 1, ONE},
    {"ld.const.f32 %f6, [numbers+4]; mul.f32 %f4, %f1, %f6;" OTHER_BLOCK, 1, ONE},
    /* ... that the assembler computes of numbers */
    {"mov.f32 %f6, 0fBF7FF800; abs.f32 %f9, %f6; mul.f32 %f4, %f1, %f9;" OTHER_BLOCK, 1, ONE},
    {"cvt.rn.f32.f64 %f9, 0d3FEFFF0000000000; mul.f32 %f4, %f1, %f9;" OTHER_BLOCK, 1, ONE},
    {"cvt.rz.f32.f64 %f9, 0d3FEFFF0000000000; mul.f32 %f4, %f1, %f9;" OTHER_BLOCK, 0, TWO},
    {"mov.f32 %f6, 0fB9000000; add.f32 %f9, %f6, 0f3F800000; mul.f32 %f4, %f1, %f9;" OTHER_BLOCK, 1,
     ONE},
    {"mov.f32 %f6, 0fB9000000; add.rz.f32 %f9, %f6, 0f3F800000; mul.f32 %f4, %f1, %f9;" OTHER_BLOCK,
     0, TWO},
    {"ld.const.f32 %f6, [numbers+4]; add.f32 %f9, %f6, 0f00000000; mul.f32 %f4, %f1, "
     "%f9;" OTHER_BLOCK,
     0, TWO},
    {"ld.const.f32 %f6, [numbers+4]; abs.f32 %f9, %f6; mul.f32 %f4, %f1, %f9;" OTHER_BLOCK, 1, ONE},
    /* the magnitude of a square is a copy: (1 + 2^-13)^2 - (1 + 2^-12) */
    {"mul.f32 %f4, %f1, %f1; abs.f32 %f6, %f4; add.f32 %f5, %f6, 0fBF800800;", 1, SQUARE},
    {"mul.f32 %f4, %f1, %f7; abs.f32 %f6, %f4; add.f32 %f5, %f6, 0fBF800800;", 1, SQUARE},
    {"mul.rn.f32 %f4, %f1, %f1; abs.f32 %f6, %f4; add.f32 %f5, %f6, 0fBF800800;", 0, TWO},
    {"mul.f32 %f4, %f1, %f1; abs.ftz.f32 %f6, %f4; add.f32 %f5, %f6, 0fBF800800;", 0, TWO},
    {"mul.f32 %f4, %f1, %f1; abs.f32 %f6, %f4; neg.f32 %f9, %f6; add.f32 %f5, %f9, 0f3F800800;", 0,
     TWO},
    {"mul.f32 %f4, %f1, %f1; abs.f32 %f6, %f4; add.f32 %f5, %f6, 0fBF800800; st.global.f32 "
     "[%rd0+4], %f6;",
     0, TWO},
    {"ld.param.f32 %f6, [data]; mul.f32 %f4, %f1, %f6;" OTHER_BLOCK
     "st.global.f32 [%rd0+4], %f5; mul.rn.f32 %f5, %f1, %f2; add.rn.f32 %f5, %f5, %f3;",
     1, TWO},
    {"ld.param.f32 %f6, [data+4]; fma.rn.f32 %f9, %f6, 0.0, %f2; mul.f32 %f4, %f1, "
     "%f9;" OTHER_BLOCK,
     0, TWO},
    {"cvta.const.u64 %rd1, numbers; add.u64 %rd1, %rd1, 4; cvta.to.const.u64 %rd1, %rd1;"
     "ld.const.f32 %f6, [%rd1]; mul.f32 %f4, %f1, %f6;" OTHER_BLOCK,
     0, TWO},
    {"mul.f32 %f4, %f1, 0f3F7FF800;" OTHER_BLOCK "st.global.f32 [%rd0+4], %f4;", 0, TWO},
    /* ... and its register is written again */
    {"mul.f32 %f4, %f1, 0f3F7FF800;" OTHER_BLOCK "mov.f32 %f4, %f1; st.global.f32 [%rd0+4], %f4;",
     1, ONE},
    {"mov.f32 %f4, %f1; st.global.f32 [%rd0+4], %f4; mul.f32 %f4, %f1, 0f3F7FF800;" OTHER_BLOCK
     "mov.f32 %f4, %f1; st.global.f32 [%rd0+4], %f4;",
     1, ONE},
    {"mul.f32 %f4, %f1, 0f3F7FF800; bar.sync 0; @%p1 bra L; bar.sync 0; mul.f32 %f4, %f2, "
     "0f3F800400; L: add.f32 %f5, %f4, %f3;",
     0, TWO},
    {"mov.f32 %f6, 0f3F7FF800; mul.f32 %f4, %f1, %f6; mov.f32 %f6, %f7;" OTHER_BLOCK
     "st.global.f32 [%rd0+4], %f6;",
     1, ONE},
    {"mul.f32 %f4, %f1, 0f3F7FF800; mov.f32 %f1, %f2;" OTHER_BLOCK "st.global.f32 [%rd0+4], %f1;",
     1, ONE},
    {"mul.f32 %f4, %f1, 0f3F7FF800; bar.sync 0; @!%p1 bra L; bar.sync 0; mov.f32 %f1, %f3; "
     "L: add.f32 %f5, %f4, %f3; st.global.f32 [%rd0+4], %f1;",
     1, ONE},
    {"mov.f32 %f9, %f3; mov.u32 %r3, 3; L: @!%p1 bra M; bar.sync 0; mul.f32 %f4, %f9, 0f3F7FF800; "
     "bra N; M: bar.sync 0; N: mov.f32 %f9, %f1; membar.gl; add.f32 %f5, %f4, %f3; "
     "sub.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0; @%p2 bra L;",
     1, ONE},
    /* ... by mma, which reads it or not */
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32."
     "f32 {%f4, %f6, %f7, %f8}, {%r1, %r1, %r2, %r2}, {%r1, %r2}, {%f1, %f1, %f2, %f2}; "
     "st.global.f32 [%rd0+4], %f4;",
     1, ONE},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32."
     "f32 {%f4, %f6, %f7, %f8}, {%r1, %r1, %r2, %r2}, {%r1, %r2}, {%f1, %f4, %f2, %f2}; "
     "st.global.f32 [%rd0+4], %f4;",
     0, TWO},
    /* a use that nothing depends on */
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; fma.rn.f32 %f4, %f1, %f2, %f4; "
     "mov.f32 %f4, %f1; st.global.f32 [%rd0+4], %f4;",
     1, ONE},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; fma.rn.f32 %f6, %f1, %f2, %f4; "
     "mul.rn.f32 %f6, %f6, %f6; mov.f32 %f6, %f1; st.global.f32 [%rd0+4], %f6;",
     1, ONE},
    {"mul.f32 %f1, %f1, %f2; add.f32 %f5, %f1, %f3; fma.rn.f32 %f6, %f3, %f2, %f1; mov.f32 %f1, "
     "%f3;",
     1, ONE},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; div.rn.f32 %f6, %f4, %f2; mov.f32 %f4, %f1; "
     "st.global.f32 [%rd0+4], %f4;",
     0, TWO},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; div.full.f32 %f6, %f4, %f2; mov.f32 %f4, %f1; "
     "st.global.f32 [%rd0+4], %f4;",
     1, ONE},
    {"mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3; fma.rn.f32 %f6, %f1, %f2, %f4; "
     "@%p1 mov.f32 %f6, %f1; st.global.f32 [%rd0+4], %f6;",
     0, TWO},
    {"@%p1 mul.f32 %f4, %f1, 0f3F7FF800;" OTHER_BLOCK, 0, TWO},
    {"mul.f32 %f4, %f1, 0f3F7FF800; add.f32 %f6, %f4, %f2;" KEPT OTHER_BLOCK, 2, ONE},
    /* factors that are written in between: the product's register keeps one */
    {"mul.f32 %f4, %f1, %f2; mov.f32 %f1, %f3; add.f32 %f5, %f4, %f1;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; mov.f32 %f2, %f3; add.f32 %f5, %f4, %f2;", 1, ONE},
    {"mul.f32 %f4, %f1, 0f3F7FF800; bar.sync 0; @!%p1 bra L; add.f32 %f1, %f1, %f2;"
     "L: add.f32 %f5, %f4, %f3;",
     1, ONE},
    {"mul.f32 %f4, %f1, %f2; mov.f32 %f1, %f3; sub.f32 %f6, %f3, %f4; mov.f32 %f3, %f2;"
     "add.f32 %f5, %f4, -1.0;" KEPT,
     2, ONE},
    {"mul.f32 %f4, %f1, %f2; mov.f32 %f1, %f3; mov.f32 %f2, %f3; add.f32 %f5, %f4, %f3;", 1, ONE},
    /* mov, neg and a product by 1 or -1 between; %f3 is -1 */
    {"mul.f32 %f4, %f1, %f2; mov.f32 %f6, %f4; add.f32 %f5, %f6, %f3;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; mov.b32 %r4, %f4; mov.b32 %f6, %r4; add.f32 %f5, %f3, %f6;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; neg.f32 %f4, %f4; sub.f32 %f5, %f3, %f4;", 1, ONE},
    {"neg.f32 %f3, %f3; mul.f32 %f4, %f1, %f2; neg.f32 %f6, %f4; add.f32 %f5, %f6, %f3;", 1,
     ONE ^ 0x80000000u},
    {"neg.f32 %f3, %f3; mul.f32 %f4, %f1, %f2; neg.f32 %f6, %f4; sub.f32 %f5, %f6, %f3; "
     "add.f32 %f5, %f5, 2.0;",
     1, TWO},
    {"mul.f32 %f4, %f1, %f2; neg.f32 %f6, %f4; neg.f32 %f9, %f6; mov.f32 %f6, %f9; "
     "add.f32 %f5, %f6, %f3;",
     1, ONE},
    {"mul.f32 %f4, %f1, %f2; neg.f32 %f6, %f4; sub.f32 %f5, %f3, %f6; add.f32 %f9, %f4, %f1; "
     "st.global.f32 [%rd0+4], %f9;",
     2, ONE},
    {"mul.f32 %f4, %f1, %f2; mul.rn.f32 %f6, %f4, 0fBF800000; sub.f32 %f5, %f3, %f6;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; mul.f32 %f6, 0f3F800000, %f4; add.f32 %f5, %f3, %f6;", 1, ONE},
    {"mul.f32 %f4, %f2, %f3; add.f32 %f6, %f4, %f1; mul.rn.f32 %f5, %f1, %f2; "
     "add.rn.f32 %f5, %f5, %f3;" KEPT,
     0, TWO},
    {"mul.f32 %f4, %f1, %f2; mov.f32 %f6, %f4; mov.f32 %f4, %f1; mov.f32 %f1, %f3; "
     "add.f32 %f5, %f6, %f3; st.global.f32 [%rd0+4], %f4;",
     1, ONE},
    {"mul.ftz.f32 %f4, %f1, %f2; neg.f32 %f6, %f4; sub.ftz.f32 %f5, %f3, %f6;", 1, ONE},
    {"mul.f32 %f4, %f1, %f2; neg.ftz.f32 %f6, %f4; sub.f32 %f5, %f3, %f6;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; neg.f32 %f6, %f4; sub.f32 %f5, %f3, %f6;" KEPT, 0, TWO},
    {"mul.f32 %f4, %f1, %f2; neg.f32 %f6, %f4; sub.f32 %f5, %f3, %f6; "
     "st.global.f32 [%rd0+8], %f4;",
     0, TWO},
    {"mul.f32 %f4, %f1, %f2; @%p1 neg.f32 %f6, %f4; sub.f32 %f5, %f3, %f6;", 0, TWO},
    {"mul.f32 %f4, %f1, %f2; mov.f32 %f6, %f4; add.f32 %f5, %f6, %f4; add.f32 %f5, %f5, -2.0;", 0,
     TWO},
    {"mul.f32 %f4, %f1, %f2; mov.f32 %f6, %f4; @!%p1 mov.f32 %f6, %f1; add.f32 %f5, %f6, %f3;", 0,
     TWO},
    {"mul.f32 %f4, %f1, %f2; neg.f32 %f6, %f4; bar.sync 0; @!%p1 bra L; bar.sync 0; "
     "L: sub.f32 %f5, %f3, %f6;",
     0, TWO},
    {"mul.f32 %f4, %f1, 0f3F7FF800; neg.f32 %f6, %f4; bar.sync 0; @!%p1 bra L; bar.sync 0; "
     "L: sub.f32 %f5, %f3, %f6;",
     1, ONE},
    {"mul.f32 %f4, %f1, 0f3F7FF800; bar.sync 0; @!%p1 bra L; bar.sync 0; L: neg.f32 %f6, %f4; "
     "sub.f32 %f5, %f3, %f6;",
     1, ONE},
    /* a mov that keeps the product of the round before */
    {"mov.u32 %r3, 2; L: mov.f32 %f6, %f4; mul.f32 %f4, %f1, %f2; "
     "add.f32 %f5, %f6, %f3; add.f32 %f9, %f4, %f3; sub.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0; "
     "@%p2 bra L; st.global.f32 [%rd0+4], %f9;",
     0, TWO},
};

START_TEST(pairs_are_fused_by_the_rule) {
    char text[2048];
    struct kernel kernel = {.text = text};
    struct wsim_module *module;
    struct wsim_kernel_info info;
    snprintf(text, sizeof text, "%s%s%s",
             KERNEL_HEAD ".const .f32 numbers[2] = {0f3F800400, 0f3F7FF800};\n.visible .entry "
                         "k(.param .u64 data)\n{\n" KERNEL_REGISTERS
                         "ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x;\n" NUMBERS,
             pairs[_i].body, "\nst.global.f32 [%rd0], %f5;\n}\n");
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    wsim_kernel_describe(wsim_module_find(module, "k"), &info);
    expect(info.contractible == pairs[_i].sums, "%s: %u", pairs[_i].body,
           (unsigned)info.contractible);
    wsim_module_free(module);
    kernel.flags = WSIM_MODULE_NO_CONTRACT;
    kernel_good(&kernel, 1, 1);
    expect(kernel.words[0] == TWO, "%s: as it is written: %x", pairs[_i].body,
           (unsigned)kernel.words[0]);
    ck_assert_uint_eq(kernel.totals.contracted, pairs[_i].sums != 0);
    kernel.flags = 0;
    kernel_good(&kernel, 1, 1);
    expect(kernel.words[0] == pairs[_i].result, "%s: %x", pairs[_i].body,
           (unsigned)kernel.words[0]);
    ck_assert_uint_eq(kernel.totals.contracted, 0);
}
END_TEST

/* Both halves of a register: (1 + 2^-6) (1 - 2^-6) - 1 of f16. */
START_TEST(pairs_of_halves) {
    struct kernel kernel = {.text = KERNEL("mov.b32 %r1, 0x3c103bf8; mov.b32 %r2, 0x3be03c04;\n"
                                           "mov.b32 %r3, 0xbc00bc00; mul.f16x2 %r4, %r1, %r2;\n"
                                           "add.f16x2 %r5, %r4, %r3; st.global.u32 [%rd0], %r5;")};
    kernel_good(&kernel, 1, 1);
    /* 1.015625 * 0.984375 - 1 = -2^-12; 0.99609375 * 1.00390625 - 1 = -2^-16 */
    ck_assert_uint_eq(kernel.words[0], 0x8c008100);
}
END_TEST

/* Approximate divisions end with a product, which is fused; a divisor that is a number becomes its
 * reciprocal. `same` is that in other words, `sums` how many sums are fused. */
#define RECIPROCAL "rcp.approx.ftz.f32 %f9, %f2; "
static const struct {
    const char *body, *same;
    uint32_t sums;
} quotients[] = {
    /* functions of numbers, also by way of mov, are computed; the unit has 0x3F2AAAAA */
    {"rsqrt.approx.f32 %f5, 0f40100000;", "mov.f32 %f5, 0f3F2AAAAB;", 0},
    {"mov.f32 %f9, 0f40100000; rsqrt.approx.ftz.f32 %f5, %f9;", "mov.f32 %f5, 0f3F2AAAAB;", 0},
    {"mov.f32 %f5, %f1; @%p1 rsqrt.approx.f32 %f5, 0f40100000;", "mov.f32 %f5, 0f3F2AAAAB;", 0},
    {"div.full.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3;",
     RECIPROCAL "fma.rn.f32 %f5, %f1, %f9, %f3;", 1},
    {"div.approx.f32 %f4, %f1, %f2; sub.f32 %f5, %f4, %f7;",
     RECIPROCAL "neg.f32 %f7, %f7; fma.rn.f32 %f5, %f1, %f9, %f7;", 1},
    {"div.approx.ftz.f32 %f4, %f1, %f2; sub.ftz.f32 %f5, %f7, %f4;",
     RECIPROCAL "neg.f32 %f1, %f1; fma.rn.f32 %f5, %f1, %f9, %f7;", 1},
    {"div.full.ftz.f32 %f4, %f1, %f2; add.ftz.sat.f32 %f5, %f4, -1.0;",
     RECIPROCAL "fma.rn.sat.f32 %f5, %f1, %f9, -1.0;", 1},
    {"div.full.f32 %f4, %f1, %f2; @%p1 add.f32 %f5, %f4, %f3;",
     RECIPROCAL "fma.rn.f32 %f5, %f1, %f9, %f3;", 1},
    {"div.full.f32 %f4, %f1, %f2; mov.f32 %f1, %f3; add.f32 %f5, %f4, %f1;",
     RECIPROCAL "fma.rn.f32 %f5, %f1, %f9, %f3;", 1},
    {"div.full.f32 %f4, %f1, %f2; mov.f32 %f2, %f3; add.f32 %f5, %f4, %f2;",
     RECIPROCAL "fma.rn.f32 %f5, %f1, %f9, %f3;", 1},
    {"neg.f32 %f7, %f7; mul.f32 %f6, %f7, %f8; div.full.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f6;",
     RECIPROCAL "neg.f32 %f7, %f7; mul.rn.f32 %f6, %f7, %f8; fma.rn.f32 %f5, %f1, %f9, %f6;", 1},
    {"neg.f32 %f7, %f7; mul.f32 %f6, %f7, %f8; div.full.f32 %f4, %f1, %f2; add.f32 %f5, %f6, %f4;",
     RECIPROCAL "neg.f32 %f7, %f7; mul.rn.f32 %f4, %f1, %f9; fma.rn.f32 %f5, %f7, %f8, %f4;", 1},
    {"div.full.f32 %f4, %f1, %f2; add.rn.f32 %f5, %f4, %f3;",
     RECIPROCAL "mul.rn.f32 %f4, %f1, %f9; add.rn.f32 %f5, %f4, %f3;", 0},
    {"div.full.ftz.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3;",
     RECIPROCAL "mul.rn.f32 %f4, %f1, %f9; add.rn.f32 %f5, %f4, %f3;", 0},
    {"@%p1 div.full.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3;",
     RECIPROCAL "mul.rn.f32 %f4, %f1, %f9; add.rn.f32 %f5, %f4, %f3;", 0},
    {"div.full.f32 %f4, %f1, %f2;" OTHER_BLOCK,
     RECIPROCAL "mul.rn.f32 %f4, %f1, %f9; add.rn.f32 %f5, %f4, %f3;", 0},
    {"div.full.f32 %f4, 0f3F800400, %f2;" OTHER_BLOCK,
     RECIPROCAL "mul.rn.f32 %f4, %f1, %f9; add.rn.f32 %f5, %f4, %f3;", 0},
    {"div.approx.ftz.f32 %f4, 0f3F800400, %f2; bar.sync 0; @!%p1 bra L; add.f32 %f7, %f7, %f8;"
     "L: add.ftz.f32 %f5, %f4, %f3;",
     RECIPROCAL "fma.rn.f32 %f5, %f1, %f9, %f3;", 1},
    /* 1 / 33 is 0f3CF83E10 to nearest, and 0f3CF83E0F is the value of rcp.approx */
    {"div.full.f32 %f5, %f1, 0f42040000;", "mul.rn.f32 %f5, %f1, 0f3CF83E10;", 0},
    {"mov.b32 %f6, 0x42040000; mov.f32 %f9, %f6; div.approx.ftz.f32 %f5, %f1, %f9;",
     "mul.rn.f32 %f5, %f1, 0f3CF83E10;", 0},
    {"div.full.f32 %f4, %f1, 33.0; add.f32 %f5, %f4, 0fBCF83E10;",
     "fma.rn.f32 %f5, %f1, 0f3CF83E10, 0fBCF83E10;", 1},
    {"div.full.f32 %f4, %f1, 33.0; bar.sync 0; @!%p1 bra L; add.f32 %f7, %f7, %f8;"
     "L: add.f32 %f5, %f4, 0fBCF83E10;",
     "fma.rn.f32 %f5, %f1, 0f3CF83E10, 0fBCF83E10;", 1},
    {"mov.f32 %f6, %f1; mov.f32 %f6, 0f42040000; div.full.f32 %f5, %f1, %f6;",
     "mul.rn.f32 %f5, %f1, 0f3CF83E10;", 0},
    {"mov.f32 %f6, 0f42040000; @%p1 mov.f32 %f6, 0f42040000; div.full.f32 %f5, %f1, %f6;",
     "mul.rn.f32 %f5, %f1, 0f3CF83E0F;", 0},
};

static uint32_t run_quotient(const char *body, uint32_t flags, uint32_t *sums) {
    char text[2048];
    struct kernel kernel = {.text = text, .flags = flags};
    struct wsim_module *module;
    struct wsim_kernel_info info;
    snprintf(text, sizeof text, "%s%s%s",
             KERNEL_HEAD ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS
                         "ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x;\n" NUMBERS,
             body, "\nst.global.f32 [%rd0], %f5;\n}\n");
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    wsim_kernel_describe(wsim_module_find(module, "k"), &info);
    *sums = info.contractible;
    wsim_module_free(module);
    kernel_good(&kernel, 1, 1);
    return kernel.words[0];
}

START_TEST(quotients_are_products) {
    uint32_t sums, none;
    const uint32_t got = run_quotient(quotients[_i].body, 0, &sums);
    const uint32_t plain = run_quotient(quotients[_i].body, WSIM_MODULE_PLAIN, &none);
    const uint32_t wanted = run_quotient(quotients[_i].same, 0, &none);
    const uint32_t written = run_quotient(quotients[_i].body, WSIM_MODULE_NO_CONTRACT, &none);
    expect(got == wanted && plain == wanted, "%s: %08x, plainly %08x, not %08x", quotients[_i].body,
           (unsigned)got, (unsigned)plain, (unsigned)wanted);
    ck_assert_uint_eq(sums, quotients[_i].sums);
    if (sums)
        expect(written != wanted, "%s: the fused sum is not seen", quotients[_i].body);
}
END_TEST

/* Fused quotients and products of fast steps: all lanes and some, specials and random bits. */
#define TWO_STEPS(first, second, last)                                                             \
    KERNEL("mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd1, %rd0; ld.global.f32 %f1, [%rd1];\n"     \
           "ld.global.f32 %f2, [%rd1+1024]; ld.global.f32 %f3, [%rd1+2048]; mov.f32 %f5, %f1;\n"   \
           "setp.lt.u32 %p1, %r0, 140;\n" first " %f4, %f1, %f2; @%p1 " second " %f5, %f4, " last  \
           "; st.global.f32 [%rd1+3072], %f5;")

START_TEST(quick_pairs) {
    static const char *const texts[] = {TWO_STEPS("div.approx.f32", "add.f32", "%f3"),
                                        TWO_STEPS("div.approx.ftz.f32", "add.ftz.f32", "%f3"),
                                        TWO_STEPS("div.full.f32", "sub.f32", "%f3"),
                                        TWO_STEPS("div.full.ftz.f32", "add.ftz.f32", "%f3"),
                                        TWO_STEPS("mul.f32", "mul.f32", "0f41000000"),
                                        TWO_STEPS("mul.f32", "mul.f32", "0f3F000000"),
                                        TWO_STEPS("mul.ftz.f32", "mul.ftz.f32", "0f3E000000"),
                                        TWO_STEPS("mul.f32", "mul.sat.f32", "0f40000000")};
    static const uint32_t numbers[] = {0,          1,          0x007FFFFF, 0x00800000,
                                       0x00800001, 0x00FFFFFF, 0x3F800000, 0x3F800001,
                                       0x7E7FFFFF, 0x7E800000, 0x7E800001, 0x7F7FFFFF,
                                       0x7F800000, 0x7FC00001, 0x3F7FFFFF, 0x01000000};
    struct kernel kernel = {.text = texts[_i % 8]}, plain;
    uint64_t state = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(_i + 1);
    for (unsigned i = 0; i < 768; i++) {
        const unsigned other = i < 256 ? i : i < 512 ? i / 16 : i * 7 + i / 32;
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        kernel.words[i] = numbers[other % COUNT(numbers)] | (uint32_t)(state >> 63) << 31;
        if (_i >= 8)
            kernel.words[i] = (uint32_t)(state >> 32) % 3 ? (uint32_t)(state >> 24)
                                                          : kernel.words[i] ^ (state >> 40 & 3);
    }
    plain = kernel;
    plain.flags = WSIM_MODULE_PLAIN;
    kernel_good(&kernel, 1, 256);
    kernel_good(&plain, 1, 256);
    for (unsigned i = 768; i < 1024; i++)
        expect(kernel.words[i] == plain.words[i], "%08x, %08x, %08x: %08x, not %08x",
               (unsigned)kernel.words[i - 768], (unsigned)kernel.words[i - 512],
               (unsigned)kernel.words[i - 256], (unsigned)kernel.words[i],
               (unsigned)plain.words[i]);
}
END_TEST

/* A module with .target debug, which nvcc -G writes: ptxas optimises nothing. */
#define SUM_AND_LOADS                                                                              \
    "\n.address_size 64\n.visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS                \
    ".shared .align 16 .b8 at[128];\nld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x;\n" NUMBERS    \
    "mov.u32 %r4, at; st.shared.v2.u32 [%r4], {%r1, %r2};\n"                                       \
    "ld.shared.u32 %r5, [%r4]; ld.shared.u32 %r6, [%r4+4]; add.u32 %r5, %r5, %r6;\n"               \
    "mul.f32 %f4, %f1, %f2; add.f32 %f5, %f4, %f3;\n"                                              \
    "red.shared.add.u32 [%r4+8], %r5;\nst.global.f32 [%rd0], %f5;\n}\n"

START_TEST(debug_is_not_optimised) {
    static const char *const texts[] = {
        ".version 8.6\n.target sm_90a" SUM_AND_LOADS,
        ".version 8.6\n.target sm_90a, debug" SUM_AND_LOADS,
    };
    struct kernel kernel = {.text = texts[_i], .launch = {.count = 1}};
    kernel_good(&kernel, 1, 1);
    expect(kernel.words[0] == (_i ? TWO : ONE), "%x", (unsigned)kernel.words[0]);
    ck_assert_uint_eq(kernel.totals.ld.accesses, _i ? 2u : 0u);
}
END_TEST

/* --- a product, and its product by a power of two; reciprocals --- */

#define BIG 0x7F61B1E6u, 0x40000000u /* their product is infinite */
#define SMALL                                                                                      \
    0x1F800001u, 0x1F800000u /* their product is 2^-128, and a bit that no subnormal has */
#define MIDDLE 0x20000001u, 0x1F800000u
#define PRODUCT "mul.f32 %f3, %f1, %f2; "
#define GREAT 0x7EF5FBDEu, 0x0057AE2Du  /* the reciprocal of the first is subnormal */
#define SPREAD 0x20000001u, 0x5F800000u /* their quotient is subnormal */
#define FULL 0x70000001u, 0x30000000u   /* their quotient is infinite */
#define LOW 0x00800000u, 0u             /* a third of it is */
#define UNEVEN 0x3F80F441u, 0x40490FDBu /* steps of the unit are not exact for the first */
#define INVERSE "rcp.approx.ftz.f32 %f3, %f1; "
#define POWER "ex2.approx.ftz.f32 %f3, %f1; "
#define RCP "rcp.approx.f32 %f3, %f1; "
#define DIV "div.approx.f32 %f3, %f1, %f2; "
static const struct {
    const char *body;
    uint32_t a, b, once, twice;
} scaled[] = {
    {PRODUCT "mul.f32 %f5, %f3, 0f3F000000;", BIG, 0x7F61B1E6, 0x7F800000},
    {PRODUCT "mul.f32 %f5, 0f3E800000, %f3;", BIG, 0x7EE1B1E6, 0x7F800000},
    {PRODUCT "mov.b32 %r1, 0x3E000000; mov.b32 %f4, %r1; mul.f32 %f5, %f3, %f4;", BIG, 0x7E61B1E6,
     0x7F800000},
    {PRODUCT "mul.f32 %f5, %f3, 0f40000000;", MIDDLE, 0x00800001, 0x00800000},
    {PRODUCT "mul.f32 %f5, %f3, 0f40800000;", SMALL, 0x00800001, 0x00800000},
    {PRODUCT "mul.rn.f32 %f5, %f3, 0f41000000;", SMALL, 0x01000001, 0x01000000},
    {PRODUCT "mul.ftz.f32 %f5, %f3, 0f41000000;", SMALL, 0x01000001, 0},
    {"mul.ftz.f32 %f3, %f1, %f2; mul.f32 %f5, %f3, 0f41000000;", SMALL, 0x01000001, 0},
    {PRODUCT "mul.sat.f32 %f5, %f3, 0f41000000;", SMALL, 0x01000001, 0x01000000},
    {PRODUCT "div.approx.f32 %f5, %f3, 0f41000000;", BIG, 0x7E61B1E6, 0x7F800000},
    {PRODUCT "setp.eq.u32 %p1, %r0, 0; @%p1 mul.f32 %f5, %f3, 0f3F000000;", BIG, 0x7F61B1E6,
     0x7F800000},
    {PRODUCT "setp.ne.u32 %p1, %r0, 0; @%p1 bra other; mul.f32 %f5, %f3, 0f3F000000; other:", BIG,
     0x7F61B1E6, 0x7F800000},
    {PRODUCT "mul.f32 %f3, %f3, 0f3F000000; mul.f32 %f5, %f3, 0f3F000000;", BIG, 0x7EE1B1E6,
     0x7F800000},
    /* A factor is written again before the second product. */
    {PRODUCT "mov.f32 %f1, %f2; mul.f32 %f5, %f3, 0f3F000000;", BIG, 0x7F61B1E6, 0x7F800000},
    {PRODUCT "mov.f32 %f2, %f1; mul.f32 %f5, %f3, 0f3F000000;", BIG, 0x7F61B1E6, 0x7F800000},
    {"mul.f32 %f1, %f2, %f1; mul.f32 %f5, %f1, 0f3F000000; mov.f32 %f1, %f2;", BIG, 0x7F61B1E6,
     0x7F800000},
    {PRODUCT "mov.f32 %f4, %f3; mul.f32 %f5, %f4, 0f3F000000;", BIG, 0x7F61B1E6, 0x7F800000},
    {PRODUCT "neg.f32 %f4, %f3; mul.f32 %f5, %f4, 0f3F000000;", BIG, 0xFF800000, 0xFF800000},
    {PRODUCT "mov.f32 %f4, %f3; mul.f32 %f5, %f4, 0f3F000000; st.global.f32 [%rd0+8], %f3;", BIG,
     0x7F800000, 0x7F800000},
    /* Quotients and reciprocals end with a product. */
    {RCP "mul.f32 %f5, %f3, 0f40000000;", GREAT, 0x00853645, 0x00853644},
    {RCP "mul.f32 %f5, %f3, 0f3E000000;", GREAT, 0x00085364, 0x00085364},
    {RCP "mul.sat.f32 %f5, %f3, 0f41000000;", GREAT, 0x01853645, 0x01853644},
    {RCP "add.f32 %f5, %f3, %f2;", GREAT, 0x009A4950, 0x009A494F},
    {RCP "sub.f32 %f5, %f2, %f3;", GREAT, 0x0015130A, 0x0015130B},
    {RCP "mov.f32 %f1, 0f00000000; add.f32 %f5, %f3, %f2;", GREAT, 0x009A4950, 0x009A494F},
    {"rcp.approx.f32 %f1, %f1; add.f32 %f5, %f1, %f2;", GREAT, 0x009A4950, 0x009A494F},
    {DIV "mul.f32 %f5, %f3, 0f40000000;", SPREAD, 0x00800001, 0x00800000},
    {DIV "mul.rn.f32 %f5, %f3, 0f41000000;", SPREAD, 0x01800001, 0x01800000},
    {DIV "mov.f32 %f2, 0f00000000; mul.f32 %f5, %f3, 0f40000000;", SPREAD, 0x00800001, 0x00800000},
    {"div.full.f32 %f3, %f1, %f2; mul.f32 %f5, %f3, 0f40000000;", SPREAD, 0x00800001, 0x00800000},
    {"div.full.f32 %f3, %f1, %f2; mul.f32 %f5, %f3, 0f3E000000;", FULL, 0x7E000001, 0x7F800000},
    {"div.approx.ftz.f32 %f3, %f1, %f2; mul.ftz.f32 %f5, %f3, 0f41000000;", SPREAD, 0x01800001,
     0x00000000},
    {"div.approx.f32 %f3, %f1, 0f40400000; mul.f32 %f5, %f3, 0f41000000;", LOW, 0x012AAAAB,
     0x012AAAAC},
    /* Two steps: a number of the text, .ftz, another .ftz, and a use that keeps it. */
    {"rcp.approx.f32 %f3, 0f7EF5FBDE; add.f32 %f5, %f3, %f2;", GREAT, 0x009A494F, 0x009A494F},
    {"rcp.approx.ftz.f32 %f3, %f1; mul.ftz.f32 %f5, %f3, 0f40000000;", GREAT, 0x00000000,
     0x00000000},
    {RCP "add.ftz.f32 %f5, %f3, %f2;", GREAT, 0x00000000, 0x00000000},
    {RCP "mul.f32 %f5, %f3, 0f40000000; st.global.f32 [%rd0+8], %f3;", GREAT, 0x00853644,
     0x00853644},
    {RCP "mul.f32 %f5, %f3, 0fC0000000;", GREAT, 0x80853644, 0x80853644},
    /* A reciprocal of a reciprocal, or of a power, is one step. */
    {INVERSE "rcp.approx.ftz.f32 %f5, %f3;", UNEVEN, 0x3F80F441, 0x3F80F440},
    {INVERSE "rcp.approx.ftz.f32 %f3, %f3; rcp.approx.ftz.f32 %f5, %f3;", UNEVEN, 0x3F7E1B1C,
     0x3F7E1B1E},
    {INVERSE "div.approx.ftz.f32 %f5, %f2, %f3;", UNEVEN, 0x404A8F87, 0x404A8F86},
    {INVERSE "div.approx.ftz.f32 %f4, %f2, %f3; add.ftz.f32 %f5, %f4, %f1;", UNEVEN, 0x408584D4,
     0x408584D3},
    {INVERSE "rcp.approx.ftz.f32 %f5, %f3; st.global.f32 [%rd0+8], %f3;", UNEVEN, 0x3F80F441,
     0x3F80F440},
    {INVERSE "mov.f32 %f4, 0f7F000000; mov.f32 %f6, %f4; rcp.approx.ftz.f32 %f5, %f3;"
             "st.global.f32 [%rd0+8], %f3; st.global.f32 [%rd0+12], %f6;",
     UNEVEN, 0x3F80F441, 0x3F80F440},
    {INVERSE "div.approx.ftz.f32 %f5, %f3, %f3;", UNEVEN, 0x3F800000, 0x3F7FFFFF},
    {INVERSE "mov.f32 %f1, %f2; rcp.approx.ftz.f32 %f5, %f3;", UNEVEN, 0x3F80F441, 0x3F80F440},
    {POWER "rcp.approx.ftz.f32 %f5, %f3;", UNEVEN, 0x3EFEAE43, 0x3EFEAE41},
    {POWER "div.approx.ftz.f32 %f5, %f2, %f3;", UNEVEN, 0x3FC80699, 0x3FC80697},
    {POWER "div.approx.ftz.f32 %f4, %f2, %f3; add.ftz.f32 %f5, %f4, %f1;", UNEVEN, 0x40247D6D,
     0x40247D6C},
    {POWER "div.approx.ftz.f32 %f4, %f2, %f3; mul.ftz.f32 %f5, %f4, 0f40000000;", UNEVEN,
     0x40480699, 0x40480697},
    {INVERSE "mov.f32 %f4, %f3; rcp.approx.ftz.f32 %f5, %f4;", UNEVEN, 0x3F80F441, 0x3F80F440},
    {POWER "mov.f32 %f4, %f3; rcp.approx.ftz.f32 %f5, %f4;", UNEVEN, 0x3EFEAE43, 0x3EFEAE41},
    {POWER "mov.f32 %f4, %f3; rcp.approx.ftz.f32 %f5, %f4; st.global.f32 [%rd0+8], %f3;", UNEVEN,
     0x3EFEAE41, 0x3EFEAE41},
    {POWER "mov.f32 %f1, %f2; rcp.approx.ftz.f32 %f5, %f3;", UNEVEN, 0x3EFEAE43, 0x3EFEAE41},
    {POWER "setp.eq.u32 %p1, %r0, 0; @%p1 rcp.approx.ftz.f32 %f5, %f3;", UNEVEN, 0x3EFEAE43,
     0x3EFEAE41},
    {POWER "setp.ne.u32 %p1, %r0, 0; @%p1 bra other; rcp.approx.ftz.f32 %f5, %f3; other:", UNEVEN,
     0x3EFEAE43, 0x3EFEAE41},
    /* Two steps. */
    {POWER "rcp.approx.ftz.f32 %f5, %f3; st.global.f32 [%rd0+8], %f3;", UNEVEN, 0x3EFEAE41,
     0x3EFEAE41},
    {POWER "rcp.approx.f32 %f5, %f3;", UNEVEN, 0x3EFEAE41, 0x3EFEAE41},
    {"ex2.approx.f32 %f3, %f1; rcp.approx.ftz.f32 %f5, %f3;", UNEVEN, 0x3EFEAE41, 0x3EFEAE41},
    {POWER "div.full.ftz.f32 %f5, %f2, %f3;", UNEVEN, 0x3FC80697, 0x3FC80697},
    {POWER "neg.f32 %f3, %f3; rcp.approx.ftz.f32 %f5, %f3;", UNEVEN, 0xBEFEAE41, 0xBEFEAE41},
    {"setp.eq.u32 %p1, %r0, 0; @%p1 rcp.approx.ftz.f32 %f3, %f1; rcp.approx.ftz.f32 %f5, %f3;",
     UNEVEN, 0x3F80F440, 0x3F80F440},
    {INVERSE "mov.f32 %f1, %f2; rcp.approx.ftz.f32 %f5, %f3; st.global.f32 [%rd0+8], %f3;", UNEVEN,
     0x3F80F440, 0x3F80F440},
    {"rcp.approx.ftz.f32 %f1, %f1; rcp.approx.ftz.f32 %f5, %f1; st.global.f32 [%rd0+8], %f1;",
     UNEVEN, 0x3F80F440, 0x3F80F440},
    /* Two products. */
    {PRODUCT "mul.f32 %f5, %f3, 0fBF000000;", BIG, 0xFF800000, 0xFF800000},
    {PRODUCT "mul.f32 %f5, %f3, 0f3D800000;", BIG, 0x7F800000, 0x7F800000},
    {PRODUCT "mul.rz.f32 %f5, %f3, 0f3F000000;", BIG, 0x7F800000, 0x7F800000},
    {"mul.rn.f32 %f3, %f1, %f2; mul.f32 %f5, %f3, 0f3F000000;", BIG, 0x7F800000, 0x7F800000},
    {"mul.sat.f32 %f3, %f1, %f2; mul.f32 %f5, %f3, 0f3F000000;", BIG, 0x3F000000, 0x3F000000},
    {PRODUCT "mul.f32 %f5, %f3, 0f3F000000; st.global.f32 [%rd0+8], %f3;", BIG, 0x7F800000,
     0x7F800000},
    {PRODUCT "mul.f32 %f5, %f3, %f3;", BIG, 0x7F800000, 0x7F800000},
    /* The second one is part of the sum. */
    {PRODUCT "mul.f32 %f4, %f3, 0f3F000000; sub.f32 %f5, %f4, %f1;", BIG, 0x7F800000, 0x7F800000},
};

static uint32_t run_scaled(int i, uint32_t flags) {
    char text[2048];
    struct kernel kernel = {.text = text, .flags = flags, .words = {scaled[i].a, scaled[i].b}};
    snprintf(text, sizeof text, "%s%s%s",
             KERNEL_HEAD ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS
                         "ld.param.u64 %rd0, [data]; mov.u32 %r0, %tid.x;\n"
                         "ld.global.f32 %f1, [%rd0]; ld.global.f32 %f2, [%rd0+4];\n",
             scaled[i].body, "\nst.global.f32 [%rd0], %f5;\n}\n");
    kernel_good(&kernel, 1, 1);
    return kernel.words[0];
}

START_TEST(products_are_scaled) {
    const uint32_t got = run_scaled(_i, 0), plain = run_scaled(_i, WSIM_MODULE_PLAIN);
    const uint32_t written = run_scaled(_i, WSIM_MODULE_NO_CONTRACT);
    expect(got == scaled[_i].once && plain == got, "%s: %08x, plainly %08x, not %08x",
           scaled[_i].body, (unsigned)got, (unsigned)plain, (unsigned)scaled[_i].once);
    expect(written == scaled[_i].twice, "%s: as written %08x, not %08x", scaled[_i].body,
           (unsigned)written, (unsigned)scaled[_i].twice);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{pairs_are_fused_by_the_rule, 0, COUNT(pairs)},
                                       {pairs_of_halves, 0, 1},
                                       {debug_is_not_optimised, 0, 2},
                                       {quick_pairs, 0, 32},
                                       {quotients_are_products, 0, COUNT(quotients)},
                                       {products_are_scaled, 0, COUNT(scaled)}};
    return every_run("unit/run/contract", tests, COUNT(tests));
}
