/* Accesses of fast steps: those that all listeners know are left out, of the others few lanes tell
 * all bytes. */
#include "hear_ears.h"

#include "../memory/memory.h"

#define FEW RUN_PARTS /* parts of an access that listeners are asked for at once */

/* Keeps lanes that suffice for all addresses that are read. The parts of a warp often read the
 * same addresses, or neighbouring lanes do. */
static void drop_twins(const uint64_t at[RUN_LANES], struct run_access *access) {
    unsigned n = RUN_LANES;
    uint32_t news = 1;
    uint64_t other = 0;
    for (unsigned half = n / 2; half && at[0] == at[half]; half /= 2) {
        for (unsigned i = 1; i < half; i++)
            other |= at[i] ^ at[i + half];
        if (other)
            break;
        n = half;
    }
    if (n < RUN_LANES) {
        other = 0;
        access->lanes = (UINT32_C(1) << n) - 1;
        for (unsigned i = 1; i < n; i++)
            other |= at[i] ^ (at[0] + (uint64_t)i * access->bytes);
        access->row = other || n < 2 ? 0 : (uint8_t)n;
        return;
    }
    for (unsigned i = 1; i < RUN_LANES; i++)
        news |= (uint32_t)(at[i] != at[i - 1]) << i;
    access->lanes = news;
}

/* Whether all listeners of bytes can do without an access. */
static int do_without(struct run_warp *warp, const struct hear_again *again) {
    const unsigned space = again->memory->block ? PTX_SHARED : PTX_GLOBAL;
    EACH_EAR (ear, warp->worker->bytes)
        if (hears(ear, space) && !ear->hears->again)
            return 0;
    EACH_EAR (ear, warp->worker->bytes)
        if (hears(ear, space) && !ear->hears->again(warp, again))
            return 0;
    return 1;
}

int hear_needs_none(struct run_warp *warp, const struct run_buffer *buffer) {
    EACH_EAR (ear, warp->worker->bytes)
        if (hears(ear, PTX_GLOBAL) && !(ear->hears->without && ear->hears->without(warp, buffer)))
            return 0;
    return 1;
}

int hear_may_miss(const struct run_worker *worker) {
    EACH_EAR (ear, worker->bytes)
        if (!ear->hears->alike)
            return 0;
    return !worker->whole.n;
}

/* Whether a row of registers is the bytes that all lanes store. */
static int has_bytes(const struct reach_plan *plan) {
    return plan->elements == 1 && memory_is_host() && plan->bytes >= 4 &&
           plan->row[0].bits == 8u * plan->bytes;
}

/* The same of an access of a row, or of one place. */
static int is_again(uint8_t *frame, const struct run_op *op, uint32_t lanes, struct run_warp *warp,
                    const struct hear_memory *memory, uint64_t from, enum run_shape shape) {
    const struct reach_plan *plan = op->more;
    const uint32_t bytes = (uint32_t)plan->bytes * plan->elements;
    const int is_row = shape == RUN_IN_ROW, writes = plan->kind == RUN_WRITE;
    const struct hear_part part = {.from = from,
                                   .size = is_row ? RUN_LANES * bytes : bytes,
                                   .lane = is_row ? 0 : run_lowest(lanes)};
    const struct hear_again again = {.memory = memory,
                                     .op = op,
                                     .plan = plan,
                                     .parts = &part,
                                     .data =
                                         writes && has_bytes(plan) ? frame + plan->row[0].at : NULL,
                                     .n = 1,
                                     .times = 1,
                                     .lanes = lanes,
                                     .writes = (uint8_t)writes,
                                     .is_line = 1,
                                     .is_row = (uint8_t)is_row};
    return (is_row || (shape == RUN_AT_ONE && !writes)) && do_without(warp, &again);
}

/* The parts of a load of all lanes in shapes that matrices have. Half a warp reads one place; or
 * both halves read the same row; or four lanes read a row each time. 0: it is none of these. */
static unsigned put_shape(struct hear_part parts[FEW], const uint64_t at[RUN_LANES],
                          uint32_t bytes) {
    enum { HALF = RUN_LANES / 2, FOUR = RUN_LANES / FEW };
    uint64_t other = 0, apart = 0;
    unsigned n = 1, lanes;
    for (unsigned i = 0; i < HALF; i++)
        other |= (at[i] ^ at[0]) | (at[HALF + i] ^ at[HALF]);
    if (!other) {
        parts[0] = (struct hear_part){at[0], bytes, 0};
        parts[1] = (struct hear_part){at[HALF], bytes, HALF};
        return 2;
    }
    if (at[1] - at[0] != bytes)
        return 0;
    other = 0;
    for (unsigned i = 0; i < HALF && at[HALF] == at[0]; i++)
        other |= at[i] ^ at[HALF + i];
    lanes = at[HALF] == at[0] && !other ? HALF : RUN_LANES;
    for (unsigned i = 0; i < lanes; i += FOUR)
        apart |= (at[i + 1] - at[i] - bytes) | (at[i + 2] - at[i + 1] - bytes) |
                 (at[i + 3] - at[i + 2] - bytes);
    if (apart)
        return 0;
    parts[0] = (struct hear_part){at[0], FOUR * bytes, 0};
    for (unsigned i = FOUR; i < lanes; i += FOUR)
        if (at[i] == at[i - 1] + bytes)
            parts[n - 1].size += FOUR * bytes;
        else
            parts[n++] = (struct hear_part){at[i], FOUR * bytes, i};
    return n;
}

static int has_pattern(const struct run_pattern *pattern, const uint64_t at[RUN_LANES],
                       uint32_t bytes) {
    uint64_t other = pattern->bytes ^ bytes;
    if (at[RUN_LANES - 1] - at[0] != (uint64_t)(int64_t)pattern->apart[RUN_LANES - 1])
        return 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        other |= (at[lane] - at[0]) ^ (uint64_t)(int64_t)pattern->apart[lane];
    return !other;
}

/* Whether each lane is as far behind the one before, and they are not side by side. */
static int is_strided(const uint64_t at[RUN_LANES]) {
    const uint64_t step = at[1] - at[0];
    uint64_t other = at[RUN_LANES - 1] - at[0] - (RUN_LANES - 1) * step;
    for (unsigned lane = 2; lane < RUN_LANES && !other; lane++)
        other = at[lane] - at[lane - 1] - step;
    return !other;
}

const struct run_pattern *hear_pattern_of(struct run_worker *worker, const struct run_op *op,
                                          const uint64_t at[RUN_LANES]) {
    const struct reach_plan *plan = op->more;
    const uint32_t bytes = (uint32_t)plan->bytes * plan->elements;
    struct hear_part parts[FEW];
    const unsigned n = put_shape(parts, at, bytes);
    uint32_t slot = 0;
    if (!n && (plan->space != PTX_SHARED || !is_strided(at)))
        return NULL;
    while (slot < RUN_PATTERNS && !has_pattern(&worker->patterns[slot], at, bytes))
        slot++;
    if (slot == RUN_PATTERNS) {
        slot = worker->n_patterns++ % RUN_PATTERNS;
        if (!hear_pattern(&worker->patterns[slot], worker->n_patterns, at, bytes, parts, n))
            return NULL;
    }
    *run_pattern_of(worker, op) = (uint8_t)slot;
    return &worker->patterns[slot];
}

/* The same of a load with a pattern, before its lanes are looked at. */
static int is_pattern_again(const struct run_op *op, struct run_warp *warp,
                            const struct hear_memory *memory, uint64_t first,
                            const struct run_pattern *pattern) {
    struct hear_part parts[FEW] = {{first, pattern->bytes, 0}};
    const struct hear_again again = {.memory = memory,
                                     .op = op,
                                     .plan = op->more,
                                     .parts = parts,
                                     .step = (uint64_t)(int64_t)pattern->apart[1],
                                     .times = pattern->n ? 1 : RUN_LANES,
                                     .apart = pattern->apart,
                                     .n = pattern->n ? pattern->n : 1,
                                     .lanes = UINT32_MAX};
    for (unsigned i = 0; i < pattern->n; i++)
        parts[i] = (struct hear_part){first + (uint64_t)(int64_t)pattern->parts[i].from,
                                      pattern->parts[i].size, pattern->parts[i].lane};
    return do_without(warp, &again);
}

/* Puts the parts of an access: lanes one after another that are side by side. 0: they are many. */
static unsigned put_parts(struct hear_part parts[FEW], const struct run_access *access,
                          uint64_t base) {
    const uint32_t bytes = access->bytes;
    const int writes = access->kind == RUN_WRITE;
    unsigned n = 0, next = 0;
    uint64_t end = 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t from = access->at[lane] - base;
        if (n && from == end && lane == next) {
            parts[n - 1].size += bytes;
            end += bytes;
        } else if (!n || writes || from + bytes != end) {
            if (n == FEW || (lane == FEW / 2 && n == FEW / 2)) /* no two lanes are side by side */
                return 0;
            parts[n++] = (struct hear_part){from, bytes, lane};
            end = from + bytes;
        }
        next = lane + 1;
    }
    return n;
}

static int overlap(const struct hear_part *parts, unsigned n) {
    for (unsigned i = 1; i < n; i++)
        for (unsigned j = 0; j < i; j++)
            if (parts[i].from < parts[j].from + parts[j].size &&
                parts[j].from < parts[i].from + parts[i].size)
                return 1;
    return 0;
}

/* The same of an access of other shapes, which a row or a few parts stand for. A store whose lanes
 * overlap is reported lane by lane. */
static int are_again(const struct run_op *op, struct run_warp *warp,
                     const struct hear_memory *memory, const struct run_access *access) {
    struct hear_part parts[FEW];
    struct hear_again again = {.memory = memory,
                               .op = op,
                               .plan = op->more,
                               .access = access,
                               .parts = parts,
                               .n = 1,
                               .times = 1,
                               .lanes = access->all,
                               .writes = access->kind == RUN_WRITE};
    if (access->swaps || access->row) {
        const uint32_t bytes = (access->row ? access->row : RUN_LANES) * access->bytes;
        const uint64_t first = access->at[0];
        parts[0] = (struct hear_part){
            (access->swaps ? first & ~(uint64_t)(bytes - 1) : first) - memory->base, bytes, 0};
    } else {
        again.n = put_parts(parts, access, memory->base);
    }
    return again.n && !(again.writes && overlap(parts, again.n)) && do_without(warp, &again);
}

/* Addresses of one lane: of the only one that listeners hear, or of the first one of a row. */
static void fill_lane(struct run_access *access, const struct hear_memory *memory,
                      const uint64_t at[RUN_LANES], unsigned lane) {
    access->at[lane] = memory->base + at[lane];
    access->host[lane] = memory->host + at[lane];
}

/* Addresses of all lanes. Weak loads need no places in the host, unless listeners hear them
 * whole. */
static void fill_lanes(struct run_access *access, const struct hear_memory *memory,
                       const uint64_t at[RUN_LANES], int whole) {
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        access->at[lane] = memory->base + at[lane];
    for (unsigned lane = 0;
         lane < (whole || access->kind != RUN_READ || !access->weak ? RUN_LANES : 1); lane++)
        access->host[lane] = memory->host + at[lane];
}

/* Whether all lanes are side by side in shared memory, each at the place of another one: swizzles.
 */
static int are_swapped(const struct run_access *access) {
    const uint64_t first = access->at[0];
    uint64_t other = access->bytes & (access->bytes - 1);
    if (access->space != PTX_SHARED || access->lanes != UINT32_MAX ||
        (access->at[1] ^ first) != access->bytes)
        return 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        other |= access->at[lane] ^ first ^ lane * access->bytes;
    return !other && !(first & (access->bytes - 1));
}

/* Whether one lane is enough, by the shape alone. */
static int is_folded(const struct run_access *access, enum run_shape shape) {
    return shape == RUN_IN_ROW || (shape == RUN_AT_ONE && access->kind == RUN_READ);
}

/* Leaves the lanes that are enough for all bytes. */
static void fold_lanes(struct run_access *access, const uint64_t at[RUN_LANES],
                       enum run_shape shape) {
    access->row = shape == RUN_IN_ROW ? RUN_LANES : 0;
    access->swaps = shape == RUN_SCATTERED && are_swapped(access);
    if (access->swaps)
        return;
    if (access->kind == RUN_READ && shape == RUN_AT_ONE)
        access->lanes &= 0u - access->lanes;
    else if (access->kind == RUN_READ && !access->row && access->lanes == UINT32_MAX)
        drop_twins(at, access);
}

/* All but the addresses. */
static void begin_access(struct run_access *access, uint8_t *frame, const struct reach_plan *plan,
                         uint8_t space, uint32_t lanes) {
    reach_describe(plan, space, lanes, access);
    access->all = lanes;
    reach_name(plan, frame, access);
}

void hear_local(uint8_t *frame, const struct run_op *op, uint32_t lanes, struct run_warp *warp,
                const uint64_t at[RUN_LANES]) {
    struct run_access access;
    begin_access(&access, frame, op->more, PTX_LOCAL, lanes);
    for (uint64_t lane = 0; lane < RUN_LANES; lane++)
        access.at[lane] = at[lane] - lane * warp->local_stride;
    hear_access_bytes(warp, op, &access);
}

void hear_window(uint8_t *frame, const struct run_op *op, uint32_t lanes, struct run_warp *warp,
                 const struct hear_memory *memory, const uint64_t at[RUN_LANES],
                 enum run_shape shape, const struct run_pattern *pattern, int counts) {
    const struct reach_plan *plan = op->more;
    const struct run_worker *worker = warp->worker;
    const uint8_t space = memory->block ? PTX_SHARED : PTX_GLOBAL;
    const int whole = worker->hears_whole >> space & 1;
    const int may_be_known =
        plan->weak && !plan->unused && (memory->buffer || memory->block) && plan->kind <= RUN_WRITE;
    const int may_be_again = may_be_known && shape != RUN_SCATTERED;
    const int one = !(lanes & (lanes - 1)), folds_first = counts && space == PTX_GLOBAL;
    uint8_t room[RUN_LANES * REACH_MOST];
    uint64_t all[RUN_LANES];
    struct run_access access;
    if (!whole && !counts && plan->weak && plan->kind == RUN_READ && memory->buffer &&
        hear_needs_none(warp, memory->buffer))
        return;
    if (!whole && !counts && may_be_again && is_again(frame, op, lanes, warp, memory, at[0], shape))
        return;
    if (!whole && !counts && may_be_known && pattern &&
        is_pattern_again(op, warp, memory, at[0], pattern))
        return;
    for (unsigned lane = 0; lane < RUN_LANES && pattern; lane++)
        all[lane] = at[0] + (uint64_t)(int64_t)pattern->apart[lane];
    at = pattern ? all : at;
    begin_access(&access, frame, plan, space, lanes);
    if (whole || (counts && !folds_first) || !(one || is_folded(&access, shape)))
        fill_lanes(&access, memory, at, whole);
    else
        fill_lane(&access, memory, at, shape == RUN_IN_ROW ? 0 : run_lowest(lanes));
    if (whole)
        hear_access_whole(warp, op, &access);
    if (folds_first)
        fold_lanes(&access, at, shape);
    if (counts)
        hear_traffic_all(warp, op, &access);
    if (!(worker->hears_bytes >> space & 1) ||
        ((whole || counts) && may_be_again &&
         is_again(frame, op, lanes, warp, memory, at[0], shape)))
        return;
    warp->worker->recent = memory->buffer ? memory->buffer : warp->worker->recent;
    if (!folds_first)
        fold_lanes(&access, at, shape);
    if (shape == RUN_SCATTERED && may_be_known && are_again(op, warp, memory, &access))
        return;
    if (access.kind == RUN_WRITE && worker->values && memory->buffer)
        access.data = reach_data(&access, room);
    hear_access_bytes(warp, op, &access);
}
