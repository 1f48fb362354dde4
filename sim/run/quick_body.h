/* quick_body.h - the steps of quick.def, compiled once for each machine: a file says QUICK_STEPS,
 * the name of the table, and what its compiler may use (QUICK_FMA: a fused multiply-add is one
 * instruction). */
#include "../exec/words.h"
#include "../isa/isa.h"
#include "data.h"
#include "device.h"
#include "launch.h"
#include "matrix.h"
#include "quick.h"
#include "reach.h"
#include "touch.h"
#include "sync.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(__GNUC__)
#define ANY_TYPE __attribute__((may_alias))
#else
#define ANY_TYPE
#endif
typedef uint32_t ANY_TYPE quick_word;
typedef uint64_t ANY_TYPE quick_long;

/* Rows of one instruction are the same row or have nothing in common. */
#if defined(__clang__)
/* Sanitized builds do not have vectors: that is no defect. */
#pragma clang diagnostic ignored "-Wpass-failed"
#define ALL_LANES                                                                                  \
    _Pragma("clang loop vectorize(assume_safety)") for (unsigned i = 0; i < RUN_LANES; i++)
#elif defined(__GNUC__)
#define ALL_LANES _Pragma("GCC ivdep") for (unsigned i = 0; i < RUN_LANES; i++)
#else
#define ALL_LANES for (unsigned i = 0; i < RUN_LANES; i++)
#endif

#define ALL 0xFFFFFFFFu

/* --- how rows are read and written --- */

#define ROW_none quick_word
#define ROW_u8 quick_word
#define ROW_s8 quick_word
#define ROW_u16 quick_word
#define ROW_s16 quick_word
#define ROW_u32 quick_word
#define ROW_s32 quick_word
#define ROW_u64 quick_long
#define ROW_s64 quick_long
#define AS_none uint32_t
#define AS_u8 uint8_t
#define AS_s8 int8_t
#define AS_u16 uint16_t
#define AS_s16 int16_t
#define AS_u32 uint32_t
#define AS_s32 int32_t
#define AS_u64 uint64_t
#define AS_s64 int64_t

#define ROW(type, number) (ROW_##type *)(void *)(frame + op->at[number])
#define ROWS(a, b, c)                                                                              \
    const ROW_##a *from_a = ROW(a, 1);                                                             \
    const ROW_##b *from_b = ROW(b, 2);                                                             \
    const ROW_##c *from_c = ROW(c, 3);                                                             \
    const quick_word *fourth = ROW(u32, 4);                                                        \
    (void)from_a, (void)from_b, (void)from_c, (void)fourth, (void)warp;
#define OPERANDS(a, b, c)                                                                          \
    const AS_##a x = (AS_##a)from_a[i];                                                            \
    const AS_##b y = (AS_##b)from_b[i];                                                            \
    const AS_##c z = (AS_##c)from_c[i];                                                            \
    (void)x, (void)y, (void)z;

#define STEP_NAME(id) quick_##id
#define STEP_HEAD(id)                                                                              \
    static enum run_next id(uint8_t *frame, const struct run_op *op, uint32_t lanes,               \
                            struct run_warp *warp)

/* --- what expressions use --- */

#define QUICK_SIGN 0x80000000u
#define QUICK_NAN 0x7FFFFFFFu
#define INLINE static inline
/* Where windows are to stay in registers. */
#if defined(__GNUC__)
#define QUICK_INSIDE static inline __attribute__((always_inline))
#else
#define QUICK_INSIDE static inline
#endif

INLINE uint32_t quick_shift_signed(uint32_t x, uint32_t by) {
    uint32_t n = by < 31 ? by : 31, sign = 0u - (x >> 31);
    return ((x ^ sign) >> n) ^ sign;
}
INLINE uint64_t quick_shift_signed_64(uint64_t x, uint32_t by) {
    uint64_t n = by < 63 ? by : 63, sign = UINT64_C(0) - (x >> 63);
    return ((x ^ sign) >> n) ^ sign;
}
INLINE uint32_t quick_lop3(uint32_t x, uint32_t y, uint32_t z, unsigned table) {
    uint32_t all = 0;
    for (unsigned i = 0; i < 8; i++)
        all |= (0u - (table >> i & 1)) & (i & 4 ? x : ~x) & (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
    return all;
}
INLINE uint32_t quick_permute(uint32_t x, uint32_t y, uint32_t selectors) {
    const uint64_t bytes = (uint64_t)y << 32 | x;
    uint32_t out = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t selector = selectors >> 4 * i;
        const uint32_t byte = (uint32_t)(bytes >> (selector & 7) * 8) & 0xFF;
        const uint32_t copies = (0u - (byte >> 7)) & 0xFF;
        out |= (selector & 8 ? copies : byte) << 8 * i;
    }
    return out;
}
INLINE uint32_t quick_ones(uint32_t x) {
    x = x - (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0F0F0F0Fu;
    return (x * 0x01010101u) >> 24;
}
INLINE uint32_t quick_zeros(uint32_t x) {
    x |= x >> 1, x |= x >> 2, x |= x >> 4, x |= x >> 8, x |= x >> 16;
    return 32 - quick_ones(x);
}
INLINE uint32_t quick_reverse(uint32_t x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    x = (x >> 8 & 0x00FF00FFu) | (x & 0x00FF00FFu) << 8;
    return x >> 16 | x << 16;
}
INLINE uint32_t quick_ones_64(uint64_t x) {
    return quick_ones((uint32_t)x) + quick_ones((uint32_t)(x >> 32));
}
INLINE uint32_t quick_zeros_64(uint64_t x) {
    const uint32_t high = (uint32_t)(x >> 32);
    return high ? quick_zeros(high) : 32 + quick_zeros((uint32_t)x);
}
/* The upper half of a product, of four smaller ones. */
INLINE uint64_t quick_high(uint64_t x, uint64_t y) {
    const uint64_t low = (x & ALL) * (y & ALL), a = (x >> 32) * (y & ALL) + (low >> 32);
    const uint64_t b = (x & ALL) * (y >> 32) + (a & ALL);
    return (x >> 32) * (y >> 32) + (a >> 32) + (b >> 32);
}
INLINE uint64_t quick_high_signed(uint64_t x, uint64_t y) {
    return quick_high(x, y) - (x >> 63 ? y : 0) - (y >> 63 ? x : 0);
}
INLINE uint64_t quick_quotient_s64(int64_t x, int64_t y) {
    return y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
}
INLINE uint64_t quick_rest_s64(int64_t x, int64_t y) {
    return y == -1 ? 0 : (uint64_t)(x % y);
}
INLINE uint32_t quick_dot_u8(uint32_t x, uint32_t y, uint32_t sum) {
    for (unsigned i = 0; i < 32; i += 8)
        sum += (x >> i & 0xFF) * (y >> i & 0xFF);
    return sum;
}
INLINE uint32_t quick_dot_s8(uint32_t x, uint32_t y, uint32_t sum) {
    for (unsigned i = 0; i < 32; i += 8)
        sum += (uint32_t)((int32_t)(int8_t)(x >> i) * (int8_t)(y >> i));
    return sum;
}
/* `n` ones; 32 and more are all. */
INLINE uint32_t quick_mask(uint32_t n) {
    return n < 32 ? (UINT32_C(1) << (n & 31)) - 1 : ALL;
}
INLINE uint32_t quick_field(uint32_t x, uint32_t at, uint32_t length) {
    at &= 0xFF, length &= 0xFF;
    return at < 32 ? x >> (at & 31) & quick_mask(length) : 0;
}
/* The sign is the highest bit of the field, or of all where that has no more. */
INLINE uint32_t quick_field_signed(uint32_t x, uint32_t at, uint32_t length) {
    uint32_t last, sign, field;
    at &= 0xFF, length &= 0xFF;
    last = at + length - 1 < 31 ? at + length - 1 : 31;
    sign = length ? 0u - (x >> (last & 31) & 1) : 0;
    field = at < 32 ? x >> (at & 31) : 0;
    last = at < 32 ? (length < 32 - at ? length : 32 - at) : 0; /* bits of it that there are */
    return (field & quick_mask(last)) | (sign & ~quick_mask(last));
}
INLINE uint64_t quick_mask_64(uint32_t n) {
    return n < 64 ? (UINT64_C(1) << (n & 63)) - 1 : ~UINT64_C(0);
}
/* Numbers of 32 bits, unlike those above. */
INLINE uint64_t quick_field_64(uint64_t x, uint32_t at, uint32_t length) {
    return at < 64 ? x >> (at & 63) & quick_mask_64(length) : 0;
}
INLINE uint64_t quick_insert_64(uint64_t x, uint64_t into, uint32_t at, uint32_t length) {
    const uint64_t mask = at < 64 ? quick_mask_64(length) << (at & 63) : 0;
    return (into & ~mask) | (x << (at & 63) & mask);
}
INLINE uint32_t quick_insert(uint32_t x, uint32_t into, uint32_t at, uint32_t length) {
    uint32_t mask;
    at &= 0xFF, length &= 0xFF;
    mask = at < 32 ? quick_mask(length) << (at & 31) : 0;
    return (into & ~mask) | (x << (at & 31) & mask);
}

INLINE int quick_nan(uint32_t x) {
    return (x & ~QUICK_SIGN) > 0x7F800000u;
}
INLINE int quick_nan_64(uint64_t x) {
    return (x & INT64_MAX) > UINT64_C(0x7FF0000000000000);
}
/* In the order of the numbers, and both zeros are 0. */
INLINE int32_t quick_key(uint32_t x) {
    uint32_t sign = 0u - (x >> 31);
    return (int32_t)(((x & ~QUICK_SIGN) ^ sign) - sign);
}
INLINE int64_t quick_key_64(uint64_t x) {
    uint64_t sign = UINT64_C(0) - (x >> 63);
    return (int64_t)(((x & INT64_MAX) ^ sign) - sign);
}
/* A number without exponent becomes zero of its sign. */
INLINE uint32_t quick_flush(uint32_t x) {
    return x & (QUICK_SIGN | (0u - (uint32_t)((x & 0x7F800000u) != 0)));
}
INLINE int32_t quick_key_ftz(uint32_t x) {
    return quick_key(quick_flush(x));
}
/* -0 right below +0. */
INLINE int32_t quick_rank(uint32_t x) {
    return (int32_t)(x ^ ((0u - (x >> 31)) & ~QUICK_SIGN));
}
INLINE uint32_t quick_pick(uint32_t x, uint32_t y, int first) {
    uint32_t number = first ? x : y;
    return quick_nan(x) ? (quick_nan(y) ? QUICK_NAN : y) : quick_nan(y) ? x : number;
}
INLINE uint32_t quick_min(uint32_t x, uint32_t y) {
    return quick_pick(x, y, quick_rank(x) < quick_rank(y));
}
INLINE uint32_t quick_max(uint32_t x, uint32_t y) {
    return quick_pick(x, y, quick_rank(x) > quick_rank(y));
}

/* f16 to f32: the exponent is counted from another one; a subnormal is brought to normal, bit by
 * bit. */
INLINE uint32_t quick_widen(uint32_t x) {
    const uint32_t sign = (x & 0x8000u) << 16, magnitude = (x & 0x7FFFu) << 13;
    uint32_t normal = magnitude + (112u << 23), small = magnitude, exponent = 113;
    for (unsigned by = 8; by; by >>= 1) { /* at most 10 zeros in front */
        const uint32_t zeros = 0u - (uint32_t)(small < 1u << (24 - by));
        small <<= by & zeros;
        exponent -= by & zeros;
    }
    small = (small & 0x007FFFFFu) | exponent << 23;
    small &= 0u - (uint32_t)(magnitude != 0);
    normal = magnitude >= 31u << 23 ? magnitude + (224u << 23) : normal;
    normal = magnitude > 31u << 23 ? QUICK_NAN : normal | sign;
    return magnitude < 1u << 23 ? small | sign : normal;
}
/* f32 to f16, to nearest even: half a unit in the last place less one, and one more if it is odd,
 * are added below it. */
INLINE uint32_t quick_narrow(uint32_t x) {
    const uint32_t sign = x >> 16 & 0x8000u, magnitude = x & ~QUICK_SIGN;
    const uint32_t normal = (magnitude - (112u << 23) + 0xFFFu + (magnitude >> 13 & 1)) >> 13;
    /* below 2^-14: so many bits of the fraction are lost that the exponent is that of subnormals */
    const uint32_t shift = 126u - (magnitude >> 23), whole = (magnitude & 0x007FFFFFu) | 1u << 23;
    const uint32_t by = shift < 31 ? shift : 31, kept = whole >> by, rest = whole - (kept << by);
    const uint32_t half = 1u << (by - 1) % 32;
    const uint32_t small = kept + (uint32_t)(rest > half || (rest == half && (kept & 1)));
    uint32_t r = magnitude < 113u << 23 ? small : normal;
    r = magnitude >= 143u << 23 ? 0x7C00u : r;
    return magnitude > 0x7F800000u ? 0x7FFFu : r | sign;
}
INLINE uint32_t quick_narrow_bf16(uint32_t x) {
    return quick_nan(x) ? 0x7FFFu : (x + 0x7FFFu + (x >> 16 & 1)) >> 16;
}

/* A number rounded to a whole one: to nearest even, or away from zero where its sign is `away`: 0
 * or QUICK_SIGN, of another value never. */
INLINE uint32_t quick_integral(uint32_t x, int nearest, uint32_t away) {
    const uint32_t magnitude = x & ~QUICK_SIGN, exponent = magnitude >> 23, sign = x & QUICK_SIGN;
    const uint32_t unit = UINT32_C(1) << ((150 - exponent) & 31), rest = magnitude & (unit - 1);
    const uint32_t half = nearest ? unit / 2 - 1 + (magnitude & unit ? 1 : 0) : 0;
    const uint32_t up = sign == away ? unit - 1 : half;
    uint32_t r = (magnitude + up) & ~(unit - 1);
    /* below one */
    const int one = nearest ? magnitude > 0x3F000000 : sign == away && magnitude;
    r = exponent < 127 ? (one ? 0x3F800000u : 0) : r;
    r = exponent >= 150 || (exponent >= 127 && !rest) ? magnitude : r;
    return quick_nan(x) ? QUICK_NAN : r | sign;
}
#define quick_rni(x) quick_integral(x, 1, 1)
#define quick_rzi(x) quick_integral(x, 0, 1)
#define quick_rmi(x) quick_integral(x, 0, QUICK_SIGN)
#define quick_rpi(x) quick_integral(x, 0, 0)

/* Whole numbers toward zero; what is out of range is the nearest end, NaN 0. */
INLINE uint32_t quick_whole(uint32_t x) {
    const uint32_t exponent = x >> 23 & 255, whole = (x & 0x007FFFFFu) | 1u << 23;
    const uint32_t down = 150 - exponent, up = exponent - 150;
    return exponent < 127 ? 0 : exponent < 150 ? whole >> (down & 31) : whole << (up & 31);
}
INLINE uint32_t quick_whole_s32(uint32_t x) {
    const uint32_t sign = 0u - (x >> 31), least = 0x7FFFFFFFu + (x >> 31);
    uint32_t r = (x & ~QUICK_SIGN) >= 158u << 23 ? least : (quick_whole(x) ^ sign) - sign;
    return quick_nan(x) ? 0 : r;
}
INLINE uint32_t quick_whole_u32(uint32_t x) {
    uint32_t r = x >= 159u << 23 ? ALL : quick_whole(x);
    return quick_nan(x) || x >> 31 ? 0 : r;
}

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
#if defined(QUICK_ROOTS)
INLINE uint32_t quick_root(uint32_t x) {
    return quick_bits(_mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(quick_float(x)))));
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
INLINE uint32_t quick_is_least(uint32_t r) {
    return (r & ~QUICK_SIGN) == 0x00800000u;
}
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
/* A product of two f16 is exact. A sum that is rounded to 24 bits and then to 11 is as if it had
 * been rounded once, as 24 >= 2 * 11 + 2 (Figueroa); where it is subnormal it is exact. */
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
/* A fused one is rounded twice: the second time as the first would have been, unless what f32 made
 * of it lies in the middle of two f16. Where these are subnormal that is not looked at. */
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
INLINE uint32_t quick_quotient(uint32_t x, uint32_t y) {
    return quick_canonical(quick_product(x, quick_unit_rcp(y)));
}
INLINE uint32_t quick_quotient_ftz(uint32_t x, uint32_t y) {
    return quick_flush(quick_canonical(quick_product(quick_flush(x), quick_unit_rcp(y))));
}
#endif

/* --- steps --- */

#define QUICK(id, method, types, second, which, d, a, b, c, ...)                                   \
    STEP_HEAD(quick_##id) {                                                                        \
        ROW_##d *to = ROW(d, 0);                                                                   \
        ROWS(a, b, c)                                                                              \
        if (lanes == ALL)                                                                          \
            ALL_LANES {                                                                            \
                OPERANDS(a, b, c)                                                                  \
                to[i] = (AS_##d)(__VA_ARGS__);                                                     \
            }                                                                                      \
        else                                                                                       \
            ALL_LANES {                                                                            \
                OPERANDS(a, b, c)                                                                  \
                to[i] = lanes >> i & 1 ? (AS_##d)(__VA_ARGS__) : to[i];                            \
            }                                                                                      \
        return RUN_ON;                                                                             \
    }

/* All of them in one word. */
INLINE uint32_t quick_gather(const uint32_t bits[RUN_LANES]) {
    uint32_t all = 0;
    for (unsigned i = 0; i < RUN_LANES; i++)
        all |= bits[i];
    return all;
}

/* What a comparison found, combined with a predicate as quick_combination says; and the opposite,
 * where somebody wants it. */
INLINE uint32_t quick_combined(unsigned how, uint32_t found, uint32_t with) {
    switch (how) {
    case QUICK_WITH_AND: return found & with;
    case QUICK_WITH_OR: return found | with;
    case QUICK_WITH_XOR: return found ^ with;
    default: return found;
    }
}
INLINE void quick_answer(uint8_t *frame, const struct run_op *op, uint32_t lanes, uint32_t found) {
    const unsigned how = op->immediate & QUICK_WITH;
    const uint32_t flip = op->immediate & QUICK_WITH_FLIP ? ALL : 0;
    const uint32_t with = how ? *run_pred(frame, op->at[3]) ^ flip : 0;
    uint32_t *to = run_pred(frame, op->at[0]);
    *to = (*to & ~lanes) | (quick_combined(how, found, with) & lanes);
    if (op->immediate & QUICK_OPPOSITE) {
        to = run_pred(frame, op->at[4]);
        *to = (*to & ~lanes) | (quick_combined(how, ~found, with) & lanes);
    }
}

/* Bit i of the result is lane i. */
#define QUICK_TEST(id, method, types, second, which, a, b, ...)                                    \
    STEP_HEAD(quick_##id) {                                                                        \
        uint32_t bits[RUN_LANES];                                                                  \
        ROWS(a, b, none)                                                                           \
        ALL_LANES {                                                                                \
            OPERANDS(a, b, none)                                                                   \
            bits[i] = (__VA_ARGS__) ? UINT32_C(1) << i : 0;                                        \
        }                                                                                          \
        quick_answer(frame, op, lanes, quick_gather(bits));                                        \
        return RUN_ON;                                                                             \
    }

#if defined(QUICK_FLOATS)
#define QUICK_FLOAT QUICK
/* Odd lanes go first: the step of their function reads what the others may overwrite. */
#define QUICK_ODD(id, method, types, second, which, d, a, b, c, odd, ...)                          \
    STEP_HEAD(quick_##id) {                                                                        \
        ROW_##d *to = ROW(d, 0);                                                                   \
        AS_##d results[RUN_LANES];                                                                 \
        uint32_t odds[RUN_LANES], some;                                                            \
        ROWS(a, b, c)                                                                              \
        ALL_LANES {                                                                                \
            OPERANDS(a, b, c)                                                                      \
            const AS_##d r = (AS_##d)(__VA_ARGS__);                                                \
            results[i] = r;                                                                        \
            odds[i] = (odd) ? UINT32_C(1) << i : 0;                                                \
        }                                                                                          \
        some = quick_gather(odds) & lanes;                                                         \
        if (some) {                                                                                \
            data_step(frame, op, some, warp);                                                      \
            lanes &= ~some;                                                                        \
        }                                                                                          \
        if (lanes == ALL)                                                                          \
            ALL_LANES to[i] = results[i];                                                          \
        else                                                                                       \
            ALL_LANES to[i] = lanes >> i & 1 ? results[i] : to[i];                                 \
        return RUN_ON;                                                                             \
    }
#endif
#if defined(QUICK_FLOATS) && defined(QUICK_DIVISION)
#define QUICK_DIVIDED QUICK_FLOAT
#define QUICK_DIVIDED_ODD QUICK_ODD
#elif defined(QUICK_FLOATS)
#define QUICK_DIVIDED(id, ...)
#define QUICK_DIVIDED_ODD(id, ...)
#endif
#if defined(QUICK_FLOATS) && defined(QUICK_ROOTS)
#define QUICK_ROOT QUICK_FLOAT
#define QUICK_ROOT_ODD QUICK_ODD
#elif defined(QUICK_FLOATS)
#define QUICK_ROOT(id, ...)
#define QUICK_ROOT_ODD(id, ...)
#endif
#if defined(QUICK_FLOATS) && !defined(QUICK_FMA)
#define QUICK_FUSED(id, ...)
#define QUICK_FUSED_ODD(id, ...)
#endif
#include "quick.def"

/* --- with predicates --- */

STEP_HEAD(quick_select_32) {
    quick_word *to = ROW(u32, 0);
    const uint32_t first = *run_pred(frame, op->at[3]) ^ (op->immediate ? ALL : 0);
    ROWS(u32, u32, none)
    if (lanes == ALL)
        ALL_LANES to[i] = first >> i & 1 ? from_a[i] : from_b[i];
    else
        ALL_LANES to[i] = lanes >> i & 1 ? (first >> i & 1 ? from_a[i] : from_b[i]) : to[i];
    return RUN_ON;
}

STEP_HEAD(quick_select_64) {
    quick_long *to = ROW(u64, 0);
    const uint32_t first = *run_pred(frame, op->at[3]) ^ (op->immediate ? ALL : 0);
    ROWS(u64, u64, none)
    if (lanes == ALL)
        ALL_LANES to[i] = first >> i & 1 ? from_a[i] : from_b[i];
    else
        ALL_LANES to[i] = lanes >> i & 1 ? (first >> i & 1 ? from_a[i] : from_b[i]) : to[i];
    return RUN_ON;
}

STEP_HEAD(quick_select_16) {
    quick_word *to = ROW(u32, 0);
    const uint32_t first = *run_pred(frame, op->at[3]) ^ (op->immediate ? ALL : 0);
    ROWS(u32, u32, none)
    ALL_LANES {
        const uint32_t value = (first >> i & 1 ? from_a[i] : from_b[i]) & 0xFFFF;
        to[i] = lanes >> i & 1 ? value : to[i];
    }
    return RUN_ON;
}

/* Predicates are all lanes in one word; a flipped operand has its bit in `small`. */
#define LOGIC(id, expression)                                                                      \
    STEP_HEAD(quick_##id) {                                                                        \
        uint32_t *to = run_pred(frame, op->at[0]);                                                 \
        const uint32_t x = *run_pred(frame, op->at[1]) ^ (op->immediate & 1 ? ALL : 0);            \
        const uint32_t y = *run_pred(frame, op->at[2]) ^ (op->immediate & 2 ? ALL : 0);            \
        (void)y, (void)warp;                                                                       \
        *to = (*to & ~lanes) | ((expression)&lanes);                                               \
        return RUN_ON;                                                                             \
    }
LOGIC(copy_pred, x)
LOGIC(not_pred, ~x)
LOGIC(and_pred, x &y)
LOGIC(or_pred, x | y)
LOGIC(xor_pred, x ^ y)

/* --- loads and stores ---
 * Of all lanes at once: whether the bytes are inside of one window and aligned. If they are not, or
 * may not be, the step that looks at each lane decides (memory.c). */

/* A window of memory, and where its first byte is. Of local memory each lane has its own, `stride`
 * bytes behind that of the lane before. `heard` says who is told of an access, if anybody listens.
 */
struct quick_window {
    uint64_t base, size;
    uint8_t *bytes;
    uint64_t stride;
    enum { QUICK_UNHEARD, QUICK_GLOBAL, QUICK_SHARED, QUICK_LOCAL } heard;
    const struct run_buffer *buffer;
};

/* Where lane i's bytes are: window.bytes + at[i]. 0: somebody has to look. */
QUICK_INSIDE int quick_offsets(struct run_row from, uint64_t offset, uint64_t bytes, uint8_t *frame,
                               uint32_t lanes, const struct quick_window *window,
                               uint64_t at[RUN_LANES]) {
    const uint64_t base = window->base, last = window->size - bytes, stride = window->stride;
    uint64_t low = 0, outside = 0;
    if (window->size < bytes)
        return 0;
    if (from.bits > 32) {
        const quick_long *row = (const quick_long *)(const void *)(frame + from.at);
        ALL_LANES at[i] = row[i] + offset;
    } else {
        const quick_word *row = (const quick_word *)(const void *)(frame + from.at);
        ALL_LANES at[i] = (uint32_t)(row[i] + (uint32_t)offset);
    }
    if (lanes != ALL) {
        const uint64_t some = at[run_lowest(lanes)];
        ALL_LANES at[i] = lanes >> i & 1 ? at[i] : some;
    }
    ALL_LANES {
        low |= at[i];
        at[i] -= base;
        outside |= at[i] > last;
    }
    if (stride)
        ALL_LANES at[i] += stride * i;
    return !outside && !(low & (bytes - 1));
}

/* All lanes, one behind the other; or all at one place. The last lane alone tells most others. */
QUICK_INSIDE int quick_follow(const uint64_t at[RUN_LANES], uint64_t bytes) {
    uint64_t other = 0;
    const uint64_t first = at[0];
    ALL_LANES other |= at[i] ^ (first + i * bytes);
    return !other;
}
QUICK_INSIDE int quick_is_row(const uint64_t at[RUN_LANES], uint32_t lanes, uint64_t bytes) {
    if (lanes != ALL || at[RUN_LANES - 1] - at[0] != (RUN_LANES - 1) * bytes)
        return 0;
    switch (bytes) {
    case 4: return quick_follow(at, 4);
    case 8: return quick_follow(at, 8);
    case 16: return quick_follow(at, 16);
    default: return quick_follow(at, bytes);
    }
}
QUICK_INSIDE int quick_is_one(const uint64_t at[RUN_LANES]) {
    return at[RUN_LANES - 1] == at[0] && quick_follow(at, 0);
}

/* The window of all memory begins at 0, where no pointer of C does: addresses are numbers. */
#define HOST(window, at) ((uint8_t *)((uintptr_t)(window) + (uintptr_t)(at)))
#define MOVE_LANES for (uint32_t rest = lanes; rest; rest &= rest - 1)
#define EACH_LANE for (unsigned i = 0; i < RUN_LANES; i++)

/* A number in memory: 1, 2, 4 or 8 bytes of the host's order. */
#define QUICK_NUMBER(type)                                                                         \
    INLINE type quick_read_##type(const uint8_t *from) {                                           \
        type value;                                                                                \
        memcpy(&value, from, sizeof value);                                                        \
        return value;                                                                              \
    }
QUICK_NUMBER(uint8_t)
QUICK_NUMBER(int8_t)
QUICK_NUMBER(uint16_t)
QUICK_NUMBER(int16_t)
QUICK_NUMBER(uint32_t)
QUICK_NUMBER(uint64_t)

/* One register of every lane; the same in all of them, or each its own. */
#define LOAD_ROW(row, type)                                                                        \
    do {                                                                                           \
        if (one) {                                                                                 \
            const type value = quick_read_##type(HOST(from, at[0]));                               \
            if (lanes == ALL)                                                                      \
                ALL_LANES row[i] = (ROW_OF_##row)value;                                            \
            else                                                                                   \
                ALL_LANES row[i] = lanes >> i & 1 ? (ROW_OF_##row)value : row[i];                  \
        } else if (lanes == ALL) {                                                                 \
            for (unsigned i = 0; i < RUN_LANES; i += 4) {                                          \
                row[i] = (ROW_OF_##row)quick_read_##type(HOST(from, at[i]));                       \
                row[i + 1] = (ROW_OF_##row)quick_read_##type(HOST(from, at[i + 1]));               \
                row[i + 2] = (ROW_OF_##row)quick_read_##type(HOST(from, at[i + 2]));               \
                row[i + 3] = (ROW_OF_##row)quick_read_##type(HOST(from, at[i + 3]));               \
            }                                                                                      \
        } else {                                                                                   \
            MOVE_LANES row[run_lowest(rest)] =                                                     \
                (ROW_OF_##row)quick_read_##type(HOST(from, at[run_lowest(rest)]));                 \
        }                                                                                          \
    } while (0)
#define ROW_OF_words uint32_t
#define ROW_OF_longs uint64_t

/* A row of registers is a piece of memory. */
QUICK_INSIDE int quick_is_whole(const struct reach_plan *reach, uint32_t lanes,
                                const uint64_t at[RUN_LANES]) {
    return reach->elements == 1 && reach->bytes >= 4 && quick_is_row(at, lanes, reach->bytes);
}
QUICK_INSIDE void quick_move_row(uint8_t *to, const uint8_t *from, unsigned bytes) {
    if (bytes == 4)
        memcpy(to, from, 4 * RUN_LANES);
    else
        memcpy(to, from, 8 * RUN_LANES);
}

#if defined(__SSE2__)
/* Four registers of 32 bits in every lane: four lanes at a time are a matrix that is transposed. */
INLINE int quick_are_fours(const struct reach_plan *reach, uint32_t lanes) {
    const struct run_row *row = reach->row;
    return lanes == ALL && reach->elements == 4 && reach->bytes == 4 && row[0].bits == 32 &&
           row[1].bits == 32 && row[2].bits == 32 && row[3].bits == 32;
}
#define QUICK_TRANSPOSE(a, b, c, d)                                                                \
    const __m128i ab = _mm_unpacklo_epi32(a, b), cd = _mm_unpacklo_epi32(c, d);                    \
    const __m128i ab_high = _mm_unpackhi_epi32(a, b), cd_high = _mm_unpackhi_epi32(c, d);          \
    const __m128i first = _mm_unpacklo_epi64(ab, cd), second = _mm_unpackhi_epi64(ab, cd);         \
    const __m128i third = _mm_unpacklo_epi64(ab_high, cd_high);                                    \
    const __m128i fourth = _mm_unpackhi_epi64(ab_high, cd_high);
#define QUICK_GET(from) _mm_loadu_si128((const __m128i *)(const void *)(from))
#define QUICK_PUT(to, value) _mm_storeu_si128((__m128i *)(void *)(to), value)
INLINE void quick_load_fours(const struct reach_plan *reach, uint8_t *frame, const uint8_t *from,
                             const uint64_t at[RUN_LANES]) {
    for (unsigned i = 0; i < RUN_LANES; i += 4) {
        const __m128i a = QUICK_GET(HOST(from, at[i])), b = QUICK_GET(HOST(from, at[i + 1]));
        const __m128i c = QUICK_GET(HOST(from, at[i + 2])), d = QUICK_GET(HOST(from, at[i + 3]));
        QUICK_TRANSPOSE(a, b, c, d)
        QUICK_PUT(frame + reach->row[0].at + 4 * (size_t)i, first);
        QUICK_PUT(frame + reach->row[1].at + 4 * (size_t)i, second);
        QUICK_PUT(frame + reach->row[2].at + 4 * (size_t)i, third);
        QUICK_PUT(frame + reach->row[3].at + 4 * (size_t)i, fourth);
    }
}
INLINE void quick_store_fours(const struct reach_plan *reach, const uint8_t *frame, uint8_t *to,
                              const uint64_t at[RUN_LANES]) {
    for (unsigned i = 0; i < RUN_LANES; i += 4) {
        const __m128i a = QUICK_GET(frame + reach->row[0].at + 4 * (size_t)i);
        const __m128i b = QUICK_GET(frame + reach->row[1].at + 4 * (size_t)i);
        const __m128i c = QUICK_GET(frame + reach->row[2].at + 4 * (size_t)i);
        const __m128i d = QUICK_GET(frame + reach->row[3].at + 4 * (size_t)i);
        QUICK_TRANSPOSE(a, b, c, d)
        QUICK_PUT(HOST(to, at[i]), first);
        QUICK_PUT(HOST(to, at[i + 1]), second);
        QUICK_PUT(HOST(to, at[i + 2]), third);
        QUICK_PUT(HOST(to, at[i + 3]), fourth);
    }
}
#endif

INLINE void quick_load(const struct reach_plan *reach, uint8_t *frame, uint32_t lanes,
                       const uint8_t *window, const uint64_t at[RUN_LANES]) {
    int one;
    if (quick_is_whole(reach, lanes, at)) {
        quick_move_row(frame + reach->row[0].at, HOST(window, at[0]), reach->bytes);
        return;
    }
    one = quick_is_one(at);
#if defined(__SSE2__)
    if (!one && quick_are_fours(reach, lanes)) {
        quick_load_fours(reach, frame, window, at);
        return;
    }
#endif
    for (unsigned e = 0; e < reach->elements; e++) {
        const struct run_row row = reach->row[e];
        const uint8_t *from = HOST(window, e * reach->bytes);
        quick_word *words = (quick_word *)(void *)(frame + row.at);
        quick_long *longs = (quick_long *)(void *)(frame + row.at);
        if (!row.bits)
            continue;
        switch (reach->bytes) {
        case 1:
            if (reach->is_signed && row.bits == 32)
                LOAD_ROW(words, int8_t);
            else
                LOAD_ROW(words, uint8_t);
            break;
        case 2:
            if (reach->is_signed && row.bits == 32)
                LOAD_ROW(words, int16_t);
            else
                LOAD_ROW(words, uint16_t);
            break;
        case 4: LOAD_ROW(words, uint32_t); break;
        default: LOAD_ROW(longs, uint64_t); break;
        }
    }
}

/* Of lanes that write the same bytes the highest one wins. */
INLINE void quick_store(const struct reach_plan *reach, uint8_t *frame, uint32_t lanes,
                        uint8_t *window, const uint64_t at[RUN_LANES]) {
    if (quick_is_whole(reach, lanes, at)) {
        quick_move_row(HOST(window, at[0]), frame + reach->row[0].at, reach->bytes);
        return;
    }
#if defined(__SSE2__)
    if (quick_are_fours(reach, lanes)) {
        quick_store_fours(reach, frame, window, at);
        return;
    }
#endif
    if (lanes == ALL && reach->elements == 1 && reach->bytes == 4) {
        const uint8_t *row = frame + reach->row[0].at;
        for (unsigned i = 0; i < RUN_LANES; i += 4) {
            memcpy(HOST(window, at[i]), row + 4 * (size_t)i, 4);
            memcpy(HOST(window, at[i + 1]), row + 4 * (size_t)i + 4, 4);
            memcpy(HOST(window, at[i + 2]), row + 4 * (size_t)i + 8, 4);
            memcpy(HOST(window, at[i + 3]), row + 4 * (size_t)i + 12, 4);
        }
        return;
    }
    MOVE_LANES {
        const unsigned lane = run_lowest(rest);
        uint8_t *to = HOST(window, at[lane]);
        for (unsigned e = 0; e < reach->elements; e++, to += reach->bytes) {
            const uint8_t *row = frame + reach->row[e].at;
            switch (reach->bytes) {
            case 1: *to = (uint8_t)((const quick_word *)(const void *)row)[lane]; break;
            case 2: {
                const uint16_t value = (uint16_t)((const quick_word *)(const void *)row)[lane];
                memcpy(to, &value, 2);
                break;
            }
            case 4: memcpy(to, row + 4 * (size_t)lane, 4); break;
            default: memcpy(to, row + 8 * (size_t)lane, 8); break;
            }
        }
    }
}

/* The buffer that this operation accessed last; all memory, where all of it may be accessed. */
QUICK_INSIDE struct quick_window quick_global(const struct run_warp *warp,
                                              const struct run_op *op) {
    const struct run_buffer *buffer = *run_near(warp->worker, op);
    const int everywhere = !buffer && warp->worker->launch->device->all;
    const uint64_t base = buffer ? buffer->base : 0;
    const uint64_t size = buffer ? buffer->size : everywhere ? RUN_SHARED_WINDOW : 0;
    return (struct quick_window){base, size, (uint8_t *)(uintptr_t)base, 0, QUICK_GLOBAL, buffer};
}
/* That of its own block; at generic addresses if `above` is where they begin. */
QUICK_INSIDE struct quick_window quick_shared(const struct run_warp *warp, uint64_t above) {
    const struct wsim_memory *memory = &warp->block->shared;
    return (struct quick_window){memory->base + above, memory->size, memory->bytes, 0,
                                 QUICK_SHARED,         NULL};
}
QUICK_INSIDE struct quick_window quick_local(const struct run_warp *warp, uint64_t above) {
    return (struct quick_window){
        above, warp->local_used, warp->local, warp->local_stride, QUICK_LOCAL, NULL};
}
/* What is only read, and nobody listens to. */
QUICK_INSIDE struct quick_window quick_param(const struct run_warp *warp) {
    const struct run_launch *launch = warp->worker->launch;
    uint8_t *bytes = (uint8_t *)(uintptr_t)launch->params;
    return (struct quick_window){0, launch->how->param_bytes, bytes, 0, QUICK_UNHEARD, NULL};
}
QUICK_INSIDE struct quick_window quick_const(const struct run_warp *warp) {
    const struct wsim_memory *memory = &warp->worker->launch->attached->constant;
    return (struct quick_window){0, memory->size, memory->bytes, 0, QUICK_UNHEARD, NULL};
}

/* Somebody listens, or does not: then none of this stands between offsets and bytes. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void
quick_tell(uint8_t *frame, const struct run_op *op, uint32_t lanes, struct run_warp *warp,
           const struct quick_window *window, const uint64_t at[RUN_LANES]) {
    const struct reach_plan *reach = op->more;
    const int shared = window->heard == QUICK_SHARED;
    const struct touch_memory memory = {shared ? warp->block->shared.base : window->base,
                                        window->bytes, window->buffer, shared ? warp->block : NULL};
    enum reach_shape shape = REACH_ANY;
    if (quick_is_one(at))
        shape = REACH_SAME;
    else if (quick_is_row(at, lanes, (uint64_t)reach->bytes * reach->elements))
        shape = REACH_ROW;
    memory_heard(frame, op, lanes, warp, &memory, at, shape);
}

/* Loads or stores, if all lanes are inside of that window. */
QUICK_INSIDE int quick_access(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp, const struct quick_window window) {
    const struct reach_plan *reach = op->more;
    const uint64_t bytes = (uint64_t)reach->bytes * reach->elements;
    uint64_t at[RUN_LANES];
    if (!quick_offsets(reach->base, reach->offset, bytes, frame, lanes, &window, at))
        return 0;
    if (warp->worker->listens && window.heard == QUICK_LOCAL)
        return 0;
    if (warp->worker->listens && window.heard != QUICK_UNHEARD)
        quick_tell(frame, op, lanes, warp, &window, at);
    if (reach->kind == RUN_READ) {
        quick_load(reach, frame, lanes, window.bytes, at);
    } else {
        quick_store(reach, frame, lanes, window.bytes, at);
        warp->block->unit->events++;
    }
    return 1;
}

#define ACCESS(id, done)                                                                           \
    STEP_HEAD(id) {                                                                                \
        return (done) ? RUN_ON : memory_step(frame, op, lanes, warp);                              \
    }
#define WITHIN(window) quick_access(frame, op, lanes, warp, window)
ACCESS(quick_at_global, WITHIN(quick_global(warp, op)))
ACCESS(quick_at_shared, WITHIN(quick_shared(warp, 0)))
ACCESS(quick_at_local, WITHIN(quick_local(warp, 0)))
ACCESS(quick_at_any, WITHIN(quick_global(warp, op)) ||
                         WITHIN(quick_shared(warp, RUN_SHARED_WINDOW)) ||
                         WITHIN(quick_local(warp, RUN_LOCAL_WINDOW)))
ACCESS(quick_at_param, WITHIN(quick_param(warp)))
ACCESS(quick_at_const, WITHIN(quick_const(warp)))

/* --- copies and matrices, the same way --- */

/* Lanes that copy all their bytes in *whole, those that copy none and write zeros in *none. */
INLINE void quick_sizes(const struct matrix_copy *copy, uint8_t *frame, uint32_t *whole,
                        uint32_t *none) {
    const quick_word *size = (const quick_word *)(const void *)(frame + copy->size.at);
    *whole = ALL, *none = 0;
    if (copy->ignores) {
        *none = *run_pred(frame, copy->size.at) ^ (copy->size.flip ? ALL : 0);
        *whole = ~*none;
    } else if (copy->size.bits) {
        uint32_t full[RUN_LANES], empty[RUN_LANES];
        ALL_LANES {
            full[i] = size[i] == copy->bytes ? UINT32_C(1) << i : 0;
            empty[i] = size[i] == 0 ? UINT32_C(1) << i : 0;
        }
        *whole = quick_gather(full), *none = quick_gather(empty);
    }
}

#define COPY_LANES(n)                                                                              \
    if (whole == ALL)                                                                              \
        EACH_LANE memcpy(shared.bytes + to[i], HOST(global.bytes, from[i]), n);                    \
    else                                                                                           \
        MOVE_LANES {                                                                               \
            const unsigned lane = run_lowest(rest);                                                \
            if (whole >> lane & 1)                                                                 \
                memcpy(shared.bytes + to[lane], HOST(global.bytes, from[lane]), n);                \
            else                                                                                   \
                memset(shared.bytes + to[lane], 0, n);                                             \
        }

/* cp.async that is done at once. Lanes go one after another, as those of a store do. */
STEP_HEAD(quick_copy) {
    const struct matrix_copy *copy = op->more;
    const struct quick_window shared = quick_shared(warp, 0), global = quick_global(warp, op);
    uint64_t to[RUN_LANES], from[RUN_LANES];
    uint32_t whole, none;
    quick_sizes(copy, frame, &whole, &none);
    whole &= lanes;
    if (warp->worker->listens || sync_is_late(warp) || (whole | none | ~lanes) != ALL ||
        !quick_offsets(copy->to.base, copy->to.offset, copy->bytes, frame, lanes, &shared, to) ||
        (whole && !quick_offsets(copy->from.base, copy->from.offset, copy->bytes, frame, whole,
                                 &global, from)))
        return copy_async_step(frame, op, lanes, warp);
    switch (copy->bytes) {
    case 4: COPY_LANES(4); break;
    case 8: COPY_LANES(8); break;
    default: COPY_LANES(16); break;
    }
    sync_note_issue(warp, lanes, SYNC_CP_ASYNC);
    warp->block->unit->events += 2;
    return RUN_ON;
}

/* ldmatrix of rows that are all inside of the shared memory of the block. */
STEP_HEAD(quick_load_rows) {
    const struct matrix_move *move = op->more;
    const struct wsim_code *code = matrix_code(warp, op);
    const unsigned along = code->work.memory.along;
    const struct quick_window shared =
        quick_shared(warp, move->address.space == PTX_SHARED ? 0 : RUN_SHARED_WINDOW);
    uint32_t lines[RUN_LANES * 4], *regs[MATRIX_REGISTERS];
    uint64_t at[RUN_LANES];
    if (lanes != ALL || warp->worker->listens || !code->work.memory.way ||
        code->work.memory.bits != code->work.a.bits ||
        !quick_offsets(move->address.base, move->address.offset, ISA_ROW_BYTES, frame,
                       ALL >> (RUN_LANES - along), &shared, at))
        return matrix_rows_step(frame, op, lanes, warp);
    for (unsigned row = 0; row < along; row++)
        memcpy(lines + 4 * row, shared.bytes + at[row], ISA_ROW_BYTES);
    matrix_point(frame, &move->regs, regs);
    words_load(code, lines, code->work.a.regs, regs);
    return RUN_ON;
}

/* --- mov with braces: two halves and a whole --- */

#define JOIN(id, half, whole_type, bits)                                                           \
    STEP_HEAD(quick_join_##id) {                                                                   \
        ROW_##whole_type *to = ROW(whole_type, 0);                                                 \
        ROWS(half, half, none)                                                                     \
        if (lanes == ALL)                                                                          \
            ALL_LANES to[i] = (AS_##whole_type)((AS_##half)from_a[i]) |                            \
                              (AS_##whole_type)((AS_##half)from_b[i]) << bits;                     \
        else                                                                                       \
            ALL_LANES to[i] = lanes >> i & 1 ? (AS_##whole_type)((AS_##half)from_a[i]) |           \
                                                   (AS_##whole_type)((AS_##half)from_b[i]) << bits \
                                             : to[i];                                              \
        return RUN_ON;                                                                             \
    }
JOIN(16, u16, u32, 16)
JOIN(32, u32, u64, 32)

/* Results are rows of 32 bits, at[0] and at[1]; that there are two of them says `immediate`, bit by
 * bit. The whole is in at[2]. */
#define SPLIT(id, half, whole_type, bits)                                                          \
    STEP_HEAD(quick_split_##id) {                                                                  \
        const ROW_##whole_type *whole = ROW(whole_type, 2);                                        \
        quick_word *low = ROW(u32, 0), *high = ROW(u32, 1);                                        \
        AS_##whole_type both[RUN_LANES];                                                           \
        (void)warp;                                                                                \
        memcpy(both, whole, sizeof both);                                                          \
        if (op->immediate & 1)                                                                     \
            ALL_LANES low[i] = lanes >> i & 1 ? (AS_##half)both[i] : low[i];                       \
        if (op->immediate & 2)                                                                     \
            ALL_LANES high[i] = lanes >> i & 1 ? (AS_##half)(both[i] >> bits) : high[i];           \
        return RUN_ON;                                                                             \
    }
SPLIT(16, u16, u32, 16)
SPLIT(32, u32, u64, 32)

#define QUICK(id, ...) quick_##id,
#define QUICK_TEST QUICK
#if defined(QUICK_FLOATS)
#define QUICK_FLOAT QUICK
#define QUICK_ODD QUICK
#else
#define QUICK_FLOAT(id, ...) NULL,
#define QUICK_ODD QUICK_FLOAT
#endif
#if defined(QUICK_ROOTS)
#define QUICK_ROOT QUICK
#define QUICK_ROOT_ODD QUICK
#else
#define QUICK_ROOT(id, ...) NULL,
#define QUICK_ROOT_ODD QUICK_ROOT
#endif
#if defined(QUICK_DIVISION)
#define QUICK_DIVIDED QUICK
#define QUICK_DIVIDED_ODD QUICK
#else
#define QUICK_DIVIDED(id, ...) NULL,
#define QUICK_DIVIDED_ODD QUICK_DIVIDED
#endif
#if !defined(QUICK_FMA)
#define QUICK_FUSED(id, ...) NULL,
#define QUICK_FUSED_ODD(id, ...) NULL,
#endif
run_step *const QUICK_STEPS[] = {
#include "quick.def"
#define OTHER(ID, id) quick_##id,
    QUICK_OTHERS(OTHER)
#undef OTHER
};
