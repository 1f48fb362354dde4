/* program.h - a decoded kernel and what it calls: functions, their constants and registers,
 * accesses that the assembler joins. Nothing changes it after decoding. */
#ifndef WSIM_STATE_PROGRAM_H
#define WSIM_STATE_PROGRAM_H

#include "op.h"

/* A parameter or a result of a function. If `bits` is 0 it is memory: lane l has `stride` bytes of
 * the frame from at + l * stride on. Otherwise it is a row like that of a register. */
struct run_param {
    uint32_t at, stride, bytes;
    uint8_t bits;
};

/* A parameter whose address is taken: its copy is at byte `at` of the local variables of the
 * function. */
struct run_home {
    struct run_param from;
    uint32_t at;
};

/* A constant row: the same value in all lanes, put into a frame when it is made. */
enum run_constant_kind {
    RUN_CONSTANT_NUMBER,
    RUN_CONSTANT_SYMBOL, /* the address of .global variable `symbol` of the module is added */
    RUN_CONSTANT_SHARED, /* the first address of the shared memory of the block is added  */
    RUN_CONSTANT_LOCAL   /* the address of the local variables of the frame is added        */
};
struct run_constant {
    uint32_t at;
    uint8_t bits; /* 1, 32, 64 */
    uint8_t kind; /* enum run_constant_kind */
    uint32_t symbol;
    uint64_t value;
};

/* The row of a register, which holds it after instruction first - 1 and up to instruction `last`.
 * `first` 0: always. */
struct run_register {
    uint32_t at; /* 0: the register has no row, because no operation uses it */
    uint32_t first, last;
    uint32_t definition; /* 1 + the only instruction that writes it; RUN_DEFINED_TWICE; 0: none */
};
#define RUN_DEFINED_TWICE UINT32_MAX

/* A shared or local variable that a program places. */
struct run_placed {
    uint32_t variable; /* of the module                                                        */
    uint64_t at; /* from the beginning of static shared memory; in the frame of its function */
};

/* A register that every path of a function reads before an instruction writes it. */
struct run_unset {
    uint32_t reg; /* of the source                         */
    uint32_t op;  /* in run_program.ops: the first to read */
};

/* A function, decoded for one program. */
struct run_function {
    const struct ptx_function *source;
    uint32_t index;      /* in the module                                             */
    uint32_t first, ops; /* in run_program.ops                                        */
    uint32_t frame_bytes;
    uint32_t register_end;     /* registers end here, constants begin                     */
    uint32_t unset_end;        /* before: those that have to begin as 0               */
    uint32_t brief, brief_end; /* between: those that live within one basic block     */
    uint32_t local_align;
    uint32_t local_bytes;       /* a lane                                                  */
    uint32_t machine_registers; /* an estimate: decode/pressure.h                          */
    struct run_constant *constants;
    uint32_t n_constants;
    struct run_param *params, *results; /* in its own frame                           */
    struct run_home *homes;
    uint32_t n_homes;
    struct run_register *registers; /* [source->n_registers]                              */
    struct run_unset *unset;        /* [n_unset], decode/unset.h                              */
    uint32_t n_unset;
};

/* An access of shared memory that is another one in machine code. */
enum { RUN_JOINED = 4 };
struct run_merged {
    uint32_t written; /* plan_code + 1 of the access as the PTX has it; 0: its counts are unknown */
    uint32_t function;   /* number in the program   */
    uint32_t line, head; /* of the PTX: its own, and that of an access that it is part of */
    uint8_t n; /* accesses that count here                                                 */
    struct {
        uint32_t code;             /* as `written`                                      */
        int32_t from;              /* first byte, from the address of the instruction   */
        uint8_t bytes;             /* each lane                                         */
        uint8_t aligned, unrolled; /* as of struct build_merge */
    } access[RUN_JOINED];
};

#define RUN_MERGES_LOOPS 1u   /* a loop has accesses that the assembler may join if it unrolls it */
#define RUN_MERGES_GUARDED 2u /* guarded accesses are neighbours */

#define RUN_STORES_WORDS 60u
#define RUN_STORES_ANY (UINT64_C(1) << 63)

/* A kernel and what it may call. */
struct run_program {
    const struct ptx_module *module;
    uint64_t stamp; /* of the module                                               */
    const struct ptx_function *kernel;
    struct run_op *ops;
    uint32_t n_ops;
    uint32_t *where; /* [n_ops] instruction of its function; RUN_NOWHERE: of none    */
    struct run_function *functions; /* [0] is the kernel                                        */
    uint32_t n_functions;
    uint64_t shared_bytes;   /* static                                                       */
    uint32_t shared_align;   /* of the dynamic part, which follows                           */
    uint8_t dynamic;         /* there is an extern array of shared memory                    */
    uint8_t uses_heap;       /* malloc is called                                                */
    uint8_t takes_functions; /* the address of one is taken                                     */
    uint8_t grids;           /* the barrier of a cooperative launch is asked for                 */
    uint8_t reduces;         /* a bulk copy reduces into global memory                          */
    uint8_t exports;         /* a bulk copy writes global memory                                */
    uint8_t approximate, clock, order; /* as struct wsim_totals                                 */
    uint8_t scratch;                   /* it asks for %reserved_smem_offset_1 */
    uint8_t queues;        /* asynchronous work that it may issue: a bit per enum sync_queue      */
    uint8_t tensor_fences; /* it has a tcgen05.fence                                            */
    uint8_t tensor_waits;  /* it has a tcgen05.wait::ld                                         */
    uint8_t asks_canceled; /* it has a query_cancel.is_canceled                                 */
    uint8_t relaxes;       /* it has an operation of mbarriers that orders nothing              */
    uint8_t arrives;       /* lanes release one by one: mbarrier.arrive, st.release and so on   */
    uint8_t fences;        /* it has a fence of threads                                         */
    uint8_t flags;         /* a strong write of shared memory that is no release                */
    uint8_t copies;        /* it has cp.async                                                     */
    uint8_t narrows;       /* an access has the scope .cta                                        */
    uint8_t waits_grids;   /* it has a griddepcontrol.wait                                      */
    uint16_t most_registers; /* that a setmaxnreg names; 0: it has none                         */
    uint8_t acquires;        /* a block may see what another one has done: loads that are not weak,
                                atomics that return the old value                              */
    uint64_t stores; /* words of its parameters that addresses of stores to global memory may
                        come from, a bit each; RUN_STORES_ANY: not known (decode/stores.h) */
    uint8_t cancels; /* it cancels blocks: which ones depends on the order of all         */
    uint8_t listens; /* the same of a warp, in shared memory too; atomics whose result is read */
    const struct wsim_scalar *again; /* the first operation with a further source (scalar.def)  */
    uint32_t contractible;
    struct run_placed
        *placed; /* [n_placed] shared and local variables, in the order of the module */
    uint32_t n_placed;
    struct run_merged *merged; /* [n_merged] accesses of shared memory that count as part of one */
    uint32_t n_merged;
    uint8_t assembled; /* as struct wsim_kernel_info                                          */
    uint8_t unrolls;   /* as struct wsim_totals: a sum of RUN_MERGES_...                      */
    uint32_t problems; /* things that are not modelled: nothing of it may run           */
    const struct wsim_op **codes; /* [n_codes] operations that are prepared for a device */
    uint32_t n_codes;
    uint32_t *opcodes; /* [n_opcodes] opcodes of the module that occur in it               */
    uint32_t n_opcodes;
    struct run_watch **watches; /* [n_ops] of registers of wgmma (check_products.h); NULL: none */
    uint32_t n_watched;         /* registers */
    struct run_poll *polls;     /* loops that wait for a value (polls.h); NULL: none            */
};
#define RUN_NOWHERE 0xFFFFFFFFu

/* The function that an operation belongs to, and its instruction (NULL: an operation that the
 * engine put in). */
const struct run_function *run_function_of(const struct run_program *program, uint32_t op);
const struct ptx_instruction *run_instruction_of(const struct run_program *program, uint32_t op);

#endif
