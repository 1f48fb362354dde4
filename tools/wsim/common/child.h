/* child.h - other programs, run without a shell. */
#ifndef WSIM_CHILD_H
#define WSIM_CHILD_H

#include <signal.h>

/* Whether a program can be run from `path`. */
int child_is_program(const char *path);

/* The path of a program: `name` itself if it has a slash, else a file on the PATH. To be freed;
 * NULL: there is none. Empty folders of the PATH are skipped, which would be the working
 * directory. */
char *child_find(const char *name);

/* Runs argv[0] with the environment, in which TMPDIR is `folder`, and with the signals of `mask`
 * blocked. Standard input is empty, both outputs go to the file `log`. The exit status; 128 and
 * more: a signal; -1 after an error message. */
int child_run(char *const *argv, const char *folder, const char *log, const sigset_t *mask);

#endif
