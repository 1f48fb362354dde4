/* Elements as numbers; see number.h. */
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Where the value starts in its container: narrow types may stand above zero bits. */
static unsigned shift_of(const struct wsim_layout *layout) {
    unsigned pad = layout->format->pad;
    return layout->elem_bits >= layout->format->bits + pad ? pad : 0;
}

struct wsim_value number_value(const struct wsim_layout *layout, uint64_t raw) {
    return wsim_format_decode(layout->format, raw >> shift_of(layout));
}

double number_double(struct wsim_value value) {
    double magnitude = ldexp((double)value.sig, value.exp);
    return value.negative ? -magnitude : magnitude;
}

/* The fewest digits that read back as the same double, within the precision of the format.
 * Integers get enough digits to need no exponent. */
static void shortest(double number, unsigned frac_bits, char out[NUMBER_TEXT]) {
    int digits = 1, most = 2 + (int)((frac_bits + 1) * 30103 / 100000);
    double rest;
    for (rest = fabs(number); rest >= 10 && digits < most; rest /= 10)
        digits++;
    do
        snprintf(out, NUMBER_TEXT, "%.*g", digits, number);
    while (strtod(out, NULL) != number && digits++ < most);
}

void number_text(const struct wsim_layout *layout, uint64_t raw, char out[NUMBER_TEXT]) {
    struct wsim_value value = number_value(layout, raw);
    if (value.cls == WSIM_NAN)
        snprintf(out, NUMBER_TEXT, "nan");
    else if (value.cls == WSIM_INF)
        snprintf(out, NUMBER_TEXT, value.negative ? "-inf" : "inf");
    else if (layout->format->kind == WSIM_BINARY)
        shortest(number_double(value), layout->format->frac_bits, out);
    else
        snprintf(out, NUMBER_TEXT, "%s%llu", value.negative ? "-" : "",
                 (unsigned long long)value.sig);
}

uint64_t number_container(const struct wsim_layout *layout, uint64_t bits) {
    unsigned width = layout->format->bits;
    if (width < 64)
        bits &= (UINT64_C(1) << width) - 1;
    return bits << shift_of(layout);
}

uint64_t number_bits(const struct wsim_layout *layout, int negative, uint64_t sig, int exp) {
    struct wsim_value value = {WSIM_FINITE, (uint8_t)negative, (int16_t)exp, sig};
    if (layout->format->kind == WSIM_BITS)
        return sig;
    if (sig == 0)
        value.cls = WSIM_ZERO;
    return number_container(layout, wsim_format_encode(layout->format, value, WSIM_RN));
}

unsigned number_count(const struct wsim_layout *layout) {
    unsigned n = 0;
    while (n < 257 && number_double(number_value(layout, number_bits(layout, 0, n, 0))) == n)
        n++;
    return n > 2 && n % 2 == 0 ? n - 1 : n;
}
