/* shfl of a whole warp by vectors of 512 bits: a row is two of them, which one instruction
 * permutes.
 */
#include "shuffle.h"

#include "../kernels/target.h"

#if KERNELS_X86
#include <immintrin.h>
TARGET_BEGIN(TARGET_V4)
/* Lanes from anywhere in the row, 16 at a time. */
static void permute(uint32_t *d, const uint32_t *a, __m512i low, __m512i high) {
    const __m512i x = _mm512_loadu_si512(a), y = _mm512_loadu_si512(a + 16);
    _mm512_storeu_si512(d, _mm512_permutex2var_epi32(x, low, y));
    _mm512_storeu_si512(d + 16, _mm512_permutex2var_epi32(x, high, y));
}

static void planned_v4(const struct sync_gather *gather, uint8_t *frame) {
    const __m128i *const from = (const __m128i *)(const void *)gather->from;
    if (gather->d.bits)
        permute(run_words(frame, gather->d.at), run_words(frame, gather->a.at),
                _mm512_cvtepu8_epi32(_mm_loadu_si128(from)),
                _mm512_cvtepu8_epi32(_mm_loadu_si128(from + 1)));
    if (gather->p.bits)
        *run_pred(frame, gather->p.at) = gather->inside;
}

/* shuffle_source of 16 lanes. */
static inline __m512i sources_v4(enum scalar_shuffle mode, __m512i lane, const uint32_t *b,
                                 const uint32_t *c, __mmask16 *inside) {
    const __m512i five = _mm512_set1_epi32(31), words = _mm512_loadu_si512(c);
    const __m512i by = _mm512_and_si512(_mm512_loadu_si512(b), five);
    const __m512i segment = _mm512_and_si512(_mm512_srli_epi32(words, 8), five);
    const __m512i least = _mm512_and_si512(lane, segment);
    const __m512i most =
        _mm512_or_si512(least, _mm512_andnot_si512(segment, _mm512_and_si512(words, five)));
    const __m512i from = mode == SCALAR_UP     ? _mm512_sub_epi32(lane, by)
                         : mode == SCALAR_DOWN ? _mm512_add_epi32(lane, by)
                         : mode == SCALAR_BFLY
                             ? _mm512_xor_si512(lane, by)
                             : _mm512_or_si512(least, _mm512_andnot_si512(segment, by));
    *inside = mode == SCALAR_UP ? _mm512_cmpge_epi32_mask(from, most)
                                : _mm512_cmple_epi32_mask(from, most);
    return _mm512_mask_mov_epi32(lane, *inside, from);
}

static inline void rows_v4(const struct sync_gather *gather, uint8_t *frame,
                           enum scalar_shuffle mode) {
    const uint32_t *b = run_words(frame, gather->b.at), *c = run_words(frame, gather->c.at);
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __mmask16 inside[2];
    const __m512i low = sources_v4(mode, lane, b, c, &inside[0]);
    const __m512i high =
        sources_v4(mode, _mm512_add_epi32(lane, _mm512_set1_epi32(16)), b + 16, c + 16, &inside[1]);
    if (gather->d.bits)
        permute(run_words(frame, gather->d.at), run_words(frame, gather->a.at), low, high);
    if (gather->p.bits)
        *run_pred(frame, gather->p.at) = inside[0] | (uint32_t)inside[1] << 16;
}

#define MODE(name, mode)                                                                           \
    static void name(const struct sync_gather *gather, uint8_t *frame) {                           \
        rows_v4(gather, frame, mode);                                                              \
    }
MODE(up_v4, SCALAR_UP)
MODE(down_v4, SCALAR_DOWN)
MODE(butterfly_v4, SCALAR_BFLY)
MODE(index_v4, SCALAR_IDX)

sync_quick *const shuffle_v4[SCALAR_IDX + 1] = {[SCALAR_UP] = up_v4,
                                                [SCALAR_DOWN] = down_v4,
                                                [SCALAR_BFLY] = butterfly_v4,
                                                [SCALAR_IDX] = index_v4,
                                                [SHUFFLE_PLANNED] = planned_v4};
TARGET_END
#else
sync_quick *const shuffle_v4[SCALAR_IDX + 1] = {NULL};
#endif
