/* Stores of blocks to global memory that checks miss (taper.h). No byte may be stored twice, in one
 * block or in two. Then no two accesses conflict, as all loads are of memory that the kernel leaves
 * alone. If other blocks take another way, checks hear each store, and compare it with theirs. */
#include "taper.h"

#include "../reach/hear.h"
#include "../state/device.h"
#include "../state/known.h"

#include <stdlib.h>

enum { WORD = 4, MOST_WORDS = 1 << 28 }; /* of a buffer, from the first that is stored on */

int tape_is_store(const struct tape_act *act) {
    return act->buffer && (act->kind == TAPE_STORE || act->kind == TAPE_STORE_4 ||
                           act->kind == TAPE_STORE_8 || act->kind == TAPE_STORE_SOME);
}

/* --- stores that checks hear --- */

struct told {
    struct run_op store; /* of the tape */
    const struct run_op *of;
    const struct run_buffer *buffer;
    const struct tape_moved *moved;
    const uint64_t *at; /* lanes */
    uint64_t from;      /* in the buffer */
    uint32_t warp, frame;
    enum run_shape shape;
};

static enum run_next tell(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warps) {
    const struct told *told = op->more;
    const struct run_buffer *buffer = told->buffer;
    const struct hear_memory memory = {buffer->base, run_host(buffer, buffer->base), buffer, NULL};
    uint64_t at[RUN_LANES];
    for (unsigned i = 0; i < RUN_LANES; i++)
        at[i] = told->from + told->moved->by + told->at[i];
    hear_window(frame + told->frame, told->of, lanes, warps + told->warp, &memory, at, told->shape,
                NULL, 0);
    return told->store.step(frame, &told->store, lanes, warps);
}

void tape_tell(struct taper *t, const struct tape_act *act, struct run_op *op) {
    const struct run_buffer *buffer = act->buffer;
    struct told *told = tape_keep(t, sizeof *told);
    if (!told)
        return;
    *told = (struct told){.store = *op,
                          .of = act->of,
                          .buffer = buffer,
                          .moved = &t->tape.moved[act->moved],
                          .at = act->access->at,
                          .from = act->first - (uintptr_t)run_host(buffer, buffer->base),
                          .warp = act->warp,
                          .frame = tape_home(t, act->warp),
                          .shape = act->kind == TAPE_STORE_4 || act->kind == TAPE_STORE_8
                                       ? RUN_IN_ROW
                                       : RUN_SCATTERED};
    op->step = tell;
    op->more = told;
}

/* --- stores that checks miss --- */

/* Bytes side by side of one block. 0: no memory. */
static int list(struct taper *t, const struct tape_act *act) {
    const struct reach_plan *plan = act->access->reach;
    const uint64_t bytes = (uint64_t)plan->bytes * plan->elements;
    for (uint32_t rest = act->op.position; rest; rest &= rest - 1) {
        const uint64_t from = act->first - act->buffer->apart + act->access->at[run_lowest(rest)];
        struct tape_stored *last = t->tape.n_stored ? &t->tape.stored[t->tape.n_stored - 1] : NULL;
        if (last && last->buffer == act->buffer && last->move == act->moved &&
            last->from + last->bytes == from) {
            last->bytes += bytes;
            continue;
        }
        if (!(t->tape.n_stored & (t->tape.n_stored - 1))) {
            const size_t room = t->tape.n_stored ? 2 * (size_t)t->tape.n_stored : 1;
            struct tape_stored *grown = realloc(t->tape.stored, room * sizeof *grown);
            if (!grown)
                return 0;
            t->tape.stored = grown;
        }
        t->tape.stored[t->tape.n_stored++] =
            (struct tape_stored){act->buffer, from, bytes, act->moved};
    }
    return 1;
}

/* By buffer and address: bytes that go on from those before become one. */
static int compare(const void *one, const void *other) {
    const struct tape_stored *a = one, *b = other;
    if (a->buffer != b->buffer)
        return a->buffer->base < b->buffer->base ? -1 : 1;
    if (a->move != b->move)
        return a->move < b->move ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

static void join(struct tape *tape) {
    uint32_t n = 0;
    for (uint32_t i = 1; i < tape->n_stored; i++) {
        struct tape_stored *last = &tape->stored[n], *next = &tape->stored[i];
        if (last->buffer == next->buffer && last->move == next->move &&
            last->from + last->bytes == next->from)
            last->bytes += next->bytes;
        else
            tape->stored[++n] = *next;
    }
    tape->n_stored = n + 1;
}

/* Where a block stores, from the place at the origin on. */
static uint64_t moved(const struct tape *tape, unsigned move, const uint32_t id[3]) {
    return tape->moves[move][0] * id[0] + tape->moves[move][1] * id[1] +
           tape->moves[move][2] * id[2];
}

/* The bytes of stored[first .. end - 1], which are all of a buffer, in the whole box. */
static void find_span(const struct tape *tape, uint32_t first, uint32_t end, uint64_t span[2]) {
    span[0] = UINT64_MAX;
    span[1] = 0;
    for (uint32_t i = first; i < end; i++) {
        const struct tape_stored *stored = &tape->stored[i];
        uint64_t low = stored->from, high = low + stored->bytes;
        for (unsigned k = 0; k < TAPE_AXES; k++) {
            const uint64_t far = tape->moves[stored->move][k] * (tape->box[k] - 1);
            *(far >> 63 ? &low : &high) += far;
        }
        span[0] = low < span[0] ? low : span[0];
        span[1] = high > span[1] ? high : span[1];
    }
}

/* Marks the words of one block. 0: another store has marked one. */
static int mark(const struct tape *tape, uint32_t first, uint32_t end, uint64_t low,
                const uint32_t id[3], uint64_t *marks) {
    for (uint32_t i = first; i < end; i++) {
        const struct tape_stored *stored = &tape->stored[i];
        const uint64_t from = stored->from + moved(tape, stored->move, id) - low;
        const uint64_t to = (from + stored->bytes + WORD - 1) / WORD;
        for (uint64_t next, at = from / WORD; at < to; at = next) {
            const uint64_t mask = known_mask(at, to, &next);
            if (marks[at / 64] & mask)
                return 0;
            marks[at / 64] |= mask;
        }
    }
    return 1;
}

/* Whether no word of a buffer is stored twice. */
static int are_apart(const struct tape *tape, uint32_t first, uint32_t end) {
    uint64_t span[2], *marks, words;
    uint32_t id[TAPE_AXES] = {0};
    int good;
    find_span(tape, first, end, span);
    words = (span[1] - span[0]) / WORD + 2;
    marks = words <= MOST_WORDS ? calloc(KNOWN_WORDS(words), sizeof *marks) : NULL;
    good = marks != NULL;
    span[0] -= span[0] % WORD;
    for (id[2] = 0; good && id[2] < tape->box[2]; id[2]++)
        for (id[1] = 0; good && id[1] < tape->box[1]; id[1]++)
            for (id[0] = 0; good && id[0] < tape->box[0]; id[0]++)
                good = mark(tape, first, end, span[0], id, marks);
    free(marks);
    return good;
}

int tape_stores(struct taper *t) {
    struct tape *tape = &t->tape;
    for (uint32_t i = 0; i < tape->n_acts; i++)
        if (tape_is_store(&tape->acts[i]) && !list(t, &tape->acts[i]))
            return 0;
    if (!tape->n_stored)
        return 1;
    qsort(tape->stored, tape->n_stored, sizeof *tape->stored, compare);
    join(tape);
    for (uint32_t first = 0, end = 0; first < tape->n_stored; first = end) {
        while (end < tape->n_stored && tape->stored[end].buffer == tape->stored[first].buffer)
            end++;
        if (!are_apart(tape, first, end))
            return 0;
    }
    return 1;
}

void tape_learn(const struct tape *tape, const uint32_t id[3]) {
    for (uint32_t i = 0; i < tape->n_stored; i++) {
        const struct tape_stored *stored = &tape->stored[i];
        run_buffer_learn(stored->buffer, stored->from + moved(tape, stored->move, id),
                         stored->bytes);
    }
}
