/* unset.h - registers that a function reads before it writes them. */
#ifndef WSIM_DECODE_UNSET_H
#define WSIM_DECODE_UNSET_H

#include "build.h"

/* Finds run_function.unset of the function whose instructions have operations. A register counts if
 * the first instruction that names it is a read on every path from the entry. Then no execution
 * gives it a value before. A guarded write may keep the old value, so it is no such read.
 * 0: no memory. */
int unset_find(struct run_build *build);

#endif
