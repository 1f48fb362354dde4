/* Literals: integers in four bases, floating-point numbers as bits or as decimals. */
#include "../num/num.h"
#include "reader.h"

#include <string.h>

#define INFINITE UINT64_C(0x7FF0000000000000) /* as a .f64 */
#define LEAST_NORMAL (UINT64_C(1) << 52)

static int digit_of(char c) {
    if (ptx_is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* 0f and eight digits, 0d and sixteen. */
static int bits(struct reader *r, unsigned digits, struct ptx_operand *out) {
    struct place at = ptx_here(r);
    uint64_t value = 0;
    unsigned n = 0;
    for (r->at += 2; ptx_is_word(*r->at) && digit_of(*r->at) < 16; r->at++, n++)
        value = value << 4 | (unsigned)digit_of(*r->at);
    if (n != digits || ptx_is_word(*r->at)) {
        ptx_complain(r, RULE_PTX_NUMBER_WRONG, at,
                     "0%c is followed by %u hexadecimal digits, the bits of the number",
                     digits == 8 ? 'f' : 'd', digits);
        return 0;
    }
    out->kind = digits == 8 ? PTX_OP_F32 : PTX_OP_F64;
    out->value = value;
    return 1;
}

/* Skips an exponent, if any. */
static const char *exponent_end(const char *at) {
    const char *digits = at + 1;
    if (*at != 'e' && *at != 'E')
        return at;
    digits += *digits == '+' || *digits == '-';
    if (!ptx_is_digit(*digits))
        return at;
    while (ptx_is_digit(*digits))
        digits++;
    return digits;
}

/* Whether the digits here go on as a decimal number with a point or an exponent; its end. */
static const char *decimal_end(const char *at) {
    while (ptx_is_digit(*at))
        at++;
    const char *whole = at;
    if (*at == '.' && (ptx_is_digit(at[1]) || !ptx_is_word(at[1]) || exponent_end(at + 1) > at + 1))
        for (at++; ptx_is_digit(*at);)
            at++;
    at = exponent_end(at);
    return at > whole ? at : NULL;
}

uint64_t ptx_decimal(const char *text, size_t n) {
    const struct wsim_format *f64 = wsim_format_find("f64");
    const struct num_result result = {.format = f64, .frac = f64->frac_bits, .rounding = WSIM_RN};
    const struct num_exact exact = num_decimal(text, n);
    return num_round(&result, 0, exact.mag, exact.exp, 0);
}

/* The one name that is a number. */
static int warp_size(struct reader *r, struct ptx_operand *out) {
    if (strncmp(r->at, "WARP_SZ", 7) != 0 || ptx_is_word(r->at[7]))
        return 0;
    r->at += 7;
    *out = (struct ptx_operand){.kind = PTX_OP_INTEGER, .value = 32};
    return 1;
}

/* Whether a decimal number that is not 0 lies below the normal numbers of f64, which the assembler
 * refuses. */
static int is_tiny(const char *from, const char *end, uint64_t value) {
    while (from < end && (*from == '0' || *from == '.'))
        from++;
    return from < end && ptx_is_digit(*from) && value < LEAST_NORMAL;
}

int ptx_literal(struct reader *r, struct ptx_operand *out) {
    char seen[PTX_SEEN];
    char c = ptx_skip(r), second = r->at[0] ? (char)(r->at[1] | 0x20) : '\0';
    struct place at = ptx_here(r);
    unsigned base = 10;
    int tiny;
    *out = (struct ptx_operand){.kind = PTX_OP_INTEGER};
    if (warp_size(r, out))
        return 1;
    if (!ptx_is_digit(c) && !(c == '.' && ptx_is_digit(r->at[1]))) {
        ptx_complain(r, RULE_PTX_NUMBER_WRONG, at, "a number is expected, not %s",
                     ptx_seen(r, seen));
        return 0;
    }
    if (c == '0' && second == 'f')
        return bits(r, 8, out);
    if (c == '0' && second == 'd')
        return bits(r, 16, out);
    const char *end = c == '0' && (second == 'x' || second == 'b') ? NULL : decimal_end(r->at);
    if (end) {
        out->kind = PTX_OP_F64;
        out->value = ptx_decimal(r->at, (size_t)(end - r->at));
        tiny = is_tiny(r->at, end, out->value);
        r->at = end;
        if (out->value == INFINITE || tiny) {
            ptx_complain(r, RULE_PTX_NUMBER_RANGE, at, "this number is too %s for a .f64%s",
                         tiny ? "small" : "large", tiny ? ": write its bits, 0d..." : "");
            return 0;
        }
        return 1;
    }
    if (c == '0' && (second == 'x' || second == 'b')) {
        base = second == 'x' ? 16 : 2;
        r->at += 2;
    } else if (c == '0') {
        base = 8;
    }
    const char *from = r->at;
    int fits = 1;
    for (; digit_of(*r->at) < (int)base && ptx_is_word(*r->at); r->at++) {
        unsigned digit = (unsigned)digit_of(*r->at);
        fits &= out->value <= (UINT64_MAX - digit) / base;
        out->value = out->value * base + digit;
    }
    int any = r->at > from;
    out->is_unsigned = out->value > INT64_MAX;
    if (any && *r->at == 'U') {
        out->is_unsigned = 1;
        r->at++;
    }
    if (!any || ptx_is_word(*r->at)) {
        ptx_complain(r, RULE_PTX_NUMBER_WRONG, at, "%s is not part of a number of base %u",
                     ptx_seen(r, seen), base);
        while (ptx_is_word(*r->at))
            r->at++;
        return 0;
    }
    if (!fits) {
        ptx_complain(r, RULE_PTX_NUMBER_RANGE, at, "this number has more than 64 bits");
        return 0;
    }
    return 1;
}

static int is_within(struct reader *r, const char *what, uint64_t least, uint64_t most,
                     const struct ptx_operand *number, struct place at, uint64_t *out) {
    *out = number->value;
    if (number->kind == PTX_OP_INTEGER && *out >= least && *out <= most &&
        (number->is_unsigned || (int64_t)*out >= 0))
        return 1;
    ptx_complain(r, RULE_PTX_NUMBER_RANGE, at, "%s must be an integer from %llu to %llu", what,
                 (unsigned long long)least, (unsigned long long)most);
    return 0;
}

int ptx_integer(struct reader *r, const char *what, uint64_t least, uint64_t most, uint64_t *out) {
    struct ptx_operand number;
    ptx_skip(r);
    struct place at = ptx_here(r);
    return ptx_literal(r, &number) && is_within(r, what, least, most, &number, at, out);
}

int ptx_integer_constant(struct reader *r, const char *what, uint64_t most, uint64_t *out) {
    struct ptx_operand number;
    ptx_skip(r);
    struct place at = ptx_here(r);
    return ptx_constant(r, &number) && is_within(r, what, 0, most, &number, at, out);
}
