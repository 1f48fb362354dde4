/* tensor.c - tensor copies: decodes the instruction and runs the steps. rules.c checks it, walk.c
 * computes the places of the bytes, move.c moves them. */
#include "steps.h"

_Static_assert(ISA_MOST_COORDINATES == WSIM_TENSOR_RANK, "a copy has a coordinate a dimension");

#include <inttypes.h>

static struct copy_order read_order(const struct wsim_op *op) {
    struct copy_order order;
    order.dims = isa_op_dimensions(op);
    order.mode = op->q[PLACE_MODE] == Q_TILE ? 0 : op->q[PLACE_MODE];
    order.own = op->q[PLACE_TO] == Q_TO_CTA;
    order.operation = copy_operation_of(op);
    order.direction = op->q[PLACE_TO] != Q_TO_GLOBAL ? COPY_LOAD
                      : op->q[PLACE_REDUCTION]       ? COPY_REDUCE
                                                     : COPY_STORE;
    return order;
}

/* The tile of a copy that passed the checks. */
static enum wsim_status begin(const struct wsim_op *op, const struct wsim_arch *arch,
                              const struct wsim_io *io, struct copy_order *order,
                              struct wsim_tensor *t, struct copy_walk *walk,
                              struct wsim_diag *diag) {
    enum wsim_status status;
    if (!io->bulk.map)
        return base_refuse(diag, RULE_OPERAND_MISSING, 0, "the tensor map is missing");
    *order = read_order(op);
    status = wsim_tensor_decode(io->bulk.map, t, diag);
    if (!status)
        status = copy_check(arch, order, t, io, diag);
    if (!status)
        copy_begin(walk, arch, t, io, order->direction, isa_names_rows(order->mode));
    return status;
}

enum wsim_status copy_place(const struct wsim_op *op, const struct wsim_arch *arch,
                            const struct wsim_io *io, uint64_t row, uint32_t byte,
                            struct wsim_bulk_place *place, struct wsim_diag *diag) {
    struct copy_row at;
    struct copy_run run;
    uint32_t element, next;
    struct copy_walk walk;
    struct wsim_tensor t;
    struct copy_order order;
    enum wsim_status status = begin(op, arch, io, &order, &t, &walk, diag);
    if (status)
        return status;
    if (row >= walk.tile.rows || byte >= walk.tile.inner)
        return base_refuse(diag, RULE_BULK_PLACE_OUTSIDE, 0,
                           "byte %u of row %" PRIu64 ": the tile has %" PRIu64 " rows of %u bytes",
                           (unsigned)byte, row, walk.tile.rows, (unsigned)walk.tile.inner);
    walk.row = row;
    copy_next(&walk, &at);
    next = element = byte / walk.element;
    copy_run(&walk, &at, &next, &run);
    for (unsigned i = 0; i < WSIM_TENSOR_RANK; i++)
        place->coord[i] = i < t.rank ? at.coord[i] : 0;
    place->coord[0] += (int64_t)element * walk.step * walk.packed;
    place->where = byte % walk.element < walk.source ? run.where : WSIM_BULK_OUTSIDE;
    place->global = place->where == WSIM_BULK_OUTSIDE ? 0 : run.global + byte % walk.element;
    place->shared = (uint32_t)copy_shared(&walk, at.shared + byte);
    return WSIM_OK;
}

enum wsim_status copy_tensor(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t flags,
                             const struct wsim_io *io, struct wsim_bulk_result *result,
                             struct wsim_diag *diag) {
    struct copy_walk walk;
    struct wsim_tensor t;
    struct copy_order order;
    enum wsim_status status = begin(op, arch, io, &order, &t, &walk, diag);
    int strips = !status && !(flags & WSIM_PLAIN) && copy_look_strips(&walk);
    if (status)
        return status;
    result->bytes = walk.tile.bytes;
    if (!strips)
        status = copy_look(&walk, diag);
    if (!status && order.direction == COPY_LOAD)
        status = copy_can_complete(arch, io, result->bytes, diag);
    if (status || flags & COPY_LOOK)
        return status;
    copy_tell_runs(&walk, &order);
    if (strips)
        copy_move_strips(&walk, &order, result);
    else
        copy_move(&walk, &order, result);
    if (order.direction == COPY_LOAD)
        copy_complete(io, result->bytes);
    return WSIM_OK;
}
