/* Batches of rounds: the acts of a round whose even registers go on in constant steps.
 *
 * The first walk executes the even operations of the next round. So it finds by how much each
 * register moves from round to round: s. The second walk says by how much each value in a round
 * moves if the registers at its beginning move by s. If those at its end move by s again, all
 * rounds do, by induction. */
#include "loop.h"
#include "quick.h"

#include "../state/device.h"
#include "../state/known.h"

#include <string.h>

struct walk {
    const struct run_loop *loop;
    uint8_t *frame;
    struct run_warp *warp;
    const struct loop_runs *runs;
    struct loop_batch *batch;
    uint64_t known;
    int fuses, acts; /* acts: the second walk */
    struct loop_even even[LOOP_ROWS];
    uint64_t begin[LOOP_ROWS]; /* steps of registers at the beginning of the round */
};

static uint64_t mask_of(const struct run_loop *loop, unsigned row) {
    return loop->rows[row].bits == 64 ? UINT64_MAX : UINT32_MAX;
}

static uint64_t min(uint64_t x, uint64_t y) {
    return x < y ? x : y;
}

static void bound(struct walk *walk, uint64_t rounds) {
    walk->batch->rounds = min(walk->batch->rounds, rounds);
}

/* --- how long something holds --- */

/* Rounds in which a register of 32 bits does not wrap. */
static uint64_t rounds_in_range(const struct loop_even *even, uint64_t step, int is_signed) {
    const int64_t move = (int32_t)step;
    const int64_t least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
    int64_t low, high;
    loop_range(even, is_signed, &low, &high);
    if (low < least || high > most)
        return 0;
    if (!move)
        return UINT64_MAX;
    return (uint64_t)(move > 0 ? (most - high) / move : (low - least) / -move) + 1;
}

/* Rounds in which the sign of x + k * step < 0 is the same. */
static uint64_t rounds_of_sign(int64_t x, int64_t step) {
    if (x < 0)
        return step > 0 ? (uint64_t)((-x + step - 1) / step) : UINT64_MAX;
    return step < 0 ? (uint64_t)(x / -step) + 1 : UINT64_MAX;
}

/* By how much one operand of a comparison exceeds the other, if both do not wrap. */
static int64_t apart_of(const struct loop_op *in, uint64_t x, uint64_t y) {
    return in->shape.is_signed ? (int64_t)(int32_t)x - (int32_t)y
                               : (int64_t)(uint32_t)x - (int64_t)(uint32_t)y;
}

/* Rounds in which a comparison has the same answer. */
static uint64_t rounds_apart(const struct loop_op *in, int64_t apart, int64_t step) {
    if (!step)
        return UINT64_MAX;
    switch (in->compare) {
    case SCALAR_EQ:
    case SCALAR_NE:
        if (!apart)
            return 1;
        return apart % step || (apart < 0) == (step < 0) ? UINT64_MAX : (uint64_t)(-apart / step);
    case SCALAR_LT:
    case SCALAR_GE: return rounds_of_sign(apart, step);
    case SCALAR_LE:
    case SCALAR_GT: return rounds_of_sign(apart - 1, step);
    default: return 0;
    }
}

uint64_t loop_lasts(const struct run_loop *loop, const uint8_t *frame) {
    const struct loop_counter *counter = &loop->counter;
    uint32_t at, step, end;
    if (!counter->test)
        return UINT64_MAX;
    memcpy(&at, frame + counter->at, sizeof at);
    memcpy(&step, frame + counter->step, sizeof step);
    memcpy(&end, frame + counter->end, sizeof end);
    return rounds_apart(counter->test, apart_of(counter->test, at, end), (int32_t)step);
}

static int is_in_range(const struct loop_even *even, int is_signed) {
    int64_t low, high;
    loop_range(even, is_signed, &low, &high);
    return is_signed ? low >= INT32_MIN && high <= INT32_MAX : low >= 0 && high <= UINT32_MAX;
}

/* The least and the greatest difference of all lanes. */
static void range_apart(const struct loop_op *in, const struct loop_even *x,
                        const struct loop_even *y, int64_t range[2]) {
    range[0] = range[1] = apart_of(in, x->at[0], y->at[0]);
    for (unsigned k = 1; k < 4; k++) {
        const int64_t far = ((int64_t)(int32_t)x->at[k] - (int32_t)y->at[k]) * (k == 1 ? 7 : 1);
        range[far > 0] += far;
    }
}

static int holds(unsigned compare, int64_t apart) {
    switch (compare) {
    case SCALAR_EQ: return apart == 0;
    case SCALAR_NE: return apart != 0;
    case SCALAR_LT: return apart < 0;
    case SCALAR_LE: return apart <= 0;
    case SCALAR_GT: return apart > 0;
    default: return apart >= 0;
    }
}

int loop_answer(const struct loop_op *in, const struct loop_even *x, const struct loop_even *y,
                int *answer) {
    const int equal = in->compare == SCALAR_EQ || in->compare == SCALAR_NE;
    int64_t apart[2];
    if (in->shape.is_long || in->compare > SCALAR_GE || !is_in_range(x, in->shape.is_signed) ||
        !is_in_range(y, in->shape.is_signed))
        return 0;
    range_apart(in, x, y, apart);
    *answer = holds(in->compare, apart[0]);
    return apart[0] == apart[1] ||
           (equal ? apart[0] > 0 || apart[1] < 0 : holds(in->compare, apart[1]) == *answer);
}

/* Rounds in which a comparison has the answer that it has in the first one, in all lanes. */
static uint64_t rounds_of_test(const struct run_op *op, const struct loop_op *in,
                               const struct walk *walk) {
    const struct loop_even *x = &walk->even[in->in[0]], *y = &walk->even[in->in[1]];
    const uint64_t by_x = walk->batch->step[in->in[0]], by_y = walk->batch->step[in->in[1]];
    const int64_t step = (int64_t)(int32_t)by_x - (int32_t)by_y;
    const int is_signed = in->shape.is_signed;
    uint64_t rounds, n;
    int64_t apart[2];
    if (!by_x && !by_y)
        return UINT64_MAX;
    if (in->shape.is_long) {
        const uint64_t first = in->one(op, x->at[0], y->at[0], 0);
        for (n = 1; n < walk->batch->rounds &&
                    in->one(op, x->at[0] + n * by_x, y->at[0] + n * by_y, 0) == first;
             n++) {
        }
        return n;
    }
    rounds = rounds_in_range(x, by_x, is_signed);
    n = rounds_in_range(y, by_y, is_signed);
    rounds = min(rounds, n);
    range_apart(in, x, y, apart);
    if (apart[0] == apart[1])
        return min(rounds, rounds_apart(in, apart[0], step));
    /* The first or the last lane comes to 0 before those in between. */
    if (in->compare == SCALAR_EQ || in->compare == SCALAR_NE)
        return min(rounds, apart[0] > 0 ? rounds_of_sign(apart[0] - 1, step)
                                        : rounds_of_sign(apart[1], step));
    n = rounds_apart(in, apart[1], step);
    return min(min(rounds, n), rounds_apart(in, apart[0], step));
}

/* Rounds in which an access is inside of a window. */
static uint64_t rounds_inside(uint64_t from, uint64_t span, uint64_t size, uint64_t step) {
    if (size < span || from > size - span)
        return 0;
    if (!step)
        return UINT64_MAX;
    return ((int64_t)step > 0 ? (size - span - from) / step : from / (0 - step)) + 1;
}

/* Rounds in which the run of a load goes on, with bytes that are initialised. */
static uint64_t rounds_of_run(const struct walk *walk, const struct loop_op *in,
                              struct loop_load load, uint64_t step) {
    const struct hear_run *run = &walk->runs->runs[in->run];
    uint64_t n = 1;
    if (in->run >= walk->runs->n || run->n < 2 || run->step != step || !loop_goes_on(run, &load))
        return 0;
    if (!run->known)
        return UINT64_MAX;
    for (; n < walk->batch->rounds; n++) {
        load.from += step;
        if (!loop_are_known(run, &load))
            break;
    }
    return n;
}

/* --- acts --- */

/* NULL: there is no room. */
static struct loop_act *add_act(struct walk *walk, enum loop_act_kind kind, const struct run_op *op,
                                const struct loop_op *in) {
    struct loop_act *act = &walk->batch->acts[walk->batch->n];
    if (walk->batch->n == LOOP_ACTS)
        return NULL;
    walk->batch->n++;
    memset(act, 0, sizeof *act);
    act->kind = (uint8_t)kind;
    act->op = op;
    act->in = in;
    return act;
}

/* Writes the even rows of a set that the loop writes, before a step reads them. Others are written
 * before the batch. */
static int write_rows(struct walk *walk, uint64_t rows) {
    rows &= walk->known;
    walk->batch->reads |= rows & ~walk->loop->written;
    rows &= walk->loop->written;
    for (unsigned r = 0; rows; r++, rows >>= 1) {
        struct loop_act *act;
        if (!(rows & 1))
            continue;
        act = add_act(walk, LOOP_ACT_WRITE, NULL, NULL);
        if (!act)
            return 0;
        act->to = walk->loop->rows[r].at;
        act->is_long = walk->loop->rows[r].bits == 64;
        act->at.row.even = walk->even[r];
        act->at.row.step = walk->batch->step[r];
    }
    return 1;
}

/* Where an access is. 0: it is not of the kinds that batches know. */
static int find_move(struct walk *walk, const struct run_op *op, const struct loop_op *in,
                     unsigned kind, struct loop_move *move, int *is_same) {
    const struct run_warp *warp = walk->warp;
    const int is_shared = (kind & LOOP_SHARED) != 0;
    const struct wsim_memory *shared = &warp->block->shared;
    const struct run_buffer *buffer = is_shared ? NULL : *run_near(warp->worker, op);
    const int everywhere = !buffer && run_is_flat(warp->worker->launch->device);
    const uint64_t base = is_shared ? shared->base : buffer ? buffer->base : 0;
    const uint8_t *const bytes = is_shared ? shared->bytes : run_host(buffer, base);
    const uint64_t size = is_shared    ? shared->size
                          : buffer     ? buffer->size
                          : everywhere ? RUN_SHARED_WINDOW
                                       : 0;
    const struct loop_even *at = &walk->even[in->in[0]];
    const uint64_t mask = is_shared ? UINT32_MAX : UINT64_MAX;
    const uint64_t wide = kind & LOOP_WIDE ? 8 : 4, by = at->at[1];
    const uint64_t span = by ? RUN_LANES / 2 * wide : wide;
    const uint64_t low = (at->at[0] + in->offset) & mask;
    const uint64_t high = (at->at[0] + at->at[3] + in->offset) & mask;
    const uint64_t step = is_shared ? (uint64_t)(int64_t)(int32_t)walk->batch->step[in->in[0]]
                                    : walk->batch->step[in->in[0]];
    const unsigned space = is_shared ? PTX_SHARED : PTX_GLOBAL;
    const int heard = (int)(warp->worker->tells >> space & 1);
    if ((by && by != wide) || at->at[2] != 8 * by || ((low | high | step) & (wide - 1)) ||
        (kind & LOOP_STORES && !by))
        return 0;
    bound(walk, rounds_inside(low - base, span, size, step));
    bound(walk, rounds_inside(high - base, span, size, step));
    if (heard) {
        const int is_one = at->at[3] == 16 * by;
        if (is_shared || kind & LOOP_STORES || !walk->runs)
            return 0;
        bound(walk, rounds_of_run(walk, in,
                                  (struct loop_load){buffer, low - base, is_one ? 0 : high - low,
                                                     (unsigned)(is_one && by ? 2 * span : span)},
                                  step));
    }
    move->at = (uintptr_t)bytes + (uintptr_t)(low - base);
    move->far = (uintptr_t)(high - low);
    move->step = (uintptr_t)step;
    *is_same = !by;
    return 1;
}

static int add_access(struct walk *walk, const struct run_op *op, const struct loop_op *in,
                      unsigned kind) {
    struct loop_act *act;
    int is_same;
    if (!(walk->known >> in->in[0] & 1) || !write_rows(walk, in->stores))
        return 0;
    act = add_act(walk, kind & LOOP_STORES ? LOOP_ACT_STORE : LOOP_ACT_LOAD, op, in);
    if (!act || !find_move(walk, op, in, kind, &act->at.move[0], &is_same))
        return 0;
    act->wide = kind & LOOP_WIDE ? 8 : 4;
    act->is_same = (uint8_t)is_same;
    act->high_first = ((const struct reach_plan *)op->more)->turn & RUN_LANES / 2;
    act->to = in->row;
    walk->batch->events += (kind & LOOP_STORES) != 0;
    walk->known &= ~in->writes;
    return 1;
}

static int add_step(struct walk *walk, const struct run_op *op, const struct loop_op *in) {
    if (!write_rows(walk, in->guarded ? in->reads | in->writes : in->reads) ||
        !add_act(walk, LOOP_ACT_STEP, op, in))
        return 0;
    walk->known &= ~in->writes;
    return 1;
}

/* 0: no batch; 1: both are not of one place and one row; 2: added. */
static int add_product(struct walk *walk, const struct run_op *op, const struct loop_op *in) {
    struct loop_batch *batch = walk->batch;
    struct loop_act *act, *before = batch->n ? &batch->acts[batch->n - 1] : NULL;
    int are_same[2];
    if (!(walk->known >> in[0].in[0] & walk->known >> in[1].in[0] & 1))
        return 0;
    act = add_act(walk, LOOP_ACT_PRODUCT, op, in);
    if (!act || !find_move(walk, op, in, 0, &act->at.move[0], &are_same[0]) ||
        !find_move(walk, op + 1, in + 1, 0, &act->at.move[1], &are_same[1]))
        return 0;
    if (are_same[0] == are_same[1]) {
        batch->n--;
        return 1;
    }
    if (are_same[1]) {
        const struct loop_move place = act->at.move[1];
        act->at.move[1] = act->at.move[0];
        act->at.move[0] = place;
    }
    act->length = 1;
    act->to = op[2].at[0];
    act->from = op[2].at[3];
    if (in->chains && before && before->kind == LOOP_ACT_PRODUCT) {
        while (!before->length)
            before--;
        before->length++;
        before->to = act->to;
        act->length = 0;
    }
    walk->known &= ~(in[0].writes | in[1].writes | in[2].writes);
    return 2;
}

/* --- even operations --- */

/* How the result of an operation moves. 0: not in constant steps. */
static int find_step(struct walk *walk, const struct run_op *op, const struct loop_op *in,
                     uint64_t *step) {
    uint64_t at[3] = {0}, moved[3] = {0};
    unsigned moves = 0;
    for (unsigned i = 0; i < in->n_in; i++) {
        const struct loop_even *even = &walk->even[in->in[i]];
        const uint64_t by = walk->batch->step[in->in[i]];
        at[i] = even->at[0];
        moved[i] = even->at[0] + by;
        moves |= (unsigned)(by != 0) << i;
        if (by && i < 2 && in->shape.extends)
            bound(walk, rounds_in_range(even, by, in->shape.is_signed));
    }
    if (moves & ~(unsigned)in->shape.vary)
        return 0;
    for (unsigned i = 0; i < 2 && in->shape.is_product; i++)
        if (moves >> i & 1 && (moves >> (1 - i) & 1 || loop_differs(&walk->even[in->in[1 - i]])))
            return 0;
    *step = in->one(op, moved[0], moved[1], moved[2]) - in->one(op, at[0], at[1], at[2]);
    return 1;
}

/* 0: its step has to execute it. */
static int take_even(struct walk *walk, const struct run_op *op, const struct loop_op *in) {
    uint64_t step = 0;
    if ((walk->known & in->reads) != in->reads)
        return 0;
    if (walk->acts && !find_step(walk, op, in, &step))
        return 0;
    if (!loop_compute(op, in, walk->even))
        return 0;
    if (walk->acts)
        walk->batch->step[in->to] = step & mask_of(walk->loop, in->to);
    walk->known |= UINT64_C(1) << in->to;
    return 1;
}

/* Whether a comparison has the answer that its predicates hold. */
static int is_answered(const struct walk *walk, const struct run_op *op, const struct loop_op *in) {
    const struct loop_even *x = &walk->even[in->in[0]], *y = &walk->even[in->in[1]];
    uint32_t answer;
    int holds_in_all = 0;
    if (!loop_differs(x) && !loop_differs(y))
        holds_in_all = in->one(op, x->at[0], y->at[0], 0) != 0;
    else if (!loop_answer(in, x, y, &holds_in_all))
        return 0;
    answer = holds_in_all ? UINT32_MAX : 0;
    return *run_pred(walk->frame, op->at[0]) == answer &&
           (!(op->immediate & QUICK_OPPOSITE) || *run_pred(walk->frame, op->at[4]) == ~answer);
}

static int walk_round(struct walk *walk, const struct run_op *ops) {
    const struct run_loop *loop = walk->loop;
    for (uint32_t n, i = 0; i + 1 < loop->n; i += n) {
        const struct run_op *op = &ops[i];
        const struct loop_op *in = &loop->ops[i];
        int added = 0;
        n = 1;
        switch (in->kind) {
        case LOOP_SUM_32:
        case LOOP_SUM_64:
        case LOOP_ONE:
            if (take_even(walk, op, in))
                continue;
            break;
        case LOOP_TEST:
            if (!in->is_test || (walk->known & in->reads) != in->reads)
                break;
            if (walk->acts) {
                if (!is_answered(walk, op, in))
                    return 0;
                bound(walk, rounds_of_test(op, in, walk));
            }
            continue;
        case LOOP_LOADED:
            if (walk->acts && walk->fuses) {
                added = add_product(walk, op, in);
                if (!added)
                    return 0;
                n = added == 2 ? 3 : 1;
            }
            if (added == 2)
                continue;
            if (walk->acts && !add_access(walk, op, in, 0))
                return 0;
            walk->known &= ~in->writes;
            continue;
        case LOOP_STEP:
        case LOOP_PRODUCT: break;
        default:
            if (walk->acts && !add_access(walk, op, in, in->kind - LOOP_LOAD_GLOBAL_4))
                return 0;
            walk->known &= ~in->writes;
            continue;
        }
        if (in->is_idle)
            continue;
        if (walk->acts && !add_step(walk, op, in))
            return 0;
        walk->known &= ~in->writes;
    }
    return 1;
}

/* Counters move by the rows of their steps. 0: they may move otherwise. */
static int guess_steps(struct walk *walk) {
    const struct run_loop *loop = walk->loop;
    for (unsigned r = 0; r < loop->n_rows; r++) {
        const struct loop_row *row = &loop->rows[r];
        walk->batch->step[r] = 0;
        if (!row->enters || !(walk->known >> r & loop->written >> r & 1))
            continue;
        if (!(walk->known >> row->step & 1) || loop_differs(&walk->even[row->step]))
            return 0;
        walk->batch->step[r] = walk->even[row->step].at[0];
    }
    return 1;
}

/* The steps of registers from one round to the next. 0: distances of lanes change. */
static int find_steps(const struct walk *walk, const struct loop_even *even, uint64_t known) {
    for (unsigned r = 0; r < walk->loop->n_rows; r++) {
        const struct loop_even *from = &even[r], *to = &walk->even[r];
        walk->batch->step[r] = 0;
        if (!walk->loop->rows[r].enters)
            continue;
        if ((walk->known ^ known) >> r & 1)
            return 0;
        if (!(known >> r & 1))
            continue;
        if (from->at[1] != to->at[1] || from->at[2] != to->at[2] || from->at[3] != to->at[3])
            return 0;
        walk->batch->step[r] = (to->at[0] - from->at[0]) & mask_of(walk->loop, r);
    }
    return 1;
}

/* Whether the registers at the end of the round move as those at its beginning do. */
static int go_on(const struct walk *walk, uint64_t known) {
    for (unsigned r = 0; r < walk->loop->n_rows; r++)
        if (walk->loop->rows[r].enters &&
            ((walk->known ^ known) >> r & 1 ||
             (known >> r & 1 && walk->batch->step[r] != walk->begin[r])))
            return 0;
    return 1;
}

int loop_find_batch(const struct run_loop *loop, uint8_t *frame, struct run_warp *warp,
                    const struct loop_runs *runs, struct loop_even *even, uint64_t known, int fuses,
                    uint64_t rounds, struct loop_batch *batch) {
    const struct run_op *ops = warp->program->ops + loop->first;
    struct walk walk;
    walk.loop = loop;
    walk.frame = frame;
    walk.warp = warp;
    walk.runs = runs;
    walk.batch = batch;
    walk.known = known;
    walk.fuses = fuses;
    walk.acts = 0;
    batch->rounds = rounds;
    batch->n = batch->events = 0;
    batch->reads = 0;
    memcpy(walk.even, even, loop->n_rows * sizeof *even);
    if (!loop->are_counters || !guess_steps(&walk)) {
        if (!walk_round(&walk, ops) || !find_steps(&walk, even, known))
            return 0;
        walk.known = known;
        memcpy(walk.even, even, loop->n_rows * sizeof *even);
    }
    memcpy(walk.begin, batch->step, loop->n_rows * sizeof *walk.begin);
    walk.acts = 1;
    if (!walk_round(&walk, ops) || batch->rounds < LOOP_FEW || !go_on(&walk, known))
        return 0;
    memcpy(even, walk.even, loop->n_rows * sizeof *even);
    batch->known = walk.known;
    return 1;
}

static void go_on_with(struct loop_runs *runs, const struct loop_op *in, uint64_t rounds) {
    struct hear_run *run = &runs->runs[in->run];
    run->next += rounds * run->step;
    run->n += (uint32_t)rounds;
}

void loop_end_batch(const struct run_loop *loop, const struct loop_batch *batch, uint64_t rounds,
                    struct run_warp *warp, struct loop_runs *runs, struct loop_even *even) {
    for (unsigned i = 0; runs && i < batch->n; i++) {
        const struct loop_act *act = &batch->acts[i];
        if (act->kind != LOOP_ACT_LOAD && act->kind != LOOP_ACT_PRODUCT)
            continue;
        go_on_with(runs, act->in, rounds);
        if (act->kind == LOOP_ACT_PRODUCT)
            go_on_with(runs, act->in + 1, rounds);
    }
    for (unsigned r = 0; r < loop->n_rows; r++)
        if (batch->known >> r & 1)
            even[r].at[0] = (even[r].at[0] + (rounds - 1) * batch->step[r]) & mask_of(loop, r);
    warp->block->unit->events += rounds * batch->events;
}
