/* bulk.h - asynchronous copies between global and shared memory: cp.async.bulk, its tensor forms,
 * reductions, and cp.async.
 *
 * A copy completes when it is issued, which is one of the orders that hardware allows. When the
 * call returns, the bytes are in place and the barrier counts them. The model has one block and
 * refuses copies that need another block of a cluster. */
#ifndef WSIM_BULK_H
#define WSIM_BULK_H

#include "banks.h"
#include "mbarrier.h"
#include "memory.h"
#include "tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The operands of one copy. Name those that it has, leave the rest zero. `shared` holds addresses
 * in the block's shared memory: swizzles and alignment go by them. Memory that a copy only reads
 * may be read-only: `global` of a load and `shared` of a store. */
struct wsim_bulk {
    const struct wsim_memory *global, *shared;
    uint32_t shared_at; /* shared address of the tile, or of the bytes                       */
    const struct wsim_tensor_map *map;    /* tensor forms                                      */
    int32_t coord[WSIM_TENSOR_RANK];      /* dimension 0 first; gather4 and scatter4: the column,
                                             then four rows                                    */
    uint16_t offset[WSIM_TENSOR_SPATIAL]; /* im2col loads: innermost spatial dimension first;
                                             docs/tma.md says how wide each is. im2col::w: the
                                             halo, then the offset of the width                */
    uint64_t global_at;                   /* other forms: global address ...                   */
    uint32_t bytes;                       /* ... and size: bits 4 to 19 count                  */
    uint16_t byte_mask;                   /* .cp_mask: bit i, byte i of every 16               */
    uint64_t barrier_at; /* loads complete their bytes on the mbarrier at this shared address ... */
    uint8_t has_barrier; /* ... if this is not 0                                               */
};

/* The effects of a copy. */
struct wsim_bulk_result {
    uint64_t bytes;   /* moved, with those out of bounds: what the barrier counts             */
    uint64_t outside; /* of them out of bounds: filled by a load, dropped by a store          */
    uint64_t padding; /* bytes past the end of dimension 0 that a store or reduction changed:
                         it works in pieces of 16 bytes                                       */
    int measured;     /* an H200 was seen to do the like; 0: as documented, or inferred       */
};

/* Executes `op` (cp.async.bulk, cp.reduce.async.bulk and their tensor forms) as `arch` does, bit
 * for bit. The call checks everything before it writes: an error leaves memory and barrier
 * unchanged. *result may be NULL. The call equals wsim_run (code.h) of a struct wsim_io with the
 * same names. Watchers see runs of bytes: the neighbours of a row, under a swizzle the pieces that
 * it moves. Source: PTX ISA 9.0, and recordings of an H200; docs/tma.md gives the source of each
 * rule.
 *
 * Errors, in the order checked. WSIM_ILLEGAL: as wsim_op_check, or not a bulk copy.
 * WSIM_UNMODELLED: more than one block. WSIM_OPERAND: memory is missing, or a window of another
 * space; the map is missing or damaged. The errors of wsim_tensor_check (the map). WSIM_UNMODELLED:
 * no measurement covers the type. WSIM_OPERAND: the map's mode or rank is not that of the
 * instruction.
 *
 * The other errors trap on hardware. WSIM_ALIGN: the shared address; without a map the global one
 * too. WSIM_OPERAND: a dimension beyond 2^31, negative coordinates of stores and reductions.
 * WSIM_ALIGN: coord[0] inside of a 16-byte piece, without interleave. WSIM_OPERAND: corners of a
 * store of pixels, a base pixel outside of its box, a reduction that the type lacks. Then, row by
 * row, WSIM_BOUNDS: an accessed byte lies outside of a window, or beyond the shared memory of
 * `arch`. WSIM_OPERAND, in the same row: the copy would write to a read-only window or over the
 * barrier. Last, those of wsim_mbarrier_complete_tx. */
WSIM_API enum wsim_status wsim_bulk_run(const struct wsim_op *op, const struct wsim_arch *arch,
                                        const struct wsim_bulk *bulk,
                                        struct wsim_bulk_result *result, struct wsim_diag *diag);

enum wsim_bulk_where { WSIM_BULK_OUTSIDE, WSIM_BULK_INSIDE, WSIM_BULK_PADDING };

/* Where a byte of a tile is. */
struct wsim_bulk_place {
    enum wsim_bulk_where where; /* in the tensor, or past the end of its row and written all the
                                   same, or filled or dropped                                 */
    uint64_t global;            /* address; not outside                                       */
    uint32_t shared;            /* address, swizzled                                          */
    int64_t coord[WSIM_TENSOR_RANK]; /* of its element, offsets added                         */
};

/* Finds byte `byte` of row `row` of the tile that the tensor copy `op` moves; memory may be
 * missing. Errors, in the order checked. Errors of wsim_bulk_run, without those of memory and
 * barrier. WSIM_ILLEGAL: a copy without a tensor. WSIM_OPERAND: no such row or byte;
 * wsim_tensor_measure reports their numbers. */
WSIM_API enum wsim_status wsim_bulk_locate(const struct wsim_op *op, const struct wsim_arch *arch,
                                           const struct wsim_bulk *bulk, uint64_t row,
                                           uint32_t byte, struct wsim_bulk_place *place,
                                           struct wsim_diag *diag);

/* Executes the cp.async `op` of a warp. Every active lane copies `copy->bytes` from global->base
 * plus its source offset to its shared address. A lane with a smaller source size copies that
 * number of bytes and fills the rest with zeros. `global` may be read-only. An error writes
 * nothing. Errors, in the order checked. WSIM_ILLEGAL: as wsim_op_check, or not cp.async.
 * WSIM_OPERAND: memory or `dst` is missing, a size that the form lacks, a source size beyond it.
 * WSIM_ALIGN. WSIM_BOUNDS: a byte outside of a window, or beyond the shared memory of `arch`.
 * WSIM_OPERAND: `shared` is read-only. WSIM_OPERAND: two lanes write the same byte. */
WSIM_API enum wsim_status wsim_copy_async(const struct wsim_op *op, const struct wsim_arch *arch,
                                          const struct wsim_copy *copy,
                                          const struct wsim_memory *global,
                                          const struct wsim_memory *shared, struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
