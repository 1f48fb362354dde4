/* again.h - the same launches once more, in other orders: with other seeds, with copies that
 * complete late. What they leave is what it was, or the kernel depends on what it may not.
 */
#ifndef WSIM_RUN_AGAIN_H
#define WSIM_RUN_AGAIN_H

#include "report.h"

/* Runs the launches of a report on machines of their own: with `seeds` seeds, its own and those
 * that follow it, and where `both` is set each with copies that complete early and late. Writes
 * what differs from the first run, and what is found that was not, into report->agains. TOOL_GO, or
 * a status after saying why it cannot. */
int again_run(struct run_report *report, uint32_t seeds, int both);
void again_close(struct run_report *report);

#endif
