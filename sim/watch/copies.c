/* Copies with groups, of each lane. A wait makes the copies of a thread known to that thread alone
 * (PTX ISA 9.0, cp.async.wait_group). The other lanes know them after __syncwarp.
 *
 * Each cp.async has a number, the clock of its queue. A list has those that no lane has waited for,
 * or whose lanes must still meet. When lanes meet, the warp knows the copies that all lanes have
 * waited for. An access or an arrival in between makes such copies writes of their lanes, so
 * lanes.c and release.c compare them as stores (copies_enter.c).
 *
 * Bulk copies have numbers too. One lane mostly waits for them, and the others know no more
 * (acquire.c). */
#include "copies.h"

#include <stdlib.h>

enum { FIRST_ROOM = 16, MOST = 1024 /* powers of two */ };

int copies_make(struct races *races, int copies) {
    const int bulks = race_has(races, 1 + SYNC_BULK);
    if (copies) {
        races->copies = calloc(races->n_warps, sizeof *races->copies);
        races->scratch = calloc(races->width, sizeof *races->scratch);
    }
    if (bulks)
        races->bulks = malloc(races->n_warps * sizeof *races->bulks);
    return (!copies || (races->copies && races->scratch)) && (!bulks || races->bulks);
}

void copies_free(struct races *races) {
    for (uint32_t w = 0; races->copies && w < races->n_warps; w++) {
        free(races->copies[w].ring);
        free(races->copies[w].arrivals);
    }
    free(races->copies);
    free(races->scratch);
    free(races->bulks);
}

void copies_begin(struct races *races) {
    races->unmet = 0;
    for (uint32_t w = 0; races->bulks && w < races->n_warps; w++)
        races->bulks[w].n = races->bulks[w].number = races->bulks[w].dropped = 0;
    for (uint32_t w = 0; races->copies && w < races->n_warps; w++) {
        struct copies_warp *of = &races->copies[w];
        of->leader = of->number = of->arrived = of->first = of->n = of->lost = of->n_arrivals = 0;
    }
}

/* Room for one more. NULL: the list is too long. */
static struct copy *grow(struct copies_warp *of) {
    if (of->n == of->room && of->room < MOST) {
        const uint32_t room = of->room ? 2 * of->room : FIRST_ROOM;
        struct copy *ring = malloc(room * sizeof *ring);
        for (uint32_t i = 0; ring && i < of->n; i++)
            ring[i] = *copy_at(of, i);
        if (ring) {
            free(of->ring);
            of->ring = ring;
            of->room = room;
            of->first = 0;
        }
    }
    if (of->n == of->room) {
        of->lost = 1;
        of->n = 0;
        return NULL;
    }
    return copy_at(of, of->n);
}

uint32_t copies_hear(struct races *races, struct run_warp *warp, const struct run_op *op,
                     const struct run_access *access) {
    const uint32_t *group = sync_warp_of(warp)->groups[SYNC_CP_ASYNC].committed;
    struct copies_warp *of = &races->copies[race_warp(warp)];
    struct copy *copy;
    if (access->kind == RUN_READ) /* the sources of a group are one access */
        return of->number ? of->leader : 1;
    of->number++;
    if (of->leader <= of->arrived || of->group != group[run_lowest(access->lanes)])
        of->leader = of->number;
    of->group = group[run_lowest(access->lanes)];
    copy = of->lost ? NULL : grow(of);
    if (!copy)
        return of->number;
    *copy = (struct copy){.number = of->number,
                          .op = run_number(warp, op),
                          .bytes = access->bytes,
                          .lanes = access->lanes,
                          .least = UINT32_MAX};
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        copy->group[lane] = group[lane];
        copy->least = group[lane] < copy->least ? group[lane] : copy->least;
        copy->most = group[lane] > copy->most ? group[lane] : copy->most;
        copy->from[lane] = (uint32_t)(run_access_at(access, lane) - warp->block->shared.base);
    }
    of->n++;
    return of->number;
}

void copies_know(const struct races *races, const struct run_warp *warp, uint32_t number) {
    const uint32_t actor = race_actor(races, warp, 1 + SYNC_CP_ASYNC);
    uint32_t *known = &race_clocks(races, warp)[actor], *base = acquire_base(races, warp);
    *known = number > *known ? number : *known;
    if (base && base[actor] < number)
        base[actor] = number;
}

static uint32_t done_of(const struct copy *copy, uint32_t lanes, const uint32_t *waited) {
    uint32_t done = 0;
    for (uint32_t rest = copy->lanes & lanes & ~copy->done; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        done |= (uint32_t)(copy->group[lane] < waited[lane]) << lane;
    }
    return done;
}

void copies_wait(struct races *races, struct run_warp *warp, uint32_t lanes) {
    const struct sync_groups *groups = &sync_warp_of(warp)->groups[SYNC_CP_ASYNC];
    struct copies_warp *of = &races->copies[race_warp(warp)];
    const uint32_t *waited = groups->waited;
    uint32_t least = UINT32_MAX, all = 1, any = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        least = waited[lane] < least ? waited[lane] : least;
        all &= waited[lane] >= groups->committed[lane];
    }
    for (uint32_t i = 0; i < of->n; i++) {
        struct copy *copy = copy_at(of, i);
        const int is_all = copy->most < least && !(copy->lanes & ~lanes);
        const uint32_t done = is_all ? copy->lanes : done_of(copy, lanes, waited);
        copy->done |= done;
        any |= done;
    }
    if (any)
        races->unmet |= UINT64_C(1) << race_warp(warp) % 64;
    if (all && of->arrived && (!of->n || copy_at(of, 0)->number > of->arrived))
        copies_know(races, warp, of->arrived);
    if (all && of->lost) {
        copies_know(races, warp, of->number);
        of->lost = 0;
    }
}

void copies_arrive(struct races *races, struct run_warp *warp, uint32_t lanes) {
    struct copies_warp *of = &races->copies[race_warp(warp)];
    for (uint32_t i = 0; i < of->n; i++)
        copy_at(of, i)->lanes &= ~lanes;
    while (of->n && !copy_at(of, 0)->lanes) {
        of->first++;
        of->n--;
    }
    of->arrived = of->number;
    if (of->n_arrivals == of->arrivals_room) {
        const uint32_t room = of->arrivals_room ? 2 * of->arrivals_room : FIRST_ROOM;
        struct arrival *arrivals = realloc(of->arrivals, room * sizeof *arrivals);
        if (!arrivals) {
            run_no_memory(warp);
            return;
        }
        of->arrivals = arrivals;
        of->arrivals_room = room;
    }
    of->arrivals[of->n_arrivals++] = (struct arrival){of->number, lanes};
}

uint32_t copies_arrived(struct races *races, const struct run_warp *warp, uint32_t lanes) {
    struct copies_warp *of = &races->copies[race_warp(warp)];
    uint32_t i = 0, number;
    while (i < of->n_arrivals && !(of->arrivals[i].lanes & lanes))
        i++;
    if (i == of->n_arrivals)
        return 0;
    number = of->arrivals[i].number;
    of->arrivals[i].lanes &= ~lanes;
    if (!of->arrivals[i].lanes)
        memmove(of->arrivals + i, of->arrivals + i + 1,
                (--of->n_arrivals - i) * sizeof *of->arrivals);
    return number;
}

/* --- bulk copies with groups --- */

uint32_t copies_bulk(struct races *races, const struct run_warp *warp, unsigned lane) {
    const struct sync_item *acting = sync_unit_of(warp)->acting;
    const uint32_t group =
        acting ? acting->group[lane] : sync_warp_of(warp)->groups[SYNC_BULK].committed[lane];
    struct bulks_warp *of = &races->bulks[race_warp(warp)];
    struct bulk *last = of->n ? &of->of[of->n - 1] : NULL;
    of->number++;
    if (!last || last->lane != lane || last->group != group) {
        if (of->n == COPIES_BULKS) { /* the oldest one counts as waited for */
            of->dropped = of->of[0].number;
            memmove(of->of, of->of + 1, --of->n * sizeof *of->of);
        }
        last = &of->of[of->n++];
        *last = (struct bulk){.lane = lane, .group = group};
    }
    last->number = of->number;
    return of->number;
}

void copies_bulk_wait(struct races *races, struct run_warp *warp, uint32_t lanes) {
    const struct sync_groups *groups = &sync_warp_of(warp)->groups[SYNC_BULK];
    struct bulks_warp *of = &races->bulks[race_warp(warp)];
    uint32_t *clocks = race_clocks(races, warp);
    uint32_t *read = &clocks[race_actor(races, warp, 1 + SYNC_BULK)];
    uint32_t *written = &clocks[race_actor(races, warp, RACE_BULK_WRITES)];
    uint32_t left = 0;
    if (of->n)
        acquire_lanes(races, warp, lanes);
    *read = of->dropped > *read ? of->dropped : *read;
    *written = of->dropped > *written ? of->dropped : *written;
    for (uint32_t i = 0; i < of->n; i++) {
        const struct bulk *bulk = &of->of[i];
        const int mine = (int)(lanes >> bulk->lane & 1);
        if (mine && bulk->group < groups->waited[bulk->lane] && bulk->number > *read)
            *read = bulk->number;
        if (mine && bulk->group < groups->written[bulk->lane])
            *written = bulk->number > *written ? bulk->number : *written;
        else
            of->of[left++] = *bulk;
    }
    of->n = left;
}

/* --- what findings say --- */

uint32_t copies_bulk_pending(const struct races *races, const struct run_warp *warp,
                             uint32_t number) {
    const struct bulks_warp *of = &races->bulks[race_warp(warp)];
    for (uint32_t i = 0; i < of->n; i++)
        if (of->of[i].number >= number)
            return of->of[i].group + 1;
    return 0;
}

uint32_t copies_pending(const struct races *races, const struct run_warp *warp, uint32_t number) {
    const struct copies_warp *of = &races->copies[race_warp(warp)];
    for (uint32_t i = 0; i < of->n; i++) {
        const struct copy *copy = copy_at(of, i);
        if (copy->number == number && copy->lanes & ~copy->done)
            return copy->most + 1;
    }
    return 0;
}
