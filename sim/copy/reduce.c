/* One element onto another. Integers by their bits, floats through sim/num; what is not known of
 * floats is refused. */
#include "../num/num.h"
#include "copy.h"

#define ONE_OF(operation) (1u << COPY_##operation)
const struct copy_number copy_numbers[WSIM_TENSOR_TYPES] = {
#define NUMBER(id, number, subnormals, rounds, reductions)                                         \
    [WSIM_TENSOR_##id] = {&isa_formats[FORMAT_##number], COPY_##subnormals, rounds, reductions},
#include "../isa/copy.def"
};

static uint64_t ones(unsigned bits) {
    return bits < 64 ? (UINT64_C(1) << bits) - 1 : ~UINT64_C(0);
}

static uint64_t sign_of(const struct wsim_format *format) {
    return UINT64_C(1) << (format->bits - 1);
}

/* A number that is greater for what is greater. */
static uint64_t place(const struct wsim_format *format, uint64_t bits) {
    uint64_t sign = sign_of(format);
    if (format->kind == WSIM_BINARY)
        return bits & sign ? ~bits & ones(format->bits) : bits | sign;
    return format->is_signed ? bits ^ sign : bits;
}

static uint64_t choose(const struct wsim_format *format, uint64_t a, uint64_t b, int greater) {
    return (place(format, a) < place(format, b)) == greater ? b : a;
}

static int is_subnormal(const struct wsim_format *format, uint64_t bits) {
    uint64_t exponent = ones(format->exp_bits) << format->frac_bits;
    return format->kind == WSIM_BINARY && !(bits & exponent) && bits & ones(format->frac_bits);
}

static uint64_t flushed(const struct copy_number *number, uint64_t bits) {
    int flush = number->subnormals == COPY_FLUSHED && is_subnormal(number->format, bits);
    return flush ? bits & sign_of(number->format) : bits;
}

static uint64_t add(const struct copy_number *number, uint64_t a, uint64_t b) {
    const struct wsim_format *format = number->format;
    if (format->kind != WSIM_BINARY)
        return (a + b) & ones(format->bits);
    return flushed(number, num_add(format, flushed(number, a), flushed(number, b)));
}

static uint64_t combine(enum copy_operation operation, const struct copy_number *number,
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
    return there;
}

/* What of a pair and its result nobody has measured; NULL: nothing. */
static const char *unknown(enum copy_operation operation, const struct copy_number *number,
                           uint64_t a, uint64_t b, uint64_t result) {
    const struct wsim_format *format = number->format;
    if (format->kind != WSIM_BINARY)
        return NULL;
    if (wsim_format_decode(format, a).cls == WSIM_NAN ||
        wsim_format_decode(format, b).cls == WSIM_NAN ||
        wsim_format_decode(format, result).cls == WSIM_NAN)
        return "NaNs";
    if (operation != COPY_ADD)
        return (a | b) == sign_of(format) && a != b ? "zeros of both signs" : NULL;
    return number->subnormals == COPY_UNKNOWN &&
                   (is_subnormal(format, a) || is_subnormal(format, b) ||
                    is_subnormal(format, result))
               ? "subnormals"
               : NULL;
}

enum wsim_status copy_combine(enum copy_operation operation, const struct copy_number *number,
                              uint64_t there, uint64_t bits, uint64_t *out,
                              struct wsim_diag *diag) {
    const char *what;
    *out = combine(operation, number, there, bits);
    what = unknown(operation, number, there, bits, *out);
    if (!what)
        return WSIM_OK;
    return base_refuse(diag, WSIM_UNMODELLED, 0,
                       "reduction .%s of 0x%llx onto 0x%llx (%s): what it makes of %s is not known",
                       isa_word_text(PLACE_REDUCTION, Q_REDUCE_ADD + operation),
                       (unsigned long long)bits, (unsigned long long)there, number->format->name,
                       what);
}
