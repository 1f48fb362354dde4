/* Floating point: every element through the arithmetic of sim/num. */
#include "float.h"

#include "../num/mufu.h"

/* Known behaviour of the copy engine: here, the NaN that it writes where it copies nothing. */
enum {
#define SCALAR(id, value, source) COPY_##id = (value),
#include "../isa/copy.def"
};

void scalar_mode(const struct scalar_meaning *meaning, struct real_mode *mode) {
    static const uint8_t roundings[] = {
        [SCALAR_NO_ROUNDING] = WSIM_RN, [SCALAR_RN] = WSIM_RN, [SCALAR_RZ] = WSIM_RZ,
        [SCALAR_RM] = WSIM_RM,          [SCALAR_RP] = WSIM_RP, [SCALAR_RNA] = WSIM_RNA,
    };
    mode->rounding = roundings[meaning->rounding];
    mode->ftz = meaning->ftz;
    mode->sat = meaning->sat;
    mode->satfinite = meaning->satfinite;
    mode->relu = meaning->relu;
    mode->oob = meaning->oob ? COPY_NAN_FILL : 0;
    mode->nan = meaning->nan;
    mode->xorsign_abs = meaning->xorsign;
}

/* --- one element after another --- */

#define MOST_SOURCES 3

typedef uint64_t element_function(const struct scalar_meaning *meaning,
                                  const struct wsim_format *format, const struct real_mode *mode,
                                  const uint64_t *in);

/* Source number i of an instruction: of mixed precision (add.f32.f16) those but the last are of the
 * second type, and widened, which is exact. */
static uint64_t widened(const struct scalar_meaning *meaning, uint64_t bits) {
    const struct real_mode exact = {0};
    const struct isa_scalar_type *from = scalar_type_at(meaning, 1);
    return convert_real(&isa_formats[from->format],
                        &isa_formats[scalar_type_at(meaning, 0)->format], &exact,
                        scalar_low(bits, from->bits));
}

static void run(const struct scalar_meaning *meaning, unsigned sources, const uint64_t *in,
                uint64_t *out, element_function *f) {
    const struct isa_scalar_type *type = scalar_type_at(meaning, 0);
    struct real_mode mode;
    uint64_t operands[MOST_SOURCES], result = 0;
    scalar_mode(meaning, &mode);
    for (unsigned e = 0; e < type->elements; e++) {
        const unsigned at = e * type->element_bits;
        for (unsigned i = 0; i < sources; i++)
            operands[i] = meaning->types > 1 && i + 1 < sources
                              ? widened(meaning, in[i])
                              : scalar_low(in[i] >> at, type->element_bits);
        result |= f(meaning, &isa_formats[type->format], &mode, operands) << at;
    }
    out[0] = result;
}

/* Defines a method with this number of sources; EXPRESSION computes an element. */
#define FLOAT(name, sources, expression)                                                           \
    static uint64_t name##_element(const struct scalar_meaning *meaning,                           \
                                   const struct wsim_format *format, const struct real_mode *mode, \
                                   const uint64_t *in) {                                           \
        (void)meaning;                                                                             \
        (void)format;                                                                              \
        (void)mode;                                                                                \
        return expression;                                                                         \
    }                                                                                              \
    void scalar_##name(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {  \
        run(meaning, sources, in, out, name##_element);                                            \
    }

/* An f32 without its sign. */
static uint64_t size_of(uint64_t bits) {
    return bits & 0x7FFFFFFFu;
}

FLOAT(add_float, 2, real_add(format, mode, in[0], in[1]))
FLOAT(sub_float, 2, real_sub(format, mode, in[0], in[1]))
FLOAT(mul_float, 2, real_mul(format, mode, in[0], in[1]))
/* in[2] is the power of two by which the assembler scales a product. */
FLOAT(scaled_mul, 3,
      real_scaled_mul(format, mode, in[0], in[1], (int)(in[2] >> format->frac_bits) - format->bias))
FLOAT(fma, 3, real_fma(format, mode, in[0], in[1], in[2]))
FLOAT(min_float, 2, real_min(format, mode, in[0], in[1]))
FLOAT(max_float, 2, real_max(format, mode, in[0], in[1]))
FLOAT(min_sizes, 3,
      real_min(format, mode, real_min(format, mode, size_of(in[0]), size_of(in[1])),
               size_of(in[2])))
FLOAT(max_sizes, 3,
      real_max(format, mode, real_max(format, mode, size_of(in[0]), size_of(in[1])),
               size_of(in[2])))
FLOAT(neg_float, 1, real_neg(format, mode, in[0]))
FLOAT(abs_float, 1, real_abs(format, mode, in[0]))
FLOAT(copysign, 2, real_copysign(format, in[0], in[1]))

/* --- approximate functions, and the exact ones --- */

static int is_double(const struct wsim_format *format) {
    return format == &isa_formats[FORMAT_F64];
}

/* rcp.approx.f64, which no assembler takes, means that of .ftz. */
static uint64_t approximate(const struct scalar_meaning *meaning, const struct wsim_format *format,
                            enum mufu_function function, uint64_t x) {
    if (is_double(format))
        return mufu_f64(function, meaning->ftz || function == MUFU_RCP, x);
    if (format == &isa_formats[FORMAT_F32])
        return mufu_f32(function, meaning->ftz, (uint32_t)x);
    return mufu_f16(function, format, (uint32_t)x);
}

static uint64_t quotient(const struct scalar_meaning *meaning, const struct wsim_format *format,
                         const struct real_mode *mode, const uint64_t *in) {
    switch (meaning->approx) {
    case SCALAR_APPROX: return mufu_div_approx(meaning->ftz, (uint32_t)in[0], (uint32_t)in[1]);
    case SCALAR_FULL: return mufu_div_full(meaning->ftz, (uint32_t)in[0], (uint32_t)in[1]);
    default: return real_div(format, mode, in[0], in[1]);
    }
}

FLOAT(div_float, 2, quotient(meaning, format, mode, in))

/* in[0] / in[1] + in[2], as the assembler fuses an approximate quotient and a sum. */
static uint64_t quotient_and_sum(const struct scalar_meaning *meaning,
                                 const struct wsim_format *format, const struct real_mode *mode,
                                 const uint64_t *in) {
    uint32_t factors[2];
    mufu_div_factors(meaning->approx == SCALAR_FULL, meaning->ftz, (uint32_t)in[0], (uint32_t)in[1],
                     factors);
    return real_fma(format, mode, factors[0], factors[1], in[2]);
}

FLOAT(quotient_sum, 3, quotient_and_sum(meaning, format, mode, in))

/* in[0] / in[1] * in[2], a power of two, rounded once at the end. */
static uint64_t quotient_scaled(const struct scalar_meaning *meaning,
                                const struct wsim_format *format, const struct real_mode *mode,
                                const uint64_t *in) {
    uint32_t factors[2];
    mufu_div_factors(meaning->approx == SCALAR_FULL, meaning->ftz, (uint32_t)in[0], (uint32_t)in[1],
                     factors);
    return real_scaled_mul(format, mode, factors[0], factors[1],
                           (int)(in[2] >> format->frac_bits) - format->bias);
}

FLOAT(scaled_quotient, 3, quotient_scaled(meaning, format, mode, in))
FLOAT(rcp, 1,
      meaning->approx ? approximate(meaning, format, MUFU_RCP, in[0])
                      : real_rcp(format, mode, in[0]))
FLOAT(sqrt, 1,
      meaning->approx ? approximate(meaning, format, MUFU_SQRT, in[0])
                      : real_sqrt(format, mode, in[0]))
FLOAT(rsqrt, 1, approximate(meaning, format, MUFU_RSQRT, in[0]))
FLOAT(ex2, 1, approximate(meaning, format, MUFU_EX2, in[0]))
FLOAT(lg2, 1, approximate(meaning, format, MUFU_LG2, in[0]))
FLOAT(sin, 1, approximate(meaning, format, MUFU_SIN, in[0]))
FLOAT(cos, 1, approximate(meaning, format, MUFU_COS, in[0]))
FLOAT(tanh, 1, approximate(meaning, format, MUFU_TANH, in[0]))
