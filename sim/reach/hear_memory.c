/* Tells listeners of the bytes that doors read and write through a window of memory: matrix
 * operations and copies. */
#include "hear.h"

#include "../memory/memory.h"
#include "../state/device.h"
#include "../state/known.h"
#include "../state/launch.h"
#include "../state/taint.h"

/* The rank of the block whose shared memory this is. */
static uint64_t rank_of(const struct run_unit *unit, const struct wsim_memory *memory) {
    for (uint32_t i = 0; i < unit->n_blocks; i++)
        if (unit->blocks[i].shared.bytes == memory->bytes)
            return (uint64_t)i << RUN_RANK_SHIFT;
    return 0;
}

static void tell_kept(struct hear_watch *watch, struct run_access *access) {
    if (access->lanes)
        hear_access(watch->warp, watch->op, access);
    access->lanes = 0;
    watch->last[access == &watch->writes].n = RUN_LANES;
}

void hear_memory_end(struct hear_watch *watch) {
    tell_kept(watch, &watch->reads);
    tell_kept(watch, &watch->writes);
}

/* --- copies of uninitialised bytes --- */

/* Bit i: byte at + i is uninitialised, of at most 64 bytes of a source. */
static uint64_t unknown_source(const struct hear_watch *watch, uint64_t at, uint64_t bytes) {
    const struct run_unit *unit = watch->warp->block->unit;
    const struct run_block *block = &unit->blocks[0];
    const atomic_ullong *bits;
    uint64_t from, next, mask, unknown;
    if (!watch->buffer)
        block = &unit->blocks[at >> RUN_RANK_SHIFT];
    bits = watch->buffer ? watch->buffer->known : block->initialised.known;
    from = at - (watch->buffer ? watch->buffer->base : block->shared.base);
    mask = known_mask(from, from + bytes, &next);
    unknown = known_missing(&bits[from / 64], mask) >> from % 64;
    if (next < from + bytes)
        unknown |= known_missing(&bits[next / 64], known_mask(next, from + bytes, &mask))
                   << (next - from);
    return unknown;
}

static uint64_t piece_of(uint64_t left) {
    return left < HEAR_BYTES ? left : HEAR_BYTES;
}

/* The copy reads bytes. Without uninitialised ones nothing is left to carry. */
static void read_source(struct hear_watch *watch, uint64_t at, uint64_t bytes, int is_shared) {
    const struct run_worker *worker = watch->warp->worker;
    uint64_t unknown = 0;
    watch->buffer = NULL;
    watch->left = 0;
    if (!is_shared) {
        watch->buffer = worker->recent;
        if (!watch->buffer || at - watch->buffer->base >= watch->buffer->size ||
            bytes > watch->buffer->size - (at - watch->buffer->base))
            watch->buffer = run_buffer_of(worker->launch->device, at, bytes);
        if (!watch->buffer || !run_buffer_bits(watch->buffer))
            return;
    } else if (!hear_block_of(watch->warp, at, bytes)) {
        return;
    }
    for (uint64_t i = 0; i < bytes; i += HEAR_BYTES)
        unknown |= unknown_source(watch, at + i, piece_of(bytes - i));
    watch->source = at;
    watch->left = unknown ? bytes : 0;
}

/* The copy writes bytes of its source to shared memory, in order. */
static void write_source(struct hear_watch *watch, uint64_t at, uint64_t bytes) {
    struct run_block *block = hear_block_of(watch->warp, at, bytes);
    tell_kept(watch, &watch->writes);
    for (uint64_t n; block && bytes && watch->left; at += n, bytes -= n) {
        n = piece_of(bytes < watch->left ? bytes : watch->left);
        const uint64_t unknown = unknown_source(watch, watch->source, n);
        if (unknown)
            taint_drop_shared(watch->warp, block, at - block->shared.base, unknown,
                              taint_origin(watch->warp, watch->op,
                                           watch->buffer ? PTX_GLOBAL : PTX_SHARED, 1,
                                           watch->source + base_lowest(unknown), watch->buffer));
        watch->source += n;
        watch->left -= n;
    }
}

static void carry(struct hear_watch *watch, enum wsim_touch_kind kind, uint64_t at, uint64_t bytes,
                  int is_shared) {
    if (!watch->warp->block->initialised.known)
        return;
    if (kind == WSIM_TOUCH_READ)
        read_source(watch, at, bytes, is_shared);
    else if (is_shared && watch->left)
        write_source(watch, at, bytes);
}

/* A touch takes a place among the lanes of an access. */
static inline void put_touch(struct hear_watch *watch, struct run_access *access, unsigned place,
                             const struct wsim_memory *memory, const struct wsim_touch *touch,
                             uint64_t rank) {
    access->lanes |= 1u << place;
    access->at[place] = touch->address + rank;
    access->host[place] = memory->bytes + (size_t)(touch->address - memory->base);
    if (access->taints == RUN_TAINTS_COPY)
        carry(watch, touch->kind, access->at[place], touch->bytes, memory->space == WSIM_SHARED);
}

/* A touch that is not like the last one. */
#if defined(__GNUC__)
__attribute__((noinline)) /* most touches are, and need no room on the stack */
#endif
static void
hear_other(struct hear_watch *watch, const struct wsim_memory *memory,
           const struct wsim_touch *touch) {
    static const uint8_t kinds[] = {[WSIM_TOUCH_READ] = RUN_READ,
                                    [WSIM_TOUCH_WRITE] = RUN_WRITE,
                                    [WSIM_TOUCH_UPDATE] = RUN_REDUCE};
    struct run_access *access = touch->kind == WSIM_TOUCH_READ ? &watch->reads : &watch->writes;
    struct hear_last *last = &watch->last[access == &watch->writes];
    const int own = touch->lane < RUN_LANES, is_shared = memory->space == WSIM_SHARED;
    const uint8_t space = is_shared ? PTX_SHARED : PTX_GLOBAL;
    const uint8_t for_lane = own ? 0 : (uint8_t)(watch->lane + 1);
    const uint64_t rank = is_shared ? rank_of(watch->warp->block->unit, memory) : 0;
    const int barrier = watch->has_barrier && is_shared && touch->kind == WSIM_TOUCH_UPDATE &&
                        touch->address == watch->barrier_at;
    unsigned place = own ? touch->lane : run_count(access->lanes);
    if (place == RUN_LANES || (access->lanes >> place & 1) || access->space != space ||
        access->kind != kinds[touch->kind] || access->bytes != touch->bytes ||
        access->for_lane != for_lane || access->barrier != barrier) {
        tell_kept(watch, access);
        place = own ? place : 0;
    }
    access->space = space;
    access->kind = kinds[touch->kind];
    access->bytes = touch->bytes;
    access->for_lane = for_lane;
    access->barrier = (uint8_t)barrier;
    last->n = RUN_LANES;
    if (!own && touch->kind != WSIM_TOUCH_UPDATE)
        *last = (struct hear_last){.bytes = memory->bytes,
                                   .base = memory->base,
                                   .rank = rank,
                                   .size = touch->bytes,
                                   .n = place + 1,
                                   .kind = touch->kind};
    put_touch(watch, access, place, memory, touch, rank);
}

/* Touches that one thread stands for take the places of lanes, so that 32 are one access. */
static void hear_touch(void *context, const struct wsim_memory *memory,
                       const struct wsim_touch *touch) {
    struct hear_watch *watch = context;
    struct hear_last *last = &watch->last[touch->kind != WSIM_TOUCH_READ];
    if (last->n == RUN_LANES || touch->lane < RUN_LANES || last->kind != touch->kind ||
        last->size != touch->bytes || last->bytes != memory->bytes || last->base != memory->base)
        hear_other(watch, memory, touch);
    else
        put_touch(watch, last == watch->last ? &watch->reads : &watch->writes, last->n++, memory,
                  touch, last->rank);
}

static void begin_access(struct run_access *access, uint8_t async) {
    access->async = async;
    access->proxy = async != 0;
    access->weak = 1;
    access->acquires = access->releases = access->row = access->for_lane = access->taints = 0;
    access->swaps = 0;
    access->replaces = access->narrow = access->barrier = access->plain = 0;
    access->all = access->nc = access->near = 0;
    access->space = access->kind = 0;
    access->bytes = access->lanes = 0;
    access->data = NULL;
    access->plan = NULL;
}

void hear_memory(struct hear_watch *watch, struct run_warp *warp, const struct run_op *op,
                 unsigned lane, uint8_t async) {
    watch->watch = (struct wsim_watch){hear_touch, watch};
    watch->warp = warp;
    watch->op = op;
    watch->lane = lane;
    watch->left = 0;
    watch->has_barrier = 0;
    watch->last[0].n = watch->last[1].n = RUN_LANES;
    begin_access(&watch->reads, async);
    begin_access(&watch->writes, async);
}
