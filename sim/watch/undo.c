/* Global memory as it was when the launch began, for launches whose units may run ahead of their
 * turns: run/turns.h. Before the first write to a page, the page and the bits of its initialised
 * bytes are copied. */
#include "listeners.h"

#include "../reach/hear.h"
#include "../state/device.h"
#include "../state/known.h"
#include "../state/launch.h"

#include <stdlib.h>

#define PAGE 4096u
#define PIECES (PAGE / HEAR_BYTES)

struct page {
    struct page *next;
    const struct run_buffer *buffer;
    uint64_t from, size; /* bytes of the buffer */
    uint8_t was_known;   /* all bytes were initialised; nothing takes that away */
    unsigned long long known[PIECES];
    uint8_t bytes[];
};

/* Data of the launch; all its threads have the same. */
struct undo {
    atomic_flag lock;
    struct page *pages;
    atomic_uchar **copied; /* [buffer][page]; NULL: the buffer has no number */
    size_t n_buffers;
};

static void free_undo(struct run_worker *worker) {
    struct undo *undo = worker->heard[LISTENER_UNDO];
    worker->heard[LISTENER_UNDO] = NULL;
    if (!undo || worker != worker->launch->shared->workers)
        return;
    for (struct page *next, *page = undo->pages; page; page = next) {
        next = page->next;
        free(page);
    }
    for (size_t i = 0; undo->copied && i < undo->n_buffers; i++)
        free((void *)undo->copied[i]);
    free((void *)undo->copied);
    free(undo);
}

static int make_undo(struct run_worker *worker) {
    const struct run_space *space = worker->launch->device->space;
    const struct run_worker *first = worker->launch->shared->workers;
    struct undo *undo;
    if (worker != first) {
        worker->heard[LISTENER_UNDO] = first->heard[LISTENER_UNDO];
        return 1;
    }
    undo = calloc(1, sizeof *undo);
    worker->heard[LISTENER_UNDO] = undo;
    if (!undo)
        return 0;
    atomic_flag_clear(&undo->lock);
    undo->n_buffers = space->numbered;
    undo->copied = calloc(undo->n_buffers + 1, sizeof *undo->copied);
    for (size_t i = 0; undo->copied && i < space->n_buffers; i++) {
        const struct run_buffer *buffer = space->buffers[i];
        if (buffer->number >= undo->n_buffers)
            continue;
        undo->copied[buffer->number] =
            calloc((size_t)(buffer->size / PAGE) + 1, sizeof *undo->copied[0]);
        if (!undo->copied[buffer->number])
            return 0;
    }
    return undo->copied != NULL;
}

static int copy_page(struct undo *undo, const struct run_buffer *buffer, uint64_t from) {
    const uint64_t left = buffer->size - from, size = left < PAGE ? left : PAGE;
    const atomic_ullong *const bits = run_buffer_bits(buffer);
    struct page *page = malloc(sizeof *page + (size_t)size);
    if (!page)
        return 0;
    page->buffer = buffer;
    page->from = from;
    page->size = size;
    memcpy(page->bytes, run_host(buffer, buffer->base + from), (size_t)size);
    page->was_known = !bits;
    for (uint64_t i = 0; bits && i * HEAR_BYTES < size; i++)
        page->known[i] = atomic_load_explicit(&bits[from / HEAR_BYTES + i], memory_order_relaxed);
    page->next = undo->pages;
    undo->pages = page;
    return 1;
}

/* Every writer of a page comes here before it writes, so a page without a copy is unwritten. */
static void keep_page(struct run_warp *warp, struct undo *undo, const struct run_buffer *buffer,
                      uint64_t number) {
    atomic_uchar *copied = &undo->copied[buffer->number][number];
    if (atomic_load_explicit(copied, memory_order_acquire))
        return;
    while (atomic_flag_test_and_set_explicit(&undo->lock, memory_order_acquire)) {
    }
    if (!atomic_load_explicit(copied, memory_order_relaxed)) {
        if (!copy_page(undo, buffer, number * PAGE))
            run_no_memory(warp);
        atomic_store_explicit(copied, 1, memory_order_release);
    }
    atomic_flag_clear_explicit(&undo->lock, memory_order_release);
}

static unsigned hear_begin(struct run_warp *warp, const struct run_op *op,
                           const struct run_access *access) {
    (void)op;
    return warp->worker->launch->shared->ahead && access->kind != RUN_READ ? HEAR_PARTS : 0;
}

static void hear_pieces(struct run_warp *warp, const struct run_op *op,
                        const struct run_access *access, const struct hear_memory *memory,
                        const struct hear_piece *pieces, unsigned n) {
    struct undo *undo = warp->worker->heard[LISTENER_UNDO];
    (void)op, (void)access;
    if (memory->buffer->number >= undo->n_buffers || !undo->copied[memory->buffer->number]) {
        launch_clash(warp->worker->launch->shared);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        keep_page(warp, undo, memory->buffer, pieces[i].index / PIECES);
}

/* Bytes that the warp has accessed before may have been read only. */
static int is_again(struct run_warp *warp, const struct hear_again *again) {
    const struct undo *undo = warp->worker->heard[LISTENER_UNDO];
    const struct run_buffer *buffer = again->memory->buffer;
    if (!again->writes || !warp->worker->launch->shared->ahead)
        return 1;
    if (buffer->number >= undo->n_buffers || !undo->copied[buffer->number])
        return 0;
    for (unsigned i = 0; i < again->n; i++) {
        const struct hear_part *part = &again->parts[i];
        for (uint64_t page = part->from / PAGE; page <= (part->from + part->size - 1) / PAGE;
             page++)
            if (!atomic_load_explicit(&undo->copied[buffer->number][page], memory_order_acquire))
                return 0;
    }
    return 1;
}

static int needs_no_run(struct run_warp *warp, struct hear_run *run) {
    (void)warp, (void)run;
    return 1;
}

static int needs_none(struct run_warp *warp, const struct run_buffer *buffer) {
    (void)warp, (void)buffer;
    return 1;
}

static void restore(struct run_launch *launch, const struct run_worker *workers) {
    const struct undo *undo = workers[0].heard[LISTENER_UNDO];
    (void)launch;
    for (const struct page *page = undo->pages; page; page = page->next) {
        const struct run_buffer *buffer = page->buffer;
        memcpy(run_host(buffer, buffer->base + page->from), page->bytes, (size_t)page->size);
        if (!page->was_known)
            known_forget(buffer->known, buffer->size);
        for (uint64_t i = 0; !page->was_known && i * HEAR_BYTES < page->size; i++)
            atomic_store_explicit(&buffer->known[page->from / HEAR_BYTES + i], page->known[i],
                                  memory_order_relaxed);
    }
}

const struct run_hears undo_hears = {.worker_make = make_undo,
                                     .worker_free = free_undo,
                                     .launch_again = restore,
                                     .begin = hear_begin,
                                     .pieces = hear_pieces,
                                     .again = is_again,
                                     .without = needs_none,
                                     .run = needs_no_run};
