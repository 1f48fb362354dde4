/* Numbers of a launch file; see file.h. */
#include "file.h"

#include <string.h>
#include <wsim/number.h>

struct whole {
    int negative;
    uint64_t magnitude;
};

static int digit_of(char c) {
    const char small = (char)(c | 0x20);
    return c >= '0' && c <= '9' ? c - '0' : small >= 'a' && small <= 'f' ? small - 'a' + 10 : 99;
}

static int is_hex(const char *text) {
    return text[0] == '0' && (text[1] | 0x20) == 'x';
}

/* Decimal or 0x hex, with or without a sign: the whole text, and at most 64 bits. */
static int read_digits(const char *text, struct whole *out) {
    unsigned base;
    out->magnitude = 0;
    out->negative = *text == '-';
    text += *text == '-' || *text == '+';
    base = is_hex(text) ? 16 : 10;
    text += base == 16 ? 2 : 0;
    if (!*text)
        return 0;
    for (; *text; text++) {
        const unsigned digit = (unsigned)digit_of(*text);
        if (digit >= base || out->magnitude > (UINT64_MAX - digit) / base)
            return 0;
        out->magnitude = out->magnitude * base + digit;
    }
    return 1;
}

static enum wsim_status read_whole(const struct lf_node *at, struct whole *out,
                                   struct wsim_diag *diag) {
    if (at->kind != LF_STRING && (at->kind != LF_NUMBER || strpbrk(at->text, ".eE")))
        return lf_refuse(diag, at, RULE_LAUNCH_FIELD_WRONG,
                         "expected a whole number, or a string with one");
    return read_digits(at->text, out)
               ? WSIM_OK
               : lf_refuse(diag, at, RULE_LAUNCH_NUMBER_RANGE,
                           "'%s' is not a whole number of 64 bits, decimal or 0x hex",
                           lf_cut(at->text).text);
}

enum wsim_status lf_whole(const struct lf_node *at, uint64_t most, uint64_t *out,
                          struct wsim_diag *diag) {
    struct whole whole;
    enum wsim_status status = read_whole(at, &whole, diag);
    if (status)
        return status;
    if ((whole.negative && whole.magnitude) || whole.magnitude > most)
        return lf_refuse(diag, at, RULE_LAUNCH_NUMBER_RANGE, "%s%llu is out of range: 0 to %llu",
                         whole.negative ? "-" : "", (unsigned long long)whole.magnitude,
                         (unsigned long long)most);
    *out = whole.magnitude;
    return WSIM_OK;
}

enum wsim_status lf_integer(const struct lf_node *at, char kind, unsigned bits, uint64_t *out,
                            struct wsim_diag *diag) {
    uint64_t top = UINT64_C(1) << (bits - 1), all = top | (top - 1);
    uint64_t most = kind == 's' ? top - 1 : all, least = kind == 'u' ? 0 : top;
    struct whole whole;
    enum wsim_status status = read_whole(at, &whole, diag);
    if (status)
        return status;
    if (whole.magnitude > (whole.negative ? least : most))
        return lf_refuse(diag, at, RULE_LAUNCH_NUMBER_RANGE,
                         "%s%llu does not fit: %c%u is %s%llu to %llu", whole.negative ? "-" : "",
                         (unsigned long long)whole.magnitude, kind, bits, least ? "-" : "",
                         (unsigned long long)least, (unsigned long long)most);
    *out = (whole.negative ? 0 - whole.magnitude : whole.magnitude) & all;
    return WSIM_OK;
}

/* --- floats --- */

/* The bits of a float written as such: "0x3f800000". */
static enum wsim_status read_bits(const struct lf_node *at, const struct wsim_format *format,
                                  uint64_t *out, struct wsim_diag *diag) {
    struct whole whole;
    if (!read_digits(at->text, &whole) || (format->bits < 64 && whole.magnitude >> format->bits))
        return lf_refuse(diag, at, RULE_LAUNCH_NUMBER_RANGE,
                         "'%s' does not fit in the %u bits of %s", lf_cut(at->text).text,
                         (unsigned)format->bits, format->name);
    *out = whole.magnitude;
    return WSIM_OK;
}

static int is_infinite(const char *text) {
    text += *text == '-' || *text == '+';
    return (*text | 0x20) == 'i';
}

enum wsim_status lf_float(const struct lf_node *at, const struct wsim_format *format, uint64_t *out,
                          struct wsim_diag *diag) {
    struct wsim_diag why;
    int exact;
    if (at->kind == LF_STRING && is_hex(at->text))
        return read_bits(at, format, out, diag);
    if (at->kind != LF_STRING && at->kind != LF_NUMBER)
        return lf_refuse(diag, at, RULE_LAUNCH_FIELD_WRONG,
                         "expected a number, or a string with a number or with 0x and its bits");
    if (wsim_format_read(format, at->text, WSIM_RN, &exact, out, &why))
        return lf_refuse(diag, at, RULE_LAUNCH_NUMBER_RANGE,
                         "'%s' is neither a number nor 0x with the bits of one",
                         lf_cut(at->text).text);
    if (!is_infinite(at->text) && wsim_format_decode(format, *out).cls == WSIM_INF)
        return lf_refuse(diag, at, RULE_LAUNCH_NUMBER_RANGE, "%s does not fit in %s",
                         lf_cut(at->text).text, format->name);
    return WSIM_OK;
}

enum wsim_status lf_limit(const struct lf_node *at, double *out, struct wsim_diag *diag) {
    const struct wsim_format *f64 = wsim_format_find("f64");
    uint64_t bits;
    if (at->kind != LF_NUMBER || *at->text == '-' || lf_float(at, f64, &bits, NULL))
        return lf_refuse(diag, at, RULE_LAUNCH_NUMBER_RANGE,
                         "expected a number that is not negative");
    *out = wsim_to_double(f64, bits);
    return WSIM_OK;
}
