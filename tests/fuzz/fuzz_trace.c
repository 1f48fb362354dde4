/* The trace reader takes any bytes: it answers, never crashes, and a case that it accepts can be
 * replayed, twice with the same result; but not a digest of so many cases that it takes long. A
 * seed that does not start with '#' is a body: the header is put before it, so that mutations reach
 * the cases. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/wsim.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MANY_RESULTS = 20000 };

static void check(int holds) {
    if (!holds)
        abort();
}

static void replay_twice(struct wsim_trace *trace) {
    struct wsim_replay first, second;
    wsim_trace_replay(trace, NULL, &first);
    wsim_trace_replay(trace, NULL, &second);
    check(first.verdict == second.verdict && first.differences == second.differences);
    check(first.verdict == WSIM_DIFFERENT ? first.differences > 0 : first.differences == 0);
    check(first.verdict != WSIM_UNSUPPORTED || first.why.text[0]);
    check(wsim_trace_spelling(trace)[0]);
}

static void feed(struct wsim_trace *trace, const char *line, size_t length) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, ""};
    int is_case = -1;
    enum wsim_status status = wsim_trace_line(trace, line, length, &is_case, &diag);
    check(is_case == 0 || is_case == 1);
    check(status == diag.status && (status == WSIM_OK || (!is_case && diag.line && diag.col)));
    check(status == WSIM_OK || memchr(diag.text, 0, sizeof diag.text) != diag.text);
    if (is_case && wsim_trace_results(trace) < MANY_RESULTS)
        replay_twice(trace);
}

static void feed_lines(struct wsim_trace *trace, const char *text, size_t size) {
    while (size) {
        const char *newline = memchr(text, '\n', size);
        size_t length = newline ? (size_t)(newline - text) + 1 : size;
        feed(trace, text, length);
        text += length;
        size -= length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char header[] = "#wsim-trace 1\n#gpu: g\n#arch: sm_120a\n#driver: d\n#toolkit: t\n"
                                 "#generator: g\n#seed: s\n#date: d\n";
    struct wsim_trace *trace = wsim_trace_new(NULL);
    check(trace != NULL);
    if (size && data[0] != '#')
        feed_lines(trace, header, sizeof header - 1);
    feed_lines(trace, (const char *)data, size);
    wsim_trace_free(trace);
    return 0;
}
