/* command.h - the options of wsim run as a launch file. */
#ifndef WSIM_RUN_COMMAND_H
#define WSIM_RUN_COMMAND_H

#include "opened.h"

/* The options as given. Lists end with NULL; an empty list is NULL. */
struct command {
    char *launch;           /* a launch file, or NULL */
    const char *const *ptx; /* ends with NULL; NULL: none   */
    int cooperative;
    char *arch, *kernel, *grid, *block, *cluster, *shared;
    char **args, **buffers, **symbols, **outs, **expects;
    json_t *ends; /* of command_read: "expect" and "save" of the options */
};

/* Reads the launch file, or makes one of the options. TOOL_GO, or TOOL_USAGE after an error
 * message. opened_close and command_close are needed in any case. */
int command_read(struct command *command, struct opened *opened);
void command_close(struct command *command);

#endif
