/* Blocks that live together: their memory, and their warps one after another. */
#include "block.h"

#include "../state/launch.h"
#include "../state/lives.h"
#include "../sync/sync.h"
#include "warp.h"

#include <stdlib.h>

/* Rounds of only failed waits after which the launch counts as stuck. A loop repeats its wait, so
 * one round does not cover all waits. */
#define HOPELESS 100
/* Rounds of polling memory after which other blocks, which may be the ones waited for, get a turn.
 */
#define POLLS_ENOUGH 8
#define SLICE (1u << 20)

static void block_free(struct run_block *block) {
    for (uint32_t i = 0; block->warps && i < block->n_warps; i++)
        warp_free(&block->warps[i]);
    free(block->warps);
    free(block->shared.bytes);
    free(block->tensor);
    free(block->text);
}

void unit_free(struct run_unit *unit) {
    if (!unit)
        return;
    if (unit->blocks)
        hear_unit_free(unit);
    for (uint32_t i = 0; unit->blocks && i < unit->n_blocks; i++)
        block_free(&unit->blocks[i]);
    sync_unit_free(unit);
    free(unit->blocks);
    free(unit);
}

/* Threads of a warp: x runs fastest. Returns the lanes that there are. */
static uint32_t number_threads(struct run_warp *warp, const uint32_t size[3]) {
    const uint64_t threads = (uint64_t)size[0] * size[1] * size[2];
    const uint32_t first = warp->number * RUN_LANES;
    uint32_t x = first % size[0], y = first / size[0] % size[1], z = first / size[0] / size[1];
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < RUN_LANES && first + lane < threads; lane++) {
        warp->tid[0][lane] = x;
        warp->tid[1][lane] = y;
        warp->tid[2][lane] = z;
        lanes |= 1u << lane;
        if (++x == size[0]) {
            x = 0;
            y = y + 1 == size[1] ? 0 : y + 1;
            z += y == 0;
        }
    }
    return lanes;
}

static int block_make(struct run_worker *worker, struct run_unit *unit, uint32_t rank) {
    const struct run_launch *launch = worker->launch;
    struct run_block *block = &unit->blocks[rank];
    uint64_t base = launch->shared_base + ((uint64_t)rank << RUN_RANK_SHIFT);
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    uint8_t *shared = malloc(launch->shared_bytes ? launch->shared_bytes : 1);
    block->unit = unit;
    block->rank = rank;
    block->shared = wsim_memory_over(WSIM_SHARED, shared, launch->shared_bytes, base);
    block->n_warps = (threads + RUN_LANES - 1) / RUN_LANES;
    block->warps = calloc(block->n_warps, sizeof *block->warps);
    if (!shared || !block->warps)
        return 0;
    for (uint32_t i = 0; i < block->n_warps; i++) {
        struct run_warp *warp = &block->warps[i];
        warp->block = block;
        warp->worker = worker;
        warp->program = launch->program;
        warp->number = i;
        warp->born = number_threads(warp, launch->block);
    }
    return 1;
}

struct run_unit *unit_make(struct run_worker *worker) {
    const uint32_t *cluster = worker->launch->cluster;
    struct run_unit *unit = calloc(1, sizeof *unit);
    int made = unit != NULL;
    if (!made)
        return NULL;
    unit->worker = worker;
    unit->n_blocks = cluster[0] * cluster[1] * cluster[2];
    unit->blocks = calloc(unit->n_blocks, sizeof *unit->blocks);
    made = unit->blocks != NULL;
    for (uint32_t i = 0; made && i < unit->n_blocks; i++)
        made = block_make(worker, unit, i);
    if (made && sync_unit_make(unit) && hear_unit_make(unit))
        return unit;
    unit_free(unit);
    return NULL;
}

void unit_locate(struct run_unit *unit, uint64_t number) {
    const struct run_launch *launch = unit->worker->launch;
    unit->number = number;
    for (uint32_t i = 0; i < unit->n_blocks; i++) {
        struct run_block *block = &unit->blocks[i];
        block_locate(launch, number, block->rank, block->id);
        block->number = block->id[0] + launch->grid[0] * ((uint64_t)block->id[1] +
                                                          (uint64_t)launch->grid[1] * block->id[2]);
    }
}

/* Each unit has random numbers of its own, so they do not depend on host threads. */
static uint64_t seed_of(uint64_t seed, uint64_t number) {
    uint64_t random = seed * 0x2545F4914F6CDD1Du + (number + 1) * 0x9E3779B97F4A7C15u;
    return !seed ? 0 : random ? random : 1;
}

void unit_move(struct run_unit *unit, struct run_worker *worker) {
    unit->worker = worker;
    for (uint32_t b = 0; b < unit->n_blocks; b++)
        for (uint32_t w = 0; w < unit->blocks[b].n_warps; w++)
            unit->blocks[b].warps[w].worker = worker;
}

int unit_begin(struct run_unit *unit, uint64_t number) {
    struct run_worker *worker = unit->worker;
    unit_locate(unit, number);
    unit->events = unit->inner = unit->quiet = unit->polls = unit->seen = unit->seen_inner = 0;
    unit->calm = unit->state = unit->still = 0;
    unit->ahead = unit->ran = unit->used = 0;
    unit->parked = unit->outcome = 0;
    unit->random = seed_of(worker->launch->how->seed, number);
    for (uint32_t i = 0; i < unit->n_blocks; i++) {
        struct run_block *block = &unit->blocks[i];
        block->text_used = 0;
        free(block->tensor);
        block->tensor = NULL;
        /* Something that is rarely right by accident, no barrier, and the same in every run. */
        if (block->shared.size)
            memset(block->shared.bytes, 0x4D, (size_t)block->shared.size);
        for (uint32_t w = 0; w < block->n_warps; w++)
            if (!warp_begin(&block->warps[w], block->warps[w].born))
                return 0;
        worker->blocks++;
        worker->warps += block->n_warps;
    }
    sync_unit_begin(unit);
    hear_unit_begin(unit);
    return 1;
}

/* Runs the warps of a block from round->warp on. WARP_DONE: all have run. */
static enum warp_outcome run_warps(struct run_block *block, struct run_round *round) {
    for (; round->warp < block->n_warps; round->warp++) {
        const uint32_t at = round->first + round->warp;
        struct run_warp *warp = &block->warps[at < block->n_warps ? at : at - block->n_warps];
        const enum warp_outcome outcome = warp->lanes ? warp_run(warp) : WARP_DONE;
        switch (outcome) {
        case WARP_PARKED:
        case WARP_STOPPED: return outcome;
        case WARP_DONE: continue;
        case WARP_WAITING: break;
        case WARP_FAILED: round->failed++; break;
        case WARP_POLLING:
        case WARP_YIELDED: round->polling++; break; /* nanosleep: of a loop that asks memory */
        case WARP_PAUSED: round->paused++; break;
        default: round->active++; break;
        }
        round->alive++;
    }
    return WARP_DONE;
}

/* The next random number (xorshift64). */
static uint64_t draw(struct run_unit *unit) {
    unit->random ^= unit->random << 13;
    unit->random ^= unit->random >> 7;
    unit->random ^= unit->random << 17;
    return unit->random;
}

/* Runs all warps of a unit once, or those that are left of the round in which it parked. */
static enum warp_outcome run_round(struct run_unit *unit) {
    struct run_round *round = &unit->round;
    if (!unit->parked)
        *round = (struct run_round){.events = unit->events};
    for (; round->block < unit->n_blocks; round->block++) {
        struct run_block *block = &unit->blocks[round->block];
        enum warp_outcome outcome;
        if (!unit->parked) {
            round->first = unit->random ? (uint32_t)(draw(unit) % block->n_warps) : 0;
            round->warp = 0;
        }
        unit->parked = 0;
        outcome = run_warps(block, round);
        if (outcome != WARP_DONE) {
            unit->parked = outcome == WARP_PARKED;
            return outcome;
        }
    }
    return WARP_DONE;
}

enum unit_outcome unit_run(struct run_unit *unit) {
    const struct run_worker *worker = unit->worker;
    const struct run_round *round = &unit->round;
    if (!unit->parked)
        unit->seen = unit->events, unit->seen_inner = unit->inner;
    for (;;) {
        const enum warp_outcome outcome = run_round(unit);
        int pushed = 0;
        if (outcome != WARP_DONE)
            return outcome == WARP_PARKED ? UNIT_PARKED : UNIT_STOPPED;
        if (!round->alive)
            return sync_unit_end(unit) == RUN_STOP ? UNIT_STOPPED : UNIT_DONE;
        if (round->events == unit->events || round->failed)
            pushed = sync_unit_push(unit, (round->active | round->polling | round->paused) != 0,
                                    round->events != unit->events);
        if (pushed < 0)
            return UNIT_STOPPED;
        if (round->events != unit->events || round->active || pushed)
            unit->quiet = unit->polls = 0;
        else if (round->polling && ++unit->polls >= POLLS_ENOUGH)
            return unit->polls = 0, UNIT_POLLING;
        else if (!round->polling && !round->paused && (!round->failed || ++unit->quiet >= HOPELESS))
            return unit_deadlock(unit, 0), UNIT_STOPPED;
        if (worker->instructions >= worker->slice)
            return UNIT_LATER;
    }
}

uint64_t unit_slice(const struct run_launch *launch) {
    const uint64_t most = launch->how->max_instructions;
    return most && most < SLICE ? most : SLICE;
}

int unit_end(struct run_unit *unit) {
    int kept = 1;
    for (uint32_t i = 0; i < unit->n_blocks; i++)
        if (unit->blocks[i].text_used)
            kept &= launch_print(unit->worker->launch, &unit->blocks[i]);
    return kept;
}
