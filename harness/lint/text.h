/* text.h - memory of lint, and text with the place of each byte in the file.
 *
 * A function that runs out of memory sets `full` and goes on with less. lint.c looks at `full`
 * before it uses a result, so no other function returns a status.
 */
#ifndef WSIM_LINT_TEXT_H
#define WSIM_LINT_TEXT_H

#include <stddef.h>

struct lint_heap {
    int full; /* an allocation failed */
};

/* A copy of `old` with `count` elements of `size` bytes; NULL if there is no memory: `old` is then
 * still valid. */
void *lint_grow(struct lint_heap *heap, void *old, size_t count, size_t size);

/* A copy of `n` bytes with a 0 at the end; NULL if there is no memory. */
char *lint_copy(struct lint_heap *heap, const char *bytes, size_t n);

/* Part of a text. */
struct lint_span {
    size_t at, n;
};

/* Bytes out of a file: byte i is at `from[i]` of the file. */
struct lint_text {
    struct lint_heap *heap;
    char *bytes; /* with a 0 at the end */
    size_t *from;
    size_t n, room;
};

void lint_text_put(struct lint_text *text, char byte, size_t from);
void lint_text_add(struct lint_text *text, const char *bytes, size_t from);
void lint_text_free(struct lint_text *text);

/* The first bytes of a span, for a message. */
struct lint_piece {
    char text[100];
};
struct lint_piece lint_piece_of(const char *bytes, struct lint_span span);

#endif
