/* taint.h - uninitialised bits move from register to register, and uses of them are reported. */
#ifndef WSIM_STEP_TAINT_H
#define WSIM_STEP_TAINT_H

#include "../state/taint.h"

/* Before an operation of a warp with taint: `lanes` of its group, and those whose guard holds. */
void taint_before(uint8_t *frame, const struct run_op *op, uint32_t lanes, uint32_t on,
                  struct run_warp *warp);

/* After a step that returned RUN_TAINT. */
void taint_after(const struct run_op *op, uint32_t on, struct run_warp *warp);

/* --- instructions that only compute: taint_data.c --- */

/* op->more is struct data; struct pack. */
void taint_data(uint8_t *frame, const struct run_op *op, uint32_t lanes, uint32_t on,
                struct taint_frame *mirror);
void taint_pack(const struct run_op *op, uint32_t on, struct taint_frame *mirror);

/* --- matrices, before their step and after it: matrix_*.c --- */

struct wsim_op;
void taint_mma(const struct wsim_op *instruction, const struct run_op *op,
               struct taint_frame *mirror);
void taint_exchange(const struct run_op *op, struct run_warp *warp, struct taint_frame *mirror);
void taint_fragment_load(const struct run_op *op, struct run_warp *warp,
                         struct taint_frame *mirror);
void taint_fragment_store(const struct run_op *op, struct run_warp *warp,
                          struct taint_frame *mirror);

/* --- parameters of functions: memory.c --- */

void memory_param_taint(const struct run_op *op, struct taint_frame *mirror, uint32_t lanes);

#endif
