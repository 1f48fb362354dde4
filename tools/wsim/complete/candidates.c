/* Values that a word begins; see candidates.h. */
#include "candidates.h"
#include "../common/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const struct candidates *c, const char *value, size_t length, const char *about) {
    printf("%.*s%.*s\t%s\n", (int)c->head_length, c->head, (int)length, value, about ? about : "");
}

void candidate(const struct candidates *c, const char *value, const char *about) {
    if (strncmp(value, c->text, strlen(c->text)) == 0)
        print(c, value, strlen(value), about);
}

void candidate_part(struct candidates *c, const char *value) {
    if (strncmp(value, c->text, strlen(c->text)) == 0) {
        c->seen = memory_grow(c->seen, (c->count + 1) * sizeof *c->seen);
        c->seen[c->count++] = memory_text(value, strlen(value));
    }
}

static int in_order(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Bytes that the first and the last have in common: so have all between them, as they are sorted.
 */
static size_t common_to(const struct candidates *c) {
    const char *first = c->seen[0], *last = c->seen[c->count - 1];
    size_t n = 0;
    while (first[n] && first[n] == last[n])
        n++;
    return n;
}

/* The length of a part that ends after a dot, or with the value. */
static size_t part(const char *value, size_t from) {
    size_t length = from + strcspn(value + from, ".");
    return length + (value[length] == '.');
}

void candidates_end(struct candidates *c) {
    size_t from, i, before = 0;
    if (c->count) {
        qsort(c->seen, c->count, sizeof *c->seen, in_order);
        for (from = common_to(c); from > strlen(c->text) && c->seen[0][from - 1] != '.';)
            from--;
        for (i = 0; i < c->count; i++) {
            size_t length = part(c->seen[i], from);
            if (i == 0 || length != before || strncmp(c->seen[i], c->seen[i - 1], length) != 0)
                print(c, c->seen[i], length, NULL);
            before = length;
        }
    }
    for (i = 0; i < c->count; i++)
        free(c->seen[i]);
    free(c->seen);
    c->seen = NULL;
    c->count = 0;
}
