/* code.h - prepared instructions: the one way to execute and to count. wsim_prepare computes once
 * everything that needs no operand.
 *
 *     struct wsim_code code;
 *     wsim_prepare(&op, arch, 0, &code, &diag);    // once
 *     wsim_run(&code, &io, &diag);                 // any number of times
 *     wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, groups, max, &cost, &diag);
 *
 * Conveniences for single calls, with the operands in boxes: wsim_exec (exec.h), wsim_wgmma_run
 * (wgmma.h), wsim_bulk_run (bulk.h), wsim_banks_count ... (banks.h). */
#ifndef WSIM_CODE_H
#define WSIM_CODE_H

#include "banks.h"
#include "isa.h"
#include "memory.h"
#include "path.h"
#include "tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_CODE_WORK 1472 /* bytes; some are spare, so that later instructions find room */

/* One instruction, prepared: 1.5 KB. Plain data without a pointer into itself; the caller owns it
 * and may copy it. wsim_run and wsim_cost never write it, so all threads may use the same one.
 * wsim_prepare makes it; `op`, `arch` and `flags` may be read, `work` is private.
 *
 * tcgen05.mma takes its types from a register, an instruction descriptor. wsim_umma_prepare
 * (umma.h) prepares it from its form and that value. The result is such a struct too, without an
 * `op`; a caller keeps one for each pair. */
struct wsim_code {
    struct wsim_op op;
    uint32_t flags;
    const struct wsim_arch *arch;
    uint8_t work[WSIM_CODE_WORK];
};

/* flags of wsim_prepare: 0, or */
#define WSIM_PLAIN 1u /* the portable path, which is the meaning                              */
/* copies to other blocks of a cluster too, which wsim_io.cluster names; without it they are refused
 * as not modelled */
#define WSIM_CLUSTER 2u
/* no path beyond enum wsim_path `path`; 0: the best that this machine has */
#define WSIM_UP_TO(path) (((uint32_t)(path) + 1u) << 4)

/* Checks everything that needs no operand, and compiles the layouts. Errors, in the order checked.
 * As wsim_op_check. WSIM_OPERAND: unknown flags. WSIM_UNMODELLED: wsim neither executes nor counts
 * the family, or has no arithmetic for it on `arch` and nothing to count. *code is untouched
 * then. */
WSIM_API enum wsim_status wsim_prepare(const struct wsim_op *op, const struct wsim_arch *arch,
                                       uint32_t flags, struct wsim_code *code,
                                       struct wsim_diag *diag);

/* The path on which wsim_run computes the product; the plain one where there is none. Instructions
 * for which the best path has no kernel are on a lower one. */
WSIM_API enum wsim_path wsim_code_path(const struct wsim_code *code);

/* The name of the class of its kernel ("half", "wide" ...: docs/performance.md); NULL: the plain
 * path. */
WSIM_API const char *wsim_code_kernel(const struct wsim_code *code);

/* Operands come in views, one struct for instructions with the same kinds of operands (enum
 * wsim_view, isa.h).
 *
 * A register operand is an array of pointers, one for each 32-bit register in written order. Each
 * points to the 32 words of its lanes, so the register file is used in place. A 64-bit register is
 * two, low word first. In a warpgroup, register r of warp w is [4 * r + w]. */

/* `d` may name the same words as any input, register by register, in any order. */
struct wsim_io_mma {
    uint32_t *const *d;
    const uint32_t *const *a, *const *b, *const *c;
    const uint32_t *const *e;                /* sparse: metadata, one register                    */
    const uint32_t *const *sfa, *const *sfb; /* block scale: scale factors, one register each   */
    uint32_t selector;                       /* sparse: which lanes supply the metadata           */
    uint32_t bid_a, tid_a, bid_b, tid_b;     /* block scale: byte-id and thread-id of each        */
};

/* `d` and `c` may share words only in the same place: the instruction has one operand for both. */
struct wsim_io_wgmma {
    uint32_t *const *d;
    const uint32_t *const *a; /* NULL: A is in shared memory, at desc_a                         */
    const uint32_t *const *c; /* read with scale_d only                                         */
    const uint32_t *const *e; /* sparse: metadata, one register of each warp                    */
    uint64_t desc_a, desc_b;  /* matrix descriptors                                             */
    uint32_t selector;        /* sparse: which threads supply the metadata                      */
    uint32_t scale_d;         /* 1: C is added; 0: D = A B                                      */
    uint32_t negate_a, negate_b; /* 1: imm-scale is -1                                          */
    uint32_t trans_a, trans_b;   /* 1: the matrix in shared memory is MN-major                  */
};

/* tcgen05.mma. An address of tensor memory is lane << 16 | column. The word of lane l and column c
 * is at byte 4 * (512 * l + c) of its window. io.shared is that of the block, or of the even block
 * of a pair. */
struct wsim_io_umma {
    const struct wsim_memory *tensor; /* of the block, or of the even one of a pair */
    const struct wsim_memory *odd_shared, *odd_tensor; /* of the odd block of a pair           */
    uint64_t desc_a, desc_b; /* matrix descriptors                       */
    uint64_t zero_columns;   /* .ws: the zero-column mask                */
    const uint32_t *mask;    /* bit l of word w: lane 32 w + l of D stays as it is; 4 words a
                                block; NULL: none                                                  */
    uint32_t d, a;           /* addresses of tensor memory: D, A with a_in_tensor,                */
    uint32_t e, sfa, sfb; /* metadata, scale factors                                            */
    uint8_t a_in_tensor;  /* 0: A is in shared memory, at desc_a                               */
    uint8_t adds;         /* enable-input-d: D is added                                         */
    uint8_t scale_d;      /* scale-input-d: D * 2^-scale_d is, 0 to 15                         */
};

struct wsim_io_move {
    uint32_t *const *d;       /* ldmatrix, wmma.load, movmatrix                                 */
    const uint32_t *const *a; /* source of movmatrix                                            */
    const uint32_t *const *r; /* source of stmatrix, wmma.store                                 */
    const uint32_t *addr;     /* 32 addresses, a lane each: rows of a matrix move, accesses;
                                 wmma: 32 times the same                                        */
    const uint32_t *addr_hi;  /* their high words; NULL: zeros                                  */
    uint32_t mask;            /* wsim_cost: bit l: lane l takes part                            */
    uint32_t stride;          /* wmma: elements from line to line; 0: adjacent                  */
};

struct wsim_io_copy {
    const uint32_t *addr;     /* 32 destinations in shared memory                               */
    const uint32_t *addr_hi;  /* their high words; NULL: zeros                                  */
    const uint32_t *src;      /* 32 sources; NULL: lane l reads at l * bytes from the beginning
                                 of `global`                                                    */
    const uint32_t *src_hi;   /* their high words; NULL: zeros                                  */
    const uint32_t *src_size; /* 32 sizes; NULL: all bytes are read                             */
    uint32_t mask;            /* bit l: lane l takes part; 0: no lane                           */
    uint32_t bytes;           /* cp-size                                                        */
    uint8_t warm;             /* wsim_cost: not 0: every line of the source is in L1            */
};

struct wsim_io_bulk {
    const struct wsim_tensor_map *map; /* tensor copies                                       */
    struct wsim_bulk_result *copied;   /* the notices; may be NULL                          */
    const struct wsim_memory *const *cluster; /* with WSIM_CLUSTER: shared memory of the blocks
                              of the cluster, by rank, each at the addresses that the block
                              itself has for it                                                 */
    uint64_t global_at;  /* copies without a map                                              */
    uint64_t barrier_at; /* loads: shared address of the mbarrier ...                         */
    uint32_t shared_at;  /* shared address of the tile, or of the bytes                       */
    uint32_t peer_at;    /* copies to one other block: where in that block; its barrier is
                            there too                                                         */
    uint32_t bytes;      /* copies without a map: size                                        */
    uint16_t byte_mask;  /* with .cp_mask: bit i, byte i of every 16                          */
    uint16_t blocks;     /* of the cluster                                                    */
    uint16_t cta_mask;   /* to block r if bit r is set: .multicast::cluster at `shared_at`,
                            with the barrier at `barrier_at` of each; from shared memory to
                            one other block. Of .cta_group::2: to this block.                 */
    uint8_t has_barrier; /* ... if this is not 0                                              */
    uint8_t barrier_odd; /* .cta_group::2: 1: the barrier of the odd block of each pair counts
                            the bytes of both; 0: that of the even block                      */
    int32_t coord[WSIM_TENSOR_RANK];      /* dimension 0 first; gather4, scatter4: the column,
                                             then four rows                                     */
    uint16_t offset[WSIM_TENSOR_SPATIAL]; /* im2col loads                                       */
};

/* The operands of one instruction. An mma has "{.mma = {.d = d, .a = a, .b = b, .c = c}}", an
 * ldmatrix "{.shared = &shared, .move = {.d = d, .addr = rows}}".
 * Fill the view that wsim_code_operands names; views share their bytes. Leave out operands that the
 * instruction lacks. Registers may not lie in the windows of memory. */
struct wsim_io {
    const struct wsim_memory *shared; /* of the block; read-only will do for loads               */
    const struct wsim_memory *global; /* wmma.load and wmma.store of global memory, copies. A
                                         generic address is of this window if it is given, else
                                         of `shared`                                            */
    uint32_t where; /* for watchers: which instruction of the caller's this is                   */
    uint16_t warp;  /* ... and which warp of the block                                           */
    union {
        struct wsim_io_mma mma;
        struct wsim_io_wgmma wgmma;
        struct wsim_io_umma umma;
        struct wsim_io_move move;
        struct wsim_io_copy copy;
        struct wsim_io_bulk bulk;
        uint64_t room[13]; /* no view is larger */
    };
};

/* Operands: bits of wsim_code_operands.needs and .takes. Registers are bit o of enum wsim_operand
 * o.
 */
enum wsim_takes {
    WSIM_TAKES_D = 1 << WSIM_D,
    WSIM_TAKES_A = 1 << WSIM_A,
    WSIM_TAKES_B = 1 << WSIM_B,
    WSIM_TAKES_C = 1 << WSIM_C,
    WSIM_TAKES_E = 1 << WSIM_E,
    WSIM_TAKES_SFA = 1 << WSIM_SFA,
    WSIM_TAKES_SFB = 1 << WSIM_SFB,
    WSIM_TAKES_R = 1 << WSIM_R,
    WSIM_TAKES_SHARED = 1 << 8, /* io.shared, io.global                                         */
    WSIM_TAKES_GLOBAL = 1 << 9,
    WSIM_TAKES_ADDR = 1 << 10, /* addresses of lanes                                            */
    WSIM_TAKES_STRIDE = 1 << 11,
    WSIM_TAKES_MASK = 1 << 12,
    WSIM_TAKES_SELECTOR = 1 << 13, /* of metadata                                               */
    WSIM_TAKES_IDS = 1 << 14,      /* byte-ids and thread-ids                                   */
    WSIM_TAKES_DESC = 1 << 15,     /* matrix descriptors                                        */
    WSIM_TAKES_SOURCE = 1 << 16,   /* copies: addresses and sizes of sources                    */
    WSIM_TAKES_BYTES = 1 << 17,
    WSIM_TAKES_MAP = 1 << 18, /* a tensor map and coordinates                                   */
    WSIM_TAKES_BARRIER = 1 << 19
};

/* The operands of an instruction. */
struct wsim_code_operands {
    enum wsim_view view;
    uint32_t needs; /* bits of enum wsim_takes: wsim_run refuses a missing one (WSIM_OPERAND)   */
    uint32_t takes; /* these, and what may be left out                                          */
    uint16_t regs[WSIM_OPERANDS]; /* pointers that a register operand has; 0: no such operand    */
};

/* The operands of `code`; all zeros if wsim neither executes nor counts it. */
WSIM_API struct wsim_code_operands wsim_code_operands(const struct wsim_code *code);

/* Puts registers into a view, for callers that do not know the instruction. wsim_io_put puts an
 * input by its operand; 0: the view has no such operand and stays unchanged. wsim_io_put_result
 * puts the result. */
WSIM_API int wsim_io_put(struct wsim_io *io, enum wsim_view view, enum wsim_operand operand,
                         const uint32_t *const *regs);
WSIM_API int wsim_io_put_result(struct wsim_io *io, enum wsim_view view, uint32_t *const *d);

/* Executes the instruction, bit for bit. The call checks everything before it writes: an error
 * changes no register, no byte of memory and no barrier. Frames stay below 4 KB each, all together
 * below 12 KB; nothing is allocated. Errors. WSIM_UNMODELLED: the family is counted only, or orders
 * the operations around it. WSIM_UNMODELLED: tensormap.replace, which wsim_tensor_replace executes.
 * WSIM_OPERAND: an operand, one of its registers or memory is missing. Then the errors in the
 * header of the family (exec.h, wgmma.h, bulk.h). Shared memory beyond that of an SM of the
 * architecture is WSIM_BOUNDS, even in a larger window: on hardware the access traps. */
WSIM_API enum wsim_status wsim_run(const struct wsim_code *code, const struct wsim_io *io,
                                   struct wsim_diag *diag);

/* Whether the text of the ISA allows these operands. 0: it does not, but a recording shows that
 * hardware runs with them; wsim_run and wsim_cost follow the hardware. *diag (may be NULL) gives
 * the requirement of the ISA then. An example is wmma.load and wmma.store of rows that are aligned
 * to less than the fragment of a lane (rows LEEWAY of sim/isa/banks.def). The call returns 1 for
 * operands that wsim_run refuses anyway. Reads io->move. */
WSIM_API int wsim_code_documented(const struct wsim_code *code, const struct wsim_io *io,
                                  struct wsim_diag *diag);

/* Lanes that go through the banks together, and what that cost; banks.h says more of each word. */
struct wsim_cost_group {
    uint32_t lanes;     /* that take part                                                        */
    uint32_t worst;     /* copies: the lanes that set the cost                                   */
    uint8_t access;     /* wmma: which of its accesses in machine code, from 0; else 0           */
    uint8_t batch;      /* copies: cold lines come in batches, from 0; else 0                    */
    uint8_t wavefronts; /* of the group                                                          */
    uint8_t ways;   /* passes: the largest number of distinct words (atomics: lanes) in a bank */
    uint8_t bank;   /* the lowest such bank                                                  */
    uint8_t nwords; /* distinct words there; 0 of a copy                                     */
    uint32_t words[WSIM_MAX_WAYS]; /* their addresses / 4, ascending                             */
};

struct wsim_cost {
    uint32_t wavefronts, ideal, conflicts; /* sums of all groups                                 */
    uint16_t groups;                       /* how many there are                                 */
    uint8_t merged; /* a 64- or 128-bit load whose groups were merged in pairs                   */
    uint8_t known;  /* 0: the cost of lanes of a cp.async.cg that read is unknown; the counts are
                       those of its lanes that fill with zeros */
    uint8_t accesses; /* of machine code: wmma.load and wmma.store up to WSIM_MAX_ACCESSES, copies
                         none, others 1                                                          */
};

/* Counts the cost of the instruction in shared memory. Writes up to `max` groups to `groups` (may
 * be NULL if max is 0). Reads io->move (cp.async: io->copy) and no memory. Errors. WSIM_ILLEGAL:
 * the instruction does not access shared memory. Then those of wsim_banks_count,
 * wsim_banks_fragment, wsim_banks_copy (banks.h). *cost is untouched then. */
WSIM_API enum wsim_status wsim_cost(const struct wsim_code *code, const struct wsim_io *io,
                                    enum wsim_counters counters, struct wsim_cost_group *groups,
                                    size_t max, struct wsim_cost *cost, struct wsim_diag *diag);

/* A pattern of addresses and what it cost, owned by the caller; all zeros is none. Private. */
struct wsim_cost_pattern {
    struct wsim_op op;
    const struct wsim_arch *arch;
    struct wsim_cost cost;
    uint32_t lanes, stride, bytes;
    uint8_t first, counters, warm, sized;
    uint32_t addr[WSIM_LANES], src[WSIM_LANES], src_size[WSIM_LANES];
};

/* wsim_cost without groups, for callers that count every access of a program. *last keeps the last
 * pattern and its cost. If the same operation comes again with that pattern, or with that pattern
 * shifted as a whole, the call returns the kept cost. Keep one *last for each instruction of the
 * program and thread. Another instruction may use it and is counted. Reads what wsim_cost reads.
 * Errors: as wsim_cost; *cost and *last are untouched then. */
WSIM_API enum wsim_status wsim_cost_again(const struct wsim_code *code, const struct wsim_io *io,
                                          enum wsim_counters counters,
                                          struct wsim_cost_pattern *last, struct wsim_cost *cost,
                                          struct wsim_diag *diag);

/* One access of machine code, as the banks see it: what lanes address. */
struct wsim_cost_access {
    uint32_t mask;             /* bit l: lane l addresses something                              */
    uint32_t addr[WSIM_LANES]; /* bytes in the shared window; 0 of the other lanes               */
    uint8_t bytes;             /* at each address                                                */
    uint8_t rows;   /* matrix move: number of lanes that address a row each; 0: all lanes may */
    uint8_t folds;  /* 1: lanes with the same word go together; 0: each by itself (atomics)      */
    uint8_t merged; /* a 64- or 128-bit load whose groups were merged in pairs                   */
};

/* The access of the groups with `access` == `number`, from 0; wsim_cost reports the number of
 * accesses. Reads what wsim_cost reads. Errors, in the order checked. WSIM_ILLEGAL: the instruction
 * does not access shared memory. WSIM_ILLEGAL: it is a copy, which goes by lanes and not by words;
 * `worst` of its groups has the lanes. The errors of wsim_banks_count and wsim_banks_fragment
 * (banks.h). WSIM_OPERAND: `number` is beyond the last. *access is untouched then. */
WSIM_API enum wsim_status wsim_cost_access(const struct wsim_code *code, const struct wsim_io *io,
                                           unsigned number, struct wsim_cost_access *access,
                                           struct wsim_diag *diag);

/* The pass through `bank` (modulo 32) of each of `lanes`, the lanes of a group. turn[l] is 1 for
 * the first pass, 0 for a lane that has nothing there. Passes are distinct words in ascending
 * order; if the access does not fold, they are lanes in ascending order. Returns the number of
 * passes: the group's `ways` in its `bank`, and no more in any other bank. (A pass of a
 * compare-and-swap shows as two wavefronts.) *access comes from wsim_cost_access. There are no
 * errors. */
WSIM_API unsigned wsim_cost_turns(const struct wsim_cost_access *access, uint32_t lanes,
                                  unsigned bank, uint8_t turn[WSIM_LANES]);

#ifdef __cplusplus
}
#endif
#endif
