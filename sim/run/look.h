/* look.h - the look of the caller into a launch: a copy of the operations in which the places are
 * marked, and the calls. */
#ifndef WSIM_RUN_LOOK_H
#define WSIM_RUN_LOOK_H

#include "../state/run.h"

#include <wsim/look.h>

/* Gives a launch with a look a program of its own with marks. 0: no memory. */
int look_open(struct run_launch *launch);
void look_close(struct run_launch *launch);

/* Asks for the places again if the caller changed look->version. */
void look_again(struct run_launch *launch);

/* A group before its operation. */
struct look_place {
    const struct run_op *op;
    const struct run_frame *frame;
    uint32_t lanes, active;
};

/* warp->group is about to execute `op`, or to try it again. 0: the launch ends. */
int look_before(struct run_warp *warp, const struct run_op *op, struct look_place *place);

/* `group` has executed the operation of `place`, which returned `next`. 0: the launch ends. */
int look_after(struct run_warp *warp, struct run_group *group, const struct look_place *place,
               enum run_next next);

/* --- views --- */

/* wsim_seen.inside */
enum { VIEW_WARP, VIEW_FRAME, VIEW_OP, VIEW_GROUP };

/* The place of an operation, which is not RUN_NOWHERE. */
void view_place(const struct run_launch *launch, uint32_t op, struct wsim_site *place);

/* Fills in all but `when`, `rule`, `text` and `waits`. */
void view_fill(struct wsim_seen *view, const struct run_warp *warp, const struct run_frame *frame,
               const struct run_op *op, uint32_t lanes);

#endif
