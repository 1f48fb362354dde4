/* quick.h - steps for frequent instructions: the same as the function of room lane, for all lanes
 * at once. */
#ifndef WSIM_STEP_QUICK_H
#define WSIM_STEP_QUICK_H

#include "../decode/plan.h"
#include "data.h"
#include "loop.h"
#include "tape.h"

/* `which` of a row of quick.def: the half of a product, or the kind of a comparison. For a shift
 * across two words it selects the effect of counts above 31. For others it is a rounding other
 * than to nearest (enum scalar_rounding). These bits add .ftz, .approx, .full,
 * .rzi, .sat. */
#define QUICK_FTZ 0x80
#define QUICK_APPROX 0x40
#define QUICK_FULL 0x20
#define QUICK_WHOLE 0x10 /* a rounding to whole numbers, and which: enum scalar_rounding */
#define QUICK_FUSES 0x04 /* an approximate quotient with a sum, a product with a power of two */
#define QUICK_SAT 0x08   /* with any of these, and alone; comparisons have none */
/* op->immediate of a comparison: what it is combined with, whether that is negated, and whether
 * there is a second result, the opposite. */
#define QUICK_WITH 3u
#define QUICK_WITH_AND 1
#define QUICK_WITH_OR 2
#define QUICK_WITH_XOR 3
#define QUICK_WITH_FLIP 4u
#define QUICK_OPPOSITE 8u
#define QUICK_LEFT_WRAP 1
#define QUICK_RIGHT_WRAP 2

/* A step for an instruction that only computes, whose operands it puts into op->at (results
 * first); NULL: there is none. It equals data_step bit for bit (tests/rows/steps). */
run_step *quick_step(struct run_plan *plan, const struct data *data);

struct reach_plan;

/* A step for a load or store, which it prepared; NULL: there is none. It equals memory_step. */
run_step *quick_memory_step(const struct run_plan *plan, const struct reach_plan *reach);

/* Steps of other instructions. quick_pack_step: mov with two registers in braces, each as wide as
 * its part, results first. quick_copy_step and quick_rows_step: cp.async and ldmatrix; `otherwise`
 * is the step that goes lane by lane. */
run_step *quick_pack_step(const struct run_plan *plan, int joins, unsigned whole_bits);
run_step *quick_copy_step(const struct run_plan *plan, run_step *otherwise);
run_step *quick_rows_step(const struct run_plan *plan, run_step *otherwise);

/* The steps after those of the rows of quick.def. */
#define QUICK_OTHERS(X)                                                                            \
    X(SELECT_16, select_16)                                                                        \
    X(SELECT_32, select_32)                                                                        \
    X(SELECT_64, select_64)                                                                        \
    X(COPY_PRED, copy_pred)                                                                        \
    X(NOT_PRED, not_pred)                                                                          \
    X(AND_PRED, and_pred)                                                                          \
    X(OR_PRED, or_pred)                                                                            \
    X(XOR_PRED, xor_pred)                                                                          \
    X(AT_GLOBAL, at_global)                                                                        \
    X(LOAD_GLOBAL_4, load_global_4)                                                                \
    X(STORE_GLOBAL_4, store_global_4)                                                              \
    X(LOAD_GLOBAL_8, load_global_8)                                                                \
    X(STORE_GLOBAL_8, store_global_8)                                                              \
    X(LOAD_SHARED_4, load_shared_4)                                                                \
    X(STORE_SHARED_4, store_shared_4)                                                              \
    X(LOAD_SHARED_8, load_shared_8)                                                                \
    X(STORE_SHARED_8, store_shared_8)                                                              \
    X(AT_SHARED, at_shared)                                                                        \
    X(AT_LOCAL, at_local)                                                                          \
    X(AT_ANY, at_any)                                                                              \
    X(AT_PARAM, at_param)                                                                          \
    X(LOAD_PARAM, load_param)                                                                      \
    X(AT_CONST, at_const)                                                                          \
    X(COPY, copy)                                                                                  \
    X(LOAD_ROWS, load_rows)                                                                        \
    X(JOIN_16, join_16)                                                                            \
    X(JOIN_32, join_32)                                                                            \
    X(SPLIT_16, split_16)                                                                          \
    X(SPLIT_32, split_32)

/* Steps by machine: one for each row of quick.def, then those of quick_body.h. */
extern run_step *const wsim_quick_plain[], *const wsim_quick_v3[], *const wsim_quick_v4[];

/* Floats of the host as steps want them: to nearest even, subnormals kept. Each thread that runs
 * steps asks for them, and gives back what it had. */
struct quick_floats {
    unsigned long long state;
};
struct quick_floats quick_floats_begin(void);
void quick_floats_end(const struct quick_floats *before);

/* The steps of quick.def for one lane, in the order of its rows; NULL: loops leave it alone. */
extern loop_one *const wsim_quick_ones[];

/* Whether the loop of an operation knows its step, and what registers that reads and writes. */
enum quick_sort {
    QUICK_UNKNOWN,
    QUICK_DATA,   /* op->more is a struct data, whose rows the step uses */
    QUICK_ACCESS, /* op->more is a struct reach_plan, likewise           */
    QUICK_JOIN,   /* of two halves to a row of *bits                     */
    QUICK_SPLIT
};
enum quick_sort quick_sort_of(const struct run_op *op, unsigned *bits);

/* Puts the rows of an instruction that only computes where its step reads them. */
void quick_move_rows(struct run_op *op, const struct data *data);

/* How a loop may execute an operation of a known step: kind, shape, bits, one. */
void quick_in_loop(const struct run_op *op, struct loop_op *in);

/* The steps of tapes on this machine, and the function that runs loops. */
run_step *const *quick_tape(void);
loop_rounds *quick_rounds(void);
extern loop_rounds *const wsim_quick_rounds_plain, *const wsim_quick_rounds_v3,
                                                       *const wsim_quick_rounds_v4;

#endif
