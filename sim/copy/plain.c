/* plain.c - bulk copies without a tensor: bytes, or numbers one after another. */
#include "bytes.h"
#include "copy.h"

#include <inttypes.h>

static enum wsim_status check_piece(const char *what, uint64_t value, struct wsim_diag *diag) {
    uint64_t below = value - value % COPY_PIECE;
    if (value == below)
        return WSIM_OK;
    return base_refuse(diag, WSIM_ALIGN, 0,
                       "%s 0x%" PRIx64
                       ": a bulk copy needs a multiple of %d; the nearest are 0x%" PRIx64
                       " and 0x%" PRIx64,
                       what, value, (int)COPY_PIECE, below, below + COPY_PIECE);
}

static enum wsim_status check_plain(const struct wsim_bulk *io, struct wsim_diag *diag) {
    enum wsim_status status = check_piece("size", io->bytes, diag);
    if (!status)
        status = check_piece("shared address", io->shared_at, diag);
    if (!status)
        status = check_piece("global address", io->global_at, diag);
    if (!status)
        status = bytes_inside(io->global, io->global_at, io->bytes, "global", diag);
    return status ? status : bytes_inside(io->shared, io->shared_at, io->bytes, "shared", diag);
}

static enum copy_operation operation_of(const struct wsim_op *op) {
    static const uint8_t of[] = {
        [Q_ADD] = COPY_ADD, [Q_MIN] = COPY_MIN,        [Q_MAX] = COPY_MAX,
        [Q_INC] = COPY_INC, [Q_DEC] = COPY_DEC,        [Q_ATOMIC_AND] = COPY_AND,
        [Q_OR] = COPY_OR,   [Q_ATOMIC_XOR] = COPY_XOR,
    };
    return (enum copy_operation)of[op->q[PLACE_ATOMIC]];
}

/* Every number; only looks at them until `write`. */
static enum wsim_status reduce_all(const struct wsim_op *op, const struct wsim_bulk *io, int write,
                                   struct wsim_diag *diag) {
    struct copy_number number = {isa_op_type(op, PLACE_D), COPY_KEPT, 0, 0};
    unsigned n = number.format->bits / 8u;
    enum wsim_status status = WSIM_OK;
    uint64_t result;
    uint32_t i;
    if (op->q[PLACE_D] == FORMAT_F32)
        number.subnormals = COPY_FLUSHED;
    for (i = 0; i < io->bytes && !status; i += n) {
        status =
            copy_combine(operation_of(op), &number, bytes_get(io->global, io->global_at + i, n),
                         bytes_get(io->shared, io->shared_at + i, n), &result, diag);
        if (write && !status)
            bytes_put(io->global, io->global_at + i, n, result);
    }
    return status;
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

enum wsim_status copy_plain(const struct wsim_op *op, const struct wsim_bulk *io,
                            struct wsim_bulk_result *result, struct wsim_diag *diag) {
    int counted = op->q[PLACE_COMPLETION] == Q_BYTES;
    enum wsim_status status = check_plain(io, diag);
    if (!status && op->q[PLACE_ATOMIC])
        status = reduce_all(op, io, 0, diag);
    if (!status && counted)
        status = copy_can_complete(io, io->bytes, diag);
    if (status)
        return status;
    if (op->q[PLACE_ATOMIC])
        reduce_all(op, io, 1, NULL);
    else
        move_all(op, io);
    if (counted)
        copy_complete(io, io->bytes);
    result->bytes = io->bytes;
    return WSIM_OK;
}
