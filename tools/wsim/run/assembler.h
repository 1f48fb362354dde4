/* assembler.h - the machine code of the PTX that runs, where ptxas and nvdisasm are installed. */
#ifndef WSIM_RUN_ASSEMBLER_H
#define WSIM_RUN_ASSEMBLER_H

#include "opened.h"

#include <wsim/harness/assembler.h>

/* Assembles the PTX of a launch file for `arch`. `which` is "none", "auto" (also NULL), or as in
 * ../common/assembler.h.
 *
 * Returns TOOL_GO and *assembly, or TOOL_USAGE after an error message about a given path. *assembly
 * is NULL without machine code: no programs, several files, a fat binary, or a failure of auto. */
int assembler_run(const struct opened *opened, const struct wsim_arch *arch, const char *which,
                  struct wsim_assembly **assembly);

#endif
