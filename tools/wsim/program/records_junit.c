/* The report of a program as JUnit's XML, which CI servers show as tests. */
#include "records.h"
#include "../common/kernel_name.h"
#include "../common/members.h"
#include "../common/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The case of findings that are of no kernel. */
static const char calls[] = "calls of the runtime";

/* XML has no control characters. */
static void put(const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", stdout); break;
        case '<': fputs("&lt;", stdout); break;
        case '>': fputs("&gt;", stdout); break;
        case '"': fputs("&quot;", stdout); break;
        default: putchar((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text);
        }
}

static void put_attribute(const char *name, const char *text) {
    printf(" %s=\"", name);
    put(text);
    putchar('"');
}

static const char *case_of(const json_t *finding) {
    return *string(finding, "meaning") || !*string(finding, "kernel") ? calls
                                                                      : string(finding, "kernel");
}

/* Whether a finding is one of its own: no symptom, no note, not left out. */
static int is_failure(const struct records *records, const json_t *finding) {
    const json_int_t cause = number(finding, "cause");
    const json_t *first = cause ? json_array_get(records->findings, (size_t)cause - 1) : NULL;
    return !get(finding, "suppressed") && !json_is_true(get(finding, "note")) &&
           (!first || get(first, "suppressed") || json_is_true(get(first, "note")));
}

static void put_failure(const json_t *finding) {
    const char *file = string(finding, "file");
    char line[48] = "", *text = kernel_text(string(finding, "text"));
    printf("   <failure");
    put_attribute("type", string(finding, "rule"));
    put_attribute("message", text);
    putchar('>');
    if (*file && number(finding, "line")) {
        snprintf(line, sizeof line, ":%lld: ", (long long)number(finding, "line"));
        put(text_source(file).text);
        put(line);
    }
    put(string(finding, "rule"));
    put(": ");
    put(text);
    puts("</failure>");
    free(text);
}

/* Prints a case, or counts its failures. */
static int state_case(const struct records *records, const char *name, int prints) {
    json_t *one;
    size_t i;
    int failures = 0;
    if (prints) {
        printf("  <testcase classname=\"wsim\"");
        put_attribute("name", name == calls ? calls : kernel_name(name).text);
        puts(">");
    }
    json_array_foreach(records->findings, i, one) {
        if (strcmp(case_of(one), name) != 0 || !is_failure(records, one))
            continue;
        failures++;
        if (prints)
            put_failure(one);
    }
    if (prints)
        puts("  </testcase>");
    return failures > 0;
}

/* The names of all cases, each once. */
static json_t *list_cases(const struct records *records) {
    json_t *cases = json_object(), *one;
    size_t i;
    json_array_foreach(records->kernels, i, one)
        json_object_set_new(cases, string(one, "kernel"), json_true());
    json_array_foreach(records->findings, i, one) {
        if (case_of(one) != calls)
            json_object_set_new(cases, case_of(one), json_true());
    }
    return cases;
}

static void put_lacks(const struct records *records) {
    json_t *one;
    size_t i;
    json_array_foreach(records->lacks, i, one) {
        printf("  <testcase classname=\"wsim\"");
        put_attribute("name", kernel_name(string(one, "what")).text);
        printf(">\n   <error type=\"unmodelled\"");
        put_attribute("message", string(one, "text"));
        puts("/>\n  </testcase>");
    }
}

/* Whether the program did not end well, and no case says why. A part with findings ends with 1. */
static int has_end(const struct records *records, int others) {
    return *records->lost || (!others && records->status > (records->of ? TOOL_FOUND : TOOL_FINE));
}

static void put_end(const struct records *records) {
    const unsigned status = records->status;
    const char *kernel;
    json_t *unused;
    printf("  <testcase classname=\"wsim\" name=\"the program\">\n   <error type=\"status\" "
           "message=\"");
    if (*records->lost)
        printf("parts that are missing: %s (of %u)", records->lost, records->of);
    else
        printf(status < 128 ? "ended with status %u" : "ended by signal %u", status & 127);
    json_object_foreach(records->running, kernel, unused) {
        printf("; kernel ");
        put(kernel_name(kernel).text);
        printf(" was running");
    }
    puts("\"/>\n  </testcase>");
}

void records_junit(const struct records *records) {
    json_t *cases = list_cases(records), *unused;
    size_t errors = json_array_size(records->lacks);
    int failures = state_case(records, calls, 0), ends;
    const char *name;
    json_object_foreach(cases, name, unused) failures += state_case(records, name, 0);
    ends = has_end(records, failures || errors);
    errors += (size_t)ends;
    printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
           " <testsuite name=\"wsim run\" tests=\"%zu\" failures=\"%d\" errors=\"%zu\">\n",
           json_object_size(cases) + 1 + errors, failures, errors);
    json_object_foreach(cases, name, unused) state_case(records, name, 1);
    state_case(records, calls, 1);
    put_lacks(records);
    if (ends)
        put_end(records);
    puts(" </testsuite>\n</testsuites>");
    json_decref(cases);
}
