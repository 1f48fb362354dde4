/* byte_elements.h - elements of class byte in a register: codes, floats, infinities and NaN. A part
 * of byte.h. */

/* A word of elements, each shifted to the top of its byte; all other bits are zero. */
INLINE vec byte_lift(vec w, const struct byte_format *f) {
    return f->lift | f->pad ? w << f->lift & vec_all8((uint8_t)(0xFF << f->pad)) : w;
}

#if defined(VEC_SHUFFLE8)
/* The index of a subnormal in the tables of a format is its fraction. Indices of 128 or more give
 * 0, and those of 16 or more become 128 or more. */
INLINE vec byte_small_index(vec mag, const struct byte_format *f) {
    vec index = f->pad ? mag >> f->pad & vec_all8((uint8_t)(0x7F >> f->pad)) : mag;
    return vec_add8_most(index, vec_all8(0x70));
}
#endif

/* Codes of four elements, at least `least`. If elements are multiplied as f16, a subnormal has the
 * exponent of its highest bit. */
INLINE vec byte_codes(vec w, const struct byte_format *f) {
    vec mag = w & 0x7F7F7F7F, field = vec_shift_each(mag, vec_all(f->frac));
    field &= vec_all8((uint8_t)(0x7F >> f->frac));
#if defined(VEC_SHUFFLE8)
    field |= vec_all8(BYTE_CODE);
    return vec_add8(field, vec_shuffle8(f->small, byte_small_index(mag, f)));
#else
    unsigned digits = f->frac - f->pad;
    vec some = vec_not_less8(mag, 1), code = vec_max8(field, vec_all8(1));
    if (f->least < 1) {
        for (unsigned i = 1; i <= digits; i++)
            code += vec_not_less8(mag, (uint8_t)(1u << (i + f->pad))) & 0x01010101;
        code = vec_max8(vec_sub8(code, vec_all8((uint8_t)digits)), vec_all8((uint8_t)f->least));
    }
    return vec_add8(code, vec_all8(BYTE_CODE)) & some;
#endif
}

/* Elements 0 to 3 of each word as floats. */
INLINE void byte_values(vec w, const struct byte_format *f, vec_float x[4]) {
#if defined(VEC_SHUFFLE8)
    /* The shift to the exponent of f16 fills the gap with copies of the sign; clear them. */
    vec bits = vec_all16((uint16_t)(0x8000 | 0x7FFF >> f->narrow)), halves[2];
    vec_spread8(w, halves);
    for (unsigned i = 0; i < 2; i++)
        vec_halves(vec_right16_signed(halves[i], f->narrow) & bits, x + 2 * i);
#else
    for (unsigned q = 0; q < 4; q++) {
        vec top = w << (24 - 8 * q);
        /* The exponent of f16 is 112 less than that of f32. */
        vec mag = (top & 0x7F000000) >> (1 + f->frac);
        vec sub = vec_ones(vec_less(mag, vec_all(1 << 23)));
        /* A subnormal gets the least exponent and so a leading one; subtract it. */
        vec_float y = (vec_float)(mag + vec_all(112u << 23) + (sub & (1 << 23))) -
                      (vec_float)(sub & vec_all(113u << 23));
        x[q] = (vec_float)(((vec)y & 0x7FFFFFFF) | (top & 0x80000000));
    }
#endif
}

/* Normal numbers times 2^(bias - 112): no zero, subnormal, infinity or NaN. The upper half of a
 * float is a sign, the byte's other bits and zeros, with another bias. */
INLINE void byte_normal_values(vec w, const struct byte_format *f, unsigned bias, vec_float x[4]) {
    vec bits = vec_all16((uint16_t)(0x8000 | 0x7F << (7 - f->frac)));
    vec more = vec_all16((uint16_t)(bias << 7)), even = (vec)((vec_half)w << 8);
    even = vec_add16(vec_right16_signed(even, 1 + f->frac) & bits, more);
    w = vec_add16(vec_right16_signed(w, 1 + f->frac) & bits, more);
    x[0] = (vec_float)(even << 16);
    x[1] = (vec_float)(w << 16);
    x[2] = (vec_float)(even & 0xFFFF0000);
    x[3] = (vec_float)(w & 0xFFFF0000);
}

INLINE vec byte_normal_codes(vec w, const struct byte_format *f) {
    vec field = vec_shift_each(w & 0x7F7F7F7F, vec_all(f->frac));
    return (field & vec_all8((uint8_t)(0x7F >> f->frac))) | vec_all8(BYTE_CODE);
}

/* Bit 7 of each byte that is infinite or NaN; ignore the other bits. */
INLINE vec byte_special_bits(vec w, const struct byte_format *f) {
    return (w & 0x7F7F7F7F) + vec_all8((uint8_t)(128 - f->special));
}
INLINE int byte_any_special(vec bits) {
    return vec_any(vec_test(bits, vec_all(0x80808080)));
}

/* The least and the largest magnitude of four times VL bytes. */
struct byte_extent {
    vec least, most;
};

static struct byte_extent byte_extent_of(const struct byte_format *f, const uint32_t *const *regs,
                                         unsigned count) {
    struct byte_extent x = {vec_all(0x7F7F7F7F), vec_all(0)};
    for (unsigned i = 0; i < count; i++)
        for (unsigned at = 0; at < 32; at += VL) {
            vec mag = byte_lift(vec_load(regs[i] + at), f) & 0x7F7F7F7F;
            x.least = vec_min_unsigned8(x.least, mag);
            x.most = vec_max_unsigned8(x.most, mag);
        }
    return x;
}

/* Whether all elements are normal numbers. *special: some are infinite or NaN. */
INLINE int byte_are_normal(const struct byte_format *f, const struct byte_extent *x, int *special) {
    vec normal = x->least + vec_all8((uint8_t)(0x80 - (1 << f->frac)));
    *special = byte_any_special(byte_special_bits(x->most, f));
    return !*special & !vec_any(vec_test(~normal, vec_all(0x80808080)));
}

/* Replaces codes of infinities and NaN by those of floats. */
static vec_float byte_specials(vec_float x, const struct byte_format *f) {
    vec from = vec_all((f->special << (23 - f->frac)) + (112u << 23));
    return (vec_float)((vec)x | (~vec_ones(vec_less((vec)x & 0x7FFFFFFF, from)) & 0x7F800000));
}
