/* flow.h - plans of room run that others use. */
#ifndef WSIM_STEP_FLOW_H
#define WSIM_STEP_FLOW_H

#include "../decode/build.h"

/* A scratch row that an operation in front fills with a special register. special.c */
enum wsim_status special_row(struct run_plan *plan, uint32_t special, struct run_row *row);

/* Makes `op` one that reads a special register into a row. */
void special_read(struct run_plan *plan, struct run_op *op, uint32_t special, struct run_row row);

/* The special register that an operation reads; RUN_NOWHERE: it reads none. special.c */
uint32_t special_of(const struct run_op *op);

/* The clocks of the worker's units stand still until one of them has an event, or something
 * changes in the address space. */
void special_stand(struct run_worker *worker, uint64_t changes);

/* Rows that only compute. data.c; mov with braces. pack.c */
run_planner data_plan, pack_plan;

/* --- calls --- */

/* An argument or result at the place of a call: a row, or memory of each lane. */
struct call_value {
    uint8_t in_memory;
    struct run_row row;
    struct run_param param;
};
struct call_site {
    uint32_t callee; /* number in the program; CALL_INDIRECT: as `target` says       */
    struct run_row target;
    uint32_t n_args, n_results;
    struct call_value *args, *results;
};
#define CALL_INDIRECT 0xFFFFFFFFu

/* Up to 8 bytes of memory of a lane, little-endian. guest.c */
uint64_t call_get(uint8_t *frame, const struct call_value *value, unsigned lane);
void call_put(uint8_t *frame, const struct call_value *value, unsigned lane, uint64_t bits);

/* The step of ret in a function. call.c */
run_step call_return;

/* The step of a function that the device's library has; NULL: it has none of that name. Such steps
 * find a struct call_site in op->more. library.c */
run_step *library_find(const char *name);
int library_uses_heap(run_step *step); /* whether that is malloc */

/* Branches name instructions until all of them are decoded: now they name operations. flow.c */
int flow_link(struct run_build *build);

/* A function returns after its last instruction. 0: no memory. flow.c */
int flow_end(struct run_build *build);

/* The operation that a branch names after flow_link; RUN_NOWHERE: it is no branch. flow.c */
uint32_t flow_target(const struct run_op *op);

/* Whether the operation only hints. flow.c */
int flow_does_nothing(const struct run_op *op);

#endif
