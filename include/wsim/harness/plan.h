/* plan.h - the operands of an operation, and the numbers that make its cases; the same in C and
 * CUDA. A plan is plain data from wsim_plan_make (cases.h). stream.h turns it into words.
 */
#ifndef WSIM_PLAN_H
#define WSIM_PLAN_H

#include "../both.h"

enum wsim_dist {
    WSIM_DIST_RAW, /* any bits, padding too                                                   */
    WSIM_DIST_NEAR_ONE, /* exponents about zero; integers: -2 to 2 */
    WSIM_DIST_FINITE, /* any exponent but that of infinity                                       */
    WSIM_DIST_CANCELLING, /* products in pairs of opposite sign */
    WSIM_DIST_SUBNORMAL,  /* subnormals and the least normal numbers; integers: 0 and 1  */
    WSIM_DIST_WIDE, /* exponents as far apart as alignment keeps; integers: any magnitude      */
    WSIM_DIST_SPECIALS, /* infinities, NaNs, zeros, ends of the range among ordinary numbers */
    WSIM_DIST_OVERFLOW, /* products and sums that reach the end of the range */
    WSIM_DIST_C_ALONE, /* A and B are zeros of either sign                                        */
    WSIM_DIST_NARROW,  /* one exponent                                                            */
    WSIM_DIST_ONE_HOT, /* one nonzero in each row of A                                            */
    WSIM_DIST_POSITION, /* A or B picks one row or column of the other, whose elements differ */
    WSIM_DIST_EXTREMES, /* the ends of the range, large and small */
    WSIM_DISTS
};

/* The inputs of a case, in the order of its block. */
enum wsim_input {
    WSIM_IN_A,
    WSIM_IN_B,
    WSIM_IN_C,
    WSIM_IN_E,
    WSIM_IN_SFA,
    WSIM_IN_SFB,
    WSIM_IN_PICK,
    WSIM_IN_R,
    WSIM_IN_SMEM,
    WSIM_IN_ADDR,
    WSIM_IN_HOW,      /* wmma: the stride; wgmma: descriptors and what else is chosen (enum
                         wsim_wgmma_choice) */
    WSIM_IN_MATRIX_A, /* wgmma: shared memory, first where A may lie, then where B does */
    WSIM_IN_MATRIX_B,
    WSIM_INPUTS
};

/* Registers of a window: of a matrix move, and of wmma, whose lines are further apart. */
enum { WSIM_CASE_WINDOW_ROWS = 16, WSIM_CASE_WINDOW_BYTES = WSIM_CASE_WINDOW_ROWS * 128 };
enum { WSIM_CASE_LINES_ROWS = 32, WSIM_CASE_LINES_BYTES = WSIM_CASE_LINES_ROWS * 128 };

/* Word 4 of WSIM_IN_HOW in a case of wgmma: a bit for each immediate, and one for C. Words 0 to 3
 * are the descriptors of A and B, low words first. Addresses count from the window. */
enum wsim_wgmma_choice {
    WSIM_CHOICE_REGISTERS = 1, /* A is in registers */
    WSIM_CHOICE_TRANS_A = 2,
    WSIM_CHOICE_TRANS_B = 4,
    WSIM_CHOICE_NEGATE_A = 8,
    WSIM_CHOICE_NEGATE_B = 16,
    WSIM_CHOICE_SCALE_D = 32,
    WSIM_CHOICE_WORD = 4
};

struct wsim_plan_input {
    uint16_t first, rows; /* registers of 32 words in the block of a case; 0 rows: not there  */
    uint8_t elem_bits;    /* container of one element                                         */
    uint8_t bits, pad;    /* of the value; zero bits below it                                 */
    uint8_t is_float, exp_bits, frac_bits, infinities, has_nan;
    int16_t bias;
    uint16_t extent; /* elements along k                                                      */
    uint32_t lane[WSIM_LAYOUT_LANE_BITS], elem[WSIM_LAYOUT_ELEM_BITS]; /* as wsim_layout_apply */
};

/* The tile of a descriptor: A (k: stored elements) or B. */
struct wsim_plan_tile {
    uint16_t rows, k;
    uint8_t bits; /* of an element */
};

/* The terms of wsim_swizzle_bits, in lines of `span` bytes. */
struct wsim_plan_swizzle {
    uint8_t code, span, shift[2], mask[2];
};

/* The memory of wmma.load and wmma.store: `along` lines (rows or columns) of `across` elements. */
struct wsim_plan_lines {
    uint16_t along, across;
    uint8_t bits, align; /* of an element; bytes that every line starts at a multiple of */
};

enum { WSIM_PLAN_VARIANTS = 24, WSIM_PLAN_SWIZZLES = 4 };

struct wsim_plan {
    uint64_t key; /* of the spelling                                                          */
    uint32_t in_rows, out_rows;
    uint32_t elements; /* results of a case                                                   */
    uint8_t selector, sparse, store;
    uint8_t threads; /* 32, or 128: a register is then four of a block, 32 threads each       */
    uint8_t nibbles, nibble[16];  /* sparse: the defined metadata nibbles                  */
    uint8_t bytes_a, bytes_b;     /* block scale: how many byte-ids                        */
    uint8_t threads_a, threads_b; /* ... and thread-ids                                   */
    struct wsim_plan_lines lines;
    uint8_t variants,
        variant[WSIM_PLAN_VARIANTS]; /* wgmma: the enum wsim_wgmma_choice that there is code for */
    struct wsim_plan_tile tile[2];
    struct wsim_plan_swizzle swizzle[WSIM_PLAN_SWIZZLES];
    struct wsim_plan_input input[WSIM_INPUTS];
};

WSIM_BOTH uint64_t wsim_stream_hash(uint64_t seed, uint64_t counter) {
    return wsim_hash_mix(seed + (counter + 1) * 0x9e3779b97f4a7c15u);
}

/* The numbers that make a case. */
struct wsim_case {
    uint64_t base;
    enum wsim_dist dist;
};

WSIM_BOTH struct wsim_case wsim_case_at(const struct wsim_plan *plan, uint64_t seed,
                                        uint64_t number, unsigned dist) {
    struct wsim_case c;
    c.base = wsim_stream_hash(wsim_stream_hash(wsim_stream_hash(seed, plan->key), plan->selector),
                              number);
    c.dist = (enum wsim_dist)(dist < WSIM_DISTS ? dist : number % WSIM_DISTS);
    return c;
}

/* The coordinate of an element of a lane or of a thread of a warpgroup: that of the layout. */
WSIM_BOTH uint32_t wsim_stream_coord(const struct wsim_plan_input *o, unsigned lane,
                                     unsigned elem) {
    return wsim_layout_apply(o->lane, o->elem, lane, elem);
}

#endif
