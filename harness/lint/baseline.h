/* baseline.h - findings of one file that a baseline has. */
#ifndef WSIM_LINT_BASELINE_H
#define WSIM_LINT_BASELINE_H

#include "text.h"

#include <stdint.h>
#include <wsim/harness/lint.h>

struct lint_known {
    const struct wsim_lint_baseline *baseline;
    size_t first, n; /* its entries of the file */
    uint8_t *taken;  /* entries that had a finding; an entry covers one */
};

struct lint_known lint_known_of(struct lint_heap *heap, const struct wsim_lint_baseline *baseline,
                                const char *file);

/* Whether an entry covers the finding. */
int lint_known_take(struct lint_known *known, const struct wsim_lint_finding *finding);
void lint_known_free(struct lint_known *known);

#endif
