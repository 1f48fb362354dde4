/* Global memory in pieces of 64 bytes, for listeners of bytes. A piece holds neighbouring lanes. */
#include "hear_ears.h"

#include "../state/device.h"

#define MOST 64 /* pieces at a time */

/* Pieces of one buffer. */
struct gather {
    struct run_warp *warp;
    const struct run_op *op;
    const struct run_access *access;
    const struct hear_audience *audience;
    struct hear_memory memory;
    int overlaps; /* lanes write the same bytes */
    unsigned n;
    uint8_t slots[MOST]; /* 1 + the piece that was put last with an index of this remainder */
    struct hear_piece pieces[MOST];
};

static void tell_pieces(const struct gather *gather) {
    const struct hear_audience *audience = gather->audience;
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

void hear_pieces(struct run_warp *warp, const struct run_op *op, const struct run_access *access,
                 const struct hear_audience *audience) {
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
