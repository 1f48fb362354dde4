/* source.h - statements of inline assembly in C++: where they stand, their text with the place in
 * the file of each of its bytes, and their operands. No preprocessor runs: what a macro hides is
 * not known, and the statement says so.
 */
#ifndef WSIM_LINT_SOURCE_H
#define WSIM_LINT_SOURCE_H

#include "condition.h"

#include <stddef.h>

/* Text out of a file: byte i stood at `from[i]`. */
struct lint_text {
    char *bytes; /* with a 0 behind them */
    size_t *from;
    size_t n, room;
};

void lint_text_put(struct lint_text *text, char byte, size_t from);
void lint_text_add(struct lint_text *text, const char *bytes, size_t from);
void lint_text_free(struct lint_text *text);

/* Part of the file. */
struct lint_span {
    size_t at, n;
};

struct lint_operand {
    struct lint_span name;       /* of [name]; n is 0: it has none    */
    struct lint_span constraint; /* without the quotes                */
    struct lint_span value;      /* the expression in the parentheses */
    char letter;                 /* of the constraint; 0: it is not a letter  */
    char direction;              /* '=' written, '+' read and written, 0 read */
};

struct lint_asm {
    size_t at;          /* of the word asm                                             */
    int is_volatile;    /* says volatile, or has no outputs, which means the same      */
    int memory;         /* "memory" is clobbered                                       */
    int whole;          /* nothing of the text and the operands is hidden by a macro   */
    enum truth reached; /* whether the target comes here, by the conditions around it  */
    struct lint_text text;
    struct lint_operand *operands;
    unsigned n_operands, n_outputs, room;
};

struct lint_source {
    const char *bytes; /* with a 0 behind them */
    size_t size, at;
    int line_begins; /* only blanks stand before `at` in its line */
    struct conditions conditions;
};

/* `number` of the target as in __CUDA_ARCH__, 0: not known. */
struct lint_source source_of(const char *bytes, size_t size, unsigned number);

/* The next statement: 1, or 0 at the end. source_free after each, whatever it was. */
int source_next(struct lint_source *source, struct lint_asm *out);
void source_free(struct lint_asm *statement);

#endif
