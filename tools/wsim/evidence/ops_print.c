/* What wsim ops prints: the rows of the tables, one operation a line. */
#include "ops_print.h"
#include "../common/screen.h"
#include "../common/tool.h"

#include <string.h>

static const char *ptx_text(unsigned ptx, char out[16]) {
    snprintf(out, 16, "%u.%u", ptx / 10, ptx % 10);
    return out;
}

/* What the model rests on: an answer there is only for one architecture. What is executed is asked
 * for its results, other accesses for their counts. */
static const char *evidence(const struct ops_filter *filter, const struct wsim_op *op) {
    enum wsim_claim claim = wsim_op_claims(op, WSIM_RESULTS) ? WSIM_RESULTS : WSIM_COUNTS;
    const char *word = filter->arch ? wsim_op_evidence(op, filter->arch, claim, NULL) : "";
    return word ? word : "none";
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
    char spelling[WSIM_SPELLING_MAX], ptx[16];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    while (ops_next(filter, &cursor, &op, spelling)) {
        struct wsim_op_info info = wsim_op_describe(&op);
        widen(&widths.ptx, ptx_text(info.ptx, ptx));
        widen(&widths.source, info.source);
        widen(&widths.spelling, spelling);
        widen(&widths.row, info.row);
        widen(&widths.feature, info.feature);
        widen(&widths.evidence, evidence(filter, &op));
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
                       const struct wsim_op *op, const char *spelling) {
    struct wsim_op_info info = wsim_op_describe(op);
    char line[1024], ptx[16];
    unsigned most = screen_columns();
    size_t length;
    int fits = 1;
    snprintf(line, sizeof line, "%-*s", w->spelling, spelling);
    add(line, sizeof line, most, &fits, w->ptx, ptx_text(info.ptx, ptx));
    add(line, sizeof line, most, &fits, w->feature, info.feature);
    if (filter->arch)
        add(line, sizeof line, most, &fits, w->evidence, evidence(filter, op));
    add(line, sizeof line, most, &fits, w->row, info.row);
    add(line, sizeof line, most, &fits, w->source, info.source);
    for (length = strlen(line); line[length - 1] == ' '; length--)
        ;
    printf("%.*s\n", (int)length, line);
}

void ops_print_text(const struct ops_filter *filter) {
    struct widths w = measure(filter);
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    while (ops_next(filter, &cursor, &op, spelling))
        print_line(filter, &w, &op, spelling);
}

void ops_print_csv(const struct ops_filter *filter) {
    char spelling[WSIM_SPELLING_MAX], ptx[16];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    printf("spelling,family,row,ptx,feature,source%s\n", filter->arch ? ",evidence" : "");
    while (ops_next(filter, &cursor, &op, spelling)) {
        struct wsim_op_info info = wsim_op_describe(&op);
        printf("%s,%s,%s,%s,%s,\"%s\"%s%s\n", spelling, info.family_name, info.row,
               ptx_text(info.ptx, ptx), info.feature, info.source, filter->arch ? "," : "",
               evidence(filter, &op));
    }
}

void ops_print_json(const struct ops_filter *filter) {
    json_t *list = json_array();
    char spelling[WSIM_SPELLING_MAX], ptx[16];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    while (ops_next(filter, &cursor, &op, spelling)) {
        struct wsim_op_info info = wsim_op_describe(&op);
        json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "spelling", spelling, "family",
                                info.family_name, "row", info.row, "ptx", ptx_text(info.ptx, ptx),
                                "feature", info.feature, "source", info.source);
        if (filter->arch)
            json_object_set_new(row, "evidence", json_string(evidence(filter, &op)));
        json_array_append_new(list, row);
    }
    tool_print_json(
        json_pack("{s:s, s:i, s:o}", "schema", "wsim.ops", "version", 1, "operations", list));
}
