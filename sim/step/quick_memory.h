/* quick_memory.h - loads and stores of all lanes at once. A part of quick_body.h.
 *
 * One test for all lanes: whether the bytes are aligned and inside of one window. If that fails or
 * may fail, the step that goes lane by lane decides (memory.c). */

/* A window of memory and its first byte. In local memory each lane has its own window, `stride`
 * bytes after the one before. Listeners hear accesses of `space`. */
struct quick_window {
    uint64_t base, size;
    uint8_t *bytes;
    uint64_t stride;
    enum ptx_space space;
    const struct run_buffer *buffer;
};

/* Sets at[i]: the bytes of lane i are at window.bytes + at[i]. Returns 0 if the step must go lane
 * by lane. */
QUICK_INSIDE int quick_offsets(struct run_row from, uint64_t offset, uint64_t bytes, uint64_t align,
                               uint8_t *frame, uint32_t lanes, const struct quick_window *window,
                               uint64_t at[RUN_LANES]) {
    const uint64_t base = window->base, last = window->size - bytes, stride = window->stride;
    uint64_t wrong[RUN_LANES];
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
        const uint64_t low = at[i] & (align - 1);
        at[i] -= base;
        wrong[i] = at[i] > last ? 1 : low;
    }
    if (stride)
        ALL_LANES at[i] += stride * i;
    return !quick_some(wrong);
}

/* All lanes, contiguous; or all at one place. The last lane alone tells most others. */
QUICK_INSIDE int quick_follow(const uint64_t at[RUN_LANES], uint64_t bytes) {
    uint64_t other[RUN_LANES];
    const uint64_t first = at[0];
    ALL_LANES other[i] = at[i] ^ (first + i * bytes);
    return !quick_some(other);
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
#define STORE_LANES for (uint32_t rest = reach_places(lanes, reach->turn); rest; rest &= rest - 1)

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
/* A signed byte for a register of 16 bits, which has zeros above. */
typedef uint16_t quick_s8_16;
INLINE quick_s8_16 quick_read_quick_s8_16(const uint8_t *from) {
    return (quick_s8_16)quick_read_int8_t(from);
}

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

/* Blocks of 16 columns access two rows, or two places. The distance of lanes in each half: 4 or 0
 * bytes; 1: another one. */
enum { HALF = RUN_LANES / 2 };
QUICK_INSIDE int quick_halves(const uint64_t at[RUN_LANES], uint64_t step) {
    const uint64_t low = at[0], high = at[HALF];
    uint64_t other[RUN_LANES];
    ALL_LANES other[i] = at[i] ^ ((i < HALF ? low : high) + i % HALF * step);
    return !quick_some(other);
}
QUICK_INSIDE unsigned quick_half_step(const uint64_t at[RUN_LANES]) {
    const uint64_t far = at[HALF - 1] - at[0];
    if (far == 4 * (HALF - 1))
        return quick_halves(at, 4) ? 4 : 1;
    return !far && quick_halves(at, 0) ? 0 : 1;
}
#include "quick_vectors.h"

INLINE void quick_load_words(uint8_t *frame_row, const uint8_t *from,
                             const uint64_t at[RUN_LANES]) {
    quick_word *row = (quick_word *)(void *)frame_row;
    const unsigned step = quick_half_step(at);
    if (step == 4) {
        memcpy(row, HOST(from, at[0]), 4 * HALF);
        memcpy(row + HALF, HOST(from, at[HALF]), 4 * HALF);
    } else if (step == 0) {
        const uint32_t low = quick_read_uint32_t(HOST(from, at[0]));
        const uint32_t high = quick_read_uint32_t(HOST(from, at[HALF]));
        ALL_LANES row[i] = i < HALF ? low : high;
    } else {
        for (unsigned i = 0; i < RUN_LANES; i += 4) {
            row[i] = quick_read_uint32_t(HOST(from, at[i]));
            row[i + 1] = quick_read_uint32_t(HOST(from, at[i + 1]));
            row[i + 2] = quick_read_uint32_t(HOST(from, at[i + 2]));
            row[i + 3] = quick_read_uint32_t(HOST(from, at[i + 3]));
        }
    }
}
INLINE void quick_store_words(uint8_t *to, const uint8_t *row, const uint64_t at[RUN_LANES],
                              unsigned turn) {
    if (quick_half_step(at) == 4) {
        const unsigned first = turn & HALF, last = first ^ HALF;
        memcpy(HOST(to, at[first]), row + 4 * (size_t)first, 4 * HALF);
        memcpy(HOST(to, at[last]), row + 4 * (size_t)last, 4 * HALF);
        return;
    }
    for (unsigned place = 0; place < RUN_LANES; place += 4) {
        const unsigned i = place ^ (turn & ~3u);
        memcpy(HOST(to, at[i + 3]), row + 4 * (size_t)i + 12, 4);
        memcpy(HOST(to, at[i + 2]), row + 4 * (size_t)i + 8, 4);
        memcpy(HOST(to, at[i + 1]), row + 4 * (size_t)i + 4, 4);
        memcpy(HOST(to, at[i]), row + 4 * (size_t)i, 4);
    }
}

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
        if (at[HALF - 1] == at[0] && quick_halves(at, 0))
            quick_load_two(reach, frame, HOST(window, at[0]), HOST(window, at[HALF]));
        else
            quick_load_fours(reach, frame, window, at);
        return;
    }
    if (quick_is_unit(reach)) {
        if (one)
            quick_load_unit(reach, frame, lanes, HOST(window, at[0]));
        else if (quick_are_pairs(reach, lanes))
            quick_load_pairs(reach, frame, window, at);
        else
            quick_load_units(reach, frame, lanes, window, at);
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
            else if (reach->is_signed)
                LOAD_ROW(words, quick_s8_16);
            else
                LOAD_ROW(words, uint8_t);
            break;
        case 2:
            if (reach->is_signed && row.bits == 32)
                LOAD_ROW(words, int16_t);
            else
                LOAD_ROW(words, uint16_t);
            break;
        case 4:
            if (lanes == ALL && !one)
                quick_load_words(frame + row.at, from, at);
            else
                LOAD_ROW(words, uint32_t);
            break;
        default: LOAD_ROW(longs, uint64_t); break;
        }
    }
}

/* A narrow number of each lane. */
#define STORE_NARROW(type)                                                                         \
    STORE_LANES {                                                                                  \
        const unsigned lane = run_lowest(rest) ^ reach->turn;                                      \
        const type value = (type)row[lane];                                                        \
        memcpy(HOST(window, at[lane]), &value, sizeof value);                                      \
    }
INLINE void quick_store_narrow(const struct reach_plan *reach, const uint8_t *frame, uint32_t lanes,
                               uint8_t *window, const uint64_t at[RUN_LANES]) {
    const quick_word *row = (const quick_word *)(const void *)(frame + reach->row[0].at);
    if (reach->bytes == 1 && quick_is_row(at, lanes, 1)) {
        uint8_t bytes[RUN_LANES];
        ALL_LANES bytes[i] = (uint8_t)row[i];
        memcpy(HOST(window, at[0]), bytes, sizeof bytes);
    } else if (reach->bytes == 1) {
        STORE_NARROW(uint8_t)
    } else {
        STORE_NARROW(uint16_t)
    }
}

/* Lanes go in the order of reach_turn: it matters where they write the same bytes. */
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
    if (quick_is_unit(reach)) {
        if (quick_are_pairs(reach, lanes))
            quick_store_pairs(reach, frame, window, at);
        else
            quick_store_units(reach, frame, lanes, window, at);
        return;
    }
#endif
    if (lanes == ALL && reach->elements == 1 && reach->bytes == 4) {
        quick_store_words(window, frame + reach->row[0].at, at, reach->turn);
        return;
    }
    if (reach->elements == 1 && reach->bytes < 4) {
        quick_store_narrow(reach, frame, lanes, window, at);
        return;
    }
    STORE_LANES {
        const unsigned lane = run_lowest(rest) ^ reach->turn;
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
    const int everywhere = !buffer && run_is_flat(warp->worker->launch->device);
    const uint64_t base = buffer ? buffer->base : 0;
    const uint64_t size = buffer ? buffer->size : everywhere ? RUN_SHARED_WINDOW : 0;
    return (struct quick_window){base, size, run_host(buffer, base), 0, PTX_GLOBAL, buffer};
}
/* That of its own block; at generic addresses if `above` is where they begin. */
QUICK_INSIDE struct quick_window quick_shared(const struct run_warp *warp, uint64_t above) {
    const struct wsim_memory *memory = &warp->block->shared;
    return (struct quick_window){memory->base + above, memory->size, memory->bytes, 0,
                                 PTX_SHARED,           NULL};
}
QUICK_INSIDE struct quick_window quick_local(const struct run_warp *warp, uint64_t above) {
    return (struct quick_window){
        above, warp->local_used, warp->local, warp->local_stride, PTX_LOCAL, NULL};
}
/* Parameters and constants are only read. */
QUICK_INSIDE struct quick_window quick_param(const struct run_warp *warp) {
    const struct run_launch *launch = warp->worker->launch;
    uint8_t *bytes = (uint8_t *)(uintptr_t)launch->params;
    return (struct quick_window){0, launch->how->param_bytes, bytes, 0, PTX_PARAM, NULL};
}
QUICK_INSIDE struct quick_window quick_const(const struct run_warp *warp) {
    const struct wsim_memory *memory = &warp->worker->launch->attached->constant;
    return (struct quick_window){0, memory->size, memory->bytes, 0, PTX_CONST, NULL};
}

/* The pattern of a load, which is most often the last one of its operation. */
QUICK_INSIDE const struct run_pattern *
quick_pattern(struct run_worker *worker, const struct run_op *op, const uint64_t at[RUN_LANES]) {
    const struct reach_plan *reach = op->more;
    const struct run_pattern *last = &worker->patterns[*run_pattern_of(worker, op)];
    uint64_t other[RUN_LANES];
    ALL_LANES other[i] = (at[i] - at[0]) ^ (uint64_t)(int64_t)last->apart[i];
    if (last->bytes != reach->bytes * reach->elements || quick_some(other))
        return hear_pattern_of(worker, op, at);
    return last;
}

/* Kept out of line: launches without listeners have none of it between offsets and bytes. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void
quick_tell(uint8_t *frame, const struct run_op *op, uint32_t lanes, struct run_warp *warp,
           const struct quick_window *window, const uint64_t at[RUN_LANES]) {
    const struct reach_plan *reach = op->more;
    const int shared = window->space == PTX_SHARED;
    const struct hear_memory memory = {shared ? warp->block->shared.base : window->base,
                                       window->bytes, window->buffer, shared ? warp->block : NULL};
    int counts = warp->worker->traffic.n != 0;
    enum run_shape shape = RUN_SCATTERED;
    const struct run_pattern *pattern = NULL;
    if (quick_is_one(at))
        shape = RUN_AT_ONE;
    else if (quick_is_row(at, lanes, (uint64_t)reach->bytes * reach->elements))
        shape = RUN_IN_ROW;
    if (shape == RUN_SCATTERED && lanes == ALL && reach->kind == RUN_READ && !reach->unused)
        pattern = quick_pattern(warp->worker, op, at);
    if (counts && !reach->unused &&
        hear_traffic_again(warp, op, &memory, at, lanes, shape, pattern))
        counts = 0;
    if (counts || warp->worker->hears >> window->space & 1)
        hear_window(frame, op, lanes, warp, &memory, at, shape, pattern, counts);
}

/* Loads or stores, if all lanes are inside of that window. 0: they are not; 2: registers have
 * uninitialised bits. */
QUICK_INSIDE int quick_access(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp, const struct quick_window window) {
    const struct reach_plan *reach = op->more;
    const uint64_t bytes = (uint64_t)reach->bytes * reach->elements;
    const uint64_t align = bytes + (uint64_t)reach->bytes * reach->unused;
    uint64_t at[RUN_LANES];
    int done = 1;
    if (!quick_offsets(reach->base, reach->offset, bytes, align, frame, lanes, &window, at))
        return 0;
    if (warp->worker->tells >> window.space & 1) {
        if (window.space == PTX_LOCAL && !(warp->worker->hears_whole >> PTX_LOCAL & 1))
            hear_local(frame, op, lanes, warp, at);
        else if (window.space == PTX_GLOBAL || window.space == PTX_SHARED)
            quick_tell(frame, op, lanes, warp, &window, at);
        else
            return 0;
        if (hear_refuses(warp))
            return 0; /* the other step says so */
        done += warp->taint != NULL;
    }
    if (reach->kind == RUN_READ) {
        quick_load(reach, frame, lanes, window.bytes, at);
    } else {
        quick_store(reach, frame, lanes, window.bytes, at);
        warp->block->unit->events++;
    }
    return done;
}

/* The buffer of the first lane, where the last one does not fit. 0: it is the same, or none. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static int
quick_turn(const uint8_t *frame, const struct run_op *op, uint32_t lanes, struct run_warp *warp) {
    const struct reach_plan *reach = op->more;
    const void *row = frame + reach->base.at;
    const uint64_t bytes = (uint64_t)reach->bytes * reach->elements;
    const struct run_buffer **near = run_near(warp->worker, op), *buffer;
    if (reach->base.bits <= 32)
        return 0;
    buffer = run_buffer_open(warp->worker->launch->device,
                             ((const quick_long *)row)[run_lowest(lanes)] + reach->offset, bytes);
    if (!buffer || buffer == *near)
        return 0;
    *near = buffer;
    return 1;
}

#define ACCESS(id, access)                                                                         \
    STEP_HEAD(id) {                                                                                \
        const int done = access;                                                                   \
        if (!done)                                                                                 \
            return memory_step(frame, op, lanes, warp);                                            \
        return done > 1 ? RUN_TAINT : RUN_ON;                                                      \
    }
#define ACCESS_GLOBAL(id, access)                                                                  \
    STEP_HEAD(id) {                                                                                \
        int done;                                                                                  \
        do                                                                                         \
            done = access;                                                                         \
        while (!done && quick_turn(frame, op, lanes, warp));                                       \
        if (!done)                                                                                 \
            return memory_step(frame, op, lanes, warp);                                            \
        return done > 1 ? RUN_TAINT : RUN_ON;                                                      \
    }
#define WITHIN(window) quick_access(frame, op, lanes, warp, window)
ACCESS_GLOBAL(quick_at_global, WITHIN(quick_global(warp, op)))
ACCESS(quick_at_shared, WITHIN(quick_shared(warp, 0)))
ACCESS(quick_at_local, WITHIN(quick_local(warp, 0)))
/* The window that the first lane is in. */
QUICK_INSIDE struct quick_window quick_any(const uint8_t *frame, const struct run_op *op,
                                           uint32_t lanes, const struct run_warp *warp) {
    const struct reach_plan *reach = op->more;
    const unsigned lane = run_lowest(lanes);
    const void *row = frame + reach->base.at;
    const uint64_t at = reach->base.bits > 32 ? ((const quick_long *)row)[lane] + reach->offset : 0;
    switch (at >> 56) {
    case RUN_SHARED_WINDOW >> 56: return quick_shared(warp, RUN_SHARED_WINDOW);
    case RUN_LOCAL_WINDOW >> 56: return quick_local(warp, RUN_LOCAL_WINDOW);
    default: return quick_global(warp, op);
    }
}
ACCESS_GLOBAL(quick_at_any, WITHIN(quick_any(frame, op, lanes, warp)))

/* Whether all lanes are `step` bytes apart. */
#define QUICK_APART(type)                                                                          \
    QUICK_INSIDE int quick_apart_##type(const type *row, type step) {                              \
        const type first = row[0];                                                                 \
        type other[RUN_LANES];                                                                     \
        ALL_LANES other[i] = row[i] ^ (first + (type)i * step);                                    \
        return !quick_some_##type(other);                                                          \
    }
QUICK_APART(quick_word)
QUICK_APART(quick_long)

INLINE void quick_move_half(void *to, const uint8_t *from, unsigned bytes) {
    if (bytes == 4)
        memcpy(to, from, 4 * HALF);
    else
        memcpy(to, from, 8 * HALF);
}

/* A row of registers of 4 or 8 bytes, from the place of the first lane on. */
QUICK_OUTSIDE void quick_load_pattern(void *row, const uint8_t *first,
                                      const struct run_pattern *pattern) {
    const uint8_t *high = first + pattern->apart[HALF];
    uint32_t low_word, high_word, *words = row;
    if (pattern->step && pattern->step == pattern->bytes) {
        quick_move_half(row, first, pattern->bytes);
        quick_move_half((uint8_t *)row + (size_t)HALF * pattern->bytes, high, pattern->bytes);
    } else if (!pattern->step && pattern->bytes == 4) {
        memcpy(&low_word, first, 4);
        memcpy(&high_word, high, 4);
        ALL_LANES words[i] = i < HALF ? low_word : high_word;
    } else if (pattern->bytes == 4) {
        for (unsigned i = 0; i < RUN_LANES; i++)
            memcpy(&words[i], first + pattern->apart[i], 4);
    } else {
        for (unsigned i = 0; i < RUN_LANES; i++)
            reach_copy((uint8_t *)row + (size_t)i * pattern->bytes, first + pattern->apart[i],
                       pattern->bytes);
    }
}

/* Tells listeners of lanes side by side, of loads of one place, or of a pattern (NULL: none). They
 * need the first lane alone,
 * or the other step tells them: 0. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static int
quick_tell_shape(uint8_t *frame, const struct run_op *op, struct run_warp *warp,
                 const struct quick_window *window, uint64_t from, enum run_shape shape,
                 const struct run_pattern *pattern) {
    const struct run_worker *worker = warp->worker;
    /* The window of a block is where it has been for long. One that was just put together would be
     * waited for. */
    const struct wsim_memory *shared = &warp->block->shared;
    const struct hear_memory memory =
        window->space == PTX_SHARED
            ? (struct hear_memory){shared->base, shared->bytes, NULL, warp->block}
            : (struct hear_memory){window->base, window->bytes, window->buffer, NULL};
    uint64_t at[RUN_LANES];
    if (worker->hears_whole >> window->space & 1)
        return 0;
    at[0] = from;
    if (worker->traffic.n && !hear_traffic_again(warp, op, &memory, at, ALL, shape, pattern))
        return 0;
    if (worker->hears >> window->space & 1)
        hear_window(frame, op, ALL, warp, &memory, at, shape, pattern, 0);
    return !hear_refuses(warp);
}

QUICK_INSIDE int quick_fits(const struct quick_window *window, uint64_t from, uint64_t span) {
    return window->size >= span && from <= window->size - span;
}

/* Tells listeners of a load of a pattern, and loads. 0: it has none, or the other step tells them.
 */
#define QUICK_PATTERN(type)                                                                        \
    QUICK_OUTSIDE int quick_pattern_##type(uint8_t *frame, const struct run_op *op,                \
                                           struct run_warp *warp,                                  \
                                           const struct quick_window *window, uint64_t from) {     \
        const struct reach_plan *reach = op->more;                                                 \
        const struct run_pattern *pattern =                                                        \
            &warp->worker->patterns[*run_pattern_of(warp->worker, op)];                            \
        const type *row = (const type *)(const void *)(frame + reach->base.at), first = row[0];    \
        type other[RUN_LANES];                                                                     \
        ALL_LANES other[i] = row[i] ^ (first + (type)pattern->apart[i]);                           \
        if (pattern->bytes != reach->bytes || quick_some_##type(other) ||                          \
            !quick_fits(window, from + (uint64_t)(int64_t)pattern->low, pattern->span) ||          \
            !quick_tell_shape(frame, op, warp, window, from, RUN_SCATTERED, pattern))              \
            return 0;                                                                              \
        quick_load_pattern(frame + reach->row[0].at, HOST(window->bytes, from), pattern);          \
        return 1;                                                                                  \
    }
QUICK_PATTERN(quick_word)
QUICK_PATTERN(quick_long)

/* Fast path of a load or store of one number a lane. Lanes that are side by side, or that load one
 * place or in a pattern, leave early. `otherwise` is the step for all other accesses. */
#define QUICK_HEARD(shape)                                                                         \
    (!(warp->worker->tells >> window.space & 1) ||                                                 \
     quick_tell_shape(frame, op, warp, &window, from, shape, NULL))
#define QUICK_FITS(from, span) quick_fits(&window, from, span)
#define QUICK_LANES(id, address, loads, word, wide, window_of, otherwise)                          \
    STEP_HEAD(id) {                                                                                \
        const struct reach_plan *reach = op->more;                                                 \
        const struct quick_window window = window_of;                                              \
        const address *at = (const address *)(const void *)(frame + reach->base.at);               \
        const address far = at[RUN_LANES - 1] - at[0];                                             \
        const uint64_t from = (address)(at[0] + (address)reach->offset) - window.base;             \
        word *row = (word *)(void *)(frame + reach->row[0].at);                                    \
        if (lanes != ALL || ((window.base + from) & ((wide)-1)))                                   \
            return otherwise(frame, op, lanes, warp);                                              \
        if (far == (RUN_LANES - 1) * (wide) && QUICK_FITS(from, RUN_LANES * (wide)) &&             \
            quick_apart_##address(at, wide) && QUICK_HEARD(RUN_IN_ROW)) {                          \
            if (loads) {                                                                           \
                memcpy(row, HOST(window.bytes, from), RUN_LANES *(wide));                          \
            } else {                                                                               \
                memcpy(HOST(window.bytes, from), row, RUN_LANES *(wide));                          \
                warp->block->unit->events++;                                                       \
            }                                                                                      \
            return warp->taint ? RUN_TAINT : RUN_ON;                                               \
        }                                                                                          \
        if (!(loads))                                                                              \
            return otherwise(frame, op, lanes, warp);                                              \
        if (!far && QUICK_FITS(from, wide) && quick_apart_##address(at, 0) &&                      \
            QUICK_HEARD(RUN_AT_ONE)) {                                                             \
            word value;                                                                            \
            memcpy(&value, HOST(window.bytes, from), wide);                                        \
            ALL_LANES row[i] = value;                                                              \
            return warp->taint ? RUN_TAINT : RUN_ON;                                               \
        }                                                                                          \
        if (far && warp->worker->tells >> window.space & 1 &&                                      \
            quick_pattern_##address(frame, op, warp, &window, from))                               \
            return warp->taint ? RUN_TAINT : RUN_ON;                                               \
        return otherwise(frame, op, lanes, warp);                                                  \
    }
#define QUICK_AT_GLOBAL(id, loads, word, wide)                                                     \
    QUICK_LANES(id, quick_long, loads, word, wide, quick_global(warp, op), quick_at_global)
#define QUICK_AT_SHARED(id, loads, word, wide)                                                     \
    QUICK_LANES(id, quick_word, loads, word, wide, quick_shared(warp, 0), quick_at_shared)
QUICK_AT_GLOBAL(quick_load_global_4, 1, quick_word, 4)
QUICK_AT_GLOBAL(quick_store_global_4, 0, quick_word, 4)
QUICK_AT_GLOBAL(quick_load_global_8, 1, quick_long, 8)
QUICK_AT_GLOBAL(quick_store_global_8, 0, quick_long, 8)
QUICK_AT_SHARED(quick_load_shared_4, 1, quick_word, 4)
QUICK_AT_SHARED(quick_store_shared_4, 0, quick_word, 4)
QUICK_AT_SHARED(quick_load_shared_8, 1, quick_long, 8)
QUICK_AT_SHARED(quick_store_shared_8, 0, quick_long, 8)
ACCESS(quick_at_param, WITHIN(quick_param(warp)))

/* A load at an address that is a constant: every lane gets the same bytes. */
STEP_HEAD(quick_load_param) {
    const struct reach_plan *reach = op->more;
    const struct quick_window window = quick_param(warp);
    const uint64_t bytes = (uint64_t)reach->bytes * reach->elements;
    const uint64_t from =
        *(const quick_long *)(const void *)(frame + reach->base.at) + reach->offset;
    uint64_t value = 0;
    if ((warp->worker->tells >> PTX_PARAM & 1) || window.size < bytes ||
        from > window.size - bytes || (from & (bytes - 1)))
        return memory_step(frame, op, lanes, warp);
    for (unsigned e = 0; e < reach->elements; e++) {
        const struct run_row row = reach->row[e];
        const uint8_t *at = window.bytes + from + (size_t)e * reach->bytes;
        quick_word *words = (quick_word *)(void *)(frame + row.at);
        quick_long *longs = (quick_long *)(void *)(frame + row.at);
        switch (reach->bytes) {
        case 1: value = reach->is_signed ? (uint32_t)(int8_t)*at : *at; break;
        case 2:
            value = reach->is_signed ? (uint32_t)quick_read_int16_t(at) : quick_read_uint16_t(at);
            break;
        case 4: value = quick_read_uint32_t(at); break;
        default: value = quick_read_uint64_t(at); break;
        }
        if (row.bits == 64 && lanes == ALL)
            ALL_LANES longs[i] = value;
        else if (row.bits == 64)
            ALL_LANES longs[i] = lanes >> i & 1 ? value : longs[i];
        else if (row.bits)
            ALL_LANES words[i] = lanes >> i & 1 ? (uint32_t)value & quick_mask(row.bits) : words[i];
    }
    return RUN_ON;
}
ACCESS(quick_at_const, WITHIN(quick_const(warp)))
