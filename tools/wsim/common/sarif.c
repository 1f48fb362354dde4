/* Findings as SARIF; see sarif.h. Source: SARIF 2.1.0, OASIS. */
#include "sarif.h"

#include "memory.h"
#include "text.h"
#include "tool.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The manuals whose rules lint checks. */
static const char assembly[] = "https://docs.nvidia.com/cuda/inline-ptx-assembly/";
static const char ptx[] = "https://docs.nvidia.com/cuda/parallel-thread-execution/";

/* A path as a URI: other bytes than those of names become %XX. */
static json_t *uri_of(const char *path) {
    char *uri = memory_make(3 * strlen(path) + sizeof "file://", 1), *to = uri;
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    if (*path == '/')
        to += sprintf(to, "file://");
    for (; *path; path++)
        if (isalnum((unsigned char)*path) || strchr("/._-~", *path))
            *to++ = *path;
        else
            to += sprintf(to, "%%%02X", (unsigned char)*path);
    *to = '\0';
    json_t *text = json_string(uri);
    free(uri);
    return text;
}

/* A rule of lint or of the library. */
static struct wsim_lint_rule rule_of(const char *name) {
    struct wsim_lint_rule rule;
    struct wsim_rule other;
    for (uint32_t cursor = 0; wsim_lint_rule_next(&cursor, &rule);)
        if (strcmp(rule.name, name) == 0)
            return rule;
    rule = (struct wsim_lint_rule){name, WSIM_LINT_ERROR, "", "", ""};
    if (wsim_rule_find(name, &other)) {
        rule.meaning = rule.help = other.meaning;
        rule.source = other.source;
    }
    return rule;
}

static json_t *described(const struct sarif_finding *finding) {
    const char *name = finding->rule;
    const char *manual = strncmp(name, "asm.", 4) == 0 ? assembly : ptx;
    struct wsim_lint_rule rule = rule_of(name);
    json_t *row;
    if (finding->meaning && *finding->meaning)
        rule = (struct wsim_lint_rule){name, WSIM_LINT_ERROR, finding->meaning, finding->meaning,
                                       "wsim"};
    row = json_pack("{s:s,s:{s:s},s:{s:o},s:{s:s}}", "id", name, "shortDescription", "text",
                    rule.meaning, "help", "text",
                    json_sprintf("%s Source: %s.", rule.help, rule.source), "defaultConfiguration",
                    "level", wsim_lint_severity_name(rule.severity));
    if (strcmp(rule.source, "wsim") != 0)
        json_object_set_new(row, "helpUri", json_string(manual));
    return row;
}

/* The index of the rule in `rules`, to which it is added if necessary. */
static size_t index_of(json_t *rules, const struct sarif_finding *finding) {
    const json_t *rule;
    size_t i;
    json_array_foreach(rules, i, rule) if (strcmp(json_string_value(json_object_get(rule, "id")),
                                                  finding->rule) == 0) return i;
    json_array_append_new(rules, described(finding));
    return i;
}

/* A file needs a line; without one the result is at its beginning. */
static json_t *physical(const char *file, json_t *region) {
    return json_pack("{s:{s:{s:o},s:o}}", "physicalLocation", "artifactLocation", "uri",
                     uri_of(text_below(file)), "region", region);
}

static json_t *region_of(unsigned line) {
    return json_pack("{s:I}", "startLine", (json_int_t)(line + !line));
}

static json_t *place_of(const struct sarif_finding *finding) {
    json_t *region = region_of(finding->line);
    json_t *place;
    if (finding->col) {
        json_object_set_new(region, "startColumn", json_integer((json_int_t)finding->col));
        json_object_set_new(region, "endColumn", json_integer((json_int_t)finding->end_col));
    }
    place = physical(finding->file, region);
    if (finding->inside && *finding->inside)
        json_object_set_new(
            place, "logicalLocations",
            json_pack("[{s:o,s:s}]", "name", tool_json_text(finding->inside), "kind", "function"));
    return place;
}

static void add_other(json_t *result, const struct sarif_finding *finding) {
    json_t *place = physical(finding->other_file, region_of(finding->other_line));
    json_object_set_new(place, "message", json_pack("{s:s}", "text", finding->other));
    json_object_set_new(result, "relatedLocations", json_pack("[o]", place));
}

static void add_suppression(json_t *result, const struct sarif_finding *finding) {
    const int comment = finding->suppressed == WSIM_SUPPRESS_COMMENT;
    json_t *one = json_pack("{s:s}", "kind", comment ? "inSource" : "external");
    if (finding->suppressed == WSIM_SUPPRESS_KNOWN)
        json_object_set_new(one, "justification", json_string("in the baseline"));
    else if (comment && finding->reason && *finding->reason)
        json_object_set_new(one, "justification", tool_json_text(finding->reason));
    else if (!comment)
        json_object_set_new(one, "justification",
                            json_sprintf("--ignore %s", text_cut(finding->reason).text));
    json_object_set_new(result, "suppressions", json_pack("[o]", one));
}

void sarif_add(json_t *results, json_t *rules, const struct sarif_finding *finding) {
    json_t *result =
        json_pack("{s:s,s:I,s:s,s:{s:o},s:[o]}", "ruleId", finding->rule, "ruleIndex",
                  (json_int_t)index_of(rules, finding), "level", finding->level, "message", "text",
                  tool_json_text(finding->text), "locations", place_of(finding));
    if (finding->fingerprint)
        json_object_set_new(result, "partialFingerprints",
                            json_pack("{s:o}", "wsimStatement/v1",
                                      json_sprintf("%016" PRIx64, finding->fingerprint)));
    if (finding->program && *finding->program)
        json_object_set_new(result, "properties",
                            json_pack("{s:o}", "program", tool_json_text(finding->program)));
    if (finding->other_file && *finding->other_file)
        add_other(result, finding);
    if (finding->suppressed)
        add_suppression(result, finding);
    json_array_append_new(results, result);
}

const char *sarif_other(const char *rule) {
    return strncmp(rule, "init.", 5) == 0 ? "the use of the value" : "the other access";
}

void sarif_print(const char *command, json_t *results, json_t *rules) {
    json_t *driver =
        json_pack("{s:s,s:s,s:o}", "name", command, "version", wsim_version(), "rules", rules);
    json_t *run = json_pack("{s:{s:o},s:s,s:o}", "tool", "driver", driver, "columnKind",
                            "unicodeCodePoints", "results", results);
    tool_print_json(json_pack("{s:s,s:s,s:[o]}", "$schema",
                              "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                              "runs", run));
}
