/* kernel_vec.h - vectors of VL lanes of 32 bits, for the classes of kernels. A kernel_PATH.c says
 * what VL is, and with VEC_AVX512 or VEC_AVX2 which intrinsics there are; without, all of it is
 * what gcc and clang call vectors, on any machine.
 *
 * The operators + - * & | ^ ~ << >> of C work on vectors, lane by lane; unsigned lanes wrap. Here
 * is what C has no operator for. Nothing here depends on the rounding mode, on the flushing of
 * subnormals or on -ffast-math, but where a comment says so.
 */
#ifndef WSIM_NUM_KERNEL_VEC_H
#define WSIM_NUM_KERNEL_VEC_H

#include <stdint.h>
#include <string.h>

#if defined(VEC_AVX512) || defined(VEC_AVX2)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline, unused))

typedef uint32_t vec __attribute__((vector_size(4 * VL)));
typedef int32_t vec_signed __attribute__((vector_size(4 * VL)));
typedef float vec_float __attribute__((vector_size(4 * VL)));
typedef uint16_t vec_half __attribute__((vector_size(4 * VL)));       /* two in each lane */
typedef int16_t vec_half_signed __attribute__((vector_size(4 * VL))); /* two in each lane */
typedef uint8_t vec_byte __attribute__((vector_size(4 * VL)));        /* four in each lane */
typedef int8_t vec_byte_signed __attribute__((vector_size(4 * VL)));

/* Vectors of a column of 16 rows. */
#define ROW_VECS (16 / VL)

/* Keeps a compiler from moving x, or what was stored, around: gcc reassociates sums of integers
 * and spills their terms, and forwards vector stores to loads of words as shuffles. */
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

INLINE vec_float vec_number(const float *from) {
    return *from - (vec_float){0};
}

INLINE vec vec_shift_signed(vec x, int by) {
    return (vec)((vec_signed)x >> by);
}

/* --- masks: lanes that are chosen --- */

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
INLINE int vec_any_negative(vec x) {
    return _mm512_movepi32_mask((__m512i)x) != 0;
}

#else

typedef vec vec_mask;

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

/* --- the larger and the smaller, signed --- */

#if defined(VEC_AVX512)
#define VEC_MAX(name, suffix)                                                                      \
    INLINE vec vec_max##name(vec a, vec b) {                                                       \
        return (vec)_mm512_max_epi##suffix((__m512i)a, (__m512i)b);                                \
    }                                                                                              \
    INLINE vec vec_min##name(vec a, vec b) {                                                       \
        return (vec)_mm512_min_epi##suffix((__m512i)a, (__m512i)b);                                \
    }
#elif defined(VEC_AVX2)
#define VEC_MAX(name, suffix)                                                                      \
    INLINE vec vec_max##name(vec a, vec b) {                                                       \
        return (vec)_mm256_max_epi##suffix((__m256i)a, (__m256i)b);                                \
    }                                                                                              \
    INLINE vec vec_min##name(vec a, vec b) {                                                       \
        return (vec)_mm256_min_epi##suffix((__m256i)a, (__m256i)b);                                \
    }
#endif
#if defined(VEC_MAX)
VEC_MAX(, 32)
VEC_MAX(16, 16)
VEC_MAX(8, 8)
#undef VEC_MAX
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
#undef VEC_MAX
#endif

INLINE vec vec_add16(vec a, vec b) {
    return (vec)((vec_half)a + (vec_half)b);
}
INLINE vec vec_sub16(vec a, vec b) {
    return (vec)((vec_half)a - (vec_half)b);
}
INLINE vec vec_add8(vec a, vec b) {
    return (vec)((vec_byte)a + (vec_byte)b);
}

/* --- floats and integers --- */

/* Toward zero, as C defines the conversion; |x| is below 2^31. */
INLINE vec vec_truncate(vec_float x) {
#if defined(VEC_AVX512)
    return (vec)_mm512_cvtt_roundps_epi32((__m512)x, _MM_FROUND_NO_EXC);
#elif defined(VEC_AVX2)
    return (vec)_mm256_cvttps_epi32((__m256)x);
#else
    return (vec) __builtin_convertvector(x, vec_signed);
#endif
}

/* A signed integer that a float holds exactly. */
INLINE vec_float vec_float_exact(vec x) {
#if defined(VEC_AVX512)
    return (vec_float)_mm512_cvt_roundepi32_ps((__m512i)x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#else
    return __builtin_convertvector((vec_signed)x, vec_float);
#endif
}

/* A signed integer to the 24 bits of a float, toward zero, in any rounding mode. Without a
 * conversion that names its rounding: that of the magnitude may have gone up; if it did, converting
 * back gives more than there was (2^31 comes back as the least integer, which the subtraction takes
 * for more too), and the float before it is one less as a word. */
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
    /* 2^31 cannot be converted back in C: there, and only there, the magnitude was rounded to it.
     */
    vec top = vec_equal(bits, vec_all(UINT32_C(0x4F000000)));
    vec back = vec_truncate((vec_float)(bits & ~top)) | (top & vec_all(UINT32_C(0x80000000)));
#endif
    bits += vec_shift_signed(magnitude - back, 31);
    return (vec_float)(bits | (negative & vec_all(UINT32_C(0x80000000))));
#endif
}

/* --- words to columns ---
 *
 * A fragment of 16 rows has, in lane 4 * g + t of the registers of rows g and g + 8, word t of that
 * row. One transpose of 4 x 4 words inside each 128 bits gives the four columns of words. Rows come
 * in an odd order, which is the same for A, C and D, so that nobody needs to know it; where it
 * matters (metadata, scale factors), rows are put in order by the same function. The transpose is
 * its own inverse. */

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

/* Words that rows have, `rows` in their own order, in the order of the columns above. */
INLINE vec vec_rows(const uint32_t *rows, unsigned r) {
    vec x;
    for (unsigned i = 0; i < VL; i++)
        x[i] = rows[VL * r + VL / 4 * (i % 4) + i / 4];
    return x;
}

/* And back. */
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
