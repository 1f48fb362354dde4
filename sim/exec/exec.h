/* exec.h - checks and notices that doors share. */
#ifndef WSIM_EXEC_EXEC_H
#define WSIM_EXEC_EXEC_H

#include "../base/base.h"
#include "../isa/isa.h"
#include "../memory/memory.h"
#include "work.h"

/* The nibbles of metadata that are defined for a sparse operation: bit n, nibble n. */
unsigned exec_valid_nibbles(const struct wsim_op *op);

/* Refuses flags that wsim_prepare does not know. */
enum wsim_status exec_check_flags(uint32_t flags, struct wsim_diag *diag);

/* Refuses a NULL operand by name. */
enum wsim_status exec_need(const void *operand, const char *name, struct wsim_diag *diag);

/* Refuses `count` registers if one of them is missing. */
enum wsim_status exec_refuse_regs(const void *regs, unsigned count, const char *name,
                                  struct wsim_diag *diag);
static inline enum wsim_status exec_need_regs(const void *regs, unsigned count, const char *name,
                                              struct wsim_diag *diag) {
    const uint32_t *const *each = regs;
    unsigned there = 0;
    /* Four at a time, as far as there are: most of what calling takes is this. */
    while (each && there + 4 <= count && each[there] && each[there + 1] && each[there + 2] &&
           each[there + 3])
        there += 4;
    while (each && there < count && each[there])
        there++;
    return each && there == count ? WSIM_OK : exec_refuse_regs(regs, count, name, diag);
}

/* Refuses bytes of shared memory outside of the window, bytes written through a read-only window,
 * and bytes past the shared memory of the architecture. */
enum wsim_status exec_check_shared(const struct wsim_code *code, const struct wsim_memory *shared,
                                   uint64_t address, uint64_t bytes, int written,
                                   struct wsim_diag *diag);

/* The rows that stmatrix stores, in the order of their addresses. */
void exec_stored_rows(const struct wsim_code *code, const uint32_t *const *r,
                      uint8_t rows[WSIM_LANES][ISA_ROW_BYTES]);

/* Reports an access to the listener. `lane` may be WSIM_NO_LANE. */
static inline void exec_tell(const struct wsim_io *io, const struct wsim_memory *memory,
                             uint64_t address, unsigned bytes, unsigned lane,
                             enum wsim_touch_kind kind) {
    if (memory->watch) {
        struct wsim_touch touch = {address,  bytes,         io->where,
                                   io->warp, (uint8_t)lane, (uint8_t)kind};
        memory_tell(memory, &touch);
    }
}

#endif
