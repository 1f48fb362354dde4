/* command.h - the options of wsim run as a launch file. */
#ifndef WSIM_RUN_COMMAND_H
#define WSIM_RUN_COMMAND_H

#include "compile.h"
#include "opened.h"

/* The options as given. Lists end with NULL; an empty list is NULL. */
struct command {
    char *launch;           /* a launch file, or NULL */
    const char *const *ptx; /* ends with NULL; NULL: none   */
    int cooperative;
    char *nvcc, *arch, *kernel, *grid, *block, *cluster, *shared;
    char **args, **buffers, **symbols, **outs, **expects;
    /* of command_read */
    json_t *ends; /* "expect" and "save" of the options */
    struct compiled compiled;
};

/* Reads the launch file, or makes one of the options; compiles CUDA C++. TOOL_GO, or TOOL_USAGE
 * after an error message. opened_close and then command_close are needed in any case. */
int command_read(struct command *command, struct opened *opened);
void command_close(struct command *command);

#endif
