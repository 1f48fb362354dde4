/* minimize.h - which blocks of a launch it takes for what was found, or for what differs. */
#ifndef WSIM_RUN_MINIMIZE_H
#define WSIM_RUN_MINIMIZE_H

#include "report.h"

/* Runs the launches of a report that found something again, on a machine of its own, with fewer and
 * fewer blocks as long as the first finding, or else the first element that differs, stays the
 * same, and writes what is left into report->minimized. TOOL_GO, or a status after saying why it
 * cannot. */
int minimize(struct run_report *report);

#endif
