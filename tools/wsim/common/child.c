/* Other programs; see child.h. */
#include "child.h"
#include "memory.h"
#include "text.h"
#include "tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Whether a program can be run from `path`. */
static int child_is_program(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && S_ISREG(there.st_mode) && access(path, X_OK) == 0;
}

char *child_find(const char *name) {
    const char *at = getenv("PATH");
    if (strchr(name, '/'))
        return child_is_program(name) ? memory_text(name, strlen(name)) : NULL;
    while (at && *at && *name) {
        const size_t length = strcspn(at, ":"), room = length + strlen(name) + 2;
        char *path = memory_make(room, 1);
        snprintf(path, room, "%.*s/%s", (int)length, at, name);
        if (length && child_is_program(path))
            return path;
        free(path);
        at += length + (at[length] == ':');
    }
    return NULL;
}

int child_is_command(const char *name) {
    static const char *const code[] = {".ptx", ".cu", ".json"};
    char *path = child_find(name);
    int is = path != NULL;
    free(path);
    for (size_t i = 0; i < sizeof code / sizeof *code; i++)
        is &= !text_ends(name, code[i]);
    return is;
}

int child_is_plain(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127 || strchr("\"$`\\", *text))
            return 0;
    return 1;
}

/* --- programs of CUDA --- */

/* A program of a package of Python, in the virtual environment that is active. */
static char *find_packaged(const char *name) {
    const char *environment = getenv("VIRTUAL_ENV");
    char *pattern, *path = NULL;
    glob_t found;
    if (!environment)
        return NULL;
    pattern = memory_join(environment, "/lib/python3*/site-packages/nvidia/c*/bin/", name);
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc && !path; i++)
            path = child_find(found.gl_pathv[i]);
        globfree(&found);
    }
    free(pattern);
    return path;
}

static char *find_below(const char *folder, const char *name) {
    char *path = folder && *folder ? memory_join(folder, "/bin/", name) : NULL;
    char *found = path ? child_find(path) : NULL;
    free(path);
    return found;
}

char *child_find_cuda(const char *name) {
    char *path = find_below(getenv("CUDA_HOME"), name);
    if (!path)
        path = find_below(getenv("CUDA_PATH"), name);
    if (!path)
        path = child_find(name);
    if (!path)
        path = find_packaged(name);
    return path ? path : find_below("/usr/local/cuda", name);
}

/* --- temporary folders --- */

int child_open_folder(struct child_folder *folder) {
    const char *under = getenv("TMPDIR");
    sigset_t some;
    if (!under || *under != '/' || !child_is_plain(under))
        under = "/tmp";
    sigemptyset(&some);
    sigaddset(&some, SIGINT);
    sigaddset(&some, SIGTERM);
    sigaddset(&some, SIGHUP);
    sigprocmask(SIG_BLOCK, &some, &folder->mask);
    folder->path = memory_join(under, "/wsim-XXXXXX", "");
    if (mkdtemp(folder->path))
        return TOOL_GO;
    tool_error("%s: %s", text_path(folder->path).text, strerror(errno));
    free(folder->path);
    folder->path = NULL;
    sigprocmask(SIG_SETMASK, &folder->mask, NULL);
    return TOOL_USAGE;
}

char *child_path(const struct child_folder *folder, const char *name) {
    return memory_join(folder->path, "/", name);
}

void child_close_folder(struct child_folder *folder) {
    DIR *list = folder->path ? opendir(folder->path) : NULL;
    if (!folder->path)
        return;
    for (struct dirent *one; list && (one = readdir(list));) {
        char *path = child_path(folder, one->d_name);
        unlink(path);
        free(path);
    }
    if (list)
        closedir(list);
    rmdir(folder->path);
    free(folder->path);
    folder->path = NULL;
    sigprocmask(SIG_SETMASK, &folder->mask, NULL);
}

/* --- running --- */

/* The environment with another TMPDIR; the list and its first text are to be freed. */
static char **environment(const char *folder) {
    static const char name[] = "TMPDIR=";
    const size_t room = sizeof name + strlen(folder);
    size_t n = 0, out = 1;
    char **list;
    while (environ[n])
        n++;
    list = memory_make(n + 2, sizeof *list);
    list[0] = memory_make(room, 1);
    snprintf(list[0], room, "%s%s", name, folder);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], name, sizeof name - 1) != 0)
            list[out++] = environ[i];
    return list;
}

static int wait_for(pid_t child) {
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return tool_error("waitpid: %s", strerror(errno)), -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int child_run(char *const *argv, const char *folder, const char *log, const sigset_t *mask) {
    char **variables = environment(folder);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child;
    int problem;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    problem = posix_spawn(&child, argv[0], &actions, &attributes, argv, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(variables[0]);
    free(variables);
    if (problem) {
        tool_error("%s: %s", text_path(argv[0]).text, strerror(problem));
        return -1;
    }
    return wait_for(child);
}
