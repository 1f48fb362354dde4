/* lanes.h - instructions that lanes of a warp execute together, one result for each. */
#ifndef WSIM_SYNC_LANES_H
#define WSIM_SYNC_LANES_H

#include "planners.h"

struct sync_gather;

/* Operands of all lanes; what lanes hold that do not take part is not defined. */
struct sync_values {
    uint64_t a[RUN_LANES];
    uint32_t b[RUN_LANES], c[RUN_LANES];
    uint32_t d[RUN_LANES]; /* the result                */
    uint32_t p;            /* the second one, a bit each */
    uint32_t absent;       /* lanes of shfl that read from a lane that does not take part */
    uint8_t absent_from;   /* that lane, of the first of them                             */
};

/* Uninitialised bits of the operand `a`, and of results. */
struct sync_marks {
    uint64_t a[RUN_LANES];
    uint32_t d[RUN_LANES], p;
    uint32_t origin[RUN_LANES];    /* of `a`                                                */
    uint32_t result_of[RUN_LANES]; /* the origin of the results                             */
};
typedef void sync_taint(const struct sync_gather *gather, uint32_t lanes,
                        const struct sync_values *values, struct sync_marks *marks);

/* From the operands of `lanes` their results. */
typedef void sync_compute(const struct sync_gather *gather, uint32_t lanes,
                          struct sync_values *values);

/* The same for all 32 lanes, on the registers of a frame. */
typedef void sync_quick(const struct sync_gather *gather, uint8_t *frame);

/* op->more of such an instruction. */
struct sync_gather {
    sync_compute *compute;
    sync_quick *quick;                  /* NULL: there is none */
    sync_taint *taint;                  /* NULL: results are initialised */
    struct run_row d, p, a, b, c, mask; /* those that it does not have: of 0 bits              */
    uint32_t opcode;                    /* in the module: lanes that meet have the same one     */
    uint8_t what;                       /* enum scalar_shuffle, _vote, _operation               */
    uint8_t is_signed, abs, nan;
    uint8_t full; /* the mask is a constant that names all lanes                                */
    uint8_t by;   /* of shfl with constants: how far, or where all lanes read from              */
    uint8_t from[RUN_LANES];
    uint32_t inside;
    const struct wsim_format *format; /* of redux on floats, else NULL                          */
};

/* The step of all these instructions: lanes with equal member masks meet. */
run_step sync_gather;

/* Whether it is a shfl, whose lanes read where b and c say; or bar.warp.sync. lanes.c */
int sync_shuffles(const struct sync_gather *gather);
int sync_only_meets(const struct sync_gather *gather);

/* Whether an operation is a barrier of the block without a result. Sets the rows that say which
 * one, and of how many threads; of 0 bits: constants do. block.c */
int sync_bar_rows(const struct run_op *op, struct run_row rows[2]);

/* Plans one: rows that the planner has filled in, and `compute`. */
enum wsim_status sync_gather_plan(struct run_plan *plan, const struct sync_gather *gather);

#endif
