/* number.h - the oracle's own reading of the formats, and IEEE multiply-add on them. */
#ifndef ORACLE_NUMBER_H
#define ORACLE_NUMBER_H

#include "wide.h"

enum number_kind { NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN };

/* (-1)^negative * sig * 2^(exp - frac). `exp` is the exponent that the bits spell, never adjusted:
 * a subnormal has the least exponent and a significand below 2^frac. */
struct number {
    enum number_kind kind;
    int negative, exp, frac;
    uint64_t sig;
};

/* The meaning of the top exponent. */
enum number_top { TOP_IEEE, TOP_ONE_NAN, TOP_ORDINARY };

struct number_format {
    const char *name;
    int container; /* bits of a register that one element takes; nibbles of fp4: see place.h */
    int skip;      /* ignored bits below the value                                           */
    int has_sign, exp_bits, bias, frac;
    enum number_top top;
    uint64_t nan; /* the NaN that arithmetic makes                                          */
};

/* The format called `name`; NULL if it is not a floating-point format. */
const struct number_format *number_format(const char *name);

struct number number_decode(const struct number_format *format, uint64_t bits);

/* The result of a rounded value that is too large for the format. */
enum number_overflow { OVERFLOW_IEEE, OVERFLOW_INFINITY };

/* The bits of a rounded sum. `rounding` says what an overflow under IEEE rules becomes. */
uint64_t number_encode(const struct number_format *format, struct wide_rounded value,
                       enum wide_rounding rounding, enum number_overflow overflow);

uint64_t number_infinity(const struct number_format *format, int negative);

/* The bits of `value` rounded once to `format`, NaN canonical; zero keeps its sign. */
uint64_t number_convert(const struct number_format *format, struct number value);

/* IEEE a * b + c in `format`, one rounding. A NaN result is `format->nan`. */
uint64_t number_fma(const struct number_format *format, struct number a, struct number b,
                    struct number c, enum wide_rounding rounding);

#endif
