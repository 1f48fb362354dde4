/* varying.h - registers whose values may differ among the lanes of a warp. */
#ifndef WSIM_DECODE_VARYING_H
#define WSIM_DECODE_VARYING_H

#include "build.h"

/* A byte for each register of the function: 1 if its lanes may differ. Sides of branches are not
 * told apart: a register with several definitions may differ although all of them are 0. The caller
 * frees it. NULL: no memory. */
uint8_t *varying_find(const struct run_build *build);

/* Whether all lanes have one value of an operand: a register, a number or an address. */
int varying_is_uniform(const struct run_build *build, const uint8_t *varying,
                       const struct ptx_operand *operand);

#endif
