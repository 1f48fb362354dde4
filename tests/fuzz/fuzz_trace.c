/* The trace reader takes any bytes and never crashes. An accepted case can be replayed
 * twice with equal results, and its block is the same case. Long digests are skipped. A seed that
 * does not start with '#' is a body: the header is put before it, so that mutations reach the
 * cases. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/harness/harness.h>
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

struct block {
    struct wsim_plan plan;
    uint32_t in[WSIM_CASE_ROWS * WSIM_LANES], out[WSIM_CASE_ROWS * WSIM_LANES];
};

/* The block of a case as a line is that case again. */
static void block_and_back(const struct wsim_trace *trace, struct wsim_trace *other) {
    static struct block one, two;
    static char line[WSIM_CASE_TEXT];
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct wsim_op op;
    size_t length;
    int is_case;
    enum wsim_status status = wsim_trace_block(trace, &one.plan, one.in, one.out, &diag);
    check(status == diag.status && (status == WSIM_OK || diag.text[0]));
    if (status)
        return;
    check(wsim_op_parse(wsim_trace_spelling(trace), &op, NULL) == WSIM_OK);
    length = wsim_trace_case_text(&op, &one.plan, one.in, one.out, line, sizeof line);
    check(length < sizeof line && strlen(line) == length);
    check(wsim_trace_line(other, line, length, &is_case, NULL) == WSIM_OK && is_case);
    check(wsim_trace_block(other, &two.plan, two.in, two.out, NULL) == WSIM_OK);
    check(memcmp(one.in, two.in, one.plan.in_rows * WSIM_LANES * sizeof *one.in) == 0);
    check(memcmp(one.out, two.out, one.plan.out_rows * WSIM_LANES * sizeof *one.out) == 0);
}

static void feed(struct wsim_trace *trace, struct wsim_trace *other, const char *line,
                 size_t length) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    int is_case = -1;
    enum wsim_status status = wsim_trace_line(trace, line, length, &is_case, &diag);
    check(is_case == 0 || is_case == 1);
    check(status == diag.status && (status == WSIM_OK || (!is_case && diag.line && diag.col)));
    check(status == WSIM_OK || memchr(diag.text, 0, sizeof diag.text) != diag.text);
    if (is_case && wsim_trace_results(trace) < MANY_RESULTS)
        replay_twice(trace);
    if (is_case)
        block_and_back(trace, other);
}

static void feed_lines(struct wsim_trace *trace, struct wsim_trace *other, const char *text,
                       size_t size) {
    while (size) {
        const char *newline = memchr(text, '\n', size);
        size_t length = newline ? (size_t)(newline - text) + 1 : size;
        feed(trace, other, text, length);
        text += length;
        size -= length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char header[] = "#wsim-trace 1\n#gpu: g\n#arch: sm_120a\n#driver: d\n#toolkit: t\n"
                                 "#generator: g\n#seed: s\n#date: d\n";
    struct wsim_trace *trace = wsim_trace_new(NULL), *other = wsim_trace_new(NULL);
    check(trace != NULL && other != NULL);
    feed_lines(other, NULL, header, sizeof header - 1);
    if (size && data[0] != '#')
        feed_lines(trace, other, header, sizeof header - 1);
    feed_lines(trace, other, (const char *)data, size);
    wsim_trace_free(trace);
    wsim_trace_free(other);
    return 0;
}
