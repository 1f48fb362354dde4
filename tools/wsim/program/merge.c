/* wsim merge: one report of the records that processes left in a folder. */
#include "records.h"
#include "../common/output.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdlib.h>

static const char about[] =
    "Adds up what the processes of programs recorded in DIR (wsim run --records, wsim run --env\n"
    "--records) and prints one report. Parts of wsim run --shard I/N are joined. Exit status 1 "
    "for\n"
    "findings, 2 if nothing is recorded, a part is missing or its program failed.\n";
static const char examples[] = "  wsim run --merge records\n"
                               "  wsim run --merge --format sarif -o findings.sarif records\n";

enum { FORMATS = TOOL_PICTURES | TOOL_JSON | TOOL_SARIF | TOOL_JUNIT };

struct options {
    char *report, *lines;
    struct suppress_options suppress;
};

static int merge(const char *folder, enum tool_format format, uint32_t lines,
                 struct suppress *suppress) {
    struct records records;
    int status = records_read(&records, folder, suppress, 0);
    if (status == TOOL_GO && !records.processes && !*records.lost)
        status = tool_error("%s: no process left a record there: none used CUDA",
                            text_path(folder).text);
    if (status == TOOL_GO)
        status = records_print(&records, format, lines);
    if (status == TOOL_GO)
        status = suppress_write(suppress, "wsim run");
    if (status == TOOL_GO && records.mistakes && !suppress->options.write)
        status = TOOL_FOUND;
    if (status == TOOL_GO && json_array_size(records.lacks))
        status = TOOL_UNMODELLED;
    if (status != TOOL_USAGE && records_missing(&records) != TOOL_GO)
        status = TOOL_USAGE;
    records_close(&records);
    /* A report is whole even if a part is missing or failed, so its file stays. */
    if (status != TOOL_USAGE && output_finish(TOOL_FINE) != TOOL_FINE)
        status = TOOL_USAGE;
    if (*records.lost)
        return tool_error("%u of %u parts are there: run the missing ones again", records.parts,
                          records.of);
    if (records.status > 1)
        return tool_error("part %u ended with status %u", records.worst, records.status);
    return status;
}

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    uint32_t lines;
    struct records_source source = {NULL, NULL};
    struct suppress suppress;
    int status = TOOL_GO;
    if (o->report)
        tool->format = tool_format(o->report, FORMATS);
    lines = records_lines(tool->format);
    tool_number("--lines", o->lines, 1u << 20, &lines);
    if (status == TOOL_GO && (!tool->args[0] || tool->args[1]))
        status = tool_error("give one folder of records");
    if (status != TOOL_GO)
        return status;
    status = suppress_open(&suppress, &o->suppress, records_text, &source);
    if (status == TOOL_GO)
        status = merge(tool->args[0], tool->format, lines, &suppress);
    suppress_close(&suppress);
    free(source.name);
    free(source.text);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    SUPPRESS_ROWS(suppress),
    {"lines", 0, TOOL_STRING, TOOL_AT(lines), "Lines of the cost table (5, JSON: all)", "N"},
    {"report", 0, TOOL_STRING, TOOL_AT(report), "The older name of --format", "FORMAT"},
    TOOL_OPTIONS_END};

const struct tool_command merge_command = {
    "DIR", about, examples, rows, sizeof(struct options), FORMATS, NULL, run};
/* clang-format on */
