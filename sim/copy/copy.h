/* copy.h - the steps of a copy: decoding the instruction, finding its bytes, moving them. */
#ifndef WSIM_COPY_COPY_H
#define WSIM_COPY_COPY_H

#include "../base/base.h"
#include "../isa/isa.h"
#include "../memory/memory.h"
#include "../tensor/tensor.h"

#include <wsim/bulk.h>
#include <wsim/code.h>

/* --- the doors; `op` is legal on `arch` --- */

/* Refuses a bulk copy that needs no operands to be refused; `flags` as for wsim_prepare. */
enum wsim_status copy_bulk_known(const struct wsim_op *op, uint32_t flags, struct wsim_diag *diag);

/* Executes a bulk copy that copy_bulk_known accepts; `flags` as for wsim_prepare. */
enum wsim_status copy_bulk(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t flags,
                           const struct wsim_io *io, struct wsim_diag *diag);

/* Refuses operands of a cp.async, executed or counted: addr, bytes, src_size, alignment. */
enum wsim_status copy_async_check(const struct wsim_op *op, const struct wsim_io *io,
                                  struct wsim_diag *diag);

/* Executes a cp.async; `flags` as for wsim_prepare. */
enum wsim_status copy_async(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t flags,
                            const struct wsim_io *io, struct wsim_diag *diag);

/* Adds a pending arrival to this phase only: cp.async.mbarrier.arrive without .noinc. Errors: those
 * of wsim_mbarrier_arrive; WSIM_OPERAND if the count overflows. */
enum wsim_status copy_barrier_more(const struct wsim_mbarrier *barrier, struct wsim_diag *diag);

/* --- shared memory (rules.c) --- */

/* Refuses shared bytes that are outside of the window, read-only but `written`, or beyond the
 * shared memory of an SM of `arch`. */
enum wsim_status copy_check_shared(const struct wsim_arch *arch, const struct wsim_memory *shared,
                                   uint64_t address, uint64_t bytes, int written,
                                   struct wsim_diag *diag);

enum copy_scalar {
#define SCALAR(id, value, source) COPY_##id = value,
#include "../isa/copy.def"
    COPY_SCALARS_END
};

enum copy_direction { COPY_LOAD, COPY_STORE, COPY_REDUCE };

/* --- one element onto another (reduce.c) --- */

enum copy_operation {
#define OPERATION(id, plain) COPY_##id,
#include "../isa/copy.def"
    COPY_OPERATIONS /* none */
};

enum copy_operation copy_operation_of(const struct wsim_op *op);

/* The qualifier of an operation. */
const char *copy_word(enum copy_operation operation);

/* A row of copy.def. */
struct copy_number {
    const struct wsim_format *format;
    uint8_t subnormals, nans; /* enum copy_sums */
    uint8_t rounds;           /* isa_format that a load rounds to; FORMAT_NONE: none */
    uint8_t reductions;
};

enum copy_sums { COPY_KEPT, COPY_FLUSHED, COPY_ONE, COPY_PASSED };

extern const struct copy_number copy_numbers[WSIM_TENSOR_TYPES];

/* The number format of an operation without a map, from its spelling. */
const struct copy_number *copy_plain_number(const struct wsim_op *op);

/* Reduces `bits` into the number `there`, the present content of memory. */
uint64_t copy_combine(enum copy_operation operation, const struct copy_number *number,
                      uint64_t there, uint64_t bits);

/* Reduces each number of `bytes` at `from` into the number at `to`; `bytes` holds whole numbers. */
void copy_combine_all(enum copy_operation operation, const struct copy_number *number, uint8_t *to,
                      const uint8_t *from, size_t bytes);

/* Rounds a number as a load of its type does; copy_round_all rounds all numbers of `bytes`. */
uint64_t copy_round(const struct copy_number *number, uint64_t bits);
void copy_round_all(const struct copy_number *number, uint8_t *to, const uint8_t *from,
                    size_t bytes);

/* --- the places of bytes (walk.c) --- */

/* Elements that are consecutive in shared memory. */
struct copy_row {
    int inside; /* all coordinates but the innermost are                          */
    int64_t coord[WSIM_TENSOR_RANK]; /* of its first element                           */
    uint64_t global; /* address of innermost coordinate 0, if it is inside             */
    uint64_t shared; /* bytes from the start of the tile, before the swizzle           */
};

/* Elements of a row of one kind, which are adjacent in global memory unless outside. */
struct copy_run {
    enum wsim_bulk_where where;
    uint64_t global; /* address of the first, if it is not outside                     */
    uint64_t shared; /* as of a row                                                    */
    uint32_t bytes;  /* in shared memory                                               */
    uint32_t moved;  /* in global memory: without the padding of elements              */
};

struct copy_walk {
    const struct wsim_tensor *tensor;
    const struct wsim_io *io;
    const struct wsim_arch *arch;
    const struct isa_swizzle *swizzle;
    struct wsim_tensor_tile tile;
    enum copy_direction direction;
    int gathers;      /* rows of a tile have coordinates of their own                     */
    uint32_t element; /* bytes in shared memory                                           */
    uint32_t source;  /* bytes in global memory: less if an element is padded             */
    uint32_t packed;  /* numbers of an element, which coordinates count                   */
    uint32_t number;  /* bytes of a number: an element, or a part of a slice              */
    uint32_t step;    /* of the innermost coordinate from element to element              */
    uint32_t whole;   /* a swizzle keeps aligned pieces of this many bytes; 0: no limit     */
    uint64_t end;     /* innermost coordinates from here on are not touched               */
    uint64_t row;     /* the next one                                                     */
    uint32_t pixels;  /* im2col: rows before those of the halo                            */
    uint32_t groups;  /* ... into which these fall, each with a halo                      */
    uint32_t offset[WSIM_TENSOR_SPATIAL]; /* im2col: how far from its base pixel a load fetches */
};

/* The halo of loads with a map of this mode. */
struct copy_halo {
    uint32_t groups, most;
};
extern const struct copy_halo copy_halos[WSIM_TENSOR_MODES];

void copy_begin(struct copy_walk *walk, const struct wsim_arch *arch,
                const struct wsim_tensor *tensor, const struct wsim_io *io,
                enum copy_direction direction, int gathers);

/* Finds the next row; returns 0 at the end. */
int copy_next(struct copy_walk *walk, struct copy_row *row);

/* Finds the run of `row` from element *first and advances *first; returns 0 at the end. */
int copy_run(const struct copy_walk *walk, const struct copy_row *row, uint32_t *first,
             struct copy_run *run);

/* The shared address of byte `offset` of the tile. */
uint64_t copy_shared(const struct copy_walk *walk, uint64_t offset);

/* The number of the `bytes` from byte `offset` of the tile that are consecutive at *address. */
uint32_t copy_piece(const struct copy_walk *walk, uint64_t offset, uint32_t bytes,
                    uint64_t *address);

/* --- the families --- */

enum wsim_status copy_tensor(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t flags,
                             const struct wsim_io *io, struct wsim_bulk_result *result,
                             struct wsim_diag *diag);
enum wsim_status copy_place(const struct wsim_op *op, const struct wsim_arch *arch,
                            const struct wsim_io *io, uint64_t row, uint32_t byte,
                            struct wsim_bulk_place *place, struct wsim_diag *diag);
enum wsim_status copy_plain(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t flags,
                            const struct wsim_io *io, struct wsim_bulk_result *result,
                            struct wsim_diag *diag);

/* A flag in addition to those of wsim_prepare: checks everything, moves nothing. */
#define COPY_LOOK 0x80000000u

/* Executes a copy to other blocks of a cluster (cluster.c). */
enum wsim_status copy_cluster(const struct wsim_op *op, const struct wsim_arch *arch,
                              uint32_t flags, const struct wsim_io *io,
                              struct wsim_bulk_result *result, struct wsim_diag *diag);

/* The bytes of a copy without a map (plain.c), and the check of its piece addresses. */
uint32_t copy_plain_bytes(const struct wsim_io *io);
enum wsim_status copy_check_piece(const char *what, uint64_t value, struct wsim_diag *diag);

/* --- completion: the barrier and the watchers (complete.c) --- */

/* Refuses written shared bytes that contain the barrier. */
enum wsim_status copy_spare_barrier(const struct wsim_io *io, uint64_t address, uint64_t bytes,
                                    struct wsim_diag *diag);

/* Checks that bytes can be expected (`sign` 1) or completed (-1) on a barrier (barrier.c). */
enum wsim_status copy_can_transact(const struct wsim_mbarrier *barrier, uint64_t bytes, int sign,
                                   struct wsim_diag *diag);

/* Completes `bytes` on the barrier, if any: first the check, then the update. */
enum wsim_status copy_can_complete(const struct wsim_arch *arch, const struct wsim_io *io,
                                   uint64_t bytes, struct wsim_diag *diag);
void copy_complete(const struct wsim_io *io, uint64_t bytes);

/* Reports an access to `bytes` of `memory`, by a lane or WSIM_NO_LANE, to its watcher. */
void copy_tell(const struct wsim_io *io, const struct wsim_memory *memory, uint64_t address,
               uint64_t bytes, enum wsim_touch_kind kind, unsigned lane);

/* Moves bytes from one memory to another and reports both accesses. */
void copy_bytes(const struct wsim_io *io, const struct wsim_memory *to, uint64_t to_at,
                const struct wsim_memory *from, uint64_t from_at, uint64_t bytes);

#endif
