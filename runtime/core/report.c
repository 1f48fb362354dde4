/* The report of the process: launches by kernel, findings of all launches, functions that are not
 * there. Equal findings of several launches are one. */
#define _GNU_SOURCE
#include "state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct kernel_counts {
    struct kernel_counts *next;
    char *name;
    uint64_t launches, blocks, instructions, mistakes;
};

struct finding {
    struct finding *next;
    char *rule, *text, *kernel, *file;
    uint32_t line, ptx_line;
    uint64_t count, launches;
    uint8_t fatal, note;
};

/* --- collection --- */

static struct kernel_counts *counts_of(const char *name) {
    struct kernel_counts **at = &core.report.kernels;
    while (*at && strcmp((*at)->name, name) != 0)
        at = &(*at)->next;
    if (!*at && (*at = calloc(1, sizeof **at)) != NULL && !((*at)->name = strdup(name))) {
        free(*at);
        *at = NULL;
    }
    return *at;
}

static char *copy(const char *text) {
    return strdup(text ? text : "");
}

static int is_same(const struct finding *known, const struct wsim_finding *finding) {
    return strcmp(known->rule, finding->rule) == 0 && known->line == finding->line &&
           known->ptx_line == finding->ptx_line &&
           strcmp(known->kernel, finding->kernel ? finding->kernel : "") == 0;
}

static void take_finding(const struct wsim_finding *finding) {
    struct finding *known = core.report.findings;
    while (known && !is_same(known, finding))
        known = known->next;
    if (!known) {
        known = calloc(1, sizeof *known);
        if (!known)
            return;
        known->rule = copy(finding->rule);
        known->text = copy(finding->text);
        known->kernel = copy(finding->kernel);
        known->file = copy(finding->file);
        known->line = finding->line;
        known->ptx_line = finding->ptx_line;
        known->fatal = finding->fatal;
        known->note = finding->severity == WSIM_SEVERITY_NOTE;
        *core.report.last_finding = known;
        core.report.last_finding = &known->next;
        core.report.notes += known->note;
        core.report.mistakes += !known->note;
    }
    known->count += finding->count;
    known->launches++;
}

void report_take(const struct wsimrt_function *function, const struct wsim_report *report) {
    struct kernel_counts *counts;
    struct wsim_totals totals;
    struct wsim_finding finding;
    core.report.launches++;
    if (!function->wanted)
        return;
    counts = counts_of(function->info.name);
    wsim_report_totals(report, &totals);
    if (counts) {
        counts->launches++;
        counts->blocks += totals.blocks;
        counts->instructions += totals.instructions;
        counts->mistakes += totals.findings;
    }
    for (size_t i = 0; wsim_report_finding(report, i, &finding); i++)
        take_finding(&finding);
}

int report_missing(const char *function) {
    struct missing **at = &core.report.missing;
    while (*at && strcmp((*at)->function, function) != 0)
        at = &(*at)->next;
    if (*at) {
        (*at)->calls++;
        return 0;
    }
    *at = calloc(1, sizeof **at);
    if (*at)
        **at = (struct missing){NULL, strdup(function), 1};
    return 1;
}

/* --- printing --- */

static void print_place(FILE *out, const struct finding *finding) {
    if (finding->line)
        fprintf(out, "%s:%u: ", finding->file, (unsigned)finding->line);
    else
        fprintf(out, "%s, PTX line %u: ", finding->kernel, (unsigned)finding->ptx_line);
}

static void print_finding(FILE *out, const struct finding *finding) {
    fputs("wsim: ", out);
    print_place(out, finding);
    fprintf(out, "%s: %s [%s]",
            finding->note    ? "note"
            : finding->fatal ? "error"
                             : "warning",
            finding->text, finding->rule);
    if (finding->count > 1)
        fprintf(out, " (%llu times", (unsigned long long)finding->count);
    if (finding->count > 1 && finding->launches > 1)
        fprintf(out, " in %llu launches", (unsigned long long)finding->launches);
    fputs(finding->count > 1 ? ")\n" : "\n", out);
}

static void print_text(FILE *out) {
    const struct report *report = &core.report;
    if (core.settings.report == REPORT_TEXT && !report->mistakes && !report->missing)
        return;
    for (const struct finding *at = report->findings; at; at = at->next)
        print_finding(out, at);
    fprintf(out, "wsim: %llu launches, %llu findings, %llu notes\n",
            (unsigned long long)report->launches, (unsigned long long)report->mistakes,
            (unsigned long long)report->notes);
    for (const struct kernel_counts *at = report->kernels; at; at = at->next)
        fprintf(out, "wsim:   %s: %llu launches, %llu blocks, %llu warp instructions\n", at->name,
                (unsigned long long)at->launches, (unsigned long long)at->blocks,
                (unsigned long long)at->instructions);
    for (const struct missing *at = report->missing; at; at = at->next)
        fprintf(out, "wsim: missing: %s, called %llu times\n", at->function,
                (unsigned long long)at->calls);
}

static void print_string(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void print_member(FILE *out, const char *name, const char *text) {
    fprintf(out, ", \"%s\": ", name);
    print_string(out, text);
}

static void print_json(FILE *out) {
    const struct report *report = &core.report;
    fprintf(out, "{\"process\": %ld, \"launches\": %llu, \"mistakes\": %llu, \"notes\": %llu",
            (long)getpid(), (unsigned long long)report->launches,
            (unsigned long long)report->mistakes, (unsigned long long)report->notes);
    fputs(", \"kernels\": [", out);
    for (const struct kernel_counts *at = report->kernels; at; at = at->next) {
        fprintf(out,
                "{\"launches\": %llu, \"blocks\": %llu, \"instructions\": %llu, \"findings\": %llu",
                (unsigned long long)at->launches, (unsigned long long)at->blocks,
                (unsigned long long)at->instructions, (unsigned long long)at->mistakes);
        print_member(out, "kernel", at->name);
        fputs(at->next ? "}, " : "}", out);
    }
    fputs("], \"findings\": [", out);
    for (const struct finding *at = report->findings; at; at = at->next) {
        fprintf(out,
                "{\"line\": %u, \"ptx_line\": %u, \"count\": %llu, \"launches\": %llu, "
                "\"fatal\": %s, \"note\": %s",
                (unsigned)at->line, (unsigned)at->ptx_line, (unsigned long long)at->count,
                (unsigned long long)at->launches, at->fatal ? "true" : "false",
                at->note ? "true" : "false");
        print_member(out, "rule", at->rule);
        print_member(out, "text", at->text);
        print_member(out, "kernel", at->kernel);
        print_member(out, "file", at->file);
        fputs(at->next ? "}, " : "}", out);
    }
    fputs("], \"missing\": [", out);
    for (const struct missing *at = report->missing; at; at = at->next) {
        fprintf(out, "{\"calls\": %llu", (unsigned long long)at->calls);
        print_member(out, "function", at->function);
        fputs(at->next ? "}, " : "}", out);
    }
    fputs("]}\n", out);
}

/* The file of the report: %p in its name is the process number. */
static FILE *open_file(const char *name) {
    char path[3072];
    size_t used = 0;
    for (; *name && used + 24 < sizeof path; name++)
        if (name[0] == '%' && name[1] == 'p')
            used += (size_t)snprintf(path + used, sizeof path - used, "%ld", (long)getpid()),
                name++;
        else
            path[used++] = *name;
    if (*name) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    path[used] = '\0';
    return fopen(path, "ae");
}

void report_print(void) {
    FILE *out = stderr;
    if (core.settings.report == REPORT_NONE)
        return;
    if (core.settings.report_file) {
        out = open_file(core.settings.report_file);
        if (!out) {
            wsimrt_say("%s: %s", core.settings.report_file, strerror(errno));
            return;
        }
    }
    if (core.settings.report == REPORT_JSON)
        print_json(out);
    else
        print_text(out);
    if (out != stderr)
        fclose(out);
    else
        fflush(out);
}

int wsimrt_unsupported(const char *function) {
    int first;
    pthread_mutex_lock(&core.lock);
    first = report_missing(function);
    pthread_mutex_unlock(&core.lock);
    if (first)
        wsimrt_say("%s is not there yet: it returns the error \"operation not supported\"",
                   function);
    return WSIMRT_NOT_SUPPORTED;
}
