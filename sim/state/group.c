/* The groups of a warp: lanes that share a frame and an operation. */
#include "warp.h"

#define FEW 4  /* groups that are compared with each other at once        */
#define SETS 4 /* of 64 operations each, for sets of operations of groups */

struct run_group *run_split(struct run_warp *warp, uint32_t lanes, uint32_t at) {
    struct run_group *from = warp->group, *group = &warp->groups[warp->n_groups++];
    *group = (struct run_group){.at = at, .lanes = lanes, .frame = from->frame, .turn = from->turn};
    from->lanes &= ~lanes;
    return group;
}

void run_leave(struct run_warp *warp, uint32_t lanes) {
    warp->group->lanes &= ~lanes;
    warp->lanes &= ~lanes;
    if (!warp->lanes)
        warp->block->alive &= ~(UINT32_C(1) << warp->number);
    warp->block->unit->events++;
}

/* Returns the frame of a group at `depth`: its own or that of a caller. *at is its operation there,
 * or the pending call. All lanes of a group share these frames, so the lowest lane represents them.
 */
static const struct run_frame *outer(const struct run_warp *warp, const struct run_group *group,
                                     uint32_t depth, uint32_t *at) {
    unsigned lane;
    if (depth == group->frame->depth) {
        *at = group->at;
        return group->frame;
    }
    lane = run_lowest(group->lanes);
    *at = warp->levels[depth + 1].call[lane];
    return warp->levels[depth + 1].caller[lane];
}

/* Whether `a` goes before `b`: by turn, then because of where they are. The outermost call in which
 * they differ decides: lanes inside a call catch up with lanes after it. */
static int is_called_before(const struct run_warp *warp, const struct run_group *a,
                            const struct run_group *b) {
    const struct run_op *ops = warp->program->ops;
    uint32_t depth_a = a->frame->depth, depth_b = b->frame->depth;
    uint32_t shared = depth_a < depth_b ? depth_a : depth_b;
    for (uint32_t depth = 0; depth <= shared; depth++) {
        uint32_t at_a, at_b;
        const struct run_frame *frame_a = outer(warp, a, depth, &at_a);
        const struct run_frame *frame_b = outer(warp, b, depth, &at_b);
        if (frame_a != frame_b)
            return frame_a->function < frame_b->function;
        if (ops[at_a].position != ops[at_b].position)
            return ops[at_a].position < ops[at_b].position;
    }
    /* One is at the call that the other is inside of: it goes in too, and they may meet there. */
    return depth_a < depth_b;
}

static inline int is_before(const struct run_warp *warp, const struct run_group *a,
                            const struct run_group *b) {
    const struct run_op *ops = warp->program->ops;
    if (a->turn != b->turn)
        return a->turn < b->turn;
    if (a->frame == b->frame && !a->frame->depth)
        return ops[a->at].position < ops[b->at].position;
    return is_called_before(warp, a, b);
}

/* Merges groups that share a frame and an operation. A group whose operation has begun stays apart,
 * because a barrier has counted it. */
static void merge(struct run_warp *warp) {
    for (uint32_t i = 0; i < warp->n_groups; i++) {
        struct run_group *group = &warp->groups[i];
        for (uint32_t j = i + 1; j < warp->n_groups;) {
            struct run_group *other = &warp->groups[j];
            if (other->at != group->at || other->frame != group->frame || other->ticket ||
                group->ticket) {
                j++;
                continue;
            }
            group->lanes |= other->lanes;
            if (other->turn < group->turn)
                group->turn = other->turn;
            if (other->jumps < group->jumps)
                group->jumps = other->jumps;
            /* More lanes may be what it waited for. */
            group->state = RUN_READY;
            group->again = 0;
            group->looked |= other->looked;
            group->missed |= other->missed;
            warp->groups[j] = warp->groups[--warp->n_groups];
        }
    }
}

int warp_wake(struct run_warp *warp) {
    if (warp->woken == warp->block->unit->events + 1)
        return 0;
    warp->woken = warp->block->unit->events + 1;
    for (uint32_t i = 0; i < warp->n_groups; i++)
        if (warp->groups[i].state == RUN_WAITING)
            warp->groups[i].state = RUN_READY, warp->groups[i].again = 1;
    return 1;
}

/* Whether two groups may be at one operation: it says so of all that are. */
static int may_meet(const struct run_warp *warp) {
    uint64_t seen[SETS] = {0}, met = 0;
    if (warp->n_groups <= FEW)
        return warp->n_groups > 1;
    for (uint32_t i = 0; i < warp->n_groups; i++) {
        const uint32_t at = warp->groups[i].at;
        met |= seen[at / 64 % SETS] >> at % 64 & 1;
        seen[at / 64 % SETS] |= UINT64_C(1) << at % 64;
    }
    return met != 0;
}

struct run_group *warp_choose(struct run_warp *warp) {
    struct run_group *best = NULL;
    if (warp->n_groups == 1 && warp->groups[0].lanes)
        return warp->group =
                   warp->groups[0].state == RUN_READY || warp_wake(warp) ? &warp->groups[0] : NULL;
    for (uint32_t i = 0; i < warp->n_groups;)
        if (!warp->groups[i].lanes)
            warp->groups[i] = warp->groups[--warp->n_groups];
        else
            i++;
    if (may_meet(warp))
        merge(warp);
    for (int again = 0; !best && again < 2; again++) {
        if (again && !warp_wake(warp))
            break;
        for (uint32_t i = 0; i < warp->n_groups; i++) {
            struct run_group *group = &warp->groups[i];
            if (group->state != RUN_READY)
                continue;
            if (!best || is_before(warp, group, best))
                best = group;
        }
    }
    warp->group = best;
    return best;
}
