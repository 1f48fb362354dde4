/* Where registers are named, and which write each read meets, along the graph of blocks. */
#include "places.h"

#include "uses.h"

#include <stdlib.h>

enum { STEPS_MOST = 1 << 22 }; /* blocks that the searches of a function may enter */

int places_find(const struct run_build *build, struct places *places) {
    const struct run_uses *uses = &build->uses;
    uint32_t n = build->source->n_registers, code = build->source->n_code;
    uint32_t all = uses->first[code], block = 0;
    places->first = calloc(n + 2u, sizeof *places->first);
    places->at = calloc(all + 1u, sizeof *places->at);
    places->writes = calloc(all + 1u, sizeof *places->writes);
    places->what = calloc(all + 1u, 1);
    places->block = calloc(build->blocks.blocks + 1u, sizeof *places->block);
    places->seen = calloc(build->blocks.blocks + 1u, sizeof *places->seen);
    places->follow = calloc(build->blocks.blocks + 1u, sizeof *places->follow);
    places->source = calloc(all + 1u, sizeof *places->source);
    places->earliest = calloc(all + 1u, sizeof *places->earliest);
    places->shared = calloc(all + 1u, 1);
    places->followed = calloc(n + 1u, 1);
    if (!places->first || !places->at || !places->writes || !places->what || !places->block ||
        !places->seen || !places->follow || !places->source || !places->earliest ||
        !places->shared || !places->followed)
        return 0;
    for (uint32_t u = 0; u < all; u++)
        places->first[uses->reg[u] + 2]++;
    for (uint32_t r = 2; r <= n + 1; r++)
        places->first[r] += places->first[r - 1];
    for (uint32_t i = 0; i < code; i++)
        for (uint32_t u = uses->first[i]; u < uses->first[i + 1]; u++) {
            uint32_t at = places->first[uses->reg[u] + 1]++;
            places->at[at] = i;
            places->what[at] = uses->what[u];
        }
    for (uint32_t i = 0; i < all; i++)
        places->writes[i + 1] = places->writes[i] + ((places->what[i] & USES_WRITE) != 0);
    for (uint32_t i = 0; i < code; i++)
        if (build->leads[i])
            places->block[block++] = i;
    places->block[build->blocks.blocks] = code;
    return 1;
}

void places_free(struct places *places) {
    free(places->first);
    free(places->at);
    free(places->writes);
    free(places->what);
    free(places->block);
    free(places->seen);
    free(places->follow);
    free(places->source);
    free(places->earliest);
    free(places->shared);
    free(places->followed);
}

uint32_t place_from(const struct places *places, uint32_t reg, uint32_t from) {
    uint32_t low = places->first[reg], high = places->first[reg + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (places->at[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t writes_of(const struct places *places, uint32_t reg) {
    return places->writes[places->first[reg + 1]] - places->writes[places->first[reg]];
}

static int is_passed(const struct ptx_param *params, uint32_t n, uint32_t reg) {
    for (uint32_t i = 0; i < n; i++)
        if (params[i].in_register && params[i].reg == reg)
            return 1;
    return 0;
}

/* --- values along paths --- */

/* One write whose value is followed. place: none of the register if the caller writes it. */
struct value {
    struct places *places;
    const struct run_build *build;
    uint32_t reg, place;
};

static void meet(struct value *value, uint32_t read) {
    struct places *places = value->places;
    uint32_t *source = &places->source[read];
    if (!*source) {
        *source = value->place + 1;
        places->earliest[read] = value->place + 1;
        return;
    }
    if (*source == value->place + 1)
        return;
    if (*source != PLACES_SEVERAL)
        places->shared[*source - 1] = 1;
    places->shared[value->place] = 1;
    *source = PLACES_SEVERAL;
}

/* The reads of places from i on in a block. 0: a write of all threads ends the value there. */
static int pass(struct value *value, uint32_t i, uint32_t block) {
    struct places *places = value->places;
    const uint32_t end = places->block[block + 1];
    for (; i < places->first[value->reg + 1] && places->at[i] < end; i++) {
        const int guarded = value->build->source->code[places->at[i]].guard != PTX_NO_GUARD;
        if (places->what[i] & USES_READ)
            meet(value, i);
        if (places->what[i] & USES_WRITE && !guarded)
            return 0;
        if (places->what[i] & (USES_WRITE | USES_LASTING))
            places->shared[value->place] = 1;
    }
    return 1;
}

static int step(struct places *places) {
    return places->steps == STEPS_MOST ? 0 : (places->steps++, 1);
}

/* 0: too many steps. */
static int follow(struct value *value, uint32_t i, uint32_t block) {
    struct places *places = value->places;
    const struct run_graph *graph = &value->build->blocks;
    uint32_t n = 0;
    places->searches++;
    if (pass(value, i, block))
        places->follow[n++] = block;
    while (n) {
        const uint32_t from = places->follow[--n];
        for (uint32_t e = graph->first[from]; e < graph->first[from + 1]; e++) {
            const uint32_t to = graph->to[e];
            if (places->seen[to] == places->searches)
                continue;
            places->seen[to] = places->searches;
            if (!step(places))
                return 0;
            if (pass(value, place_from(places, value->reg, places->block[to]), to))
                places->follow[n++] = to;
        }
    }
    return 1;
}

static void share_all(struct places *places, uint32_t reg) {
    for (uint32_t i = places->first[reg]; i < places->first[reg + 1]; i++) {
        places->source[i] = PLACES_SEVERAL;
        places->shared[i] = 1;
    }
}

void places_follow(struct places *places, const struct run_build *build, uint32_t reg) {
    const struct ptx_function *source = build->source;
    const uint32_t from = places->first[reg], to = places->first[reg + 1];
    const int passed = is_passed(source->params, source->n_params, reg);
    int within = !is_passed(source->results, source->n_results, reg);
    struct value value = {places, build, reg, places->first[source->n_registers + 1]};
    if (places->followed[reg])
        return;
    places->followed[reg] = 1;
    if (passed && within)
        within = follow(&value, from, 0);
    for (uint32_t i = from; i < to && within; i++) {
        if (!(places->what[i] & USES_WRITE))
            continue;
        value.place = i;
        if (writes_of(places, reg) == 1 && !passed)
            for (uint32_t read = from; read < to; read++) /* all of them, on whatever path */
                places->source[read] = places->what[read] & USES_READ ? i + 1 : 0;
        else
            within = follow(&value, i + 1, build->block_of[places->at[i]]);
    }
    if (!within)
        share_all(places, reg);
}

uint32_t place_of_value(struct places *places, const struct run_build *build, uint32_t reg,
                        uint32_t at) {
    uint32_t i = place_from(places, reg, at), source;
    places_follow(places, build, reg);
    if (i == places->first[reg + 1] || places->at[i] != at)
        return 0;
    source = places->source[i];
    return source == PLACES_SEVERAL || source > places->first[reg + 1] ? 0 : source;
}

uint32_t places_earliest(struct places *places, const struct run_build *build, uint32_t reg,
                         uint32_t at) {
    const uint32_t i = place_from(places, reg, at);
    uint32_t place;
    places_follow(places, build, reg);
    if (i == places->first[reg + 1] || places->at[i] != at)
        return 0;
    place = places->earliest[i];
    return place && place <= places->first[reg + 1] ? places->at[place - 1] + 1 : 0;
}

int places_path(struct places *places, const struct run_build *build, uint32_t from, uint32_t to,
                uint32_t around) {
    const struct run_graph *graph = &build->blocks;
    uint32_t n = 1;
    places->searches++;
    for (places->follow[0] = build->block_of[from]; n; from = PLACES_SEVERAL) {
        const uint32_t block = places->follow[--n];
        const uint32_t begin = from == PLACES_SEVERAL ? places->block[block] : from + 1;
        const uint32_t end = places->block[block + 1];
        if (begin <= around && around < end && !(begin <= to && to < around))
            continue;
        if (begin <= to && to < end)
            return 1;
        for (uint32_t e = graph->first[block]; e < graph->first[block + 1]; e++) {
            if (places->seen[graph->to[e]] == places->searches)
                continue;
            places->seen[graph->to[e]] = places->searches;
            if (!step(places))
                return 1;
            places->follow[n++] = graph->to[e];
        }
    }
    return 0;
}
