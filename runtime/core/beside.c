/* The PTX file of a module of machine code; see beside.h. */
#define _GNU_SOURCE
#include "beside.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 8 };

struct search {
    const struct machine *kernels;
    char *text; /* the first one that fits */
    size_t size;
    char *path;
    char *other; /* a file whose text fits too, and is another one */
};

static int is_part(unsigned char c) {
    return isalnum(c) || c == '_' || c == '$' || c == '%';
}

/* Whether the text has the name as a whole word. */
static int has_name(const char *text, const char *name) {
    const size_t length = strlen(name);
    const char *at = text;
    while ((at = strstr(at, name))) {
        if ((at == text || !is_part((unsigned char)at[-1])) && !is_part((unsigned char)at[length]))
            return 1;
        at += length;
    }
    return 0;
}

static const char *first_name(const struct machine *kernels) {
    while (kernels && machine_is_added(kernels))
        kernels = kernels->next;
    return kernels ? kernels->name : NULL;
}

static int fits(const char *text, const struct machine *kernels) {
    for (const struct machine *kernel = kernels; kernel; kernel = kernel->next)
        if (!machine_is_added(kernel) && !has_name(text, kernel->name))
            return 0;
    return strstr(text, ".entry") != NULL;
}

/* The text of a file up to its first zero byte: some compilers write one behind the text. */
static char *read_file(int folder, const char *name, size_t *size) {
    struct stat status;
    char *text = NULL;
    size_t got = 0;
    const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size >= 0)
        text = malloc((size_t)status.st_size + 1);
    while (text && got < (size_t)status.st_size) {
        const ssize_t bytes = read(fd, text + got, (size_t)status.st_size - got);
        if (bytes <= 0)
            break;
        got += (size_t)bytes;
    }
    close(fd);
    if (text) {
        text[got] = '\0';
        *size = strlen(text);
    }
    return text;
}

static void consider(struct search *search, int folder, const char *path, const char *name) {
    size_t size = 0;
    char *text = read_file(folder, name, &size), *whole = NULL;
    if (text && fits(text, search->kernels) &&
        (!search->text || search->size != size || memcmp(search->text, text, size) != 0) &&
        asprintf(&whole, "%s/%s", path, name) >= 0) {
        if (!search->text) {
            search->text = text;
            search->size = size;
            search->path = whole;
            return;
        }
        free(search->other);
        search->other = whole;
    }
    free(text);
}

static void walk(struct search *search, int parent, const char *name, const char *path, int depth) {
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW * !!depth);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    if (!folder && fd >= 0)
        close(fd);
    while (folder && !search->other && (entry = readdir(folder))) {
        const size_t length = strlen(entry->d_name);
        char *inner = NULL;
        if (length > 4 && strcmp(entry->d_name + length - 4, ".ptx") == 0)
            consider(search, fd, path, entry->d_name);
        else if (entry->d_name[0] != '.' && depth < DEEPEST &&
                 (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN) &&
                 asprintf(&inner, "%s/%s", path, entry->d_name) >= 0)
            walk(search, fd, entry->d_name, inner, depth + 1);
        free(inner);
    }
    if (folder)
        closedir(folder);
}

int beside_find(const char *folder, const struct machine *kernels, struct image_text *text,
                struct wsim_diag *reason) {
    struct search search = {.kernels = kernels};
    const char *const name = first_name(kernels);
    if (!name)
        return 0;
    walk(&search, AT_FDCWD, folder, folder, 0);
    if (search.other)
        snprintf(reason->text, sizeof reason->text,
                 "two PTX files define kernel '%.60s' differently, %.60s and %.60s: keep one", name,
                 search.path, search.other);
    else if (!search.text)
        snprintf(reason->text, sizeof reason->text,
                 "the module is machine code, and no PTX file in %.80s defines its kernel '%.80s'",
                 folder, name);
    else
        *text = (struct image_text){{.bytes = search.text, .size = search.size}, search.text, 0};
    if (search.other)
        free(search.text);
    free(search.other);
    free(search.path);
    return text->owned != NULL;
}
