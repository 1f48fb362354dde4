/* init.h - WSIM_CHECK_INIT: use of bytes that nobody has written.
 *
 * Bits of global memory are those of its buffers, which last from launch to launch; of shared
 * memory they live as long as a block, of local memory as its warp. A load, or the old value of an
 * atomic, is a finding if one of its bytes was never written: so compute-sanitizer does it. Of
 * local memory it is one only if none of its bytes was, as compilers copy structs with their
 * padding; and where a register is only loaded and stored, unknown bytes go with it: to local
 * memory, where they stay unknown, or to another one, which is the finding then. */
#ifndef WSIM_WATCH_INIT_H
#define WSIM_WATCH_INIT_H

#include "../base/namespace.h"

#include "touch.h"

static inline int check_init_wanted(const struct run_launch *launch) {
    return (launch->how->checks & WSIM_CHECK_INIT) != 0;
}

/* A launch begins: if it does not look, then nobody knows afterwards what it has written, and
 * all there is counts as known from then on. */
void check_init_launch(const struct run_launch *launch);

/* Bits for a block, where they are wanted; 0: no memory. */
int check_init_make(struct run_block *block);
/* It begins: nothing in it is known. */
void check_init_begin(struct run_block *block);
void check_init_free(struct run_block *block);

/* Bits of local memory: more of it, as much as warp->local_stride will be then; bytes from .. to -
 * 1 are somebody else's from now on; all are. */
int check_init_grow(struct run_warp *warp, uint32_t stride);
void check_init_forget(struct run_warp *warp, uint32_t from, uint32_t to);
void check_init_warp(struct run_warp *warp);

/* The bits of a buffer, if somebody asks for them and not all of them are known. */
const atomic_ullong *check_init_bits(const struct run_warp *warp, const struct run_buffer *buffer);

/* An access of local memory; of shared memory of a block, from .. from + size - 1 behind its
 * beginning, or of lanes in that of the warp's own block, each in one word of bits, for a launch
 * that wants it: *told is set where something is found, and nothing is if
 * it was; and of pieces of a buffer. */
void check_init_lanes(struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access, uint32_t lanes, int *told);
void check_init_window(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, struct run_block *block, uint64_t from,
                       uint64_t size, int *told);
void check_init_local(struct run_warp *warp, const struct run_op *op,
                      const struct run_access *access);
void check_init_pieces(struct run_warp *warp, const struct run_op *op,
                       const struct run_access *access, const struct touch_memory *memory,
                       const struct touch_piece *pieces, unsigned n);

/* Registers that were loaded to be stored elsewhere are stored to shared or global memory. */
struct reach_plan;
void check_init_copied(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                       const struct reach_plan *reach, uint8_t *frame);

/* Bytes of shared memory that an instruction writes without telling run_touch: mbarrier.init. */
void check_init_shared(struct run_warp *warp, uint64_t at, uint32_t bytes);

#endif
