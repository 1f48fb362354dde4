/* group_cases.h - operands of a warpgroup, from a seed and nothing else: cases.h for matrices that
 * are found by descriptors. */
#ifndef ORACLE_GROUP_CASES_H
#define ORACLE_GROUP_CASES_H

#include "cases.h"
#include "group.h"

enum { GROUP_BASE = 3072, GROUP_WINDOW = 98304 };

/* `io` points into it, io.d is for the caller to set. Where descriptors let elements lie over each
 * other, the last one written is there. */
struct group_case {
    struct wsim_group_regs a, c;
    uint32_t e[WSIM_GROUP_THREADS];
    uint8_t smem[GROUP_WINDOW];
    struct wsim_wgmma io;
};

void group_cases_fill(const struct oracle_op *op, enum cases_kind kind, uint64_t seed,
                      struct group_case *out);

#endif
