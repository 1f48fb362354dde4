/* wsim rules: the rules that a refusal can name, what must hold, and where that comes from. */
#include "../common/names.h"
#include "../common/text.h"
#include "../common/tool.h"
#include "rules_print.h"

#include <fnmatch.h>
#include <string.h>

static const char about[] =
    "Lists the rules that wsim enforces. Every refusal names its rule (\"rule\" in JSON output,\n"
    "diag.rule in the library). Rule names look like area.object.problem. A PATTERN is a name,\n"
    "some of its words (mma, row.align, bounds), or a glob with * and ?. Without one, all rules\n"
    "are listed. Status syntax, illegal, operand, align, bounds and memory end a command with\n"
    "exit status 2, unmodelled with 3; ok marks advice, which refuses nothing. The source is a\n"
    "section of the PTX ISA, the driver API, recordings of a GPU, the trace format, or wsim\n"
    "itself.\n";
static const char examples[] = "  wsim rules mma.metadata.undefined\n"
                               "  wsim rules mma 'wmma.*.align' --format csv\n";

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

int rules_next(const char *const *patterns, uint32_t *cursor, struct wsim_rule *rule) {
    while (wsim_rule_next(cursor, rule)) {
        if (!*patterns)
            return 1;
        for (const char *const *pattern = patterns; *pattern; pattern++)
            if (matches(rule->name, *pattern))
                return 1;
    }
    return 0;
}

static int refuse_pattern(const char *pattern) {
    unsigned best = UINT32_MAX;
    const char *name = "";
    struct wsim_rule rule;
    for (uint32_t cursor = 0; wsim_rule_next(&cursor, &rule);) {
        unsigned distance = name_distance(pattern, rule.name);
        if (distance < best) {
            best = distance;
            name = rule.name;
        }
    }
    if (best > strlen(name) / 2)
        return tool_error("no rule '%s' (wsim rules lists them)", text_cut(pattern).text);
    return tool_error("no rule '%s', nearest is %s (wsim rules lists them)", text_cut(pattern).text,
                      name);
}

/* Each pattern is of some rule. */
static int check_patterns(const char *const *patterns) {
    for (; *patterns; patterns++) {
        const char *const one[] = {*patterns, NULL};
        struct wsim_rule rule;
        uint32_t cursor = 0;
        if (!rules_next(one, &cursor, &rule))
            return refuse_pattern(*patterns);
    }
    return TOOL_GO;
}

static int run(struct tool *tool) {
    int status = check_patterns(tool->args);
    return status == TOOL_GO ? rules_print(tool->args, tool->format) : status;
}

/* clang-format off */
const struct tool_command rules_command = {
    "[PATTERN...]", about, examples, NULL, 0, TOOL_TEXT | TOOL_JSON | TOOL_CSV | TOOL_MARKDOWN, NULL, run};
/* clang-format on */
