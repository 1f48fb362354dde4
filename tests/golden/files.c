#define _XOPEN_SOURCE 700 /* nftw */
#include "files.h"

#include "../../tools/lib/trace_file.h"

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 256, PATH_SIZE = 512 };

#define ROOT WSIM_SOURCE_DIR "/"

static char files[MAX_FILES][PATH_SIZE];
static int nfiles;

static int visit(const char *path, const struct stat *what, int type, struct FTW *at) {
    (void)what;
    if (type != FTW_F || !strstr(path + at->base, ".trace"))
        return 0;
    if (nfiles == MAX_FILES || strlen(path) >= PATH_SIZE)
        return 1;
    strcpy(files[nfiles++], path);
    return 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

int files_find(void) {
    nfiles = 0;
    if (nftw(ROOT "traces", visit, 16, FTW_PHYS) != 0)
        return -1;
    qsort(files, (size_t)nfiles, PATH_SIZE, by_name);
    return nfiles;
}

const char *files_path(int index) {
    return files[index] + strlen(ROOT);
}

/* Folder of a file, in `out`. */
static const char *folder(const char *path, char out[PATH_SIZE]) {
    size_t length = (size_t)(strrchr(path, '/') - path);
    memcpy(out, path, length); /* fits: visit saw to it */
    out[length] = '\0';
    return out;
}

/* Whether a line is one of the header, or holds a text. */
static int is_wanted(const char *line, size_t length, const char *holds) {
    const char *at = line, *end = line + length;
    size_t n = holds ? strlen(holds) : 0;
    if (n == 0 || (length && *line == '#'))
        return 1;
    while ((at = memchr(at, holds[0], (size_t)(end - at))) != NULL && (size_t)(end - at) >= n) {
        if (memcmp(at, holds, n) == 0)
            return 1;
        at++;
    }
    return 0;
}

unsigned files_cases(int index, const char *holds,
                     void (*each)(struct wsim_trace *trace, const char *path, unsigned line,
                                  void *about),
                     void *about) {
    char dir[PATH_SIZE];
    const char *path = files_path(index), *text;
    struct wsim_trace *trace = wsim_trace_new(folder(files[index], dir));
    struct trace_file *file = trace_file_open(files[index]);
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    size_t length;
    int more, is_case;
    unsigned line = 0, cases = 0;
    ck_assert_ptr_nonnull(trace);
    ck_assert_msg(file != NULL, "%s cannot be opened", path);
    while ((more = trace_file_next(file, &text, &length)) > 0) {
        line++;
        if (!is_wanted(text, length, holds))
            continue;
        ck_assert_msg(wsim_trace_line(trace, text, length, &is_case, &diag) == WSIM_OK,
                      "%s:%u:%u: %s", path, line, (unsigned)diag.col, diag.text);
        if (is_case)
            each(trace, path, line, about);
        cases += is_case != 0;
    }
    ck_assert_msg(more == 0, "%s:%u: %s", path, line + 1, trace_file_problem(file));
    trace_file_close(file);
    wsim_trace_free(trace);
    return cases;
}

int files_readable(void) {
#ifdef HAVE_ZSTD
    return 1;
#else
    return 0;
#endif
}
