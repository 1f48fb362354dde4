/* Addresses of functions by name. */
#define _GNU_SOURCE
#include "table.h"

#include <dlfcn.h>
#include <string.h>

enum { FLAG_LEGACY = 1, FLAG_PER_THREAD = 2 }; /* CUdriverProcAddress_flags */

CU cuGetProcAddress_v2(const char *name, void **address, int version, uint64_t flags, int *status) {
    enum table_result result;
    if (!name || !*name || !address || flags & ~(uint64_t)(FLAG_LEGACY | FLAG_PER_THREAD))
        return WSIMRT_INVALID_VALUE;
    if (version > WSIMRT_CUDA_VERSION)
        return WSIMRT_INVALID_VALUE;
    result = table_find(name, version, (flags & FLAG_PER_THREAD) != 0, address);
    if (status) /* then it says that there is none */
        *status = (int)result;
    return result == TABLE_FOUND || status ? 0 : WSIMRT_NOT_FOUND;
}

CU cuGetProcAddress(const char *name, void **address, int version, uint64_t flags) {
    return cuGetProcAddress_v2(name, address, version, flags, NULL);
}

/* Whether a file is a library of NVIDIA whose kernels are machine code alone. */
static int is_closed(const char *file) {
    static const char *const names[] = {"libcublas",   "libcudnn",  "libcufft", "libcusolver",
                                        "libcusparse", "libcurand", "libnpp",   "libnccl"};
    const char *slash = strrchr(file, '/');
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(slash ? slash + 1 : file, names[i], strlen(names[i])) == 0)
            return 1;
    return 0;
}

/* Tables that are not public: none. Only a CUDA runtime asks for them, and takes none of what it
 * does from elsewhere. Objects whose runtime has names are taken over and never come here. */
CU cuGetExportTable(const void **table, const void *id) {
    static const void *said;
    Dl_info caller;
    (void)id;
    if (dladdr(__builtin_return_address(0), &caller) && caller.dli_fname &&
        caller.dli_fbase != said) {
        said = caller.dli_fbase;
        wsimrt_lack(caller.dli_fname,
                    is_closed(caller.dli_fname)
                        ? "is a library of machine code alone, of which wsim has no model: only "
                          "kernels with PTX run"
                        : "has the CUDA runtime inside and is stripped, so wsim cannot replace it: "
                          "build it with -cudart shared, or run it before strip");
    }
    if (table)
        *table = NULL;
    return WSIMRT_NOT_FOUND;
}
