/* Tables; see table.h. Cells are made twice, once to measure and once to print. */
#include "table.h"
#include "memory.h"
#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2 };

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

/* Columns `first` to before `end`. */
struct block {
    unsigned first, end;
    int head;         /* width of the row heads */
    const int *width; /* of all columns         */
};

/* A cell behind its gap; the last one of a line is not filled up. */
static void print_cell(const struct table *t, const struct block *block, const char *text,
                       unsigned col, int marked) {
    int blanks = block->width[col] - (int)strlen(text);
    int before = t->left ? 0 : blanks, after = t->left && col + 1 < block->end ? blanks : 0;
    printf("%*s%s%s%s%*s", GAP + before, "", marked ? "\033[1;33m" : "", text,
           marked ? "\033[0m" : "", after, "");
}

static void print_block(const struct table *t, const struct block *block) {
    char text[TABLE_CELL];
    unsigned row, col;
    printf("%*s", block->head, t->corner);
    for (col = block->first; col < block->end; col++) {
        t->col_head(t->about, col, text);
        print_cell(t, block, text, col, 0);
    }
    putchar('\n');
    for (row = 0; row < t->rows; row++) {
        t->row_head(t->about, row, text);
        printf("%*s", block->head, text);
        for (col = block->first; col < block->end; col++) {
            t->cell(t->about, row, col, text);
            print_cell(t, block, text, col,
                       t->colour && t->marked && t->marked(t->about, row, col));
        }
        putchar('\n');
    }
}

/* The columns from block->end on that fit beside the heads, one at least; if not all the rest does,
 * 2, 4, 8 ... of them: what tables show goes in such steps. */
static void next_block(const struct table *t, struct block *block) {
    unsigned most = screen_columns(), used = (unsigned)block->head, fit = 1, rounded = 1;
    block->first = block->end;
    used += GAP + (unsigned)block->width[block->first];
    while (block->first + fit < t->cols &&
           (used += GAP + (unsigned)block->width[block->first + fit]) <= most)
        fit++;
    while (2 * rounded <= fit)
        rounded *= 2;
    block->end = block->first + (block->first + fit == t->cols ? fit : rounded);
}

void table_print(const struct table *t) {
    int *width = memory_make(t->cols, sizeof *width);
    struct block block = {0, 0, head_width(t), width};
    for (unsigned col = 0; col < t->cols; col++)
        width[col] = col_width(t, col);
    while (block.end < t->cols) {
        if (block.end)
            putchar('\n');
        next_block(t, &block);
        print_block(t, &block);
    }
    free(width);
}

/* --- CSV --- */

static void print_field(const char *text) {
    printf(strpbrk(text, ", \"") ? "\"%s\"" : "%s", text);
}

void table_csv(const struct table *t) {
    char text[TABLE_CELL];
    print_field(t->corner);
    for (unsigned col = 0; col < t->cols; col++) {
        t->col_head(t->about, col, text);
        putchar(',');
        print_field(text);
    }
    putchar('\n');
    for (unsigned row = 0; row < t->rows; row++) {
        t->row_head(t->about, row, text);
        print_field(text);
        for (unsigned col = 0; col < t->cols; col++) {
            t->cell(t->about, row, col, text);
            putchar(',');
            print_field(text);
        }
        putchar('\n');
    }
}
