/* pressure.h - how many registers machine code would need. */
#ifndef WSIM_DECODE_PRESSURE_H
#define WSIM_DECODE_PRESSURE_H

#include "build.h"

/* Fills in function->machine_registers, an estimate. build->uses and build->blocks exist. 0: no
 * memory. */
int pressure_find(struct run_build *build);

#endif
