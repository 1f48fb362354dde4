/* quick_loop.h - runs the loops of loop.h. A part of quick_body.h. */

#define QUICK_LANE_OF(value, i)                                                                    \
    ((value)[0] + (i) % 8 * (value)[1] + (i) / 8 % 2 * (value)[2] + (i) / 16 * (value)[3])

/* Finds the sum that a row is, if it is one; and writes a row. */
#define QUICK_EVEN(type, name)                                                                     \
    INLINE int quick_find_##name(const type *row, struct loop_even *even) {                        \
        const type value[4] = {row[0], row[1] - row[0], row[8] - row[0], row[16] - row[0]};        \
        type other[RUN_LANES];                                                                     \
        ALL_LANES other[i] = row[i] ^ (type)QUICK_LANE_OF(value, (type)i);                         \
        for (unsigned k = 0; k < 4; k++)                                                           \
            even->at[k] = value[k];                                                                \
        return !quick_some_##type(other);                                                          \
    }                                                                                              \
    INLINE void quick_write_##name(type *row, const struct loop_even *even) {                      \
        const type value[4] = {(type)even->at[0], (type)even->at[1], (type)even->at[2],            \
                               (type)even->at[3]};                                                 \
        ALL_LANES row[i] = (type)QUICK_LANE_OF(value, (type)i);                                    \
    }
QUICK_EVEN(quick_word, 32)
QUICK_EVEN(quick_long, 64)

/* Most rounds write no row. */
QUICK_OUTSIDE void quick_freshen(const struct run_loop *loop, uint8_t *frame,
                                 const struct loop_even *even, uint64_t stale) {
    for (unsigned r = 0; stale; r++, stale >>= 1) {
        void *row = frame + loop->rows[r].at;
        if (!(stale & 1))
            continue;
        if (loop->rows[r].bits == 64)
            quick_write_64(row, &even[r]);
        else
            quick_write_32(row, &even[r]);
    }
}

/* Returns the rows that are even at the beginning; 0: too few are. */
QUICK_OUTSIDE uint64_t quick_enter(const struct run_loop *loop, const uint8_t *frame,
                                   struct loop_even *even) {
    unsigned asked = 0, found = 0;
    uint64_t known = 0;
    for (unsigned r = 0; r < loop->n_rows; r++) {
        const struct loop_row *row = &loop->rows[r];
        const void *at = frame + row->at;
        int is_even = 1;
        if (!row->enters)
            continue;
        if (row->is_constant)
            even[r] = (struct loop_even){
                {row->bits == 64 ? *(const quick_long *)at : *(const quick_word *)at, 0, 0, 0}};
        else
            is_even = row->bits == 64 ? quick_find_64(at, &even[r]) : quick_find_32(at, &even[r]);
        known |= (uint64_t)is_even << r;
        asked += !row->is_constant;
        found += is_even && !row->is_constant;
    }
    return 2 * found >= asked ? known : 0;
}

/* --- operations --- */

QUICK_INSIDE void quick_loop_sum(const struct loop_op *in, struct loop_even *even, uint64_t mask) {
    const struct loop_even *x = &even[in->in[0]], *y = &even[in->in[1]];
    struct loop_even sum;
    for (unsigned k = 0; k < 4; k++)
        sum.at[k] = (x->at[k] + y->at[k]) & mask;
    even[in->to] = sum;
}

/* 0: it may differ from lane to lane. */
QUICK_INSIDE int quick_loop_test(uint8_t *frame, const struct run_op *op, const struct loop_op *in,
                                 const struct loop_even *even) {
    const struct loop_even *x = &even[in->in[0]], *y = &even[in->in[1]];
    int answer = 0;
    if (!loop_differs(x) && !loop_differs(y))
        answer = in->one(op, x->at[0], y->at[0], 0) != 0;
    else if (!loop_answer(in, x, y, &answer))
        return 0;
    quick_answer(frame, op, ALL, answer ? ALL : 0);
    return 1;
}

/* Where an access of an even address is, if it is aligned and inside of the window. */
struct quick_place {
    int is_row, is_same; /* 32 lanes side by side; one place */
    uint64_t from;
};
QUICK_INSIDE int quick_find_place(const struct quick_window *window, const struct loop_even *at,
                                  uint64_t offset, uint64_t mask, unsigned wide,
                                  struct quick_place *place) {
    const uint64_t address = (at->at[0] + offset) & mask, from = address - window->base;
    const int row = !((at->at[1] ^ wide) | (at->at[2] ^ 8 * wide) | (at->at[3] ^ 16 * wide));
    const uint64_t span = row ? RUN_LANES * wide : wide;
    *place = (struct quick_place){row, !loop_differs(at), from};
    return window->size >= span && from <= window->size - span && !(address & (wide - 1));
}

/* The same of two halves: each is lanes side by side, or one place. */
struct quick_halves {
    int are_same;
    uint64_t from[2];
};
QUICK_INSIDE int quick_find_halves(const struct quick_window *window, const struct loop_even *at,
                                   uint64_t offset, uint64_t mask, unsigned wide,
                                   struct quick_halves *halves) {
    const uint64_t low = (at->at[0] + offset) & mask,
                   high = (at->at[0] + at->at[3] + offset) & mask;
    const uint64_t step = at->at[1], span = step ? HALF * wide : wide, last = window->size - span;
    *halves = (struct quick_halves){!step, {low - window->base, high - window->base}};
    return (step == wide || !step) && at->at[2] == 8 * step && window->size >= span &&
           halves->from[0] <= last && halves->from[1] <= last && !((low | high) & (wide - 1));
}

/* Tells listeners of all lanes. 0: the access must not take place. */
QUICK_OUTSIDE int quick_tell_even(uint8_t *frame, const struct run_op *op, struct run_warp *warp,
                                  const struct quick_window *window, const struct loop_even *even,
                                  uint64_t offset, uint64_t mask) {
    uint64_t at[RUN_LANES];
    ALL_LANES at[i] = ((QUICK_LANE_OF(even->at, (uint64_t)i) + offset) & mask) - window->base;
    quick_tell(frame, op, ALL, warp, window, at);
    return !hear_refuses(warp);
}

/* The work that an access has done. QUICK_LOOP_NOT: nothing, the step has to. QUICK_LOOP_HEARD:
 * nothing but telling listeners, so the step has to that goes on after them in QUICK_LANES.
 * QUICK_LOOP_REFUSED: the same in quick_access. */
enum quick_loop_done {
    QUICK_LOOP_NOT,
    QUICK_LOOP_HEARD,
    QUICK_LOOP_REFUSED,
    QUICK_LOOP_MOVED,
    QUICK_LOOP_SAME
};

QUICK_OUTSIDE enum quick_loop_done
quick_loop_halves(uint8_t *frame, const struct run_op *op, const struct loop_op *in,
                  struct run_warp *warp, struct loop_runs *runs, const struct loop_even *at,
                  const struct quick_window *window, int loads, unsigned wide) {
    const uint64_t mask = window->space == PTX_SHARED ? ALL : UINT64_MAX;
    uint8_t *row = frame + in->row, *bytes[2];
    struct quick_halves halves;
    if (!quick_find_halves(window, at, in->offset, mask, wide, &halves) ||
        (halves.are_same && !loads))
        return QUICK_LOOP_NOT;
    if (warp->worker->tells >> window->space & 1 &&
        !(window->space == PTX_GLOBAL &&
          loop_runs_on(runs, op, in, warp,
                       (struct loop_load){window->buffer, halves.from[0],
                                          halves.from[1] - halves.from[0],
                                          halves.are_same ? wide : HALF * wide})) &&
        !quick_tell_even(frame, op, warp, window, at, in->offset, mask))
        return QUICK_LOOP_REFUSED;
    bytes[0] = HOST(window->bytes, halves.from[0]);
    bytes[1] = HOST(window->bytes, halves.from[1]);
    if (halves.are_same && wide == 4) {
        const uint32_t low = quick_read_uint32_t(bytes[0]), high = quick_read_uint32_t(bytes[1]);
        quick_word *words = (quick_word *)(void *)row;
        ALL_LANES words[i] = i < HALF ? low : high;
    } else if (halves.are_same) {
        const uint64_t low = quick_read_uint64_t(bytes[0]), high = quick_read_uint64_t(bytes[1]);
        quick_long *longs = (quick_long *)(void *)row;
        ALL_LANES longs[i] = i < HALF ? low : high;
    } else {
        const unsigned turned = !loads && ((const struct reach_plan *)op->more)->turn & HALF;
        for (unsigned place = 0; place < 2; place++) {
            const unsigned half = turned ? 1 - place : place;
            uint8_t *part = row + half * HALF * wide;
            memcpy(loads ? part : bytes[half], loads ? bytes[half] : part, HALF * wide);
        }
        if (!loads)
            warp->block->unit->events++;
    }
    return QUICK_LOOP_MOVED;
}

QUICK_INSIDE enum quick_loop_done quick_loop_access(uint8_t *frame, const struct run_op *op,
                                                    const struct loop_op *in, struct run_warp *warp,
                                                    struct loop_runs *runs, struct loop_even *even,
                                                    unsigned kind) {
    const unsigned wide = kind & LOOP_WIDE ? 8 : 4;
    const int loads = !(kind & LOOP_STORES);
    const uint64_t mask = kind & LOOP_SHARED ? ALL : UINT64_MAX;
    const struct quick_window window =
        kind & LOOP_SHARED ? quick_shared(warp, 0) : quick_global(warp, op);
    const struct loop_even *at = &even[in->in[0]];
    const int heard = (int)(warp->worker->tells >> window.space & 1);
    uint8_t *row = frame + in->row;
    struct quick_place place;
    if (!quick_find_place(&window, at, in->offset, mask, wide, &place))
        return QUICK_LOOP_NOT;
    if (place.is_row) {
        if (heard &&
            !(!(kind & LOOP_SHARED) &&
              loop_runs_on(runs, op, in, warp,
                           (struct loop_load){window.buffer, place.from, 0, RUN_LANES * wide})) &&
            !quick_tell_shape(frame, op, warp, &window, place.from, RUN_IN_ROW, NULL))
            return QUICK_LOOP_HEARD;
        if (loads)
            memcpy(row, HOST(window.bytes, place.from), RUN_LANES * wide);
        else
            memcpy(HOST(window.bytes, place.from), row, RUN_LANES * wide);
    } else if (loads && place.is_same) {
        uint64_t value;
        if (heard &&
            !(!(kind & LOOP_SHARED) &&
              loop_runs_on(runs, op, in, warp,
                           (struct loop_load){window.buffer, place.from, 0, wide})) &&
            !quick_tell_shape(frame, op, warp, &window, place.from, RUN_AT_ONE, NULL))
            return QUICK_LOOP_HEARD;
        value = wide == 4 ? quick_read_uint32_t(HOST(window.bytes, place.from))
                          : quick_read_uint64_t(HOST(window.bytes, place.from));
        if (in->to != LOOP_NONE) {
            even[in->to] = (struct loop_even){{value, 0, 0, 0}};
            return QUICK_LOOP_SAME;
        }
        if (wide == 4)
            ALL_LANES((quick_word *)(void *)row)[i] = (uint32_t)value;
        else
            ALL_LANES((quick_long *)(void *)row)[i] = value;
    } else {
        return quick_loop_halves(frame, op, in, warp, runs, at, &window, loads, wide);
    }
    if (!loads)
        warp->block->unit->events++;
    return QUICK_LOOP_MOVED;
}

/* The same of accesses that fewer loops have. */
QUICK_OUTSIDE enum quick_loop_done quick_loop_other(uint8_t *frame, const struct run_op *op,
                                                    const struct loop_op *in, struct run_warp *warp,
                                                    struct loop_runs *runs,
                                                    struct loop_even *even) {
    return quick_loop_access(frame, op, in, warp, runs, even, in->kind - LOOP_LOAD_GLOBAL_4);
}

#if defined(QUICK_FLOATS) && defined(QUICK_FMA)
/* A fused multiply-add with a factor that is one number and has no row. 0: there is none, or the
 * step has to find other rows too. */
QUICK_INSIDE int quick_loop_product(uint8_t *frame, const struct run_op *op,
                                    const struct loop_op *in, const struct loop_even *even,
                                    uint64_t stale) {
    const unsigned factor = in->in[0] < LOOP_ROWS && stale >> in->in[0] & 1 ? 0 : 1;
    const unsigned one = in->in[factor];
    const quick_word *from_b = ROW(u32, 2 - factor), *from_c = ROW(u32, 3);
    quick_word *to = ROW(u32, 0);
    uint32_t x;
    if (one >= LOOP_ROWS || stale != UINT64_C(1) << one || in->in[1 - factor] == one ||
        in->in[2] == one || loop_differs(&even[one]))
        return 0;
    x = (uint32_t)even[one].at[0];
    ALL_LANES to[i] = quick_lane_fma_f32(x, from_b[i], from_c[i]);
    return 1;
}

/* Whether both loads of a product go on with their runs. */
QUICK_INSIDE int quick_both_go_on(struct loop_runs *runs, const struct loop_op *in,
                                  struct loop_load a, struct loop_load b) {
    struct hear_run *first = &runs->runs[in[0].run], *second = &runs->runs[in[1].run];
    if (in[0].run == LOOP_RUNS || in[1].run == LOOP_RUNS || first->n < 2 || second->n < 2 ||
        !loop_goes_on(first, &a) || !loop_goes_on(second, &b))
        return 0;
    loop_go_on(first);
    loop_go_on(second);
    return 1;
}

/* Two loads, one of lanes side by side and one of one place, and the product. */
QUICK_INSIDE int quick_loop_loaded(uint8_t *frame, const struct run_op *op,
                                   const struct loop_op *in, struct run_warp *warp,
                                   struct loop_runs *runs, const struct loop_even *even) {
    const struct quick_window a = quick_global(warp, op), b = quick_global(warp, op + 1);
    const quick_word *from_b, *from_c = (const quick_word *)(const void *)(frame + op[2].at[3]);
    quick_word *to = (quick_word *)(void *)(frame + op[2].at[0]);
    struct quick_place first, second;
    uint32_t x;
    if (!quick_find_place(&a, &even[in[0].in[0]], in[0].offset, UINT64_MAX, 4, &first) ||
        !quick_find_place(&b, &even[in[1].in[0]], in[1].offset, UINT64_MAX, 4, &second))
        return 0;
    if (!(first.is_row ? second.is_same : first.is_same && second.is_row) ||
        (runs->n &&
         !quick_both_go_on(
             runs, in,
             (struct loop_load){a.buffer, first.from, 0, first.is_row ? 4 * RUN_LANES : 4},
             (struct loop_load){b.buffer, second.from, 0, second.is_row ? 4 * RUN_LANES : 4})))
        return 0;
    if (first.is_row) {
        x = quick_read_uint32_t(HOST(b.bytes, second.from));
        from_b = (const quick_word *)(const void *)HOST(a.bytes, first.from);
    } else {
        x = quick_read_uint32_t(HOST(a.bytes, first.from));
        from_b = (const quick_word *)(const void *)HOST(b.bytes, second.from);
    }
    ALL_LANES to[i] = quick_lane_fma_f32(x, from_b[i], from_c[i]);
    return 1;
}

QUICK_OUTSIDE int quick_halves_go_on(struct loop_runs *runs, const struct loop_op *in,
                                     struct loop_load a, struct loop_load b) {
    return quick_both_go_on(runs, in, a, b);
}

/* The same by halves, as blocks of 16 columns do it. */
QUICK_OUTSIDE int quick_loop_half_loaded(uint8_t *frame, const struct run_op *op,
                                         const struct loop_op *in, struct run_warp *warp,
                                         struct loop_runs *runs, const struct loop_even *even) {
    const struct quick_window a = quick_global(warp, op), b = quick_global(warp, op + 1);
    const quick_word *from_c = (const quick_word *)(const void *)(frame + op[2].at[3]);
    quick_word *to = (quick_word *)(void *)(frame + op[2].at[0]);
    struct quick_halves rows, places;
    const uint8_t *row = a.bytes, *place = b.bytes;
    uint32_t from_b[RUN_LANES], low, high;
    if (!quick_find_halves(&a, &even[in[0].in[0]], in[0].offset, UINT64_MAX, 4, &rows) ||
        !quick_find_halves(&b, &even[in[1].in[0]], in[1].offset, UINT64_MAX, 4, &places) ||
        rows.are_same == places.are_same ||
        (runs->n &&
         !quick_halves_go_on(runs, in,
                             (struct loop_load){a.buffer, rows.from[0], rows.from[1] - rows.from[0],
                                                rows.are_same ? 4 : 4 * HALF},
                             (struct loop_load){b.buffer, places.from[0],
                                                places.from[1] - places.from[0],
                                                places.are_same ? 4 : 4 * HALF})))
        return 0;
    if (rows.are_same) {
        const struct quick_halves other = rows;
        rows = places, places = other;
        row = b.bytes, place = a.bytes;
    }
    memcpy(from_b, HOST(row, rows.from[0]), 4 * HALF);
    memcpy(from_b + HALF, HOST(row, rows.from[1]), 4 * HALF);
    low = quick_read_uint32_t(HOST(place, places.from[0]));
    high = quick_read_uint32_t(HOST(place, places.from[1]));
    ALL_LANES to[i] = quick_lane_fma_f32(i < HALF ? low : high, from_b[i], from_c[i]);
    return 1;
}
#endif

#include "quick_batch.h"

/* Inside of the function below: rows that are sums now; rows that are in the frame now. */
#define QUICK_NOW_EVEN (known |= UINT64_C(1) << in->to, stale |= UINT64_C(1) << in->to)
#define QUICK_FORGET(writes) (known &= ~(writes), stale &= ~(writes))

static uint64_t quick_rounds_of(const struct run_loop *loop, uint8_t *frame, struct run_warp *warp,
                                uint64_t most, const struct run_op **stop, enum run_next *next) {
    const struct run_op *const first = warp->program->ops + loop->first, *op = first;
    const struct loop_op *in = loop->ops;
    const int heard = (int)(warp->worker->tells >> PTX_GLOBAL & 1);
    struct loop_even even[LOOP_ROWS];
    struct loop_runs runs;
    uint64_t known = quick_enter(loop, frame, even), stale = 0, rounds = 0;
    uint64_t again, wait = 1; /* rounds before a batch is tried */
    runs.n = heard && hear_may_run(warp) ? loop->n_runs : 0;
    runs.round = 0;
    loop_forget_runs(&runs);
    again = !loop->may_batch || (heard && !runs.n) ? UINT64_MAX : heard ? 2 : 0;
    *next = RUN_ON;
    while (known) {
        uint32_t on = ALL;
        enum quick_loop_done done = QUICK_LOOP_NOT;
        if (rounds == again) { /* at the beginning of a round */
            struct quick_sums sums = {known, stale};
            int left = 0;
            const uint64_t n = quick_batch(loop, frame, warp, most - rounds, runs.n ? &runs : NULL,
                                           even, &sums, &left);
            known = sums.known, stale = sums.stale;
            wait = n ? wait : 2 * wait;
            rounds += n, runs.round += n;
            again = rounds + wait;
            if (left) {
                op = first + loop->n - 1;
                rounds--;
                goto leave;
            }
            if (rounds == most)
                goto leave;
            continue;
        }
        switch (in->kind) {
        case LOOP_SUM_32:
            if ((known & in->reads) != in->reads)
                break;
            quick_loop_sum(in, even, ALL);
            QUICK_NOW_EVEN;
            in++, op++;
            continue;
        case LOOP_SUM_64:
            if ((known & in->reads) != in->reads)
                break;
            quick_loop_sum(in, even, UINT64_MAX);
            QUICK_NOW_EVEN;
            in++, op++;
            continue;
        case LOOP_ONE:
            if ((known & in->reads) != in->reads || !loop_compute(op, in, even))
                break;
            QUICK_NOW_EVEN;
            in++, op++;
            continue;
        case LOOP_TEST:
            if ((known & in->reads) != in->reads || !quick_loop_test(frame, op, in, even))
                break;
            in++, op++;
            continue;
        case LOOP_LOADED:
#if defined(QUICK_FLOATS) && defined(QUICK_FMA)
            if (known >> in[0].in[0] & known >> in[1].in[0] & 1 && (!heard || runs.n) &&
                (quick_loop_loaded(frame, op, in, warp, &runs, even) ||
                 quick_loop_half_loaded(frame, op, in, warp, &runs, even))) {
                QUICK_FORGET(in[0].writes | in[1].writes | in[2].writes);
                in += 3, op += 3;
                continue;
            }
#endif
            /* fall through */
        case LOOP_LOAD_GLOBAL_4:
        case LOOP_LOAD_GLOBAL_8:
        case LOOP_STORE_GLOBAL_4:
        case LOOP_STORE_GLOBAL_8:
        case LOOP_LOAD_SHARED_4:
        case LOOP_LOAD_SHARED_8:
        case LOOP_STORE_SHARED_4:
        case LOOP_STORE_SHARED_8:
            if (!(known >> in->in[0] & 1))
                break;
            if (stale & in->stores) {
                quick_freshen(loop, frame, even, in->stores);
                stale &= ~in->stores;
            }
            done = in->kind <= LOOP_LOAD_GLOBAL_4
                       ? quick_loop_access(frame, op, in, warp, &runs, even, 0)
                       : quick_loop_other(frame, op, in, warp, &runs, even);
            if (done < QUICK_LOOP_MOVED)
                break;
            QUICK_FORGET(in->writes);
            if (done == QUICK_LOOP_SAME)
                QUICK_NOW_EVEN;
            if (warp->taint) {
                *next = RUN_TAINT;
                goto leave;
            }
            in++, op++;
            continue;
#if defined(QUICK_FLOATS) && defined(QUICK_FMA)
        case LOOP_PRODUCT:
            if (!quick_loop_product(frame, op, in, even, stale & in->reads))
                break;
            QUICK_FORGET(in->writes);
            in++, op++;
            continue;
#endif
        case LOOP_END:
            if ((*run_pred(frame, op->guard) ^ op->flip) != ALL)
                goto leave;
            in = loop->ops, op = first;
            runs.round++;
            if (++rounds == most)
                goto leave;
            continue;
        default:
            if (in->guarded)
                on = *run_pred(frame, op->guard) ^ op->flip;
            break;
        }
        if (on) {
            const uint64_t some = stale & (on == ALL ? in->reads : in->reads | in->writes);
            if (some)
                quick_freshen(loop, frame, even, some);
            stale &= ~some;
            if (in->accesses)
                loop_end_runs(&runs, warp);
            *next = (done == QUICK_LOOP_REFUSED ? memory_step
                     : done != QUICK_LOOP_HEARD ? op->step
                     : in->kind < LOOP_LOAD_GLOBAL_4 + LOOP_SHARED
                         ? quick_at_global
                         : quick_at_shared)(frame, op, on, warp);
            QUICK_FORGET(in->writes);
            if (*next)
                goto leave;
        }
        in++, op++;
    }
leave:
    loop_end_runs(&runs, warp);
    quick_freshen(loop, frame, even, stale);
    *stop = op;
    return rounds;
}
loop_rounds *const QUICK_ROUNDS = quick_rounds_of;
