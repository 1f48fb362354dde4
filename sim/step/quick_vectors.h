/* quick_vectors.h - loads and stores of two and four registers a lane. Lanes are a matrix that is
 * transposed, or each has one access of the host. A part of quick_body.h. */

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
#if defined(__AVX512F__)
/* 16 lanes at a time: a vector has lanes i, i + 4, i + 8 and i + 12. */
#define QUICK_TRANSPOSE_16(a, b, c, d)                                                             \
    const __m512i ab = _mm512_unpacklo_epi32(a, b), cd = _mm512_unpacklo_epi32(c, d);              \
    const __m512i ab_high = _mm512_unpackhi_epi32(a, b), cd_high = _mm512_unpackhi_epi32(c, d);    \
    const __m512i first = _mm512_unpacklo_epi64(ab, cd), second = _mm512_unpackhi_epi64(ab, cd);   \
    const __m512i third = _mm512_unpacklo_epi64(ab_high, cd_high);                                 \
    const __m512i fourth = _mm512_unpackhi_epi64(ab_high, cd_high);
INLINE __m512i quick_get_lanes(const uint8_t *from, const uint64_t at[RUN_LANES], unsigned i) {
    const __m512i one = _mm512_castsi128_si512(QUICK_GET(HOST(from, at[i])));
    const __m512i two = _mm512_mask_broadcast_i32x4(one, 0x00F0, QUICK_GET(HOST(from, at[i + 4])));
    const __m512i three =
        _mm512_mask_broadcast_i32x4(two, 0x0F00, QUICK_GET(HOST(from, at[i + 8])));
    return _mm512_mask_broadcast_i32x4(three, 0xF000, QUICK_GET(HOST(from, at[i + 12])));
}
INLINE void quick_load_fours(const struct reach_plan *reach, uint8_t *frame, const uint8_t *from,
                             const uint64_t at[RUN_LANES]) {
    for (unsigned i = 0; i < RUN_LANES; i += 16) {
        const __m512i a = quick_get_lanes(from, at, i), b = quick_get_lanes(from, at, i + 1);
        const __m512i c = quick_get_lanes(from, at, i + 2), d = quick_get_lanes(from, at, i + 3);
        QUICK_TRANSPOSE_16(a, b, c, d)
        _mm512_storeu_si512(frame + reach->row[0].at + 4 * (size_t)i, first);
        _mm512_storeu_si512(frame + reach->row[1].at + 4 * (size_t)i, second);
        _mm512_storeu_si512(frame + reach->row[2].at + 4 * (size_t)i, third);
        _mm512_storeu_si512(frame + reach->row[3].at + 4 * (size_t)i, fourth);
    }
}
#else
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
#endif
INLINE void quick_store_fours(const struct reach_plan *reach, const uint8_t *frame, uint8_t *to,
                              const uint64_t at[RUN_LANES]) {
    for (unsigned place = 0; place < RUN_LANES; place += 4) {
        const unsigned i = place ^ (reach->turn & ~3u);
        const __m128i a = QUICK_GET(frame + reach->row[0].at + 4 * (size_t)i);
        const __m128i b = QUICK_GET(frame + reach->row[1].at + 4 * (size_t)i);
        const __m128i c = QUICK_GET(frame + reach->row[2].at + 4 * (size_t)i);
        const __m128i d = QUICK_GET(frame + reach->row[3].at + 4 * (size_t)i);
        QUICK_TRANSPOSE(a, b, c, d)
        QUICK_PUT(HOST(to, at[i + 3]), fourth);
        QUICK_PUT(HOST(to, at[i + 2]), third);
        QUICK_PUT(HOST(to, at[i + 1]), second);
        QUICK_PUT(HOST(to, at[i]), first);
    }
}

/* Vectors of 8 and 16 bytes: one access of the host a lane. A thread that runs another block sees
 * all of a vector or none of it, as on a GPU. Scans of one pass rely on that. */
INLINE int quick_is_unit(const struct reach_plan *reach) {
    const unsigned bytes = (unsigned)reach->bytes * reach->elements;
    return reach->elements > 1 && reach->bytes >= 4 && (bytes == 8 || bytes == 16);
}
/* All lanes read one unit. */
INLINE void quick_load_unit(const struct reach_plan *reach, uint8_t *frame, uint32_t lanes,
                            const uint8_t *from) {
    const __m128i *unit = (const __m128i *)(const void *)from;
    const int is_pair = reach->bytes * reach->elements == 8;
    __m128i left = is_pair ? _mm_loadl_epi64(unit) : _mm_loadu_si128(unit);
    for (unsigned e = 0; e < reach->elements; e++) {
        const struct run_row row = reach->row[e];
        quick_word *words = (quick_word *)(void *)(frame + row.at);
        quick_long *longs = (quick_long *)(void *)(frame + row.at);
        uint64_t value;
        _mm_storel_epi64((__m128i *)(void *)&value, left);
        left = reach->bytes == 4 ? _mm_srli_si128(left, 4) : _mm_unpackhi_epi64(left, left);
        if (row.bits == 64)
            ALL_LANES longs[i] = lanes >> i & 1 ? value : longs[i];
        else if (row.bits)
            ALL_LANES words[i] = lanes >> i & 1 ? (uint32_t)value : words[i];
    }
}
/* Each half of the lanes reads one unit of four words. */
INLINE void quick_load_two(const struct reach_plan *reach, uint8_t *frame, const uint8_t *low,
                           const uint8_t *high) {
    __m128i a = QUICK_GET(low), b = QUICK_GET(high);
    for (unsigned e = 0; e < 4; e++) {
        const uint32_t x = (uint32_t)_mm_cvtsi128_si32(a), y = (uint32_t)_mm_cvtsi128_si32(b);
        quick_word *row = (quick_word *)(void *)(frame + reach->row[e].at);
        ALL_LANES row[i] = i < HALF ? x : y;
        a = _mm_srli_si128(a, 4);
        b = _mm_srli_si128(b, 4);
    }
}
/* Two registers in every lane: lanes side by side are a matrix that is transposed. */
INLINE int quick_are_pairs(const struct reach_plan *reach, uint32_t lanes) {
    const struct run_row *row = reach->row;
    return lanes == ALL && reach->elements == 2 && row[0].bits == 8u * reach->bytes &&
           row[1].bits == row[0].bits;
}
#define QUICK_SHUFFLE(a, b, order)                                                                 \
    _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), order))
INLINE void quick_load_pairs(const struct reach_plan *reach, uint8_t *frame, const uint8_t *from,
                             const uint64_t at[RUN_LANES]) {
    uint8_t *first = frame + reach->row[0].at, *second = frame + reach->row[1].at;
#define QUICK_PAIR(i) _mm_loadl_epi64((const __m128i *)(const void *)HOST(from, at[i]))
    if (reach->bytes == 4)
        for (unsigned i = 0; i < RUN_LANES; i += 4) {
            const __m128i a = _mm_unpacklo_epi64(QUICK_PAIR(i), QUICK_PAIR(i + 1));
            const __m128i b = _mm_unpacklo_epi64(QUICK_PAIR(i + 2), QUICK_PAIR(i + 3));
            QUICK_PUT(first + 4 * (size_t)i, QUICK_SHUFFLE(a, b, 0x88));
            QUICK_PUT(second + 4 * (size_t)i, QUICK_SHUFFLE(a, b, 0xDD));
        }
    else
        for (unsigned i = 0; i < RUN_LANES; i += 2) {
            const __m128i a = QUICK_GET(HOST(from, at[i])), b = QUICK_GET(HOST(from, at[i + 1]));
            QUICK_PUT(first + 8 * (size_t)i, _mm_unpacklo_epi64(a, b));
            QUICK_PUT(second + 8 * (size_t)i, _mm_unpackhi_epi64(a, b));
        }
#undef QUICK_PAIR
}
INLINE void quick_store_pairs(const struct reach_plan *reach, const uint8_t *frame, uint8_t *to,
                              const uint64_t at[RUN_LANES]) {
    const uint8_t *first = frame + reach->row[0].at, *second = frame + reach->row[1].at;
#define QUICK_PAIR(i, value) _mm_storel_epi64((__m128i *)(void *)HOST(to, at[i]), value)
    if (reach->bytes == 4)
        for (unsigned place = 0; place < RUN_LANES; place += 4) {
            const unsigned i = place ^ (reach->turn & ~3u);
            const __m128i a = QUICK_GET(first + 4 * (size_t)i);
            const __m128i b = QUICK_GET(second + 4 * (size_t)i);
            const __m128i low = _mm_unpacklo_epi32(a, b), high = _mm_unpackhi_epi32(a, b);
            QUICK_PAIR(i + 3, _mm_unpackhi_epi64(high, high));
            QUICK_PAIR(i + 2, high);
            QUICK_PAIR(i + 1, _mm_unpackhi_epi64(low, low));
            QUICK_PAIR(i, low);
        }
    else
        for (unsigned place = 0; place < RUN_LANES; place += 2) {
            const unsigned i = place ^ (reach->turn & ~1u);
            const __m128i a = QUICK_GET(first + 8 * (size_t)i);
            const __m128i b = QUICK_GET(second + 8 * (size_t)i);
            QUICK_PUT(HOST(to, at[i + 1]), _mm_unpackhi_epi64(a, b));
            QUICK_PUT(HOST(to, at[i]), _mm_unpacklo_epi64(a, b));
        }
#undef QUICK_PAIR
}
/* Parts go from register to register: a vector that is read as soon as its parts are stored waits
 * for them. */
INLINE void quick_load_units(const struct reach_plan *reach, uint8_t *frame, uint32_t lanes,
                             const uint8_t *window, const uint64_t at[RUN_LANES]) {
    const int is_pair = reach->bytes * reach->elements == 8;
    MOVE_LANES {
        const unsigned lane = run_lowest(rest);
        const __m128i *from = (const __m128i *)(const void *)HOST(window, at[lane]);
        __m128i unit = is_pair ? _mm_loadl_epi64(from) : _mm_loadu_si128(from);
        for (unsigned e = 0; e < reach->elements; e++) {
            uint8_t *to = frame + reach->row[e].at + (size_t)reach->bytes * lane;
            if (reach->bytes == 4) {
                const int word = _mm_cvtsi128_si32(unit);
                if (reach->row[e].bits)
                    memcpy(to, &word, sizeof word);
                unit = _mm_srli_si128(unit, 4);
            } else {
                if (reach->row[e].bits)
                    _mm_storel_epi64((__m128i *)(void *)to, unit);
                unit = _mm_unpackhi_epi64(unit, unit);
            }
        }
    }
}
INLINE __m128i quick_part(const struct reach_plan *reach, const uint8_t *frame, unsigned lane,
                          unsigned e) {
    const uint8_t *from = frame + reach->row[e].at + (size_t)reach->bytes * lane;
    if (reach->bytes == 4)
        return _mm_cvtsi32_si128((int)quick_read_uint32_t(from));
    return _mm_loadl_epi64((const __m128i *)(const void *)from);
}
INLINE void quick_store_units(const struct reach_plan *reach, const uint8_t *frame, uint32_t lanes,
                              uint8_t *window, const uint64_t at[RUN_LANES]) {
    STORE_LANES {
        const unsigned lane = run_lowest(rest) ^ reach->turn;
        __m128i *to = (__m128i *)(void *)HOST(window, at[lane]);
        const __m128i a = quick_part(reach, frame, lane, 0), b = quick_part(reach, frame, lane, 1);
        if (reach->bytes == 8) {
            _mm_storeu_si128(to, _mm_unpacklo_epi64(a, b));
        } else if (reach->elements == 2) {
            _mm_storel_epi64(to, _mm_unpacklo_epi32(a, b));
        } else {
            const __m128i c = quick_part(reach, frame, lane, 2);
            const __m128i d = quick_part(reach, frame, lane, 3);
            _mm_storeu_si128(
                to, _mm_unpacklo_epi64(_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d)));
        }
    }
}
#endif
