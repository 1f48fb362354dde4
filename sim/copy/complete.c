/* complete.c - bytes of a copy on a barrier that may not be there. */
#include "copy.h"

enum wsim_status copy_can_complete(const struct wsim_bulk *io, uint64_t bytes,
                                   struct wsim_diag *diag) {
    struct wsim_mbarrier barrier;
    if (!io->barrier)
        return WSIM_OK;
    barrier = *io->barrier;
    return wsim_mbarrier_complete_tx(&barrier, (uint32_t)bytes, diag);
}

void copy_complete(const struct wsim_bulk *io, uint64_t bytes) {
    if (io->barrier)
        wsim_mbarrier_complete_tx(io->barrier, (uint32_t)bytes, NULL);
}
