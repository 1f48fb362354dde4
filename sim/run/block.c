/* Blocks that live together: their memory, and their warps one after another. */
#include "block.h"

#include "../state/launch.h"
#include "../state/lives.h"
#include "../sync/sync.h"
#include "warp.h"

#include <stdlib.h>

/* Rounds of nothing but failed waits after which nobody is expected to do anything any more. A wait
 * is asked again and again by a loop around it, so one round is not enough to have asked all. */
#define HOPELESS 100
/* Rounds of asking memory after which other blocks get a turn: they may be who is waited for. */
#define POLLS_ENOUGH 8

static void block_free(struct run_block *block) {
    for (uint32_t i = 0; block->warps && i < block->n_warps; i++)
        warp_free(&block->warps[i]);
    free(block->warps);
    free(block->shared.bytes);
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
    uint64_t threads = (uint64_t)size[0] * size[1] * size[2];
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        uint32_t thread = warp->number * RUN_LANES + lane;
        if (thread >= threads)
            break;
        warp->tid[0][lane] = thread % size[0];
        warp->tid[1][lane] = thread / size[0] % size[1];
        warp->tid[2][lane] = thread / size[0] / size[1];
        lanes |= 1u << lane;
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

static void locate(const struct run_launch *launch, uint64_t number, struct run_block *block) {
    block_locate(launch, number, block->rank, block->id);
    block->number = block->id[0] + launch->grid[0] * ((uint64_t)block->id[1] +
                                                      (uint64_t)launch->grid[1] * block->id[2]);
}

int unit_begin(struct run_unit *unit, uint64_t number) {
    struct run_worker *worker = unit->worker;
    unit->number = number;
    unit->events = unit->quiet = unit->polls = unit->seen = 0;
    unit->calm = unit->state = unit->still = 0;
    for (uint32_t i = 0; i < unit->n_blocks; i++) {
        struct run_block *block = &unit->blocks[i];
        locate(worker->launch, number, block);
        block->text_used = 0;
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

/* What a round of all warps came to. */
struct round {
    uint32_t alive, failed, polling, paused, active;
};

static int run_warps(struct run_block *block, uint32_t first, struct round *round) {
    for (uint32_t i = 0; i < block->n_warps; i++) {
        struct run_warp *warp = &block->warps[(first + i) % block->n_warps];
        if (!warp->lanes)
            continue;
        switch (warp_run(warp)) {
        case WARP_STOPPED: return 0;
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
    return 1;
}

/* The next random number (xorshift64). */
static uint64_t draw(struct run_worker *worker) {
    worker->random ^= worker->random << 13;
    worker->random ^= worker->random >> 7;
    worker->random ^= worker->random << 17;
    return worker->random;
}

enum unit_outcome unit_run(struct run_unit *unit) {
    struct run_worker *worker = unit->worker;
    unit->seen = unit->events;
    for (;;) {
        struct round round = {0};
        uint64_t events = unit->events;
        int pushed = 0;
        for (uint32_t i = 0; i < unit->n_blocks; i++) {
            struct run_block *block = &unit->blocks[i];
            uint32_t first = worker->random ? (uint32_t)(draw(worker) % block->n_warps) : 0;
            if (!run_warps(block, first, &round))
                return UNIT_STOPPED;
        }
        if (!round.alive)
            return sync_unit_end(unit) == RUN_STOP ? UNIT_STOPPED : UNIT_DONE;
        if (events == unit->events || round.failed)
            pushed = sync_unit_push(unit, (round.active | round.polling | round.paused) != 0,
                                    events != unit->events);
        if (pushed < 0)
            return UNIT_STOPPED;
        if (events != unit->events || round.active || pushed)
            unit->quiet = unit->polls = 0;
        else if (round.polling && ++unit->polls >= POLLS_ENOUGH)
            return unit->polls = 0, UNIT_POLLING;
        else if (!round.polling && !round.paused && (!round.failed || ++unit->quiet >= HOPELESS))
            return unit_deadlock(unit, 0), UNIT_STOPPED;
        if (worker->instructions >= worker->slice)
            return UNIT_LATER;
    }
}

int unit_end(struct run_unit *unit) {
    int kept = 1;
    for (uint32_t i = 0; i < unit->n_blocks; i++)
        if (unit->blocks[i].text_used)
            kept &= launch_print(unit->worker->launch, &unit->blocks[i]);
    return kept;
}
