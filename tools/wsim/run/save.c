/* Files that are written; see save.h. */
#if (defined(__unix__) || defined(__APPLE__)) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "save.h"
#include "../common/memory.h"
#include "../common/npy_header.h"
#include "../common/output.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The path as it is opened, to be freed. */
static char *full_path(const struct launch_save *save) {
    size_t room = strlen(save->path) + (save->folder ? strlen(save->folder) : 0) + 2;
    char *path = memory_make(room, 1);
    snprintf(path, room, "%s%s%s", save->folder ? save->folder : "", save->folder ? "/" : "",
             save->path);
    return path;
}

/* Whether a name leaves its folder as far as its words go. */
static int leaves(const char *name) {
    return *name == '/' || strchr(name, '\\') || strstr(name, "..");
}

/* Whether a file is or becomes a plain one behind folders that are none else: `begin` is where the
 * part that is not trusted begins. */
static int is_plain(char *path, size_t begin) {
    struct stat there;
    for (char *slash = strchr(path + begin, '/'); slash; slash = strchr(slash + 1, '/')) {
        int good;
        *slash = 0;
        good = lstat(path, &there) == 0 && S_ISDIR(there.st_mode);
        *slash = '/';
        if (!good)
            return 0;
    }
    return lstat(path, &there) != 0 || S_ISREG(there.st_mode);
}

static int check(const struct launch *launch, const struct launch_save *save,
                 const char *launch_path) {
    struct place root = place_root(&launch->source), list = place_key(&root, "save");
    struct place at = place_key(&list, launch->buffers[save->buffer].name);
    char *path = full_path(save);
    int status = TOOL_GO;
    if (save->folder && (leaves(save->path) || !is_plain(path, strlen(save->folder) + 1)))
        status = place_error(&at,
                             "'%s': a launch file can only save to plain files below its own "
                             "folder",
                             text_path(save->path).text);
    else if (launch_path && output_is_input(path, launch_path))
        status = place_error(&at, "'%s' is the launch file: it would be overwritten",
                             text_path(save->path).text);
    free(path);
    return status;
}

int save_check(const struct launch *launch, const char *launch_path) {
    int status = TOOL_GO;
    for (size_t i = 0; i < launch->nsaves && status == TOOL_GO; i++)
        status = check(launch, &launch->saves[i], launch_path);
    return status;
}

static int save_one(struct machine *machine, const struct launch_save *save) {
    uint64_t bytes = machine->launch->buffers[save->buffer].bytes;
    uint8_t *content = machine_read(machine, machine->address[save->buffer], bytes);
    char *path = full_path(save), header[NPY_WRITTEN];
    struct npy_header array = {.kind = save->kind, .bytes = save->bytes, .rank = save->rank};
    struct output output;
    FILE *file = output_open(&output, path);
    int status = TOOL_USAGE;
    memcpy(array.extent, save->extent, sizeof array.extent);
    if (file) {
        if (file_is_array(save->path))
            fwrite(header, 1, npy_put(&array, header), file);
        fwrite(content, 1, (size_t)bytes, file);
        status = output_close(&output);
    }
    free(path);
    free(content);
    return status;
}

int save_all(struct machine *machine) {
    int status = TOOL_GO;
    for (size_t i = 0; i < machine->launch->nsaves && status == TOOL_GO; i++)
        status = save_one(machine, &machine->launch->saves[i]);
    return status;
}
