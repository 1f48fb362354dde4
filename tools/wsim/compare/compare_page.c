/* What wsim compare shows as a page or as CSV: a matrix of which architectures agree, their
 * arithmetic, and of each first difference the digits of both sums. */
#include "compare.h"
#include "../common/memory.h"
#include "../common/page.h"
#include "../exec/exec_print.h"
#include "../why/why.h"
#include "../why/why_words.h"
#include "../../lib/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- the matrix --- */

/* Those with an arithmetic of their own. */
static unsigned find_kinds(const struct compare *c, unsigned kind[COMPARE_ARCHS]) {
    unsigned n = 0;
    for (unsigned i = 0; i < c->n; i++)
        if (c->arch[i].same == i)
            kind[n++] = i;
    return n;
}

static uint32_t differ(const struct compare_matrix *m, uint32_t row, uint32_t col) {
    unsigned i = m->kind[row], j = m->kind[col];
    return i > j ? m->differ[i][j] : m->differ[j][i];
}

static void matrix_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct compare_matrix *m = p->about;
    uint32_t n = differ(m, row, col);
    cell->flags = row == col ? WSIM_CELL_EMPTY : 0;
    cell->value = row == col ? -1 : n == 0 ? 1 : n < m->all / 10 ? 2 : 3;
    if (row == col)
        snprintf(cell->text, sizeof cell->text, "-");
    else if (n == 0)
        snprintf(cell->text, sizeof cell->text, "equal");
    else
        snprintf(cell->text, sizeof cell->text, "%lu", (unsigned long)n);
}

static void matrix_head(struct wsim_panel *p, uint32_t at, char out[WSIM_CELL_TEXT]) {
    const struct compare_matrix *m = p->about;
    snprintf(out, WSIM_CELL_TEXT, "%s", compare_name(m->c, m->kind[at]));
}

static void matrix_title(struct wsim_panel *p, uint32_t row, uint32_t col,
                         char out[WSIM_CELL_TEXT]) {
    const struct compare_matrix *m = p->about;
    out[0] = '\0';
    if (row != col)
        snprintf(out, WSIM_CELL_TEXT, "%s and %s differ in %lu of %lu %s",
                 compare_name(m->c, m->kind[row]), compare_name(m->c, m->kind[col]),
                 (unsigned long)differ(m, row, col), (unsigned long)m->all, m->what);
}

static void add_matrix(struct compare_matrix *m, struct page *page) {
    struct wsim_panel panel = {.hue = WSIM_HUE_TURN,
                               .values = 4,
                               .about = m,
                               .cell = matrix_cell,
                               .row_head = matrix_head,
                               .col_head = matrix_head,
                               .title = matrix_title};
    panel.rows = panel.cols = find_kinds(m->c, m->kind);
    snprintf(panel.heading, sizeof panel.heading, "Which agree");
    snprintf(panel.caption, sizeof panel.caption, "So many of %lu %s differ", (unsigned long)m->all,
             m->what);
    page_panel(page, &panel);
}

/* --- their arithmetic --- */

static void add_names(const struct compare *c, unsigned i, struct page *page) {
    char others[16 * COMPARE_ARCHS] = "";
    compare_others(c, i, others);
    if (*others)
        page_line(page, WSIM_LINES_ABOVE, "%s has the same arithmetic by the tables as%s",
                  compare_name(c, i), others);
    if (c->arch[i].run->caveat)
        page_line(page, WSIM_LINES_ABOVE, "caveat of %s: %s", compare_name(c, i),
                  c->arch[i].run->caveat);
}

static void put_number(struct grid *grid, int number, int there) {
    if (there)
        grid_cell(grid, "%d", number);
    else
        grid_skip(grid, 1);
}

static void fill_arithmetic(const struct compare *c, struct grid *grid) {
    for (unsigned i = 0; i < c->n; i++) {
        const struct wsim_arithmetic *x = &c->arch[i].arithmetic;
        int aligned = x->method == WSIM_METHOD_FUSED || x->method == WSIM_METHOD_SPLIT ||
                      x->method == WSIM_METHOD_GROUPED;
        if (c->arch[i].same != i)
            continue;
        grid_row(grid, "%s", compare_name(c, i));
        grid_cell(grid, "%s", wsim_method_name((enum wsim_method)x->method));
        put_number(grid, x->width, x->width != 0);
        put_number(grid, x->keep, aligned);
        put_number(grid, x->floor, aligned);
        put_number(grid, x->result_frac, x->result->kind == WSIM_BINARY);
        if (x->result->kind == WSIM_BINARY)
            grid_cell(grid, "%s", wsim_rounding_words((enum wsim_rounding)x->rounding));
        else
            grid_skip(grid, 1);
        grid_cell(grid, "%s", c->arch[i].run->evidence ? c->arch[i].run->evidence : "");
    }
}

static const char *const arithmetic_heads[] = {
    "method",  "products at a time", "bits kept", "least exponent", "fraction bits",
    "rounded", "evidence",           NULL};

/* --- differences --- */

/* A first difference, both sums of it. */
struct shown {
    struct compare_pair pair;
    struct wsim_why_card card[2];
    struct grid grid;
};

static const char *const value_heads[] = {"d", "bits", NULL};

static void add_sum(const struct compare *c, unsigned arch, struct shown *shown, int side,
                    struct page *page) {
    struct wsim_picture picture;
    shown->card[side] = why_card(c->arch[arch].run, shown->pair.why[side]);
    wsim_picture_why(&shown->card[side], &picture);
    for (uint32_t i = 0; i < picture.panels; i++) {
        char step[WSIM_CAPTION];
        struct wsim_panel panel;
        picture.panel(&picture, i, &panel);
        if (!panel.ruler)
            continue; /* the factors are those of both */
        snprintf(step, sizeof step, "%s", panel.heading);
        snprintf(panel.heading, sizeof panel.heading, "%.30s: s%.400s", shown->pair.name[side],
                 step + 1);
        page_panel(page, &panel);
    }
}

static void add_difference(const struct compare *c, unsigned i, unsigned j, unsigned e,
                           struct shown *shown, struct page *page) {
    const struct wsim_layout *d = &c->arch[i].run->layout[WSIM_D];
    const unsigned arch[] = {i, j};
    struct wsim_coord at = compare_coord(d, e);
    char heading[320], matrix[16] = "";
    if (d->batches > 1)
        snprintf(matrix, sizeof matrix, " of #%u", at.batch);
    snprintf(heading, sizeof heading, "First difference of %s and %s: d[%u][%u]%s, lane %u, %s",
             shown->pair.name[0], shown->pair.name[1], at.row, at.col, matrix,
             shown->pair.why[0]->d.place.lane,
             why_register(WSIM_D, d->elem_bits, &shown->pair.why[0]->d.place).text);
    shown->grid = grid_open("", value_heads);
    for (int s = 0; s < 2; s++) {
        uint64_t bits = c->arch[arch[s]].d[e];
        char number[NUMBER_TEXT];
        number_text(d, bits, number);
        grid_row(&shown->grid, "%s", shown->pair.name[s]);
        grid_cell(&shown->grid, "%s", number);
        grid_cell(&shown->grid, "%0*" PRIx64, (d->elem_bits + 3) / 4, bits);
    }
    page_grid(page, heading,
              why_difference(&shown->pair.why[0]->arithmetic, &shown->pair.why[1]->arithmetic).text,
              &shown->grid);
    snprintf(page->panels[page->npanels - 1].note, WSIM_CAPTION, "%.500s",
             compare_reason(&shown->pair).text);
    for (int s = 0; s < 2; s++)
        add_sum(c, arch[s], shown, s, page);
}

static void close_shown(struct shown *shown) {
    free(shown->pair.why[0]);
    free(shown->pair.why[1]);
    grid_free(&shown->grid);
}

/* Of each architecture the first difference from the first one that it differs from; *n of them. */
static int add_differences(const struct compare *c, struct shown *shown, unsigned *n,
                           struct page *page) {
    int status = TOOL_GO;
    for (unsigned i = 1; i < c->n && status == TOOL_GO; i++)
        for (unsigned j = 0; j < i && c->arch[i].same == i; j++) {
            unsigned e = 0;
            if (c->arch[j].same != j || !compare_differences(c, j, i, &e))
                continue;
            status = compare_open(c, j, i, e, &shown[*n].pair);
            if (status == TOOL_GO)
                add_difference(c, j, i, e, &shown[*n], page);
            ++*n;
            break;
        }
    return status;
}

/* --- the whole --- */

static void open_page(const struct compare *c, struct page *page, struct grid *grid) {
    page_open(page, c->arch[0].run->spelling);
    for (unsigned i = 0; i < c->n; i++)
        if (c->arch[i].same == i)
            add_names(c, i, page);
    *grid = grid_open("", arithmetic_heads);
    grid->left = 1;
    fill_arithmetic(c, grid);
}

int compare_case_page(const struct compare *c, enum tool_format format) {
    struct compare_matrix *m = memory_make(1, sizeof *m);
    struct shown *shown = memory_make(COMPARE_ARCHS, sizeof *shown);
    struct page page;
    struct grid grid;
    unsigned n = 0;
    int status;
    *m = (struct compare_matrix){.c = c, .all = c->elements, .what = "elements"};
    for (unsigned i = 0; i < c->n; i++)
        for (unsigned j = 0; j < i; j++)
            m->differ[i][j] = compare_differences(c, j, i, &(unsigned){0});
    open_page(c, &page, &grid);
    exec_page_sources(c->arch[0].run, &page);
    add_matrix(m, &page);
    page_grid(&page, "Their arithmetic", "", &grid);
    status = add_differences(c, shown, &n, &page);
    if (status == TOOL_GO)
        status = page_print(&page, format);
    else
        page_close(&page);
    while (n)
        close_shown(&shown[--n]);
    grid_free(&grid);
    free(shown);
    free(m);
    return status;
}

int compare_random_page(struct compare_matrix *m, const char *operands, enum tool_format format) {
    struct page page;
    struct grid grid;
    int status;
    open_page(m->c, &page, &grid);
    page_line(&page, WSIM_LINES_ABOVE, "%s", operands);
    add_matrix(m, &page);
    page_grid(&page, "Their arithmetic", "", &grid);
    status = page_print(&page, format);
    grid_free(&grid);
    return status;
}

/* --- CSV --- */

static void put_case(const struct compare *c, unsigned i, unsigned j, struct grid *grid) {
    const struct wsim_layout *d = &c->arch[i].run->layout[WSIM_D];
    unsigned e = 0, n = compare_differences(c, i, j, &e);
    struct wsim_coord at = compare_coord(d, e);
    grid_row(grid, "%s", compare_name(c, i));
    grid_cell(grid, "%s", compare_name(c, j));
    grid_cell(grid, "%u", c->elements);
    grid_cell(grid, "%u", n);
    if (!n)
        return;
    grid_cell(grid, "%u", at.batch);
    grid_cell(grid, "%u", at.row);
    grid_cell(grid, "%u", at.col);
    grid_cell(grid, "%0*" PRIx64, (d->elem_bits + 3) / 4, c->arch[i].d[e]);
    grid_cell(grid, "%0*" PRIx64, (d->elem_bits + 3) / 4, c->arch[j].d[e]);
}

static int print_pairs(struct grid *grid) {
    struct wsim_panel panel;
    grid->whole = 1;
    grid_panel(grid, &panel);
    picture_print_panel(&panel, TOOL_CSV);
    grid_free(grid);
    return TOOL_FINE;
}

int compare_case_csv(const struct compare *c) {
    static const char *const heads[] = {"other", "elements", "different",  "batch", "row",
                                        "col",   "bits",     "other_bits", NULL};
    struct grid grid = grid_open("arch", heads);
    for (unsigned i = 1; i < c->n; i++)
        for (unsigned j = 0; j < i; j++)
            put_case(c, j, i, &grid);
    return print_pairs(&grid);
}

int compare_random_csv(const struct compare_matrix *m) {
    static const char *const heads[] = {"other", "cases", "different", "first", NULL};
    struct grid grid = grid_open("arch", heads);
    for (unsigned i = 1; i < m->c->n; i++)
        for (unsigned j = 0; j < i; j++) {
            if (m->c->arch[i].same != i || m->c->arch[j].same != j)
                continue;
            grid_row(&grid, "%s", compare_name(m->c, j));
            grid_cell(&grid, "%s", compare_name(m->c, i));
            grid_cell(&grid, "%lu", (unsigned long)m->all);
            grid_cell(&grid, "%lu", (unsigned long)m->differ[i][j]);
            if (m->differ[i][j])
                grid_cell(&grid, "%lu", (unsigned long)m->first[i][j]);
        }
    return print_pairs(&grid);
}
