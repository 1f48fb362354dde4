/* save.h - writes buffers into files after the last launch. */
#ifndef WSIM_RUN_SAVE_H
#define WSIM_RUN_SAVE_H

#include "machine.h"

/* Checks whether each file may be written. A file that the launch file names lies below its folder
 * and not through a link. No file is the launch file. TOOL_GO, or TOOL_USAGE after an error
 * message. */
int save_check(const struct opened *opened);

/* Writes all files. */
int save_all(struct machine *machine);

#endif
