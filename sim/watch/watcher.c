/* wsim_launch.watch: the caller hears every access, lane by lane, as the watcher of a window of
 * memory does (wsim/memory.h). */
#include "listeners.h"

#include "../reach/hear.h"
#include "../state/device.h"

/* The window that the bytes of a lane are in. */
static struct wsim_memory window_of(const struct run_warp *warp, const struct run_access *access,
                                    unsigned lane) {
    const struct run_launch *launch = warp->worker->launch;
    const struct run_unit *unit = warp->block->unit;
    const uint64_t at = run_access_at(access, lane), rank = at >> RUN_RANK_SHIFT;
    const struct run_buffer *buffer;
    switch (access->space) {
    case PTX_SHARED: return rank < unit->n_blocks ? unit->blocks[rank].shared : warp->block->shared;
    case PTX_LOCAL:
        return wsim_memory_over(WSIM_LOCAL, warp->local + (size_t)lane * warp->local_stride,
                                warp->local_used, 0);
    case PTX_CONST: return launch->attached->constant;
    case PTX_PARAM:
        return wsim_memory_const(WSIM_PARAM, launch->params, launch->how->param_bytes, 0);
    default: break;
    }
    buffer = run_buffer_of(launch->device, at, access->bytes);
    if (buffer)
        return wsim_memory_over(WSIM_GLOBAL, run_host(buffer, buffer->base), buffer->size,
                                buffer->base);
    /* Memory that no buffer holds was adopted with all others of the process. */
    return wsim_memory_over(WSIM_GLOBAL, run_access_host(access, lane), access->bytes, at);
}

static void hear_access_of(struct run_warp *warp, const struct run_op *op,
                           const struct run_access *access) {
    static const uint8_t kinds[] = {[RUN_READ] = WSIM_TOUCH_READ,
                                    [RUN_WRITE] = WSIM_TOUCH_WRITE,
                                    [RUN_ATOMIC] = WSIM_TOUCH_UPDATE,
                                    [RUN_REDUCE] = WSIM_TOUCH_UPDATE};
    const struct wsim_watch *watch = warp->worker->launch->how->watch;
    const struct ptx_instruction *at = run_instruction_of(warp->program, run_number(warp, op));
    struct wsim_touch touch = {.bytes = access->bytes,
                               .where = at ? at->line : 0,
                               .warp = (uint16_t)warp->number,
                               .kind = kinds[access->kind]};
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const struct wsim_memory memory = window_of(warp, access, lane);
        touch.address = run_access_at(access, lane);
        touch.lane = access->proxy      ? WSIM_NO_LANE
                     : access->for_lane ? (uint8_t)(access->for_lane - 1)
                                        : (uint8_t)lane;
        watch->touch(watch->context, &memory, &touch);
    }
}

/* The caller's function hears accesses one after another. */
enum run_threads watcher_threads(const struct run_launch *launch) {
    (void)launch;
    return RUN_ALONE;
}

const struct run_hears watcher_hears = {.access = hear_access_of};
