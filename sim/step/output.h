/* output.h - what printf of a kernel writes. */
#ifndef WSIM_STEP_OUTPUT_H
#define WSIM_STEP_OUTPUT_H

#include "../state/run.h"

/* Prints for one lane: the text at the generic address `format`, its arguments packed at `values`,
 * each at a multiple of its size. *arguments: how many were printed, as printf answers; -1: no
 * text. */
enum run_next output_print(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           uint64_t format, uint64_t values, int *arguments);

/* Memory at a generic address of one lane: up to 8 bytes, or text with its end. 0: a
 * finding was made. guest.c */
int library_read(struct run_warp *warp, const struct run_op *op, unsigned lane, uint64_t at,
                 uint32_t bytes, uint64_t *value);
int library_text(struct run_warp *warp, const struct run_op *op, unsigned lane, uint64_t at,
                 char *text, size_t size);

#endif
