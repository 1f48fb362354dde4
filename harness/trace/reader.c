/* The reader: separates header, comments and cases, and checks the header. Knows neither the
 * meaning of a case nor the source of the lines. */
#include "../../sim/base/base.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>

static const char *const keys[TRACE_KEYS] = {"gpu",       "arch", "driver", "toolkit",
                                             "generator", "seed", "date"};

struct wsim_trace *wsim_trace_new(const char *dir) {
    struct wsim_trace *trace = calloc(1, sizeof *trace);
    if (!trace || !dir)
        return trace;
    trace->dir = malloc(strlen(dir) + 1);
    if (!trace->dir) {
        free(trace);
        return NULL;
    }
    strcpy(trace->dir, dir);
    return trace;
}

/* The memories of a reader; NULL behind the last one. */
static const struct trace_bytes *memory_of(const struct wsim_trace *trace, unsigned number) {
    const struct trace_case *now = &trace->now;
    const struct trace_bytes *const all[] = {
        &now->smem,     &now->smem_after,  &now->global,        &now->written,       &now->smem_odd,
        &now->tmem[0],  &now->tmem[1],     &now->tmem_after[0], &now->tmem_after[1], &trace->work,
        &trace->global, &trace->tensor[0], &trace->tensor[1]};
    return number < sizeof all / sizeof all[0] ? all[number] : NULL;
}

/* Frees memory that is larger than the limit. */
static void let_go(struct wsim_trace *trace, size_t kept) {
    const struct trace_bytes *bytes;
    for (unsigned i = 0; (bytes = memory_of(trace, i)) != NULL; i++)
        if (bytes->room > kept)
            trace_bytes_free((struct trace_bytes *)(uintptr_t)bytes);
}

void wsim_trace_free(struct wsim_trace *trace) {
    if (!trace)
        return;
    let_go(trace, 0);
    for (int operand = 0; operand < WSIM_OPERANDS; operand++)
        free(trace->now.regs[operand].at);
    free(trace->d.at);
    free(trace->dir);
    free(trace);
}

size_t wsim_trace_memory(const struct wsim_trace *trace) {
    const struct trace_bytes *bytes;
    size_t size = 0;
    for (unsigned i = 0; (bytes = memory_of(trace, i)) != NULL; i++)
        size += bytes->room;
    return size;
}

static void forget(struct wsim_trace *trace) {
    trace->now.spelling[0] = '\0';
    trace->now.runs = RUN_NOTHING;
    trace->now.fields = 0;
}

void wsim_trace_drop(struct wsim_trace *trace) {
    forget(trace);
    let_go(trace, TRACE_BYTES_KEPT);
}

static int key_of(const char *key, size_t length) {
    int k;
    for (k = 0; k < TRACE_KEYS; k++)
        if (strlen(keys[k]) == length && memcmp(keys[k], key, length) == 0)
            return k;
    return -1;
}

const char *wsim_trace_header(const struct wsim_trace *trace, const char *key) {
    int k = key_of(key, strlen(key));
    return k >= 0 && trace->header[k][0] ? trace->header[k] : NULL;
}

const char *wsim_trace_spelling(const struct wsim_trace *trace) {
    return trace->now.spelling;
}

const struct wsim_op *wsim_trace_op(const struct wsim_trace *trace) {
    return trace->now.fields && trace->now.known == WSIM_OK ? &trace->now.op : NULL;
}

static enum wsim_status first_line(struct trace_span line, struct wsim_diag *diag) {
    static const char first[] = "#wsim-trace 1";
    size_t version = sizeof first - 2;
    if (line.length == sizeof first - 1 && memcmp(line.at, first, line.length) == 0)
        return WSIM_OK;
    if (line.length > version && memcmp(line.at, first, version) == 0)
        return base_refuse(diag, RULE_TRACE_HEADER_VERSION, (uint32_t)version + 1,
                           "trace version '%.*s' is not known; this reader knows version 1",
                           (int)(line.length - version < 20 ? line.length - version : 20),
                           line.at + version);
    return base_refuse(diag, RULE_TRACE_HEADER_FIRST, 1, "not a trace: the first line must be '%s'",
                       first);
}

/* A line that starts with '#': "#key: value" of a known key, or a comment. */
static enum wsim_status header_line(struct wsim_trace *trace, struct trace_span line,
                                    struct wsim_diag *diag) {
    const char *colon = memchr(line.at, ':', line.length);
    size_t start = colon ? (size_t)(colon - line.at) + 1 : 0;
    int k = colon ? key_of(line.at + 1, start - 2) : -1;
    if (line.length >= 11 && memcmp(line.at, "#wsim-trace", 11) == 0)
        return base_refuse(diag, RULE_TRACE_HEADER_SECOND, 1,
                           "a second trace begins here; files are read one by one");
    if (k < 0)
        return WSIM_OK;
    if (trace->header[k][0])
        return base_refuse(diag, RULE_TRACE_HEADER_DUPLICATE, 2, "header key '%s' is given twice",
                           keys[k]);
    while (start < line.length && line.at[start] == ' ')
        start++;
    if (start == line.length || line.length - start >= TRACE_KEY_MAX)
        return base_refuse(diag, RULE_TRACE_HEADER_VALUE, (uint32_t)start + 1,
                           "header key '%s' needs a value of 1 to %d bytes", keys[k],
                           TRACE_KEY_MAX - 1);
    memcpy(trace->header[k], line.at + start, line.length - start);
    trace->header[k][line.length - start] = '\0';
    if (strcmp(keys[k], "arch") == 0 && !(trace->arch = wsim_arch_find(trace->header[k])))
        return base_refuse(diag, RULE_TRACE_HEADER_ARCH, (uint32_t)start + 1,
                           "unknown architecture '%.40s'", trace->header[k]);
    return WSIM_OK;
}

static enum wsim_status case_line(struct wsim_trace *trace, struct trace_span line,
                                  struct wsim_diag *diag) {
    int k;
    for (k = 0; k < TRACE_KEYS; k++)
        if (!trace->header[k][0])
            return base_refuse(diag, RULE_TRACE_HEADER_MISSING, 1,
                               "the first case comes before the required header line '#%s: ...'",
                               keys[k]);
    let_go(trace, TRACE_BYTES_KEPT);
    return trace_case_read(&trace->now, trace->dir, line, diag);
}

/* True if every byte is printable or a tab; without a branch, so that compilers vectorise it. */
static int is_plain(struct trace_span line) {
    unsigned char other = 0;
    for (size_t i = 0; i < line.length; i++) {
        unsigned char c = (unsigned char)line.at[i];
        other |= (unsigned char)((c < ' ' && c != '\t') || c == 0x7F);
    }
    return !other;
}

/* Bytes that change how a terminal shows a line. */
static enum wsim_status plain_text(struct trace_span line, struct wsim_diag *diag) {
    size_t i;
    if (is_plain(line))
        return WSIM_OK;
    for (i = 0; i < line.length; i++) {
        unsigned char c = (unsigned char)line.at[i];
        if (c == '\r' && i + 1 == line.length)
            return base_refuse(diag, RULE_TRACE_LINE_CONTROL, (uint32_t)i + 1,
                               "the line ends in a carriage return; lines end in a newline alone");
        if ((c < ' ' && c != '\t') || c == 0x7F)
            return base_refuse(diag, RULE_TRACE_LINE_CONTROL, (uint32_t)i + 1,
                               "byte %02x is a control character; a trace is text", c);
    }
    return WSIM_OK;
}

static enum wsim_status read_line(struct wsim_trace *trace, struct trace_span line, int *is_case,
                                  struct wsim_diag *diag) {
    enum wsim_status status = plain_text(line, diag);
    if (status)
        return status;
    if (trace->line == 1)
        return first_line(line, diag);
    if (line.length == 0)
        return WSIM_OK;
    if (line.at[0] == '#')
        return header_line(trace, line, diag);
    status = case_line(trace, line, diag);
    *is_case = status == WSIM_OK;
    return status;
}

enum wsim_status wsim_trace_line(struct wsim_trace *trace, const char *line, size_t length,
                                 int *is_case, struct wsim_diag *diag) {
    struct trace_span span = {line, length, 1};
    enum wsim_status status;
    if (length && line[length - 1] == '\n')
        span.length--;
    trace->line++;
    *is_case = 0;
    status = read_line(trace, span, is_case, diag);
    if (status && diag)
        diag->line = trace->line;
    if (!*is_case) /* a refused line leaves no half-read case */
        wsim_trace_drop(trace);
    return status;
}
