/* Lanes of a warp that execute an instruction together.
 *
 * The lanes of a member mask that have not exited wait for each other. They may come from
 * different places of the program. The instructions must have equal spellings and masks (PTX ISA
 * 9.0, shfl.sync: "with the same qualifiers and same membermask value"). A group that has to wait
 * merges with lanes that come to the same operation. Groups at other operations are found here.
 *
 * PTX leaves the result undefined if a lane is not in its own mask. Machine code has no mask in
 * SHFL and REDUX. So on an H200 such a lane takes part like the others (recorded for shfl.sync and
 * redux.sync). Here it takes part in all of these instructions, after a finding. */
#include "lanes.h"

#include "../decode/build.h"
#include "../state/taint.h"

/* --- going on --- */

enum run_next sync_pass(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                        uint32_t passed) {
    struct run_group *group = warp->group;
    struct run_counts *counts = warp->worker->counts + run_number(warp, op);
    uint32_t stay = lanes & ~passed;
    if (!stay)
        return RUN_ON;
    if (!passed)
        return RUN_WAIT;
    run_split(warp, group->lanes & ~stay, run_number(warp, op) + 1);
    group->at = run_number(warp, op);
    /* The loop counts the operation for the whole group. */
    counts[0].threads -= run_count(stay), counts[1].threads += run_count(stay);
    return RUN_REGROUP;
}

/* Executes the group's operation for `lanes` outside of the loop that counts. */
static void account(struct run_warp *warp, uint32_t at, uint32_t lanes) {
    struct run_counts *counts = warp->worker->counts + at;
    int64_t threads = run_count(lanes);
    counts[0].executed++, counts[1].executed--;
    counts[0].threads += threads, counts[1].threads -= threads;
    warp->worker->instructions++;
}

/* Lets `lanes` of a waiting group go on after its operation. */
static void sync_release(struct run_warp *warp, struct run_group *group, uint32_t lanes) {
    struct run_group *running = warp->group;
    account(warp, group->at, lanes);
    if (warp->worker->launch->look)
        warp->worker->launch->look->released(warp, group, lanes);
    if (lanes != group->lanes) {
        warp->group = group;
        run_split(warp, lanes, group->at + 1);
        warp->group = running;
        return;
    }
    group->at++;
    group->state = RUN_READY;
    group->again = 0;
    group->looked = 0;
    group->missed = 0;
    group->ticket = 0;
}

enum run_next sync_together(struct run_warp *warp, const struct run_op *op, uint32_t lanes) {
    (void)op;
    return lanes == warp->lanes ? RUN_ON : RUN_WAIT;
}

/* --- four warps --- */

enum { HERE = 1, EXECUTED = 2 }; /* tickets */

/* The group of a warp that waits at that operation with all lanes; NULL: none does. */
static struct run_group *waits_at(struct run_warp *warp, uint32_t at) {
    for (uint32_t i = 0; i < warp->n_groups; i++) {
        struct run_group *group = &warp->groups[i];
        if (group->at == at && group->ticket == HERE && group->lanes == warp->lanes)
            return group;
    }
    return NULL;
}

enum run_next sync_warpgroup(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                             struct run_warp **first) {
    struct run_warp *four = warp->block->warps + (warp->number & ~3u);
    struct run_group *waiting[4];
    *first = NULL;
    if (warp->group->ticket == EXECUTED) {
        warp->group->ticket = 0;
        return RUN_ON;
    }
    if (lanes != warp->lanes || (warp->number & ~3u) + 4 > warp->block->n_warps)
        return RUN_WAIT;
    for (unsigned i = 0; i < 4; i++) {
        waiting[i] = four + i == warp ? warp->group : waits_at(four + i, run_number(warp, op));
        if (!waiting[i]) {
            warp->group->ticket = HERE;
            return RUN_WAIT;
        }
    }
    for (unsigned i = 0; i < 4; i++)
        if (four + i != warp) {
            waiting[i]->ticket = EXECUTED;
            four[i].group = waiting[i];
        }
    warp->group->ticket = 0;
    warp->block->unit->events++;
    *first = four;
    return RUN_ON;
}

/* --- member masks --- */

/* Operands of `lanes`, out of a frame. */
static void load(uint8_t *frame, const struct sync_gather *gather, uint32_t lanes,
                 struct sync_values *values) {
    const uint32_t *a = run_words(frame, gather->a.at);
    const uint32_t *b = run_words(frame, gather->b.at);
    const uint32_t *c = run_words(frame, gather->c.at);
    for (uint32_t rest = gather->a.bits ? lanes : 0; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        values->a[lane] = gather->a.bits == 32 ? a[lane] : run_get(frame, gather->a, lane);
        values->b[lane] = gather->b.bits ? b[lane] : 0;
        values->c[lane] = gather->c.bits ? c[lane] : 0;
    }
}

static void store(uint8_t *frame, const struct sync_gather *gather, uint32_t lanes,
                  const struct sync_values *values) {
    if (gather->d.bits == 32) {
        uint32_t *d = run_words(frame, gather->d.at);
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            d[run_lowest(rest)] = values->d[run_lowest(rest)];
    }
    if (gather->p.bits) {
        uint32_t *p = run_pred(frame, gather->p.at);
        *p = (*p & ~lanes) | (values->p & lanes);
    }
}

/* --- uninitialised bits of a warp with taint --- */

static void load_marks(const struct run_warp *warp, const uint8_t *frame,
                       const struct sync_gather *gather, uint32_t lanes, struct sync_marks *marks) {
    const struct taint_frame *mirror = taint_find(warp, frame);
    for (uint32_t rest = mirror && gather->a.bits ? lanes : 0; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        marks->a[lane] = taint_get(mirror, gather->a, lane);
        marks->origin[lane] = mirror->origins[taint_place(gather->a, lane)];
    }
}

static void store_marks(struct run_warp *warp, const struct run_frame *frame,
                        const struct sync_gather *gather, uint32_t lanes,
                        const struct sync_marks *marks) {
    struct taint_frame *mirror = taint_find(warp, frame->bytes);
    uint32_t any = marks->p & lanes;
    if (!warp->taint)
        return;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        any |= marks->d[run_lowest(rest)];
    if (!mirror && any)
        mirror = taint_mirror(warp, frame);
    for (uint32_t rest = mirror ? lanes : 0; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        if (gather->d.bits)
            taint_put(mirror, gather->d, lane, marks->d[lane], marks->result_of[lane]);
        if (gather->p.bits)
            taint_put(mirror, gather->p, lane, marks->p >> lane & 1, marks->result_of[lane]);
    }
}

/* Results of lanes that read from a lane that does not take part are undefined. */
static void mark_absent(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                        const struct sync_values *values, struct sync_marks *marks) {
    const uint32_t absent = warp->taint ? values->absent & lanes : 0;
    const uint32_t origin =
        absent ? taint_origin(warp, op, TAINT_LANE, 0, values->absent_from, NULL) : 0;
    for (uint32_t rest = absent; rest; rest &= rest - 1) {
        marks->d[run_lowest(rest)] = 0xFFFFFFFFu;
        marks->result_of[run_lowest(rest)] = origin;
    }
}

/* Whether registers hold undefined bits: those of a warp with taint, or results of this. */
static int has_marks(struct run_warp *warp, const struct sync_values *values) {
    if (!values->absent || warp->taint || !(warp->worker->launch->how->checks & WSIM_CHECK_INIT))
        return warp->taint != NULL;
    if (!taint_begin(warp))
        run_no_memory(warp);
    return warp->taint != NULL;
}

static enum run_next move_marks(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                                const struct sync_values *values) {
    const struct sync_gather *gather = op->more;
    struct sync_marks marks = {.p = 0};
    if (!has_marks(warp, values))
        return RUN_ON;
    load_marks(warp, warp->group->frame->bytes, gather, lanes, &marks);
    if (gather->taint)
        gather->taint(gather, lanes, values, &marks);
    mark_absent(warp, op, lanes, values, &marks);
    store_marks(warp, warp->group->frame, gather, lanes, &marks);
    return RUN_TAINT;
}

/* Lanes whose masks are `mask`, of those in `lanes`. */
static uint32_t with_mask(uint8_t *frame, const struct sync_gather *gather, uint32_t lanes,
                          uint32_t mask) {
    const uint32_t *masks = run_words(frame, gather->mask.at);
    uint32_t same = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        same |= (uint32_t)(masks[run_lowest(rest)] == mask) << run_lowest(rest);
    return same;
}

/* Whether lanes at another place of the program execute the same instruction. */
static const struct sync_gather *same_elsewhere(const struct run_warp *warp,
                                                const struct run_group *other,
                                                const struct run_op *op) {
    const struct run_op *at = &warp->program->ops[other->at];
    const struct sync_gather *mine = op->more, *theirs = at->more;
    if (other == warp->group || !sync_waits(other) || at->step != op->step)
        return NULL;
    return theirs->opcode == mine->opcode ? theirs : NULL;
}

/* All lanes of a mask are here, some of them perhaps in other groups. */
static void execute(uint8_t *frame, const struct run_op *op, uint32_t here, uint32_t all,
                    uint32_t mask, struct run_warp *warp) {
    const struct sync_gather *mine = op->more, *theirs;
    struct sync_values values;
    struct sync_marks marks = {.p = 0};
    uint32_t groups = warp->n_groups;
    values.absent = 0;
    load(frame, mine, here, &values);
    load_marks(warp, frame, mine, here, &marks);
    for (uint32_t i = 0; here != all && i < groups; i++)
        if ((theirs = same_elsewhere(warp, &warp->groups[i], op)) != NULL) {
            uint8_t *other = warp->groups[i].frame->bytes;
            const uint32_t lanes = with_mask(other, theirs, warp->groups[i].lanes, mask);
            load(other, theirs, lanes, &values);
            load_marks(warp, other, theirs, lanes, &marks);
        }
    mine->compute(mine, all, &values);
    if (has_marks(warp, &values) && mine->taint)
        mine->taint(mine, all, &values, &marks);
    mark_absent(warp, op, here, &values, &marks);
    store(frame, mine, here, &values);
    store_marks(warp, warp->group->frame, mine, here, &marks);
    for (uint32_t i = 0; here != all && i < groups; i++)
        if ((theirs = same_elsewhere(warp, &warp->groups[i], op)) != NULL) {
            uint8_t *other = warp->groups[i].frame->bytes;
            uint32_t lanes = with_mask(other, theirs, warp->groups[i].lanes, mask);
            store(other, theirs, lanes, &values);
            mark_absent(warp, &warp->program->ops[warp->groups[i].at], lanes, &values, &marks);
            store_marks(warp, warp->groups[i].frame, theirs, lanes, &marks);
            if (lanes)
                sync_release(warp, &warp->groups[i], lanes);
        }
    if (all & mask)
        hear_order(warp, op, all & mask, RUN_ORDER_WARP, NULL);
}

static uint32_t elsewhere(const struct run_warp *warp, const struct run_op *op, uint32_t mask) {
    const struct sync_gather *theirs;
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < warp->n_groups; i++)
        if ((theirs = same_elsewhere(warp, &warp->groups[i], op)) != NULL)
            lanes |= with_mask(warp->groups[i].frame->bytes, theirs, warp->groups[i].lanes, mask);
    return lanes;
}

static void tell_foreign(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                         uint32_t mask) {
    const unsigned lane = run_lowest(lanes & ~mask);
    if (sync_checks(warp) && !warp->group->again)
        run_finding(warp, op, lane, RULE_SYNC_MASK_FOREIGN, 0,
                    "lane %u executes this with the member mask 0x%08x, which does not name it: "
                    "the lanes here are 0x%08x, and an H200 takes all of them",
                    lane, mask, lanes);
}

/* The member mask of the lanes that wait in a group. */
static uint32_t mask_of(const struct run_group *group, const struct sync_gather *gather) {
    return run_words(group->frame->bytes, gather->mask.at)[run_lowest(group->lanes)];
}

/* The group begins to wait for lanes that have other operations before them. */
static void await_lanes(struct run_warp *warp, uint32_t lanes) {
    for (uint32_t i = 0; i < warp->n_groups; i++) {
        const struct run_group *other = &warp->groups[i];
        if (!(other->lanes & lanes) || warp->program->ops[other->at].leads & RUN_LEAVES)
            continue;
        warp->group->missed |= other->lanes & lanes;
        warp->group->missed_at = other->at;
    }
}

/* Lanes that were awaited here had other operations before them, and have exited since. */
static void tell_absent(struct run_warp *warp, const struct run_op *op) {
    struct run_group *group = warp->group;
    const uint32_t mask = mask_of(group, op->more), absent = group->missed & mask & ~warp->lanes;
    const struct run_subject subject = {.kind = RUN_NO_SUBJECT};
    if (!absent)
        return;
    group->missed &= ~absent;
    if (sync_checks(warp))
        run_finding_of(warp, op, run_lowest(group->lanes), &warp->program->ops[group->missed_at],
                       RULE_ADVICE_MASK_ABSENT, &subject,
                       "the member mask 0x%08x names lanes 0x%08x, which go on elsewhere and exit "
                       "without this instruction",
                       mask, absent);
}

/* Masks that are not simply all lanes that are here: each mask for itself. */
static enum run_next meet(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warp) {
    const struct sync_gather *gather = op->more;
    enum run_next next;
    uint32_t passed = 0;
    for (uint32_t rest = lanes, same; rest; rest &= ~same) {
        uint32_t mask = run_words(frame, gather->mask.at)[run_lowest(rest)];
        uint32_t all;
        same = with_mask(frame, gather, rest, mask);
        if (same & ~mask)
            tell_foreign(warp, op, same, mask);
        all = same | elsewhere(warp, op, mask);
        if ((same & mask) && (mask & warp->lanes & ~all)) {
            if (!warp->group->again)
                await_lanes(warp, mask & warp->lanes & ~all);
            continue;
        }
        execute(frame, op, same, all, mask, warp);
        passed |= same;
    }
    next = sync_pass(warp, op, lanes, passed);
    return next == RUN_ON && warp->taint ? RUN_TAINT : next;
}

/* Whether every mask here, without exited lanes, names exactly these lanes. */
static int is_all(const uint32_t *masks, uint32_t lanes, uint32_t alive) {
    uint32_t differ = 0;
    if (lanes != 0xFFFFFFFFu) {
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            differ |= (masks[run_lowest(rest)] & alive) ^ lanes;
        return !differ;
    }
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        differ |= ~masks[lane];
    return !differ;
}

/* Lanes that name one another alone. Without a member mask: those that happen to be here, as before
 * sm_70. */
static enum run_next gather_here(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                 struct run_warp *warp) {
    const struct sync_gather *gather = op->more;
    struct sync_values values;
    enum run_next next;
    values.absent = 0;
    load(frame, gather, lanes, &values);
    gather->compute(gather, lanes, &values);
    next = move_marks(warp, op, lanes, &values);
    store(frame, gather, lanes, &values);
    hear_order(warp, op, lanes, RUN_ORDER_WARP, NULL);
    return next;
}

enum run_next sync_gather(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warp) {
    const struct sync_gather *gather = op->more;
    if (warp->group->missed)
        tell_absent(warp, op);
    if (gather->full ? lanes != warp->lanes
                     : !is_all(run_words(frame, gather->mask.at), lanes, warp->lanes))
        return meet(frame, op, lanes, warp);
    if (gather->quick && lanes == 0xFFFFFFFFu && !warp->taint) {
        gather->quick(gather, frame);
        hear_order(warp, op, lanes, RUN_ORDER_WARP, NULL);
        return RUN_ON;
    }
    return gather_here(frame, op, lanes, warp);
}

enum wsim_status sync_gather_plan(struct run_plan *plan, const struct sync_gather *gather) {
    struct sync_gather *kept = plan_keep(plan, sizeof *kept);
    uint64_t mask;
    if (!kept)
        return WSIM_NO_MEMORY;
    *kept = *gather;
    /* The member mask is the last operand. */
    kept->full = plan_constant(plan, plan->count - 1, &mask) && (uint32_t)mask == 0xFFFFFFFFu;
    kept->opcode = plan->instruction->opcode;
    if (plan->build->module->flags & WSIM_MODULE_PLAIN)
        kept->quick = NULL;
    return plan_does_with(plan, gather->mask.bits ? sync_gather : gather_here, kept);
}

void sync_meet_describe(const struct run_warp *warp, const struct run_group *group,
                        struct base_text *text) {
    const struct run_op *op = &warp->program->ops[group->at];
    const struct sync_gather *gather = op->more;
    uint32_t mask, missing;
    if (op->step != sync_gather)
        return;
    mask = mask_of(group, gather);
    missing = mask & warp->lanes & ~group->lanes;
    base_put(text, " waits for lanes 0x%08x of mask 0x%08x", missing, mask);
}
