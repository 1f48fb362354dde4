/* Acquires of some lanes of a warp: waits for an mbarrier or for bulk copies, loads
 * and atomics with .acquire.
 *
 * The other lanes know no more than before, the vector `base`, until all lanes meet or each has
 * acquired something. */
#include "actors.h"

#include <stdlib.h>

int acquire_make(struct races *races) {
    if (races->rest || race_has(races, 1 + SYNC_BULK))
        races->know = calloc(races->n_warps, sizeof *races->know);
    return races->know || !(races->rest || race_has(races, 1 + SYNC_BULK));
}

void acquire_free(struct races *races) {
    free(races->know);
    free(races->bases);
}

void acquire_begin(struct races *races) {
    if (races->know)
        memset(races->know, 0, races->n_warps * sizeof *races->know);
}

void acquire_lanes(struct races *races, struct run_warp *warp, uint32_t lanes) {
    const uint32_t number = race_warp(warp);
    uint32_t *know = &races->know[number], *base;
    if (!*know && !(warp->lanes & ~lanes))
        return;
    if (!races->bases)
        races->bases = calloc((size_t)races->n_warps * races->width, sizeof *races->bases);
    if (!races->bases) {
        run_no_memory(warp);
        return;
    }
    base = races->bases + (size_t)number * races->width;
    if (!*know) {
        race_copy(races, base, race_clocks(races, warp));
        base[number] = base[race_sharer(races, number)] = UINT32_MAX;
    }
    *know |= lanes;
    if (!(warp->lanes & ~*know))
        *know = 0;
}

uint32_t acquire_late(const struct races *races, const struct run_warp *warp, uint32_t lanes) {
    const uint32_t know = races->know ? races->know[race_warp(warp)] : 0;
    return know ? lanes & ~know : 0;
}

uint32_t *acquire_base(const struct races *races, const struct run_warp *warp) {
    return races->know && races->know[race_warp(warp)]
               ? races->bases + (size_t)race_warp(warp) * races->width
               : NULL;
}
