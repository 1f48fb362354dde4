/* Exchange between lanes that have met: shfl, vote, match, redux, elect; and their plans. */
#include "lanes.h"

#include "../num/real.h"

/* --- results --- */

/* The lane that shfl reads from; itself if that is not `inside` of the segment. */
static inline unsigned source(enum scalar_shuffle mode, unsigned lane, uint32_t b, uint32_t c,
                              uint32_t *inside) {
    unsigned by = b & 31, segment = c >> 8 & 31, clamp = c & 31;
    unsigned least = lane & segment, most = least | (clamp & ~segment);
    unsigned from = mode == SCALAR_UP     ? lane - by
                    : mode == SCALAR_DOWN ? lane + by
                    : mode == SCALAR_BFLY ? lane ^ by
                                          : least | (by & ~segment);
    *inside = mode == SCALAR_UP ? (int)from >= (int)most : from <= most;
    return *inside ? from : lane;
}

/* A lane that does not take part gives 0 (recordings of an H200: tests/kernels/atoms); PTX leaves
 * it undefined. */
static void shuffle(const struct sync_gather *gather, uint32_t lanes, struct sync_values *v) {
    v->p = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        uint32_t inside;
        unsigned from = source(gather->what, lane, v->b[lane], v->c[lane], &inside);
        v->d[lane] = lanes >> from & 1 ? (uint32_t)v->a[from] : 0;
        v->p |= inside << lane;
        if (lanes >> from & 1)
            continue;
        v->absent_from = v->absent ? v->absent_from : (uint8_t)from;
        v->absent |= 1u << lane;
    }
}

/* The same of a whole warp: where all lanes read from is known when it is planned, if operands are
 * constants, else first. */
static inline uint32_t sources(enum scalar_shuffle mode, const uint32_t *b, const uint32_t *c,
                               uint8_t from[RUN_LANES]) {
    uint32_t all = 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        uint32_t inside;
        from[lane] = (uint8_t)source(mode, lane, b[lane], c[lane], &inside);
        all |= inside << lane;
    }
    return all;
}

static uint32_t sources_of(unsigned mode, const uint32_t *b, const uint32_t *c,
                           uint8_t from[RUN_LANES]) {
    switch (mode) {
    case SCALAR_UP: return sources(SCALAR_UP, b, c, from);
    case SCALAR_DOWN: return sources(SCALAR_DOWN, b, c, from);
    case SCALAR_BFLY: return sources(SCALAR_BFLY, b, c, from);
    default: return sources(SCALAR_IDX, b, c, from);
    }
}

/* Moves whole pieces of a row with vectors of the host. Stored lane by lane, the row would make
 * its next reader wait for 32 small stores. For segments of 32 with every lane in reach: */
static void butterfly(uint32_t *d, const uint32_t *a, unsigned by) {
    uint64_t x[RUN_LANES / 2], y[RUN_LANES / 2];
    memcpy(x, a, sizeof x);
    for (unsigned i = 0; i < RUN_LANES / 4; i++) /* bits 2 to 4: fours of lanes */
        memcpy(&y[2 * i], &x[2 * (i ^ by >> 2)], 16);
    for (unsigned i = 0; by & 2 && i < RUN_LANES / 2; i += 2) {
        uint64_t low = y[i];
        y[i] = y[i + 1];
        y[i + 1] = low;
    }
    for (unsigned i = 0; by & 1 && i < RUN_LANES / 2; i++)
        y[i] = y[i] >> 32 | y[i] << 32;
    memcpy(d, y, sizeof y);
}

/* One number in all lanes. */
static int is_same(const uint32_t *row) {
    uint32_t differ = 0;
    for (unsigned lane = 1; lane < RUN_LANES; lane++)
        differ |= row[lane] ^ row[0];
    return !differ;
}

/* Whether lanes move by pieces of the row: lanes that reach none keep their own. */
static int is_whole(unsigned mode, uint32_t by, uint32_t clamp) {
    const uint32_t segment = clamp >> 8 & 31;
    switch (mode) {
    case SCALAR_UP: return !segment && !(clamp & 31);
    case SCALAR_DOWN: return !segment && (clamp & 31) == 31;
    case SCALAR_BFLY: return !(segment & by) && (clamp & 31) == 31;
    default: return 0;
    }
}

/* Lanes that then reach another one of their segment. */
static uint32_t reached(unsigned mode, unsigned by) {
    return mode == SCALAR_UP     ? 0xFFFFFFFFu << by
           : mode == SCALAR_DOWN ? 0xFFFFFFFFu >> by
                                 : 0xFFFFFFFFu;
}

/* A row between two others is read from the middle: its pieces are `by` lanes away. */
static void slide(uint32_t *d, const uint32_t *a, enum scalar_shuffle mode, unsigned by) {
    uint32_t rows[2 * RUN_LANES];
    uint32_t *at = mode == SCALAR_UP ? rows + RUN_LANES - by : rows + by;
    /* lanes that reach no other have their own */
    memcpy(at, a, RUN_LANES * sizeof *d);
    memcpy(mode == SCALAR_UP ? rows + RUN_LANES : rows, a, RUN_LANES * sizeof *d);
    memcpy(d, at, RUN_LANES * sizeof *d);
}

static void move(const struct sync_gather *gather, uint8_t *frame, unsigned by) {
    uint32_t *d = run_words(frame, gather->d.at);
    const uint32_t *a = run_words(frame, gather->a.at);
    if (gather->p.bits)
        *run_pred(frame, gather->p.at) = reached(gather->what, by);
    if (!gather->d.bits)
        return;
    if (gather->what == SCALAR_BFLY)
        butterfly(d, a, by);
    else
        slide(d, a, (enum scalar_shuffle)gather->what, by);
}

static void quick_move(const struct sync_gather *gather, uint8_t *frame) {
    move(gather, frame, gather->by);
}

static void quick_pick(const struct sync_gather *gather, uint8_t *frame, const uint8_t *from,
                       uint32_t inside) {
    uint32_t a[RUN_LANES];
    memcpy(a, run_words(frame, gather->a.at), sizeof a);
    if (gather->d.bits) {
        uint32_t *d = run_words(frame, gather->d.at);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            d[lane] = a[from[lane]];
    }
    if (gather->p.bits)
        *run_pred(frame, gather->p.at) = inside;
}

static void quick_planned(const struct sync_gather *gather, uint8_t *frame) {
    quick_pick(gather, frame, gather->from, gather->inside);
}

static void quick_shuffle(const struct sync_gather *gather, uint8_t *frame) {
    const uint32_t *b = run_words(frame, gather->b.at), *c = run_words(frame, gather->c.at);
    uint8_t from[RUN_LANES];
    if (is_whole(gather->what, b[0] & 31, c[0]) && is_same(b) && is_same(c))
        move(gather, frame, b[0] & 31);
    else {
        const uint32_t inside = sources_of(gather->what, b, c, from);
        quick_pick(gather, frame, from, inside);
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
        const unsigned from = source(gather->what, lane, values->b[lane], values->c[lane], &inside);
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
    struct sync_gather gather = {.compute = shuffle,
                                 .quick = quick_shuffle,
                                 .taint = taint_shuffle,
                                 .what = plan->meaning.shuffle};
    uint64_t by, clamp;
    TRY(results(plan, &gather));
    TRY(plan_row(plan, 1, 32, &gather.a));
    TRY(plan_row(plan, 2, 32, &gather.b));
    TRY(plan_row(plan, 3, 32, &gather.c));
    TRY(plan_row(plan, 4, 32, &gather.mask));
    if (plan_constant(plan, 2, &by) && plan_constant(plan, 3, &clamp)) {
        uint32_t b[RUN_LANES], c[RUN_LANES];
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            b[lane] = (uint32_t)by, c[lane] = (uint32_t)clamp;
        gather.inside = sources_of(gather.what, b, c, gather.from);
        gather.by = by & 31;
        gather.quick = is_whole(gather.what, by & 31, (uint32_t)clamp) ? quick_move : quick_planned;
    }
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
