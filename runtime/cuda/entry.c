/* Addresses of functions by name. */
#include "table.h"

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

/* Tables that are not public: none. */
CU cuGetExportTable(const void **table, const void *id) {
    (void)id;
    if (table)
        *table = NULL;
    return WSIMRT_NOT_FOUND;
}
