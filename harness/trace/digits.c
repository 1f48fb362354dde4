/* Digits of a trace as numbers; every digit is checked. */
#include "../../sim/base/base.h"
#include "trace.h"

/* The value of a lower-case hex digit, -1 for any other byte. */
static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* No branch depends on a digit, so compilers vectorise the loop. */
static int is_hex(const char *at, size_t n) {
    unsigned char other = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)at[i];
        unsigned char digit = (unsigned char)(c - '0') < 10, letter = (unsigned char)(c - 'a') < 6;
        other |= (unsigned char)!(digit | letter);
    }
    return !other;
}

enum wsim_status trace_hex_check(struct trace_span value, struct wsim_diag *diag) {
    size_t i = 0;
    if (is_hex(value.at, value.length))
        return WSIM_OK;
    while (hex_digit(value.at[i]) >= 0)
        i++;
    return base_refuse(diag, RULE_TRACE_NUMBER_SYNTAX, value.col + (uint32_t)i,
                       "'%c' is not a hex digit (0-9 and lower-case a-f)", value.at[i]);
}

/* A digit is the low half of its byte; bit 6 marks a letter, which is 9 more. */
uint64_t trace_hex(const char *at, unsigned n) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned c = (unsigned char)at[i], value = (c & 15) + (c >> 6) * 9;
        bits = bits << 4 | value;
    }
    return bits;
}

/* The same for eight bytes at once, which are then packed. */
uint32_t trace_hex_word(const char *at) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < 8; i++)
        bytes = bytes << 8 | (unsigned char)at[i];
    bytes = (bytes & 0x0f0f0f0f0f0f0f0fu) + (bytes >> 6 & 0x0101010101010101u) * 9;
    bytes = (bytes | bytes >> 4) & 0x00ff00ff00ff00ffu;
    bytes = (bytes | bytes >> 8) & 0x0000ffff0000ffffu;
    return (uint32_t)(bytes | bytes >> 16);
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
