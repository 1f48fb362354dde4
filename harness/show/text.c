/* Pictures as text: grids with columns of minimal width. Each cell is formatted twice, to measure
 * and to write it. */
#include "show.h"

#include <stdio.h>
#include <string.h>

enum {
    GAP = 2,
    CHUNK = 512, /* columns that are measured together                                          */
    RULER = 4    /* a panel of glyphs has a head over every fourth column                       */
};

static uint16_t wider(uint16_t width, const char *text) {
    uint32_t length = show_width(text);
    return length > width ? (uint16_t)length : width;
}

static uint16_t head_width(struct wsim_panel *p) {
    char text[WSIM_CELL_TEXT];
    uint16_t width = wider(0, p->corner);
    for (uint32_t row = 0; row < p->rows; row++) {
        p->row_head(p, row, text);
        width = wider(width, text);
    }
    return width;
}

static uint16_t col_width(struct wsim_panel *p, uint32_t col) {
    struct wsim_cell cell;
    uint16_t width;
    p->col_head(p, col, cell.text);
    width = wider(0, cell.text);
    for (uint32_t row = 0; row < p->rows; row++) {
        p->cell(p, row, col, &cell);
        width = wider(width, cell.text);
    }
    return width;
}

/* Columns `first` to before `end`, of the chunk that begins with column `chunk`. */
struct block {
    uint32_t first, end, chunk;
    uint32_t head; /* width of the row heads                   */
    uint32_t owed; /* blanks that are written if more follows */
    const uint16_t *width;
    const struct wsim_style *style;
};

/* Marked cells are emphasised; cells of a lane have its colour as background. The colours of a
 * terminal are a cube of 6 x 6 x 6. */
static int put_colour(struct show_out *out, struct wsim_panel *p, const struct wsim_cell *cell) {
    if (cell->flags & (WSIM_CELL_MARKED | WSIM_CELL_MOVED)) {
        show_put(out, "\033[1;33m");
        return 1;
    }
    if (p->hue == WSIM_HUE_LANE && cell->value >= 0) {
        uint32_t rgb = wsim_hue_colour(p->hue, cell->value);
        show_print(out, "\033[30;48;5;%um",
                   16 + ((rgb >> 16) * 5 + 127) / 255 * 36 +
                       ((rgb >> 8 & 255) * 5 + 127) / 255 * 6 + ((rgb & 255) * 5 + 127) / 255);
        return 1;
    }
    return 0;
}

/* A cell after its gap. Lines have no trailing blanks. */
static void put_cell(struct show_out *out, struct wsim_panel *p, struct block *block,
                     const struct wsim_cell *cell, uint32_t col, int head) {
    uint32_t blanks = block->width[col - block->chunk] - show_width(cell->text);
    int coloured;
    block->owed += GAP + (show_is_left(p, col) ? 0 : blanks);
    if (*cell->text) {
        show_blanks(out, block->owed);
        block->owed = 0;
    }
    coloured = !head && block->style->colour && *cell->text && put_colour(out, p, cell);
    show_masked(out, cell->text);
    if (coloured)
        show_put(out, "\033[0m");
    block->owed += show_is_left(p, col) ? blanks : 0;
}

static void end_line(struct show_out *out, struct block *block) {
    show_put(out, "\n");
    block->owed = 0;
}

static void put_head(struct show_out *out, const char *text, uint32_t width) {
    show_blanks(out, width - show_width(text));
    show_masked(out, text);
}

static void put_block(struct show_out *out, struct wsim_panel *p, struct block *block) {
    struct wsim_cell cell;
    put_head(out, p->corner, block->head);
    for (uint32_t col = block->first; col < block->end; col++) {
        p->col_head(p, col, cell.text);
        put_cell(out, p, block, &cell, col, 1);
    }
    end_line(out, block);
    for (uint32_t row = 0; row < p->rows; row++) {
        p->row_head(p, row, cell.text);
        put_head(out, cell.text, block->head);
        for (uint32_t col = block->first; col < block->end; col++) {
            p->cell(p, row, col, &cell);
            put_cell(out, p, block, &cell, col, 0);
        }
        end_line(out, block);
    }
}

/* The columns from block->end on that fit beside the heads, at least one. If not all fit, their
 * number is a power of two, like the steps of most tables. */
static void next_block(struct wsim_panel *p, uint32_t chunk_end, struct block *block) {
    uint32_t most = block->style->columns ? block->style->columns : UINT32_MAX;
    uint32_t used = block->head, fit = 1, rounded = 1;
    (void)p;
    block->first = block->end;
    used += GAP + block->width[block->first - block->chunk];
    while (block->first + fit < chunk_end &&
           (used += GAP + block->width[block->first + fit - block->chunk]) <= most)
        fit++;
    while (2 * rounded <= fit)
        rounded *= 2;
    block->end = block->first + (block->first + fit == chunk_end ? fit : rounded);
}

static void put_columns(struct show_out *out, struct wsim_panel *p,
                        const struct wsim_style *style) {
    uint16_t width[CHUNK];
    struct block block = {.head = head_width(p), .width = width, .style = style};
    for (block.chunk = 0; block.chunk < p->cols; block.chunk += CHUNK) {
        uint32_t end = p->cols - block.chunk < CHUNK ? p->cols : block.chunk + CHUNK;
        for (uint32_t col = block.chunk; col < end; col++)
            width[col - block.chunk] = col_width(p, col);
        while (block.end < end) {
            if (block.end)
                show_put(out, "\n");
            next_block(p, end, &block);
            put_block(out, p, &block);
        }
    }
}

/* --- glyphs --- */

/* The heads of every fourth column, or of all columns with a head, each over its column. */
static void put_ruler(struct show_out *out, struct wsim_panel *p, uint32_t first, uint32_t end) {
    char text[WSIM_CELL_TEXT];
    for (uint32_t col = first, used = first; col < end; col += p->ruler ? 1 : RULER) {
        p->col_head(p, col, text);
        if (used > col || !*text)
            continue; /* the one before reaches over it, or there is none */
        show_blanks(out, col - used);
        show_masked(out, text);
        used = col + show_width(text);
    }
}

static void put_glyph_block(struct show_out *out, struct wsim_panel *p,
                            const struct wsim_style *style, uint32_t head, uint32_t first,
                            uint32_t end) {
    struct wsim_cell cell;
    put_head(out, p->corner, head);
    show_blanks(out, GAP);
    put_ruler(out, p, first, end);
    show_put(out, "\n");
    for (uint32_t row = 0; row < p->rows; row++) {
        p->row_head(p, row, cell.text);
        put_head(out, cell.text, head);
        show_blanks(out, GAP);
        for (uint32_t col = first; col < end; col++) {
            int marked;
            p->cell(p, row, col, &cell);
            marked = style->colour && put_colour(out, p, &cell);
            show_masked(out, cell.text);
            if (marked)
                show_put(out, "\033[0m");
        }
        show_put(out, "\n");
    }
}

/* In blocks of all columns that fit, or of multiples of eight. */
static void put_glyphs(struct show_out *out, struct wsim_panel *p, const struct wsim_style *style) {
    uint32_t head = head_width(p), most = p->cols;
    if (style->columns && head + GAP + p->cols > style->columns)
        most = style->columns > head + GAP + 8 ? (style->columns - head - GAP) / 8 * 8 : 8;
    for (uint32_t first = 0; first < p->cols; first += most) {
        if (first)
            show_put(out, "\n");
        put_glyph_block(out, p, style, head, first,
                        p->cols - first < most ? p->cols : first + most);
    }
}

/* --- pictures --- */

void show_text_panel(struct show_out *out, struct wsim_panel *panel,
                     const struct wsim_style *style) {
    if (panel->glyphs)
        put_glyphs(out, panel, style);
    else
        put_columns(out, panel, style);
}

/* A paragraph, after an empty line if it is not the first. */
static void put_paragraph(struct show_out *out, const char *text, uint32_t columns, int *begun) {
    if (!*text)
        return;
    if (*begun)
        show_put(out, "\n");
    show_fold(out, text, 2, columns);
    *begun = 1;
}

/* A broken line keeps its indent. */
static void put_line(struct show_out *out, const char *text, uint32_t columns) {
    size_t indent = strspn(text, " ");
    show_fold(out, text, indent ? (uint32_t)indent : 2, columns);
}

static void put_lines(struct show_out *out, const struct wsim_picture *picture,
                      enum wsim_picture_lines where, uint32_t columns) {
    char text[WSIM_CAPTION];
    int kind;
    for (uint32_t i = 0; (kind = show_line_of(picture, where, i, text)) != SHOW_NO_LINE; i++) {
        if (kind == SHOW_PARAGRAPH)
            show_put(out, "\n");
        put_line(out, text, columns);
    }
}

void show_text(struct show_out *out, const struct wsim_picture *picture,
               const struct wsim_style *style) {
    int begun = 0;
    put_paragraph(out, picture->title, style->columns, &begun);
    put_lines(out, picture, WSIM_LINES_ABOVE, style->columns);
    for (uint32_t i = 0; i < picture->panels && !out->stopped; i++) {
        struct wsim_panel panel;
        picture->panel(picture, i, &panel);
        put_paragraph(out, panel.heading, style->columns, &begun);
        put_paragraph(out, panel.caption, style->columns, &begun);
        if (i && !*panel.heading && !*panel.caption)
            show_put(out, "\n");
        show_text_panel(out, &panel, style);
        begun = 1;
        if (*panel.note)
            put_line(out, panel.note, style->columns);
    }
    put_lines(out, picture, WSIM_LINES_BELOW, style->columns);
}
