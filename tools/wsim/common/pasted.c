/* PTX and atoms in pasted text; see pasted.h. */
#include "pasted.h"
#include "memory.h"

#include <ctype.h>
#include <string.h>
#include <wsim/harness/statement.h>

char *pasted_ptx(const char *text) {
    char *ptx = memory_make(strlen(text) + 1, 1);
    wsim_statement_unquote(text, ptx);
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
