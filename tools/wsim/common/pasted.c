/* Text of C as PTX; see pasted.h. */
#include "pasted.h"
#include "memory.h"

#include <ctype.h>
#include <string.h>

/* What stands behind a backslash; those that mean nothing in PTX are blanks. */
static char escaped(char c) {
    return c == 'n'                                                        ? '\n'
           : c && strchr("tvrf", c)                                        ? ' '
           : isdigit((unsigned char)c) || c == 'x' || c == 'a' || c == 'b' ? ' '
                                                                           : c;
}

/* Copies a string without its quotes; what follows it. */
static const char *take_string(const char *at, char **to) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1] == '\n') {
            at++; /* the line goes on */
        } else if (*at == '\\' && at[1]) {
            *(*to)++ = escaped(*++at);
        } else {
            *(*to)++ = *at;
            at += at[0] == '%' && at[1] == '%';
        }
    return *at ? at + 1 : at;
}

/* What follows a comment of C, or `at`. */
static const char *skip_comment(const char *at) {
    const char *end;
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] != '/' || at[1] != '*')
        return at;
    end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* Comments to the end of a line go: what comes back is one text. */
static void drop_comments(char *text) {
    char *to = text;
    while (*text)
        if (text[0] == '/' && text[1] == '/')
            text += strcspn(text, "\n");
        else
            *to++ = *text++;
    *to = '\0';
}

char *pasted_ptx(const char *text) {
    char *ptx = memory_make(strlen(text) + 1, 1), *to = ptx;
    const char *at = strchr(text, '"');
    if (!at) {
        memcpy(ptx, text, strlen(text));
        drop_comments(ptx);
        return ptx;
    }
    while (*at && *at != ':' && *at != ';')
        if (*at == '"')
            at = take_string(at, &to);
        else if (skip_comment(at) != at)
            at = skip_comment(at);
        else
            at++;
    *to = '\0';
    drop_comments(ptx);
    return ptx;
}

static int is_atom(const char *at) {
    return at[0] == 'S' && at[1] == 'M' && isdigit((unsigned char)at[2]);
}

static int is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == ':';
}

char *pasted_atom(const char *text) {
    const char *start = text + strspn(text, " \t\r\n"), *end;
    int depth = 0;
    if (strncmp(start, "cute::", 6) == 0)
        start += 6;
    if (!is_atom(start)) {
        while (is_name(*start))
            start++;
        if (*start != '<')
            return NULL;
        start += 1 + strspn(start + 1, " \t\r\n");
        if (strncmp(start, "cute::", 6) == 0)
            start += 6;
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
    return memory_text(start, (size_t)(end - start));
}
