/* The asm statements of a file; see source.h. */
#include "source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct lint_source lint_source_of(struct lint_heap *heap, const char *bytes, size_t size,
                                  unsigned number) {
    return (struct lint_source){.heap = heap,
                                .bytes = bytes,
                                .size = size,
                                .line_begins = 1,
                                .conditions = {.arch = number}};
}

void lint_source_free(struct lint_asm *statement) {
    lint_text_free(&statement->text);
    free(statement->operands);
    statement->operands = NULL;
}

/* --- tokens of C++. The 0 at the end of the file makes it safe to look ahead --- */

static char here(const struct lint_source *in) {
    return in->bytes[in->at];
}

static char next(const struct lint_source *in) {
    return in->at < in->size ? in->bytes[in->at + 1] : '\0';
}

static int is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of a backslash and the end of its line, which join two lines; 0: none. */
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

/* Skips to the end of the line. */
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

/* Whether a directive is the #ifndef NAME before #define NAME: an include guard always holds. */
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

/* Skips the directive at '#' and reads a condition. The body of a #define is read like the file. */
static void skip_directive(struct lint_source *in) {
    struct lint_text text = {.heap = in->heap};
    size_t start = ++in->at;
    while (start < in->size && (in->bytes[start] == ' ' || in->bytes[start] == '\t'))
        start++;
    if (strncmp(in->bytes + start, "define", 6) == 0 && !is_name(in->bytes[start + 6])) {
        in->at = start;
        skip_line(in);
        in->macro = in->at;
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
        lint_conditions_read(&in->conditions, text.bytes, text.n, is_guard(in, &text));
    lint_text_free(&text);
}

/* Skips blanks, comments and directives. Returns 1 if there was a directive: code between two of
 * them may be absent. */
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

/* Skips an escape and returns its byte. */
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

/* Appends the string that begins here to `text`. A 0 is no PTX and becomes a blank. */
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

/* Appends R"tag(...)tag". */
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

/* Skips to one of `ends` outside of brackets. */
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

static void add_operand(const struct lint_source *in, struct lint_asm *out,
                        const struct lint_operand *operand) {
    if (out->n_operands == out->room) {
        const unsigned room = out->room ? 2 * out->room : 16;
        void *operands = lint_grow(in->heap, out->operands, room, sizeof *operand);
        if (!operands)
            return;
        out->operands = operands;
        out->room = room;
    }
    out->operands[out->n_operands++] = *operand;
}

static void read_operands(struct lint_source *in, struct lint_asm *out) {
    for (;;) {
        if (skip_blanks(in))
            out->whole = 0;
        if (in->at >= in->size || strchr(":)", here(in)))
            return;
        struct lint_operand operand;
        if (read_operand(in, &operand)) {
            add_operand(in, out, &operand);
        } else {
            out->whole = 0;
            skip_until(in, ",:)");
        }
        if (skip_blanks(in))
            out->whole = 0;
        if (here(in) == ',') {
            step(in);
        } else if (in->at < in->size && !strchr(":)", here(in))) {
            out->whole = 0; /* a macro after an operand */
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
            out->memory |= here(in) != ','; /* a macro may contain it */
            step(in);
        }
    }
}

/* Reads a statement after the word asm; 0: it is none. */
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

/* --- scopes --- */

int lint_braces(const struct lint_text *text, int *lowest) {
    int depth = 0;
    *lowest = 0;
    for (const char *at = text->n ? text->bytes : ""; *at; at++) {
        if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 1 : at + strlen(at);
        }
        if (!*at)
            break;
        depth += (*at == '{') - (*at == '}');
        *lowest = depth < *lowest ? depth : *lowest;
    }
    return depth;
}

/* Statements of a function can open a scope and close it later. */
static void follow_scopes(struct lint_source *in, struct lint_asm *out) {
    int lowest, more = lint_braces(&out->text, &lowest);
    out->scopes = in->scopes;
    if (!in->scopes)
        in->scopes_from = in->depth;
    if (more < 0 && (unsigned)-more > in->scopes)
        in->scopes = 0;
    else
        in->scopes += (unsigned)more;
}

/* Steps over a character of C++. */
static void step_code(struct lint_source *in) {
    const char c = here(in);
    in->depth += (c == '{') - (c == '}');
    in->parentheses += (c == '(') - (c == ')');
    if (in->depth < in->scopes_from)
        in->scopes = 0;
    if (in->chosen_from && in->parentheses < in->chosen_from)
        in->chosen_from = 0;
    step(in);
}

/* Macros of <nv/target>, which expand to code for some targets. */
static int is_choice(const struct lint_source *in, struct lint_span span) {
    return is(in, span, "NV_IF_TARGET") || is(in, span, "NV_IF_ELSE_TARGET") ||
           is(in, span, "NV_DISPATCH_TARGET");
}

int lint_source_next(struct lint_source *in, struct lint_asm *out) {
    while (in->at < in->size) {
        skip_blanks(in);
        const struct lint_span span = word(in);
        in->line_begins = 0;
        memset(out, 0, sizeof *out);
        out->text.heap = in->heap;
        if (is(in, span, "asm") || is(in, span, "__asm__") || is(in, span, "__asm")) {
            out->at = span.at;
            out->whole = 1;
            out->reached = lint_conditions_now(&in->conditions);
            out->chosen = in->chosen_from != 0;
            out->defined = span.at < in->macro;
            in->at += span.n;
            if (read_asm(in, out)) {
                out->end = in->at;
                follow_scopes(in, out);
                return 1;
            }
            lint_source_free(out);
        } else if (span.n && here(in) == 'R' && span.n == 1 && next(in) == '"') {
            in->at++;
            if (!skip_raw(in))
                skip_quoted(in);
        } else if (span.n) {
            in->at += span.n;
            if (is_choice(in, span) && !in->chosen_from)
                in->chosen_from = in->parentheses + 1;
            if (here(in) == '\'' && isdigit((unsigned char)in->bytes[span.at]))
                in->at++; /* 1'000 */
        } else if (here(in) == '"' || here(in) == '\'') {
            skip_quoted(in);
        } else {
            step_code(in);
        }
    }
    memset(out, 0, sizeof *out);
    return 0;
}
