/* Cases of traces, put together from fields: what the reader, a replay and a block answer. */
#include "case.h"

#include <wsim/harness/trace.h>

#define LINE_MAX_BYTES (1 << 16)

struct field {
    const char *at; /* name=value */
    size_t length, name;
};

struct fields {
    struct field field[48];
    int count;
};

static const char header[] = "#wsim-trace 1\n#gpu: none\n#arch: %s\n#driver: 1\n#toolkit: 13.0\n"
                             "#generator: tests/reject\n#seed: 0\n#date: 2026-11-22\n";

static int place_of(const struct fields *fields, const char *name, size_t length) {
    int i = 0;
    while (i < fields->count &&
           (fields->field[i].name != length || memcmp(fields->field[i].at, name, length) != 0))
        i++;
    return i;
}

static void put_field(const char *word, size_t length, struct fields *fields) {
    size_t name = strcspn(word, "= ");
    int taken = *word == '-';
    int i = place_of(fields, word + taken, name - (size_t)taken);
    ck_assert_int_lt(i, COUNT(fields->field));
    if (taken) {
        ck_assert_int_lt(i, fields->count);
        fields->field[i] = fields->field[--fields->count];
        return;
    }
    if (i == fields->count)
        fields->count++;
    fields->field[i] = (struct field){word, length, name};
}

static void put_fields(const char *list, struct fields *fields) {
    for (list += strspn(list, " "); *list; list += strspn(list, " ")) {
        size_t length = strcspn(list, " ");
        char name[16];
        if (*list == '$') {
            snprintf(name, sizeof name, "%.*s", (int)length - 1, list + 1);
            expect(reject_let(name), "no line let %s", name);
            put_fields(reject_let(name), fields);
        } else {
            put_field(list, length, fields);
        }
        list += length;
    }
}

/* The field after a tab; name=*WORD is the word in all lanes. */
static size_t write_field(const struct field *field, char *at, size_t size) {
    size_t n = field->name + 1;
    int lanes = field->length > n && field->at[n] == '*', lane;
    if (!lanes)
        return (size_t)snprintf(at, size, "\t%.*s", (int)field->length, field->at);
    n = (size_t)snprintf(at, size, "\t%.*s", (int)n, field->at);
    for (lane = 0; lane < WSIM_LANES && n < size; lane++)
        n += (size_t)snprintf(at + n, size - n, "%.*s", (int)(field->length - field->name - 2),
                              field->at + field->name + 2);
    return n;
}

static size_t case_line(const struct reject_case *what, char *line, size_t size) {
    struct fields fields = {{{NULL, 0, 0}}, 0};
    size_t n = (size_t)snprintf(line, size, "%s", what->spelling);
    int i;
    put_fields(what->changes, &fields);
    for (i = 0; i < fields.count; i++)
        n += write_field(&fields.field[i], line + n, size - n);
    ck_assert_uint_lt(n, size);
    return n;
}

/* \n \t \r as they are meant, \0 a zero, \h a whole header. */
static size_t unescape(const char *from, char *to) {
    static const char escaped[] = "ntr0", meant[] = "\n\t\r";
    char *start = to;
    for (; *from; from++) {
        const char *which = *from == '\\' && from[1] ? strchr(escaped, from[1]) : NULL;
        if (which)
            *to++ = meant[which - escaped];
        else if (*from == '\\' && from[1] == 'h')
            to += sprintf(to, header, "sm_90a");
        else
            *to++ = *from;
        from += *from == '\\';
    }
    return (size_t)(to - start);
}

/* Reads line by line; every line but the last is one. */
static enum wsim_status read_text(struct wsim_trace *trace, const char *text, size_t length,
                                  struct wsim_diag *diag) {
    const char *end = text + length;
    enum wsim_status status = WSIM_OK;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        int is_case = 0;
        expect(status == WSIM_OK, "refused before the last line: %s", diag ? diag->text : "");
        status = wsim_trace_line(trace, text, (size_t)(stop - text), &is_case, diag);
        text = stop + 1;
    }
    return status;
}

static enum wsim_status replay(struct wsim_trace *trace, struct wsim_diag *diag) {
    struct wsim_replay replay;
    wsim_trace_replay(trace, NULL, &replay);
    if (replay.verdict == WSIM_EQUAL)
        return WSIM_OK;
    if (diag)
        *diag = replay.why;
    return replay.why.status;
}

static enum wsim_status block(struct wsim_trace *trace, struct wsim_diag *diag) {
    static uint32_t in[WSIM_CASE_ROWS * WSIM_LANES], out[WSIM_CASE_ROWS * WSIM_LANES];
    static uint32_t before[WSIM_CASE_ROWS * WSIM_LANES];
    struct wsim_plan plan;
    enum wsim_status status;
    memset(in, 0xA5, sizeof in);
    memset(out, 0xA5, sizeof out);
    memset(before, 0xA5, sizeof before);
    status = wsim_trace_block(trace, &plan, in, out, diag);
    if (status) {
        ck_assert_mem_eq(in, before, sizeof in);
        ck_assert_mem_eq(out, before, sizeof out);
    }
    return status;
}

int reject_is_trace(const struct reject_case *what) {
    static const char *const actions[] = {"text", "line", "replay", "block"};
    int i, found = 0;
    for (i = 0; i < COUNT(actions); i++)
        found |= strcmp(what->action, actions[i]) == 0;
    return found;
}

enum wsim_status reject_trace(const struct reject_case *what, const struct wsim_arch *arch,
                              struct wsim_diag *diag) {
    static char line[LINE_MAX_BYTES];
    struct wsim_trace *trace = wsim_trace_new(WSIM_SOURCE_DIR "/tests/reject");
    enum wsim_status status;
    char head[512];
    ck_assert_ptr_nonnull(trace);
    if (strcmp(what->action, "text") == 0) {
        status = read_text(trace, line, unescape(what->spelling, line), diag);
        wsim_trace_free(trace);
        return status;
    }
    snprintf(head, sizeof head, header, wsim_arch_name(arch));
    ck_assert_int_eq(read_text(trace, head, strlen(head), NULL), WSIM_OK);
    status = read_text(trace, line, case_line(what, line, sizeof line), diag);
    if (strcmp(what->action, "line") != 0) {
        expect(status == WSIM_OK, "%s:%d: not read: %s", what->file, what->line,
               diag ? diag->text : "");
        status = *what->action == 'r' ? replay(trace, diag) : block(trace, diag);
    }
    wsim_trace_free(trace);
    return status;
}
