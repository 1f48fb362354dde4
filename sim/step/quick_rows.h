/* quick_rows.h - how steps read and write the rows of a frame: all lanes at once. A part of
 * quick_body.h. */

#include "../exec/words.h"
#include "../isa/isa.h"
#include "data.h"
#include "../state/device.h"
#include "../state/launch.h"
#include "matrix.h"
#include "quick.h"
#include "access.h"
#include "../reach/hear.h"
#include "../sync/sync.h"
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
#define QUICK_OUTSIDE static __attribute__((noinline))
#else
#define QUICK_INSIDE static inline
#define QUICK_OUTSIDE static
#endif

/* --- one answer of all lanes --- */

/* All numbers that are 0 or the bit of their lane, in one word. With other numbers the word is not
 * 0 if one of them is not. */
QUICK_INSIDE uint32_t quick_gather(const uint32_t bits[RUN_LANES]) {
#if defined(__AVX512F__)
    const __m512i low = _mm512_loadu_si512(bits), high = _mm512_loadu_si512(bits + 16);
    return _mm512_test_epi32_mask(low, low) | (uint32_t)_mm512_test_epi32_mask(high, high) << 16;
#else
    uint32_t all = 0;
    for (unsigned i = 0; i < RUN_LANES; i++)
        all |= bits[i];
    return all;
#endif
}
QUICK_INSIDE int quick_some(const uint64_t bits[RUN_LANES]) {
#if defined(__AVX512F__)
    const __m512i a = _mm512_loadu_si512(bits), b = _mm512_loadu_si512(bits + 8);
    const __m512i c = _mm512_loadu_si512(bits + 16), d = _mm512_loadu_si512(bits + 24);
    const __m512i all = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
    return _mm512_test_epi64_mask(all, all) != 0;
#else
    uint64_t all = 0;
    for (unsigned i = 0; i < RUN_LANES; i++)
        all |= bits[i];
    return all != 0;
#endif
}
#define quick_some_quick_word quick_gather
#define quick_some_quick_long quick_some
