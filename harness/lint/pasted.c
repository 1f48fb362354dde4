/* PTX and atoms in pasted text; see statement.h. */
#include <wsim/harness/statement.h>

#include <ctype.h>
#include <string.h>

/* The character of an escape; one without meaning in PTX is a blank. */
static char escaped(char c) {
    return c == 'n'                                                        ? '\n'
           : c && strchr("tvrf", c)                                        ? ' '
           : isdigit((unsigned char)c) || c == 'x' || c == 'a' || c == 'b' ? ' '
                                                                           : c;
}

/* Copies a string without its quotes and returns its end. */
static const char *copy_string(const char *at, char **to) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1] == '\n') {
            at++; /* joins two lines */
        } else if (*at == '\\' && at[1]) {
            *(*to)++ = escaped(*++at);
        } else {
            *(*to)++ = *at;
            at += at[0] == '%' && at[1] == '%';
        }
    return *at ? at + 1 : at;
}

/* The end of a comment of C at `at`, or `at`. */
static const char *skip_comment(const char *at) {
    const char *end;
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] != '/' || at[1] != '*')
        return at;
    end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* Removes comments that end with their line, because the strings are one line. */
static void drop_comments(char *text) {
    char *to = text;
    while (*text)
        if (text[0] == '/' && text[1] == '/')
            text += strcspn(text, "\n");
        else
            *to++ = *text++;
    *to = '\0';
}

void wsim_statement_unquote(const char *text, char *out) {
    const char *at = strchr(text, '"');
    char *to = out;
    if (!at) {
        memcpy(out, text, strlen(text) + 1);
        drop_comments(out);
        return;
    }
    while (*at && *at != ':' && *at != ';')
        if (*at == '"')
            at = copy_string(at, &to);
        else if (skip_comment(at) != at)
            at = skip_comment(at);
        else
            at++;
    *to = '\0';
    drop_comments(out);
}

static int is_atom(const char *at) {
    return at[0] == 'S' && at[1] == 'M' && isdigit((unsigned char)at[2]);
}

static int is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == ':';
}

static const char *skip_namespace(const char *at) {
    return strncmp(at, "cute::", 6) == 0 ? at + 6 : at;
}

const char *wsim_statement_atom(const char *text, size_t *length) {
    const char *start = skip_namespace(text + strspn(text, " \t\r\n")), *end;
    int depth = 0;
    if (!is_atom(start)) {
        while (is_name(*start))
            start++;
        if (*start != '<')
            return NULL;
        start = skip_namespace(start + 1 + strspn(start + 1, " \t\r\n"));
        if (!is_atom(start))
            return NULL;
    }
    for (end = start; is_name(*end); end++)
        ;
    if (*end == '<')
        do {
            depth += *end == '<';
            depth -= *end == '>';
            end++;
        } while (*end && depth);
    *length = (size_t)(end - start);
    return start;
}
