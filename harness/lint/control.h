/* control.h - comments that switch lint off: "wsim-lint: off" and its relatives. */
#ifndef WSIM_LINT_CONTROL_H
#define WSIM_LINT_CONTROL_H

#include "finding.h"

struct lint_control;

struct lint_controls {
    const char *bytes; /* of the file, with a 0 at the end */
    struct lint_control *all;
    size_t n, room;
};

/* The control comments of a file. A wrong one is a finding. Free them. */
struct lint_controls lint_controls_of(const char *bytes, struct lint_findings *findings);
void lint_controls_free(struct lint_controls *controls);

/* Whether they switch the finding off. */
int lint_controls_drop(const struct lint_controls *controls, const struct lint_finding *finding);

#endif
