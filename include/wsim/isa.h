/* isa.h - architectures and operations: find, parse, print, check.
 *
 * An operation is one instruction spelling (`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`)
 * without operands. It is a small value owned by the caller: a row of the instruction table and
 * one chosen value for each qualifier place.
 * Source: PTX ISA 9.0; legality per target as the CUDA 13.0 assembler has it.
 */
#ifndef WSIM_ISA_H
#define WSIM_ISA_H

#include "layout.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wsim_arch; /* one row of the architecture table */

/* The architecture called `name`: "sm_90a", "90a", or an alias such as "h100", "hopper", "a100"
 * (case does not matter). NULL if there is none. */
WSIM_API const struct wsim_arch *wsim_arch_find(const char *name);

/* Finds an architecture by the name that a card or a compiler prints: "NVIDIA H100 80GB HBM3",
 * "GeForce RTX 4090", "sm-80", and nvcc's "compute_90". The maker and any words after the product
 * do not count. The result for a product has its figures, such as the number of SMs
 * (wsim_arch_product); else it is that of wsim_arch_find. */
WSIM_API const struct wsim_arch *wsim_arch_called(const char *text);

/* Architecture `index` in table order, NULL past the end. */
WSIM_API const struct wsim_arch *wsim_arch_at(size_t index);

/* "sm_90a". */
WSIM_API const char *wsim_arch_name(const struct wsim_arch *arch);

/* The architecture of the program, the runtime and the lint if the user names none. */
#define WSIM_ARCH_USUAL "sm_90a"

/* The number in the name of a target, as PTX, cubins and drivers use it: 90 of "sm_90a". 0 of a
 * text that is not "sm_" and digits. */
WSIM_API unsigned wsim_target_number(const char *target);

/* Bytes of shared memory that a block can have there at most. */
WSIM_API uint32_t wsim_arch_shared_bytes(const struct wsim_arch *arch);

/* Limits of a launch, a block, a thread or an SM. */
enum wsim_limit {
    WSIM_LIMIT_WARP_LANES,
    WSIM_LIMIT_GRID_X,
    WSIM_LIMIT_GRID_Y,
    WSIM_LIMIT_GRID_Z,
    WSIM_LIMIT_CLUSTER_BLOCKS,   /* 1: the architecture has no clusters                        */
    WSIM_LIMIT_CLUSTER_PORTABLE, /* the same on every architecture that has clusters           */
    WSIM_LIMIT_BLOCK_THREADS,
    WSIM_LIMIT_BLOCK_X,
    WSIM_LIMIT_BLOCK_Y,
    WSIM_LIMIT_BLOCK_Z,
    WSIM_LIMIT_BLOCK_BARRIERS,
    WSIM_LIMIT_BLOCK_REGISTERS,
    WSIM_LIMIT_BLOCK_SHARED,          /* bytes without opting in                               */
    WSIM_LIMIT_BLOCK_SHARED_OPTIN,    /* bytes at most; a launch takes them without opting in  */
    WSIM_LIMIT_BLOCK_SHARED_RESERVED, /* bytes that the system takes of each block beside them */
    WSIM_LIMIT_THREAD_REGISTERS,
    WSIM_LIMIT_THREAD_LOCAL, /* bytes of local memory                                 */
    WSIM_LIMIT_SM_THREADS,
    WSIM_LIMIT_SM_WARPS,
    WSIM_LIMIT_SM_BLOCKS,
    WSIM_LIMIT_SM_REGISTERS,
    WSIM_LIMIT_SM_SHARED, /* bytes                                                 */
    WSIM_LIMIT_CONSTANT,  /* bytes of .const variables                             */
    WSIM_LIMIT_HEAP,      /* bytes that malloc of kernels gives out                */
    WSIM_LIMIT_SMS,       /* of the product (wsim_arch_product): a cooperative grid fits on them */
    WSIM_LIMIT_PART_SMS,  /* SMs of the least part of a device that a green context can have */
    WSIM_LIMIT_PART_STEP, /* parts are multiples of it                                       */
    WSIM_LIMIT_MEMORY_UNIT,    /* of an H200: allocations begin at multiples, and pitched rows    */
    WSIM_LIMIT_MEMORY_SHARES,  /* of an H200: larger allocations have pages of their own          */
    WSIM_LIMIT_POOL_PIECE,     /* of an H200: pools get pieces of this size from the system       */
    WSIM_LIMIT_TENSOR_COLUMNS, /* of the tensor memory of tcgen05; 0: the architecture has none  */
    WSIM_LIMITS
};

/* A limit of `arch`; 0 for a value outside the enum. */
WSIM_API uint64_t wsim_arch_limit(const struct wsim_arch *arch, enum wsim_limit limit);

/* Figures of a product. */
enum wsim_figure {
    WSIM_FIGURE_SMS,
    WSIM_FIGURE_MEMORY,       /* bytes that the data sheet has; a driver keeps some of it */
    WSIM_FIGURE_CACHE,        /* bytes of the L2 cache                                    */
    WSIM_FIGURE_CLOCK,        /* kHz, boost                                               */
    WSIM_FIGURE_MEMORY_CLOCK, /* kHz                                                      */
    WSIM_FIGURE_BUS,          /* bits between the chip and its memory                     */
    WSIM_FIGURES
};

/* A GPU that one can buy: a row of sim/isa/product.def. */
struct wsim_product {
    const char *alias;   /* "rtx4090"; "": no public product has the architecture             */
    const char *name;    /* "NVIDIA GeForce RTX 4090", as the driver prints it                */
    const char *sources; /* of its figures, as words of product.def                           */
    uint64_t figures[WSIM_FIGURES];
    uint32_t derived; /* bit f: no source has figure f, which is that of a product near it */
};

/* The product of `arch`: that of the name in wsim_arch_called. A target alone has the one of
 * arch.def: "sm_90a" an H200. */
WSIM_API struct wsim_product wsim_arch_product(const struct wsim_arch *arch);

/* Clusters of `size` blocks that the SMs of an H200 hold at once, if an SM holds `blocks` blocks. A
 * cluster stays in one group of SMs. A product with fewer SMs holds no more than fit on them. 0:
 * `arch` has no clusters of that size. Source: cudaOccupancyMaxActiveClusters on an H200
 * (tests/unit/isa/clusters.tsv); the groups of other chips differ. */
WSIM_API uint32_t wsim_arch_clusters(const struct wsim_arch *arch, uint32_t blocks, uint32_t size);

/* The resource that limits the blocks of an SM. */
enum wsim_occupancy_limit {
    WSIM_OCCUPANCY_BLOCKS,
    WSIM_OCCUPANCY_WARPS,
    WSIM_OCCUPANCY_REGISTERS,
    WSIM_OCCUPANCY_SHARED
};

struct wsim_occupancy {
    uint32_t blocks, warps; /* of a kernel that one SM holds at once                         */
    uint32_t most_warps;    /* that it holds at most, of any kernel                          */
    enum wsim_occupancy_limit limit; /* the first that allows no more                           */
};

/* Computes the blocks of a kernel that an SM of `arch` holds at once. A block has `threads` threads
 * and `shared` bytes, static and dynamic. A thread has `registers` registers; 0: no limit. A block
 * that does not fit at all leaves 0. Errors: WSIM_OPERAND (`threads`, `registers` or `shared` are
 * beyond the limits of a block). Source: CUDA Programming Guide; cudaOccupancyMaxActiveBlocksPer-
 * Multiprocessor on an H200 (tests/unit/isa/occupancy.tsv). */
WSIM_API enum wsim_status wsim_arch_occupancy(const struct wsim_arch *arch, uint32_t threads,
                                              uint32_t registers, uint32_t shared,
                                              struct wsim_occupancy *out, struct wsim_diag *diag);

/* Alias number `index` of `arch`, of a product or a generation; NULL past the last. */
WSIM_API const char *wsim_arch_alias(const struct wsim_arch *arch, size_t index);

/* The first word, or words, of a spelling: rows of sim/isa/family.def, in their order. The fields
 * of struct wsim_op_info hold properties that families share: read those. */
enum wsim_family {
    WSIM_MMA,
    WSIM_LDMATRIX,
    WSIM_STMATRIX,
    WSIM_MOVMATRIX,
    WSIM_LD,
    WSIM_ST,
    WSIM_ATOM,
    WSIM_RED,
    WSIM_CP_ASYNC,
    WSIM_WGMMA, /* wgmma.mma_async */
    WSIM_WGMMA_FENCE,
    WSIM_WGMMA_COMMIT,
    WSIM_WGMMA_WAIT,
    WSIM_BULK, /* cp.async.bulk */
    WSIM_BULK_TENSOR,
    WSIM_BULK_REDUCE, /* cp.reduce.async.bulk */
    WSIM_BULK_REDUCE_TENSOR,
    WSIM_WMMA_LOAD_A,
    WSIM_WMMA_LOAD_B,
    WSIM_WMMA_LOAD_C,
    WSIM_WMMA_STORE,
    WSIM_WMMA,        /* wmma.mma */
    WSIM_MAP_REPLACE, /* tensormap.replace */
    WSIM_FAMILIES
};

/* The effects of an operation: bits of wsim_op_info.does. 0: wsim knows and checks the operation,
 * may count it, and does not execute it. */
enum wsim_does {
    WSIM_DOES_MULTIPLY = 1, /* D = A B + C                                                */
    WSIM_DOES_LOAD = 2,     /* memory to registers                                        */
    WSIM_DOES_STORE = 4,    /* registers to memory                                        */
    WSIM_DOES_EXCHANGE = 8, /* registers of some lanes to those of others                 */
    WSIM_DOES_COPY = 16,    /* memory to memory                                           */
    WSIM_DOES_ORDER = 32,   /* orders the operations around it: nothing to execute        */
    WSIM_DOES_EDIT = 64,    /* changes a tensor map in memory: wsim_tensor_replace        */
    WSIM_DOES_WMMA = 128    /* with fragments whose layout the ISA leaves open            */
};

/* The member of struct wsim_io (code.h) that has the operands of an operation. */
enum wsim_view {
    WSIM_VIEW_NONE,
    WSIM_VIEW_MMA,   /* io.mma: mma, wmma.mma                                               */
    WSIM_VIEW_WGMMA, /* io.wgmma                                                            */
    WSIM_VIEW_MOVE,  /* io.move: ldmatrix, stmatrix, movmatrix, wmma.load, wmma.store; for
                        wsim_cost ld, st, atom and red                                      */
    WSIM_VIEW_COPY,  /* io.copy: cp.async                                                   */
    WSIM_VIEW_BULK,  /* io.bulk: bulk copies                                                */
    WSIM_VIEW_UMMA,  /* io.umma: tcgen05.mma, prepared by wsim_umma_prepare (umma.h)       */
    WSIM_VIEWS
};

/* How the accesses of an operation to shared memory are counted. */
enum wsim_counting {
    WSIM_COUNT_NONE,     /* not at all                                                    */
    WSIM_COUNT_ACCESS,   /* an address a lane: wsim_banks_count                           */
    WSIM_COUNT_ROWS,     /* an address for each row of a matrix move: wsim_banks_count    */
    WSIM_COUNT_FRAGMENT, /* several accesses, from one address: wsim_banks_fragment       */
    WSIM_COUNT_COPY      /* two sides, two addresses a lane: wsim_banks_copy              */
};

/* Two kinds of counters measure the cost of a copy, with different numbers. One is the hardware's.
 * The other is Nsight Compute's source page, which comes from instrumented code. */
enum wsim_counters { WSIM_HARDWARE_COUNTERS, WSIM_SOURCE_PAGE };

#define WSIM_OP_PLACES 48
#define WSIM_SPELLING_MAX 192

/* An operation. Fill it with wsim_op_parse or wsim_op_next; the fields are an index into the
 * instruction table and indices of qualifiers (0: not written). */
struct wsim_op {
    uint16_t form;
    uint8_t q[WSIM_OP_PLACES];
};

/* The properties of an operation, from its row, for display and for loops over all operations. */
struct wsim_op_info {
    enum wsim_family family;
    const char *family_name;     /* "mma", "mma.sp", "mma.sp::ordered_metadata", "ldmatrix" ... */
    const char *row;             /* name of the row: "m16n8k16_f16"                      */
    const char *feature;         /* what an architecture needs to have: "ampere", "fp8" ...      */
    const char *source;          /* where the row's facts come from                              */
    uint16_t ptx;                /* first PTX version times 10: 70 is 7.0                        */
    uint16_t m, n, k;            /* mma, wgmma: the shape; moves: rows, columns and 0            */
    enum wsim_counting counting; /* how it is counted                                            */
    enum wsim_view view;         /* which operands it has                                        */
    uint8_t does;                /* bits of enum wsim_does; of wgmma `threads` is 128            */
    uint16_t operands;           /* registers it has: bit o for enum wsim_operand o              */
    uint8_t threads;             /* that execute it together: 32, wgmma: 128, bulk copies: 1     */
    uint8_t sparse;              /* A is compressed                                              */
    uint8_t selectors;           /* sparse: number of legal selectors (1, 2 or 4), else 0        */
    uint8_t matrices;            /* moves: 1, 2 or 4                                             */
    uint8_t bytes;               /* ld st atom red: bytes a lane accesses; moves: 16; cp.async: 0,
                                    an operand says it                                           */
    uint8_t sizes;               /* cp.async: the sum of the bytes a lane that it can have       */
    uint8_t documented;          /* 0: assembles, but the ISA does not have it; always refused   */
};

/* Reads `text` (a whole spelling; qualifiers in any order the assembler accepts) into *op. On any
 * error *op is all zero bytes, which is no operation. The call reads undocumented spellings that
 * assemble; wsim_op_check refuses them.
 *
 * Errors. WSIM_SYNTAX: an unknown instruction or qualifier, an empty part, or a part given twice;
 * the diag has the column. WSIM_ILLEGAL: the qualifiers are known, but no row combines them; the
 * diag names the one that fails. Both diags end with the nearest legal spelling if one is near.
 * WSIM_UNMODELLED: an instruction of PTX without rows (tcgen05, tex ...), or one that
 * wsim_scalar_parse reads (mbarrier.init, add, ld of global memory ...). */
WSIM_API enum wsim_status wsim_op_parse(const char *text, struct wsim_op *op,
                                        struct wsim_diag *diag);

/* Finds the operations that a name means: a spelling, or
 *
 *   words of one            "m16n8k16.f32.f16", "mma.m16n8k32.s8", "ldmatrix.x4.trans"
 *   an atom of CuTe         "SM80_16x8x16_F32F16F16F32_TN", "SM75_U32x4_LDSM_N",
 *                           "SM90::GMMA::MMA_64x128x16_F32F16F16_SS<...>"
 *   machine code            "HMMA.16816.F32", "LDSM.16.MT88.4", "HGMMA.64x128x16.F32"
 *
 * The result is the operations that have every word of the name and the fewest others. One type is
 * that of A and B (if no operation has that: of D). Two types are of D and of both factors, or of A
 * and B. Three are of D, A and B. C is as D unless the name has its type. Capitals do not matter in
 * words. Writes up to `max` operations to `out` (NULL if that is 0), in the order of the tables.
 * *count is the number of all, at least 1. Errors. WSIM_SYNTAX: no name of these kinds, or a word
 * that no operation has. WSIM_UNMODELLED: an atom of several instructions or of lanes, or one that
 * wsim does not model (tcgen05). WSIM_ILLEGAL: words that no operation has together. *count is 0
 * then. Source: sim/names/name.def. */
WSIM_API enum wsim_status wsim_op_find(const char *name, struct wsim_op *out, size_t max,
                                       size_t *count, struct wsim_diag *diag);

/* Where an atom of wgmma has A. */
enum wsim_atom_a { WSIM_ATOM_ANY, WSIM_ATOM_SHARED, WSIM_ATOM_REGISTERS };

/* How an atom of CuTe uses its operation; a property that the atom does not give is 0. */
struct wsim_atom {
    uint8_t times;              /* how often it is executed: 1; for complex numbers 4, or 3 of a
                                   Gauss product                                                  */
    uint8_t a_in;               /* enum wsim_atom_a: _SS or _RS                                   */
    uint8_t trans_a, trans_b;   /* GMMA::Major::MN: the immediates of wgmma                       */
    uint8_t negate_a, negate_b; /* GMMA::ScaleIn::Neg                                             */
    uint8_t selector;           /* GMMA::SparseSel                                                */
    uint8_t bytes;              /* that each lane copies: 16 of SM80_CP_ASYNC_...<uint128_t>      */
};

/* Does wsim_op_find, and reads the rest of an atom's name into *atom. For other names, *atom only
 * has times = 1. Another WSIM_SYNTAX: a template argument that the atom lacks (the diag has its
 * column). *atom is untouched on errors. Source: CUTLASS 4, include/cute/arch. */
WSIM_API enum wsim_status wsim_atom_find(const char *name, struct wsim_atom *atom,
                                         struct wsim_op *out, size_t max, size_t *count,
                                         struct wsim_diag *diag);

/* The documented operation nearest to `text`, which the diag of wsim_op_parse names: 1 and *op. 0
 * and *op all zero bytes: nothing is near. So it is for an instruction that resembles none of the
 * tables, or that is not modelled. The search keeps the types if it can, then sparsity, shape and
 * kind, then as many words as possible. */
WSIM_API int wsim_op_nearest(const char *text, struct wsim_op *op);

/* Whether `op` may be used on `arch`. The only error is WSIM_ILLEGAL. `op` did not come from
 * wsim_op_parse or wsim_op_next. `arch` is NULL. The operation is undocumented. A feature is
 * missing: the diag names it and the first architecture that has all features. */
WSIM_API enum wsim_status wsim_op_check(const struct wsim_op *op, const struct wsim_arch *arch,
                                        struct wsim_diag *diag);

/* Writes the canonical spelling of `op`, at most WSIM_SPELLING_MAX bytes with the final 0. The
 * spelling is empty if `op` did not come from wsim_op_parse or wsim_op_next. */
WSIM_API void wsim_op_spell(const struct wsim_op *op, char out[WSIM_SPELLING_MAX]);

/* Steps through every operation of the tables. Start with *op all zero bytes and *cursor = 0.
 * Returns 1 and fills *op, or 0 at the end. Each operation comes once, in its canonical spelling;
 * synonyms (.shared::cta, .rn on f64 ...) are not enumerated. Returns 0 as well if *op differs from
 * the result of the last call. */
WSIM_API int wsim_op_next(uint32_t *cursor, struct wsim_op *op);

/* The properties of `op` in the tables. All bytes, including `documented`, are zero if `op` did not
 * come from wsim_op_parse or wsim_op_next. */
WSIM_API struct wsim_op_info wsim_op_describe(const struct wsim_op *op);

/* The operands an operation can have. */
enum wsim_operand {
    WSIM_D, /* mma, ldmatrix, movmatrix result                                        */
    WSIM_A, /* mma (sparse: the compressed matrix), movmatrix source                  */
    WSIM_B,
    WSIM_C,
    WSIM_E,   /* sparse metadata: one 4-bit index pair per chunk; batch = selector      */
    WSIM_SFA, /* block scale factors; batch = thread-id + byte-id selector              */
    WSIM_SFB,
    WSIM_R, /* stmatrix source                                                        */
    WSIM_OPERANDS
};

/* "d", "a", "b", "c", "e", "sfa", "sfb", "r"; NULL for anything else. */
WSIM_API const char *wsim_operand_name(enum wsim_operand operand);

/* The layout of `operand` on `arch`. NULL: the layout of architectures since Turing (sm_75).
 * Earlier ones differ only in fragments of wmma, with the same number of registers. The layout of
 * metadata and scale factors has the places of every selector, which `batch` numbers. An element
 * that several lanes hold, as in A and B of wmma on sm_70, has several places. Errors.
 * WSIM_ILLEGAL: those of wsim_op_check, if `arch` is given, or there is no such operand.
 * WSIM_UNMODELLED: a fragment of wmma with an unpublished layout (sm_70 but for f16 of m16n16k16,
 * sm_72). *layout is untouched then. */
WSIM_API enum wsim_status wsim_op_layout(const struct wsim_op *op, const struct wsim_arch *arch,
                                         enum wsim_operand operand, struct wsim_layout *layout,
                                         struct wsim_diag *diag);

/* --- rows of memory --- */

/* The row whose address lane `lane` gives to an ldmatrix or stmatrix: its matrix (batch) and its
 * row there; col is 0. Errors. WSIM_ILLEGAL: those of wsim_op_layout, or `move` moves no rows.
 * WSIM_OPERAND: the lane gives no address. *row is untouched then. */
WSIM_API enum wsim_status wsim_move_row(const struct wsim_op *move, unsigned lane,
                                        struct wsim_coord *row, struct wsim_diag *diag);

/* The registers of an ldmatrix or stmatrix, as an operand of a product. */
struct wsim_move_fit {
    uint8_t fits;        /* each register is the one that the product has                     */
    uint8_t comparable;  /* the counts of registers go into each other, the elements are alike */
    uint8_t moves;       /* that fill one fragment: 1 or more ...                             */
    uint8_t fragments;   /* ... or how many fragments one move fills; one of both is 1        */
    uint8_t rows;        /* lanes 0 .. rows - 1 give an address                               */
    uint8_t shift;       /* bits to shift each register to the left after the move            */
    uint8_t interleaved; /* register r is of fragment r % fragments, not r / registers of one */
    uint8_t fragment[WSIM_LANES];     /* in which a row begins                               */
    struct wsim_coord at[WSIM_LANES]; /* the element of the operand that a row begins with;
                                         fragments of A are below, others beside each other  */
    /* comparable, but it does not fit: the first register element that differs. With `parted`, no
     * row of 16 bytes has this element in one piece, or begins with it. */
    uint8_t lane, reg, bit, parted;
    struct wsim_coord wants, has;
};

/* Whether the registers of `move` are those of `operand` of `op`. In memory, the matrix has the
 * neighbours of a row (by_columns 0) or of a column adjacent. `number` selects the move if several
 * fill a fragment; for a warpgroup it is the first warp. Conversely, *fit gives the places that the
 * rows need in memory. Errors, in the order checked. WSIM_ILLEGAL: those of wsim_op_layout, or
 * `move` moves no rows. WSIM_OPERAND: number. *fit is untouched then. */
WSIM_API enum wsim_status wsim_move_fits(const struct wsim_op *move, const struct wsim_op *op,
                                         enum wsim_operand operand, int by_columns, unsigned number,
                                         struct wsim_move_fit *fit, struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
