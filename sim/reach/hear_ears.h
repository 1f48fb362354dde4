/* hear_ears.h - the listeners that hear an access, for the files hear*.c. */
#ifndef WSIM_REACH_HEAR_EARS_H
#define WSIM_REACH_HEAR_EARS_H

#include "hear.h"

/* The listeners of one kind. */
#define EACH_EAR(ear, list)                                                                        \
    for (const struct run_ear *ear = (list).ears, *const end_ = ear + (list).n; ear < end_; ear++)

static inline int hears(const struct run_ear *ear, unsigned what) {
    return ear->of >> what & 1;
}

/* The listeners that need the parts of an access. */
struct hear_audience {
    unsigned n;
    const struct run_hears *hears[RUN_LISTENERS];
};

/* Tells them an access of global memory, in pieces. */
void hear_pieces(struct run_warp *warp, const struct run_op *op, const struct run_access *access,
                 const struct hear_audience *audience);

#endif
