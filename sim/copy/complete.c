/* complete.c - reports a finished copy to its mbarrier, if any, and to watchers. */
#include "copy.h"

#include <inttypes.h>
#include <string.h>

static struct wsim_mbarrier barrier_of(const struct wsim_io *io) {
    return (struct wsim_mbarrier){io->shared, io->bulk.barrier_at, io->where, io->warp,
                                  WSIM_NO_LANE};
}

enum wsim_status copy_spare_barrier(const struct wsim_io *io, uint64_t address, uint64_t bytes,
                                    struct wsim_diag *diag) {
    int before =
        io->bulk.barrier_at - address < bytes; /* modulo 2^64, as all of this is unsigned */
    if (!io->bulk.has_barrier || !bytes ||
        !(before || address - io->bulk.barrier_at < WSIM_MBARRIER_BYTES))
        return WSIM_OK;
    return base_refuse(diag, RULE_BULK_BARRIER_OVERWRITTEN, 0,
                       "%" PRIu64 " bytes are written at shared address 0x%" PRIx64
                       ", and the barrier that counts them is at 0x%" PRIx64,
                       bytes, address, io->bulk.barrier_at);
}

enum wsim_status copy_can_complete(const struct wsim_arch *arch, const struct wsim_io *io,
                                   uint64_t bytes, struct wsim_diag *diag) {
    struct wsim_mbarrier barrier = barrier_of(io);
    enum wsim_status status = WSIM_OK;
    if (!io->bulk.has_barrier)
        return status;
    status = copy_can_transact(&barrier, bytes, -1, diag);
    return status ? status
                  : copy_check_shared(arch, io->shared, io->bulk.barrier_at, WSIM_MBARRIER_BYTES, 1,
                                      diag);
}

void copy_complete(const struct wsim_io *io, uint64_t bytes) {
    struct wsim_mbarrier barrier = barrier_of(io);
    if (io->bulk.has_barrier)
        wsim_mbarrier_complete_tx(&barrier, (uint32_t)bytes, NULL);
}

void copy_tell(const struct wsim_io *io, const struct wsim_memory *memory, uint64_t address,
               uint64_t bytes, enum wsim_touch_kind kind, unsigned lane) {
    if (memory->watch && bytes)
        memory_tell(memory, &(struct wsim_touch){address, (uint32_t)bytes, io->where, io->warp,
                                                 (uint8_t)lane, (uint8_t)kind});
}

void copy_bytes(const struct wsim_io *io, const struct wsim_memory *to, uint64_t to_at,
                const struct wsim_memory *from, uint64_t from_at, uint64_t bytes) {
    copy_tell(io, from, from_at, bytes, WSIM_TOUCH_READ, WSIM_NO_LANE);
    copy_tell(io, to, to_at, bytes, WSIM_TOUCH_WRITE, WSIM_NO_LANE);
    if (bytes)
        memmove(memory_at(to, to_at), memory_at(from, from_at), (size_t)bytes);
}
