/* report_cost.h - costs of the lines of a launch. */
#ifndef WSIM_RUN_REPORT_COST_H
#define WSIM_RUN_REPORT_COST_H

#include "report.h"

/* The cost of a source line: the sum of its instructions; without sources that of a line of PTX.
 */
struct report_cost {
    struct wsim_line line; /* the first instruction, with the sums */
    unsigned opcodes;
};

/* The costs of a launch, by file and line; to be freed. */
struct report_cost *report_costs(const struct wsim_report *report, size_t *count);

/* The order of worst.h. */
int report_by_cost(const void *a, const void *b);

/* "transposes.cu:57", or the line of the PTX. */
void report_place(const struct run_report *report, const char *file, uint32_t line,
                  const char *ptx_file, uint32_t ptx_line, char *out, size_t room);

#endif
