/* matrix.h - matrix instructions and copies as steps. wsim_run executes them: here registers of a
 * frame become its operands, and addresses its windows of memory.
 *
 *     matrix_operands.c  registers, addresses, windows
 *     matrix_mma.c       mma, wmma.mma, movmatrix: registers alone
 *     matrix_move.c      ldmatrix, stmatrix, wmma.load, wmma.store
 *     matrix_group.c     wgmma.mma_async
 *     copy_async.c       cp.async
 *     move_plan.c        plans of these two, with their fast steps
 *     copy_bulk.c        cp.async.bulk, cp.reduce.async.bulk and their tensor forms
 *     copy_map.c         instructions on tensor maps; st.bulk
 *
 * op->immediate of what wsim_run executes is the number of its code. */
#ifndef WSIM_STEP_MATRIX_H
#define WSIM_STEP_MATRIX_H

#include "planners.h"
#include "../sync/sync.h"

#include <wsim/code.h>
#include <wsim/mbarrier.h>

/* --- registers --- */

#define MATRIX_REGISTERS 16 /* of an operand, as wsim_run counts them: 32 bits each */

/* An operand: rows of a frame. Rows of 64 bits are taken apart into two of 32 each before wsim_run
 * sees them, and put together afterwards. */
struct matrix_regs {
    uint8_t n;    /* rows                */
    uint8_t wide; /* they have 64 bits   */
    uint32_t at[MATRIX_REGISTERS];
};

/* The registers of operand `index`, which are `operand` of the instruction: as many as its layout
 * has. `sinks` are results that may be left out. */
enum wsim_status matrix_regs_plan(struct run_plan *plan, uint32_t index, enum wsim_operand operand,
                                  struct matrix_regs *regs);
/* The same for a longer list: at[most]. */
enum wsim_status matrix_rows_plan(struct run_plan *plan, uint32_t index, enum wsim_operand operand,
                                  unsigned most, uint32_t *at, struct matrix_regs *shape);

/* Memory of the frame for an instruction while it runs. Returns 0 without memory. */
uint32_t matrix_space(struct run_plan *plan, uint32_t bytes);

/* Pointers to rows of 32 bits. */
static inline void matrix_point(uint8_t *frame, const struct matrix_regs *regs, uint32_t **to) {
    for (unsigned i = 0; i < regs->n; i++)
        to[i] = run_words(frame, regs->at[i]);
}

/* Rows of 64 bits as twice as many in words[][RUN_LANES], to which `to` points; and back, for
 * `lanes`. */
void matrix_split(uint8_t *frame, const struct matrix_regs *regs, uint32_t *words, uint32_t **to);
void matrix_join(uint8_t *frame, const struct matrix_regs *regs, const uint32_t *words,
                 uint32_t lanes);

/* Makes op->immediate the number of the code of the instruction. */
enum wsim_status matrix_code_plan(struct run_plan *plan);

static inline const struct wsim_code *matrix_code(const struct run_warp *warp,
                                                  const struct run_op *op) {
    return warp->worker->launch->codes[op->immediate];
}

/* Allocates the data of one instruction in memory of the module. NULL sets WSIM_NO_MEMORY in
 * *status. */
void *matrix_keep(struct run_plan *plan, size_t size, enum wsim_status *status);

/* --- addresses --- */

struct matrix_address {
    struct run_row base;
    uint64_t offset;
    uint8_t space; /* enum ptx_space */
};

/* Products with one A become rows. 0: no memory. */
int matrix_join_products(struct run_build *build);

/* op->more of what moves fragments between registers and memory, and of cp.async. */
struct matrix_move {
    struct matrix_address address;
    struct matrix_regs regs;
    struct run_row stride; /* 0 bits: lines lie side by side                      */
    uint32_t space;        /* of the frame: rows of 64 bits as words              */
    uint8_t stores;
};
struct matrix_copy {
    struct matrix_address to, from;
    struct run_row size; /* src-size, or ignore-src; 0 bits: all is read          */
    uint8_t ignores;
    uint8_t turn; /* lanes go in this order (reach_turn); 0: ascending */
    uint32_t bytes;
};

/* ldmatrix and stmatrix; wmma.load and wmma.store; cp.async. Each looks at every lane. */
run_step matrix_rows_step, matrix_fragment_step, copy_async_step;

/* Report checked accesses to the listeners. matrix_rows_heard: rows of an ldmatrix; at[] counts
 * from the start of the block's shared memory. copy_async_heard: a cp.async of `lanes` to such
 * places. Lanes in `whole` read from places after `base`; the others read nothing. */
void matrix_rows_heard(const struct run_op *op, struct run_warp *warp,
                       const uint64_t at[RUN_LANES]);
void copy_async_heard(const struct run_op *op, uint32_t lanes, uint32_t whole,
                      struct run_warp *warp, const uint64_t to[RUN_LANES],
                      const struct run_buffer *buffer, uint64_t base,
                      const uint64_t from[RUN_LANES]);

/* A register, or a list of one as compilers write metadata and scale factors. */
enum wsim_status matrix_word_plan(struct run_plan *plan, uint32_t index, struct run_row *row);

/* Operand `index` in brackets, in `space`. */
enum wsim_status matrix_address_plan(struct run_plan *plan, uint32_t index, enum ptx_space space,
                                     struct matrix_address *address);

static inline uint64_t matrix_address_of(uint8_t *frame, const struct matrix_address *address,
                                         unsigned lane) {
    uint64_t at = run_get(frame, address->base, lane) + address->offset;
    return address->base.bits > 32 ? at : (uint32_t)at;
}

/* That of every lane. */
void matrix_addresses(uint8_t *frame, const struct matrix_address *address, uint64_t at[RUN_LANES]);

/* The space that PLACE_SPACE of an operation names; generic if it names none. */
enum ptx_space matrix_space_of(const struct wsim_op *op);

/* The window that holds `bytes` bytes at *at. Sets *at to the address in the window and *block to
 * the block of shared memory (may be NULL). Without such a window it reports a finding of `lane`.
 */
enum run_next matrix_window(struct run_warp *warp, const struct run_op *op, unsigned lane,
                            enum ptx_space space, uint64_t *at, uint64_t bytes,
                            struct wsim_memory *memory, const struct run_block **block);

/* The shared memory of a block without its rank. */
struct wsim_memory matrix_shared(const struct run_block *block);

/* An address of shared memory as the block itself has it without a cluster; of another block it is
 * outside of the window. */
static inline uint64_t matrix_unranked(const struct run_block *block, uint64_t at) {
    return (uint32_t)at - ((uint64_t)block->rank << RUN_RANK_SHIFT);
}

/* All global memory, for addresses that run_reach found to be good. */
struct wsim_memory matrix_global(void);

/* The threads of the host see memory that a device writes; a warp may wait for it. */
static inline void matrix_event(struct run_warp *warp) {
    warp->block->unit->events++;
}

#endif
