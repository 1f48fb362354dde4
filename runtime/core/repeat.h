/* repeat.h - launches whose outcome is known.
 *
 * Benchmarks launch kernels a thousand times on the same data. A launch whose kernel, sizes and
 * parameters are those of an earlier one, and that would read the same bytes, does the same. It
 * need not run: its report is that of the earlier one, and so are the bytes that it writes.
 */
#ifndef WSIM_RUNTIME_REPEAT_H
#define WSIM_RUNTIME_REPEAT_H

#include "state.h"

/* The report of a launch that need not run, and has written its bytes; NULL: it runs. */
const struct wsim_report *repeat_begin(struct work *work);

/* A launch ran. 1: its report is kept. */
int repeat_end(struct work *work, struct wsim_report *report, int error);

/* Bytes that devices know are written by a copy or fill. */
void repeat_wrote(uint64_t address, uint64_t bytes);

/* Whether a fill would leave memory as it is; a fill was done. */
int repeat_is_filled(const struct wsimrt_fill *fill);
void repeat_filled(const struct wsimrt_fill *fill);

void repeat_free(struct repeat *repeat);

#endif
