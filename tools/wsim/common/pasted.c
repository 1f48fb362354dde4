/* PTX and atoms in pasted text; see pasted.h. */
#include "pasted.h"
#include "memory.h"

#include <string.h>
#include <wsim/harness/statement.h>

char *pasted_ptx(const char *text) {
    char *ptx = memory_make(strlen(text) + 1, 1);
    wsim_statement_unquote(text, ptx);
    return ptx;
}

char *pasted_atom(const char *text) {
    size_t length;
    const char *atom = wsim_statement_atom(text, &length);
    return atom ? memory_text(atom, length) : NULL;
}
