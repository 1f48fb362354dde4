/* Sparse matrices: the stored elements of the dense A, with their places and metadata. */
#include "show.h"

#include <stdio.h>
#include <string.h>

static struct wsim_meta_group group_at(const struct wsim_sparse *s, uint32_t row, uint32_t group) {
    struct wsim_meta_group found;
    memset(&found, 0, sizeof found);
    wsim_meta_read(s->op, s->e, s->selector, row, group, &found, NULL);
    return found;
}

/* --- the dense matrix --- */

/* The number of a dense column among the stored elements of its group; -1 if it is dropped. */
static int stored_as(const struct wsim_sparse *s, const struct wsim_meta_group *group,
                     uint32_t col) {
    for (int i = 0; i < s->pattern.kept; i++)
        if (group->column[i] == col % s->pattern.columns)
            return i;
    return -1;
}

static int place_of(const struct wsim_sparse *s, uint32_t row, uint32_t col,
                    struct wsim_place *place, struct wsim_meta_group *group) {
    struct wsim_coord at = {0, (uint16_t)row, 0};
    int i;
    *group = group_at(s, row, col / s->pattern.columns);
    i = stored_as(s, group, col);
    at.col = (uint16_t)(col / s->pattern.columns * s->pattern.kept + (i < 0 ? 0u : (unsigned)i));
    return i >= 0 && show_place(&s->layout, &s->inverse, at, place) != 0;
}

static void dense_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_sparse *s = p->about;
    struct base_text text = {cell->text, sizeof cell->text, 0};
    struct wsim_meta_group group;
    struct wsim_place place;
    cell->value = -1;
    cell->flags = WSIM_CELL_EMPTY;
    strcpy(cell->text, ".");
    if (!place_of(s, row, col, &place, &group))
        return;
    cell->value = place.lane;
    cell->flags = group.defined ? 0 : WSIM_CELL_MARKED;
    base_put(&text, "%u:%u", place.lane, place.reg);
    if (s->layout.elem_bits < 32)
        base_put(&text, ".%u", place.lsb / (unsigned)s->layout.elem_bits);
}

static void dense_title(struct wsim_panel *p, uint32_t row, uint32_t col,
                        char out[WSIM_CELL_TEXT]) {
    const struct wsim_sparse *s = p->about;
    struct wsim_meta_group group;
    struct wsim_place place;
    if (place_of(s, row, col, &place, &group))
        snprintf(out, WSIM_CELL_TEXT,
                 "A(%u,%u) is stored: lane %u, register %u, bits %u to %u; metadata 0x%x in bits "
                 "%u to %u of lane %u%s",
                 (unsigned)row, (unsigned)col, place.lane, place.reg, place.lsb,
                 place.lsb + s->layout.elem_bits - 1u, group.nibble, group.place.lsb,
                 group.place.lsb + 3u, group.place.lane, group.defined ? "" : ", not defined");
    else
        snprintf(out, WSIM_CELL_TEXT, "A(%u,%u) is dropped", (unsigned)row, (unsigned)col);
}

static void put_number(struct wsim_panel *p, uint32_t at, char out[WSIM_CELL_TEXT]) {
    (void)p;
    show_decimal(at, out);
}

/* --- the metadata --- */

static void put_columns(const struct wsim_sparse *s, const struct wsim_meta_group *group,
                        const char *between, struct base_text *text) {
    for (unsigned i = 0; i < s->pattern.kept; i++)
        base_put(text, "%s%u", i ? between : "", group->column[i]);
}

static void meta_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_sparse *s = p->about;
    struct base_text text = {cell->text, sizeof cell->text, 0};
    struct wsim_meta_group group = group_at(s, row, col);
    put_columns(s, &group, ",", &text);
    if (!group.defined)
        base_put(&text, "!");
    cell->value = group.place.lane;
    cell->flags = group.defined ? 0 : WSIM_CELL_MARKED;
}

static void meta_title(struct wsim_panel *p, uint32_t row, uint32_t col, char out[WSIM_CELL_TEXT]) {
    struct wsim_meta_group group = group_at(p->about, row, col);
    snprintf(out, WSIM_CELL_TEXT, "row %u, group %u: nibble 0x%x in bits %u to %u of lane %u%s",
             (unsigned)row, (unsigned)col, group.nibble, group.place.lsb, group.place.lsb + 3u,
             group.place.lane, group.defined ? "" : ": not defined");
}

/* --- the list --- */

enum { LIST_GROUP, LIST_LANE, LIST_BIT, LIST_NIBBLE, LIST_DEFINED, LIST_KEPT, LIST_COLUMNS };

static void list_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    const struct wsim_sparse *s = p->about;
    show_decimal(row / s->pattern.groups, out);
}

static void list_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const heads[LIST_COLUMNS] = {"group",  "lane",    "bit",
                                                    "nibble", "defined", "columns"};
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%s", heads[col]);
}

static void list_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_sparse *s = p->about;
    struct base_text text = {cell->text, sizeof cell->text, 0};
    struct wsim_meta_group group = group_at(s, row / s->pattern.groups, row % s->pattern.groups);
    const unsigned numbers[LIST_KEPT] = {group.group, group.place.lane, group.place.lsb,
                                         group.nibble, group.defined};
    cell->value = -1;
    cell->flags = 0;
    if (col == LIST_KEPT)
        put_columns(s, &group, " ", &text);
    else
        base_put(&text, "%u", numbers[col]);
}

/* --- the picture --- */

static void dense_panel(const struct wsim_sparse *s, struct wsim_panel *p) {
    snprintf(p->caption, sizeof p->caption,
             "A by row and column, as lane:register%s of the stored element",
             s->layout.elem_bits < 32 ? ".part" : "");
    p->cols = (uint32_t)s->pattern.groups * s->pattern.columns;
    p->cell = dense_cell;
    p->title = dense_title;
}

static void meta_panel(const struct wsim_sparse *s, struct wsim_panel *p) {
    snprintf(p->caption, sizeof p->caption,
             "metadata by row and group, as the columns that are kept, coloured by the lane that "
             "has the nibble; selector %u",
             s->selector);
    p->beside = 1;
    p->cols = s->pattern.groups;
    p->cell = meta_cell;
    p->title = meta_title;
}

static void sparse_panel(const struct wsim_picture *picture, uint32_t number,
                         struct wsim_panel *p) {
    const struct wsim_sparse *s = picture->about;
    memset(p, 0, sizeof *p);
    p->about = s;
    p->rows = s->pattern.rows;
    if (number == WSIM_PANEL_LIST) {
        snprintf(p->corner, sizeof p->corner, "row");
        p->rows *= s->pattern.groups;
        p->cols = LIST_COLUMNS;
        p->cell = list_cell;
        p->row_head = list_row;
        p->col_head = list_col;
        return;
    }
    snprintf(p->corner, sizeof p->corner, number ? "row\\group" : "row\\col");
    p->hue = WSIM_HUE_LANE;
    p->values = s->layout.lanes;
    p->row_head = put_number;
    p->col_head = put_number;
    if (number)
        meta_panel(s, p);
    else
        dense_panel(s, p);
}

void wsim_picture_sparse(const struct wsim_sparse *s, struct wsim_picture *picture) {
    memset(picture, 0, sizeof *picture);
    snprintf(picture->title, sizeof picture->title, "%s: %s", s->spelling, s->pattern.name);
    picture->about = s;
    picture->panels = 2;
    picture->list = 1;
    picture->panel = sparse_panel;
}

enum wsim_status wsim_sparse_make(const struct wsim_op *op, const uint32_t *e, unsigned selector,
                                  struct wsim_sparse *sparse, struct wsim_diag *diag) {
    struct wsim_meta_group first;
    enum wsim_status status;
    memset(sparse, 0, sizeof *sparse);
    status = wsim_meta_pattern(op, &sparse->pattern, diag);
    if (!status)
        status = wsim_meta_read(op, e, selector, 0, 0, &first, diag);
    if (!status)
        status = wsim_op_layout(op, NULL, WSIM_A, &sparse->layout, diag);
    if (status)
        return status;
    show_invert(&sparse->layout, &sparse->inverse);
    wsim_op_spell(op, sparse->spelling);
    sparse->op = op;
    sparse->e = e;
    sparse->selector = selector;
    return WSIM_OK;
}
