/* Lines of kernels: the source on the left, then the cost of each line. */
#include "show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT, EXECUTED, WAVEFRONTS, WAVEFRONTS_IDEAL, SECTORS, SECTORS_IDEAL, COLUMNS };

/* Values of panel->part: the lines of a panel. */
enum { FIRST };

static const struct wsim_cost_line *line_of(const struct wsim_panel *p, uint32_t row) {
    const struct wsim_cost_lines *lines = p->about;
    return &lines->line[p->part[FIRST] + row];
}

/* A count; zeros are left empty. */
static void put_count(struct base_text *text, uint64_t count, int there) {
    if (there)
        base_put(text, "%" PRIu64, count);
    else
        base_put(text, "-");
}

/* A count of shared memory; "?" if some accesses are not counted. */
static void put_shared(struct base_text *text, uint64_t count, const struct wsim_line *line) {
    if (line->uncounted)
        base_put(text, "?");
    else
        put_count(text, count, line->shared.accesses > 0);
}

static void put_column(struct base_text *text, const struct wsim_cost_line *line, uint32_t col) {
    const struct wsim_line *c = &line->counts;
    switch (col) {
    case TEXT: base_put(text, "%s", line->text); return;
    case EXECUTED: base_put(text, "%" PRIu64, c->executed); return;
    case WAVEFRONTS: put_shared(text, c->shared.wavefronts, c); return;
    case WAVEFRONTS_IDEAL: put_shared(text, c->shared.ideal, c); return;
    case SECTORS: put_count(text, c->sectors, c->requests > 0); return;
    default: put_count(text, c->sectors_ideal, c->requests > 0);
    }
}

/* The excess over the ideal, as a value of WSIM_HUE_TURN. */
static int32_t excess(uint64_t count, uint64_t ideal) {
    return count == 0 || count <= ideal ? -1 : count < 2 * ideal ? 2 : 3;
}

static void line_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_cost_line *line = line_of(p, row);
    const struct wsim_line *c = &line->counts;
    struct base_text text = {cell->text, sizeof cell->text, 0};
    cell->text[0] = '\0';
    put_column(&text, line, col);
    cell->value = col == WAVEFRONTS && !c->uncounted ? excess(c->shared.wavefronts, c->shared.ideal)
                  : col == SECTORS                   ? excess(c->sectors, c->sectors_ideal)
                                                     : -1;
    cell->flags = cell->value > 2 ? WSIM_CELL_MARKED : 0;
}

static void line_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    snprintf(out, WSIM_CELL_TEXT, "%s", line_of(p, row)->place);
}

static void line_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const heads[COLUMNS] = {"source", "executed", "wavefronts",
                                               "ideal",  "sectors",  "ideal"};
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%s", heads[col]);
}

static void line_title(struct wsim_panel *p, uint32_t row, uint32_t col, char out[WSIM_CELL_TEXT]) {
    const struct wsim_line *c = &line_of(p, row)->counts;
    out[0] = '\0';
    if ((col == WAVEFRONTS || col == WAVEFRONTS_IDEAL) && c->shared.accesses && !c->uncounted)
        snprintf(out, WSIM_CELL_TEXT,
                 "%" PRIu64 " accesses of shared memory, %" PRIu64 " conflicts", c->shared.accesses,
                 c->shared.conflicts);
    else if ((col == SECTORS || col == SECTORS_IDEAL) && c->requests)
        snprintf(out, WSIM_CELL_TEXT, "%" PRIu64 " requests of global memory, %" PRIu64 " lines",
                 c->requests, c->lines);
    else if (col == TEXT)
        snprintf(out, WSIM_CELL_TEXT, "PTX line %u: %s", (unsigned)c->ptx_line, c->opcode);
}

/* --- the list: the same, the place as a column of its own --- */

static void list_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    show_decimal(line_of(p, row)->launch, out);
}

static void list_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const heads[COLUMNS + 1] = {"place",        "source",           "executed",
                                                   "wavefronts",   "wavefronts_ideal", "sectors",
                                                   "sectors_ideal"};
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%s", heads[col]);
}

static void list_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    struct base_text text = {cell->text, sizeof cell->text, 0};
    cell->text[0] = '\0';
    cell->value = -1;
    cell->flags = 0;
    if (col == 0)
        base_put(&text, "%s", line_of(p, row)->place);
    else
        put_column(&text, line_of(p, row), col - 1);
}

static void list_panel(const struct wsim_cost_lines *lines, struct wsim_panel *p) {
    snprintf(p->corner, sizeof p->corner, "launch");
    p->rows = lines->count;
    p->cols = COLUMNS + 1;
    p->cell = list_cell;
    p->row_head = list_row;
    p->col_head = list_col;
}

static void lines_panel(const struct wsim_picture *picture, uint32_t number, struct wsim_panel *p) {
    const struct wsim_cost_lines *lines = picture->about;
    memset(p, 0, sizeof *p);
    p->about = lines;
    if (number == WSIM_PANEL_LIST) {
        list_panel(lines, p);
        return;
    }
    while (p->part[FIRST] < lines->count && lines->line[p->part[FIRST]].launch < number)
        p->part[FIRST]++;
    while (p->part[FIRST] + p->rows < lines->count &&
           lines->line[p->part[FIRST] + p->rows].launch == number)
        p->rows++;
    snprintf(p->heading, sizeof p->heading, "%s", lines->launch[number]);
    snprintf(p->corner, sizeof p->corner, "line");
    p->cols = COLUMNS;
    p->texts = 1;
    p->hue = WSIM_HUE_TURN;
    p->values = 4;
    p->cell = line_cell;
    p->row_head = line_row;
    p->col_head = line_col;
    p->title = line_title;
}

void wsim_picture_lines(const struct wsim_cost_lines *lines, struct wsim_picture *picture) {
    memset(picture, 0, sizeof *picture);
    snprintf(picture->title, sizeof picture->title, "%s", lines->title);
    picture->about = lines;
    picture->panels = lines->launches;
    picture->list = 1;
    picture->panel = lines_panel;
}
