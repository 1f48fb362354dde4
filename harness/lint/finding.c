/* Findings; see finding.h. */
#include "finding.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct wsim_lint_rule rules[] = {
#define LINT(id, name, severity, meaning, source, help)                                            \
    {name, WSIM_LINT_##severity, meaning, source, help},
#include "rule.def"
#define CALL(id, name, severity, meaning, help) {name, WSIM_LINT_##severity, meaning, "wsim", help},
#include "call.def"
};
enum { RULES = sizeof rules / sizeof *rules };

const char *wsim_lint_severity_name(enum wsim_lint_severity severity) {
    static const char *const names[] = {"note", "warning", "error"};
    return (unsigned)severity <= WSIM_LINT_ERROR ? names[severity] : "unknown";
}

int wsim_lint_rule_next(uint32_t *cursor, struct wsim_lint_rule *rule) {
    if (*cursor >= RULES)
        return 0;
    *rule = rules[(*cursor)++];
    return 1;
}

static void finding_add(struct lint_findings *findings, enum wsim_lint_severity severity,
                        const char *rule, size_t at, const char *suggestion, const char *text) {
    struct lint_finding one = {.at = at, .is = {.severity = severity, .rule = rule}};
    if (findings->n == findings->room) {
        const size_t room = findings->room ? 2 * findings->room : 16;
        void *all = lint_grow(findings->heap, findings->all, room, sizeof one);
        if (!all)
            return;
        findings->all = all;
        findings->room = room;
    }
    one.text = lint_copy(findings->heap, text, strlen(text));
    one.suggestion = suggestion ? lint_copy(findings->heap, suggestion, strlen(suggestion)) : NULL;
    findings->all[findings->n++] = one;
}

void lint_find(struct lint_findings *findings, enum lint_rule rule, size_t at,
               const char *suggestion, const char *format, ...) {
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    finding_add(findings, rules[rule].severity, rules[rule].name, at, suggestion, text);
}

void lint_find_refusal(struct lint_findings *findings, enum wsim_lint_severity severity,
                       const char *rule, size_t at, const char *suggestion, const char *text) {
    finding_add(findings, severity, rule, at, suggestion, text);
}

void lint_find_scope(struct lint_findings *findings, int scope, size_t at) {
    const size_t index = findings->n;
    finding_add(findings, WSIM_LINT_ERROR, scope > 0 ? "ptx.text.missing" : "ptx.text.unexpected",
                at, NULL,
                scope > 0 ? "'}' is missing: no statement of the file closes this scope"
                          : "'}' closes nothing: no statement of the file opens a scope");
    if (findings->n > index)
        findings->all[index].scope = scope;
}

void lint_findings_in(struct lint_findings *findings, size_t first, struct lint_span statement) {
    for (size_t i = first; i < findings->n; i++)
        findings->all[i].statement = statement;
}

static int compare(const void *a, const void *b) {
    const struct lint_finding *x = a, *y = b;
    int rule = strcmp(x->is.rule, y->is.rule);
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at)
           : rule         ? rule
                          : strcmp(x->text, y->text);
}

/* The length of the word at `at`, at least 1. A qualifier is a word with its '.' or "::"; brackets
 * are a word with their contents. */
static size_t word_length(const char *at) {
    const size_t list = strcspn(at, *at == '{' ? "}\n" : "]\n");
    size_t n = 1;
    if (*at && strchr("{[", *at) && at[list] && at[list] != '\n')
        return list + 1;
    if (isalnum((unsigned char)*at) || (*at && strchr("._%$", *at)))
        while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '$' ||
               (at[n] == ':' && (at[n + 1] == ':' || at[n - 1] == ':')))
            n++;
    return n;
}

static void finding_free(struct lint_finding *finding) {
    free(finding->text);
    free(finding->suggestion);
    free(finding->reason);
}

/* Whether a byte of UTF-8 continues a character. */
static int is_continuation(char c) {
    return ((unsigned char)c & 0xC0) == 0x80;
}

static struct lint_span line_of(const char *bytes, size_t at) {
    size_t first = at;
    while (first && bytes[first - 1] != '\n')
        first--;
    return (struct lint_span){first, at - first + strcspn(bytes + at, "\n")};
}

/* FNV-1a of 64 bits. */
uint64_t lint_hash(uint64_t hash, const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)bytes[i]))
            hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

/* A hash of the rule and the statement: it survives moved and indented lines. */
static uint64_t fingerprint_of(const struct lint_finding *finding, const char *bytes) {
    const struct lint_span in = finding->statement;
    return lint_hash(lint_hash(LINT_HASH, finding->is.rule, strlen(finding->is.rule)),
                     bytes + in.at, in.n);
}

void lint_findings_sort(struct lint_findings *findings, const char *bytes, size_t size) {
    size_t kept = 0, at = 0;
    uint32_t line = 1, col = 1;
    if (findings->n)
        qsort(findings->all, findings->n, sizeof *findings->all, compare);
    for (size_t i = 0; i < findings->n; i++) {
        struct lint_finding *finding = &findings->all[i];
        if (kept && compare(finding, &findings->all[kept - 1]) == 0) {
            finding_free(finding);
            continue;
        }
        for (; at < finding->at && at < size; at++) {
            line += bytes[at] == '\n';
            col = bytes[at] == '\n' ? 1 : col + !is_continuation(bytes[at + 1]);
        }
        finding->is.line = line;
        finding->is.col = col;
        finding->is.end_col = finding->is.col + (uint32_t)word_length(bytes + finding->at);
        finding->is.text = finding->text;
        finding->is.suggestion = finding->suggestion;
        if (!finding->statement.n)
            finding->statement = line_of(bytes, finding->at);
        finding->is.fingerprint = fingerprint_of(finding, bytes);
        findings->all[kept++] = *finding;
    }
    findings->n = kept;
}

size_t lint_findings_drop(struct lint_findings *findings,
                          int (*drop)(void *user, const struct lint_finding *finding), void *user) {
    size_t kept = 0, all = findings->n;
    for (size_t i = 0; i < all; i++)
        if (drop(user, &findings->all[i]))
            finding_free(&findings->all[i]);
        else
            findings->all[kept++] = findings->all[i];
    findings->n = kept;
    return all - kept;
}

static int by_counting(const void *a, const void *b) {
    const struct lint_finding *x = a, *y = b;
    const int kinds = (x->kind != 0) - (y->kind != 0);
    return kinds ? kinds : compare(a, b);
}

size_t lint_findings_part(struct lint_findings *findings) {
    size_t n = 0;
    if (findings->n)
        qsort(findings->all, findings->n, sizeof *findings->all, by_counting);
    while (n < findings->n && !findings->all[n].kind)
        n++;
    return n;
}

int lint_rule_fits(const char *rule, const char *pattern, size_t n) {
    return n && strncmp(rule, pattern, n) == 0 && (!rule[n] || rule[n] == '.');
}

int lint_rule_exists(const char *pattern, size_t n) {
    struct wsim_rule rule;
    for (size_t i = 0; i < RULES; i++)
        if (lint_rule_fits(rules[i].name, pattern, n))
            return 1;
    for (uint32_t cursor = 0; wsim_rule_next(&cursor, &rule);)
        if (lint_rule_fits(rule.name, pattern, n))
            return 1;
    return 0;
}

void lint_findings_free(struct lint_findings *findings) {
    for (size_t i = 0; i < findings->n; i++)
        finding_free(&findings->all[i]);
    free(findings->all);
    findings->all = NULL;
    findings->n = findings->room = 0;
}
