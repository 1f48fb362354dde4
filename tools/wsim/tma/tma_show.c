/* wsim tma show: a tile in shared memory, 16 bytes a cell and 128, all banks, a line. */
#include "../common/memory.h"
#include "tma_access.h"
#include "tma_command.h"
#include "tma_runs.h"

#include <inttypes.h>
#include <stdlib.h>

/* The tile as the library sees it, and what there is to draw. */
struct map {
    const struct tma_copy *copy;
    struct wsim_tile_map tile;
};

static void draw(struct map *map, const struct tma_copy *copy) {
    struct wsim_tile_piece *piece;
    map->copy = copy;
    wsim_tile_open(&copy->op, copy->arch, &copy->io, &copy->tile, &map->tile);
    piece = memory_make((size_t)map->tile.lines * TMA_LINE_PIECES, sizeof *piece);
    wsim_tile_fill(&map->tile, piece, NULL); /* what cannot be located was refused before */
}

/* --- text, and pictures --- */

static void print_text(const struct map *map, const struct tma_runs *runs) {
    const struct tma_copy *copy = map->copy;
    struct wsim_picture picture;
    char place[TMA_PLACE];
    tma_place(copy, place);
    puts(place);
    wsim_picture_tile(&map->tile, &picture);
    picture_print(&picture, TOOL_TEXT);
    printf("barrier  %" PRIu64 " bytes, %" PRIu64 " of them outside\n", copy->tile.bytes,
           map->tile.outside);
    tma_print_accesses(copy);
    if (runs->count)
        tma_print_runs(runs);
}

static int print_page(struct map *map, const struct tma_runs *runs, enum tool_format format) {
    const struct tma_copy *copy = map->copy;
    struct wsim_picture picture;
    struct table table = tma_runs_table(runs);
    char place[TMA_PLACE];
    struct page page;
    map->tile.boxes = 1;
    tma_place(copy, place);
    page_open(&page, place);
    wsim_picture_tile(&map->tile, &picture);
    page_picture(&page, &picture);
    if (runs->count)
        page_table(&page, "rows of the tile, and where they come from", &table);
    page_line(&page, WSIM_LINES_BELOW, "barrier: %" PRIu64 " bytes, %" PRIu64 " of them outside",
              copy->tile.bytes, map->tile.outside);
    tma_page_accesses(copy, &page);
    return page_print(&page, format);
}

static void print_csv(const struct map *map) {
    struct wsim_picture picture;
    wsim_picture_tile(&map->tile, &picture);
    picture_print(&picture, TOOL_CSV);
}

/* --- JSON --- */

static json_t *piece_json(const struct wsim_tile_piece *piece) {
    if (!piece->used)
        return json_null();
    return json_pack("{s:I, s:I, s:i, s:i}", "row", (json_int_t)piece->row, "piece",
                     (json_int_t)piece->number, "bytes", (int)piece->used, "inside",
                     (int)piece->inside);
}

static json_t *lines_json(const struct map *map) {
    json_t *lines = json_array();
    uint32_t i, k;
    for (i = 0; i < map->tile.lines; i++) {
        json_t *pieces = json_array();
        for (k = 0; k < TMA_LINE_PIECES; k++)
            json_array_append_new(pieces, piece_json(&map->tile.piece[i * TMA_LINE_PIECES + k]));
        json_array_append_new(lines, json_pack("{s:I, s:o}", "address",
                                               (json_int_t)((map->tile.first + i) * TMA_LINE),
                                               "pieces", pieces));
    }
    return lines;
}

static void print_json(const struct map *map, const struct tma_runs *runs) {
    const struct tma_copy *copy = map->copy;
    json_t *out = json_pack(
        "{s:s, s:i, s:s, s:I, s:I, s:I, s:I, s:o, s:o}", "schema", "wsim.tma.show", "version", 1,
        "arch", wsim_arch_name(copy->arch), "rows", (json_int_t)copy->tile.rows, "row_bytes",
        (json_int_t)copy->tile.inner, "barrier_bytes", (json_int_t)copy->tile.bytes, "outside",
        (json_int_t)map->tile.outside, "lines", lines_json(map), "reads", tma_accesses_json(copy));
    if (runs->count)
        json_object_set_new(out, "runs", tma_runs_json(runs));
    tool_print_json(out);
}

/* Rows of a tile follow from its box; where pixels come from is told. */
int tma_show(const struct tma_request *request, const struct tma_copy *copy) {
    struct tma_runs runs = {copy, NULL, 0};
    struct map map;
    int status = TOOL_FINE;
    draw(&map, copy);
    if (copy->tensor.mode == WSIM_TENSOR_IM2COL)
        tma_runs(copy, &runs);
    if (request->format == TOOL_JSON)
        print_json(&map, &runs);
    else if (request->format == TOOL_CSV)
        print_csv(&map);
    else if (request->format == TOOL_TEXT)
        print_text(&map, &runs);
    else
        status = print_page(&map, &runs, request->format);
    free(map.tile.piece);
    free(runs.run);
    return status;
}
