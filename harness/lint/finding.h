/* finding.h - the findings in a text, in order of their places. */
#ifndef WSIM_LINT_FINDING_H
#define WSIM_LINT_FINDING_H

#include "text.h"

#include <wsim/harness/suppress.h>

/* The rules of lint; findings of the reader of PTX have the rules of the library. */
enum lint_rule {
#define LINT(id, name, severity, meaning, source, help) LINT_##id,
#include "rule.def"
    LINT_RULES
};

struct lint_finding {
    size_t at;                  /* in the text                                   */
    struct lint_span statement; /* that it is in; n is 0 before lint_findings_in */
    int scope; /* 1: a statement leaves a scope open; -1: closes one of others; else 0 */
    struct wsim_lint_finding is;
    char *text, *suggestion, *reason;
    enum wsim_suppress_kind kind; /* why it does not count, as `reason` says */
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
void lint_find_refusal(struct lint_findings *findings, enum wsim_lint_severity severity,
                       const char *rule, size_t at, const char *suggestion, const char *text);

/* Adds a finding of a scope: 1: it is not closed; -1: it is not open. */
void lint_find_scope(struct lint_findings *findings, int scope, size_t at);

/* Findings from number `first` on are in the statement. */
void lint_findings_in(struct lint_findings *findings, size_t first, struct lint_span statement);

/* Sorts by place, removes duplicates and sets lines, columns and fingerprints. A finding outside of
 * statements is in its line. */
void lint_findings_sort(struct lint_findings *findings, const char *bytes, size_t size);

/* Removes the findings that `drop` answers 1 for, and returns their number. */
size_t lint_findings_drop(struct lint_findings *findings,
                          int (*drop)(void *user, const struct lint_finding *finding), void *user);

/* Moves findings that do not count behind the others. Returns the number of the others. */
size_t lint_findings_part(struct lint_findings *findings);

/* Whether `pattern` is the rule, or words that it begins with: asm.memory, asm. */
int lint_rule_fits(const char *rule, const char *pattern, size_t n);

/* Whether a rule of lint, of calls or of the library fits. */
int lint_rule_exists(const char *pattern, size_t n);

/* Adds bytes without blanks to a hash, which is LINT_HASH at first. */
#define LINT_HASH UINT64_C(14695981039346656037)
uint64_t lint_hash(uint64_t hash, const char *bytes, size_t n);
void lint_findings_free(struct lint_findings *findings);

#endif
