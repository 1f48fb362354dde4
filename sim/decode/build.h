/* build.h - a program while it is decoded. */
#ifndef WSIM_DECODE_BUILD_H
#define WSIM_DECODE_BUILD_H

#include "../state/module.h"
#include "decode.h"
#include "order.h"

#define NO_FUNCTION 0xFFFFFFFFu

/* Where a variable lies, for the program that is decoded. */
struct build_place {
    uint8_t named; /* shared: a function of the program names it */
    uint8_t placed;
    uint64_t at; /* shared: from the beginning of static memory; local: of the frame */
};

/* Scratch rows of one width: used again by every instruction. */
struct build_scratch {
    uint32_t at[16];
    uint32_t n, used;
};

/* Which registers each instruction reads and writes: uses.h */
struct run_uses {
    uint32_t *first, *reg;
    uint8_t *what;
    uint8_t *read; /* of each register: an instruction reads it */
};

/* The machine code of an access of shared memory (merge.h). */
struct build_merge {
    uint32_t head; /* an instruction whose access it is part of, + 1 */
    uint8_t n;     /* accesses that count here                       */
    struct {
        int32_t from; /* first byte, from the address of the instruction */
        uint8_t bytes;
        uint8_t aligned;  /* it begins at the multiple of `bytes` before it */
        uint8_t unrolled; /* several executions of the instruction share it */
    } access[RUN_JOINED];
};

struct run_build {
    struct wsim_module *module;
    const struct ptx_module *ptx;
    const struct run_planners *planners;
    struct run_program *program;
    struct wsim_diag *diag;

    /* of the program */
    struct run_op *ops;
    uint32_t *where;
    uint32_t n_ops, room_ops;
    uint32_t *function_of;      /* of the module's functions: number in the program; NO_FUNCTION */
    uint32_t room_functions;    /* of program->functions, until all are found              */
    struct build_place *places; /* of the module's variables                                */
    uint8_t *opcode_used;
    uint32_t room_codes;
    struct run_watch *watches; /* check_products.h */

    /* of the function that is decoded */
    const struct ptx_function *source;
    struct run_function *function;
    struct run_uses uses;
    uint32_t *fused_with; /* of each instruction: contract.h                                 */
    uint32_t *reciprocal; /* of each instruction: contract.h                                 */
    uint32_t *inverse;    /* of each instruction: contract.h                                 */
    uint32_t *addend;     /* of each operand: contract.h                                     */
    uint32_t *unset;      /* of each register: unset.h                                       */
    uint32_t *copies;     /* two of each instruction: contract.h                             */
    uint8_t *sums;        /* of each instruction: contract.h                                 */
    uint32_t *merge_of;   /* of each instruction: number + 1 in merges; NULL: all are as written */
    struct build_merge *merges;
    uint8_t *varying; /* of each register: varying.h; NULL: no instruction has asked        */
    uint32_t *register_at;
    uint32_t *op_of;    /* of each instruction: its first operation                         */
    uint32_t *position; /* of each instruction                                              */
    uint8_t *leads;
    struct run_graph blocks; /* a block begins where `leads` is set                          */
    uint32_t *block_of;      /* of each instruction; the memory of `blocks` too              */
    uint32_t *spins, *loads; /* before each instruction: how many wait, how many load         */
    uint32_t *home_of; /* of the function's parameters: number + 1 of its home                 */
    struct run_param *param_of; /* of the module's variables: .param of this function        */
    uint32_t frame_used;
    uint32_t carry_at; /* predicate of the condition code                                  */
    uint32_t *buckets; /* of constants: number + 1                                         */
    uint32_t n_buckets;
    struct build_scratch scratch[4]; /* 1, 32, 64, 128 bits                                  */
    uint32_t space_at, space_bytes;  /* memory of the frame that instructions share: matrix.h */
};

/* Room for a row in the frame. Rows of 0: too large. */
uint32_t build_row(struct run_build *build, unsigned bits);
/* Memory of each lane. */
struct run_param build_param(struct run_build *build, uint32_t bytes);

/* Positions, leaders and blocks of the function that is decoded. 0: no memory. */
int build_order(struct run_build *build);

/* Rows of all registers that are named. 0: no memory. allocate.c */
int build_registers(struct run_build *build, const struct run_uses *uses);

/* One more operation of instruction `where`; NULL: no memory. */
struct run_op *build_op(struct run_build *build, uint32_t where);

/* The meaning of an instruction's opcode. NULL if it is not scalar. */
const struct scalar_meaning *build_meaning(const struct run_build *build, uint32_t instruction);

#endif
