/* Names with values and ranges of values. */
#include "reader.h"

#include <string.h>

#define BLANKS " \t\r\n"

/* An assignment that is read. */
struct reading {
    struct wsim_address_sweep *sweep;
    const char *assignment; /* for messages, `length` characters of it */
    int length;
    struct wsim_diag *diag;
};

enum { LONGEST = 256, QUOTED = 60 };

static enum wsim_status refuse(const struct reading *r, const char *why) {
    return base_refuse(r->diag, RULE_ADDRESS_EXPRESSION_WRONG, 0, "'%.*s': %s", r->length,
                       r->assignment, why);
}

/* The value of `n` characters; the names before have values. */
static enum wsim_status read_value(const struct reading *r, const char *text, size_t n,
                                   int64_t *value) {
    const struct wsim_address_scope scope = {.name = r->sweep->name, .names = r->sweep->names};
    char expression[LONGEST];
    struct wsim_diag diag;
    if (n >= sizeof expression)
        return refuse(r, "a value is too long");
    memcpy(expression, text, n);
    expression[n] = '\0';
    return wsim_address_value(&scope, expression, -1, value, &diag) ? refuse(r, diag.text)
                                                                    : WSIM_OK;
}

/* The number of values from `first` to `last`; 0: none, or too many. */
static uint32_t count(int64_t first, int64_t last, int64_t by) {
    uint64_t span, step, values;
    if (by == 0 || (by > 0 ? last < first : last > first))
        return 0;
    span = by > 0 ? (uint64_t)last - (uint64_t)first : (uint64_t)first - (uint64_t)last;
    step = by > 0 ? (uint64_t)by : 0 - (uint64_t)by;
    values = span / step;
    return values < WSIM_ADDRESS_STEPS ? (uint32_t)values + 1 : 0;
}

/* "FIRST..LAST" or "FIRST..LAST:BY", of `n` characters; `dots` is where the dots are. */
static enum wsim_status read_range(const struct reading *r, const char *text, size_t n,
                                   const char *dots, struct wsim_address_range *range) {
    const char *end = text + n, *colon = memchr(dots, ':', (size_t)(end - dots));
    const char *stop = colon ? colon : end;
    int64_t last = 0;
    enum wsim_status status = read_value(r, text, (size_t)(dots - text), &range->first);
    if (!status)
        status = read_value(r, dots + 2, (size_t)(stop - dots - 2), &last);
    range->by = last < range->first ? -1 : 1;
    if (!status && colon)
        status = read_value(r, colon + 1, (size_t)(end - colon - 1), &range->by);
    if (status)
        return status;
    range->count = count(range->first, last, range->by);
    return range->count ? WSIM_OK
                        : refuse(r, "a range has 1 to 16384 values, from its first to its last");
}

static const char *find_dots(const char *text, size_t n) {
    for (size_t i = 0; i + 1 < n; i++)
        if (text[i] == '.' && text[i + 1] == '.')
            return text + i;
    return NULL;
}

static enum wsim_status read_assignment(struct wsim_address_sweep *sweep, const char *text,
                                        size_t n, struct wsim_diag *diag) {
    const struct reading r = {sweep, text, n < QUOTED ? (int)n : QUOTED, diag};
    const char *equals = memchr(text, '=', n), *value, *dots;
    struct wsim_address_range *range = &sweep->range[sweep->names];
    size_t length = equals ? (size_t)(equals - text) : 0;
    enum wsim_status status;
    while (length && strchr(BLANKS, text[length - 1]))
        length--;
    if (!equals || !wsim_address_can_name(text, length))
        return refuse(&r, "it is NAME=VALUE or NAME=FIRST..LAST, and a name has letters, digits "
                          "and _, and no other meaning");
    for (uint32_t i = 0; i < sweep->names; i++)
        if (expr_is_word(text, length, sweep->name[i].text))
            return refuse(&r, "this name has a value already");
    if (sweep->names == WSIM_ADDRESS_NAMES)
        return refuse(&r, "more than 16 names");
    value = equals + 1;
    n -= (size_t)(value - text);
    dots = find_dots(value, n);
    *range = (struct wsim_address_range){0, 1, 1};
    status = dots ? read_range(&r, value, n, dots, range) : read_value(&r, value, n, &range->first);
    if (status)
        return status;
    if ((uint64_t)sweep->steps * range->count > WSIM_ADDRESS_STEPS)
        return refuse(&r, "the names together have more than 16384 steps");
    sweep->steps *= range->count;
    memcpy(sweep->name[sweep->names].text, text, length);
    sweep->name[sweep->names].text[length] = '\0';
    sweep->name[sweep->names++].value = range->first;
    return WSIM_OK;
}

enum wsim_status wsim_address_sweep_read(const char *text, struct wsim_address_sweep *sweep,
                                         struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    *sweep = (struct wsim_address_sweep){.steps = 1};
    while (!status && *text) {
        size_t n;
        text += strspn(text, BLANKS ",;");
        n = strcspn(text, ",;");
        if (n)
            status = read_assignment(sweep, text, n, diag);
        text += n;
    }
    return status;
}

void wsim_address_sweep_step(struct wsim_address_sweep *sweep, uint32_t step) {
    for (uint32_t i = sweep->names; i-- > 0;) {
        const struct wsim_address_range *range = &sweep->range[i];
        const uint64_t at = step % range->count;
        sweep->name[i].value = (int64_t)((uint64_t)range->first + at * (uint64_t)range->by);
        step /= range->count;
    }
}
