/* wsim ops: the operations that pass the filters, or the evidence of the model for them. */
#include "ops.h"
#include "../common/screen.h"
#include "../common/text.h"

#include <string.h>

static const char about[] =
    "Prints one line per operation: spelling, first PTX version, required feature, table row\n"
    "and source. Columns that do not fit the line are dropped from the right; --wide prints\n"
    "all. With --arch the third column is the evidence of the model there: hardware, published,\n"
    "documented, inferred, or none (no model). Exit status 1 if no operation matches.\n"
    "\n"
    "--evidence prints the evidence in full, for results and for shared-memory counts: its\n"
    "source, the number of recorded results or accesses, and the architectures that it covers.\n"
    "docs/generated/evidence.md is made from its JSON.\n"
    "\n"
    "Filters combine. --family accepts the first words of a family ('wgmma'), --type a word for\n"
    "several types ('fp8'). Families: mma, mma.sp, mma.sp::ordered_metadata, ldmatrix,\n"
    "stmatrix, movmatrix, ld, st, atom, red, cp.async, wgmma.mma_async, wgmma.mma_async.sp,\n"
    "wgmma.fence, wgmma.commit_group, wgmma.wait_group, cp.async.bulk, cp.async.bulk.tensor,\n"
    "cp.reduce.async.bulk, cp.reduce.async.bulk.tensor, wmma.load.a, wmma.load.b, wmma.load.c,\n"
    "wmma.store.d, wmma.mma, tensormap.replace. The family of a scalar instruction is its first\n"
    "word: add, cvt, mbarrier, setp. --evidence does not cover scalar instructions.\n";
static const char examples[] = "  wsim ops --family mma --type e4m3 --arch sm_89\n"
                               "  wsim ops --evidence --family ldmatrix --format csv\n";

/* Cells of an operation, in the order of the columns. */
enum { SPELLING, FAMILY, ROW, PTX, FEATURE, SOURCE, EVIDENCE, COLUMNS };
enum { PTX_TEXT = 16, LINE = 1024 };

static void list_cells(const struct ops_entry *entry, char ptx[PTX_TEXT],
                       const char *cell[COLUMNS]) {
    snprintf(ptx, PTX_TEXT, "-"); /* no assembler takes it */
    if (entry->ptx)
        snprintf(ptx, PTX_TEXT, "%u.%u", entry->ptx / 10, entry->ptx % 10);
    cell[SPELLING] = entry->spelling;
    cell[FAMILY] = entry->family;
    cell[PTX] = ptx;
    cell[FEATURE] = entry->feature;
    cell[ROW] = entry->row;
    cell[SOURCE] = entry->source;
    cell[EVIDENCE] = entry->evidence;
}

static void add_table(struct doc *doc, const struct ops_filter *filter) {
    static const struct doc_column columns[] = {{"spelling", "spelling", 0},
                                                {"family", "family", DOC_LEFT},
                                                {"row", "row", DOC_LEFT},
                                                {"ptx", "PTX", DOC_LEFT},
                                                {"feature", "feature", DOC_LEFT},
                                                {"source", "source", DOC_LEFT},
                                                {NULL, NULL, 0}};
    struct ops_entry entry;
    memset(&entry, 0, sizeof entry);
    doc_only(doc, DOC_PAGES | TOOL_CSV);
    doc_table(doc, "operations", columns);
    if (filter->arch)
        doc_column(doc, DOC_LEFT, "evidence", "evidence");
    while (ops_entry_next(filter, &entry)) {
        const char *cell[COLUMNS];
        char ptx[PTX_TEXT];
        list_cells(&entry, ptx, cell);
        doc_row(doc);
        for (int i = 0; i < (filter->arch ? COLUMNS : EVIDENCE); i++)
            doc_word(doc, cell[i]);
    }
    doc_leave(doc);
}

/* Text: a line for each operation; columns that do not fit are left out. */
static void add_lines(struct doc *doc, const struct ops_filter *filter) {
    static const int order[] = {SPELLING, PTX, FEATURE, EVIDENCE, ROW, SOURCE};
    enum { ORDER = sizeof order / sizeof *order };
    const char *cell[COLUMNS];
    unsigned width[COLUMNS] = {0}, used = 0, shown = 0;
    struct ops_entry entry;
    char ptx[PTX_TEXT], line[LINE];
    memset(&entry, 0, sizeof entry);
    while (ops_entry_next(filter, &entry)) {
        list_cells(&entry, ptx, cell);
        for (int i = 0; i < COLUMNS; i++)
            width[i] = strlen(cell[i]) > width[i] ? (unsigned)strlen(cell[i]) : width[i];
    }
    for (; shown < ORDER; shown++) {
        used += width[order[shown]] + (shown ? 2 : 0);
        if (shown && used > screen_columns())
            break;
    }
    memset(&entry, 0, sizeof entry);
    while (ops_entry_next(filter, &entry)) {
        size_t end = 0;
        list_cells(&entry, ptx, cell);
        for (unsigned i = 0; i < shown; i++)
            if (width[order[i]])
                end += (size_t)snprintf(line + end, LINE - end, "%s%-*s", i ? "  " : "",
                                        (int)width[order[i]], cell[order[i]]);
        while (end && line[end - 1] == ' ')
            line[--end] = '\0';
        doc_line(doc, "%s", line);
    }
}

/* Where no operation passes, the answer is empty. */
static int answer(const struct ops_filter *filter, int evidence, enum tool_format format) {
    const int status = ops_filter_found(filter);
    struct doc *doc = doc_open(format, evidence ? "wsim.evidence" : "wsim.ops");
    if (evidence) {
        evidence_answer(doc, filter);
        return doc_close(doc, status);
    }
    doc_title(doc, "wsim ops");
    if (filter->arch) {
        doc_only(doc, DOC_PAGES);
        doc_line(doc, "on %s", wsim_arch_name(filter->arch));
    }
    add_table(doc, filter);
    if (doc_is(doc, TOOL_TEXT)) {
        doc_only(doc, TOOL_TEXT);
        add_lines(doc, filter);
    }
    return doc_close(doc, status);
}

struct options {
    char *family, *type;
    const struct wsim_arch *arch;
    int evidence;
};

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    struct ops_filter filter;
    int status;
    if (tool->args[0])
        return tool_error("ops takes options only, not '%s': instructions are named by --family "
                          "mma, their types by --type e4m3",
                          text_cut(tool->args[0]).text);
    status = ops_filter_open(&filter, o->family, o->type, o->arch, o->evidence);
    return status == TOOL_GO ? answer(&filter, o->evidence, tool->format) : status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"family", 0, TOOL_STRING, TOOL_AT(family), "List this family only", "NAME"},
    {"type", 0, TOOL_STRING, TOOL_AT(type), "List operations with this type or word", "WORD"},
    {"arch", 0, TOOL_TARGET, TOOL_AT(arch), "List operations legal on this target", "NAME"},
    {"evidence", 0, TOOL_FLAG, TOOL_AT(evidence), "Print the evidence for each operation", NULL},
    TOOL_OPTIONS_END};

const struct tool_command ops_command = {
    "", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
