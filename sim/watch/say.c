/* Findings of races, in words. */
#include "actors.h"

#include <stdio.h>

static const char *block_name(const struct race_asker *asker) {
    const struct run_warp *warp = asker->warp;
    return asker->other.actor % asker->races->n_warps / warp->block->n_warps == warp->block->rank
               ? ""
               : " of another block";
}

void race_tell_loose(struct race_asker *asker, unsigned lane, const struct run_subject *subject,
                     const char *where) {
    const struct race_mark *other = &asker->other;
    const int far = other->unit != asker->mark.unit;
    const uint32_t *grid = asker->warp->worker->launch->grid;
    /* Flags in global memory are those of all blocks. */
    const char *scope = subject->space == PTX_GLOBAL && (grid[0] | grid[1] | grid[2]) > 1 ? "gpu"
                        : *block_name(asker) ? "cluster"
                                             : "cta";
    run_finding_of(asker->warp, asker->op, lane, &asker->warp->program->ops[other->op],
                   RULE_ADVICE_RACE_ACQUIRE, subject,
                   "warp %u %s %s, which %s %s: only a relaxed load orders the two; missing: "
                   "fence.acq_rel.%s after that load, or ld.acquire.%s",
                   asker->warp->number, asker->kind & RACE_WRITE ? "writes" : "reads", where,
                   far ? "another block" : "another warp",
                   asker->found_kind & RACE_WRITE ? "wrote" : "read", scope, scope);
}

/* The last group of bulk copies that a lane has waited for, perhaps with .read. */
static uint32_t waited_of(const struct run_warp *warp) {
    const uint32_t *waited = sync_warp_of(warp)->groups[SYNC_BULK].waited;
    uint32_t most = 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        most = waited[lane] > most ? waited[lane] : most;
    return most;
}

/* Says which wait is missing if the other access belongs to a copy or a product. Returns 1 + its
 * queue, or 0. */
uint8_t race_say_missing(const struct race_asker *asker, struct base_text *text) {
    static const char *const waits[] = {"", "cp.async.wait_group", "cp.async.bulk.wait_group",
                                        "wgmma.wait_group"};
    const int was_read = !(asker->found_kind & RACE_WRITE);
    const struct races *races = asker->races;
    const uint32_t actor = race_thread(races, asker->other.actor);
    const unsigned of = race_kind(races, actor);
    const unsigned kind = of == RACE_BULK_WRITES ? 1 + SYNC_BULK : of;
    const struct run_warp *warp = asker->warp;
    const uint32_t number = asker->other.actor % races->n_warps, per_block = warp->block->n_warps;
    const struct run_block *block = &warp->block->unit->blocks[number / per_block];
    const size_t used = text->used;
    const struct run_warp *issuer = &block->warps[number % per_block];
    const uint32_t *groups;
    uint32_t most = 0, clock = asker->other.clock;
    int waited;
    if (asker->n_clocks == 1 && asker->clocks[0] == acquire_base(races, warp) &&
        race_clocks(races, warp)[asker->other.actor] >= asker->other.clock) {
        base_put(
            text,
            "; missing: __syncwarp, or bar.warp.sync, behind the wait of other lanes of warp %u",
            warp->number);
        return 0;
    }
    if (!kind && block != warp->block && asker->other.unit == asker->mark.unit && races->relaxed &&
        races->relaxed[number] >= asker->other.clock)
        base_put(text, "; missing: .release at barrier.cluster.arrive, which is .relaxed");
    else if (!kind && asker->other.unit == asker->mark.unit &&
             races->waits[number].marked >= asker->other.clock)
        base_put(text, "; missing: .release at mbarrier.arrive, which is .relaxed");
    else if (!kind && asker->other.unit == asker->mark.unit && races->waits[race_warp(warp)].peeked)
        base_put(text, "; missing: .acquire at mbarrier.try_wait, which is .relaxed");
    else if (actor != asker->other.actor && asker->clocks[0][actor] >= asker->other.clock)
        base_put(text,
                 "; missing: __syncwarp, or bar.warp.sync, before some lanes of warp %u arrive for "
                 "others",
                 number % per_block);
    if (!kind && text->used == used && !asker->access->async && asker->found == RACE_UNORDERED) {
        if (asker->kind & asker->found_kind & 1)
            base_put(text, asker->other.unit == asker->mark.unit
                               ? "; missing: scope .cluster, as one of the two has .cta"
                               : "; missing: scope .gpu (thread_scope_device, or atomicAdd in the "
                                 "place of atomicAdd_block)");
        else if (race_updates_here(warp, run_number(warp, asker->op), asker->other.op))
            base_put(text, RACE_ATOMIC);
        else if (asker->other.unit == asker->mark.unit &&
                 (asker->access->space == PTX_SHARED ||
                  run_number(warp, asker->op) != asker->other.op))
            base_put(text, "; missing: %s between them",
                     *block_name(asker) ? "a barrier of the cluster"
                                        : "__syncthreads, or bar.sync,");
    }
    if (!kind && text->used == used && asker->access->async && asker->found == RACE_UNORDERED &&
        asker->access->space == PTX_SHARED && asker->other.unit == asker->mark.unit)
        base_put(text, "; missing: a barrier, or an arrival at an mbarrier, behind that %s",
                 was_read ? "read" : "write");
    if (!kind)
        return 0;
    if (asker->other.unit != asker->mark.unit) {
        if (kind <= SYNC_GROUPED)
            base_put(text, "; missing in that block: %s 0, then __threadfence, before its release",
                     waits[kind]);
        return (uint8_t)kind;
    }
    if (kind > SYNC_GROUPED) {
        base_put(text, "; missing: mbarrier.try_wait for the phase that the %s",
                 kind == 1 + SYNC_TENSOR ? "commit completes"
                 : asker->access->async  ? "copy completes"
                                         : "copy completes, whose expect_tx counts all its bytes");
        return (uint8_t)kind;
    }
    waited = race_clocks(races, issuer)[asker->other.actor] >= clock;
    if (kind == 1 + SYNC_CP_ASYNC && races->copies)
        waited = !(clock = copies_pending(races, issuer, clock));
    else if (kind == 1 + SYNC_BULK && !waited)
        waited = !(clock = copies_bulk_pending(races, issuer, clock));
    if (waited) {
        if (kind == 1 + SYNC_BULK && was_read)
            base_put(text, "; missing: a barrier before the copy, or one after the %s of warp %u",
                     waits[kind], number % per_block);
        else
            base_put(text, "; missing: an arrival of warp %u at a barrier or mbarrier after its %s",
                     number % per_block, waits[kind]);
        return (uint8_t)kind;
    }
    groups = sync_warp_of(issuer)->groups[kind - 1].committed;
    for (unsigned lane = 0; lane < (kind == 1 + SYNC_WGMMA ? 1 : RUN_LANES); lane++)
        most = groups[lane] > most ? groups[lane] : most;
    if (of == RACE_BULK_WRITES && clock <= waited_of(issuer))
        base_put(text, "; cp.async.bulk.wait_group.read waits for the source of the copy alone");
    if (issuer != warp) {
        /* The copy may come too early, or the write. */
        base_put(text,
                 kind == 1 + SYNC_BULK && was_read
                     ? "; missing: a barrier before the copy; or, before this write, warp %u must"
                     : "; before it, warp %u must",
                 number % per_block);
        if (clock > most)
            base_put(text, " commit it to a group,");
        base_put(text, " wait with %s%s %u and arrive at a barrier or mbarrier", waits[kind],
                 kind == 1 + SYNC_BULK && was_read ? ".read" : "", clock > most ? 0 : most - clock);
    } else if (clock > most)
        base_put(text, "; missing: a group that holds it, and %s 0", waits[kind]);
    else
        base_put(text,
                 kind == 1 + SYNC_CP_ASYNC ? "; missing: %s %u (__pipeline_wait_prior(%u))"
                                           : "; missing: %s %u",
                 waits[kind], most - clock, most - clock);
    return (uint8_t)kind;
}

const char *race_actor_name(const struct races *races, uint32_t actor) {
    static const char *const names[RACE_KINDS] = {"",
                                                  "cp.async of ",
                                                  "cp.async.bulk of ",
                                                  "wgmma of ",
                                                  "an asynchronous copy of ",
                                                  "tcgen05 of ",
                                                  "cp.async.bulk of ",
                                                  ""};
    return names[race_kind(races, actor)];
}

void race_tell_shared(struct race_asker *asker, unsigned lane, uint64_t at) {
    const struct run_warp *warp = asker->warp;
    const struct races *races = asker->races;
    const uint32_t warps = warp->block->n_warps;
    const uint32_t mine = asker->mark.actor % races->n_warps % warps;
    const uint32_t other = asker->other.actor % races->n_warps % warps;
    const char *my_name = race_actor_name(races, asker->mark.actor);
    const char *other_name = race_actor_name(races, asker->other.actor);
    const struct run_op *there = &warp->program->ops[asker->other.op];
    const char *verb = asker->access->kind == RUN_READ ? "reads" : "writes";
    const struct run_words where = run_shared_words(warp, at, "shared address ");
    struct run_subject subject = {RUN_ADDRESS, PTX_SHARED, 4, at, 0};
    char missing[256];
    struct base_text text = {missing, sizeof missing, 0};
    missing[0] = 0;
    if (race_tell_guess(asker, lane, &subject, where.text))
        return;
    if (asker->found == RACE_LOOSE) {
        race_tell_loose(asker, lane, &subject, where.text);
        return;
    }
    subject.waits = race_say_missing(asker, &text);
    if (asker->found == RACE_UNFENCED)
        run_finding_of(asker->warp, asker->op, lane, there, RULE_PROXY_FENCE_MISSING, &subject,
                       "%swarp %u %s %s, which warp %u%s wrote: fence.proxy.async is missing "
                       "between the two%s",
                       my_name, mine, verb, where.text, other, block_name(asker),
                       mine == other ? "" : ", in the warp that wrote, before their barrier");
    else if (asker->n_clocks > 1)
        run_finding_of(asker->warp, asker->op, lane, there, RULE_RACE_SHARED, &subject,
                       "wgmma of warps %u to %u %s %s, which %swarp %u wrote: nothing orders the "
                       "write before each of the four%s",
                       mine, mine + 3, verb, where.text, other_name, other,
                       missing[0] ? missing : "; missing: a barrier of the four");
    else
        run_finding_of(asker->warp, asker->op, lane, there, RULE_RACE_SHARED, &subject,
                       "%swarp %u %s %s, which %swarp %u%s %s: nothing orders the two%s", my_name,
                       mine, verb, where.text, other_name, other, block_name(asker),
                       asker->found_kind & RACE_WRITE ? "wrote" : "read", missing);
}
