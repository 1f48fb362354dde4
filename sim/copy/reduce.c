/* reduce.c - reduces one element into another: integers by their bits, floats with sim/num. The
 * properties of a type come from copy.def. */
#include "../num/num.h"
#include "copy.h"

/* --- tables --- */

#define ONE_OF(operation) (1u << COPY_##operation)
const struct copy_number copy_numbers[WSIM_TENSOR_TYPES] = {
#define NUMBER(id, number, subnormals, nans, rounds, reductions)                                   \
    [WSIM_TENSOR_##id] = {&isa_formats[FORMAT_##number], COPY_##subnormals, COPY_##nans,           \
                          FORMAT_##rounds, reductions},
#include "../isa/copy.def"
};

const struct copy_number *copy_plain_number(const struct wsim_op *op) {
    static const uint8_t types[] = {
#define PLAIN(format, dtype) [FORMAT_##format] = WSIM_TENSOR_##dtype,
#include "../isa/copy.def"
    };
    return &copy_numbers[types[op->q[PLACE_D]]];
}

static const struct {
    uint8_t tensor, plain;
} words[] = {
#define OPERATION(id, plain) {Q_REDUCE_##id, Q_##plain},
#include "../isa/copy.def"
};

enum copy_operation copy_operation_of(const struct wsim_op *op) {
    unsigned o = 0;
    while (o < COPY_OPERATIONS && op->q[PLACE_REDUCTION] != words[o].tensor &&
           op->q[PLACE_ATOMIC] != words[o].plain)
        o++;
    return (enum copy_operation)o;
}

const char *copy_word(enum copy_operation operation) {
    return isa_word_text(PLACE_REDUCTION, words[operation].tensor);
}

/* --- arithmetic --- */

static uint64_t ones(unsigned bits) {
    return bits < 64 ? (UINT64_C(1) << bits) - 1 : ~UINT64_C(0);
}

static uint64_t sign_of(const struct wsim_format *format) {
    return UINT64_C(1) << (format->bits - 1);
}

static int is_nan(const struct wsim_format *format, uint64_t bits) {
    return format->kind == WSIM_BINARY && wsim_format_decode(format, bits).cls == WSIM_NAN;
}

/* An integer in the order of the floats; -0 comes before +0. */
static uint64_t place(const struct wsim_format *format, uint64_t bits) {
    uint64_t sign = sign_of(format);
    if (format->kind == WSIM_BINARY)
        return bits & sign ? ~bits & ones(format->bits) : bits | sign;
    return format->is_signed ? bits ^ sign : bits;
}

/* The minimum or maximum; a number is preferred to a NaN. */
static uint64_t choose(const struct wsim_format *format, uint64_t a, uint64_t b, int greater) {
    if (is_nan(format, a))
        return is_nan(format, b) ? format->nan : b;
    if (is_nan(format, b))
        return a;
    return (place(format, a) < place(format, b)) == greater ? b : a;
}

static uint64_t flushed(const struct copy_number *number, uint64_t bits) {
    const struct wsim_format *format = number->format;
    int subnormal = !(bits & ones(format->exp_bits) << format->frac_bits);
    return number->subnormals == COPY_FLUSHED && subnormal ? bits & sign_of(format) : bits;
}

static uint64_t add(const struct copy_number *number, uint64_t there, uint64_t bits) {
    const struct wsim_format *format = number->format;
    uint64_t one = (uint64_t)format->bias << format->frac_bits;
    if (format->kind != WSIM_BINARY)
        return (there + bits) & ones(format->bits);
    if (number->nans == COPY_PASSED && is_nan(format, bits))
        return bits;
    if (number->nans == COPY_PASSED && is_nan(format, there))
        return there;
    return flushed(number, num_fma(format, flushed(number, there), one, flushed(number, bits),
                                   WSIM_RN, number->nans == COPY_ONE));
}

uint64_t copy_combine(enum copy_operation operation, const struct copy_number *number,
                      uint64_t there, uint64_t bits) {
    switch (operation) {
    case COPY_ADD: return add(number, there, bits);
    case COPY_MIN: return choose(number->format, there, bits, 0);
    case COPY_MAX: return choose(number->format, there, bits, 1);
    case COPY_INC: return there >= bits ? 0 : there + 1;
    case COPY_DEC: return there == 0 || there > bits ? bits : there - 1;
    case COPY_AND: return there & bits;
    case COPY_OR: return there | bits;
    case COPY_XOR: return there ^ bits;
    case COPY_OPERATIONS: break;
    }
    return bits;
}

/* --- many elements at once --- */

/* Infinities and NaNs. */
static uint64_t infinity_of(const struct wsim_format *format) {
    return ones(format->exp_bits) << format->frac_bits;
}

static int is_special(const struct wsim_format *format, uint64_t bits) {
    return (bits & infinity_of(format)) == infinity_of(format);
}

/* The sum of finite numbers, to nearest, ties to even. Bits of the smaller operand below the guard
 * bits are ORed into the lowest guard bit (sticky). Operands that are so far apart lose at most one
 * leading bit, so the sum rounds like the exact sum. A result that lost more leading bits is exact.
 */
static uint64_t add_finite(const struct wsim_format *format, uint64_t a, uint64_t b) {
    enum { GUARD = 8 };
    unsigned frac = format->frac_bits, top = frac + GUARD, apart, carry;
    uint64_t sign = sign_of(format), hidden = UINT64_C(1) << frac, infinity = infinity_of(format);
    uint64_t x = a & ~sign, y = b & ~sign, opposite = (a ^ b) & sign;
    uint64_t great = x < y ? y : x, less = x < y ? x : y, exp, mag, result;
    uint64_t negative = (x < y ? b : a) & sign;
    exp = great < hidden ? 1 : great >> frac;
    apart = (unsigned)(exp - (less < hidden ? 1 : less >> frac));
    great = (great < hidden ? great : (great & (hidden - 1)) | hidden) << GUARD;
    less = (less < hidden ? less : (less & (hidden - 1)) | hidden) << GUARD;
    apart = apart < top + 2 ? apart : top + 2; /* all bits are below the guard bits */
    less = less >> apart | ((less & ((UINT64_C(1) << apart) - 1)) != 0);
    mag = opposite ? great - less : great + less;
    if (!mag)
        return opposite ? 0 : negative;
    carry = (unsigned)(mag >> (top + 1));
    mag = mag >> carry | (mag & carry);
    exp += carry;
    for (; !(mag >> top) && exp > 1; exp--)
        mag <<= 1;
    mag += (UINT64_C(1) << (GUARD - 1)) - 1 + (mag >> GUARD & 1);
    result = ((exp - 1) << frac) + (mag >> GUARD); /* a carry goes into the exponent */
    return negative | (result < infinity ? result : infinity);
}

/* The sum if an operand is infinite, or NaN where every NaN gives the same one. */
static uint64_t add_special(const struct wsim_format *format, uint64_t a, uint64_t b) {
    uint64_t sign = sign_of(format), infinity = infinity_of(format);
    if ((a & ~sign) > infinity || (b & ~sign) > infinity || (a ^ b) == sign)
        return format->nan;
    return (a & ~sign) == infinity ? a : b;
}

/* Like copy_combine, which handles the rare cases. */
static inline uint64_t combine(enum copy_operation operation, const struct copy_number *number,
                               uint64_t there, uint64_t bits) {
    const struct wsim_format *format = number->format;
    int floats = format->kind == WSIM_BINARY;
    int usual = floats && !is_special(format, there) && !is_special(format, bits);
    if (usual && operation == COPY_ADD)
        return flushed(number, add_finite(format, flushed(number, there), flushed(number, bits)));
    if (usual && (operation == COPY_MIN || operation == COPY_MAX))
        return (place(format, there) < place(format, bits)) == (operation == COPY_MAX) ? bits
                                                                                       : there;
    if (floats && operation == COPY_ADD && number->nans == COPY_ONE)
        return add_special(format, there, bits);
    return copy_combine(operation, number, there, bits);
}

/* A little-endian number of 2, 4 or 8 bytes. */
static inline uint64_t get(const uint8_t *from, unsigned n) {
    uint32_t words[2] = {0, 0};
    if (n == 2)
        return from[0] | (uint64_t)from[1] << 8;
    memory_read_words(words, from, n / 4);
    return words[0] | (uint64_t)words[1] << 32;
}

static inline void put(uint8_t *to, unsigned n, uint64_t bits) {
    uint32_t words[2] = {(uint32_t)bits, (uint32_t)(bits >> 32)};
    if (n > 2) {
        memory_write_words(to, words, n / 4);
        return;
    }
    to[0] = (uint8_t)bits;
    to[1] = (uint8_t)(bits >> 8);
}

/* Integers of 32 bits, in loops that compilers vectorise. With the sign bit flipped, signed
 * integers compare like unsigned ones. */
static void combine_words(enum copy_operation operation, uint32_t sign, uint32_t *a,
                          const uint32_t *b, unsigned n) {
    switch (operation) {
    case COPY_ADD:
        for (unsigned i = 0; i < n; i++)
            a[i] += b[i];
        break;
    case COPY_MIN:
        for (unsigned i = 0; i < n; i++)
            a[i] = (a[i] ^ sign) < (b[i] ^ sign) ? a[i] : b[i];
        break;
    case COPY_MAX:
        for (unsigned i = 0; i < n; i++)
            a[i] = (a[i] ^ sign) < (b[i] ^ sign) ? b[i] : a[i];
        break;
    case COPY_INC:
        for (unsigned i = 0; i < n; i++)
            a[i] = a[i] >= b[i] ? 0 : a[i] + 1;
        break;
    case COPY_DEC:
        for (unsigned i = 0; i < n; i++)
            a[i] = a[i] == 0 || a[i] > b[i] ? b[i] : a[i] - 1;
        break;
    case COPY_AND:
        for (unsigned i = 0; i < n; i++)
            a[i] &= b[i];
        break;
    case COPY_OR:
        for (unsigned i = 0; i < n; i++)
            a[i] |= b[i];
        break;
    case COPY_XOR:
        for (unsigned i = 0; i < n; i++)
            a[i] ^= b[i];
        break;
    case COPY_OPERATIONS: break;
    }
}

/* The number of words that are read, changed and written at once. */
enum { SOME = 64 };

static void combine_integers(enum copy_operation operation, uint32_t sign, uint8_t *to,
                             const uint8_t *from, size_t bytes) {
    uint32_t there[SOME], moved[SOME];
    for (unsigned n; bytes; bytes -= n * sizeof *there) {
        n = bytes < sizeof there ? (unsigned)(bytes / sizeof *there) : SOME;
        memory_read_words(there, to, n);
        memory_read_words(moved, from, n);
        combine_words(operation, sign, there, moved, n);
        memory_write_words(to, there, n);
        from += n * sizeof *there;
        to += n * sizeof *there;
    }
}

static inline void combine_each(enum copy_operation operation, const struct copy_number *number,
                                unsigned n, uint8_t *to, const uint8_t *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i += n)
        put(to + i, n, combine(operation, number, get(to + i, n), get(from + i, n)));
}

/* Logic operations do not depend on the width. */
void copy_combine_all(enum copy_operation operation, const struct copy_number *number, uint8_t *to,
                      const uint8_t *from, size_t bytes) {
    const struct wsim_format *format = number->format;
    int logic = operation == COPY_AND || operation == COPY_OR || operation == COPY_XOR;
    if (format->kind != WSIM_BINARY && (format->bits == 32 || logic))
        combine_integers(operation, format->is_signed ? UINT32_C(1) << 31 : 0, to, from, bytes);
    else if (format->bits == 16)
        combine_each(operation, number, 2, to, from, bytes);
    else if (format->bits == 32)
        combine_each(operation, number, 4, to, from, bytes);
    else
        combine_each(operation, number, 8, to, from, bytes);
}

/* --- rounding --- */

uint64_t copy_round(const struct copy_number *number, uint64_t bits) {
    const struct wsim_format *to = &isa_formats[number->rounds];
    return num_convert(number->format, to, bits) << to->pad;
}

/* Rounds 32 bits to fewer fraction bits with the same exponent range, to nearest, ties to even. It
 * adds just below a half (exactly a half if the kept part is odd) and truncates. */
static void round_words(const struct copy_number *number, uint32_t *words, unsigned n) {
    const struct wsim_format *from = number->format, *to = &isa_formats[number->rounds];
    unsigned cut = from->frac_bits - to->frac_bits;
    uint32_t low = (UINT32_C(1) << cut) - 1, nan = (uint32_t)(to->nan << to->pad);
    uint32_t infinity = (uint32_t)ones(from->exp_bits) << from->frac_bits;
    for (unsigned i = 0; i < n; i++) {
        uint32_t odd = words[i] >> cut & 1, even = (words[i] + (low >> 1) + odd) & ~low;
        words[i] = (words[i] & INT32_MAX) > infinity ? nan : even;
    }
}

void copy_round_all(const struct copy_number *number, uint8_t *to, const uint8_t *from,
                    size_t bytes) {
    uint32_t words[SOME];
    for (unsigned n; bytes; bytes -= n * sizeof *words) {
        n = bytes < sizeof words ? (unsigned)(bytes / sizeof *words) : SOME;
        memory_read_words(words, from, n);
        round_words(number, words, n);
        memory_write_words(to, words, n);
        from += n * sizeof *words;
        to += n * sizeof *words;
    }
}
