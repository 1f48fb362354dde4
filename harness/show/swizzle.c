/* Swizzles: the banks of the 16-byte pieces of rows. */
#include "show.h"

#include <stdio.h>
#include <string.h>

/* The bits that address bits `distance` above them are XORed into. */
static unsigned bits_moved(enum wsim_swizzle mode, unsigned distance) {
    unsigned bits = 0;
    for (unsigned b = 0; b < 16; b++) {
        uint32_t from = UINT32_C(1) << (b + distance);
        if ((wsim_swizzle_apply(mode, from) ^ from) & UINT32_C(1) << b)
            bits |= 1u << b;
    }
    return bits;
}

void wsim_swizzle_formula(enum wsim_swizzle mode, char out[WSIM_SWIZZLE_FORMULA]) {
    struct base_text text = {out, WSIM_SWIZZLE_FORMULA, 0};
    base_put(&text, "a");
    for (unsigned distance = 1; distance < 10; distance++)
        if (bits_moved(mode, distance))
            base_put(&text, " ^ (a >> %u & 0x%02x)", distance, bits_moved(mode, distance));
}

/* The address of the first byte of a piece; a flip exchanges halves of pieces too. */
static uint32_t piece_at(const struct wsim_swizzle_tile *t, uint32_t row, uint32_t piece) {
    return wsim_swizzle_apply(t->mode, t->at + row * t->pitch + piece * PIECE);
}

static void put_piece(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_swizzle_tile *t = p->about;
    uint32_t at = piece_at(t, row, col), from = at - t->at;
    snprintf(cell->text, WSIM_CELL_TEXT, "%u:%u%s", (unsigned)(from / t->pitch),
             (unsigned)(from % t->pitch / PIECE), at % PIECE ? "+8" : "");
    cell->value = (int32_t)(at / 4 % WSIM_BANKS);
    cell->flags = from != row * t->pitch + col * PIECE ? WSIM_CELL_MOVED : 0;
}

static void put_title(struct wsim_panel *p, uint32_t row, uint32_t col, char out[WSIM_CELL_TEXT]) {
    const struct wsim_swizzle_tile *t = p->about;
    uint32_t at = piece_at(t, row, col);
    unsigned bank = at / PIECE * PIECE / 4 % WSIM_BANKS;
    snprintf(out, WSIM_CELL_TEXT, "bytes %u to %u of row %u: at 0x%x, banks %u to %u",
             (unsigned)col * PIECE, (unsigned)col * PIECE + PIECE - 1, (unsigned)row, (unsigned)at,
             bank, bank + PIECE / 4 - 1);
}

static void put_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    (void)p;
    show_decimal(row, out);
}

static void put_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "piece %u", (unsigned)col);
}

/* --- the list --- */

static uint32_t pieces(const struct wsim_swizzle_tile *t) {
    return t->pitch / PIECE;
}

static void list_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    show_decimal(row / pieces(p->about), out);
}

static void list_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%s", col ? "address" : "piece");
}

static void list_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_swizzle_tile *t = p->about;
    uint32_t piece = row % pieces(t);
    show_decimal(col ? piece_at(t, row / pieces(t), piece) : piece, cell->text);
    cell->value = -1;
    cell->flags = 0;
}

static void swizzle_panel(const struct wsim_picture *picture, uint32_t number,
                          struct wsim_panel *p) {
    const struct wsim_swizzle_tile *t = picture->about;
    memset(p, 0, sizeof *p);
    p->about = t;
    snprintf(p->corner, sizeof p->corner, "row");
    if (number == WSIM_PANEL_LIST) {
        p->rows = t->rows * pieces(t);
        p->cols = 2;
        p->cell = list_cell;
        p->row_head = list_row;
        p->col_head = list_col;
        return;
    }
    snprintf(p->caption, sizeof p->caption, "row:piece, %u bytes from row to row",
             (unsigned)t->pitch);
    p->hue = WSIM_HUE_BANK;
    p->values = WSIM_BANKS;
    p->rows = t->rows;
    p->cols = pieces(t);
    p->cell = put_piece;
    p->row_head = put_row;
    p->col_head = put_col;
    p->title = put_title;
}

static int swizzle_line(const struct wsim_picture *picture, enum wsim_picture_lines where,
                        uint32_t number, char out[WSIM_CAPTION]) {
    const struct wsim_swizzle_tile *t = picture->about;
    if (where != WSIM_LINES_ABOVE || number > 0 || !wsim_swizzle_span(t->mode))
        return SHOW_NO_LINE;
    snprintf(out, WSIM_CAPTION, "rows of %u bytes, repeats every %u", wsim_swizzle_span(t->mode),
             wsim_swizzle_period(t->mode));
    return SHOW_LINE;
}

void wsim_picture_swizzle(const struct wsim_swizzle_tile *tile, struct wsim_picture *picture) {
    char formula[WSIM_SWIZZLE_FORMULA];
    memset(picture, 0, sizeof *picture);
    wsim_swizzle_formula(tile->mode, formula);
    snprintf(picture->title, sizeof picture->title, "%s: address a lies at %s",
             wsim_swizzle_name(tile->mode), formula);
    picture->about = tile;
    picture->panels = 1;
    picture->list = 1;
    picture->panel = swizzle_panel;
    picture->line = swizzle_line;
}
