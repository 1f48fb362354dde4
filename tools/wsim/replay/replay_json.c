/* What a replay found, for programs. Raw bits are strings of hex digits: 64 of them do not fit in
 * a JSON integer. */
#include "replay_report.h"

#include <jansson.h>
#include <string.h>

static json_t *counts(const struct replay_row *row) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "cases", (json_int_t)row->cases, "equal",
                     (json_int_t)row->verdict[WSIM_EQUAL], "different",
                     (json_int_t)row->verdict[WSIM_DIFFERENT], "unsupported",
                     (json_int_t)row->verdict[WSIM_UNSUPPORTED], "results",
                     (json_int_t)row->results);
}

static json_t *hex(uint64_t bits) {
    return json_sprintf("%llx", (unsigned long long)bits);
}

/* Decimal, as the trace has it; JSON integers are too short for a seed. */
static json_t *decimal(uint64_t number) {
    return json_sprintf("%llu", (unsigned long long)number);
}

static void put_digest(json_t *note, const struct wsim_trace_digest *digest) {
    json_object_set_new(note, "digest",
                        json_pack("{s:o, s:s, s:o, s:o}", "seed", decimal(digest->seed), "dist",
                                  wsim_dist_name(digest->dist), "first", decimal(digest->first),
                                  "cases", decimal(digest->cases)));
}

static void put_place(json_t *note, const struct wsim_difference *first) {
    if (strcmp(first->field, "d") == 0)
        json_object_update_new(
            note, json_pack("{s:i, s:i, s:i, s:i, s:i, s:i}", "matrix", (int)first->coord.batch,
                            "row", (int)first->coord.row, "column", (int)first->coord.col, "lane",
                            (int)first->place.lane, "register", (int)first->place.reg, "bit",
                            (int)first->place.lsb));
    if (strcmp(first->field, "smem_after") == 0)
        json_object_set_new(note, "offset", json_integer(first->offset));
}

static json_t *note_json(const struct replay_note *note) {
    const struct wsim_difference *first = &note->replay.first;
    char words[1024];
    json_t *out;
    replay_words(note, words, sizeof words);
    out = json_pack("{s:o, s:I, s:s, s:s}", "file", tool_json_text(note->file), "line",
                    (json_int_t)note->line, "spelling", note->spelling, "words", words);
    if (note->replay.why.rule) /* of what the model refused */
        json_object_set_new(out, "rule", json_string(note->replay.why.rule));
    if (note->replay.verdict == WSIM_DIFFERENT) {
        json_object_update_new(out,
                               json_pack("{s:s, s:I, s:o, s:o}", "field", first->field,
                                         "differences", (json_int_t)note->replay.differences,
                                         "expected", hex(first->expected), "got", hex(first->got)));
        put_place(out, first);
        if (note->is_digest)
            put_digest(out, &note->digest);
    }
    return out;
}

static json_t *notes_json(const struct replay_note *notes, unsigned n) {
    json_t *list = json_array();
    unsigned i;
    for (i = 0; i < n; i++)
        json_array_append_new(list, note_json(&notes[i]));
    return list;
}

void replay_print_json(const struct replay_report *report) {
    json_t *rows = json_array(), *root;
    size_t i;
    for (i = 0; i < report->nrows; i++) {
        json_t *row = counts(&report->rows[i]);
        json_object_set_new(row, "spelling", json_string(report->rows[i].spelling));
        json_array_append_new(rows, row);
    }
    root = json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "schema", "wsim.replay", "version", 1,
                     "total", counts(&report->total), "rows", rows, "differences",
                     notes_json(report->different, report->ndifferent), "unsupported",
                     notes_json(report->unsupported, report->nunsupported));
    tool_print_json(root);
}
