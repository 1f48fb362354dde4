/* Who listens to memory. */
#include "check_race.h"
#include "device.h"
#include "run.h"

void run_touch(struct run_warp *warp, const struct run_op *op, const struct run_access *access) {
    if (warp->block->unit->races)
        check_race(warp, op, access);
    /* What a kernel writes is initialised. */
    if (access->kind == RUN_READ || access->space != PTX_GLOBAL)
        return;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        uint64_t at = access->at[run_lowest(rest)];
        const struct run_buffer *buffer =
            run_buffer_of(warp->worker->launch->device, at, access->bytes);
        if (buffer)
            run_buffer_learn(buffer, at, access->bytes);
    }
}
