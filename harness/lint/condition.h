/* condition.h - the conditions of the preprocessor that depend on the target. */
#ifndef WSIM_LINT_CONDITION_H
#define WSIM_LINT_CONDITION_H

#include <stddef.h>

/* Without a target, a condition on it holds for some: TRUTH_TARGET. A condition on other macros is
 * unknown. */
enum lint_truth { TRUTH_NO, TRUTH_YES, TRUTH_TARGET, TRUTH_UNKNOWN };

#define LINT_CONDITIONS_DEPTH 64 /* deeper conditions are unknown */

struct lint_conditions {
    unsigned arch; /* __CUDA_ARCH__; 0: unknown */
    unsigned depth;
    struct {
        enum lint_truth now;   /* of the current branch            */
        enum lint_truth taken; /* of any branch before it          */
    } level[LINT_CONDITIONS_DEPTH];
};

/* Reads a directive without its '#': "if __CUDA_ARCH__ >= 900", comments replaced by blanks. Other
 * directives change nothing. `holds`: the condition is known to hold. */
void lint_conditions_read(struct lint_conditions *conditions, const char *directive, size_t n,
                          int holds);

/* Whether the current place is compiled. */
enum lint_truth lint_conditions_now(const struct lint_conditions *conditions);

#endif
