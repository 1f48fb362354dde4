/* Writes refusals, and text into bounded buffers. */
#include "base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct wsim_rule rules[] = {
#define RULE(id, name, status, meaning, source) {name, WSIM_##status, meaning, source},
#include "rule.def"
};

static const char *const once[] = {
#define RULE(id, name, status, meaning, source)
#define ONCE(id, name, status, meaning, source) name,
#include "rule.def"
};

enum { RULES = sizeof rules / sizeof rules[0] };

int wsim_rule_next(uint32_t *cursor, struct wsim_rule *rule) {
    if (*cursor >= RULES)
        return 0;
    *rule = rules[(*cursor)++];
    return 1;
}

int wsim_rule_find(const char *name, struct wsim_rule *rule) {
    for (unsigned i = 0; i < RULES; i++)
        if (strcmp(rules[i].name, name) == 0) {
            *rule = rules[i];
            return 1;
        }
    return 0;
}

int base_rule_in(const char *rule, const char *area) {
    const size_t n = strlen(area);
    return strncmp(rule, area, n) == 0 && rule[n] == '.';
}

int base_rule_once(const char *rule) {
    for (unsigned i = 0; i < sizeof once / sizeof once[0]; i++)
        if (strcmp(once[i], rule) == 0)
            return 1;
    return 0;
}

static enum wsim_status word(struct wsim_diag *diag, const char *rule, enum wsim_status status,
                             uint32_t col, const char *format, va_list args) {
    if (diag) {
        diag->status = status;
        diag->rule = rule;
        diag->line = 0;
        diag->col = col;
        vsnprintf(diag->text, sizeof diag->text, format, args);
    }
    return status;
}

const char *base_rule_name(enum base_rule rule) {
    return rules[rule - 1].name;
}

enum wsim_status base_refuse(struct wsim_diag *diag, enum base_rule rule, uint32_t col,
                             const char *format, ...) {
    const struct wsim_rule *broken = &rules[rule - 1];
    va_list args;
    enum wsim_status status;
    va_start(args, format);
    status = word(diag, broken->name, broken->status, col, format, args);
    va_end(args);
    return status;
}

enum wsim_status base_repeat(struct wsim_diag *diag, const struct wsim_diag *why, uint32_t col,
                             const char *format, ...) {
    va_list args;
    enum wsim_status status;
    va_start(args, format);
    status = word(diag, why->rule, why->status, col, format, args);
    va_end(args);
    return status;
}

const char *base_range(char out[BASE_RANGE], unsigned most) {
    if (most)
        snprintf(out, BASE_RANGE, "0 to %u", most);
    else
        snprintf(out, BASE_RANGE, "only 0");
    return out;
}

void base_put(struct base_text *text, const char *format, ...) {
    va_list args;
    int n;
    if (text->used >= text->size)
        return;
    va_start(args, format);
    n = vsnprintf(text->at + text->used, text->size - text->used, format, args);
    va_end(args);
    if (n > 0)
        text->used += (size_t)n;
    if (text->used >= text->size)
        text->used = text->size ? text->size - 1 : 0;
}

const char *wsim_status_name(enum wsim_status status) {
    switch (status) {
    case WSIM_OK: return "ok";
    case WSIM_SYNTAX: return "syntax";
    case WSIM_ILLEGAL: return "illegal";
    case WSIM_OPERAND: return "operand";
    case WSIM_ALIGN: return "align";
    case WSIM_BOUNDS: return "bounds";
    case WSIM_UNMODELLED: return "unmodelled";
    case WSIM_NO_MEMORY: return "memory";
    }
    return "unknown";
}

const char *wsim_version(void) {
#define TEXT(number) #number
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)
    return VERSION(WSIM_VERSION_MAJOR, WSIM_VERSION_MINOR, WSIM_VERSION_PATCH);
}

uint32_t wsim_version_number(void) {
    return WSIM_VERSION_NUMBER;
}
