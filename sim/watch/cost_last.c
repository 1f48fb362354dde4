/* The last access of each operation; see cost.h. */
#include "cost.h"
#include "listeners.h"
#include "../state/launch.h"

#include <stdlib.h>
#include <string.h>

/* NULL: no memory, it is counted without. */
static struct cost_memories *memories_of(struct run_worker *worker, uint32_t op) {
    struct cost_memories *all = worker->heard[LISTENER_COST];
    if (!all)
        all = worker->heard[LISTENER_COST] =
            calloc(worker->launch->program->n_ops + 1u, sizeof *all);
    return all ? &all[op] : NULL;
}

struct cost_other *cost_other_of(struct run_worker *worker, uint32_t op, struct cost_other *fresh) {
    struct cost_memories *memories = memories_of(worker, op);
    if (memories && !memories->other)
        memories->other = calloc(1, sizeof *memories->other);
    if (memories && memories->other)
        return memories->other;
    memset(fresh, 0, sizeof *fresh);
    fresh->is_fresh = 1;
    return fresh;
}

struct cost_last *cost_last_of(struct run_worker *worker, uint32_t op) {
    struct cost_memories *memories = memories_of(worker, op);
    if (!memories || memories->heard < REPEATS) {
        if (memories)
            memories->heard++;
        return NULL;
    }
    if (!memories->last)
        memories->last = calloc(1, sizeof *memories->last);
    return memories->last;
}

void cost_free(struct run_worker *worker) {
    struct cost_memories *all = worker->heard[LISTENER_COST];
    if (!all)
        return;
    for (uint32_t op = 0; op <= worker->launch->program->n_ops; op++) {
        if (all[op].other) {
            free(all[op].other->windows);
            free(all[op].other->copies);
        }
        free(all[op].other);
        free(all[op].last);
    }
    free(all);
    worker->heard[LISTENER_COST] = NULL;
}
