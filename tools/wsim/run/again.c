/* Other orders; see again.h. */
#include "again.h"
#include "judge.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

/* --- differences --- */

static void add_line(struct again *again, const char *text) {
    again->lines = memory_grow(again->lines, (again->nlines + 1) * sizeof *again->lines);
    again->lines[again->nlines++] = memory_text(text, strlen(text));
}

/* The line of a finding, or that of its other access: of the source or else of the PTX. */
struct side {
    const char *file;
    uint32_t line;
    int is_ptx;
};

static struct side side_of(const struct wsim_finding *f, int other) {
    const uint32_t line = other ? f->other_line : f->line;
    if (line)
        return (struct side){other ? f->other_file : f->file, line, 0};
    return (struct side){other ? f->other_ptx_file : f->ptx_file,
                         other ? f->other_ptx_line : f->ptx_line, 1};
}

static int same_place(struct side a, struct side b) {
    return a.line == b.line && a.is_ptx == b.is_ptx && machine_same_text(a.file, b.file);
}

/* Whether a report has a finding with the same rule and the same places. */
static int is_known(const struct wsim_report *report, const struct wsim_finding *found) {
    struct wsim_finding known;
    for (size_t i = 0; report && wsim_report_finding(report, i, &known); i++)
        if (strcmp(known.rule, found->rule) == 0 &&
            ((same_place(side_of(&known, 0), side_of(found, 0)) &&
              same_place(side_of(&known, 1), side_of(found, 1))) ||
             (same_place(side_of(&known, 0), side_of(found, 1)) &&
              same_place(side_of(&known, 1), side_of(found, 0)))))
            return 1;
    return 0;
}

static void compare_findings(struct run_report *report, struct again *again,
                             const struct machine *second) {
    const struct machine *first = report->machine;
    char text[2 * REPORT_WORDS];
    struct wsim_finding found;
    for (size_t i = 0; i < second->ran; i++) {
        const struct wsim_report *known = i < first->ran ? first->launches[i].report : NULL;
        for (size_t k = 0; wsim_report_finding(second->launches[i].report, k, &found); k++) {
            if (is_known(known, &found))
                continue;
            if (judge_counts(report, &found))
                again->findings += found.count;
            else if (found.severity != WSIM_SEVERITY_NOTE)
                continue;
            snprintf(text, sizeof text, "%s: %s (block (%u,%u,%u), PTX line %u", found.rule,
                     found.text, found.block[0], found.block[1], found.block[2], found.ptx_line);
            if (found.other_ptx_line)
                snprintf(text + strlen(text), sizeof text - strlen(text), "; the other: line %u",
                         found.other_ptx_line);
            snprintf(text + strlen(text), sizeof text - strlen(text), ")");
            add_line(again, text);
        }
    }
}

/* --- memory and output --- */

static uint64_t word_at(const uint8_t *bytes) {
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

/* Whether two words are addresses of one byte of a buffer, whose address differs between machines.
 */
static int is_address(const struct machine *first, uint64_t a, const struct machine *second,
                      uint64_t b) {
    for (size_t i = 0; i < first->launch->nbuffers; i++)
        if (a - wsim_session_address(first->session, i) <= first->launch->buffers[i].bytes &&
            a - wsim_session_address(first->session, i) ==
                b - wsim_session_address(second->session, i))
            return 1;
    return 0;
}

static void compare_buffer(struct again *again, struct machine *first, struct machine *second,
                           size_t index) {
    static const struct wsim_launch_limits none;
    const struct wsim_launch_buffer *buffer = &first->launch->buffers[index];
    uint8_t *want = machine_read(first, wsim_session_address(first->session, index), buffer->bytes);
    uint8_t *got =
        machine_read(second, wsim_session_address(second->session, index), buffer->bytes);
    char words[WSIM_LAUNCH_WORDS], text[WSIM_LAUNCH_WORDS + 2 * TEXT_CUT];
    struct wsim_launch_comparison comparison;
    for (uint64_t at = 0; at + 8 <= buffer->bytes; at += 8)
        if (memcmp(want + at, got + at, 8) != 0 &&
            is_address(first, word_at(want + at), second, word_at(got + at)))
            memcpy(got + at, want + at, 8);
    wsim_launch_compare(want, got, buffer->bytes, &none, &comparison);
    if (comparison.different) {
        wsim_launch_compare_words(&comparison, &none, words);
        snprintf(text, sizeof text, "%s: %s", text_cut(buffer->name).text, words);
        add_line(again, text);
    }
    again->different += comparison.different;
    free(want);
    free(got);
}

static void compare_outputs(struct again *again, const struct machine *first,
                            const struct machine *second) {
    size_t want_size, got_size;
    char *want = report_output(first, &want_size), *got = report_output(second, &got_size);
    char text[4 * TEXT_CUT];
    struct output_comparison output;
    report_compare_output(want, want_size, got, got_size, &output);
    if (output.different) {
        snprintf(text, sizeof text, "stdout: different lines, the first '%s' instead of '%s'",
                 output.first_extra ? text_cut(output.first_extra).text : "",
                 output.first_missing ? text_cut(output.first_missing).text : "");
        add_line(again, text);
    }
    again->different += output.different;
    free(output.first_missing);
    free(output.first_extra);
    free(want);
    free(got);
}

/* --- runs --- */

static int run_one(struct run_report *report, uint64_t seed, uint8_t async) {
    struct machine *first = report->machine;
    struct machine_options options = first->options;
    struct machine machine;
    struct again *again;
    int status;
    report->agains = memory_grow(report->agains, (report->nagains + 1) * sizeof *report->agains);
    again = &report->agains[report->nagains++];
    *again = (struct again){.seed = seed, .async = async};
    options.launch.seed = seed;
    options.launch.async = async;
    status = machine_open(&machine, first->opened, &options);
    if (status == TOOL_GO)
        status = machine_fill(&machine);
    if (status == TOOL_GO)
        status = machine_run(&machine, first->launch->nlaunches);
    if (status == TOOL_GO) {
        compare_findings(report, again, &machine);
        for (size_t i = 0; machine.ran == first->ran && i < first->launch->nbuffers; i++)
            compare_buffer(again, first, &machine, i);
        compare_outputs(again, first, &machine);
        report->different += again->different;
    }
    machine_close(&machine);
    return status;
}

int again_run(struct run_report *report, uint32_t seeds, int both) {
    const struct wsim_launch_options *options = &report->machine->options.launch;
    int status = TOOL_GO;
    for (uint32_t i = 0; i < (seeds ? seeds : 1) && status == TOOL_GO; i++) {
        if (i)
            status = run_one(report, options->seed + i, options->async);
        if (both && status == TOOL_GO)
            status = run_one(report, options->seed + i, WSIM_ASYNC_LATE);
    }
    return status;
}

void again_close(struct run_report *report) {
    for (size_t i = 0; i < report->nagains; i++) {
        for (size_t k = 0; k < report->agains[i].nlines; k++)
            free(report->agains[i].lines[k]);
        free(report->agains[i].lines);
    }
    free(report->agains);
}
