/* merge_machine.h - accesses of shared memory from machine code that the caller gives. */
#ifndef WSIM_DECODE_MERGE_MACHINE_H
#define WSIM_DECODE_MERGE_MACHINE_H

#include "merge_open.h"

/* Replaces what the rule found for the function that is decoded where the machine code of its
 * kernel differs. Without machine code nothing changes. 0: no memory. */
int merge_machine(struct merge_open *open);

/* Whether there is machine code of the kernel that is decoded. */
int merge_is_assembled(const struct run_build *build);

#endif
