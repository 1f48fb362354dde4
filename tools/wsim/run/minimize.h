/* minimize.h - the blocks of a launch that a finding or a difference needs. */
#ifndef WSIM_RUN_MINIMIZE_H
#define WSIM_RUN_MINIMIZE_H

#include "report.h"

/* Repeats the launches of a report with fewer and fewer blocks. The first finding stays the same,
 * or else the first element that differs. The remaining blocks go to report->minimized. TOOL_GO, or
 * a status after an error message. */
int minimize(struct run_report *report);

#endif
