/* bulk.c - the doors of bulk copies. */
#include "copy.h"

/* True if `op` copies to other blocks of a cluster and is executed otherwise. */
static int is_between_blocks(const struct wsim_op *op) {
    return isa_op_unexecuted(op) != NULL;
}

enum wsim_status copy_bulk_known(const struct wsim_op *op, uint32_t flags, struct wsim_diag *diag) {
    if (isa_form(op)->scheme != SCHEME_BULK)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s is not a bulk copy",
                           isa_op_called(op).text);
    if (isa_op_unexecuted(op) && !(flags & WSIM_CLUSTER && is_between_blocks(op)))
        return base_refuse(diag, RULE_BULK_FORM_UNMODELLED, 0, "%s %s, which is not modelled",
                           isa_op_called(op).text, isa_op_unexecuted(op));
    return WSIM_OK;
}

/* True if recordings of hardware cover this copy. */
static int was_seen(const struct wsim_arch *arch) {
    static const uint8_t seen[] = {
#define SEEN(generation) GENERATION_##generation,
#include "../isa/copy.def"
    };
    for (size_t i = 0; i < sizeof seen; i++)
        if (seen[i] == arch->generation)
            return 1;
    return 0;
}

enum wsim_status copy_bulk(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t flags,
                           const struct wsim_io *io, struct wsim_diag *diag) {
    struct wsim_bulk_result did = {0, 0, 0, 0};
    enum wsim_status status = WSIM_OK;
    if (op->q[PLACE_FROM] == Q_FROM_GLOBAL || op->q[PLACE_TO] == Q_TO_GLOBAL)
        status = memory_need(io->global, WSIM_GLOBAL, diag);
    if (!status)
        status = memory_need(io->shared, WSIM_SHARED, diag);
    if (!status)
        status = is_between_blocks(op)     ? copy_cluster(op, arch, flags, io, &did, diag)
                 : op->q[PLACE_DIMENSIONS] ? copy_tensor(op, arch, flags, io, &did, diag)
                                           : copy_plain(op, arch, flags, io, &did, diag);
    if (!status && io->bulk.copied) {
        did.measured = was_seen(arch);
        *io->bulk.copied = did;
    }
    return status;
}

/* The operands of a bulk copy as those of any instruction. */
static struct wsim_io operands(const struct wsim_bulk *bulk, struct wsim_bulk_result *result) {
    struct wsim_io io = {.shared = bulk->shared,
                         .global = bulk->global,
                         .bulk = {.shared_at = bulk->shared_at,
                                  .global_at = bulk->global_at,
                                  .barrier_at = bulk->barrier_at,
                                  .has_barrier = bulk->has_barrier,
                                  .bytes = bulk->bytes,
                                  .byte_mask = bulk->byte_mask,
                                  .map = bulk->map,
                                  .copied = result}};
    for (unsigned i = 0; i < WSIM_TENSOR_RANK; i++)
        io.bulk.coord[i] = bulk->coord[i];
    for (unsigned i = 0; i < WSIM_TENSOR_SPATIAL; i++)
        io.bulk.offset[i] = bulk->offset[i];
    return io;
}

static enum wsim_status check_op(const struct wsim_op *op, const struct wsim_arch *arch,
                                 struct wsim_diag *diag) {
    enum wsim_status status = wsim_op_check(op, arch, diag);
    return status ? status : copy_bulk_known(op, 0, diag);
}

enum wsim_status wsim_bulk_run(const struct wsim_op *op, const struct wsim_arch *arch,
                               const struct wsim_bulk *bulk, struct wsim_bulk_result *result,
                               struct wsim_diag *diag) {
    struct wsim_io io = operands(bulk, result);
    enum wsim_status status = check_op(op, arch, diag);
    return status ? status : copy_bulk(op, arch, 0, &io, diag);
}

enum wsim_status wsim_bulk_locate(const struct wsim_op *op, const struct wsim_arch *arch,
                                  const struct wsim_bulk *bulk, uint64_t row, uint32_t byte,
                                  struct wsim_bulk_place *place, struct wsim_diag *diag) {
    struct wsim_io io = operands(bulk, NULL);
    enum wsim_status status = check_op(op, arch, diag);
    if (!status && !op->q[PLACE_DIMENSIONS])
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s moves no tensor",
                           isa_op_called(op).text);
    return status ? status : copy_place(op, arch, &io, row, byte, place, diag);
}
