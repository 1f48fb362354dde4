/* kernel_name.h - which kernel of a module is meant. */
#ifndef WSIM_RUN_KERNEL_NAME_H
#define WSIM_RUN_KERNEL_NAME_H

#include "place.h"

#include <wsim/kernel.h>

/* The kernel called `name` (NULL: the only one); with `partial` also the only one whose name holds
 * the words of `name` in their order, as a mangled name holds those of the function. TOOL_GO, or
 * TOOL_USAGE after saying which there are. */
int kernel_find(const struct wsim_module *module, const char *name, int partial,
                const struct place *at, const struct wsim_kernel **kernel);

#endif
