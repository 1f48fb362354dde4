/* scalar.h - what a scalar instruction does to the registers of one lane. The meaning of every row
 * that only computes, and the judge of whatever executes it faster. */
#ifndef WSIM_LANE_SCALAR_H
#define WSIM_LANE_SCALAR_H

#include "../isa/scalar.h"

/* `in` and `out` as wsim_scalar_run has them. */
typedef void scalar_function(const struct scalar_meaning *meaning, const uint64_t *in,
                             uint64_t *out);

/* Which of the sources of a video instruction says what parts of registers it has. */
#define SCALAR_PARTS_AT 3

/* The function that executes a method; NULL: it does not only compute. */
scalar_function *scalar_find(enum scalar_method method);

/* --- the functions of methods, by subject --- */

scalar_function scalar_add_int, scalar_sub_int, scalar_mul_int, scalar_mad_int; /* integer.c */
scalar_function scalar_mul24, scalar_mad24, scalar_sad, scalar_div_int, scalar_rem_int;
scalar_function scalar_abs_int, scalar_neg_int, scalar_min_int, scalar_max_int;
scalar_function scalar_dp4a, scalar_dp2a;

scalar_function scalar_move, scalar_and, scalar_or, scalar_xor, scalar_not,
    scalar_cnot; /* bits.c */
scalar_function scalar_lop3, scalar_shl, scalar_shr, scalar_shf, scalar_prmt;
scalar_function scalar_bfe, scalar_bfi, scalar_bfind, scalar_bmsk, scalar_szext, scalar_fns;
scalar_function scalar_popc, scalar_clz, scalar_brev;

scalar_function scalar_setp, scalar_set, scalar_selp, scalar_slct; /* choose.c */
scalar_function scalar_testp, scalar_copysign;

scalar_function scalar_cvt, scalar_cvt_pack; /* convert.c */

scalar_function scalar_add_float, scalar_sub_float, scalar_mul_float, scalar_fma; /* float.c */
scalar_function scalar_div_float, scalar_rcp, scalar_sqrt, scalar_rsqrt;
scalar_function scalar_scaled_mul;      /* an f32 product, and a product of it by a power of two */
scalar_function scalar_quotient_sum;    /* an approximate div_float, and a sum fused with it */
scalar_function scalar_scaled_quotient; /* an approximate div_float, and a product of it */
scalar_function scalar_ex2, scalar_lg2, scalar_sin, scalar_cos, scalar_tanh;
scalar_function scalar_abs_float, scalar_neg_float, scalar_min_float, scalar_max_float;
scalar_function scalar_min_sizes, scalar_max_sizes;

scalar_function scalar_video, scalar_vmad; /* video.c */

/* --- numbers in registers --- */

/* The type number `index` of an operation. */
static inline const struct isa_scalar_type *scalar_type_at(const struct scalar_meaning *meaning,
                                                           unsigned index) {
    return &isa_scalar_types[meaning->type[index]];
}

/* The lowest `bits` of a register, 1 to 64. */
static inline uint64_t scalar_low(uint64_t value, unsigned bits) {
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

/* The same, read in two's complement and as wide as 64 bits. */
static inline uint64_t scalar_signed(uint64_t value, unsigned bits) {
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    return (scalar_low(value, bits) ^ sign) - sign;
}

/* The lowest `bits` as a type of letter `letter` reads them. */
static inline uint64_t scalar_extend(uint64_t value, unsigned bits, char letter) {
    return letter == 's' ? scalar_signed(value, bits) : scalar_low(value, bits);
}

/* A two's complement number shifted to the right, by less than 64. */
static inline uint64_t scalar_shift_right(uint64_t value, unsigned by) {
    return value >> by | (value >> 63 && by ? ~UINT64_C(0) << (64 - by) : 0);
}

/* Two's complement numbers compared without leaving unsigned arithmetic. */
static inline int scalar_less(uint64_t a, uint64_t b, char letter) {
    const uint64_t sign = letter == 's' ? UINT64_C(1) << 63 : 0;
    return (a ^ sign) < (b ^ sign);
}

/* `value`, a number of 64 bits, into what `bits` of type `letter` hold; is_signed: how it is read.
 */
uint64_t scalar_saturate(uint64_t value, int is_signed, unsigned bits, char letter);

#endif
