/* WSIM_CHECK_INIT: use of uninitialised bytes.
 *
 * Bits of global memory belong to its buffers and last from launch to launch. Bits of shared memory
 * live as long as a block, those of local memory as long as its warp. A load of uninitialised bytes
 * marks the bits of its registers (state/taint.h). A store of such bits makes bytes of shared and
 * local memory uninitialised again; a store to global memory is a finding. All other reads are
 * findings at once: atomics, copies, products. */
#include "listeners.h"

#include "../state/device.h"
#include "../state/known.h"
#include "../state/launch.h"
#include "../state/taint.h"
#include "../reach/hear.h"

#include <stdlib.h>

/* --- the bits --- */

struct init_warp {
    atomic_ullong *known; /* of its local memory, lane by lane */
};

#define MOST_WHOLE 8
#define WORDS_A_RUN 1024
#define WORDS_A_LOAD 512

/* A buffer that is read. All its bits are looked at, but no more than some words for each load and
 * each run of loads. */
struct init_buffer {
    const struct run_buffer *buffer;
    uint64_t words;
    int looked;
};

/* The state of the access that is being heard. */
struct init_worker {
    uint8_t found;
    struct init_buffer buffers[MOST_WHOLE]; /* [number % MOST_WHOLE] */
};

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
        block->initialised = (struct run_initialised){
            .known = calloc(KNOWN_WORDS(block->shared.size) + 1, sizeof(atomic_ullong))};
        if (!block->initialised.known)
            return 0;
    }
    return 1;
}

static void free_unit(struct run_unit *unit) {
    for (uint32_t i = 0; i < unit->n_blocks; i++) {
        struct run_block *block = &unit->blocks[i];
        for (uint32_t w = 0; block->warps && w < block->n_warps; w++) {
            struct init_warp *data = warp_data(&block->warps[w]);
            taint_end(&block->warps[w]);
            if (data)
                free((void *)data->known);
            free(data);
        }
        free(block->initialised.origins);
        free((void *)block->initialised.known);
        block->initialised = (struct run_initialised){.known = NULL};
    }
    taint_unit_end(unit);
}

/* Bytes of a word of shared memory are written. */
static inline void put_shared(struct run_block *block, uint64_t word, uint64_t mask) {
    struct run_initialised *data = &block->initialised;
    const uint64_t all = known_whole(block->shared.size, word);
    if (!known_missing(&data->known[word], mask))
        return;
    known_put(&data->known[word], mask, 1);
    data->unknown -= !known_missing(&data->known[word], all);
}

static void put_bytes(struct run_block *block, uint64_t from, uint64_t to) {
    for (uint64_t next, at = from; at < to; at = next) {
        const uint64_t mask = known_mask(at, to, &next);
        put_shared(block, at / 64, mask);
    }
}

static void begin_unit(struct run_unit *unit) {
    const struct run_launch *const launch = unit->worker->launch;
    const uint64_t scratch = launch->scratch;
    for (uint32_t i = 0; i < unit->n_blocks; i++) {
        struct run_block *block = &unit->blocks[i];
        struct run_initialised *bits = &block->initialised;
        bits->unknown = KNOWN_WORDS(block->shared.size);
        free(bits->origins);
        bits->origins = NULL;
        memset((void *)bits->known, 0, bits->unknown * sizeof bits->known[0]);
        if (scratch) /* a GPU keeps it ready for programs */
            put_bytes(block, scratch - launch->shared_base,
                      scratch - launch->shared_base + ISA_SHARED_RESERVED_USED);
    }
    taint_unit_end(unit);
    for (uint32_t i = 0; i < unit->n_blocks; i++)
        for (uint32_t w = 0; w < unit->blocks[i].n_warps; w++) {
            struct run_warp *warp = &unit->blocks[i].warps[w];
            taint_unset(warp, warp->groups[0].frame, warp->lanes);
        }
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
    taint_end(warp);
    if (data && data->known)
        memset((void *)data->known, 0,
               RUN_LANES * KNOWN_WORDS(warp->local_stride) * sizeof *data->known);
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

/* Bit i is set if byte from + i is uninitialised; at most 64 bytes, before `to`. */
static uint64_t unknown_bytes(const atomic_ullong *bits, uint64_t from, uint64_t to) {
    uint64_t unknown = 0;
    for (uint64_t next, at = from; at < to; at = next) {
        const uint64_t mask = known_mask(at, to, &next);
        unknown |= known_missing(&bits[at / 64], mask) >> at % 64 << (at - from);
    }
    return unknown;
}

/* A load into registers, or a copy, which takes uninitialised bytes along. */
static int is_load(const struct run_access *access) {
    return access->kind == RUN_READ && (access->plan || access->taints);
}

/* The address that lane `lane` of a load reads. Rows of all lanes, and loads of one place, have one
 * address. */
static uint64_t load_at(const struct run_access *access, unsigned lane) {
    if (access->row == RUN_LANES)
        return run_access_at(access, lane);
    return access->at[access->lanes & (access->lanes - 1) ? lane : run_lowest(access->lanes)];
}

/* Uninitialised bytes of a load; those of the padding of a struct do not count. */
static uint64_t without_padding(const struct run_access *access, uint64_t unknown) {
    return access->plan ? unknown & ~(uint64_t)access->plan->padding : unknown;
}

/* The warp has loaded uninitialised bytes in a lane. `known_origin`: of bytes that were stored; 0:
 * the load is the origin. */
static void mark_loaded(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access, unsigned lane, uint64_t unknown,
                        uint32_t known_origin, const struct run_buffer *buffer) {
    const uint64_t byte = load_at(access, lane) + base_lowest(unknown);
    struct run_taint *taint;
    if (!taint_begin(warp)) {
        run_no_memory(warp);
        return;
    }
    taint = warp->taint;
    if (!taint->loads)
        memset(taint->loaded, 0, sizeof taint->loaded);
    taint->loads = 1;
    taint->loaded[lane] = unknown;
    taint->origin[lane] = known_origin
                              ? known_origin
                              : taint_origin(warp, op, access->space, access->async, byte, buffer);
}

/* The block that a shared address is of; NULL: no block of the cluster has these bytes. */
static struct run_block *block_at(const struct run_warp *warp, uint64_t at, uint32_t bytes) {
    const struct run_unit *unit = warp->block->unit;
    struct run_block *block =
        at >> RUN_RANK_SHIFT < unit->n_blocks ? &unit->blocks[at >> RUN_RANK_SHIFT] : NULL;
    return block && at >= block->shared.base &&
                   at - block->shared.base + bytes <= block->shared.size
               ? block
               : NULL;
}

/* All lanes of a load. An access may leave out lanes that read the bytes of another one. */
static uint32_t load_lanes(const struct run_access *access) {
    return access->all ? access->all : access->lanes;
}

static void mark_shared(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access) {
    if (access->taints == RUN_TAINTS_COPY)
        return;
    for (uint32_t rest = load_lanes(access); rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t at = load_at(access, lane);
        const struct run_block *block = block_at(warp, at, access->bytes);
        const struct run_initialised *data = block ? &block->initialised : NULL;
        const uint64_t from = block ? at - block->shared.base : 0;
        const uint64_t unknown = without_padding(
            access, block ? unknown_bytes(data->known, from, from + access->bytes) : 0);
        if (unknown)
            mark_loaded(warp, op, access, lane, unknown,
                        data->origins ? data->origins[(from + base_lowest(unknown)) / 4] : 0, NULL);
    }
}

static void mark_global(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access, const struct run_buffer *buffer,
                        const atomic_ullong *bits) {
    if (access->taints == RUN_TAINTS_COPY)
        return;
    for (uint32_t rest = load_lanes(access); rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t from = load_at(access, lane) - buffer->base;
        if (from >= buffer->size || access->bytes > buffer->size - from)
            continue; /* of another buffer */
        const uint64_t unknown =
            without_padding(access, unknown_bytes(bits, from, from + access->bytes));
        if (unknown)
            mark_loaded(warp, op, access, lane, unknown, 0, buffer);
    }
}

/* --- stores --- */

/* An access that may store uninitialised bytes, with registers of its plan or by its step. */
static int stores_taint(const struct run_warp *warp, const struct run_access *access) {
    return warp->taint && access->kind == RUN_WRITE &&
           (access->plan || (access->taints == RUN_TAINTS_STEP && warp->taint->stores));
}

/* Uninitialised bytes of what a lane stores, and their origin. */
static uint64_t stored_unknown(const struct run_warp *warp, const struct run_access *access,
                               unsigned lane, uint32_t *origin) {
    const struct reach_plan *reach = access->plan;
    const struct taint_frame *mirror = reach ? taint_find(warp, access->frame) : NULL;
    uint64_t unknown = 0;
    if (!reach) {
        *origin = warp->taint->stored_origin;
        return warp->taint->stored[lane];
    }
    for (unsigned e = 0; mirror && e < reach->elements; e++) {
        const uint64_t bits[2] = {taint_get(mirror, reach->row[e], lane),
                                  taint_get_high(mirror, reach->row[e], lane)};
        for (unsigned i = 0; i < reach->bytes; i++)
            if (bits[i / 8] >> 8 * (i % 8) & 0xFF)
                unknown |= UINT64_C(1) << (e * reach->bytes + i);
        if (bits[0] | bits[1])
            *origin = mirror->origins[taint_place(reach->row[e], lane)];
    }
    return unknown;
}

/* The lanes that store uninitialised bytes. */
static uint32_t tainted_lanes(const struct run_warp *warp, const struct run_access *access) {
    const struct reach_plan *reach = access->plan;
    const struct taint_frame *mirror = reach ? taint_find(warp, access->frame) : NULL;
    uint32_t tainted = reach ? 0 : access->lanes;
    for (unsigned e = 0; mirror && e < reach->elements; e++)
        tainted |= taint_lanes(mirror, reach->row[e], access->lanes);
    return tainted;
}

/* Global memory is seen by others. */
static void check_stored(struct run_warp *warp, const struct run_op *op,
                         const struct run_access *access) {
    for (uint32_t rest = tainted_lanes(warp, access); rest; rest &= rest - 1) {
        uint32_t origin = 0;
        if (stored_unknown(warp, access, run_lowest(rest), &origin))
            taint_report(warp, op, hear_lane(access, load_at(access, run_lowest(rest))), origin,
                         TAINT_STORED);
    }
}

static void store_shared(struct run_warp *warp, const struct run_access *access) {
    for (uint32_t rest = tainted_lanes(warp, access); rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t at = load_at(access, lane);
        struct run_block *block = block_at(warp, at, access->bytes);
        uint32_t origin = 0;
        const uint64_t unknown = stored_unknown(warp, access, lane, &origin);
        if (unknown && block && reach_stays(access, lane))
            taint_drop_shared(warp, block, at - block->shared.base, unknown, origin);
    }
}

/* Whether an access of local memory needs no more: a load of initialised bytes, or a store without
 * uninitialised bits, whose bytes are marked here. */
static int is_plain_local(const struct run_warp *warp, const struct run_access *access) {
    const uint64_t words = KNOWN_WORDS(warp->local_stride);
    const uint64_t bytes = access->bytes < 64 ? (UINT64_C(1) << access->bytes) - 1 : 0;
    uint64_t missing = 0;
    atomic_ullong *known = warp_data(warp)->known;
    if (!bytes || (access->bytes & (access->bytes - 1)) || access->kind > RUN_WRITE ||
        (access->kind == RUN_WRITE && warp->taint))
        return 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const uint64_t lane = run_lowest(rest), from = access->at[lane];
        atomic_ullong *word = &known[lane * words + from / 64];
        if (access->kind == RUN_WRITE)
            known_put(word, bytes << from % 64, 1);
        else
            missing |= known_missing(word, bytes << from % 64);
    }
    return !missing;
}

static void check_local(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access) {
    const int stores = stores_taint(warp, access);
    if (!warp_data(warp) || !warp_data(warp)->known || is_plain_local(warp, access))
        return;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const uint64_t from = access->at[lane], to = from + access->bytes;
        const unsigned bytes = access->bytes < 64 ? access->bytes : 64;
        const uint64_t all = bytes < 64 ? (UINT64_C(1) << bytes) - 1 : UINT64_MAX;
        atomic_ullong *bits = bits_of(warp, lane);
        uint32_t origin;
        uint64_t unknown = access->kind == RUN_WRITE ? 0 : unknown_bytes(bits, from, from + bytes);
        if (is_load(access) && without_padding(access, unknown))
            mark_loaded(warp, op, access, lane, without_padding(access, unknown), 0, NULL);
        else if (unknown == all && !(access->kind != RUN_READ && access->replaces))
            found_window(warp, op, lane, access, from);
        if (access->kind == RUN_READ)
            continue;
        known_add(bits, from, to, 1);
        unknown = stores ? stored_unknown(warp, access, lane, &origin) : 0;
        for (; unknown; unknown &= unknown - 1)
            known_drop(bits, from + base_lowest(unknown), from + base_lowest(unknown) + 1);
    }
}

/* Lanes one after another whose bytes share a word of bits, as most do. */
struct run_of_lanes {
    uint32_t rest; /* lanes after them */
    uint64_t word, mask;
};

/* 0: no lane is left. */
static inline int next_run(struct run_of_lanes *run, const struct run_block *block,
                           const struct run_access *access, uint64_t bytes) {
    const uint64_t base = block->shared.base;
    uint64_t from;
    if (!run->rest)
        return 0;
    from = access->at[run_lowest(run->rest)] - base;
    run->word = from / 64;
    run->mask = 0;
    do {
        run->mask |= bytes << from % 64;
        run->rest &= run->rest - 1;
        from = run->rest ? access->at[run_lowest(run->rest)] - base : UINT64_MAX;
    } while (from / 64 == run->word);
    return 1;
}

/* Whether all lanes read initialised bytes. */
static int are_known(const struct run_block *block, const struct run_access *access,
                     uint64_t bytes) {
    const atomic_ullong *known = block->initialised.known;
    const uint64_t base = block->shared.base;
    uint64_t unknown = 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++) {
        const uint64_t from = access->at[lane] - base;
        unknown |= ~atomic_load_explicit(&known[from / 64], memory_order_relaxed) >> from % 64;
    }
    return !(unknown & bytes);
}

/* The first lane that reads an uninitialised byte. */
static unsigned unknown_lane(const struct run_block *block, const struct run_access *access,
                             uint32_t lanes, uint64_t bytes) {
    struct run_of_lanes run = {.rest = lanes};
    uint64_t unknown = 0;
    if (lanes == UINT32_MAX && are_known(block, access, bytes))
        return RUN_LANES;
    while (next_run(&run, block, access, bytes))
        unknown |= known_missing(&block->initialised.known[run.word], run.mask);
    for (uint32_t rest = unknown ? lanes : 0; rest; rest &= rest - 1) {
        const uint64_t from = access->at[run_lowest(rest)] - block->shared.base;
        if (known_missing(&block->initialised.known[from / 64], bytes << from % 64))
            return run_lowest(rest);
    }
    return RUN_LANES;
}

static void hear_lanes(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, struct run_block *block, uint32_t lanes) {
    const uint64_t bytes = (UINT64_C(1) << access->bytes) - 1, base = block->shared.base;
    struct run_of_lanes run = {.rest = lanes};
    unsigned lane;
    if (!block->initialised.unknown)
        return;
    lane = access->kind == RUN_WRITE ? RUN_LANES : unknown_lane(block, access, lanes, bytes);
    if (lane < RUN_LANES && is_load(access)) {
        mark_shared(warp, op, access);
    } else if (lane < RUN_LANES && (access->kind == RUN_READ || !access->replaces)) {
        const uint64_t from = access->at[lane] - base, skip = from % 64;
        const uint64_t missing = known_missing(&block->initialised.known[from / 64], bytes << skip);
        const uint64_t byte = access->at[lane] - skip + base_lowest(missing);
        found_window(warp, op, hear_lane(access, byte), access, byte);
        *found_in(warp) = 1;
    }
    if (access->kind == RUN_READ)
        return;
    if (access->swaps) {
        const uint64_t all = RUN_LANES * access->bytes;
        const uint64_t first = (access->at[0] & ~(all - 1)) - base;
        put_bytes(block, first, first + all);
        return;
    }
    while (next_run(&run, block, access, bytes))
        put_shared(block, run.word, run.mask);
}

static void hear_bytes(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, struct run_block *block, uint64_t from,
                       uint64_t size) {
    const uint64_t to = from + size;
    uint8_t *found = found_in(warp);
    if (!block->initialised.unknown)
        return;
    for (uint64_t next, at = from; at < to; at = next) {
        const uint64_t mask = known_mask(at, to, &next);
        const uint64_t missing =
            access->kind == RUN_WRITE ? 0 : known_missing(&block->initialised.known[at / 64], mask);
        if (missing && !*found && is_load(access)) {
            mark_shared(warp, op, access);
            *found = 1;
        } else if (missing && !*found && (access->kind == RUN_READ || !access->replaces)) {
            const uint64_t byte = block->shared.base + at / 64 * 64 + base_lowest(missing);
            found_window(warp, op, hear_lane(access, byte), access, byte);
            *found = 1;
        }
        if (access->kind != RUN_READ)
            put_shared(block, at / 64, mask);
    }
}

static void hear_pieces(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access, const struct hear_memory *memory,
                        const struct hear_piece *pieces, unsigned n) {
    atomic_ullong *bits = run_buffer_bits(memory->buffer);
    int told = 0;
    if (!bits)
        return;
    for (unsigned i = 0; i < n && access->kind != RUN_WRITE; i++) {
        const uint64_t missing = known_missing(&bits[pieces[i].index], pieces[i].mask);
        if (missing && !told && is_load(access))
            mark_global(warp, op, access, memory->buffer, bits);
        else if (missing && !told && (access->kind == RUN_READ || !access->replaces))
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
    const int taints = stores_taint(warp, access);
    if (access->space == PTX_LOCAL) {
        check_local(warp, op, access);
        return 0;
    }
    if (taints && access->space == PTX_GLOBAL)
        check_stored(warp, op, access);
    if (access->space == PTX_SHARED) {
        if (!warp->block->initialised.unknown && warp->block->unit->n_blocks == 1 && !taints)
            return 0; /* all bytes are written */
        *found_in(warp) = 0;
        if (taints)
            return HEAR_PARTS | HEAR_END;
    }
    return !access->barrier || access->kind == RUN_WRITE ? HEAR_PARTS : 0;
}

/* The bytes of a store to shared memory count as written, but for those that are not. */
static void hear_end(struct run_warp *warp, const struct run_op *op,
                     const struct run_access *access) {
    (void)op;
    store_shared(warp, access);
}

/* Whether the bytes of a load of pieces that are equally far apart are initialised. */
static int are_known_all(const atomic_ullong *bits, const struct hear_again *again) {
    const uint64_t bytes = (UINT64_C(1) << again->parts->size) - 1;
    uint64_t from = again->parts->from, unknown = 0;
    for (unsigned i = 0; i < again->times; i++, from += again->step)
        unknown |= known_missing(&bits[from / 64], bytes << from % 64) >> from % 64;
    return !unknown;
}

/* Loads of written bytes, and stores of registers without uninitialised bits, whose bytes count as
 * written. */
static int is_again(struct run_warp *warp, const struct hear_again *again) {
    struct run_block *block = again->memory->block;
    atomic_ullong *bits = block ? block->initialised.known : run_buffer_bits(again->memory->buffer);
    if (warp->taint && again->writes)
        return 0; /* a store of uninitialised bytes, perhaps */
    if (!bits || (block && !block->initialised.unknown))
        return 1;
    if (again->times > 1)
        return are_known_all(bits, again);
    for (unsigned i = 0; i < again->n; i++) {
        const uint64_t from = again->parts[i].from, to = from + again->parts[i].size;
        if (again->writes && block)
            put_bytes(block, from, to);
        else if (again->writes)
            known_add(bits, from, to, 0);
        for (uint64_t next, at = from; at < to && !again->writes; at = next)
            if (known_missing(&bits[at / 64], known_mask(at, to, &next)))
                return 0;
    }
    return 1;
}

/* A buffer without uninitialised bytes needs no bits. */
static int is_whole(const struct run_warp *warp, const struct run_buffer *buffer, unsigned words) {
    struct init_worker *worker = warp->worker->heard[LISTENER_INIT];
    struct init_buffer *read = &worker->buffers[buffer->number % MOST_WHOLE];
    atomic_ullong *bits = run_buffer_bits(buffer);
    if (!bits)
        return 1;
    if (read->buffer != buffer)
        *read = (struct init_buffer){.buffer = buffer};
    if (read->looked || (read->words += words) <= KNOWN_WORDS(buffer->size))
        return 0;
    read->looked = 1;
    known_look(bits, buffer->size);
    return known_all(bits, buffer->size);
}

static int needs_none(struct run_warp *warp, const struct run_buffer *buffer) {
    return is_whole(warp, buffer, WORDS_A_LOAD);
}

static int hear_run_of(struct run_warp *warp, struct hear_run *run) {
    run->known = is_whole(warp, run->buffer, WORDS_A_RUN) ? NULL : run_buffer_bits(run->buffer);
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
                                     .end = hear_end,
                                     .again = is_again,
                                     .without = needs_none,
                                     .alike = 1,
                                     .run = hear_run_of};
