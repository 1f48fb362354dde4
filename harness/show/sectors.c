/* Lines by sectors: the lanes of an access of global memory in each sector. */
#include "show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SECTORS = WSIM_SECTOR_LINE / WSIM_SECTOR };
enum { LIST_SECTOR, LIST_LANES, LIST_COUNTS, LIST_COLUMNS };

static unsigned count(uint32_t lanes) {
    unsigned n = 0;
    for (; lanes; lanes &= lanes - 1)
        n++;
    return n;
}

/* True if the lanes follow each other. */
static int is_run(uint32_t lanes) {
    const uint32_t next = lanes + (lanes & (0 - lanes));
    return (next & lanes) == 0;
}

static void put_lanes(struct base_text *text, uint32_t lanes) {
    if (is_run(lanes))
        show_lanes(text, lanes);
    else
        base_put(text, "%u lanes", count(lanes));
}

static const struct wsim_sector_line *line_of(const struct wsim_panel *p, uint32_t row) {
    const struct wsim_sector_card *card = p->about;
    return &card->count.line[row];
}

static void sector_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_sector_line *line = line_of(p, row);
    struct base_text text = {cell->text, sizeof cell->text, 0};
    cell->text[0] = '\0';
    cell->value = line->turns[col] ? line->turns[col] < 4 ? line->turns[col] : 3 : -1;
    cell->flags = !line->turns[col] ? WSIM_CELL_EMPTY : line->turns[col] > 1 ? WSIM_CELL_MARKED : 0;
    if (!line->turns[col]) {
        base_put(&text, ".");
        return;
    }
    put_lanes(&text, line->lanes[col]);
    if (line->turns[col] > 1)
        base_put(&text, " x%u", line->turns[col]);
}

static void sector_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    snprintf(out, WSIM_CELL_TEXT, "0x%08" PRIx64, line_of(p, row)->address);
}

static void sector_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "+%u", (unsigned)col * WSIM_SECTOR);
}

static void sector_title(struct wsim_panel *p, uint32_t row, uint32_t col,
                         char out[WSIM_CELL_TEXT]) {
    const struct wsim_sector_line *line = line_of(p, row);
    struct base_text text = {out, WSIM_CELL_TEXT, 0};
    out[0] = '\0';
    if (!line->turns[col])
        return;
    base_put(&text, "0x%" PRIx64 ": lanes ", line->address + col * WSIM_SECTOR);
    show_lanes(&text, line->lanes[col]);
}

/* --- the sectors as a list --- */

/* The line and the column of sector number `row`. */
static const struct wsim_sector_line *sector_of(const struct wsim_sector_card *card, uint32_t row,
                                                unsigned *col) {
    for (unsigned i = 0; i < card->count.nlines; i++)
        for (*col = 0; *col < SECTORS; ++*col)
            if (card->count.line[i].turns[*col] && row-- == 0)
                return &card->count.line[i];
    return NULL;
}

static uint32_t distinct(const struct wsim_sector_card *card) {
    uint32_t n = 0;
    unsigned col;
    while (sector_of(card, n, &col))
        n++;
    return n;
}

static void list_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    unsigned col;
    const struct wsim_sector_line *line = sector_of(p->about, row, &col);
    snprintf(out, WSIM_CELL_TEXT, "0x%" PRIx64, line->address);
}

static void list_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const heads[LIST_COLUMNS] = {"sector", "lanes", "counts"};
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%s", heads[col]);
}

static void list_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    struct base_text text = {cell->text, sizeof cell->text, 0};
    unsigned sector;
    const struct wsim_sector_line *line = sector_of(p->about, row, &sector);
    cell->text[0] = '\0';
    cell->value = -1;
    cell->flags = 0;
    switch (col) {
    case LIST_SECTOR: base_put(&text, "%u", sector); return;
    case LIST_LANES: base_put(&text, "0x%08lx", (unsigned long)line->lanes[sector]); return;
    default: base_put(&text, "%u", line->turns[sector]);
    }
}

static void sectors_panel(const struct wsim_picture *picture, uint32_t number,
                          struct wsim_panel *p) {
    const struct wsim_sector_card *card = picture->about;
    memset(p, 0, sizeof *p);
    p->about = card;
    if (number == WSIM_PANEL_LIST) {
        snprintf(p->corner, sizeof p->corner, "line");
        p->rows = distinct(card);
        p->cols = LIST_COLUMNS;
        p->cell = list_cell;
        p->row_head = list_row;
        p->col_head = list_col;
        return;
    }
    snprintf(p->corner, sizeof p->corner, "line      ");
    snprintf(p->caption, sizeof p->caption, "lanes by sector of 32 bytes");
    p->hue = WSIM_HUE_TURN;
    p->values = 4;
    p->rows = card->count.nlines;
    p->cols = SECTORS;
    p->cell = sector_cell;
    p->row_head = sector_row;
    p->col_head = sector_col;
    p->title = sector_title;
}

static int sectors_line(const struct wsim_picture *picture, enum wsim_picture_lines where,
                        uint32_t number, char out[WSIM_CAPTION]) {
    const struct wsim_sector_card *card = picture->about;
    struct base_text text = {out, WSIM_CAPTION, 0};
    if (where == WSIM_LINES_ABOVE || number)
        return SHOW_NO_LINE;
    base_put(&text, "sectors %lu   ideal %lu   lines %lu", (unsigned long)card->count.sectors,
             (unsigned long)card->count.ideal, (unsigned long)card->count.lines);
    return SHOW_PARAGRAPH;
}

void wsim_picture_sectors(const struct wsim_sector_card *card, struct wsim_picture *picture) {
    struct base_text title = {picture->title, sizeof picture->title, 0};
    memset(picture, 0, sizeof *picture);
    picture->about = card;
    picture->panels = card->count.nlines != 0;
    picture->list = 1;
    picture->panel = sectors_panel;
    picture->line = sectors_line;
    base_put(&title, "%s on %s: %u byte%s a lane", card->spelling, wsim_arch_name(card->arch),
             card->count.bytes, card->count.bytes == 1 ? "" : "s");
}
