/* Numbers of a launch file; see number.h. */
#include "number.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct whole {
    int negative;
    uint64_t magnitude;
};

static int is_hex(const char *text) {
    return text[0] == '0' && (text[1] | 0x20) == 'x';
}

/* Decimal, with or without a sign, or 0x hex: all of `text`, and no more than 64 bits. */
static int read_text(const char *text, struct whole *out) {
    char *end;
    out->negative = *text == '-';
    text += *text == '-' || *text == '+';
    if (!isdigit((unsigned char)*text) || (is_hex(text) && !isxdigit((unsigned char)text[2])))
        return 0;
    errno = 0;
    out->magnitude = strtoull(text, &end, is_hex(text) ? 16 : 10);
    return !*end && !errno;
}

static int read_whole(const struct place *at, const json_t *value, struct whole *out) {
    if (json_is_string(value)) {
        if (read_text(json_string_value(value), out))
            return TOOL_GO;
        return place_error(at, "'%s' is not a whole number of 64 bits, decimal or 0x hex",
                           text_cut(json_string_value(value)).text);
    }
    if (!json_is_integer(value))
        return place_error(at, "expected a whole number, or a string with one");
    out->negative = json_integer_value(value) < 0;
    out->magnitude = (uint64_t)json_integer_value(value);
    if (out->negative)
        out->magnitude = 0 - out->magnitude;
    return TOOL_GO;
}

int number_whole(const struct place *at, const json_t *value, uint64_t most, uint64_t *out) {
    struct whole whole;
    int status = read_whole(at, value, &whole);
    if (status != TOOL_GO)
        return status;
    if ((whole.negative && whole.magnitude) || whole.magnitude > most)
        return place_error(at, "%s%llu is out of range: 0 to %llu", whole.negative ? "-" : "",
                           (unsigned long long)whole.magnitude, (unsigned long long)most);
    *out = whole.magnitude;
    return TOOL_GO;
}

int number_integer(const struct place *at, const json_t *value, char kind, unsigned bits,
                   uint64_t *out) {
    uint64_t top = UINT64_C(1) << (bits - 1), all = top | (top - 1);
    uint64_t most = kind == 's' ? top - 1 : all, least = kind == 'u' ? 0 : top;
    struct whole whole;
    int status = read_whole(at, value, &whole);
    if (status != TOOL_GO)
        return status;
    if (whole.magnitude > (whole.negative ? least : most))
        return place_error(at, "%s%llu does not fit: %c%u is %s%llu to %llu",
                           whole.negative ? "-" : "", (unsigned long long)whole.magnitude, kind,
                           bits, least ? "-" : "", (unsigned long long)least,
                           (unsigned long long)most);
    *out = (whole.negative ? 0 - whole.magnitude : whole.magnitude) & all;
    return TOOL_GO;
}

/* --- floats --- */

static uint64_t encode(const struct wsim_format *format, double number, int *fits) {
    struct wsim_value value = {.negative = signbit(number) != 0};
    uint64_t bits;
    if (isnan(number))
        return format->nan;
    if (isinf(number)) {
        value.cls = WSIM_INF;
    } else if (number == 0) {
        value.cls = WSIM_ZERO;
    } else {
        int exp;
        double fraction = frexp(fabs(number), &exp);
        value.cls = WSIM_FINITE;
        value.sig = (uint64_t)ldexp(fraction, 53);
        value.exp = (int16_t)(exp - 53);
    }
    bits = wsim_format_encode(format, value, WSIM_RN);
    *fits = isinf(number) || wsim_format_decode(format, bits).cls != WSIM_INF;
    return bits;
}

/* The bits of a float written as such: "0x3f800000". */
static int read_bits(const struct place *at, const char *text, const struct wsim_format *format,
                     uint64_t *out) {
    struct whole whole;
    if (!read_text(text, &whole) || (format->bits < 64 && whole.magnitude >> format->bits))
        return place_error(at, "'%s' does not fit in the %u bits of %s", text_cut(text).text,
                           (unsigned)format->bits, format->name);
    *out = whole.magnitude;
    return TOOL_GO;
}

int number_float(const struct place *at, const json_t *value, const struct wsim_format *format,
                 uint64_t *out) {
    const char *text = json_string_value(value);
    double number = json_number_value(value);
    int fits = 1;
    if (text && is_hex(text))
        return read_bits(at, text, format, out);
    if (text) {
        char *end;
        number = strtod(text, &end);
        if (end == text || *end || isspace((unsigned char)*text))
            return place_error(at, "'%s' is neither a number nor 0x with the bits of one",
                               text_cut(text).text);
    } else if (!json_is_number(value)) {
        return place_error(at,
                           "expected a number, or a string with a number or with 0x and its bits");
    }
    *out = encode(format, number, &fits);
    return fits ? TOOL_GO : place_error(at, "%g does not fit in %s", number, format->name);
}

int number_limit(const struct place *at, const json_t *value, double *out) {
    double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= 0) || isinf(number))
        return place_error(at, "expected a number that is not negative");
    *out = number;
    return TOOL_GO;
}
