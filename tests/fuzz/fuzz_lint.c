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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const targets[] = {"sm_70", "sm_80", "sm_90a", "sm_120a"};
    const unsigned choice = size ? data[0] : 0;
    const struct wsim_lint_options options = {
        choice & 4 ? wsim_arch_find(targets[choice & 3]) : NULL, choice & 8 ? "a.cu" : NULL};
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
    wsim_lint_free(first);
    wsim_lint_free(second);
    return 0;
}
