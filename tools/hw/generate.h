/* generate.h - what the two halves of the generator share. */
#ifndef HW_GENERATE_H
#define HW_GENERATE_H

#include <wsim/wsim.h>

/* Bit i: `op` is legal on architecture i of the table. */
unsigned long long generate_targets(const struct wsim_op *op);

/* generate_access.c. Prints the kernels of one access each, and their list. */
void generate_accesses(void);

#endif
