/* Where registers are named, and how far a value goes. Values in other blocks are searched along
 * the graph of blocks. */
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
    if (!places->first || !places->at || !places->writes || !places->what || !places->block ||
        !places->seen || !places->follow)
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

/* Whether a path from the end of a block comes to a read of the register before a write. */
static int is_read_behind(struct places *places, const struct run_build *build, uint32_t block,
                          uint32_t reg) {
    const struct run_graph *graph = &build->blocks;
    uint32_t n = 1;
    if (is_passed(build->source->results, build->source->n_results, reg))
        return 1;
    places->searches++;
    for (places->follow[0] = block; n;) {
        const uint32_t from = places->follow[--n];
        for (uint32_t e = graph->first[from]; e < graph->first[from + 1]; e++) {
            const uint32_t to = graph->to[e];
            uint32_t i;
            if (places->seen[to] == places->searches)
                continue;
            places->seen[to] = places->searches;
            if (places->steps++ == STEPS_MOST)
                return places->steps--, 1;
            i = place_from(places, reg, places->block[to]);
            if (i == places->first[reg + 1] || places->at[i] >= places->block[to + 1])
                places->follow[n++] = to;
            else if (places->what[i] != USES_WRITE)
                return 1;
        }
    }
    return 0;
}

struct life life_of(struct places *places, const struct run_build *build, uint32_t at,
                    uint32_t reg) {
    const struct life all = {places->first[reg], places->first[reg + 1], 0};
    const uint32_t block = build->block_of[at], from = place_from(places, reg, at + 1);
    uint32_t i;
    if (writes_of(places, reg) < 2)
        return all;
    for (i = from; i < all.to && places->at[i] < places->block[block + 1]; i++)
        if (places->what[i] & USES_WRITE)
            return build->source->code[places->at[i]].guard == PTX_NO_GUARD
                       ? (struct life){from, i + 1, 1}
                       : all;
    return is_read_behind(places, build, block, reg) ? all : (struct life){from, i, 0};
}
