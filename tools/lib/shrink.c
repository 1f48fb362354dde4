/* The search: take away by halves, then one by one; then simpler values; again while it helps. */
#include "shrink.h"

#include <string.h>

enum { ROUNDS = 6, VALUES = 160, MOST_K = 256 };

/* --- the target --- */

uint64_t shrink_result(const struct shrink_target *target, const uint32_t *out) {
    const uint32_t *word = out + target->reg * WSIM_LANES + target->lane;
    if (target->bits == 64)
        return word[0] | (uint64_t)word[WSIM_LANES] << 32;
    return word[0] >> target->lsb & wsim_stream_ones(target->bits);
}

void shrink_set_result(const struct shrink_target *target, uint32_t *out, uint64_t bits) {
    uint32_t *word = out + target->reg * WSIM_LANES + target->lane;
    uint32_t mask = (uint32_t)wsim_stream_ones(target->bits < 32 ? target->bits : 32);
    *word = (*word & ~(mask << target->lsb)) | ((uint32_t)bits & mask) << target->lsb;
    if (target->bits == 64)
        word[WSIM_LANES] = (uint32_t)(bits >> 32);
}

static struct shrink_target element_at(const struct wsim_layout *layout, unsigned lane,
                                       unsigned elem) {
    struct wsim_place place = wsim_layout_place(layout, lane, elem);
    struct shrink_target target = {.reg = place.reg,
                                   .lane = lane,
                                   .lsb = place.lsb,
                                   .bits = layout->elem_bits,
                                   .at = wsim_layout_coord(layout, lane, elem)};
    return target;
}

static struct shrink_target byte_at(unsigned offset) {
    struct shrink_target target = {
        .reg = offset / 128, .lane = offset / 4 % 32, .lsb = 8 * (offset % 4), .bits = 8};
    return target;
}

int shrink_find(const struct wsim_op *op, const struct wsim_plan *plan, const uint32_t *expected,
                const uint32_t *got, struct shrink_target *target) {
    struct wsim_layout layout = {0};
    unsigned n = WSIM_CASE_WINDOW_BYTES, elems = 1, differing = 0;
    if (!plan->store) {
        wsim_op_layout(op, WSIM_D, &layout, NULL);
        elems = layout.elems;
        n = WSIM_LANES * elems;
    }
    for (unsigned i = 0; i < n; i++) {
        struct shrink_target here =
            plan->store ? byte_at(i) : element_at(&layout, i / elems, i % elems);
        if (shrink_result(&here, expected) != shrink_result(&here, got) && differing++ == 0)
            *target = here;
    }
    if (differing)
        target->differing = differing;
    return differing > 0;
}

/* --- what the target is made of --- */

/* Whether byte-id and thread-id choose this scale: its batch counts thread-ids first. */
static int is_chosen(const struct wsim_plan *plan, struct shrink_unit unit, unsigned batch,
                     const uint32_t *in) {
    uint32_t picked = in[plan->input[WSIM_IN_PICK].first * WSIM_LANES];
    int b = unit.which == WSIM_IN_SFB;
    unsigned choices = b ? plan->bytes_b : plan->bytes_a, threads = b ? 4 : 2;
    unsigned bid = picked >> 16 * b & 0xff, tid = picked >> (16 * b + 8) & 0xff;
    return batch == tid + bid * choices / 4 * threads;
}

/* Which k the row of the target has: all, or of a sparse A those that its metadata names. */
static void find_k(const struct shrink *shrink, const uint32_t *in, uint8_t has_k[MOST_K]) {
    const uint32_t *e = in + shrink->plan.input[WSIM_IN_E].first * WSIM_LANES;
    const unsigned k = wsim_op_info(&shrink->op).k;
    uint64_t dense[16 * MOST_K];
    struct wsim_regs ones;
    memset(has_k, 1, MOST_K);
    memset(&ones, 0xff, sizeof ones);
    if (shrink->plan.sparse &&
        !wsim_sparse_expand(&shrink->op, &ones, e, shrink->plan.selector, dense, NULL))
        for (unsigned i = 0; i < k; i++)
            has_k[i] = dense[shrink->target.at.row * k + i] != 0;
}

static int is_of_target(const struct shrink *shrink, struct shrink_unit unit, const uint32_t *in,
                        const uint8_t has_k[MOST_K]) {
    const struct wsim_coord at = shrink->target.at;
    uint32_t coord = wsim_stream_coord(&shrink->plan.input[unit.which], unit.lane, unit.elem);
    unsigned row = coord & 0xfff, col = coord >> 12 & 0xfff, batch = coord >> 24;
    switch (unit.which) {
    case WSIM_IN_A: return row == at.row && batch == at.batch;
    case WSIM_IN_B: return col == at.col && batch == at.batch && has_k[row];
    case WSIM_IN_C: return row == at.row && col == at.col && batch == at.batch;
    case WSIM_IN_E: return row == at.row && batch == shrink->plan.selector;
    case WSIM_IN_SFA: return row == at.row && is_chosen(&shrink->plan, unit, batch, in);
    case WSIM_IN_SFB: return col == at.col && is_chosen(&shrink->plan, unit, batch, in);
    default: return 1;
    }
}

/* A move copies: what is moved to the target shows there when its bits are turned over. */
static int is_moved(const struct shrink *shrink, const struct wsim_arch *arch,
                    struct shrink_unit unit, uint32_t *in, uint64_t got) {
    uint64_t bits = shrink_get(&shrink->plan, unit, in);
    uint32_t out[SHRINK_WORDS];
    int shows;
    shrink_set(&shrink->plan, unit, in, ~bits);
    shows = wsim_case_run(&shrink->op, arch, &shrink->plan, in, out, NULL) ||
            shrink_result(&shrink->target, out) != got;
    shrink_set(&shrink->plan, unit, in, bits);
    return shows;
}

void shrink_isolate(const struct shrink *shrink, const struct wsim_arch *arch, uint32_t *in) {
    struct shrink_unit units[SHRINK_UNITS];
    unsigned n = shrink_units(&shrink->plan, units);
    int moves = wsim_op_info(&shrink->op).family != WSIM_MMA;
    uint32_t out[SHRINK_WORDS];
    uint8_t has_k[MOST_K];
    uint64_t got;
    if (moves && wsim_case_run(&shrink->op, arch, &shrink->plan, in, out, NULL))
        return;
    got = moves ? shrink_result(&shrink->target, out) : 0;
    if (!moves)
        find_k(shrink, in, has_k);
    for (unsigned i = 0; i < n; i++)
        if (moves ? !is_moved(shrink, arch, units[i], in, got)
                  : !is_of_target(shrink, units[i], in, has_k))
            shrink_set(&shrink->plan, units[i], in, shrink_rest(&shrink->plan, units[i]));
}

/* --- asking --- */

/* Blocks that wait for the judge. */
struct queue {
    struct shrink *shrink;
    uint32_t *now; /* the smallest block so far */
    uint32_t blocks[SHRINK_BATCH * SHRINK_WORDS];
    unsigned waiting;
    int broken;
};

static uint32_t *block_at(struct queue *queue, unsigned i) {
    return queue->blocks + (size_t)i * queue->shrink->plan.in_rows * WSIM_LANES;
}

static uint32_t *new_block(struct queue *queue) {
    uint32_t *block = block_at(queue, queue->waiting++);
    memcpy(block, queue->now, queue->shrink->plan.in_rows * WSIM_LANES * sizeof *block);
    return block;
}

/* The first waiting block that still differs becomes the current one; its number, or -1. */
static int ask(struct queue *queue) {
    struct shrink *shrink = queue->shrink;
    uint8_t differs[SHRINK_BATCH] = {0};
    unsigned n = queue->waiting;
    queue->waiting = 0;
    if (!n || queue->broken)
        return -1;
    shrink->asked += n;
    queue->broken = shrink->judge(shrink->about, queue->blocks, n, differs) != 0 ||
                    shrink->asked >= shrink->limit;
    for (unsigned i = 0; i < n; i++)
        if (differs[i] == 1) {
            memcpy(queue->now, block_at(queue, i),
                   shrink->plan.in_rows * WSIM_LANES * sizeof *queue->now);
            return (int)i;
        }
    return -1;
}

static void try_isolated(struct queue *queue, const struct wsim_arch *arch) {
    shrink_isolate(queue->shrink, arch, new_block(queue));
    ask(queue);
}

/* --- taking away --- */

/* The elements that say something. */
static unsigned find_busy(const struct shrink *shrink, const uint32_t *in,
                          struct shrink_unit *units) {
    unsigned n = shrink_units(&shrink->plan, units), busy = 0;
    for (unsigned i = 0; i < n; i++)
        if (shrink_get(&shrink->plan, units[i], in) != shrink_rest(&shrink->plan, units[i]))
            units[busy++] = units[i];
    return busy;
}

static void rest_chunk(const struct shrink *shrink, const struct shrink_unit *units, unsigned from,
                       unsigned to, uint32_t *in) {
    for (unsigned i = from; i < to; i++)
        shrink_set(&shrink->plan, units[i], in, shrink_rest(&shrink->plan, units[i]));
}

/* Chunks of `size` elements in turn, as many in a question as the judge takes. The order in which
 * chunks are tried and taken does not depend on how many that are. */
static int take_chunks(struct queue *queue, const struct shrink_unit *units, unsigned n,
                       unsigned size) {
    struct shrink *shrink = queue->shrink;
    int taken = 0;
    for (unsigned at = 0; at < n && !queue->broken;) {
        unsigned next = at;
        int found;
        for (; next < n && queue->waiting < shrink->batch; next += size)
            rest_chunk(shrink, units, next, next + size < n ? next + size : n, new_block(queue));
        found = ask(queue);
        taken |= found >= 0;
        at = found < 0 ? next : at + ((unsigned)found + 1) * size;
    }
    return taken;
}

static int take_away(struct queue *queue) {
    struct shrink_unit units[SHRINK_UNITS];
    unsigned n = find_busy(queue->shrink, queue->now, units), size = n;
    int taken = 0;
    while (size && !queue->broken) {
        if (take_chunks(queue, units, n, size)) {
            taken = 1;
            n = find_busy(queue->shrink, queue->now, units);
        }
        size = size == 1 ? 0 : (size + 1) / 2;
    }
    return taken;
}

/* --- simpler values --- */

static int simplify_unit(struct queue *queue, struct shrink_unit unit) {
    const struct shrink *shrink = queue->shrink;
    uint64_t values[VALUES];
    uint64_t now = shrink_get(&shrink->plan, unit, queue->now);
    unsigned n = shrink_simpler(shrink, unit, now, values, VALUES), at = 0;
    while (at < n && !queue->broken) {
        for (; at < n && queue->waiting < shrink->batch; at++)
            shrink_set(&shrink->plan, unit, new_block(queue), values[at]);
        if (ask(queue) >= 0)
            return 1;
    }
    return 0;
}

static int simplify(struct queue *queue) {
    struct shrink_unit units[SHRINK_UNITS];
    unsigned n = find_busy(queue->shrink, queue->now, units);
    int simpler = 0;
    for (unsigned i = 0; i < n; i++)
        while (simplify_unit(queue, units[i]))
            simpler = 1;
    return simpler;
}

void shrink_run(struct shrink *shrink, const struct wsim_arch *arch, uint32_t *in) {
    struct queue queue;
    int changed = 1;
    queue.shrink = shrink;
    queue.now = in;
    queue.waiting = 0;
    queue.broken = 0;
    try_isolated(&queue, arch);
    for (int round = 0; round < ROUNDS && changed && !queue.broken; round++) {
        changed = take_away(&queue);
        changed |= simplify(&queue);
    }
}
