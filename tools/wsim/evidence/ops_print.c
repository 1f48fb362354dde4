/* What wsim ops prints: the rows of the tables, one operation a line. */
#include "ops_print.h"
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
    int spelling, row, feature, evidence;
};

static void widen(int *width, const char *text) {
    int length = (int)strlen(text);
    *width = length > *width ? length : *width;
}

static struct widths measure(const struct ops_filter *filter) {
    struct widths widths = {0, 0, 0, 0};
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    while (ops_next(filter, &cursor, &op, spelling)) {
        struct wsim_op_info info = wsim_op_describe(&op);
        widen(&widths.spelling, spelling);
        widen(&widths.row, info.row);
        widen(&widths.feature, info.feature);
        widen(&widths.evidence, evidence(filter, &op));
    }
    return widths;
}

void ops_print_text(const struct ops_filter *filter) {
    struct widths w = measure(filter);
    char spelling[WSIM_SPELLING_MAX], ptx[16];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    while (ops_next(filter, &cursor, &op, spelling)) {
        struct wsim_op_info info = wsim_op_describe(&op);
        printf("%-*s  %-*s  %s  %-*s  ", w.spelling, spelling, w.row, info.row,
               ptx_text(info.ptx, ptx), w.feature, info.feature);
        if (filter->arch)
            printf("%-*s  ", w.evidence, evidence(filter, &op));
        puts(info.source);
    }
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
