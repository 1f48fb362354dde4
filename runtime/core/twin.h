/* twin.h - functions of which only the name matters: those that are not there, and twins whose
 * stream of NULL is that of the thread.
 *
 * Their arguments are what registers and stack slots hold. A function ignores the arguments that it
 * does not have, so one type serves all. */
#ifndef WSIM_RUNTIME_TWIN_H
#define WSIM_RUNTIME_TWIN_H

#include "runtime.h"

#define TWIN_SLOT(name) __attribute__((unused)) uint64_t name
#define TWIN_PARAMETERS                                                                            \
    TWIN_SLOT(a), TWIN_SLOT(b), TWIN_SLOT(c), TWIN_SLOT(d), TWIN_SLOT(e), TWIN_SLOT(f),            \
        TWIN_SLOT(g), TWIN_SLOT(h), TWIN_SLOT(i), TWIN_SLOT(j), TWIN_SLOT(k), TWIN_SLOT(l),        \
        TWIN_SLOT(m), TWIN_SLOT(n), TWIN_SLOT(o), TWIN_SLOT(p)
#define TWIN_ARGUMENTS a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p
typedef int twin_function(TWIN_PARAMETERS);

static inline int twin_call(twin_function *of, TWIN_PARAMETERS) {
    int error;
    wsimrt_null_stream(1);
    error = of(TWIN_ARGUMENTS);
    wsimrt_null_stream(0);
    return error;
}

/* Defines the twin of a function. */
#define TWIN_DEFINE(symbol, suffix)                                                                \
    WSIMRT_API int symbol##suffix(TWIN_PARAMETERS);                                                \
    WSIMRT_API int symbol##suffix(TWIN_PARAMETERS) {                                               \
        return twin_call(symbol, TWIN_ARGUMENTS);                                                  \
    }
#define TWIN_PTSZ(symbol) TWIN_DEFINE(symbol, _ptsz)
#define TWIN_PTDS(symbol) TWIN_DEFINE(symbol, _ptds)
#define TWIN_NONE(symbol)

/* Defines a function that is not there; the expression is what it returns. */
#define TWIN_MISSING(symbol, expression)                                                           \
    WSIMRT_API int symbol(TWIN_PARAMETERS);                                                        \
    WSIMRT_API int symbol(TWIN_PARAMETERS) {                                                       \
        return expression;                                                                         \
    }

#endif
