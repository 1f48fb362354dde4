/* tensor.h - tensor memory of a block (tcgen05), and the order of the accesses to it. */
#ifndef WSIM_STATE_TENSOR_H
#define WSIM_STATE_TENSOR_H

#include "op.h"

#include <wsim/code.h>
#include <wsim/umma.h>

#define RUN_TENSOR_UNIT 32 /* columns that are allocated together at least */
#define RUN_TENSOR_UNITS 16
#define RUN_TENSOR_CODES 8

enum {
    RUN_TENSOR_WARPS = 32,
    RUN_TENSOR_LANES = 128,
    RUN_TENSOR_COLUMNS = ISA_TENSOR_COLUMNS,
    RUN_TENSOR_QUARTERS = 4,
    RUN_TENSOR_BUFFERS = 5 /* collectors: of A, and four of B                                   */
};

/* The order of accesses to tensor memory. A time of 0: none. Clocks are those of the race check.
 * Warps of the pair of blocks have a name: 32 times the odd block, and the number. */
struct run_tensor_move {
    uint32_t at, clock; /* of the warp that moved                                               */
    uint8_t by;         /* number                                                               */
};
struct run_tensor_column {
    uint32_t issued; /* work of the tensor core that is not committed                           */
    uint32_t done;   /* work that was                                                           */
    uint32_t clock;  /* of the warp that issued it                                              */
    uint32_t d;      /* place and shape of the D that the last product wrote here               */
    uint8_t issuer;  /* name                                                                    */
    uint8_t work;    /* enum isa_umma_work                                                        */
    uint8_t moves;   /* a bit a move that no later work has met: 2 * quarter, + 1 for stores    */
    struct run_tensor_move move[RUN_TENSOR_QUARTERS][2]; /* [1] stores                          */
};
struct run_tensor_warp {
    uint32_t fenced, released; /* fence::after_thread_sync, fence::before_thread_sync           */
    uint32_t waited[2];
    uint32_t work[2 * RUN_TENSOR_WARPS]; /* clocks that it knew at its last fence::after: of the */
    uint32_t did[2 * RUN_TENSOR_WARPS];  /* work of each warp by name, and of the warp itself    */
};
struct run_tensor_order {
    uint32_t now;
    struct run_tensor_column column[RUN_TENSOR_COLUMNS];
    struct run_tensor_warp warp[RUN_TENSOR_WARPS];
};

/* A collector holds an operand, which is known by its descriptor or its address. */
struct run_tensor_buffer {
    uint64_t operand;
    uint8_t holds, in_tensor;
};

/* Tensor memory of a block (tcgen05), made by its first allocation. */
struct run_tensor {
    struct wsim_memory memory; /* 128 lanes of 512 words                                        */
    uint8_t owner[RUN_TENSOR_UNITS]; /* 1 + the first unit of its allocation; 0: free           */
    uint8_t relinquished;            /* the block allocates nothing any more                    */
    /* Products that were prepared: their forms and instruction descriptors. */
    struct run_tensor_code {
        struct wsim_umma form; /* blocks of 0: none */
        uint32_t idesc;
        struct wsim_code code;
    } codes[RUN_TENSOR_CODES];
    struct run_tensor_order order;
    struct run_tensor_buffer buffer[RUN_TENSOR_BUFFERS];
    uint64_t known[RUN_TENSOR_LANES][RUN_TENSOR_COLUMNS / 32]; /* a bit for each half of a word  */
    uint16_t last; /* columns of the last allocation; 0: none                                   */
    uint16_t asked[RUN_TENSOR_WARPS]; /* columns that a warp waits for                          */
    struct run_warp *warp; /* of the last allocation, and its operation                         */
    const struct run_op *op;
    uint8_t group;      /* cta_group of the kernel; 0: not known                                */
    unsigned next_code; /* the place of the next one, modulo the places                        */
};

#endif
