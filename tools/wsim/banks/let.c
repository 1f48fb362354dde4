/* Names with values; see let.h. */
#include "let.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

struct reading {
    struct let *let;
    const char *assignment; /* for messages, `length` characters of it */
    int length;
};

enum { LONGEST = 256 };

/* The value of `n` characters. */
static int read_value(const struct reading *r, const char *text, size_t n, int64_t *value) {
    char expression[LONGEST];
    struct wsim_diag error;
    if (n >= sizeof expression)
        return tool_error("--let '%.*s': a value of %lu characters is too long", r->length,
                          r->assignment, (unsigned long)n);
    memcpy(expression, text, n);
    expression[n] = '\0';
    if (wsim_address_value(&r->let->scope, expression, -1, value, &error) == WSIM_OK)
        return TOOL_GO;
    return tool_error("--let '%.*s': %s", r->length, r->assignment, error.text);
}

/* How many values there are from `first` to `last`; no difference of two 64-bit numbers is beyond
 * an unsigned one. 0: none, or too many. */
static uint32_t count(int64_t first, int64_t last, int64_t by) {
    uint64_t span, step, values;
    if (by == 0 || (by > 0 ? last < first : last > first))
        return 0;
    span = by > 0 ? (uint64_t)last - (uint64_t)first : (uint64_t)first - (uint64_t)last;
    step = by > 0 ? (uint64_t)by : 0 - (uint64_t)by;
    values = span / step;
    return values < LET_STEPS ? (uint32_t)values + 1 : 0;
}

/* "FIRST..LAST" or "FIRST..LAST:BY", of `n` characters; `dots` is where the dots are. */
static int read_range(const struct reading *r, const char *text, size_t n, const char *dots,
                      struct let_range *range) {
    const char *end = text + n, *colon = memchr(dots, ':', (size_t)(end - dots));
    const char *stop = colon ? colon : end;
    int64_t last = 0;
    int status = read_value(r, text, (size_t)(dots - text), &range->first);
    if (status == TOOL_GO)
        status = read_value(r, dots + 2, (size_t)(stop - dots - 2), &last);
    range->by = last < range->first ? -1 : 1;
    if (status == TOOL_GO && colon)
        status = read_value(r, colon + 1, (size_t)(end - colon - 1), &range->by);
    if (status != TOOL_GO)
        return status;
    range->count = count(range->first, last, range->by);
    if (range->count)
        return TOOL_GO;
    return tool_error("--let '%.*s': a range has 1 to %d values, from its first to its last",
                      r->length, r->assignment, LET_STEPS);
}

static const char *find_dots(const char *text, size_t n) {
    for (size_t i = 0; i + 1 < n; i++)
        if (text[i] == '.' && text[i + 1] == '.')
            return text + i;
    return NULL;
}

static int read_assignment(struct let *let, const char *text, size_t n) {
    struct reading r = {let, text, n < TEXT_CUT ? (int)n : TEXT_CUT};
    const char *equals = memchr(text, '=', n), *value, *dots;
    struct let_range *range = &let->range[let->names];
    size_t length = equals ? (size_t)(equals - text) : 0;
    int status;
    while (length && strchr(BLANKS, text[length - 1]))
        length--;
    if (!equals || !wsim_address_can_name(text, length))
        return tool_error("--let '%.*s': it is NAME=VALUE or NAME=FIRST..LAST, and a name has "
                          "letters, digits and _, and no other meaning",
                          r.length, text);
    for (unsigned i = 0; i < let->names; i++)
        if (strlen(let->name[i].text) == length && memcmp(let->name[i].text, text, length) == 0)
            return tool_error("--let '%.*s': this name has a value already", r.length, text);
    if (let->names == LET_NAMES)
        return tool_error("--let '%.*s': more than %d names", r.length, text, LET_NAMES);
    value = equals + 1;
    n -= (size_t)(value - text);
    dots = find_dots(value, n);
    *range = (struct let_range){0, 1, 1};
    status = dots ? read_range(&r, value, n, dots, range) : read_value(&r, value, n, &range->first);
    if (status != TOOL_GO)
        return status;
    if ((uint64_t)let->steps * range->count > LET_STEPS)
        return tool_error(
            "--let '%.*s': with this there are %llu steps, and at most %d are counted", r.length,
            text, (unsigned long long)let->steps * range->count, LET_STEPS);
    let->steps *= range->count;
    memcpy(let->name[let->names].text, text, length);
    let->name[let->names].text[length] = '\0';
    let->name[let->names].value = range->first;
    let->scope.names = ++let->names;
    return TOOL_GO;
}

int let_read(const char *text, struct let *let) {
    int status = TOOL_GO;
    *let = (struct let){.steps = 1};
    let->scope.name = let->name;
    while (text && status == TOOL_GO && *text) {
        size_t n;
        text += strspn(text, BLANKS ",;");
        n = strcspn(text, ",;");
        if (n)
            status = read_assignment(let, text, n);
        text += n;
    }
    return status;
}

void let_step(struct let *let, uint32_t step) {
    for (unsigned i = let->names; i-- > 0;) {
        const struct let_range *range = &let->range[i];
        uint64_t at = step % range->count;
        let->name[i].value = (int64_t)((uint64_t)range->first + at * (uint64_t)range->by);
        step /= range->count;
    }
}

int let_sweeps(const struct let *let) {
    for (unsigned i = 0; i < let->names; i++)
        if (let->range[i].count > 1)
            return 1;
    return 0;
}
