/* banks_options.h - the options of wsim banks, which accesses and copies read. */
#ifndef WSIM_BANKS_OPTIONS_H
#define WSIM_BANKS_OPTIONS_H

#include "expr.h"

/* The options as they were given, NULL where they were not. */
struct banks_options {
    char *addr, *mask, *arch;
    char *size, *src, *src_size, *lines; /* of a copy */
    char *stride;                        /* of a fragment */
    char *let, *code;                    /* names with values; the option --c, which is gone */
    char *decl, *block;                  /* arrays of C; threads of a block */
    char *with, *pitch;                  /* of suggestions: other accesses, bytes of a row */
    int fail, suggest;
    const struct expr_scope *scope; /* the values of one step; NULL: no names have any */
};

#endif
