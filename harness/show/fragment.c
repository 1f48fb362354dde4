/* Fragments: lanes and registers by element, elements by lane and register, and a list. A register
 * with a run of neighbours shows the run instead of each element. */
#include "show.h"

#include <wsim/harness/cute.h>

#include <stdio.h>
#include <string.h>

/* Values of panel->part. */
enum {
    OPERAND,
    BATCH,
    PER_REG,
    REG_STEP,
    ROW_STEP,
    COL_STEP,
    LIST_ROW = 0, /* of a list: how many rows follow element LIST_AT ... */
    LIST_AT,      /* ... counted over all operands; 0 at first               */
    LIST_OPERAND, /* of the row before that, which was worded last           */
    LIST_NUMBERS
};

static const struct wsim_layout *layout_of(struct wsim_panel *p) {
    const struct wsim_fragments *f = p->about;
    return &f->layout[p->part[OPERAND]];
}

static const char *name_of(struct wsim_panel *p) {
    return wsim_operand_name((enum wsim_operand)p->part[OPERAND]);
}

static const char *holder(const struct wsim_layout *layout) {
    return layout->lanes == WSIM_LANES ? "lane" : "thread";
}

static size_t put(char out[WSIM_CELL_TEXT], size_t n, const char *format, unsigned a, unsigned b) {
    if (n < WSIM_CELL_TEXT)
        n += (size_t)snprintf(out + n, WSIM_CELL_TEXT - n, format, a, b);
    return n;
}

static int wants(int32_t question, uint32_t answer) {
    return question < 0 || (uint32_t)question == answer;
}

int wsim_fragment_asked(const struct wsim_layout *layout, const struct wsim_fragment_query *q,
                        struct wsim_place place, struct wsim_coord coord) {
    int second = layout->elem_bits == 64 && q->reg == place.reg + 1;
    return wants(q->lane, place.lane) && (second || wants(q->reg, place.reg)) &&
           wants(q->row, coord.row) && wants(q->col, coord.col) && wants(q->batch, coord.batch);
}

/* True if single elements are selected, which are marked. */
static int has_marks(const struct wsim_fragments *f) {
    return f->only.lane >= 0 || f->only.reg >= 0 || f->only.row >= 0 || f->only.col >= 0;
}

/* --- lanes by registers --- */

static struct wsim_coord coord_of(struct wsim_panel *p, unsigned lane, unsigned col, unsigned i) {
    return wsim_layout_coord(layout_of(p), lane, col * p->part[PER_REG] + i);
}

/* True if all elements of a register follow the first one in steps of `rows` and `cols`. */
static int is_run(struct wsim_panel *p, unsigned lane, unsigned col, unsigned rows, unsigned cols) {
    struct wsim_coord first = coord_of(p, lane, col, 0);
    for (unsigned i = 1; i < p->part[PER_REG]; i++) {
        struct wsim_coord at = coord_of(p, lane, col, i);
        if (at.batch != first.batch || at.row != first.row + i * rows ||
            at.col != first.col + i * cols)
            return 0;
    }
    return p->part[PER_REG] > 2;
}

static int is_shown(const struct wsim_fragments *f, struct wsim_coord at) {
    return wants(f->only.batch, at.batch);
}

static size_t put_batch(struct wsim_panel *p, char out[WSIM_CELL_TEXT], size_t n, unsigned batch) {
    const struct wsim_fragments *f = p->about;
    return layout_of(p)->batches > 1 && f->only.batch < 0 ? put(out, n, "#%u", batch, 0) : n;
}

static void each_element(struct wsim_panel *p, unsigned lane, unsigned col,
                         char out[WSIM_CELL_TEXT]) {
    size_t n = 0;
    for (unsigned i = 0; i < p->part[PER_REG]; i++) {
        struct wsim_coord at = coord_of(p, lane, col, i);
        n = put(out, n, i ? " " : "", 0, 0);
        n = is_shown(p->about, at)
                ? put_batch(p, out, put(out, n, "(%u,%u)", at.row, at.col), at.batch)
                : put(out, n, "-", 0, 0);
    }
}

static uint32_t marks_of_register(struct wsim_panel *p, uint32_t lane, uint32_t col) {
    const struct wsim_fragments *f = p->about;
    for (unsigned i = 0; i < p->part[PER_REG]; i++)
        if (wsim_fragment_asked(layout_of(p), &f->only,
                                wsim_layout_place(layout_of(p), lane, col * p->part[PER_REG] + i),
                                coord_of(p, lane, col, i)))
            return WSIM_CELL_MARKED;
    return 0;
}

static void register_cell(struct wsim_panel *p, uint32_t lane, uint32_t col,
                          struct wsim_cell *cell) {
    struct wsim_coord at = coord_of(p, lane, col, 0);
    unsigned last = p->part[PER_REG] - 1;
    size_t n;
    cell->value = (int32_t)lane;
    cell->flags = has_marks(p->about) ? marks_of_register(p, lane, col) : 0;
    if (is_shown(p->about, at) && is_run(p, lane, col, 0, 1)) {
        n = put(cell->text, 0, "(%u,%u", at.row, at.col);
        put_batch(p, cell->text, put(cell->text, n, "..%u)", at.col + last, 0), at.batch);
    } else if (is_shown(p->about, at) && is_run(p, lane, col, 1, 0)) {
        n = put(cell->text, 0, "(%u..%u", at.row, at.row + last);
        put_batch(p, cell->text, put(cell->text, n, ",%u)", at.col, 0), at.batch);
    } else {
        each_element(p, lane, col, cell->text);
    }
}

static void lane_head(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%u", row);
}

static void register_head(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    unsigned reg = col * p->part[REG_STEP];
    size_t n = put(out, 0, "reg %u", reg, 0);
    if (p->part[REG_STEP] > 1)
        put(out, n, "-%u", reg + 1, 0);
}

static void register_title(struct wsim_panel *p, uint32_t lane, uint32_t col,
                           char out[WSIM_CELL_TEXT]) {
    struct base_text text = {out, WSIM_CELL_TEXT, 0};
    char whose[WSIM_CELL_TEXT];
    each_element(p, lane, col, whose);
    base_put(&text, "%s %u, register %u: %s of %s%s", holder(layout_of(p)), lane,
             col * p->part[REG_STEP], whose, name_of(p),
             p->part[PER_REG] > 1 ? ", lowest bits first" : "");
}

/* --- rows by columns --- */

/* The number of places of an element, and the first place. */
static uint32_t place_of(struct wsim_panel *p, uint32_t row, uint32_t col,
                         struct wsim_place *place) {
    const struct wsim_fragments *f = p->about;
    struct wsim_coord at = {(uint16_t)p->part[BATCH], (uint16_t)row, (uint16_t)col};
    memset(place, 0, sizeof *place);
    return show_place(layout_of(p), &f->inverse[p->part[OPERAND]], at, place);
}

static unsigned part_of(struct wsim_panel *p, const struct wsim_place *place) {
    return place->lsb / layout_of(p)->elem_bits;
}

static uint32_t marks_of_cell(struct wsim_panel *p, uint32_t row, uint32_t col) {
    const struct wsim_fragments *f = p->about;
    uint32_t rows = p->part[ROW_STEP], cols = p->part[COL_STEP];
    for (uint32_t i = 0; i < rows * cols; i++) {
        struct wsim_coord at = {(uint16_t)p->part[BATCH], (uint16_t)(row * rows + i / cols),
                                (uint16_t)(col * cols + i % cols)};
        struct wsim_place place;
        if (show_place(layout_of(p), &f->inverse[p->part[OPERAND]], at, &place) &&
            wsim_fragment_asked(layout_of(p), &f->only, place, at))
            return WSIM_CELL_MARKED;
    }
    return 0;
}

static void matrix_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    struct wsim_place place;
    uint32_t count = place_of(p, row * p->part[ROW_STEP], col * p->part[COL_STEP], &place);
    size_t n = put(cell->text, 0, "%u:%u", place.lane, place.reg);
    if (p->part[PER_REG] > p->part[ROW_STEP] * p->part[COL_STEP])
        n = put(cell->text, n, ".%u", part_of(p, &place), 0);
    if (count > 1)
        put(cell->text, n, "+", 0, 0);
    if (count == 0)
        strcpy(cell->text, "-");
    cell->value = count ? place.lane : -1;
    cell->flags = count ? 0 : WSIM_CELL_EMPTY;
    if (has_marks(p->about))
        cell->flags |= marks_of_cell(p, row, col);
}

static void matrix_title(struct wsim_panel *p, uint32_t row, uint32_t col,
                         char out[WSIM_CELL_TEXT]) {
    const struct wsim_layout *layout = layout_of(p);
    struct wsim_place place;
    uint32_t count = place_of(p, row * p->part[ROW_STEP], col * p->part[COL_STEP], &place);
    unsigned bits = layout->elem_bits * p->part[ROW_STEP] * p->part[COL_STEP];
    char others[32] = "";
    if (count > 1)
        snprintf(others, sizeof others, "; in %u places", count);
    if (!count)
        snprintf(out, WSIM_CELL_TEXT, "nothing holds it");
    else if (bits > 32)
        snprintf(out, WSIM_CELL_TEXT, "%s(%u,%u): %s %u, registers %u-%u%s", name_of(p),
                 row * p->part[ROW_STEP], col * p->part[COL_STEP], holder(layout), place.lane,
                 place.reg, place.reg + 1u, others);
    else
        snprintf(out, WSIM_CELL_TEXT, "%s(%u,%u): %s %u, register %u, bits %u to %u%s", name_of(p),
                 row * p->part[ROW_STEP], col * p->part[COL_STEP], holder(layout), place.lane,
                 place.reg, place.lsb, place.lsb + bits - 1, others);
}

static void put_steps(uint32_t at, uint32_t step, char out[WSIM_CELL_TEXT]) {
    size_t n = put(out, 0, "%u", at * step, 0);
    if (step > 1)
        put(out, n, "..%u", at * step + step - 1, 0);
}

static void matrix_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    put_steps(row, p->part[ROW_STEP], out);
}

static void matrix_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    put_steps(col, p->part[COL_STEP], out);
}

/* True if each stretch of `rows` x `cols` elements lies in one register, in order. */
static int in_registers(struct wsim_panel *p, unsigned rows, unsigned cols) {
    const struct wsim_layout *layout = layout_of(p);
    for (unsigned row = 0; row < layout->rows; row++)
        for (unsigned col = 0; col < layout->cols; col++) {
            struct wsim_place first, place;
            place_of(p, row - row % rows, col - col % cols, &first);
            place_of(p, row, col, &place);
            if (place.lane != first.lane || place.reg != first.reg || part_of(p, &first) ||
                part_of(p, &place) != row % rows + col % cols)
                return 0;
        }
    return 1;
}

/* Narrow elements make wide matrices: registers that hold stretches are shown whole. */
static void choose_steps(struct wsim_panel *p) {
    const struct wsim_layout *layout = layout_of(p);
    unsigned n = p->part[PER_REG];
    p->part[ROW_STEP] = p->part[COL_STEP] = 1;
    if (n < 8)
        return;
    if (layout->cols % n == 0 && in_registers(p, 1, n))
        p->part[COL_STEP] = n;
    else if (layout->rows % n == 0 && in_registers(p, n, 1))
        p->part[ROW_STEP] = n;
}

/* --- rows of memory --- */

/* The lane that gives the address of row `row` of matrix `batch`. */
static uint32_t lane_of(struct wsim_panel *p, uint32_t row, uint32_t batch) {
    const struct wsim_fragments *f = p->about;
    struct wsim_coord at;
    uint32_t lane = 0;
    while (wsim_move_row(f->op, lane, &at, NULL) == WSIM_OK && (at.batch != batch || at.row != row))
        lane++;
    return lane;
}

static void address_cell(struct wsim_panel *p, uint32_t row, uint32_t batch,
                         struct wsim_cell *cell) {
    show_decimal(lane_of(p, row, batch), cell->text);
    cell->value = (int32_t)lane_of(p, row, batch);
    cell->flags = 0;
}

static void address_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    (void)p;
    show_decimal(row, out);
}

static void address_col(struct wsim_panel *p, uint32_t batch, char out[WSIM_CELL_TEXT]) {
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "#%u", (unsigned)batch);
}

static void address_title(struct wsim_panel *p, uint32_t row, uint32_t batch,
                          char out[WSIM_CELL_TEXT]) {
    snprintf(out, WSIM_CELL_TEXT, "row %u of matrix %u: lane %u gives its address", (unsigned)row,
             (unsigned)batch, (unsigned)lane_of(p, row, batch));
}

static void address_panel(struct wsim_panel *p) {
    const struct wsim_layout *layout = layout_of(p);
    snprintf(p->caption, sizeof p->caption,
             "rows of memory, as the lane that gives the address of each");
    snprintf(p->corner, sizeof p->corner, "row\\matrix");
    p->beside = 1;
    p->rows = layout->rows;
    p->cols = layout->batches;
    p->cell = address_cell;
    p->row_head = address_row;
    p->col_head = address_col;
    p->title = address_title;
}

/* --- the list --- */

/* The number of elements of an operand; 0 if it is not shown. */
static uint32_t elements_of(const struct wsim_fragments *f, unsigned operand) {
    return f->has >> operand & 1 ? (uint32_t)f->layout[operand].lanes * f->layout[operand].elems
                                 : 0;
}

/* Element `at` of all, by operand, lane and element; 0 past the end. */
static int element_at(const struct wsim_fragments *f, uint32_t at, uint32_t *operand,
                      struct wsim_place *place, struct wsim_coord *coord) {
    for (*operand = 0; *operand < WSIM_OPERANDS; ++*operand) {
        const struct wsim_layout *layout = &f->layout[*operand];
        uint32_t count = elements_of(f, *operand);
        if (at < count) {
            *place = wsim_layout_place(layout, at / layout->elems, at % layout->elems);
            *coord = wsim_layout_coord(layout, at / layout->elems, at % layout->elems);
            return 1;
        }
        at -= count;
    }
    return 0;
}

/* The first selected element from number *at on. */
static int next_asked(const struct wsim_fragments *f, uint32_t *at, uint32_t *operand,
                      struct wsim_place *place, struct wsim_coord *coord) {
    for (; element_at(f, *at, operand, place, coord); ++*at)
        if (wsim_fragment_asked(&f->layout[*operand], &f->only, *place, *coord))
            return 1;
    return 0;
}

static uint32_t count_entries(const struct wsim_fragments *f) {
    struct wsim_place place;
    struct wsim_coord coord;
    uint32_t operand, count = 0;
    if (!has_marks(f) && f->only.batch < 0) {
        for (operand = 0; operand < WSIM_OPERANDS; operand++)
            count += elements_of(f, operand);
        return count;
    }
    for (uint32_t at = 0; next_asked(f, &at, &operand, &place, &coord); at++)
        count++;
    return count;
}

enum { LIST_COLUMNS = 8 };

/* Finds the element of row `row`. Rows come in order, so the search continues at the last
 * one. */
static void find_row(struct wsim_panel *p, uint32_t row) {
    const struct wsim_fragments *f = p->about;
    struct wsim_place at;
    struct wsim_coord c;
    if (row + 1 < p->part[LIST_ROW])
        p->part[LIST_ROW] = p->part[LIST_AT] = 0;
    while (p->part[LIST_ROW] <= row &&
           next_asked(f, &p->part[LIST_AT], &p->part[LIST_OPERAND], &at, &c)) {
        const uint32_t numbers[LIST_COLUMNS] = {
            at.lane, at.reg,  at.lsb, f->layout[p->part[LIST_OPERAND]].elem_bits,
            at.elem, c.batch, c.row,  c.col};
        memcpy(&p->part[LIST_NUMBERS], numbers, sizeof numbers);
        p->part[LIST_ROW]++;
        p->part[LIST_AT]++;
    }
}

static void list_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    find_row(p, row);
    snprintf(out, WSIM_CELL_TEXT, "%s",
             wsim_operand_name((enum wsim_operand)p->part[LIST_OPERAND]));
}

static void list_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const heads[LIST_COLUMNS] = {"lane",    "reg",   "bit", "bits",
                                                    "element", "batch", "row", "col"};
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%s", heads[col]);
}

static void list_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    find_row(p, row);
    show_decimal(p->part[LIST_NUMBERS + col], cell->text);
    cell->value = -1;
    cell->flags = 0;
}

/* --- the picture --- */

/* The meaning of '#'. */
static const char *batch_is(unsigned operand) {
    return operand == WSIM_E                            ? "the selector that reads them"
           : operand == WSIM_SFA || operand == WSIM_SFB ? "byte-id and thread-id that read them"
                                                        : "which matrix";
}

static void open_panel(const struct wsim_fragments *f, struct wsim_panel *p) {
    memset(p, 0, sizeof *p);
    p->about = f;
}

static void choose_registers(struct wsim_panel *p) {
    const struct wsim_layout *layout = layout_of(p);
    p->part[PER_REG] = layout->elem_bits < 32 ? 32u / layout->elem_bits : 1;
    if (p->part[PER_REG] > layout->elems)
        p->part[PER_REG] = layout->elems;
    p->part[REG_STEP] = layout->elem_bits == 64 ? 2 : 1;
    p->hue = WSIM_HUE_LANE;
    p->values = layout->lanes;
}

static void register_panel(struct wsim_panel *p) {
    const struct wsim_layout *layout = layout_of(p);
    struct base_text heading = {p->heading, sizeof p->heading, 0};
    base_put(&heading, "%s: %u x %u %s, %u register%s a %s", name_of(p), layout->rows, layout->cols,
             layout->format->name, layout->regs, layout->regs == 1 ? "" : "s", holder(layout));
    if (layout->batches > 1)
        base_put(&heading, "; #0 to #%u: %s", layout->batches - 1u, batch_is(p->part[OPERAND]));
    snprintf(p->caption, sizeof p->caption, "%s by %s and register, as (row,col)%s", name_of(p),
             holder(layout), p->part[PER_REG] > 1 ? ", lowest bits first" : "");
    snprintf(p->corner, sizeof p->corner, "%s", holder(layout));
    p->rows = layout->lanes;
    p->cols = layout->regs / p->part[REG_STEP];
    p->left = 1;
    p->cell = register_cell;
    p->row_head = lane_head;
    p->col_head = register_head;
    p->title = register_title;
}

static void matrix_panel(struct wsim_panel *p, int last) {
    const struct wsim_layout *layout = layout_of(p);
    const struct wsim_fragments *f = p->about;
    struct base_text caption = {p->caption, sizeof p->caption, 0};
    choose_steps(p);
    base_put(&caption, "%s by row and column, as %s:register%s", name_of(p), holder(layout),
             p->part[PER_REG] > 1 ? ".part (part 0 is the lowest)" : "");
    if (layout->batches > 1)
        base_put(&caption, ", #%u", p->part[BATCH]);
    if (last && f->inverse[p->part[OPERAND]].kernels)
        snprintf(p->note, sizeof p->note,
                 "+ more lanes hold the same element; --row and --col list them all");
    snprintf(p->corner, sizeof p->corner, "row\\col");
    p->beside = 1;
    p->rows = layout->rows / p->part[ROW_STEP];
    p->cols = layout->cols / p->part[COL_STEP];
    p->cell = matrix_cell;
    p->row_head = matrix_row;
    p->col_head = matrix_col;
    p->title = matrix_title;
}

/* Matrices of an operand that are shown. */
static uint32_t batches_of(const struct wsim_fragments *f, unsigned operand) {
    if (f->only.batch < 0)
        return f->layout[operand].batches;
    return f->only.batch < f->layout[operand].batches;
}

/* Panels of an operand; a move of rows has one more, with the lanes that give the addresses. */
static int has_addresses(const struct wsim_fragments *f) {
    return f->op && wsim_op_describe(f->op).counting == WSIM_COUNT_ROWS && !has_marks(f);
}

static uint32_t panels_of(const struct wsim_fragments *f, unsigned operand) {
    return f->has >> operand & 1 ? 1 + batches_of(f, operand) + (uint32_t)has_addresses(f) : 0;
}

static void list_panel(const struct wsim_fragments *f, struct wsim_panel *p) {
    snprintf(p->corner, sizeof p->corner, "operand");
    p->rows = count_entries(f);
    p->cols = LIST_COLUMNS;
    p->cell = list_cell;
    p->row_head = list_row;
    p->col_head = list_col;
}

static void fragments_panel(const struct wsim_picture *picture, uint32_t number,
                            struct wsim_panel *p) {
    const struct wsim_fragments *f = picture->about;
    unsigned operand = 0;
    open_panel(f, p);
    if (number == WSIM_PANEL_LIST) {
        list_panel(f, p);
        return;
    }
    for (; operand < WSIM_OPERANDS; operand++) {
        uint32_t panels = panels_of(f, operand);
        if (number < panels)
            break;
        number -= panels;
    }
    p->part[OPERAND] = operand;
    choose_registers(p);
    if (number == 0) {
        register_panel(p);
        return;
    }
    if (number > batches_of(f, operand)) {
        address_panel(p);
        return;
    }
    p->part[BATCH] = f->only.batch < 0 ? number - 1 : (uint32_t)f->only.batch;
    matrix_panel(p, number == batches_of(f, operand));
}

static int fragments_cute(const struct wsim_picture *picture, uint32_t number,
                          char out[WSIM_CELL_TEXT]) {
    const struct wsim_fragments *f = picture->about;
    char text[WSIM_CUTE_TEXT];
    if (f->op && wsim_cute_write_copy(f->op, WSIM_CUTE_SRC, text, NULL) == WSIM_OK) {
        enum wsim_cute_side side = number ? WSIM_CUTE_DST : WSIM_CUTE_SRC;
        if (number > 1 || wsim_cute_write_copy(f->op, side, text, NULL))
            return 0;
        snprintf(out, WSIM_CELL_TEXT, "%s: %s", number ? "DstLayout" : "SrcLayout", text);
        return 1;
    }
    for (unsigned o = 0; o < WSIM_OPERANDS; o++)
        if (f->has >> o & 1 &&
            wsim_cute_write(&f->layout[o], (enum wsim_operand)o, text, NULL) == WSIM_OK &&
            number-- == 0) {
            snprintf(out, WSIM_CELL_TEXT, "%s: %s", wsim_operand_name((enum wsim_operand)o), text);
            return 1;
        }
    return 0;
}

/* True if an operand has this layout on `arch`. */
static int holds_on(const struct wsim_fragments *f, const struct wsim_arch *arch) {
    struct wsim_layout layout;
    for (unsigned o = 0; o < WSIM_OPERANDS; o++)
        if (f->has >> o & 1 && (wsim_op_layout(f->op, arch, (enum wsim_operand)o, &layout, NULL) ||
                                memcmp(layout.lane, f->layout[o].lane, sizeof layout.lane) != 0 ||
                                memcmp(layout.elem, f->layout[o].elem, sizeof layout.elem) != 0))
            return 0;
    return 1;
}

/* Names the architectures with another answer, if none was given. */
static int fragments_line(const struct wsim_picture *picture, enum wsim_picture_lines where,
                          uint32_t number, char out[WSIM_CAPTION]) {
    const struct wsim_fragments *f = picture->about;
    struct base_text text = {out, WSIM_CAPTION, 0};
    const struct wsim_arch *arch;
    if (where != WSIM_LINES_ABOVE || number > 0 || f->arch || !f->op)
        return SHOW_NO_LINE;
    for (size_t i = 0; (arch = wsim_arch_at(i)) != NULL; i++)
        if (wsim_op_check(f->op, arch, NULL) == WSIM_OK && !holds_on(f, arch))
            base_put(&text, "%s %s", text.used ? "" : "not so on", wsim_arch_name(arch));
    if (!text.used)
        return SHOW_NO_LINE;
    base_put(&text, " (--arch)");
    return SHOW_LINE;
}

void wsim_picture_fragments(const struct wsim_fragments *f, struct wsim_picture *picture) {
    memset(picture, 0, sizeof *picture);
    picture->about = f;
    picture->panel = fragments_panel;
    picture->line = fragments_line;
    picture->cute = fragments_cute;
    picture->list = 1;
    for (unsigned o = 0; o < WSIM_OPERANDS; o++)
        picture->panels += panels_of(f, o);
    snprintf(picture->title, sizeof picture->title, "%s%s%s", f->spelling, f->arch ? " on " : "",
             f->arch ? wsim_arch_name(f->arch) : "");
}

enum wsim_status wsim_fragments_make(const struct wsim_op *op, const struct wsim_arch *arch,
                                     uint32_t operands, struct wsim_fragments *f,
                                     struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    memset(f, 0, sizeof *f);
    wsim_op_spell(op, f->spelling);
    f->op = op;
    f->arch = arch;
    f->only = (struct wsim_fragment_query){-1, -1, -1, -1, -1};
    for (unsigned o = 0; o < WSIM_OPERANDS; o++) {
        if (!(operands >> o & 1))
            continue;
        status = wsim_op_layout(op, arch, (enum wsim_operand)o, &f->layout[o], diag);
        if (status == WSIM_UNMODELLED)
            return status;
        if (status == WSIM_OK) {
            show_invert(&f->layout[o], &f->inverse[o]);
            f->has |= 1u << o;
        }
    }
    return f->has ? WSIM_OK : status;
}

void wsim_fragments_of(const char *spelling, const struct wsim_layout *layout,
                       struct wsim_fragments *f) {
    memset(f, 0, sizeof *f);
    snprintf(f->spelling, sizeof f->spelling, "%s", spelling);
    f->only = (struct wsim_fragment_query){-1, -1, -1, -1, -1};
    f->layout[WSIM_D] = *layout;
    f->has = 1u << WSIM_D;
    show_invert(&f->layout[WSIM_D], &f->inverse[WSIM_D]);
}
