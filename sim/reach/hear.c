/* Tells listeners of accesses, order and traffic. */
#include "hear.h"

#include "../memory/memory.h"
#include "../state/device.h"
#include "../state/launch.h"

/* The listeners of one kind. */
#define EACH_EAR(ear, list)                                                                        \
    for (const struct run_ear *ear = (list).ears, *const end_ = ear + (list).n; ear < end_; ear++)

#define MOST 64       /* pieces at a time */
#define FEW RUN_PARTS /* parts of an access that listeners are asked for at once */

static int hears(const struct run_ear *ear, unsigned what) {
    return ear->of >> what & 1;
}

unsigned hear_lane(const struct run_access *access, uint64_t at) {
    if (access->for_lane)
        return access->for_lane - 1u;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        if (at - run_access_at(access, run_lowest(rest)) < access->bytes)
            return run_lowest(rest);
    return run_lowest(access->lanes);
}

/* --- global memory, in pieces --- */

/* The listeners that need the parts of an access. */
struct audience {
    unsigned n;
    const struct run_hears *hears[RUN_LISTENERS];
};

/* Pieces of one buffer. */
struct gather {
    struct run_warp *warp;
    const struct run_op *op;
    const struct run_access *access;
    const struct audience *audience;
    struct hear_memory memory;
    int overlaps; /* lanes write the same bytes */
    unsigned n;
    uint8_t slots[MOST]; /* 1 + the piece that was put last with an index of this remainder */
    struct hear_piece pieces[MOST];
};

static void tell_pieces(const struct gather *gather) {
    const struct audience *audience = gather->audience;
    for (unsigned i = 0; i < audience->n && gather->n; i++)
        audience->hears[i]->pieces(gather->warp, gather->op, gather->access, &gather->memory,
                                   gather->pieces, gather->n);
}

/* Makes room for further pieces. */
static void flush_pieces(struct gather *gather) {
    tell_pieces(gather);
    gather->n = 0;
    memset(gather->slots, 0, sizeof gather->slots);
}

/* Bytes side by side. */
static void put_span(struct gather *gather, uint64_t at, uint64_t size, unsigned lane,
                     const uint8_t *data) {
    const uint32_t bytes = gather->access->bytes;
    const unsigned access_for = gather->access->for_lane;
    uint64_t from = at - gather->memory.base;
    for (uint64_t done = 0; done < size;) {
        const unsigned skip = (unsigned)(from % HEAR_BYTES);
        const uint64_t left = size - done;
        struct hear_piece *piece;
        if (gather->n == MOST)
            flush_pieces(gather);
        piece = &gather->pieces[gather->n++];
        piece->index = from / HEAR_BYTES;
        piece->mask = hear_mask(skip, left);
        piece->data = data ? data + done : NULL;
        piece->lanes = 0;
        if (access_for)
            piece->lane = (uint8_t)(access_for - 1);
        else
            piece->lane = (uint8_t)(done ? (lane + (uint32_t)done / bytes) % RUN_LANES : lane);
        from += HEAR_BYTES - skip;
        done += HEAR_BYTES - skip;
    }
}

/* Bytes of one lane join a piece that holds them. Lanes that write the same bytes get pieces of
 * their own, in order. NULL: the bytes of the lane are in several pieces. */
static struct hear_piece *put_lane(struct gather *gather, uint64_t at, unsigned lane) {
    const struct run_access *access = gather->access;
    const uint32_t bytes = access->bytes;
    const uint64_t from = at - gather->memory.base, index = from / HEAR_BYTES;
    const unsigned skip = (unsigned)(from % HEAR_BYTES);
    if (bytes <= HEAR_BYTES - skip) {
        const uint64_t mask = hear_mask(skip, bytes);
        uint8_t *slot = &gather->slots[index % MOST];
        struct hear_piece *piece = &gather->pieces[*slot ? *slot - 1 : 0];
        if (*slot && piece->index == index && !(access->data && (piece->mask & mask))) {
            piece->mask |= mask;
            piece->lanes |= UINT32_C(1) << lane;
            return piece;
        }
        gather->overlaps |= *slot && piece->index == index;
        if (gather->n == MOST)
            flush_pieces(gather);
        piece = &gather->pieces[gather->n++];
        *slot = (uint8_t)gather->n;
        piece->index = index;
        piece->mask = mask;
        piece->data = NULL;
        piece->lanes = UINT32_C(1) << lane;
        piece->lane = (uint8_t)(access->for_lane ? access->for_lane - 1u : lane);
        return piece;
    }
    put_span(gather, at, bytes, lane, access->data ? access->data + (size_t)lane * bytes : NULL);
    return NULL;
}

/* Finds the buffer of `size` bytes at `at`. 0: no buffer has them (adopted memory). */
static int find_buffer(struct gather *gather, uint64_t at, uint64_t size) {
    struct hear_memory *memory = &gather->memory;
    const struct run_worker *worker = gather->warp->worker;
    *memory = (struct hear_memory){.buffer = worker->recent};
    if (!memory->buffer || at - memory->buffer->base >= memory->buffer->size ||
        size > memory->buffer->size - (at - memory->buffer->base))
        memory->buffer = run_buffer_of(worker->launch->device, at, size);
    if (!memory->buffer)
        return 0;
    memory->base = memory->buffer->base;
    memory->host = run_host(memory->buffer, memory->base);
    return 1;
}

/* Puts the lanes whose bytes are in the buffer, in the order of a turn (reach_turn), and returns
 * the others. */
static uint32_t put_lanes(struct gather *gather, uint32_t lanes, unsigned turn) {
    const struct run_access *access = gather->access;
    const uint32_t bytes = access->bytes;
    const uint64_t base = gather->memory.base, last = gather->memory.buffer->size - bytes;
    const uint64_t ones = hear_mask(0, bytes);
    const int writes = access->data != NULL;
    struct hear_piece *recent = NULL; /* of the lane before; NULL: it has several */
    uint64_t before = base - 1, index = UINT64_MAX;
    uint32_t left = 0;
    gather->n = 0;
    gather->overlaps = 0;
    memset(gather->slots, 0, sizeof gather->slots);
    for (uint32_t rest = reach_places(lanes, turn); rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest) ^ turn;
        const uint64_t at = access->at[lane], from = at - base;
        const unsigned skip = (unsigned)(from % HEAR_BYTES);
        if (from > last) {
            left |= UINT32_C(1) << lane;
            continue;
        }
        if (at == before && !writes)
            continue;
        before = at;
        if (from / HEAR_BYTES == index && bytes <= HEAR_BYTES - skip &&
            !(writes && recent->mask & ones << skip)) {
            recent->mask |= ones << skip;
            recent->lanes |= UINT32_C(1) << lane;
            continue;
        }
        recent = put_lane(gather, at, lane);
        index = recent ? recent->index : UINT64_MAX;
    }
    return left;
}

/* Tells the lanes whose bytes are in the buffer of the first one, and returns the others. Lanes
 * that store the same bytes go in the order of the store, others in ascending order. */
static uint32_t gather_lanes(struct gather *gather, uint32_t lanes) {
    const struct run_access *access = gather->access;
    const unsigned turn = access->data && access->plan ? access->plan->turn : 0;
    uint32_t left;
    if (!find_buffer(gather, access->at[run_lowest(lanes)], access->bytes))
        return lanes & (lanes - 1);
    left = put_lanes(gather, lanes, 0);
    if (gather->overlaps && turn) {
        put_lanes(gather, lanes, turn);
        for (unsigned i = 0; i < gather->n && !access->for_lane; i++)
            if (gather->pieces[i].lanes)
                gather->pieces[i].lane = (uint8_t)run_lowest(gather->pieces[i].lanes);
    }
    tell_pieces(gather);
    return left;
}

static void tell_global(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access, const struct audience *audience) {
    struct gather gather;
    gather.warp = warp;
    gather.op = op;
    gather.access = access;
    gather.audience = audience;
    gather.n = 0;
    if (access->row || !(access->lanes & (access->lanes - 1))) {
        const unsigned lane = access->row ? 0 : run_lowest(access->lanes);
        const uint64_t size = (uint64_t)access->bytes * (access->row ? access->row : 1);
        if (find_buffer(&gather, access->at[lane], size))
            put_span(&gather, access->at[lane], size, lane,
                     access->data ? access->data + (size_t)lane * access->bytes : NULL);
        tell_pieces(&gather);
        return;
    }
    for (uint32_t rest = access->lanes; rest;)
        rest = gather_lanes(&gather, rest);
}

/* --- shared memory, lane by lane --- */

struct run_block *hear_block_of(const struct run_warp *warp, uint64_t at, uint64_t size) {
    const struct run_unit *unit = warp->block->unit;
    struct run_block *block = warp->block;
    const uint64_t rank = at >> RUN_RANK_SHIFT;
    if (rank != block->rank)
        block = rank < unit->n_blocks ? &unit->blocks[rank] : NULL;
    return block && at >= block->shared.base && at - block->shared.base + size <= block->shared.size
               ? block
               : NULL;
}

/* Lanes whose bytes are in the memory of the block, aligned and so within one cell. */
static uint32_t lanes_inside(const struct run_access *access, const struct run_block *block) {
    const uint64_t base = block->shared.base, last = block->shared.size - access->bytes;
    uint32_t inside = 0;
    uint64_t outside = 0, low = 0;
    if (access->row || (access->bytes & (access->bytes - 1)) || access->bytes > HEAR_CELL ||
        access->bytes > block->shared.size)
        return 0;
    if (access->lanes == UINT32_MAX) {
        for (unsigned lane = 0; lane < RUN_LANES; lane++) {
            outside |= (access->at[lane] - base) | (last - (access->at[lane] - base));
            low |= access->at[lane];
        }
        if (!(outside >> 63) && !(low & (access->bytes - 1)))
            return UINT32_MAX;
    }
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        if (access->at[run_lowest(rest)] - base <= last &&
            !(access->at[run_lowest(rest)] & (access->bytes - 1)))
            inside |= rest & (0u - rest);
    return inside;
}

static void tell_shared(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access) {
    const uint64_t size = access->row ? (uint64_t)access->row * access->bytes : access->bytes;
    const uint32_t inside = lanes_inside(access, warp->block);
    const uint32_t lanes = access->row ? 1 : access->lanes & ~inside;
    EACH_EAR (ear, warp->worker->bytes) {
        const struct run_hears *const told = ear->hears;
        const unsigned needs = hears(ear, PTX_SHARED) ? told->begin(warp, op, access) : 0;
        if (!needs)
            continue;
        if (inside)
            told->lanes(warp, op, access, inside);
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const uint64_t at = access->at[run_lowest(rest)];
            struct run_block *block = hear_block_of(warp, at, size);
            if (block)
                told->window(warp, op, access, block, at - block->shared.base, size);
        }
        if (needs & HEAR_END)
            told->end(warp, op, access);
    }
}

/* --- accesses --- */

void hear_access_whole(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access) {
    EACH_EAR (ear, warp->worker->whole)
        if (hears(ear, access->space))
            ear->hears->access(warp, op, access);
}

void hear_access_bytes(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access) {
    struct audience audience;
    unsigned ends = 0;
    if (access->space == PTX_SHARED) {
        tell_shared(warp, op, access);
        return;
    }
    audience.n = 0;
    EACH_EAR (ear, warp->worker->bytes)
        if (hears(ear, access->space)) {
            const unsigned needs = ear->hears->begin(warp, op, access);
            audience.hears[audience.n] = ear->hears;
            ends |= (needs & HEAR_END ? 1u : 0u) << audience.n;
            audience.n += needs != 0;
        }
    if (audience.n)
        tell_global(warp, op, access, &audience);
    for (; ends; ends &= ends - 1)
        audience.hears[run_lowest(ends)]->end(warp, op, access);
}

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

/* Whether no listener of bytes needs a weak load of the buffer. */
static int needs_none(struct run_warp *warp, const struct run_buffer *buffer) {
    EACH_EAR (ear, warp->worker->bytes)
        if (hears(ear, PTX_GLOBAL) && !(ear->hears->without && ear->hears->without(warp, buffer)))
            return 0;
    return 1;
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

const struct run_pattern *hear_pattern_of(struct run_worker *worker, const struct run_op *op,
                                          const uint64_t at[RUN_LANES]) {
    const struct reach_plan *plan = op->more;
    const uint32_t bytes = (uint32_t)plan->bytes * plan->elements;
    const struct run_pattern *last = &worker->patterns[*run_pattern_of(worker, op)];
    struct hear_part parts[FEW];
    uint32_t slot = 0;
    unsigned n;
    if (has_pattern(last, at, bytes))
        return last;
    n = put_shape(parts, at, bytes);
    if (!n)
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
    struct hear_part parts[FEW];
    const struct hear_again again = {.memory = memory,
                                     .op = op,
                                     .plan = op->more,
                                     .parts = parts,
                                     .apart = pattern->apart,
                                     .n = pattern->n,
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
    access->plan = plan;
    access->frame = frame;
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
        plan->weak && (memory->buffer || memory->block) && plan->kind <= RUN_WRITE;
    const int may_be_again = may_be_known && shape != RUN_SCATTERED;
    const int one = !(lanes & (lanes - 1)), folds_first = counts && space == PTX_GLOBAL;
    uint8_t room[RUN_LANES * REACH_MOST];
    uint64_t all[RUN_LANES];
    struct run_access access;
    if (!whole && !counts && plan->weak && plan->kind == RUN_READ && memory->buffer &&
        needs_none(warp, memory->buffer))
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

/* --- runs --- */

int hear_run_begins(struct run_warp *warp, struct hear_run *run) {
    const struct reach_plan *plan = run->op->more;
    const struct run_worker *worker = warp->worker;
    if (!hear_may_run(warp) || !plan->weak || plan->kind != RUN_READ || !run->buffer)
        return 0;
    EACH_EAR (ear, worker->bytes)
        if (hears(ear, PTX_GLOBAL) && !(ear->hears->run && ear->hears->run(warp, run)))
            return 0;
    return 1;
}

void hear_runs(struct run_warp *warp, const struct hear_run *runs, unsigned n) {
    EACH_EAR (ear, warp->worker->bytes)
        if (ear->hears->runs)
            ear->hears->runs(warp, runs, n);
    EACH_EAR (ear, warp->worker->traffic)
        ear->hears->traffic_runs(warp, runs, n);
}

/* --- order and traffic --- */

void hear_order_all(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                    enum run_order_kind kind, const void *what) {
    EACH_EAR (ear, warp->worker->order)
        if (hears(ear, kind))
            ear->hears->order(warp, op, lanes, kind, what);
}

void hear_traffic_all(struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access) {
    EACH_EAR (ear, warp->worker->traffic)
        ear->hears->traffic(warp, op, access);
}

int hear_traffic_again(struct run_warp *warp, const struct run_op *op,
                       const struct hear_memory *memory, const uint64_t at[RUN_LANES],
                       uint32_t lanes, enum run_shape shape, const struct run_pattern *pattern) {
    const struct run_ears *ears = &warp->worker->traffic;
    return ears->n == 1 &&
           ears->ears[0].hears->traffic_again(warp, op, memory, at, lanes, shape, pattern);
}

void hear_traffic_code(struct run_warp *warp, const struct run_op *op, const struct wsim_code *code,
                       const struct wsim_io *io) {
    EACH_EAR (ear, warp->worker->traffic)
        ear->hears->traffic_code(warp, op, code, io);
}

void hear_traffic_copy(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, const uint32_t to[RUN_LANES],
                       const uint32_t size[RUN_LANES], uint32_t bytes) {
    EACH_EAR (ear, warp->worker->traffic)
        ear->hears->traffic_copy(warp, op, access, to, size, bytes);
}

void hear_traffic_lines(struct run_warp *warp, const struct run_op *op, uint64_t at, unsigned n,
                        uint64_t pitch, uint64_t bytes) {
    EACH_EAR (ear, warp->worker->traffic)
        ear->hears->traffic_lines(warp, op, at, n, pitch, bytes);
}
