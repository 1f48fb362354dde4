/* Memory and text of lint; see text.h. */
#include "text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *lint_grow(struct lint_heap *heap, void *old, size_t count, size_t size) {
    void *grown = count > SIZE_MAX / size ? NULL : realloc(old, count * size);
    heap->full |= !grown;
    return grown;
}

char *lint_copy(struct lint_heap *heap, const char *bytes, size_t n) {
    char *copy = lint_grow(heap, NULL, n + 1, 1);
    if (copy && n)
        memcpy(copy, bytes, n);
    if (copy)
        copy[n] = '\0';
    return copy;
}

static int text_grow(struct lint_text *text) {
    const size_t room = text->room ? 2 * text->room : 256;
    char *bytes = lint_grow(text->heap, text->bytes, room, 1);
    text->bytes = bytes ? bytes : text->bytes;
    size_t *from = bytes ? lint_grow(text->heap, text->from, room, sizeof *from) : NULL;
    text->from = from ? from : text->from;
    text->room = from ? room : text->room;
    return from != NULL;
}

void lint_text_put(struct lint_text *text, char byte, size_t from) {
    if (text->n + 1 >= text->room && !text_grow(text))
        return;
    text->from[text->n] = from;
    text->bytes[text->n++] = byte;
    text->bytes[text->n] = '\0';
}

void lint_text_add(struct lint_text *text, const char *bytes, size_t from) {
    for (; *bytes; bytes++)
        lint_text_put(text, *bytes, from);
}

void lint_text_free(struct lint_text *text) {
    free(text->bytes);
    free(text->from);
    text->bytes = NULL;
    text->from = NULL;
    text->n = text->room = 0;
}

struct lint_piece lint_piece_of(const char *bytes, struct lint_span span) {
    struct lint_piece piece;
    size_t n = span.n < sizeof piece.text ? span.n : sizeof piece.text - 1;
    memcpy(piece.text, bytes + span.at, n);
    piece.text[n] = '\0';
    return piece;
}
