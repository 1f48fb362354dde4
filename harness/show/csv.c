/* Pictures as CSV: a header and rows only (RFC 4180, but lines end in a newline alone).
 */
#include "show.h"

#include <string.h>

/* Fast path: most fields need no quotes. */
static int is_plain(const char *text, size_t *bytes) {
    size_t n = 0;
    while (text[n] >= ' ' && text[n] <= '~' && text[n] != ',' && text[n] != '"')
        n++;
    *bytes = n;
    return text[n] == '\0';
}

static void put_quoted(struct show_out *out, const char *text) {
    show_put(out, "\"");
    for (const char *quote; (quote = strchr(text, '"')) != NULL; text = quote + 1) {
        char before[WSIM_CELL_TEXT];
        size_t n = (size_t)(quote - text);
        memcpy(before, text, n);
        before[n] = '\0';
        show_masked(out, before);
        show_put(out, "\"\"");
    }
    show_masked(out, text);
    show_put(out, "\"");
}

static void put_field(struct show_out *out, const char *text) {
    size_t bytes;
    if (is_plain(text, &bytes))
        show_bytes(out, text, bytes);
    else if (strpbrk(text, ",\""))
        put_quoted(out, text);
    else
        show_masked(out, text);
}

void show_csv_panel(struct show_out *out, struct wsim_panel *p) {
    struct wsim_cell cell;
    put_field(out, p->corner);
    for (uint32_t col = 0; col < p->cols; col++) {
        p->col_head(p, col, cell.text);
        show_bytes(out, ",", 1);
        put_field(out, cell.text);
    }
    show_put(out, "\n");
    for (uint32_t row = 0; row < p->rows && !out->stopped; row++) {
        p->row_head(p, row, cell.text);
        put_field(out, cell.text);
        for (uint32_t col = 0; col < p->cols; col++) {
            p->cell(p, row, col, &cell);
            show_bytes(out, ",", 1);
            put_field(out, cell.text);
        }
        show_put(out, "\n");
    }
}

void show_csv(struct show_out *out, const struct wsim_picture *picture) {
    struct wsim_panel panel;
    if (picture->list) {
        picture->panel(picture, WSIM_PANEL_LIST, &panel);
        show_csv_panel(out, &panel);
        return;
    }
    for (uint32_t i = 0; i < picture->panels; i++) {
        picture->panel(picture, i, &panel);
        if (i)
            show_put(out, "\n");
        show_csv_panel(out, &panel);
    }
}
