/* Comparisons, and choices between two values. */
#include "scalar.h"

#include "../num/real.h"

/* --- comparisons --- */

/* The orders of two numbers that make a comparison true: a set of enum real_order. */
static const uint8_t orders[] = {
    [SCALAR_EQ] = REAL_EQUAL,
    [SCALAR_NE] = REAL_LESS | REAL_GREATER,
    [SCALAR_LT] = REAL_LESS,
    [SCALAR_LE] = REAL_LESS | REAL_EQUAL,
    [SCALAR_GT] = REAL_GREATER,
    [SCALAR_GE] = REAL_GREATER | REAL_EQUAL,
    [SCALAR_EQU] = REAL_EQUAL | REAL_UNORDERED,
    [SCALAR_NEU] = REAL_LESS | REAL_GREATER | REAL_UNORDERED,
    [SCALAR_LTU] = REAL_LESS | REAL_UNORDERED,
    [SCALAR_LEU] = REAL_LESS | REAL_EQUAL | REAL_UNORDERED,
    [SCALAR_GTU] = REAL_GREATER | REAL_UNORDERED,
    [SCALAR_GEU] = REAL_GREATER | REAL_EQUAL | REAL_UNORDERED,
    [SCALAR_NUM] = REAL_LESS | REAL_EQUAL | REAL_GREATER,
    [SCALAR_NAN] = REAL_UNORDERED,
};

static enum real_order order_of(uint64_t a, uint64_t b, char letter) {
    if (a == b)
        return REAL_EQUAL;
    return scalar_less(a, b, letter) ? REAL_LESS : REAL_GREATER;
}

/* Whether the comparison holds between the elements number `e` of two registers. */
static int holds(const struct scalar_meaning *meaning, const struct isa_scalar_type *type,
                 const uint64_t *in, unsigned e) {
    const unsigned at = e * type->element_bits, bits = type->element_bits;
    const uint64_t a = in[0] >> at, b = in[1] >> at;
    enum real_order order;
    if (type->letter == 'f')
        order = real_compare(&isa_formats[type->format], meaning->ftz, scalar_low(a, bits),
                             scalar_low(b, bits));
    else
        order = order_of(scalar_extend(a, bits, type->letter), scalar_extend(b, bits, type->letter),
                         type->letter);
    return (orders[meaning->compare] & order) != 0;
}

static int combine(const struct scalar_meaning *meaning, int value, uint64_t with) {
    switch (meaning->operation) {
    case SCALAR_AND: return value && with & 1;
    case SCALAR_OR: return value || with & 1;
    case SCALAR_XOR: return value != (int)(with & 1);
    default: return value;
    }
}

/* p and q are the comparison and its opposite; of pairs those of the first and second element. */
void scalar_setp(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const struct isa_scalar_type *type = scalar_type_at(meaning, 0);
    const int first = holds(meaning, type, in, 0);
    const int second = type->elements > 1 ? holds(meaning, type, in, 1) : !first;
    out[0] = (uint64_t)combine(meaning, first, in[2]);
    out[1] = (uint64_t)combine(meaning, second, in[2]);
}

/* The value for true in a type of `bits`: 1.0, or all ones. */
static uint64_t truth(const struct isa_scalar_type *type, unsigned bits) {
    const struct wsim_format *format = &isa_formats[type->format];
    return type->letter == 'f' ? (uint64_t)format->bias << format->frac_bits
                               : scalar_low(~UINT64_C(0), bits);
}

/* Writes a result for each element. Two elements in one integer take half each. */
void scalar_set(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const struct isa_scalar_type *to = scalar_type_at(meaning, 0);
    const struct isa_scalar_type *from = scalar_type_at(meaning, 1);
    const unsigned bits = to->bits / from->elements;
    out[0] = 0;
    for (unsigned e = 0; e < from->elements; e++)
        if (combine(meaning, holds(meaning, from, in, e), in[2]))
            out[0] |= truth(to, bits) << e * bits;
}

void scalar_testp(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    static const uint8_t kinds[] = {
        [SCALAR_FINITE] = REAL_FINITE, [SCALAR_INFINITE] = REAL_INFINITE,
        [SCALAR_NUMBER] = REAL_NUMBER, [SCALAR_NOTANUMBER] = REAL_NOTANUMBER,
        [SCALAR_NORMAL] = REAL_NORMAL, [SCALAR_SUBNORMAL] = REAL_SUBNORMAL,
    };
    const struct isa_scalar_type *type = scalar_type_at(meaning, 0);
    out[0] = real_test(&isa_formats[type->format], (enum real_kind)kinds[meaning->test],
                       scalar_low(in[0], type->bits)) != 0;
}

/* --- choices --- */

void scalar_selp(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = scalar_low(in[2] & 1 ? in[0] : in[1], scalar_type_at(meaning, 0)->bits);
}

/* a where c is 0 or more; not where it is NaN. -0 is 0, and so are flushed numbers. */
void scalar_slct(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const struct isa_scalar_type *type = scalar_type_at(meaning, 1);
    const uint64_t c = scalar_low(in[2], 32);
    int first = c >> 31 == 0;
    if (type->letter == 'f')
        first = (real_compare(&isa_formats[type->format], meaning->ftz, c, 0) &
                 (REAL_GREATER | REAL_EQUAL)) != 0;
    out[0] = scalar_low(first ? in[0] : in[1], scalar_type_at(meaning, 0)->bits);
}
