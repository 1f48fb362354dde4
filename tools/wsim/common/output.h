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

/* Whether `path` is the file that is read as `input`, "-" being standard input. */
int output_is_input(const char *path, const char *input);

#endif
