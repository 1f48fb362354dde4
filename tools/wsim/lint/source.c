/* Statements of inline assembly; see source.h. */
#include "source.h"

#include "../common/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void lint_text_put(struct lint_text *text, char byte, size_t from) {
    if (text->n + 1 >= text->room) {
        text->room = text->room ? 2 * text->room : 256;
        text->bytes = memory_grow(text->bytes, text->room);
        text->from = memory_grow(text->from, text->room * sizeof *text->from);
    }
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
    *text = (struct lint_text){NULL, NULL, 0, 0};
}

struct lint_source source_of(const char *bytes, size_t size, unsigned number) {
    struct lint_source source = {bytes, size, 0, 1, {.arch = number}};
    return source;
}

void source_free(struct lint_asm *statement) {
    lint_text_free(&statement->text);
    free(statement->operands);
    statement->operands = NULL;
}

/* --- the small pieces of C++: there is a 0 behind the file, so that looking ahead is safe --- */

static char here(const struct lint_source *in) {
    return in->bytes[in->at];
}

static char next(const struct lint_source *in) {
    return in->at < in->size ? in->bytes[in->at + 1] : '\0';
}

static int is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* A line that goes on: the backslash and the end of the line are nothing. */
static size_t joint(const struct lint_source *in) {
    if (here(in) != '\\')
        return 0;
    if (next(in) == '\n')
        return 2;
    return next(in) == '\r' && in->bytes[in->at + 2] == '\n' ? 3 : 0;
}

static void step(struct lint_source *in) {
    if (here(in) == '\n')
        in->line_begins = 1;
    else if (!isspace((unsigned char)here(in)))
        in->line_begins = 0;
    in->at += in->at < in->size;
}

/* Up to the end of the line, which is left. */
static void skip_line(struct lint_source *in) {
    while (in->at < in->size && here(in) != '\n')
        in->at += joint(in) ? joint(in) : 1;
}

static int skip_comment(struct lint_source *in) {
    if (here(in) != '/' || (next(in) != '/' && next(in) != '*'))
        return 0;
    if (next(in) == '/') {
        skip_line(in);
        return 1;
    }
    const char *end = strstr(in->bytes + in->at + 2, "*/");
    in->at = end ? (size_t)(end - in->bytes) + 2 : in->size;
    return 1;
}

/* R"tag( ... )tag" */
static int skip_raw(struct lint_source *in) {
    enum { MOST = 16 };
    const char *tag = in->bytes + in->at + 1;
    const size_t left = in->size - in->at - 1;
    const char *open = memchr(tag, '(', left < MOST + 1 ? left : MOST + 1);
    char close[MOST + 3] = ")";
    if (!open)
        return 0;
    memcpy(close + 1, tag, (size_t)(open - tag));
    close[1 + (open - tag)] = '"';
    const char *end = strstr(open, close);
    in->at = end ? (size_t)(end - in->bytes) + strlen(close) : in->size;
    return 1;
}

/* A string or a character. */
static void skip_quoted(struct lint_source *in) {
    const char quote = here(in);
    for (in->at++; in->at < in->size && here(in) != quote && here(in) != '\n';)
        in->at += here(in) == '\\' && in->at + 1 < in->size ? 2 : 1;
    in->at += in->at < in->size && here(in) == quote;
}

/* Whether a directive is the #ifndef NAME before a #define NAME, which is there once in a program.
 */
static int is_guard(const struct lint_source *in, const struct lint_text *directive) {
    static const char blanks[] = " \t\r\n", define[] = "#define";
    const char *name = directive->bytes + strspn(directive->bytes, blanks);
    if (strncmp(name, "ifndef", 6) != 0)
        return 0;
    name += 6 + strspn(name + 6, blanks);
    const size_t n = strcspn(name, blanks);
    const char *at = in->bytes + in->at + strspn(in->bytes + in->at, blanks);
    if (!n || strncmp(at, define, sizeof define - 1) != 0)
        return 0;
    at += sizeof define - 1;
    at += strspn(at, blanks);
    return strncmp(at, name, n) == 0 && !is_name(at[n]);
}

/* '#' is here: conditions are read, what #define defines is looked at as the rest of the file is.
 */
static void skip_directive(struct lint_source *in) {
    struct lint_text text = {NULL, NULL, 0, 0};
    size_t start = ++in->at;
    while (start < in->size && (in->bytes[start] == ' ' || in->bytes[start] == '\t'))
        start++;
    if (strncmp(in->bytes + start, "define", 6) == 0 && !is_name(in->bytes[start + 6])) {
        in->at = start + 6;
        return;
    }
    while (in->at < in->size && here(in) != '\n') {
        if (joint(in))
            in->at += joint(in);
        else if (skip_comment(in))
            lint_text_put(&text, ' ', 0);
        else
            lint_text_put(&text, in->bytes[in->at++], 0);
    }
    if (text.n)
        conditions_read(&in->conditions, text.bytes, text.n, is_guard(in, &text));
    lint_text_free(&text);
}

/* Passes over blanks, comments and ends of lines; directives are passed over too, and told of: what
 * stands between two of them may be there or not. */
static int skip_blanks(struct lint_source *in) {
    int directives = 0;
    for (;;) {
        if (joint(in))
            in->at += joint(in);
        else if (in->at < in->size && isspace((unsigned char)here(in)))
            step(in);
        else if (here(in) == '#' && in->line_begins) {
            skip_directive(in);
            directives = 1;
        } else if (!skip_comment(in))
            return directives;
    }
}

static struct lint_span word(const struct lint_source *in) {
    struct lint_span span = {in->at, 0};
    while (is_name(in->bytes[span.at + span.n]))
        span.n++;
    return span;
}

static int is(const struct lint_source *in, struct lint_span span, const char *text) {
    return span.n == strlen(text) && memcmp(in->bytes + span.at, text, span.n) == 0;
}

/* --- literals --- */

static int octal(char c) {
    return c >= '0' && c <= '7';
}

/* The byte that an escape stands for; the place is behind it then. */
static char read_escape(struct lint_source *in) {
    static const char names[] = "ntrabfv0", values[] = "\n\t\r\a\b\f\v";
    char c = in->bytes[++in->at];
    if (octal(c)) {
        unsigned value = 0;
        for (unsigned i = 0; i < 3 && octal(here(in)); i++)
            value = value * 8 + (unsigned)(in->bytes[in->at++] - '0');
        return (char)value;
    }
    if (c == 'x') {
        unsigned value = 0;
        for (in->at++; isxdigit((unsigned char)here(in)); in->at++)
            value = value * 16 + (unsigned)(isdigit((unsigned char)here(in))
                                                ? here(in) - '0'
                                                : tolower((unsigned char)here(in)) - 'a' + 10);
        return (char)value;
    }
    in->at += in->at < in->size;
    const char *found = c ? strchr(names, c) : NULL;
    return found && *found != '0' ? values[found - names] : c;
}

/* The string that begins here, behind what there is of `text`. A 0 in it is no PTX: a blank. */
static void read_string(struct lint_source *in, struct lint_text *text) {
    in->at++;
    while (in->at < in->size && here(in) != '"' && here(in) != '\n') {
        const size_t from = in->at;
        if (joint(in)) {
            in->at += joint(in);
            continue;
        }
        const char byte = here(in) == '\\' ? read_escape(in) : in->bytes[in->at++];
        lint_text_put(text, byte ? byte : ' ', from);
    }
    in->at += here(in) == '"';
}

/* R"tag(...)tag": 'R' is here. */
static void read_raw(struct lint_source *in, struct lint_text *text) {
    in->at++;
    const size_t start = in->at;
    if (!skip_raw(in)) {
        skip_quoted(in);
        return;
    }
    const size_t first = start + strcspn(in->bytes + start, "(") + 1, tag = first - start - 2;
    for (size_t at = first; at + tag + 2 < in->at; at++)
        lint_text_put(text, in->bytes[at] ? in->bytes[at] : ' ', at);
}

/* --- a statement --- */

/* Passes over what is in brackets, and what follows up to one of `ends` outside of them. */
static void skip_until(struct lint_source *in, const char *ends) {
    unsigned depth = 0;
    for (;;) {
        skip_blanks(in);
        const char c = here(in);
        if (in->at >= in->size || (!depth && strchr(ends, c)))
            return;
        if (c == '"' || c == '\'') {
            skip_quoted(in);
            continue;
        }
        depth += strchr("([{", c) != NULL;
        depth -= depth && strchr(")]}", c) != NULL;
        step(in);
    }
}

/* All strings up to ':' or ')'. */
static void read_text(struct lint_source *in, struct lint_asm *out) {
    for (;;) {
        if (skip_blanks(in))
            out->whole = 0;
        if (here(in) == '"') {
            read_string(in, &out->text);
        } else if (here(in) == 'R' && next(in) == '"') {
            read_raw(in, &out->text);
        } else {
            if (in->at < in->size && !strchr(":)", here(in))) {
                out->whole = 0;
                skip_until(in, ":)");
            }
            return;
        }
    }
}

static struct lint_span trimmed(const struct lint_source *in, size_t from, size_t to) {
    while (from < to && isspace((unsigned char)in->bytes[from]))
        from++;
    while (to > from && isspace((unsigned char)in->bytes[to - 1]))
        to--;
    return (struct lint_span){from, to - from};
}

/* [name] "constraint" (value) */
static int read_operand(struct lint_source *in, struct lint_operand *out) {
    size_t start;
    memset(out, 0, sizeof *out);
    if (here(in) == '[') {
        start = ++in->at;
        skip_until(in, "]");
        out->name = trimmed(in, start, in->at);
        step(in);
        skip_blanks(in);
    }
    if (here(in) != '"')
        return 0;
    start = in->at + 1;
    skip_quoted(in);
    out->constraint = (struct lint_span){start, in->at - start - (in->at > start)};
    const char *constraint = in->bytes + start;
    size_t n = out->constraint.n;
    if (n && (*constraint == '=' || *constraint == '+')) {
        out->direction = *constraint;
        constraint++, n--;
    }
    if (n && *constraint == '&')
        constraint++, n--;
    out->letter = n == 1 && isalpha((unsigned char)*constraint) ? *constraint : '\0';
    skip_blanks(in);
    if (here(in) != '(')
        return 0;
    step(in);
    start = in->at;
    skip_until(in, ")");
    out->value = trimmed(in, start, in->at);
    step(in);
    return 1;
}

static void read_operands(struct lint_source *in, struct lint_asm *out) {
    for (;;) {
        if (skip_blanks(in))
            out->whole = 0;
        if (in->at >= in->size || strchr(":)", here(in)))
            return;
        if (out->n_operands == out->room) {
            out->room = out->room ? 2 * out->room : 16;
            out->operands = memory_grow(out->operands, out->room * sizeof *out->operands);
        }
        if (read_operand(in, &out->operands[out->n_operands])) {
            out->n_operands++;
        } else {
            out->whole = 0;
            skip_until(in, ",:)");
        }
        if (skip_blanks(in))
            out->whole = 0;
        if (here(in) == ',') {
            step(in);
        } else if (in->at < in->size && !strchr(":)", here(in))) {
            out->whole = 0; /* a macro behind an operand */
            skip_until(in, ",:)");
        }
    }
}

static void read_clobbers(struct lint_source *in, struct lint_asm *out) {
    static const char memory[] = "\"memory\"";
    for (;;) {
        skip_blanks(in);
        if (in->at >= in->size || strchr(":)", here(in)))
            return;
        if (strncmp(in->bytes + in->at, memory, sizeof memory - 1) == 0)
            out->memory = 1;
        if (here(in) == '"') {
            skip_quoted(in);
        } else {
            out->memory |= here(in) != ','; /* a macro may say it */
            step(in);
        }
    }
}

/* Behind the word asm; 0: it is no such statement. */
static int read_asm(struct lint_source *in, struct lint_asm *out) {
    for (;;) {
        skip_blanks(in);
        struct lint_span span = word(in);
        if (is(in, span, "volatile") || is(in, span, "__volatile__") || is(in, span, "__volatile"))
            out->is_volatile = 1;
        else if (!is(in, span, "inline") && !is(in, span, "__inline__"))
            break;
        in->at += span.n;
    }
    if (here(in) != '(')
        return 0;
    step(in);
    read_text(in, out);
    for (unsigned part = 0; here(in) == ':'; part++) {
        step(in);
        if (part < 2)
            read_operands(in, out);
        else if (part == 2)
            read_clobbers(in, out);
        else
            skip_until(in, ")");
        if (part == 0)
            out->n_outputs = out->n_operands;
    }
    in->at += here(in) == ')';
    out->is_volatile |= !out->n_outputs && out->whole;
    return out->text.n > 0;
}

int source_next(struct lint_source *in, struct lint_asm *out) {
    while (in->at < in->size) {
        skip_blanks(in);
        const struct lint_span span = word(in);
        in->line_begins = 0;
        memset(out, 0, sizeof *out);
        if (is(in, span, "asm") || is(in, span, "__asm__") || is(in, span, "__asm")) {
            out->at = span.at;
            out->whole = 1;
            out->reached = conditions_now(&in->conditions);
            in->at += span.n;
            if (read_asm(in, out))
                return 1;
            source_free(out);
        } else if (span.n && here(in) == 'R' && span.n == 1 && next(in) == '"') {
            in->at++;
            if (!skip_raw(in))
                skip_quoted(in);
        } else if (span.n) {
            in->at += span.n;
            if (here(in) == '\'' && isdigit((unsigned char)in->bytes[span.at]))
                in->at++; /* 1'000 */
        } else if (here(in) == '"' || here(in) == '\'') {
            skip_quoted(in);
        } else {
            step(in);
        }
    }
    memset(out, 0, sizeof *out);
    return 0;
}
