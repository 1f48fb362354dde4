/* beside.c - opens a file that a trace names. A trace is untrusted data, so the file must be a
 * plain file below the trace's folder. Links may lead anywhere, and pipes and devices may never
 * end. */
#if (defined(__unix__) || defined(__APPLE__)) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "../../sim/base/base.h"
#include "beside.h"

#include <string.h>

/* No usual file system has longer names. */
enum { NAME_BYTES = 256 };

static int shown(struct trace_span name) {
    return name.length < 80 ? (int)name.length : 80;
}

static enum wsim_status refuse_folder(struct trace_span name, const char *why,
                                      struct wsim_diag *diag) {
    return base_refuse(diag, RULE_TRACE_FILE_FOLDER, name.col, "file '%.*s': %s", shown(name),
                       name.at, why);
}

static enum wsim_status refuse_unreadable(struct trace_span name, struct wsim_diag *diag) {
    return base_refuse(diag, RULE_TRACE_FILE_UNREADABLE, name.col, "cannot open file '%.*s'",
                       shown(name), name.at);
}

/* True if the parts of a name stay below the folder. */
static int is_inside(struct trace_span name) {
    if (name.length == 0 || name.at[0] == '/' || memchr(name.at, '\\', name.length))
        return 0;
    for (size_t i = 0; i + 1 < name.length; i++)
        if (name.at[i] == '.' && name.at[i + 1] == '.')
            return 0;
    return 1;
}

/* The first part of a name, up to a slash, as a string; the rest stays in *name. */
static int cut_part(struct trace_span *name, char part[NAME_BYTES]) {
    const char *slash = memchr(name->at, '/', name->length);
    size_t length = slash ? (size_t)(slash - name->at) : name->length;
    size_t step = slash ? length + 1 : length;
    if (length == 0 || length >= NAME_BYTES)
        return 0;
    memcpy(part, name->at, length);
    part[length] = '\0';
    name->at += step;
    name->length -= step;
    return 1;
}

#ifdef _POSIX_C_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens the next folder or file, but no link, and closes `at`. Returns -1 with errno on failure. */
static int step_down(int at, const char *part, int flags) {
    int next = openat(at, part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags), why = errno;
    close(at);
    errno = why;
    return next;
}

/* The descriptor of the file, or -1. Opening a pipe does not wait for a writer. */
static int walk(const char *dir, struct trace_span name) {
    int at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char part[NAME_BYTES];
    while (at >= 0) {
        if (!cut_part(&name, part)) {
            close(at);
            errno = ENOENT;
            return -1;
        }
        at = step_down(at, part, name.length ? O_DIRECTORY : O_NONBLOCK);
        if (!name.length)
            break;
    }
    return at;
}

enum wsim_status trace_beside_open(const char *dir, struct trace_span name, FILE **file,
                                   struct wsim_diag *diag) {
    struct stat what;
    int at, no_memory;
    if (!dir || !is_inside(name))
        return refuse_folder(name,
                             dir ? "only files below the folder of what names them are read"
                                 : "there is no folder to look it up in",
                             diag);
    at = walk(dir, name);
    if (at < 0 && (errno == ELOOP || errno == EMLINK || errno == ENOTDIR))
        return refuse_folder(name, "leads through a link, or through a file that is not a folder",
                             diag);
    if (at < 0)
        return refuse_unreadable(name, diag);
    if (fstat(at, &what) || !S_ISREG(what.st_mode)) {
        close(at);
        return refuse_folder(name, "is not a plain file", diag);
    }
    *file = fdopen(at, "rb");
    if (*file)
        return WSIM_OK;
    no_memory = errno == ENOMEM;
    close(at);
    return no_memory ? base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "no memory to open a file")
                     : refuse_unreadable(name, diag);
}

#else

/* Without POSIX only the name is checked. */
enum wsim_status trace_beside_open(const char *dir, struct trace_span name, FILE **file,
                                   struct wsim_diag *diag) {
    char path[2 * NAME_BYTES], part[NAME_BYTES];
    struct trace_span rest = name;
    size_t used = dir ? strlen(dir) : 0;
    if (!dir || !is_inside(name))
        return refuse_folder(name,
                             dir ? "only files below the folder of what names them are read"
                                 : "there is no folder to look it up in",
                             diag);
    if (used + name.length + 2 > sizeof path || !cut_part(&rest, part) || strchr(part, ':'))
        return refuse_unreadable(name, diag);
    memcpy(path, dir, used);
    path[used] = '/';
    memcpy(path + used + 1, name.at, name.length);
    path[used + 1 + name.length] = '\0';
    *file = fopen(path, "rb");
    return *file ? WSIM_OK : refuse_unreadable(name, diag);
}

#endif

enum wsim_status wsim_beside_open(const char *dir, const char *name, FILE **file,
                                  struct wsim_diag *diag) {
    struct trace_span span = {.at = name, .length = strlen(name)};
    return trace_beside_open(dir, span, file, diag);
}
