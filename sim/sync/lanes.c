/* Exchange between lanes that have met: shfl, vote, match, redux, elect; and their plans. */
#include "lanes.h"
#include "shuffle.h"

#include "../num/real.h"

/* --- results --- */

/* A lane that does not take part gives 0 (recordings of an H200: tests/kernels/atoms); PTX leaves
 * it undefined. */
static void shuffle(const struct sync_gather *gather, uint32_t lanes, struct sync_values *v) {
    v->p = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        uint32_t inside;
        unsigned from = shuffle_source(gather->what, lane, v->b[lane], v->c[lane], &inside);
        v->d[lane] = lanes >> from & 1 ? (uint32_t)v->a[from] : 0;
        v->p |= inside << lane;
        if (lanes >> from & 1)
            continue;
        v->absent_from = v->absent ? v->absent_from : (uint8_t)from;
        v->absent |= 1u << lane;
    }
}

static void fill(struct sync_values *v, uint32_t lanes, uint32_t value) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        v->d[run_lowest(rest)] = value;
}

/* Whether a vote comes out, of lanes some of which say yes. */
static int agreed(unsigned vote, uint32_t ballot, uint32_t lanes) {
    switch (vote) {
    case SCALAR_ALL: return ballot == lanes;
    case SCALAR_ANY: return ballot != 0;
    default: return ballot == lanes || !ballot;
    }
}

static void vote(const struct sync_gather *gather, uint32_t lanes, struct sync_values *v) {
    uint32_t ballot = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        ballot |= (uint32_t)(v->a[run_lowest(rest)] & 1) << run_lowest(rest);
    v->p = agreed(gather->what, ballot, lanes) ? lanes : 0;
    fill(v, lanes, ballot);
}

static void quick_vote(const struct sync_gather *gather, uint8_t *frame) {
    const uint32_t all = 0xFFFFFFFFu;
    uint32_t ballot = *run_pred(frame, gather->a.at) ^ (gather->a.flip ? all : 0);
    uint32_t *d = run_words(frame, gather->d.at);
    if (gather->p.bits)
        *run_pred(frame, gather->p.at) = agreed(gather->what, ballot, all) ? all : 0;
    for (unsigned lane = 0; gather->d.bits && lane < RUN_LANES; lane++)
        d[lane] = ballot;
}

static void match(const struct sync_gather *gather, uint32_t lanes, struct sync_values *v) {
    uint32_t same = 0;
    for (uint32_t left = lanes; left; left &= ~same) {
        uint64_t value = v->a[run_lowest(left)];
        same = 0;
        for (uint32_t rest = left; rest; rest &= rest - 1)
            same |= (uint32_t)(v->a[run_lowest(rest)] == value) << run_lowest(rest);
        fill(v, same, same);
    }
    if (gather->what != SCALAR_ALL)
        return;
    v->p = same == lanes ? lanes : 0;
    fill(v, lanes, v->p);
}

/* The minimum or maximum of numbers of a format. One number alone is reduced too: NaN becomes the
 * canonical one. */
static uint32_t reduce_format(const struct sync_gather *gather, const uint32_t *x, unsigned n) {
    const struct real_mode mode = {.nan = gather->nan};
    uint32_t result = x[0];
    for (unsigned i = 0; i < n; i++)
        result =
            (uint32_t)(gather->what == SCALAR_MIN ? real_min(gather->format, &mode, result, x[i])
                                                  : real_max(gather->format, &mode, result, x[i]));
    return result;
}

/* A loop for each operation: a choice for each lane would cost more than the operation. */
static uint32_t reduce(const struct sync_gather *gather, const uint32_t *x, unsigned n) {
    uint32_t result = x[0];
#define FOLD(next)                                                                                 \
    for (unsigned i = 1; i < n; i++)                                                               \
        result = next;                                                                             \
    return result
    switch (gather->what) {
    case SCALAR_ADD: FOLD(result + x[i]);
    case SCALAR_AND: FOLD(result & x[i]);
    case SCALAR_OR: FOLD(result | x[i]);
    case SCALAR_XOR: FOLD(result ^ x[i]);
    case SCALAR_MIN: FOLD(x[i] < result ? x[i] : result);
    default: FOLD(x[i] > result ? x[i] : result);
    }
#undef FOLD
}

static void redux(const struct sync_gather *gather, uint32_t lanes, struct sync_values *v) {
    const int orders = gather->what == SCALAR_MIN || gather->what == SCALAR_MAX;
    const uint32_t keep = gather->abs ? 0x7FFFFFFFu : 0xFFFFFFFFu;
    /* Signed numbers are in the order of unsigned ones whose sign bit is flipped. */
    const uint32_t sign = orders && gather->is_signed && !gather->format ? 0x80000000u : 0;
    uint32_t x[RUN_LANES] = {0};
    unsigned n = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        x[n++] = ((uint32_t)v->a[run_lowest(rest)] & keep) ^ sign;
    fill(v, lanes, gather->format ? reduce_format(gather, x, n) : reduce(gather, x, n) ^ sign);
}

/* The lowest lane leads. */
static void elect(const struct sync_gather *gather, uint32_t lanes, struct sync_values *v) {
    (void)gather;
    v->p = lanes & (0u - lanes);
    fill(v, lanes, run_lowest(lanes));
}

static void nothing(const struct sync_gather *gather, uint32_t lanes, struct sync_values *v) {
    (void)gather, (void)lanes, (void)v;
}

int sync_shuffles(const struct sync_gather *gather) {
    return gather->compute == shuffle;
}

int sync_only_meets(const struct sync_gather *gather) {
    return gather->compute == nothing;
}

static void quick_nothing(const struct sync_gather *gather, uint8_t *frame) {
    (void)gather, (void)frame;
}

/* --- uninitialised bits --- */

/* The origin of the first lane that has one, for all. */
static uint64_t join_marks(uint32_t lanes, struct sync_marks *marks) {
    uint64_t all = 0;
    uint32_t origin = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        all |= marks->a[run_lowest(rest)];
        if (!origin && marks->a[run_lowest(rest)])
            origin = marks->origin[run_lowest(rest)];
    }
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        marks->result_of[lane] = origin;
    return all;
}

static void mark_all(uint32_t lanes, uint32_t bits, int second, struct sync_marks *marks) {
    marks->p = second ? lanes : 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        marks->d[run_lowest(rest)] = bits;
}

static void taint_shuffle(const struct sync_gather *gather, uint32_t lanes,
                          const struct sync_values *values, struct sync_marks *marks) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        uint32_t inside;
        const unsigned from =
            shuffle_source(gather->what, lane, values->b[lane], values->c[lane], &inside);
        marks->d[lane] = lanes >> from & 1 ? (uint32_t)marks->a[from] : 0;
        marks->result_of[lane] = marks->origin[from];
    }
}

/* Predicates that are initialised may decide already. */
static void taint_vote(const struct sync_gather *gather, uint32_t lanes,
                       const struct sync_values *values, struct sync_marks *marks) {
    uint32_t tainted = 0, is[2] = {0, 0};
    join_marks(lanes, marks);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        if (marks->a[lane])
            tainted |= 1u << lane;
        else
            is[values->a[lane] & 1] |= 1u << lane;
    }
    mark_all(lanes, tainted,
             tainted && !(gather->what == SCALAR_ANY && is[1]) &&
                 !(gather->what == SCALAR_ALL && is[0]) &&
                 !(gather->what == SCALAR_UNI && is[0] && is[1]),
             marks);
}

static void taint_match(const struct sync_gather *gather, uint32_t lanes,
                        const struct sync_values *values, struct sync_marks *marks) {
    const uint64_t all = join_marks(lanes, marks);
    (void)gather, (void)values;
    mark_all(lanes, all ? 0xFFFFFFFFu : 0, all != 0, marks);
}

static void taint_redux(const struct sync_gather *gather, uint32_t lanes,
                        const struct sync_values *values, struct sync_marks *marks) {
    const uint32_t all = (uint32_t)join_marks(lanes, marks);
    const int is_or = gather->what == SCALAR_OR;
    uint32_t decided = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t value = (uint32_t)values->a[run_lowest(rest)];
        decided |= (is_or ? value : ~value) & ~(uint32_t)marks->a[run_lowest(rest)];
    }
    switch (gather->what) {
    case SCALAR_AND:
    case SCALAR_OR: mark_all(lanes, all & ~decided, 0, marks); break;
    case SCALAR_XOR: mark_all(lanes, all, 0, marks); break;
    default: mark_all(lanes, all ? 0xFFFFFFFFu : 0, 0, marks); break;
    }
}

/* --- plans --- */

/* d, or d|p. */
static enum wsim_status results(struct run_plan *plan, struct sync_gather *gather) {
    uint32_t count;
    const struct ptx_operand *parts = plan_parts(plan, 0, &count);
    TRY(plan_row_of(plan, &parts[0], 0, &gather->d));
    return count > 1 ? plan_row_of(plan, &parts[1], 1, &gather->p) : WSIM_OK;
}

enum wsim_status sync_shfl_plan(struct run_plan *plan) {
    struct sync_gather gather = {
        .compute = shuffle, .taint = taint_shuffle, .what = plan->meaning.shuffle};
    uint64_t by, clamp;
    int known;
    TRY(results(plan, &gather));
    TRY(plan_row(plan, 1, 32, &gather.a));
    TRY(plan_row(plan, 2, 32, &gather.b));
    TRY(plan_row(plan, 3, 32, &gather.c));
    TRY(plan_row(plan, 4, 32, &gather.mask));
    known = plan_constant(plan, 2, &by) && plan_constant(plan, 3, &clamp);
    shuffle_choose(&gather, known ? (uint32_t[]){(uint32_t)by, (uint32_t)clamp} : NULL, 1);
    return sync_gather_plan(plan, &gather);
}

enum wsim_status sync_vote_plan(struct run_plan *plan) {
    struct sync_gather gather = {
        .compute = vote, .quick = quick_vote, .taint = taint_vote, .what = plan->meaning.vote};
    TRY(plan_row(plan, 0, 0, gather.what == SCALAR_BALLOT ? &gather.d : &gather.p));
    TRY(plan_row(plan, 1, 1, &gather.a));
    TRY(plan_row(plan, 2, 32, &gather.mask));
    return sync_gather_plan(plan, &gather);
}

enum wsim_status sync_match_plan(struct run_plan *plan) {
    struct sync_gather gather = {
        .compute = match, .taint = taint_match, .what = plan->meaning.vote};
    TRY(results(plan, &gather));
    TRY(plan_row(plan, 1, isa_scalar_types[plan->meaning.type[0]].bits, &gather.a));
    TRY(plan_row(plan, 2, 32, &gather.mask));
    return sync_gather_plan(plan, &gather);
}

enum wsim_status sync_redux_plan(struct run_plan *plan) {
    const struct scalar_meaning *meaning = &plan->meaning;
    struct sync_gather gather = {.compute = redux,
                                 .taint = taint_redux,
                                 .what = meaning->operation,
                                 .is_signed = meaning->type[0] == SCALAR_TYPE_S32,
                                 .abs = meaning->abs,
                                 .nan = meaning->nan};
    if (meaning->type[0] == SCALAR_TYPE_F32)
        gather.format = wsim_format_find("f32");
    TRY(plan_row(plan, 0, 0, &gather.d));
    TRY(plan_row(plan, 1, 32, &gather.a));
    TRY(plan_row(plan, 2, 32, &gather.mask));
    return sync_gather_plan(plan, &gather);
}

enum wsim_status sync_elect_plan(struct run_plan *plan) {
    struct sync_gather gather = {.compute = elect};
    TRY(results(plan, &gather));
    TRY(plan_row(plan, 1, 32, &gather.mask));
    return sync_gather_plan(plan, &gather);
}

enum wsim_status sync_bar_warp_plan(struct run_plan *plan) {
    struct sync_gather gather = {.compute = nothing, .quick = quick_nothing};
    TRY(plan_row(plan, 0, 32, &gather.mask));
    return sync_gather_plan(plan, &gather);
}

/* Returns the lanes that happen to be here, without waiting. */
static enum run_next activemask(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                struct run_warp *warp) {
    uint32_t *d = run_words(frame, op->at[0]);
    (void)warp;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        d[run_lowest(rest)] = lanes;
    return RUN_ON;
}

enum wsim_status sync_activemask_plan(struct run_plan *plan) {
    struct run_row d;
    TRY(plan_row(plan, 0, 0, &d));
    if (!d.bits) /* the result is unused */
        TRY(plan_scratch(plan, 32, &d));
    plan->op->at[0] = d.at;
    return plan_does(plan, activemask);
}
