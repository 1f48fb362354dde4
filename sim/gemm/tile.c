/* Tiles of matrices: from memory into registers and back. */
#include "tile.h"

#include "../exec/map.h"
#include "../layout/layout.h"

#include <string.h>

static struct tile_place place_of(const struct wsim_layout *layout, uint32_t at, int batches) {
    unsigned above = batches ? (at >> 24) * layout->rows : 0;
    return (struct tile_place){(uint16_t)((at & 0xFFF) + above), at >> 12 & 0xFFF};
}

void tile_compile(struct tile_map *map, const struct wsim_layout *layout, unsigned bytes,
                  int batches) {
    map->layout = layout;
    map->bytes = bytes;
    for (unsigned lane = 0; lane < layout->lanes; lane++)
        map->lane[lane] = place_of(layout, layout_packed(layout, lane, 0), batches);
    for (unsigned elem = 0; elem < layout->elems; elem++)
        map->elem[elem] = place_of(layout, layout_packed(layout, 0, elem), batches);
}

static size_t less(size_t all, size_t gone) {
    return all > gone ? all - gone : 0;
}

struct tile_view tile_part(const struct tile_view *view, size_t row, size_t column) {
    struct tile_view part = *view;
    part.rows = less(view->rows, row);
    part.columns = less(view->columns, column);
    if (part.rows && part.columns)
        part.at = view->at + row * view->row + column * view->column;
    return part;
}

/* --- elements --- */

static int is_inside(const struct tile_view *view, unsigned row, unsigned column) {
    return row < view->rows && column < view->columns;
}

static size_t offset(const struct tile_view *view, struct tile_place place) {
    return place.row * view->row + place.column * view->column;
}

static void gather_elements(const struct tile_map *map, const struct tile_view *view,
                            uint32_t *words) {
    const struct wsim_layout *layout = map->layout;
    unsigned bits = layout->elem_bits, lanes = layout->lanes;
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    memset(words, 0, (size_t)layout->regs * lanes * sizeof *words);
    for (unsigned elem = 0; elem < layout->elems; elem++) {
        struct tile_place e = map->elem[elem];
        uint32_t *row = words + (size_t)(elem * bits / 32) * lanes;
        for (unsigned lane = 0; lane < lanes; lane++) {
            struct tile_place at = {(uint16_t)(map->lane[lane].row + e.row),
                                    (uint16_t)(map->lane[lane].column + e.column)};
            uint64_t value;
            if (!is_inside(view, at.row, at.column))
                continue;
            value = map_get(view->at + offset(view, at), map->bytes, 0) & mask;
            row[lane] |= (uint32_t)value << elem * bits % 32;
            if (bits == 64)
                row[lanes + lane] = (uint32_t)(value >> 32);
        }
    }
}

void tile_scatter(const struct tile_map *map, const uint32_t *words, const struct tile_view *view) {
    const struct wsim_layout *layout = map->layout;
    uint8_t *at = (uint8_t *)view->at;
    unsigned bits = layout->elem_bits, lanes = layout->lanes;
    for (unsigned elem = 0; elem < layout->elems; elem++) {
        struct tile_place e = map->elem[elem];
        const uint32_t *row = words + (size_t)(elem * bits / 32) * lanes;
        for (unsigned lane = 0; lane < lanes; lane++) {
            struct tile_place to = {(uint16_t)(map->lane[lane].row + e.row),
                                    (uint16_t)(map->lane[lane].column + e.column)};
            uint64_t value = row[lane] >> elem * bits % 32;
            if (bits == 64)
                value |= (uint64_t)row[lanes + lane] << 32;
            if (is_inside(view, to.row, to.column))
                map_put(at + offset(view, to), map->bytes, 0, value);
        }
    }
}

/* --- whole words --- */

int tile_is_plain(unsigned bits, unsigned bytes) {
    static const uint16_t first = 1;
    uint8_t low;
    memcpy(&low, &first, 1);
    return low && bits == 8 * bytes && bits <= 32;
}

/* True if the bytes of a register are adjacent in memory, in the same order. */
static int are_words(const struct tile_map *map, const struct tile_view *view) {
    const struct wsim_layout *layout = map->layout;
    unsigned each = 32u / layout->elem_bits;
    if (!tile_is_plain(layout->elem_bits, map->bytes))
        return 0;
    for (unsigned elem = 0; elem < layout->elems; elem++)
        if (offset(view, map->elem[elem]) !=
            offset(view, map->elem[elem / each * each]) + elem % each * map->bytes)
            return 0;
    return 1;
}

static int is_whole(const struct tile_map *map, const struct tile_view *view) {
    struct tile_place lane = map->lane[map->layout->lanes - 1], most = {0, 0};
    for (unsigned elem = 0; elem < map->layout->elems; elem++) {
        struct tile_place e = map->elem[elem];
        most.row = e.row > most.row ? e.row : most.row;
        most.column = e.column > most.column ? e.column : most.column;
    }
    return is_inside(view, lane.row + most.row, lane.column + most.column);
}

static void gather_words(const struct tile_map *map, const struct tile_view *view,
                         uint32_t *words) {
    const struct wsim_layout *layout = map->layout;
    unsigned each = 32u / layout->elem_bits;
    for (unsigned reg = 0; reg < layout->regs; reg++) {
        const uint8_t *from = view->at + offset(view, map->elem[reg * each]);
        for (unsigned lane = 0; lane < layout->lanes; lane++, words++)
            memcpy(words, from + offset(view, map->lane[lane]), sizeof *words);
    }
}

void tile_gather(const struct tile_map *map, const struct tile_view *view, uint32_t *words) {
    if (is_whole(map, view) && are_words(map, view))
        gather_words(map, view, words);
    else
        gather_elements(map, view, words);
}

/* --- shared memory --- */

/* Elements of a column in a piece of 16 bytes of shared memory, which a swizzle keeps together. */
static void share_piece(const struct wsim_tile *tile, unsigned bytes, const uint8_t *from,
                        size_t step, unsigned count, uint8_t *to) {
    for (unsigned k = 0; k < count; k++, from += step) {
        uint64_t value = map_get(from, bytes, 0);
        if (tile->bits == 1)
            to[k / 8] |= (uint8_t)((value & 1) << k % 8);
        for (unsigned byte = 0; byte < tile->bits / 8u; byte++)
            to[k * bytes + byte] = (uint8_t)(value >> 8 * byte);
    }
}

void tile_share(const struct wsim_gemm *gemm, const struct tile_view *view, uint8_t *shared) {
    enum { PIECE_BITS = 128 };
    const struct wsim_tile *tile = &gemm->work.tile_b;
    unsigned each = PIECE_BITS / tile->bits;
    struct wsim_descriptor descriptor;
    wsim_descriptor_decode(gemm->work.desc_b, &descriptor, NULL);
    memset(shared, 0, gemm->work.words_b * sizeof(uint32_t));
    for (unsigned n = 0; n < tile->rows && n < view->columns; n++)
        for (unsigned k = 0; k < tile->k && k < view->rows; k += each) {
            size_t left = view->rows - k;
            share_piece(tile, gemm->element_b, view->at + k * view->row + n * view->column,
                        view->row, left < each ? (unsigned)left : each,
                        shared + wsim_descriptor_address(&descriptor, tile, n, k));
        }
}
