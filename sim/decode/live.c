/* Liveness without flow: an instruction that only computes, or only loads, has no effect but its
 * results. All others keep what they read alive. */
#include "live.h"

#include "../isa/scalar.h"
#include "uses.h"

#include <stdlib.h>

enum { ROUNDS_MOST = 16 };

int live_has_effect(const struct run_build *build, uint32_t at) {
    const struct scalar_meaning *meaning = build_meaning(build, at);
    if (!meaning)
        return 1;
    return meaning->kind != SCALAR_COMPUTES && meaning->kind != SCALAR_MOVES &&
           (meaning->method != SCALAR_METHOD_LD || meaning->order > SCALAR_WEAK);
}

/* 1: something new became live. */
static int look(const struct run_build *build, uint32_t at, uint8_t *live) {
    const struct run_uses *uses = &build->uses;
    int needed = live_has_effect(build, at), changed = 0;
    for (uint32_t u = uses->first[at]; u < uses->first[at + 1] && !needed; u++)
        needed = uses->what[u] & USES_WRITE && live[uses->reg[u]];
    for (uint32_t u = uses->first[at]; u < uses->first[at + 1] && needed; u++)
        if (uses->what[u] & USES_READ && !live[uses->reg[u]])
            changed = live[uses->reg[u]] = 1;
    return changed;
}

/* Results of a function are read by its caller. */
static void keep_results(const struct run_build *build, uint8_t *live) {
    const struct ptx_function *source = build->source;
    for (uint32_t i = 0; i < source->n_results; i++)
        if (source->results[i].in_register)
            live[source->results[i].reg] = 1;
}

uint8_t *live_find(const struct run_build *build) {
    const uint32_t registers = build->source->n_registers;
    uint8_t *live = calloc(registers + 1u, 1);
    int changed = 1;
    if (!live)
        return NULL;
    keep_results(build, live);
    for (unsigned round = 0; changed && round < ROUNDS_MOST; round++) {
        changed = 0;
        for (uint32_t i = build->source->n_code; i-- > 0;)
            changed |= look(build, i, live);
    }
    if (changed)
        memset(live, 1, registers + 1u);
    return live;
}
