/* table.h - a table of short texts in columns just wide enough. */
#ifndef WSIM_TABLE_H
#define WSIM_TABLE_H

#include <wsim/harness/picture.h>

#define TABLE_CELL WSIM_CELL_TEXT

struct table {
    unsigned rows, cols;
    const char *corner; /* above the row heads                        */
    int left;           /* cells are aligned left, else right         */
    const void *about;  /* handed to the functions                    */
    void (*cell)(const void *about, unsigned row, unsigned col, char out[TABLE_CELL]);
    void (*row_head)(const void *about, unsigned row, char out[TABLE_CELL]);
    void (*col_head)(const void *about, unsigned col, char out[TABLE_CELL]);
    int (*marked)(const void *about, unsigned row, unsigned col); /* NULL: none is emphasised */
};

/* The table as a panel of a picture; it has to outlive the panel. */
void table_panel(const struct table *table, struct wsim_panel *panel);

/* Prints the table on standard output. Lines have no blanks at their end. What is wider than the
 * screen (screen.h) comes in blocks of columns, each with the heads of all rows, an empty line
 * between them. */
void table_print(const struct table *table);

/* The same as CSV. */
void table_csv(const struct table *table);

#endif
