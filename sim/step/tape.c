/* Records what a block does to its data: tape.h. */
#include "tape.h"

#include "../state/launch.h"
#include "../sync/shuffle.h"
#include "flow.h"
#include "quick.h"
#include "taper.h"

#include <stdlib.h>

#define ALL 0xFFFFFFFFu

/* --- operations that compute --- */

static int has_words_alone(const struct data *data) {
    for (unsigned i = 0; i < data->ins; i++)
        if (data->in[i].bits > 64 || data->high_in[i])
            return 0;
    for (unsigned i = 0; i < data->outs; i++)
        if (data->out[i].bits > 64 || data->high_out[i])
            return 0;
    return 1;
}

/* A step whose guard may depend on data. A lane that it leaves out keeps its number. */
static void add_step(struct taper *t, const struct run_op *op, uint32_t lanes, uint32_t guard) {
    const int is_guarded = guard != RUN_ALWAYS;
    struct run_op *inside = is_guarded ? tape_keep(t, sizeof *inside) : NULL;
    struct tape_act *act = tape_add(t, is_guarded ? TAPE_GUARDED : TAPE_STEP, lanes);
    if (!act)
        return;
    act->op = *op;
    act->op.position = lanes;
    if (!is_guarded)
        return;
    *inside = *op;
    act->op.more = inside;
    act->op.guard = guard;
}

static uint32_t writes_some(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                            struct run_row row, uint32_t lanes, uint32_t guard) {
    if (guard != RUN_ALWAYS)
        tape_fills(t, warp, frame, row, lanes);
    return tape_writes(t, warp, row, lanes);
}

static void note_data(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                      const struct run_op *op, uint32_t lanes, uint32_t guard) {
    const struct data *data = op->more;
    enum tape_lanes lanes_are = guard != RUN_ALWAYS ? TAPE_OTHER : TAPE_KNOWN;
    struct data *mine;
    struct run_op as = *op;
    if (!has_words_alone(data)) {
        tape_fails(t);
        return;
    }
    for (unsigned i = 0; i < data->ins; i++)
        if (data->in[i].bits) {
            const enum tape_lanes one = tape_class(t, warp, data->in[i], lanes);
            lanes_are = one > lanes_are ? one : lanes_are;
        }
    if (lanes_are == TAPE_KNOWN) {
        for (unsigned i = 0; i < data->outs; i++)
            if (data->out[i].bits)
                tape_knows(t, tape_state(t, warp, data->out[i].at, data->out[i].bits), lanes);
        return;
    }
    if (lanes_are == TAPE_MOVING && tape_computes(t, warp, frame, op, data, lanes))
        return;
    mine = tape_keep(t, sizeof *mine);
    if (!mine)
        return;
    *mine = *data;
    for (unsigned i = 0; i < data->ins; i++)
        if (data->in[i].bits)
            mine->in[i].at = tape_reads(t, warp, frame, data->in[i], lanes);
    for (unsigned i = 0; i < data->outs; i++)
        if (data->out[i].bits)
            mine->out[i].at = writes_some(t, warp, frame, data->out[i], lanes, guard);
    as.more = mine;
    quick_move_rows(&as, mine);
    add_step(t, &as, lanes, guard);
}

/* mov with braces: the sources first, then the results. */
static void note_pack(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                      const struct run_op *op, unsigned bits, int joins, uint32_t lanes,
                      uint32_t guard) {
    const struct run_row half[2] = {{op->at[joins ? 1 : 0], 32, 0}, {op->at[joins ? 2 : 1], 32, 0}};
    const struct run_row whole = {op->at[joins ? 0 : 2], (uint8_t)bits, 0};
    struct run_op as = *op;
    if (joins) {
        if (guard == RUN_ALWAYS && tape_class(t, warp, half[0], lanes) == TAPE_KNOWN &&
            tape_class(t, warp, half[1], lanes) == TAPE_KNOWN) {
            tape_knows(t, tape_state(t, warp, whole.at, bits), lanes);
            return;
        }
        as.at[1] = tape_reads(t, warp, frame, half[0], lanes);
        as.at[2] = tape_reads(t, warp, frame, half[1], lanes);
        as.at[0] = writes_some(t, warp, frame, whole, lanes, guard);
    } else {
        const int is_known = guard == RUN_ALWAYS && tape_class(t, warp, whole, lanes) == TAPE_KNOWN;
        if (!is_known)
            as.at[2] = tape_reads(t, warp, frame, whole, lanes);
        for (unsigned i = 0; i < 2; i++)
            if (op->immediate >> i & 1 && is_known)
                tape_knows(t, tape_state(t, warp, half[i].at, 32), lanes);
            else if (op->immediate >> i & 1)
                as.at[i] = writes_some(t, warp, frame, half[i], lanes, guard);
        if (is_known)
            return;
    }
    add_step(t, &as, lanes, guard);
}

/* --- lanes that meet --- */

static int are_known(struct taper *t, const struct run_warp *warp, struct run_row row,
                     uint32_t lanes) {
    return !row.bits || tape_class(t, warp, row, lanes) == TAPE_KNOWN;
}

static void note_gather(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                        const struct run_op *op, uint32_t lanes) {
    const struct sync_gather *gather = op->more;
    struct sync_gather *mine;
    struct tape_act *act;
    int is_shuffle = 0;
    if (!are_known(t, warp, gather->mask, lanes)) {
        tape_fails(t);
        return;
    }
    if (sync_only_meets(gather))
        return;
    for (unsigned i = 0; gather->mask.bits && i < RUN_LANES; i++)
        if (run_words((uint8_t *)(uintptr_t)frame, gather->mask.at)[i] != ALL)
            tape_fails(t);
    if (t->failed || !gather->quick || lanes != ALL || warp->lanes != ALL) {
        tape_fails(t);
        return;
    }
    mine = tape_keep(t, sizeof *mine);
    if (!mine)
        return;
    *mine = *gather;
    if (sync_shuffles(gather) && are_known(t, warp, gather->b, lanes) &&
        are_known(t, warp, gather->c, lanes)) {
        uint8_t *from = (uint8_t *)(uintptr_t)frame;
        shuffle_know(mine, run_words(from, gather->b.at), run_words(from, gather->c.at));
        mine->b.bits = mine->c.bits = 0;
        is_shuffle = 1;
        if (gather->p.bits)
            tape_knows(t, tape_state(t, warp, gather->p.at, 1), lanes);
        mine->p.bits = 0;
    }
    if (mine->a.bits)
        mine->a.at = tape_reads(t, warp, frame, gather->a, lanes);
    if (mine->b.bits)
        mine->b.at = tape_reads(t, warp, frame, gather->b, lanes);
    if (mine->c.bits)
        mine->c.at = tape_reads(t, warp, frame, gather->c, lanes);
    if (mine->d.bits)
        mine->d.at = tape_writes(t, warp, gather->d, lanes);
    if (mine->p.bits)
        mine->p.at = tape_writes(t, warp, gather->p, lanes);
    act = tape_add(t, is_shuffle && mine->d.bits ? TAPE_SHUFFLE : TAPE_GATHER, lanes);
    if (!act)
        return;
    act->op.at[0] = mine->d.at;
    act->op.at[1] = mine->a.at;
    act->op.more = mine;
}

/* --- special registers --- */

static void note_special(struct taper *t, const struct run_warp *warp, const struct run_op *op,
                         uint32_t lanes) {
    struct tape_state *state = tape_state(t, warp, op->at[0], op->bytes);
    uint64_t by[TAPE_AXES] = {0};
    unsigned axis;
    switch (op->immediate) {
    case PTX_SR_CLOCK:
    case PTX_SR_CLOCK_HI:
    case PTX_SR_CLOCK64:
    case PTX_SR_GLOBALTIMER:
    case PTX_SR_GLOBALTIMER_LO:
    case PTX_SR_GLOBALTIMER_HI: tape_fails(t); return;
    case PTX_SR_CTAID_X:
    case PTX_SR_CLUSTERID_X: axis = 0; break;
    case PTX_SR_CTAID_Y:
    case PTX_SR_CLUSTERID_Y: axis = 1; break;
    case PTX_SR_CTAID_Z:
    case PTX_SR_CLUSTERID_Z: axis = 2; break;
    default: tape_knows(t, state, lanes); return;
    }
    if (t->worker->launch->grid[axis] == 1) {
        tape_knows(t, state, lanes);
        return;
    }
    by[axis] = 1;
    tape_moves(t, state, lanes, by);
}

/* --- operations --- */

enum sort {
    UNSORTED,
    NOTHING, /* branches, ends, hints: what they do depends on their guard alone */
    SPECIAL,
    BARRIER,
    GATHER,
    DATA,
    ACCESS,
    JOIN_32,
    JOIN_64,
    SPLIT_32,
    SPLIT_64,
    UNKNOWN
};

static enum sort sort_of(const struct run_op *op) {
    struct run_row rows[2];
    unsigned bits;
    if (flow_does_nothing(op) || flow_target(op) != RUN_NOWHERE || op->leads & RUN_LEAVES)
        return NOTHING;
    if (special_of(op) != RUN_NOWHERE)
        return SPECIAL;
    if (op->step == sync_gather)
        return GATHER;
    if (sync_bar_rows(op, rows))
        return BARRIER;
    switch (quick_sort_of(op, &bits)) {
    case QUICK_DATA: return DATA;
    case QUICK_ACCESS: return ACCESS;
    case QUICK_JOIN: return bits == 64 ? JOIN_64 : JOIN_32;
    case QUICK_SPLIT: return bits == 64 ? SPLIT_64 : SPLIT_32;
    default: return UNKNOWN;
    }
}

void tape_note(struct taper *t, const struct run_warp *warp, uint8_t *frame,
               const struct run_op *op, uint32_t lanes) {
    const uint32_t number = run_number(warp, op);
    uint32_t guard = RUN_ALWAYS;
    struct run_row rows[2];
    enum sort sort;
    if (t->failed)
        return;
    if (++t->noted > TAPE_NOTED || warp->group->frame->function != t->function ||
        warp->group->frame->depth || warp->taint) {
        tape_fails(t);
        return;
    }
    t->warp = (uint8_t)warp->number;
    if (!t->sorts[number])
        t->sorts[number] = (uint8_t)sort_of(op);
    sort = (enum sort)t->sorts[number];
    if (op->guard != RUN_ALWAYS) {
        const struct run_row row = {op->guard, 1, 0};
        if (tape_class(t, warp, row, lanes) == TAPE_KNOWN)
            lanes &= *run_pred(frame, op->guard) ^ op->flip;
        else
            guard = tape_reads(t, warp, frame, row, lanes);
        if (guard != RUN_ALWAYS && sort < DATA)
            tape_fails(t);
        if (!lanes || t->failed)
            return;
    }
    switch (sort) {
    case NOTHING:
        t->rounds = op->leads & RUN_LOOPS && op == t->jump && warp == t->jumps ? t->rounds + 1 : 0;
        t->jump = op;
        t->jumps = warp;
        if (t->rounds == TAPE_ROUNDS)
            tape_fails(t);
        return;
    case SPECIAL: note_special(t, warp, op, lanes); return;
    case BARRIER:
        if (!sync_bar_rows(op, rows) || !are_known(t, warp, rows[0], lanes) ||
            !are_known(t, warp, rows[1], lanes))
            tape_fails(t);
        return;
    case GATHER: note_gather(t, warp, frame, op, lanes); return;
    case DATA: note_data(t, warp, frame, op, lanes, guard); return;
    case ACCESS:
        if (guard != RUN_ALWAYS)
            tape_fails(t);
        else
            tape_access(t, warp, frame, op, lanes);
        return;
    case JOIN_32:
    case JOIN_64: note_pack(t, warp, frame, op, sort == JOIN_64 ? 64 : 32, 1, lanes, guard); return;
    case SPLIT_32:
    case SPLIT_64:
        note_pack(t, warp, frame, op, sort == SPLIT_64 ? 64 : 32, 0, lanes, guard);
        return;
    default: tape_fails(t); return;
    }
}

int tape_goes_on(const struct taper *t) {
    return !t->failed;
}

/* --- begin and end --- */

static int begin_memory(struct taper *t) {
    const size_t counts = (t->program->n_ops + 1u) * sizeof *t->counts;
    const uint64_t shared = t->unit->blocks[0].shared.size;
    t->sorts = calloc(t->program->n_ops, 1);
    t->number = calloc((size_t)TAPE_WIDTHS * (t->stride / 4), sizeof *t->number);
    t->states = calloc((size_t)t->tape.warps * TAPE_ROWS, sizeof *t->states);
    t->written = calloc(1, shared + 1);
    t->tape.shared = malloc(shared + 1);
    t->counts = malloc(counts);
    if (!t->sorts || !t->number || !t->states || !t->written || !t->tape.shared || !t->counts)
        return 0;
    memcpy(t->counts, t->worker->counts, counts);
    if (t->worker->written)
        t->counts_written = malloc(t->program->n_merged * sizeof *t->counts_written);
    if (t->counts_written)
        memcpy(t->counts_written, t->worker->written,
               t->program->n_merged * sizeof *t->counts_written);
    return t->counts_written || !t->worker->written;
}

struct taper *tape_begin(struct run_unit *unit) {
    struct run_worker *worker = unit->worker;
    const struct run_launch *launch = worker->launch;
    struct taper *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->unit = unit;
    t->worker = worker;
    t->program = launch->program;
    t->function = &launch->program->functions[0];
    t->stride = (t->function->frame_bytes + 63) & ~63u;
    t->instructions = worker->instructions;
    t->judged = worker->judged;
    t->heard = worker->bytes.n != 0;
    t->tape.warps = unit->blocks[0].n_warps;
    t->tape.warp = unit->blocks[0].warps;
    t->known_from = 64 + t->tape.warps * t->stride;
    t->tape.n_moves = 1;
    memcpy(t->id, unit->blocks[0].id, sizeof t->id);
    memcpy(t->tape.box, launch->grid, sizeof t->tape.box);
    if (begin_memory(t))
        return t;
    tape_close(t);
    return NULL;
}

/* Each played block counts as much as the recorded one has counted. All fields are numbers of 64
 * bits, of which differences may be negative. */
static size_t numbers_of(const struct taper *t) {
    return (t->program->n_ops + 1u) * (sizeof *t->counts / sizeof(uint64_t));
}
static size_t numbers_of_written(const struct taper *t) {
    return t->counts_written ? t->program->n_merged * (sizeof *t->counts_written / sizeof(uint64_t))
                             : 0;
}
static void subtract(uint64_t *from, const uint64_t *now, size_t n) {
    for (size_t i = 0; i < n; i++)
        from[i] = now[i] - from[i];
}
static void multiply(uint64_t *to, const uint64_t *each, size_t n, uint64_t times) {
    for (size_t i = 0; i < n; i++)
        to[i] += each[i] * times;
}

static void count(struct taper *t) {
    subtract((uint64_t *)t->counts, (const uint64_t *)t->worker->counts, numbers_of(t));
    subtract((uint64_t *)t->counts_written, (const uint64_t *)t->worker->written,
             numbers_of_written(t));
    t->tape.instructions = t->worker->instructions - t->instructions;
}

int tape_has(const struct taper *t, const uint32_t id[3]) {
    const uint32_t *box = t->tape.box;
    return id[0] < box[0] && id[1] < box[1] && id[2] < box[2];
}

uint64_t tape_instructions(const struct taper *t) {
    return t->tape.instructions;
}

/* Acts become operations. 0: no memory. */
static int link(struct taper *t) {
    struct tape *tape = &t->tape;
    run_step *const *steps = quick_tape();
    tape->ops = tape_keep(t, (tape->n_acts + 1u) * sizeof *tape->ops);
    for (uint32_t i = 0; tape->ops && i < tape->n_acts; i++) {
        const struct tape_act *act = &tape->acts[i];
        struct run_op *op = &tape->ops[i];
        const struct tape_moved *moved = &tape->moved[act->moved];
        *op = act->op;
        if (act->kind != TAPE_STEP)
            op->step = steps[act->kind - TAPE_GUARDED];
        if (act->kind >= TAPE_ROW_1)
            op->more = moved;
        if (act->kind == TAPE_LOAD || act->kind == TAPE_STORE) {
            act->access->moved = moved;
            op->more = act->access;
        }
        if (t->told && tape_is_store(act))
            tape_tell(t, act, op);
    }
    for (uint32_t i = 0; i < tape->n_moves; i++)
        tape->moved[i].ahead = tape->moves[i][0];
    return tape->ops && !t->failed;
}

int tape_end(struct taper *t) {
    const uint32_t always = ALL;
    size_t bytes = (size_t)t->known_from + t->known;
    if (t->failed || t->unit->blocks[0].text_used || t->judged != t->worker->judged)
        return 0;
    t->told = t->heard && memcmp(t->tape.box, t->worker->launch->grid, sizeof t->tape.box) != 0;
    if (t->heard && (!tape_stores(t) || (t->told && t->program->acquires)))
        return 0;
    t->tape.frame = tape_keep(t, bytes + 64);
    if (!t->tape.frame)
        return 0;
    t->tape.frame += -(uintptr_t)t->tape.frame & 63;
    memcpy(t->tape.frame, &always, sizeof always);
    if (t->known)
        memcpy(t->tape.frame + t->known_from, t->known_rows, t->known);
    count(t);
    tape_order(t);
    if (!link(t))
        return 0;
    t->done = 1;
    return 1;
}

struct run_unit *tape_tells(const struct taper *t) {
    return t->told ? t->unit : NULL;
}

void tape_play(struct taper *t, const uint32_t id[3]) {
    struct tape *tape = &t->tape;
    const struct run_op *op = tape->ops, *const end = op + tape->n_acts;
    for (uint32_t i = 0; i < tape->n_moves; i++)
        tape->moved[i].by =
            tape->moves[i][0] * id[0] + tape->moves[i][1] * id[1] + tape->moves[i][2] * id[2];
    if (tape->shared_bytes)
        memset(tape->shared, 0x4D, (size_t)tape->shared_bytes);
    for (; op < end; op++)
        op->step(tape->frame, op, op->position, tape->warp);
    tape_learn(tape, id);
    t->played++;
    t->worker->instructions += tape->instructions;
    t->worker->warps += tape->warps;
    t->worker->blocks++;
}

void tape_close(struct taper *t) {
    if (t->done) {
        multiply((uint64_t *)t->worker->counts, (const uint64_t *)t->counts, numbers_of(t),
                 t->played);
        multiply((uint64_t *)t->worker->written, (const uint64_t *)t->counts_written,
                 numbers_of_written(t), t->played);
    }
    for (struct tape_kept *next; t->all; t->all = next) {
        next = t->all->next;
        free(t->all);
    }
    free(t->tape.acts);
    free(t->tape.stored);
    free(t->tape.shared);
    free(t->sorts);
    free(t->number);
    free(t->states);
    free(t->known_rows);
    free(t->written);
    free(t->counts);
    free(t->counts_written);
    free(t);
}
