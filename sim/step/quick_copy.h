/* quick_copy.h - copies and loads of matrices, done as loads and stores are (quick_memory.h). A
 * part of quick_body.h. */

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

/* The bytes behind a copied piece are often those of the next round. */
#define HOST_LINE 64
#define COPY_LANES(n)                                                                              \
    for (uint32_t rest = reach_places(lanes, copy->turn); rest; rest &= rest - 1) {                \
        const unsigned lane = run_lowest(rest) ^ copy->turn;                                       \
        if (whole >> lane & 1) {                                                                   \
            base_soon(HOST(global.bytes, from[lane] + HOST_LINE));                                 \
            memcpy(shared.bytes + to[lane], HOST(global.bytes, from[lane]), n);                    \
        } else                                                                                     \
            memset(shared.bytes + to[lane], 0, n);                                                 \
    }

/* cp.async that is done at once. Lanes go one after another. */
STEP_HEAD(quick_copy) {
    const struct matrix_copy *copy = op->more;
    const struct quick_window shared = quick_shared(warp, 0), global = quick_global(warp, op);
    uint64_t to[RUN_LANES], from[RUN_LANES];
    uint32_t whole, none;
    quick_sizes(copy, frame, &whole, &none);
    whole &= lanes;
    if (sync_is_late(warp) || (whole | none | ~lanes) != ALL ||
        !quick_offsets(copy->to.base, copy->to.offset, copy->bytes, copy->bytes, frame, lanes,
                       &shared, to) ||
        (whole && !quick_offsets(copy->from.base, copy->from.offset, copy->bytes, copy->bytes,
                                 frame, whole, &global, from)))
        return copy_async_step(frame, op, lanes, warp);
    if (warp->worker->tells)
        copy_async_heard(op, lanes, whole, warp, to, global.buffer, global.base, from);
    if (hear_refuses(warp))
        return RUN_STOP;
    switch (copy->bytes) {
    case 4: COPY_LANES(4) break;
    case 8: COPY_LANES(8) break;
    default: COPY_LANES(16) break;
    }
    sync_note_issue(warp, lanes, SYNC_CP_ASYNC);
    warp->block->unit->events += 2;
    return RUN_ON;
}

/* ldmatrix of rows that are all inside of the shared memory of the block. */
STEP_HEAD(quick_load_rows) {
    const struct matrix_move *move = op->more;
    const struct wsim_code *code = matrix_code(warp, op);
    const unsigned along = work_of(code)->memory.along;
    const struct quick_window shared =
        quick_shared(warp, move->address.space == PTX_SHARED ? 0 : RUN_SHARED_WINDOW);
    uint32_t lines[RUN_LANES * 4], *regs[MATRIX_REGISTERS];
    uint64_t at[RUN_LANES];
    if (lanes != ALL || !work_of(code)->memory.way ||
        work_of(code)->memory.bits != work_of(code)->a.bits ||
        !quick_offsets(move->address.base, move->address.offset, ISA_ROW_BYTES, ISA_ROW_BYTES,
                       frame, ALL >> (RUN_LANES - along), &shared, at))
        return matrix_rows_step(frame, op, lanes, warp);
    if (warp->worker->tells)
        matrix_rows_heard(op, warp, at);
    matrix_point(frame, &move->regs, regs);
    if (work_of(code)->memory.way == WORDS_WHOLE) { /* 8 rows are a register */
        for (unsigned row = 0; row < along; row += 8)
            for (unsigned i = 0; i < 8; i++)
                memcpy(regs[row / 8] + 4 * i, shared.bytes + at[row + i], ISA_ROW_BYTES);
        return warp->taint ? RUN_TAINT : RUN_ON;
    }
    for (unsigned row = 0; row < along; row++)
        memcpy(lines + 4 * row, shared.bytes + at[row], ISA_ROW_BYTES);
    words_load(code, lines, work_of(code)->a.regs, regs);
    return warp->taint ? RUN_TAINT : RUN_ON;
}
