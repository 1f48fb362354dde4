/* quick_float.h - what the expressions of quick.def use of floating-point numbers. A part of
 * quick_body.h. */

#if defined(QUICK_FLOATS)
INLINE float quick_float(uint32_t x) {
    float number;
    memcpy(&number, &x, sizeof number);
    return number;
}
INLINE uint32_t quick_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
INLINE uint32_t quick_sum(uint32_t x, uint32_t y) {
    return quick_bits(quick_float(x) + quick_float(y));
}
INLINE uint32_t quick_product(uint32_t x, uint32_t y) {
    return quick_bits(quick_float(x) * quick_float(y));
}
INLINE double quick_double(uint64_t x) {
    double number;
    memcpy(&number, &x, sizeof number);
    return number;
}
INLINE uint64_t quick_long_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
/* A number below 2^53 is a f64 without rounding, in whatever mode the host is. */
INLINE uint64_t quick_exact(uint64_t x) {
    return quick_long_bits((double)(int64_t)x);
}
/* |x| < 2^bits. */
INLINE int quick_is_below_64(uint64_t x, unsigned bits) {
    return (x & INT64_MAX) >> 52 < 1023 + bits;
}
/* To an integer, toward zero. A number that is too large is 0 here: its lane is odd. */
INLINE int32_t quick_to_s32(uint64_t x) {
    return (int32_t)quick_double(quick_is_below_64(x, 31) ? x : 0);
}
INLINE int64_t quick_to_s64(uint64_t x) {
    return (int64_t)quick_double(quick_is_below_64(x, 63) ? x : 0);
}
#if defined(QUICK_ROOTS)
/* One instruction, which takes as long as that for one. */
INLINE void quick_four_roots(const quick_word *from, uint32_t *to) {
    _mm_storeu_ps((float *)(void *)to,
                  _mm_sqrt_ps(_mm_loadu_ps((const float *)(const void *)from)));
}
INLINE uint64_t quick_root_64(uint64_t x) {
    const __m128d number = _mm_set_sd(quick_double(x));
    return quick_long_bits(_mm_cvtsd_f64(_mm_sqrt_sd(number, number)));
}
#endif
#if defined(QUICK_FMA)
INLINE uint64_t quick_fused_64(uint64_t x, uint64_t y, uint64_t z) {
    return quick_long_bits(__builtin_fma(quick_double(x), quick_double(y), quick_double(z)));
}
INLINE uint32_t quick_fused(uint32_t x, uint32_t y, uint32_t z) {
    return quick_bits(__builtin_fmaf(quick_float(x), quick_float(y), quick_float(z)));
}
#endif
INLINE uint32_t quick_canonical(uint32_t r) {
    const uint32_t nan = 0u - (uint32_t)quick_nan(r);
    return (r & ~nan) | (QUICK_NAN & nan);
}
INLINE uint32_t quick_scaled(uint32_t x, uint32_t y, uint32_t scale) {
    return quick_bits(
        (float)((double)quick_float(x) * (double)quick_float(y) * (double)quick_float(scale)));
}
/* Zero, infinite or NaN. */
INLINE int quick_is_end(uint32_t r) {
    return !(r & ~QUICK_SIGN) || (r & 0x7F800000u) == 0x7F800000u;
}
/* x * y + z toward minus infinity, where that is a number other than zero. In f64 the product is
 * exact, and `rest` is exactly what the sum lacks. The result is the nearest f32, or the one
 * below. */
INLINE uint32_t quick_fused_down(uint32_t x, uint32_t y, uint32_t z) {
    const double product = (double)quick_float(x) * (double)quick_float(y);
    const double summand = (double)quick_float(z);
    const double sum = product + summand, back = sum - product;
    const double rest = (product - (sum - back)) + (summand - back);
    const double near = (double)(float)sum;
    const uint32_t r = quick_bits((float)sum);
    const uint32_t above = 0u - (uint32_t)((near > sum) | ((near == sum) & (rest < 0)));
    return r + (above & (r >> 31 ? 1u : ALL));
}
INLINE uint32_t quick_is_least(uint32_t r) {
    return (r & ~QUICK_SIGN) == 0x00800000u;
}

/* Half a row, in vectors where the including file says how long these are. */
#if defined(QUICK_FMA)
#if defined(QUICK_VECTOR) && QUICK_VECTOR == 16
typedef __m512 quick_half;
INLINE quick_half quick_half_get(const uint8_t *from) {
    return _mm512_loadu_ps((const void *)from);
}
INLINE quick_half quick_half_of(uint32_t x) {
    return _mm512_set1_ps(quick_float(x));
}
INLINE quick_half quick_half_fma(quick_half x, quick_half y, quick_half z) {
    return _mm512_fmadd_ps(x, y, z);
}
INLINE void quick_half_put(uint8_t *to, quick_half sum) {
    _mm512_storeu_ps((void *)to, sum);
}
#elif defined(QUICK_VECTOR)
typedef struct {
    __m256 low, high;
} quick_half;
INLINE quick_half quick_half_get(const uint8_t *from) {
    return (quick_half){_mm256_loadu_ps((const float *)(const void *)from),
                        _mm256_loadu_ps((const float *)(const void *)(from + 32))};
}
INLINE quick_half quick_half_of(uint32_t x) {
    const __m256 all = _mm256_set1_ps(quick_float(x));
    return (quick_half){all, all};
}
INLINE quick_half quick_half_fma(quick_half x, quick_half y, quick_half z) {
    return (quick_half){_mm256_fmadd_ps(x.low, y.low, z.low),
                        _mm256_fmadd_ps(x.high, y.high, z.high)};
}
INLINE void quick_half_put(uint8_t *to, quick_half sum) {
    _mm256_storeu_ps((float *)(void *)to, sum.low);
    _mm256_storeu_ps((float *)(void *)(to + 32), sum.high);
}
#else
typedef struct {
    float x[RUN_LANES / 2];
} quick_half;
INLINE quick_half quick_half_get(const uint8_t *from) {
    quick_half half;
    memcpy(&half, from, sizeof half);
    return half;
}
INLINE quick_half quick_half_of(uint32_t x) {
    quick_half half;
    for (unsigned i = 0; i < RUN_LANES / 2; i++)
        half.x[i] = quick_float(x);
    return half;
}
INLINE quick_half quick_half_fma(quick_half x, quick_half y, quick_half z) {
    for (unsigned i = 0; i < RUN_LANES / 2; i++)
        z.x[i] = __builtin_fmaf(x.x[i], y.x[i], z.x[i]);
    return z;
}
INLINE void quick_half_put(uint8_t *to, quick_half sum) {
    memcpy(to, &sum, sizeof sum);
}
#endif
#endif
#endif

/* --- sums and products of f32, where one instruction classifies results --- */

#if defined(QUICK_FMA) && defined(QUICK_VECTOR) && QUICK_VECTOR == 16
/* A product of subnormal operands takes a hundred times as long as another one, but not in f64.
 * Subnormal results are such operands soon: after one of them a warp looks at its operands for a
 * while. */
#define QUICK_HAS_WIDE 1
enum { QUICK_IS_SUBNORMAL = 0x20, QUICK_IS_NAN = 0x81, QUICK_LOOKS = 64 };
enum quick_does { quick_does_add_f32, quick_does_sub_f32, quick_does_mul_f32, quick_does_fma_f32 };

/* In f64 a product is exact. A sum that is not becomes odd in its last bit, and is rounded once
 * more. That equals one rounding, as 53 >= 24 + 2. */
INLINE __m256 quick_eight_wide(__m256 x, __m256 y, __m256 z, int fused) {
    const __m512d product = _mm512_mul_pd(_mm512_cvtps_pd(x), _mm512_cvtps_pd(y));
    const __m512d summand = _mm512_cvtps_pd(z), sum = _mm512_add_pd(product, summand);
    const __m512d back = _mm512_sub_pd(sum, product);
    const __m512d rest = _mm512_add_pd(_mm512_sub_pd(product, _mm512_sub_pd(sum, back)),
                                       _mm512_sub_pd(summand, back));
    const __m512i bits = _mm512_castpd_si512(sum), one = _mm512_set1_epi64(1);
    const __mmask8 inexact = _mm512_mask_cmp_pd_mask(_mm512_testn_epi64_mask(bits, one), rest,
                                                     _mm512_setzero_pd(), _CMP_NEQ_OQ);
    const __m512i away = _mm512_xor_si512(bits, _mm512_castpd_si512(rest));
    const __m512i by = _mm512_or_si512(_mm512_srai_epi64(away, 63), one); /* 1 or -1 */
    if (!fused)
        return _mm512_cvtpd_ps(product);
    return _mm512_cvtpd_ps(_mm512_castsi512_pd(_mm512_mask_add_epi64(bits, inexact, bits, by)));
}
QUICK_OUTSIDE __m512 quick_half_wide(__m512 x, __m512 y, __m512 z, int fused) {
    const __m256 low = quick_eight_wide(_mm512_castps512_ps256(x), _mm512_castps512_ps256(y),
                                        _mm512_castps512_ps256(z), fused);
    const __m256 high = quick_eight_wide(_mm512_extractf32x8_ps(x, 1), _mm512_extractf32x8_ps(y, 1),
                                         _mm512_extractf32x8_ps(z, 1), fused);
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

/* Lanes that are not `on` are 0. */
QUICK_INSIDE __m512 quick_half_does(enum quick_does does, uint32_t on, __m512 x, __m512 y,
                                    __m512 z) {
    switch (does) {
    case quick_does_add_f32: return _mm512_maskz_add_ps((__mmask16)on, x, y);
    case quick_does_sub_f32: return _mm512_maskz_sub_ps((__mmask16)on, x, y);
    case quick_does_mul_f32: return _mm512_maskz_mul_ps((__mmask16)on, x, y);
    default: return _mm512_maskz_fmadd_ps((__mmask16)on, x, y, z);
    }
}
QUICK_INSIDE __m512 quick_half_from(const uint8_t *frame, const struct run_op *op,
                                    enum quick_does does, unsigned operand, unsigned half) {
    if (operand == 3 && does != quick_does_fma_f32)
        return _mm512_setzero_ps();
    return quick_half_get(frame + op->at[operand] + 64 * (size_t)half);
}
#define QUICK_CLASS(on, x, is) (unsigned)_mm512_mask_fpclass_ps_mask((__mmask16)(on), x, is)

/* A row of any numbers. */
QUICK_OUTSIDE void quick_wide_any(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                  struct run_warp *warp, enum quick_does does) {
    const int product = does >= quick_does_mul_f32;
    unsigned tiny = 0;
    for (unsigned h = 0; h < 2; h++) {
        uint8_t *to = frame + op->at[0] + 64 * (size_t)h;
        const uint32_t on = lanes >> 16 * h & 0xFFFF;
        const __m512 x = quick_half_from(frame, op, does, 1, h);
        const __m512 y = quick_half_from(frame, op, does, 2, h);
        const __m512 z = quick_half_from(frame, op, does, 3, h);
        const unsigned wide = QUICK_CLASS(on, x, QUICK_IS_SUBNORMAL) |
                              QUICK_CLASS(on, y, QUICK_IS_SUBNORMAL) |
                              QUICK_CLASS(on, z, QUICK_IS_SUBNORMAL);
        __m512 r;
        if (wide && product)
            r = quick_half_wide(x, y, z, does == quick_does_fma_f32);
        else
            r = quick_half_does(does, on, x, y, z);
        tiny |= wide | QUICK_CLASS(on, r, QUICK_IS_SUBNORMAL);
        r = _mm512_mask_mov_ps(r, (__mmask16)QUICK_CLASS(on, r, QUICK_IS_NAN),
                               quick_half_of(QUICK_NAN));
        quick_half_put(to, _mm512_mask_mov_ps(quick_half_get(to), (__mmask16)on, r));
    }
    if (tiny)
        warp->subnormal = QUICK_LOOKS;
    else if (warp->subnormal)
        warp->subnormal--;
}

QUICK_INSIDE enum run_next quick_wide(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                      struct run_warp *warp, enum quick_does does) {
    const int product = does >= quick_does_mul_f32;
    uint8_t *to = frame + op->at[0];
    const uint32_t on = lanes & 0xFFFF, on_high = lanes >> 16;
    __m512 low, high;
    if (product && warp->subnormal) {
        quick_wide_any(frame, op, lanes, warp, does);
        return RUN_ON;
    }
#define QUICK_OPERANDS(half)                                                                       \
    quick_half_from(frame, op, does, 1, half), quick_half_from(frame, op, does, 2, half),          \
        quick_half_from(frame, op, does, 3, half)
    low = quick_half_does(does, on, QUICK_OPERANDS(0));
    high = quick_half_does(does, on_high, QUICK_OPERANDS(1));
#undef QUICK_OPERANDS
    if (product
            ? !_kortestz_mask16_u8(_mm512_fpclass_ps_mask(low, QUICK_IS_SUBNORMAL | QUICK_IS_NAN),
                                   _mm512_fpclass_ps_mask(high, QUICK_IS_SUBNORMAL | QUICK_IS_NAN))
            : !_kortestz_mask16_u8(_mm512_fpclass_ps_mask(low, QUICK_IS_NAN),
                                   _mm512_fpclass_ps_mask(high, QUICK_IS_NAN))) {
        quick_wide_any(frame, op, lanes, warp, does);
        return RUN_ON;
    }
    if (lanes != ALL) {
        low = _mm512_mask_mov_ps(quick_half_get(to), (__mmask16)on, low);
        high = _mm512_mask_mov_ps(quick_half_get(to + 64), (__mmask16)on_high, high);
    }
    quick_half_put(to, low);
    quick_half_put(to + 64, high);
    return RUN_ON;
}
#else
#define QUICK_HAS_WIDE 0
#endif

/* --- numbers of 16 bits, as f32: that is exact --- */

#define QUICK_TWICE_1(f) (f(x & 0xFFFF) | f(x >> 16) << 16)
#define QUICK_TWICE_2(f) (f(x & 0xFFFF, y & 0xFFFF) | f(x >> 16, y >> 16) << 16)
#define QUICK_TWICE_3(f)                                                                           \
    (f(x & 0xFFFF, y & 0xFFFF, z & 0xFFFF) | f(x >> 16, y >> 16, z >> 16) << 16)
#define QUICK_EITHER_2(f) (f(x & 0xFFFF, y & 0xFFFF) || f(x >> 16, y >> 16))
#define QUICK_EITHER_3(f) (f(x & 0xFFFF, y & 0xFFFF, z & 0xFFFF) || f(x >> 16, y >> 16, z >> 16))

INLINE int quick_nan_f16(uint32_t x) {
    return (x & 0x7FFF) > 0x7C00;
}
INLINE int quick_nan_bf16(uint32_t x) {
    return (x & 0x7FFF) > 0x7F80;
}
INLINE int32_t quick_key_16(uint32_t x) {
    return quick_key(x << 16);
}
#define QUICK_16(name)                                                                             \
    INLINE uint32_t half_neg_##name(uint32_t x) {                                                  \
        return quick_nan_##name(x) ? 0x7FFF : x ^ 0x8000;                                          \
    }                                                                                              \
    INLINE uint32_t half_abs_##name(uint32_t x) {                                                  \
        return quick_nan_##name(x) ? 0x7FFF : x & 0x7FFF;                                          \
    }                                                                                              \
    INLINE int32_t half_rank_##name(uint32_t x) {                                                  \
        return quick_rank(x << 16);                                                                \
    }                                                                                              \
    INLINE uint32_t half_pick_##name(uint32_t x, uint32_t y, int first) {                          \
        const uint32_t number = first ? x : y;                                                     \
        return quick_nan_##name(x) ? (quick_nan_##name(y) ? 0x7FFF : y)                            \
                                   : (quick_nan_##name(y) ? x : number);                           \
    }                                                                                              \
    INLINE uint32_t half_min_##name(uint32_t x, uint32_t y) {                                      \
        return half_pick_##name(x, y, half_rank_##name(x) < half_rank_##name(y));                  \
    }                                                                                              \
    INLINE uint32_t half_max_##name(uint32_t x, uint32_t y) {                                      \
        return half_pick_##name(x, y, half_rank_##name(x) > half_rank_##name(y));                  \
    }
QUICK_16(f16)
QUICK_16(bf16)

#if defined(QUICK_FLOATS)
/* A product of two f16 is exact. A sum rounded to 24 bits and then to 11 equals one rounding, as
 * 24 >= 2 * 11 + 2 (Figueroa). Subnormal sums are exact. */
INLINE uint32_t quick_sum_f16(uint32_t x, uint32_t y) {
    return quick_narrow(quick_sum(quick_widen(x), quick_widen(y)));
}
INLINE uint32_t quick_difference_f16(uint32_t x, uint32_t y) {
    return quick_sum_f16(x, y ^ 0x8000);
}
INLINE uint32_t quick_product_f16(uint32_t x, uint32_t y) {
    return quick_narrow(quick_product(quick_widen(x), quick_widen(y)));
}
/* The same for bf16, of 8 bits; but a product can be so small that f32 rounds it too. It is open
 * then if what f32 made of it lies in the middle of two bf16. */
INLINE uint32_t quick_sum_bf16(uint32_t x, uint32_t y) {
    return quick_narrow_bf16(quick_sum(x << 16, y << 16));
}
INLINE uint32_t quick_difference_bf16(uint32_t x, uint32_t y) {
    return quick_sum_bf16(x, y ^ 0x8000);
}
INLINE uint32_t quick_product_bf16(uint32_t x, uint32_t y) {
    return quick_narrow_bf16(quick_product(x << 16, y << 16));
}
INLINE int quick_product_open_bf16(uint32_t x, uint32_t y) {
    const uint32_t product = quick_product(x << 16, y << 16);
    return (product & 0x7FFFFFFF) < 0x00800000 && (product & 0xFFFF) == 0x8000;
}
#if defined(QUICK_FMA)
/* A fused result is rounded twice. The second rounding changes nothing unless the f32 lies halfway
 * between two f16. Every subnormal f16 counts as halfway. */
INLINE uint32_t quick_wide_f16(uint32_t x, uint32_t y, uint32_t z) {
    return quick_fused(quick_widen(x), quick_widen(y), quick_widen(z));
}
INLINE uint32_t quick_fused_f16(uint32_t x, uint32_t y, uint32_t z) {
    return quick_narrow(quick_wide_f16(x, y, z));
}
INLINE int quick_open_f16(uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t wide = quick_wide_f16(x, y, z);
    return (wide & 0x1FFF) == 0x1000 || (wide & 0x7FFFFFFF) - 1 < (113u << 23) - 1;
}
INLINE uint32_t quick_wide_bf16(uint32_t x, uint32_t y, uint32_t z) {
    return quick_fused(x << 16, y << 16, z << 16);
}
INLINE uint32_t quick_fused_bf16(uint32_t x, uint32_t y, uint32_t z) {
    return quick_narrow_bf16(quick_wide_bf16(x, y, z));
}
INLINE int quick_open_bf16(uint32_t x, uint32_t y, uint32_t z) {
    return (quick_wide_bf16(x, y, z) & 0xFFFF) == 0x8000;
}
#endif
#endif

#include "quick_mufu.h"
#if defined(QUICK_FLOATS)
INLINE uint32_t quick_quotient(uint32_t x, uint32_t w) {
    return quick_canonical(quick_product(x, w));
}
INLINE uint32_t quick_quotient_ftz(uint32_t x, uint32_t w) {
    return quick_flush(quick_canonical(quick_product(quick_flush(x), w)));
}
#if defined(QUICK_FMA)
INLINE uint32_t quick_quotient_sum(uint32_t x, uint32_t w, uint32_t z) {
    return quick_canonical(quick_fused(x, w, z));
}
INLINE uint32_t quick_quotient_sum_ftz(uint32_t x, uint32_t w, uint32_t z) {
    return quick_flush(quick_canonical(quick_fused(quick_flush(x), w, quick_flush(z))));
}
#endif
#endif

/* Quotients of 32-bit numbers; y is not 0. A quotient of doubles is exact if it is whole. Otherwise
 * it is at least 1 / y below the next whole number. No mode rounds it by more than |x / y| 2^-52,
 * which is less for |x| < 2^52. So the part before the point is right. A quotient that is not 0 is
 * normal. */
#if defined(QUICK_FLOATS) && defined(QUICK_DIVISION)
INLINE uint32_t quick_quotient_u32(uint32_t x, uint32_t y) {
    return (uint32_t)(int64_t)((double)x / (double)y);
}
INLINE uint32_t quick_quotient_s32(int32_t x, int32_t y) {
    return (uint32_t)(int64_t)((double)x / (double)y);
}
#else
INLINE uint32_t quick_quotient_u32(uint32_t x, uint32_t y) {
    return x / y;
}
INLINE uint32_t quick_quotient_s32(int32_t x, int32_t y) {
    return (uint32_t)((int64_t)x / y);
}
#endif
INLINE uint32_t quick_rest_u32(uint32_t x, uint32_t y) {
    return x - quick_quotient_u32(x, y) * y;
}
INLINE uint32_t quick_rest_s32(int32_t x, int32_t y) {
    return (uint32_t)x - quick_quotient_s32(x, y) * (uint32_t)y;
}
