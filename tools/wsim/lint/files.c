/* Files for lint; see files.h. */
#include "files.h"

#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char endings[] =
    ".cu .cuh .h .hh .hpp .hxx .inl .cpp .cxx .cc .c .ptx"; /* a blank ends each but the last */

/* Takes the name. */
static void add_file(struct files *files, char *name) {
    if (files->n == files->room) {
        files->room = files->room ? 2 * files->room : 64;
        files->all = memory_grow(files->all, files->room * sizeof *files->all);
    }
    files->all[files->n++] = name;
}

void files_free(struct files *files) {
    for (size_t i = 0; i < files->n; i++)
        free(files->all[i]);
    free(files->all);
    *files = (struct files){NULL, 0, 0, 0};
}

static int is_source(const char *name) {
    const char *dot = strrchr(name, '.');
    const size_t n = dot ? strlen(dot) : 0;
    for (const char *at = endings; n && *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (length == n && memcmp(at, dot, n) == 0)
            return 1;
        at += length;
    }
    return 0;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void files_complain(struct files *files, const char *path) {
    tool_error("%s: %s", text_path(path).text, strerror(errno));
    files->failed = 1;
}

/* The paths in a folder, sorted. */
static struct files entries_of(const char *folder, struct files *files) {
    struct files entries = {NULL, 0, 0, 0};
    const char *slash = *folder && folder[strlen(folder) - 1] != '/' ? "/" : "";
    const struct dirent *entry;
    DIR *open = opendir(folder);
    if (!open) {
        files_complain(files, folder);
        return entries;
    }
    while ((entry = readdir(open)) != NULL)
        if (*entry->d_name != '.')
            add_file(&entries, memory_join(folder, slash, entry->d_name));
    closedir(open);
    if (entries.n)
        qsort(entries.all, entries.n, sizeof *entries.all, compare);
    return entries;
}

/* Moves the files of a folder to `files`; folders in it are added to `folders`. */
static void read_folder(const char *folder, struct files *files, struct files *folders) {
    struct files entries = entries_of(folder, files);
    for (size_t i = 0; i < entries.n; i++) {
        char *path = entries.all[i];
        struct stat link, is;
        entries.all[i] = NULL;
        if (lstat(path, &link) == 0 && S_ISDIR(link.st_mode))
            add_file(folders, path);
        else if (is_source(path) && (stat(path, &is) != 0 || S_ISREG(is.st_mode)))
            add_file(files, path); /* reading tells why it cannot be read */
        else
            free(path);
    }
    files_free(&entries);
}

static void add_folder(const char *name, struct files *files) {
    const size_t before = files->n;
    struct files folders = {NULL, 0, 0, 0};
    add_file(&folders, memory_text(name, strlen(name)));
    while (folders.n) {
        char *folder = folders.all[--folders.n];
        read_folder(folder, files, &folders);
        free(folder);
    }
    files_free(&folders);
    if (files->n > before) {
        qsort(files->all + before, files->n - before, sizeof *files->all, compare);
    } else if (!files->failed) {
        tool_error("%s: no file to check, whose name ends in one of %s", text_path(name).text,
                   endings);
        files->failed = 1;
    }
}

struct files files_of(const char *const *args) {
    struct files files = {NULL, 0, 0, 0};
    struct stat is;
    for (; *args; args++)
        if (stat(*args, &is) == 0 && S_ISDIR(is.st_mode))
            add_folder(*args, &files);
        else
            add_file(&files, memory_text(*args, strlen(*args)));
    return files;
}
