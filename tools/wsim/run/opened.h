/* opened.h - a launch file that is open, and how messages call its texts. */
#ifndef WSIM_RUN_OPENED_H
#define WSIM_RUN_OPENED_H

#include "../common/tool.h"

#include <wsim/harness/launch.h>

struct opened {
    struct wsim_launch_file *file;
    const struct wsim_launch_parts *parts;
    const char *name; /* of the launch file; NULL: it is made of options */
    char *folder;     /* of the launch file; NULL: none                  */
};

/* Reads the launch file `name`, or with NULL the launch file `json`. With a name, `json` (may be
 * NULL) has fields of options, which replace or extend those of the file. `files` reads the files
 * that `json` names. TOOL_GO, or TOOL_USAGE after an error message. opened_close is needed in any
 * case. */
int opened_read(struct opened *opened, const char *name, const json_t *json,
                const struct wsim_launch_files *files);
void opened_close(struct opened *opened);

/* Prints "FILE:LINE:COLUMN: ..." of a refusal. `ptx` is the file of PTX that it is about, or NULL.
 * TOOL_USAGE, or TOOL_UNMODELLED. */
int opened_refuse(const struct opened *opened, const char *ptx, const struct wsim_diag *diag);

#endif
