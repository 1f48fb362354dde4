/* runtime.h - the environment in which a CUDA program runs on the runtime of wsim. */
#ifndef WSIM_PROGRAM_RUNTIME_H
#define WSIM_PROGRAM_RUNTIME_H

#include "wire/checks.h"

#include "../common/suppress.h"

#include <stddef.h>

/* Options of programs as given; NULL: not given. */
struct runtime_options {
    char *arch, *memory, *devices, *seed, *async, *check, *launches, *threads, *shard, *ptx, *most;
    char *look; /* of print_json */
    int lines;  /* costs of lines are counted */
    struct suppress_options suppress;
};

/* The rows of the options that kernels lack. The options are the member `at` of struct options. */
/* clang-format off */
#define RUNTIME_ROWS(at) \
    {"device-memory", 0, TOOL_STRING, TOOL_AT(at.memory), "Memory of a GPU of the program (as --arch has it)", "BYTES"}, \
    {"devices", 0, TOOL_STRING, TOOL_AT(at.devices), "GPUs of the program (1)", "N"}, \
    {"launches", 0, TOOL_STRING, TOOL_AT(at.launches), "Check and report these kernels of the program only", "REGEX"}, \
    {"ptx", 0, TOOL_STRING, TOOL_AT(at.ptx), "PTX of machine code that compilers at run time make", "FOLDER"}, \
    {"shard", 0, TOOL_STRING, TOOL_AT(at.shard), "Check every Nth launch of the program, from I on", "I/N"}
/* clang-format on */

/* Variables of the environment, "NAME=VALUE", to be freed. */
struct runtime {
    char *variables[29];
    size_t count;
};

/* Checks the options and makes the variables. `folder`: records are written there; NULL: each
 * process reports on standard error. `assembler`: a socket (assembling.h), or NULL. TOOL_GO, or
 * TOOL_USAGE after an error message. */
int runtime_open(struct runtime *runtime, const struct runtime_options *options, const char *folder,
                 const char *assembler);
void runtime_close(struct runtime *runtime);

/* Makes a folder of records unless it is there, and replaces *path by its whole path: processes of
 * the program work elsewhere. TOOL_GO, or TOOL_USAGE after an error message. */
int runtime_make_folder(char **path);

#endif
