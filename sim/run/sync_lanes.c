/* What lanes that have met give each other: shfl, vote, match, redux, elect; and how these
 * instructions are planned. */
#include "sync_lanes.h"

#include "../num/real.h"

/* --- results --- */

/* A lane that does not take part gives 0 (recordings of an H200: divergence/part_warps); PTX leaves
 * it undefined. Beyond the segment a lane gets its own value. */
static void shuffle(const struct sync_gather *gather, uint32_t lanes, struct sync_values *v) {
    v->p = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest), by = v->b[lane] & 31;
        unsigned segment = v->c[lane] >> 8 & 31, clamp = v->c[lane] & 31;
        unsigned most = (lane & segment) | (clamp & ~segment), least = lane & segment;
        unsigned from = 0;
        int inside = 0;
        switch (gather->what) {
        case SCALAR_UP:
            from = lane - by;
            inside = (int)from >= (int)most;
            break;
        case SCALAR_DOWN:
            from = lane + by;
            inside = from <= most;
            break;
        case SCALAR_BFLY:
            from = lane ^ by;
            inside = from <= most;
            break;
        default:
            from = least | (by & ~segment);
            inside = from <= most;
            break;
        }
        if (!inside)
            from = lane;
        v->d[lane] = lanes >> from & 1 ? (uint32_t)v->a[from] : 0;
        v->p |= (uint32_t)inside << lane;
    }
}

static void fill(struct sync_values *v, uint32_t lanes, uint32_t value) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        v->d[run_lowest(rest)] = value;
}

static void vote(const struct sync_gather *gather, uint32_t lanes, struct sync_values *v) {
    uint32_t ballot = 0;
    int agreed = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        ballot |= (uint32_t)(v->a[run_lowest(rest)] & 1) << run_lowest(rest);
    switch (gather->what) {
    case SCALAR_ALL: agreed = ballot == lanes; break;
    case SCALAR_ANY: agreed = ballot != 0; break;
    case SCALAR_UNI: agreed = ballot == lanes || !ballot; break;
    default: break;
    }
    v->p = agreed ? lanes : 0;
    fill(v, lanes, ballot);
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

static uint32_t reduce(const struct sync_gather *gather, uint32_t x, uint32_t y) {
    /* Signed numbers are in the order of unsigned ones whose sign bit is flipped. */
    uint32_t sign = gather->is_signed ? 0x80000000u : 0;
    const struct real_mode mode = {.nan = gather->nan};
    switch (gather->what) {
    case SCALAR_ADD: return x + y;
    case SCALAR_AND: return x & y;
    case SCALAR_OR: return x | y;
    case SCALAR_XOR: return x ^ y;
    case SCALAR_MIN:
        if (gather->format)
            return (uint32_t)real_min(gather->format, &mode, x, y);
        return (x ^ sign) < (y ^ sign) ? x : y;
    default:
        if (gather->format)
            return (uint32_t)real_max(gather->format, &mode, x, y);
        return (x ^ sign) > (y ^ sign) ? x : y;
    }
}

static void redux(const struct sync_gather *gather, uint32_t lanes, struct sync_values *v) {
    uint32_t keep = gather->abs ? 0x7FFFFFFFu : 0xFFFFFFFFu;
    unsigned lane = run_lowest(lanes);
    uint32_t result = (uint32_t)v->a[lane] & keep;
    /* One number alone is reduced too: NaN becomes the canonical one. */
    if (gather->format)
        result = reduce(gather, result, result);
    for (uint32_t rest = lanes & (lanes - 1); rest; rest &= rest - 1)
        result = reduce(gather, result, (uint32_t)v->a[run_lowest(rest)] & keep);
    fill(v, lanes, result);
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

/* --- plans --- */

/* d, or d|p. */
static enum wsim_status results(struct run_plan *plan, struct sync_gather *gather) {
    uint32_t count;
    const struct ptx_operand *parts = plan_parts(plan, 0, &count);
    TRY(plan_row_of(plan, &parts[0], 0, &gather->d));
    return count > 1 ? plan_row_of(plan, &parts[1], 1, &gather->p) : WSIM_OK;
}

enum wsim_status sync_shfl_plan(struct run_plan *plan) {
    struct sync_gather gather = {.compute = shuffle, .what = plan->meaning.shuffle};
    TRY(results(plan, &gather));
    TRY(plan_row(plan, 1, 32, &gather.a));
    TRY(plan_row(plan, 2, 32, &gather.b));
    TRY(plan_row(plan, 3, 32, &gather.c));
    TRY(plan_row(plan, 4, 32, &gather.mask));
    return sync_gather_plan(plan, &gather);
}

enum wsim_status sync_vote_plan(struct run_plan *plan) {
    struct sync_gather gather = {.compute = vote, .what = plan->meaning.vote};
    TRY(plan_row(plan, 0, 0, gather.what == SCALAR_BALLOT ? &gather.d : &gather.p));
    TRY(plan_row(plan, 1, 1, &gather.a));
    TRY(plan_row(plan, 2, 32, &gather.mask));
    return sync_gather_plan(plan, &gather);
}

enum wsim_status sync_match_plan(struct run_plan *plan) {
    struct sync_gather gather = {.compute = match, .what = plan->meaning.vote};
    TRY(results(plan, &gather));
    TRY(plan_row(plan, 1, isa_scalar_types[plan->meaning.type[0]].bits, &gather.a));
    TRY(plan_row(plan, 2, 32, &gather.mask));
    return sync_gather_plan(plan, &gather);
}

enum wsim_status sync_redux_plan(struct run_plan *plan) {
    const struct scalar_meaning *meaning = &plan->meaning;
    struct sync_gather gather = {.compute = redux,
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
    struct sync_gather gather = {.compute = nothing};
    TRY(plan_row(plan, 0, 32, &gather.mask));
    return sync_gather_plan(plan, &gather);
}

/* Nobody waits: the lanes that happen to be here. */
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
    if (!d.bits) /* nobody wants it */
        TRY(plan_scratch(plan, 32, &d));
    plan->op->at[0] = d.at;
    plan->op->step = activemask;
    return WSIM_OK;
}
