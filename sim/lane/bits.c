/* Registers as bits: logic, shifts, fields, permutations, counts. */
#include "scalar.h"

static unsigned width(const struct scalar_meaning *meaning) {
    return scalar_type_at(meaning, 0)->bits;
}

/* --- moves and logic --- */

void scalar_move(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const unsigned bits = width(meaning);
    out[0] = scalar_low(in[0], bits);
    if (bits > 64)
        out[1] = in[1];
}

void scalar_and(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = scalar_low(in[0] & in[1], width(meaning));
}

void scalar_or(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = scalar_low(in[0] | in[1], width(meaning));
}

void scalar_xor(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = scalar_low(in[0] ^ in[1], width(meaning));
}

void scalar_not(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = scalar_low(~in[0], width(meaning));
}

void scalar_cnot(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = scalar_low(in[0], width(meaning)) == 0;
}

/* Bit 4a + 2b + c of the table e is the result. lop3.and, lop3.or: whether any bit of it is set,
 * together with q. */
void scalar_lop3(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    uint64_t all = 0;
    for (unsigned i = 0; i < 8; i++)
        if (in[3] >> i & 1)
            all |= (i & 4 ? in[0] : ~in[0]) & (i & 2 ? in[1] : ~in[1]) & (i & 1 ? in[2] : ~in[2]);
    out[0] = scalar_low(all, 32);
    if (meaning->operation == SCALAR_AND)
        out[1] = out[0] != 0 && in[4] & 1;
    else if (meaning->operation == SCALAR_OR)
        out[1] = out[0] != 0 || in[4] & 1;
}

/* --- shifts: by the width and more, nothing is left, or copies of the sign --- */

void scalar_shl(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const unsigned bits = width(meaning);
    const uint64_t by = scalar_low(in[1], 32);
    out[0] = by >= bits ? 0 : scalar_low(in[0] << by, bits);
}

void scalar_shr(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const struct isa_scalar_type *type = scalar_type_at(meaning, 0);
    const uint64_t value = scalar_extend(in[0], type->bits, type->letter);
    const uint64_t by = scalar_low(in[1], 32);
    if (type->letter == 's')
        out[0] = scalar_low(scalar_shift_right(value, by > 63 ? 63 : (unsigned)by), type->bits);
    else
        out[0] = by >= type->bits ? 0 : value >> by;
}

/* The upper word of b:a shifted to the left, or the lower one of it shifted to the right. */
void scalar_shf(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const uint64_t pair = scalar_low(in[1], 32) << 32 | scalar_low(in[0], 32);
    const uint64_t asked = scalar_low(in[2], 32);
    const unsigned by = meaning->shift == SCALAR_WRAP ? (unsigned)(asked % 32)
                        : asked > 32                  ? 32
                                                      : (unsigned)asked;
    out[0] = scalar_low(meaning->left ? pair << by >> 32 : pair >> by, 32);
}

/* --- bytes --- */

/* Selectors of the four bytes, the lowest in the lowest nibble, by mode and c % 4. */
static const uint16_t permutations[][4] = {
    [SCALAR_F4E] = {0x3210, 0x4321, 0x5432, 0x6543},
    [SCALAR_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
    [SCALAR_RC8] = {0x0000, 0x1111, 0x2222, 0x3333},
    [SCALAR_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
    [SCALAR_ECR] = {0x0000, 0x1110, 0x2210, 0x3210},
    [SCALAR_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
};

/* A selector picks one of the eight bytes of b:a; its highest bit asks for copies of that one's. */
void scalar_prmt(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const uint64_t bytes = scalar_low(in[1], 32) << 32 | scalar_low(in[0], 32);
    const unsigned selectors =
        meaning->permute ? permutations[meaning->permute][in[2] & 3] : (unsigned)(in[2] & 0xFFFF);
    out[0] = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned selector = selectors >> 4 * i & 15;
        const uint64_t byte = bytes >> (selector & 7) * 8 & 0xFF;
        const uint64_t copies = byte >> 7 ? 0xFF : 0;
        out[0] |= (selector & 8 ? copies : byte) << 8 * i;
    }
}

/* --- fields --- */

/* A position or a length. For 32-bit fields the lowest eight bits count, as the ISA says. For
 * 64-bit fields an H200 reads all bits and clamps values beyond the register to its end. */
static unsigned field_number(const struct scalar_meaning *meaning, uint64_t value) {
    const uint64_t all = scalar_low(value, 32);
    return width(meaning) == 32 ? all & 0xFF : all > 0xFF ? 0xFF : (unsigned)all;
}

/* A mask of `n` ones, at most 64. */
static uint64_t ones(uint64_t n) {
    return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

void scalar_bfe(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const struct isa_scalar_type *type = scalar_type_at(meaning, 0);
    const unsigned at = field_number(meaning, in[1]), length = field_number(meaning, in[2]);
    const unsigned last = type->bits - 1u;
    const uint64_t value = scalar_low(in[0], type->bits), field = at > last ? 0 : value >> at;
    const unsigned sign = at + length - 1 < last ? at + length - 1 : last;
    const unsigned kept = at > last ? 0 : last + 1 - at < length ? last + 1 - at : length;
    const int fill = type->letter == 's' && length && value >> sign & 1;
    out[0] = scalar_low((field & ones(kept)) | (fill ? ~ones(kept) : 0), type->bits);
}

void scalar_bfi(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const unsigned bits = width(meaning), at = field_number(meaning, in[2]);
    const unsigned length = field_number(meaning, in[3]);
    const uint64_t mask = at >= bits ? 0 : scalar_low(ones(length) << at, bits);
    out[0] = scalar_low((in[1] & ~mask) | (at >= bits ? 0 : in[0] << at & mask), bits);
}

/* The highest bit that is set: of a negative number, that is not. All ones: there is none. */
void scalar_bfind(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const struct isa_scalar_type *type = scalar_type_at(meaning, 0);
    uint64_t value = scalar_extend(in[0], type->bits, type->letter);
    uint32_t at = UINT32_MAX;
    if (type->letter == 's' && value >> 63)
        value = ~value;
    for (; value; value >>= 1)
        at++;
    out[0] = meaning->shiftamt && at != UINT32_MAX ? type->bits - 1u - at : at;
}

/* b ones from bit a on. */
void scalar_bmsk(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    uint64_t at = scalar_low(in[0], 32), length = scalar_low(in[1], 32);
    if (meaning->shift == SCALAR_WRAP) {
        at %= 32;
        length %= 32;
    }
    out[0] = at >= 32 ? 0 : scalar_low(ones(length) << at, 32);
}

/* The lowest b bits extended. */
void scalar_szext(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    uint64_t n = scalar_low(in[1], 32);
    const char letter = scalar_type_at(meaning, 0)->letter;
    if (meaning->shift == SCALAR_WRAP)
        n %= 32;
    if (n >= 32)
        out[0] = scalar_low(in[0], 32);
    else
        out[0] = n == 0 ? 0 : scalar_low(scalar_extend(in[0], (unsigned)n, letter), 32);
}

/* The position of the set bit number |c| of a, counted upward or downward from bit b. c = 0: b
 * itself, if it is set. All ones: no such bit. */
void scalar_fns(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const uint32_t mask = (uint32_t)in[0], base = (uint32_t)in[1], offset = (uint32_t)in[2];
    const int down = offset >> 31;
    uint32_t left = offset == 0 ? 1 : down ? 0 - offset : offset;
    (void)meaning;
    out[0] = offset == UINT32_C(1) << 31 ? 0 : UINT32_MAX; /* that far down: as an H200 has it */
    for (uint32_t at = base; at < 32 && left; at += down ? UINT32_MAX : 1) {
        if (mask >> at & 1 && --left == 0)
            out[0] = at;
        if (offset == 0)
            break;
    }
}

/* --- counts --- */

void scalar_popc(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = 0;
    for (uint64_t value = scalar_low(in[0], width(meaning)); value; value &= value - 1)
        out[0]++;
}

void scalar_clz(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    out[0] = width(meaning);
    for (uint64_t value = scalar_low(in[0], width(meaning)); value; value >>= 1)
        out[0]--;
}

void scalar_brev(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    const unsigned bits = width(meaning);
    out[0] = 0;
    for (unsigned i = 0; i < bits; i++)
        out[0] |= (in[0] >> i & 1) << (bits - 1 - i);
}
