/* kernel_byte_decode.h - registers of class byte as factors: codes, floats, what is special among
 * them, and what a tile's least and largest element are. Included by kernel_byte.h alone. */

/* A word of elements, each moved up, and nothing but them. */
INLINE vec byte_lift(vec w, const struct byte_format *f) {
    return f->lift | f->pad ? w << f->lift & vec_all8((uint8_t)(0xFF << f->pad)) : w;
}

#if defined(VEC_SHUFFLE8)
/* Where tables of a format have something for subnormals, by their fraction. An index of 128 or
 * more gives 0: that of what is 16 or more becomes one. */
INLINE vec byte_small_index(vec mag, const struct byte_format *f) {
    vec index = f->pad ? mag >> f->pad & vec_all8((uint8_t)(0x7F >> f->pad)) : mag;
    return vec_add8_most(index, vec_all8(0x70));
}
#endif

/* Codes of four elements: of those below `least`, `least`; where they are multiplied as f16, the
 * subnormal ones have the exponent of their highest bit. */
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
    /* Shifted down to the exponent of f16, copies of the sign fill the gap, and are cleared. */
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
        /* A subnormal gets the least exponent and with it a leading one, which is taken off. */
        vec_float y = (vec_float)(mag + vec_all(112u << 23) + (sub & (1 << 23))) -
                      (vec_float)(sub & vec_all(113u << 23));
        x[q] = (vec_float)(((vec)y & 0x7FFFFFFF) | (top & 0x80000000));
    }
#endif
}

/* Numbers that are neither subnormal nor zero nor special, times 2^(bias - 112). The upper half of
 * a float is a sign, the byte's other bits and zeros, with another bias. */
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

/* The highest bits of those bytes of a word that are infinities or NaN; other bits mean nothing. */
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

/* Whether all of these are normal numbers. *special: some are infinite or NaN. */
INLINE int byte_are_normal(const struct byte_format *f, const struct byte_extent *x, int *special) {
    vec normal = x->least + vec_all8((uint8_t)(0x80 - (1 << f->frac)));
    *special = byte_any_special(byte_special_bits(x->most, f));
    return !*special & !vec_any(vec_test(~normal, vec_all(0x80808080)));
}

/* Makes those infinities and NaN. */
static vec_float byte_specials(vec_float x, const struct byte_format *f) {
    vec from = vec_all((f->special << (23 - f->frac)) + (112u << 23));
    return (vec_float)((vec)x | (~vec_ones(vec_less((vec)x & 0x7FFFFFFF, from)) & 0x7F800000));
}

#include "kernel_byte_terms.h"
#if defined(BYTE_CHAINS)
#include "kernel_byte_chain.h"
#endif

/* Factors from number `at` of register i on. */
INLINE void byte_put(const struct byte *y, struct byte_words *b, unsigned i, unsigned at,
                     vec_float x, int normal, int special) {
    (void)special, (void)normal;
#if defined(BYTE_CHAINS)
    if (byte_chains(y->shape)) {
        byte_put_chain(y, b, i, at, x, normal, special);
        return;
    }
#endif
    (void)y;
    vec_store(b->of.narrow[i] + at, (vec)x);
}

INLINE void byte_decode_rows(struct byte *y, const uint32_t *const *a, int normal) {
    vec z[4][ROW_VECS];
    const struct byte_format f = y->in_a;
#if defined(BYTE_CHAINS)
    struct byte_signs signs = {vec_all(0), vec_all(0)};
    vec lifted[BYTE_WORDS];
    y->signs[0] = y->signs[1] = signs;
#endif
    for (unsigned i = 0; i < y->words; i++) {
        if (i % 4 == 0)
            vec_columns(z, a[i / 2], a[i / 2 + 1]);
        for (unsigned r = 0; r < ROW_VECS; r++) {
            vec w = byte_lift(z[i % 4][r], &f);
            vec_float value[4];
            y->code[i][r] = normal ? byte_normal_codes(w, &f) : byte_codes(w, &f);
            if (normal)
                byte_normal_values(w, &f, 112, value);
            else
                byte_values(w, &f, value);
            for (unsigned q = 0; q < 4; q++)
                y->a[4 * i + q][r] = value[q];
#if defined(BYTE_CHAINS)
            if (!byte_chains(y->shape))
                continue;
            if (y->shape.sparse)
                lifted[i] = w;
            else
                byte_add_row_signs(&signs, w);
#endif
        }
    }
#if defined(BYTE_CHAINS)
    if (!y->shape.sparse)
        y->signs[0] = byte_end_row_signs(&signs, y->words);
    else if (byte_chains(y->shape))
        byte_picked_signs(y, lifted, normal);
#endif
}

/* Most tiles have normal numbers alone. */
APART void byte_decode_a(struct byte *y, const uint32_t *const *a) {
    if (y->normal_a) {
        byte_decode_rows(y, a, 1);
        return;
    }
    byte_decode_rows(y, a, 0);
    for (unsigned i = 0; y->special && i < 4 * y->words; i++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            y->a[i][r] = byte_specials(y->a[i][r], &y->in_a);
}

/* Register `i` of B: its factors, and its codes, as a step wants them. */
INLINE void byte_decode_register(const struct byte *y, struct byte_columns *g, unsigned i,
                                 const uint32_t *b, int normal) {
    struct byte_words *to = i < 2 ? &g->b : g->more;
    const struct byte_format f = y->in_b;
    uint32_t codes[32];
    for (unsigned at = 0; at < 32; at += VL) {
        vec w = byte_lift(vec_load(b + at), &f), four[4];
        vec_float value[4];
        vec_store(codes + at, normal ? byte_normal_codes(w, &f) : byte_codes(w, &f));
        if (normal)
            byte_normal_values(w, &f, y->bias_b, value);
        else
            byte_values(w, &f, value);
        for (unsigned q = 0; q < 4; q++) {
            value[q] = g->special ? byte_specials(value[q], &f) : value[q];
            four[q] = (vec)(normal ? value[q] : value[q] * vec_number(&y->times));
        }
        if (y->shape.sparse)
            vec_transpose(four);
        for (unsigned q = 0; q < 4; q++)
            byte_put(y, to, i % 2, y->shape.sparse ? 4 * at + q * VL : 32 * q + at,
                     (vec_float)four[q], normal, g->special);
    }
    if (!y->shape.sparse)
        memcpy(to->code[i % 2], codes, sizeof codes);
    else
        pick_bytes_prepare(codes, 32, to->code[i % 2]);
    if (y->shape.sparse)
        pick_prepare(to->of.narrow[i % 2], 128);
}

static void byte_decode_b(const struct byte *y, struct byte_columns *g, const uint32_t *const *b) {
    unsigned regs = y->shape.sparse ? y->words / 2 : y->words / 4;
    g->special = y->special | y->special_b;
    if (y->normal_b)
        for (unsigned i = 0; i < regs; i++)
            byte_decode_register(y, g, i, b[i], 1);
    else
        for (unsigned i = 0; i < regs; i++)
            byte_decode_register(y, g, i, b[i], 0);
#if defined(BYTE_CHAINS)
    for (unsigned i = 0; i < regs && byte_chains(y->shape); i += 2)
        byte_signs_of_columns(y, i ? g->more : &g->b, b + i, regs - i < 2 ? 1 : 2, g->special);
#endif
    KEEP_MEMORY(g);
}
