/* source.h - the asm statements of a C++ file: place, text and operands. No preprocessor runs: a
 * statement that a macro hides in part is not `whole`. */
#ifndef WSIM_LINT_SOURCE_H
#define WSIM_LINT_SOURCE_H

#include "condition.h"
#include "text.h"

struct lint_operand {
    struct lint_span name;       /* of [name]; n is 0: no name                */
    struct lint_span constraint; /* without the quotes                        */
    struct lint_span value;      /* the expression in the parentheses         */
    char letter;                 /* of the constraint; 0: not one letter      */
    char direction;              /* '=' written, '+' read and written, 0 read */
};

struct lint_asm {
    size_t at, end;          /* of the word asm, and after the statement                  */
    unsigned scopes;         /* { of earlier statements of the function that are open     */
    int is_volatile;         /* the word volatile, or no outputs, which means the same    */
    int memory;              /* clobbers "memory"                                         */
    int whole;               /* no macro hides a part of the text or the operands         */
    enum lint_truth reached; /* whether the conditions around it hold for the target      */
    int defined;             /* it is part of a macro: names are those of its uses        */
    int chosen;              /* a macro such as NV_IF_TARGET chooses it for some targets  */
    struct lint_text text;
    struct lint_operand *operands;
    unsigned n_operands, n_outputs, room;
};

struct lint_source {
    struct lint_heap *heap;
    const char *bytes; /* with a 0 at the end */
    size_t size, at;
    int line_begins; /* only blanks precede `at` in its line */
    size_t macro;    /* the end of the last #define          */
    int depth;       /* of { } of C++                        */
    int parentheses; /* open ones                            */
    unsigned scopes; /* { that statements opened ...         */
    int scopes_from; /* ... at this depth                    */
    int chosen_from; /* NV_IF_TARGET( at parentheses + 1; 0: none */
    struct lint_conditions conditions;
};

/* `number` is __CUDA_ARCH__ of the target; 0: unknown. */
struct lint_source lint_source_of(struct lint_heap *heap, const char *bytes, size_t size,
                                  unsigned number);

/* The number of { that the text opens, less those that it closes. *lowest is the least of these
 * numbers of all its beginnings, at most 0. */
int lint_braces(const struct lint_text *text, int *lowest);

/* The next statement: 1, or 0 at the end. Free each with lint_source_free. */
int lint_source_next(struct lint_source *source, struct lint_asm *out);
void lint_source_free(struct lint_asm *statement);

#endif
