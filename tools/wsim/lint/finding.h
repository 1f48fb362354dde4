/* finding.h - findings of a file, ordered by place.
 */
#ifndef WSIM_LINT_FINDING_H
#define WSIM_LINT_FINDING_H

#include <stddef.h>

/* Rules of lint itself; findings of the reader of PTX have its rules (wsim rules). */
enum lint_rule {
#define LINT(id, name, severity, about) LINT_##id,
#include "lint.def"
    LINT_RULES
};

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };
const char *severity_name(enum severity severity);

struct finding {
    size_t at; /* in the file */
    unsigned long line, column;
    enum severity severity;
    const char *rule; /* "asm.volatile" */
    char *text;
};

struct findings {
    struct finding *all;
    size_t n, room;
};

/* The meaning of a rule of lint or of the library; "" for an unknown name. */
const char *finding_about(const char *rule);

/* Adds a finding of a rule of lint. */
void finding_add(struct findings *findings, enum lint_rule rule, size_t at, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* Adds a finding of a rule of the library. */
void finding_refusal(struct findings *findings, const char *rule, size_t at, const char *text);

/* Sorts by place, drops duplicates and fills in lines and columns. */
void findings_sort(struct findings *findings, const char *bytes, size_t size);
void findings_free(struct findings *findings);

#endif
