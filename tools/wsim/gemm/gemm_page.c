/* What wsim gemm shows as a page or as CSV: what was multiplied, by what, and where results differ.
 */
#include "gemm.h"
#include "../common/page.h"
#include "../../lib/number.h"

#include <inttypes.h>

/* --- where they differ --- */

static void map_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct comparison *c = p->about;
    uint64_t n = c->map[row][col];
    cell->flags = n ? 0 : WSIM_CELL_EMPTY;
    cell->value = n == 0                                                              ? -1
                  : n < compare_map_part(c->rows) * compare_map_part(c->columns) / 10 ? 2
                                                                                      : 3;
    if (n)
        snprintf(cell->text, sizeof cell->text, "%" PRIu64, n);
    else
        snprintf(cell->text, sizeof cell->text, ".");
}

static void map_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    const struct comparison *c = p->about;
    snprintf(out, WSIM_CELL_TEXT, "%zu", row * compare_map_part(c->rows));
}

static void map_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    const struct comparison *c = p->about;
    snprintf(out, WSIM_CELL_TEXT, "%zu", col * compare_map_part(c->columns));
}

static uint32_t parts(size_t extent) {
    return (uint32_t)((extent - 1) / compare_map_part(extent) + 1);
}

static void add_map(struct page *page, const struct gemm_run *run,
                    const struct gemm_result *result) {
    const struct comparison *c = &result->comparison;
    struct wsim_panel panel = {.rows = parts(c->rows),
                               .cols = parts(c->columns),
                               .hue = WSIM_HUE_TURN,
                               .values = 4,
                               .about = c,
                               .cell = map_cell,
                               .row_head = map_row,
                               .col_head = map_col};
    snprintf(panel.heading, sizeof panel.heading, "Where D differs: %.200s and %.200s",
             run->results[0].name, result->name);
    snprintf(panel.caption, sizeof panel.caption,
             "So many elements of each part of %zu x %zu are others; heads are its first row and "
             "column",
             compare_map_part(c->rows), compare_map_part(c->columns));
    snprintf(panel.corner, sizeof panel.corner, "row");
    page_panel(page, &panel);
}

/* --- tables --- */

static const char *const result_heads[] = {"digest", "path", "evidence", NULL};
static const char *const difference_heads[] = {
    "differ", "of", "first at", "is", "and", "furthest at", "apart", "NaN on one side", NULL};

static void put_result(struct grid *grid, const struct gemm_result *result) {
    grid_row(grid, "%s", result->name);
    grid_cell(grid, "%016" PRIx64, result->digest);
    grid_cell(grid, "%s", wsim_path_name(result->path));
    grid_cell(grid, "%s", result->evidence ? result->evidence : "");
}

static void put_comparison(struct grid *grid, const struct gemm_run *run,
                           const struct gemm_result *result) {
    const struct comparison *c = &result->comparison;
    const char *unit = run->d.format->kind == WSIM_BINARY ? " ulp" : "";
    grid_row(grid, "%s", result->name);
    grid_cell(grid, "%" PRIu64, c->different);
    grid_cell(grid, "%" PRIu64, c->elements);
    if (!c->different)
        return;
    grid_cell(grid, "D[%zu][%zu]", c->first.row, c->first.column);
    for (int i = 0; i < 2; i++) {
        char number[NUMBER_TEXT];
        number_text(&run->layout, c->first.bits[i], number);
        grid_cell(grid, "%s (%0*" PRIx64 ")", number, run->d.format->bits / 4, c->first.bits[i]);
    }
    if (c->largest.distance) {
        grid_cell(grid, "D[%zu][%zu]", c->largest.row, c->largest.column);
        grid_cell(grid, "%" PRIu64 "%s", c->largest.distance, unit);
    } else {
        grid_skip(grid, 2);
    }
    if (c->nans)
        grid_cell(grid, "%" PRIu64, c->nans);
}

/* --- the whole --- */

static void add_words(struct page *page, const struct gemm_run *run) {
    char words[GEMM_WORDS];
    const struct matrix *const matrices[] = {&run->a, &run->b, &run->c};
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++)
        if (gemm_word_matrix(run, matrices[i], words))
            page_line(page, WSIM_LINES_ABOVE, "%.500s", words);
    gemm_word_product(run, words);
    page_line(page, WSIM_LINES_ABOVE, "%.500s", words);
    if (run->gemm.size.promote)
        page_line(page, WSIM_LINES_ABOVE, "accumulators are added to an f32 after every %zu of k",
                  run->gemm.size.promote);
    if (run->gemm.slices > 1)
        page_line(page, WSIM_LINES_ABOVE,
                  "%zu slices of %zu of k are added to %s in ascending order, by add.%s",
                  run->gemm.slices, run->gemm.slice_k, run->c.elements ? "C" : "zero",
                  run->gemm.d->name);
    for (size_t i = 0; i < run->count; i++)
        if (run->results[i].caveat)
            page_line(page, WSIM_LINES_BELOW, "caveat of %.40s: %.400s", run->results[i].name,
                      run->results[i].caveat);
}

int gemm_print_page(const struct gemm_run *run, enum tool_format format) {
    struct grid results = grid_open("", result_heads),
                differences = grid_open("", difference_heads);
    struct page page;
    int status;
    page_open(&page, run->spelling);
    add_words(&page, run);
    for (size_t i = 0; i < run->count; i++)
        if (run->results[i].arch)
            put_result(&results, &run->results[i]);
    for (size_t i = 1; i < run->count; i++)
        put_comparison(&differences, run, &run->results[i]);
    page_grid(&page, "Results", "", &results);
    if (run->count > 1) {
        char heading[80];
        snprintf(heading, sizeof heading, "Against %.60s", run->results[0].name);
        page_grid(&page, heading, "", &differences);
    }
    for (size_t i = 1; i < run->count; i++)
        if (run->results[i].comparison.different)
            add_map(&page, run, &run->results[i]);
    status = page_print(&page, format);
    grid_free(&results);
    grid_free(&differences);
    return status;
}

/* --- CSV --- */

static void put_place(struct grid *grid, const struct gemm_run *run, const struct difference *at) {
    grid_cell(grid, "%zu", at->row);
    grid_cell(grid, "%zu", at->column);
    for (int i = 0; i < 2; i++)
        grid_cell(grid, "%0*" PRIx64, run->d.format->bits / 4, at->bits[i]);
}

int gemm_print_csv(const struct gemm_run *run) {
    static const char *const heads[] = {"path",          "digest",          "elements",
                                        "different",     "nan_on_one",      "first_row",
                                        "first_column",  "first_base",      "first_bits",
                                        "furthest_row",  "furthest_column", "furthest_base",
                                        "furthest_bits", "distance",        NULL};
    struct grid grid = grid_open("result", heads);
    struct wsim_panel panel;
    for (size_t i = 0; i < run->count; i++) {
        const struct gemm_result *result = &run->results[i];
        const struct comparison *c = &result->comparison;
        grid_row(&grid, "%s", result->name);
        if (result->arch) {
            grid_cell(&grid, "%s", wsim_path_name(result->path));
            grid_cell(&grid, "%016" PRIx64, result->digest);
        } else {
            grid_skip(&grid, 2);
        }
        if (i == 0)
            continue;
        grid_cell(&grid, "%" PRIu64, c->elements);
        grid_cell(&grid, "%" PRIu64, c->different);
        grid_cell(&grid, "%" PRIu64, c->nans);
        if (c->different)
            put_place(&grid, run, &c->first);
        if (c->largest.distance) {
            put_place(&grid, run, &c->largest);
            grid_cell(&grid, "%" PRIu64, c->largest.distance);
        }
    }
    grid.whole = 1;
    grid_panel(&grid, &panel);
    picture_print_panel(&panel, TOOL_CSV);
    grid_free(&grid);
    return TOOL_FINE;
}
