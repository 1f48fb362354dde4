/* quick_batch.h - runs batches of rounds (loop.h). A part of quick_body.h. */

#if defined(QUICK_FLOATS) && defined(QUICK_FMA)
/* Adds products to a row, for some rounds. A sum that is NaN stays one, so it is replaced in the
 * end.
 */
static void quick_products(struct loop_act *acts, uint8_t *frame, uint64_t rounds) {
    const uint8_t *from = frame + acts->from;
    struct loop_act *const end = acts + acts->length;
    quick_half low = quick_half_get(from), high = quick_half_get(from + 4 * HALF);
    quick_word sums[RUN_LANES], *to = (quick_word *)(void *)(frame + acts->to);
    for (; rounds; rounds--)
        for (struct loop_act *act = acts; act < end; act++) {
            struct loop_move *place = &act->at.move[0], *row = &act->at.move[1];
            const uint8_t *x = (const uint8_t *)place->at, *y = (const uint8_t *)row->at;
            low = quick_half_fma(quick_half_of(quick_read_uint32_t(x)), quick_half_get(y), low);
            high = quick_half_fma(quick_half_of(quick_read_uint32_t(x + place->far)),
                                  quick_half_get(y + row->far), high);
            place->at += place->step;
            row->at += row->step;
        }
    quick_half_put((uint8_t *)sums, low);
    quick_half_put((uint8_t *)(sums + HALF), high);
    ALL_LANES to[i] = quick_canonical(sums[i]);
}
#endif

INLINE void quick_act_load(struct loop_act *act, uint8_t *frame) {
    struct loop_move *move = &act->at.move[0];
    const uint8_t *low = (const uint8_t *)move->at, *high = low + move->far;
    uint8_t *to = frame + act->to;
    if (!act->is_same && act->wide == 4) {
        memcpy(to, low, 4 * HALF);
        memcpy(to + 4 * HALF, high, 4 * HALF);
    } else if (!act->is_same) {
        memcpy(to, low, 8 * HALF);
        memcpy(to + 8 * HALF, high, 8 * HALF);
    } else if (act->wide == 4) {
        const uint32_t x = quick_read_uint32_t(low), y = quick_read_uint32_t(high);
        ALL_LANES((quick_word *)(void *)to)[i] = i < HALF ? x : y;
    } else {
        const uint64_t x = quick_read_uint64_t(low), y = quick_read_uint64_t(high);
        ALL_LANES((quick_long *)(void *)to)[i] = i < HALF ? x : y;
    }
    move->at += move->step;
}

INLINE void quick_act_store(struct loop_act *act, const uint8_t *frame) {
    struct loop_move *move = &act->at.move[0];
    const size_t bytes = (size_t)act->wide * HALF;
    const uint8_t *row = frame + act->to;
    if (act->high_first)
        memcpy((uint8_t *)(move->at + move->far), row + bytes, bytes);
    memcpy((uint8_t *)move->at, row, bytes);
    if (!act->high_first)
        memcpy((uint8_t *)(move->at + move->far), row + bytes, bytes);
    move->at += move->step;
}

INLINE void quick_act_write(struct loop_act *act, uint8_t *frame) {
    if (act->is_long)
        quick_write_64((quick_long *)(void *)(frame + act->to), &act->at.row.even);
    else
        quick_write_32((quick_word *)(void *)(frame + act->to), &act->at.row.even);
    act->at.row.even.at[0] += act->at.row.step;
}

/* Returns how many rounds it ran. *left: the last one does not jump back. */
QUICK_OUTSIDE uint64_t quick_acts(struct loop_batch *batch, const struct run_op *jump,
                                  uint8_t *frame, struct run_warp *warp, int *left) {
    struct loop_act *const end = batch->acts + batch->n;
    *left = 0;
#if defined(QUICK_FLOATS) && defined(QUICK_FMA)
    if (batch->n && batch->n == batch->acts->length && batch->acts->from == batch->acts->to) {
        quick_products(batch->acts, frame, batch->rounds);
        return batch->rounds;
    }
#endif
    for (uint64_t rounds = 1;; rounds++) {
        for (struct loop_act *act = batch->acts; act < end; act++) {
            uint32_t on = ALL;
            switch (act->kind) {
#if defined(QUICK_FLOATS) && defined(QUICK_FMA)
            case LOOP_ACT_PRODUCT:
                quick_products(act, frame, 1);
                act += act->length - 1;
                break;
#endif
            case LOOP_ACT_LOAD: quick_act_load(act, frame); break;
            case LOOP_ACT_STORE: quick_act_store(act, frame); break;
            case LOOP_ACT_WRITE: quick_act_write(act, frame); break;
            default:
                if (act->in->guarded)
                    on = *run_pred(frame, act->op->guard) ^ act->op->flip;
                if (on)
                    act->op->step(frame, act->op, on, warp);
                break;
            }
        }
        *left = (*run_pred(frame, jump->guard) ^ jump->flip) != ALL;
        if (*left || rounds == batch->rounds)
            return rounds;
    }
}

/* Rows that are sums, and those of them that are not in the frame. */
struct quick_sums {
    uint64_t known, stale;
};

/* Runs a batch from the beginning of a round. Returns how many rounds it ran; 0: there is none. */
QUICK_OUTSIDE uint64_t quick_batch(const struct run_loop *loop, uint8_t *frame,
                                   struct run_warp *warp, uint64_t most, struct loop_runs *runs,
                                   struct loop_even *even, struct quick_sums *sums, int *left) {
#if defined(QUICK_FLOATS) && defined(QUICK_FMA)
    const int fuses = 1;
#else
    const int fuses = 0;
#endif
    const struct run_op *jump = warp->program->ops + loop->first + loop->n - 1;
    struct loop_batch batch;
    uint64_t rounds;
    if (!loop_find_batch(loop, frame, warp, runs, even, sums->known, fuses, most, &batch))
        return 0;
    quick_freshen(loop, frame, even, sums->stale & batch.reads);
    rounds = quick_acts(&batch, jump, frame, warp, left);
    loop_end_batch(loop, &batch, rounds, warp, runs, even);
    sums->known = batch.known;
    sums->stale = ((sums->stale & ~batch.reads) | loop->written) & batch.known;
    return rounds;
}
