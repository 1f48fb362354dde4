/* Guards that ptxas drops; see rules.h. They were found by random programs on an H200 (lab/random).
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

static int is_one_of(const char *word, const char *const *words) {
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return 1;
    return 0;
}

/* set.CmpOp{.BoolOp}{.ftz}.dtype.stype: whether ptxas makes .dtype of the register behind the
 * guard. It does for a float, and for 32 bits of a comparison of 16 (machine code of ptxas 13.0).
 */
static int sets_converted(const char *spelling) {
    static const char *const floats[] = {"f16", "bf16", "f32", NULL};
    static const char *const words[] = {"u32", "s32", NULL};
    static const char *const halves[] = {"f16", "bf16", "b16", "u16", "s16", NULL};
    const char *source = strrchr(spelling, '.'), *result = source;
    char type[8] = "";
    if (strncmp(spelling, "set.", 4) != 0)
        return 0;
    while (result > spelling && *--result != '.')
        ;
    if ((size_t)(source - result) > sizeof type)
        return 0;
    memcpy(type, result + 1, (size_t)(source - result) - 1);
    return is_one_of(type, floats) || (is_one_of(type, words) && is_one_of(source + 1, halves));
}

void lint_check_guard(const char *spelling, const char *text, size_t size, size_t at,
                      struct lint_findings *findings) {
    const int tests = strncmp(spelling, "testp.", 6) == 0;
    if ((tests || sets_converted(spelling)) && has_guard(text, size))
        lint_find(findings, LINT_GUARD, at, NULL, "ptxas 13.0 %s '%s' where its guard is false%s",
                  tests ? "executes" : "changes the result of", spelling,
                  tests ? " too" : ": it converts what the register holds");
}
