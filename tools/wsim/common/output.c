/* A file that is written beside; see output.h. */
#include "output.h"
#include "memory.h"
#include "text.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBER = 24 };

static int complain(const char *path) {
    return tool_error("%s: %s", text_path(path).text, strerror(errno));
}

/* Files that a signal removes: a redirected standard output, and one more. */
enum { PENDING = 2 };
static char *volatile pending[PENDING];

static void clean_up(int number) {
    for (int i = 0; i < PENDING; i++)
        if (pending[i])
            unlink(pending[i]);
    signal(number, SIG_DFL);
    raise(number);
}

/* From now on a signal that ends the program removes `path` first. A signal that is ignored stays
 * so. */
static void add_pending(char *path) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction old, action = {.sa_handler = clean_up};
    for (int i = 0; i < PENDING; i++)
        if (!pending[i]) {
            pending[i] = path;
            break;
        }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
}

/* Forgets the file beside, which is renamed or removed, and frees its name. */
static void free_beside(struct output *output) {
    for (int i = 0; i < PENDING; i++)
        if (pending[i] == output->beside)
            pending[i] = NULL;
    free(output->beside);
    output->beside = NULL;
}

/* A new file with the permissions that any new file has. */
static FILE *open_beside(struct output *output) {
    size_t room = strlen(output->path) + NUMBER;
    int file;
    output->beside = memory_make(room, 1);
    snprintf(output->beside, room, "%s.new%ld", output->path, (long)getpid());
    add_pending(output->beside);
    file = open(output->beside, O_WRONLY | O_CREAT | O_EXCL, 0666);
    return file < 0 ? NULL : fdopen(file, "w");
}

FILE *output_open(struct output *output, const char *path) {
    struct stat there;
    *output = (struct output){.path = path};
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        output->file = fopen(path, "w"); /* a terminal, a pipe: nothing that could be lost */
    else
        output->file = open_beside(output);
    if (!output->file) {
        complain(path);
        free_beside(output);
    }
    return output->file;
}

int output_close(struct output *output) {
    int status = TOOL_GO;
    if (ferror(output->file) | fclose(output->file))
        status = tool_error("%s: cannot be written", text_path(output->path).text);
    else if (output->beside && rename(output->beside, output->path))
        status = complain(output->path);
    if (status != TOOL_GO && output->beside)
        unlink(output->beside);
    free_beside(output);
    return status;
}

static struct output redirected; /* file NULL: standard output is not */
static char *redirected_path;

int output_redirect(const char *path) {
    if (strcmp(path, "-") == 0)
        return TOOL_GO;
    redirected_path = memory_text(path, strlen(path));
    if (!output_open(&redirected, redirected_path))
        return TOOL_USAGE;
    fflush(stdout);
    return dup2(fileno(redirected.file), STDOUT_FILENO) < 0 ? complain(path) : TOOL_GO;
}

static void drop(struct output *output) {
    fclose(output->file);
    if (output->beside)
        unlink(output->beside);
    free_beside(output);
}

int output_check(const char *path) {
    struct output output;
    struct stat there;
    if (strcmp(path, "-") == 0 || (stat(path, &there) == 0 && !S_ISREG(there.st_mode)))
        return TOOL_GO;
    if (!output_open(&output, path))
        return TOOL_USAGE;
    drop(&output);
    return TOOL_GO;
}

int output_finish(int status) {
    int closed = TOOL_GO;
    if (!redirected.file)
        return status;
    if (fflush(stdout) || ferror(stdout))
        closed = complain(redirected.path);
    if (closed == TOOL_GO && (status == TOOL_FINE || status == TOOL_FOUND))
        closed = output_close(&redirected);
    else
        drop(&redirected);
    clearerr(stdout); /* the message is out already */
    free(redirected_path);
    redirected = (struct output){.file = NULL};
    return closed == TOOL_GO ? status : closed;
}

int output_is_input(const char *path, const char *input) {
    struct stat a, b;
    int found = strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &b) : stat(input, &b);
    return stat(path, &a) == 0 && found == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
