/* Digits of a trace as numbers, every one of them checked. */
#include "../base/base.h"
#include "trace.h"

int trace_hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

enum wsim_status trace_hex_check(struct trace_span value, struct wsim_diag *diag) {
    size_t i;
    for (i = 0; i < value.length; i++)
        if (trace_hex_digit(value.at[i]) < 0)
            return base_refuse(diag, RULE_TRACE_NUMBER_SYNTAX, value.col + (uint32_t)i,
                               "'%c' is not a hex digit (0-9 and lower-case a-f)", value.at[i]);
    return WSIM_OK;
}

uint64_t trace_hex(const char *at, unsigned n) {
    uint64_t bits = 0;
    while (n--)
        bits = bits << 4 | (uint64_t)trace_hex_digit(*at++);
    return bits;
}

enum wsim_status trace_decimal(struct trace_span value, uint64_t *out, struct wsim_diag *diag) {
    uint64_t n = 0;
    size_t i;
    if (value.length == 0)
        return base_refuse(diag, RULE_TRACE_NUMBER_SYNTAX, value.col,
                           "a decimal number is missing");
    for (i = 0; i < value.length; i++) {
        unsigned digit = (unsigned)(value.at[i] - '0');
        if (digit > 9)
            return base_refuse(diag, RULE_TRACE_NUMBER_SYNTAX, value.col + (uint32_t)i,
                               "'%c' is not a decimal digit", value.at[i]);
        if (n > (UINT64_MAX - digit) / 10)
            return base_refuse(diag, RULE_TRACE_NUMBER_RANGE, value.col,
                               "the number does not fit in 64 bits");
        n = n * 10 + digit;
    }
    *out = n;
    return WSIM_OK;
}
