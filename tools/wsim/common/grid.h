/* grid.h - a table (table.h) whose cells are written one after another. */
#ifndef WSIM_GRID_H
#define WSIM_GRID_H

#include <wsim/harness/picture.h>

#define GRID_CELL 320

struct grid {
    const char *corner;
    const char *const *heads; /* of columns; NULL ends them */
    unsigned rows, cols, used;
    char (*head)[GRID_CELL]; /* of rows */
    char (*cell)[GRID_CELL];
    unsigned *shown; /* columns of its panel           */
    int left;        /* cells are aligned left         */
    int whole;       /* columns without anything stay   */
};

/* An empty one with the columns of `heads`, which end with NULL and stay the caller's; grid_free is
 * needed. */
struct grid grid_open(const char *corner, const char *const *heads);
void grid_free(struct grid *grid);

/* Begins a row, whose cells are empty. */
void grid_row(struct grid *grid, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Writes the next cell of the last row; what is longer than GRID_CELL is cut. */
void grid_cell(struct grid *grid, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Leaves the next `count` cells of the row empty. */
void grid_skip(struct grid *grid, unsigned count);

/* A panel of it, which the grid has to outlive unchanged; columns without anything in them are left
 * out. */
void grid_panel(struct grid *grid, struct wsim_panel *panel);

/* Prints it as text. */
void grid_print(struct grid *grid);

#endif
