/* Who listens to memory. */
#include "check_init.h"
#include "check_race.h"
#include "run.h"

void run_touch(struct run_warp *warp, const struct run_op *op, const struct run_access *access) {
    if (warp->block->unit->races)
        check_race(warp, op, access);
    if (check_init_wanted(warp->worker->launch))
        check_init(warp, op, access);
}
