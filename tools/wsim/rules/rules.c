/* wsim rules: the rules that a refusal can name, what must hold, and where that comes from. */
#include "../common/doc.h"
#include "../common/names.h"
#include "../common/text.h"

#include <fnmatch.h>
#include <string.h>
#include <wsim/harness/lint.h>

static const char about[] =
    "Lists the rules that wsim enforces. Every refusal names its rule (\"rule\" in JSON output,\n"
    "diag.rule in the library). Rule names look like area.object.problem. A PATTERN is a name,\n"
    "some of its words (mma, row.align, bounds), a glob with * and ?, or a status. Without one,\n"
    "all rules are listed. Status syntax, illegal, operand, align, bounds and memory end with\n"
    "exit status 2, unmodelled with 3; ok marks advice, which refuses nothing. Rules of wsim "
    "check\n"
    "are last, with error, warning or note and what to write instead. The source is a section of\n"
    "the PTX ISA, a manual, the driver API, recordings of a GPU, the trace format, or wsim "
    "itself.\n";
static const char examples[] = "  wsim why --rules unmodelled\n"
                               "  wsim why --rules mma 'wmma.*.align' --format csv\n";

/* A rule of the library or of lint. */
struct row {
    const char *name, *status, *meaning, *source, *help; /* help: "" of the library */
};

struct cursor {
    uint32_t library, lint;
};

static int row_next(struct cursor *cursor, struct row *row) {
    struct wsim_rule rule;
    struct wsim_lint_rule lint;
    if (wsim_rule_next(&cursor->library, &rule)) {
        *row =
            (struct row){rule.name, wsim_status_name(rule.status), rule.meaning, rule.source, ""};
        return 1;
    }
    if (!wsim_lint_rule_next(&cursor->lint, &lint))
        return 0;
    *row = (struct row){lint.name, wsim_lint_severity_name(lint.severity), lint.meaning,
                        lint.source, lint.help};
    return 1;
}

/* Whether `words` are words of the name: "row.align" of "matrix.row.align", not of "row.aligned".
 */
static int has_words(const char *name, const char *words) {
    size_t n = strlen(words);
    for (const char *at = strstr(name, words); n && at; at = strstr(at + 1, words))
        if ((at == name || at[-1] == '.') && (at[n] == '.' || at[n] == '\0'))
            return 1;
    return 0;
}

static int matches(const char *name, const char *pattern) {
    if (strpbrk(pattern, "*?["))
        return fnmatch(pattern, name, 0) == 0;
    return has_words(name, pattern);
}

/* Steps through the rules that match one of the patterns, or, without any, through all rules. */
static int rules_next(const char *const *patterns, struct cursor *cursor, struct row *rule) {
    while (row_next(cursor, rule)) {
        if (!*patterns)
            return 1;
        for (const char *const *pattern = patterns; *pattern; pattern++)
            if (matches(rule->name, *pattern) || strcmp(rule->status, *pattern) == 0)
                return 1;
    }
    return 0;
}

static int refuse_pattern(const char *pattern) {
    unsigned best = UINT32_MAX;
    const char *name = "";
    struct row rule;
    for (struct cursor cursor = {0, 0}; row_next(&cursor, &rule);) {
        unsigned distance = name_distance(pattern, rule.name);
        if (distance < best) {
            best = distance;
            name = rule.name;
        }
    }
    if (best > strlen(name) / 2)
        return tool_error("no rule '%s' (wsim why --rules lists them)", text_cut(pattern).text);
    return tool_error("no rule '%s', nearest is %s (wsim why --rules lists them)",
                      text_cut(pattern).text, name);
}

/* Each pattern is of some rule. */
static int check_patterns(const char *const *patterns) {
    for (; *patterns; patterns++) {
        const char *const one[] = {*patterns, NULL};
        struct row rule;
        struct cursor cursor = {0, 0};
        if (!rules_next(one, &cursor, &rule))
            return refuse_pattern(*patterns);
    }
    return TOOL_GO;
}

static void add_rules(struct doc *doc, const char *const *patterns) {
    static const struct doc_column columns[] = {{"name", "rule", 0},
                                                {"status", "status", DOC_LEFT},
                                                {"meaning", "meaning", DOC_LEFT},
                                                {"source", "source", DOC_LEFT},
                                                {NULL, NULL, 0}};
    struct row rule;
    doc_only(doc, DOC_PAGES | TOOL_CSV);
    doc_table(doc, "rules", columns);
    for (struct cursor cursor = {0, 0}; rules_next(patterns, &cursor, &rule);)
        doc_row_of(doc, "ssss", rule.name, rule.status, rule.meaning, rule.source);
    doc_leave(doc);
    doc_only(doc, TOOL_TEXT);
    for (struct cursor cursor = {0, 0}; rules_next(patterns, &cursor, &rule);) {
        doc_line(doc, "%s: %s", rule.name, rule.status);
        doc_line(doc, "  %s [%s]", rule.meaning, rule.source);
        if (*rule.help)
            doc_line(doc, "  %s", rule.help);
    }
}

static int run(struct tool *tool) {
    struct doc *doc;
    int status = check_patterns(tool->args);
    if (status != TOOL_GO)
        return status;
    doc = doc_open(tool->format, "wsim.rules");
    doc_title(doc, "Rules");
    doc_only(doc, DOC_PAGES);
    doc_line(
        doc,
        "The rules that wsim enforces, from sim/base/rule.def. Every refusal names its rule "
        "(diag.rule, \"rule\" in JSON) with the value and the nearest legal choice; "
        "tests/reject provokes each rule. Status ok is advice: nothing is refused. Rules of wsim "
        "check (harness/lint/rule.def) are last: error, warning or note. "
        "wsim why --rules --format md prints this page.");
    add_rules(doc, tool->args);
    return doc_close(doc, status);
}

/* clang-format off */
const struct tool_command rules_command = {
    "[PATTERN...]", about, examples, NULL, 0, TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
