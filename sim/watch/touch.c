/* Who listens to memory: of shared memory each lane, or a row of all, is told as it is. Of global
 * memory lanes are taken together by buffer and piece, so that most accesses of a warp are a few
 * pieces, and who listens looks at 64 bytes at a time. */
#include "touch.h"

#include "actors.h"
#include "init.h"
#include "race.h"
#include "../state/device.h"
#include "../state/known.h"

struct gather {
    struct run_warp *warp;
    const struct run_op *op;
    const struct run_access *access;
    struct race_asker *asker; /* NULL: nobody looks for races */
    int init;
    struct touch_memory memory;
    unsigned n;
    uint8_t slots[TOUCH_MOST]; /* 1 + the piece that was put last with an index of this rest */
    struct touch_piece pieces[TOUCH_MOST];
};

unsigned touch_lane(const struct run_access *access, uint64_t at) {
    if (access->for_lane)
        return access->for_lane - 1u;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        if (at - run_access_at(access, run_lowest(rest)) < access->bytes)
            return run_lowest(rest);
    return run_lowest(access->lanes);
}

static void flush(struct gather *gather) {
    if (gather->asker && gather->n)
        check_race_pieces(gather->asker, &gather->memory, gather->pieces, gather->n);
    if (gather->init && gather->n)
        check_init_pieces(gather->warp, gather->op, gather->access, &gather->memory, gather->pieces,
                          gather->n);
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
        const unsigned skip = (unsigned)(from % TOUCH_BYTES);
        const uint64_t left = size - done;
        struct touch_piece *piece;
        if (gather->n == TOUCH_MOST)
            flush(gather);
        piece = &gather->pieces[gather->n++];
        piece->index = from / TOUCH_BYTES;
        piece->mask = touch_mask(skip, left);
        piece->data = data ? data + done : NULL;
        piece->lanes = 0;
        piece->lane =
            access_for ? (uint8_t)(access_for - 1) : (uint8_t)((lane + done / bytes) % RUN_LANES);
        from += TOUCH_BYTES - skip;
        done += TOUCH_BYTES - skip;
    }
}

/* Bytes of one lane: with a piece that there is, if they are in it. What lanes write over each
 * other are pieces of their own, one after another. */
static void put_lane(struct gather *gather, uint64_t at, unsigned lane) {
    const struct run_access *access = gather->access;
    const uint32_t bytes = access->bytes;
    const uint64_t from = at - gather->memory.base, index = from / TOUCH_BYTES;
    const unsigned skip = (unsigned)(from % TOUCH_BYTES);
    if (bytes <= TOUCH_BYTES - skip) {
        const uint64_t mask = touch_mask(skip, bytes);
        uint8_t *slot = &gather->slots[index % TOUCH_MOST];
        struct touch_piece *piece = &gather->pieces[*slot ? *slot - 1 : 0];
        if (*slot && piece->index == index && !(access->data && (piece->mask & mask))) {
            piece->mask |= mask;
            piece->lanes |= UINT32_C(1) << lane;
            return;
        }
        if (gather->n == TOUCH_MOST)
            flush(gather);
        *slot = (uint8_t)(gather->n + 1);
        put_span(gather, at, bytes, lane, NULL);
        gather->pieces[gather->n - 1].lanes = UINT32_C(1) << lane;
        return;
    }
    put_span(gather, at, bytes, lane, access->data ? access->data + (size_t)lane * bytes : NULL);
}

/* The buffer that the bytes of an access at `at` are in. 0: nobody watches it. */
static int find_memory(struct gather *gather, uint64_t at, uint64_t size) {
    struct touch_memory *memory = &gather->memory;
    const struct run_worker *worker = gather->warp->worker;
    *memory = (struct touch_memory){.buffer = worker->recent};
    if (!memory->buffer || at - memory->buffer->base >= memory->buffer->size ||
        size > memory->buffer->size - (at - memory->buffer->base))
        memory->buffer = run_buffer_of(worker->launch->device, at, size);
    if (!memory->buffer)
        return 0;
    memory->base = memory->buffer->base;
    memory->host = (uint8_t *)(uintptr_t)memory->base;
    return 1;
}

int touch_again(struct run_warp *warp, const struct touch_memory *memory, uint64_t from,
                uint64_t size, uint8_t kind, const uint8_t *data) {
    const struct races *races = warp->block->unit->races;
    const uint64_t end = from + size;
    const atomic_ullong *bits = check_init_bits(warp, memory->buffer);
    struct race_entry **cells = races ? check_global_seen(warp->worker, memory->buffer) : NULL;
    struct race_again again = {.kind = kind};
    if (races && !cells)
        return 0;
    if (races) {
        again.mark.unit = (uint32_t)warp->block->unit->number;
        again.mark.actor = (uint16_t)race_warp(warp);
        again.clocks = race_clocks(races, warp);
        again.mark.clock = again.clocks[again.mark.actor];
        again.crowd = !warp->program->acquires;
        again.valued = again.crowd && check_global_valued(warp->worker);
    }
    while (from < end) {
        const unsigned skip = (unsigned)(from % TOUCH_BYTES);
        const uint64_t mask = touch_mask(skip, end - from);
        if (bits && known_missing(&bits[from / TOUCH_BYTES], mask))
            return 0;
        if (cells &&
            !check_race_again(cells[from / TOUCH_BYTES], &again, mask, data, memory->host + from))
            return 0;
        data = data ? data + (TOUCH_BYTES - skip) : NULL;
        from += TOUCH_BYTES - skip;
    }
    return 1;
}

/* Lanes whose bytes are in the memory of the first one; the others are left. */
static uint32_t gather_lanes(struct gather *gather, uint32_t lanes) {
    const struct run_access *access = gather->access;
    const uint32_t bytes = access->bytes;
    const uint64_t first = access->at[run_lowest(lanes)];
    const int watched = find_memory(gather, first, bytes);
    const uint64_t base = gather->memory.base,
                   last = watched ? gather->memory.buffer->size - bytes : 0;
    uint64_t before = base - 1;
    uint32_t left = 0;
    if (!watched)
        return lanes & (lanes - 1);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t at = access->at[lane];
        if (at - base > last)
            left |= 1u << lane;
        else if (at != before || access->data)
            put_lane(gather, at, lane);
        before = at;
    }
    flush(gather);
    return left;
}

static void touch_global(struct run_warp *warp, const struct run_op *op,
                         const struct run_access *access, struct race_asker *asker) {
    struct gather gather;
    gather.warp = warp;
    gather.op = op;
    gather.access = access;
    gather.asker = asker;
    gather.init = check_init_wanted(warp->worker->launch);
    gather.n = 0;
    if (access->row) {
        const uint64_t size = (uint64_t)access->row * access->bytes;
        if (find_memory(&gather, access->at[0], size))
            put_span(&gather, access->at[0], size, 0, access->data);
        flush(&gather);
        return;
    }
    memset(gather.slots, 0, sizeof gather.slots);
    for (uint32_t rest = access->lanes; rest;)
        rest = gather_lanes(&gather, rest);
}

/* The block that has all of these bytes of shared memory; NULL: none has. */
static struct run_block *block_of(const struct run_warp *warp, uint64_t at, uint64_t size) {
    const struct run_unit *unit = warp->block->unit;
    struct run_block *block = warp->block;
    const uint64_t rank = at >> RUN_RANK_SHIFT;
    if (rank != block->rank)
        block = rank < unit->n_blocks ? &unit->blocks[rank] : NULL;
    return block && at >= block->shared.base && at - block->shared.base + size <= block->shared.size
               ? block
               : NULL;
}

/* Lanes whose bytes are in the memory of the block, aligned and so in one cell. */
static uint32_t lanes_inside(const struct run_access *access, const struct run_block *block) {
    const uint64_t base = block->shared.base, last = block->shared.size - access->bytes;
    uint32_t inside = 0;
    uint64_t outside = 0, low = 0;
    if (access->row || (access->bytes & (access->bytes - 1)) || access->bytes > SHARED_CELL ||
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

static void touch_shared(struct run_warp *warp, const struct run_op *op,
                         const struct run_access *access, struct race_asker *asker) {
    const uint64_t size = access->row ? (uint64_t)access->row * access->bytes : access->bytes;
    const uint32_t inside = lanes_inside(access, warp->block);
    const uint32_t lanes = access->row ? 1 : access->lanes & ~inside;
    int told = 0;
    if (asker && inside)
        check_shared_lanes(asker, warp->block, inside);
    if (warp->block->unknown && inside)
        check_init_lanes(warp, op, access, inside, &told);
    for (uint32_t rest = lanes; asker && rest; rest &= rest - 1) {
        const uint64_t at = access->at[run_lowest(rest)];
        const struct run_block *block = block_of(warp, at, size);
        if (block)
            check_shared_access(asker, block, at - block->shared.base, size);
    }
    for (uint32_t rest = lanes; warp->block->known && rest; rest &= rest - 1) {
        const uint64_t at = access->at[run_lowest(rest)];
        struct run_block *block = block_of(warp, at, size);
        if (block && block->unknown)
            check_init_window(warp, op, access, block, at - block->shared.base, size, &told);
    }
}

void run_touch(struct run_warp *warp, const struct run_op *op, const struct run_access *access) {
    struct races *races = warp->block->unit->races;
    struct race_asker asker;
    if (access->space == PTX_LOCAL)
        check_init_local(warp, op, access);
    if ((access->space != PTX_SHARED && access->space != PTX_GLOBAL) ||
        (!races && !check_init_wanted(warp->worker->launch)))
        return;
    if (races)
        check_race_begins(&asker, warp, op, access);
    if (access->space == PTX_SHARED)
        touch_shared(warp, op, access, races ? &asker : NULL);
    else
        touch_global(warp, op, access, races ? &asker : NULL);
    if (races)
        check_race_ends(&asker);
}
