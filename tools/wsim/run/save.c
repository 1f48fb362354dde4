/* Files that are written; see save.h. */
#if (defined(__unix__) || defined(__APPLE__)) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "save.h"
#include "../common/memory.h"
#include "../common/output.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wsim/harness/npy.h>

/* The folder that must hold the file; NULL: an option names the file, which may be anywhere. */
static const char *folder_of(const struct opened *opened, const struct wsim_launch_save *save) {
    return save->text == 0 ? opened->folder : NULL;
}

/* The path as it is opened, to be freed. */
static char *full_path(const struct opened *opened, const struct wsim_launch_save *save) {
    const char *folder = folder_of(opened, save);
    return memory_join(folder ? folder : "", folder ? "/" : "", save->path);
}

/* Whether the text of a name can lead out of its folder. */
static int leaves(const char *name) {
    return *name == '/' || strchr(name, '\\') || strstr(name, "..");
}

/* Whether a path leads through plain folders to a plain file or to none. From `begin` on it comes
 * from the launch file. */
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

static int refuse(const struct opened *opened, const struct wsim_launch_save *save,
                  const char *why) {
    struct wsim_diag diag = {.line = save->text == 0 ? save->line : 0, .col = save->col};
    snprintf(diag.text, sizeof diag.text, "save.%s: '%.*s'%s",
             text_cut(opened->parts->buffers[save->buffer].name).text, 120,
             text_path(save->path).text, why);
    return opened_refuse(opened, NULL, &diag);
}

static int check(const struct opened *opened, const struct wsim_launch_save *save) {
    const char *folder = folder_of(opened, save);
    char *path = full_path(opened, save);
    int status = TOOL_GO;
    if (folder && (leaves(save->path) || !is_plain(path, strlen(folder) + 1)))
        status = refuse(opened, save,
                        ": a launch file can only save to plain files below its own folder");
    else if (opened->name && output_is_input(path, opened->name))
        status = refuse(opened, save, " is the launch file: it would be overwritten");
    free(path);
    return status;
}

int save_check(const struct opened *opened) {
    int status = TOOL_GO;
    for (size_t i = 0; i < opened->parts->nsaves && status == TOOL_GO; i++)
        status = check(opened, &opened->parts->saves[i]);
    return status;
}

static int save_one(const struct machine *machine, const struct wsim_launch_save *save) {
    uint64_t bytes = machine->launch->buffers[save->buffer].bytes;
    uint8_t *content =
        machine_read(machine, wsim_session_address(machine->session, save->buffer), bytes);
    char *path = full_path(machine->opened, save), header[WSIM_NPY_WRITTEN];
    struct wsim_npy array = {.kind = save->kind, .bytes = save->bytes, .rank = save->rank};
    struct output output;
    FILE *file = output_open(&output, path);
    int status = TOOL_USAGE;
    memcpy(array.extent, save->extent, sizeof array.extent);
    if (file) {
        if (save->array)
            fwrite(header, 1, wsim_npy_write(&array, header), file);
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
