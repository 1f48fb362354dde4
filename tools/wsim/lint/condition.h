/* condition.h - #if and its kin around a place of a file, as far as they ask for the target.
 */
#ifndef WSIM_LINT_CONDITION_H
#define WSIM_LINT_CONDITION_H

#include <stddef.h>

/* Three-valued: what depends on other macros is not known. */
enum truth { TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN };

#define CONDITIONS_DEPTH 64 /* deeper ones are not known */

struct conditions {
    unsigned arch; /* __CUDA_ARCH__; 0: not known */
    unsigned depth;
    struct {
        enum truth now;   /* of the branch that is being read */
        enum truth taken; /* of any branch before             */
    } level[CONDITIONS_DEPTH];
};

/* A directive without its '#': "if __CUDA_ARCH__ >= 900", comments and continued lines as blanks.
 * Those that are no conditions change nothing. `holds`: it is known that this one does. */
void conditions_read(struct conditions *conditions, const char *directive, size_t n, int holds);

/* Whether what stands here is compiled. */
enum truth conditions_now(const struct conditions *conditions);

#endif
