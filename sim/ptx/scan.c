/* Characters: blanks, comments, words, strings. Refuses to know what they mean. */
#include "reader.h"

#include <string.h>

static void new_line(struct reader *r) {
    r->line++;
    r->line_start = r->at + 1;
}

/* Skips a comment; one without an end takes the rest of the text. */
static void comment(struct reader *r) {
    struct place at = ptx_here(r);
    if (r->at[1] == '/') {
        while (*r->at && *r->at != '\n')
            r->at++;
        return;
    }
    for (r->at += 2; *r->at; r->at++) {
        if (*r->at == '*' && r->at[1] == '/') {
            r->at += 2;
            return;
        }
        if (*r->at == '\n')
            new_line(r);
    }
    ptx_complain(r, RULE_PTX_TEXT_COMMENT, at, "this comment never ends");
}

/* Remembers where blanks began: a problem with a missing character points there. */
char ptx_skip(struct reader *r) {
    const char *from = r->at, *line_start = r->line_start;
    uint32_t line = r->line;
    if (*from > ' ' && *from != '/')
        return *from;
    for (;; r->at++) {
        char c = *r->at;
        if (c == '\n') {
            new_line(r);
        } else if (c == '/' && (r->at[1] == '/' || r->at[1] == '*')) {
            comment(r);
            r->at--;
        } else if (c != ' ' && c != '\t' && c != '\r' && c != '\f' && c != '\v') {
            if (r->at != from) {
                r->blanks = (struct place){line, (uint32_t)(from - line_start) + 1};
                r->behind_blanks = r->at;
            }
            return c;
        }
    }
}

struct place ptx_here(const struct reader *r) {
    return (struct place){r->line, (uint32_t)(r->at - r->line_start) + 1};
}

int ptx_accept(struct reader *r, char c) {
    if (ptx_skip(r) != c)
        return 0;
    r->at++;
    return 1;
}

/* A missing character belongs after the last word, so the column points there and not at a later
 * line. */
int ptx_expect(struct reader *r, char c, const char *what) {
    char seen[PTX_SEEN];
    if (ptx_accept(r, c))
        return 1;
    struct place at = ptx_here(r);
    int other_line = r->behind_blanks == r->at && r->blanks.line != at.line;
    ptx_complain(r, RULE_PTX_TEXT_MISSING, other_line ? r->blanks : at,
                 "'%c' is missing %s, before %s", c, what, ptx_seen(r, seen));
    return 0;
}

uint32_t ptx_word(struct reader *r) {
    char c = ptx_skip(r);
    const char *from = r->at;
    if (!(ptx_is_word(c) || c == '%') || ptx_is_digit(c))
        return 0;
    while (ptx_is_word(*++r->at))
        ;
    return ptx_name(r, from, (size_t)(r->at - from));
}

void ptx_dotted(struct reader *r, char out[PTX_WORD]) {
    size_t n = 0;
    out[0] = '\0';
    if (ptx_skip(r) != '.')
        return;
    r->at++;
    for (; ptx_is_word(*r->at) || (r->at[0] == ':' && r->at[1] == ':') ||
           (r->at[0] == ':' && r->at[-1] == ':');
         r->at++)
        if (n < PTX_WORD - 1)
            out[n++] = *r->at;
    out[n] = '\0';
}

int ptx_string(struct reader *r, const char **text, uint32_t *length) {
    char seen[PTX_SEEN];
    if (ptx_skip(r) != '"') {
        ptx_complain(r, RULE_PTX_TEXT_MISSING, ptx_here(r), "a string is missing before %s",
                     ptx_seen(r, seen));
        return 0;
    }
    struct place at = ptx_here(r);
    *text = ++r->at;
    while (*r->at && *r->at != '"' && *r->at != '\n')
        r->at++;
    *length = (uint32_t)(r->at - *text);
    if (*r->at == '"') {
        r->at++;
        return 1;
    }
    ptx_complain(r, RULE_PTX_TEXT_STRING, at, "this string does not end on its line");
    return 0;
}

/* Whether the brace at `at` closes before the statement ends: then it is a list of operands. */
static int is_list(const char *at) {
    while (*at && *at != '}' && *at != ';')
        at++;
    return *at == '}';
}

int ptx_empty(struct reader *r) {
    ptx_complain(r, RULE_PTX_TEXT_UNEXPECTED, ptx_here(r), "';' ends no statement");
    r->at++;
    return 1;
}

void ptx_recover(struct reader *r) {
    for (int list = 0;;) {
        char c = ptx_skip(r);
        if (c == '\0' || (c == '}' && !list) || (c == '{' && (list || !is_list(r->at))))
            return;
        r->at++;
        list = c == '{' || (list && c != '}');
        if (c == ';')
            return;
        if (c == '"') {
            while (*r->at && *r->at != '"' && *r->at != '\n')
                r->at++;
            r->at += *r->at == '"';
        }
    }
}

void ptx_skip_braces(struct reader *r) {
    struct place open = ptx_here(r);
    uint64_t depth = 0;
    for (char c = ptx_skip(r); c; c = ptx_skip(r)) {
        r->at++;
        depth += c == '{';
        if (c == '}' && --depth == 0)
            return;
        if (c == '"')
            while (*r->at && *r->at++ != '"')
                ;
    }
    ptx_complain(r, RULE_PTX_TEXT_MISSING, ptx_here(r),
                 "'}' is missing: the brace of line %u is never closed", (unsigned)open.line);
}
