/* unset.h - registers that a function reads before it writes them. */
#ifndef WSIM_DECODE_UNSET_H
#define WSIM_DECODE_UNSET_H

#include "build.h"

/* Finds build->unset of each register: 0: on every path from the entry, the first instruction that
 * names it writes it for all lanes. So what it holds before is never seen. Others have to begin as
 * 0. If the first one is a read on every path, no execution gives it a value before: that
 * instruction, + 1. A guarded write may keep the old value, so it is no such read. 0: no memory. */
int unset_find(struct run_build *build);

/* Keeps the latter in run_function.unset, when instructions have operations. 0: no memory. */
int unset_keep(struct run_build *build);

#endif
