/* The order in which a tape is played. Acts of the warps take turns, so the host need not wait for
 * the result of each. Acts of one warp keep their order. So do accesses of two warps that have a
 * byte in common, if one of them writes: no other act may tell the order. */
#include "taper.h"

#include "../state/device.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 256, GRAIN = 4, MANY = 63 }; /* acts of a turn; bytes; more than one warp */

/* Acts from `first` on, which may take turns. */
struct turns {
    const struct tape *tape;
    uint32_t first, number;
    uint32_t *readers, *writers; /* of each grain of shared memory: 64 * number + 1 + warp */
    uint32_t loads[MOST], stores[MOST], n_loads, n_stores; /* of global memory */
};

static int is_access(const struct tape_act *act) {
    return act->kind >= TAPE_LOAD;
}
static int is_load(const struct tape_act *act) {
    return act->kind == TAPE_LOAD || act->kind == TAPE_LOAD_4 || act->kind == TAPE_LOAD_8 ||
           act->kind == TAPE_LOAD_SOME || act->kind == TAPE_LOAD_ONE;
}

/* Buffers at two addresses may have bytes in common. */
static int share_bytes(const struct run_buffer *a, const struct run_buffer *b) {
    const uintptr_t first = (uintptr_t)run_host(a, a->base),
                    other = (uintptr_t)run_host(b, b->base);
    return first < other + b->size && other < first + a->size;
}

/* Accesses of buffers with common bytes that move alike have bytes in common in every block or in
 * none. */
static int may_meet(const struct tape_act *a, const struct tape_act *b) {
    return a->warp != b->warp && share_bytes(a->buffer, b->buffer) &&
           (a->moved != b->moved || (a->low < b->high && b->low < a->high));
}

static int meets_any(const struct turns *turns, const struct tape_act *act, const uint32_t *list,
                     uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (may_meet(act, &turns->tape->acts[list[i]]))
            return 1;
    return 0;
}

/* A grain of shared memory, for an act: 0: another warp has accessed it in this turn. */
static int take_grain(struct turns *turns, const struct tape_act *act, uint64_t grain, int loads) {
    const uint32_t mine = 64 * turns->number + 1 + act->warp;
    uint32_t *reader = &turns->readers[grain], *writer = &turns->writers[grain];
    const int is_written = *writer / 64 == turns->number && *writer != mine;
    const int is_read = *reader / 64 == turns->number && *reader != mine;
    if (is_written || (is_read && !loads))
        return 0;
    if (loads)
        *reader = is_read ? 64 * turns->number + MANY : mine;
    else
        *writer = mine;
    return 1;
}

static int take_shared(struct turns *turns, const struct tape_act *act, int loads) {
    const uintptr_t begin = (uintptr_t)turns->tape->shared;
    const struct reach_plan *plan = act->access->reach;
    const uint64_t bytes = (uint64_t)plan->bytes * plan->elements;
    for (uint32_t rest = act->op.position; rest; rest &= rest - 1) {
        const uintptr_t at = act->first + (uintptr_t)act->access->at[run_lowest(rest)] - begin;
        for (uint64_t grain = at / GRAIN; grain <= (at + bytes - 1) / GRAIN; grain++)
            if (!take_grain(turns, act, grain, loads))
                return 0;
    }
    return 1;
}

/* 0: the act has to come after another one of this turn. */
static int take(struct turns *turns, uint32_t number) {
    const struct tape_act *act = &turns->tape->acts[number];
    const int loads = is_load(act);
    if (number - turns->first == MOST)
        return 0;
    if (!is_access(act))
        return 1;
    if (!act->buffer)
        return take_shared(turns, act, loads);
    if (meets_any(turns, act, turns->stores, turns->n_stores) ||
        (!loads && meets_any(turns, act, turns->loads, turns->n_loads)))
        return 0;
    if (loads)
        turns->loads[turns->n_loads++] = number;
    else
        turns->stores[turns->n_stores++] = number;
    return 1;
}

/* Acts of `first` .. end - 1, one of each warp after another. */
static struct tape_act *weave(const struct turns *turns, uint32_t end, struct tape_act *to) {
    const struct tape *tape = turns->tape;
    uint32_t at[32], left = end - turns->first;
    for (uint32_t w = 0; w < tape->warps; w++)
        at[w] = turns->first;
    while (left)
        for (uint32_t w = 0; w < tape->warps; w++) {
            while (at[w] < end && tape->acts[at[w]].warp != w)
                at[w]++;
            if (at[w] == end)
                continue;
            *to++ = tape->acts[at[w]++];
            left--;
        }
    return to;
}

void tape_order(struct taper *t) {
    struct tape *tape = &t->tape;
    const uint64_t grains = t->unit->blocks[0].shared.size / GRAIN + 1;
    struct tape_act *acts = malloc((tape->n_acts + 1u) * sizeof *acts), *to = acts;
    struct turns turns = {.tape = tape, .number = 1};
    turns.readers = calloc(2 * grains, sizeof *turns.readers);
    if (!acts || !turns.readers || tape->warps > 32) {
        free(acts);
        free(turns.readers);
        return;
    }
    turns.writers = turns.readers + grains;
    for (uint32_t i = 0; i < tape->n_acts; i++) {
        if (take(&turns, i))
            continue;
        to = weave(&turns, i, to);
        turns.first = i;
        turns.number++;
        turns.n_loads = turns.n_stores = 0;
        take(&turns, i);
    }
    weave(&turns, tape->n_acts, to);
    free(turns.readers);
    free(tape->acts);
    tape->acts = acts;
}
