/* reduce.c - one element onto another. Integers by their bits, floats through sim/num; what is
 * known of a type comes from copy.def. */
#include "../num/num.h"
#include "copy.h"

/* --- what there is --- */

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

/* A number that is greater for what is greater: -0 comes before +0. */
static uint64_t place(const struct wsim_format *format, uint64_t bits) {
    uint64_t sign = sign_of(format);
    if (format->kind == WSIM_BINARY)
        return bits & sign ? ~bits & ones(format->bits) : bits | sign;
    return format->is_signed ? bits ^ sign : bits;
}

/* The lesser or the greater; a number before a NaN. */
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

void copy_combine_all(enum copy_operation operation, const struct copy_number *number, uint8_t *to,
                      const uint8_t *from, size_t bytes) {
    unsigned n = number->format->bits / 8u;
    struct wsim_memory there = wsim_memory_over(WSIM_GLOBAL, to, bytes, 0);
    struct wsim_memory moved = wsim_memory_const(WSIM_SHARED, from, bytes, 0);
    for (size_t i = 0; i < bytes; i += n)
        memory_put(
            &there, i, n,
            copy_combine(operation, number, memory_get(&there, i, n), memory_get(&moved, i, n)));
}

/* --- rounding --- */

uint64_t copy_round(const struct copy_number *number, uint64_t bits) {
    const struct wsim_format *to = &isa_formats[number->rounds];
    return num_convert(number->format, to, bits) << to->pad;
}

/* Of 32 bits, to fewer fraction bits of the same exponents: to nearest, ties to even, is to add a
 * little less than a half, or exactly that to what is odd, and to cut off. */
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
    enum { SOME = 32 };
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
