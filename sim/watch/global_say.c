/* Findings of races in global memory, in words. */
#include "actors.h"
#include "../state/device.h"
#include "../state/launch.h"

#include <stdio.h>
#include <string.h>

uint32_t global_warp_of(const struct run_launch *launch, uint32_t actor, uint32_t *per_block) {
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    const uint32_t blocks = launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
    *per_block = (threads + RUN_LANES - 1) / RUN_LANES;
    return actor % (blocks * *per_block);
}

const char *global_scope_text(unsigned kind, unsigned other_kind) {
    return kind & other_kind & 1 ? ": the scope of an access is its block or cluster alone" : "";
}

const char *global_block_text(const struct run_launch *launch, uint32_t unit, uint32_t actor,
                              char text[64]) {
    struct base_text words = {text, 64, 0};
    uint32_t id[3], warps;
    const uint32_t warp = global_warp_of(launch, actor, &warps);
    block_locate(launch, unit, warp / warps, id);
    base_put(&words, "block (%u,%u,%u)", id[0], id[1], id[2]);
    return text;
}

/* The value of the word, in the little-endian order of memory. */
static uint64_t value_of(const uint8_t *bytes, unsigned n) {
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

/* The old value and the one that is written. */
static void say_values(const struct race_asker *asker, unsigned lane, struct base_text *text) {
    const struct run_access *access = asker->access;
    const unsigned n = access->bytes < 8 ? access->bytes : 8;
    const uint8_t *there = run_access_host(access, lane);
    uint8_t old[8];
    if (!access->data || !(asker->found_kind & RACE_WRITE))
        return;
    for (unsigned i = 0; i < n; i++) {
        const uint64_t at = (uint64_t)(uintptr_t)there + i - asker->cell;
        old[i] = at < RACE_CELL && (asker->old_bytes >> at & 1) ? asker->old[at] : there[i];
    }
    base_put(text, " (0x%llx over 0x%llx)",
             (unsigned long long)value_of(access->data + (size_t)lane * access->bytes, n),
             (unsigned long long)value_of(old, n));
}

/* How another block fails to order its write before an access of this one. */
static const char *const remedies[] = {
    [GLOBAL_UNKNOWN] = "",
    [GLOBAL_NO_RELEASE] =
        ("; missing in that block: behind its write, __threadfence and then the flag that "
         "this block reads"),
    [GLOBAL_OTHER_RELEASE] =
        "; missing in that block: __syncthreads between its write and its release",
    [GLOBAL_LATER_RELEASE] =
        ("; that block writes it after the release that this one has acquired: one of the two does "
         "not wait for the other"),
    [GLOBAL_NOT_ACQUIRED] =
        "; missing here: an atomic load of the flag, then __syncthreads, before this access"};

void global_tell(struct race_asker *asker, const struct run_buffer *buffer, unsigned lane,
                 uint64_t byte, enum global_release released) {
    const struct run_warp *warp = asker->warp;
    const struct run_launch *launch = warp->worker->launch;
    const struct race_mark *other = &asker->other;
    const struct run_op *there = &warp->program->ops[other->op];
    const char *name = buffer->name ? buffer->name : "a buffer";
    const struct races *races = asker->races;
    const uint32_t warps = warp->block->n_warps;
    const uint32_t mine = asker->mark.actor % races->n_warps,
                   theirs = other->actor % races->n_warps;
    const char *my_name = race_actor_name(races, asker->mark.actor);
    const char *their_name = race_actor_name(races, other->actor);
    char mine_text[64], other_text[64], more_text[256], where[128];
    struct base_text more = {more_text, sizeof more_text, 0};
    struct run_subject subject = {RUN_ADDRESS, PTX_GLOBAL, 4, buffer->base + byte, 0};
    size_t before;
    snprintf(where, sizeof where, "byte %llu of '%.60s'", (unsigned long long)byte, name);
    if (race_tell_guess(asker, lane, &subject, where))
        return;
    if (asker->found == RACE_LOOSE) {
        race_tell_loose(asker, lane, &subject, where);
        return;
    }
    more_text[0] = 0;
    say_values(asker, lane, &more);
    before = more.used;
    subject.waits = race_say_missing(asker, &more);
    if (more.used > before && strcmp(more_text + before, RACE_ATOMIC) == 0) {
        if (released > GLOBAL_NO_RELEASE) /* a flag orders such updates in other blocks */
            more_text[more.used = before] = 0;
        else
            released = GLOBAL_UNKNOWN;
    }
    if (!subject.waits && other->unit != asker->mark.unit && (asker->found_kind & RACE_WRITE)) {
        const unsigned strong = asker->kind & 1u, their_strong = asker->found_kind & 1u;
        if (strong != their_strong)
            base_put(&more,
                     "; missing %s: an atomic (atomicExch, atomicAdd, st.release), as the other "
                     "access is one",
                     strong ? "in that block" : "here");
        else if (!strong)
            base_put(&more, "%s", remedies[released]);
    }
    if (asker->found == RACE_READ_ONLY)
        run_finding_of(
            asker->warp, asker->op, lane, there, RULE_RACE_READ_ONLY, &subject,
            "warp %u reads %s by ld.global.nc, which %swarp %u wrote in this launch: .nc "
            "may return old bytes",
            mine % warps, where, their_name, theirs % warps);
    else if (asker->found == RACE_UNFENCED)
        run_finding_of(asker->warp, asker->op, lane, there, RULE_PROXY_FENCE_MISSING, &subject,
                       "%swarp %u accesses %s, which warp %u wrote: fence.proxy.async is missing "
                       "between the two",
                       my_name, mine % warps, where, theirs % warps);
    else if (other->unit == asker->mark.unit)
        run_finding_of(asker->warp, asker->op, lane, there, RULE_RACE_GLOBAL, &subject,
                       "%swarp %u %s %s, which %swarp %u%s %s: nothing orders the two%s", my_name,
                       mine % warps, asker->kind & RACE_WRITE ? "writes" : "reads", where,
                       their_name, theirs % warps,
                       theirs / warps == warp->block->rank ? "" : " of another block",
                       asker->found_kind & RACE_WRITE ? "wrote" : "read", more_text);
    else
        run_finding_of(asker->warp, asker->op, lane, there, RULE_RACE_GLOBAL, &subject,
                       "%s %s %s, which %s %s: nothing orders the two%s%s",
                       global_block_text(launch, asker->mark.unit, asker->mark.actor, mine_text),
                       asker->kind & RACE_WRITE ? "writes" : "reads", where,
                       global_block_text(launch, other->unit, other->actor, other_text),
                       asker->found_kind & RACE_WRITE ? "wrote" : "read", more_text,
                       global_scope_text(asker->kind, asker->found_kind));
}
