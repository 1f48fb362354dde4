/* plain.c - bulk copies without a tensor: bytes, or numbers one after another. */
#include "bytes.h"
#include "copy.h"

#include <inttypes.h>

static enum wsim_status check_piece(const char *what, uint64_t value, struct wsim_diag *diag) {
    uint64_t below = value - value % COPY_PIECE;
    if (value == below)
        return WSIM_OK;
    return base_refuse(diag, RULE_BULK_PIECE_ALIGN, 0,
                       "%s 0x%" PRIx64
                       ": a bulk copy needs a multiple of %d; the nearest are 0x%" PRIx64
                       " and 0x%" PRIx64,
                       what, value, (int)COPY_PIECE, below, below + COPY_PIECE);
}

/* The size counts whole pieces, and has no more bits than the byte counts of a barrier. */
static uint32_t bytes_moved(const struct wsim_bulk *io) {
    return io->bytes % (1u << COPY_SIZE_BITS) / COPY_PIECE * COPY_PIECE;
}

/* Addresses of nothing may be anything. */
static enum wsim_status check_plain(const struct wsim_bulk *io, struct wsim_diag *diag) {
    enum wsim_status status;
    if (!io->bytes)
        return WSIM_OK;
    status = check_piece("shared address", io->shared_at, diag);
    if (!status)
        status = check_piece("global address", io->global_at, diag);
    if (!status)
        status = bytes_inside(io->global, io->global_at, io->bytes, "global", diag);
    return status ? status : bytes_inside(io->shared, io->shared_at, io->bytes, "shared", diag);
}

static void reduce_all(const struct wsim_op *op, const struct wsim_bulk *io) {
    const struct copy_number *number = copy_plain_number(op);
    enum copy_operation operation = copy_operation_of(op);
    unsigned n = number->format->bits / 8u;
    uint32_t i;
    for (i = 0; i < io->bytes; i += n)
        bytes_put(io->global, io->global_at + i, n,
                  copy_combine(operation, number, bytes_get(io->global, io->global_at + i, n),
                               bytes_get(io->shared, io->shared_at + i, n)));
}

static void move_all(const struct wsim_op *op, const struct wsim_bulk *io) {
    int load = op->q[PLACE_TO] != Q_TO_GLOBAL;
    uint32_t i;
    for (i = 0; i < io->bytes; i++)
        if (load)
            bytes_put(io->shared, io->shared_at + i, 1,
                      bytes_get(io->global, io->global_at + i, 1));
        else if (!op->q[PLACE_MASK] || io->byte_mask >> i % COPY_PIECE & 1)
            bytes_put(io->global, io->global_at + i, 1,
                      bytes_get(io->shared, io->shared_at + i, 1));
}

enum wsim_status copy_plain(const struct wsim_op *op, const struct wsim_bulk *asked,
                            struct wsim_bulk_result *result, struct wsim_diag *diag) {
    struct wsim_bulk whole = *asked;
    const struct wsim_bulk *io = &whole;
    int counted = op->q[PLACE_COMPLETION] == Q_BYTES;
    enum wsim_status status;
    whole.bytes = bytes_moved(asked);
    status = check_plain(io, diag);
    if (!status && counted)
        status = copy_can_complete(io, io->bytes, diag);
    if (status)
        return status;
    if (op->q[PLACE_ATOMIC])
        reduce_all(op, io);
    else
        move_all(op, io);
    if (counted)
        copy_complete(io, io->bytes);
    result->bytes = io->bytes;
    return WSIM_OK;
}
