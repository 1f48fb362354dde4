/* Rows of a block that is recorded, and acts: taper.h. */
#include "taper.h"

#include <stdlib.h>

#define ALL 0xFFFFFFFFu

void tape_fails(struct taper *t) {
    t->failed = 1;
}

void *tape_keep(struct taper *t, size_t bytes) {
    struct tape_kept *kept = calloc(1, sizeof *kept + bytes);
    if (!kept) {
        tape_fails(t);
        return NULL;
    }
    kept->next = t->all;
    t->all = kept;
    return kept + 1;
}

/* --- rows --- */

static unsigned width_of(unsigned bits) {
    return bits == 1 ? 0 : bits <= 32 ? 1 : 2;
}

static int overlap(const struct tape_place *a, const struct tape_place *b) {
    return a->at < b->at + b->bytes && b->at < a->at + a->bytes;
}

/* Constants of the function are known in all lanes. */
static void begin_place(struct taper *t, uint32_t n) {
    const struct tape_place *place = &t->places[n];
    const uint32_t warps = t->tape.warps;
    for (uint32_t w = 0; w < warps; w++)
        t->states[w * TAPE_ROWS + n] = (struct tape_state){
            .known = place->at == RUN_ALWAYS || place->at >= t->function->register_end ? ALL : 0};
}

struct tape_state *tape_state(struct taper *t, const struct run_warp *warp, uint32_t at,
                              unsigned bits) {
    uint16_t *number = &t->number[width_of(bits) * (t->stride / 4) + at / 4];
    if (bits > 64 || (!*number && t->n_places == TAPE_ROWS)) {
        tape_fails(t);
        return &t->states[0];
    }
    if (!*number) {
        static const uint16_t bytes[TAPE_WIDTHS] = {4, 4 * RUN_LANES, 8 * RUN_LANES};
        struct tape_place *place = &t->places[t->n_places];
        *place = (struct tape_place){at, bytes[width_of(bits)], 0};
        for (uint32_t i = 0; i < t->n_places; i++)
            if (overlap(place, &t->places[i]))
                place->overlaps = t->places[i].overlaps = 1;
        begin_place(t, t->n_places++);
        *number = (uint16_t)t->n_places;
    }
    return &t->states[warp->number * TAPE_ROWS + *number - 1u];
}

/* Other rows lose the bytes that are written. */
static void write_row(struct taper *t, struct tape_state *state) {
    const struct tape_state *first = t->states + (state - t->states) / TAPE_ROWS * TAPE_ROWS;
    const struct tape_place *place = &t->places[state - first];
    state->kept = 0;
    for (uint32_t i = 0; place->overlaps && i < t->n_places; i++)
        if (&first[i] != state && overlap(place, &t->places[i]))
            t->states[first - t->states + i] = (struct tape_state){0};
}

void tape_knows(struct taper *t, struct tape_state *state, uint32_t lanes) {
    write_row(t, state);
    state->known |= lanes;
    state->moving &= ~lanes;
    state->home &= ~lanes;
}

static void write_home(struct taper *t, struct tape_state *state, uint32_t lanes) {
    write_row(t, state);
    state->known &= ~lanes;
    state->moving &= ~lanes;
    state->home |= lanes;
}

void tape_moves(struct taper *t, struct tape_state *state, uint32_t lanes,
                const uint64_t by[TAPE_AXES]) {
    write_row(t, state);
    if (memcmp(state->by, by, sizeof state->by))
        state->moving = 0;
    memcpy(state->by, by, sizeof state->by);
    state->known &= ~lanes;
    state->home &= ~lanes;
    state->moving |= lanes;
}

/* --- acts --- */

struct tape_act *tape_add(struct taper *t, enum tape_kind kind, uint32_t lanes) {
    struct tape_act *act;
    if (t->failed || t->tape.n_acts == TAPE_ACTS) {
        tape_fails(t);
        return NULL;
    }
    if (t->tape.n_acts == t->room) {
        const uint32_t room = t->room ? 2 * t->room : 64;
        struct tape_act *acts = realloc(t->tape.acts, room * sizeof *acts);
        if (!acts) {
            tape_fails(t);
            return NULL;
        }
        t->tape.acts = acts;
        t->room = room;
    }
    act = &t->tape.acts[t->tape.n_acts++];
    *act = (struct tape_act){.kind = (uint8_t)kind, .warp = t->warp, .op.position = lanes};
    return act;
}

/* The number of a move, which may be new. */
uint8_t tape_move(struct taper *t, const uint64_t by[TAPE_AXES]) {
    uint32_t i = 0;
    while (i < t->tape.n_moves && memcmp(t->tape.moves[i], by, sizeof t->tape.moves[i]))
        i++;
    if (i == TAPE_MOVES) {
        tape_fails(t);
        return 0;
    }
    if (i == t->tape.n_moves)
        memcpy(t->tape.moves[t->tape.n_moves++], by, sizeof t->tape.moves[i]);
    return (uint8_t)i;
}

/* Keeps a row of known numbers, if the last ones are others. Returns where the frame of the tape
 * has it. */
static uint32_t keep_row(struct taper *t, const void *row, uint32_t bytes) {
    const uint32_t room = (bytes + 63) & ~63u;
    uint32_t at = t->known > TAPE_LAST ? t->known - TAPE_LAST : 0;
    while (at + bytes <= t->known && memcmp(t->known_rows + at, row, bytes))
        at += 64;
    if (at + bytes <= t->known)
        return t->known_from + at;
    at = t->known;
    if (at + room > t->known_room) {
        const uint32_t larger = t->known_room ? 2 * t->known_room : 1 << 14;
        uint8_t *rows = larger <= TAPE_BYTES ? realloc(t->known_rows, larger) : NULL;
        if (!rows) {
            tape_fails(t);
            return t->known_from;
        }
        t->known_rows = rows;
        t->known_room = larger;
    }
    memset(t->known_rows + at, 0, room);
    memcpy(t->known_rows + at, row, bytes);
    t->known += room;
    return t->known_from + at;
}

/* The row of a warp in the frame of the tape. */
static uint32_t home_of(const struct taper *t, const struct run_warp *warp, uint32_t at) {
    return tape_home(t, warp->number) + at;
}

/* The number of lane i where %ctaid is 0. */
static uint64_t at_begin(const struct taper *t, const struct tape_state *state, uint64_t value) {
    for (unsigned k = 0; k < TAPE_AXES; k++)
        value -= state->by[k] * t->id[k];
    return value;
}

/* Puts lanes that are known, or move, into the row of the tape. */
static void fill_home(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                      struct tape_state *state, struct run_row row, uint32_t lanes, int moves) {
    static const uint64_t still[TAPE_AXES];
    const uint8_t *from = frame + row.at;
    const unsigned bits = row.bits == 1 ? 1 : row.bits <= 32 ? 32 : 64;
    struct tape_act *act = tape_add(t,
                                    bits == 1    ? TAPE_ROW_1
                                    : bits == 32 ? TAPE_ROW_32
                                                 : TAPE_ROW_64,
                                    lanes);
    uint64_t longs[RUN_LANES];
    uint32_t words[RUN_LANES];
    if (!act)
        return;
    memcpy(words, from, bits == 1 ? 4 : sizeof words);
    if (bits == 64)
        memcpy(longs, from, sizeof longs);
    for (unsigned i = 0; moves && i < RUN_LANES; i++) {
        words[i] = (uint32_t)at_begin(t, state, words[i]);
        if (bits == 64)
            longs[i] = at_begin(t, state, longs[i]);
    }
    act->moved = tape_move(t, moves ? state->by : still);
    act->op.at[0] = home_of(t, warp, row.at);
    act->op.at[1] = bits == 64   ? keep_row(t, longs, sizeof longs)
                    : bits == 32 ? keep_row(t, words, sizeof words)
                                 : keep_row(t, words, 4);
    state->home |= lanes;
}

void tape_fills(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                struct run_row row, uint32_t lanes) {
    struct tape_state *state = tape_state(t, warp, row.at, row.bits);
    uint32_t left = lanes & ~state->home;
    if (left & state->moving)
        fill_home(t, warp, frame, state, row, left & state->moving, 1);
    left &= ~state->moving;
    if (left & state->known)
        fill_home(t, warp, frame, state, row, left & state->known, 0);
    if (left & ~state->known)
        tape_fails(t);
}

uint32_t tape_reads(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                    struct run_row row, uint32_t lanes) {
    struct tape_state *state = tape_state(t, warp, row.at, row.bits);
    if (lanes & ~state->home && !(lanes & ~state->known)) {
        if (!state->kept)
            state->kept = keep_row(t, frame + row.at,
                                   row.bits == 1    ? 4
                                   : row.bits <= 32 ? 4 * RUN_LANES
                                                    : 8 * RUN_LANES);
        return state->kept;
    }
    tape_fills(t, warp, frame, row, lanes);
    return home_of(t, warp, row.at);
}

uint32_t tape_writes(struct taper *t, const struct run_warp *warp, struct run_row row,
                     uint32_t lanes) {
    write_home(t, tape_state(t, warp, row.at, row.bits), lanes);
    return home_of(t, warp, row.at);
}

enum tape_lanes tape_class(struct taper *t, const struct run_warp *warp, struct run_row row,
                           uint32_t lanes) {
    const struct tape_state *state = tape_state(t, warp, row.at, row.bits);
    return !(lanes & ~state->known)    ? TAPE_KNOWN
           : !(lanes & ~state->moving) ? TAPE_MOVING
                                       : TAPE_OTHER;
}
