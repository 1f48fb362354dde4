/* output.h - a file that is written beside its place and then renamed. Its place holds the old file
 * or the whole new one, even when the disk is full.
 */
#ifndef WSIM_OUTPUT_H
#define WSIM_OUTPUT_H

#include <stdio.h>

struct output {
    FILE *file;
    const char *path;
    char *beside; /* NULL: `path` is no ordinary file, and written itself */
};

/* Opens a file that output_close puts in the place of `path`; NULL after an error message. */
FILE *output_open(struct output *output, const char *path);

/* Puts it in its place: TOOL_GO, or TOOL_USAGE after an error message; then the file is gone. */
int output_close(struct output *output);

/* Whether such a file can be made at `path` (or "-"): TOOL_GO, or TOOL_USAGE after an error
 * message. For a report that comes after a long run. */
int output_check(const char *path);

/* Redirects standard output into such a file ("-": it does not): TOOL_GO, or TOOL_USAGE after an
 * error message. output_finish puts the file in its place if `status`, that of the program, is fine
 * or a finding. It removes the file otherwise, and answers the status. */
int output_redirect(const char *path);
int output_finish(int status);

/* Whether `path` is the file that is read as `input`, "-" being standard input. */
int output_is_input(const char *path, const char *input);

#endif
