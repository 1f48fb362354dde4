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
 * that no assembler can know it. */
enum hw_access_row {
    HW_ROW_ADDRESS,   /* byte offset into the window                         */
    HW_ROW_PREDICATE, /* not for matrix moves                             */
    HW_ROW_TURNS,     /* 0 or 1: ld st atom red happen so often           */
    HW_ROW_SOURCE,    /* of a copy: byte offset into the source       */
    HW_ROW_WARM,      /* not 0: the source is read into the L1 cache first */
    HW_ROW_VALUE,     /* what stores and atomics are given: two values of 128 bits */
    HW_ACCESS_ROWS = HW_ROW_VALUE + 8
};

/* And what it leaves: where the window lies in shared memory, then the result. */
enum hw_result_row { HW_ROW_WINDOW, HW_ROW_RESULT, HW_RESULT_ROWS = HW_ROW_RESULT + 4 };

/* The window in shared memory, and the source of copies at a multiple of its size. */
enum { HW_ACCESS_WINDOW = 1 << 15, HW_ACCESS_SOURCE = 1 << 23 };

/* The kernels, in the order of the tables; printed by generate_access.c. The selector of a copy is
 * its size. The symbol of each is its spelling with _ for . and :, of a copy with _ and its size
 * behind (hw_access_symbol). */
extern const struct hw_kernel hw_accesses[];
extern const size_t hw_access_count;

/* One warp, one launch, waited for. `in` has HW_ACCESS_ROWS rows, `out` HW_RESULT_ROWS. NULL, or
 * what went wrong. */
const char *hw_access_launch(const struct hw_kernel *kernel, const uint32_t *in, uint32_t *out);

/* One access: a case of a trace without what it expects. */
struct hw_pattern {
    struct wsim_op op;
    uint32_t addr[WSIM_LANES], mask;
    uint32_t size, warm, src[WSIM_LANES]; /* of a copy; others: 0 */
};

/* Whether `op` is an access of shared memory that the bank model counts: the sum of the sizes of a
 * copy (4, 8, 16) that it counts, 1 for any other access, 0 if it counts none. */
unsigned hw_access_sizes(const struct wsim_op *op);

/* The next access of the tables, a copy once for each of its sizes; 0 when there are no more.
 * Starts with zeros. */
struct hw_access {
    struct wsim_op op;
    unsigned size; /* of a copy, else 0 */
    unsigned left; /* sum of the sizes that come next, before the next operation */
    uint32_t cursor;
};
int hw_access_next(struct hw_access *access);

/* `size`: of a copy, else 0. */
void hw_access_symbol(const char *spelling, unsigned size, char symbol[WSIM_SPELLING_MAX]);

/* Reads a line `spelling<tab>addr=...<tab>mask=...` (expectations may follow, and are dropped); a
 * copy has `size`, and perhaps `src` and `lines`. NULL, or what is wrong with it. */
const char *hw_pattern_read(const char *line, struct hw_pattern *pattern);

/* Whether it can be launched on `arch`: the model counts it, and it stays in the window. NULL, or
 * why not (in *diag). */
const char *hw_pattern_check(const struct hw_pattern *pattern, const struct wsim_arch *arch,
                             struct wsim_diag *diag);

/* Writes such a line. */
void hw_pattern_print(FILE *file, const struct hw_pattern *pattern);

#ifdef __cplusplus
}
#endif
#endif
