/* suppress.h - entries RULE[@PLACE[:LINE]] of findings to leave out. */
#ifndef WSIM_LINT_SUPPRESS_H
#define WSIM_LINT_SUPPRESS_H

#include <wsim/harness/suppress.h>

/* Refuses what is no entry, and a rule that is not there. */
enum wsim_status suppress_check(const char *entry, struct wsim_diag *diag);

/* Whether an entry that suppress_check accepts leaves the finding out. */
int suppress_fits(const char *entry, const struct wsim_suppress_finding *finding);

#endif
