/* Addresses of device and managed memory. A part of them is for small allocations, a part for pools
 * and a part for the others. */
#define _GNU_SOURCE
#include "state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    GUARD = 512, /* bytes after each that belong to none */
    PAGE = 4096,
    SPARSE = 1 << 30, /* more bytes may be hardly used: they have small pages ... */
    STRIPES = 16,     /* ... but for at most 16 parts that are wholly written */
    MOST_BETWEEN = 256
};

/* --- the arena --- */

/* Large allocations are whole pages of 2 MiB, as on a GPU: the host finds their addresses faster. A
 * hint, which may fail. */
static void ask_pages(uint64_t at, uint64_t bytes, int large) {
    const uint64_t to = (at + bytes) / WSIM_PAGE_BYTES * WSIM_PAGE_BYTES;
    at = (at + WSIM_PAGE_BYTES - 1) / WSIM_PAGE_BYTES * WSIM_PAGE_BYTES;
    bytes = to > at ? to - at : 0;
#if defined(MADV_HUGEPAGE)
    madvise((void *)(uintptr_t)at, bytes, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
    (void)at, (void)bytes, (void)large;
#endif
}

void arena_large_pages(uint64_t at, uint64_t bytes) {
    if (bytes >= WSIM_PAGE_BYTES && bytes <= SPARSE)
        ask_pages(at, bytes, 1);
}

/* Addresses for all devices twice over, so that freed ones rest before they are used again. A
 * quarter is for small allocations, and a quarter for pools. A load of the host from them ends the
 * process, as on a GPU machine. The bytes follow, and then managed memory, which has its own. */
static int open_arena(struct memory *memory) {
    uint64_t bytes = 2 * core.settings.memory * (uint64_t)(core.settings.devices + 1);
    void *at = MAP_FAILED;
    uint64_t from, middle, pooled, managed;
    for (; bytes >= UINT64_C(1) << 24; bytes /= 2) {
        bytes = bytes / 4 / WSIM_PAGE_BYTES * 4 * WSIM_PAGE_BYTES;
        at = mmap(NULL, 5 * (bytes / 2) + WSIM_PAGE_BYTES, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at != MAP_FAILED)
            break;
    }
    if (at == MAP_FAILED)
        return 0;
    from = ((uint64_t)(uintptr_t)at + WSIM_PAGE_BYTES - 1) / WSIM_PAGE_BYTES * WSIM_PAGE_BYTES;
    if (mprotect((void *)(uintptr_t)from, bytes, PROT_NONE)) {
        munmap(at, 5 * (bytes / 2) + WSIM_PAGE_BYTES);
        return 0;
    }
    middle = from + bytes / 4;
    memory->arena = from;
    memory->arena_bytes = memory->apart = bytes;
    memory->small = (struct part){from, middle, from, from, bytes};
    pooled = middle + (middle - from);
    memory->large = (struct part){pooled, from + bytes, pooled, pooled, bytes};
    ask_pages(pooled + bytes, from + bytes - pooled, 1);
    managed = from + 2 * bytes;
    memory->arena_end = managed + bytes / 2;
    memory->managed = (struct part){managed, memory->arena_end, managed, managed, 0};
    memory->pieces =
        calloc((size_t)((pooled - middle) / core.settings.piece) + 1, sizeof(struct piece));
    memory->n_pieces = memory->pieces ? (size_t)((pooled - middle) / core.settings.piece) : 0;
    return 1;
}

/* The first gap of `room` bytes of a part at `from` or above it, a multiple of `align`; 0: none. */
static uint64_t find_gap(const struct memory *memory, const struct part *part, uint64_t from,
                         uint64_t room, uint64_t align) {
    size_t i = memory_below(from);
    uint64_t at = from;
    if (i && memory->list[i - 1]->base + memory->list[i - 1]->room > at)
        at = memory->list[i - 1]->base + memory->list[i - 1]->room;
    at = (at + align - 1) / align * align;
    for (; i < memory->n && memory->list[i]->base < part->to; i++) {
        if (memory->list[i]->base >= at && memory->list[i]->base - at >= room)
            break;
        at = memory->list[i]->base + memory->list[i]->room;
        at = (at + align - 1) / align * align;
    }
    return at <= part->to && room <= part->to - at ? at : 0;
}

/* Makes bytes zero. The system gives whole pages, and only those that are used. */
static void clear(uint64_t at, uint64_t bytes) {
    const uint64_t from = (at + PAGE - 1) / PAGE * PAGE, to = (at + bytes) / PAGE * PAGE;
    if (bytes < ARENA_LARGE || madvise((void *)(uintptr_t)from, to - from, MADV_DONTNEED)) {
        memset((void *)(uintptr_t)at, 0, bytes);
        return;
    }
    memset((void *)(uintptr_t)at, 0, from - at);
    memset((void *)(uintptr_t)to, 0, at + bytes - to);
}

static uint64_t take_from(struct memory *memory, struct part *part, uint64_t room, uint64_t align) {
    uint64_t at = find_gap(memory, part, part->next, room, align);
    if (!at)
        at = find_gap(memory, part, part->from, room, align);
    if (!at)
        return 0;
    part->next = at + room;
    if (at < part->fresh)
        clear(at + part->apart, part->fresh - at < room ? part->fresh - at : room);
    if (at + room > part->fresh)
        part->fresh = at + room;
    return at;
}

void arena_again(uint64_t address) {
    struct memory *memory = &core.memory;
    struct part *const parts[] = {&memory->small, &memory->large, &memory->managed};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !core.settings.checks; i++)
        if (address >= parts[i]->from && address < parts[i]->next &&
            memory_below(parts[i]->next) - memory_below(address) < MOST_BETWEEN)
            parts[i]->next = address;
}

/* Private pages of the arena, of which the host has `bytes` at an address. */
static const struct allocation *private_pages(uint64_t address, uint64_t bytes) {
    const struct allocation *memory =
        bytes < WSIM_PAGE_BYTES || core.shared ? NULL : memory_find(address, bytes);
    return memory && (memory->kind == WSIMRT_DEVICE || memory->kind == WSIMRT_MANAGED) &&
                   !memory->imported && !memory->mapped
               ? memory
               : NULL;
}

void arena_expect(uint64_t address, uint64_t bytes) {
    const struct allocation *const memory = private_pages(address, bytes);
    if (memory && memory->bytes > SPARSE && bytes >= memory->bytes / STRIPES)
        ask_pages(address + memory->apart, bytes, 1);
}

/* Whether memory has pages of WSIM_PAGE_BYTES from `at` on. A page that is swapped out may not
 * count. */
static int is_touched(uint64_t at) {
    unsigned char pages[WSIM_PAGE_BYTES / PAGE] = {0};
    return mincore((void *)(uintptr_t)at, WSIM_PAGE_BYTES, pages) ||
           memchr(pages, 1, sizeof pages) != NULL;
}

int arena_clear(uint64_t address, uint64_t bytes) {
    const struct allocation *const memory = private_pages(address, bytes);
    if (!memory)
        return 0;
    address += memory->apart;
    for (uint64_t n; bytes; address += n, bytes -= n) {
        n = WSIM_PAGE_BYTES - address % WSIM_PAGE_BYTES;
        n = n < bytes ? n : bytes;
        if (n == WSIM_PAGE_BYTES && !is_touched(address))
            clear(address, n); /* those that are swapped out, too */
        else
            memset((void *)(uintptr_t)address, 0, n);
    }
    return 1;
}

uint64_t arena_take(uint64_t bytes, uint64_t *room) {
    struct memory *memory = &core.memory;
    uint64_t at = 0;
    if (!memory->arena && !open_arena(memory))
        return 0;
    if (bytes > core.settings.shares) {
        *room = (bytes + WSIM_PAGE_BYTES - 1) / WSIM_PAGE_BYTES * WSIM_PAGE_BYTES + WSIM_PAGE_BYTES;
        at = take_from(memory, &memory->large, *room, WSIM_PAGE_BYTES);
    }
    if (at && bytes > SPARSE)
        ask_pages(at + memory->apart, bytes, 0);
    if (at)
        return at;
    *room = (bytes + GUARD + core.settings.unit - 1) / core.settings.unit * core.settings.unit;
    at = take_from(memory, &memory->small, *room, core.settings.unit);
    return at ? at : take_from(memory, &memory->large, *room, core.settings.unit);
}

uint64_t arena_take_managed(uint64_t bytes, uint64_t *room) {
    struct memory *memory = &core.memory;
    const uint64_t align = bytes > core.settings.shares ? WSIM_PAGE_BYTES : PAGE;
    uint64_t at;
    if (!memory->arena && !open_arena(memory))
        return 0;
    *room = bytes + (align - bytes % align) % align + align;
    at = take_from(memory, &memory->managed, *room, align);
    arena_large_pages(at, bytes);
    return at;
}

static void name_pages(struct wsim_device *device) {
    const struct memory *memory = &core.memory;
    struct wsim_diag diag;
    wsim_device_pages(device, memory->arena, memory->arena_bytes, &diag);
    wsim_device_pages_at(device, (void *)(uintptr_t)(memory->arena + memory->apart));
}

/* Pages of small ones stay, and those of pools. */
void arena_map(const struct allocation *allocation, int is_mapped) {
    const struct memory *memory = &core.memory;
    struct wsim_device *device = allocation->context->device;
    uint64_t from = allocation->base, to = from + allocation->bytes;
    if (allocation->kind != WSIMRT_DEVICE || allocation->imported ||
        from - memory->arena >= memory->arena_bytes || arena_is_pooled(from))
        return;
    if (from < memory->small.to && !is_mapped)
        return;
    if (from < memory->small.to) {
        from -= (from - memory->arena) % core.settings.piece;
        to = from + core.settings.piece > memory->small.to ? memory->small.to
                                                           : from + core.settings.piece;
    }
    name_pages(device);
    wsim_device_map_pages(device, from, to - from, is_mapped);
}

/* --- pools --- */

uint64_t memory_reserved(uint64_t bytes) {
    const uint64_t most = UINT64_MAX / core.settings.piece * core.settings.piece;
    return bytes > most
               ? most
               : (bytes + core.settings.piece - 1) / core.settings.piece * core.settings.piece;
}

int arena_is_pooled(uint64_t address) {
    return address - core.memory.small.to < core.memory.n_pieces * core.settings.piece;
}

static uint64_t address_of(size_t piece) {
    return core.memory.small.to + piece * core.settings.piece;
}

/* The first gap among the pieces of a pool, at `from` or above it; 0: none. */
static uint64_t find_own(const struct wsimrt_pool *pool, uint64_t from, uint64_t room,
                         uint64_t align) {
    const struct memory *memory = &core.memory;
    uint64_t at = 0;
    for (size_t i = 0, end; i < memory->top_piece && !at; i = end + 1) {
        struct part run;
        for (end = i; end < memory->top_piece && memory->pieces[end].pool == pool;)
            end++;
        run = (struct part){.from = address_of(i), .to = address_of(end)};
        if (from < run.to)
            at = find_gap(memory, &run, from > run.from ? from : run.from, room, align);
    }
    return at;
}

/* The first `n` pieces of no pool, in a row from number `from` on; n_pieces: none. */
static size_t find_pieces(size_t from, size_t n) {
    const struct memory *memory = &core.memory;
    size_t found = 0;
    for (size_t i = from; i < memory->n_pieces; i++) {
        found = memory->pieces[i].pool ? 0 : found + 1;
        if (found == n)
            return i + 1 - n;
    }
    return memory->n_pieces;
}

static void own_pieces(struct wsimrt_pool *pool, size_t from, size_t to) {
    struct memory *memory = &core.memory;
    for (size_t i = from; i < to; i++)
        memory->pieces[i].pool = pool;
    if (memory->next_piece < to || memory->next_piece == memory->n_pieces)
        memory->next_piece = to;
    if (memory->top_piece < to)
        memory->top_piece = to;
}

/* Memory that begins in a piece of a pool and goes on in pieces of none, as on an H200 (driver
 * 580). 0: there is none. */
static uint64_t take_behind(struct wsimrt_pool *pool, uint64_t room, uint64_t align) {
    struct memory *memory = &core.memory;
    const size_t n = (size_t)(memory_reserved(room) / core.settings.piece);
    for (size_t i = 0; i < memory->top_piece; i++) {
        struct part run = {.from = address_of(i)};
        size_t end = i + 1;
        uint64_t at;
        if (memory->pieces[i].pool != pool)
            continue;
        while (end < memory->n_pieces && end <= i + n && !memory->pieces[end].pool)
            end++;
        run.to = address_of(end);
        at = find_gap(memory, &run, run.from, room, align);
        if (at && at < address_of(i + 1)) {
            own_pieces(pool, i,
                       (size_t)((at + room - 1 - address_of(0)) / core.settings.piece) + 1);
            return at;
        }
    }
    return 0;
}

/* Gives a pool pieces for `room` bytes, if it can where its last free was. 0: there are none. */
static uint64_t take_pieces(struct wsimrt_pool *pool, uint64_t room) {
    const struct memory *memory = &core.memory;
    const size_t n = (size_t)(memory_reserved(room) / core.settings.piece);
    const size_t last = arena_is_pooled(pool->freed)
                            ? (size_t)((pool->freed - address_of(0)) / core.settings.piece)
                            : memory->next_piece;
    size_t at = find_pieces(last, n);
    if (at == memory->n_pieces)
        at = find_pieces(0, n);
    if (at == memory->n_pieces)
        return 0;
    own_pieces(pool, at, at + n);
    return address_of(at);
}

static void map_piece(size_t piece, int is_mapped) {
    const struct memory *memory = &core.memory;
    if (memory->pieces[piece].is_mapped == is_mapped)
        return;
    memory->pieces[piece].is_mapped = (uint8_t)is_mapped;
    name_pages(core.root);
    wsim_device_map_pages(core.root, address_of(piece), core.settings.piece, is_mapped);
    if (!is_mapped)
        clear(address_of(piece) + memory->apart, core.settings.piece);
}

uint64_t arena_take_of(struct wsimrt_pool *pool, uint64_t bytes, uint64_t *room) {
    struct memory *memory = &core.memory;
    const uint64_t align = bytes > core.settings.shares ? WSIM_PAGE_BYTES : core.settings.unit;
    uint64_t at;
    if (!memory->arena && !open_arena(memory))
        return 0;
    *room = (bytes + GUARD + core.settings.unit - 1) / core.settings.unit * core.settings.unit;
    /* the place of the last free is used again, as on an H200 */
    at = find_own(pool, pool->freed ? pool->freed : pool->search, *room, align);
    at = at ? at : find_own(pool, 0, *room, align);
    at = at || pool->freed ? at : take_behind(pool, *room, align);
    at = at ? at : take_pieces(pool, *room);
    if (!at)
        return 0;
    clear(at + memory->apart, bytes);
    arena_large_pages(at + memory->apart, bytes);
    pool->freed = 0;
    pool->search = at + *room;
    for (uint64_t i = (at - address_of(0)) / core.settings.piece; address_of(i) < at + bytes; i++)
        map_piece(i, 1);
    return at;
}

/* Whether no allocation has a byte in a piece, and with `guards`, none behind one. */
static int is_empty(size_t piece, int guards) {
    const size_t below = memory_below(address_of(piece + 1) - 1);
    const struct allocation *const last = below ? core.memory.list[below - 1] : NULL;
    return !last || last->base + (guards ? last->room : last->bytes) <= address_of(piece);
}

/* Gives pieces without memory back until the pool has no more than `keep` bytes. */
static void give_pieces(struct wsimrt_pool *pool, uint64_t keep) {
    struct memory *memory = &core.memory;
    uint64_t mapped = 0;
    for (size_t i = 0; i < memory->top_piece; i++)
        if (memory->pieces[i].pool == pool && memory->pieces[i].is_mapped)
            mapped += core.settings.piece;
    for (size_t i = memory->top_piece; i-- > 0;) {
        struct piece *const piece = &memory->pieces[i];
        if (piece->pool != pool || (piece->is_mapped && mapped <= keep) || !is_empty(i, 0))
            continue;
        mapped -= piece->is_mapped ? core.settings.piece : 0;
        map_piece(i, 0);
        piece->pool = is_empty(i, 1) ? NULL : pool;
    }
}

void memory_shrink(struct wsimrt_pool *pool, uint64_t keep) {
    const uint64_t least = memory_reserved(pool->used);
    keep = memory_reserved(keep);
    keep = keep > least ? keep : least;
    if (pool->reserved > keep)
        pool->reserved = keep;
    give_pieces(pool, keep);
}

void memory_rest(void) {
    for (struct wsimrt_pool *pool = core.pools; pool; pool = pool->next)
        memory_shrink(pool, pool->threshold);
}

void memory_end(struct wsimrt_pool *pool) {
    struct wsimrt_pool **at = &core.pools;
    give_pieces(pool, 0);
    while (*at != pool)
        at = &(*at)->next;
    *at = pool->next;
    free(pool);
}
