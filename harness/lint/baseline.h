/* baseline.h - findings that a baseline has. */
#ifndef WSIM_LINT_BASELINE_H
#define WSIM_LINT_BASELINE_H

#include "text.h"

#include <stdint.h>
#include <wsim/harness/lint.h>

struct lint_known {
    const struct wsim_lint_baseline *baseline;
    uint64_t *taken; /* for each entry: the place of its finding; 0: it had none */
    size_t used;
};

/* `baseline` may be NULL. */
struct lint_known lint_known_of(struct lint_heap *heap, const struct wsim_lint_baseline *baseline);

/* Whether an entry covers a finding. An entry covers one place, a number other than 0. */
int lint_known_take(struct lint_known *known, const char *file, const char *rule,
                    uint64_t fingerprint, uint64_t place);
void lint_known_free(struct lint_known *known);

#endif
