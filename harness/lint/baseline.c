/* Known findings; see lint.h. A line is "rule fingerprint file"; lines that begin with # and empty
 * lines are comments. */
#include "baseline.h"

#include "../../sim/base/base.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    uint64_t fingerprint;
    const char *rule, *file;
};

struct wsim_lint_baseline {
    char *text;        /* entries point into it            */
    struct entry *all; /* sorted by file, rule, fingerprint */
    size_t n;
};

/* src/a.cu is ./src/a.cu too. */
static const char *plain(const char *file) {
    while (file[0] == '.' && file[1] == '/')
        for (file += 2; *file == '/';)
            file++;
    return file;
}

static int compare(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    const int file = strcmp(x->file, y->file), rule = strcmp(x->rule, y->rule);
    return file   ? file
           : rule ? rule
                  : (x->fingerprint > y->fingerprint) - (x->fingerprint < y->fingerprint);
}

/* Cuts a line into the fields of an entry; 0: it is none. */
static int entry_read(char *line, struct entry *out) {
    char *number = strchr(line, ' '), *end;
    if (!number || number == line)
        return 0;
    *number++ = '\0';
    if (!isxdigit((unsigned char)*number))
        return 0;
    out->rule = line;
    out->fingerprint = strtoull(number, &end, 16);
    if (end != number + 16 || *end != ' ' || !end[1])
        return 0;
    out->file = plain(end + 1);
    return 1;
}

/* Reads the lines of the text, which it cuts. */
static enum wsim_status read_lines(struct wsim_lint_baseline *made, struct wsim_diag *diag) {
    unsigned long line = 1;
    for (char *at = made->text, *next; at; at = next, line++) {
        next = strchr(at, '\n');
        if (next)
            *next++ = '\0';
        at[strcspn(at, "\r")] = '\0';
        if (*at && *at != '#' && !entry_read(at, &made->all[made->n++]))
            return base_refuse(diag, RULE_LINT_BASELINE_SYNTAX, 0,
                               "line %lu of the baseline is not an entry: RULE FINGERPRINT FILE",
                               line);
    }
    if (made->n)
        qsort(made->all, made->n, sizeof *made->all, compare);
    return WSIM_OK;
}

enum wsim_status wsim_lint_baseline_read(const char *text, size_t size,
                                         struct wsim_lint_baseline **baseline,
                                         struct wsim_diag *diag) {
    struct wsim_lint_baseline *made = calloc(1, sizeof *made);
    size_t lines = 1;
    *baseline = NULL;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    if (made) {
        made->text = malloc(size + 1);
        made->all = calloc(lines, sizeof *made->all);
    }
    if (!made || !made->text || !made->all) {
        wsim_lint_baseline_free(made);
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0,
                           "out of memory for a baseline of %llu bytes", (unsigned long long)size);
    }
    for (size_t i = 0; i < size; i++)
        made->text[i] = text[i] ? text[i] : '?';
    made->text[size] = '\0';
    const enum wsim_status status = read_lines(made, diag);
    if (status)
        wsim_lint_baseline_free(made);
    else
        *baseline = made;
    return status;
}

void wsim_lint_baseline_free(struct wsim_lint_baseline *baseline) {
    if (!baseline)
        return;
    free(baseline->text);
    free(baseline->all);
    free(baseline);
}

/* Whether a path is `end`, or one of its folders is followed by that. */
static int path_ends(const char *path, const char *end) {
    const size_t n = strlen(path), m = strlen(end);
    return m && n >= m && strcmp(path + n - m, end) == 0 &&
           (n == m || path[n - m - 1] == '/' || *end == '/');
}

/* Whether an entry is of a file. The entry of an absolute path may begin at one of its folders. */
static int fits_file(const struct entry *entry, const char *file) {
    file = plain(file);
    return strcmp(entry->file, file) == 0 || (*file == '/' && path_ends(file, entry->file));
}

size_t wsim_lint_baseline_size(const struct wsim_lint_baseline *baseline, const char *file) {
    size_t n = 0;
    for (size_t i = 0; i < baseline->n; i++)
        n += !file || fits_file(&baseline->all[i], file);
    return n;
}

int wsim_lint_baseline_put(const char *file, const struct wsim_lint_finding *finding, char *out,
                           size_t size) {
    const int n = strpbrk(file, "\r\n")
                      ? 0
                      : snprintf(out, size, "%s %016" PRIx64 " %s\n", finding->rule,
                                 finding->fingerprint, plain(file));
    if (!n && size)
        *out = '\0';
    return n;
}

/* --- matching --- */

struct lint_known lint_known_of(struct lint_heap *heap, const struct wsim_lint_baseline *baseline) {
    struct lint_known known = {baseline, NULL, 0};
    if (baseline && baseline->n)
        known.taken = lint_grow(heap, NULL, baseline->n, sizeof *known.taken);
    for (size_t i = 0; known.taken && i < baseline->n; i++)
        known.taken[i] = 0;
    return known;
}

int lint_known_take(struct lint_known *known, const char *file, const char *rule,
                    uint64_t fingerprint, uint64_t place) {
    size_t free_one = SIZE_MAX;
    for (size_t i = 0; known->taken && i < known->baseline->n; i++) {
        const struct entry *one = &known->baseline->all[i];
        if (one->fingerprint != fingerprint || strcmp(one->rule, rule) != 0 ||
            !fits_file(one, file))
            continue;
        if (known->taken[i] == place)
            return 1;
        if (!known->taken[i] && free_one == SIZE_MAX)
            free_one = i;
    }
    if (free_one == SIZE_MAX)
        return 0;
    known->taken[free_one] = place;
    known->used++;
    return 1;
}

void lint_known_free(struct lint_known *known) {
    free(known->taken);
    known->taken = NULL;
}
