/* code.h - a prepared instruction: what can be known before there are operands is known once.
 *
 *     struct wsim_code code;
 *     wsim_prepare(&op, arch, 0, &code, &diag);    // once
 *     wsim_run(&code, &io, &diag);                 // any number of times
 *     wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, groups, max, &cost, &diag);
 *
 * wsim_exec (exec.h), wsim_wgmma_run (wgmma.h), wsim_bulk_run and wsim_copy_async (bulk.h) and
 * wsim_banks_count ... (banks.h) are these three calls with the operands in boxes.
 */
#ifndef WSIM_CODE_H
#define WSIM_CODE_H

#include "banks.h"
#include "code_work.h"
#include "isa.h"
#include "memory.h"
#include "path.h"
#include "tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One instruction, prepared: under 1 KB. Plain data without a pointer into itself, owned by the
 * caller, may be copied, and is never written by wsim_run and wsim_cost: all threads may use the
 * same one. Make it with wsim_prepare; `op`, `arch` and `flags` are there to be read, `work` is
 * private. */
struct wsim_code {
    struct wsim_op op;
    uint32_t flags;
    const struct wsim_arch *arch;
    struct wsim_code_work work;
};

/* flags of wsim_prepare: 0, or */
#define WSIM_PLAIN 1u /* the portable path, which is the meaning                              */
/* copies to other blocks of a cluster too, which wsim_io.cluster names; without it they are refused
 * as not modelled */
#define WSIM_CLUSTER 2u
/* no path beyond enum wsim_path `path`; 0: the best that this machine has */
#define WSIM_UP_TO(path) (((uint32_t)(path) + 1u) << 4)

/* Checks what needs no operand, and compiles the layouts. Errors, in the order checked: as
 * wsim_op_check; WSIM_OPERAND (unknown flags); WSIM_UNMODELLED (the family is neither executed nor
 * counted, or there is no arithmetic for it on `arch` and nothing to count). *code is untouched
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

/* The operands of one instruction. Name the ones it has, leave the rest zero.
 *
 * A register operand is an array of pointers, one for each 32-bit register in written order, each
 * to the 32 words of its lanes: a register file is used in place. A 64-bit register is two, low
 * word first. Of a warpgroup, register r of warp w is [4 * r + w]. `d` may name the same words as
 * any input, register by register, in any order; of a warpgroup `c` only its own place, as the
 * instruction has one operand for both. Registers may not lie in the windows of memory. */
struct wsim_io {
    uint32_t *const *d;       /* result of mma, wgmma, wmma.mma, wmma.load, ldmatrix, movmatrix */
    const uint32_t *const *a; /* mma, movmatrix; wgmma: NULL if it is in shared memory          */
    const uint32_t *const *b;
    const uint32_t *const *c;
    const uint32_t *const *r;   /* source of stmatrix, wmma.store                               */
    const uint32_t *const *e;   /* sparse: metadata, one register (wgmma: of each warp)         */
    const uint32_t *const *sfa; /* block scale: scale factors, one register each                */
    const uint32_t *const *sfb;
    const uint32_t *addr;     /* 32 addresses, a lane each: rows of a matrix move, wmma (32 times
                                 the same), accesses, destinations of cp.async                   */
    const uint32_t *addr_hi;  /* their high words; NULL: zeros                                   */
    const uint32_t *src;      /* cp.async: 32 source addresses; NULL: lane l reads l * bytes
                                 behind the beginning of `global`                                */
    const uint32_t *src_hi;   /* their high words; NULL: zeros                                   */
    const uint32_t *src_size; /* cp.async: 32 sizes; NULL: all bytes are read                    */
    const struct wsim_memory *shared; /* of the block; read-only will do for what only reads     */
    const struct wsim_memory *global; /* wmma.load and wmma.store of global memory, copies; a
                                         generic address is of this if it is given, else shared  */
    uint32_t mask;     /* bit l: lane l takes part (ld st atom red, cp.async); 0: nobody          */
    uint32_t stride;   /* wmma.load, wmma.store: elements from line to line; 0: adjacent          */
    uint32_t selector; /* sparse: which lanes supply the metadata                                */
    uint32_t bid_a, tid_a, bid_b, tid_b; /* block scale: byte-id and thread-id of each           */
    uint32_t scale_d;            /* wgmma: 1: C is added; 0: D = A B                             */
    uint32_t negate_a, negate_b; /* wgmma: 1: imm-scale is -1                                    */
    uint32_t trans_a, trans_b;   /* wgmma: 1: the matrix in shared memory is MN-major            */
    uint8_t warm; /* cp.async: not 0: every line of the source is in L1                      */
    uint64_t desc_a, desc_b; /* wgmma: matrix descriptors                                        */
    uint64_t global_at;      /* bulk copies without a map                                        */
    uint64_t barrier_at;     /* bulk loads: shared address of their mbarrier ...                 */
    uint8_t has_barrier;     /* ... if this is not 0                                             */
    const struct wsim_memory *const *cluster; /* bulk copies prepared with WSIM_CLUSTER: shared
                                         memory of the blocks of a cluster, by rank, each with the
                                         addresses that the block itself has for it              */
    uint16_t blocks;    /* how many there are                                               */
    uint16_t cta_mask;  /* to block r if bit r is set: .multicast::cluster at `shared_at`, with the
                           barrier at `barrier_at` of each; from shared memory to one other block */
    uint32_t peer_at;   /* ... where in that block; its barrier is there too                      */
    uint32_t shared_at; /* bulk copies: shared address of the tile, or of the bytes         */
    uint32_t bytes;     /* cp.async: cp-size; bulk copies without a map: size               */
    uint16_t byte_mask; /* bulk copies with .cp_mask: bit i, byte i of every 16             */
    const struct wsim_tensor_map *map;    /* tensor copies                                       */
    int32_t coord[WSIM_TENSOR_RANK];      /* dimension 0 first; gather4, scatter4: the column,
                                             then four rows                                      */
    uint16_t offset[WSIM_TENSOR_SPATIAL]; /* im2col loads                                        */
    struct wsim_bulk_result *copied;      /* bulk copies: what was done; may be NULL             */
    uint32_t where; /* handed on to watchers: which instruction of the caller's this is          */
    uint16_t warp;  /* ... and which warp of the block                                           */
};

/* Executes it, bit for bit. Everything is checked before anything is written: after an error no
 * register, no byte of memory and no barrier has changed. Frames stay below 4 KB each, all together
 * below 12 KB; nothing is allocated.
 * Errors: WSIM_UNMODELLED (the family is counted only, orders what stands around it, or is
 * tensormap.replace, which wsim_tensor_replace executes), WSIM_OPERAND (an operand, one of its
 * registers or memory is missing), then those that the header of the family names (exec.h, wgmma.h,
 * bulk.h). Of shared memory, what lies beyond that of an SM of the architecture is WSIM_BOUNDS even
 * if the window is larger: on hardware it traps. */
WSIM_API enum wsim_status wsim_run(const struct wsim_code *code, const struct wsim_io *io,
                                   struct wsim_diag *diag);

/* Whether the text of the ISA allows these operands. 0: it does not, but hardware was seen to run
 * with them, and wsim_run and wsim_cost do as it does; *diag (may be NULL) says what the ISA asks
 * for. So it is with wmma.load and wmma.store of rows that are aligned to less than the fragment of
 * a lane (rows LEEWAY of sim/isa/banks.def). Operands that are refused anyway are not looked at: 1.
 * Reads addr and stride of *io. */
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
    uint8_t known;  /* 0: what lanes of a cp.async.cg cost that read is not known; the counts
                       are those of its lanes that fill with zeros                               */
    uint8_t accesses; /* of machine code: wmma.load and wmma.store up to WSIM_MAX_ACCESSES, copies
                         none, others 1                                                          */
};

/* Counts what it costs in shared memory. Writes up to `max` groups to `groups` (may be NULL if max
 * is 0). Reads addr, mask, stride, src, src_size, bytes, warm of *io, no memory. Errors:
 * WSIM_ILLEGAL (it does not access shared memory), then those of wsim_banks_count,
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

/* wsim_cost without groups, for those who ask for every access of a program: remembers in *last
 * what it answered, and knows it if the same operation comes again with the same pattern, or with
 * one that is shifted as a whole. Keep one for each instruction of the program and thread; another
 * instruction may use it, and is counted. Reads what wsim_cost reads. Errors: as wsim_cost; *cost
 * and *last are untouched then. */
WSIM_API enum wsim_status wsim_cost_again(const struct wsim_code *code, const struct wsim_io *io,
                                          enum wsim_counters counters,
                                          struct wsim_cost_pattern *last, struct wsim_cost *cost,
                                          struct wsim_diag *diag);

/* One access of machine code, as the banks see it: what lanes address. */
struct wsim_cost_access {
    uint32_t mask;             /* bit l: lane l addresses something                              */
    uint32_t addr[WSIM_LANES]; /* bytes in the shared window; 0 of the other lanes               */
    uint8_t bytes;             /* at each address                                                */
    uint8_t rows;   /* of a matrix move: so many lanes address a row each; 0: all lanes may      */
    uint8_t folds;  /* 1: lanes with the same word go together; 0: each by itself (atomics)      */
    uint8_t merged; /* a 64- or 128-bit load whose groups were merged in pairs                   */
};

/* The access that groups with `access` == `number` are of, from 0; wsim_cost says how many there
 * are. Reads what wsim_cost reads. Errors, in the order checked: WSIM_ILLEGAL (it does not access
 * shared memory, or is a copy, which goes by lanes and not by words: `worst` of its groups says
 * which), then those of wsim_banks_count and wsim_banks_fragment (banks.h), WSIM_OPERAND (`number`
 * is beyond the last). *access is untouched then. */
WSIM_API enum wsim_status wsim_cost_access(const struct wsim_code *code, const struct wsim_io *io,
                                           unsigned number, struct wsim_cost_access *access,
                                           struct wsim_diag *diag);

/* In which pass through `bank` (modulo 32) each of `lanes`, those of a group, goes: turn[l] is 1
 * for the first pass, 0 of a lane that has nothing there. Passes are distinct words in ascending
 * order, or, where the access does not fold, lanes in ascending order. Answers how many there are:
 * in `bank` of the group as many as its `ways`, in no bank more. (A pass of a compare-and-swap
 * shows as two wavefronts.) *access is as wsim_cost_access gave it. There are no errors. */
WSIM_API unsigned wsim_cost_turns(const struct wsim_cost_access *access, uint32_t lanes,
                                  unsigned bank, uint8_t turn[WSIM_LANES]);

#ifdef __cplusplus
}
#endif
#endif
