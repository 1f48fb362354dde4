/* minimize.h - replay --minimize: cases that differ, made small, as a trace. */
#ifndef WSIM_MINIMIZE_H
#define WSIM_MINIMIZE_H

#include "../common/output.h"
#include "../common/tool.h"

struct minimize {
    const char *path;          /* of the trace that is written; NULL: standard output */
    uint32_t first;            /* cases at most                                       */
    FILE *out;                 /* NULL until there is a case                          */
    struct output file;        /* what `path` becomes                                 */
    unsigned long cases, more; /* made small; differing and not looked at */
    int status;                /* TOOL_FINE, or TOOL_USAGE: it cannot be written      */
};

/* TOOL_GO if the options go together: `wanted`, what --first was given, the traces, --format. */
int minimize_check(struct minimize *minimize, int wanted, const char *first, const char **files,
                   enum tool_format format);

/* Takes the current case, which differs on `arch`, from line `line` of `file`; says on standard
 * error what became of it. */
void minimize_case(struct minimize *minimize, const struct wsim_trace *trace,
                   const struct wsim_arch *arch, const char *file, unsigned long line,
                   const struct wsim_replay *replay);

/* Ends the trace. minimize->status. */
int minimize_end(struct minimize *minimize);

#endif
