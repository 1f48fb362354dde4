/* kernel.h - small kernels of tests: text in, words of one buffer out. */
#ifndef TESTS_UNIT_RUN_KERNEL_H
#define TESTS_UNIT_RUN_KERNEL_H

#include "../../every.h"

#include <wsim/kernel.h>

#define KERNEL_HEAD ".version 9.0\n.target sm_90a\n.address_size 64\n"

/* A kernel k(.param .u64 data) with registers of every kind. %rd0 is the address of the buffer, %r0
 * the number of the thread in its block. */
#define KERNEL(body)                                                                               \
    KERNEL_HEAD ".visible .entry k(.param .u64 data)\n{\n" KERNEL_REGISTERS                        \
                "ld.param.u64 %rd0, [data];\nmov.u32 %r0, %tid.x;\n" body "\nret;\n}\n"
#define KERNEL_REGISTERS                                                                           \
    ".reg .pred %p<10>;\n.reg .b16 %h<10>;\n.reg .b32 %r<30>;\n.reg .b64 %rd<30>;\n"               \
    ".reg .f32 %f<10>;\n.reg .f64 %fd<10>;\n"
/* Word `index` of the buffer, a register, is that register. */
#define STORE_AT(index, value)                                                                     \
    "mul.wide.u32 %rd29, " index ", 4;\nadd.s64 %rd29, %rd29, %rd0;\n"                             \
    "st.global.u32 [%rd29], " value ";\n"

#define KERNEL_WORDS 1024

/* A kernel and its results. */
struct kernel {
    const char *text;
    const char *arch; /* NULL: sm_90a                      */
    uint32_t flags;   /* of wsim_module_load               */
    struct wsim_launch launch;
    uint32_t words[KERNEL_WORDS]; /* of the buffer: before, and after */
    enum wsim_status status;
    struct wsim_diag diag;
    struct wsim_totals totals;
    char output[4096], rule[64]; /* printed; of the first finding     */
    uint64_t executed[256];      /* by line of the text               */
};

/* Runs it with `blocks` blocks of `threads` threads, on one host thread unless kernel->launch
 * says otherwise. The test fails if the text is invalid. */
void kernel_run(struct kernel *kernel, uint32_t blocks, uint32_t threads);

/* The same, and the test fails if it does not end well. */
void kernel_good(struct kernel *kernel, uint32_t blocks, uint32_t threads);

/* How often the line with `word` was executed by a warp. */
uint64_t kernel_executed(const struct kernel *kernel, const char *word);

#endif
