/* Tiles of tensor copies: the place of each piece in shared memory, and bytes outside of the
 * tensor. */
#include "show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void wsim_tile_open(const struct wsim_op *op, const struct wsim_arch *arch,
                    const struct wsim_bulk *copy, const struct wsim_tensor_tile *shape,
                    struct wsim_tile_map *tile) {
    uint64_t end = copy->shared_at + shape->room;
    memset(tile, 0, sizeof *tile);
    tile->op = op;
    tile->arch = arch;
    tile->copy = copy;
    tile->shape = *shape;
    tile->first = copy->shared_at / TILE_LINE;
    tile->lines = (uint32_t)((end + TILE_LINE - 1) / TILE_LINE) - tile->first;
}

static enum wsim_status put_byte(struct wsim_tile_map *tile, uint64_t row, uint32_t byte,
                                 struct wsim_diag *diag) {
    struct wsim_bulk_place place;
    struct wsim_tile_piece *piece;
    enum wsim_status status =
        wsim_bulk_locate(tile->op, tile->arch, tile->copy, row, byte, &place, diag);
    if (status)
        return status;
    piece = &tile->piece[place.shared / PIECE - tile->first * PIECES];
    if (!piece->used) {
        piece->row = (uint32_t)row;
        piece->number = byte / PIECE;
    }
    piece->used++;
    piece->inside = (uint8_t)(piece->inside + (place.where == WSIM_BULK_INSIDE));
    tile->outside += place.where != WSIM_BULK_INSIDE;
    return WSIM_OK;
}

enum wsim_status wsim_tile_fill(struct wsim_tile_map *tile, struct wsim_tile_piece *piece,
                                struct wsim_diag *diag) {
    tile->piece = piece;
    tile->outside = 0;
    memset(piece, 0, (size_t)tile->lines * PIECES * sizeof *piece);
    for (uint64_t row = 0; row < tile->shape.rows; row++)
        for (uint32_t byte = 0; byte < tile->shape.inner; byte++) {
            enum wsim_status status = put_byte(tile, row, byte, diag);
            if (status)
                return status;
        }
    return WSIM_OK;
}

/* --- lines by banks --- */

static const struct wsim_tile_piece *piece_of(const struct wsim_panel *p, uint32_t line,
                                              uint32_t col) {
    const struct wsim_tile_map *tile = p->about;
    return &tile->piece[line * PIECES + col];
}

/* Pieces outside of the tensor are marked; in colour, only pieces partly outside.
 */
static uint32_t flags_of(unsigned used, unsigned inside) {
    return inside == used ? 0 : inside ? WSIM_CELL_MARKED : WSIM_CELL_OUTSIDE | WSIM_CELL_MOVED;
}

static void line_cell(struct wsim_panel *p, uint32_t line, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_tile_piece *piece = piece_of(p, line, col);
    int outside = piece->used && !piece->inside;
    cell->value = piece->used ? (int32_t)piece->row : -1;
    cell->flags = piece->used ? flags_of(piece->used, piece->inside) : WSIM_CELL_EMPTY;
    if (!piece->used)
        strcpy(cell->text, ".");
    else
        snprintf(cell->text, WSIM_CELL_TEXT, "%s%u:%u%s", outside ? "(" : "", (unsigned)piece->row,
                 (unsigned)piece->number,
                 outside                       ? ")"
                 : piece->inside < piece->used ? "*"
                                               : "");
}

static void line_row(struct wsim_panel *p, uint32_t line, char out[WSIM_CELL_TEXT]) {
    const struct wsim_tile_map *tile = p->about;
    snprintf(out, WSIM_CELL_TEXT, "0x%05x", (unsigned)((tile->first + line) * TILE_LINE));
}

static void line_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%u-%u", (unsigned)(4 * col), (unsigned)(4 * col + 3));
}

static void line_title(struct wsim_panel *p, uint32_t line, uint32_t col,
                       char out[WSIM_CELL_TEXT]) {
    const struct wsim_tile_map *tile = p->about;
    const struct wsim_tile_piece *piece = piece_of(p, line, col);
    out[0] = '\0';
    if (piece->used)
        snprintf(out, WSIM_CELL_TEXT, "0x%x: bytes %u to %u of row %u, %u of %u in the tensor",
                 (unsigned)((tile->first + line) * TILE_LINE + col * PIECE),
                 (unsigned)(piece->number * PIECE),
                 (unsigned)(piece->number * PIECE + piece->used - 1), (unsigned)piece->row,
                 piece->inside, piece->used);
}

/* --- rows by pieces, as the tensor has them --- */

/* The bytes of a piece of a row inside the tensor, and the place of the first one. */
static unsigned count_inside(const struct wsim_tile_map *tile, uint32_t row, uint32_t piece,
                             unsigned *used, struct wsim_bulk_place *first) {
    unsigned inside = 0;
    struct wsim_bulk_place place;
    memset(first, 0, sizeof *first);
    for (*used = 0; *used < PIECE && piece * PIECE + *used < tile->shape.inner; ++*used) {
        if (wsim_bulk_locate(tile->op, tile->arch, tile->copy, row, piece * PIECE + *used, &place,
                             NULL))
            break;
        if (*used == 0)
            *first = place;
        inside += place.where == WSIM_BULK_INSIDE;
    }
    return inside;
}

static void put_coord(struct base_text *text, const struct wsim_tile_map *tile,
                      const struct wsim_bulk_place *place) {
    unsigned rank = WSIM_TENSOR_RANK;
    while (rank > 2 && place->coord[rank - 1] == 0 && tile->shape.extent[rank - 1] <= 1)
        rank--;
    base_put(text, "(");
    for (unsigned i = 0; i < rank; i++)
        base_put(text, "%s%" PRId64, i ? "," : "", place->coord[i]);
    base_put(text, ")");
}

static void box_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    struct base_text text = {cell->text, sizeof cell->text, 0};
    struct wsim_bulk_place first;
    unsigned used, inside = count_inside(p->about, row, col, &used, &first);
    put_coord(&text, p->about, &first);
    if (inside && inside < used)
        base_put(&text, "*");
    cell->value = (int32_t)row;
    cell->flags = flags_of(used, inside);
}

static void box_title(struct wsim_panel *p, uint32_t row, uint32_t col, char out[WSIM_CELL_TEXT]) {
    struct wsim_bulk_place first;
    unsigned used, inside = count_inside(p->about, row, col, &used, &first);
    if (inside)
        snprintf(out, WSIM_CELL_TEXT, "global 0x%" PRIx64 ", shared 0x%x: %u of %u bytes inside",
                 first.global, (unsigned)first.shared, inside, used);
    else
        snprintf(out, WSIM_CELL_TEXT, "outside the tensor; shared 0x%x", (unsigned)first.shared);
}

static void box_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    (void)p;
    show_decimal(row, out);
}

static void box_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "piece %u", (unsigned)col);
}

/* --- the list --- */

enum { LIST_ROW, LIST_PIECE, LIST_BYTES, LIST_INSIDE, LIST_COLUMNS, SEEN = 0, AT };

/* The piece of row `row` of the list, which is written in order. Returns its number. */
static uint32_t list_piece(struct wsim_panel *p, uint32_t row) {
    const struct wsim_tile_map *tile = p->about;
    uint32_t *seen = &p->part[SEEN], *at = &p->part[AT]; /* used pieces before, and up to, *at */
    if (row < *seen)
        *seen = *at = 0;
    while (*at < tile->lines * PIECES && (!tile->piece[*at].used || *seen < row)) {
        *seen += tile->piece[*at].used != 0;
        ++*at;
    }
    return *at;
}

static void list_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    const struct wsim_tile_map *tile = p->about;
    snprintf(out, WSIM_CELL_TEXT, "0x%05x",
             (unsigned)(tile->first * TILE_LINE + list_piece(p, row) * PIECE));
}

static void list_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const heads[LIST_COLUMNS] = {"row", "piece", "bytes", "inside"};
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%s", heads[col]);
}

static void list_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_tile_map *tile = p->about;
    const struct wsim_tile_piece *piece = &tile->piece[list_piece(p, row)];
    const uint32_t numbers[LIST_COLUMNS] = {piece->row, piece->number, piece->used, piece->inside};
    show_decimal(numbers[col], cell->text);
    cell->value = -1;
    cell->flags = 0;
}

static void list_panel(const struct wsim_tile_map *tile, struct wsim_panel *p) {
    snprintf(p->corner, sizeof p->corner, "address");
    for (uint32_t i = 0; i < tile->lines * PIECES; i++)
        p->rows += tile->piece[i].used != 0;
    p->cols = LIST_COLUMNS;
    p->cell = list_cell;
    p->row_head = list_row;
    p->col_head = list_col;
}

/* --- the picture --- */

static void line_panel(const struct wsim_tile_map *tile, struct wsim_panel *p) {
    snprintf(p->caption, sizeof p->caption,
             "row:piece of %" PRIu64 " rows of %u bytes; (outside the tensor), * partly",
             tile->shape.rows, (unsigned)tile->shape.inner);
    snprintf(p->corner, sizeof p->corner, "banks");
    p->rows = tile->lines;
    p->cols = PIECES;
    p->cell = line_cell;
    p->row_head = line_row;
    p->col_head = line_col;
    p->title = line_title;
}

static void box_panel(const struct wsim_tile_map *tile, struct wsim_panel *p) {
    snprintf(p->caption, sizeof p->caption,
             "the same rows in the tensor, as the coordinate of the first element of each piece");
    snprintf(p->corner, sizeof p->corner, "row");
    p->beside = 1;
    p->rows = (uint32_t)tile->shape.rows;
    p->cols = (tile->shape.inner + PIECE - 1) / PIECE;
    p->cell = box_cell;
    p->row_head = box_row;
    p->col_head = box_col;
    p->title = box_title;
}

static void tile_panel(const struct wsim_picture *picture, uint32_t number, struct wsim_panel *p) {
    const struct wsim_tile_map *tile = picture->about;
    memset(p, 0, sizeof *p);
    p->about = tile;
    if (number == WSIM_PANEL_LIST) {
        list_panel(tile, p);
        return;
    }
    p->values = (uint32_t)tile->shape.rows;
    p->hue = WSIM_HUE_GROUP; /* rows of the tile, 32 of which have colours of their own */
    if (number)
        box_panel(tile, p);
    else
        line_panel(tile, p);
}

void wsim_picture_tile(const struct wsim_tile_map *tile, struct wsim_picture *picture) {
    memset(picture, 0, sizeof *picture);
    picture->about = tile;
    picture->panels = 1 + (tile->boxes != 0);
    picture->list = 1;
    picture->panel = tile_panel;
}
