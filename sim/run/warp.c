/* The loop that everything runs in: operations one after another, until the group changes. */
#include "../step/loop.h"
#include "../step/taint.h"
#include "../step/tape.h"
#include "look.h"
#include "warp.h"

/* The loops are compiled into the functions that name them, with their constants. */
#if defined(__GNUC__)
#define INSIDE static inline __attribute__((always_inline))
#else
#define INSIDE static inline
#endif

/* Jumps backward after which a group gives way: it may wait for what others do. A branch counts as
 * much as its loop looks like a wait (flow.c). */
#define PATIENCE 65536

/* Runs consecutive operations from `op` on, until a step returns something other than RUN_ON, or
 * before an operation with a flag of `stops`. RUN_LEADS: other groups may be waiting. RUN_WRITES:
 * other warps may lag. */
INSIDE const struct run_op *run_straight(struct run_warp *warp, uint8_t *frame,
                                         const struct run_op *op, uint32_t lanes, uint8_t stops,
                                         enum run_next *next) {
    *next = RUN_ON;
    do {
        uint32_t on = lanes & (*run_pred(frame, op->guard) ^ op->flip);
        if (on) {
            *next = op->step(frame, op, on, warp);
            if (*next)
                return op;
        }
        op++;
    } while (!(op->leads & stops));
    return op;
}

/* The same for a warp whose registers may hold uninitialised bits, which every operation moves. */
static const struct run_op *run_tainted(struct run_warp *warp, uint8_t *frame,
                                        const struct run_op *op, uint32_t lanes, uint8_t stops,
                                        enum run_next *next) {
    *next = RUN_ON;
    do {
        const uint32_t on = lanes & (*run_pred(frame, op->guard) ^ op->flip);
        if (warp->taint)
            taint_before(frame, op, lanes, on, warp);
        if (warp->worker->records)
            tape_note(warp->worker->records, warp, frame, op, lanes);
        if (on) {
            *next = op->step(frame, op, on, warp);
            if (*next == RUN_TAINT) {
                taint_after(op, on, warp);
                *next = RUN_ON;
            }
            if (*next)
                return op;
        }
        op++;
    } while (!(op->leads & stops));
    return op;
}

/* The group executed operations first .. end - 1. */
INSIDE void account(struct run_worker *worker, const struct run_program *program,
                    const struct run_op *first, const struct run_op *end, uint32_t lanes) {
    struct run_counts *from = worker->counts + (first - program->ops);
    struct run_counts *to = worker->counts + (end - program->ops);
    int64_t threads = run_count(lanes);
    from->executed++, to->executed--;
    from->threads += threads, to->threads -= threads;
    worker->instructions += (uint64_t)(end - first);
}

/* Warps that have passed a barrier go on together, as on a GPU, where each gets a turn every few
 * cycles. A warp gives way to the others once: at its first jump backward, or before its first
 * access that may write shared memory. So reads right after the barrier come before such writes,
 * even in kernels that forget the next barrier. The check still reports these as races, and with a
 * seed their order varies. */

/* Gives a group the last turn among the groups of its warp that can run. So sides of a branch that
 * poll take turns, as on a GPU. A group that waits may make what another polls for. */
static void give_turn(struct run_warp *warp, struct run_group *group) {
    warp_wake(warp);
    for (uint32_t i = 0; i < warp->n_groups; i++) {
        const struct run_group *other = &warp->groups[i];
        if (other != group && other->lanes && other->state == RUN_READY &&
            other->turn >= group->turn)
            group->turn = other->turn + 1;
    }
}

/* Counts a jump. Returns WARP_DONE if the group goes on. WARP_TIRED: it gives way to other groups
 * that passed the same barrier. WARP_POLLING: after many jumps backward it may be in an endless
 * loop. */
INSIDE enum warp_outcome count_jump(struct run_warp *warp, struct run_group *group,
                                    const struct run_op *op) {
    if (warp->at > run_number(warp, op))
        return WARP_DONE;
    if (warp->ahead_of_others) {
        warp->ahead_of_others = 0;
        return WARP_TIRED;
    }
    if (op->count == RUN_POLLS && warp->n_groups > 1)
        give_turn(warp, group);
    group->jumps += 1u << op->count;
    if (group->jumps < PATIENCE)
        return WARP_DONE;
    group->jumps = 0;
    group->turn++;
    return WARP_POLLING;
}

/* The group cannot go on. Lanes that do not execute the operation go on without it. That a group
 * has begun to wait may be what another waits for; that it still waits is no news. A group alone in
 * its warp is no such other one, and need not look again. */
static void put_to_wait(struct run_warp *warp, struct run_group *group, const struct run_op *op,
                        uint32_t waiting) {
    if (group->lanes != waiting)
        run_split(warp, group->lanes & ~waiting, run_number(warp, op) + 1);
    group->at = run_number(warp, op);
    group->state = RUN_WAITING;
    if (!group->again)
        warp->block->unit->events++, warp->block->unit->inner++;
    group->again = 0;
    if (warp->n_groups == 1)
        warp->woken = warp->block->unit->events + 1;
}

/* Stops a group before an operation that has to wait for the turn of the unit. Nothing else of the
 * group changes, so that it goes on as if it had not stopped. */
static enum warp_outcome park(struct run_warp *warp, struct run_group *group,
                              const struct run_op *op) {
    group->at = run_number(warp, op);
    warp->parked = 1;
    return WARP_PARKED;
}

/* A loop is worth its entry if it stays for this many rounds. Otherwise it is left alone for some
 * jumps, or as long as its counter lasts. */
#define WORTH 24
#define LEFT_ALONE 255

/* The rounds after which a group would still go on: its slice is not over, and it does not give
 * way. */
static uint64_t rounds_left(const struct run_worker *worker, const struct run_group *group,
                            const struct run_loop *loop, const struct run_op *jump) {
    const uint64_t slice = (worker->slice - worker->instructions - 1) / loop->n;
    const uint64_t jumps = (PATIENCE - 1 - group->jumps) >> jump->count;
    return slice < jumps ? slice : jumps;
}

/* Runs rounds of the loop that a group has just jumped back to by `jump`, and perhaps a part of the
 * next one. The rest is as of run_straight. */
static const struct run_op *run_loop(struct run_warp *warp, struct run_group *group,
                                     const struct run_op *jump, enum run_next *next) {
    const struct run_loop *loop = jump->more;
    struct run_worker *worker = warp->worker;
    const struct run_op *first = warp->program->ops + loop->first, *op = first;
    const uint64_t most = rounds_left(worker, group, loop, jump);
    struct run_counts *from = worker->counts + loop->first, *to = from + loop->n;
    uint64_t rounds;
    *next = RUN_ON;
    if (most < WORTH)
        return first;
    rounds = loop_lasts(loop, group->frame->bytes);
    if (rounds < WORTH) {
        *run_patience(worker, jump) = (uint8_t)rounds;
        return first;
    }
    rounds = loop->run(loop, group->frame->bytes, warp, most, &op, next);
    if (rounds < WORTH)
        *run_patience(worker, jump) = LEFT_ALONE;
    from->executed += (int64_t)rounds, to->executed -= (int64_t)rounds;
    from->threads += (int64_t)(rounds * RUN_LANES), to->threads -= (int64_t)(rounds * RUN_LANES);
    worker->instructions += rounds * loop->n;
    group->jumps += (uint32_t)rounds << jump->count;
    return op;
}

/* Ends a record that is of no use. */
static int gives_up(struct run_worker *worker) {
    if (!worker->records || tape_goes_on(worker->records))
        return 0;
    tape_close(worker->records);
    worker->records = NULL;
    return 1;
}

/* Runs one group until it ends, waits, may have met another, or gives way. WARP_DONE: another group
 * is to be chosen. `parks` and `looks` are flags of operations to stop at. With `plain`, no caller
 * looks and no register holds uninitialised bits. */
INSIDE enum warp_outcome run_group(struct run_warp *warp, struct run_group *group, uint8_t parks,
                                   uint8_t looks, int plain) {
    const struct run_program *program = warp->program;
    struct run_worker *worker = warp->worker;
    const struct run_op *op = program->ops + group->at;
    uint8_t leaders = warp->n_groups > 1;
    uint8_t stops = (leaders ? RUN_LEADS : 0) | (warp->ahead_of_others ? RUN_WRITES : 0);
    uint8_t *frame = group->frame->bytes;
    uint32_t lanes = group->lanes;
    const struct run_op *loop = NULL; /* the jump back to it */
    for (;;) {
        const struct run_op *first = op;
        enum warp_outcome outcome;
        struct look_place place;
        enum run_next next;
        if (op->leads & parks)
            return park(warp, group, op);
        if (looks && !look_before(warp, op, &place))
            return WARP_STOPPED;
        if (plain && loop) {
            op = run_loop(warp, group, loop, &next);
            loop = NULL;
        } else if (plain)
            op = run_straight(warp, frame, first, lanes, stops | parks, &next);
        else
            op = run_tainted(warp, frame, first, lanes,
                             stops | parks | looks | (first->leads & looks ? RUN_OPS : 0), &next);
        account(worker, program, first, op + (next != RUN_ON && next != RUN_WAIT), lanes);
        if (looks && next != RUN_WAIT && !look_after(warp, group, &place, next))
            return WARP_STOPPED;
        if (next == RUN_WAIT) {
            put_to_wait(warp, group, op, lanes & (*run_pred(frame, op->guard) ^ op->flip));
            return WARP_DONE;
        }
        if (next == RUN_ON && !(op->leads & stops))
            continue; /* to park, or to look */
        group->ticket = 0;
        group->again = 0;
        switch (next) {
        case RUN_JUMP:
            group->at = warp->at;
            outcome = count_jump(warp, group, op);
            if (outcome != WARP_DONE)
                return outcome;
            if (worker->instructions >= worker->slice)
                return WARP_PAUSED;
            if (leaders || (!plain && gives_up(worker)))
                return WARP_DONE;
            if (frame != group->frame->bytes) { /* a call */
                frame = group->frame->bytes;
                if (plain && warp->taint)
                    return WARP_TAINTED;
            }
            if (plain && op->leads & RUN_LOOPS && lanes == UINT32_MAX) {
                uint8_t *patience = run_patience(worker, op);
                loop = *patience ? NULL : op; /* its first round has passed all `parks` */
                *patience -= *patience != 0;
            }
            op = program->ops + warp->at;
            continue;
        case RUN_YIELD:
            group->at = run_number(warp, op) + 1;
            group->jumps = 0;
            group->turn++;
            return WARP_YIELDED;
        case RUN_STOP: return WARP_STOPPED;
        case RUN_REGROUP:
            if (!plain || warp->n_groups > 1 || !group->lanes || warp->taint)
                return WARP_DONE;
            leaders = 0;
            stops = warp->ahead_of_others ? RUN_WRITES : 0;
            lanes = group->lanes;
            frame = group->frame->bytes;
            op = program->ops + group->at;
            continue;
        case RUN_TAINT:
            taint_after(op, lanes & (*run_pred(frame, op->guard) ^ op->flip), warp);
            group->at = run_number(warp, ++op);
            if (!(op->leads & stops))
                return WARP_TAINTED;
            /* fall through */
        case RUN_ON:
            group->at = run_number(warp, op);
            if (!warp->ahead_of_others || !(op->leads & RUN_WRITES))
                return WARP_DONE;
            warp->ahead_of_others = 0;
            return WARP_TIRED;
        default: return WARP_DONE;
        }
    }
}

static enum warp_outcome run_plain(struct run_warp *warp, struct run_group *group) {
    return run_group(warp, group, 0, 0, 1);
}

static enum warp_outcome run_ahead(struct run_warp *warp, struct run_group *group) {
    return run_group(warp, group, RUN_INTERACTS, 0, 1);
}

static enum warp_outcome run_watched(struct run_warp *warp, struct run_group *group, uint8_t parks,
                                     uint8_t looks) {
    return run_group(warp, group, parks, looks, 0);
}

enum warp_outcome warp_run(struct run_warp *warp) {
    struct run_group *group = warp->parked ? warp->group : warp_choose(warp);
    const uint8_t parks = warp->block->unit->ahead ? RUN_INTERACTS : 0;
    const uint8_t looks = warp->worker->launch->look ? RUN_LOOKS | RUN_SEES : 0;
    warp->parked = 0;
    for (; group; group = warp_choose(warp)) {
        enum warp_outcome outcome = WARP_TAINTED;
        if (!looks && !warp->taint && !warp->worker->records)
            outcome = parks ? run_ahead(warp, group) : run_plain(warp, group);
        if (outcome == WARP_TAINTED)
            outcome = run_watched(warp, group, parks, looks);
        if (outcome == WARP_YIELDED && group->failed) {
            group->failed = 0;
            return WARP_FAILED;
        }
        if (outcome != WARP_DONE)
            return outcome;
    }
    return warp->n_groups ? WARP_WAITING : WARP_DONE;
}
