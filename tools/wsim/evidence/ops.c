/* wsim ops: the operations that pass the filters, or what the model rests on for them. */
#include "evidence_page.h"
#include "evidence_print.h"
#include "ops_print.h"
#include "../common/picture.h"
#include "../common/text.h"
#include "../common/tool.h"

static const char about[] =
    "Prints one line per operation: spelling, first PTX version, required feature, table row\n"
    "and source. Columns that do not fit the line are dropped from the right; --wide prints\n"
    "all. With --arch the third column is the evidence of the model there: hardware, published,\n"
    "documented, inferred, or none (no model). Exit status 1 if no operation matches.\n"
    "\n"
    "--evidence prints the evidence in full, for results and for shared-memory counts: its\n"
    "source, the number of recorded results or accesses, and the architectures that it covers.\n"
    "Its markdown is docs/generated/evidence.md.\n"
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

/* Where there is nothing, formats for programs say so in their way. */
static int run(const struct ops_filter *filter, int evidence, enum tool_format format) {
    int status = ops_filter_found(filter);
    if (evidence && format == TOOL_MARKDOWN)
        return evidence_page(filter);
    if (evidence)
        evidence_print(filter, format);
    else if (format == TOOL_TEXT)
        ops_print_text(filter);
    else if (format == TOOL_CSV)
        ops_print_csv(filter);
    else if (format == TOOL_JSON)
        ops_print_json(filter);
    else if (ops_print_page(filter, format) != TOOL_FINE)
        return TOOL_USAGE;
    return status == TOOL_GO ? TOOL_FINE : status;
}

struct options {
    char *family, *type;
    const struct wsim_arch *arch;
    int evidence;
};

static int run_ops(struct tool *tool) {
    const struct options *o = tool->options;
    struct ops_filter filter;
    int status = o->evidence
                     ? tool_allows(tool->format, TOOL_TEXT | TOOL_JSON | TOOL_CSV | TOOL_MARKDOWN)
                     : TOOL_GO;
    if (tool->args[0])
        return tool_error("ops takes options only, not '%s': instructions are named by --family "
                          "mma, their types by --type e4m3",
                          text_cut(tool->args[0]).text);
    if (status == TOOL_GO)
        status = ops_filter_open(&filter, o->family, o->type, o->arch, o->evidence);
    return status == TOOL_GO ? run(&filter, o->evidence, tool->format) : status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"family", 0, TOOL_STRING, TOOL_AT(family), "List this family only", "NAME"},
    {"type", 0, TOOL_STRING, TOOL_AT(type), "List operations with this type or word", "WORD"},
    {"arch", 0, TOOL_TARGET, TOOL_AT(arch), "List operations legal on this target", "NAME"},
    {"evidence", 0, TOOL_FLAG, TOOL_AT(evidence), "Print the evidence for each operation", NULL},
    TOOL_OPTIONS_END};

const struct tool_command ops_command = {
    "", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON, "text, json, csv, md; svg, html without --evidence", run_ops};
/* clang-format on */
