/* Tables that are filled cell by cell; see grid.h. */
#include "grid.h"
#include "memory.h"
#include "table.h"

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

/* --- printing: the columns that have something --- */

struct shown {
    const struct grid *grid;
    unsigned *col;
};

static void cell(const void *about, unsigned row, unsigned col, char out[TABLE_CELL]) {
    const struct shown *s = about;
    snprintf(out, TABLE_CELL, "%s", s->grid->cell[(size_t)row * s->grid->cols + s->col[col]]);
}

static void row_head(const void *about, unsigned row, char out[TABLE_CELL]) {
    snprintf(out, TABLE_CELL, "%s", ((const struct shown *)about)->grid->head[row]);
}

static void col_head(const void *about, unsigned col, char out[TABLE_CELL]) {
    const struct shown *s = about;
    snprintf(out, TABLE_CELL, "%s", s->grid->heads[s->col[col]]);
}

static int has_anything(const struct grid *grid, unsigned col) {
    for (unsigned row = 0; row < grid->rows; row++)
        if (grid->cell[(size_t)row * grid->cols + col][0])
            return 1;
    return 0;
}

void grid_print(const struct grid *grid) {
    struct shown shown = {grid, memory_make(grid->cols, sizeof *shown.col)};
    struct table table = {.rows = grid->rows,
                          .corner = grid->corner,
                          .about = &shown,
                          .cell = cell,
                          .row_head = row_head,
                          .col_head = col_head};
    for (unsigned col = 0; col < grid->cols; col++)
        if (has_anything(grid, col))
            shown.col[table.cols++] = col;
    table_print(&table);
    free(shown.col);
}
