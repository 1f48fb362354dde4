/* wsim ops: the rows of the tables, one operation a line. */
#include "evidence.h"
#include "ops.h"
#include "tool.h"

#include <string.h>

static const struct tool_help help = {
    "wsim ops", "",
    "One line per operation: spelling, row of the table, first PTX version, feature that an\n"
    "architecture must have, source of the facts. With --arch there is a column with what the\n"
    "model rests on there: hardware, published, documented, inferred, or none (no model).\n"
    "With --evidence this is told in full: for results and for counts of shared memory, each\n"
    "with its source, how many results or accesses recordings of a GPU hold, and where it is so;\n"
    "as markdown it is the page docs/evidence.md.\n"
    "Filters combine. Families: mma, mma.sp, mma.sp::ordered_metadata, ldmatrix, stmatrix,\n"
    "movmatrix, ld, st, atom, red, cp.async, wgmma.mma_async, wgmma.mma_async.sp, wgmma.fence,\n"
    "wgmma.commit_group, wgmma.wait_group.\n",
    "  wsim ops --family mma --type e4m3 --arch sm_89\n"
    "  wsim ops --evidence --family ldmatrix --format csv\n"};

/* Words stand behind '.' or '::', so that `mxf4` finds kind::mxf4. */
static int has_word(const char *spelling, const char *word) {
    size_t length = strlen(word);
    const char *at = spelling;
    while ((at = strpbrk(at, ".:")) != NULL)
        if (strncmp(++at, word, length) == 0 && (at[length] == 0 || strchr(".:", at[length])))
            return length > 0;
    return 0;
}

static int passes(const struct ops_filter *filter, const struct wsim_op *op, const char *spelling) {
    struct wsim_diag diag;
    return (!filter->family || strcmp(wsim_op_info(op).family_name, filter->family) == 0) &&
           (!filter->type || has_word(spelling, filter->type)) &&
           (!filter->arch || wsim_op_check(op, filter->arch, &diag) == WSIM_OK);
}

int ops_next(const struct ops_filter *filter, uint32_t *cursor, struct wsim_op *op,
             char spelling[WSIM_SPELLING_MAX]) {
    while (wsim_op_next(cursor, op)) {
        wsim_op_spell(op, spelling);
        if (passes(filter, op, spelling))
            return 1;
    }
    return 0;
}

static int any(const struct ops_filter *filter) {
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    return ops_next(filter, &cursor, &op, spelling);
}

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
        struct wsim_op_info info = wsim_op_info(&op);
        widen(&widths.spelling, spelling);
        widen(&widths.row, info.row);
        widen(&widths.feature, info.feature);
        widen(&widths.evidence, evidence(filter, &op));
    }
    return widths;
}

static void print_text(const struct ops_filter *filter) {
    struct widths w = measure(filter);
    char spelling[WSIM_SPELLING_MAX], ptx[16];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    while (ops_next(filter, &cursor, &op, spelling)) {
        struct wsim_op_info info = wsim_op_info(&op);
        printf("%-*s  %-*s  %s  %-*s  ", w.spelling, spelling, w.row, info.row,
               ptx_text(info.ptx, ptx), w.feature, info.feature);
        if (filter->arch)
            printf("%-*s  ", w.evidence, evidence(filter, &op));
        puts(info.source);
    }
}

static void print_csv(const struct ops_filter *filter) {
    char spelling[WSIM_SPELLING_MAX], ptx[16];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    printf("spelling,family,row,ptx,feature,source%s\n", filter->arch ? ",evidence" : "");
    while (ops_next(filter, &cursor, &op, spelling)) {
        struct wsim_op_info info = wsim_op_info(&op);
        printf("%s,%s,%s,%s,%s,\"%s\"%s%s\n", spelling, info.family_name, info.row,
               ptx_text(info.ptx, ptx), info.feature, info.source, filter->arch ? "," : "",
               evidence(filter, &op));
    }
}

static void print_json(const struct ops_filter *filter) {
    json_t *list = json_array();
    char spelling[WSIM_SPELLING_MAX], ptx[16];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    while (ops_next(filter, &cursor, &op, spelling)) {
        struct wsim_op_info info = wsim_op_info(&op);
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

/* A filter that no operation at all passes is a typing error. */
static int check_filter(const struct ops_filter *filter) {
    struct ops_filter family = {filter->family, NULL, NULL}, type = {NULL, filter->type, NULL};
    if (!any(&family))
        return tool_error("unknown family '%s' (wsim ops --help lists them)", filter->family);
    if (!any(&type))
        return tool_error("no operation has the type '%s'", filter->type);
    return TOOL_GO;
}

static int run(const struct ops_filter *filter, int evidence, enum tool_format format) {
    int status = check_filter(filter);
    if (status != TOOL_GO)
        return status;
    if (evidence)
        return evidence_print(filter, format);
    if (format == TOOL_TEXT)
        print_text(filter);
    else if (format == TOOL_CSV)
        print_csv(filter);
    else
        print_json(filter);
    return TOOL_FINE;
}

int ops_main(int argc, const char **argv) {
    char *family = NULL, *type = NULL, *arch = NULL, *format_name = NULL;
    int evidence = 0;
    const struct poptOption table[] = {
        {"family", 0, POPT_ARG_STRING, &family, 0, "Only this family", "NAME"},
        {"type", 0, POPT_ARG_STRING, &type, 0, "Only operations with this type or word", "WORD"},
        {"arch", 0, POPT_ARG_STRING, &arch, 0, "Only what is legal there", "NAME"},
        {"evidence", 0, POPT_ARG_NONE, &evidence, 0, "What the model rests on instead", NULL},
        {"format", 0, POPT_ARG_STRING, &format_name, 0,
         "text, json or csv; with --evidence also markdown", "FORMAT"},
        TOOL_OPTIONS_END};
    enum tool_format format;
    struct ops_filter filter;
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO && tool.args[0])
        status = tool_error("ops takes options only, not '%s'", tool.args[0]);
    if (status == TOOL_GO)
        status =
            tool_format(format_name,
                        TOOL_TEXT | TOOL_JSON | TOOL_CSV | (evidence ? TOOL_MARKDOWN : 0), &format);
    filter.family = family;
    filter.type = type;
    filter.arch = status == TOOL_GO && arch ? tool_arch(arch) : NULL;
    if (status == TOOL_GO)
        status = arch && !filter.arch ? TOOL_USAGE : run(&filter, evidence, format);
    tool_close(&tool);
    return status;
}
