/* child.h - other programs, run without a shell. */
#ifndef WSIM_CHILD_H
#define WSIM_CHILD_H

#include <signal.h>

/* The path of a program: `name` itself if it has a slash, else a file on the PATH. To be freed;
 * NULL: there is none. Empty folders of the PATH are skipped, which would be the working
 * directory. */
char *child_find(const char *name);

/* Whether `name` is a program rather than a file of code (.ptx, .cu). */
int child_is_command(const char *name);

/* The path of a program of CUDA, to be freed: in CUDA_HOME, CUDA_PATH, the PATH, the packages of
 * the virtual environment of Python, or /usr/local/cuda. NULL: there is none. */
char *child_find_cuda(const char *name);

/* Whether a shell takes the text between double quotes as it is. */
int child_is_plain(const char *text);

/* A temporary folder, and the signals that were blocked before. SIGINT, SIGTERM and SIGHUP wait
 * until it is removed. */
struct child_folder {
    char *path; /* NULL: there is none */
    sigset_t mask;
};
int child_open_folder(struct child_folder *folder);
void child_close_folder(struct child_folder *folder);

/* A path in it, to be freed. */
char *child_path(const struct child_folder *folder, const char *name);

/* Runs argv[0] with the environment, in which TMPDIR is `folder`, and with the signals of `mask`
 * blocked. Standard input is empty, both outputs go to the file `log`. The exit status; 128 and
 * more: a signal; -1 after an error message. */
int child_run(char *const *argv, const char *folder, const char *log, const sigset_t *mask);

#endif
