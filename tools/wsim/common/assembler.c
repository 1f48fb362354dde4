/* ptxas and nvdisasm; see assembler.h. */
#include "assembler.h"
#include "child.h"
#include "memory.h"
#include "text.h"
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LISTING_MOST = 1 << 30 };

static char *beside(const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash - path) + 1 : 0, room = folder + strlen(name) + 1;
    char *other = memory_make(room, 1), *found;
    memcpy(other, path, folder);
    memcpy(other + folder, name, strlen(name) + 1);
    found = child_find(other);
    free(other);
    return found;
}

/* ptxas at `path`, or in the folder `path`. */
static char *find_given(const char *path) {
    char *below = memory_join(path, "/ptxas", ""), *found = child_find(below);
    free(below);
    return found ? found : child_find(path);
}

const char *assembler_open(struct assembler *programs, const char *which) {
    programs->ptxas = which ? find_given(which) : child_find_cuda("ptxas");
    programs->nvdisasm = programs->ptxas ? beside(programs->ptxas, "nvdisasm") : NULL;
    if (programs->ptxas && !programs->nvdisasm)
        programs->nvdisasm = child_find_cuda("nvdisasm");
    return !programs->ptxas      ? "there is no ptxas"
           : !programs->nvdisasm ? "there is no nvdisasm beside ptxas or on the PATH ('pip "
                                   "install nvidia-cuda-nvdisasm' installs one)"
                                 : NULL;
}

void assembler_close(struct assembler *programs) {
    free(programs->ptxas);
    free(programs->nvdisasm);
    programs->ptxas = programs->nvdisasm = NULL;
}

static int fail(struct assembler_failure *failure, const char *program, const char *why) {
    snprintf(failure->text, sizeof failure->text, "%s: %.*s", text_path(program).text,
             (int)strcspn(why, "\n"), text_cut(why).text);
    return TOOL_USAGE;
}

static int write_file(const char *path, const char *text, size_t size,
                      struct assembler_failure *failure) {
    FILE *file = fopen(path, "wb");
    int good = file && fwrite(text, 1, size, file) == size;
    if (file && fclose(file))
        good = 0;
    return good ? TOOL_GO : fail(failure, path, strerror(errno));
}

/* The whole file with a NUL after it; NULL: it cannot be read. */
static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    size_t size = 0, room = 1 << 16, got;
    char *text = file ? memory_make(room, 1) : NULL;
    while (file && (got = fread(text + size, 1, room - size - 1, file)) > 0) {
        size += got;
        if (size + 1 == room && room < LISTING_MOST)
            text = memory_grow(text, room *= 2);
    }
    if (file)
        fclose(file);
    if (text)
        text[size] = '\0';
    return text;
}

/* Runs both programs. *messages of ptxas and *listing are to be freed. */
static int run_programs(const struct assembler *programs, const struct child_folder *folder,
                        const char *arch, char **messages, char **listing,
                        struct assembler_failure *failure) {
    char *ptx = child_path(folder, "k.ptx"), *cubin = child_path(folder, "k.cubin");
    char *log = child_path(folder, "messages"), *list = child_path(folder, "listing");
    const sigset_t *mask = programs->mask ? programs->mask : &folder->mask;
    char target[64];
    char *assemble[] = {programs->ptxas, "-v", "-O3", "-lineinfo", target, ptx, "-o", cubin, NULL};
    char *disassemble[] = {programs->nvdisasm, "-c", "-g", cubin, NULL};
    int status;
    snprintf(target, sizeof target, "-arch=%s", arch);
    status = child_run(assemble, folder->path, log, mask);
    *messages = read_file(log);
    if (status) {
        status = fail(failure, programs->ptxas, *messages && **messages ? *messages : "failed");
    } else {
        status = child_run(disassemble, folder->path, list, mask);
        *listing = read_file(list);
        status =
            status ? fail(failure, programs->nvdisasm, *listing && **listing ? *listing : "failed")
                   : TOOL_GO;
    }
    free(ptx);
    free(cubin);
    free(log);
    free(list);
    return status;
}

/* Runs both programs in a temporary folder, and reads what they print. */
static int assemble(const struct assembler *programs, const struct wsim_arch *arch,
                    struct wsim_assembly *assembly, struct assembler_failure *failure) {
    struct child_folder folder;
    char *ptx, *messages = NULL, *listing = NULL;
    const char *text;
    struct wsim_diag diag;
    size_t size;
    int status = child_open_folder(&folder);
    if (status != TOOL_GO)
        return fail(failure, "TMPDIR", "no folder can be made there");
    ptx = child_path(&folder, "k.ptx");
    text = wsim_assembly_text(assembly, &size);
    status = write_file(ptx, text, size, failure);
    if (status == TOOL_GO)
        status =
            run_programs(programs, &folder, wsim_arch_name(arch), &messages, &listing, failure);
    if (status == TOOL_GO && wsim_assembly_read(assembly, listing ? listing : "", messages, &diag))
        status = fail(failure, programs->nvdisasm, diag.text);
    free(messages);
    free(listing);
    free(ptx);
    child_close_folder(&folder);
    return status;
}

int assembler_assemble(const struct assembler *programs, const struct assembler_text *text,
                       const struct wsim_arch *arch, struct wsim_assembly **assembly,
                       struct assembler_failure *failure) {
    struct wsim_diag diag;
    int status = TOOL_GO;
    *assembly = NULL;
    if (wsim_assembly_make(text->bytes, text->size, assembly, &diag))
        return fail(failure, text->name, diag.text);
    status = assemble(programs, arch, *assembly, failure);
    if (status == TOOL_GO)
        return TOOL_GO;
    wsim_assembly_free(*assembly);
    *assembly = NULL;
    return status;
}
