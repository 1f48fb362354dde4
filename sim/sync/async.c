/* Asynchronous work: copies, matrix products, and the groups in which threads wait for them.
 *
 * With --async eager work is done at issue, which is as early as the rules allow, and waits have
 * nothing left to do. With late it goes into a list of the unit and is done when a thread waits
 * for its group. Work that completes an mbarrier is done when no warp can go on. So a thread that
 * reads too early reads the old bytes. */
#include "../state/launch.h"
#include "planners.h"

#include <stdlib.h>

/* --- the list --- */

/* The groups, which may change. */
static struct sync_groups *groups_of(struct run_warp *warp, unsigned queue) {
    sync_warp_of(warp)->has_groups = 1;
    return &sync_warp_of(warp)->groups[queue];
}

/* The warp that counts the groups of wgmma: the first of the four. */
static struct run_warp *leader(struct run_warp *warp) {
    return warp->block->warps + (warp->number & ~3u);
}

static struct sync_item *append(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                                enum sync_queue queue, sync_work *work, const void *data,
                                size_t size) {
    struct sync_unit *unit = sync_unit_of(warp);
    struct sync_item *item = calloc(1, sizeof *item + size);
    if (!item)
        return NULL;
    item->warp = warp;
    item->op = op;
    item->work = work;
    item->lanes = lanes;
    item->queue = (uint8_t)queue;
    if (queue < SYNC_GROUPED)
        memcpy(item->group, groups_of(warp, queue)->committed, sizeof item->group);
    if (size)
        memcpy(item->data, data, size);
    *unit->end = item;
    unit->end = &item->next;
    return item;
}

/* Does the item **at for `lanes`, and takes it out of the list if none are left. *at is stepped to
 * the one after it. */
static enum run_next act(struct sync_unit *unit, struct sync_item ***at, uint32_t lanes) {
    struct sync_item *item = **at;
    enum run_next next;
    unit->acting = item;
    next = item->work(item->warp, item->op, lanes, item->data);
    unit->acting = NULL;
    item->warp->block->unit->events++;
    item->lanes &= ~lanes;
    if (item->lanes) {
        *at = &item->next;
        return next;
    }
    **at = item->next;
    if (unit->end == &item->next)
        unit->end = *at;
    free(item);
    return next;
}

void sync_note_issue(struct run_warp *warp, uint32_t lanes, unsigned queue) {
    struct sync_groups *groups = groups_of(warp, queue);
    if (lanes == 0xFFFFFFFFu)
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            groups->issued[lane] = groups->committed[lane] + 1;
    else
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            groups->issued[run_lowest(rest)] = groups->committed[run_lowest(rest)] + 1;
}

enum run_next sync_issue(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                         enum sync_queue queue, sync_work *work, const void *data, size_t size) {
    if (queue == SYNC_WGMMA)
        for (unsigned i = 0; i < 4; i++)
            sync_note_issue(leader(warp) + i, 1, queue);
    else if (queue < SYNC_GROUPED)
        sync_note_issue(warp, lanes, queue);
    if (sync_unit_of(warp)->late)
        return append(warp, op, lanes, queue, work, data, size) ? RUN_ON : run_no_memory(warp);
    if (queue >= SYNC_GROUPED)
        warp->block->unit->events++;
    return work(warp, op, lanes, data);
}

/* --- groups --- */

/* Lanes of an item for which a wait for all but the last `left` groups waits. */
static uint32_t asked_for(const struct sync_item *item, struct run_warp *warp, uint32_t lanes,
                          enum sync_queue queue, uint32_t left) {
    const uint32_t *groups = groups_of(warp, queue)->committed;
    uint32_t due = 0;
    if (item->queue != (uint8_t)queue)
        return 0;
    if (queue == SYNC_WGMMA)
        return leader(item->warp) == leader(warp) && (uint64_t)item->group[0] + left < groups[0]
                   ? item->lanes
                   : 0;
    if (item->warp != warp)
        return 0;
    for (uint32_t rest = item->lanes & lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        due |= (uint32_t)((uint64_t)item->group[lane] + left < groups[lane]) << lane;
    }
    return due;
}

/* With `reads_only` the thread knows of the source alone. The copy is done all the same. */
static enum run_next wait_groups(struct run_warp *warp, uint32_t lanes, enum sync_queue queue,
                                 uint32_t left, int reads_only) {
    struct sync_unit *unit = sync_unit_of(warp);
    struct sync_groups *groups = groups_of(warp, queue);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        const uint32_t done = groups->committed[lane] > left ? groups->committed[lane] - left : 0;
        groups->waited[lane] = done ? done : groups->waited[lane];
        groups->written[lane] = done && !reads_only ? done : groups->written[lane];
    }
    for (struct sync_item **at = &unit->first; *at;) {
        uint32_t due = asked_for(*at, warp, lanes, queue, left);
        if (!due)
            at = &(*at)->next;
        else if (act(unit, &at, due) == RUN_STOP)
            return RUN_STOP;
    }
    hear_order(warp, NULL, lanes, RUN_ORDER_GROUPS, &queue);
    return RUN_ON;
}

/* Does what the queue holds of `lanes` of a warp, but for the last `left` groups. */
static enum run_next sync_wait_groups(struct run_warp *warp, uint32_t lanes, enum sync_queue queue,
                                      uint32_t left) {
    return wait_groups(warp, lanes, queue, left, 0);
}

static void commit(struct run_warp *warp, uint32_t lanes, enum sync_queue queue) {
    uint32_t *groups = groups_of(warp, queue)->committed;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        groups[run_lowest(rest)]++;
}

/* A note: the GPUs that were measured complete pending work. PTX promises its completion to a
 * thread that waits, and nothing after the exit. */
enum run_next sync_leave(struct run_warp *warp, const struct run_op *op, uint32_t lanes) {
    static const struct {
        const char *name, *promise;
    } queues[SYNC_GROUPED] = {
        {"cp.async", "PTX promises the copied bytes only to a thread that waits"},
        {"cp.async.bulk", "PTX promises that the copy has read its source, and has written its "
                          "destination, only to a thread that waits"},
        {"wgmma.mma_async", "PTX promises the results only to a warp that waits"}};
    struct run_subject subject = {.kind = RUN_NO_SUBJECT};
    if (!sync_checks(warp) || !sync_warp_of(warp)->has_groups)
        return RUN_ON;
    for (unsigned queue = 0; queue < SYNC_GROUPED; queue++) {
        const struct sync_groups *groups = &sync_warp_of(warp)->groups[queue];
        for (uint32_t rest = queue == SYNC_WGMMA ? 1 : lanes; rest; rest &= rest - 1) {
            unsigned lane = run_lowest(rest);
            if (groups->issued[lane] <= groups->waited[lane])
                continue;
            subject.waits = (uint8_t)(1 + queue);
            if (run_finding_of(warp, op, lane, NULL, RULE_SYNC_GROUP_LEAK, &subject,
                               "the thread exits with %s pending: %s; %s", queues[queue].name,
                               groups->issued[lane] > groups->committed[lane]
                                   ? "it was put into no group"
                                   : "its group was not waited for",
                               queues[queue].promise) == RUN_STOP)
                return RUN_STOP;
            break;
        }
    }
    return RUN_ON;
}

/* --- when nobody can go on --- */

/* An arrival comes after the copies that its lanes issued before it. */
static enum run_next arrive_behind(struct sync_unit *unit, const struct sync_item *arrival) {
    struct run_warp *warp = arrival->warp;
    uint32_t lanes = arrival->lanes;
    for (struct sync_item **at = &unit->first; *at;) {
        int mine = (*at)->queue == SYNC_CP_ASYNC && (*at)->warp == warp, last = *at == arrival;
        uint32_t due = mine ? (*at)->lanes & lanes : 0;
        if (!due)
            at = &(*at)->next;
        else if (act(unit, &at, due) == RUN_STOP)
            return RUN_STOP;
        if (last)
            break;
    }
    return RUN_ON;
}

int sync_push(struct run_unit *unit) {
    struct sync_unit *sync = unit->sync;
    for (struct sync_item **at = &sync->first; *at; at = &(*at)->next) {
        enum run_next next;
        if ((*at)->queue < SYNC_GROUPED && !(*at)->arrives)
            continue;
        next = (*at)->arrives ? arrive_behind(sync, *at) : act(sync, &at, (*at)->lanes);
        return next == RUN_STOP ? -1 : 1;
    }
    return 0;
}

/* Finds tensor memory that is still allocated. */
static enum run_next find_allocated(const struct run_block *block) {
    const struct run_tensor *tensor = block->tensor;
    unsigned units = 0;
    for (unsigned i = 0; tensor && i < RUN_TENSOR_UNITS; i++)
        units += tensor->owner[i] != 0;
    if (!units || !sync_checks(tensor->warp))
        return RUN_ON;
    return run_finding(tensor->warp, tensor->op, RUN_LANES, RULE_TCGEN_DEALLOC_MISSING, 0,
                       "the block ends without freeing %u columns of tensor memory",
                       units * RUN_TENSOR_UNIT);
}

enum run_next sync_unit_end(struct run_unit *unit) {
    struct sync_unit *sync = unit->sync;
    for (struct sync_item **at = &sync->first; *at;)
        if (act(sync, &at, (*at)->lanes) == RUN_STOP)
            return RUN_STOP;
    for (uint32_t i = 0; i < unit->n_blocks; i++)
        if (find_allocated(&unit->blocks[i]) == RUN_STOP ||
            sync_registers_end(&unit->blocks[i]) == RUN_STOP)
            return RUN_STOP;
    return RUN_ON;
}

/* --- steps of cp.async and of bulk copies --- */

static enum run_next cp_commit(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                               struct run_warp *warp) {
    (void)frame, (void)op;
    commit(warp, lanes, SYNC_CP_ASYNC);
    return RUN_ON;
}

static enum run_next bulk_commit(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                 struct run_warp *warp) {
    (void)frame, (void)op;
    commit(warp, lanes, SYNC_BULK);
    return RUN_ON;
}

static enum run_next cp_wait(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                             struct run_warp *warp) {
    (void)frame;
    return sync_wait_groups(warp, lanes, SYNC_CP_ASYNC, (uint32_t)op->immediate);
}

/* cp.async.wait_all: as commit_group and wait_group 0. */
static enum run_next cp_wait_all(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                 struct run_warp *warp) {
    cp_commit(frame, op, lanes, warp);
    return sync_wait_groups(warp, lanes, SYNC_CP_ASYNC, 0);
}

static enum run_next bulk_wait(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                               struct run_warp *warp) {
    (void)frame;
    return wait_groups(warp, lanes, SYNC_BULK, (uint32_t)op->immediate, 0);
}

static enum run_next bulk_wait_read(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                    struct run_warp *warp) {
    (void)frame;
    return wait_groups(warp, lanes, SYNC_BULK, (uint32_t)op->immediate, 1);
}

static enum wsim_status counted(struct run_plan *plan, run_step *step) {
    uint64_t left;
    if (!plan_constant(plan, 0, &left))
        return plan_refuse(plan, "the number of groups is not a constant");
    plan->op->immediate = left > UINT32_MAX ? UINT32_MAX : left;
    return plan_does(plan, step);
}

enum wsim_status sync_cp_commit_plan(struct run_plan *plan) {
    return plan_does(plan, cp_commit);
}

enum wsim_status sync_cp_wait_plan(struct run_plan *plan) {
    return counted(plan, cp_wait);
}

enum wsim_status sync_cp_wait_all_plan(struct run_plan *plan) {
    return plan_does(plan, cp_wait_all);
}

enum wsim_status sync_bulk_commit_plan(struct run_plan *plan) {
    return plan_does(plan, bulk_commit);
}

enum wsim_status sync_bulk_wait_plan(struct run_plan *plan) {
    return counted(plan, plan->meaning.read ? bulk_wait_read : bulk_wait);
}

/* --- steps of wgmma --- */

/* wgmma.fence orders registers before products: a product reads them on completion, which is never
 * before its issue. For shared memory, fence.proxy.async orders. */
static enum run_next product_fence(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                   struct run_warp *warp) {
    enum run_next next = sync_together(warp, op, lanes);
    (void)frame;
    if (next == RUN_ON)
        hear_order(warp, op, lanes, RUN_ORDER_REGISTERS, NULL);
    return next;
}

static enum run_next product_commit(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                    struct run_warp *warp) {
    enum run_next next = sync_together(warp, op, lanes);
    (void)frame;
    if (next == RUN_ON)
        commit(warp, 1, SYNC_WGMMA);
    return next;
}

static enum run_next product_wait(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                  struct run_warp *warp) {
    enum run_next next = sync_together(warp, op, lanes);
    (void)frame;
    if (next == RUN_ON)
        next = sync_wait_groups(warp, 1, SYNC_WGMMA, (uint32_t)op->immediate);
    return next == RUN_ON && warp->taint ? RUN_TAINT : next;
}

enum wsim_status sync_product_fence_plan(struct run_plan *plan) {
    return plan_does(plan, product_fence);
}

enum wsim_status sync_product_commit_plan(struct run_plan *plan) {
    return plan_does(plan, product_commit);
}

enum wsim_status sync_product_wait_plan(struct run_plan *plan) {
    return counted(plan, product_wait);
}

/* --- cp.async.mbarrier.arrive --- */

static enum run_next arrive_now(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                                const void *data) {
    const uint64_t *at = data;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        if (sync_mbarrier_arrive(warp, op, lane, at[lane], RUN_ORDER_COPIED) == RUN_STOP)
            return RUN_STOP;
    }
    return RUN_ON;
}

/* Without .noinc one arrival more is pending until this one has come. */
static enum run_next cp_arrive(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                               struct run_warp *warp) {
    const struct sync_address *address = op->more;
    struct sync_unit *unit = sync_unit_of(warp);
    uint64_t at[RUN_LANES] = {0};
    struct sync_item *item;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        at[lane] = sync_address_of(frame, address, lane);
        /* The barrier says when the copies are done: no thread must wait for their groups. */
        groups_of(warp, SYNC_CP_ASYNC)->issued[lane] = 0;
        if (!op->immediate && sync_mbarrier_more(warp, op, lane, at[lane]) == RUN_STOP)
            return RUN_STOP;
    }
    hear_order(warp, op, lanes, RUN_ORDER_BEHIND, NULL);
    if (!unit->late)
        return arrive_now(warp, op, lanes, at);
    item = append(warp, op, lanes, SYNC_CP_ASYNC, arrive_now, at, sizeof at);
    if (!item)
        return run_no_memory(warp);
    item->arrives = 1;
    return RUN_ON;
}

enum wsim_status sync_cp_arrive_plan(struct run_plan *plan) {
    struct sync_address *address = plan_keep(plan, sizeof *address);
    if (!address)
        return WSIM_NO_MEMORY;
    TRY(sync_address_plan(plan, 0, address));
    plan->op->more = address;
    plan->op->immediate = plan->meaning.noinc;
    plan->op->step = cp_arrive;
    return WSIM_OK;
}
