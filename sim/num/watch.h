/* watch.h - reports each addend and step of a sum to an observer, for why.h. The reports are the
 * values that the sum itself uses; an observer cannot change the result. */
#ifndef WSIM_NUM_WATCH_H
#define WSIM_NUM_WATCH_H

#include <wsim/why_step.h>

/* The addends of a step are reported before the step. */
struct num_watch {
    void (*addend)(void *who, const struct wsim_why_addend *addend);
    void (*step)(void *who, const struct wsim_why_step *step);
    void *who;
};

#endif
