/* The instructions of PTX text; see statement.h. */
#include <wsim/harness/statement.h>

#include <ctype.h>
#include <string.h>

struct wsim_statements wsim_statements_of(const char *text) {
    struct wsim_statements in = {NULL, NULL, text, text, 1, 0};
    return in;
}

struct wsim_statements wsim_statements_in(wsim_line_source *next, void *user) {
    struct wsim_statements in = {next, user, "", "", 0, 0};
    return in;
}

/* --- characters --- */

/* Goes to the next line; 0 at the end. A text is one line. */
static int next_line(struct wsim_statements *in) {
    int more;
    if (!in->next)
        return 0;
    more = in->next(in->user, &in->line);
    in->failed |= more < 0;
    if (more <= 0) {
        in->line = in->at = ""; /* the source has reused the old line */
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

/* Skips a comment, over several lines if necessary. */
static void skip_comment(struct wsim_statements *in) {
    if (in->at[1] == '/') {
        in->at += strcspn(in->at, "\n"); /* a text can have several lines */
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

/* Skips blanks and comments of the line. */
static void skip_blanks(struct wsim_statements *in) {
    while (is_blank(*in->at) || is_comment(in->at))
        if (is_blank(*in->at))
            in->at++;
        else
            skip_comment(in);
}

/* Skips blanks and comments of several lines; 0 at the end. */
static int skip_space(struct wsim_statements *in) {
    for (;;) {
        skip_blanks(in);
        if (*in->at)
            return 1;
        if (!next_line(in))
            return 0;
    }
}

/* --- constructs of several lines --- */

/* The depth of open brackets and the last character. */
struct tail {
    int depth;
    char last;
};

static void tail_follow(struct tail *tail, char c) {
    if (strchr("([{", c))
        tail->depth++;
    else if (strchr(")]}", c) && tail->depth)
        tail->depth--;
    tail->last = c;
}

/* Skips a string. */
static void skip_string(struct wsim_statements *in) {
    for (in->at++; *in->at && *in->at != '"'; in->at++)
        if (*in->at == '\\' && in->at[1])
            in->at++;
    in->at += *in->at == '"';
}

/* Whether `at` is a directive of PTX. Source: PTX ISA 9.0, "Directives". */
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

/* Skips a directive up to its ';', its block, or the end of its line. An initialiser in braces
 * belongs to the directive; the body of a function or a section does not. */
static void skip_directive(struct wsim_statements *in) {
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
            tail_follow(&tail, *in->at++);
        }
    }
}

/* Skips brackets with their contents: lists of parameters. */
static void skip_brackets(struct wsim_statements *in) {
    struct tail tail = {0, 0};
    do {
        skip_blanks(in);
        if (*in->at)
            tail_follow(&tail, *in->at++);
        else if (!next_line(in))
            return;
    } while (tail.depth);
}

/* --- an instruction --- */

/* Skips '@', an optional '!' and a name before a blank, a comment or the end of the line. */
static void skip_guard(struct wsim_statements *in) {
    const char *name = in->at + 1, *at;
    name += *name == '!';
    for (at = name; is_name(*at);)
        at++;
    if (*in->at == '@' && at > name && (!*at || is_blank(*at) || is_comment(at)))
        in->at = at;
}

/* Skips a label, a name and ':'; 0 if there is none. `::` ends no label. */
static int skip_label(struct wsim_statements *in) {
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

/* Whether the next line continues the operands. This line then ends with a comma, an open bracket
 * or a call, or no instruction begins like the next one. */
static int operands_continue(struct wsim_statements *in, const struct wsim_statement *out,
                             const struct tail *tail) {
    int open = (tail->last && strchr(",([{", tail->last)) ||
               (strncmp(out->spelling, "call", 4) == 0 && !is_name(out->spelling[4]));
    if (!skip_space(in))
        return 0;
    return open || isdigit((unsigned char)*in->at) || strchr("%[{(-|,)]}", *in->at) != NULL;
}

static void read_operands(struct wsim_statements *in, struct wsim_statement *out) {
    struct tail tail = {0, 0};
    size_t n = 0;
    out->first = (size_t)(in->at - in->line);
    for (;;) {
        skip_blanks(in);
        if (*in->at == ';') {
            out->ended = 1;
            break;
        }
        if (*in->at) {
            tail_follow(&tail, *in->at);
            if (n + 1 < sizeof out->operands)
                out->operands[n++] = *in->at;
            in->at++;
        } else if (!operands_continue(in, out, &tail)) {
            break;
        }
    }
    out->operands[n] = '\0';
    out->end = (size_t)(in->at - in->line);
    in->at += out->ended;
}

/* Cuts a spelling that is too long; no spelling ends in '?'. */
static void read_spelling(struct wsim_statements *in, struct wsim_statement *out) {
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

int wsim_statements_next(struct wsim_statements *in, struct wsim_statement *out) {
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
