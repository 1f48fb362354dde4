/* The report of the process: launches by kernel, findings of all launches and calls, functions that
 * are not there. */
#define _GNU_SOURCE
#include "report.h"
#include "elf_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text) {
    return strdup(text ? text : "");
}

/* --- kernels --- */

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

/* The cost of a line, which is at *at or behind it; NULL: no memory. */
static struct line_cost *line_of(struct kernel_counts *counts, size_t *at,
                                 const struct wsim_line *line) {
    struct line_cost *new;
    while (*at < counts->n_lines && counts->lines[*at].id < line->id)
        ++*at;
    if (*at < counts->n_lines && counts->lines[*at].id == line->id)
        return &counts->lines[*at];
    if (counts->n_lines == counts->room) {
        const size_t room = counts->room ? 2 * counts->room : 64;
        struct line_cost *grown = realloc(counts->lines, room * sizeof *grown);
        if (!grown)
            return NULL;
        counts->lines = grown;
        counts->room = room;
    }
    new = &counts->lines[*at];
    memmove(new + 1, new, (counts->n_lines++ - *at) * sizeof *new);
    *new = (struct line_cost){.file = line->file ? copy(line->file) : NULL,
                              .opcode = copy(line->opcode),
                              .id = line->id,
                              .line = line->line,
                              .ptx_line = line->ptx_line};
    return new;
}

static void take_lines(struct kernel_counts *counts, const struct wsim_report *report) {
    struct wsim_line line;
    size_t at = 0;
    for (size_t i = 0; wsim_report_line(report, i, &line); i++) {
        struct line_cost *cost;
        if (at && counts->lines[at - 1].id >= line.id)
            at = 0;
        cost = line_of(counts, &at, &line);
        if (!cost)
            return;
        cost->executed += line.executed;
        cost->wavefronts += line.shared.wavefronts;
        cost->wavefronts_ideal += line.shared.ideal;
        cost->sectors += line.sectors;
        cost->sectors_ideal += line.sectors_ideal;
    }
}

/* --- findings --- */

static void add_finding(struct finding *finding, const struct finding *cause) {
    finding->number = (uint32_t)++core.report.found;
    finding->cause = cause ? cause->number : 0;
    suppress_judge(finding, cause);
    *core.report.last_finding = finding;
    core.report.last_finding = &finding->next;
    core.report.changed = 1;
    if (finding->suppressed) {
        core.report.suppressed += !cause || !cause->suppressed;
        return;
    }
    core.report.notes += finding->note;
    core.report.mistakes +=
        !finding->note && !finding->later && (!cause || cause->note || cause->suppressed);
}

static int is_same(const struct finding *known, const struct wsim_finding *finding) {
    return !known->meaning && strcmp(known->rule, finding->rule) == 0 &&
           known->line == finding->line && known->ptx_line == finding->ptx_line &&
           known->other_ptx_line == finding->other_ptx_line &&
           strcmp(known->kernel, finding->kernel ? finding->kernel : "") == 0;
}

/* --- buffers --- */

/* "parameter out", or "parameter 1 of 2" where nvcc made the name. */
static char *param_of(const struct wsimrt_function *function, size_t index,
                      const struct wsim_kernel_param *param, uint64_t inside) {
    const size_t n = strlen(function->info.name);
    char plus[32] = "", *text = NULL;
    int made;
    if (inside)
        snprintf(plus, sizeof plus, "+%llu", (unsigned long long)inside);
    made = strncmp(param->name, function->info.name, n) == 0 &&
                   strncmp(param->name + n, "_param_", 7) == 0
               ? asprintf(&text, "parameter %zu of %zu%s", index + 1, function->info.params, plus)
               : asprintf(&text, "parameter %s%s", param->name, plus);
    return made < 0 ? NULL : text;
}

/* The first parameter whose bytes are an address of the buffer. */
static void find_param(struct buffer *buffer, uint64_t base, const struct wsimrt_function *function,
                       const struct wsim_launch *launch) {
    struct wsim_kernel_param param;
    for (size_t i = 0; wsim_kernel_param_at(function->kernel, i, &param); i++)
        for (uint64_t at = 0; at + 8 <= param.bytes; at += 8) {
            uint64_t value;
            memcpy(&value, (const char *)launch->params + param.offset + at, sizeof value);
            if (value - base >= buffer->bytes)
                continue;
            buffer->param = param_of(function, i, &param, at);
            buffer->at = value - base;
            return;
        }
}

/* function: whose parameters may point to it; NULL: none. */
static struct buffer *buffer_of(const struct allocation *from,
                                const struct wsimrt_function *function,
                                const struct wsim_launch *launch) {
    struct buffer *buffer = from ? calloc(1, sizeof *buffer) : NULL;
    if (!buffer)
        return NULL;
    *buffer = (struct buffer){.number = from->number,
                              .bytes = from->bytes,
                              .kind = memory_word(from),
                              .object = from->caller.object ? copy(from->caller.object) : NULL,
                              .function = elf_function(&from->caller),
                              .offset = from->caller.offset,
                              .outer = from->caller.outer};
    if (function)
        find_param(buffer, from->base, function, launch);
    return buffer;
}

/* The buffer that a text names, or that its address was in before it was freed. */
static const struct allocation *named_in(const char *text) {
    const char *name = strstr(text, "'buffer ");
    return name ? memory_numbered(strtoull(name + strlen("'buffer "), NULL, 10)) : NULL;
}

/* The address that a text of rule memory.bounds says, as a number or by a neighbour; 0: none. */
static uint64_t address_in(const char *text) {
    static const char past[] = " past the end of '", before[] = " before '";
    const struct allocation *const named = named_in(text);
    const char *const at = strstr(text, "0x"), *const far = strstr(text, " of global memory, ");
    const uint64_t distance = far ? strtoull(far + strlen(" of global memory, "), NULL, 10) : 0;
    if (at)
        return strtoull(at, NULL, 16);
    if (!named || !far)
        return 0;
    return strstr(far, past)     ? named->base + named->bytes + distance
           : strstr(far, before) ? named->base - distance
                                 : 0;
}

/* The length of "reads 4 bytes" at its beginning. */
static int words_of(const char *text) {
    const char *end = strstr(text, " byte");
    end = end ? end + strlen(" byte") : text;
    return (int)(end - text) + (*end == 's');
}

/* Whether the host has memory at an address. */
static int is_of_host(uint64_t address) {
    char byte;
    return address - core.memory.arena >= core.memory.arena_end - core.memory.arena &&
           memory_peek(&byte, address, 1);
}

/* Says that an access missed freed memory, memory without access, or that of the host. *where is
 * the buffer of the text. */
static char *text_of(const struct wsim_finding *finding, const struct allocation **where) {
    const uint64_t address =
        strncmp(finding->rule, "memory.", 7) == 0 ? address_in(finding->text) : 0;
    const struct allocation *freed = NULL;
    const char *rest = strchr(finding->text, ';');
    char *text;
    const struct allocation *const found = address ? memory_find(address, 1) : NULL;
    *where = named_in(finding->text);
    if (found && memory_is_away(found) &&
        asprintf(&text, "%s; it is memory of a host pool that no device has access to",
                 finding->text) >= 0) {
        *where = found;
        return text;
    }
    if (address && !found)
        freed = memory_freed(address);
    if (address && !found && !freed && strstr(finding->text, " is in no buffer") &&
        is_of_host(address) &&
        asprintf(&text,
                 "%.*s of memory of the host, which no device has access to: cudaMalloc, "
                 "cudaMallocManaged and cudaHostRegister give it%s",
                 words_of(finding->text), finding->text, rest ? rest : "") >= 0)
        return text;
    if (!freed || asprintf(&text, "%.*s at byte %llu of 'buffer %llu', which is freed%s",
                           words_of(finding->text), finding->text,
                           (unsigned long long)(address - freed->base),
                           (unsigned long long)freed->number, rest ? rest : "") < 0)
        return copy(finding->text);
    *where = freed;
    return text;
}

/* --- findings of kernels --- */

/* A launch whose report is taken. */
struct taken {
    const struct wsimrt_function *function;
    const struct wsim_launch *launch;
    const struct wsim_report *report;
    uint64_t suppressed; /* occurrences of mistakes that are left out */
};

/* The instruction of a finding without a line of the source: what a fingerprint is made of. */
static const char *opcode_of(const struct wsim_report *report, uint32_t ptx_line) {
    struct wsim_line line;
    for (size_t i = 0; ptx_line && wsim_report_line(report, i, &line); i++)
        if (line.ptx_line == ptx_line)
            return line.opcode;
    return NULL;
}

/* The places where an instruction was inlined, from the inside out. */
static struct inlined *inlined_of(const struct wsim_report *report, uint32_t id) {
    struct inlined *first = NULL, **last = &first;
    const char *file, *function;
    uint32_t line;
    for (size_t i = 0; wsim_report_inlined(report, id, i, &file, &line, &function); i++) {
        struct inlined *one = calloc(1, sizeof *one);
        if (!one)
            break;
        *one = (struct inlined){NULL, copy(file), copy(function), line};
        *last = one;
        last = &one->next;
    }
    return first;
}

static struct finding *take_finding(struct taken *taken, const struct wsim_finding *finding,
                                    struct finding *cause) {
    struct finding *known = core.report.findings;
    const struct allocation *where;
    while (known && !is_same(known, finding))
        known = known->next;
    if (!known) {
        known = calloc(1, sizeof *known);
        if (!known)
            return NULL;
        known->rule = copy(finding->rule);
        known->text = text_of(finding, &where);
        known->buffer = buffer_of(where, taken->function, taken->launch);
        known->kernel = copy(finding->kernel);
        known->file = copy(finding->file);
        known->other_file = copy(finding->other_file);
        known->line = finding->line;
        known->ptx_line = finding->ptx_line;
        known->other_line = finding->other_line;
        known->other_ptx_line = finding->other_ptx_line;
        known->inlined = inlined_of(taken->report, finding->id);
        known->other_inlined = inlined_of(taken->report, finding->other_id);
        memcpy(known->block, finding->block, sizeof known->block);
        memcpy(known->thread, finding->thread, sizeof known->thread);
        known->addresses = finding->addresses;
        known->blocks = finding->blocks;
        known->fatal = finding->fatal;
        known->note = finding->severity == WSIM_SEVERITY_NOTE;
        known->fingerprint =
            wsim_suppress_fingerprint(finding->rule, opcode_of(taken->report, finding->ptx_line),
                                      opcode_of(taken->report, finding->other_ptx_line));
        add_finding(known, cause);
    }
    known->count += finding->count;
    known->launches++;
    taken->suppressed += known->suppressed && !known->note ? finding->count : 0;
    return known;
}

/* The findings of a launch; those that another one explains follow it. */
static void take_findings(struct taken *taken) {
    struct wsim_finding finding;
    struct finding *cause = NULL, *known;
    uint32_t number = 0;
    for (size_t i = 0; wsim_report_finding(taken->report, i, &finding); i++) {
        known =
            take_finding(taken, &finding, finding.cause && finding.cause == number ? cause : NULL);
        if (!finding.cause)
            cause = known, number = (uint32_t)i + 1;
    }
}

/* --- findings of calls --- */

/* A rule of calls. */
static struct wsim_lint_rule rule_of(enum api_rule rule) {
    static const char *const names[API_RULES] = {[API_FREED] = "api.freed",
                                                 [API_HOST] = "api.host",
                                                 [API_LEAK] = "api.leak",
                                                 [API_STREAMS] = "api.streams",
                                                 [API_UNCHECKED] = "api.unchecked"};
    struct wsim_lint_rule out;
    for (uint32_t cursor = 0; wsim_lint_rule_next(&cursor, &out);)
        if (strcmp(out.name, names[rule]) == 0)
            return out;
    return (struct wsim_lint_rule){.name = names[rule], .meaning = ""};
}

static void call_of(enum api_rule number, const struct caller *caller, const struct caller *other,
                    const char *format, va_list values) {
    const struct wsim_lint_rule rule = rule_of(number);
    struct finding *known = core.report.findings;
    const char *object = caller->object ? caller->object : "";
    if (!(core.settings.checks & CHECK_API))
        return;
    while (known && !(known->meaning == rule.meaning && known->offset == caller->offset &&
                      known->outer == caller->outer && strcmp(known->object, object) == 0))
        known = known->next;
    if (known) {
        known->count++;
        return;
    }
    known = calloc(1, sizeof *known);
    if (!known)
        return;
    if (vasprintf(&known->text, format, values) < 0)
        known->text = copy(NULL);
    known->buffer = buffer_of(named_in(known->text), NULL, NULL);
    known->meaning = rule.meaning;
    known->note =
        number == API_LEAK ? !(core.settings.checks & CHECK_LEAK) : rule.severity == WSIM_LINT_NOTE;
    known->rule = copy(rule.name);
    known->kernel = copy(NULL);
    known->file = copy(NULL);
    known->other_file = copy(NULL);
    known->object = copy(object);
    known->function = elf_function(caller);
    known->offset = caller->offset;
    known->outer = caller->outer;
    memcpy(known->further, caller->further, sizeof known->further);
    known->other_object = copy(other ? other->object : NULL);
    known->other_offset = other ? other->offset : 0;
    if (other)
        memcpy(known->other_further, other->further, sizeof known->other_further);
    known->count = 1;
    known->fingerprint = wsim_suppress_fingerprint(rule.name, known->function, NULL);
    add_finding(known, NULL);
    record_write(0);
}

void report_call(enum api_rule rule, const struct caller *caller, const char *format, ...) {
    va_list values;
    va_start(values, format);
    call_of(rule, caller, NULL, format, values);
    va_end(values);
}

void report_pair(enum api_rule rule, const struct caller *caller, const struct caller *other,
                 const char *format, ...) {
    va_list values;
    va_start(values, format);
    call_of(rule, caller, other, format, values);
    va_end(values);
}

/* --- launches and calls --- */

/* Whether ptxas may count other accesses of shared memory than the PTX has. */
static int is_predicted(const struct wsim_totals *totals) {
    return totals->ld.accesses != totals->ld_written.accesses ||
           totals->st.accesses != totals->st_written.accesses || totals->unrolls;
}

void report_running(const char *kernel, int goes_on) {
    if (goes_on ? core.report.running != NULL : core.report.running != kernel)
        return;
    core.report.running = goes_on ? kernel : NULL;
    core.report.changed = 1;
    record_write(0);
}

void report_take(const struct wsimrt_function *function, const struct wsim_launch *launch,
                 const struct wsim_report *report, int checked) {
    struct taken taken = {function, launch, report, 0};
    struct kernel_counts *counts;
    struct wsim_totals totals;
    core.report.launches++;
    if (!checked)
        return;
    take_findings(&taken);
    counts = counts_of(function->info.name);
    wsim_report_totals(report, &totals);
    if (counts) {
        counts->launches++;
        counts->blocks += totals.blocks;
        counts->instructions += totals.instructions;
        if (function->info.assembled)
            counts->assembled += totals.ld.accesses + totals.st.accesses > 0;
        else
            counts->predicted += is_predicted(&totals);
        counts->mistakes += totals.findings - taken.suppressed;
        if (core.settings.lines)
            take_lines(counts, report);
    }
    record_write(0);
}

/* Counts a call of a function that is not there. 1: the first one. */
static int report_missing(const char *function) {
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
    core.report.changed = 1;
    return 1;
}

void report_lack(const char *what, const char *text) {
    struct lack **at = &core.report.lacks;
    while (*at && (strcmp((*at)->what, what) != 0 || strcmp((*at)->text, text) != 0))
        at = &(*at)->next;
    if (!*at) {
        *at = calloc(1, sizeof **at);
        if (!*at)
            return;
        (*at)->what = strdup(what);
        (*at)->text = strdup(text);
        if (!(*at)->what || !(*at)->text) {
            free((*at)->what);
            free((*at)->text);
            free(*at);
            *at = NULL;
            return;
        }
    }
    (*at)->count++;
    core.report.changed = 1;
}

void report_forget(void) {
    core.report = (struct report){0};
    core.report.last_finding = &core.report.findings;
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
