/* CUDA C++ files; see compile.h. nvcc runs its own programs through a shell and puts names of files
 * between double quotes, where $(...) is executed. So such names never reach it. */
#include "compile.h"
#include "../common/child.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"
#include "../../lib/launch_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOG_MOST = 1 << 16 };

/* Whether a line of the file begins a main(), as most programs write it. */
static int has_main(const char *name) {
    char line[256];
    FILE *file = fopen(name, "r");
    int found = 0;
    while (file && !found && fgets(line, sizeof line, file))
        found = strncmp(line, "int main(", 9) == 0;
    if (file)
        fclose(file);
    return found;
}

const char *compile_main(const char *const *list) {
    for (; list && *list; list++)
        if (text_ends(*list, ".cu") && has_main(*list))
            return *list;
    return NULL;
}

/* --- the compiler --- */

/* TOOL_GO and the path of nvcc, to be freed. */
static int find_compiler(const char *file, const char *arch, const char *given, char **path) {
    const char *named = given ? given : getenv("NVCC");
    *path = named && *named ? child_find(named) : child_find_cuda("nvcc");
    if (*path && !child_is_plain(*path))
        return tool_error("%s: a path with control characters, \", $, ` or \\ is not safe: nvcc "
                          "passes it to a shell",
                          text_path(*path).text);
    if (*path)
        return TOOL_GO;
    return tool_error("%s: nvcc compiles CUDA C++, and %s%s%s. 'pip install nvidia-cuda-nvcc "
                      "nvidia-cuda-cccl' installs one; or run 'nvcc -ptx -lineinfo -arch=%s' "
                      "elsewhere",
                      text_path(file).text, named && *named ? "no such program: " : "there is none",
                      named && *named ? text_path(named).text : "",
                      given             ? " (--nvcc)"
                      : named && *named ? " (NVCC)"
                                        : ": --nvcc, NVCC, CUDA_HOME or PATH name it",
                      arch);
}

/* --- one file --- */

static void print_log(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = memory_make(LOG_MOST + 1, 1);
    size_t size = file ? fread(text, 1, LOG_MOST, file) : 0;
    text[size] = 0;
    for (char *at = text, *end; *at; at = end) {
        end = at + strcspn(at, "\n");
        if (*end)
            *end++ = 0;
        tool_note("%s", at);
    }
    if (file)
        fclose(file);
    free(text);
}

static int refuse_name(const char *what, const char *name) {
    return tool_error("%s '%s': nvcc passes it to a shell, so it must not have control characters, "
                      "\", $, ` or \\",
                      what, text_path(name).text);
}

static int check_names(const char *name) {
    char *here = getcwd(NULL, 0);
    int status = !child_is_plain(name)           ? refuse_name("the file name", name)
                 : here && !child_is_plain(here) ? refuse_name("the working directory", here)
                                                 : TOOL_GO;
    free(here);
    return status;
}

/* The PTX of DIR/x.cu: number `index` in the folder. */
static int compile_one(struct compiled *c, size_t index, const char *name, const char *arch,
                       const char *nvcc) {
    char number[32], *log = child_path(&c->folder, "log");
    char *source = memory_join(*name == '-' ? "./" : "", name, ""),
         *target = memory_join("-arch=", arch, "");
    char *argv[] = {(char *)nvcc, "-ptx", "-lineinfo", target, "-o", NULL, source, NULL, NULL};
    int status;
    snprintf(number, sizeof number, "%zu.ptx", index);
    c->made[index] = argv[5] = child_path(&c->folder, number);
    if (c->count > 1)
        argv[7] = "-rdc=true";
    status = child_run(argv, c->folder.path, log, &c->folder.mask);
    if (status >= 0)
        print_log(log);
    if (status > 0)
        status = tool_error("%s: nvcc failed with status %d", text_path(name).text, status);
    else
        status = status == 0 ? TOOL_GO : TOOL_USAGE;
    free(log);
    free(source);
    free(target);
    return status;
}

/* --- reading --- */

static enum wsim_status open_made(void *context, const char *name, uint64_t most, void **bytes,
                                  uint64_t *size, struct wsim_diag *diag) {
    struct compiled *c = context;
    for (size_t i = 0; i < c->count; i++)
        if (c->made[i] && strcmp(c->names[i], name) == 0)
            name = c->made[i];
    return c->plain.open(c->plain.context, name, most, bytes, size, diag);
}

static void release(void *context, void *bytes) {
    struct compiled *c = context;
    c->plain.release(c->plain.context, bytes);
}

/* --- all --- */

static int compile_all(struct compiled *c, const char *const *list, const char *arch,
                       const char *nvcc) {
    int status = TOOL_GO;
    for (size_t i = 0; i < c->count && status == TOOL_GO; i++)
        if (text_ends(list[i], ".cu")) {
            const size_t length = strlen(list[i]) - 2;
            char *name = memory_make(length + 4, 1);
            memcpy(name, list[i], length);
            memcpy(name + length, "ptx", 4);
            c->names[i] = c->renamed[i] = name;
            status = check_names(list[i]);
            if (status == TOOL_GO)
                status = compile_one(c, i, list[i], arch, nvcc);
        }
    return status;
}

int compile_open(struct compiled *c, const char *const *list, const char *arch, const char *nvcc) {
    const struct wsim_arch *target = NULL;
    const char *first = NULL;
    char *compiler = NULL;
    int status = TOOL_GO;
    *c = (struct compiled){.plain = launch_files(NULL)};
    while (list && list[c->count])
        c->count++;
    c->names = memory_make(c->count + 1, sizeof *c->names);
    c->renamed = memory_make(c->count + 1, sizeof *c->renamed);
    c->made = memory_make(c->count + 1, sizeof *c->made);
    for (size_t i = c->count; i-- > 0;) {
        c->names[i] = list[i];
        first = text_ends(list[i], ".cu") ? list[i] : first;
    }
    if (!first)
        return nvcc ? tool_error("--nvcc needs a file that ends with .cu") : TOOL_GO;
    target = tool_arch(arch);
    if (!target)
        return TOOL_USAGE;
    status = find_compiler(first, wsim_arch_name(target), nvcc, &compiler);
    if (status == TOOL_GO) {
        status = child_open_folder(&c->folder);
    }
    if (status == TOOL_GO)
        status = compile_all(c, list, wsim_arch_name(target), compiler);
    free(compiler);
    return status;
}

struct wsim_launch_files compile_files(struct compiled *c) {
    return (struct wsim_launch_files){c, open_made, release, c->plain.unpack};
}

void compile_clean(struct compiled *c) {
    child_close_folder(&c->folder);
}

void compile_close(struct compiled *c) {
    compile_clean(c);
    for (size_t i = 0; i < c->count; i++) {
        free(c->renamed[i]);
        free(c->made[i]);
    }
    free(c->renamed);
    free(c->made);
    free(c->names);
}
