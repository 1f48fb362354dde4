/* banks_options.h - what wsim banks was given, for an access and for a copy to read. */
#ifndef WSIM_BANKS_OPTIONS_H
#define WSIM_BANKS_OPTIONS_H

#include "expr.h"

/* The options as they were given, NULL where they were not. */
struct banks_options {
    char *addr, *mask, *arch, *format;
    char *size, *src, *src_size, *lines; /* of a copy */
    char *stride;                        /* of a fragment */
    char *let, *code;                    /* names with values; a file of C */
    char *decl, *block;                  /* arrays of C; threads of a block */
    char *with, *pitch;                  /* of suggestions: other accesses, bytes of a row */
    int fail, suggest;
    const struct expr_scope *scope; /* the values of one step; NULL: no names have any */
    const int64_t *lanes;           /* what the function of --c gave, 32; NULL: there is none */
};

/* What `text` means in this step, or what the function gave. TOOL_GO, or the status after saying
 * what is wrong. */
int banks_addresses(const struct banks_options *options, const char *option, const char *text,
                    uint32_t addr[32]);

#endif
