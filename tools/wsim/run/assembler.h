/* assembler.h - the machine code of the PTX that runs, where ptxas and nvdisasm are installed. */
#ifndef WSIM_RUN_ASSEMBLER_H
#define WSIM_RUN_ASSEMBLER_H

#include "opened.h"

#include <wsim/harness/assembler.h>

/* Assembles the PTX of a launch file for `arch`, in a temporary folder that it removes. `which`:
 * "none"; the path of ptxas, or of the folder that has it; NULL or "auto": one that is found
 * through CUDA_HOME, CUDA_PATH, the PATH, the virtual environment of Python or /usr/local/cuda.
 * nvdisasm is looked for beside ptxas first. TOOL_GO and *assembly, NULL if there is no machine
 * code: without the programs, for several files or a fat binary, or after a failure of auto.
 * TOOL_USAGE after an error message about a path that was given. */
int assembler_run(const struct opened *opened, const struct wsim_arch *arch, const char *which,
                  struct wsim_assembly **assembly);

#endif
