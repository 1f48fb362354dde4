/* Pictures as SVG that stands alone: no styles, fonts or scripts, only shapes and text. Each
 * picture is traversed three times: for its width, for its height, and to draw it. */
#include "show.h"

#include <string.h>

enum {
    CHAR = 7,         /* width of a character of a cell: 11 pixels of any monospace font         */
    CAPTION_CHAR = 7, /* of a caption: 12 pixels of a sans                                       */
    BOLD_CHAR = 8,
    TITLE_CHAR = 10, /* of a title: 14 pixels, bold                                             */
    LINE = 18,       /* height of a row, and of a line of a caption                             */
    PAD = 5,         /* beside the text of a cell                                               */
    MARGIN = 16,
    CAPTION_WIDTH = 330, /* a caption of a narrow panel is wider than it                        */
    NARROWEST = 640, /* so that captions have room                                              */
    WIDEST = 1520,   /* wider panels come in blocks of columns                                */
    CHUNK = 512,     /* columns with widths of their own; all of wider panels are alike         */
    SWATCH = 24,
    SWATCHES = 16, /* in a row of the legend                                                    */
    LEGEND = 32    /* values that are shown                                                     */
};

enum stage { MEASURE_WIDTH, MEASURE_HEIGHT, DRAW };

struct canvas {
    struct show_out *out;
    enum stage stage;
    uint32_t width;
    uint32_t x, y;     /* where the next thing goes                                 */
    uint32_t text;     /* how wide captions may be                                  */
    uint32_t top, end; /* of the row of panels: its top, its lowest point           */
    uint32_t right;    /* ... and where the next panel of it can begin; 0: none can */
    uint32_t hues;     /* bit h: cells have colours of hue h                        */
    uint32_t values[WSIM_HUES];
};

static void widen(struct canvas *c, uint32_t width) {
    if (c->stage == MEASURE_WIDTH && width > c->width)
        c->width = width;
}

/* --- words --- */

static void put_wide_words(struct canvas *c, const char *text, uint32_t character,
                           const char *attributes) {
    uint32_t columns = c->text / character;
    while (*text) {
        const char *next;
        size_t bytes = show_line(text, 0, 0, columns, &next);
        c->y += LINE;
        if (c->stage == DRAW) {
            char line[WSIM_CAPTION];
            bytes = bytes < sizeof line ? bytes : sizeof line - 1;
            memcpy(line, text, bytes);
            line[bytes] = '\0';
            show_print(c->out, "<text x=\"%u\" y=\"%u\"%s>", c->x, c->y - 5, attributes);
            show_xml(c->out, line);
            show_put(c->out, "</text>\n");
        }
        text = next;
    }
}

static void put_words(struct canvas *c, const char *text, const char *attributes) {
    put_wide_words(c, text, CAPTION_CHAR, attributes);
}

static void skip(struct canvas *c, uint32_t pixels) {
    c->y += pixels;
}

/* --- cells --- */

/* Columns of a panel and their place in the drawing. */
struct grid {
    struct wsim_panel *panel;
    uint32_t first, end;
    uint32_t head;
    uint32_t alike; /* not 0: the width of every column */
    const uint16_t *width;
};

static uint32_t width_of(const struct grid *g, uint32_t col) {
    return g->alike ? g->alike : g->width[col];
}

static uint32_t pixels(const char *text) {
    return show_width(text) * CHAR + 2 * PAD;
}

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static uint32_t measure_col(struct wsim_panel *p, uint32_t col) {
    struct wsim_cell cell;
    uint32_t width;
    p->col_head(p, col, cell.text);
    width = p->ruler ? 0 : pixels(cell.text);
    for (uint32_t row = 0; row < p->rows; row++) {
        p->cell(p, row, col, &cell);
        width = larger(width, pixels(cell.text));
    }
    return width;
}

static uint32_t measure_head(struct wsim_panel *p) {
    char text[WSIM_CELL_TEXT];
    uint32_t width = pixels(p->corner);
    for (uint32_t row = 0; row < p->rows; row++) {
        p->row_head(p, row, text);
        width = larger(width, pixels(text));
    }
    return width;
}

/* Coloured cells have one size, like a picture; others are as wide as their column, like a table.
 */
static void measure(struct grid *g, uint16_t width[CHUNK]) {
    struct wsim_panel *p = g->panel;
    int alike = (p->hue != WSIM_HUE_NONE && !p->texts) || p->cols > CHUNK;
    g->head = measure_head(p);
    g->alike = 0;
    for (uint32_t col = 0; col < p->cols; col++) {
        uint32_t w = measure_col(p, col);
        if (alike)
            g->alike = larger(g->alike, w);
        else
            width[col] = (uint16_t)w;
    }
    g->width = width;
}

/* Renderers merge adjacent blanks, but not U+00A0. */
static void put_ink(struct show_out *out, const char *text) {
    while (*text) {
        char words[WSIM_CELL_TEXT];
        const char *gap = strstr(text, "  ");
        size_t n = gap ? (size_t)(gap - text) : strlen(text);
        n = n < sizeof words ? n : sizeof words - 1;
        memcpy(words, text, n);
        words[n] = '\0';
        show_xml(out, words);
        for (text += n; gap && *text == ' '; text++)
            show_put(out, "\xC2\xA0");
    }
}

static void put_text(struct show_out *out, uint32_t x, uint32_t y, const char *text,
                     const char *attributes) {
    if (!*text)
        return;
    show_print(out, "<text x=\"%u\" y=\"%u\"%s>", x, y, attributes);
    put_ink(out, text);
    show_put(out, "</text>");
}

static void put_fill(struct show_out *out, struct wsim_panel *p, const struct wsim_cell *cell) {
    if (cell->flags & WSIM_CELL_OUTSIDE)
        show_put(out, "url(#outside)");
    else
        show_print(out, "#%06x", (unsigned)wsim_hue_colour(p->hue, cell->value));
}

/* The style of a cell; `start`: left-aligned instead of centred. */
static const char *ink(const struct wsim_cell *cell, int start) {
    if (start)
        return cell->flags & WSIM_CELL_MARKED ? " font-weight=\"bold\" text-anchor=\"start\""
                                              : " text-anchor=\"start\"";
    return cell->flags & WSIM_CELL_MARKED  ? " font-weight=\"bold\""
           : cell->flags & WSIM_CELL_EMPTY ? " fill=\"#767676\""
                                           : "";
}

static void put_cell(struct show_out *out, struct wsim_panel *p, uint32_t row, uint32_t col,
                     uint32_t x, uint32_t y, uint32_t width) {
    struct wsim_cell cell;
    uint32_t marked;
    p->cell(p, row, col, &cell);
    marked = (cell.flags & WSIM_CELL_MARKED) != 0;
    show_put(out, "<g>");
    /* the frame of a mark is inside, so the next cell does not cover it */
    show_print(out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"", x + marked,
               y + marked, width - 2 * marked, LINE - 2 * marked);
    put_fill(out, p, &cell);
    show_put(out, marked ? "\" stroke=\"#000\" stroke-width=\"2\"/>"
                         : "\" stroke=\"#999\" stroke-width=\"0.5\"/>");
    put_text(out, show_is_left(p, col) ? x + PAD : x + width / 2, y + LINE - 5, show_ink(p, &cell),
             ink(&cell, !p->left && show_is_left(p, col)));
    if (p->title) {
        p->title(p, row, col, cell.text);
        if (*cell.text) {
            show_put(out, "<title>");
            show_xml(out, cell.text);
            show_put(out, "</title>");
        }
    }
    show_put(out, "</g>\n");
}

static void put_row(struct canvas *c, const struct grid *g, uint32_t row) {
    char text[WSIM_CELL_TEXT];
    uint32_t x = c->x + g->head;
    g->panel->row_head(g->panel, row, text);
    put_text(c->out, x - PAD, c->y + LINE - 5, text, " text-anchor=\"end\" fill=\"#444\"");
    for (uint32_t col = g->first; col < g->end; col++) {
        put_cell(c->out, g->panel, row, col, x, c->y, width_of(g, col));
        x += width_of(g, col);
    }
}

static void put_heads(struct canvas *c, const struct grid *g) {
    struct wsim_panel *p = g->panel;
    char text[WSIM_CELL_TEXT];
    uint32_t x = c->x + g->head;
    put_text(c->out, x - PAD, c->y + LINE - 5, p->corner, " text-anchor=\"end\" fill=\"#444\"");
    for (uint32_t col = g->first; col < g->end; col++) {
        int start;
        p->col_head(p, col, text);
        start = p->ruler || (!p->left && show_is_left(p, col));
        put_text(c->out, p->ruler || show_is_left(p, col) ? x + PAD : x + width_of(g, col) / 2,
                 c->y + LINE - 5, text,
                 start ? " fill=\"#444\" text-anchor=\"start\"" : " fill=\"#444\"");
        x += width_of(g, col);
    }
    show_put(c->out, "\n");
}

static void put_block(struct canvas *c, const struct grid *g) {
    uint32_t width = g->head, row;
    for (uint32_t col = g->first; col < g->end; col++)
        width += width_of(g, col);
    widen(c, c->x + width + MARGIN);
    if (c->stage == DRAW) {
        show_print(c->out,
                   "<g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, "
                   "monospace\" font-size=\"11\"%s>\n",
                   g->panel->left ? "" : " text-anchor=\"middle\"");
        put_heads(c, g);
    }
    c->y += LINE;
    for (row = 0; row < g->panel->rows && !c->out->stopped; row++) {
        if (c->stage == DRAW)
            put_row(c, g, row);
        c->y += LINE;
    }
    if (c->stage == DRAW)
        show_put(c->out, "</g>\n");
}

/* The columns from g->end on that fit: all, or else 2, 4, 8 ... */
static void next_block(struct grid *g) {
    uint32_t used = 2 * MARGIN + g->head, fit = 0, rounded = 1, left;
    g->first = g->end;
    left = g->panel->cols - g->first;
    while (fit < left && (fit == 0 || used + width_of(g, g->first + fit) <= WIDEST)) {
        used += width_of(g, g->first + fit);
        fit++;
    }
    while (2 * rounded <= fit)
        rounded *= 2;
    g->end = g->first + (fit == left ? fit : rounded);
}

/* The width of the first block of columns, the widest one. */
static uint32_t width_of_grid(const struct grid *grid) {
    struct grid first = *grid;
    uint32_t width = grid->head;
    next_block(&first);
    for (uint32_t col = 0; col < first.end; col++)
        width += width_of(grid, col);
    return width;
}

/* Moves to the place of a panel of this width: in the row of the previous one, or below. A heading
 * covers all of its row. `alone`: the row has no other panel. */
static void place(struct canvas *c, const struct wsim_panel *p, uint32_t width, int alone) {
    if (!p->beside || !c->right || c->right + width + MARGIN > WIDEST) {
        c->x = MARGIN;
        c->y = c->end + (*p->heading ? LINE : LINE / 2);
        c->text = c->width - 2 * MARGIN;
        put_wide_words(c, p->heading, BOLD_CHAR, " font-weight=\"bold\"");
        c->top = c->y;
    } else {
        c->x = c->right;
    }
    c->y = c->top;
    c->text = larger(width, alone ? c->width - 2 * MARGIN : CAPTION_WIDTH);
    c->right = c->x + c->text + 2 * MARGIN;
    if (*p->caption || *p->note)
        widen(c, c->x + c->text + MARGIN);
}

/* `alone`: its captions have the whole row. */
static void put_panel(struct canvas *c, struct wsim_panel *p, int alone) {
    uint16_t width[CHUNK];
    struct grid grid = {.panel = p};
    measure(&grid, width);
    place(c, p, width_of_grid(&grid), alone);
    put_words(c, p->caption, " fill=\"#444\"");
    if (p->hue) {
        c->hues |= 1u << p->hue;
        c->values[p->hue] = larger(c->values[p->hue], p->values);
    }
    do {
        if (grid.end)
            skip(c, LINE / 2);
        next_block(&grid);
        put_block(c, &grid);
    } while (grid.end < p->cols);
    put_words(c, p->note + strspn(p->note, " "), " fill=\"#444\"");
    c->end = larger(c->end, c->y);
}

/* --- the whole --- */

static void put_swatch(struct canvas *c, enum wsim_hue hue, uint32_t value) {
    uint32_t x = MARGIN + 64 + value % SWATCHES * SWATCH;
    if (c->stage != DRAW)
        return;
    show_print(c->out,
               "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" fill=\"#%06x\" stroke=\"#999\" "
               "stroke-width=\"0.5\"/>",
               x, c->y, SWATCH, LINE, (unsigned)wsim_hue_colour(hue, (int32_t)value));
    show_print(c->out,
               "<text x=\"%u\" y=\"%u\" text-anchor=\"middle\" font-size=\"11\">%u</text>\n",
               x + SWATCH / 2, c->y + LINE - 5, value);
}

static void put_legend(struct canvas *c, enum wsim_hue hue) {
    uint32_t count = c->values[hue] < LEGEND ? c->values[hue] : LEGEND;
    widen(c, 2 * MARGIN + 64 + SWATCHES * SWATCH);
    for (uint32_t v = 0; v < count; v++) {
        if (v && v % SWATCHES == 0)
            c->y += LINE;
        if (v == 0 && c->stage == DRAW)
            show_print(c->out, "<text x=\"%d\" y=\"%u\" fill=\"#444\">%s%s</text>\n", MARGIN,
                       c->y + LINE - 5, show_hue_name(hue), c->values[hue] > LEGEND ? " % 32" : "");
        put_swatch(c, hue, v);
    }
    c->y += LINE;
}

static void put_lines(struct canvas *c, const struct wsim_picture *picture,
                      enum wsim_picture_lines where) {
    char text[WSIM_CAPTION];
    c->x = MARGIN;
    c->text = c->width - 2 * MARGIN;
    for (uint32_t i = 0; show_line_of(picture, where, i, text); i++)
        put_words(c, text + strspn(text, " "), "");
}

static void walk(struct canvas *c, const struct wsim_picture *picture) {
    struct wsim_panel panel;
    c->x = MARGIN;
    c->y = MARGIN / 2;
    c->text = c->width - 2 * MARGIN;
    c->right = c->hues = 0;
    memset(c->values, 0, sizeof c->values);
    put_wide_words(c, picture->title, TITLE_CHAR, " font-size=\"14\" font-weight=\"bold\"");
    put_lines(c, picture, WSIM_LINES_ABOVE);
    c->end = c->y;
    for (uint32_t i = 0; i < picture->panels && !c->out->stopped; i++) {
        int goes_on = 0;
        if (i + 1 < picture->panels) {
            picture->panel(picture, i + 1, &panel);
            goes_on = panel.beside;
        }
        picture->panel(picture, i, &panel);
        put_panel(c, &panel, !goes_on && !panel.beside);
    }
    c->y = c->end + LINE / 2;
    put_lines(c, picture, WSIM_LINES_BELOW);
    for (int hue = 1; hue < WSIM_HUES; hue++)
        if (c->hues >> hue & 1 && c->values[hue] && show_has_legend((enum wsim_hue)hue)) {
            skip(c, LINE);
            put_legend(c, (enum wsim_hue)hue);
        }
    c->y += MARGIN;
}

void show_svg(struct show_out *out, const struct wsim_picture *picture) {
    struct canvas c = {.out = out, .stage = MEASURE_WIDTH, .width = NARROWEST};
    walk(&c, picture);
    c.stage = MEASURE_HEIGHT;
    walk(&c, picture);
    show_print(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
               "viewBox=\"0 0 %u %u\" role=\"img\" font-family=\"system-ui, 'DejaVu Sans', "
               "sans-serif\" font-size=\"12\">\n<title>",
               c.width, c.y, c.width, c.y);
    show_xml(out, picture->title);
    show_put(out, "</title>\n<defs><pattern id=\"outside\" width=\"6\" height=\"6\" "
                  "patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#fff\"/>"
                  "<path d=\"M0 6L6 0\" stroke=\"#bbb\"/></pattern></defs>\n"
                  "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    c.stage = DRAW;
    walk(&c, picture);
    show_put(out, "</svg>\n");
}
