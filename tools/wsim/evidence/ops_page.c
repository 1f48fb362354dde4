/* What wsim ops prints as a page: a table of the operations that pass. */
#include "ops_print.h"
#include "../common/memory.h"
#include "../common/page.h"

#include <stdlib.h>
#include <string.h>

enum column { FAMILY, PTX, FEATURE, ROW, SOURCE, EVIDENCE, COLUMNS };

struct list {
    const struct ops_filter *filter;
    struct ops_entry *entry;
    size_t count;
};

static void put_column(const void *about, unsigned col, char out[TABLE_CELL]) {
    static const char *const heads[COLUMNS] = {"family", "PTX",    "feature",
                                               "row",    "source", "evidence"};
    (void)about;
    snprintf(out, TABLE_CELL, "%s", heads[col]);
}

static void put_spelling(const void *about, unsigned row, char out[TABLE_CELL]) {
    const struct list *list = about;
    snprintf(out, TABLE_CELL, "%s", list->entry[row].spelling);
}

static void put_cell(const void *about, unsigned row, unsigned col, char out[TABLE_CELL]) {
    const struct list *list = about;
    const struct ops_entry *entry = &list->entry[row];
    const char *const words[COLUMNS] = {
        entry->family, "", entry->feature, entry->row, entry->source, entry->evidence};
    if (col == PTX && entry->ptx)
        snprintf(out, TABLE_CELL, "%u.%u", entry->ptx / 10, entry->ptx % 10);
    else
        snprintf(out, TABLE_CELL, "%s", col == PTX ? "-" : words[col]);
}

static void collect(struct list *list) {
    struct ops_entry entry;
    size_t room = 0;
    memset(&entry, 0, sizeof entry);
    while (ops_entry_next(list->filter, &entry)) {
        if (list->count == room) {
            room = room ? 2 * room : 256;
            list->entry = memory_grow(list->entry, room * sizeof *list->entry);
        }
        list->entry[list->count++] = entry;
    }
}

int ops_print_page(const struct ops_filter *filter, enum tool_format format) {
    struct list list = {filter, NULL, 0};
    struct table table = {.corner = "spelling",
                          .left = 1,
                          .about = &list,
                          .cell = put_cell,
                          .row_head = put_spelling,
                          .col_head = put_column};
    struct page page;
    char caption[64];
    int status;
    collect(&list);
    table.rows = (unsigned)list.count;
    table.cols = filter->arch ? COLUMNS : EVIDENCE;
    page_open(&page, "wsim ops");
    if (filter->arch)
        page_line(&page, WSIM_LINES_ABOVE, "on %s", wsim_arch_name(filter->arch));
    snprintf(caption, sizeof caption, "%zu operation%s", list.count, list.count == 1 ? "" : "s");
    page_table(&page, caption, &table);
    status = page_print(&page, format);
    free(list.entry);
    return status;
}
