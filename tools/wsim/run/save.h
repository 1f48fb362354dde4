/* save.h - buffers that are kept in files after the last launch. */
#ifndef WSIM_RUN_SAVE_H
#define WSIM_RUN_SAVE_H

#include "machine.h"

/* Whether each file may be written: one that a launch file names lies below its folder, is reached
 * through no link, and is neither the launch file nor the PTX. TOOL_GO, or TOOL_USAGE. */
int save_check(const struct opened *opened);

int save_all(struct machine *machine);

#endif
