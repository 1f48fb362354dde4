/* Integers: sums, products, quotients. Everything is computed in unsigned 64 bits, where it wraps;
 * operands are extended to that first as their type reads them. */
#include "scalar.h"

/* --- operands and results --- */

static uint64_t read(const struct scalar_meaning *meaning, uint64_t value) {
    const struct isa_scalar_type *type = scalar_type_at(meaning, 0);
    return scalar_extend(value, type->element_bits, type->letter);
}

static uint64_t write(const struct scalar_meaning *meaning, uint64_t value) {
    return scalar_low(value, scalar_type_at(meaning, 0)->element_bits);
}

static int is_negative(uint64_t value) {
    return value >> 63 != 0;
}

uint64_t scalar_saturate(uint64_t value, int is_signed, unsigned bits, char letter) {
    const uint64_t most = scalar_low(~UINT64_C(0), letter == 's' ? bits - 1 : bits);
    const uint64_t least = letter == 's' ? ~most : 0;
    if (is_signed && is_negative(value))
        return letter != 's' ? 0 : scalar_less(value, least, 's') ? least : value;
    return value > most ? most : value;
}

/* Both halves of the product of two unsigned 64-bit numbers. */
static void multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low) {
    const uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & UINT32_MAX);
    *low = a * b;
    *high = a1 * b1 + (middle >> 32) + (other >> 32);
}

/* The upper half of the product of two numbers of `bits`, already extended. */
static uint64_t upper_half(uint64_t a, uint64_t b, unsigned bits, char letter) {
    uint64_t high, low;
    if (bits < 64)
        return letter == 's' ? scalar_signed(a * b, 2 * bits) >> bits : a * b >> bits;
    multiply(a, b, &high, &low);
    if (letter == 's') /* a negative factor counts 2^64 too much as an unsigned one */
        high -= (is_negative(a) ? b : 0) + (is_negative(b) ? a : 0);
    return high;
}

static uint64_t product(const struct scalar_meaning *meaning, const uint64_t *in) {
    const struct isa_scalar_type *type = scalar_type_at(meaning, 0);
    const uint64_t a = read(meaning, in[0]), b = read(meaning, in[1]);
    return meaning->half == SCALAR_HI ? upper_half(a, b, type->bits, type->letter) : a * b;
}

/* a + b + carry of `bits`; *carry is the one that leaves. */
static uint64_t add_carry(uint64_t a, uint64_t b, unsigned bits, uint64_t *carry) {
    const uint64_t sum = scalar_low(scalar_low(a, bits) + scalar_low(b, bits), bits);
    const uint64_t all = scalar_low(sum + *carry, bits);
    *carry = sum < scalar_low(a, bits) || all < sum;
    return all;
}

/* --- sums --- */

/* f of each element of packed types. */
static uint64_t by_element(const struct scalar_meaning *meaning, const uint64_t *in,
                           uint64_t (*f)(const struct scalar_meaning *, uint64_t, uint64_t)) {
    const struct isa_scalar_type *type = scalar_type_at(meaning, 0);
    uint64_t out = 0;
    for (unsigned e = 0; e < type->elements; e++) {
        const unsigned at = e * type->element_bits;
        out |= write(meaning, f(meaning, read(meaning, in[0] >> at), read(meaning, in[1] >> at)))
               << at;
    }
    return out;
}

static uint64_t sum(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    return meaning->sat ? scalar_saturate(a + b, 1, 32, 's') : a + b;
}

static uint64_t difference(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    return meaning->sat ? scalar_saturate(a - b, 1, 32, 's') : a - b;
}

void scalar_add_int(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    uint64_t carry = meaning->carry_in ? in[2] & 1 : 0;
    if (!meaning->carry_in && !meaning->carry_out) {
        out[0] = by_element(meaning, in, sum);
        return;
    }
    out[0] = add_carry(in[0], in[1], scalar_type_at(meaning, 0)->bits, &carry);
    if (meaning->carry_out)
        out[1] = carry;
}

/* The carry of a - b is that of a + ~b + 1, so it is 1 if nothing is borrowed. addc after sub.cc
 * and subc after add.cc show it (H200, lab/kernels/edges). */
void scalar_sub_int(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    uint64_t carry = meaning->carry_in ? in[2] & 1 : 1;
    if (!meaning->carry_in && !meaning->carry_out) {
        out[0] = by_element(meaning, in, difference);
        return;
    }
    out[0] = add_carry(in[0], ~in[1], scalar_type_at(meaning, 0)->bits, &carry);
    if (meaning->carry_out)
        out[1] = carry;
}

void scalar_sad(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const uint64_t a = read(meaning, in[0]), b = read(meaning, in[1]);
    const int less = scalar_less(a, b, scalar_type_at(meaning, 0)->letter);
    out[0] = write(meaning, in[2] + (less ? b - a : a - b));
}

static uint64_t magnitude(uint64_t value) {
    return is_negative(value) ? 0 - value : value;
}

void scalar_abs_int(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = write(meaning, magnitude(read(meaning, in[0])));
}

void scalar_neg_int(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = write(meaning, 0 - in[0]);
}

static uint64_t no_less_than_zero(const struct scalar_meaning *meaning, uint64_t value) {
    return meaning->relu && is_negative(value) ? 0 : value;
}

static uint64_t smaller(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    const int less = scalar_less(a, b, scalar_type_at(meaning, 0)->letter);
    return no_less_than_zero(meaning, less ? a : b);
}

static uint64_t larger(const struct scalar_meaning *meaning, uint64_t a, uint64_t b) {
    const int less = scalar_less(a, b, scalar_type_at(meaning, 0)->letter);
    return no_less_than_zero(meaning, less ? b : a);
}

void scalar_min_int(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = by_element(meaning, in, smaller);
}

void scalar_max_int(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = by_element(meaning, in, larger);
}

/* --- products --- */

void scalar_mul_int(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const unsigned bits = scalar_type_at(meaning, 0)->bits;
    out[0] = scalar_low(product(meaning, in), meaning->half == SCALAR_WIDE ? 2 * bits : bits);
}

void scalar_mad_int(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const unsigned bits = scalar_type_at(meaning, 0)->bits;
    uint64_t carry = meaning->carry_in ? in[3] & 1 : 0;
    if (meaning->sat) {
        out[0] = scalar_low(
            scalar_saturate(scalar_signed(product(meaning, in), 32) + read(meaning, in[2]), 1, 32,
                            's'),
            32);
        return;
    }
    out[0] = add_carry(product(meaning, in), in[2], meaning->half == SCALAR_WIDE ? 2 * bits : bits,
                       &carry);
    if (meaning->carry_out)
        out[1] = carry;
}

/* The lower or the upper 32 of the 48 bits of the product. */
static uint64_t product24(const struct scalar_meaning *meaning, const uint64_t *in) {
    const char letter = scalar_type_at(meaning, 0)->letter;
    const uint64_t all = scalar_extend(in[0], 24, letter) * scalar_extend(in[1], 24, letter);
    return scalar_low(meaning->half == SCALAR_HI ? all >> 16 : all, 32);
}

void scalar_mul24(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = product24(meaning, in);
}

void scalar_mad24(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const uint64_t all = read(meaning, product24(meaning, in)) + read(meaning, in[2]);
    out[0] = scalar_low(meaning->sat ? scalar_saturate(all, 1, 32, 's') : all, 32);
}

/* Sum of c and the products of `count` elements; those of b begin at element `first`. */
static uint64_t dot(const struct scalar_meaning *meaning, const uint64_t *in, unsigned count,
                    unsigned a_bits, unsigned first) {
    const char a_letter = scalar_type_at(meaning, 0)->letter;
    const char b_letter = scalar_type_at(meaning, 1)->letter;
    uint64_t all = in[2];
    for (unsigned e = 0; e < count; e++)
        all += scalar_extend(in[0] >> e * a_bits, a_bits, a_letter) *
               scalar_extend(in[1] >> (first + e) * 8, 8, b_letter);
    return scalar_low(all, 32);
}

void scalar_dp4a(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = dot(meaning, in, 4, 8, 0);
}

void scalar_dp2a(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = dot(meaning, in, 2, 16, meaning->half == SCALAR_HI ? 2 : 0);
}

/* --- quotients --- */

/* Toward zero, of magnitudes. The least signed number divided by -1 is itself. Division by zero,
 * which the ISA leaves open, gives all ones, quotient and remainder alike (an H200). */
void scalar_div_int(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const uint64_t a = read(meaning, in[0]), b = read(meaning, in[1]);
    const int is_signed = scalar_type_at(meaning, 0)->letter == 's';
    uint64_t quotient;
    if (b == 0)
        quotient = ~UINT64_C(0);
    else if (!is_signed)
        quotient = a / b;
    else if (is_negative(a) != is_negative(b))
        quotient = 0 - magnitude(a) / magnitude(b);
    else
        quotient = magnitude(a) / magnitude(b);
    out[0] = write(meaning, quotient);
}

void scalar_rem_int(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const uint64_t a = read(meaning, in[0]), b = read(meaning, in[1]);
    const int is_signed = scalar_type_at(meaning, 0)->letter == 's';
    uint64_t rest;
    if (b == 0)
        rest = ~UINT64_C(0);
    else if (!is_signed)
        rest = a % b;
    else if (is_negative(a))
        rest = 0 - magnitude(a) % magnitude(b);
    else
        rest = a % magnitude(b);
    out[0] = write(meaning, rest);
}
