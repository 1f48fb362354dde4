/* finding.h - what was found in a file, by place.
 */
#ifndef WSIM_LINT_FINDING_H
#define WSIM_LINT_FINDING_H

#include <stddef.h>

/* The rules of lint itself; what the reader of PTX finds has names of its own (wsim rules). */
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

/* What must hold by the rule of that name, lint's or the library's; "" if there is none. */
const char *finding_about(const char *rule);

/* Puts a sentence there. */
void finding_add(struct findings *findings, enum lint_rule rule, size_t at, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* The same of a rule that the library names. */
void finding_refusal(struct findings *findings, const char *rule, size_t at, const char *text);

/* In the order of places, each once, with lines and columns of the file. */
void findings_sort(struct findings *findings, const char *bytes, size_t size);
void findings_free(struct findings *findings);

#endif
