/* Guards that ptxas drops; see rules.h. Both were found by random programs on an H200 (lab/random).
 */
#include "rules.h"

#include <ctype.h>
#include <string.h>

/* Whether `@p` or `@!p` stands before the end of a text. */
static int has_guard(const char *text, size_t size) {
    while (size && isspace((unsigned char)text[size - 1]))
        size--;
    while (size && (isalnum((unsigned char)text[size - 1]) || strchr("_$%", text[size - 1])))
        size--;
    size -= size && text[size - 1] == '!';
    return size && text[size - 1] == '@';
}

/* set.CmpOp{.BoolOp}{.ftz}.dtype.stype: whether .dtype is a float. */
static int sets_float(const char *spelling) {
    const char *source = strrchr(spelling, '.'), *result = source;
    if (strncmp(spelling, "set.", 4) != 0)
        return 0;
    while (result > spelling && *--result != '.')
        ;
    return strncmp(result, ".f", 2) == 0 && strncmp(result, ".ftz", 4) != 0;
}

void lint_check_guard(const char *spelling, const char *text, size_t size, size_t at,
                      struct lint_findings *findings) {
    const int tests = strncmp(spelling, "testp.", 6) == 0;
    if ((tests || sets_float(spelling)) && has_guard(text, size))
        lint_find(findings, LINT_GUARD, at, NULL, "ptxas 13.0 %s '%s' where its guard is false%s",
                  tests ? "executes" : "changes the result of", spelling,
                  tests ? " too" : ": it converts what the register holds");
}
