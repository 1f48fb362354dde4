/* Video instructions: parts of registers as numbers, one of them, or two or four at once. */
#include "scalar.h"

/* Operands with a part: each of d, a and b has a byte of the last source. */
enum { PART_D, PART_A, PART_B };
enum { WHOLE, BYTE_0, BYTE_3 = 4, HALF_0, HALF_1 };
#define NEGATED_A 24 /* bits of the last source: operands of vmad with a minus */
#define NEGATED_B 25
#define NEGATED_C 26

static unsigned part_of(const uint64_t *in, unsigned operand) {
    return in[SCALAR_PARTS_AT] >> 8 * operand & 0xFF;
}

static unsigned part_bits(unsigned part) {
    return part == WHOLE ? 32 : part <= BYTE_3 ? 8 : 16;
}

static unsigned part_at(unsigned part) {
    return part == WHOLE ? 0 : part <= BYTE_3 ? 8 * (part - BYTE_0) : 16 * (part - HALF_0);
}

/* --- one or two numbers in, one out; all as wide as 64 bits --- */

typedef uint64_t video_function(const struct scalar_meaning *meaning, uint64_t a, uint64_t b);

static uint64_t sum(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    (void)meaning;
    return a + b;
}

static uint64_t difference(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    (void)meaning;
    return a - b;
}

static uint64_t distance(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    (void)meaning;
    return scalar_less(a, b, 's') ? b - a : a - b;
}

/* Half of the sum, rounded away from zero at a tie. */
static uint64_t average(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    const uint64_t all = a + b, up = !scalar_less(all, 0, 's');
    (void)meaning;
    return scalar_shift_right(all + up, 1);
}

static uint64_t smaller(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    (void)meaning;
    return scalar_less(a, b, 's') ? a : b;
}

static uint64_t larger(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    (void)meaning;
    return scalar_less(a, b, 's') ? b : a;
}

static uint64_t compared(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    const int less = scalar_less(a, b, 's');
    switch (meaning->compare) {
    case SCALAR_EQ: return a == b;
    case SCALAR_NE: return a != b;
    case SCALAR_LT: return less;
    case SCALAR_LE: return less || a == b;
    case SCALAR_GT: return !less && a != b;
    default: return !less;
    }
}

static uint64_t shift_count(const struct scalar_meaning *meaning, uint64_t b) {
    const uint64_t asked = scalar_low(b, 32);
    return meaning->shift == SCALAR_WRAP ? asked % 32 : asked > 32 ? 32 : asked;
}

static uint64_t shifted_left(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    return a << shift_count(meaning, b);
}

static uint64_t shifted_right(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    return scalar_shift_right(a, (unsigned)shift_count(meaning, b));
}

/* --- operations on the result --- */

static uint64_t saturated(const struct scalar_meaning *meaning, char letter, unsigned bits,
                          uint64_t value) {
    if (!meaning->sat)
        return value;
    if (letter == 'u' && bits == 32 && !meaning->parts) /* an H200 truncates larger values */
        return value >> 63 ? 0 : scalar_low(value, 32);
    return scalar_saturate(value, 1, bits, letter);
}

/* A second operation with c, or the result in a part of c, or as it is. */
static uint64_t finished(const struct scalar_meaning *meaning, char letter, const uint64_t *in,
                         uint64_t value) {
    const unsigned part = part_of(in, PART_D), bits = part_bits(part), at = part_at(part);
    const uint64_t c = scalar_extend(in[2], 32, letter), mask = scalar_low(~UINT64_C(0), bits)
                                                                << at;
    if (meaning->operation == SCALAR_ADD)
        return scalar_low(value + c, 32);
    return scalar_low((value << at & mask) | (part ? in[2] & ~mask : 0), 32);
}

static uint64_t read_part(uint64_t value, unsigned part, char letter) {
    return scalar_extend(value >> part_at(part), part_bits(part), letter);
}

/* Types of d, a and b; vset has none for d, which is unsigned. */
struct letters {
    char d, a, b;
};

static struct letters letters_of(const struct scalar_meaning *meaning) {
    struct letters letters = {'u', 'u', 'u'};
    const unsigned first = meaning->types > 2;
    if (first)
        letters.d = scalar_type_at(meaning, 0)->letter;
    letters.a = scalar_type_at(meaning, first)->letter;
    letters.b = scalar_type_at(meaning, first + 1)->letter;
    return letters;
}

static uint64_t run_one(const struct scalar_meaning *meaning, const uint64_t *in,
                        video_function *f) {
    const struct letters letters = letters_of(meaning);
    const uint64_t a = read_part(in[0], part_of(in, PART_A), letters.a);
    const uint64_t b = read_part(in[1], part_of(in, PART_B), letters.b);
    const uint64_t value =
        saturated(meaning, letters.d, part_bits(part_of(in, PART_D)), f(meaning, a, b));
    return finished(meaning, letters.d, in, value);
}

static uint64_t run_parts(const struct scalar_meaning *meaning, const uint64_t *in,
                          video_function *f) {
    const struct letters letters = letters_of(meaning);
    const unsigned bits = 32 / meaning->parts;
    uint64_t all = meaning->operation == SCALAR_ADD ? in[2] : 0;
    for (unsigned i = 0; i < meaning->parts; i++) {
        const uint64_t a = scalar_extend(in[0] >> i * bits, bits, letters.a);
        const uint64_t b = scalar_extend(in[1] >> i * bits, bits, letters.b);
        const uint64_t value = saturated(meaning, letters.d, bits, f(meaning, a, b));
        all = meaning->operation == SCALAR_ADD ? all + value
                                               : all | scalar_low(value, bits) << i * bits;
    }
    return scalar_low(all, 32);
}

/* The function of a method on each pair of parts. */
static video_function *const functions[SCALAR_METHODS] = {
    [SCALAR_METHOD_VADD] = sum,           [SCALAR_METHOD_VSUB] = difference,
    [SCALAR_METHOD_VABSDIFF] = distance,  [SCALAR_METHOD_VAVRG] = average,
    [SCALAR_METHOD_VMIN] = smaller,       [SCALAR_METHOD_VMAX] = larger,
    [SCALAR_METHOD_VSET] = compared,      [SCALAR_METHOD_VSHL] = shifted_left,
    [SCALAR_METHOD_VSHR] = shifted_right,
};

void scalar_video(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    video_function *const f = functions[meaning->method];
    out[0] = meaning->parts ? run_parts(meaning, in, f) : run_one(meaning, in, f);
}

/* a * b + c, signed if an operand is signed or negated, shifted to the right at the end. -(a * b)
 * and -c are the complement plus one; .po adds one. With 32-bit factors only the unsigned product
 * of the largest exceeds 64 bits, and it is less than 2^64 - 2^32 - 2^32. */
void scalar_vmad(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const struct letters letters = letters_of(meaning);
    const int negated_product = (int)((in[3] >> NEGATED_A ^ in[3] >> NEGATED_B) & 1);
    const int negated_c = in[3] >> NEGATED_C & 1;
    const int is_signed = letters.a == 's' || letters.b == 's' || negated_product || negated_c;
    const uint64_t a = read_part(in[0], part_of(in, PART_A), letters.a);
    const uint64_t b = read_part(in[1], part_of(in, PART_B), letters.b);
    uint64_t c = scalar_extend(in[2], 32, is_signed ? 's' : 'u'), all = a * b;
    uint64_t one = meaning->plus_one;
    if (!meaning->plus_one && negated_product) {
        all = ~all;
        one = 1;
    } else if (!meaning->plus_one && negated_c) {
        c = ~c;
        one = 1;
    }
    all += c + one;
    all = is_signed ? scalar_shift_right(all, meaning->scale) : all >> meaning->scale;
    if (meaning->sat)
        all = scalar_saturate(all, is_signed, 32, is_signed ? 's' : 'u');
    out[0] = scalar_low(all, 32);
}
