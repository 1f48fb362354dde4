/* Pictures as Markdown: tables as GitHub reads them. Colours are not shown, marks are bold. */
#include "show.h"

#include <string.h>

/* Escapes characters of Markdown by a backslash, those of HTML by an entity. */
static void put_words(struct show_out *out, const char *text) {
    while (*text) {
        size_t n = wsim_text_shown(text);
        if (n && *text == '<')
            show_put(out, "&lt;");
        else if (n && *text == '&')
            show_put(out, "&amp;");
        else if (n && strchr("\\`*_{}[]|~#", *text))
            show_print(out, "\\%c", *text);
        else
            show_bytes(out, n ? text : "?", n ? n : 1);
        text += n ? n : 1;
    }
}

static void put_paragraph(struct show_out *out, const char *before, const char *text) {
    if (!*text)
        return;
    show_put(out, before);
    put_words(out, text);
    show_put(out, "\n\n");
}

static void put_cell(struct show_out *out, const struct wsim_cell *cell) {
    const char *mark =
        cell->flags & (WSIM_CELL_MARKED | WSIM_CELL_MOVED) && *cell->text ? "**" : "";
    show_put(out, " ");
    show_put(out, mark);
    put_words(out, cell->text);
    show_put(out, mark);
    show_put(out, " |");
}

static void put_head(struct show_out *out, const char *text) {
    show_put(out, "| ");
    put_words(out, text);
    show_put(out, " |");
}

void show_md_panel(struct show_out *out, struct wsim_panel *p) {
    struct wsim_cell cell;
    put_head(out, p->corner);
    cell.flags = 0;
    for (uint32_t col = 0; col < p->cols; col++) {
        p->col_head(p, col, cell.text);
        put_cell(out, &cell);
    }
    show_put(out, "\n| ---: |");
    for (uint32_t col = 0; col < p->cols; col++)
        show_put(out, show_is_left(p, col) ? " :--- |" : p->glyphs ? " :---: |" : " ---: |");
    show_put(out, "\n");
    for (uint32_t row = 0; row < p->rows && !out->stopped; row++) {
        p->row_head(p, row, cell.text);
        put_head(out, cell.text);
        for (uint32_t col = 0; col < p->cols; col++) {
            p->cell(p, row, col, &cell);
            put_cell(out, &cell);
        }
        show_put(out, "\n");
    }
}

static void put_lines(struct show_out *out, const struct wsim_picture *picture,
                      enum wsim_picture_lines where, const char *before) {
    char text[WSIM_CAPTION];
    for (uint32_t i = 0; show_line_of(picture, where, i, text); i++) {
        put_paragraph(out, i ? "" : before, text + strspn(text, " "));
    }
}

void show_md(struct show_out *out, const struct wsim_picture *picture) {
    int noted = 0;
    put_paragraph(out, "## ", picture->title);
    put_lines(out, picture, WSIM_LINES_ABOVE, "");
    for (uint32_t i = 0; i < picture->panels && !out->stopped; i++) {
        struct wsim_panel panel;
        picture->panel(picture, i, &panel);
        put_paragraph(out, "### ", panel.heading);
        put_paragraph(out, "", panel.caption);
        show_md_panel(out, &panel);
        if (*panel.note || i + 1 < picture->panels)
            show_put(out, "\n");
        put_paragraph(out, "", panel.note + strspn(panel.note, " "));
        noted = *panel.note != '\0';
    }
    put_lines(out, picture, WSIM_LINES_BELOW, noted ? "" : "\n");
}
