/* table.h - a table of short texts in columns just wide enough. */
#ifndef WSIM_TABLE_H
#define WSIM_TABLE_H

#define TABLE_CELL 512

struct table {
    unsigned rows, cols;
    const char *corner; /* above the row heads                        */
    int left;           /* cells are aligned left, else right         */
    const void *about;  /* handed to the functions                    */
    void (*cell)(const void *about, unsigned row, unsigned col, char out[TABLE_CELL]);
    void (*row_head)(const void *about, unsigned row, char out[TABLE_CELL]);
    void (*col_head)(const void *about, unsigned col, char out[TABLE_CELL]);
};

/* Prints the table on standard output. Lines have no blanks at their end. */
void table_print(const struct table *table);

#endif
