/* Findings to leave out; see <wsim/harness/suppress.h>. */
#include "suppress.h"
#include "baseline.h"
#include "control.h"
#include "finding.h"

#include "../../sim/base/base.h"
#include "../../sim/spell/near.h"

#include <stdlib.h>
#include <string.h>

/* --- entries --- */

struct parts {
    size_t rule_n;
    const char *place; /* NULL: everywhere */
    size_t place_n;
    uint32_t line; /* 0: all */
};

/* Cuts an entry; 0: it is none. */
static int entry_cut(const char *entry, struct parts *out) {
    const char *at = strchr(entry, '@'), *colon = at ? strrchr(at, ':') : NULL;
    char *end = NULL;
    *out = (struct parts){.rule_n = at ? (size_t)(at - entry) : strlen(entry)};
    if (strpbrk(entry, ", \t\r\n"))
        return 0;
    if (!at)
        return 1;
    out->place = at + 1;
    /* a::b is a place too */
    if (colon && colon[1] >= '0' && colon[1] <= '9') {
        const unsigned long line = strtoul(colon + 1, &end, 10);
        if (*end || !line || line > UINT32_MAX)
            return 0;
        out->line = (uint32_t)line;
    } else {
        colon = NULL;
    }
    out->place_n = colon ? (size_t)(colon - out->place) : strlen(out->place);
    return out->place_n && out->place[out->place_n - 1] != ':';
}

/* The name that a wrong rule may have meant: a rule, or its first words. */
struct near_rule {
    char text[NEAR_MAX + 1];
    unsigned edits;
};

static void near_try(struct near_rule *best, const char *name, const char *rule, size_t n) {
    const unsigned edits = near_edits(name, strlen(name), rule, n, 3);
    if (edits >= best->edits || n > NEAR_MAX)
        return;
    memcpy(best->text, rule, n);
    best->text[n] = '\0';
    best->edits = edits;
}

static void near_words(struct near_rule *best, const char *name, const char *rule) {
    for (size_t n = 0; rule[n]; n++)
        if (!rule[n + 1] || rule[n + 1] == '.')
            near_try(best, name, rule, n + 1);
}

static struct near_rule near_of(const char *name) {
    struct near_rule best = {"", NEAR_NEVER};
    struct wsim_lint_rule lint;
    struct wsim_rule rule;
    for (uint32_t cursor = 0; wsim_lint_rule_next(&cursor, &lint);)
        near_words(&best, name, lint.name);
    for (uint32_t cursor = 0; wsim_rule_next(&cursor, &rule);)
        near_words(&best, name, rule.name);
    return best;
}

enum wsim_status suppress_check(const char *entry, struct wsim_diag *diag) {
    struct parts parts;
    char name[NEAR_MAX + 1] = "";
    if (!entry_cut(entry, &parts))
        return base_refuse(diag, RULE_LINT_IGNORE_SYNTAX, 0,
                           "'%.80s' is no entry: RULE, RULE@PLACE or RULE@PLACE:LINE, without "
                           "blanks and commas",
                           entry);
    if (lint_rule_exists(entry, parts.rule_n))
        return WSIM_OK;
    strncat(name, entry, parts.rule_n < NEAR_MAX ? parts.rule_n : NEAR_MAX);
    const struct near_rule near = near_of(name);
    return base_refuse(diag, RULE_LINT_RULE_UNKNOWN, 0,
                       "no rule or area of rules is called '%.80s'%s%s%s", name,
                       *near.text ? "; did you mean '" : "", near.text, *near.text ? "'?" : "");
}

/* --- places --- */

/* Whether a name is the place, or a mangled name with it: _Z4racePf has 4race. */
static int fits_name(const char *name, const char *place, size_t n) {
    const size_t length = name ? strlen(name) : 0;
    if (length < n)
        return 0;
    if (length == n && memcmp(name, place, n) == 0)
        return 1;
    for (size_t at = 3; strncmp(name, "_Z", 2) == 0 && at + n <= length; at++) {
        size_t count = 0, digits = at;
        if (memcmp(name + at, place, n) != 0)
            continue;
        for (size_t ten = 1;
             digits > 2 && name[digits - 1] >= '0' && name[digits - 1] <= '9' && ten <= 10000;
             ten *= 10) {
            count += (size_t)(name[--digits] - '0') * ten;
            if (count == n)
                return 1;
        }
    }
    return 0;
}

static int fits_path(const char *path, const char *place, size_t n) {
    const size_t length = path ? strlen(path) : 0;
    return length >= n && memcmp(path + length - n, place, n) == 0 &&
           (length == n || path[length - n - 1] == '/');
}

int suppress_fits(const char *entry, const struct wsim_suppress_finding *f) {
    struct parts parts;
    if (!f->rule || !entry_cut(entry, &parts) || !lint_rule_fits(f->rule, entry, parts.rule_n))
        return 0;
    if (!parts.place)
        return 1;
    const int mine = !parts.line || f->line == parts.line;
    const int others = !parts.line || f->other_line == parts.line;
    return ((mine || others) && (fits_name(f->kernel, parts.place, parts.place_n) ||
                                 fits_path(f->object, parts.place, parts.place_n))) ||
           (mine && fits_path(f->file, parts.place, parts.place_n)) ||
           (others && fits_path(f->other_file, parts.place, parts.place_n));
}

/* --- lists --- */

struct wsim_suppress {
    struct wsim_suppress_options options;
    struct lint_heap heap;
    struct lint_known known;
    char **ignore; /* ends with NULL */
    uint64_t *used;
    char *reason;
};

void wsim_suppress_free(struct wsim_suppress *list) {
    if (!list)
        return;
    for (char **at = list->ignore; at && *at; at++)
        free(*at);
    free(list->ignore);
    free(list->used);
    free(list->reason);
    lint_known_free(&list->known);
    free(list);
}

enum wsim_status wsim_suppress_make(const struct wsim_suppress_options *options,
                                    struct wsim_suppress **list, struct wsim_diag *diag) {
    const char *const *from = options->ignore;
    size_t n = 0;
    *list = NULL;
    for (; from && from[n]; n++) {
        const enum wsim_status status = suppress_check(from[n], diag);
        if (status)
            return status;
    }
    struct wsim_suppress *made = calloc(1, sizeof *made);
    if (made) {
        made->options = *options;
        made->ignore = calloc(n + 1, sizeof *made->ignore);
        made->used = calloc(n + 1, sizeof *made->used);
        made->known = lint_known_of(&made->heap, options->baseline);
        for (size_t i = 0; made->ignore && !made->heap.full && i < n; i++)
            made->ignore[i] = lint_copy(&made->heap, from[i], strlen(from[i]));
    }
    if (!made || !made->ignore || !made->used || made->heap.full) {
        wsim_suppress_free(made);
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for %llu entries",
                           (unsigned long long)n);
    }
    *list = made;
    return WSIM_OK;
}

/* Whether a comment of a file switches the rule off at a line. */
static int is_off(struct wsim_suppress *list, const char *rule, const char *file, uint32_t line) {
    const char *text =
        list->options.text && file && line ? list->options.text(list->options.user, file) : NULL;
    if (!text)
        return 0;
    struct lint_controls controls = lint_controls_of(text, &list->heap, NULL);
    const struct lint_span where = lint_line_of(text, line);
    const struct lint_control *off = where.n ? lint_controls_off(&controls, rule, where) : NULL;
    if (off) {
        const struct lint_span reason = lint_control_reason(text, off);
        free(list->reason);
        list->reason = lint_copy(&list->heap, text + reason.at, reason.n);
    }
    lint_controls_free(&controls);
    return off != NULL;
}

uint64_t wsim_suppress_place(const struct wsim_suppress_finding *f) {
    const uint64_t low = f->line < f->other_line ? f->line : f->other_line;
    const uint64_t high = f->line < f->other_line ? f->other_line : f->line;
    return f->place ? f->place : (high << 32 | low) + 1;
}

enum wsim_suppress_kind wsim_suppress_find(struct wsim_suppress *list,
                                           const struct wsim_suppress_finding *f,
                                           const char **reason) {
    *reason = "";
    for (size_t i = 0; list->ignore[i]; i++)
        if (suppress_fits(list->ignore[i], f)) {
            list->used[i]++;
            *reason = list->ignore[i];
            return WSIM_SUPPRESS_IGNORED;
        }
    if (is_off(list, f->rule, f->file, f->line) ||
        is_off(list, f->rule, f->other_file, f->other_line)) {
        *reason = list->reason ? list->reason : "";
        return WSIM_SUPPRESS_COMMENT;
    }
    return f->file && lint_known_take(&list->known, f->file, f->rule, f->fingerprint,
                                      wsim_suppress_place(f))
               ? WSIM_SUPPRESS_KNOWN
               : WSIM_SUPPRESS_NOT;
}

int wsim_suppress_may(const struct wsim_suppress *list, const char *rule) {
    struct parts parts;
    for (size_t i = 0; list->ignore[i]; i++)
        if (entry_cut(list->ignore[i], &parts) && parts.place &&
            lint_rule_fits(rule, list->ignore[i], parts.rule_n))
            return 1;
    return 0;
}

const char *wsim_suppress_unused(const struct wsim_suppress *list, size_t index) {
    for (size_t i = 0; list->ignore[i]; i++)
        if (!list->used[i] && index-- == 0)
            return list->ignore[i];
    return NULL;
}

size_t wsim_suppress_stale(const struct wsim_suppress *list) {
    return list->options.baseline
               ? wsim_lint_baseline_size(list->options.baseline, NULL) - list->known.used
               : 0;
}

uint64_t wsim_suppress_fingerprint(const char *rule, const char *line, const char *other) {
    const uint64_t hash = lint_hash(LINT_HASH, rule, strlen(rule));
    return (line ? lint_hash(hash, line, strlen(line)) : hash) +
           (other ? lint_hash(hash, other, strlen(other)) : 0);
}
