/* Any text for lint: the answer is the same every time. Findings are in order and inside the text,
 * and the counts agree with them. The first byte chooses the target and the kind of file. */
#include <stdlib.h>
#include <string.h>
#include <wsim/harness/lint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int truth) {
    if (!truth)
        abort();
}

static uint32_t lines_of(const uint8_t *data, size_t size) {
    uint32_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    return lines;
}

/* A baseline with all findings leaves none. */
static void check_baseline(const uint8_t *data, size_t size, struct wsim_lint_options options,
                           const struct wsim_lint *lint) {
    enum { LINE = 200 };
    struct wsim_lint_finding one;
    struct wsim_lint_counts counts;
    struct wsim_lint_baseline *known;
    struct wsim_lint *again;
    size_t n = 0, used = 0;
    while (wsim_lint_at(lint, n, &one))
        n++;
    char *text = malloc(n * LINE + 1);
    need(text != NULL);
    for (size_t i = 0; i < n && wsim_lint_at(lint, i, &one); i++) {
        const int length = wsim_lint_baseline_put(options.name, &one, text + used, LINE);
        need(length > 0 && length < LINE);
        used += (size_t)length;
    }
    need(wsim_lint_baseline_read(text, used, &known, NULL) == WSIM_OK);
    need(wsim_lint_baseline_size(known, options.name) == n);
    options.baseline = known;
    need(wsim_lint_text((const char *)data, size, &options, &again, NULL) == WSIM_OK);
    wsim_lint_count(again, &counts);
    need(!wsim_lint_at(again, 0, &one) && counts.known == n);
    wsim_lint_free(again);
    wsim_lint_baseline_free(known);
    free(text);
    if (wsim_lint_baseline_read((const char *)data, size, &known, NULL) == WSIM_OK)
        wsim_lint_baseline_free(known);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const ignored[] = {"asm", NULL};
    static const char *const targets[] = {"sm_70", "sm_80", "sm_90a", "sm_120a"};
    const unsigned choice = size ? data[0] : 0;
    const struct wsim_lint_options options = {
        .arch = choice & 4 ? wsim_arch_find(targets[choice & 3]) : NULL,
        .name = choice & 8 ? "a.cu" : NULL,
        .ptx = choice & 16 ? 90 : 0,
        .ignore = choice & 32 ? ignored : NULL};
    struct wsim_lint *first, *second;
    struct wsim_lint_finding one = {0}, other, last = {0};
    struct wsim_lint_counts counts;
    uint64_t found[3] = {0};
    size_t n = 0;
    need(wsim_lint_text((const char *)data, size, &options, &first, NULL) == WSIM_OK);
    need(wsim_lint_text((const char *)data, size, &options, &second, NULL) == WSIM_OK);
    for (; wsim_lint_at(first, n, &one); n++) {
        need(wsim_lint_at(second, n, &other) && strcmp(one.text, other.text) == 0);
        need(one.line == other.line && one.col == other.col && one.severity <= WSIM_LINT_ERROR);
        need(one.line > last.line || (one.line == last.line && one.col >= last.col));
        need(one.line <= lines_of(data, size) && one.end_col > one.col && *one.text && *one.rule);
        found[one.severity]++;
        last = one;
    }
    need(!wsim_lint_at(second, n, &other));
    wsim_lint_count(first, &counts);
    need(memcmp(found, counts.findings, sizeof found) == 0 && counts.hidden <= counts.statements);
    if (options.name)
        check_baseline(data, size, options, first);
    wsim_lint_free(first);
    wsim_lint_free(second);
    return 0;
}
