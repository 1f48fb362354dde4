/* sync_plan.h - what the planners of sync_*.c share. */
#ifndef WSIM_RUN_SYNC_PLAN_H
#define WSIM_RUN_SYNC_PLAN_H

#include "planners.h"
#include "sync.h"

#define TRY(call)                                                                                  \
    do {                                                                                           \
        enum wsim_status status_ = (call);                                                         \
        if (status_)                                                                               \
            return status_;                                                                        \
    } while (0)

#endif
