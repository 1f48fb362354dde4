/* wsim_launch.touched: the bytes of global memory that a launch reads, writes, or accesses with an
 * order of their own, as ranges. Each thread of the host has a table of pages; the end of the
 * launch joins them. */
#include "listeners.h"

#include "../reach/reach.h"
#include "../state/launch.h"

#include <stdlib.h>

#define PAGE 4096u
enum { WORDS = PAGE / 64, RECENT = 16 };

struct page {
    uint64_t number;
    uint64_t bits[WSIM_TOUCHED_KINDS][WORDS];
};

/* Pages by number, in a table of open addresses whose size is a power of two. */
struct table {
    struct page **slots;
    struct page *recent[RECENT]; /* [number % RECENT] */
    size_t n, room;
};

static size_t slot_of(const struct table *table, uint64_t number) {
    size_t at = (size_t)(number * 0x9E3779B97F4A7C15u >> 20) & (table->room - 1);
    while (table->slots[at] && table->slots[at]->number != number)
        at = (at + 1) & (table->room - 1);
    return at;
}

static int grow(struct table *table) {
    struct table grown = {.n = table->n, .room = table->room ? 2 * table->room : 64};
    grown.slots = calloc(grown.room, sizeof *grown.slots);
    if (!grown.slots)
        return 0;
    for (size_t i = 0; i < table->room; i++)
        if (table->slots[i])
            grown.slots[slot_of(&grown, table->slots[i]->number)] = table->slots[i];
    free(table->slots);
    *table = grown;
    return 1;
}

/* NULL: no memory. */
static struct page *page_of(struct table *table, uint64_t number) {
    struct page **recent = &table->recent[number % RECENT];
    size_t at;
    if (*recent && (*recent)->number == number)
        return *recent;
    if (2 * (table->n + 1) > table->room && !grow(table))
        return NULL;
    at = slot_of(table, number);
    if (!table->slots[at]) {
        table->slots[at] = calloc(1, sizeof *table->slots[at]);
        if (!table->slots[at])
            return NULL;
        table->slots[at]->number = number;
        table->n++;
    }
    return *recent = table->slots[at];
}

static int mark(struct table *table, enum wsim_touched_kind kind, uint64_t at, uint64_t size) {
    while (size) {
        struct page *page = page_of(table, at / PAGE);
        const unsigned skip = (unsigned)(at % 64);
        const uint64_t n = size < 64 - skip ? size : 64 - skip;
        if (!page)
            return 0;
        page->bits[kind][at % PAGE / 64] |= (n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX) << skip;
        at += n;
        size -= n;
    }
    return 1;
}

static int make_worker(struct run_worker *worker) {
    worker->heard[LISTENER_TOUCHED] = calloc(1, sizeof(struct table));
    return worker->heard[LISTENER_TOUCHED] != NULL;
}

static void empty(struct table *table) {
    for (size_t i = 0; i < table->room; i++)
        free(table->slots[i]);
    free(table->slots);
    *table = (struct table){.slots = NULL};
}

static void free_worker(struct run_worker *worker) {
    struct table *table = worker->heard[LISTENER_TOUCHED];
    worker->heard[LISTENER_TOUCHED] = NULL;
    if (!table)
        return;
    empty(table);
    free(table);
}

/* Whether all lanes are `step` bytes apart. */
static int are_apart(const struct run_access *access, uint64_t step) {
    const uint64_t first = access->at[0];
    uint64_t other = 0;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        other |= access->at[lane] ^ (first + lane * step);
    return !other;
}

/* The places side by side that all lanes access, from that of lane 0 on; 0: it is another case. */
static unsigned row_of(const struct run_access *access) {
    const uint64_t far = access->at[RUN_LANES - 1] - access->at[0];
    if (access->row || access->lanes != UINT32_MAX)
        return access->row;
    if (!far)
        return (unsigned)are_apart(access, 0);
    return far == (RUN_LANES - 1) * (uint64_t)access->bytes && are_apart(access, access->bytes)
               ? RUN_LANES
               : 0;
}

/* 0: no memory. */
static int mark_lanes(struct table *table, enum wsim_touched_kind kind,
                      const struct run_access *access) {
    const unsigned row = row_of(access);
    uint64_t from = 0, size = 0; /* of lanes side by side, or on the same bytes */
    if (row)
        return mark(table, kind, access->at[0], (uint64_t)access->bytes * row);
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const uint64_t at = access->at[run_lowest(rest)];
        if (size && at - from < size && at + access->bytes <= from + size)
            continue;
        if (size && at == from + size) {
            size += access->bytes;
            continue;
        }
        if (!mark(table, kind, from, size))
            return 0;
        from = at;
        size = access->bytes;
    }
    return mark(table, kind, from, size);
}

static void hear_access_of(struct run_warp *warp, const struct run_op *op,
                           const struct run_access *access) {
    struct table *table = warp->worker->heard[LISTENER_TOUCHED];
    const enum wsim_touched_kind kind = !access->weak               ? WSIM_TOUCHED_STRONG
                                        : access->kind == RUN_READ  ? WSIM_TOUCHED_READ
                                        : access->kind == RUN_WRITE ? WSIM_TOUCHED_WRITTEN
                                                                    : WSIM_TOUCHED_STRONG;
    if (!mark_lanes(table, kind, access) ||
        (kind == WSIM_TOUCHED_STRONG && access->kind != RUN_READ &&
         !mark_lanes(table, WSIM_TOUCHED_UPDATED, access)))
        run_no_memory(warp);
    (void)op;
}

static void begin_again(struct run_launch *launch, const struct run_worker *workers) {
    (void)launch;
    empty(workers[0].heard[LISTENER_TOUCHED]);
}

/* --- ranges --- */

/* Joins the pages of all threads in those of the first one. */
static int join_tables(const struct run_worker *workers, unsigned n) {
    struct table *all = workers[0].heard[LISTENER_TOUCHED];
    for (unsigned i = 1; i < n; i++) {
        const struct table *table = workers[i].heard[LISTENER_TOUCHED];
        for (size_t k = 0; k < table->room; k++) {
            const struct page *from = table->slots[k];
            struct page *to = from ? page_of(all, from->number) : NULL;
            if (from && !to)
                return 0;
            for (unsigned w = 0; from && w < WSIM_TOUCHED_KINDS * WORDS; w++)
                to->bits[w / WORDS][w % WORDS] |= from->bits[w / WORDS][w % WORDS];
        }
    }
    return 1;
}

static int by_number(const void *a, const void *b) {
    const uint64_t x = (*(struct page *const *)a)->number, y = (*(struct page *const *)b)->number;
    return (x > y) - (x < y);
}

/* Appends bytes to the last range, or as a new one. */
static int add(struct run_shared *shared, enum wsim_touched_kind kind, uint64_t at, uint64_t n) {
    struct wsim_touched *last = shared->n_touched ? &shared->touched[shared->n_touched - 1] : NULL;
    const size_t used = shared->n_touched;
    if (last && last->kind == kind && last->address + last->bytes == at) {
        last->bytes += n;
        return 1;
    }
    if (used % 64 == 0 && (used & (used - 1)) == 0) {
        struct wsim_touched *grown =
            realloc(shared->touched, (used ? 2 * used : 64) * sizeof *grown);
        if (!grown)
            return 0;
        shared->touched = grown;
    }
    shared->touched[shared->n_touched++] =
        (struct wsim_touched){.address = at, .bytes = n, .kind = (uint8_t)kind};
    return 1;
}

static int add_page(struct run_shared *shared, enum wsim_touched_kind kind,
                    const struct page *page) {
    for (unsigned w = 0; w < WORDS; w++) {
        const uint64_t from = page->number * PAGE + w * 64;
        for (uint64_t bits = page->bits[kind][w]; bits;) {
            const unsigned at = base_lowest(bits);
            const uint64_t after = ~(bits >> at);
            const unsigned n = after ? base_lowest(after) : 64;
            if (!add(shared, kind, from + at, n))
                return 0;
            bits &= at + n < 64 ? UINT64_MAX << (at + n) : 0;
        }
    }
    return 1;
}

static void hear_end(struct run_launch *launch, const struct run_worker *workers, unsigned n) {
    struct table *all = workers[0].heard[LISTENER_TOUCHED];
    struct page **sorted = NULL;
    size_t used = 0;
    int good = join_tables(workers, n);
    if (good)
        sorted = malloc((all->n + 1) * sizeof(struct page *));
    good = sorted != NULL;
    for (size_t i = 0; i < all->room && good; i++)
        if (all->slots[i])
            sorted[used++] = all->slots[i];
    if (good)
        qsort(sorted, used, sizeof *sorted, by_number);
    for (unsigned kind = 0; kind < WSIM_TOUCHED_KINDS; kind++)
        for (size_t i = 0; i < used && good; i++)
            good = add_page(launch->shared, (enum wsim_touched_kind)kind, sorted[i]);
    launch->shared->no_memory |= !good;
    free((void *)sorted);
}

const struct run_hears touched_hears = {.worker_make = make_worker,
                                        .worker_free = free_worker,
                                        .launch_again = begin_again,
                                        .launch_end = hear_end,
                                        .access = hear_access_of};
