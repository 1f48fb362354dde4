/* access_line.h - which accesses are counted, and a pattern of one as a line of text. */
#ifndef HW_ACCESS_LINE_H
#define HW_ACCESS_LINE_H

#include <wsim/wsim.h>

#include <stdio.h>

/* One access: a case of a trace without what it expects. */
struct hw_pattern {
    struct wsim_op op;
    uint32_t addr[WSIM_LANES], mask;
    uint32_t size, warm, src[WSIM_LANES]; /* of a copy; others: 0 */
    uint32_t stride;                      /* of a fragment; others: 0 */
};

/* Nonzero if the bank model counts `op`: 1, or for a copy the sum of its counted sizes (4, 8,
 * 16). */
unsigned hw_access_sizes(const struct wsim_op *op);

/* Whether it moves a fragment of wmma. */
int hw_access_is_fragment(const struct wsim_op *op);

/* Bits of an element of it, and the bytes that its lines take with that stride. */
unsigned hw_fragment_bits(const struct wsim_op *op);
uint64_t hw_fragment_bytes(const struct wsim_op *op, uint32_t stride);

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
 * copy has `size`, and perhaps `src` and `lines`, a fragment `stride`. NULL, or what is wrong with
 * it. */
const char *hw_pattern_read(const char *line, struct hw_pattern *pattern);

/* Whether it can be launched on `arch`: the model counts it, and it stays in the window. NULL, or
 * why not (in *diag). */
const char *hw_pattern_check(const struct hw_pattern *pattern, const struct wsim_arch *arch,
                             struct wsim_diag *diag);

/* Writes such a line. */
void hw_pattern_print(FILE *file, const struct hw_pattern *pattern);

#endif
