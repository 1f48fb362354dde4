/* Tables; see table.h. Cells are made twice, once to measure and once to print. */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wider(int width, const char *text) {
    int length = (int)strlen(text);
    return length > width ? length : width;
}

static int head_width(const struct table *t) {
    char text[TABLE_CELL];
    int width = (int)strlen(t->corner);
    unsigned row;
    for (row = 0; row < t->rows; row++) {
        t->row_head(t->about, row, text);
        width = wider(width, text);
    }
    return width;
}

static int col_width(const struct table *t, unsigned col) {
    char text[TABLE_CELL];
    unsigned row;
    int width;
    t->col_head(t->about, col, text);
    width = (int)strlen(text);
    for (row = 0; row < t->rows; row++) {
        t->cell(t->about, row, col, text);
        width = wider(width, text);
    }
    return width;
}

/* A cell behind its gap; the last one of a line is not filled up. */
static void print_cell(const struct table *t, const char *text, int width, unsigned col) {
    if (!t->left)
        printf("  %*s", width, text);
    else if (col + 1 < t->cols)
        printf("  %-*s", width, text);
    else
        printf("  %s", text);
}

static void print_rows(const struct table *t, int head, const int *width) {
    char text[TABLE_CELL];
    unsigned row, col;
    printf("%*s", head, t->corner);
    for (col = 0; col < t->cols; col++) {
        t->col_head(t->about, col, text);
        print_cell(t, text, width[col], col);
    }
    putchar('\n');
    for (row = 0; row < t->rows; row++) {
        t->row_head(t->about, row, text);
        printf("%*s", head, text);
        for (col = 0; col < t->cols; col++) {
            t->cell(t->about, row, col, text);
            print_cell(t, text, width[col], col);
        }
        putchar('\n');
    }
}

void table_print(const struct table *t) {
    int *width = calloc(t->cols, sizeof *width);
    unsigned col;
    if (!width)
        return;
    for (col = 0; col < t->cols; col++)
        width[col] = col_width(t, col);
    print_rows(t, head_width(t), width);
    free(width);
}
