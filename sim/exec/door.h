/* door.h - the functions that rows of isa/door.def name, as a table. Only prepare.c, run.c, front.c
 * and why.c look into it; a door knows no other. */
#ifndef WSIM_EXEC_DOOR_H
#define WSIM_EXEC_DOOR_H

#include "exec.h"

struct num_watch;

/* Compiles the layouts of code->op into work_of(code)-> */
typedef enum wsim_status exec_prepare(struct wsim_code *code, struct wsim_diag *diag);

/* Executes code that was prepared for the door. Checks every operand before it writes. */
typedef enum wsim_status exec_run(const struct wsim_code *code, const struct wsim_io *io,
                                  struct wsim_diag *diag);

/* Computes the result in this row and column of the factors, reports its steps to *watch and stores
 * nothing. Checks what `run` checks, but for D. */
typedef enum wsim_status exec_explain(const struct wsim_code *code, const struct wsim_io *io,
                                      unsigned row, unsigned col, const struct num_watch *watch,
                                      struct wsim_diag *diag);

typedef enum wsim_status exec_refusal(const struct wsim_op *op, struct wsim_diag *diag);

struct exec_door {
    uint32_t needs, takes; /* bits of enum wsim_takes, beside needed registers */
    exec_prepare *prepare;
    exec_run *run;
    exec_explain *explain;
    exec_refusal *refuse;
};
extern const struct exec_door exec_doors[DOOR_COUNT];

exec_prepare product_prepare, wmma_prepare, move_prepare, exchange_prepare, bulk_prepare,
    banks_prepare;
exec_run exec_mma, exec_wgmma, exec_ldmatrix, exec_stmatrix, exec_movmatrix, exec_wmma_load,
    exec_wmma_store, exec_async, exec_bulk, umma_run;
exec_explain mma_watch, wgmma_watch, umma_watch;
exec_refusal refuse_unknown, refuse_counted, refuse_order, refuse_edit;

#endif
