/* output.h - a file that is written beside the one it shall become: whoever looks finds the old one
 * or the whole new one, and a disk that is full costs neither.
 */
#ifndef WSIM_OUTPUT_H
#define WSIM_OUTPUT_H

#include <stdio.h>

struct output {
    FILE *file;
    const char *path;
    char *beside; /* NULL: `path` is no ordinary file, and written itself */
};

/* Opens a file that output_close puts in the place of `path`; NULL after saying why not. */
FILE *output_open(struct output *output, const char *path);

/* Puts it in its place: TOOL_GO, or TOOL_USAGE after saying why not; nothing is left then. */
int output_close(struct output *output);

/* From now on standard output is such a file ("-": it stays as it is): TOOL_GO, or TOOL_USAGE after
 * saying why not. output_finish puts it in its place if `status`, that of the program, is fine or
 * a finding, else nothing is left of it; answers the status. */
int output_redirect(const char *path);
int output_finish(int status);

/* Whether `path` is the file that is read as `input`, "-" being standard input. */
int output_is_input(const char *path, const char *input);

#endif
