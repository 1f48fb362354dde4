/* cvt: between all types. */
#include "float.h"

/* A tf32 is the upper 19 bits of its register. */
static unsigned padding(const struct isa_scalar_type *type) {
    return isa_formats[type->format].pad && type->elements == 1 ? isa_formats[type->format].pad : 0;
}

static int is_float(const struct isa_scalar_type *type) {
    return type->letter == 'f';
}

/* A number of one type as one of another, both right-aligned. Signed results are as wide as 64
 * bits, so that a wider register gets copies of the sign. */
static uint64_t convert(const struct scalar_meaning *meaning, const struct isa_scalar_type *from,
                        const struct isa_scalar_type *to, uint64_t bits) {
    const struct wsim_format *source = &isa_formats[from->format],
                             *result = &isa_formats[to->format];
    const int is_signed = from->letter == 's';
    struct real_mode mode;
    scalar_mode(meaning, &mode);
    if (is_float(from) && is_float(to))
        return meaning->integral ? convert_integral(result, &mode, bits)
                                 : convert_real(source, result, &mode, bits) << padding(to);
    if (is_float(to))
        return convert_from_integer(source, result, &mode, bits);
    if (is_float(from))
        bits = convert_to_integer(source, result, &mode, bits);
    else
        bits = scalar_extend(bits, from->bits, from->letter);
    if (!is_float(from) && meaning->sat)
        bits = scalar_saturate(bits, is_signed, to->bits, to->letter);
    return scalar_extend(bits, to->bits, to->letter);
}

/* With two sources, the first is the upper element of the result. */
void scalar_cvt(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const struct isa_scalar_type *to = scalar_type_at(meaning, 0);
    const struct isa_scalar_type *from = scalar_type_at(meaning, 1);
    if (to->elements == 1) {
        out[0] = convert(meaning, from, to, scalar_low(in[0], from->bits));
        return;
    }
    out[0] = 0;
    for (unsigned e = 0; e < to->elements; e++) {
        const uint64_t element =
            from->elements == 1 ? in[to->elements - 1 - e] : in[0] >> e * from->element_bits;
        out[0] |= convert(meaning, from, to, scalar_low(element, from->element_bits))
                  << e * to->element_bits;
    }
}

/* a and b saturated and put side by side, a above b; c above both, as far as there is room. */
void scalar_cvt_pack(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const struct isa_scalar_type *to = scalar_type_at(meaning, 0);
    const unsigned bits = to->element_bits;
    const uint64_t a = scalar_saturate(scalar_signed(in[0], 32), 1, bits, to->letter);
    const uint64_t b = scalar_saturate(scalar_signed(in[1], 32), 1, bits, to->letter);
    const uint64_t above = meaning->types > 2 ? in[2] << 2 * bits : 0;
    out[0] = scalar_low(above | scalar_low(a, bits) << bits | scalar_low(b, bits), 32);
}
