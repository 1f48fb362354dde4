/* launched.h - kernels in a few lines of PTX, and their results. */
#ifndef TESTS_UNIT_RUN_LAUNCHED_H
#define TESTS_UNIT_RUN_LAUNCHED_H

#include "../../run.h"

#include <stdint.h>
#include <string.h>
#include <wsim/kernel.h>
#include <wsim/look.h>

#define WORDS 4096

/* A kernel `k` of two pointers. %r0 is the thread in its block, %r1 in the grid, %d0 the input, %d1
 * the output. %r2 is the thread's word of the input, %r3 its word of the output. Then r4 ..., d4
 * ... and p0 ... are free, and there are 1024 bytes of shared memory `box`. */
#define HEAD HEAD_OF("sm_90a")
#define HEAD_OF(target) HEAD_WITH(target, "")
#define HEAD_WITH(target, directives)                                                              \
    ".version 8.7\n.target " target "\n.address_size 64\n"                                         \
    ".visible .entry k(.param .u64 in, .param .u64 out) " directives "\n{\n"                       \
    ".reg .b32 %r<64>;\n.reg .b64 %d<32>;\n.reg .pred %p<16>;\n.reg .f32 %f<8>;\n"                 \
    ".shared .align 16 .b8 box[1024];\n"                                                           \
    "ld.param.u64 %d0, [in];\nld.param.u64 %d1, [out];\n"                                          \
    "mov.u32 %r0, %tid.x;\nmov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %ntid.x;\n"                        \
    "mad.lo.u32 %r1, %r4, %r5, %r0;\nmul.wide.u32 %d2, %r1, 4;\n"                                  \
    "add.u64 %d3, %d0, %d2;\nld.global.u32 %r2, [%d3];\nmov.u32 %r3, 0;\n"
#define TAIL "\nadd.u64 %d3, %d1, %d2;\nst.global.u32 [%d3], %r3;\nret;\n}\n"
#define KERNEL(body) HEAD body TAIL

/* The input and output of a launch. */
struct launched {
    uint32_t grid, block, cluster;
    uint32_t grid_y, grid_z, cluster_y; /* 0: 1 */
    uint32_t checks;
    uint8_t async;
    uint64_t seed;
    const char *arch; /* NULL: sm_90a */
    uint32_t threads; /* of the host; 0: one */
    const struct wsim_watch *watch;
    const struct wsim_look *look;
    uint8_t blank; /* the output is uninitialised before */
    uint32_t in[WORDS];

    uint32_t out[WORDS];
    enum wsim_status status;
    struct wsim_diag diag;
    char rule[64], text[512];      /* of the first finding */
    uint32_t line, other;          /* of it                */
    size_t findings, lack_atomics; /* those that an atomic operation repairs */
    uint64_t blocks;               /* that began */
    uint64_t counted;              /* as the totals do: without advice */
    uint64_t races; /* a digest of all findings of races: rules, lines, words, counts */
};

/* Runs it. Anything but a kernel that is read and launched fails the test. */
void launch(struct launched *launched, const char *ptx);

/* The same, and it ended well and nothing was found. */
void launch_good(struct launched *launched, const char *ptx);

/* The same, and it ended with this rule and these words. */
void launch_refused(struct launched *launched, const char *ptx, const char *rule,
                    const char *words);

/* The first problem of a kernel that cannot be launched. */
void launch_problem(const char *ptx, const char *words);

/* The next random number of a test; *state is not 0. */
static inline uint32_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state * UINT64_C(0x2545F4914F6CDD1D) >> 32);
}

/* The line of the text that has `word`. */
static inline uint32_t line_of(const char *ptx, const char *word) {
    const char *end = strstr(ptx, word);
    uint32_t line = 1;
    ck_assert_ptr_nonnull(end);
    for (const char *at = ptx; at < end; at++)
        line += *at == '\n';
    return line;
}

#endif
