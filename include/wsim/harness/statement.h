/* statement.h - the instructions of PTX text: of one line, of a file, of an asm statement, or bare
 * spellings.
 *
 * The reader skips blanks, comments, labels, directives, braces and guards. An instruction ends at
 * ';'. Without one it ends with its line, unless the next line can only continue its operands. A
 * text is one line. Nothing is allocated and nothing is judged: a spelling is any word.
 */
#ifndef WSIM_HARNESS_STATEMENT_H
#define WSIM_HARNESS_STATEMENT_H

#include "../status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_STATEMENT_SPELLING                                                                    \
    512                             /* bytes with the 0; a longer spelling is cut and ends in '?'  \
                                     */
#define WSIM_STATEMENT_OPERANDS 256 /* bytes with the 0; longer operands are cut */

/* The next line, without its newline, in *line: 1; the end: 0; a failure: -1. The line stays valid
 * until the next call. */
typedef int wsim_line_source(void *user, const char **line);

/* A reader; the caller owns it. Its fields are private, but for `failed`. */
struct wsim_statements {
    wsim_line_source *next; /* NULL: one text */
    void *user;
    const char *line, *at;
    uint64_t number;
    int failed; /* the source of lines has failed */
};

struct wsim_statement {
    char spelling[WSIM_STATEMENT_SPELLING];
    char operands[WSIM_STATEMENT_OPERANDS]; /* without comments                                   */
    uint64_t line;                          /* from 1; of a text without lines always 1           */
    size_t column;                          /* of the spelling, from 0; of a text its offset      */
    size_t first, end; /* of a text: offsets of its operands, without the ';' */
    int ended;         /* by ';'                                             */
};

/* A reader of one text, which outlives it. */
WSIM_API struct wsim_statements wsim_statements_of(const char *text);

/* A reader of lines. */
WSIM_API struct wsim_statements wsim_statements_in(wsim_line_source *next, void *user);

/* Reads the next instruction: 1 and *out, or 0 at the end; `failed` then tells a failure. */
WSIM_API int wsim_statements_next(struct wsim_statements *in, struct wsim_statement *out);

/* The PTX of an asm statement of C: its strings before the first ':' joined, escapes read, "%%" one
 * '%', no comments to the end of a line. A text without a string is PTX. `out` has room for
 * strlen(text) + 1 bytes and does not overlap the text. */
WSIM_API void wsim_statement_unquote(const char *text, char *out);

/* The atom of CuTe at the start of a text (SM80_16x8x8_F32F16F16F32_TN), with its arguments; also
 * the one in MMA_Atom<...>, MMA_Traits<...> or Copy_Atom<...>. Returns its place in the text and
 * *length, or NULL. */
WSIM_API const char *wsim_statement_atom(const char *text, size_t *length);

#ifdef __cplusplus
}
#endif
#endif
