/* The environment of programs; see runtime.h. Source of the variables: runtime/core/runtime.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "runtime.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"
#include "wire/variables.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef RUNTIME_LIBDIR
#define RUNTIME_LIBDIR "lib"
#endif

/* Only programs with a sanitizer can load objects that have it. */
#if defined(__SANITIZE_ADDRESS__)
#define PRELOADS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PRELOADS 0
#endif
#endif
#ifndef PRELOADS
#define PRELOADS 1
#endif

extern char **environ;

static const char core[] = "libwsim-runtime.so", preload[] = "libcudart.so.13";

/* --- options --- */

static int check_words(const struct runtime_options *o) {
    const uint32_t known = WSIM_CHECK_ALL | CHECK_API | CHECK_LEAK;
    uint32_t checks;
    if (o->check && checks_read(o->check, known, &checks))
        return tool_error("--check '%s': expected all, none, or a list of " CHECK_WORDS_ALL,
                          text_cut(o->check).text);
    if (o->async && strcmp(o->async, "eager") != 0 && strcmp(o->async, "late") != 0)
        return tool_error("--async '%s': expected eager or late", text_cut(o->async).text);
    return TOOL_GO;
}

/* "80G". */
static int is_size(const char *text) {
    const size_t digits = strspn(text, "0123456789");
    return digits && (!text[digits] || (strchr("KMGTkmgt", text[digits]) && !text[digits + 1]));
}

/* Whether digits are a number of more than 64 bits. */
static int is_too_large(const char *digits) {
    errno = 0;
    strtoull(digits, NULL, 10);
    return errno != 0;
}

static int check_numbers(const struct runtime_options *o) {
    unsigned shard, shards;
    uint32_t number;
    int status = TOOL_GO;
    tool_number("--devices", o->devices, 16, &number);
    tool_number("--threads", o->threads, 1024, &number);
    if (status == TOOL_GO && o->memory && !is_size(o->memory))
        status = tool_error("--device-memory '%s': give bytes, such as 512M or 80G",
                            text_cut(o->memory).text);
    if (status == TOOL_GO && o->seed &&
        (!*o->seed || strspn(o->seed, "0123456789") < strlen(o->seed) || is_too_large(o->seed)))
        status = tool_error("--seed '%s': expected a number", text_cut(o->seed).text);
    if (status == TOOL_GO && o->shard && !wire_shard(o->shard, &shard, &shards))
        status = tool_error("--shard '%s': expected I/N: a part from 0 to N-1, and the number of "
                            "parts, up to %d",
                            text_cut(o->shard).text, WIRE_PARTS);
    return status;
}

static int check_pattern(const char *text) {
    regex_t pattern;
    if (text && regcomp(&pattern, text, REG_EXTENDED | REG_NOSUB))
        return tool_error("--launches '%s': expected a regular expression (POSIX, extended)",
                          text_cut(text).text);
    if (text)
        regfree(&pattern);
    return TOOL_GO;
}

/* --- folders --- */

int runtime_make_folder(char **path) {
    char *whole = NULL;
    if ((mkdir(*path, 0777) == 0 || errno == EEXIST) && (whole = realpath(*path, NULL)) != NULL &&
        access(whole, W_OK | X_OK) == 0) {
        free(*path);
        *path = whole;
        return TOOL_GO;
    }
    tool_error("%s: %s", text_path(*path).text, strerror(errno));
    free(whole);
    return TOOL_USAGE;
}

/* Looks beside the program: in the tree of a build, in an installation. NULL: it is not there. */
static char *find_folder(void) {
    static const char *const below[] = {"/runtime", "/../" RUNTIME_LIBDIR "/wsim", "/../lib/wsim",
                                        "/../lib64/wsim", "/wsim"};
    char self[2048];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    if (strrchr(self, '/'))
        *strrchr(self, '/') = '\0';
    for (size_t i = 0; length > 0 && i < sizeof below / sizeof *below; i++) {
        char *folder = memory_join(self, below[i], ""), *whole = NULL,
             *file = memory_join(folder, "/", core);
        if (access(file, R_OK) == 0)
            whole = realpath(folder, NULL);
        free(file);
        free(folder);
        if (whole)
            return whole;
    }
    return NULL;
}

/* --- variables --- */

static void put(struct runtime *runtime, const char *name, const char *value) {
    runtime->variables[runtime->count++] = memory_join(name, "=", value);
}

static void add(struct runtime *runtime, enum wire_variable name, const char *value) {
    if (value)
        put(runtime, wire_name(name), value);
}

/* A variable that is a list of paths: ours comes first. */
static void add_before(struct runtime *runtime, const char *name, const char *path) {
    const char *old = getenv(name);
    char *list = old && *old ? memory_join(path, ":", old) : memory_join(path, "", "");
    put(runtime, name, list);
    free(list);
}

/* The entries of --ignore, and the whole path of a baseline: processes have folders of their own.
 */
static void add_suppress(struct runtime *runtime, const struct suppress_options *o) {
    char *list = NULL, *path = o->baseline && !o->write ? realpath(o->baseline, NULL) : NULL;
    for (char **at = o->ignore; at && *at; at++) {
        char *longer = list ? memory_join(list, ",", *at) : memory_text(*at, strlen(*at));
        free(list);
        list = longer;
    }
    add(runtime, WIRE_IGNORE, list);
    add(runtime, WIRE_BASELINE, path);
    free(list);
    free(path);
}

/* A folder by its whole path: processes of the program may work elsewhere. It may come later. */
static void add_folder(struct runtime *runtime, enum wire_variable name, const char *folder) {
    char *here = folder && *folder != '/' ? realpath(".", NULL) : NULL;
    char *whole = here ? memory_join(here, "/", folder) : NULL;
    add(runtime, name, whole ? whole : folder);
    free(whole);
    free(here);
}

static void fill(struct runtime *runtime, const struct runtime_options *o, const char *libraries,
                 const char *folder, const char *assembler) {
    const int quiet = (o->check && strcmp(o->check, "none") == 0) || o->suppress.write;
    char *object = memory_join(libraries, "/", preload);
    add_before(runtime, "LD_LIBRARY_PATH", libraries);
    if (PRELOADS)
        add_before(runtime, "LD_PRELOAD", object);
    add(runtime, WIRE_ARCH, o->arch);
    add(runtime, WIRE_DEVICES, o->devices);
    add(runtime, WIRE_DEVICE_MEMORY, o->memory);
    add(runtime, WIRE_CHECK, o->check);
    add(runtime, WIRE_LAUNCHES, o->launches);
    add(runtime, WIRE_SEED, o->seed);
    add(runtime, WIRE_ASYNC, o->async);
    add(runtime, WIRE_THREADS, o->threads);
    add(runtime, WIRE_MAX_INSTRUCTIONS, o->most);
    add(runtime, WIRE_SHARD, o->shard);
    add_folder(runtime, WIRE_PTX, o->ptx);
    add(runtime, WIRE_LOOK, o->look);
    add(runtime, WIRE_LINES, o->lines ? "1" : NULL);
    add(runtime, WIRE_REPORT_FOLDER, folder);
    add(runtime, WIRE_ASSEMBLER_SOCKET, assembler);
    add_suppress(runtime, &o->suppress);
    add(runtime, WIRE_STATUS, quiet ? "0" : "1");
    free(object);
}

/* Variables that are none, but look like one. */
static void name_near(void) {
    for (char **at = environ; *at; at++) {
        const enum wire_variable meant = wire_meant(*at);
        if (meant != WIRE_NONE)
            tool_note("%.*s is no variable of the runtime; did you mean %s?",
                      (int)strcspn(*at, "="), *at, wire_name(meant));
    }
}

int runtime_open(struct runtime *runtime, const struct runtime_options *options, const char *folder,
                 const char *assembler) {
    int status = options->arch && !tool_arch(options->arch) ? TOOL_USAGE : check_words(options);
    char *libraries;
    *runtime = (struct runtime){.count = 0};
    if (status == TOOL_GO)
        status = check_numbers(options);
    if (status == TOOL_GO)
        status = check_pattern(options->launches);
    if (status != TOOL_GO)
        return status;
    libraries = find_folder();
    if (!libraries)
        return tool_error("%s is not beside wsim: programs need the runtime (Linux; "
                          "cmake -DWSIM_RUNTIME=ON)",
                          core);
    name_near();
    fill(runtime, options, libraries, folder, assembler);
    free(libraries);
    return TOOL_GO;
}

void runtime_close(struct runtime *runtime) {
    for (size_t i = 0; i < runtime->count; i++)
        free(runtime->variables[i]);
}
