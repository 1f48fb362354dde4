#include "helper.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void vadd(struct text *line, const char *format, va_list args) {
    int n = vsnprintf(line->at + line->used, sizeof line->at - line->used, format, args);
    ck_assert_int_ge(n, 0);
    line->used += (size_t)n;
    ck_assert_uint_lt(line->used, sizeof line->at);
}

void text_add(struct text *line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vadd(line, format, args);
    va_end(args);
}

void text_start(struct text *line, const char *format, ...) {
    va_list args;
    line->used = 0;
    va_start(args, format);
    vadd(line, format, args);
    va_end(args);
}

void text_hex(struct text *line, const uint64_t *words, unsigned n, unsigned digits) {
    unsigned i;
    for (i = 0; i < n; i++)
        text_add(line, "%0*llx", (int)digits, (unsigned long long)words[i]);
}

void text_same(struct text *line, uint64_t word, unsigned n, unsigned digits) {
    while (n--)
        text_hex(line, &word, 1, digits);
}

struct wsim_trace *reader(const char *arch) {
    static const char *const header[] = {"#gpu: none",       "#driver: 1", "#toolkit: 13.0",
                                         "#generator: hand", "#seed: 0",   "#date: 2026-11-21"};
    struct wsim_trace *trace = wsim_trace_new(NULL);
    struct wsim_diag diag;
    char line[64];
    size_t i;
    int is_case;
    ck_assert_ptr_nonnull(trace);
    ck_assert_int_eq(wsim_trace_line(trace, "#wsim-trace 1\n", 14, &is_case, &diag), WSIM_OK);
    snprintf(line, sizeof line, "#arch: %s", arch);
    ck_assert_int_eq(wsim_trace_line(trace, line, strlen(line), &is_case, &diag), WSIM_OK);
    for (i = 0; i < COUNT(header); i++)
        ck_assert_int_eq(wsim_trace_line(trace, header[i], strlen(header[i]), &is_case, &diag),
                         WSIM_OK);
    return trace;
}

struct wsim_replay replayed(struct wsim_trace *trace, const struct text *line) {
    struct wsim_replay replay;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    int is_case = 0;
    enum wsim_status status = wsim_trace_line(trace, line->at, line->used, &is_case, &diag);
    ck_assert_msg(status == WSIM_OK, "column %u: %s", (unsigned)diag.col, diag.text);
    ck_assert_int_eq(is_case, 1);
    wsim_trace_replay(trace, NULL, &replay);
    return replay;
}

void refused(struct wsim_trace *trace, const char *line, unsigned col, const char *part) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    int is_case = -1;
    enum wsim_status status = wsim_trace_line(trace, line, strlen(line), &is_case, &diag);
    ck_assert_msg(status == WSIM_SYNTAX && diag.status == WSIM_SYNTAX, "accepted: %.200s", line);
    ck_assert_int_eq(is_case, 0);
    ck_assert_uint_gt(diag.line, 0);
    ck_assert_msg(diag.col > 0 && (col == 0 || diag.col == col), "column %u, not %u: %.200s: %s",
                  (unsigned)diag.col, col, line, diag.text);
    ck_assert_msg(strstr(diag.text, part) != NULL, "'%s' is not in: %s", part, diag.text);
    ck_assert_str_eq(wsim_trace_spelling(trace), "");
}
