/* Pictures as one self-contained page of HTML. Each panel is a table that scrolls on its own,
 * so the page fits any width. Pointing at a cell frames all cells with its value. */
#include "show.h"

#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#c4cad1}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e3e6ea;--soft:#a2abb5;"
    "--line:#454c55}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}\n"
    "main{max-width:100%;padding:1rem}\n"
    "h1{font-size:1.15rem;margin:0 0 .3rem;overflow-wrap:anywhere}\n"
    "h2{font-size:1rem;margin:1.6rem 0 .3rem;overflow-wrap:anywhere}\n"
    "p{margin:.3rem 0;color:var(--soft);overflow-wrap:anywhere}\n"
    ".row{display:flex;flex-wrap:wrap;gap:0 2rem;align-items:flex-start}\n"
    "figure{margin:.8rem 0;max-width:100%}\n"
    "figcaption{color:var(--soft);margin-bottom:.35rem;overflow-wrap:anywhere}\n"
    ".scroll{overflow-x:auto;max-width:100%}\n"
    "table{border-collapse:collapse;font:12px/1.4 ui-monospace,Menlo,Consolas,monospace}\n"
    "th,td{padding:.1rem .4rem;white-space:pre;text-align:right}\n"
    "th{font-weight:normal;color:var(--soft);background:var(--paper)}\n"
    "th:first-child{position:sticky;left:0}\n"
    "td{border:1px solid var(--line)}\n"
    ".picture td,.picture thead th:not(:first-child){text-align:center}\n"
    "td.text,thead th.text:not(:first-child){text-align:left}\n"
    ".left td,.left thead th:not(:first-child){text-align:left}\n"
    ".marked{font-weight:bold;outline:2px solid var(--ink);outline-offset:-2px}\n"
    ".empty{color:var(--soft)}\n"
    "td.outside{color:var(--ink);background:repeating-linear-gradient(135deg,var(--paper) 0 4px,"
    "var(--line) 4px 5px)}\n"
    "td:hover{outline:2px solid #000;outline-offset:-2px}\n"
    "ul{display:flex;flex-wrap:wrap;gap:2px;margin:.3rem 0;padding:0;list-style:none;"
    "font:12px/1.4 ui-monospace,Menlo,Consolas,monospace}\n"
    "li{padding:.1rem .4rem;border:1px solid var(--line)}\n"
    "@media print{.scroll{overflow:visible}}\n";

enum { LEGEND = 32, HOVERED = 256 };

/* The colours of the panels. */
struct hues {
    uint32_t values[WSIM_HUES];
};

static void find_hues(const struct wsim_picture *picture, struct hues *hues) {
    struct wsim_panel panel;
    memset(hues, 0, sizeof *hues);
    for (uint32_t i = 0; i < picture->panels; i++) {
        picture->panel(picture, i, &panel);
        if (panel.hue && panel.values > hues->values[panel.hue])
            hues->values[panel.hue] = panel.values;
    }
}

/* The first letter of a hue and a value are a class: "l5". Coloured cells have dark ink in light
 * and dark mode. */
static void put_class(struct show_out *out, enum wsim_hue hue, uint32_t value) {
    show_print(out, "%c%u", show_hue_name(hue)[0], value);
}

static void put_colours(struct show_out *out, const struct hues *hues) {
    for (int h = 1; h < WSIM_HUES; h++) {
        enum wsim_hue hue = (enum wsim_hue)h;
        for (uint32_t v = 0; v < hues->values[h] && v < HOVERED; v++) {
            show_put(out, ".");
            put_class(out, hue, v);
            show_print(out, "{background:#%06x;color:#111}\n",
                       (unsigned)wsim_hue_colour(hue, (int32_t)v));
            if (hue == WSIM_HUE_TURN || hue == WSIM_HUE_DIGIT)
                continue;
            show_put(out, "table:has(.");
            put_class(out, hue, v);
            show_put(out, ":hover) .");
            put_class(out, hue, v);
            show_put(out, "{outline:2px solid #000;outline-offset:-2px}\n");
        }
    }
}

static void put_element(struct show_out *out, const char *before, const char *text,
                        const char *after) {
    if (!*text)
        return;
    show_put(out, before);
    show_xml(out, text);
    show_put(out, after);
}

static void put_classes(struct show_out *out, struct wsim_panel *p, uint32_t col,
                        const struct wsim_cell *cell) {
    static const char *const names[] = {"marked", "empty", "outside"};
    const char *between = " class=\"";
    if (p->hue && cell->value >= 0 && cell->value < HOVERED) {
        show_put(out, between);
        put_class(out, p->hue, (uint32_t)cell->value);
        between = " ";
    }
    for (int i = 0; i < 3; i++)
        if (cell->flags >> i & 1) {
            show_put(out, between);
            show_put(out, names[i]);
            between = " ";
        }
    if (!p->left && col < p->texts) {
        show_put(out, between);
        show_put(out, "text");
        between = " ";
    }
    if (between[1] == '\0')
        show_put(out, "\"");
}

static void put_cell(struct show_out *out, struct wsim_panel *p, uint32_t row, uint32_t col) {
    struct wsim_cell cell;
    p->cell(p, row, col, &cell);
    show_put(out, "<td");
    put_classes(out, p, col, &cell);
    if (p->title) {
        char title[WSIM_CELL_TEXT];
        p->title(p, row, col, title);
        put_element(out, " title=\"", title, "\"");
    }
    show_put(out, ">");
    show_xml(out, show_ink(p, &cell));
    show_put(out, "</td>");
}

/* The columns up to the next head. */
static uint32_t span_of_head(struct wsim_panel *p, uint32_t col) {
    char text[WSIM_CELL_TEXT] = "";
    uint32_t span = 0;
    while (!*text && col + ++span < p->cols)
        p->col_head(p, col + span, text);
    return span;
}

static void put_table(struct show_out *out, struct wsim_panel *p) {
    char text[WSIM_CELL_TEXT];
    show_print(out, "<div class=\"scroll\" tabindex=\"0\"><table class=\"%s\"><thead><tr><th>",
               p->left               ? "left"
               : p->hue && !p->texts ? "picture"
                                     : "table");
    show_xml(out, p->corner);
    show_put(out, "</th>");
    for (uint32_t col = 0, span; col < p->cols; col += span) {
        p->col_head(p, col, text);
        span = p->ruler ? span_of_head(p, col) : 1;
        if (span > 1)
            show_print(out, "<th class=\"text\" colspan=\"%u\">", (unsigned)span);
        else
            show_put(out, !p->left && col < p->texts ? "<th class=\"text\">" : "<th>");
        show_xml(out, text);
        show_put(out, "</th>");
    }
    show_put(out, "</tr></thead><tbody>\n");
    for (uint32_t row = 0; row < p->rows && !out->stopped; row++) {
        p->row_head(p, row, text);
        show_put(out, "<tr><th>");
        show_xml(out, text);
        show_put(out, "</th>");
        for (uint32_t col = 0; col < p->cols; col++)
            put_cell(out, p, row, col);
        show_put(out, "</tr>\n");
    }
    show_put(out, "</tbody></table></div>\n");
}

static void put_legend(struct show_out *out, const struct hues *hues) {
    for (int h = 1; h < WSIM_HUES; h++) {
        uint32_t count = hues->values[h] < LEGEND ? hues->values[h] : LEGEND;
        if (!count || !show_has_legend((enum wsim_hue)h))
            continue;
        show_print(out, "<p>%s%s</p>\n<ul>", show_hue_name((enum wsim_hue)h),
                   hues->values[h] > LEGEND ? " modulo 32" : "");
        for (uint32_t v = 0; v < count; v++) {
            show_put(out, "<li class=\"");
            put_class(out, (enum wsim_hue)h, v);
            show_print(out, "\">%u</li>", v);
        }
        show_put(out, "</ul>\n");
    }
}

static void put_lines(struct show_out *out, const struct wsim_picture *picture,
                      enum wsim_picture_lines where) {
    char text[WSIM_CAPTION];
    for (uint32_t i = 0; show_line_of(picture, where, i, text); i++)
        put_element(out, "<p>", text + strspn(text, " "), "</p>\n");
}

void show_html(struct show_out *out, const struct wsim_picture *picture) {
    struct wsim_panel panel;
    struct hues hues;
    find_hues(picture, &hues);
    show_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<link rel=\"icon\" href=\"data:,\">\n<title>");
    show_xml(out, *picture->title ? picture->title : "wsim");
    show_put(out, "</title>\n<style>\n");
    show_put(out, style);
    put_colours(out, &hues);
    show_put(out, "</style>\n</head>\n<body>\n<main>\n");
    put_element(out, "<h1>", picture->title, "</h1>\n");
    put_lines(out, picture, WSIM_LINES_ABOVE);
    for (uint32_t i = 0; i < picture->panels && !out->stopped; i++) {
        picture->panel(picture, i, &panel);
        if (i && !panel.beside)
            show_put(out, "</div>\n");
        put_element(out, "<h2>", panel.heading, "</h2>\n");
        show_put(out, i && panel.beside ? "<figure>\n" : "<div class=\"row\">\n<figure>\n");
        put_element(out, "<figcaption>", panel.caption, "</figcaption>\n");
        put_table(out, &panel);
        put_element(out, "<p>", panel.note + strspn(panel.note, " "), "</p>\n");
        show_put(out, "</figure>\n");
    }
    if (picture->panels)
        show_put(out, "</div>\n");
    put_lines(out, picture, WSIM_LINES_BELOW);
    put_legend(out, &hues);
    show_put(out, "</main>\n</body>\n</html>\n");
}
