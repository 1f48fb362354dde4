/* State of barriers and copies: memory of a unit, created and freed here. */
#include "../state/launch.h"
#include "planners.h"

#include <stddef.h>
#include <stdlib.h>

/* PATIENCE: rounds without a change after which a warp that only polls counts as waiting.
 * STUBBORN: rounds of failed waits, whatever other warps did: those may go on endlessly. */
enum { PATIENCE = 8, STUBBORN = 1024 };

int sync_unit_make(struct run_unit *unit) {
    struct sync_unit *sync = calloc(1, sizeof *sync);
    size_t warps = unit->n_blocks ? (size_t)unit->n_blocks * unit->blocks[0].n_warps : 0, next = 0;
    unit->sync = sync;
    if (!sync)
        return 0;
    sync->blocks = calloc(unit->n_blocks, sizeof *sync->blocks);
    sync->warps = calloc(warps, sizeof *sync->warps);
    if (!sync->blocks || !sync->warps)
        return 0;
    sync->n_warps = (uint32_t)warps;
    sync->late = unit->worker->launch->how->async == WSIM_ASYNC_LATE;
    sync->end = &sync->first;
    for (uint32_t b = 0; b < unit->n_blocks; b++) {
        unit->blocks[b].sync = &sync->blocks[b];
        for (uint32_t w = 0; w < unit->blocks[b].n_warps; w++)
            unit->blocks[b].warps[w].async = &sync->warps[next++];
    }
    return 1;
}

static void drop_items(struct sync_unit *sync) {
    for (struct sync_item *next, *item = sync->first; item; item = next) {
        next = item->next;
        free(item);
    }
    sync->first = NULL;
    sync->end = &sync->first;
}

void sync_unit_free(struct run_unit *unit) {
    struct sync_unit *sync = unit->sync;
    if (!sync)
        return;
    drop_items(sync);
    free(sync->blocks);
    free(sync->warps);
    free(sync);
    unit->sync = NULL;
}

/* Only what was used is cleared: many blocks have a few instructions. */
void sync_unit_begin(struct run_unit *unit) {
    struct sync_unit *sync = unit->sync;
    drop_items(sync);
    sync->idle = 0;
    for (uint32_t b = 0; b < unit->n_blocks; b++) {
        struct sync_block *block = &sync->blocks[b];
        for (uint32_t rest = block->used; rest; rest &= rest - 1)
            memset(&block->barriers[run_lowest(rest)], 0, sizeof block->barriers[0]);
        block->used = block->n_inits = 0;
        block->refused = block->saw_refusal = 0;
    }
    for (uint32_t w = 0; w < sync->n_warps; w++) {
        struct sync_warp *warp = &sync->warps[w];
        if (warp->has_groups)
            memset(warp->groups, 0, sizeof warp->groups);
        memset(warp, 0, offsetof(struct sync_warp, failed_at));
    }
}

int sync_unit_push(struct run_unit *unit, int active, int changed) {
    struct sync_unit *sync = unit->sync;
    uint32_t rounds = changed ? STUBBORN : active ? PATIENCE : 0;
    if (!sync->late || ++sync->idle < rounds)
        return 0;
    sync->idle = 0;
    return sync_push(unit);
}

/* A warp that waits for tensor memory. */
static void describe_alloc(const struct run_warp *warp, struct base_text *text) {
    const struct run_tensor *tensor = warp->block->tensor;
    unsigned units = 0;
    if (!tensor || warp->number >= RUN_TENSOR_WARPS || !tensor->asked[warp->number])
        return;
    for (unsigned i = 0; i < RUN_TENSOR_UNITS; i++)
        units += tensor->owner[i] != 0;
    base_put(text, " waits for %u columns of tensor memory, of which %u are allocated",
             tensor->asked[warp->number], units * RUN_TENSOR_UNIT);
}

void sync_describe(const struct run_warp *warp, const struct run_group *group,
                   struct base_text *text) {
    size_t used = text->used;
    sync_bar_describe(warp, group, text);
    sync_meet_describe(warp, group, text);
    sync_cluster_describe(warp, group, text);
    sync_mbarrier_describe(warp, group, text);
    sync_registers_describe(warp, group, text);
    describe_alloc(warp, text);
    if (text->used > used || !sync_waits(group))
        return;
    if (group->lanes != warp->lanes)
        base_put(text, " waits for lanes 0x%08x", warp->lanes & ~group->lanes);
    else if (group->ticket)
        base_put(text, " waits for the other warps of its four");
}
