/* move.c - checks the bytes of a tensor copy, then moves them, run by run. */
#include "steps.h"

#include <inttypes.h>
#include <string.h>

enum { LINE = 128 }; /* no swizzle moves a byte out of its line: swizzle.h */

/* --- checks --- */

/* True if all lines of these bytes are accessible; then so are the bytes, wherever the swizzle puts
 * them inside their lines. */
static int are_lines_free(const struct copy_walk *walk, uint64_t first, uint32_t bytes) {
    const struct wsim_io *io = walk->io;
    uint64_t from = first - first % LINE, to = (first + bytes + LINE - 1) / LINE * LINE;
    return memory_has(io->shared, from, to - from) && to <= isa_shared_end(walk->arch) &&
           !(walk->direction == COPY_LOAD && io->shared->read_only) &&
           !copy_spare_barrier(io, from, to - from, NULL);
}

static enum wsim_status look_shared(const struct copy_walk *walk, uint64_t offset, uint32_t bytes,
                                    struct wsim_diag *diag) {
    int loads = walk->direction == COPY_LOAD;
    enum wsim_status status = WSIM_OK;
    uint64_t address;
    if (are_lines_free(walk, walk->io->bulk.shared_at + offset, bytes))
        return WSIM_OK;
    for (uint32_t n; bytes && !status; offset += n, bytes -= n) {
        n = copy_piece(walk, offset, bytes, &address);
        status = copy_check_shared(walk->arch, walk->io->shared, address, n, loads, diag);
        if (!status && loads)
            status = copy_spare_barrier(walk->io, address, n, diag);
    }
    return status;
}

static enum wsim_status look(const struct copy_walk *walk, const struct copy_run *run,
                             struct wsim_diag *diag) {
    enum wsim_status status;
    if (run->where == WSIM_BULK_OUTSIDE)
        return walk->direction == COPY_LOAD ? look_shared(walk, run->shared, run->bytes, diag)
                                            : WSIM_OK;
    status =
        memory_check(walk->io->global, run->global, run->moved, walk->direction != COPY_LOAD, diag);
    return status ? status : look_shared(walk, run->shared, run->bytes, diag);
}

enum wsim_status copy_look(struct copy_walk *walk, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    struct copy_row row;
    struct copy_run run;
    walk->row = 0;
    while (!status && copy_next(walk, &row))
        for (uint32_t i = 0; !status && copy_run(walk, &row, &i, &run);)
            status = look(walk, &run, diag);
    walk->row = 0;
    return status;
}

/* --- watchers --- */

/* The bytes of a piece of shared memory without padding, which stays as it is. */
static uint32_t data_of(const struct copy_walk *walk, uint32_t bytes) {
    return walk->source == walk->element ? bytes : walk->source;
}

/* Reports the pieces of a run in shared memory to the watcher, if any. */
static void tell_shared(const struct copy_walk *walk, const struct copy_run *run,
                        enum wsim_touch_kind kind) {
    uint64_t address, offset = run->shared;
    uint32_t left = walk->io->shared->watch ? run->bytes : 0;
    for (uint32_t n; left; offset += n, left -= n) {
        n = copy_piece(walk, offset, left, &address);
        copy_tell(walk->io, walk->io->shared, address, data_of(walk, n), kind, WSIM_NO_LANE);
    }
}

static void tell_global(const struct copy_walk *walk, const struct copy_run *run, uint32_t bytes,
                        enum wsim_touch_kind kind) {
    copy_tell(walk->io, walk->io->global, run->global, bytes, kind, WSIM_NO_LANE);
}

/* Reports what a run reads, then what it writes. */
static void tell_run(const struct copy_walk *walk, const struct copy_order *order,
                     const struct copy_run *run) {
    const int outside = run->where == WSIM_BULK_OUTSIDE;
    if (order->direction == COPY_LOAD) {
        if (!outside)
            tell_global(walk, run, run->moved, WSIM_TOUCH_READ);
        tell_shared(walk, run, WSIM_TOUCH_WRITE);
    } else if (!outside) {
        tell_shared(walk, run, WSIM_TOUCH_READ);
        tell_global(walk, run, run->bytes,
                    order->direction == COPY_STORE ? WSIM_TOUCH_WRITE : WSIM_TOUCH_UPDATE);
    }
}

void copy_tell_runs(struct copy_walk *walk, const struct copy_order *order) {
    struct copy_row row;
    struct copy_run run;
    if (!walk->io->global->watch && !walk->io->shared->watch)
        return;
    while (copy_next(walk, &row))
        for (uint32_t i = 0; copy_run(walk, &row, &i, &run);)
            tell_run(walk, order, &run);
    walk->row = 0;
}

/* --- moving --- */

void copy_fill(const struct wsim_tensor *t, uint8_t *to, size_t bytes) {
    unsigned word = t->oob == WSIM_TENSOR_FILL_NAN ? COPY_NAN_FILL : 0;
    uint8_t piece[COPY_PIECE];
    size_t i = 0;
    if (!word) {
        memset(to, 0, bytes);
        return;
    }
    for (unsigned b = 0; b < COPY_PIECE; b++) /* of 16 bits each */
        piece[b] = (uint8_t)(word >> 8 * (b & 1));
    for (; i + COPY_PIECE <= bytes; i += COPY_PIECE)
        memcpy(to + i, piece, COPY_PIECE);
    memcpy(to + i, piece, bytes - i);
}

/* The common size first: it compiles to one move. */
static void move_piece(uint8_t *to, const uint8_t *from, uint32_t n) {
    if (n == COPY_PIECE)
        memmove(to, from, COPY_PIECE);
    else
        memmove(to, from, n);
}

static void load_piece(const struct copy_walk *walk, const struct copy_run *run, uint64_t global,
                       uint64_t shared, uint32_t n) {
    const struct wsim_io *io = walk->io;
    const struct copy_number *number = &copy_numbers[walk->tensor->dtype];
    if (run->where == WSIM_BULK_OUTSIDE)
        copy_fill(walk->tensor, memory_at(io->shared, shared), n);
    else if (!number->rounds)
        move_piece(memory_at(io->shared, shared), memory_at(io->global, global), n);
    else
        for (uint32_t i = 0; i < n; i += walk->number)
            memory_put(io->shared, shared + i, walk->number,
                       copy_round(number, memory_get(io->global, global + i, walk->number)));
}

static void store_piece(const struct copy_walk *walk, const struct copy_order *order,
                        uint64_t global, uint64_t shared, uint32_t n) {
    const struct wsim_io *io = walk->io;
    if (order->direction == COPY_STORE)
        move_piece(memory_at(io->global, global), memory_at(io->shared, shared), n);
    else
        for (uint32_t i = 0; i < n; i += walk->number)
            memory_put(io->global, global + i, walk->number,
                       copy_combine(order->operation, &copy_numbers[walk->tensor->dtype],
                                    memory_get(io->global, global + i, walk->number),
                                    memory_get(io->shared, shared + i, walk->number)));
}

static void load_run(const struct copy_walk *walk, const struct copy_run *run) {
    uint64_t address;
    for (uint32_t at = 0, from = 0, n; at < run->bytes; at += n) {
        n = copy_piece(walk, run->shared + at, run->bytes - at, &address);
        load_piece(walk, run, run->global + from, address, data_of(walk, n));
        from += data_of(walk, n);
    }
}

static void store_run(const struct copy_walk *walk, const struct copy_order *order,
                      const struct copy_run *run) {
    uint64_t address;
    if (run->where == WSIM_BULK_OUTSIDE)
        return;
    for (uint32_t at = 0, n; at < run->bytes; at += n) {
        n = copy_piece(walk, run->shared + at, run->bytes - at, &address);
        store_piece(walk, order, run->global + at, address, n);
    }
}

void copy_move(struct copy_walk *walk, const struct copy_order *order,
               struct wsim_bulk_result *result) {
    struct copy_row row;
    struct copy_run run;
    while (copy_next(walk, &row))
        for (uint32_t i = 0; copy_run(walk, &row, &i, &run);) {
            result->outside += run.where == WSIM_BULK_INSIDE ? 0 : run.bytes;
            result->padding += run.where == WSIM_BULK_PADDING ? run.bytes : 0;
            if (order->direction == COPY_LOAD)
                load_run(walk, &run);
            else
                store_run(walk, order, &run);
        }
}
