/* What wsim banks shows of a sweep as a page: the counts of each step, the passes through each bank
 * and their sum, and a punch card for each step. */
#include "sweep_page.h"
#include "access_print.h"
#include "copy_print.h"
#include "../common/memory.h"
#include "../common/page.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- passes: steps by banks, and below them the sum --- */

static int is_sum(const struct sweep *sweep, uint32_t row) {
    return row == sweep->let->steps;
}

static uint64_t passes_of(const struct sweep *sweep, uint32_t row, uint32_t bank) {
    uint64_t sum = 0;
    if (!is_sum(sweep, row))
        return sweep->passes[row][bank];
    for (uint32_t step = 0; step < sweep->let->steps; step++)
        sum += sweep->passes[step][bank];
    return sum;
}

static uint64_t ideal_of(const struct sweep *sweep, uint32_t row) {
    return is_sum(sweep, row) ? sweep_sum(sweep).ideal : sweep->step[row].ideal;
}

static void passes_cell(struct wsim_panel *p, uint32_t row, uint32_t bank, struct wsim_cell *cell) {
    const struct sweep *sweep = p->about;
    uint64_t passes = passes_of(sweep, row, bank), ideal = ideal_of(sweep, row);
    cell->value = passes == 0 ? -1 : passes <= ideal ? 1 : passes < 2 * ideal ? 2 : 3;
    cell->flags = passes == 0 ? WSIM_CELL_EMPTY : cell->value == 3 ? WSIM_CELL_MARKED : 0;
    if (passes)
        snprintf(cell->text, sizeof cell->text, "%" PRIu64, passes);
    else
        snprintf(cell->text, sizeof cell->text, ".");
}

static void passes_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    const struct sweep *sweep = p->about;
    if (is_sum(sweep, row))
        snprintf(out, WSIM_CELL_TEXT, "sum");
    else
        sweep_word_step(sweep, row, out, WSIM_CELL_TEXT);
}

static void passes_col(struct wsim_panel *p, uint32_t bank, char out[WSIM_CELL_TEXT]) {
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%lu", (unsigned long)bank);
}

static void add_passes(struct page *page, const struct sweep *sweep) {
    struct wsim_panel panel = {.rows = sweep->let->steps + 1,
                               .cols = WSIM_BANKS,
                               .hue = WSIM_HUE_TURN,
                               .values = 4,
                               .about = sweep,
                               .cell = passes_cell,
                               .row_head = passes_row,
                               .col_head = passes_col};
    snprintf(panel.heading, sizeof panel.heading, "Passes through each bank");
    snprintf(panel.caption, sizeof panel.caption,
             "Where they are twice the ideal or more they are marked; below stands their sum");
    snprintf(panel.corner, sizeof panel.corner, "bank");
    page_panel(page, &panel);
}

/* --- cards --- */

union card {
    struct wsim_bank_card access;
    struct wsim_copy_card copy;
};

static void add_card(struct page *page, const struct sweep *sweep, uint32_t step,
                     union card *card) {
    struct wsim_picture picture;
    size_t first = page->npanels;
    char words[WSIM_CELL_TEXT];
    if (sweep->copy) {
        card->copy = copy_card(&sweep->copy[step]);
        wsim_picture_copy(&card->copy, &picture);
    } else {
        card->access = access_card(&sweep->access[step]);
        wsim_picture_banks(&card->access, &picture);
    }
    page_picture(page, &picture);
    if (page->npanels == first)
        return;
    sweep_word_step(sweep, step, words, sizeof words);
    snprintf(page->panels[first].heading, WSIM_CAPTION,
             "%.300s: wavefronts %lu, ideal %lu, conflicts %lu", words,
             (unsigned long)sweep->step[step].wavefronts, (unsigned long)sweep->step[step].ideal,
             (unsigned long)sweep->step[step].conflicts);
}

/* --- the whole --- */

int sweep_print_page(const struct sweep *sweep, const struct table *table,
                     enum tool_format format) {
    union card *cards = memory_make(sweep->cards, sizeof *cards);
    struct sweep_sums sums = sweep_sum(sweep);
    char title[WSIM_SPELLING_MAX + 64];
    struct page page;
    int status;
    snprintf(title, sizeof title, "%s on %s: %lu steps", sweep->spelling,
             wsim_arch_name(sweep->arch), (unsigned long)sweep->let->steps);
    page_open(&page, title);
    for (unsigned i = 0; i < sweep->let->names; i++)
        if (sweep->let->range[i].count == 1)
            page_line(&page, WSIM_LINES_ABOVE, "%s = %" PRId64, sweep->let->name[i].text,
                      sweep->let->range[i].first);
    page_line(&page, WSIM_LINES_ABOVE,
              "together %" PRIu64 " wavefronts, ideal %" PRIu64 ", conflicts %" PRIu64,
              sums.wavefronts, sums.ideal, sums.conflicts);
    if (sweep->unknown)
        page_line(&page, WSIM_LINES_ABOVE,
                  "the cost of some of these copies is not known: without them");
    if (sweep->cards < sweep->let->steps)
        page_line(&page, WSIM_LINES_BELOW, "the first %lu steps have cards here, of %lu",
                  (unsigned long)sweep->cards, (unsigned long)sweep->let->steps);
    page_table(&page, "", table);
    if (!sweep->copy)
        add_passes(&page, sweep);
    for (uint32_t step = 0; step < sweep->cards; step++)
        add_card(&page, sweep, step, &cards[step]);
    status = page_print(&page, format);
    free(cards);
    return status;
}
