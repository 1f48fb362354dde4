/* stores.h - where the stores of a kernel may go: which parameters their addresses come from. */
#ifndef WSIM_DECODE_STORES_H
#define WSIM_DECODE_STORES_H

#include "build.h"

/* Adds the stores of the function that is decoded to run_program.stores. 0: no memory. */
int stores_find(const struct run_build *build);

#endif
