/* Pictures put together out of lines and tables; see page.h. */
#include "page.h"
#include "memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void page_open(struct page *page, const char *title) {
    memset(page, 0, sizeof *page);
    snprintf(page->title, sizeof page->title, "%s", title);
}

void page_line(struct page *page, enum wsim_picture_lines where, const char *format, ...) {
    size_t count = page->nlines[where];
    va_list args;
    page->lines[where] = memory_grow(page->lines[where], (count + 1) * sizeof *page->lines[where]);
    va_start(args, format);
    vsnprintf(page->lines[where][count], WSIM_CAPTION, format, args);
    va_end(args);
    page->nlines[where]++;
}

static struct wsim_panel *add_panel(struct page *page) {
    page->panels = memory_grow(page->panels, (page->npanels + 1) * sizeof *page->panels);
    return &page->panels[page->npanels++];
}

void page_table(struct page *page, const char *caption, const struct table *table) {
    struct wsim_panel *panel = add_panel(page);
    table_panel(table, panel);
    snprintf(panel->caption, sizeof panel->caption, "%s", caption);
}

void page_grid(struct page *page, const char *heading, const char *caption, struct grid *grid) {
    struct wsim_panel *panel = add_panel(page);
    grid_panel(grid, panel);
    snprintf(panel->heading, sizeof panel->heading, "%s", heading);
    snprintf(panel->caption, sizeof panel->caption, "%s", caption);
}

void page_panel(struct page *page, const struct wsim_panel *panel) {
    *add_panel(page) = *panel;
}

void page_picture(struct page *page, const struct wsim_picture *picture) {
    for (uint32_t i = 0; i < picture->panels; i++)
        picture->panel(picture, i, add_panel(page));
}

static void panel_of(const struct wsim_picture *picture, uint32_t number,
                     struct wsim_panel *panel) {
    const struct page *page = picture->about;
    *panel = page->panels[number];
}

static int line_of(const struct wsim_picture *picture, enum wsim_picture_lines where,
                   uint32_t number, char out[WSIM_CAPTION]) {
    const struct page *page = picture->about;
    if (number >= page->nlines[where])
        return 0;
    memcpy(out, page->lines[where][number], WSIM_CAPTION);
    return 1;
}

void page_close(struct page *page) {
    free(page->panels);
    free(page->lines[WSIM_LINES_ABOVE]);
    free(page->lines[WSIM_LINES_BELOW]);
}

int page_print(struct page *page, enum tool_format format) {
    struct wsim_picture picture = {
        .panels = (uint32_t)page->npanels, .about = page, .panel = panel_of, .line = line_of};
    int status;
    memcpy(picture.title, page->title, sizeof picture.title);
    status = picture_print(&picture, format);
    page_close(page);
    return status;
}
