/* room.h - what loops.h needs and Python does not see: the memory in which cases are run.
 */
#ifndef WSIM_PYTHON_ROOM_H
#define WSIM_PYTHON_ROOM_H

#include <stdlib.h>
#include <string.h>
#include <wsim/harness/cases.h>

/* Memory for running cases, too large for a stack. */
struct loop_room {
    struct wsim_plan plan[4]; /* by selector */
    unsigned selectors;
    struct wsim_case_scratch scratch;
    uint32_t in[WSIM_CASE_ROWS * WSIM_LANES];
    uint32_t out[][WSIM_CASE_ROWS * WSIM_LANES]; /* of each code */
};

/* NULL and a diag, or something to be freed. */
static struct loop_room *loop_room(const struct wsim_op *op, size_t codes, struct wsim_diag *diag) {
    struct loop_room *room = (struct loop_room *)malloc(sizeof *room + codes * sizeof room->out[0]);
    unsigned selectors = wsim_op_describe(op).selectors;
    if (!room) {
        memset(diag, 0, sizeof *diag);
        diag->status = WSIM_NO_MEMORY;
        return NULL;
    }
    room->selectors = selectors ? selectors : 1;
    for (unsigned s = 0; s < room->selectors; s++)
        if (wsim_plan_make(op, s, &room->plan[s], diag)) {
            free(room);
            return NULL;
        }
    return room;
}

#endif
