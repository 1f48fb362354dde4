/* The answers of wsim layout --sparse. */
#include "meta.h"
#include "../common/memory.h"
#include "../common/number_json.h"

#include <stdlib.h>
#include <string.h>

void meta_head(struct doc *doc, const struct meta *meta, const char *action) {
    const struct wsim_meta_pattern *p = &meta->pattern;
    doc_pack(doc, "{s:s, s:s, s:s, s:b}", "action", action, "spelling", meta->spelling, "pattern",
             p->name, "ordered", p->ordered);
    if (strcmp(action, "lanes") != 0)
        doc_fact(doc, "selector", json_integer(meta->selector), "%s: %s%s, selector %u",
                 meta->spelling, p->name, p->ordered ? " with ordered metadata" : "",
                 (unsigned)meta->selector);
}

static void add_matrix(struct doc *doc, const char *title, const struct wsim_layout *layout,
                       const uint64_t *matrix) {
    doc_gap(doc);
    doc_line(doc, "%s, %u x %u %s", title, layout->rows, layout->cols, layout->format->name);
    doc_table(doc, "matrix", NULL);
    doc_column(doc, 0, NULL, "row\\col");
    for (unsigned col = 0; col < layout->cols; col++)
        doc_column(doc, 0, "", "%u", col);
    for (unsigned row = 0; row < layout->rows; row++) {
        doc_row(doc);
        doc_cell(doc, NULL, "%u", row);
        for (unsigned col = 0; col < layout->cols; col++) {
            const uint64_t bits = matrix[(size_t)row * layout->cols + col];
            char text[NUMBER_TEXT];
            number_text(layout, bits, text);
            doc_cell(doc, number_json(layout, bits), "%s", text);
        }
    }
    doc_leave(doc);
}

static void add_hex(struct doc *doc, const struct wsim_layout *layout, const uint32_t *words) {
    char *hex = operand_hex(layout, words);
    doc_set(doc, "hex", json_string(hex));
    free(hex);
}

static const char *holder(const struct wsim_layout *layout) {
    return layout->lanes > WSIM_LANES ? "thread" : "lane";
}

/* --- lanes --- */

/* The rows and groups of which lane `lane` holds metadata under a selector: the first and the last
 * of each; 0: none. */
struct held {
    unsigned nibbles, row[2], group[2], nibble[2];
};

static struct held held_by(const struct meta *meta, unsigned lane, unsigned selector) {
    struct held held = {0, {UINT32_MAX, 0}, {UINT32_MAX, 0}, {UINT32_MAX, 0}};
    for (unsigned n = 0; n < meta->e.elems; n++) {
        struct wsim_coord at = wsim_layout_coord(&meta->e, lane, n);
        const unsigned number[] = {at.row, at.col, n};
        unsigned *const range[] = {held.row, held.group, held.nibble};
        if (at.batch != selector)
            continue;
        held.nibbles++;
        for (int i = 0; i < 3; i++) {
            if (number[i] < range[i][0])
                range[i][0] = number[i];
            if (number[i] > range[i][1])
                range[i][1] = number[i];
        }
    }
    return held;
}

static void word_held(struct doc *doc, const struct held *held) {
    const int is_one = held->row[0] == held->row[1];
    char rows[32];
    snprintf(rows, sizeof rows, is_one ? "row %u" : "rows %u,%u", held->row[0], held->row[1]);
    if (held->nibbles)
        doc_cell(doc, NULL, "%s groups %u-%u, bits %u-%u", rows, held->group[0], held->group[1],
                 4 * held->nibble[0], 4 * held->nibble[1] + 3);
    else
        doc_cell(doc, NULL, ".");
}

static void list_nibbles(struct doc *doc, const struct meta *meta, unsigned lane,
                         unsigned selector) {
    for (unsigned n = 0; n < meta->e.elems; n++) {
        const struct wsim_coord at = wsim_layout_coord(&meta->e, lane, n);
        if (at.batch != selector)
            continue;
        doc_object(doc, NULL, "{s:i, s:i, s:i, s:i, s:i}", "selector", selector, "lane", lane,
                   "bit", 4 * n, "row", at.row, "group", at.col);
    }
}

void meta_lanes(struct doc *doc, const struct meta *meta) {
    doc_line(doc, "%s: %s, groups of %u columns; lanes that supply the metadata, by selector",
             meta->spelling, meta->pattern.name, meta->pattern.columns);
    doc_list(doc, "nibbles");
    for (unsigned s = 0; s < meta->pattern.selectors; s++)
        for (unsigned lane = 0; lane < meta->e.lanes; lane++)
            list_nibbles(doc, meta, lane, s);
    doc_leave(doc);
    doc_table(doc, NULL, NULL);
    doc_column(doc, 0, NULL, "%s", holder(&meta->e));
    for (unsigned s = 0; s < meta->pattern.selectors; s++)
        doc_column(doc, 0, NULL, "selector %u", s);
    for (unsigned lane = 0; lane < meta->e.lanes; lane++) {
        doc_row(doc);
        doc_cell(doc, NULL, "%u", lane);
        for (unsigned s = 0; s < meta->pattern.selectors; s++) {
            const struct held held = held_by(meta, lane, s);
            word_held(doc, &held);
        }
    }
    doc_leave(doc);
}

/* --- compressed --- */

static void add_metadata(struct doc *doc, const struct meta *meta) {
    doc_gap(doc);
    doc_line(doc, "e, the metadata; the other lanes hold 0");
    doc_table(doc, NULL, NULL);
    doc_column(doc, 0, NULL, "%s", holder(&meta->e));
    doc_column(doc, 0, NULL, "e");
    doc_column(doc, 0, NULL, "holds");
    for (unsigned lane = 0; lane < meta->e.lanes; lane++) {
        const struct held held = held_by(meta, lane, meta->selector);
        if (!held.nibbles)
            continue;
        doc_row(doc);
        doc_cell(doc, NULL, "%u", lane);
        doc_cell(doc, NULL, "%08lx", (unsigned long)meta->words_e.words[lane]);
        word_held(doc, &held);
    }
    doc_leave(doc);
}

static void add_registers(struct doc *doc, const struct meta *meta) {
    doc_gap(doc);
    doc_line(doc, "a in registers (--format json has them as wsim exec reads them)");
    doc_table(doc, NULL, NULL);
    doc_column(doc, 0, NULL, "%s", holder(&meta->a));
    for (unsigned reg = 0; reg < meta->a.regs; reg++)
        doc_column(doc, 0, NULL, "a%u", reg);
    for (unsigned lane = 0; lane < meta->a.lanes; lane++) {
        doc_row(doc);
        doc_cell(doc, NULL, "%u", lane);
        for (unsigned reg = 0; reg < meta->a.regs; reg++)
            doc_cell(doc, NULL, "%08lx",
                     (unsigned long)meta->words_a.words[reg * meta->a.lanes + lane]);
    }
    doc_leave(doc);
}

void meta_compressed(struct doc *doc, const struct meta *meta) {
    uint64_t *a = memory_make((size_t)meta->a.rows * meta->a.cols, sizeof *a);
    wsim_words_unpack(&meta->a, meta->words_a.words, a);
    doc_enter(doc, "a");
    doc_set(doc, "format", json_string(meta->a.format->name));
    add_hex(doc, &meta->a, meta->words_a.words);
    add_matrix(doc, "a, compressed", &meta->a, a);
    doc_leave(doc);
    add_registers(doc, meta);
    doc_enter(doc, "e");
    add_hex(doc, &meta->e, meta->words_e.words);
    doc_leave(doc);
    add_metadata(doc, meta);
    free(a);
}

/* Its CSV is read by --dense. */
void meta_expanded(struct doc *doc, const struct meta *meta) {
    add_matrix(doc, "a, dense", &meta->dense, meta->matrix);
}

/* --- findings --- */

static void add_finding(struct doc *doc, const struct meta *meta, int matrix,
                        const struct meta_finding *f) {
    const unsigned first = f->group * meta->pattern.columns;
    const unsigned last = first + meta->pattern.columns - 1u;
    char where[80] = "";
    doc_enter(doc, NULL);
    doc_pack(doc, "{s:i, s:i, s:i, s:i, s:s}", "row", f->row, "group", f->group, "first", first,
             "last", last, "text", f->text);
    if (matrix)
        doc_set(doc, "nonzeros", json_integer(f->nonzeros));
    else
        doc_pack(doc, "{s:i, s:i, s:i}", "lane", f->read.place.lane, "bit", f->read.place.lsb,
                 "nibble", f->read.nibble);
    doc_leave(doc);
    if (!matrix)
        snprintf(where, sizeof where, " (lane %u, bits %u to %u: 0x%x)", f->read.place.lane,
                 f->read.place.lsb, f->read.place.lsb + 3u, f->read.nibble);
    doc_line(doc, "  row %u, group %u, columns %u to %u%s: %s", f->row, f->group, first, last,
             where, f->text);
}

int meta_findings(struct doc *doc, const struct meta *meta, int matrix) {
    const unsigned groups = (unsigned)meta->pattern.rows * meta->pattern.groups;
    unsigned cursor = 0, found = 0;
    struct wsim_rule rule = {.name = ""};
    struct meta_finding finding;
    wsim_rule_find(matrix ? "mma.pattern.exceeded" : "mma.metadata.undefined", &rule);
    doc_set(doc, "rule", json_string(rule.name));
    doc_list(doc, "findings");
    for (; meta_next_finding(meta, matrix, &cursor, &finding); found++)
        add_finding(doc, meta, matrix, &finding);
    doc_leave(doc);
    if (found)
        doc_line(doc, "%u of %u groups break rule %s: %s [%s]", found, groups, rule.name,
                 rule.meaning, rule.source);
    else
        doc_line(doc, "all %u groups are defined", groups);
    return found ? TOOL_FOUND : TOOL_FINE;
}
