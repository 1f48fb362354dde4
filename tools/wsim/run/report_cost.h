/* report_cost.h - what the lines of a launch cost. */
#ifndef WSIM_RUN_REPORT_COST_H
#define WSIM_RUN_REPORT_COST_H

#include "report.h"

/* What the instructions of a line of the source cost together; without sources a line of the PTX.
 */
struct report_cost {
    struct wsim_line line; /* the first of them, with the sums */
    unsigned opcodes;
};

/* The costs of a launch, by file and line; to be freed. */
struct report_cost *report_costs(const struct wsim_report *report, size_t *count);

/* For qsort: what a line costs beyond what its bytes need; then what it costs at all. */
int report_by_cost(const void *a, const void *b);

/* "transposes.cu:57", or the line of the PTX. */
void report_place(const struct run_report *report, const char *file, uint32_t line,
                  const char *ptx_file, uint32_t ptx_line, char *out, size_t room);

#endif
