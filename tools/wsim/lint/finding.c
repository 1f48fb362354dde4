/* Findings; see finding.h. */
#include "finding.h"

#include "../common/memory.h"
#include "../common/text.h"

#include <wsim/wsim.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum severity severity;
    const char *about;
} rules[] = {
#define LINT(id, name, severity, about) {name, SEVERITY_##severity, about},
#include "lint.def"
};

const char *severity_name(enum severity severity) {
    static const char *const names[] = {"note", "warning", "error"};
    return names[severity];
}

const char *finding_about(const char *rule) {
    struct wsim_rule known;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strcmp(rules[i].name, rule) == 0)
            return rules[i].about;
    return wsim_rule_find(rule, &known) ? known.meaning : "";
}

static struct finding *another(struct findings *findings, size_t at) {
    if (findings->n == findings->room) {
        findings->room = findings->room ? 2 * findings->room : 16;
        findings->all = memory_grow(findings->all, findings->room * sizeof *findings->all);
    }
    struct finding *finding = &findings->all[findings->n++];
    memset(finding, 0, sizeof *finding);
    finding->at = at;
    return finding;
}

void finding_add(struct findings *findings, enum lint_rule rule, size_t at, const char *format,
                 ...) {
    struct finding *finding = another(findings, at);
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    text_mask(text);
    finding->severity = rules[rule].severity;
    finding->rule = rules[rule].name;
    finding->text = memory_text(text, strlen(text));
}

void finding_refusal(struct findings *findings, const char *rule, size_t at, const char *text) {
    struct finding *finding = another(findings, at);
    finding->severity = SEVERITY_ERROR;
    finding->rule = rule;
    finding->text = memory_text(text, strlen(text));
    text_mask(finding->text);
}

static int in_order(const void *a, const void *b) {
    const struct finding *x = a, *y = b;
    int rule = strcmp(x->rule, y->rule);
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at)
           : rule         ? rule
                          : strcmp(x->text, y->text);
}

void findings_sort(struct findings *findings, const char *bytes, size_t size) {
    size_t kept = 0, at = 0, begins = 0;
    unsigned long line = 1;
    if (findings->n)
        qsort(findings->all, findings->n, sizeof *findings->all, in_order);
    for (size_t i = 0; i < findings->n; i++) {
        struct finding *finding = &findings->all[i];
        if (kept && in_order(finding, &findings->all[kept - 1]) == 0) {
            free(finding->text);
            continue;
        }
        for (; at < finding->at && at < size; at++)
            if (bytes[at] == '\n') {
                line++;
                begins = at + 1;
            }
        finding->line = line;
        finding->column = (unsigned long)(finding->at - begins + 1);
        findings->all[kept++] = *finding;
    }
    findings->n = kept;
}

void findings_free(struct findings *findings) {
    for (size_t i = 0; i < findings->n; i++)
        free(findings->all[i].text);
    free(findings->all);
    *findings = (struct findings){NULL, 0, 0};
}
