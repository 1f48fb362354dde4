/* wsim tma show: a tile in shared memory, 16 bytes a cell and 128, all banks, a line. */
#include "../common/memory.h"
#include "../common/screen.h"
#include "../common/table.h"
#include "tma_access.h"
#include "tma_command.h"
#include "tma_runs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What lies in 16 bytes of shared memory. */
struct piece {
    uint32_t row, number; /* in its row                           */
    uint8_t used, inside; /* bytes of it, of which in the tensor  */
};

struct map {
    const struct tma_copy *copy;
    uint32_t first, lines; /* the first line, by its address / 128 */
    struct piece *piece;
    uint64_t outside;
};

static struct wsim_bulk_place place_of(const struct tma_copy *copy, uint64_t row, uint32_t byte) {
    struct wsim_bulk_place place = {WSIM_BULK_OUTSIDE, 0, 0, {0}};
    wsim_bulk_locate(&copy->op, copy->arch, &copy->io, row, byte, &place, NULL);
    return place;
}

static void put_byte(struct map *map, uint32_t row, uint32_t byte) {
    struct wsim_bulk_place place = place_of(map->copy, row, byte);
    struct piece *piece = &map->piece[place.shared / TMA_PIECE - map->first * TMA_LINE_PIECES];
    if (!piece->used) {
        piece->row = row;
        piece->number = byte / TMA_PIECE;
    }
    piece->used++;
    piece->inside += place.where == WSIM_BULK_INSIDE;
    map->outside += place.where != WSIM_BULK_INSIDE;
}

static void draw(struct map *map, const struct tma_copy *copy) {
    uint64_t end = copy->io.shared_at + copy->tile.room;
    uint32_t row, byte;
    map->copy = copy;
    map->first = copy->io.shared_at / TMA_LINE;
    map->lines = (uint32_t)((end + TMA_LINE - 1) / TMA_LINE) - map->first;
    map->outside = 0;
    map->piece = memory_make((size_t)map->lines * TMA_LINE_PIECES, sizeof *map->piece);
    for (row = 0; row < copy->tile.rows; row++)
        for (byte = 0; byte < copy->tile.inner; byte++)
            put_byte(map, row, byte);
}

/* --- text --- */

static void print_cell(const void *about, unsigned row, unsigned col, char out[TABLE_CELL]) {
    const struct map *map = about;
    const struct piece *piece = &map->piece[row * TMA_LINE_PIECES + col];
    char text[32];
    snprintf(text, sizeof text, "%u:%u", (unsigned)piece->row, (unsigned)piece->number);
    if (!piece->used)
        snprintf(out, TABLE_CELL, ".");
    else if (!piece->inside)
        snprintf(out, TABLE_CELL, "(%s)", text);
    else
        snprintf(out, TABLE_CELL, "%s%s", text, piece->inside < piece->used ? "*" : "");
}

static void print_row(const void *about, unsigned row, char out[TABLE_CELL]) {
    const struct map *map = about;
    snprintf(out, TABLE_CELL, "0x%05x", (unsigned)((map->first + row) * TMA_LINE));
}

static void print_column(const void *about, unsigned col, char out[TABLE_CELL]) {
    (void)about;
    snprintf(out, TABLE_CELL, "%u-%u", 4 * col, 4 * col + 3);
}

/* What does not come from the tensor. */
static int is_outside(const void *about, unsigned row, unsigned col) {
    const struct map *map = about;
    const struct piece *piece = &map->piece[row * TMA_LINE_PIECES + col];
    return piece->inside < piece->used;
}

static void print_text(const struct map *map, const struct tma_runs *runs) {
    const struct tma_copy *copy = map->copy;
    struct table table = {.rows = map->lines,
                          .cols = TMA_LINE_PIECES,
                          .corner = "banks",
                          .about = map,
                          .cell = print_cell,
                          .row_head = print_row,
                          .col_head = print_column,
                          .marked = is_outside};
    tma_print_place(copy);
    screen_fold(2, "row:piece of %" PRIu64 " rows of %u bytes; (outside the tensor), * partly",
                copy->tile.rows, (unsigned)copy->tile.inner);
    table_print(&table);
    printf("barrier  %" PRIu64 " bytes, %" PRIu64 " of them outside\n", copy->tile.bytes,
           map->outside);
    tma_print_accesses(copy);
    if (runs->count)
        tma_print_runs(runs);
}

/* --- CSV --- */

static void print_csv(const struct map *map) {
    uint32_t i;
    puts("address,row,piece,bytes,inside");
    for (i = 0; i < map->lines * TMA_LINE_PIECES; i++) {
        const struct piece *piece = &map->piece[i];
        if (piece->used)
            printf("0x%05x,%u,%u,%u,%u\n", (unsigned)(map->first * TMA_LINE + i * TMA_PIECE),
                   (unsigned)piece->row, (unsigned)piece->number, piece->used, piece->inside);
    }
}

/* --- JSON --- */

static json_t *piece_json(const struct piece *piece) {
    if (!piece->used)
        return json_null();
    return json_pack("{s:I, s:I, s:i, s:i}", "row", (json_int_t)piece->row, "piece",
                     (json_int_t)piece->number, "bytes", (int)piece->used, "inside",
                     (int)piece->inside);
}

static json_t *lines_json(const struct map *map) {
    json_t *lines = json_array();
    uint32_t i, k;
    for (i = 0; i < map->lines; i++) {
        json_t *pieces = json_array();
        for (k = 0; k < TMA_LINE_PIECES; k++)
            json_array_append_new(pieces, piece_json(&map->piece[i * TMA_LINE_PIECES + k]));
        json_array_append_new(lines, json_pack("{s:I, s:o}", "address",
                                               (json_int_t)((map->first + i) * TMA_LINE), "pieces",
                                               pieces));
    }
    return lines;
}

static void print_json(const struct map *map, const struct tma_runs *runs) {
    const struct tma_copy *copy = map->copy;
    json_t *out = json_pack(
        "{s:s, s:i, s:s, s:I, s:I, s:I, s:I, s:o, s:o}", "schema", "wsim.tma.show", "version", 1,
        "arch", wsim_arch_name(copy->arch), "rows", (json_int_t)copy->tile.rows, "row_bytes",
        (json_int_t)copy->tile.inner, "barrier_bytes", (json_int_t)copy->tile.bytes, "outside",
        (json_int_t)map->outside, "lines", lines_json(map), "reads", tma_accesses_json(copy));
    if (runs->count)
        json_object_set_new(out, "runs", tma_runs_json(runs));
    tool_print_json(out);
}

/* Rows of a tile follow from its box; where pixels come from is told. */
int tma_show(const struct tma_request *request, const struct tma_copy *copy) {
    struct tma_runs runs = {copy, NULL, 0};
    struct map map;
    draw(&map, copy);
    if (copy->tensor.mode == WSIM_TENSOR_IM2COL)
        tma_runs(copy, &runs);
    if (request->format == TOOL_JSON)
        print_json(&map, &runs);
    else if (request->format == TOOL_CSV)
        print_csv(&map);
    else
        print_text(&map, &runs);
    free(map.piece);
    free(runs.run);
    return TOOL_FINE;
}
