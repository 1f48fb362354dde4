/* The table of the driver API: every public function, by name and version. Functions that are not
 * there yet are rows too: they return CUDA_ERROR_NOT_SUPPORTED and are named once on stderr. */
#include "table.h"

#include <string.h>

/* Arguments as registers and stack slots hold them: the table holds addresses, and the types of the
 * functions do not matter here. A function ignores the arguments that it does not have. */
#define ANY(name) __attribute__((unused)) uint64_t name
#define PARAMETERS                                                                                 \
    ANY(a), ANY(b), ANY(c), ANY(d), ANY(e), ANY(f), ANY(g), ANY(h), ANY(i), ANY(j), ANY(k), ANY(l)
#define ARGUMENTS a, b, c, d, e, f, g, h, i, j, k, l
typedef int function(PARAMETERS);

#define CU_HAVE(symbol) function symbol;
#define CU_MISSING(symbol)                                                                         \
    CU symbol(PARAMETERS);                                                                         \
    CU symbol(PARAMETERS) {                                                                        \
        return wsimrt_unsupported(#symbol);                                                        \
    }
#define CU_FUNCTION(name, version, symbol, twin, kind) CU_##kind(symbol)
#include "function.def"

/* --- twins: a stream of NULL is that of the thread --- */

static int call_twin(function *of, PARAMETERS) {
    int error;
    wsimrt_null_stream(1);
    error = of(ARGUMENTS);
    wsimrt_null_stream(0);
    return error;
}

#define TWIN(symbol, suffix)                                                                       \
    CU symbol##suffix(PARAMETERS);                                                                 \
    CU symbol##suffix(PARAMETERS) {                                                                \
        return call_twin(symbol, ARGUMENTS);                                                       \
    }
#define TWIN_PTSZ(symbol) TWIN(symbol, _ptsz)
#define TWIN_PTDS(symbol) TWIN(symbol, _ptds)
#define TWIN_NONE(symbol)
#define CU_FUNCTION(name, version, symbol, twin, kind) TWIN_##twin(symbol)
#include "function.def"

/* --- look-up --- */

static const struct row {
    const char *name;
    int version;
    function *address, *twin; /* twin: NULL: none */
} rows[] = {
#define ROW_PTSZ(symbol) symbol##_ptsz
#define ROW_PTDS(symbol) symbol##_ptds
#define ROW_NONE(symbol) NULL
#define CU_FUNCTION(name, version, symbol, twin, kind) {#name, version, symbol, ROW_##twin(symbol)},
#include "function.def"
};

enum table_result table_find(const char *name, int version, int per_thread, void **address) {
    const struct row *found = NULL;
    enum table_result result = TABLE_NO_NAME;
    *address = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        if (result == TABLE_NO_NAME)
            result = TABLE_NO_VERSION;
        if (rows[i].version <= version && (!found || rows[i].version > found->version)) {
            found = &rows[i];
            result = TABLE_FOUND;
        }
    }
    if (found) {
        function *const chosen = per_thread && found->twin ? found->twin : found->address;
        memcpy(address, &chosen, sizeof chosen);
    }
    return result;
}
