/* program.h - a program that runs under the runtime of wsim. */
#ifndef WSIM_PROGRAM_PROGRAM_H
#define WSIM_PROGRAM_PROGRAM_H

#include "../common/tool.h"
#include "../run/print.h"
#include "runtime.h"

enum { PROGRAM_LATE = 124 }; /* as coreutils' timeout */

struct program_options {
    struct runtime_options runtime;
    enum tool_format format;
    char *output;          /* file of the report; NULL: standard error */
    char *records;         /* folder that keeps the records; NULL: none */
    const char *assembler; /* as --assembler; NULL: none */
    double timeout;        /* seconds; 0: none */
    uint32_t lines;
    const struct print_options *print;
    struct suppress *suppress; /* of program_run */
};

/* Runs a program with its arguments, then writes the report of all its processes. Answers the
 * program's status, or TOOL_FOUND where that is 0 and something was found; PROGRAM_LATE if it did
 * not end in time. A signal that ended the program ends this one. */
int program_run(const struct program_options *options, const char *const *argv);

#endif
