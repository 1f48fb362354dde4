/* cost.h - what accesses cost: passes through the banks of shared memory, sectors and lines of
 * global memory. Asked for by wsim_launch.count. */
#ifndef WSIM_WATCH_COST_H
#define WSIM_WATCH_COST_H

#include "../base/namespace.h"

#include <wsim/code.h>

#include "../decode/plan.h"

/* The code that counts a load, store or atomic of shared memory, for cost_access; none where its
 * counts are not known. */
enum wsim_status cost_plan(struct run_plan *plan, const char *mnemonic, unsigned bytes);

/* An access that run_reach found to be good. */
void cost_access(struct run_warp *warp, const struct run_op *op, const struct run_access *access);

/* An instruction with a code of its own (matrix moves): its addresses as `io` has them. */
void cost_code(struct run_warp *warp, const struct run_op *op, const struct wsim_code *code,
               const struct wsim_io *io);

/* A copy of lanes access->lanes from access->at to shared addresses without ranks, of `size` bytes
 * each and the rest of `bytes` zeros. */
void cost_copy(struct run_warp *warp, const struct run_op *op, const struct run_access *access,
               const uint32_t to[RUN_LANES], const uint32_t size[RUN_LANES], uint32_t bytes);

/* `n` lines of a matrix in global memory, of `bytes` each, `pitch` from one to the next: one
 * request. */
void cost_lines(struct run_warp *warp, const struct run_op *op, uint64_t at, unsigned n,
                uint64_t pitch, uint64_t bytes);

void cost_free(struct run_worker *worker);

#endif
