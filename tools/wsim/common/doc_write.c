/* An answer as text, CSV and pages; see doc.h. Panels and pictures are written by the harness. */
#include "doc_parts.h"
#include "memory.h"
#include "screen.h"
#include "text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- pictures of the library on standard output --- */

static int put_bytes(void *user, const char *bytes, size_t count) {
    return fwrite(bytes, 1, count, user) != count;
}

static struct wsim_style style_of_screen(void) {
    unsigned columns = screen_columns();
    struct wsim_style style = {columns == UINT_MAX ? 0 : columns, (uint8_t)screen_has_colour()};
    return style;
}

static enum wsim_picture_format format_of(enum tool_format format) {
    switch (format) {
    case TOOL_CSV: return WSIM_PICTURE_CSV;
    case TOOL_MARKDOWN: return WSIM_PICTURE_MD;
    case TOOL_SVG: return WSIM_PICTURE_SVG;
    case TOOL_HTML: return WSIM_PICTURE_HTML;
    case TOOL_CUTE: return WSIM_PICTURE_CUTE;
    case TOOL_TEXT:
    case TOOL_JSON:
    case TOOL_SARIF:
    case TOOL_JUNIT: break;
    }
    return WSIM_PICTURE_TEXT;
}

/* Prints a picture: TOOL_FINE, or the status after an error message. main() reports errors of
 * standard output. */
static int print_picture(const struct wsim_picture *picture, enum tool_format format) {
    struct wsim_style style = style_of_screen();
    struct wsim_diag diag;
    if (wsim_picture_write(picture, format_of(format), &style, put_bytes, stdout, &diag) &&
        !ferror(stdout))
        return tool_refused(NULL, &diag);
    return TOOL_FINE;
}

static void print_panel(struct wsim_panel *panel, enum tool_format format) {
    struct wsim_style style = style_of_screen();
    wsim_panel_write(panel, format_of(format), &style, put_bytes, stdout, NULL);
}

/* --- tables as panels --- */

static const struct doc_cell *cell_at(const struct doc_part *table, uint32_t row, uint32_t shown) {
    return &table->cell[(size_t)row * table->cols + table->shown[shown]];
}

static const char *text_at(const struct doc_part *table, uint32_t row, uint32_t shown) {
    const char *text = cell_at(table, row, shown)->text;
    return text ? text : "";
}

static void panel_cell(struct wsim_panel *panel, uint32_t row, uint32_t col,
                       struct wsim_cell *out) {
    const struct doc_cell *cell = cell_at(panel->about, row, col + 1);
    snprintf(out->text, sizeof out->text, "%s", text_at(panel->about, row, col + 1));
    out->value = cell->hue;
    out->flags = cell->flags;
}

static void panel_title(struct wsim_panel *panel, uint32_t row, uint32_t col,
                        char out[WSIM_CELL_TEXT]) {
    const char *about = cell_at(panel->about, row, col + 1)->about;
    snprintf(out, WSIM_CELL_TEXT, "%s", about ? about : "");
}

static void panel_row(struct wsim_panel *panel, uint32_t row, char out[WSIM_CELL_TEXT]) {
    snprintf(out, WSIM_CELL_TEXT, "%s", text_at(panel->about, row, 0));
}

static void panel_col(struct wsim_panel *panel, uint32_t col, char out[WSIM_CELL_TEXT]) {
    const struct doc_part *table = panel->about;
    snprintf(out, WSIM_CELL_TEXT, "%s", table->head[table->shown[col + 1]].text);
}

static int has_text(const struct doc_part *table, unsigned col) {
    for (size_t row = 0; row < table->rows; row++) {
        const char *text = table->cell[row * table->cols + col].text;
        if (text && *text)
            return 1;
    }
    return 0;
}

/* The columns that are shown; how many. */
static unsigned choose_columns(struct doc_part *table) {
    unsigned count = 0;
    table->shown = memory_make(table->cols + 1u, sizeof *table->shown);
    for (unsigned col = 0; col < table->cols; col++)
        if (table->head[col].text && !(table->head[col].flags & DOC_HIDDEN) &&
            (count == 0 || table->head[col].flags & DOC_KEEP || has_text(table, col)))
            table->shown[count++] = col;
    return count;
}

static void make_panel(struct doc_part *table) {
    struct wsim_panel *panel = &table->panel;
    const unsigned count = choose_columns(table);
    panel->rows = table->rows;
    panel->cols = count ? count - 1 : 0;
    panel->about = table;
    panel->cell = panel_cell;
    panel->row_head = panel_row;
    panel->col_head = panel_col;
    panel->title = panel_title;
    table->is_hidden |= count == 0;
    while (panel->texts < panel->cols && panel->texts < UINT8_MAX &&
           table->head[table->shown[panel->texts + 1]].flags & (DOC_LEFT | DOC_FOLD))
        panel->texts++;
    if (count)
        snprintf(panel->corner, sizeof panel->corner, "%s", table->head[table->shown[0]].text);
}

/* --- text --- */

static int is_folded(const struct doc_part *table) {
    return table->panel.cols && table->head[table->shown[table->panel.cols]].flags & DOC_FOLD;
}

static int is_left(const struct doc_part *table, unsigned shown) {
    return (table->head[table->shown[shown]].flags & DOC_LEFT) != 0;
}

/* A row of a table whose last column is wrapped; row UINT32_MAX: the heads. Where there is little
 * room beside the others, it follows in lines of its own. */
static void print_folded_row(const struct doc_part *table, const unsigned *width, uint32_t row) {
    enum { LEAST = 40 };
    const unsigned last = table->panel.cols;
    const char *text = "";
    size_t room = WSIM_CELL_TEXT, used = 0, end;
    char *line;
    for (unsigned i = 0; i <= last; i++)
        room += width[i] + 2;
    line = memory_make(room, 1);
    for (unsigned i = 0; i <= last; i++) {
        text = row == UINT32_MAX ? table->head[table->shown[i]].text : text_at(table, row, i);
        if (i < last)
            used += (size_t)snprintf(line + used, room - used,
                                     is_left(table, i) ? "%-*s  " : "%*s  ", (int)width[i], text);
    }
    for (end = used; end && line[end - 1] == ' ';)
        end--;
    line[end] = '\0';
    if (!*text || (used + strlen(text) > screen_columns() && used + LEAST > screen_columns())) {
        puts(line);
        if (*text)
            screen_fold(4, "    %s", text);
    } else {
        screen_fold((unsigned)used, "%-*s%s", (int)used, line, text);
    }
    free(line);
}

static void print_folded(const struct doc_part *table) {
    unsigned *width = memory_make(table->panel.cols + 1u, sizeof *width);
    for (unsigned i = 0; i <= table->panel.cols; i++) {
        width[i] = (unsigned)strlen(table->head[table->shown[i]].text);
        for (uint32_t row = 0; row < table->rows; row++)
            if (strlen(text_at(table, row, i)) > width[i])
                width[i] = (unsigned)strlen(text_at(table, row, i));
    }
    print_folded_row(table, width, UINT32_MAX);
    for (uint32_t row = 0; row < table->rows; row++)
        print_folded_row(table, width, row);
    free(width);
}

static void print_line(const char *line) {
    const unsigned indent = (unsigned)strspn(line, " ") + 2;
    char *masked = memory_text(line, strlen(line));
    text_mask(masked);
    screen_fold(indent, "%s", masked);
    free(masked);
}

/* A heading or a caption: a paragraph. */
static void print_paragraph(const char *text, int *is_begun) {
    if (!*text)
        return;
    if (*is_begun)
        putchar('\n');
    print_line(text);
    *is_begun = 1;
}

static void print_grid(struct doc_part *part, int *is_begun) {
    print_paragraph(part->panel.heading, is_begun);
    print_paragraph(part->panel.caption, is_begun);
    if (part->kind == DOC_TABLE && is_folded(part))
        print_folded(part);
    else
        print_panel(&part->panel, TOOL_TEXT);
    if (*part->panel.note)
        print_line(part->panel.note);
}

static int print_text(struct doc *doc) {
    int status = TOOL_FINE, is_begun = 0;
    for (size_t i = 0; status == TOOL_FINE && i < doc->parts; i++) {
        struct doc_part *part = doc->part[i];
        if (part->is_hidden)
            continue;
        switch (part->kind) {
        case DOC_LINE: print_line(part->line); break;
        case DOC_RAW: fwrite(part->line, 1, part->size, stdout); break;
        case DOC_TABLE:
        case DOC_PANEL: print_grid(part, &is_begun); break;
        case DOC_PICTURE: status = print_picture(&part->picture, doc->format); break;
        }
        is_begun = 1;
    }
    return status;
}

/* --- CSV --- */

static void put_field(const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

/* Strings or numbers with blanks between them. */
static void put_list(const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *value = json_array_get(list, i);
        if (i)
            putchar(' ');
        if (json_is_string(value))
            put_field(json_string_value(value));
        else
            printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    }
}

static void put_cell(const struct doc_cell *cell) {
    if (json_is_string(cell->value))
        put_field(json_string_value(cell->value));
    else if (json_is_integer(cell->value))
        printf("%" JSON_INTEGER_FORMAT, json_integer_value(cell->value));
    else if (json_is_boolean(cell->value))
        fputs(json_is_true(cell->value) ? "true" : "false", stdout);
    else if (json_is_array(cell->value))
        put_list(cell->value);
    else if (json_is_real(cell->value) || !cell->value)
        put_field(cell->text ? cell->text : "");
}

static int is_in_csv(const struct doc_head *head) {
    return head->key && !(head->flags & DOC_ALONE);
}

static void print_csv_table(const struct doc_part *table) {
    const int has_heads = !doc_has_lists(table);
    for (uint32_t row = 0; row < table->rows + (unsigned)has_heads; row++) {
        const char *comma = "";
        for (unsigned col = 0; col < table->cols; col++) {
            if (!is_in_csv(&table->head[col]))
                continue;
            fputs(comma, stdout);
            comma = ",";
            if (has_heads && row == 0)
                put_field(table->head[col].key);
            else
                put_cell(&table->cell[(size_t)(row - (unsigned)has_heads) * table->cols + col]);
        }
        putchar('\n');
    }
}

static int has_keys(const struct doc_part *table) {
    for (unsigned col = 0; col < table->cols; col++)
        if (is_in_csv(&table->head[col]))
            return 1;
    return 0;
}

/* The first table or picture; of an answer without one its lines. */
static int print_csv(struct doc *doc) {
    for (size_t i = 0; i < doc->parts; i++) {
        struct doc_part *part = doc->part[i];
        if (part->is_hidden || part->kind == DOC_LINE)
            continue;
        if (part->kind == DOC_PICTURE)
            return print_picture(&part->picture, TOOL_CSV);
        if (part->kind == DOC_TABLE && has_keys(part)) {
            print_csv_table(part);
            return TOOL_FINE;
        }
        if (part->kind == DOC_TABLE)
            make_panel(part);
        print_panel(&part->panel, TOOL_CSV);
        return TOOL_FINE;
    }
    for (size_t i = 0; i < doc->parts; i++) {
        put_field(doc->part[i]->line ? doc->part[i]->line : "");
        putchar('\n');
    }
    return TOOL_FINE;
}

/* --- pages --- */

/* An answer as a picture. Lines between two panels are the caption of the second. */
struct page {
    const char *title;
    struct wsim_panel *panel;
    char (*line[2])[WSIM_CAPTION];
    uint8_t *kind[2]; /* as struct wsim_picture wants them */
    size_t panels, lines[2];
    int is_indented, is_paragraph; /* the last line was; the next one is */
};

static void add_page_line(struct page *page, enum wsim_picture_lines where, const char *text,
                          int kind) {
    const size_t at = page->lines[where]++;
    page->line[where] = memory_add(page->line[where], at, sizeof *page->line[where]);
    page->kind[where] = memory_add(page->kind[where], at, 1);
    snprintf(page->line[where][at], WSIM_CAPTION, "%s", text);
    page->kind[where][at] = (uint8_t)kind;
}

/* A line without its indentation and runs of blanks. */
static char *squeeze(const char *text) {
    char *line = memory_text(text, strlen(text));
    size_t used = 0;
    for (const char *at = text + strspn(text, " "); *at; at++)
        if (*at != ' ' || at[1] != ' ')
            line[used++] = *at;
    line[used] = '\0';
    return line;
}

/* Adds a line; one that is too long for a picture becomes several. */
static void split_line(struct page *page, enum wsim_picture_lines where, const char *text,
                       int kind) {
    while (strlen(text) >= WSIM_CAPTION) {
        char piece[WSIM_CAPTION];
        size_t end = WSIM_CAPTION - 1;
        while (end > 1 && text[end] != ' ')
            end--;
        end = end > 1 ? end : WSIM_CAPTION - 1;
        snprintf(piece, sizeof piece, "%.*s", (int)end, text);
        add_page_line(page, where, piece, kind);
        text += end;
        kind = 1;
    }
    add_page_line(page, where, text, kind);
}

/* Indented lines that follow each other become one. */
static void add_line(struct page *page, enum wsim_picture_lines where, const char *text) {
    const int is_indented = *text == ' ';
    char *line = squeeze(text);
    if (is_indented && page->is_indented && page->lines[where] &&
        strlen(page->line[where][page->lines[where] - 1]) + strlen(line) + 3 < WSIM_CAPTION) {
        char *last = page->line[where][page->lines[where] - 1];
        snprintf(last + strlen(last), WSIM_CAPTION - strlen(last), "; %s", line);
    } else if (*line) {
        split_line(page, where, line, page->is_paragraph ? 2 : 1);
    }
    page->is_indented = is_indented;
    page->is_paragraph = !*line;
    free(line);
}

static struct wsim_panel *add_panel(struct page *page) {
    page->panel = memory_grow(page->panel, (page->panels + 1) * sizeof *page->panel);
    return &page->panel[page->panels++];
}

/* Puts as much of the text as fits after the caption. */
static void extend(char caption[WSIM_CAPTION], const char *text) {
    size_t used = strlen(caption), rest = strlen(text);
    if (used && rest && used + 1 < WSIM_CAPTION)
        caption[used++] = ' ';
    rest = rest < WSIM_CAPTION - 1 - used ? rest : WSIM_CAPTION - 1 - used;
    memcpy(caption + used, text, rest);
    caption[used + rest] = '\0';
}

/* The lines after the last panel become the caption of this one. */
static void move_lines(struct page *page, size_t number) {
    char caption[WSIM_CAPTION] = "";
    for (size_t i = 0; i < page->lines[WSIM_LINES_BELOW]; i++)
        extend(caption, page->line[WSIM_LINES_BELOW][i]);
    extend(caption, page->panel[number].caption);
    memcpy(page->panel[number].caption, caption, sizeof caption);
    page->lines[WSIM_LINES_BELOW] = 0;
}

static void add_picture_lines(struct page *page, const struct wsim_picture *picture,
                              enum wsim_picture_lines where) {
    char text[WSIM_CAPTION];
    int kind;
    for (uint32_t i = 0; picture->line && (kind = picture->line(picture, where, i, text)) != 0; i++)
        add_page_line(page, where, text, kind);
}

static void add_part(struct page *page, const struct doc_part *part) {
    const enum wsim_picture_lines where = page->panels ? WSIM_LINES_BELOW : WSIM_LINES_ABOVE;
    const size_t first = page->panels;
    if (part->kind == DOC_LINE) {
        add_line(page, where, part->line);
        return;
    }
    page->is_indented = page->is_paragraph = 0;
    if (part->kind == DOC_PICTURE) {
        add_picture_lines(page, &part->picture, where);
        for (uint32_t i = 0; i < part->picture.panels; i++)
            part->picture.panel(&part->picture, i, add_panel(page));
    } else {
        *add_panel(page) = part->panel;
    }
    if (first && page->panels > first)
        move_lines(page, first);
    if (part->kind == DOC_PICTURE)
        add_picture_lines(page, &part->picture, WSIM_LINES_BELOW);
}

static void panel_of(const struct wsim_picture *picture, uint32_t number,
                     struct wsim_panel *panel) {
    const struct page *page = picture->about;
    *panel = page->panel[number];
}

static int line_of(const struct wsim_picture *picture, enum wsim_picture_lines where,
                   uint32_t number, char out[WSIM_CAPTION]) {
    const struct page *page = picture->about;
    if (number >= page->lines[where])
        return 0;
    memcpy(out, page->line[where][number], WSIM_CAPTION);
    return page->kind[where][number];
}

/* The title, or the first line, or the title of the first picture. Answers the number of the part
 * that follows it. */
static size_t choose_title(const struct doc *doc, struct wsim_picture *picture) {
    size_t i = 0;
    const char *title = doc->title ? doc->title : "";
    while (i < doc->parts && doc->part[i]->is_hidden)
        i++;
    if (!doc->title && i < doc->parts && doc->part[i]->kind == DOC_LINE)
        title = doc->part[i++]->line;
    else if (!doc->title && i < doc->parts && doc->part[i]->kind == DOC_PICTURE)
        title = doc->part[i]->picture.title;
    snprintf(picture->title, sizeof picture->title, "%s", title);
    return i;
}

static int print_page(struct doc *doc) {
    struct page page = {.panels = 0};
    struct wsim_picture picture = {.about = &page, .panel = panel_of, .line = line_of};
    int status;
    for (size_t i = choose_title(doc, &picture); i < doc->parts; i++)
        if (!doc->part[i]->is_hidden)
            add_part(&page, doc->part[i]);
    picture.panels = (uint32_t)page.panels;
    status = print_picture(&picture, doc->format);
    free(page.panel);
    for (int where = 0; where < 2; where++) {
        free(page.line[where]);
        free(page.kind[where]);
    }
    return status;
}

/* The picture, if the answer is a picture and nothing else. */
static const struct wsim_picture *only_picture(const struct doc *doc) {
    const struct wsim_picture *picture = NULL;
    for (size_t i = 0; i < doc->parts; i++) {
        if (doc->part[i]->is_hidden)
            continue;
        if (picture || doc->part[i]->kind != DOC_PICTURE)
            return NULL;
        picture = &doc->part[i]->picture;
    }
    return doc->title ? NULL : picture;
}

int doc_write(struct doc *doc) {
    const struct wsim_picture *picture = only_picture(doc);
    for (size_t i = 0; i < doc->parts; i++)
        if (doc->part[i]->kind == DOC_TABLE && !doc->part[i]->is_hidden && !doc_is(doc, TOOL_CSV))
            make_panel(doc->part[i]);
    if (picture && !doc_is(doc, TOOL_CSV))
        return print_picture(picture, doc->format);
    return doc_is(doc, TOOL_TEXT | TOOL_CUTE) ? print_text(doc)
           : doc_is(doc, TOOL_CSV)            ? print_csv(doc)
                                              : print_page(doc);
}
