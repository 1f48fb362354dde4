/* cluster.c - copies to the shared memory of other blocks: one copy per block, all checked before
 * the first one moves a byte. With .cta_group::2 one block of each pair counts the bytes of both.
 */
#include "copy.h"

static enum wsim_status check_blocks(const struct wsim_io *io, int one, struct wsim_diag *diag) {
    unsigned most = io->bulk.blocks < 16 ? io->bulk.blocks : 16, mask = io->bulk.cta_mask;
    if (!io->bulk.cluster)
        return base_refuse(diag, RULE_OPERAND_MISSING, 0, "the blocks of the cluster are missing");
    if (mask >> most)
        return base_refuse(diag, RULE_BULK_BLOCK_UNKNOWN, 0,
                           "mask 0x%x names a block that the cluster does not have: it has %u",
                           mask, (unsigned)io->bulk.blocks);
    if (one && (!mask || mask & (mask - 1)))
        return base_refuse(diag, RULE_BULK_BLOCK_UNKNOWN, 0,
                           "mask 0x%x: without .multicast::cluster a copy goes to one block", mask);
    for (unsigned r = 0; r < most; r++)
        if (mask >> r & 1 && memory_need(io->bulk.cluster[r], WSIM_SHARED, diag))
            return WSIM_OPERAND;
    return WSIM_OK;
}

/* --- from global memory to several blocks --- */

/* The block whose barrier counts the bytes that go to block `r`. */
static unsigned counting(const struct wsim_op *op, const struct wsim_io *io, unsigned r) {
    return op->q[PLACE_GROUP] == Q_GROUP_2 ? (r & ~1u) | (io->bulk.barrier_odd & 1u) : r;
}

/* The barrier of another block than that of the bytes. Both blocks of a pair may count there. */
static enum wsim_status count_elsewhere(const struct wsim_arch *arch, uint32_t flags,
                                        const struct wsim_io *io, unsigned there, uint32_t bytes,
                                        struct wsim_diag *diag) {
    struct wsim_io other = *io;
    enum wsim_status status;
    if (there >= io->bulk.blocks)
        return base_refuse(diag, RULE_BULK_BLOCK_UNKNOWN, 0,
                           "the barrier is in block %u, and the cluster has %u blocks", there,
                           (unsigned)io->bulk.blocks);
    other.shared = io->bulk.cluster[there];
    status = memory_need(other.shared, WSIM_SHARED, diag);
    if (status)
        return status;
    if (flags & COPY_LOOK)
        return copy_can_complete(arch, &other, (uint64_t)bytes << (io->bulk.cta_mask >> there & 1),
                                 diag);
    copy_complete(&other, bytes);
    return WSIM_OK;
}

static enum wsim_status load(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t flags,
                             const struct wsim_io *io, struct wsim_bulk_result *result,
                             struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    struct wsim_io there = *io;
    for (unsigned r = 0; io->bulk.cta_mask >> r && !status; r++) {
        if (!(io->bulk.cta_mask >> r & 1))
            continue;
        there.shared = io->bulk.cluster[r];
        there.bulk.has_barrier = io->bulk.has_barrier && counting(op, io, r) == r;
        *result = (struct wsim_bulk_result){0, 0, 0, 0};
        status = op->q[PLACE_DIMENSIONS] ? copy_tensor(op, arch, flags, &there, result, diag)
                                         : copy_plain(op, arch, flags, &there, result, diag);
        if (!status && io->bulk.has_barrier && !there.bulk.has_barrier)
            status = count_elsewhere(arch, flags, io, counting(op, io, r), (uint32_t)result->bytes,
                                     diag);
    }
    return status;
}

/* --- from the shared memory of one block to another --- */

static enum wsim_status check_peer(const struct wsim_arch *arch, const struct wsim_io *io,
                                   const struct wsim_io *there, uint32_t bytes,
                                   struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    if (bytes)
        status = copy_check_piece("shared address", io->bulk.shared_at, diag);
    if (bytes && !status)
        status = copy_check_piece("address in the other block", io->bulk.peer_at, diag);
    if (bytes && !status)
        status = copy_check_shared(arch, io->shared, io->bulk.shared_at, bytes, 0, diag);
    if (bytes && !status)
        status = copy_check_shared(arch, there->shared, io->bulk.peer_at, bytes, 1, diag);
    if (!status)
        status = copy_can_complete(arch, there, bytes, diag);
    return status ? status : copy_spare_barrier(there, io->bulk.peer_at, bytes, diag);
}

static enum wsim_status send(const struct wsim_op *op, const struct wsim_arch *arch,
                             const struct wsim_io *io, struct wsim_bulk_result *result,
                             struct wsim_diag *diag) {
    uint32_t bytes = copy_plain_bytes(io);
    struct wsim_io there = *io;
    enum wsim_status status;
    unsigned rank = 0;
    while (!(io->bulk.cta_mask >> rank & 1))
        rank++;
    there.shared = io->bulk.cluster[rank];
    status = check_peer(arch, io, &there, bytes, diag);
    if (status)
        return status;
    if (op->q[PLACE_ATOMIC] && bytes) {
        copy_tell(io, io->shared, io->bulk.shared_at, bytes, WSIM_TOUCH_READ, WSIM_NO_LANE);
        copy_tell(io, there.shared, io->bulk.peer_at, bytes, WSIM_TOUCH_UPDATE, WSIM_NO_LANE);
        copy_combine_all(copy_operation_of(op), copy_plain_number(op),
                         memory_at(there.shared, io->bulk.peer_at),
                         memory_at(io->shared, io->bulk.shared_at), bytes);
    } else {
        copy_bytes(io, there.shared, io->bulk.peer_at, io->shared, io->bulk.shared_at, bytes);
    }
    copy_complete(&there, bytes);
    result->bytes = bytes;
    return WSIM_OK;
}

enum wsim_status copy_cluster(const struct wsim_op *op, const struct wsim_arch *arch,
                              uint32_t flags, const struct wsim_io *io,
                              struct wsim_bulk_result *result, struct wsim_diag *diag) {
    enum wsim_status status = check_blocks(io, !op->q[PLACE_MULTICAST], diag);
    if (status)
        return status;
    if (op->q[PLACE_FROM] == Q_FROM_CTA)
        return send(op, arch, io, result, diag);
    status = load(op, arch, flags | COPY_LOOK, io, result, diag);
    return status ? status : load(op, arch, flags, io, result, diag);
}
