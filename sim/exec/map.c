/* Layouts compiled into small tables, and registers gathered through them. A layout is linear over
 * bits. So is the index in a plane whose rows hold a power of two of elements. The index of an
 * element is therefore that of its lane XORed with that of its number. */
#include "map.h"

#include "../layout/layout.h"
#include "product.h"

#include <string.h>

static unsigned row_of(uint32_t at) {
    return at & 0xFFF;
}

static unsigned col_of(uint32_t at) {
    return at >> 12 & 0xFFF;
}

static unsigned batch_of(uint32_t at) {
    return at >> 24;
}

struct compiling {
    const struct wsim_layout *layout;
    enum map_plane plane;
    unsigned k, split;
    int by_columns; /* the lines of memory, or the factors of a scale, are columns */
};

static unsigned index_of(const struct compiling *c, uint32_t at) {
    unsigned word = c->layout->elem_bits == 1 ? MAP_WORD : 1;
    unsigned line = c->by_columns ? col_of(at) : row_of(at);
    unsigned in_line = c->by_columns ? row_of(at) : col_of(at);
    switch (c->plane) {
    case MAP_ROWS:
        return (batch_of(at) * c->layout->rows + row_of(at)) * c->k +
               product_order(c->split, col_of(at) / word);
    case MAP_COLUMNS:
        return (batch_of(at) * c->layout->cols + col_of(at)) * c->k +
               product_order(c->split, row_of(at) / word);
    case MAP_META:
        return batch_of(at) << MAP_META_SELECTOR | row_of(at) << MAP_META_ROW | col_of(at);
    case MAP_FACTORS: return batch_of(at) << MAP_FACTOR_BATCH | line << MAP_FACTOR_LINE | in_line;
    case MAP_LINES: break;
    }
    line += batch_of(at) * c->layout->rows;
    return line << MAP_LINE | in_line / word;
}

int map_compile(struct wsim_code_map *map, const struct wsim_layout *layout, enum map_plane plane,
                unsigned k, unsigned split, int by_columns) {
    struct compiling c = {layout, plane, k, split, by_columns};
    unsigned word = layout->elem_bits == 1 ? MAP_WORD : 1, elems = layout->elems / word;
    unsigned own = (unsigned)layout->batches * layout->rows * layout->cols / layout->lanes / word;
    if (elems > WSIM_CODE_ELEMS)
        return 0;
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        map->lane[lane] = (uint16_t)index_of(&c, layout_packed(layout, lane, 0));
    for (unsigned elem = 0; elem < elems; elem++)
        map->elem[elem] = (uint16_t)index_of(&c, layout_packed(layout, 0, elem * word));
    map->elems = (uint8_t)(own < elems ? own : elems);
    map->copies = (uint8_t)elems;
    map->bits = (uint8_t)map_unit(layout->elem_bits);
    map->regs = layout->regs;
    return 1;
}

/* --- the inverse --- */

/* At first, one bit of a thread or element number and the coordinate bits that it flips.
 * Elimination turns this into a place and the single coordinate bit that it flips. */
struct generator {
    uint32_t coord, place;
};

/* Reduces the generators to single coordinate bits, as far as possible (elimination). */
static void solve(struct generator *g, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        uint32_t pivot = g[i].coord & ~(g[i].coord - 1);
        for (unsigned j = 0; j < count; j++)
            if (j != i && g[j].coord & pivot) {
                g[j].coord ^= g[i].coord;
                g[j].place ^= g[i].place;
            }
    }
}

static uint16_t place_of(const struct generator *g, unsigned count, uint32_t coord) {
    for (unsigned i = 0; i < count; i++)
        if (g[i].coord == coord)
            return (uint16_t)g[i].place;
    return 0;
}

/* The rows of batch b follow those of batch b - 1. */
void map_invert(struct wsim_code_place *place, const struct wsim_layout *layout) {
    struct generator g[WSIM_LAYOUT_LANE_BITS + WSIM_LAYOUT_ELEM_BITS];
    unsigned count = 0, bit = 0;
    for (unsigned i = 0; i < WSIM_LAYOUT_LANE_BITS; i++)
        g[count++] = (struct generator){layout->lane[i], 1u << i};
    for (unsigned i = 0; i < WSIM_LAYOUT_ELEM_BITS; i++)
        g[count++] = (struct generator){layout->elem[i], 1u << (MAP_ELEM_BIT + i)};
    solve(g, count);
    for (unsigned row = 1; row < layout->rows; row *= 2)
        place->row[bit++] = place_of(g, count, row);
    for (unsigned batch = 1; batch < layout->batches; batch *= 2)
        place->row[bit++] = place_of(g, count, (uint32_t)batch << 24);
    bit = 0;
    for (unsigned col = 1; col < layout->cols; col *= 2)
        place->col[bit++] = place_of(g, count, (uint32_t)col << 12);
    place->bits = layout->elem_bits;
    place->regs = layout->regs;
}

/* --- planes --- */

uint64_t map_get(const void *plane, unsigned bytes, unsigned index) {
    const uint8_t *from = (const uint8_t *)plane + (size_t)bytes * index;
    uint64_t wide;
    uint32_t word;
    uint16_t half;
    switch (bytes) {
    case 1: return *from;
    case 2: memcpy(&half, from, sizeof half); return half;
    case 4: memcpy(&word, from, sizeof word); return word;
    default: memcpy(&wide, from, sizeof wide); return wide;
    }
}

void map_put(void *plane, unsigned bytes, unsigned index, uint64_t bits) {
    uint8_t *to = (uint8_t *)plane + (size_t)bytes * index;
    uint32_t word = (uint32_t)bits;
    uint16_t half = (uint16_t)bits;
    switch (bytes) {
    case 1: *to = (uint8_t)bits; break;
    case 2: memcpy(to, &half, sizeof half); break;
    case 4: memcpy(to, &word, sizeof word); break;
    default: memcpy(to, &bits, sizeof bits); break;
    }
}

void map_gather(const struct wsim_code_map *map, const uint32_t *const *regs, unsigned stride,
                void *plane, unsigned first) {
    unsigned bytes = map_bytes(map->bits);
    uint32_t mask = map->bits < 32 ? (UINT32_C(1) << map->bits) - 1 : UINT32_MAX;
    for (unsigned elem = 0; elem < map->elems; elem++) {
        unsigned bit = elem * map->bits, shift = bit % 32, base = map->elem[elem];
        const uint32_t *low = regs[bit / 32 * stride];
        for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
            uint64_t bits = low[lane] >> shift & mask;
            if (bytes == 8)
                bits |= (uint64_t)regs[(bit / 32 + 1) * stride][lane] << 32;
            map_put(plane, bytes, first + (base ^ map->lane[lane]), bits);
        }
    }
}
