/* again.h - the same launches in other orders: other seeds, copies that complete late. Different
 * results show that the kernel depends on an order.
 */
#ifndef WSIM_RUN_AGAIN_H
#define WSIM_RUN_AGAIN_H

#include "report.h"

/* Repeats the launches of a report with `seeds` consecutive seeds. If `both` is set, copies
 * complete early and late with each seed. Differences from the first run and new findings go to
 * report->agains. TOOL_GO, or a status after an error message. */
int again_run(struct run_report *report, uint32_t seeds, int both);
void again_close(struct run_report *report);

#endif
