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

/* The control comments of a file. A wrong one is a finding; findings NULL: nothing. Free them. */
struct lint_controls lint_controls_of(const char *bytes, struct lint_heap *heap,
                                      struct lint_findings *findings);
void lint_controls_free(struct lint_controls *controls);

/* The comment that switches a rule off for a statement; NULL: none does. */
const struct lint_control *lint_controls_off(const struct lint_controls *controls, const char *rule,
                                             struct lint_span statement);

/* The text of a comment after "--". */
struct lint_span lint_control_reason(const char *bytes, const struct lint_control *control);

/* A line with its end, by its number from 1 on; n is 0 if it is not there. */
struct lint_span lint_line_of(const char *bytes, uint32_t line);

#endif
