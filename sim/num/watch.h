/* watch.h - who is told what a sum is made of, step by step (why.h has the whole). Told is
 * what was computed with: the sums themselves ask nobody. */
#ifndef WSIM_NUM_WATCH_H
#define WSIM_NUM_WATCH_H

#include <wsim/why_step.h>

/* Addends come before the step that they are of. */
struct num_watch {
    void (*addend)(void *who, const struct wsim_why_addend *addend);
    void (*step)(void *who, const struct wsim_why_step *step);
    void *who;
};

#endif
