/* vec.h - vectors of VL lanes of 32 bits, for the classes of kernels. A PATH.c defines VL, and
 * VEC_AVX512 or VEC_AVX2 if it has intrinsics. Without them, the functions use only the vector
 * extensions of gcc and clang, on any machine.
 *
 * The operators + - * & | ^ ~ << >> of C work on vectors, lane by lane; unsigned lanes wrap. This
 * file has the operations without an operator. None depends on the rounding mode, on the flushing
 * of subnormals or on -ffast-math, unless a comment says so.
 */
#ifndef WSIM_KERNELS_VEC_H
#define WSIM_KERNELS_VEC_H

#include <stdint.h>
#include <string.h>

#if defined(VEC_AVX512) || defined(VEC_AVX2)
#include <immintrin.h>
#endif

/* Intrinsics whose names differ in the width alone. */
#if defined(VEC_AVX512)
#define INTRINSIC(name) _mm512_##name
typedef __m512i host_int;
typedef __m512 host_float;
typedef __m512d host_double;
#elif defined(VEC_AVX2)
#define INTRINSIC(name) _mm256_##name
typedef __m256i host_int;
typedef __m256 host_float;
typedef __m256d host_double;
#endif

#define INLINE static inline __attribute__((always_inline, unused))

/* A function with a frame of its own. */
#define APART static __attribute__((noinline, unused))

typedef uint32_t vec __attribute__((vector_size(4 * VL)));
typedef int32_t vec_signed __attribute__((vector_size(4 * VL)));
typedef float vec_float __attribute__((vector_size(4 * VL)));
typedef uint16_t vec_half __attribute__((vector_size(4 * VL)));       /* two in each lane */
typedef int16_t vec_half_signed __attribute__((vector_size(4 * VL))); /* two in each lane */
typedef uint8_t vec_byte __attribute__((vector_size(4 * VL)));        /* four in each lane */
typedef int8_t vec_byte_signed __attribute__((vector_size(4 * VL)));

typedef uint64_t vec_long __attribute__((vector_size(4 * VL))); /* of two lanes */
typedef double vec_double __attribute__((vector_size(4 * VL)));

/* Vectors of a column of 16 rows. */
#define ROW_VECS (16 / VL)

/* Prevents the compiler from moving x or stores. gcc reassociates sums of integers and spills their
 * terms, and turns loads of words after vector stores into shuffles. */
#define KEEP(x) __asm__("" : "+v"(x))
#define KEEP_MEMORY(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")
#if !defined(VEC_AVX512) && !defined(VEC_AVX2)
#undef KEEP
#if defined(__x86_64__)
#define KEEP(x) __asm__("" : "+x"(x))
#elif defined(__aarch64__)
#define KEEP(x) __asm__("" : "+w"(x))
#else
#define KEEP(x) ((void)0)
#endif
#endif

/* Unrolls the loop that follows, so that arrays of vectors become registers. Where code is small,
 * only UNROLL_ALWAYS does. */
#define UNROLL_TEXT(text) _Pragma(#text)
#if defined(__clang__)
#define UNROLL_ALWAYS(times) UNROLL_TEXT(clang loop unroll_count(times))
#else
#define UNROLL_ALWAYS(times) UNROLL_TEXT(GCC unroll times)
#endif
#if defined(WSIM_KERNELS_SMALL)
#define UNROLL(times)
#else
#define UNROLL(times) UNROLL_ALWAYS(times)
#endif

INLINE vec vec_load(const void *from) {
    vec x;
    memcpy(&x, from, sizeof x);
    return x;
}

INLINE void vec_store(void *to, vec x) {
    memcpy(to, &x, sizeof x);
}

INLINE vec vec_all(uint32_t x) {
    return x - (vec){0};
}

INLINE vec vec_all16(uint16_t x) {
    return (vec)(x - (vec_half){0});
}

INLINE vec vec_all8(uint8_t x) {
    return (vec)(x - (vec_byte){0});
}

/* A word of memory in all lanes. */
INLINE vec vec_word(const void *from) {
    uint32_t x;
    memcpy(&x, from, sizeof x);
    return vec_all(x);
}

#if !defined(WSIM_INTEGER_KERNELS)
INLINE vec_float vec_number(const float *from) {
    return *from - (vec_float){0};
}
#endif

INLINE vec vec_shift_signed(vec x, int by) {
    return (vec)((vec_signed)x >> by);
}

/* The number of ones in each lane. */
INLINE vec vec_count_ones(vec x) {
#if defined(VEC_AVX512)
    return (vec)_mm512_popcnt_epi32((__m512i)x);
#else
    x = x - (x >> 1 & 0x55555555);
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0F0F0F0F;
    return (x * 0x01010101) >> 24;
#endif
}

/* --- shifts by the counts of another vector; counts are unsigned, and 32 or more leave 0, or the
 * sign --- */

#if defined(INTRINSIC)
INLINE vec vec_shift_left_each(vec x, vec by) {
    return (vec)INTRINSIC(sllv_epi32)((host_int)x, (host_int)by);
}
INLINE vec vec_shift_each(vec x, vec by) {
    return (vec)INTRINSIC(srlv_epi32)((host_int)x, (host_int)by);
}
INLINE vec vec_shift_signed_each(vec x, vec by) {
    return (vec)INTRINSIC(srav_epi32)((host_int)x, (host_int)by);
}
#else
INLINE vec vec_shift_left_each(vec x, vec by) {
    return (x << (by & 31)) & (vec)(by < 32);
}
INLINE vec vec_shift_each(vec x, vec by) {
    return (x >> (by & 31)) & (vec)(by < 32);
}
INLINE vec vec_shift_signed_each(vec x, vec by) {
    return (vec)((vec_signed)x >> (vec_signed)((by | (vec)(by > 31)) & 31));
}
#endif

/* Lanes 0, 2, 4 ... or, with `odd`, lanes 1, 3, 5 ... as 64 bits. A host of the other byte order
 * swaps even and odd, here and in vec_of_lanes. */
INLINE vec_long vec_lanes(vec x, unsigned odd) {
    return odd ? (vec_long)x >> 32 : (vec_long)x & UINT32_MAX;
}

INLINE vec vec_of_lanes(const vec_long of[2]) {
    return (vec)(of[0] | of[1] << 32);
}

/* --- masks select lanes --- */

#if defined(VEC_AVX512)

typedef __mmask16 vec_mask;

INLINE vec_mask vec_less(vec a, vec b) { /* signed */
    return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
}
INLINE vec_mask vec_equal(vec a, vec b) {
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}
INLINE vec_mask vec_test(vec a, vec b) { /* a & b is not 0 */
    return _mm512_test_epi32_mask((__m512i)a, (__m512i)b);
}
INLINE vec vec_choose(vec_mask mask, vec yes, vec no) {
    return (vec)_mm512_mask_blend_epi32(mask, (__m512i)no, (__m512i)yes);
}
INLINE int vec_any(vec_mask mask) {
    return mask != 0;
}
INLINE vec vec_ones(vec_mask mask) { /* all ones where it is set */
    return (vec)_mm512_movm_epi32(mask);
}
INLINE int vec_any_negative(vec x) {
    return _mm512_movepi32_mask((__m512i)x) != 0;
}

#else

typedef vec vec_mask;

INLINE vec vec_ones(vec_mask mask) {
    return mask;
}

INLINE vec_mask vec_less(vec a, vec b) { /* signed */
    return (vec)((vec_signed)a < (vec_signed)b);
}
INLINE vec_mask vec_equal(vec a, vec b) {
    return (vec)(a == b);
}
INLINE vec_mask vec_test(vec a, vec b) { /* a & b is not 0 */
    return (vec)((a & b) != 0);
}
#if defined(VEC_AVX2)
INLINE vec vec_choose(vec_mask mask, vec yes, vec no) {
    return (vec)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
}
INLINE int vec_any(vec_mask mask) {
    return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
}
INLINE int vec_any_negative(vec x) {
    return _mm256_movemask_ps((__m256)x) != 0;
}
#else
INLINE vec vec_choose(vec_mask mask, vec yes, vec no) {
    return (yes & mask) | (no & ~mask);
}
INLINE int vec_any(vec_mask mask) {
    uint32_t any = 0;
    for (unsigned i = 0; i < VL; i++)
        any |= mask[i];
    return any != 0;
}
INLINE int vec_any_negative(vec x) {
    return vec_any(vec_less(x, vec_all(0)));
}
#endif
#endif

/* --- the larger and the smaller: signed, and unsigned bytes --- */

#if defined(INTRINSIC)
#define VEC_MAX(name, suffix)                                                                      \
    INLINE vec vec_max##name(vec a, vec b) {                                                       \
        return (vec)INTRINSIC(max_##suffix)((host_int)a, (host_int)b);                             \
    }                                                                                              \
    INLINE vec vec_min##name(vec a, vec b) {                                                       \
        return (vec)INTRINSIC(min_##suffix)((host_int)a, (host_int)b);                             \
    }
VEC_MAX(, epi32)
VEC_MAX(16, epi16)
VEC_MAX(8, epi8)
VEC_MAX(_unsigned8, epu8)
#else
#define VEC_MAX(name, type)                                                                        \
    INLINE vec vec_max##name(vec a, vec b) {                                                       \
        vec more = (vec)((type)a > (type)b);                                                       \
        return (a & more) | (b & ~more);                                                           \
    }                                                                                              \
    INLINE vec vec_min##name(vec a, vec b) {                                                       \
        vec more = (vec)((type)a > (type)b);                                                       \
        return (b & more) | (a & ~more);                                                           \
    }
VEC_MAX(, vec_signed)
VEC_MAX(16, vec_half_signed)
VEC_MAX(8, vec_byte_signed)
VEC_MAX(_unsigned8, vec_byte)
#endif
#undef VEC_MAX

/* The larger of floats that are 0, positive and normal, or infinite. */
INLINE vec vec_max_float(vec a, vec b) {
#if defined(VEC_AVX512)
    /* Two ports execute this; the maximum of integers has one. */
    return (vec)_mm512_max_round_ps((__m512)a, (__m512)b, _MM_FROUND_NO_EXC);
#else
    return vec_max(a, b);
#endif
}

/* Copies byte `byte` of each lane, counted from the lowest, to all four bytes. */
INLINE vec vec_spread(vec x, unsigned byte) {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    vec from = vec_all(byte * 0x01010101);
    for (unsigned i = 0; i < VL; i++)
        from[i] += i % 4 * 0x04040404;
    return (vec)INTRINSIC(shuffle_epi8)((host_int)x, (host_int)from);
#else
    x = x >> 8 * byte & 0xFF;
    x |= x << 8;
    return x | x << 16;
#endif
}

INLINE vec vec_add16(vec a, vec b) {
    return (vec)((vec_half)a + (vec_half)b);
}
INLINE vec vec_sub16(vec a, vec b) {
    return (vec)((vec_half)a - (vec_half)b);
}
#if defined(VEC_AVX512) || defined(VEC_AVX2)
/* In each lane, the product of the low halves plus that of the high halves; all signed. */
INLINE vec vec_pairs_product(vec a, vec b) {
    return (vec)INTRINSIC(madd_epi16)((host_int)a, (host_int)b);
}
#endif
INLINE vec vec_right16_signed(vec x, unsigned by) {
#if defined(VEC_AVX512)
    return (vec)_mm512_srav_epi16((__m512i)x, _mm512_set1_epi16((short)by));
#elif defined(VEC_AVX2)
    return (vec)_mm256_sra_epi16((__m256i)x, _mm_cvtsi32_si128((int)by));
#else
    return (vec)((vec_half_signed)x >> (int)by);
#endif
}
INLINE vec vec_add8(vec a, vec b) {
    return (vec)((vec_byte)a + (vec_byte)b);
}
INLINE vec vec_sub8(vec a, vec b) {
    return (vec)((vec_byte)a - (vec_byte)b);
}
/* All ones in bytes of x that are at least `least`. Bytes are below 128; `least` is 1 to 128. */
INLINE vec vec_not_less8(vec x, uint8_t least) {
    return (vec)((vec_byte_signed)x > (vec_byte_signed)vec_all8((uint8_t)(least - 1)));
}

/* --- floats and integers --- */

/* Truncates toward zero, as C defines the conversion; |x| is below 2^31. */
INLINE vec vec_truncate(vec_float x) {
#if defined(VEC_AVX512)
    return (vec)_mm512_cvtt_roundps_epi32((__m512)x, _MM_FROUND_NO_EXC);
#elif defined(VEC_AVX2)
    return (vec)_mm256_cvttps_epi32((__m256)x);
#else
    return (vec) __builtin_convertvector(x, vec_signed);
#endif
}

/* x, or 0 where its exponent field, `field`, is 0. Without AVX-512 also 0 where x is infinite or
 * NaN. */
INLINE vec vec_finite(vec x, vec field) {
#if defined(VEC_AVX512)
    return (vec)_mm512_maskz_mov_epi32(_mm512_test_epi32_mask((__m512i)field, (__m512i)field),
                                       (__m512i)x);
#else
    return x & (vec)vec_less(vec_all(0), field) & (vec)vec_less(field, vec_all(0x7F800000));
#endif
}

/* Converts a signed integer that a float holds exactly. */
INLINE vec_float vec_float_exact(vec x) {
#if defined(VEC_AVX512)
    return (vec_float)_mm512_cvt_roundepi32_ps((__m512i)x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#else
    return __builtin_convertvector((vec_signed)x, vec_float);
#endif
}

/* Converts a signed integer to a float of 24 bits, truncated, in any rounding mode. A conversion
 * that does not name its rounding may have rounded the magnitude up. Then converting back gives a
 * larger integer, and the float before it is one less as a word. (2^31 comes back as the least
 * integer, which the subtraction also sees as larger.) */
INLINE vec_float vec_float_toward_zero(vec x) {
#if defined(VEC_AVX512)
    return vec_float_exact(x);
#else
    vec negative = vec_shift_signed(x, 31), magnitude = (x ^ negative) - negative;
    vec_float y = vec_float_exact(magnitude);
    vec bits = (vec)y;
#if defined(VEC_AVX2)
    vec back = vec_truncate(y);
#else
    /* C does not define the conversion of 2^31, which only a rounded magnitude reaches. */
    vec top = vec_equal(bits, vec_all(UINT32_C(0x4F000000)));
    vec back = vec_truncate((vec_float)(bits & ~top)) | (top & vec_all(UINT32_C(0x80000000)));
#endif
    bits += vec_shift_signed(magnitude - back, 31);
    return (vec_float)(bits | (negative & vec_all(UINT32_C(0x80000000))));
#endif
}

#if defined(VEC_AVX512)
/* x * 2^by: exact, or infinite if it is too large. x is 0 or has a magnitude from 1 to 2^31; `by`
 * is a whole number of at least -126. */
INLINE vec vec_scale(vec_float x, vec_float by) {
    return (vec)_mm512_scalef_round_ps((__m512)x, (__m512)by,
                                       _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
#endif

/* --- moving bytes --- */

#if defined(VEC_AVX512) || defined(VEC_AVX2)
#define VEC_SHUFFLE8

/* 16 bytes, the lowest first, for vec_shuffle8. */
INLINE vec vec_table(uint64_t low, uint64_t high) {
    __m128i x = _mm_set_epi64x((long long)high, (long long)low);
#if defined(VEC_AVX512)
    return (vec)_mm512_broadcast_i32x4(x);
#else
    return (vec)_mm256_broadcastsi128_si256(x);
#endif
}

/* Each byte is entry index % 16 of the table, or 0 if the highest bit of the index is set. */
INLINE vec vec_shuffle8(vec table, vec index) {
    return (vec)INTRINSIC(shuffle_epi8)((host_int)table, (host_int)index);
}

/* a + b, saturated at 255. */
INLINE vec vec_add8_most(vec a, vec b) {
    return (vec)INTRINSIC(adds_epu8)((host_int)a, (host_int)b);
}

/* Moves bytes of all lanes to the upper bytes of 16 bits. y[0] has byte 0 of each lane, then byte 1
 * of each; y[1] has bytes 2 and 3. */
INLINE void vec_spread8(vec x, vec y[2]) {
#if defined(VEC_AVX512)
    const __mmask64 upper = UINT64_C(0xAAAAAAAAAAAAAAAA);
    /* Byte 2 * i + 1 is byte 4 * i of x for i < 16, and byte 4 * (i - 16) + 1 for the others. */
    const __m512i from =
        _mm512_set_epi32(0x3D003900, 0x35003100, 0x2D002900, 0x25002100, 0x1D001900, 0x15001100,
                         0x0D000900, 0x05000100, 0x3C003800, 0x34003000, 0x2C002800, 0x24002000,
                         0x1C001800, 0x14001000, 0x0C000800, 0x04000000);
    const __m512i two = _mm512_set1_epi16(0x0200);
    y[0] = (vec)_mm512_maskz_permutexvar_epi8(upper, from, (__m512i)x);
    y[1] = (vec)_mm512_maskz_permutexvar_epi8(upper, _mm512_add_epi8(from, two), (__m512i)x);
#else
    const __m256i bytes = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    const __m256i words = _mm256_setr_epi32(0, 4, 2, 6, 1, 5, 3, 7);
    __m256i z = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8((__m256i)x, bytes), words);
    y[0] = (vec)_mm256_unpacklo_epi8(_mm256_setzero_si256(), z);
    y[1] = (vec)_mm256_unpackhi_epi8(_mm256_setzero_si256(), z);
#endif
}

/* f16 as f32: the lower half of the vector, and the upper half. */
INLINE void vec_halves(vec x, vec_float y[2]) {
#if defined(VEC_AVX512)
    __m256i high = _mm512_extracti64x4_epi64((__m512i)x, 1);
    y[0] = (vec_float)_mm512_cvt_roundph_ps(_mm512_castsi512_si256((__m512i)x), _MM_FROUND_NO_EXC);
    y[1] = (vec_float)_mm512_cvt_roundph_ps(high, _MM_FROUND_NO_EXC);
#else
    y[0] = (vec_float)_mm256_cvtph_ps(_mm256_castsi256_si128((__m256i)x));
    y[1] = (vec_float)_mm256_cvtph_ps(_mm256_extracti128_si256((__m256i)x, 1));
#endif
}
#endif

/* --- f16 and f32, to nearest --- */

/* The f16 in the lower half of each lane as f32: exact. A subnormal gets the least exponent and so
 * a leading one, which is subtracted; the f32 is normal. */
INLINE vec vec_from_half(vec x) {
#if defined(VEC_AVX512)
    return (vec)_mm512_cvt_roundph_ps(_mm512_cvtepi32_epi16((__m512i)x), _MM_FROUND_NO_EXC);
#elif defined(VEC_AVX2)
    __m256i halves = _mm256_packus_epi32((__m256i)(x & 0xFFFF), (__m256i)(x & 0xFFFF));
    return (vec)_mm256_cvtph_ps(_mm256_castsi256_si128(_mm256_permute4x64_epi64(halves, 8)));
#else
    vec mag = (x & 0x7FFF) << 13, sub = vec_less(mag, vec_all(1 << 23));
    vec special = ~vec_less(mag, vec_all(31u << 23)) & 0x7F800000;
    vec_float y = (vec_float)(mag + vec_all(112u << 23) + (sub & (1 << 23))) -
                  (vec_float)(sub & vec_all(113u << 23));
    return ((vec)y & 0x7FFFFFFF) | special | (x & 0x8000) << 16;
#endif
}

/* f32 to f16 in the lower half of each lane. A NaN is 0x7FFFFFFF and becomes 0x7FFF. */
INLINE vec vec_to_half(vec x) {
#if defined(VEC_AVX512)
    return (vec)_mm512_cvtepu16_epi32(
        _mm512_cvt_roundps_ph((__m512)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#elif defined(VEC_AVX2)
    return (vec)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_NEAREST_INT));
#else
    vec mag = x & 0x7FFFFFFF, sub = vec_less(mag, vec_all(113u << 23));
    vec normal = ((mag + 0xFFF + (mag >> 13 & 1)) >> 13) - (112u << 10);
    vec sig = (mag & 0x7FFFFF) | 0x800000;
    /* A subnormal f16 is a multiple of 2^-24, so the significand drops n bits. */
    vec n = vec_min(vec_max(vec_all(126) - (mag >> 23), vec_all(1)), vec_all(31));
    vec small = vec_shift_each(
        sig + vec_shift_left_each(vec_all(1), n - 1) - 1 + (vec_shift_each(sig, n) & 1), n);
    vec y = vec_min(vec_choose(sub, small, normal), vec_all(0x7C00));
    return vec_choose(vec_less(vec_all(0x7F800000), mag), vec_all(0x7FFF), y) | (x >> 16 & 0x8000);
#endif
}

/* a + b to nearest, of finite floats. b is 0 or normal, and so large that no sum but 0 is
 * subnormal. Bits far below its last one matter only as a sticky bit. No sum is beyond the largest
 * number. Zeros are +0. */
INLINE vec vec_add_nearest(vec a, vec b) {
#if defined(VEC_AVX512)
    return (vec)_mm512_add_round_ps((__m512)a, (__m512)b,
                                    _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    vec swap = vec_ones(vec_less(a & 0x7FFFFFFF, b & 0x7FFFFFFF));
    vec x = (b & swap) | (a & ~swap), y = (a & swap) | (b & ~swap); /* |x| >= |y| */
    vec exp = vec_max(x >> 23 & 0xFF, vec_all(1)), field = y >> 23 & 0xFF;
    vec by = vec_min(exp - vec_max(field, vec_all(1)), vec_all(31));
    /* Three bits below the significands: two, and a sticky bit for all that was lost. */
    vec big = ((x & 0x7FFFFF) | (vec_ones(vec_less(vec_all(0), x >> 23 & 0xFF)) & 0x800000)) << 3;
    vec all = ((y & 0x7FFFFF) | (vec_ones(vec_less(vec_all(0), field)) & 0x800000)) << 3;
    vec small = vec_shift_each(all, by), minus = vec_shift_signed(x ^ y, 31);
    small |= ~vec_ones(vec_equal(vec_shift_left_each(small, by), all)) & 1;
    vec sum = big + ((small ^ minus) - minus);
    /* Truncate, then add one unit of the last place if the rest is more than half a unit. A rest of
     * exactly half rounds to even. A sum below 2^24 has no rest. */
    vec z = (vec)vec_float_toward_zero(sum), down = vec_truncate((vec_float)z);
    vec rest = 2 * (sum - down), unit = vec_truncate((vec_float)(z + 1)) - down;
    vec up = vec_ones(vec_less(vec_all(0), rest)) & ~vec_ones(vec_less(rest + (z & 1), unit + 1));
    vec some = vec_ones(vec_less(vec_all(0), sum));
    z += (up & 1) + ((exp - 153) << 23);
    return (z & some) | (x & some & vec_all(0x80000000));
#endif
}

/* --- words to columns ---
 *
 * In a fragment of 16 rows, lane 4 * g + t of the registers of rows g and g + 8 has word t of that
 * row. One transpose of 4 x 4 words inside each 128 bits gives the four columns of words. It
 * permutes the rows of A, C and D in the same way, so the order does not matter. Where it does
 * (metadata, scale factors), vec_rows() applies the same order. The transpose is its own inverse.
 */

INLINE void vec_transpose(vec z[4]) {
#if defined(VEC_AVX512)
    __m512i a = _mm512_unpacklo_epi32((__m512i)z[0], (__m512i)z[1]);
    __m512i b = _mm512_unpackhi_epi32((__m512i)z[0], (__m512i)z[1]);
    __m512i c = _mm512_unpacklo_epi32((__m512i)z[2], (__m512i)z[3]);
    __m512i d = _mm512_unpackhi_epi32((__m512i)z[2], (__m512i)z[3]);
    z[0] = (vec)_mm512_unpacklo_epi64(a, c);
    z[1] = (vec)_mm512_unpackhi_epi64(a, c);
    z[2] = (vec)_mm512_unpacklo_epi64(b, d);
    z[3] = (vec)_mm512_unpackhi_epi64(b, d);
#elif VL == 8
    vec a = __builtin_shufflevector(z[0], z[1], 0, 8, 1, 9, 4, 12, 5, 13);
    vec b = __builtin_shufflevector(z[0], z[1], 2, 10, 3, 11, 6, 14, 7, 15);
    vec c = __builtin_shufflevector(z[2], z[3], 0, 8, 1, 9, 4, 12, 5, 13);
    vec d = __builtin_shufflevector(z[2], z[3], 2, 10, 3, 11, 6, 14, 7, 15);
    z[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    z[1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    z[2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    z[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
#else
    vec a = __builtin_shufflevector(z[0], z[1], 0, 4, 1, 5);
    vec b = __builtin_shufflevector(z[0], z[1], 2, 6, 3, 7);
    vec c = __builtin_shufflevector(z[2], z[3], 0, 4, 1, 5);
    vec d = __builtin_shufflevector(z[2], z[3], 2, 6, 3, 7);
    z[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    z[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    z[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    z[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
#endif
}

/* The four columns of words of the registers `low` (rows 0 to 7) and `high` (8 to 15). */
INLINE void vec_columns(vec z[4][ROW_VECS], const uint32_t *low, const uint32_t *high) {
    for (unsigned r = 0; r < ROW_VECS; r++) {
        vec x[4];
        for (unsigned i = 0; i < 4; i++) {
            unsigned at = (4 * r + i) * VL;
            x[i] = vec_load(at < 32 ? low + at : high + (at - 32));
        }
        vec_transpose(x);
        for (unsigned i = 0; i < 4; i++)
            z[i][r] = x[i];
    }
}

/* Loads one word for each row. `rows` is in natural order, the result in that of the columns above.
 */
INLINE vec vec_rows(const uint32_t *rows, unsigned r) {
    vec x = vec_load(rows + VL * r);
#if VL == 16
    return __builtin_shufflevector(x, x, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
#elif VL == 8
    return __builtin_shufflevector(x, x, 0, 2, 4, 6, 1, 3, 5, 7);
#else
    return x;
#endif
}

/* The inverse of vec_columns(). */
INLINE void vec_registers(const vec z[4][ROW_VECS], uint32_t *low, uint32_t *high) {
    for (unsigned r = 0; r < ROW_VECS; r++) {
        vec x[4];
        for (unsigned i = 0; i < 4; i++)
            x[i] = z[i][r];
        vec_transpose(x);
        for (unsigned i = 0; i < 4; i++) {
            unsigned at = (4 * r + i) * VL;
            vec_store(at < 32 ? low + at : high + (at - 32), x[i]);
        }
    }
}

#endif
