/* Addresses of functions by name. */
#define _GNU_SOURCE
#include "table.h"

#include <dlfcn.h>
#include <string.h>

enum { FLAG_LEGACY = 1, FLAG_PER_THREAD = 2 }; /* CUdriverProcAddress_flags */

CU cuGetProcAddress_v2(const char *name, void **address, int version, uint64_t flags, int *status) {
    enum table_result result;
    if (!name || !address || flags & ~(uint64_t)(FLAG_LEGACY | FLAG_PER_THREAD))
        return WSIMRT_INVALID_VALUE;
    if (version > WSIMRT_CUDA_VERSION)
        return WSIMRT_INVALID_VALUE;
    result = table_find(name, version, (flags & FLAG_PER_THREAD) != 0, address);
    if (status)
        *status = (int)result;
    return 0; /* an address of NULL says that there is none */
}

/* The first version says by an error that there is none. */
CU cuGetProcAddress(const char *name, void **address, int version, uint64_t flags) {
    void *found = NULL;
    const int error =
        address ? cuGetProcAddress_v2(name, &found, version, flags, NULL) : WSIMRT_INVALID_VALUE;
    if (error || !found)
        return error ? error : WSIMRT_NOT_FOUND;
    *address = found;
    return 0;
}

#define CLOSED                                                                                     \
    "is a library of machine code alone, of which wsim has no model: only kernels with PTX run"

/* The libraries of NVIDIA that ask for tables, and what their programs lack then. A compiler goes
 * on without them, so nothing is lacking. */
static const struct {
    const char *name, *lack;
} vendor[] = {{"libcublas", CLOSED},   {"libcudnn", CLOSED},    {"libcufft", CLOSED},
              {"libcusolver", CLOSED}, {"libcusparse", CLOSED}, {"libcurand", CLOSED},
              {"libnpp", CLOSED},      {"libnccl", CLOSED},     {"libnvrtc", NULL},
              {"libnvvm", NULL},       {"libnvJitLink", NULL}};

/* Returns what a program lacks, whose file asks for a table, or NULL. */
static const char *lack_of(const char *file) {
    const char *slash = strrchr(file, '/');
    for (size_t i = 0; i < sizeof vendor / sizeof vendor[0]; i++)
        if (strncmp(slash ? slash + 1 : file, vendor[i].name, strlen(vendor[i].name)) == 0)
            return vendor[i].lack;
    return "has the CUDA runtime inside and is stripped, so wsim cannot replace it: build it with "
           "-cudart shared, or run it before strip";
}

/* Tables that are not public: none. A CUDA runtime that asks for them does not go on without
 * them. Objects whose runtime has names are taken over and never come here. */
CU cuGetExportTable(const void **table, const void *id) {
    static const void *said;
    Dl_info caller;
    (void)id;
    if (dladdr(__builtin_return_address(0), &caller) && caller.dli_fname &&
        caller.dli_fbase != said) {
        const char *lack = lack_of(caller.dli_fname);
        said = caller.dli_fbase;
        if (lack)
            wsimrt_lack(caller.dli_fname, lack);
    }
    if (table)
        *table = NULL;
    return WSIMRT_NOT_FOUND;
}
