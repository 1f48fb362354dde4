/* What a replay found, for people. */
#include "../../lib/number.h"
#include "../common/screen.h"
#include "../common/text.h"
#include "replay_report.h"

#include <string.h>

static void element_text(const struct wsim_layout *layout, uint64_t bits, char *out, size_t size) {
    char number[NUMBER_TEXT];
    number_text(layout, bits, number);
    snprintf(out, size, "%0*llx (%s)", (layout->elem_bits + 3) / 4, (unsigned long long)bits,
             number);
}

static void words_d(const struct replay_note *note, char *out, size_t size) {
    const struct wsim_difference *first = &note->replay.first;
    struct wsim_layout layout;
    struct wsim_op op;
    char matrix[32] = "", place[64], expected[128], got[128];
    if (wsim_op_parse(note->spelling, &op, NULL) != WSIM_OK ||
        wsim_op_layout(&op, NULL, WSIM_D, &layout, NULL) != WSIM_OK)
        return;
    if (layout.batches > 1)
        snprintf(matrix, sizeof matrix, "matrix %u ", first->coord.batch);
    if (layout.elem_bits == 64)
        snprintf(place, sizeof place, "64-bit register %u", first->place.reg / 2u);
    else
        snprintf(place, sizeof place, "register %u bits %u-%u", first->place.reg, first->place.lsb,
                 first->place.lsb + layout.elem_bits - 1u);
    element_text(&layout, first->expected, expected, sizeof expected);
    element_text(&layout, first->got, got, sizeof got);
    snprintf(out, size, "d %srow %u column %u (%s %u, %s): expected %s, got %s; %llu of %u %s",
             matrix, first->coord.row, first->coord.col,
             layout.lanes == WSIM_LANES ? "lane" : "thread", first->place.lane, place, expected,
             got, (unsigned long long)note->replay.differences,
             (unsigned)layout.lanes * layout.elems, "elements differ");
}

static void words_trap(const struct replay_note *note, char *out, size_t size) {
    const char *why = note->replay.why.text;
    if (note->replay.first.expected)
        snprintf(out, size, "the GPU trapped, the model did not%s%s", *why ? ": " : "", why);
    else
        snprintf(out, size, "the GPU executed it, the model refuses: %s", why);
}

/* A sum says nothing of where: that is for a GPU to find out. */
static void words_digest(const struct replay_note *note, char *out, size_t size) {
    const struct wsim_trace_digest *digest = &note->digest;
    const struct wsim_difference *first = &note->replay.first;
    snprintf(out, size,
             "digest of %llu cases, %llu results: expected %016llx, got %016llx; to find them on a "
             "GPU: wsim-hw diff --ops '%s' --seed %llu --dist %s --first %llu --cases %llu",
             (unsigned long long)digest->cases, (unsigned long long)note->results,
             (unsigned long long)first->expected, (unsigned long long)first->got, note->spelling,
             (unsigned long long)digest->seed, wsim_dist_name(digest->dist),
             (unsigned long long)digest->first, (unsigned long long)digest->cases);
}

void replay_words(const struct replay_note *note, char *out, size_t size) {
    const struct wsim_difference *first = &note->replay.first;
    unsigned long long expected = first->expected, got = first->got;
    out[0] = '\0';
    if (note->replay.verdict == WSIM_UNSUPPORTED)
        snprintf(out, size, "not supported: %s", note->replay.why.text);
    else if (strcmp(first->field, "d") == 0)
        words_d(note, out, size);
    else if (strcmp(first->field, "digest") == 0)
        words_digest(note, out, size);
    else if (strcmp(first->field, "trap") == 0)
        words_trap(note, out, size);
    else if (strcmp(first->field, "result") == 0)
        snprintf(out, size, "the driver %s this map, the model %s it%s%s",
                 expected ? "refused" : "accepted", got ? "refuses" : "accepts", got ? ": " : "",
                 got ? note->replay.why.text : "");
    else if (strcmp(first->field, "smem_after") == 0)
        snprintf(out, size, "smem_after byte %lu: expected %02llx, got %02llx; %llu bytes differ",
                 (unsigned long)first->offset, expected, got,
                 (unsigned long long)note->replay.differences);
    else if (strcmp(first->field, "d_fnv") == 0)
        snprintf(out, size, "d_fnv: expected %016llx, got %016llx: some element of d differs",
                 expected, got);
    else
        snprintf(out, size, "%s: expected %llu, got %llu", first->field, expected, got);
}

static void print_row(const struct replay_row *row) {
    screen_fold(4, "%8lu %8lu %10lu %12lu %10llu  %s", row->cases, row->verdict[WSIM_EQUAL],
                row->verdict[WSIM_DIFFERENT], row->verdict[WSIM_UNSUPPORTED],
                (unsigned long long)row->results, row->spelling);
}

static void print_notes(const char *title, const struct replay_note *notes, unsigned n) {
    char words[1024];
    unsigned i;
    if (n)
        printf("\n%s\n", title);
    for (i = 0; i < n; i++) {
        replay_words(&notes[i], words, sizeof words);
        screen_fold(4, "%s:%lu: %s", text_path(notes[i].file).text, notes[i].line,
                    notes[i].spelling);
        screen_fold(4, "    %s", words);
    }
}

/* The rows; the spellings of instructions have no commas. */
void replay_print_csv(const struct replay_report *report) {
    size_t i;
    puts("instruction,cases,equal,different,unsupported,results");
    for (i = 0; i < report->nrows; i++) {
        const struct replay_row *row = &report->rows[i];
        printf("%s,%lu,%lu,%lu,%lu,%llu\n", row->spelling, row->cases, row->verdict[WSIM_EQUAL],
               row->verdict[WSIM_DIFFERENT], row->verdict[WSIM_UNSUPPORTED],
               (unsigned long long)row->results);
    }
}

void replay_print_text(const struct replay_report *report) {
    struct replay_row total = report->total;
    size_t i;
    if (total.cases == 0)
        return;
    printf("%8s %8s %10s %12s %10s  %s\n", "cases", "equal", "different", "unsupported", "results",
           "instruction");
    for (i = 0; i < report->nrows; i++)
        print_row(&report->rows[i]);
    snprintf(total.spelling, sizeof total.spelling, "total");
    print_row(&total);
    print_notes("First differences:", report->different, report->ndifferent);
    print_notes("Not supported:", report->unsupported, report->nunsupported);
}
