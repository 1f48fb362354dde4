/* finding.h - the findings in a text, in order of their places. */
#ifndef WSIM_LINT_FINDING_H
#define WSIM_LINT_FINDING_H

#include "text.h"

#include <wsim/harness/lint.h>

/* The rules of lint; findings of the reader of PTX have the rules of the library. */
enum lint_rule {
#define LINT(id, name, severity, meaning, source) LINT_##id,
#include "rule.def"
    LINT_RULES
};

struct lint_finding {
    size_t at; /* in the text */
    struct wsim_lint_finding is;
    char *text, *suggestion;
};

struct lint_findings {
    struct lint_heap *heap;
    struct lint_finding *all;
    size_t n, room;
};

/* Adds a finding of a rule of lint. `suggestion` may be NULL. */
void lint_find(struct lint_findings *findings, enum lint_rule rule, size_t at,
               const char *suggestion, const char *format, ...)
#ifdef __GNUC__
    __attribute__((__format__(__printf__, 5, 6)))
#endif
    ;

/* Adds a finding of a rule of the library. */
void lint_find_refusal(struct lint_findings *findings, const char *rule, size_t at,
                       const char *suggestion, const char *text);

/* Sorts by place, removes duplicates and sets lines and columns. */
void lint_findings_sort(struct lint_findings *findings, const char *bytes, size_t size);
void lint_findings_free(struct lint_findings *findings);

#endif
