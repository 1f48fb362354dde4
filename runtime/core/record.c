/* The report of a process, written: text for people, a record in JSON for `wsim run --merge`. */
#define _GNU_SOURCE
#include "look.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wsim/harness/picture.h>

typedef unsigned long long number;

/* --- text --- */

static void print_buffer(FILE *out, const struct buffer *buffer) {
    fprintf(out, "wsim:     buffer %llu: %llu bytes of %s memory", (number)buffer->number,
            (number)buffer->bytes, buffer->kind);
    if (buffer->object)
        fprintf(out, ", allocated by %s%s%s+0x%llx%s", buffer->function ? buffer->function : "",
                buffer->function ? " (" : "", buffer->object, (number)buffer->offset,
                buffer->function ? ")" : "");
    if (buffer->param)
        fprintf(out, ", %s at byte %llu", buffer->param, (number)buffer->at);
    fputc('\n', out);
}

static void print_finding(FILE *out, const struct finding *finding) {
    if (finding->suppressed)
        return;
    fputs(finding->cause ? "wsim:     explains: " : "wsim: ", out);
    if (finding->line)
        fprintf(out, "%s:%u: ", finding->file, (unsigned)finding->line);
    fprintf(out, "%s%s: %s\n", finding->note ? "note: " : "", finding->rule, finding->text);
    if (finding->meaning && *finding->object)
        fprintf(out, "wsim:     called by %s%s%s+0x%llx%s\n",
                finding->function ? finding->function : "", finding->function ? " (" : "",
                finding->object, (number)finding->offset, finding->function ? ")" : "");
    else if (!finding->meaning && !finding->cause)
        fprintf(out, "wsim:     kernel %s, block (%u,%u,%u), thread (%u,%u,%u), PTX line %u%s\n",
                finding->kernel, finding->block[0], finding->block[1], finding->block[2],
                finding->thread[0], finding->thread[1], finding->thread[2], finding->ptx_line,
                finding->fatal ? "; the launch ends here" : "");
    if (finding->buffer && !finding->cause)
        print_buffer(out, finding->buffer);
    if (finding->count > 1)
        fprintf(out, "wsim:     %llu times\n", (number)finding->count);
}

static void print_all(FILE *out) {
    const struct report *report = &core.report;
    const char *entry;
    for (const struct finding *at = report->findings; at; at = at->next)
        print_finding(out, at);
    for (const struct kernel_counts *at = report->kernels; at; at = at->next)
        fprintf(out, "wsim: %s: %llu launches, %llu blocks, %llu warp instructions\n", at->name,
                (number)at->launches, (number)at->blocks, (number)at->instructions);
    for (const struct missing *at = report->missing; at; at = at->next)
        fprintf(out, "wsim: %s is not there yet, called %llu times\n", at->function,
                (number)at->calls);
    for (const struct lack *at = report->lacks; at; at = at->next)
        fprintf(out, "wsim: not modelled: %s, %llu times: %s\n", at->what, (number)at->count,
                at->text);
    fprintf(out, "wsim: launches %llu findings %llu notes %llu", (number)report->launches,
            (number)report->mistakes, (number)report->notes);
    if (report->suppressed)
        fprintf(out, " ignored %llu", (number)report->suppressed);
    fputc('\n', out);
    for (size_t i = 0; core.settings.report == REPORT_ALWAYS && core.settings.suppress &&
                       (entry = wsim_suppress_unused(core.settings.suppress, i)) != NULL;
         i++)
        fprintf(out, "wsim: WSIM_IGNORE: %s leaves out no finding\n", entry);
}

/* Names of files are those of the program, with any character in them. */
static void print_text(FILE *out) {
    const struct report *report = &core.report;
    char *text = NULL;
    size_t size;
    FILE *memory;
    if (core.settings.report == REPORT_TEXT && !report->mistakes && !report->missing &&
        !report->lacks)
        return;
    memory = open_memstream(&text, &size);
    if (memory) {
        print_all(memory);
        fclose(memory);
    }
    if (text)
        fwrite(text, 1, core_mask(text), out);
    free(text);
}

/* --- JSON --- */

/* UTF-8 stays. Any other byte above 127 is one character, so that the text is JSON whatever it
 * holds. */
static void print_string(FILE *out, const char *name, const char *text) {
    fprintf(out, ", \"%s\": \"", name);
    while (*text) {
        const unsigned char c = (unsigned char)*text;
        const size_t shown = wsim_text_shown(text);
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (shown)
            fwrite(text, 1, shown, out);
        else
            fprintf(out, "\\u%04x", c);
        text += shown ? shown : 1;
    }
    fputc('"', out);
}

static void print_line(FILE *out, const struct line_cost *line) {
    fprintf(out,
            "{\"ptx_line\": %u, \"line\": %u, \"executed\": %llu, \"wavefronts\": %llu, "
            "\"wavefronts_ideal\": %llu, \"sectors\": %llu, \"sectors_ideal\": %llu",
            line->ptx_line, line->line, (number)line->executed, (number)line->wavefronts,
            (number)line->wavefronts_ideal, (number)line->sectors, (number)line->sectors_ideal);
    print_string(out, "opcode", line->opcode);
    if (line->file)
        print_string(out, "file", line->file);
    fputc('}', out);
}

static void print_kernel(FILE *out, const struct kernel_counts *kernel) {
    fprintf(out,
            "{\"launches\": %llu, \"blocks\": %llu, \"instructions\": %llu, \"findings\": %llu, "
            "\"predicted\": %llu, \"assembled\": %llu",
            (number)kernel->launches, (number)kernel->blocks, (number)kernel->instructions,
            (number)kernel->mistakes, (number)kernel->predicted, (number)kernel->assembled);
    print_string(out, "kernel", kernel->name);
    fputs(", \"lines\": [", out);
    for (size_t i = 0; i < kernel->n_lines; i++) {
        fputs(i ? ",\n    " : "", out);
        print_line(out, &kernel->lines[i]);
    }
    fputs("]}", out);
}

/* The buffer of a finding. The members are those of the finding, as for the places of calls. */
static void print_buffer_json(FILE *out, const struct buffer *buffer) {
    fprintf(out, ", \"buffer\": %llu, \"buffer_bytes\": %llu, \"buffer_at\": %llu",
            (number)buffer->number, (number)buffer->bytes, (number)buffer->at);
    print_string(out, "buffer_kind", buffer->kind);
    if (buffer->object) {
        print_string(out, "buffer_object", buffer->object);
        fprintf(out, ", \"buffer_offset\": %llu, \"buffer_outer\": %llu", (number)buffer->offset,
                (number)buffer->outer);
    }
    if (buffer->function)
        print_string(out, "buffer_function", buffer->function);
    if (buffer->param)
        print_string(out, "buffer_param", buffer->param);
}

static void print_inlined(FILE *out, const char *name, const struct inlined *at) {
    if (!at)
        return;
    fprintf(out, ", \"%s\": [", name);
    for (; at; at = at->next) {
        fprintf(out, "{\"line\": %u", at->line);
        print_string(out, "file", at->file);
        print_string(out, "function", at->function);
        fputs(at->next ? "}, " : "}]", out);
    }
}

static void print_further(FILE *out, const char *name, const uint64_t further[3]) {
    if (further[0])
        fprintf(out, ", \"%s\": [%llu, %llu, %llu]", name, (number)further[0], (number)further[1],
                (number)further[2]);
}

static void print_mistake(FILE *out, const struct finding *at) {
    fprintf(out,
            "{\"line\": %u, \"ptx_line\": %u, \"other_line\": %u, \"other_ptx_line\": %u, "
            "\"block\": [%u, %u, %u], \"thread\": [%u, %u, %u], \"addresses\": %u, \"blocks\": %u, "
            "\"count\": %llu, \"launches\": %llu, \"cause\": %u, \"fatal\": %s, \"note\": %s",
            at->line, at->ptx_line, at->other_line, at->other_ptx_line, at->block[0], at->block[1],
            at->block[2], at->thread[0], at->thread[1], at->thread[2], at->addresses, at->blocks,
            (number)at->count, (number)at->launches, at->cause, at->fatal ? "true" : "false",
            at->note ? "true" : "false");
    print_further(out, "further", at->further);
    print_further(out, "other_further", at->other_further);
    print_string(out, "rule", at->rule);
    print_string(out, "text", at->text);
    print_string(out, "kernel", at->kernel);
    print_string(out, "file", at->file);
    print_string(out, "other_file", at->other_file);
    print_inlined(out, "inlined_at", at->inlined);
    print_inlined(out, "other_inlined_at", at->other_inlined);
    fprintf(out, ", \"fingerprint\": \"%016llx\"", (number)at->fingerprint);
    if (at->suppressed) {
        fprintf(out, ", \"suppressed\": %u", at->suppressed);
        print_string(out, "reason", at->reason ? at->reason : "");
    }
    if (at->function)
        print_string(out, "function", at->function);
    if (at->buffer)
        print_buffer_json(out, at->buffer);
    if (at->meaning) {
        print_string(out, "meaning", at->meaning);
        print_string(out, "object", at->object);
        print_string(out, "other_object", at->other_object);
        fprintf(out, ", \"offset\": %llu, \"outer\": %llu, \"other_offset\": %llu",
                (number)at->offset, (number)at->outer, (number)at->other_offset);
    }
    fputc('}', out);
}

/* The program of the process; "": unknown. */
static void print_program(FILE *out) {
    char path[CORE_PATH];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    print_string(out, "program", path);
}

static void print_json(FILE *out, int whole) {
    const struct report *report = &core.report;
    fprintf(out, "{\"schema\": \"wsim.process\", \"version\": 1, \"process\": %ld, \"whole\": %s",
            (long)getpid(), whole ? "true" : "false");
    print_program(out);
    if (report->running && !whole)
        print_string(out, "running", report->running);
    print_string(out, "arch", core.settings.arch ? wsim_arch_name(core.settings.arch) : "");
    if (core.settings.wrong)
        fputs(", \"wrong\": true", out);
    fprintf(out, ", \"status\": %d", core.status);
    if (core.settings.shards)
        fprintf(out, ", \"shard\": %u, \"shards\": %u", core.settings.shard, core.settings.shards);
    fprintf(out, ", \"launches\": %llu, \"mistakes\": %llu, \"notes\": %llu,\n\"kernels\": [",
            (number)report->launches, (number)report->mistakes, (number)report->notes);
    for (const struct kernel_counts *at = report->kernels; at; at = at->next) {
        print_kernel(out, at);
        fputs(at->next ? ",\n" : "", out);
    }
    fputs("],\n\"findings\": [", out);
    for (const struct finding *at = report->findings; at; at = at->next) {
        print_mistake(out, at);
        fputs(at->next ? ",\n" : "", out);
    }
    fputs("],\n\"missing\": [", out);
    for (const struct missing *at = report->missing; at; at = at->next) {
        fprintf(out, "{\"calls\": %llu", (number)at->calls);
        print_string(out, "function", at->function);
        fputs(at->next ? "}, " : "}", out);
    }
    fputs("],\n\"lacks\": [", out);
    for (const struct lack *at = report->lacks; at; at = at->next) {
        fprintf(out, "{\"count\": %llu", (number)at->count);
        print_string(out, "what", at->what);
        print_string(out, "text", at->text);
        fputs(at->next ? "}, " : "}", out);
    }
    fputs("]", out);
    look_write(out);
    fputs("}\n", out);
}

/* --- files --- */

/* The file of the report: %p in its name is the process number. */
static FILE *open_file(const char *name) {
    char path[CORE_PATH];
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

/* Chooses the name of the record in the folder: that of no other process, also of other hosts. */
static int choose_name(char path[CORE_PATH]) {
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    for (char *at = host; *at; at++)
        *at = *at == '/' ? '_' : *at;
    for (unsigned i = 0; i < 10000; i++) {
        int file;
        if (snprintf(path, CORE_PATH, "%s/%s-%ld-%u.wsim.json", core.settings.report_folder, host,
                     (long)getpid(), i) >= CORE_PATH)
            break;
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0)
            return close(file), 1;
        if (errno != EEXIST)
            break;
    }
    wsimrt_say("%s: %s", path, strerror(errno));
    path[0] = '\0';
    return 0;
}

/* The record is written beside and renamed: a reader finds the last one or the new one, whole. */
static void write_record(int whole) {
    struct report *report = &core.report;
    char beside[CORE_PATH + 8];
    FILE *out;
    if (!report->path[0] && (report->failed || !choose_name(report->path))) {
        report->failed = 1;
        return;
    }
    snprintf(beside, sizeof beside, "%s.new", report->path);
    out = fopen(beside, "we");
    if (out) {
        print_json(out, whole);
        if (fclose(out) == 0 && rename(beside, report->path) == 0)
            return;
    }
    report->failed = 1;
    wsimrt_say("%s: %s", beside, strerror(errno));
    unlink(beside);
    if (whole) { /* another name needs no space, and says that the record is not whole */
        snprintf(beside, sizeof beside, "%s.lost", report->path);
        if (rename(report->path, beside))
            wsimrt_say("%s: %s", beside, strerror(errno));
    }
}

/* Before the end, only what a process that dies would lose is written, and seldom if it is much. */
static void write_so_far(void) {
    enum { OFTEN = 64 };
    struct report *report = &core.report;
    const uint64_t now = core_now();
    if (!core.settings.report_folder || report->failed ||
        ((!report->changed || report->mistakes + report->notes > OFTEN) &&
         now - report->written < 1000000000u))
        return;
    report->changed = 0;
    report->written = now;
    write_record(0);
}

void record_write(int whole) {
    FILE *out = stderr;
    if (!whole) {
        write_so_far();
        return;
    }
    if (core.settings.report_folder) {
        write_record(1);
        return;
    }
    if (core.settings.report == REPORT_NONE)
        return;
    if (core.settings.report_file) {
        out = open_file(core.settings.report_file);
        if (!out) {
            wsimrt_say("%s: %s", core.settings.report_file, strerror(errno));
            core.report.failed = 1;
            return;
        }
    }
    if (core.settings.report == REPORT_JSON)
        print_json(out, 1);
    else
        print_text(out);
    if (out != stderr)
        fclose(out);
    else
        fflush(out);
}
