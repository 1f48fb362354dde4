/* plain.c - bulk copies without a tensor: consecutive bytes or numbers. */
#include "copy.h"

#include <inttypes.h>
#include <string.h>

enum wsim_status copy_check_piece(const char *what, uint64_t value, struct wsim_diag *diag) {
    uint64_t below = value - value % COPY_PIECE;
    if (value == below)
        return WSIM_OK;
    return base_refuse(diag, RULE_BULK_PIECE_ALIGN, 0,
                       "%s 0x%" PRIx64
                       ": a bulk copy needs a multiple of %d; the nearest are 0x%" PRIx64
                       " and 0x%" PRIx64,
                       what, value, (int)COPY_PIECE, below, below + COPY_PIECE);
}

/* The size is a multiple of a piece and fits into the byte count of a barrier. */
uint32_t copy_plain_bytes(const struct wsim_io *io) {
    return io->bulk.bytes % (1u << COPY_SIZE_BITS) / COPY_PIECE * COPY_PIECE;
}

/* A copy of zero bytes may have any addresses. */
static enum wsim_status check_plain(const struct wsim_arch *arch, const struct wsim_io *io,
                                    uint32_t bytes, int loads, struct wsim_diag *diag) {
    enum wsim_status status;
    if (!bytes)
        return WSIM_OK;
    status = copy_check_piece("shared address", io->bulk.shared_at, diag);
    if (!status)
        status = copy_check_piece("global address", io->bulk.global_at, diag);
    if (!status)
        status = memory_check(io->global, io->bulk.global_at, bytes, !loads, diag);
    return status ? status
                  : copy_check_shared(arch, io->shared, io->bulk.shared_at, bytes, loads, diag);
}

static void reduce(const struct wsim_op *op, const struct wsim_io *io, uint32_t bytes,
                   uint32_t flags) {
    const struct copy_number *number = copy_plain_number(op);
    enum copy_operation operation = copy_operation_of(op);
    unsigned n = number->format->bits / 8u;
    uint64_t to = io->bulk.global_at, from = io->bulk.shared_at;
    copy_tell(io, io->shared, from, bytes, WSIM_TOUCH_READ, WSIM_NO_LANE);
    copy_tell(io, io->global, to, bytes, WSIM_TOUCH_UPDATE, WSIM_NO_LANE);
    if (bytes && !(flags & WSIM_PLAIN)) {
        copy_combine_all(operation, number, memory_at(io->global, to), memory_at(io->shared, from),
                         bytes);
        return;
    }
    for (uint32_t i = 0; i < bytes; i += n)
        memory_put(io->global, to + i, n,
                   copy_combine(operation, number, memory_get(io->global, to + i, n),
                                memory_get(io->shared, from + i, n)));
}

/* Copies the bytes of the mask in every 16 bytes, run by run; writes no other byte. */
static void store_masked(uint8_t *to, const uint8_t *from, uint32_t bytes, uint32_t mask) {
    uint8_t first[COPY_PIECE], length[COPY_PIECE];
    unsigned runs = 0;
    for (unsigned b = 0, n; b < COPY_PIECE; b += n + 1) {
        for (n = 0; mask >> (b + n) & 1;)
            n++;
        first[runs] = (uint8_t)b;
        length[runs] = (uint8_t)n;
        runs += n > 0;
    }
    for (uint32_t i = 0; i < bytes; i += COPY_PIECE)
        for (unsigned r = 0; r < runs; r++)
            memmove(to + i + first[r], from + i + first[r], length[r]);
}

/* The bytes of every 16 that a store moves: those of its mask, or all. */
static void store(const struct wsim_op *op, const struct wsim_io *io, uint32_t bytes,
                  uint32_t flags) {
    uint32_t every = (1u << COPY_PIECE) - 1, mask = op->q[PLACE_MASK] ? io->bulk.byte_mask : every;
    if (mask == every && !(flags & WSIM_PLAIN)) {
        copy_bytes(io, io->global, io->bulk.global_at, io->shared, io->bulk.shared_at, bytes);
        return;
    }
    if (bytes && !io->shared->watch && !io->global->watch && !(flags & WSIM_PLAIN)) {
        store_masked(memory_at(io->global, io->bulk.global_at),
                     memory_at(io->shared, io->bulk.shared_at), bytes, mask);
        return;
    }
    for (uint32_t i = 0, n; i < bytes; i += n + 1) { /* byte i + n is masked, or the end */
        for (n = 0; i + n < bytes && mask >> (i + n) % COPY_PIECE & 1;)
            n++;
        copy_bytes(io, io->global, io->bulk.global_at + i, io->shared,
                   (uint64_t)io->bulk.shared_at + i, n);
    }
}

enum wsim_status copy_plain(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t flags,
                            const struct wsim_io *io, struct wsim_bulk_result *result,
                            struct wsim_diag *diag) {
    int loads = op->q[PLACE_TO] != Q_TO_GLOBAL;
    uint32_t bytes = copy_plain_bytes(io);
    enum wsim_status status = check_plain(arch, io, bytes, loads, diag);
    if (!status && loads)
        status = copy_can_complete(arch, io, bytes, diag);
    if (!status && loads)
        status = copy_spare_barrier(io, io->bulk.shared_at, bytes, diag);
    if (status || flags & COPY_LOOK)
        return status;
    if (op->q[PLACE_ATOMIC])
        reduce(op, io, bytes, flags);
    else if (loads)
        copy_bytes(io, io->shared, io->bulk.shared_at, io->global, io->bulk.global_at, bytes);
    else
        store(op, io, bytes, flags);
    if (loads)
        copy_complete(io, bytes);
    result->bytes = bytes;
    return WSIM_OK;
}
