/* command.h - the options of wsim run as what a launch file would say. */
#ifndef WSIM_RUN_COMMAND_H
#define WSIM_RUN_COMMAND_H

#include "launch.h"

/* The options as given. Lists end with NULL; an empty list is NULL. */
struct command {
    char *launch;           /* a file that says it all                          */
    const char *const *ptx; /* ends with NULL; NULL: none   */
    int cooperative;
    char *arch, *kernel, *grid, *block, *cluster, *shared;
    char **args, **symbols, **outs, **expects;
    json_t *ends; /* of command_read: what --out and --expect say     */
};

/* Reads the launch file, or makes one of the options. TOOL_GO, or TOOL_USAGE after saying what is
 * wrong. launch_close and command_close are needed in any case, in this order. */
int command_read(struct command *command, struct launch *launch);
void command_close(struct command *command);

#endif
