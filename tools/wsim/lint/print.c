/* Findings as text and for other programs; see print.h. */
#include "print.h"

#include "../common/memory.h"
#include "../common/names.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const formats[] = {"text", "github", "json", "sarif"};
enum { FORMATS = sizeof formats / sizeof formats[0] };

int lint_print_open(struct lint_print *print, const char *name) {
    *print = (struct lint_print){LINT_TEXT, NULL};
    for (unsigned i = 0; i < FORMATS; i++)
        if (!name || strcmp(name, formats[i]) == 0) {
            print->format = (enum lint_format)i;
            if (i == LINT_JSON || i == LINT_SARIF)
                print->results = json_array();
            return TOOL_GO;
        }
    return tool_error("--format '%s' is illegal here, it can be text, github, json or sarif%s",
                      text_cut(name).text, name_near(name, formats, FORMATS).text);
}

/* Workflow commands of GitHub escape the end of a line; their properties also ',' and ':'. */
static void put_escaped(const char *text, const char *also) {
    for (; *text; text++)
        if (strchr("%\r\n", *text) || strchr(also, *text))
            printf("%%%02X", (unsigned char)*text);
        else
            putchar(*text);
}

static void print_github(const char *name, const struct wsim_lint_finding *finding,
                         const char *text) {
    static const char *const commands[] = {"notice", "warning", "error"};
    printf("::%s file=", commands[finding->severity]);
    put_escaped(text_path(name).text, ":,");
    printf(",line=%lu,col=%lu,title=%s::", (unsigned long)finding->line,
           (unsigned long)finding->col, finding->rule);
    put_escaped(text, "");
    putchar('\n');
}

static json_t *json_of(const char *name, const struct wsim_lint_finding *finding) {
    return json_pack("{s:o,s:I,s:I,s:s,s:s,s:o}", "file", tool_json_text(name), "line",
                     (json_int_t)finding->line, "column", (json_int_t)finding->col, "severity",
                     wsim_lint_severity_name(finding->severity), "rule", finding->rule, "text",
                     tool_json_text(finding->text));
}

static json_t *sarif_of(const char *name, const struct wsim_lint_finding *finding) {
    json_t *region = json_pack("{s:I,s:I}", "startLine", (json_int_t)finding->line, "startColumn",
                               (json_int_t)finding->col);
    json_t *place = json_pack("{s:{s:{s:o},s:o}}", "physicalLocation", "artifactLocation", "uri",
                              tool_json_text(name), "region", region);
    return json_pack("{s:s,s:s,s:{s:o},s:[o]}", "ruleId", finding->rule, "level",
                     wsim_lint_severity_name(finding->severity), "message", "text",
                     tool_json_text(finding->text), "locations", place);
}

static void print_line(const struct lint_print *print, const char *name,
                       const struct wsim_lint_finding *finding) {
    char *text = memory_text(finding->text, strlen(finding->text));
    text_mask(text);
    if (print->format == LINT_GITHUB)
        print_github(name, finding, text);
    else
        printf("%s:%lu:%lu: %s: %s [%s]\n", text_path(name).text, (unsigned long)finding->line,
               (unsigned long)finding->col, wsim_lint_severity_name(finding->severity), text,
               finding->rule);
    free(text);
}

void lint_print_file(struct lint_print *print, const char *name, const struct wsim_lint *lint) {
    struct wsim_lint_finding finding;
    for (size_t i = 0; wsim_lint_at(lint, i, &finding); i++)
        if (print->results)
            json_array_append_new(print->results, print->format == LINT_JSON
                                                      ? json_of(name, &finding)
                                                      : sarif_of(name, &finding));
        else
            print_line(print, name, &finding);
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

void lint_print_close(struct lint_print *print) {
    if (print->format == LINT_JSON)
        tool_print_json(json_pack("{s:s,s:i,s:o}", "schema", "wsim.lint", "version", 1, "findings",
                                  print->results));
    if (print->format != LINT_SARIF)
        return;
    json_t *rules = sarif_rules(print->results);
    json_t *driver =
        json_pack("{s:s,s:s,s:o}", "name", "wsim lint", "version", wsim_version(), "rules", rules);
    json_t *run = json_pack("{s:{s:o},s:s,s:o}", "tool", "driver", driver, "columnKind",
                            "unicodeCodePoints", "results", print->results);
    tool_print_json(json_pack("{s:s,s:s,s:[o]}", "$schema",
                              "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                              "runs", run));
}
