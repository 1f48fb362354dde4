/* What a replay found, as a page. */
#include "replay_report.h"
#include "../common/page.h"
#include "../common/text.h"

static const char *const counts[] = {"cases", "equal", "different", "unsupported", "results", NULL};

static void put_row(struct grid *grid, const struct replay_row *row, const char *name) {
    grid_row(grid, "%s", name);
    grid_cell(grid, "%lu", row->cases);
    for (int verdict = WSIM_EQUAL; verdict <= WSIM_UNSUPPORTED; verdict++)
        grid_cell(grid, "%lu", row->verdict[verdict]);
    grid_cell(grid, "%llu", (unsigned long long)row->results);
}

/* Each as a paragraph of its own: sentences are too long for a table. */
static void add_notes(struct page *page, const char *what, const struct replay_note *notes,
                      unsigned n) {
    char words[1024];
    for (unsigned i = 0; i < n; i++) {
        replay_words(&notes[i], words, sizeof words);
        page_line(page, WSIM_LINES_BELOW, "%s: %s:%lu: %s", what, text_cut(notes[i].file).text,
                  notes[i].line, notes[i].spelling);
        page_line(page, WSIM_LINES_BELOW, "%.500s", words);
    }
}

int replay_print_page(const struct replay_report *report, enum tool_format format) {
    struct grid grid = grid_open("instruction", counts);
    struct page page;
    int status;
    for (size_t i = 0; i < report->nrows; i++)
        put_row(&grid, &report->rows[i], report->rows[i].spelling);
    put_row(&grid, &report->total, "total");
    page_open(&page, "Recordings, replayed");
    page_line(&page, WSIM_LINES_ABOVE, "%lu of %lu cases are equal, bit for bit.",
              report->total.verdict[WSIM_EQUAL], report->total.cases);
    page_grid(&page, "", "", &grid);
    add_notes(&page, "differs", report->different, report->ndifferent);
    add_notes(&page, "not supported", report->unsupported, report->nunsupported);
    status = page_print(&page, format);
    grid_free(&grid);
    return status;
}
