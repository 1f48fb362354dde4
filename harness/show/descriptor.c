/* Operands of wgmma in shared memory: the bank of each 16-byte piece of a descriptor. */
#include "show.h"

#include <stdio.h>
#include <string.h>

/* Elements of a piece, adjacent in memory. */
static uint32_t step_of(const struct wsim_operand_tile *t) {
    return 8u * PIECE / t->tile.bits;
}

/* Rows and columns of the picture: pieces are along k, in an MN-major tile along the rows. */
static void element_of(const struct wsim_operand_tile *t, uint32_t row, uint32_t col, uint32_t *m,
                       uint32_t *k) {
    *m = t->tile.mn_major ? col * step_of(t) : row;
    *k = t->tile.mn_major ? row : col * step_of(t);
}

static uint32_t address_of(const struct wsim_operand_tile *t, uint32_t row, uint32_t col) {
    uint32_t m, k;
    element_of(t, row, col, &m, &k);
    return wsim_descriptor_address(&t->descriptor, &t->tile, m, k);
}

static int is_asked(const struct wsim_operand_tile *t, uint32_t row, uint32_t col) {
    uint32_t m, k, step = step_of(t);
    element_of(t, row, col, &m, &k);
    return t->row >= 0 && t->k >= 0 &&
           (t->tile.mn_major ? (uint32_t)t->k == k && (uint32_t)t->row / step == m / step
                             : (uint32_t)t->row == m && (uint32_t)t->k / step == k / step);
}

static void piece_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    uint32_t at = address_of(p->about, row, col);
    snprintf(cell->text, WSIM_CELL_TEXT, "0x%05x", (unsigned)at);
    cell->value = (int32_t)(at / 4 % WSIM_BANKS);
    cell->flags = is_asked(p->about, row, col) ? WSIM_CELL_MARKED : 0;
}

static void piece_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    (void)p;
    show_decimal(row, out);
}

static void piece_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    const struct wsim_operand_tile *t = p->about;
    uint32_t step = step_of(t);
    snprintf(out, WSIM_CELL_TEXT, "%s %u..%u", t->tile.mn_major ? "row" : "k",
             (unsigned)(col * step), (unsigned)(col * step + step - 1));
}

static void piece_title(struct wsim_panel *p, uint32_t row, uint32_t col,
                        char out[WSIM_CELL_TEXT]) {
    const struct wsim_operand_tile *t = p->about;
    uint32_t at = address_of(t, row, col), m, k;
    element_of(t, row, col, &m, &k);
    snprintf(out, WSIM_CELL_TEXT, "from row %u, k %u on: at 0x%05x, bank %u", (unsigned)m,
             (unsigned)k, (unsigned)at, (unsigned)(at / 4 % WSIM_BANKS));
}

/* --- the list --- */

static int asks(const struct wsim_operand_tile *t) {
    return t->row >= 0 && t->k >= 0;
}

static uint32_t list_m(const struct wsim_operand_tile *t, uint32_t row) {
    return asks(t) ? (uint32_t)t->row : row / t->tile.k;
}

static void list_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    show_decimal(list_m(p->about, row), out);
}

static void list_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%s", col ? "address" : "k");
}

static void list_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_operand_tile *t = p->about;
    uint32_t k = asks(t) ? (uint32_t)t->k : row % t->tile.k;
    if (col == 0)
        show_decimal(k, cell->text);
    else
        snprintf(cell->text, WSIM_CELL_TEXT, "0x%05x",
                 (unsigned)wsim_descriptor_address(&t->descriptor, &t->tile, list_m(t, row), k));
    cell->value = -1;
    cell->flags = 0;
}

static void descriptor_panel(const struct wsim_picture *picture, uint32_t number,
                             struct wsim_panel *p) {
    const struct wsim_operand_tile *t = picture->about;
    memset(p, 0, sizeof *p);
    p->about = t;
    if (number == WSIM_PANEL_LIST) {
        snprintf(p->corner, sizeof p->corner, "row");
        p->rows = asks(t) ? 1 : (uint32_t)t->tile.rows * t->tile.k;
        p->cols = 2;
        p->cell = list_cell;
        p->row_head = list_row;
        p->col_head = list_col;
        return;
    }
    snprintf(p->caption, sizeof p->caption,
             "where each 16 bytes lie in shared memory, coloured by the bank they begin in");
    snprintf(p->corner, sizeof p->corner, "%s", t->tile.mn_major ? "k" : "row");
    p->hue = WSIM_HUE_BANK;
    p->values = WSIM_BANKS;
    p->rows = t->tile.mn_major ? t->tile.k : t->tile.rows;
    p->cols = (t->tile.mn_major ? t->tile.rows : t->tile.k) / step_of(t);
    p->cell = piece_cell;
    p->row_head = piece_row;
    p->col_head = piece_col;
    p->title = piece_title;
}

void wsim_picture_descriptor(const struct wsim_operand_tile *tile, struct wsim_picture *picture) {
    memset(picture, 0, sizeof *picture);
    snprintf(picture->title, sizeof picture->title, "%s", tile->title);
    picture->about = tile;
    picture->panels = 1;
    picture->list = 1;
    picture->panel = descriptor_panel;
}
