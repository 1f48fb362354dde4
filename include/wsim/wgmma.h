/* wgmma.h - a warpgroup multiplies matrices that lie in shared memory: descriptors and execution.
 *
 * A descriptor is 64 bits that say where a matrix lies: a start address, two byte offsets and a
 * swizzle. Any of them addresses something, and the model follows the hardware wherever it leads;
 * wsim_descriptor_advice says what is probably not meant.
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
    uint8_t base_offset;    /* 0 to 7: the pattern of the swizzle lies that many lines of 128 ...
                             * ... bytes above the multiples of its period                    */
    enum wsim_swizzle mode; /* NONE, 32B, 64B or 128B                                         */
};

/* A fragment of shared memory that a descriptor is read as. */
struct wsim_tile {
    uint16_t rows, k; /* elements; of a sparse A the k that are stored                        */
    uint8_t bits;     /* of an element: 1, 8, 16 or 32                                        */
    uint8_t mn_major; /* neighbours in memory are of different rows (a transpose immediate)   */
    const struct wsim_format *format; /* of an element                                        */
};

/* The 64 bits. Errors, in the order checked: WSIM_ALIGN (start, leading or stride is not a multiple
 * of 16, their unit), WSIM_OPERAND (one of them is beyond 262128, base_offset beyond 7, a mode that
 * wgmma has not). *bits is untouched then. */
WSIM_API enum wsim_status wsim_descriptor_encode(const struct wsim_descriptor *descriptor,
                                                 uint64_t *bits, struct wsim_diag *diag);

/* The fields of any 64 bits. WSIM_OPERAND if bits are set that mean nothing, which wgmma ignores;
 * *descriptor has the fields then too. */
WSIM_API enum wsim_status wsim_descriptor_decode(uint64_t bits, struct wsim_descriptor *descriptor,
                                                 struct wsim_diag *diag);

/* What A or B of `op` is in shared memory. Errors: as wsim_op_check without an architecture;
 * WSIM_ILLEGAL (not wgmma.mma_async; `operand` is neither A nor B), WSIM_OPERAND (mn_major, and the
 * elements are not of 16 bits). */
WSIM_API enum wsim_status wsim_wgmma_tile(const struct wsim_op *op, enum wsim_operand operand,
                                          int mn_major, struct wsim_tile *tile,
                                          struct wsim_diag *diag);

/* The address of the first byte of element (row, k), which is below tile->rows and tile->k; of an
 * element of 1 bit the byte it is in, as bit k % 8. Addresses do not wrap where the 18 bits of the
 * start end: beyond them is beyond any block.
 * Source: traces/sm_90a/wgmma.trace.zst, wgmma_sweep.trace, wgmma_odd.trace. */
WSIM_API uint32_t wsim_descriptor_address(const struct wsim_descriptor *descriptor,
                                          const struct wsim_tile *tile, unsigned row, unsigned k);

/* Steps through what is probably not meant, though it can be executed: start with *cursor = 0;
 * returns 1 and fills *advice with a sentence, or 0 when there is no more. Told are: an offset of
 * nothing where a step is taken; a stride of 16 times eight lines, bytes written as units; an
 * offset that is ignored; a start outside row 0 of the swizzle's pattern; lines that are left;
 * elements that lie over each other; addresses beyond the shared memory of `arch` (NULL: of any).
 * Steps along k inside a line are not. */
WSIM_API int wsim_descriptor_advice(const struct wsim_descriptor *descriptor,
                                    const struct wsim_tile *tile, const struct wsim_arch *arch,
                                    uint32_t *cursor, struct wsim_diag *advice);

/* A descriptor against the tensor load that filled its tile. */
struct wsim_descriptor_match {
    uint32_t elements; /* of the tile                                                             */
    uint32_t inside;   /* of them in the box of the copy, up to the first that is elsewhere       */
    uint8_t differs;   /* one is not read where the copy puts it, or the start is outside         */
    uint16_t row, k;   /* the first of those, in order of rows; inside is 0: the start is outside */
    uint32_t copied, read; /* its two addresses                                                   */
};

/* Whether `load`, a tensor load of `bulk` on `arch`, puts each element of the tile where the
 * descriptor reads it; what the box has not is not compared. Memory need not be given. If one
 * differs, *diag (may be NULL) has a sentence as wsim_descriptor_advice gives them, which one and,
 * as far as it shows, why: swizzles, rows, base offset or stride that are not those of the box.
 * Errors: those of wsim_bulk_locate (bulk.h). *match is untouched then. */
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

/* The operands of wgmma.mma_async. Name the ones it has, leave the rest zero. `d`, `c` and `a` may
 * be the same object. */
struct wsim_wgmma {
    struct wsim_group_regs *d;
    const struct wsim_group_regs *c; /* not looked at without scale_d                         */
    const struct wsim_group_regs *a; /* four registers; NULL: A is where desc_a says          */
    uint64_t desc_a, desc_b;
    const uint8_t *smem; /* the block's shared memory from address smem_base on ...           */
    uint32_t smem_base, smem_size; /* ... so many bytes of it; see below                      */
    const uint32_t *e;             /* sparse: metadata register of 128 threads                */
    unsigned selector;             /* sparse: which threads supply it                         */
    unsigned scale_d;              /* 0: D = A B, 1: D = A B + C                              */
    unsigned negate_a, negate_b;   /* 1: imm-scale is -1                                      */
    unsigned trans_a, trans_b;     /* 1: the matrix in shared memory is MN-major              */
};

/* Executes `op` as `arch` does, bit for bit. Everything is checked before anything is written.
 * Shared memory: on hardware that of the program starts at address 1024 and has the bytes that the
 * launch asks for, up to the next multiple of 128. An element past its end traps; below it lies the
 * system's KiB, which can be read and whose contents are not known. Give all of the program's bytes
 * with smem_base 1024, and what traps is WSIM_BOUNDS; give less, and it is also refused to read
 * what was not given. For descriptors that count from the start of a buffer, not from that of
 * shared memory, smem_base is 0; the buffer then lies at a multiple of 1024.
 *
 * Errors, in the order checked: WSIM_ILLEGAL (as wsim_op_check; or `op` is not wgmma.mma_async),
 * WSIM_UNMODELLED (no arithmetic for this operation on this architecture), WSIM_OPERAND (operand
 * missing; an immediate that is not 0 or 1, or that the form has not), WSIM_BOUNDS (an element
 * outside the memory given: names it and its address), WSIM_OPERAND (selector or metadata outside
 * what the ISA defines). */
WSIM_API enum wsim_status wsim_wgmma_run(const struct wsim_op *op, const struct wsim_arch *arch,
                                         const struct wsim_wgmma *io, struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
