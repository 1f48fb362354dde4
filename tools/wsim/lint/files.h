/* files.h - the files that lint reads: arguments, and those in folders. */
#ifndef WSIM_LINT_FILES_H
#define WSIM_LINT_FILES_H

#include <stddef.h>

struct files {
    char **all;
    size_t n, room;
    int failed; /* a folder could not be read, or has no file for lint; a message says so */
};

/* Files and "-" as they are named. A folder gives its sources of CUDA, C, C++ and PTX, in order of
 * their names, without hidden ones and without links to folders. Free them. */
struct files files_of(const char *const *args);
void files_free(struct files *files);

#endif
