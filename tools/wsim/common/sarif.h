/* sarif.h - findings as SARIF 2.1.0. */
#ifndef WSIM_SARIF_H
#define WSIM_SARIF_H

#include <inttypes.h>
#include <jansson.h>
#include <wsim/harness/suppress.h>

struct sarif_finding {
    const char *rule;               /* of lint, of the library, or one with this meaning */
    const char *level;              /* "error", "warning", "note" */
    const char *text, *file;        /* a path below the working directory is written from there */
    const char *meaning;            /* NULL or "": the rule is known */
    const char *inside;             /* a kernel; NULL or "": none */
    const char *program;            /* that launched it; NULL or "": none */
    unsigned line, col, end_col;    /* 0: unknown */
    uint64_t fingerprint;           /* 0: none */
    const char *other, *other_file; /* words for the other place; its file, NULL or "": none */
    unsigned other_line;
    enum wsim_suppress_kind suppressed; /* WSIM_SUPPRESS_NOT: it counts */
    const char *reason;
};

/* A result. `results` are those before it, `rules` describes the rules that they name. */
void sarif_add(json_t *results, json_t *rules, const struct sarif_finding *finding);

/* Words for the other place of a finding of a kernel. */
const char *sarif_other(const char *rule);

/* Prints the log of a command ("wsim lint") and releases both. */
void sarif_print(const char *command, json_t *results, json_t *rules);

#endif
