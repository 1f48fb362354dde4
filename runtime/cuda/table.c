/* The table of the driver API: every public function, by name and version. Functions that are not
 * there yet are rows too: they return CUDA_ERROR_NOT_SUPPORTED and are named once on stderr. */
#include "table.h"

#include "core/twin.h"

#include <string.h>

#define CU_HAVE(symbol) twin_function symbol;
#define CU_SAME(symbol)                                                                            \
    twin_function symbol##_v2;                                                                     \
    WSIMRT_API int symbol(TWIN_PARAMETERS);                                                        \
    WSIMRT_API int symbol(TWIN_PARAMETERS) {                                                       \
        return symbol##_v2(TWIN_ARGUMENTS);                                                        \
    }
#define CU_MISSING(symbol) TWIN_MISSING(symbol, wsimrt_unsupported(#symbol))
#define CU_FUNCTION(name, version, symbol, twin, kind) CU_##kind(symbol)
#include "function.def"

#define CU_FUNCTION(name, version, symbol, twin, kind) TWIN_##twin(symbol)
#include "function.def"

/* --- look-up --- */

static const struct row {
    const char *name;
    int version;
    twin_function *address, *twin; /* twin: NULL: none */
} rows[] = {
#define ROW_PTSZ(symbol) symbol##_ptsz
#define ROW_PTDS(symbol) symbol##_ptds
#define ROW_NONE(symbol) NULL
#define CU_FUNCTION(name, version, symbol, twin, kind) {#name, version, symbol, ROW_##twin(symbol)},
#include "function.def"
};

enum { PER_THREAD_SINCE = 7000 }; /* the version of CUDA */

static int has_twin(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].twin && strcmp(rows[i].name, name) == 0)
            return 1;
    return 0;
}

enum table_result table_find(const char *name, int version, int per_thread, void **address) {
    const unsigned most = (unsigned)version; /* a negative version is a late one */
    const struct row *found = NULL;
    enum table_result result = TABLE_NO_NAME;
    const int early = per_thread && most < PER_THREAD_SINCE && has_twin(name);
    *address = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        if (result == TABLE_NO_NAME)
            result = TABLE_NO_VERSION;
        if (!early && (unsigned)rows[i].version <= most &&
            (!found || rows[i].version > found->version)) {
            found = &rows[i];
            result = TABLE_FOUND;
        }
    }
    if (found) {
        twin_function *const chosen = per_thread && found->twin ? found->twin : found->address;
        memcpy(address, &chosen, sizeof chosen);
    }
    return result;
}
