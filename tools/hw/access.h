/* access.h - one shared-memory access a launch, for a profiler to count: its pattern as a line of
 * text, the kernels, the launch. C and CUDA. */
#ifndef HW_ACCESS_H
#define HW_ACCESS_H

#include "hardware.h"

#include <wsim/wsim.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a launch reads, in rows of 32 words, a word for each lane; everything comes from memory, so
 * that no assembler can know it. An access happens `turns` times (0 or 1) under the predicate. */
enum hw_access_row {
    HW_ROW_ADDRESS, /* byte offset into the window                         */
    HW_ROW_PREDICATE,
    HW_ROW_TURNS,
    HW_ROW_VALUE, /* what stores and atomics are given: two values of 128 bits */
    HW_ACCESS_ROWS = HW_ROW_VALUE + 8
};

/* And what it leaves: where the window lies in shared memory, then the result. */
enum hw_result_row { HW_ROW_WINDOW, HW_ROW_RESULT, HW_RESULT_ROWS = HW_ROW_RESULT + 4 };

enum { HW_ACCESS_WINDOW = 1 << 15 };

/* The kernels, in the order of the tables; printed by generate_access.c. The symbol of each is its
 * spelling with _ for . and : (hw_access_symbol). */
extern const struct hw_kernel hw_accesses[];
extern const size_t hw_access_count;

/* One warp, one launch, waited for. `in` has HW_ACCESS_ROWS rows, `out` HW_RESULT_ROWS. NULL, or
 * what went wrong. */
const char *hw_access_launch(const struct hw_kernel *kernel, const uint32_t *in, uint32_t *out);

/* One access: a case of a trace without what it expects. */
struct hw_pattern {
    struct wsim_op op;
    uint32_t addr[WSIM_LANES], mask;
};

/* Whether `op` is an access of shared memory that the bank model counts. */
int hw_access_covers(const struct wsim_op *op);

void hw_access_symbol(const char *spelling, char symbol[WSIM_SPELLING_MAX]);

/* Reads a line `spelling<tab>addr=...<tab>mask=...` (expectations may follow, and are dropped).
 * NULL, or what is wrong with it. */
const char *hw_pattern_read(const char *line, struct hw_pattern *pattern);

/* Whether it can be launched on `arch`: the model counts it, and it stays in the window. NULL, or
 * why not (in *diag). */
const char *hw_pattern_check(const struct hw_pattern *pattern, const struct wsim_arch *arch,
                             struct wsim_diag *diag);

/* Writes `count` patterns for each kind of access that is legal on `arch` and whose spelling
 * matches: lines that hw_pattern_read reads, each after a comment that names it, the same every
 * time for one seed. Returns how many kinds there were. */
unsigned hw_patterns_print(FILE *file, const struct wsim_arch *arch, const char *filter,
                           uint64_t count, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
