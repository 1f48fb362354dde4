/* The PTX in an asm statement of C; see statement.h. */
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
