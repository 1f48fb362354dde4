/* wsim lint: mistakes in PTX and inline assembly, found without a compiler. */
#include "../common/doc.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/names.h"
#include "../common/screen.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>
#include <wsim/harness/lint.h>

static const char about[] =
    "Checks inline assembly of CUDA C++ and PTX files: spellings, features of the target,\n"
    "number and type of operands, vector sizes. In asm statements it also checks constraints,\n"
    "volatile and \"memory\", % and %%, scopes of registers and labels, generic pointers used as\n"
    "shared addresses, and missing commits, waits and fences. It runs no compiler and no\n"
    "preprocessor: it evaluates only #if conditions on __CUDA_ARCH__, and skips statements that\n"
    "a macro hides in part. Without --arch, anything legal on some target is accepted.\n"
    "\n"
    "Each line is FILE:LINE:COLUMN: error, warning or note: problem [rule]. Notes are optional.\n"
    "Standard error counts skipped statements. Exit status 1 if there are errors or\n"
    "warnings (--strict: or notes), 2 if a file cannot be read.\n";
static const char examples[] = "  wsim lint -q --arch sm_90a examples/cuda/kernels.cu\n"
                               "  wsim lint -q --format github tests/lint/statements.cu\n";

struct options {
    const struct wsim_arch *arch;
    char *format;
    int strict, quiet;
};

enum format { TEXT, GITHUB, JSON, SARIF, FORMATS };
static const char *const formats[] = {"text", "github", "json", "sarif"};

struct answer {
    enum format format;
    struct doc *doc;
    json_t *results; /* of SARIF */
    struct wsim_lint_counts counts;
};

/* --- formats --- */

/* A workflow command of GitHub escapes '%' and ends of lines, its properties also ',' and ':'. */
static char *escaped(const char *text, const char *also) {
    char *out = memory_make(strlen(text) + 1, 3), *to = out;
    for (; *text; text++)
        if (strchr("%\r\n", *text) || strchr(also, *text))
            to += sprintf(to, "%%%02X", (unsigned char)*text);
        else
            *to++ = *text;
    return out;
}

static void state_github(struct doc *doc, const char *name,
                         const struct wsim_lint_finding *finding) {
    static const char *const commands[] = {"notice", "warning", "error"};
    char *file = escaped(text_path(name).text, ":,"), *text = escaped(finding->text, "");
    doc_line(doc, "::%s file=%s,line=%u,col=%u,title=%s::%s", commands[finding->severity], file,
             (unsigned)finding->line, (unsigned)finding->col, finding->rule, text);
    free(file);
    free(text);
}

static json_t *sarif_of(const char *name, const struct wsim_lint_finding *finding) {
    json_t *place = json_pack("{s:{s:{s:o},s:{s:I,s:I}}}", "physicalLocation", "artifactLocation",
                              "uri", tool_json_text(name), "region", "startLine",
                              (json_int_t)finding->line, "startColumn", (json_int_t)finding->col);
    return json_pack("{s:s,s:s,s:{s:o},s:[o]}", "ruleId", finding->rule, "level",
                     wsim_lint_severity_name(finding->severity), "message", "text",
                     tool_json_text(finding->text), "locations", place);
}

/* The meaning of a rule of lint or of the library. */
static const char *meaning_of(const char *name) {
    struct wsim_lint_rule rule;
    struct wsim_rule other;
    for (uint32_t cursor = 0; wsim_lint_rule_next(&cursor, &rule);)
        if (strcmp(rule.name, name) == 0)
            return rule.meaning;
    return wsim_rule_find(name, &other) ? other.meaning : "";
}

/* SARIF describes the rules of its findings. */
static json_t *sarif_rules(const json_t *results) {
    json_t *rules = json_array(), *seen = json_object();
    const json_t *result;
    size_t i;
    json_array_foreach(results, i, result) {
        const char *id = json_string_value(json_object_get(result, "ruleId"));
        if (json_object_get(seen, id))
            continue;
        json_object_set_new(seen, id, json_true());
        json_array_append_new(rules, json_pack("{s:s,s:{s:s}}", "id", id, "shortDescription",
                                               "text", meaning_of(id)));
    }
    json_decref(seen);
    return rules;
}

static void print_sarif(json_t *results) {
    json_t *driver = json_pack("{s:s,s:s,s:o}", "name", "wsim lint", "version", wsim_version(),
                               "rules", sarif_rules(results));
    json_t *run = json_pack("{s:{s:o},s:s,s:o}", "tool", "driver", driver, "columnKind",
                            "unicodeCodePoints", "results", results);
    tool_print_json(json_pack("{s:s,s:s,s:[o]}", "$schema",
                              "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                              "runs", run));
}

static void state_finding(struct answer *answer, const char *name,
                          const struct wsim_lint_finding *finding) {
    struct doc *doc = answer->doc;
    const char *severity = wsim_lint_severity_name(finding->severity);
    if (answer->format == SARIF) {
        json_array_append_new(answer->results, sarif_of(name, finding));
    } else if (answer->format == GITHUB) {
        state_github(doc, name, finding);
    } else {
        doc_enter(doc, NULL);
        doc_pack(doc, "{s:o,s:I,s:I,s:s,s:s,s:o}", "file", tool_json_text(name), "line",
                 (json_int_t)finding->line, "column", (json_int_t)finding->col, "severity",
                 severity, "rule", finding->rule, "text", tool_json_text(finding->text));
        doc_line(doc, "%s:%u:%u: %s: %s [%s]", text_path(name).text, (unsigned)finding->line,
                 (unsigned)finding->col, severity, finding->text, finding->rule);
        doc_leave(doc);
    }
}

/* --- the command --- */

/* States the findings in a file. */
static int state_file(struct answer *answer, const char *name, const struct options *o) {
    const struct wsim_lint_options options = {o->arch, name};
    struct wsim_lint_finding finding;
    struct wsim_lint_counts counts;
    struct wsim_lint *lint;
    size_t size;
    char *bytes = input_bytes(name, &size);
    if (!bytes)
        return TOOL_USAGE;
    if (wsim_lint_text(bytes, size, &options, &lint, NULL))
        memory_out();
    for (size_t i = 0; wsim_lint_at(lint, i, &finding); i++)
        state_finding(answer, input_name(name), &finding);
    wsim_lint_count(lint, &counts);
    answer->counts.statements += counts.statements;
    answer->counts.hidden += counts.hidden;
    answer->counts.unmodelled += counts.unmodelled;
    wsim_lint_free(lint);
    free(bytes);
    return counts.findings[WSIM_LINT_ERROR] || counts.findings[WSIM_LINT_WARNING] ||
                   (o->strict && counts.findings[WSIM_LINT_NOTE])
               ? TOOL_FOUND
               : TOOL_FINE;
}

/* Counts skipped code on standard error; silent if there is none. */
static void print_summary(const struct wsim_lint_counts *counts) {
    const unsigned long statements = (unsigned long)counts->statements;
    const unsigned long unmodelled = (unsigned long)counts->unmodelled;
    if (!counts->hidden && !unmodelled)
        return;
    fprintf(stderr, "%lu asm statement%s", statements, statements == 1 ? "" : "s");
    if (counts->hidden)
        fprintf(stderr, "; %lu skipped, hidden in part by macros", (unsigned long)counts->hidden);
    if (unmodelled)
        fprintf(stderr, "; %lu instruction%s without a model", unmodelled,
                unmodelled == 1 ? "" : "s");
    fputc('\n', stderr);
}

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    struct answer answer = {.results = NULL};
    int status = TOOL_FINE;
    if (!tool->args[0])
        return tool_error("no file given ('-' reads standard input)");
    while (o->format && answer.format < FORMATS && strcmp(o->format, formats[answer.format]) != 0)
        answer.format++;
    if (answer.format == FORMATS)
        return tool_error("--format '%s' is illegal here, it can be text, github, json or sarif%s",
                          text_cut(o->format).text, name_near(o->format, formats, FORMATS).text);
    screen_widen(); /* FILE:LINE:COLUMN and its message are one line */
    answer.doc = doc_open(answer.format == JSON ? TOOL_JSON : TOOL_TEXT, "wsim.lint");
    answer.results = answer.format == SARIF ? json_array() : NULL;
    doc_list(answer.doc, "findings");
    for (const char **arg = tool->args; *arg; arg++) {
        const int found = state_file(&answer, *arg, o);
        status = found > status ? found : status;
    }
    doc_leave(answer.doc);
    if (answer.results)
        print_sarif(answer.results);
    if (doc_close(answer.doc, TOOL_FINE) != TOOL_FINE)
        status = TOOL_USAGE;
    if (!o->quiet)
        print_summary(&answer.counts);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"arch", 0, TOOL_TARGET, TOOL_AT(arch), "Target, such as sm_80 (PTX: its own)", "NAME"},
    {"strict", 0, TOOL_FLAG, TOOL_AT(strict), "Count notes for the exit status", NULL},
    {"quiet", 'q', TOOL_FLAG, TOOL_AT(quiet), "Do not count skipped statements", NULL},
    {"format", 0, TOOL_STRING, TOOL_AT(format), "text, github, json or sarif", "FORMAT"},
    TOOL_OPTIONS_END};

const struct tool_command lint_command = {"FILE... | -", about, examples, rows, sizeof(struct options), 0, NULL, run};
/* clang-format on */
