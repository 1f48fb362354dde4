/* Blocks that poll memory for a value that no thread will write.
 *
 * A unit whose warps only poll gives its thread of the host to other units. Suppose that it returns
 * to an earlier state: all registers are unchanged, and no thread has written anything in between.
 * Only another unit can then end its loop. If that holds for all units, the launch is stuck. For
 * example, a block is missing at a barrier of the grid, or no thread sets a flag.
 *
 * A warp depends on its registers and on memory alone. So the finding is wrong only if two states
 * have one hash of 64 bits. If the caller may change memory during the launch, the launch only
 * waits.
 *
 * A kernel that reads a clock depends on the time, too. So the clocks stand still while its units
 * only poll. Once all units have returned to an earlier state, the clocks leap, and each leap is
 * twice as long as the one before. A loop with a time limit ends then. The launch is stuck if many
 * leaps have changed nothing in memory. Others may change something in time, so the clocks do not
 * leap if the caller may change memory, or if another launch runs. */
#include "still.h"
#include "../state/device.h"
#include "../state/launch.h"
#include "../step/flow.h"

/* Leaps of the clocks in cycles, or nanoseconds: the first one is 1, the longest ones 2^40, which
 * are 18 minutes. */
enum { LEAPS = 100, LONGEST = 40 };

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t mix_bytes(uint64_t hash, const uint8_t *bytes, size_t size) {
    uint64_t word;
    for (; size >= sizeof word; size -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = mix(hash, word);
    }
    return hash;
}

/* Registers of all calls, where each lane came from, and where the groups are. How far one that
 * runs is ahead of another in turns counts, not how many turns there were. */
static uint64_t state_of_warp(uint64_t hash, const struct run_warp *warp) {
    uint32_t least = UINT32_MAX;
    for (uint32_t depth = 0; depth < warp->n_levels; depth++) {
        const struct run_level *level = &warp->levels[depth];
        for (const struct run_frame *frame = level->frames; frame; frame = frame->next)
            hash = mix_bytes(hash, frame->bytes, frame->function->frame_bytes);
        hash = mix_bytes(hash, (const uint8_t *)level->call, sizeof level->call);
    }
    for (uint32_t i = 0; i < warp->n_groups; i++)
        if (warp->groups[i].state == RUN_READY && warp->groups[i].turn < least)
            least = warp->groups[i].turn;
    for (uint32_t i = 0; i < warp->n_groups; i++) {
        const struct run_group *group = &warp->groups[i];
        hash = mix(hash, (uint64_t)group->at << 32 | group->lanes);
        if (group->state == RUN_READY)
            hash = mix(hash, (uint64_t)(group->turn - least) << 32 | group->jumps);
        hash = mix(hash, (uint64_t)(uintptr_t)group->frame ^ group->ticket << 8 ^ group->state);
    }
    return mix(hash, warp->lanes);
}

static uint64_t state_of(const struct run_unit *unit) {
    uint64_t hash = unit->number;
    for (uint32_t b = 0; b < unit->n_blocks; b++)
        for (uint32_t w = 0; w < unit->blocks[b].n_warps; w++)
            hash = state_of_warp(hash, &unit->blocks[b].warps[w]);
    return hash;
}

int still_is_private(const struct wsim_device *device) {
    for (size_t i = 0; i < device->space->n_buffers; i++)
        if (!device->space->buffers[i]->owned && !device->space->buffers[i]->known)
            return 0;
    return !device->all;
}

static int is_managed(const struct run_space *space, const struct run_buffer *buffer) {
    const struct run_variables *block = space->managed;
    while (block && block != buffer->among)
        block = block->next;
    return block != NULL;
}

/* Whether the caller may change memory meanwhile: it has lent some, or the variables are managed.
 * Among pages of a GPU it may copy to all variables. */
static int is_open(const struct wsim_device *device) {
    const struct run_space *space = device->space;
    for (size_t i = 0; i < space->n_buffers; i++) {
        const struct run_buffer *buffer = space->buffers[i];
        if (!buffer->owned && !buffer->known &&
            (!buffer->among || space->pages.mapped || is_managed(space, buffer)))
            return 1;
    }
    return device->all;
}

void still_begin(struct run_shared *shared, const struct run_launch *launch, int alone) {
    shared->open = (uint8_t)is_open(launch->device);
    shared->looks = !launch->program->clock || (alone && !shared->open);
}

void still_again(struct run_worker *worker) {
    worker->still = 0;
    for (struct run_unit *unit = worker->live; unit; unit = unit->next)
        unit->still = 0;
}

void still_changed(struct run_worker *worker) {
    atomic_fetch_add(&worker->launch->device->space->changes, 1);
}

uint64_t still_changes(const struct run_launch *launch) {
    return atomic_load(&launch->device->space->changes);
}

/* Whether all threads of the host have nothing but such units, and no unit can begin. */
static int all_are(struct run_worker *worker, uint64_t changes) {
    struct run_shared *shared = worker->launch->shared;
    atomic_store(&worker->told, changes + 1);
    if ((atomic_load(&shared->next) < worker->launch->n_units && worker->n_live < RUN_MOST_LIVE) ||
        still_changes(worker->launch) != changes)
        return 0;
    for (unsigned i = 0; i < shared->n_workers; i++) {
        const uint64_t told = atomic_load(&shared->workers[i].told);
        if (told != STILL_NOBODY && told != changes + 1)
            return 0;
    }
    return 1;
}

/* The clocks of a launch that is still leap. 0: they have leapt far enough. */
static int leap(struct run_worker *worker, uint64_t changes) {
    struct run_shared *shared = worker->launch->shared;
    unsigned long long seen = changes;
    const uint32_t n = atomic_load(&shared->leapt_at) == changes ? atomic_load(&shared->leapt) : 0;
    if (!worker->launch->program->clock || n == LEAPS)
        return 0;
    if (atomic_compare_exchange_strong(&worker->launch->device->space->changes, &seen,
                                       changes + 1)) {
        atomic_store(&shared->leapt, n + 1);
        atomic_store(&shared->leapt_at, changes + 1);
        atomic_fetch_add(&shared->leaps, UINT64_C(1) << (n < LONGEST ? n : LONGEST));
    }
    return 1;
}

/* Whether the launch is stuck, as this unit returned to its state, the last one of its worker. */
static int is_stuck(struct run_worker *worker, uint64_t changes) {
    return worker->n_still == worker->n_live && all_are(worker, changes) && !leap(worker, changes);
}

int still_look(struct run_worker *worker, struct run_unit *unit, uint64_t changes) {
    uint64_t state;
    if (!worker->launch->shared->looks)
        return 0;
    if (unit->calm != changes + 1) { /* the first time since something has changed */
        unit->calm = changes + 1;
        unit->state = 0;
        special_stand(worker, changes);
        return 0;
    }
    state = state_of(unit);
    state += state == 0;
    if (unit->state != state) {
        unit->state = state;
        return 0;
    }
    if (unit->still == changes + 1)
        return is_stuck(worker, changes);
    unit->still = changes + 1;
    if (worker->still != changes + 1) {
        worker->still = changes + 1;
        worker->n_still = 0;
    }
    worker->n_still++;
    return is_stuck(worker, changes);
}
