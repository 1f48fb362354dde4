/* contract.h - products and sums that the assembler makes one. */
#ifndef WSIM_DECODE_CONTRACT_H
#define WSIM_DECODE_CONTRACT_H

#include "build.h"

/* Finds the pairs of the function that is decoded: build->fused_with[sum] is the instruction of the
 * product that becomes part of it, + 1; of a product that goes away it is CONTRACT_GONE. Counts
 * them in the program. 0: no memory. */
int contract_find(struct run_build *build);
#define CONTRACT_GONE 0xFFFFFFFFu

/* The plan of a sum with a product. */
enum wsim_status contract_plan(struct run_plan *plan, uint32_t product);

#endif
