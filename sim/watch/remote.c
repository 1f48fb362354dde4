/* Shared memory of other blocks of a cluster, and the uses of mbarriers.
 *
 * A block frees its shared memory when its last warp exits. An access by another block must be
 * ordered before that exit, by barrier.cluster or an mbarrier: a warp of the exiting block knows
 * its clock. Each warp of the cluster keeps its last access of each block.
 *
 * mbarrier.init is a write. Arrivals, waits and copies that complete bytes must be ordered after
 * it. Which of them comes first in this run does not matter. */
#include "actors.h"

#include <stdlib.h>
#include <wsim/mbarrier.h>

int remote_make(struct run_unit *unit, struct races *races) {
    if (race_has(races, 1 + SYNC_BARRIER)) {
        races->loads = calloc(2 * (size_t)races->n_warps, sizeof *races->loads);
        if (!races->loads)
            return 0;
    }
    if (unit->n_blocks < 2)
        return 1;
    races->remote = calloc((size_t)unit->n_blocks * races->n_warps, sizeof *races->remote);
    races->relaxed = calloc(races->n_warps, sizeof *races->relaxed);
    return races->remote && races->relaxed;
}

void remote_free(struct races *races) {
    free(races->loads);
    free(races->remote);
    free(races->relaxed);
}

void remote_begin(struct races *races, uint32_t n_blocks) {
    if (races->loads)
        memset(races->loads, 0, 2 * (size_t)races->n_warps * sizeof *races->loads);
    if (!races->remote)
        return;
    memset(races->remote, 0, (size_t)n_blocks * races->n_warps * sizeof *races->remote);
    memset(races->relaxed, 0, races->n_warps * sizeof *races->relaxed);
}

void remote_let_go(struct races *races, const struct run_block *block) {
    for (uint32_t w = 0; races->remote && w < races->n_warps; w++) {
        struct race_remote *mark = &races->remote[(size_t)block->rank * races->n_warps + w];
        if (mark->actor == w && mark->clock <= races->relaxed[w])
            mark->clock = 0;
    }
}

void remote_damage(const struct race_asker *asker, const struct run_block *block, unsigned lane,
                   uint64_t at, uint64_t size) {
    const struct sync_block *sync = block->sync;
    for (uint32_t i = 0; i < sync->n_inits; i++) {
        const uint64_t barrier = sync->inits[i];
        if (at >= barrier + WSIM_MBARRIER_BYTES || at + size <= barrier)
            continue;
        run_finding_of(asker->warp, asker->op, lane, NULL, RULE_MBARRIER_STATE_DAMAGED,
                       &(struct run_subject){RUN_ADDRESS, PTX_SHARED, 8, barrier, 0},
                       "warp %u writes bytes of the mbarrier at %s; mbarrier.inval comes before "
                       "another use of its memory",
                       asker->warp->number,
                       run_shared_words(asker->warp, barrier, "shared address ").text);
        return;
    }
}

static int has_exited(const struct run_block *block) {
    for (uint32_t w = 0; w < block->n_warps; w++)
        if (block->warps[w].lanes)
            return 0;
    return 1;
}

static void tell_exit(struct run_warp *warp, const struct run_op *op, unsigned lane,
                      uint32_t rank) {
    run_finding(warp, op, lane, RULE_RACE_EXIT, 0,
                "warp %u of block %u of the cluster accesses shared memory of block %u, which may "
                "have exited: nothing orders the access before that exit; missing: "
                "barrier.cluster.arrive and .wait in both blocks after it",
                warp->number, warp->block->rank, rank);
}

void remote_access(struct run_warp *warp, const struct run_op *op, const struct run_block *block,
                   uint32_t actor, uint32_t clock, unsigned lane) {
    const struct races *races = block->unit->heard[LISTENER_RACE];
    struct race_remote *last = &races->remote[block->rank * races->n_warps + race_warp(warp)];
    if (has_exited(block)) {
        tell_exit(warp, op, lane, block->rank);
        return;
    }
    last->clock = clock;
    last->op = run_number(warp, op);
    last->actor = (uint16_t)actor;
    last->lane = (uint8_t)lane;
}

/* Whether some warp of a block knows the clock of an actor. */
static int is_known(const struct races *races, const struct run_block *block, uint32_t actor,
                    uint32_t clock) {
    for (uint32_t w = 0; w < block->n_warps; w++)
        if (race_clocks(races, &block->warps[w])[actor] >= clock)
            return 1;
    return 0;
}

void remote_load(const struct race_asker *asker, uint64_t at) {
    struct races *races = asker->races;
    const uint32_t reads = asker->access->kind == RUN_READ ? races->n_warps : 0;
    races->loads[reads + race_warp(asker->warp)] = (struct race_load_mark){
        .clock = asker->mark.clock, .op = asker->mark.op, .actor = asker->mark.actor, .at = at};
}

static void tell_load(struct run_warp *warp, const struct race_load_mark *mark, int reads) {
    const struct run_subject subject = {RUN_ADDRESS, PTX_SHARED, 4, mark->at, 0};
    run_finding_of(warp, &warp->program->ops[mark->op], RUN_LANES, NULL, RULE_SYNC_GROUP_LEAK,
                   &subject,
                   "the block exits with a copy %s %s pending: no %s, and that memory can belong "
                   "to another block by then",
                   reads ? "from" : "to", run_shared_words(warp, mark->at, "shared address ").text,
                   reads ? "barrier of the cluster follows the wait of the block that gets it"
                         : "thread has waited for its mbarrier");
}

/* A copy that no thread of the block has waited for can write memory that is another block's by
 * then. One to another block can read such memory. */
static void look_at_loads(struct races *races, const struct run_block *block) {
    for (uint32_t w = 0; races->loads && w < 2 * block->n_warps; w++) {
        const int reads = w >= block->n_warps;
        struct run_warp *warp = &block->warps[reads ? w - block->n_warps : w];
        const struct race_load_mark *mark =
            &races->loads[(reads ? races->n_warps : 0) + race_warp(warp)];
        if (mark->clock && !is_known(races, block, mark->actor, mark->clock))
            tell_load(warp, mark, reads);
    }
}

void remote_exit(struct run_warp *warp, const struct run_op *op) {
    const struct run_block *block = warp->block;
    struct races *races = block->unit->heard[LISTENER_RACE];
    (void)op;
    if ((!races->remote && !races->loads) || !has_exited(block))
        return;
    look_at_loads(races, block);
    if (!races->remote)
        return;
    for (uint32_t w = 0; w < races->n_warps; w++) {
        const struct race_remote *mark = &races->remote[(size_t)block->rank * races->n_warps + w];
        struct run_block *of = &block->unit->blocks[w / block->n_warps];
        if (mark->clock && !is_known(races, block, mark->actor, mark->clock))
            tell_exit(&of->warps[w % block->n_warps], &warp->program->ops[mark->op], mark->lane,
                      block->rank);
    }
}

const struct run_block *remote_block_of(const struct run_unit *unit, const void *what) {
    for (uint32_t b = 0; b < unit->n_blocks; b++) {
        const struct run_block *block = &unit->blocks[b];
        if ((uintptr_t)what - (uintptr_t)block->shared.bytes < block->shared.size)
            return block;
    }
    return NULL;
}

static int is_wait(enum run_order_kind kind) {
    return kind == RUN_ORDER_WAIT || kind == RUN_ORDER_PARITY || kind == RUN_ORDER_PEEK;
}

static const char *use_of(enum run_order_kind kind) {
    return is_wait(kind)                ? "waits for"
           : kind == RUN_ORDER_COMPLETE ? "completes bytes on"
           : kind == RUN_ORDER_COMMIT   ? "commits to"
                                        : "arrives at";
}

static void tell_early(struct run_warp *warp, const struct run_op *op, unsigned lane,
                       enum run_order_kind kind, const struct race_place *place) {
    const struct races *races = warp->block->unit->heard[LISTENER_RACE];
    const struct run_block *block = remote_block_of(warp->block->unit, place->key);
    const uint32_t by = place->init_by % races->n_warps % warp->block->n_warps;
    const uint64_t at =
        block->shared.base + (uint64_t)((const uint8_t *)place->key - block->shared.bytes);
    const struct run_subject subject = {RUN_ADDRESS, PTX_SHARED, 8, at, 0};
    const int other = block != warp->block;
    run_finding_of(
        warp, op, lane, &warp->program->ops[place->init_op], RULE_RACE_MBARRIER, &subject,
        "warp %u %s the mbarrier at %s, which warp %u%s initialises: nothing orders the "
        "two; missing: %s after mbarrier.init",
        warp->number, use_of(kind), run_shared_words(warp, at, "shared address ").text, by,
        other ? " of another block" : "", other ? "barrier.cluster.arrive and .wait" : "bar.sync");
}

/* The same of a lane that another lane of its warp is too late for. */
static void tell_lane(struct run_warp *warp, const struct run_op *op, unsigned lane,
                      enum run_order_kind kind, const struct race_place *place) {
    const uint64_t at = warp->block->shared.base +
                        (uint64_t)((const uint8_t *)place->key - warp->block->shared.bytes);
    run_finding_of(warp, op, lane, &warp->program->ops[place->init_op], RULE_RACE_MBARRIER,
                   &(struct run_subject){RUN_ADDRESS, PTX_SHARED, 8, at, 0},
                   "lane %u of warp %u %s the mbarrier at %s, which lane %u of this warp "
                   "initialises: nothing orders the two; missing: __syncwarp after mbarrier.init",
                   lane, warp->number, use_of(kind),
                   run_shared_words(warp, at, "shared address ").text,
                   run_lowest(place->init_lanes));
}

void remote_unfenced(struct run_warp *warp, const struct run_op *op, unsigned lane,
                     const struct race_place *place) {
    const struct run_block *block = remote_block_of(warp->block->unit, place->key);
    const uint64_t at =
        block->shared.base + (uint64_t)((const uint8_t *)place->key - block->shared.bytes);
    run_finding_of(warp, op, lane, &warp->program->ops[place->init_op], RULE_ADVICE_FENCE_INIT,
                   &(struct run_subject){RUN_ADDRESS, PTX_SHARED, 8, at, 0},
                   "the copy completes at the mbarrier at %s, and no fence after its mbarrier.init "
                   "makes that visible to copies; missing: fence.mbarrier_init or "
                   "fence.proxy.async",
                   run_shared_words(warp, at, "shared address ").text);
}

void remote_barrier(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                    enum run_order_kind kind, const struct race_place *place) {
    const struct races *races = warp->block->unit->heard[LISTENER_RACE];
    const uint32_t actor = race_warp(warp), *clocks = races->clocks + (size_t)actor * races->width;
    const unsigned lane = run_lowest(lanes);
    if (place->init > clocks[place->init_by] && place->init_by != actor)
        tell_early(warp, op, lane, kind, place);
    if (remote_is_lane_early(races, actor, lanes, place))
        tell_lane(warp, op, run_lowest(lanes & ~place->init_lanes), kind, place);
    if (races->remote && !is_wait(kind)) {
        const struct run_block *block = remote_block_of(warp->block->unit, place->key);
        if (block && block != warp->block)
            remote_access(warp, op, block, actor, clocks[actor], lane);
    }
}
