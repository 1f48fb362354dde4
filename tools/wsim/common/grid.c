/* Tables that are filled cell by cell; see grid.h. */
#include "grid.h"
#include "memory.h"
#include "picture.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct grid grid_open(const char *corner, const char *const *heads) {
    struct grid grid = {.corner = corner, .heads = heads};
    while (heads[grid.cols])
        grid.cols++;
    return grid;
}

void grid_free(struct grid *grid) {
    free(grid->head);
    free(grid->cell);
    free(grid->shown);
}

void grid_row(struct grid *grid, const char *format, ...) {
    size_t cells = (size_t)grid->rows * grid->cols;
    va_list args;
    grid->head = memory_grow(grid->head, (grid->rows + 1u) * sizeof *grid->head);
    grid->cell = memory_grow(grid->cell, (cells + grid->cols) * sizeof *grid->cell);
    for (unsigned col = 0; col < grid->cols; col++)
        grid->cell[cells + col][0] = '\0';
    va_start(args, format);
    vsnprintf(grid->head[grid->rows++], GRID_CELL, format, args);
    va_end(args);
    grid->used = 0;
}

void grid_cell(struct grid *grid, const char *format, ...) {
    size_t at = (size_t)(grid->rows - 1) * grid->cols + grid->used++;
    va_list args;
    if (grid->used > grid->cols)
        return;
    va_start(args, format);
    vsnprintf(grid->cell[at], GRID_CELL, format, args);
    va_end(args);
}

void grid_skip(struct grid *grid, unsigned count) {
    grid->used += count;
}

/* --- panels: the columns that have something --- */

static const char *text_at(const struct grid *grid, unsigned row, unsigned col) {
    return grid->cell[(size_t)row * grid->cols + col];
}

static void cell(struct wsim_panel *panel, uint32_t row, uint32_t col, struct wsim_cell *out) {
    const struct grid *grid = panel->about;
    snprintf(out->text, sizeof out->text, "%s", text_at(grid, row, grid->shown[col]));
    out->value = -1;
    out->flags = 0;
}

static void row_head(struct wsim_panel *panel, uint32_t row, char out[WSIM_CELL_TEXT]) {
    snprintf(out, WSIM_CELL_TEXT, "%s", ((const struct grid *)panel->about)->head[row]);
}

static void col_head(struct wsim_panel *panel, uint32_t col, char out[WSIM_CELL_TEXT]) {
    const struct grid *grid = panel->about;
    snprintf(out, WSIM_CELL_TEXT, "%s", grid->heads[grid->shown[col]]);
}

static int has_anything(const struct grid *grid, unsigned col) {
    for (unsigned row = 0; row < grid->rows; row++)
        if (text_at(grid, row, col)[0])
            return 1;
    return 0;
}

void grid_panel(struct grid *grid, struct wsim_panel *panel) {
    free(grid->shown);
    grid->shown = memory_make(grid->cols, sizeof *grid->shown);
    *panel = (struct wsim_panel){.rows = grid->rows,
                                 .left = grid->left != 0,
                                 .about = grid,
                                 .cell = cell,
                                 .row_head = row_head,
                                 .col_head = col_head};
    for (unsigned col = 0; col < grid->cols; col++)
        if (grid->whole || has_anything(grid, col))
            grid->shown[panel->cols++] = col;
    snprintf(panel->corner, sizeof panel->corner, "%s", grid->corner);
}

void grid_print(struct grid *grid) {
    struct wsim_panel panel;
    grid_panel(grid, &panel);
    picture_print_panel(&panel, TOOL_TEXT);
}
