/* WSIM_CHECK_INIT: use of uninitialised bytes.
 *
 * Bits of global memory belong to its buffers and last from launch to launch. Bits of shared memory
 * live as long as a block, those of local memory as long as its warp. A load, or the old value of
 * an atomic, is a finding if one of its bytes was never written. In local memory it is a finding
 * only if none of them was, as compilers copy structs with their padding. If a register is only
 * loaded and stored, uninitialised bytes travel with it. In local memory they stay uninitialised;
 * a store to any other space is a finding. */
#include "listeners.h"

#include "../state/device.h"
#include "../state/known.h"
#include "../state/launch.h"
#include "../reach/hear.h"

#include <stdlib.h>

/* --- the bits --- */

struct init_block {
    uint64_t unknown;      /* words of bits that are not all set */
    atomic_ullong known[]; /* of each byte of shared memory      */
};

/* Registers that go from memory to memory, and which of their bytes are uninitialised: by row of a
 * frame. A register that is pushed out counts as initialised. */
enum { COPIED = 64 };
struct init_copied {
    const uint8_t *row; /* NULL: none */
    uint16_t unknown[RUN_LANES];
};

struct init_warp {
    atomic_ullong *known;       /* of its local memory, lane by lane                     */
    struct init_copied *copied; /* [COPIED]; NULL: all registers are initialised         */
};

/* The state of the access that is being heard. */
struct init_worker {
    uint8_t found;
};

static struct init_block *block_data(const struct run_block *block) {
    return block->heard[LISTENER_INIT];
}

static struct init_warp *warp_data(const struct run_warp *warp) {
    return warp->heard[LISTENER_INIT];
}

static uint8_t *found_in(const struct run_warp *warp) {
    return &((struct init_worker *)warp->worker->heard[LISTENER_INIT])->found;
}

/* A launch without the check may write any byte, unseen: all bytes count as written from then on.
 */
static void hear_launch_of(const struct run_launch *launch, int asked) {
    const struct wsim_device *device = launch->device;
    for (size_t i = 0; i < device->space->n_buffers && !asked; i++)
        atomic_store_explicit(&device->space->buffers[i]->blind, 1, memory_order_relaxed);
}

static int make_worker(struct run_worker *worker) {
    worker->heard[LISTENER_INIT] = calloc(1, sizeof(struct init_worker));
    return worker->heard[LISTENER_INIT] != NULL;
}

static void free_worker(struct run_worker *worker) {
    free(worker->heard[LISTENER_INIT]);
}

static int make_unit(struct run_unit *unit) {
    for (uint32_t i = 0; i < unit->n_blocks; i++) {
        struct run_block *block = &unit->blocks[i];
        const size_t words = KNOWN_WORDS(block->shared.size) + 1;
        block->heard[LISTENER_INIT] =
            calloc(1, sizeof(struct init_block) + words * sizeof(atomic_ullong));
        if (!block->heard[LISTENER_INIT])
            return 0;
    }
    return 1;
}

static void free_unit(struct run_unit *unit) {
    for (uint32_t i = 0; i < unit->n_blocks; i++) {
        const struct run_block *block = &unit->blocks[i];
        for (uint32_t w = 0; block->warps && w < block->n_warps; w++) {
            struct init_warp *data = warp_data(&block->warps[w]);
            if (!data)
                continue;
            free((void *)data->known);
            free(data->copied);
            free(data);
        }
        free(block->heard[LISTENER_INIT]);
    }
}

static void begin_unit(struct run_unit *unit) {
    for (uint32_t i = 0; i < unit->n_blocks; i++) {
        const struct run_block *block = &unit->blocks[i];
        struct init_block *data = block_data(block);
        data->unknown = KNOWN_WORDS(block->shared.size);
        memset((void *)data->known, 0, data->unknown * sizeof data->known[0]);
    }
}

/* Bytes of a word of shared memory are written. */
static inline void put_shared(const struct run_block *block, uint64_t word, uint64_t mask) {
    struct init_block *data = block_data(block);
    const uint64_t left = block->shared.size - 64 * word;
    const uint64_t all = left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
    if (!known_missing(&data->known[word], mask))
        return;
    known_put(&data->known[word], mask, 1);
    data->unknown -= !known_missing(&data->known[word], all);
}

/* A lane has a whole number of words of bits: strides are multiples of 64. */
static atomic_ullong *bits_of(const struct run_warp *warp, unsigned lane) {
    return warp_data(warp)->known + (size_t)lane * KNOWN_WORDS(warp->local_stride);
}

static int grow_local(struct run_warp *warp, uint32_t stride) {
    struct init_warp *data = warp_data(warp);
    const size_t words = KNOWN_WORDS(stride);
    atomic_ullong *grown;
    if (!data)
        data = warp->heard[LISTENER_INIT] = calloc(1, sizeof *data);
    grown = data ? calloc(words * RUN_LANES, sizeof *grown) : NULL;
    if (!grown)
        return 0;
    for (unsigned lane = 0; lane < RUN_LANES && data->known; lane++)
        memcpy((void *)(grown + lane * words), (const void *)bits_of(warp, lane),
               KNOWN_WORDS(warp->local_stride) * sizeof *grown);
    free((void *)data->known);
    data->known = grown;
    return 1;
}

static void reuse_local(struct run_warp *warp, uint32_t from, uint32_t to) {
    const struct init_warp *data = warp_data(warp);
    for (unsigned lane = 0; lane < RUN_LANES && data && data->known; lane++)
        known_drop(bits_of(warp, lane), from, to);
}

static void begin_warp(struct run_warp *warp) {
    struct init_warp *data = warp_data(warp);
    if (!data)
        return;
    if (data->known)
        memset((void *)data->known, 0,
               RUN_LANES * KNOWN_WORDS(warp->local_stride) * sizeof *data->known);
    free(data->copied);
    data->copied = NULL;
}

/* --- findings --- */

static void found_global(struct run_warp *warp, const struct run_op *op,
                         const struct run_access *access, const struct run_buffer *buffer,
                         uint64_t byte) {
    const unsigned lane = hear_lane(access, byte);
    const struct run_subject subject = {RUN_ADDRESS, PTX_GLOBAL, 1, byte, 0};
    run_finding_of(warp, op, lane, NULL, RULE_INIT_GLOBAL, &subject,
                   "%s uninitialised byte %llu of '%s'", access->async ? "a copy reads" : "reads",
                   (unsigned long long)(byte - buffer->base),
                   buffer->name ? buffer->name : "a buffer");
}

static void found_window(struct run_warp *warp, const struct run_op *op, unsigned lane,
                         const struct run_access *access, uint64_t byte) {
    const struct run_subject subject = {RUN_ADDRESS, access->space, 1, byte, 0};
    const struct run_words where = run_shared_words(warp, byte, "");
    if (access->space == PTX_LOCAL)
        run_finding_of(warp, op, lane, NULL, RULE_INIT_LOCAL, &subject,
                       "reads uninitialised local memory at 0x%llx", (unsigned long long)byte);
    else
        run_finding_of(warp, op, lane, NULL, RULE_INIT_SHARED, &subject,
                       "%s uninitialised shared memory at %s",
                       access->async ? "a copy or product reads" : "reads", where.text);
}

/* --- accesses --- */

static struct init_copied *copied_of(const struct run_warp *warp, const uint8_t *row) {
    return &warp_data(warp)->copied[(uintptr_t)row / 64 % COPIED];
}

/* Bit i is set if byte from + i is uninitialised; at most 32 bytes, before `to`.  */
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
    struct init_warp *data = warp_data(warp);
    if (!data->copied && !unknown)
        return 1;
    if (!data->copied)
        data->copied = calloc(COPIED, sizeof *data->copied);
    for (unsigned e = 0; data->copied && e < reach->elements; e++, unknown >>= reach->bytes) {
        const uint8_t *row = access->frame + reach->row[e].at;
        struct init_copied *copied = copied_of(warp, row);
        const uint16_t mine = (uint16_t)(unknown & ((UINT32_C(1) << reach->bytes) - 1));
        if (copied->row != row && !mine)
            continue;
        if (copied->row != row)
            *copied = (struct init_copied){.row = row};
        copied->unknown[lane] = mine;
    }
    return data->copied != NULL;
}

/* Uninitialised bytes of what a lane stores. */
static uint32_t stored_unknown(const struct run_warp *warp, const struct reach_plan *reach,
                               const uint8_t *frame, unsigned lane) {
    uint32_t unknown = 0;
    for (unsigned e = 0; warp_data(warp)->copied && reach->copies && e < reach->elements; e++) {
        const struct init_copied *copied = copied_of(warp, frame + reach->row[e].at);
        if (copied->row == frame + reach->row[e].at)
            unknown |= (uint32_t)copied->unknown[lane] << e * reach->bytes;
    }
    return unknown;
}

/* Whether an access stores registers that may hold uninitialised bytes. */
static int stores_copied(const struct run_warp *warp, const struct reach_plan *plan) {
    const struct init_warp *data = warp_data(warp);
    return plan && plan->copies && plan->kind == RUN_WRITE && data && data->copied;
}

/* Registers that were loaded from local memory are stored to shared or global memory. */
static void check_copied(struct run_warp *warp, const struct run_op *op,
                         const struct run_access *access) {
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        if (stored_unknown(warp, access->plan, access->frame, run_lowest(rest))) {
            run_finding(warp, op, run_lowest(rest), RULE_INIT_LOCAL, 0,
                        "uninitialised bytes, copied from local memory, are stored");
            return;
        }
}

static void check_local(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access) {
    const struct reach_plan *reach = access->plan;
    for (uint32_t rest = access->lanes; rest && warp_data(warp) && warp_data(warp)->known;
         rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t from = access->at[lane], to = from + access->bytes;
        const unsigned bytes = access->bytes < 32 ? access->bytes : 32;
        const uint32_t all = (uint32_t)((UINT64_C(1) << bytes) - 1);
        atomic_ullong *bits = bits_of(warp, lane);
        uint32_t unknown = access->kind == RUN_WRITE ? 0 : unknown_bytes(bits, from, from + bytes);
        if (access->kind == RUN_READ && reach && reach->copies) {
            if (!keep_copied(warp, access, lane, unknown))
                run_no_memory(warp);
        } else if (unknown == all && !(access->kind != RUN_READ && access->replaces)) {
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

/* The first lane that reads an uninitialised byte. */
static unsigned unknown_lane(const struct run_block *block, const struct run_access *access,
                             uint32_t lanes, uint64_t bytes) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint64_t from = access->at[run_lowest(rest)] - block->shared.base;
        if (known_missing(&block_data(block)->known[from / 64], bytes << from % 64))
            return run_lowest(rest);
    }
    return RUN_LANES;
}

static void hear_lanes(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, uint32_t lanes) {
    const struct run_block *block = warp->block;
    const uint64_t bytes = (UINT64_C(1) << access->bytes) - 1, base = block->shared.base;
    unsigned lane;
    if (!block_data(block)->unknown)
        return;
    lane = access->kind == RUN_WRITE ? RUN_LANES : unknown_lane(block, access, lanes, bytes);
    if (lane < RUN_LANES && (access->kind == RUN_READ || !access->replaces)) {
        const uint64_t from = access->at[lane] - base, skip = from % 64;
        const uint64_t missing = known_missing(&block_data(block)->known[from / 64], bytes << skip);
        const uint64_t byte = access->at[lane] - skip + base_lowest(missing);
        found_window(warp, op, hear_lane(access, byte), access, byte);
        *found_in(warp) = 1;
    }
    for (uint32_t rest = lanes; rest && access->kind != RUN_READ; rest &= rest - 1) {
        const uint64_t from = access->at[run_lowest(rest)] - base;
        put_shared(block, from / 64, bytes << from % 64);
    }
}

static void hear_bytes(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, struct run_block *block, uint64_t from,
                       uint64_t size) {
    const uint64_t to = from + size;
    uint8_t *found = found_in(warp);
    if (!block_data(block)->unknown)
        return;
    for (uint64_t next, at = from; at < to; at = next) {
        const uint64_t mask = known_mask(at, to, &next);
        const uint64_t missing =
            access->kind == RUN_WRITE ? 0 : known_missing(&block_data(block)->known[at / 64], mask);
        if (missing && !*found && (access->kind == RUN_READ || !access->replaces)) {
            const uint64_t byte = block->shared.base + at / 64 * 64 + base_lowest(missing);
            found_window(warp, op, hear_lane(access, byte), access, byte);
            *found = 1;
        }
        if (access->kind != RUN_READ)
            put_shared(block, at / 64, mask);
    }
}

/* The bits of a buffer; NULL: all its bytes count as written. */
static atomic_ullong *buffer_bits(const struct run_buffer *buffer) {
    return atomic_load_explicit(&buffer->blind, memory_order_relaxed) ? NULL : buffer->known;
}

static void hear_pieces(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access, const struct hear_memory *memory,
                        const struct hear_piece *pieces, unsigned n) {
    atomic_ullong *bits = buffer_bits(memory->buffer);
    int told = 0;
    if (!bits)
        return;
    for (unsigned i = 0; i < n && access->kind != RUN_WRITE; i++) {
        const uint64_t missing = known_missing(&bits[pieces[i].index], pieces[i].mask);
        if (missing && !told && (access->kind == RUN_READ || !access->replaces))
            found_global(warp, op, access, memory->buffer,
                         memory->base + pieces[i].index * HEAR_BYTES + base_lowest(missing));
        told |= missing != 0;
    }
    for (unsigned i = 0; i < n && access->kind != RUN_READ; i++)
        known_put(&bits[pieces[i].index], pieces[i].mask, 0);
}

/* Checks local memory at once. The initialisation of an mbarrier is a write; its other accesses do
 * not count. */
static unsigned hear_begin(struct run_warp *warp, const struct run_op *op,
                           const struct run_access *access) {
    if (access->space == PTX_LOCAL) {
        check_local(warp, op, access);
        return 0;
    }
    if (access->plan && access->plan->copies && stores_copied(warp, access->plan))
        check_copied(warp, op, access);
    if (access->space == PTX_SHARED) {
        if (!block_data(warp->block)->unknown && warp->block->unit->n_blocks == 1)
            return 0; /* all bytes are written */
        *found_in(warp) = 0;
    }
    return !access->barrier || access->kind == RUN_WRITE ? HEAR_PARTS : 0;
}

static int is_again(struct run_warp *warp, const struct hear_again *again) {
    const atomic_ullong *bits = buffer_bits(again->memory->buffer);
    const uint64_t to = again->from + again->size;
    if (stores_copied(warp, again->plan))
        return 0;
    for (uint64_t next, at = again->from; bits && at < to; at = next)
        if (known_missing(&bits[at / 64], known_mask(at, to, &next)))
            return 0;
    return 1;
}

const struct run_hears init_hears = {.launch = hear_launch_of,
                                     .worker_make = make_worker,
                                     .worker_free = free_worker,
                                     .unit_make = make_unit,
                                     .unit_free = free_unit,
                                     .unit_begin = begin_unit,
                                     .warp_begin = begin_warp,
                                     .local_grow = grow_local,
                                     .local_reuse = reuse_local,
                                     .begin = hear_begin,
                                     .lanes = hear_lanes,
                                     .window = hear_bytes,
                                     .pieces = hear_pieces,
                                     .again = is_again};
