/* contract.h - products and sums that the assembler makes one. */
#ifndef WSIM_DECODE_CONTRACT_H
#define WSIM_DECODE_CONTRACT_H

#include "build.h"

/* Finds the pairs of the function that is decoded and counts them in the program.
 * build->fused_with[sum] is the instruction of the fused product, + 1. For a product that
 * disappears it is CONTRACT_GONE. Returns 0 without memory. */
int contract_find(struct run_build *build);
#define CONTRACT_GONE 0xFFFFFFFFu

/* The plan of a sum with a product. */
enum wsim_status contract_plan(struct run_plan *plan, uint32_t product);

#endif
