/* Instructions out of PTX; see statement.h. */
#include "statement.h"

#include <ctype.h>
#include <string.h>

struct statements statements_of(const char *text) {
    struct statements in = {NULL, text, text, 1, 0};
    return in;
}

struct statements statements_in(struct lines *lines) {
    struct statements in = {lines, "", "", 0, 0};
    return in;
}

/* --- characters --- */

/* Goes on to the next line; 0: there is none. */
static int next_line(struct statements *in) {
    int more = in->lines ? lines_next(in->lines, &in->line) : 0;
    in->failed |= more < 0;
    if (more <= 0) {
        in->line = in->at = ""; /* the old one is no more */
        return 0;
    }
    in->at = in->line;
    in->number++;
    return 1;
}

static int is_blank(char c) {
    return c && strchr(" \t\r\n\v\f", c) != NULL;
}

static int is_name(char c) {
    return isalnum((unsigned char)c) || (c && strchr("%_$", c));
}

static int is_comment(const char *at) {
    return at[0] == '/' && (at[1] == '/' || at[1] == '*');
}

/* Passes over the comment, which can go on over lines. */
static void skip_comment(struct statements *in) {
    if (in->at[1] == '/') {
        in->at += strcspn(in->at, "\n"); /* a text that is no line of a file may have several */
        return;
    }
    in->at += 2;
    for (;;) {
        const char *end = strstr(in->at, "*/");
        if (end) {
            in->at = end + 2;
            return;
        }
        in->at += strlen(in->at);
        if (!next_line(in))
            return;
    }
}

/* Passes over blanks and comments up to the end of the line. */
static void skip_blanks(struct statements *in) {
    while (is_blank(*in->at) || is_comment(in->at))
        if (is_blank(*in->at))
            in->at++;
        else
            skip_comment(in);
}

/* The same over the ends of lines; 0: nothing follows any more. */
static int skip_space(struct statements *in) {
    for (;;) {
        skip_blanks(in);
        if (*in->at)
            return 1;
        if (!next_line(in))
            return 0;
    }
}

/* --- what goes on over lines --- */

/* Brackets that are open, and what stood last before the end of a line. */
struct tail {
    int depth;
    char last;
};

static void follow(struct tail *tail, char c) {
    if (strchr("([{", c))
        tail->depth++;
    else if (strchr(")]}", c) && tail->depth)
        tail->depth--;
    tail->last = c;
}

/* Passes over a string. */
static void skip_string(struct statements *in) {
    for (in->at++; *in->at && *in->at != '"'; in->at++)
        if (*in->at == '\\' && in->at[1])
            in->at++;
    in->at += *in->at == '"';
}

/* Whether a directive of PTX stands here. Source: PTX ISA 9.0, "Directives". */
static int is_directive(const char *at) {
    static const char *const names[] = {"abi_preserve",
                                        "abi_preserve_control",
                                        "address_size",
                                        "alias",
                                        "align",
                                        "attribute",
                                        "b16",
                                        "b32",
                                        "b64",
                                        "b8",
                                        "blocksareclusters",
                                        "branchtargets",
                                        "callprototype",
                                        "calltargets",
                                        "common",
                                        "const",
                                        "entry",
                                        "explicitcluster",
                                        "extern",
                                        "file",
                                        "func",
                                        "global",
                                        "loc",
                                        "local",
                                        "maxclusterrank",
                                        "maxnctapersm",
                                        "maxnreg",
                                        "maxntid",
                                        "minnctapersm",
                                        "noreturn",
                                        "param",
                                        "pragma",
                                        "reg",
                                        "reqnctapercluster",
                                        "reqntid",
                                        "section",
                                        "shared",
                                        "sreg",
                                        "target",
                                        "tex",
                                        "version",
                                        "visible",
                                        "weak"};
    size_t n = 0;
    while (*at == '.' && is_name(at[n + 1]))
        n++;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i]) == n && memcmp(at + 1, names[i], n) == 0)
            return 1;
    return 0;
}

/* Passes over a directive: to its ';', its block, or the end of its line. Values in braces belong
 * to it, the block of a function or a section does not. */
static void skip_directive(struct statements *in) {
    struct tail tail = {0, 0};
    int values = 0;
    for (;;) {
        skip_blanks(in);
        if (*in->at == '\0') {
            if ((tail.depth == 0 && tail.last != ',') || !next_line(in))
                return;
        } else if (*in->at == '"') {
            skip_string(in);
            tail.last = '"';
        } else if (*in->at == '{' && tail.depth == 0 && !values) {
            return;
        } else {
            if (*in->at == ';' && tail.depth == 0)
                return;
            values |= *in->at == '=';
            follow(&tail, *in->at++);
        }
    }
}

/* Passes over brackets with all that is in them: parameters on lines of their own. */
static void skip_brackets(struct statements *in) {
    struct tail tail = {0, 0};
    do {
        skip_blanks(in);
        if (*in->at)
            follow(&tail, *in->at++);
        else if (!next_line(in))
            return;
    } while (tail.depth);
}

/* --- an instruction --- */

/* Passes over '@', perhaps '!', and a name, where blanks or the end of the line follow. */
static void skip_guard(struct statements *in) {
    const char *name = in->at + 1, *at;
    name += *name == '!';
    for (at = name; is_name(*at);)
        at++;
    if (*in->at == '@' && at > name && (!*at || is_blank(*at) || is_comment(at)))
        in->at = at;
}

/* Passes over a name with a colon behind it; 0: there is none. `::` is none. */
static int skip_label(struct statements *in) {
    const char *at = in->at;
    while (is_name(*at))
        at++;
    if (at == in->at)
        return 0;
    while (is_blank(*at))
        at++;
    if (at[0] != ':' || at[1] == ':')
        return 0;
    in->at = at + 1;
    return 1;
}

/* Whether more operands follow the end of this line: a comma, a bracket or a call waits, or the
 * next line begins with what begins no instruction. */
static int goes_on(struct statements *in, const struct statement *out, const struct tail *tail) {
    int waits = (tail->last && strchr(",([{", tail->last)) ||
                (strncmp(out->spelling, "call", 4) == 0 && !is_name(out->spelling[4]));
    if (!skip_space(in))
        return 0;
    return waits || isdigit((unsigned char)*in->at) || strchr("%[{(-|,)]}", *in->at) != NULL;
}

static void read_operands(struct statements *in, struct statement *out) {
    struct tail tail = {0, 0};
    size_t n = 0;
    for (;;) {
        skip_blanks(in);
        if (*in->at == ';') {
            in->at++;
            out->ended = 1;
            break;
        }
        if (*in->at) {
            follow(&tail, *in->at);
            if (n + 1 < sizeof out->operands)
                out->operands[n++] = *in->at;
            in->at++;
        } else if (!goes_on(in, out, &tail)) {
            break;
        }
    }
    out->operands[n] = '\0';
}

/* A spelling that is too long is cut, and ends in what no spelling ends in. */
static void read_spelling(struct statements *in, struct statement *out) {
    size_t n = 0;
    out->line = in->number;
    out->column = (size_t)(in->at - in->line);
    while (*in->at && !is_blank(*in->at) && !strchr(";{([", *in->at) && !is_comment(in->at)) {
        if (n + 1 < sizeof out->spelling)
            out->spelling[n++] = *in->at;
        else
            out->spelling[n - 1] = '?';
        in->at++;
    }
    out->spelling[n] = '\0';
}

int statements_next(struct statements *in, struct statement *out) {
    memset(out, 0, sizeof *out);
    while (skip_space(in)) {
        if (is_directive(in->at)) {
            skip_directive(in);
        } else if (strchr("([", *in->at)) {
            skip_brackets(in);
        } else if (strchr("{};)],", *in->at)) {
            in->at++;
        } else if (!skip_label(in)) {
            skip_guard(in);
            if (!skip_space(in))
                return 0;
            if (strchr("{};", *in->at))
                continue;
            read_spelling(in, out);
            read_operands(in, out);
            return 1;
        }
    }
    return 0;
}
