/* Looks inside kernels, for wsim run --print and --trace. wsim-look.so makes them; it lies beside
 * this library. */
#define _GNU_SOURCE
#include "look.h"
#include "report.h"
#include "wire/look.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const struct wire_look *functions;

/* The path of a file beside this library, to be freed; NULL: unknown. */
static char *path_beside(const char *name) {
    Dl_info info;
    const char *slash;
    char *path;
    if (!dladdr(&functions, &info) || !(slash = strrchr(info.dli_fname, '/')) ||
        !(path = malloc((size_t)(slash - info.dli_fname) + strlen(name) + 2)))
        return NULL;
    memcpy(path, info.dli_fname, (size_t)(slash - info.dli_fname) + 1);
    strcpy(path + (slash - info.dli_fname) + 1, name);
    return path;
}

int look_open(const char *options) {
    char *path = options ? path_beside(WIRE_LOOK_FILE) : NULL;
    void *library;
    if (!options)
        return 0;
    library = dlopen(path ? path : WIRE_LOOK_FILE, RTLD_NOW | RTLD_LOCAL);
    free(path);
    functions = library ? dlsym(library, WIRE_LOOK_SYMBOL) : NULL;
    if (!functions)
        wsimrt_say("--print and --trace: %s", dlerror());
    else if (functions->open(options))
        return 0;
    functions = NULL;
    return WSIMRT_INVALID_VALUE;
}

int look_is_on(void) {
    return functions != NULL;
}

void *look_begin(uint64_t number, const struct wsim_look **look) {
    return functions->begin(number, look);
}

void look_end(void *launch) {
    if (launch)
        functions->end(launch);
}

void look_write(FILE *out) {
    if (functions)
        functions->write(out);
}

void look_forget(void) {
    if (functions)
        functions->forget();
}
