/* stream_scalar.h - operands of scalar instructions, from numbers alone; the same in C and CUDA.
 *
 * The sources of a lane are words: a register is one word, a register of 128 bits two, and each
 * register of a vector one. A word is a function of (seed, number, its index) and of its kind. Even
 * numbers cross special values: every special of word 0 meets every special of words 1 and 2. Odd
 * numbers are random: any bits, near one, subnormal, wide, cancelling; small, few bits, near word
 * 0. This is stream 1 of scalars. Recordings name it: a change here makes another stream.
 */
#ifndef WSIM_STREAM_SCALAR_H
#define WSIM_STREAM_SCALAR_H

#include "plan.h"

#define WSIM_SCALAR_STREAM 1

/* The kind of a word. */
struct wsim_scalar_word {
    uint8_t bits;     /* 1 (a predicate) to 64                                                   */
    uint8_t values;   /* numbers in the word, each bits / values wide                            */
    uint8_t exp_bits; /* of floating point; 0: integers, or bits without a meaning               */
    uint8_t frac_bits;
    uint8_t divides;  /* enum wsim_scalar_divisor                                                */
    uint8_t constant; /* 1: an immediate, `fixed`                                                */
    uint64_t fixed;
};

enum wsim_scalar_divisor {
    WSIM_DIVISOR_NONE,
    WSIM_DIVISOR_NONZERO, /* 7 stands in place of 0 */
    WSIM_DIVISOR_ZERO     /* always 0               */
};

enum { WSIM_SCALAR_SPECIALS = 72 };

WSIM_BOTH uint64_t wsim_scalar_mask(unsigned bits) {
    return bits < 64 ? (UINT64_C(1) << bits) - 1 : ~UINT64_C(0);
}

/* Magnitude `i`, 0 to 35, of a binary format: about its ends, about one, about what integers end
 * at. */
WSIM_BOTH uint64_t wsim_scalar_magnitude(unsigned e, unsigned f, unsigned i) {
    const uint64_t unit = UINT64_C(1) << f, infinity = wsim_scalar_mask(e) << f;
    const uint64_t bias = wsim_scalar_mask(e - 1), one = bias << f;
    uint64_t power = 0;
    switch (i) {
    case 0: return 0;
    case 1: return 1;
    case 2: return unit >> 1;
    case 3: return unit - 1;
    case 4: return unit;
    case 5: return unit + 1;
    case 6: return 2 * unit;
    case 7: return one;
    case 8: return one + 1;
    case 9: return one - 1;
    case 10: return one - unit;               /* 1/2 */
    case 11: return one + (unit >> 1);        /* 3/2 */
    case 12: return one + unit;               /* 2 */
    case 13: return one + unit + (unit >> 2); /* 5/2 */
    case 14: return one + unit + 1;
    case 15: return one - unit + 1;
    case 16: return one - unit - 1;
    case 17: return infinity - 1;
    case 18: return infinity - 2;
    case 19: return infinity - unit;
    case 20: return infinity;
    case 21: return infinity + 1;           /* a signalling NaN */
    case 22: return infinity + (unit >> 1); /* a quiet one */
    case 23: return infinity + unit - 1;
    case 24: return infinity + (unit >> 1) + 5;
    case 25: power = 7; break;
    case 26: power = 8; break;
    case 27: power = 15; break;
    case 28: power = 16; break;
    case 29: power = 31; break;
    case 30: power = 32; break;
    case 31: power = 63; break;
    case 32: power = 64; break;
    case 33: power = f; break;
    case 34: power = f + 1; break;
    default: return one - (UINT64_C(1) << (f / 2));
    }
    return power < bias ? one + (power << f) - (i & 1) : infinity - unit + (unit >> 1) + i;
}

/* Number `i`, 0 to 35, of integers. */
WSIM_BOTH uint64_t wsim_scalar_integer(unsigned i) {
    switch (i) {
    case 11: return 15;
    case 12: return 16;
    case 13: return 17;
    case 14: return 24;
    case 15: return 31;
    case 16: return 32;
    case 17: return 33;
    case 18: return 47;
    case 19: return 63;
    case 20: return 64;
    case 21: return 65;
    case 22: return 127;
    case 23: return 128;
    case 24: return 255;
    case 25: return 256;
    case 26: return 0x7fff;
    case 27: return 0x8000;
    case 28: return 0xffff;
    case 29: return 0x10000;
    case 30: return 0x7fffffff;
    case 31: return 0x80000000;
    case 32: return 0xffffffff;
    case 33: return UINT64_C(0x7fffffffffffffff);
    case 34: return UINT64_C(0x5555555555555555);
    case 35: return UINT64_C(0x0123456789abcdef);
    default: return i;
    }
}

/* Special value `i`, below WSIM_SCALAR_SPECIALS, of `bits` bits. */
WSIM_BOTH uint64_t wsim_scalar_special(const struct wsim_scalar_word *w, unsigned i) {
    const unsigned bits = w->bits / w->values;
    uint64_t value;
    if (w->exp_bits)
        value = wsim_scalar_magnitude(w->exp_bits, w->frac_bits, i >> 1) | (uint64_t)(i & 1)
                                                                               << (bits - 1);
    else
        value = i & 1 ? ~wsim_scalar_integer(i >> 1) : wsim_scalar_integer(i >> 1);
    return value & wsim_scalar_mask(bits);
}

/* A random number of a binary format; `near` is the value of word 0 in the same place. */
WSIM_BOTH uint64_t wsim_scalar_random_float(const struct wsim_scalar_word *w, unsigned kind,
                                            uint64_t r, uint64_t near) {
    const unsigned e = w->exp_bits, f = w->frac_bits;
    const uint64_t sign = UINT64_C(1) << (e + f), fraction = wsim_scalar_mask(f);
    const uint64_t bias = wsim_scalar_mask(e - 1);
    uint64_t exponent;
    if (kind == 1) /* within a factor of 16 of one */
        exponent = bias + (r >> 60) - 8;
    else if (kind == 2) /* subnormal, or little more */
        exponent = r >> 60 & 3 ? 0 : r >> 58 & 3;
    else if (kind == 3) { /* any exponent that is finite, few bits of a fraction */
        exponent = (r >> 48) % wsim_scalar_mask(e);
        return (r & sign) | exponent << f | (r & fraction & ~(fraction >> (r >> 40) % (f + 1)));
    } else if (kind == 4) /* cancels word 0, nearly */
        return (near ^ sign) + (r >> 61) - 3;
    else
        return r;
    return (r & (sign | fraction)) | (exponent & wsim_scalar_mask(e)) << f;
}

WSIM_BOTH uint64_t wsim_scalar_random_integer(unsigned kind, uint64_t r, uint64_t near) {
    switch (kind) {
    case 1: return r >> 56;                                        /* small                  */
    case 2: return ~(r >> 56);                                     /* and negative           */
    case 3: return (UINT64_C(1) << (r >> 58)) + (r >> 56 & 3) - 2; /* about a power of two   */
    case 4: return near + (r >> 61) - 3;                           /* about word 0           */
    default: return r;
    }
}

WSIM_BOTH uint64_t wsim_scalar_random(const struct wsim_scalar_word *w, uint64_t base,
                                      uint64_t number, unsigned which, uint64_t near) {
    const unsigned bits = w->bits / w->values, kind = (unsigned)(number >> 1) % 5;
    uint64_t word = 0;
    for (unsigned v = 0; v < w->values; v++) {
        const uint64_t r = wsim_stream_hash(base ^ which, number * 4 + v);
        const uint64_t there = near >> v * bits;
        word |= ((w->exp_bits ? wsim_scalar_random_float(w, kind, r, there)
                              : wsim_scalar_random_integer(kind, r, there)) &
                 wsim_scalar_mask(bits))
                << v * bits;
    }
    return word;
}

/* Values of a word beside each other are different specials. */
WSIM_BOTH uint64_t wsim_scalar_crossed(const struct wsim_scalar_word *w, uint64_t number,
                                       unsigned which) {
    uint64_t index = number >> 1, word = 0;
    for (unsigned i = 0; i < which; i++)
        index /= WSIM_SCALAR_SPECIALS;
    for (unsigned v = 0; v < w->values; v++) {
        const unsigned i =
            (unsigned)((index + v * (index / WSIM_SCALAR_SPECIALS + 29)) % WSIM_SCALAR_SPECIALS);
        word |= wsim_scalar_special(w, i) << v * (w->bits / w->values);
    }
    return word;
}

/* Word `which` of the sources of case `number`; `words` are what all are made of. */
WSIM_BOTH uint64_t wsim_scalar_draw(const struct wsim_scalar_word *words, unsigned which,
                                    uint64_t seed, uint64_t number) {
    const struct wsim_scalar_word *w = &words[which];
    const uint64_t base = wsim_stream_hash(seed, 0x5ca1a6) << 4;
    uint64_t word, near = 0;
    if (w->constant)
        return w->fixed;
    if (w->divides == WSIM_DIVISOR_ZERO)
        return 0;
    /* From the fourth word on specials are drawn: crossing them would take too many cases. */
    if (number & 1) {
        if (which && words[0].bits == w->bits && words[0].values == w->values)
            near = wsim_scalar_random(&words[0], base, number, 0, 0);
        word = wsim_scalar_random(w, base, number, which, near);
    } else if (which < 3)
        word = wsim_scalar_crossed(w, number, which);
    else
        word = wsim_scalar_crossed(w, wsim_stream_hash(base ^ which, number) >> 8, 0);
    word &= wsim_scalar_mask(w->bits);
    return w->divides && !word ? 7 : word;
}

/* The same for tests in which a number is the operand itself, so that every operand occurs once. A
 * word of 64 bits gets the number as its high word. Each value of a word goes through all of its
 * own numbers. */
WSIM_BOTH uint64_t wsim_scalar_count(const struct wsim_scalar_word *w, uint64_t number) {
    const unsigned bits = w->bits / w->values;
    uint64_t word = 0;
    if (w->bits == 64 && w->values == 1)
        return number << 32;
    for (unsigned v = 0; v < w->values; v++)
        word |= ((number * (1 + 2 * v) + 12345 * v) & wsim_scalar_mask(bits)) << v * bits;
    return word;
}

#endif
