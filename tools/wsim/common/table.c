/* Tables; see table.h. The library writes them (harness/picture.h). */
#include "table.h"
#include "picture.h"

#include <string.h>

static void cell(struct wsim_panel *panel, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct table *t = panel->about;
    t->cell(t->about, row, col, cell->text);
    cell->value = -1;
    cell->flags = t->marked && t->marked(t->about, row, col) ? WSIM_CELL_MARKED : 0;
}

static void row_head(struct wsim_panel *panel, uint32_t row, char out[TABLE_CELL]) {
    const struct table *t = panel->about;
    t->row_head(t->about, row, out);
}

static void col_head(struct wsim_panel *panel, uint32_t col, char out[TABLE_CELL]) {
    const struct table *t = panel->about;
    t->col_head(t->about, col, out);
}

void table_panel(const struct table *t, struct wsim_panel *panel) {
    *panel = (struct wsim_panel){.rows = t->rows,
                                 .cols = t->cols,
                                 .left = t->left != 0,
                                 .about = t,
                                 .cell = cell,
                                 .row_head = row_head,
                                 .col_head = col_head};
    snprintf(panel->corner, sizeof panel->corner, "%s", t->corner);
}

void table_print(const struct table *t) {
    struct wsim_panel panel;
    table_panel(t, &panel);
    picture_print_panel(&panel, TOOL_TEXT);
}

void table_csv(const struct table *t) {
    struct wsim_panel panel;
    table_panel(t, &panel);
    picture_print_panel(&panel, TOOL_CSV);
}
