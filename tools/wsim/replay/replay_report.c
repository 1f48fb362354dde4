/* The answer of a replay; see replay.h. Raw bits are strings of hex digits: 64 of them do
 * not fit in a JSON integer. */
#include "replay.h"
#include "../../lib/number.h"
#include "../common/doc.h"
#include "../common/text.h"

#include <string.h>

/* --- sentences --- */

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

/* A digest has no place: a GPU has to find it. */
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

/* tmem_after, tmem_odd_after */
static int is_tensor(const struct wsim_difference *first) {
    return strncmp(first->field, "tmem_", 5) == 0 && !strstr(first->field, "_fnv");
}

/* One sentence: the difference, its place, and the expected value. */
static void replay_words(const struct replay_note *note, char *out, size_t size) {
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
    else if (is_tensor(first))
        snprintf(out, size, "%s lane %u, column %u: expected %08llx, got %08llx; %llu words differ",
                 first->field, first->place.lane, first->coord.col, expected, got,
                 (unsigned long long)note->replay.differences);
    else if (strstr(first->field, "_fnv"))
        snprintf(out, size, "%s: expected %016llx, got %016llx: some %s differs", first->field,
                 expected, got, first->field[0] == 'd' ? "element of d" : "byte");
    else
        snprintf(out, size, "%s: expected %llu, got %llu", first->field, expected, got);
}

/* --- the answer --- */

static json_t *hex_json(uint64_t bits) {
    return json_sprintf("%llx", (unsigned long long)bits);
}

/* Decimal, as the trace has it; JSON integers are too short for a seed. */
static json_t *decimal_json(uint64_t number) {
    return json_sprintf("%llu", (unsigned long long)number);
}

static void add_digest(struct doc *doc, const struct wsim_trace_digest *digest) {
    doc_object(doc, "digest", "{s:o, s:s, s:o, s:o}", "seed", decimal_json(digest->seed), "dist",
               wsim_dist_name(digest->dist), "first", decimal_json(digest->first), "cases",
               decimal_json(digest->cases));
}

static void add_difference(struct doc *doc, const struct replay_note *note) {
    const struct wsim_difference *first = &note->replay.first;
    doc_pack(doc, "{s:s, s:I, s:o, s:o}", "field", first->field, "differences",
             (json_int_t)note->replay.differences, "expected", hex_json(first->expected), "got",
             hex_json(first->got));
    if (strcmp(first->field, "d") == 0)
        doc_pack(doc, "{s:i, s:i, s:i, s:i, s:i, s:i}", "matrix", (int)first->coord.batch, "row",
                 (int)first->coord.row, "column", (int)first->coord.col, "lane",
                 (int)first->place.lane, "register", (int)first->place.reg, "bit",
                 (int)first->place.lsb);
    if (is_tensor(first))
        doc_pack(doc, "{s:i, s:i}", "lane", (int)first->place.lane, "column",
                 (int)first->coord.col);
    else if (strcmp(first->field, "smem_after") == 0)
        doc_set(doc, "offset", json_integer(first->offset));
    if (note->is_digest)
        add_digest(doc, &note->digest);
}

static void add_notes(struct doc *doc, const char *key, const char *title,
                      const struct replay_note *notes, unsigned count) {
    char words[1024];
    if (count) {
        doc_gap(doc);
        doc_line(doc, "%s", title);
    }
    doc_list(doc, key);
    for (unsigned i = 0; i < count; i++) {
        const struct replay_note *note = &notes[i];
        replay_words(note, words, sizeof words);
        doc_enter(doc, NULL);
        doc_pack(doc, "{s:o, s:I, s:s, s:s}", "file", tool_json_text(note->file), "line",
                 (json_int_t)note->line, "spelling", note->spelling, "words", words);
        if (note->replay.why.rule)
            doc_set(doc, "rule", json_string(note->replay.why.rule));
        if (note->replay.verdict == WSIM_DIFFERENT)
            add_difference(doc, note);
        doc_leave(doc);
        doc_line(doc, "  %s:%lu: %s", text_path(note->file).text, note->line, note->spelling);
        doc_line(doc, "    %s", words);
    }
    doc_leave(doc);
}

static void add_row(struct doc *doc, const struct replay_row *row, const char *name) {
    doc_row(doc);
    doc_number(doc, (long long)row->cases);
    for (int verdict = WSIM_EQUAL; verdict <= WSIM_UNSUPPORTED; verdict++)
        doc_number(doc, (long long)row->verdict[verdict]);
    doc_number(doc, (long long)row->results);
    doc_word(doc, name);
}

static const struct doc_column columns[] = {{"cases", "cases", 0},
                                            {"equal", "equal", 0},
                                            {"different", "different", 0},
                                            {"unsupported", "unsupported", 0},
                                            {"results", "results", 0},
                                            {"spelling", "instruction", DOC_LEFT | DOC_FOLD},
                                            {NULL, NULL, 0}};

static void add_rows(struct doc *doc, const struct replay_report *report) {
    const struct replay_row *total = &report->total;
    doc_object(doc, "total", "{s:I, s:I, s:I, s:I, s:I}", "cases", (json_int_t)total->cases,
               "equal", (json_int_t)total->verdict[WSIM_EQUAL], "different",
               (json_int_t)total->verdict[WSIM_DIFFERENT], "unsupported",
               (json_int_t)total->verdict[WSIM_UNSUPPORTED], "results", (json_int_t)total->results);
    doc_table(doc, "rows", columns);
    for (size_t i = 0; i < report->nrows; i++)
        add_row(doc, &report->rows[i], report->rows[i].spelling);
    if (doc_is(doc, DOC_SHOWN))
        add_row(doc, total, "total");
    doc_leave(doc);
}

void replay_answer(struct doc *doc, const struct replay_report *report) {
    doc_title(doc, "Recordings, replayed");
    doc_only(doc, report->total.cases ? 0 : DOC_PAGES);
    doc_line(doc, "%lu of %lu cases are equal, bit for bit.", report->total.verdict[WSIM_EQUAL],
             report->total.cases);
    add_rows(doc, report);
    add_notes(doc, "differences", "First differences:", report->different, report->ndifferent);
    add_notes(doc, "unsupported", "Not supported:", report->unsupported, report->nunsupported);
}
