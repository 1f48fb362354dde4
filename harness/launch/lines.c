/* Lines of output beside those that were expected. */
#include "../../sim/base/base.h"

#include <stdlib.h>
#include <string.h>
#include <wsim/harness/launch.h>

struct line {
    const char *text;
    size_t length, number;
};

/* Bytes after the last newline are a line too. NULL: the heap is full. */
static struct line *split(const char *text, size_t size, size_t *count) {
    const char *end = text + size, *at = text;
    struct line *lines;
    size_t n = 1;
    for (size_t i = 0; i < size; i++)
        n += text[i] == '\n';
    lines = calloc(n, sizeof *lines);
    *count = 0;
    while (lines && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = newline ? (size_t)(newline - at) : (size_t)(end - at);
        lines[*count] = (struct line){at, length, *count + 1};
        ++*count;
        at += length + (newline != NULL);
    }
    return lines;
}

static int by_text(const struct line *a, const struct line *b) {
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* Equal lines in the order of the text. */
static int by_text_and_number(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    int order = by_text(x, y);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static void count_line(const struct line *line, uint64_t *count, const struct line **first) {
    ++*count;
    if (!*first || line->number < (*first)->number)
        *first = line;
}

/* Walks through two sorted lists. */
static void compare(const struct line *a, size_t n, const struct line *b, size_t m,
                    struct wsim_launch_lines *out) {
    const struct line *missing = NULL, *extra = NULL;
    size_t i = 0, k = 0;
    while (i < n || k < m) {
        int order = i == n ? 1 : k == m ? -1 : by_text(&a[i], &b[k]);
        if (order < 0)
            count_line(&a[i++], &out->missing, &missing);
        else if (order > 0)
            count_line(&b[k++], &out->extra, &extra);
        else
            i++, k++;
    }
    if (missing) {
        out->first_missing = missing->text;
        out->missing_length = missing->length;
        out->missing_line = missing->number;
    }
    if (extra) {
        out->first_extra = extra->text;
        out->extra_length = extra->length;
        out->extra_line = extra->number;
    }
}

enum wsim_status wsim_launch_compare_lines(const char *want, size_t want_size, const char *got,
                                           size_t got_size, struct wsim_launch_lines *out,
                                           struct wsim_diag *diag) {
    size_t n, m;
    struct line *a = split(want, want_size, &n), *b = split(got, got_size, &m);
    const int there = a && b;
    if (there) {
        *out = (struct wsim_launch_lines){0};
        qsort(a, n, sizeof *a, by_text_and_number);
        qsort(b, m, sizeof *b, by_text_and_number);
        compare(a, n, b, m, out);
    }
    free(a);
    free(b);
    return there ? WSIM_OK
                 : base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "no memory to compare lines");
}
