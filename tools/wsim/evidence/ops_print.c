/* What wsim ops prints: the rows of the tables, one operation a line. */
#include "ops_print.h"
#include "../common/screen.h"
#include "../common/tool.h"

#include <string.h>

static const char *ptx_text(unsigned ptx, char out[16]) {
    if (ptx)
        snprintf(out, 16, "%u.%u", ptx / 10, ptx % 10);
    return ptx ? out : "-"; /* no assembler takes it */
}

struct widths {
    int spelling, row, ptx, feature, evidence, source;
};

static void widen(int *width, const char *text) {
    int length = (int)strlen(text);
    *width = length > *width ? length : *width;
}

static struct widths measure(const struct ops_filter *filter) {
    struct widths widths = {0, 0, 0, 0, 0, 0};
    struct ops_entry entry;
    char ptx[16];
    memset(&entry, 0, sizeof entry);
    while (ops_entry_next(filter, &entry)) {
        widen(&widths.ptx, ptx_text(entry.ptx, ptx));
        widen(&widths.source, entry.source);
        widen(&widths.spelling, entry.spelling);
        widen(&widths.row, entry.row);
        widen(&widths.feature, entry.feature);
        widen(&widths.evidence, entry.evidence);
    }
    return widths;
}

/* A field in its column, if all that stand before it did. */
static void add(char *line, size_t room, unsigned most, int *fits, int width, const char *text) {
    size_t used = strlen(line);
    *fits = *fits && used + 2 + (size_t)width <= most;
    if (*fits)
        snprintf(line + used, room - used, "  %-*s", width, text);
}

static void print_line(const struct ops_filter *filter, const struct widths *w,
                       const struct ops_entry *entry) {
    char line[1024], ptx[16];
    unsigned most = screen_columns();
    size_t length;
    int fits = 1;
    snprintf(line, sizeof line, "%-*s", w->spelling, entry->spelling);
    add(line, sizeof line, most, &fits, w->ptx, ptx_text(entry->ptx, ptx));
    add(line, sizeof line, most, &fits, w->feature, entry->feature);
    if (filter->arch)
        add(line, sizeof line, most, &fits, w->evidence, entry->evidence);
    add(line, sizeof line, most, &fits, w->row, entry->row);
    add(line, sizeof line, most, &fits, w->source, entry->source);
    for (length = strlen(line); line[length - 1] == ' '; length--)
        ;
    printf("%.*s\n", (int)length, line);
}

void ops_print_text(const struct ops_filter *filter) {
    struct widths w = measure(filter);
    struct ops_entry entry;
    memset(&entry, 0, sizeof entry);
    while (ops_entry_next(filter, &entry))
        print_line(filter, &w, &entry);
}

void ops_print_csv(const struct ops_filter *filter) {
    struct ops_entry entry;
    char ptx[16];
    memset(&entry, 0, sizeof entry);
    printf("spelling,family,row,ptx,feature,source%s\n", filter->arch ? ",evidence" : "");
    while (ops_entry_next(filter, &entry))
        printf("%s,%s,%s,%s,%s,\"%s\"%s%s\n", entry.spelling, entry.family, entry.row,
               ptx_text(entry.ptx, ptx), entry.feature, entry.source, filter->arch ? "," : "",
               entry.evidence);
}

void ops_print_json(const struct ops_filter *filter) {
    json_t *list = json_array();
    struct ops_entry entry;
    char ptx[16];
    memset(&entry, 0, sizeof entry);
    while (ops_entry_next(filter, &entry)) {
        json_t *row =
            json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "spelling", entry.spelling, "family",
                      entry.family, "row", entry.row, "ptx", ptx_text(entry.ptx, ptx), "feature",
                      entry.feature, "source", entry.source);
        if (filter->arch)
            json_object_set_new(row, "evidence", json_string(entry.evidence));
        json_array_append_new(list, row);
    }
    tool_print_json(
        json_pack("{s:s, s:i, s:o}", "schema", "wsim.ops", "version", 1, "operations", list));
}
