/* values.c - elements that reach the corners of the arithmetic: what each kind of case is made of.
 */
#include "values.h"
#include "number.h"

#include <string.h>

static uint64_t hash_at(const struct filling *f, enum place_operand operand, struct place at) {
    uint64_t counter = (uint64_t)operand << 40 | (uint64_t)at.quad << 32 | (uint64_t)at.row << 16 |
                       (uint64_t)at.col;
    return cases_hash(f->seed, counter);
}

static int within(int low, int value, int high) {
    return value < low ? low : value > high ? high : value;
}

static uint64_t build(const struct number_format *format, uint64_t sign, int field, uint64_t frac) {
    int top = (1 << format->exp_bits) - (format->top == TOP_IEEE ? 2 : 1);
    field = within(0, field, top);
    frac &= (1ull << format->frac) - 1;
    if (format->top == TOP_ONE_NAN && field == top)
        frac &= ~1ull;
    return ((sign & 1) << (format->exp_bits + format->frac) | (uint64_t)field << format->frac |
            frac)
           << format->skip;
}

/* One of the patterns that mean something of their own. Formats without infinity or NaN give their
 * largest numbers here. */
static uint64_t special(const struct number_format *format, uint64_t r) {
    int top = (1 << format->exp_bits) - 1;
    uint64_t all = (1ull << format->frac) - 1, sign = r >> 8;
    uint64_t quiet = (uint64_t)top << format->frac;
    uint64_t minus = (sign & 1) << (format->frac + format->exp_bits);
    switch (r % 8) {
    case 0: return build(format, sign, 0, 0);
    case 1: return build(format, sign, 0, 1);
    case 2: return build(format, sign, 0, all);
    case 3: return build(format, sign, 1, 0);
    case 4: return build(format, sign, top, all);
    case 5: return (minus | quiet) << format->skip;
    case 6: return (minus | quiet | all) << format->skip;
    default: return (minus | quiet | (1 + (r >> 16) % all)) << format->skip;
    }
}

/* Exponent field that brings a product of two such operands near the floor of the accumulator. */
static int tiny_field(const struct filling *f, const struct number_format *format, int r) {
    int half = strcmp(f->op->type[PLACE_D], "f16") == 0 ? -11 : -75;
    return format->bias + half + r % 15 - 7;
}

static uint64_t ordinary(const struct filling *f, const struct number_format *format, uint64_t r) {
    int top = (1 << format->exp_bits) - 1, bias = format->bias, spread = (int)(r >> 40 & 0xffff);
    uint64_t sign = r >> 63;
    switch (f->kind) {
    case CASES_FINITE: return build(format, sign, spread % (top + 1), r);
    case CASES_SUBNORMAL:
        return build(format, sign, r >> 62 & 1 ? spread % 2 : bias + spread % 4 - 2, r);
    case CASES_WIDE: return build(format, sign, bias + spread % 33 - 16, r);
    case CASES_TINY: return build(format, sign, tiny_field(f, format, spread), r);
    default: return build(format, sign, bias + spread % 4 - 2, r);
    }
}

/* Products that reach the end of the range: A at its end, B there or about one. */
static uint64_t extreme(const struct filling *f, const struct number_format *format, uint64_t r) {
    int top = (1 << format->exp_bits) - 1, spread = (int)(r >> 40 & 0xffff);
    int about_one = f->operand == PLACE_B && r >> 62 & 1;
    return build(format, r >> 63, about_one ? format->bias + spread % 3 - 1 : top - spread % 4, r);
}

static uint64_t float_value(const struct filling *f, const struct number_format *format,
                            uint64_t r) {
    int rare = f->operand == PLACE_C || format->container == 64 ? 3 : 40;
    switch (f->kind) {
    case CASES_RAW: return r;
    case CASES_C_ALONE: return f->operand == PLACE_C ? r : build(format, r, 0, 0);
    case CASES_EXTREMES: return extreme(f, format, r);
    case CASES_SPECIALS:
        return r >> 32 & 7                         ? ordinary(f, format, r)
               : (int)((r >> 20) % 40) < 40 / rare ? special(format, r)
                                                   : build(format, r, 0, 0);
    case CASES_TINY: /* a C that is not zero hides the floor */
        if (f->operand == PLACE_C)
            return build(format, r, 0, r >> 60 ? 0 : r >> 8 & 3);
        return ordinary(f, format, r);
    default: return ordinary(f, format, r);
    }
}

static uint64_t integer_value(const struct filling *f, uint64_t r) {
    int width = place_width(f->op, f->operand);
    uint64_t top = 1ull << (width - 1);
    uint64_t ends[] = {
        0, top, top - 1, 2 * top - 1, 1, top - 1 - (r >> 40 & 7), top + (r >> 40 & 7)};
    if (f->kind == CASES_C_ALONE)
        return f->operand == PLACE_C ? r : 0;
    return f->kind == CASES_EXTREMES ? ends[r % 7] : r;
}

static const struct number_format *format_of(const struct filling *f) {
    int nibble = place_width(f->op, f->operand) == 4;
    const char *type = f->op->type[f->operand];
    return number_format(nibble && strcmp(type, "e2m1") == 0 ? "e2m1 nibble" : type);
}

static uint64_t value(const struct filling *f, uint64_t r) {
    const struct number_format *format = format_of(f);
    return format ? float_value(f, format, r) : integer_value(f, r);
}

static uint64_t one(const struct filling *f) {
    const struct number_format *format = format_of(f);
    return format ? build(format, 0, format->bias, 0) : 1;
}

static uint64_t zero(const struct filling *f, uint64_t r) {
    const struct number_format *format = format_of(f);
    return format ? build(format, r, 0, 0) : 0;
}

/* A in pairs of opposite values along k, B in runs of equal ones; now and then one is replaced. */
static uint64_t cancelling(const struct filling *f, struct place at) {
    const struct number_format *format = format_of(f);
    uint64_t r = hash_at(f, f->operand, at);
    if (f->operand == PLACE_C || r % 29 == 0)
        return value(f, r);
    int minus = f->operand == PLACE_A && at.col % 2;
    *(f->operand == PLACE_A ? &at.col : &at.row) &= f->operand == PLACE_A ? ~1 : ~7;
    uint64_t same = value(f, hash_at(f, f->operand, at));
    if (!minus)
        return same;
    return format ? same ^ 1ull << (format->skip + format->frac + format->exp_bits) : 0 - same;
}

/* Column that row `row` of A, or row that column `row` of B, lets through. */
static int hot(const struct filling *f, int quad, int row, int size) {
    return (int)(hash_at(f, f->operand, (struct place){quad, row, 999}) % (uint64_t)size);
}

static uint64_t one_hot(const struct filling *f, struct place at) {
    int stored = f->op->k / (f->op->sparse ? 2 : 1);
    struct filling plain = *f;
    plain.kind = format_of(f) ? CASES_FINITE : CASES_RAW;
    uint64_t r = hash_at(f, f->operand, at);
    if (f->operand == PLACE_A && at.col != hot(f, at.quad, at.row, stored))
        return zero(f, r);
    return value(&plain, r);
}

static uint64_t position(const struct filling *f, struct place at) {
    int by_a = f->seed % 2 == 0 || f->op->sparse, size = f->op->k / (f->op->sparse ? 2 : 1);
    struct filling plain = *f;
    plain.kind = format_of(f) ? CASES_FINITE : CASES_RAW;
    uint64_t r = hash_at(f, f->operand, at);
    if (f->operand == PLACE_C)
        return zero(f, 0);
    if (by_a && f->operand == PLACE_A)
        return at.col == hot(f, at.quad, at.row, size) ? one(f) : zero(f, 0);
    if (!by_a && f->operand == PLACE_B)
        return at.row == hot(f, at.quad, at.col, size) ? one(f) : zero(f, 0);
    return value(&plain, r);
}

/* 2^exp, which may be subnormal. */
static uint64_t power(const struct number_format *format, uint64_t sign, int exp) {
    int least = 1 - format->bias;
    return exp >= least ? build(format, sign, exp + format->bias, 0)
                        : build(format, sign, 0, 1ull << within(0, format->frac + exp - least, 63));
}

/* A subnormal, one of the largest, or a small number. */
static uint64_t far_apart(const struct number_format *format, uint64_t r) {
    int fields[3] = {0, (1 << format->exp_bits) - 1, (int)(r >> 40 & 7)};
    return build(format, r >> 63, fields[r >> 20 & 1 ? 0 : (r >> 21) % 3], r);
}

/* A value of A for the floor. f16 into f16: 2^-25, a tie, and something about 2^-46 that breaks it
 * or not. 8 exponent bits: the least f32, and something some bits below that is subtracted. Narrow:
 * the least exponents, where unequal numbers have equal ones. */
static uint64_t floor_a(const struct filling *f, const struct number_format *format, int first,
                        uint64_t r) {
    int below = (int)(r >> 40 & 0xffff);
    if (format->container <= 8 && f->op->scales > 0)
        return first ? power(format, 0, 0) : power(format, 1, -(below % 16));
    if (format->container <= 8)
        return far_apart(format, r);
    if (format->exp_bits == 5)
        return first ? power(format, 0, -11) : build(format, r >> 63, 0, 1ull << below % 8);
    return first ? power(format, 0, -23) : power(format, 1, -24 - below % 14);
}

static uint64_t floor_b(const struct filling *f, const struct number_format *format, uint64_t r) {
    int low = (int)(r >> 40 & 1);
    if (format->container <= 8 && f->op->scales > 0)
        return power(format, 0, low ? -(int)(r >> 41 & 15) : 0);
    if (format->container <= 8)
        return far_apart(format, r);
    if (format->exp_bits == 5)
        return low ? build(format, 0, 0, 1 + (r >> 41 & 1)) : power(format, 0, -14);
    return power(format, 0, -126);
}

/* Two elements of each row of A are there, and no C. */
static uint64_t at_floor(const struct filling *f, struct place at) {
    const struct number_format *format = format_of(f);
    uint64_t r = hash_at(f, f->operand, at);
    int size = f->op->k / (f->op->sparse ? 2 : 1);
    int first = hot(f, at.quad, at.row, size), second = (first + 1 + at.row % (size - 1)) % size;
    if (f->operand == PLACE_B)
        return floor_b(f, format, r);
    if (f->operand == PLACE_A && (at.col == first || at.col == second))
        return floor_a(f, format, at.col == first, r);
    return zero(f, 0);
}

uint64_t values_element(const struct filling *f, struct place at) {
    switch (f->kind) {
    case CASES_FLOOR: return at_floor(f, at);
    case CASES_CANCELLING: return cancelling(f, at);
    case CASES_ONE_HOT: return one_hot(f, at);
    case CASES_POSITION: return position(f, at);
    default: return value(f, hash_at(f, f->operand, at));
    }
}
