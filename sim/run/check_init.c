/* Use of bytes that nobody has written. */
#include "check_init.h"

#include "device.h"
#include "known.h"

#include <stdlib.h>

/* --- the bits --- */

void check_init_launch(const struct run_launch *launch) {
    const struct wsim_device *device = launch->device;
    if (check_init_wanted(launch))
        return;
    for (size_t i = 0; i < device->n_buffers; i++)
        atomic_store_explicit(&device->buffers[i]->blind, 1, memory_order_relaxed);
}

int check_init_make(struct run_block *block) {
    if (!check_init_wanted(block->unit->worker->launch))
        return 1;
    block->known = calloc(KNOWN_BYTES(block->shared.size) + 1, 1);
    return block->known != NULL;
}

void check_init_begin(struct run_block *block) {
    if (block->known)
        memset((void *)block->known, 0, KNOWN_BYTES(block->shared.size));
}

void check_init_free(struct run_block *block) {
    free((void *)block->known);
}

/* A lane has a whole number of bytes of bits: strides are multiples of 64. */
static atomic_uchar *bits_of(const struct run_warp *warp, unsigned lane) {
    return warp->known + (size_t)lane * KNOWN_BYTES(warp->local_stride);
}

int check_init_grow(struct run_warp *warp, uint32_t stride) {
    atomic_uchar *grown;
    if (!check_init_wanted(warp->worker->launch))
        return 1;
    grown = calloc(KNOWN_BYTES(stride), RUN_LANES);
    if (!grown)
        return 0;
    for (unsigned lane = 0; lane < RUN_LANES && warp->known; lane++)
        memcpy((void *)(grown + (size_t)lane * KNOWN_BYTES(stride)),
               (const void *)bits_of(warp, lane), KNOWN_BYTES(warp->local_stride));
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
        memset((void *)warp->known, 0, RUN_LANES * KNOWN_BYTES(warp->local_stride));
}

/* --- ranges of bytes --- */

/* Bytes that lanes access side by side, or several of them alike. */
struct range {
    uint64_t from, to;
    uint32_t lanes;
    atomic_uchar *bits; /* of byte `base`; NULL: all are known */
    uint64_t base;
    const struct run_buffer *buffer;
};

/* Takes the first of the lanes, and those that go on where the one before ends: most warps access
 * one range. Lanes of local memory have memories of their own. */
static uint32_t take_range(const struct run_access *access, uint32_t rest, struct range *range) {
    unsigned lane = run_lowest(rest);
    range->lanes = 1u << lane;
    range->from = access->at[lane];
    range->to = range->from + access->bytes;
    for (rest &= rest - 1; rest && access->space != PTX_LOCAL; rest &= rest - 1) {
        lane = run_lowest(rest);
        if (access->at[lane] < range->from || access->at[lane] > range->to)
            break;
        if (access->at[lane] + access->bytes > range->to)
            range->to = access->at[lane] + access->bytes;
        range->lanes |= 1u << lane;
    }
    return rest;
}

static void find_global(const struct run_warp *warp, struct range *range) {
    const struct run_buffer *buffer = warp->worker->recent;
    const uint64_t size = range->to - range->from;
    uint64_t offset = buffer ? range->from - buffer->base : 0;
    if (!buffer || offset >= buffer->size || size > buffer->size - offset)
        buffer = run_buffer_of(warp->worker->launch->device, range->from, size);
    if (!buffer || atomic_load_explicit(&buffer->blind, memory_order_relaxed))
        return;
    range->buffer = buffer;
    range->bits = buffer->known;
    range->base = buffer->base;
}

/* An address holds the rank of its block; it was found to be good. */
static void find_shared(const struct run_warp *warp, struct range *range) {
    const struct run_unit *unit = warp->block->unit;
    const uint64_t rank = range->from >> RUN_RANK_SHIFT;
    const struct run_block *block = rank < unit->n_blocks ? &unit->blocks[rank] : NULL;
    if (!block || range->from < block->shared.base ||
        range->to - block->shared.base > block->shared.size)
        return;
    range->bits = block->known;
    range->base = block->shared.base;
}

static void find_bits(const struct run_warp *warp, uint8_t space, struct range *range) {
    range->bits = NULL;
    range->buffer = NULL;
    range->base = 0;
    if (space == PTX_GLOBAL)
        find_global(warp, range);
    else if (space == PTX_SHARED)
        find_shared(warp, range);
    else if (space == PTX_LOCAL && warp->known)
        range->bits = bits_of(warp, run_lowest(range->lanes));
}

/* --- findings --- */

/* exch takes whatever is there: compilers write it for stores too. */
static int exchanges(const struct run_warp *warp, const struct run_op *op) {
    const struct ptx_instruction *instruction =
        run_instruction_of(warp->program, run_number(warp, op));
    return instruction &&
           strstr(warp->program->module->opcodes[instruction->opcode].text, ".exch") != NULL;
}

static void found_global(struct run_warp *warp, const struct run_op *op, unsigned lane,
                         const struct run_access *access, const struct range *range,
                         uint64_t byte) {
    run_finding(warp, op, lane, RULE_INIT_GLOBAL, 0,
                "%u bytes at byte %llu of '%s' are read%s, and nobody has written byte %llu",
                access->bytes, (unsigned long long)(run_access_at(access, lane) - range->base),
                range->buffer->name ? range->buffer->name : "a buffer",
                access->async ? " by a copy" : "", (unsigned long long)(byte - range->base));
}

static void found_window(struct run_warp *warp, const struct run_op *op, unsigned lane,
                         const struct run_access *access, uint64_t byte) {
    const int local = access->space == PTX_LOCAL;
    run_finding(warp, op, lane, local ? RULE_INIT_LOCAL : RULE_INIT_SHARED, 0,
                "%u bytes at %s address 0x%llx are read%s, and %s written that at 0x%llx",
                access->bytes, local ? "local" : "shared", (unsigned long long)run_access_at(access, lane),
                access->async ? " asynchronously" : "",
                local ? "the thread has never" : "nobody has", (unsigned long long)byte);
}

static int any_known(const atomic_uchar *bits, uint64_t from, uint64_t to) {
    for (; from < to; from++)
        if (known_end(bits, from, from + 1) != from)
            return 1;
    return 0;
}

/* The bytes of a range are read: one finding, of the first thread that reads an unknown one. */
static void look(struct run_warp *warp, const struct run_op *op, const struct run_access *access,
                 const struct range *range) {
    const uint64_t from = range->from - range->base, to = range->to - range->base;
    uint64_t byte = known_end(range->bits, from, to);
    unsigned lane = 0;
    if (byte == to || (access->space == PTX_LOCAL && any_known(range->bits, from, to)) ||
        (access->kind != RUN_READ && exchanges(warp, op)))
        return;
    byte += range->base;
    for (uint32_t rest = range->lanes; rest; rest &= rest - 1) {
        lane = run_lowest(rest);
        if (byte - run_access_at(access, lane) < access->bytes)
            break;
    }
    if (access->space == PTX_GLOBAL)
        found_global(warp, op, lane, access, range, byte);
    else
        found_window(warp, op, lane, access, byte);
}

void check_init(struct run_warp *warp, const struct run_op *op, const struct run_access *access) {
    struct range range;
    if (access->space != PTX_GLOBAL && access->space != PTX_SHARED && access->space != PTX_LOCAL)
        return;
    for (uint32_t rest = access->lanes; rest;) {
        if (access->row) {
            range.from = access->at[0];
            range.to = range.from + (uint64_t)RUN_LANES * access->bytes;
            range.lanes = rest;
            rest = 0;
        } else {
            rest = take_range(access, rest, &range);
        }
        find_bits(warp, access->space, &range);
        if (!range.bits)
            continue;
        if (access->kind != RUN_WRITE)
            look(warp, op, access, &range);
        if (access->kind != RUN_READ)
            known_add(range.bits, range.from - range.base, range.to - range.base,
                      access->space != PTX_GLOBAL);
    }
}

void check_init_shared(struct run_warp *warp, uint64_t at, uint32_t bytes) {
    struct range range = {.from = at, .to = at + bytes};
    if (!check_init_wanted(warp->worker->launch))
        return;
    find_bits(warp, PTX_SHARED, &range);
    if (range.bits)
        known_add(range.bits, range.from - range.base, range.to - range.base, 1);
}
