/* quick_tape.h - steps of tapes beside those that a kernel has (tape.h). A part of quick_body.h. */

#include "../sync/lanes.h"
#include "tape.h"

#define TAPE_PLACE(moved) HOST((uintptr_t)op->immediate, (moved)->by)

/* A step whose guard depends on data. */
STEP_HEAD(quick_tape_guarded) {
    const struct run_op *guarded = op->more;
    const uint32_t on = lanes & (*run_pred(frame, op->guard) ^ op->flip);
    return on ? guarded->step(frame, guarded, on, warp) : RUN_ON;
}

STEP_HEAD(quick_tape_gather) {
    const struct sync_gather *gather = op->more;
    (void)lanes, (void)warp;
    gather->quick(gather, frame);
    return RUN_ON;
}

/* A shfl that reads from lanes that are known. */
STEP_HEAD(quick_tape_shuffle) {
    const struct sync_gather *gather = op->more;
    const quick_word *a = ROW(u32, 1);
    quick_word *to = ROW(u32, 0);
#if defined(__AVX512F__)
    const __m128i *from = (const __m128i *)(const void *)gather->from;
    const __m512i low = _mm512_cvtepu8_epi32(_mm_loadu_si128(from));
    const __m512i high = _mm512_cvtepu8_epi32(_mm_loadu_si128(from + 1));
    const __m512i x = _mm512_loadu_si512(a), y = _mm512_loadu_si512(a + 16);
    _mm512_storeu_si512(to, _mm512_permutex2var_epi32(x, low, y));
    _mm512_storeu_si512(to + 16, _mm512_permutex2var_epi32(x, high, y));
#else
    uint32_t words[RUN_LANES];
    memcpy(words, a, sizeof words);
    for (unsigned i = 0; i < RUN_LANES; i++)
        to[i] = words[gather->from[i]];
#endif
    (void)lanes, (void)warp;
    return RUN_ON;
}

/* Lanes of a row that is known or moves. */
STEP_HEAD(quick_tape_row_1) {
    uint32_t *to = run_pred(frame, op->at[0]);
    (void)warp;
    *to = (*to & ~lanes) | (*run_pred(frame, op->at[1]) & lanes);
    return RUN_ON;
}
#define TAPE_FILL(id, type)                                                                        \
    STEP_HEAD(quick_tape_row_##id) {                                                               \
        const struct tape_moved *moved = op->more;                                                 \
        const AS_##type by = (AS_##type)moved->by;                                                 \
        const ROW_##type *from = ROW(type, 1);                                                     \
        ROW_##type *to = ROW(type, 0);                                                             \
        (void)warp;                                                                                \
        if (lanes == ALL)                                                                          \
            ALL_LANES to[i] = from[i] + by;                                                        \
        else                                                                                       \
            ALL_LANES to[i] = lanes >> i & 1 ? from[i] + by : to[i];                               \
        return RUN_ON;                                                                             \
    }
TAPE_FILL(32, u32)
TAPE_FILL(64, u64)

STEP_HEAD(quick_tape_load) {
    const struct tape_lanes_at *access = op->more;
    (void)warp;
    quick_load(access->reach, frame, lanes, TAPE_PLACE(access->moved), access->at);
    return RUN_ON;
}
STEP_HEAD(quick_tape_store) {
    const struct tape_lanes_at *access = op->more;
    (void)warp;
    quick_store(access->reach, frame, lanes, TAPE_PLACE(access->moved), access->at);
    return RUN_ON;
}

/* A row of memory, and that of the next block, which is often the next one to play. */
#if defined(__GNUC__)
#define TAPE_PREFETCH(at) __builtin_prefetch(at)
#else
#define TAPE_PREFETCH(at) ((void)0)
#endif
#define TAPE_ROW_OF(id, bytes)                                                                     \
    STEP_HEAD(quick_tape_load_##id) {                                                              \
        const struct tape_moved *moved = op->more;                                                 \
        const uint8_t *place = TAPE_PLACE(moved);                                                  \
        (void)lanes, (void)warp;                                                                   \
        memcpy(frame + op->at[0], place, (bytes));                                                 \
        for (unsigned i = 0; i < (bytes); i += 64)                                                 \
            TAPE_PREFETCH(HOST(place, moved->ahead + i));                                          \
        return RUN_ON;                                                                             \
    }                                                                                              \
    STEP_HEAD(quick_tape_store_##id) {                                                             \
        const struct tape_moved *moved = op->more;                                                 \
        (void)lanes, (void)warp;                                                                   \
        memcpy(TAPE_PLACE(moved), frame + op->at[0], (bytes));                                     \
        return RUN_ON;                                                                             \
    }
TAPE_ROW_OF(4, 4 * RUN_LANES)
TAPE_ROW_OF(8, 8 * RUN_LANES)

/* Words of some lanes, which are as far apart as the lanes. */
QUICK_INSIDE void quick_tape_some(uint8_t *to, const uint8_t *from, uint32_t lanes) {
#if defined(__AVX512F__)
    const __mmask16 low = (__mmask16)lanes, high = (__mmask16)(lanes >> 16);
    _mm512_mask_storeu_epi32(to, low, _mm512_maskz_loadu_epi32(low, from));
    _mm512_mask_storeu_epi32(to + 64, high, _mm512_maskz_loadu_epi32(high, from + 64));
#else
    MOVE_LANES memcpy(to + 4 * (size_t)run_lowest(rest), from + 4 * (size_t)run_lowest(rest), 4);
#endif
}
STEP_HEAD(quick_tape_load_some) {
    const struct tape_moved *moved = op->more;
    (void)warp;
    quick_tape_some(frame + op->at[0], TAPE_PLACE(moved), lanes);
    return RUN_ON;
}
STEP_HEAD(quick_tape_store_some) {
    const struct tape_moved *moved = op->more;
    (void)warp;
    quick_tape_some(TAPE_PLACE(moved), frame + op->at[0], lanes);
    return RUN_ON;
}

/* One word for some lanes. */
STEP_HEAD(quick_tape_load_one) {
    const struct tape_moved *moved = op->more;
    const uint32_t value = quick_read_uint32_t(TAPE_PLACE(moved));
    quick_word *to = ROW(u32, 0);
    (void)warp;
    if (lanes == ALL)
        ALL_LANES to[i] = value;
    else
        ALL_LANES to[i] = lanes >> i & 1 ? value : to[i];
    return RUN_ON;
}

run_step *const QUICK_TAPE[] = {
#define TAPE(ID, id) quick_tape_##id,
    TAPE_KINDS(TAPE)
#undef TAPE
};
