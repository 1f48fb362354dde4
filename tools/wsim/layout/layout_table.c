/* wsim layout, in text: a table of lanes and registers, and one of rows and columns. Where a
 * register holds a run of neighbours, the run is printed instead of each element. */
#include "layout_table.h"
#include "../common/memory.h"
#include "../common/screen.h"
#include "../common/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct view {
    const char *operand;
    const struct wsim_layout *layout;
    int batch;                  /* -1: all                                        */
    unsigned per_reg, reg_step; /* elements in a register; registers of an element */
    const struct cell *cells;   /* by matrix index, of one batch                   */
    unsigned row_step, col_step;
};

/* Who holds an element: its first place, and how many there are. */
struct cell {
    uint16_t lane, reg, part, count;
};

static size_t put(char out[TABLE_CELL], size_t n, const char *format, unsigned a, unsigned b) {
    if (n < TABLE_CELL)
        n += (size_t)snprintf(out + n, TABLE_CELL - n, format, a, b);
    return n;
}

/* --- lanes by registers --- */

static struct wsim_coord coord_of(const struct view *v, unsigned lane, unsigned col, unsigned i) {
    return wsim_layout_coord(v->layout, lane, col * v->per_reg + i);
}

/* Whether all elements of a register follow the first one in steps of `rows` and `cols`. */
static int is_run(const struct view *v, unsigned lane, unsigned col, unsigned rows, unsigned cols) {
    struct wsim_coord first = coord_of(v, lane, col, 0);
    unsigned i;
    for (i = 1; i < v->per_reg; i++) {
        struct wsim_coord at = coord_of(v, lane, col, i);
        if (at.batch != first.batch || at.row != first.row + i * rows ||
            at.col != first.col + i * cols)
            return 0;
    }
    return v->per_reg > 2;
}

static size_t put_batch(const struct view *v, char out[TABLE_CELL], size_t n, unsigned batch) {
    return v->layout->batches > 1 && v->batch < 0 ? put(out, n, "#%u", batch, 0) : n;
}

static int is_shown(const struct view *v, struct wsim_coord at) {
    return v->batch < 0 || at.batch == v->batch;
}

static void register_cell(const void *about, unsigned lane, unsigned col, char out[TABLE_CELL]) {
    const struct view *v = about;
    struct wsim_coord at = coord_of(v, lane, col, 0);
    unsigned i, last = v->per_reg - 1;
    size_t n = 0;
    strcpy(out, "-");
    if (is_run(v, lane, col, 0, 1) && is_shown(v, at)) {
        n = put(out, n, "(%u,%u", at.row, at.col);
        put_batch(v, out, put(out, n, "..%u)", at.col + last, 0), at.batch);
    } else if (is_run(v, lane, col, 1, 0) && is_shown(v, at)) {
        n = put(out, n, "(%u..%u", at.row, at.row + last);
        put_batch(v, out, put(out, n, ",%u)", at.col, 0), at.batch);
    } else {
        for (i = 0; i <= last; i++) {
            at = coord_of(v, lane, col, i);
            n = put(out, n, i ? " " : "", 0, 0);
            n = is_shown(v, at)
                    ? put_batch(v, out, put(out, n, "(%u,%u)", at.row, at.col), at.batch)
                    : put(out, n, "-", 0, 0);
        }
    }
}

static void lane_head(const void *about, unsigned row, char out[TABLE_CELL]) {
    (void)about;
    snprintf(out, TABLE_CELL, "%u", row);
}

static void register_head(const void *about, unsigned col, char out[TABLE_CELL]) {
    const struct view *v = about;
    unsigned reg = col * v->reg_step;
    size_t n = put(out, 0, "reg %u", reg, 0);
    if (v->reg_step > 1)
        put(out, n, "-%u", reg + 1, 0);
}

static void print_registers(const struct view *v) {
    struct table table = {.rows = v->layout->lanes,
                          .cols = v->layout->regs / v->reg_step,
                          .corner = layout_holder(v->layout),
                          .left = 1,
                          .about = v,
                          .cell = register_cell,
                          .row_head = lane_head,
                          .col_head = register_head};
    table_print(&table);
}

/* --- rows by columns --- */

static const struct cell *cell_at(const struct view *v, unsigned row, unsigned col) {
    return &v->cells[(size_t)row * v->layout->cols + col];
}

static void matrix_cell(const void *about, unsigned row, unsigned col, char out[TABLE_CELL]) {
    const struct view *v = about;
    const struct cell *cell = cell_at(v, row * v->row_step, col * v->col_step);
    size_t n = put(out, 0, "%u:%u", cell->lane, cell->reg);
    if (v->per_reg > v->row_step * v->col_step)
        n = put(out, n, ".%u", cell->part, 0);
    if (cell->count > 1)
        n = put(out, n, "+", 0, 0);
    if (cell->count == 0)
        strcpy(out, "-");
}

static void head(unsigned at, unsigned step, char out[TABLE_CELL]) {
    size_t n = put(out, 0, "%u", at * step, 0);
    if (step > 1)
        put(out, n, "..%u", at * step + step - 1, 0);
}

static void row_head(const void *about, unsigned row, char out[TABLE_CELL]) {
    head(row, ((const struct view *)about)->row_step, out);
}

static void col_head(const void *about, unsigned col, char out[TABLE_CELL]) {
    head(col, ((const struct view *)about)->col_step, out);
}

/* Fills the cells of one batch; answers whether an element has several places. */
static int collect(const struct wsim_layout *layout, int batch, struct cell *cells) {
    struct layout_query query = {-1, -1, -1, -1, batch};
    struct layout_entry e;
    unsigned cursor = 0;
    int several = 0;
    memset(cells, 0, (size_t)layout->rows * layout->cols * sizeof *cells);
    while (layout_next(layout, &query, &cursor, &e)) {
        struct cell *cell = &cells[(size_t)e.coord.row * layout->cols + e.coord.col];
        if (cell->count++ == 0) {
            cell->lane = e.place.lane;
            cell->reg = e.place.reg;
            cell->part = (uint16_t)(e.place.lsb / layout->elem_bits);
        }
        several |= cell->count > 1;
    }
    return several;
}

/* Whether each stretch of `rows` x `cols` elements lies in one register, in order. */
static int in_registers(const struct view *v, unsigned rows, unsigned cols) {
    unsigned row, col;
    for (row = 0; row < v->layout->rows; row++)
        for (col = 0; col < v->layout->cols; col++) {
            const struct cell *cell = cell_at(v, row, col);
            const struct cell *first = cell_at(v, row - row % rows, col - col % cols);
            if (cell->lane != first->lane || cell->reg != first->reg || first->part ||
                cell->part != row % rows + col % cols)
                return 0;
        }
    return 1;
}

/* Narrow elements make wide matrices: show whole registers where they are stretches. */
static void choose_steps(struct view *v) {
    unsigned n = v->per_reg;
    v->row_step = v->col_step = 1;
    if (n < 8)
        return;
    if (v->layout->cols % n == 0 && in_registers(v, 1, n))
        v->col_step = n;
    else if (v->layout->rows % n == 0 && in_registers(v, n, 1))
        v->row_step = n;
}

static int print_batch(struct view *v, int batch, struct cell *cells) {
    struct table table = {.corner = "row\\col",
                          .about = v,
                          .cell = matrix_cell,
                          .row_head = row_head,
                          .col_head = col_head};
    int several = collect(v->layout, batch, cells);
    v->cells = cells;
    choose_steps(v);
    table.rows = v->layout->rows / v->row_step;
    table.cols = v->layout->cols / v->col_step;
    table_print(&table);
    return several;
}

static void print_matrices(struct view *v) {
    struct cell *cells = memory_make((size_t)v->layout->rows * v->layout->cols, sizeof *cells);
    int batch, several = 0;
    char number[16] = "";
    for (batch = 0; batch < v->layout->batches; batch++) {
        if (v->batch >= 0 && batch != v->batch)
            continue;
        if (v->layout->batches > 1)
            snprintf(number, sizeof number, ", #%d", batch);
        putchar('\n');
        screen_fold(2, "%s by row and column, as %s:register%s%s", v->operand,
                    layout_holder(v->layout), v->per_reg > 1 ? ".part (part 0 is the lowest)" : "",
                    number);
        several |= print_batch(v, batch, cells);
    }
    if (several)
        puts("+ more lanes hold the same element; --row and --col list them all");
    free(cells);
}

/* What '#' counts. */
static const char *batch_is(const char *operand) {
    if (strcmp(operand, wsim_operand_name(WSIM_E)) == 0)
        return "the selector that reads them";
    if (strcmp(operand, wsim_operand_name(WSIM_SFA)) == 0 ||
        strcmp(operand, wsim_operand_name(WSIM_SFB)) == 0)
        return "byte-id and thread-id that read them";
    return "which matrix";
}

void layout_print_tables(const char *operand, const struct wsim_layout *layout,
                         const struct layout_query *query) {
    struct view v = {operand, layout, query->batch, 1, 1, NULL, 1, 1};
    char batches[64] = "";
    if (layout->elem_bits < 32)
        v.per_reg = 32u / layout->elem_bits;
    if (v.per_reg > layout->elems)
        v.per_reg = layout->elems;
    if (layout->elem_bits == 64)
        v.reg_step = 2;
    if (layout->batches > 1)
        snprintf(batches, sizeof batches, "; #0 to #%u: %s", layout->batches - 1u,
                 batch_is(operand));
    screen_fold(2, "%s: %u x %u %s, %u register%s a %s%s", operand, layout->rows, layout->cols,
                layout->format->name, layout->regs, layout->regs == 1 ? "" : "s",
                layout_holder(layout), batches);
    putchar('\n');
    screen_fold(2, "%s by %s and register, as (row,col)%s", operand, layout_holder(layout),
                v.per_reg > 1 ? ", lowest bits first" : "");
    print_registers(&v);
    print_matrices(&v);
}
