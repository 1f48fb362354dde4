/* wgmma.h - products of a warpgroup of matrices in shared memory: descriptors and execution.
 *
 * A descriptor is 64 bits that place a matrix: a start address, two byte offsets and a swizzle.
 * Every descriptor addresses something, and the model follows the hardware in each case.
 * wsim_descriptor_advice warns about likely mistakes.
 * Rows and k: A has m rows of k elements, B has n "rows" (columns of B) of k elements.
 * Source: PTX ISA 9.0 "Asynchronous Warpgroup Level Matrix Instructions"; recordings of an H200.
 */
#ifndef WSIM_WGMMA_H
#define WSIM_WGMMA_H

#include "isa.h"
#include "swizzle.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wsim_bulk; /* bulk.h */

/* --- descriptors --- */

/* The fields of a descriptor, in bytes. */
struct wsim_descriptor {
    uint32_t start;         /* address in the block's shared memory, a multiple of 16         */
    uint32_t leading;       /* leading dimension byte offset, a multiple of 16                */
    uint32_t stride;        /* stride dimension byte offset, a multiple of 16                 */
    uint8_t base_offset;    /* 0 to 7: the pattern of the swizzle lies this many lines of 128 ...
                             * ... bytes above the multiples of its period                    */
    enum wsim_swizzle mode; /* NONE, 32B, 64B or 128B                                         */
};

/* A fragment in shared memory that a descriptor addresses. */
struct wsim_tile {
    uint16_t rows, k; /* elements; of a sparse A the k that are stored                        */
    uint8_t bits;     /* of an element: 1, 4, 8, 16 or 32                                     */
    uint8_t mn_major; /* neighbours in memory are of different rows (a transpose immediate)   */
    const struct wsim_format *format; /* of an element                                        */
};

/* Encodes a descriptor. Errors, in the order checked, which leave *bits unchanged. WSIM_ALIGN:
 * start, leading or stride is not a multiple of 16, their unit. WSIM_OPERAND: one of them is beyond
 * 262128, base_offset is beyond 7, or wgmma lacks the mode. */
WSIM_API enum wsim_status wsim_descriptor_encode(const struct wsim_descriptor *descriptor,
                                                 uint64_t *bits, struct wsim_diag *diag);

/* Decodes any 64 bits. WSIM_OPERAND if bits without a meaning are set, which wgmma ignores;
 * *descriptor has the fields in this case too. */
WSIM_API enum wsim_status wsim_descriptor_decode(uint64_t bits, struct wsim_descriptor *descriptor,
                                                 struct wsim_diag *diag);

/* The tile of A or B of `op` in shared memory. Errors: as wsim_op_check without an architecture;
 * WSIM_ILLEGAL (not wgmma.mma_async; `operand` is neither A nor B), WSIM_OPERAND (mn_major with
 * elements other than 16 bits). */
WSIM_API enum wsim_status wsim_wgmma_tile(const struct wsim_op *op, enum wsim_operand operand,
                                          int mn_major, struct wsim_tile *tile,
                                          struct wsim_diag *diag);

/* The address of the first byte of element (row, k), below tile->rows and tile->k. An element of 1
 * bit is bit k % 8 of the byte at its address. Addresses continue past the 18 bits of the start
 * without wrapping; no block has memory there. Source: traces/sm_90a/wgmma.trace.zst,
 * wgmma_sweep.trace, wgmma_odd.trace. */
WSIM_API uint32_t wsim_descriptor_address(const struct wsim_descriptor *descriptor,
                                          const struct wsim_tile *tile, unsigned row, unsigned k);

/* Steps through the likely mistakes of a descriptor. Start with *cursor = 0. Returns 1 and fills
 * *advice with a sentence, or returns 0 at the end. It warns about an offset of 0 where a step is
 * taken, and about an offset that is ignored. It warns about a stride of 16 times eight lines,
 * which is bytes written as units. It warns about a start outside row 0 of the swizzle's pattern,
 * and about lines that are crossed. It warns about elements that overlap, and about addresses
 * beyond the shared memory of `arch` (NULL: of any). A step along k inside a line is normal. */
WSIM_API int wsim_descriptor_advice(const struct wsim_descriptor *descriptor,
                                    const struct wsim_tile *tile, const struct wsim_arch *arch,
                                    uint32_t *cursor, struct wsim_diag *advice);

/* The comparison of a descriptor with the tensor load that filled its tile. */
struct wsim_descriptor_match {
    uint32_t elements; /* of the tile                                                             */
    uint32_t inside;   /* elements in the box of the copy, up to the first difference            */
    uint8_t differs;   /* an element is read from another place, or the start is outside          */
    uint16_t row, k;   /* the first such element by rows; inside is 0: the start is outside       */
    uint32_t copied, read; /* its two addresses                                                   */
};

/* Compares a descriptor with `load`, a tensor load of `bulk` on `arch`: each element of the tile
 * must be read where the load puts it. Elements outside the box are not compared. The memory is
 * optional. For the first difference, *diag (may be NULL) has a sentence like those of
 * wsim_descriptor_advice: the element and, if it shows, the cause. Causes are a swizzle, rows, base
 * offset or stride other than those of the box. Errors, which leave *match unchanged: those of
 * wsim_bulk_locate (bulk.h). */
WSIM_API enum wsim_status
wsim_descriptor_compare(const struct wsim_descriptor *descriptor, const struct wsim_tile *tile,
                        const struct wsim_op *load, const struct wsim_arch *arch,
                        const struct wsim_bulk *bulk, struct wsim_descriptor_match *match,
                        struct wsim_diag *diag);

/* --- execution --- */

#define WSIM_GROUP_REGS 128 /* 32-bit registers of D of n = 256 */

/* The registers of one operand, in written order: r[register][thread]. */
struct wsim_group_regs {
    uint32_t r[WSIM_GROUP_REGS][WSIM_GROUP_THREADS];
};

/* The operands of wgmma.mma_async. Set those of the instruction and leave the others zero. `d`, `c`
 * and `a` may be the same object. */
struct wsim_wgmma {
    struct wsim_group_regs *d;
    const struct wsim_group_regs *c; /* ignored without scale_d                               */
    const struct wsim_group_regs *a; /* four registers; NULL: desc_a addresses A              */
    uint64_t desc_a, desc_b;
    const uint8_t *smem; /* the block's shared memory from address smem_base on ...           */
    uint32_t smem_base, smem_size; /* ... and its bytes; see below                            */
    const uint32_t *e;             /* sparse: metadata register of 128 threads                */
    unsigned selector;             /* sparse: which threads supply it                         */
    unsigned scale_d;              /* 0: D = A B, 1: D = A B + C                              */
    unsigned negate_a, negate_b;   /* 1: imm-scale is -1                                      */
    unsigned trans_a, trans_b;     /* 1: the matrix in shared memory is MN-major              */
};

/* Executes `op` as `arch` does, bit for bit. All checks come before the first write.
 *
 * On hardware, the program's shared memory begins at address 1024. It has the bytes of the launch,
 * rounded up to a multiple of 128. An element past its end traps. The KiB below belongs to the
 * system: it is readable, and its contents are unknown. With all of the program's bytes and
 * smem_base 1024, WSIM_BOUNDS means a trap. With fewer bytes, a read of the missing ones is refused
 * too. For descriptors that count from the start of a buffer, smem_base is 0, and the buffer lies
 * at a multiple of 1024.
 *
 * Errors, in the order checked. WSIM_ILLEGAL: as wsim_op_check; or `op` is not wgmma.mma_async.
 * WSIM_UNMODELLED: no arithmetic for this operation on this architecture. WSIM_OPERAND: a missing
 * operand; an immediate that is not 0 or 1, or that the form lacks. WSIM_BOUNDS: an element outside
 * the given memory; the diag has its address. WSIM_OPERAND: selector or metadata outside the
 * definition of the ISA. */
WSIM_API enum wsim_status wsim_wgmma_run(const struct wsim_op *op, const struct wsim_arch *arch,
                                         const struct wsim_wgmma *io, struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
