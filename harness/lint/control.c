/* Control comments; see control.h. */
#include "control.h"

#include <stdlib.h>
#include <string.h>

enum control_kind { CONTROL_ON, CONTROL_OFF, CONTROL_LINE, CONTROL_NEXT_LINE, CONTROLS };
static const char *const kinds[] = {"on", "off", "off-line", "off-next-line"};

struct lint_control {
    enum control_kind kind;
    size_t at;              /* of the comment                            */
    struct lint_span rules; /* names between blanks and commas; n 0: all */
    struct lint_span line;  /* to which it applies; not on, off          */
};

/* --- reading --- */

/* The next name from *at on: its length, or 0 at the end of the comment. Text after "--" is for
 * people. */
static size_t next_name(const char *bytes, size_t *at) {
    *at += strspn(bytes + *at, " \t,");
    const char *name = bytes + *at;
    return strncmp(name, "*/", 2) == 0 || strncmp(name, "--", 2) == 0 ? 0
                                                                      : strcspn(name, " \t,*\r\n");
}

/* Whether `at` is in a string. */
static int is_quoted(const char *bytes, size_t at) {
    int quotes = 0;
    for (; at && bytes[at - 1] != '\n'; at--)
        quotes += bytes[at - 1] == '"' && (at < 2 || bytes[at - 2] != '\\');
    return quotes % 2;
}

/* Whether a comment begins right before `at`. */
static int is_comment(const char *bytes, size_t at) {
    if (is_quoted(bytes, at))
        return 0;
    while (at && (bytes[at - 1] == ' ' || bytes[at - 1] == '\t'))
        at--;
    return at && (bytes[at - 1] == '*' || (at > 1 && bytes[at - 1] == '/' && bytes[at - 2] == '/'));
}

static struct lint_span line_at(const char *bytes, size_t at) {
    const char *end = bytes + at + strcspn(bytes + at, "\n");
    while (at && bytes[at - 1] != '\n')
        at--;
    return (struct lint_span){at, (size_t)(end - bytes) - at + 1};
}

/* Reads the comment at `at`, whose text begins at `text`; 0 after a finding. */
static int control_read(const char *bytes, size_t at, size_t text, struct lint_control *out,
                        struct lint_findings *findings) {
    size_t n = next_name(bytes, &text);
    *out = (struct lint_control){.kind = CONTROLS, .at = at, .line = line_at(bytes, at)};
    for (unsigned i = 0; i < CONTROLS; i++)
        if (strlen(kinds[i]) == n && memcmp(kinds[i], bytes + text, n) == 0)
            out->kind = (enum control_kind)i;
    if (out->kind == CONTROLS) {
        if (findings)
            lint_find(findings, LINT_COMMENT, at, NULL,
                      "'%s' is no control of lint: it can be off, on, off-line or off-next-line",
                      lint_piece_of(bytes, (struct lint_span){text, n}).text);
        return 0;
    }
    if (out->kind == CONTROL_NEXT_LINE) {
        const size_t next = out->line.at + out->line.n;
        out->line = bytes[next - 1] ? line_at(bytes, next) : (struct lint_span){next, 0};
    }
    out->rules.at = text + n;
    for (text += n; (n = next_name(bytes, &text)) != 0; text += n) {
        out->rules.n = text + n - out->rules.at;
        if (lint_rule_exists(bytes + text, n))
            continue;
        if (findings)
            lint_find(
                findings, LINT_COMMENT, text, NULL,
                "no rule is called '%s': names of rules follow the control, and a reason after --",
                lint_piece_of(bytes, (struct lint_span){text, n}).text);
        return 0;
    }
    return 1;
}

struct lint_controls lint_controls_of(const char *bytes, struct lint_heap *heap,
                                      struct lint_findings *findings) {
    static const char mark[] = "wsim-lint:";
    struct lint_controls out = {.bytes = bytes};
    struct lint_control one;
    for (const char *at = strstr(bytes, mark); at; at = strstr(at + 1, mark)) {
        const size_t place = (size_t)(at - bytes);
        if (!is_comment(bytes, place) ||
            !control_read(bytes, place, place + sizeof mark - 1, &one, findings))
            continue;
        if (out.n == out.room) {
            const size_t room = out.room ? 2 * out.room : 8;
            void *all = lint_grow(heap, out.all, room, sizeof one);
            if (!all)
                break;
            out.all = all;
            out.room = room;
        }
        out.all[out.n++] = one;
    }
    return out;
}

void lint_controls_free(struct lint_controls *controls) {
    free(controls->all);
    *controls = (struct lint_controls){NULL, NULL, 0, 0};
}

/* --- findings --- */

static int names_rule(const char *bytes, const struct lint_control *control, const char *rule) {
    const size_t end = control->rules.at + control->rules.n;
    size_t n;
    if (!control->rules.n)
        return 1;
    for (size_t at = control->rules.at; at < end && (n = next_name(bytes, &at)) != 0; at += n)
        if (lint_rule_fits(rule, bytes + at, n))
            return 1;
    return 0;
}

static int overlap(struct lint_span a, struct lint_span b) {
    return a.at < b.at + b.n && b.at < a.at + a.n;
}

const struct lint_control *lint_controls_off(const struct lint_controls *controls, const char *rule,
                                             struct lint_span statement) {
    const size_t last = statement.at + statement.n;
    const struct lint_control *off = NULL;
    for (size_t i = 0; i < controls->n; i++) {
        const struct lint_control *one = &controls->all[i];
        if (rule && !names_rule(controls->bytes, one, rule))
            continue;
        if (one->kind == CONTROL_LINE || one->kind == CONTROL_NEXT_LINE) {
            if (overlap(one->line, statement))
                return one;
        } else if (one->at < last) {
            off = one->kind == CONTROL_OFF ? one : NULL;
        }
    }
    return off;
}

struct lint_span lint_control_reason(const char *bytes, const struct lint_control *control) {
    const size_t at = control->rules.at + control->rules.n;
    const size_t mark = at + strspn(bytes + at, " \t,");
    struct lint_span out = {mark + 2, 0};
    if (strncmp(bytes + mark, "--", 2) != 0)
        return (struct lint_span){at, 0};
    out.at += strspn(bytes + out.at, " \t");
    for (const char *end = bytes + out.at; !strchr("\r\n", end[out.n]); out.n++)
        if (end[out.n] == '*' && end[out.n + 1] == '/')
            break;
    while (out.n && strchr(" \t", bytes[out.at + out.n - 1]))
        out.n--;
    return out;
}

struct lint_span lint_line_of(const char *bytes, uint32_t line) {
    size_t at = 0;
    for (; line > 1; line--) {
        const char *end = strchr(bytes + at, '\n');
        if (!end)
            return (struct lint_span){at, 0};
        at = (size_t)(end - bytes) + 1;
    }
    return line ? line_at(bytes, at) : (struct lint_span){at, 0};
}
