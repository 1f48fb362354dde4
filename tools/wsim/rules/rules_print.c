/* What wsim rules prints: a paragraph, a row or an object for each rule. */
#include "rules_print.h"
#include "../common/screen.h"

#include <string.h>

static void print_text(const char *const *patterns) {
    struct wsim_rule rule;
    for (uint32_t cursor = 0; rules_next(patterns, &cursor, &rule);) {
        char text[1024];
        snprintf(text, sizeof text, "%s [%s]", rule.meaning, rule.source);
        printf("%s: %s\n", rule.name, wsim_status_name(rule.status));
        screen_fold(2, "  %s", text);
    }
}

/* Sentences and sources have no double quotes in them. */
static void print_csv(const char *const *patterns) {
    struct wsim_rule rule;
    puts("name,status,meaning,source");
    for (uint32_t cursor = 0; rules_next(patterns, &cursor, &rule);)
        printf("%s,%s,\"%s\",\"%s\"\n", rule.name, wsim_status_name(rule.status), rule.meaning,
               rule.source);
}

static void print_json(const char *const *patterns) {
    json_t *list = json_array();
    struct wsim_rule rule;
    for (uint32_t cursor = 0; rules_next(patterns, &cursor, &rule);)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "name", rule.name, "status",
                                              wsim_status_name(rule.status), "meaning",
                                              rule.meaning, "source", rule.source));
    tool_print_json(
        json_pack("{s:s, s:i, s:o}", "schema", "wsim.rules", "version", 1, "rules", list));
}

static size_t room_length(const char *name) {
    return strcspn(name, ".");
}

static void print_markdown(const char *const *patterns) {
    struct wsim_rule rule;
    const char *room = "";
    puts("# Rules\n\n"
         "What wsim holds its callers to. This page is printed by `wsim rules --format markdown` "
         "out of\n"
         "`sim/base/rule.def`; a test compares, nobody edits it. Every refusal names its rule "
         "(`diag.rule`,\n"
         "`\"rule\"` in JSON output) beside the sentence with the value and the nearest legal "
         "choice, and\n"
         "`tests/reject` provokes each of them. Status `ok` is advice: nothing is refused.");
    for (uint32_t cursor = 0; rules_next(patterns, &cursor, &rule);) {
        size_t n = room_length(rule.name);
        if (n != room_length(room) || strncmp(room, rule.name, n) != 0)
            printf("\n## %.*s\n\n| rule | status | what must hold | source |\n"
                   "| --- | --- | --- | --- |\n",
                   (int)n, rule.name);
        printf("| `%s` | %s | %s | %s |\n", rule.name, wsim_status_name(rule.status), rule.meaning,
               rule.source);
        room = rule.name;
    }
}

int rules_print(const char *const *patterns, enum tool_format format) {
    if (format == TOOL_TEXT)
        print_text(patterns);
    else if (format == TOOL_CSV)
        print_csv(patterns);
    else if (format == TOOL_JSON)
        print_json(patterns);
    else
        print_markdown(patterns);
    return TOOL_FINE;
}
