/* Addresses that ptxas refuses and the engine takes, in statements; see rules.h. */
#include "rules.h"

#include <ctype.h>
#include <string.h>

static int is_name(char c) {
    return isalnum((unsigned char)c) || (c && strchr("%_$", c));
}

static const char *skip_blanks(const char *at) {
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* The name that ends before `end`, or NULL: numbers and the operands of an asm statement, which can
 * be constants, are no names. */
static const char *name_before(const char *from, const char *end) {
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    const char *name = end;
    while (name > from && is_name(name[-1]))
        name--;
    if (name == end || isdigit((unsigned char)*name) ||
        (*name == '%' && isdigit((unsigned char)name[1])) || strncmp(name, "WARP_SZ", 7) == 0)
        return NULL;
    return name;
}

/* Finds r1-8. */
static void find_minus(const char *operands, size_t at, struct lint_findings *findings) {
    for (const char *sign = strchr(operands, '-'); sign; sign = strchr(sign + 1, '-')) {
        const char *name = name_before(operands, sign), *number = skip_blanks(sign + 1);
        if (!name || !*number || !strchr("0123456789(-", *number))
            continue;
        const size_t n = strspn(number, "0123456789abcdefABCDEFx");
        lint_find(findings, LINT_ADDRESS, at, NULL,
                  "an offset is added: write '%.*s+-%.*s', not '%.*s-%.*s'",
                  (int)strcspn(name, " \t-") % 40, name, (int)n % 20, number,
                  (int)strcspn(name, " \t-") % 40, name, (int)n % 20, number);
    }
}

/* Finds [16], outside of local memory: numbers, their signs and operators, up to the bracket. */
static void find_number(const char *operands, size_t at, struct lint_findings *findings) {
    for (const char *open = strchr(operands, '['); open; open = strchr(open + 1, '[')) {
        const char *number = skip_blanks(open + 1);
        const size_t n = strspn(number, "0123456789abcdefABCDEFxUWRP_SZ+-*/%()~! ");
        const int is_subscript = name_before(operands, open) != NULL;
        const int is_number =
            (*number && strchr("0123456789-+~!(", *number)) || strncmp(number, "WARP_SZ", 7) == 0;
        if (is_subscript || !is_number || *skip_blanks(number + n) != ']')
            continue;
        lint_find(findings, LINT_ADDRESS, at, NULL,
                  "[%.*s] is a number: only local memory has numbers as addresses, others have a "
                  "register or a variable",
                  (int)n % 40, number);
    }
}

/* Finds tile[4] in [ ], and tile[4]+8. */
static void find_subscript(const char *operands, size_t at, struct lint_findings *findings) {
    unsigned depth = 0;
    for (const char *c = operands; *c; c++) {
        const char *name = *c == '[' ? name_before(operands, c) : NULL;
        const char *close = name ? strchr(c, ']') : NULL;
        const char *behind = close ? skip_blanks(close + 1) : "";
        if (name && (depth || *behind == '+' || *behind == '-'))
            lint_find(findings, LINT_ADDRESS, at, NULL,
                      "'%.*s' is an address of its own: an element stands without brackets and "
                      "without an offset",
                      (int)(close ? close + 1 - name : c - name) % 40, name);
        depth += *c == '[';
        depth -= *c == ']' && depth;
    }
}

void lint_check_address(const char *spelling, const char *operands, size_t at,
                        struct lint_findings *findings) {
    const int takes_numbers =
        strstr(spelling, ".local") != NULL || strncmp(spelling, "fence.", 6) == 0 ||
        (strncmp(spelling, "tcgen05.", 8) == 0 && strncmp(spelling, "tcgen05.alloc", 13) != 0 &&
         strncmp(spelling, "tcgen05.commit", 14) != 0);
    find_minus(operands, at, findings);
    find_subscript(operands, at, findings);
    if (!takes_numbers)
        find_number(operands, at, findings);
}
