/* page.h - a picture put together out of lines and tables, for what is no picture of its own. */
#ifndef WSIM_TOOL_PAGE_H
#define WSIM_TOOL_PAGE_H

#include "grid.h"
#include "picture.h"
#include "table.h"

struct page {
    char title[WSIM_CAPTION];
    struct wsim_panel *panels;
    size_t npanels;
    char (*lines[2])[WSIM_CAPTION]; /* above and below the panels */
    size_t nlines[2];
};

void page_open(struct page *page, const char *title);

/* A line above or below. */
void page_line(struct page *page, enum wsim_picture_lines where, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* A table, which has to outlive the page, or the panels of a picture. */
void page_table(struct page *page, const char *caption, const struct table *table);
void page_picture(struct page *page, const struct wsim_picture *picture);
void page_panel(struct page *page, const struct wsim_panel *panel);

/* A grid, which has to outlive the page; with its heading, or "". */
void page_grid(struct page *page, const char *heading, const char *caption, struct grid *grid);

/* Releases one that is not printed. */
void page_close(struct page *page);

/* Prints and releases it; TOOL_FINE, or the status after saying why not. */
int page_print(struct page *page, enum tool_format format);

#endif
