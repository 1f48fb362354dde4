/* Reads and writes numbers of every format as text. Uses integers only, so that the result does not
 * depend on the machine or the locale. */
#include "../base/base.h"
#include "bits.h"
#include "large.h"
#include "num.h"

#include <string.h>

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

static int small(int c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int is_word(const char *text, const char *word) {
    for (; *text && small(*text) == *word; word++)
        text++;
    return !*text && !*word;
}

/* --- digits of a value --- */

/* All digits of a value, the first not 0, and the power of ten of the first. The smallest f64 has
 * 751 digits. */
enum { MOST_DIGITS = 800 };
struct digits {
    char digit[MOST_DIGITS];
    int n, power;
};

/* The digits of sig * 2^exp, which is not 0; 2^-1 is 5 * 10^-1. */
static void expand(struct wsim_value value, struct digits *out) {
    struct large x = {.limb = {(uint32_t)value.sig, (uint32_t)(value.sig >> 32)}, .n = 2};
    int at = MOST_DIGITS, zeros = 0;
    for (int i = 0; i < -value.exp; i++)
        large_multiply(&x, 5, 0);
    if (value.exp > 0)
        large_shift(&x, (unsigned)value.exp);
    while (x.n && at >= 9) {
        uint32_t nine = large_divide(&x, 1000000000u);
        for (int i = 0; i < 9; i++, nine /= 10)
            out->digit[--at] = (char)('0' + nine % 10);
    }
    while (at + zeros < MOST_DIGITS && out->digit[at + zeros] == '0')
        zeros++;
    out->n = MOST_DIGITS - at - zeros;
    memmove(out->digit, out->digit + at + zeros, (size_t)out->n);
    out->power = out->n - 1 + (value.exp < 0 ? value.exp : 0);
    while (out->n > 1 && out->digit[out->n - 1] == '0')
        out->n--;
}

/* Rounds to `digits` digits, ties to an even last digit. */
static void shorten(const struct digits *all, int digits, struct digits *out) {
    int up, i;
    *out = *all;
    if (all->n <= digits)
        return;
    up = all->digit[digits] > '5' ||
         (all->digit[digits] == '5' &&
          (all->n > digits + 1 || (all->digit[digits - 1] - '0') % 2 == 1));
    out->n = digits;
    for (i = digits - 1; up && i >= 0; i--) {
        up = out->digit[i] == '9';
        out->digit[i] = up ? '0' : (char)(out->digit[i] + 1);
    }
    if (up) {
        out->digit[0] = '1';
        out->power++;
    }
    while (out->n > 1 && out->digit[out->n - 1] == '0')
        out->n--;
}

/* Writes the digits, with an exponent only if the number would be long without. */
static void put_digits(struct base_text *text, const struct digits *d) {
    enum { LEAST_PLAIN = -5, MOST_PLAIN = 20 };
    int plain = d->power >= LEAST_PLAIN && d->power < MOST_PLAIN;
    int point = plain ? d->power : 0; /* digits before the point, less one */
    if (point < 0)
        base_put(text, "0.%.*s", -point - 1, "00000");
    for (int i = 0; i < d->n || i <= point; i++) {
        base_put(text, "%c", i < d->n ? d->digit[i] : '0');
        if (i == point && i + 1 < d->n)
            base_put(text, ".");
    }
    if (!plain)
        base_put(text, "e%+d", d->power);
}

/* Whether reading these digits gives `bits`, which have no sign. */
static int is_read_as(const struct wsim_format *format, const struct digits *d, uint64_t bits) {
    struct num_exact exact;
    struct wsim_value value = {.cls = WSIM_FINITE};
    char number[WSIM_NUMBER_TEXT];
    struct base_text text = {number, sizeof number, 0};
    base_put(&text, "%c.", d->digit[0]);
    base_put(&text, "%.*se%d", d->n - 1, d->digit + 1, d->power);
    exact = num_decimal(number, text.used);
    value.sig = exact.mag;
    value.exp = (int16_t)exact.exp;
    return wsim_format_encode(format, value, WSIM_RN) == bits;
}

/* Writes `digits` digits, or if 0, as few as distinguish the number from its neighbours. */
static void put_value(struct base_text *text, const struct wsim_format *format, uint64_t bits,
                      int digits) {
    enum { ENOUGH = 17 };
    struct wsim_value value = wsim_format_decode(format, bits);
    struct digits all, some;
    if (value.negative)
        base_put(text, "-");
    if (value.cls != WSIM_FINITE) {
        base_put(text, "%s", value.cls == WSIM_ZERO ? "0" : value.cls == WSIM_INF ? "inf" : "nan");
        return;
    }
    value.negative = 0;
    bits = wsim_format_encode(format, value, WSIM_RN);
    expand(value, &all);
    if (digits || format->kind != WSIM_BINARY) {
        shorten(&all, digits ? digits : MOST_DIGITS, &some);
    } else {
        /* Whole numbers that the format distinguishes have all of their digits: 448, not 450. */
        int most = 2 + (format->frac_bits + 1) * 30103 / 100000;
        digits = all.power >= 0 && all.power < most ? all.power : 0;
        do
            shorten(&all, ++digits, &some);
        while (digits < ENOUGH && !is_read_as(format, &some, bits));
    }
    put_digits(text, &some);
}

void wsim_format_write(const struct wsim_format *format, uint64_t bits,
                       char out[WSIM_NUMBER_TEXT]) {
    struct base_text text = {out, WSIM_NUMBER_TEXT, 0};
    out[0] = '\0';
    if (wsim_format_decode(format, bits).cls == WSIM_NAN)
        base_put(&text, "nan");
    else
        put_value(&text, format, bits, 0);
}

uint64_t wsim_format_convert(const struct wsim_format *from, uint64_t bits,
                             const struct wsim_format *to, enum wsim_rounding rounding) {
    return wsim_format_encode(to, wsim_format_decode(from, bits), rounding);
}

/* --- reading --- */

struct reading {
    const struct wsim_format *format;
    const char *text;
    struct wsim_diag *diag;
};

static enum wsim_status no_number(const struct reading *r) {
    return base_refuse(
        r->diag, RULE_NUMBER_TEXT_WRONG, 0,
        "'%.40s' is not a number: write a decimal, inf, nan, or 0x and the %u bits of %s", r->text,
        (unsigned)r->format->bits, r->format->name);
}

static enum wsim_status read_bits(const struct reading *r, const char *digits, uint64_t *bits) {
    uint64_t value = 0;
    size_t n = 0;
    for (; digits[n]; n++) {
        int c = small(digits[n]);
        if (n == 16 || !(is_digit((char)c) || (c >= 'a' && c <= 'f')))
            return no_number(r);
        value = value << 4 | (unsigned)(is_digit((char)c) ? c - '0' : c - 'a' + 10);
    }
    if (n == 0)
        return no_number(r);
    if (r->format->bits < 64 && value >> r->format->bits)
        return base_refuse(r->diag, RULE_NUMBER_VALUE_RANGE, 0,
                           "'%.40s' has more bits than the %u of %s", r->text,
                           (unsigned)r->format->bits, r->format->name);
    *bits = value;
    return WSIM_OK;
}

/* Whether the text is digits, perhaps with a point and an exponent. */
static int is_decimal(const char *text, int *whole) {
    int digits = 0;
    *whole = 1;
    for (; is_digit(*text) || (*text == '.' && *whole); text++) {
        digits |= is_digit(*text);
        if (*text == '.')
            *whole = 0;
    }
    if (!digits)
        return 0;
    if (small(*text) == 'e') {
        *whole = 0;
        text++;
        text += *text == '+' || *text == '-';
        if (!is_digit(*text))
            return 0;
        while (is_digit(*text))
            text++;
    }
    return !*text;
}

/* Whether two finite values or zeros are the same number. */
static int same(struct wsim_value a, struct wsim_value b) {
    int shift;
    if (a.sig == 0 || b.sig == 0)
        return a.sig == b.sig;
    if (a.negative != b.negative)
        return 0;
    a.exp = (int16_t)(a.exp + bits_top(a.sig));
    b.exp = (int16_t)(b.exp + bits_top(b.sig));
    shift = bits_top(a.sig) - bits_top(b.sig);
    return a.exp == b.exp && (shift >= 0 ? b.sig << shift == a.sig : a.sig << -shift == b.sig);
}

static enum wsim_status refuse_value(const struct reading *r, struct wsim_value value) {
    const struct wsim_format *format = r->format;
    const struct wsim_value huge = {WSIM_FINITE, 0, 2000, 1}, low = {WSIM_FINITE, 1, 2000, 1};
    const struct wsim_value top =
        wsim_format_decode(format, wsim_format_encode(format, huge, WSIM_RZ));
    const struct wsim_value end =
        wsim_format_decode(format, wsim_format_encode(format, low, WSIM_RZ));
    uint64_t below = wsim_format_encode(format, value, WSIM_RM);
    uint64_t above = wsim_format_encode(format, value, WSIM_RP);
    char first[48], second[48];
    struct base_text one = {first, sizeof first, 0}, two = {second, sizeof second, 0};
    enum { SOME = 10, MANY = 20 };
    int digits = format->frac_bits > 23 || format->kind != WSIM_BINARY ? MANY : SOME;
    struct wsim_value back = wsim_format_decode(format, value.negative ? above : below);
    if (same(back, value.negative ? end : top) || (value.negative && !end.negative) ||
        below == above) {
        put_value(&one, format, wsim_format_encode(format, end, WSIM_RZ), digits);
        put_value(&two, format, wsim_format_encode(format, top, WSIM_RZ), digits);
        return base_refuse(r->diag, RULE_NUMBER_VALUE_RANGE, 0,
                           "%.40s is out of range for %s, from %s to %s", r->text, format->name,
                           first, second);
    }
    put_value(&one, format, below, digits);
    put_value(&two, format, above, digits);
    return base_refuse(r->diag, RULE_NUMBER_VALUE_INEXACT, 0,
                       "%.40s is not exact in %s: its neighbours are %s (0x%llx) and %s (0x%llx)",
                       r->text, format->name, first, (unsigned long long)below, second,
                       (unsigned long long)above);
}

/* Reads an infinity or a NaN, if the format has it. */
static enum wsim_status read_special(const struct reading *r, int negative, int nan,
                                     uint64_t *bits) {
    const struct wsim_format *format = r->format;
    struct wsim_value value = {nan ? WSIM_NAN : WSIM_INF, (uint8_t)negative, 0, 0};
    if (format->kind != WSIM_BINARY || format->specials == WSIM_SPECIALS_NONE ||
        (!nan && format->specials != WSIM_SPECIALS_IEEE))
        return base_refuse(r->diag, RULE_NUMBER_VALUE_RANGE, 0, "%s has no %s", format->name,
                           nan ? "NaN" : "infinity");
    *bits = wsim_format_encode(format, value, WSIM_RN);
    return WSIM_OK;
}

/* Reads a number of only digits. Returns 0 if it exceeds 64 bits. */
static int read_whole(const char *digits, uint64_t *value) {
    for (*value = 0; *digits; digits++) {
        unsigned digit = (unsigned)(*digits - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return 0;
        *value = *value * 10 + digit;
    }
    return 1;
}

enum wsim_status wsim_format_read(const struct wsim_format *format, const char *text,
                                  enum wsim_rounding rounding, int *exact, uint64_t *bits,
                                  struct wsim_diag *diag) {
    const struct reading r = {format, text, diag};
    const int negative = *text == '-';
    const char *number = text + (*text == '-' || *text == '+');
    struct wsim_value value = {WSIM_FINITE, (uint8_t)negative, 0, 0}, back;
    uint64_t encoded;
    int whole, is_same;
    if (exact)
        *exact = 1;
    if (number == text && text[0] == '0' && small(text[1]) == 'x')
        return read_bits(&r, text + 2, bits);
    if (is_word(number, "inf") || is_word(number, "infinity"))
        return read_special(&r, negative, 0, bits);
    if (is_word(text, "nan"))
        return read_special(&r, 0, 1, bits);
    if (!is_decimal(number, &whole))
        return no_number(&r);
    if (!whole || !read_whole(number, &value.sig)) {
        const struct num_exact read = num_decimal(number, strlen(number));
        value.sig = read.mag;
        value.exp = (int16_t)read.exp;
    }
    if (value.sig == 0)
        value.cls = WSIM_ZERO;
    encoded = wsim_format_encode(format, value, rounding);
    back = wsim_format_decode(format, encoded);
    is_same = back.cls <= WSIM_FINITE && same(back, value);
    if (!is_same && !exact)
        return refuse_value(&r, value);
    if (exact)
        *exact = is_same;
    *bits = encoded;
    return WSIM_OK;
}
