/* Blocks that are played (step/tape.h) equal those that run operation by operation: memory, counts
 * of every line, findings, without checks and with all. Kernels of one trait each; tests/random has
 * random ones. */
#include "../../apart.h"
#include "../../every.h"

#include <stdlib.h>
#include <string.h>
#include <wsim/kernel.h>

enum { WORDS = 16384 }; /* of each buffer */

/* %me and %id are the thread in the block and in a row of blocks, %in its word, %at the same in
 * the output. */
#define HEAD                                                                                       \
    ".version 8.7\n.target sm_90a\n.address_size 64\n"                                             \
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"                                      \
    ".reg .b32 %r<32>, %me, %id, %x, %y, %box, %s;\n.reg .b64 %d<16>, %base, %to, %in, %at;\n"     \
    ".reg .pred %p<8>;\n.reg .f32 %f<8>;\n.reg .b16 %h<4>;\n.shared .align 16 .b8 box[2048];\n"    \
    "ld.param.u64 %base, [in];\nld.param.u64 %to, [out];\nmov.u32 %me, %tid.x;\n"                  \
    "mov.u32 %x, %ctaid.x;\nmov.u32 %y, %ctaid.y;\nmov.u32 %r0, %ntid.x;\n"                        \
    "mad.lo.s32 %id, %x, %r0, %me;\nmul.wide.u32 %d0, %id, 4;\nadd.s64 %in, %base, %d0;\n"         \
    "add.s64 %at, %to, %d0;\nmov.u32 %box, box;\nmad.lo.u32 %s, %me, 4, %box;\n"
#define TAIL "\nEND:\nret;\n}\n"

static const struct sample {
    const char *name, *body;
    uint32_t grid[2], block;
    uint64_t most;
} samples[] = {
    {"the last block has fewer",
     "setp.ge.u32 %p0, %id, 3000;\n@%p0 bra END;\nld.global.u32 %r1, [%in];\nadd.s32 %r1, %r1, 5;\n"
     "st.global.u32 [%at], %r1;",
     {60, 1},
     64,
     0},
    {"rows of blocks",
     "mad.lo.s32 %r1, %y, 640, %id;\nmul.wide.s32 %d1, %r1, 4;\nadd.s64 %d2, %base, %d1;\n"
     "add.s64 %d3, %to, %d1;\nld.global.u32 %r2, [%d2];\nxor.b32 %r2, %r2, %y;\n"
     "st.global.u32 [%d3], %r2;",
     {20, 9},
     32,
     0},
    {"the last block is out of bounds",
     "ld.global.u32 %r1, [%in+57600];\nst.global.u32 [%at], %r1;",
     {64, 1},
     32,
     0},
    {"blocks that add up",
     "shr.u32 %r1, %me, 2;\nmul.wide.u32 %d1, %r1, 4;\nadd.s64 %d1, %to, %d1;\n"
     "ld.global.u32 %r2, [%d1];\nld.global.u32 %r3, [%in];\nadd.s32 %r2, %r2, %r3;\n"
     "st.global.u32 [%d1], %r2;",
     {70, 1},
     64,
     0},
    {"a tree of shared words",
     "ld.global.u32 %r1, [%in];\nst.shared.u32 [%s], %r1;\nbar.sync 0;\nmov.u32 %r2, 64;\n"
     "LOOP:\nsetp.ge.u32 %p0, %me, %r2;\n@%p0 bra NEXT;\nmad.lo.u32 %r3, %r2, 4, %s;\n"
     "ld.shared.u32 %r4, [%r3];\nld.shared.u32 %r5, [%s];\nadd.s32 %r4, %r4, %r5;\n"
     "st.shared.u32 [%s], %r4;\nNEXT:\nbar.sync 0;\nshr.u32 %r2, %r2, 1;\n"
     "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra LOOP;\nsetp.ne.u32 %p2, %me, 0;\n@%p2 bra END;\n"
     "ld.volatile.shared.u32 %r6, [box];\nmul.wide.u32 %d1, %x, 4;\nadd.s64 %d1, %to, %d1;\n"
     "st.global.u32 [%d1], %r6;",
     {100, 1},
     128,
     0},
    {"words of other warps",
     "ld.global.u32 %r1, [%in];\nst.shared.u32 [%s], %r1;\nsub.s32 %r2, 127, %me;\n"
     "mad.lo.u32 %r3, %r2, 4, %box;\nbar.sync 0;\nld.shared.u32 %r4, [%r3];\nbar.sync 0;\n"
     "add.s32 %r5, %r4, %x;\nst.shared.u32 [%s], %r5;\nbar.sync 0;\nld.shared.u32 %r6, [%r3];\n"
     "st.shared.u32 [%s+1024], %r6;\nbar.sync 0;\nld.shared.u32 %r7, [%r3+1024];\n"
     "st.global.u32 [%at], %r7;",
     {70, 1},
     128,
     0},
    {"words of other warps without a barrier",
     "ld.global.u32 %r1, [%in];\nst.shared.u32 [%s], %r1;\nsub.s32 %r2, 127, %me;\n"
     "mad.lo.u32 %r3, %r2, 4, %box;\nld.shared.u32 %r4, [%r3];\nst.shared.u32 [%s], %x;\n"
     "bar.sync 0;\nld.shared.u32 %r5, [%r3];\nxor.b32 %r5, %r5, %r4;\nst.global.u32 [%at], %r5;",
     {70, 1},
     128,
     0},
    {"a later warp reads what an earlier one writes",
     "ld.global.u32 %r1, [%in];\nst.global.u32 [%at], %r1;\nbar.sync 0;\nsub.s32 %r2, 127, %me;\n"
     "mul.wide.u32 %d1, %r2, 4;\nmul.wide.u32 %d2, %x, 512;\nadd.s64 %d1, %d1, %d2;\n"
     "add.s64 %d1, %to, %d1;\nand.b32 %r5, %me, 96;\nsetp.ne.u32 %p0, %r5, 64;\n@%p0 bra "
     "SHORT;\nadd.s32 %r1, %r1, %r1;\n"
     "add.s32 %r1, %r1, %r1;\nadd.s32 %r1, %r1, %r1;\nadd.s32 %r1, %r1, %r1;\nSHORT:\n"
     "ld.global.u32 %r3, [%d1];\nbar.sync 0;\nxor.b32 %r3, %r3, %r1;\nst.global.u32 [%at], %r3;",
     {70, 1},
     128,
     0},
    {"a register of data, and then a known one",
     "ld.global.u32 %r1, [%in];\nadd.s32 %r3, %r1, 1;\nmov.u32 %r1, %me;\n"
     "ld.global.u32 %r2, [%in+4];\nadd.s32 %r2, %r2, %r1;\nxor.b32 %r2, %r2, %r3;\n"
     "st.global.u32 [%at], %r2;",
     {70, 1},
     64,
     0},
    {"global words of other warps",
     "ld.global.u32 %r1, [%in];\nst.global.u32 [%at], %r1;\nbar.sync 0;\nsub.s32 %r2, 127, %me;\n"
     "mul.wide.u32 %d1, %r2, 4;\nmul.wide.u32 %d2, %x, 512;\nadd.s64 %d1, %d1, %d2;\n"
     "add.s64 %d1, %to, %d1;\nld.global.u32 %r3, [%d1];\nbar.sync 0;\nxor.b32 %r3, %r3, %x;\n"
     "st.global.u32 [%at], %r3;\nbar.sync 0;\nld.global.u32 %r4, [%d1];\nbar.sync 0;\n"
     "st.global.u32 [%at], %r4;",
     {70, 1},
     128,
     0},
    {"shared words that nothing wrote",
     "setp.lt.u32 %p0, %me, 7;\n@%p0 st.shared.u32 [%s+64], %id;\nbar.sync 0;\n"
     "ld.shared.u32 %r1, [%s+32];\nst.global.u32 [%at], %r1;",
     {60, 1},
     64,
     0},
    {"products that wrap",
     "mul.lo.u32 %r1, %x, 0x08000001;\nmul.wide.s32 %d1, %r1, 3;\ncvt.u32.u64 %r2, %d1;\n"
     "shr.u64 %d2, %d1, 32;\ncvt.u32.u64 %r3, %d2;\nxor.b32 %r2, %r2, %r3;\n"
     "cvt.rn.f32.u32 %f0, %r1;\nmov.b32 %r4, %f0;\nadd.s32 %r2, %r2, %r4;\n"
     "st.global.u32 [%at], %r2;",
     {90, 1},
     32,
     0},
    {"guards by data",
     "ld.global.u32 %r1, [%in];\nmov.u32 %r2, %me;\nand.b32 %r3, %r1, 1;\n"
     "setp.eq.u32 %p0, %r3, 0;\n@%p0 add.s32 %r2, %r2, %r1;\n@!%p0 mov.u32 %r2, %x;\n"
     "selp.b32 %r4, %r2, %id, %p0;\nst.global.u32 [%at], %r4;",
     {80, 1},
     64,
     0},
    {"a guard by data leaves known lanes",
     "ld.global.u32 %r1, [%in];\nsub.s32 %r2, %me, 7;\nmov.u32 %r5, %id;\nand.b32 %r3, %r1, 1;\n"
     "setp.eq.u32 %p0, %r3, 0;\n@%p0 add.s32 %r2, %r1, %r3;\n@!%p0 add.s32 %r5, %r1, %r3;\n"
     "shl.b32 %r5, %r5, 9;\nxor.b32 %r2, %r2, %r5;\nst.global.u32 [%at], %r2;",
     {80, 1},
     64,
     0},
    {"branches by data",
     "ld.global.u32 %r1, [%in];\nand.b32 %r3, %r1, 1;\nsetp.eq.u32 %p0, %r3, 0;\n@%p0 bra EVEN;\n"
     "add.s32 %r1, %r1, 7;\nEVEN:\nst.global.u32 [%at], %r1;",
     {80, 1},
     64,
     0},
    {"numbers that wrap at 64 bits",
     "ld.global.u32 %r1, [%in];\nmul.wide.u32 %d1, %x, 16;\nadd.s64 %d1, %d1, "
     "0x7FFFFFFFFFFFFE00;\nsetp.lt.s64 %p0, %d1, 0;\n@%p0 bra OTHER;\nadd.s32 %r1, %r1, %r1;\n"
     "OTHER:\nst.global.u32 [%at], %r1;",
     {70, 1},
     32,
     0},
    {"numbers that wrap at 32 bits",
     "ld.global.u32 %r1, [%in];\nmad.lo.s32 %r2, %x, 16, 0x7FFFFE00;\nsetp.lt.s32 %p0, %r2, 0;\n"
     "@%p0 bra OTHER;\nadd.s32 %r1, %r1, %r1;\nOTHER:\nst.global.u32 [%at], %r1;",
     {70, 1},
     32,
     0},
    {"one block goes another way",
     "setp.eq.u32 %p0, %x, 50;\nmov.u32 %r1, 3;\n@%p0 bra OTHER;\nld.global.u32 %r1, [%in];\n"
     "OTHER:\nst.global.u32 [%at], %r1;",
     {80, 1},
     32,
     0},
    {"rounds that differ from lane to lane",
     "and.b32 %r1, %me, 7;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\nLOOP:\nld.global.u32 %r4, [%in];\n"
     "add.s32 %r3, %r3, %r4;\nadd.s64 %in, %in, 4;\nadd.s32 %r2, %r2, 1;\n"
     "setp.le.u32 %p0, %r2, %r1;\n@%p0 bra LOOP;\nst.global.u32 [%at], %r3;",
     {64, 1},
     96,
     0},
    {"threads that are no whole warp",
     "ld.global.u32 %r1, [%in];\nmad.lo.s32 %r1, %r1, 3, %id;\nst.global.u32 [%at], %r1;",
     {70, 1},
     40,
     0},
    {"lanes that exit",
     "setp.gt.u32 %p0, %me, 40;\n@%p0 exit;\nld.global.u32 %r1, [%in];\n"
     "not.b32 %r1, %r1;\nst.global.u32 [%at], %r1;",
     {70, 1},
     64,
     0},
    {"vectors and bytes",
     "shl.b32 %r1, %me, 4;\ncvt.u64.u32 %d1, %r1;\nmul.wide.u32 %d2, %x, 512;\n"
     "add.s64 %d1, %d1, %d2;\nadd.s64 %d3, %base, %d1;\nadd.s64 %d4, %to, %d1;\n"
     "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d3];\nld.global.s8 %r6, [%d3+5];\n"
     "ld.global.v2.u64 {%d5, %d6}, [%d3];\nld.global.u16 %h0, [%d3+2];\ncvt.u32.u16 %r7, %h0;\n"
     "add.s32 %r2, %r2, %r6;\nxor.b32 %r3, %r3, %r7;\nst.global.v4.u32 [%d4], {%r5, %r4, %r3, "
     "%r2};\nst.global.u64 [%d4+8], %d6;\nst.global.u8 [%d4+1], %r7;",
     {64, 1},
     32,
     0},
    {"lanes that meet",
     "ld.global.u32 %r1, [%in];\nshfl.sync.up.b32 %r2|%p0, %r1, 3, 0, -1;\n"
     "selp.b32 %r2, %r2, 9, %p0;\nmov.u32 %r3, %me;\nshfl.sync.idx.b32 %r4, %r2, %r3, 0x181f, -1;\n"
     "shfl.sync.bfly.b32 %r5, %r4, %r1, 31, -1;\nand.b32 %r6, %r5, 1;\nsetp.eq.u32 %p1, %r6, 1;\n"
     "vote.sync.ballot.b32 %r7, %p1, -1;\nadd.s32 %r7, %r7, %r5;\nst.global.u32 [%at], %r7;",
     {64, 1},
     64,
     0},
    {"two rows that share bytes",
     "ld.global.u32 %r1, [%in];\nmov.b64 %d1, {%r1, %x};\nadd.s64 %d1, %d1, 77;\n"
     "mov.b64 {%r2, %r3}, %d1;\nmul.wide.u32 %d2, %r2, %r3;\ncvt.u32.u64 %r4, %d2;\n"
     "st.global.u32 [%at], %r4;",
     {64, 1},
     32,
     0},
    {"rows of other sectors in each block",
     "mul.lo.u32 %r1, %x, 20;\nadd.s32 %r1, %r1, %me;\nmul.wide.u32 %d1, %r1, 4;\n"
     "add.s64 %d2, %base, %d1;\nld.global.u32 %r2, [%d2];\nst.shared.u32 [%s], %r2;\n"
     "st.shared.u32 [%s+4], %r2;\nadd.s32 %r2, %r2, 3;\nst.global.u32 [%at], %r2;",
     {100, 1},
     32,
     0},
    {"neighbours of shared memory in two ways",
     "mad.lo.u32 %r1, %me, 16, %box;\nld.global.u32 %r2, [%in];\nst.shared.u32 [%r1], %r2;\n"
     "st.shared.u32 [%r1+4], %x;\nbar.sync 0;\nld.shared.u32 %r3, [%r1];\n"
     "ld.shared.u32 %r4, [%r1+4];\nadd.s32 %r3, %r3, %r4;\nst.global.u32 [%at], %r3;",
     {100, 1},
     64,
     0},
    {"an end in the middle",
     "ld.global.u32 %r1, [%in];\nst.global.u32 [%at], %r1;",
     {300, 1},
     32,
     2000},
    {"rows of one block",
     "mov.u32 %r1, %nctaid.y;\nmad.lo.s32 %r2, %y, %r1, %id;\nmul.wide.s32 %d1, %r2, 4;\n"
     "add.s64 %d1, %to, %d1;\nld.global.u32 %r3, [%in];\nst.global.u32 [%d1], %r3;",
     {60, 1},
     64,
     0},
    {"all lanes store what the first block has in all",
     "mul.lo.u32 %r1, %me, %x;\nst.shared.u32 [box], %r1;\nbar.sync 0;\n"
     "ld.shared.u32 %r2, [box];\nst.global.u32 [%at], %r2;",
     {60, 1},
     32,
     0},
    {"two lanes store what the first block has in both",
     "mul.lo.u32 %r1, %me, %x;\nsetp.eq.u32 %p0, %me, 3;\nsetp.eq.u32 %p1, %me, 9;\n"
     "@%p0 st.shared.u32 [box], %r1;\n@%p1 st.shared.u32 [box], %r1;\nbar.sync 0;\n"
     "ld.shared.u32 %r2, [box];\nst.global.u32 [%at], %r2;",
     {60, 1},
     32,
     0},
    {"two warps store what the first block has in both",
     "shr.u32 %r1, %me, 5;\nmul.lo.u32 %r1, %r1, %x;\nand.b32 %r2, %me, 31;\n"
     "mad.lo.u32 %r3, %r2, 4, %box;\nst.shared.u32 [%r3], %r1;\nbar.sync 0;\n"
     "ld.shared.u32 %r4, [%r3];\nst.global.u32 [%at], %r4;",
     {60, 1},
     64,
     0},
    {"blocks store words of the block behind",
     "mul.lo.u32 %r1, %x, 48;\nadd.s32 %r1, %r1, %me;\nmul.wide.u32 %d1, %r1, 4;\n"
     "add.s64 %d1, %to, %d1;\nld.global.u32 %r2, [%in];\nst.global.u32 [%d1], %r2;",
     {60, 1},
     64,
     0},
    {"two stores of different steps meet",
     "ld.global.u32 %r2, [%in];\nst.global.u32 [%at], %r2;\nmul.lo.u32 %r1, %x, 64;\n"
     "add.s32 %r1, %r1, %me;\nmul.wide.u32 %d1, %r1, 4;\nadd.s64 %d1, %to, %d1;\n"
     "st.global.u32 [%d1+3200], %r2;",
     {50, 1},
     32,
     0},
    {"warps store words of each other",
     "ld.global.u32 %r1, [%in];\nst.global.u32 [%at], %r1;\nxor.b32 %r2, %id, 32;\n"
     "mul.wide.u32 %d1, %r2, 4;\nadd.s64 %d1, %to, %d1;\nst.global.u32 [%d1], %r2;",
     {60, 1},
     64,
     0},
    {"words that the block before stores",
     "ld.global.u32 %r1, [%at+128];\nadd.s32 %r1, %r1, 1;\nst.global.u32 [%at], %r1;",
     {60, 1},
     32,
     0},
    {"words that nothing stored",
     "ld.global.u32 %r1, [%at+8192];\nst.global.u32 [%at], %r1;",
     {60, 1},
     32,
     0},
    {"half of the words",
     "shl.b32 %r1, %id, 1;\nmul.wide.u32 %d1, %r1, 4;\nadd.s64 %d1, %to, %d1;\n"
     "ld.global.u32 %r2, [%in];\nst.global.u32 [%d1], %r2;",
     {60, 1},
     64,
     0},
    {"a shared word without a barrier",
     "ld.global.u32 %r1, [%in];\nst.shared.u32 [%s], %r1;\nxor.b32 %r2, %me, 32;\n"
     "mad.lo.u32 %r3, %r2, 4, %box;\nld.shared.u32 %r4, [%r3];\nst.global.u32 [%at], %r4;",
     {60, 1},
     64,
     0},
    {"a register that nothing wrote",
     "ld.global.u32 %r1, [%in];\nadd.s32 %r1, %r1, %r9;\nst.global.u32 [%at], %r1;",
     {60, 1},
     32,
     0},
    {"bits that nothing wrote, which the first block masks",
     "ld.shared.u32 %r1, [box+1024];\nand.b32 %r2, %r1, %x;\nst.global.u32 [%at], %r2;",
     {60, 1},
     32,
     0},
    {"the last block stores words of another one",
     "ld.global.u32 %r1, [%in];\nsetp.eq.u32 %p0, %x, 59;\n@%p0 bra LAST;\n"
     "st.global.u32 [%at], %r1;\nbra END;\nLAST:\nmul.wide.u32 %d1, %me, 4;\n"
     "add.s64 %d1, %to, %d1;\nst.global.u32 [%d1+384], %r1;",
     {60, 1},
     32,
     0},
    {"lanes meet right behind a load of what nothing wrote",
     "setp.lt.u32 %p0, %me, 10;\n@%p0 bra MEET;\nld.shared.u32 %r1, [box+1024];\nMEET:\n"
     "add.s32 %r2, %me, 1;\nst.global.u32 [%at], %r2;",
     {60, 1},
     32,
     0},
    {"the last block of each row stores words of another one",
     "mul.lo.u32 %r1, %y, 20;\nadd.s32 %r2, %r1, %x;\nsetp.eq.u32 %p0, %x, 19;\n"
     "@%p0 add.s32 %r2, %r1, 3;\nmad.lo.u32 %r2, %r2, 32, %me;\nmul.wide.u32 %d1, %r2, 4;\n"
     "add.s64 %d1, %to, %d1;\n@%p0 bra LAST;\nld.global.u32 %r3, [%in];\n"
     "st.global.u32 [%d1], %r3;\nbra END;\nLAST:\nst.global.u32 [%d1], %x;",
     {20, 9},
     32,
     0},
    {"it stores what they have",
     "mul.lo.u32 %r1, %y, 20;\nadd.s32 %r2, %r1, %x;\nsetp.eq.u32 %p0, %x, 19;\n"
     "@%p0 add.s32 %r2, %r1, 21;\nmad.lo.u32 %r2, %r2, 32, %me;\nmul.wide.u32 %d1, %r2, 4;\n"
     "add.s64 %d1, %to, %d1;\n@%p0 bra LAST;\nmov.u32 %r4, 7;\nst.global.u32 [%d1], %r4;\n"
     "bra END;\nLAST:\nld.global.u32 %r5, [%base];\nmin.u32 %r5, %r5, 0;\n"
     "add.s32 %r5, %r5, 7;\nst.global.u32 [%d1], %r5;",
     {20, 9},
     32,
     0},
    {"bytes of one word",
     "cvt.u64.u32 %d1, %id;\nadd.s64 %d1, %to, %d1;\nst.global.u8 [%d1], %me;",
     {60, 1},
     33,
     0},
};

struct outcome {
    uint32_t words[WORDS];
    struct wsim_totals totals;
    uint64_t lines;
    char findings[4096];
};

/* Reads all words of the output. */
static const char reader[] =
    ".visible .entry look(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<4>;\n"
    ".reg .b64 %d<4>;\nld.param.u64 %d0, [in];\nld.param.u64 %d1, [out];\n"
    "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %tid.x;\nmad.lo.u32 %r0, %r0, 256, %r1;\n"
    "mul.wide.u32 %d2, %r0, 4;\nadd.s64 %d0, %d0, %d2;\nadd.s64 %d1, %d1, %d2;\n"
    "ld.global.u32 %r2, [%d1];\nst.global.u32 [%d0], %r2;\nret;\n}\n";

/* Findings without addresses of the host. */
static void keep_findings(const struct wsim_report *report, struct outcome *out) {
    struct wsim_finding f;
    size_t used = strlen(out->findings);
    for (size_t i = 0; wsim_report_finding(report, i, &f) && used < sizeof out->findings; i++)
        used += (size_t)snprintf(
            out->findings + used, sizeof out->findings - used,
            "%s %u %u block %u thread %u: %u times, %u addresses, %u blocks, %u warps: %.200s\n",
            f.rule, f.ptx_line, f.other_ptx_line, f.block[0], f.thread[0], (unsigned)f.count,
            f.addresses, f.blocks, f.warps, strstr(f.text, "0x") ? "" : f.text);
}

static void run(const struct sample *sample, uint32_t flags, uint32_t threads, uint32_t checks,
                uint8_t counts, struct outcome *out) {
    char text[1 << 13];
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_line line;
    struct wsim_diag diag;
    uint64_t at[2];
    struct wsim_launch launch = {.grid = {sample->grid[0], sample->grid[1]},
                                 .block = {sample->block},
                                 .params = at,
                                 .param_bytes = sizeof at,
                                 .name = "k",
                                 .threads = threads,
                                 .count = counts,
                                 .checks = checks,
                                 .max_instructions = sample->most};
    memset(out, 0, sizeof *out);
    snprintf(text, sizeof text, "%s%s%s%s", HEAD, sample->body, TAIL, reader);
    ck_assert_msg(!wsim_module_load(text, strlen(text), flags, &module, &diag), "%s: %u: %s",
                  sample->name, diag.line, diag.text);
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    for (uint32_t i = 0; i < WORDS; i++)
        out->words[i] = i * 0x9E3779B9u >> 7;
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(
            wsim_device_alloc(device, i ? "out" : "in", sizeof out->words, 256, &at[i], NULL),
            WSIM_OK);
        if (!i || !checks) /* else the kernel initialises the output */
            ck_assert_int_eq(wsim_device_write(device, at[i], out->words, sizeof out->words, NULL),
                             WSIM_OK);
    }
    (void)wsim_launch_run(device, module, &launch, &report, &diag);
    wsim_report_totals(report, &out->totals);
    out->totals.host_threads = 0;
    for (size_t i = 0; wsim_report_line(report, i, &line); i++) {
        const uint64_t numbers[] = {line.ptx_line,
                                    line.executed,
                                    line.threads,
                                    line.shared.accesses,
                                    line.shared.wavefronts,
                                    line.shared.ideal,
                                    line.shared.conflicts,
                                    line.written.accesses,
                                    line.written.wavefronts,
                                    line.written.ideal,
                                    line.written.conflicts,
                                    line.merged,
                                    line.uncounted,
                                    line.requests,
                                    line.sectors,
                                    line.sectors_ideal,
                                    line.lines};
        for (size_t k = 0; k < COUNT(numbers); k++)
            out->lines = (out->lines ^ numbers[k]) * UINT64_C(0x9E3779B97F4A7C15) >> 3;
    }
    keep_findings(report, out);
    ck_assert_int_eq(wsim_device_read(device, at[1], out->words, sizeof out->words, NULL), WSIM_OK);
    wsim_report_free(report);
    launch = (struct wsim_launch){.name = "look",
                                  .grid = {WORDS / 256},
                                  .block = {256},
                                  .params = at,
                                  .param_bytes = sizeof at,
                                  .checks = checks};
    (void)wsim_launch_run(device, module, &launch, &report, &diag);
    keep_findings(report, out);
    wsim_report_free(report);
    wsim_module_free(module);
    wsim_device_free(device);
}

static void compare(const struct sample *sample, uint32_t checks, uint8_t counts) {
    static struct outcome judge, played;
    run(sample, WSIM_MODULE_ONE_BY_ONE, 1, checks, counts, &judge);
    run(sample, 0, 1, checks, counts, &played);
    for (uint32_t i = 0; i < WORDS; i++)
        ck_assert_msg(judge.words[i] == played.words[i], "%s: word %u: 0x%x, not 0x%x",
                      sample->name, i, played.words[i], judge.words[i]);
    ck_assert_msg(!memcmp(&judge.totals, &played.totals, sizeof judge.totals), "%s: totals",
                  sample->name);
    ck_assert_msg(judge.lines == played.lines, "%s: counts of lines", sample->name);
    ck_assert_str_eq(judge.findings, played.findings);
}

START_TEST(blocks_are_played) {
    compare(&samples[_i], 0, 0);
    compare(&samples[_i], 0, 1);
}
END_TEST

/* Checks miss the blocks that are played, and find what they would find. */
START_TEST(checks_miss_nothing) {
    compare(&samples[_i], WSIM_CHECK_ALL, 0);
    compare(&samples[_i], WSIM_CHECK_ALL, 1);
    compare(&samples[_i], WSIM_CHECK_RACE, 1);
    compare(&samples[_i], WSIM_CHECK_INIT, 0);
}
END_TEST

/* Two addresses that share bytes: a warp writes them at one, others read them at the other. */
START_TEST(buffers_share_bytes) {
    static const char body[] =
        "ld.global.u32 %r1, [%at];\nand.b32 %r5, %me, 96;\nsetp.ne.u32 %p0, %r5, 64;\n"
        "@%p0 bra SHORT;\nadd.s32 %r1, %r1, %r1;\nadd.s32 %r1, %r1, %r1;\n"
        "add.s32 %r1, %r1, %r1;\nadd.s32 %r1, %r1, %r1;\nSHORT:\nbar.sync 0;\n"
        "st.global.u32 [%at], %r1;\nbar.sync 0;\nxor.b32 %r2, %me, 96;\n"
        "mad.lo.u32 %r2, %x, 128, %r2;\nmul.wide.u32 %d1, %r2, 4;\nadd.s64 %d2, %base, "
        "%d1;\nld.global.u32 %r3, [%d2];\n"
        "add.s32 %r3, %r3, 1;\nst.global.u32 [%at+32768], %r3;";
    static uint32_t outputs[2][WORDS];
    char text[1 << 13];
    for (unsigned i = 0; i < 2; i++) {
        struct wsim_module *module;
        struct wsim_device *device;
        struct wsim_report *report;
        struct wsim_diag diag;
        uint64_t at[2] = {APART_BASE, 2 * APART_BASE};
        const struct wsim_launch launch = {
            .grid = {60}, .block = {128}, .params = at, .param_bytes = sizeof at, .threads = 1};
        for (uint32_t k = 0; k < WORDS; k++)
            outputs[i][k] = k;
        snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
        ck_assert_int_eq(
            wsim_module_load(text, strlen(text), i ? 0 : WSIM_MODULE_ONE_BY_ONE, &module, &diag),
            WSIM_OK);
        ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
        for (unsigned k = 0; k < 2; k++)
            ck_assert_int_eq(wsim_device_place_at(device, k ? "b" : "a", at[k], outputs[i],
                                                  sizeof outputs[i], 0, NULL),
                             WSIM_OK);
        ck_assert_int_eq(wsim_launch_run(device, module, &launch, &report, &diag), WSIM_OK);
        wsim_report_free(report);
        wsim_module_free(module);
        wsim_device_free(device);
    }
    ck_assert_mem_eq(outputs[0], outputs[1], sizeof outputs[0]);
}
END_TEST

/* Each thread of the host records its own block. */
START_TEST(two_threads_play) {
    static struct outcome judge, played;
    const struct sample *sample = &samples[_i / 2];
    run(sample, WSIM_MODULE_ONE_BY_ONE, 1, 0, _i % 2, &judge);
    run(sample, 0, 2, 0, _i % 2, &played);
    if (judge.findings[0] || !strcmp(sample->name, "blocks that add up"))
        return; /* the order of blocks is open */
    ck_assert_msg(!memcmp(judge.words, played.words, sizeof judge.words), "%s", sample->name);
    ck_assert_msg(judge.lines == played.lines, "%s: counts of lines", sample->name);
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("tape");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, blocks_are_played, 0, COUNT(samples));
    tcase_add_loop_test(tcase, checks_miss_nothing, 0, COUNT(samples));
    tcase_add_loop_test(tcase, two_threads_play, 0, 2 * COUNT(samples));
    tcase_add_test(tcase, buffers_share_bytes);
    return run_case("tapes", tcase);
}
