/* Use of bytes that nobody has written. */
#include "init.h"

#include "../state/device.h"
#include "../state/known.h"
#include "../state/launch.h"
#include "../reach/reach.h"

#include <stdlib.h>

/* --- the bits --- */

void check_init_launch(const struct run_launch *launch) {
    const struct wsim_device *device = launch->device;
    if (check_init_wanted(launch))
        return;
    for (size_t i = 0; i < device->space->n_buffers; i++)
        atomic_store_explicit(&device->space->buffers[i]->blind, 1, memory_order_relaxed);
}

int check_init_make(struct run_block *block) {
    if (!check_init_wanted(block->unit->worker->launch))
        return 1;
    block->known = calloc(KNOWN_WORDS(block->shared.size) + 1, sizeof *block->known);
    return block->known != NULL;
}

void check_init_begin(struct run_block *block) {
    if (!block->known)
        return;
    memset((void *)block->known, 0, KNOWN_WORDS(block->shared.size) * sizeof *block->known);
    block->unknown = KNOWN_WORDS(block->shared.size);
}

/* Bytes of a word of shared memory are written. */
static inline void put_shared(struct run_block *block, uint64_t word, uint64_t mask) {
    const uint64_t behind = block->shared.size - 64 * word;
    const uint64_t all = behind < 64 ? (UINT64_C(1) << behind) - 1 : UINT64_MAX;
    if (!known_missing(&block->known[word], mask))
        return;
    known_put(&block->known[word], mask, 1);
    block->unknown -= !known_missing(&block->known[word], all);
}

void check_init_free(struct run_block *block) {
    free((void *)block->known);
}

/* A lane has a whole number of words of bits: strides are multiples of 64. */
static atomic_ullong *bits_of(const struct run_warp *warp, unsigned lane) {
    return warp->known + (size_t)lane * KNOWN_WORDS(warp->local_stride);
}

int check_init_grow(struct run_warp *warp, uint32_t stride) {
    const size_t words = KNOWN_WORDS(stride);
    atomic_ullong *grown;
    if (!check_init_wanted(warp->worker->launch))
        return 1;
    grown = calloc(words * RUN_LANES, sizeof *grown);
    if (!grown)
        return 0;
    for (unsigned lane = 0; lane < RUN_LANES && warp->known; lane++)
        memcpy((void *)(grown + lane * words), (const void *)bits_of(warp, lane),
               KNOWN_WORDS(warp->local_stride) * sizeof *grown);
    free((void *)warp->known);
    warp->known = grown;
    return 1;
}

void check_init_forget(struct run_warp *warp, uint32_t from, uint32_t to) {
    for (unsigned lane = 0; lane < RUN_LANES && warp->known; lane++)
        known_drop(bits_of(warp, lane), from, to);
}

void check_init_warp(struct run_warp *warp) {
    if (warp->known)
        memset((void *)warp->known, 0,
               RUN_LANES * KNOWN_WORDS(warp->local_stride) * sizeof *warp->known);
    free(warp->copied);
    warp->copied = NULL;
}

/* --- findings --- */

/* exch takes whatever is there: compilers write it for stores too. */
static int exchanges(const struct run_warp *warp, const struct run_op *op) {
    const struct ptx_instruction *instruction =
        run_instruction_of(warp->program, run_number(warp, op));
    return instruction &&
           strstr(warp->program->module->opcodes[instruction->opcode].text, ".exch") != NULL;
}

static void found_global(struct run_warp *warp, const struct run_op *op,
                         const struct run_access *access, const struct run_buffer *buffer,
                         uint64_t byte) {
    const unsigned lane = touch_lane(access, byte);
    run_finding(warp, op, lane, RULE_INIT_GLOBAL, 0,
                "%u bytes at byte %llu of '%s' are read%s, and nobody has written byte %llu",
                access->bytes,
                (unsigned long long)((access->for_lane ? byte : run_access_at(access, lane)) -
                                     buffer->base),
                buffer->name ? buffer->name : "a buffer", access->async ? " by a copy" : "",
                (unsigned long long)(byte - buffer->base));
}

static void found_window(struct run_warp *warp, const struct run_op *op, unsigned lane,
                         const struct run_access *access, uint64_t byte) {
    const int local = access->space == PTX_LOCAL;
    run_finding(warp, op, lane, local ? RULE_INIT_LOCAL : RULE_INIT_SHARED, 0,
                "%u bytes at %s address 0x%llx are read%s, and %s written that at 0x%llx",
                access->bytes, local ? "local" : "shared",
                (unsigned long long)(access->for_lane ? byte : run_access_at(access, lane)),
                access->async ? " asynchronously" : "",
                local ? "the thread has never" : "nobody has", (unsigned long long)byte);
}

/* --- accesses --- */

/* Registers that go from memory to memory, and which of their bytes nobody has written: by row of a
 * frame. One that is pushed out is taken to be written. */
enum { COPIED = 64 };
struct init_copied {
    const uint8_t *row; /* NULL: none */
    uint16_t unknown[RUN_LANES];
};

static struct init_copied *copied_of(const struct run_warp *warp, const uint8_t *row) {
    return &warp->copied[(uintptr_t)row / 64 % COPIED];
}

/* Of bits of consecutive bytes from .. to - 1, at most 32, those that nobody has written. */
static uint32_t unknown_bytes(const atomic_ullong *bits, uint64_t from, uint64_t to) {
    uint32_t unknown = 0;
    for (uint64_t next, at = from; at < to; at = next) {
        const uint64_t mask = known_mask(at, to, &next);
        unknown |= (uint32_t)(known_missing(&bits[at / 64], mask) >> at % 64) << (at - from);
    }
    return unknown;
}

/* Remembers what a lane has loaded. 0: no memory. */
static int keep_copied(struct run_warp *warp, const struct run_access *access, unsigned lane,
                       uint32_t unknown) {
    const struct reach_plan *reach = access->plan;
    if (!warp->copied && !unknown)
        return 1;
    if (!warp->copied)
        warp->copied = calloc(COPIED, sizeof *warp->copied);
    for (unsigned e = 0; warp->copied && e < reach->elements; e++, unknown >>= reach->bytes) {
        const uint8_t *row = access->frame + reach->row[e].at;
        struct init_copied *copied = copied_of(warp, row);
        const uint16_t mine = (uint16_t)(unknown & ((UINT32_C(1) << reach->bytes) - 1));
        if (copied->row != row && !mine)
            continue;
        if (copied->row != row)
            *copied = (struct init_copied){.row = row};
        copied->unknown[lane] = mine;
    }
    return warp->copied != NULL;
}

/* Bytes that nobody has written, of what a lane stores. */
static uint32_t stored_unknown(const struct run_warp *warp, const struct reach_plan *reach,
                               const uint8_t *frame, unsigned lane) {
    uint32_t unknown = 0;
    for (unsigned e = 0; warp->copied && reach->copies && e < reach->elements; e++) {
        const struct init_copied *copied = copied_of(warp, frame + reach->row[e].at);
        if (copied->row == frame + reach->row[e].at)
            unknown |= (uint32_t)copied->unknown[lane] << e * reach->bytes;
    }
    return unknown;
}

void check_init_copied(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                       const struct reach_plan *reach, uint8_t *frame) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (stored_unknown(warp, reach, frame, run_lowest(rest))) {
            run_finding(warp, op, run_lowest(rest), RULE_INIT_LOCAL, 0,
                        "bytes are stored that were copied from local memory, where the thread has "
                        "never written them");
            return;
        }
}

void check_init_local(struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access) {
    const struct reach_plan *reach = access->plan;
    for (uint32_t rest = access->lanes; rest && warp->known; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t from = access->at[lane], to = from + access->bytes;
        const unsigned bytes = access->bytes < 32 ? access->bytes : 32;
        const uint32_t all = (uint32_t)((UINT64_C(1) << bytes) - 1);
        atomic_ullong *bits = bits_of(warp, lane);
        uint32_t unknown = access->kind == RUN_WRITE ? 0 : unknown_bytes(bits, from, from + bytes);
        if (access->kind == RUN_READ && reach && reach->copies) {
            if (!keep_copied(warp, access, lane, unknown))
                run_no_memory(warp);
        } else if (unknown == all && !(access->kind != RUN_READ && exchanges(warp, op))) {
            found_window(warp, op, lane, access, from);
        }
        if (access->kind == RUN_READ)
            continue;
        known_add(bits, from, to, 1);
        unknown = reach && access->kind == RUN_WRITE
                      ? stored_unknown(warp, reach, access->frame, lane)
                      : 0;
        for (unsigned i = 0; unknown >> i; i++)
            if (unknown >> i & 1)
                known_drop(bits, from + i, from + i + 1);
    }
}

/* The first lane that reads what nobody has written. */
static unsigned unknown_lane(const struct run_block *block, const struct run_access *access,
                             uint32_t lanes, uint64_t bytes) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint64_t from = access->at[run_lowest(rest)] - block->shared.base;
        if (known_missing(&block->known[from / 64], bytes << from % 64))
            return run_lowest(rest);
    }
    return RUN_LANES;
}

void check_init_lanes(struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access, uint32_t lanes, int *told) {
    const struct run_block *block = warp->block;
    const uint64_t bytes = (UINT64_C(1) << access->bytes) - 1, base = block->shared.base;
    const unsigned lane =
        access->kind == RUN_WRITE ? RUN_LANES : unknown_lane(block, access, lanes, bytes);
    if (lane < RUN_LANES && (access->kind == RUN_READ || !exchanges(warp, op))) {
        const uint64_t from = access->at[lane] - base, skip = from % 64;
        const uint64_t missing = known_missing(&block->known[from / 64], bytes << skip);
        const uint64_t byte = access->at[lane] - skip + touch_lowest(missing);
        found_window(warp, op, touch_lane(access, byte), access, byte);
        *told = 1;
    }
    for (uint32_t rest = lanes; rest && access->kind != RUN_READ; rest &= rest - 1) {
        const uint64_t from = access->at[run_lowest(rest)] - base;
        put_shared(warp->block, from / 64, bytes << from % 64);
    }
}

void check_init_window(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, struct run_block *block, uint64_t from,
                       uint64_t size, int *told) {
    const uint64_t to = from + size;
    for (uint64_t next, at = from; at < to; at = next) {
        const uint64_t mask = known_mask(at, to, &next);
        const uint64_t missing =
            access->kind == RUN_WRITE ? 0 : known_missing(&block->known[at / 64], mask);
        if (missing && !*told && (access->kind == RUN_READ || !exchanges(warp, op))) {
            const uint64_t byte = block->shared.base + at / 64 * 64 + touch_lowest(missing);
            found_window(warp, op, touch_lane(access, byte), access, byte);
            *told = 1;
        }
        if (access->kind != RUN_READ)
            put_shared(block, at / 64, mask);
    }
}

const atomic_ullong *check_init_bits(const struct run_warp *warp, const struct run_buffer *buffer) {
    return check_init_wanted(warp->worker->launch) &&
                   !atomic_load_explicit(&buffer->blind, memory_order_relaxed)
               ? buffer->known
               : NULL;
}

void check_init_pieces(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, const struct touch_memory *memory,
                       const struct touch_piece *pieces, unsigned n) {
    atomic_ullong *bits = memory->buffer->known;
    int told = 0;
    if (!check_init_bits(warp, memory->buffer))
        return;
    for (unsigned i = 0; i < n && access->kind != RUN_WRITE; i++) {
        const uint64_t missing = known_missing(&bits[pieces[i].index], pieces[i].mask);
        if (missing && !told && (access->kind == RUN_READ || !exchanges(warp, op)))
            found_global(warp, op, access, memory->buffer,
                         memory->base + pieces[i].index * TOUCH_BYTES + touch_lowest(missing));
        told |= missing != 0;
    }
    for (unsigned i = 0; i < n && access->kind != RUN_READ; i++)
        known_put(&bits[pieces[i].index], pieces[i].mask, 0);
}

void check_init_shared(struct run_warp *warp, uint64_t at, uint32_t bytes) {
    const struct run_unit *unit = warp->block->unit;
    const uint64_t rank = (uint32_t)at >> RUN_RANK_SHIFT;
    struct run_block *block = rank < unit->n_blocks ? &unit->blocks[rank] : NULL;
    uint64_t from;
    if (!block || !block->known || (uint32_t)at < block->shared.base)
        return;
    from = (uint32_t)at - block->shared.base;
    if (from < block->shared.size && bytes <= block->shared.size - from)
        for (uint64_t next, at = from; at < from + bytes; at = next) {
            const uint64_t mask = known_mask(at, from + bytes, &next);
            put_shared(block, at / 64, mask);
        }
}
