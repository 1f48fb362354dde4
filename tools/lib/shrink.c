/* The search: take away by halves, then one by one; then simpler values; again while it helps. */
#include "shrink.h"
#include "shrink_isolate.h"

#include <string.h>

enum { ROUNDS = 6, VALUES = 160 };

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
    const struct shrink *shrink = queue->shrink;
    shrink_isolate(&shrink->op, &shrink->plan, &shrink->target, arch, new_block(queue));
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
    unsigned n = shrink_simpler(&shrink->op, &shrink->plan, unit, now, values, VALUES), at = 0;
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
