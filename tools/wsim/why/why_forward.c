/* From a register or a byte of shared memory to the elements of D that it enters. Explains every
 * element of D, and lists those that take a value from there. */
#include "why.h"
#include "../common/memory.h"
#include "../../lib/number.h"
#include "../exec/exec.h"
#include "../layout/layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct search {
    const struct exec_run *run;
    const struct why_feeds *feeds;
    const struct why_source *source;
    struct doc *doc;
    unsigned found;
};

/* --- the source --- */

static int same_coord(struct wsim_coord x, struct wsim_coord y) {
    return x.batch == y.batch && x.row == y.row && x.col == y.col;
}

/* Whether the register of the source holds the element; several may. */
static int holds(const struct search *s, enum wsim_operand operand, struct wsim_coord at) {
    struct wsim_fragment_query query = {(int)s->source->lane, (int)s->source->reg, -1, -1, -1};
    struct layout_entry entry;
    unsigned cursor = 0;
    while (layout_next(&s->run->layout[operand], &query, &cursor, &entry))
        if (same_coord(entry.coord, at))
            return 1;
    return 0;
}

static int covers(const struct search *s, enum wsim_operand operand,
                  const struct wsim_why_element *element) {
    struct why_byte byte;
    return why_feed_at(s->run, s->feeds, operand, element, &byte) &&
           s->source->byte - byte.address < byte.bytes;
}

static int is_source(const struct search *s, enum wsim_operand operand,
                     const struct wsim_why_element *element) {
    if (s->source->is_byte)
        return (operand == WSIM_A || operand == WSIM_B) && covers(s, operand, element);
    return operand == s->source->operand && element->places && holds(s, operand, element->at);
}

/* --- elements that it enters --- */

static json_t *coord_json(const char *name, struct wsim_coord at) {
    return json_pack("{s:s, s:i, s:i, s:i}", "operand", name, "batch", at.batch, "row", at.row,
                     "col", at.col);
}

static void word_source(const struct search *s, char out[48]) {
    if (s->source->is_byte)
        snprintf(out, 48, "byte 0x%05lx", (unsigned long)s->source->byte);
    else
        snprintf(out, 48, "%s%lu of lane %lu", wsim_operand_name(s->source->operand),
                 (unsigned long)s->source->reg, (unsigned long)s->source->lane);
}

static void open_table(struct search *s) {
    static const struct doc_column columns[] = {
        {NULL, "element", 0}, {NULL, "lane", 0}, {NULL, "reg", 0}, {NULL, "through", 0},
        {NULL, "value", 0},   {NULL, "k", 0},    {NULL, NULL, 0}};
    char words[48];
    word_source(s, words);
    doc_table(s->doc, NULL, columns);
    doc_heading(s->doc, "%s enters", words);
}

/* An element of `operand` enters the element of D that `why` explains; k: -1 if it is no factor. */
static void note(struct search *s, const struct wsim_why *why, enum wsim_operand operand,
                 const struct wsim_why_element *element, int k) {
    const struct wsim_layout *layout = &s->run->layout[operand];
    const char *name = wsim_operand_name(operand);
    char number[NUMBER_TEXT];
    if (!s->found++)
        open_table(s);
    doc_enter(s->doc, NULL);
    doc_pack(s->doc, "{s:o, s:i, s:i, s:o}", "d", coord_json("d", why->d.at), "lane",
             why->d.place.lane, "reg", why->d.place.reg, "through", coord_json(name, element->at));
    if (k >= 0)
        doc_set(s->doc, "k", json_integer(k));
    doc_leave(s->doc);
    doc_row(s->doc);
    doc_cell(s->doc, NULL, layout->batches > 1 ? "d[%u][%u] of #%u" : "d[%u][%u]", why->d.at.row,
             why->d.at.col, why->d.at.batch);
    doc_cell(s->doc, NULL, "%u", why->d.place.lane);
    doc_cell(s->doc, NULL, "%s",
             why_register(WSIM_D, s->run->layout[WSIM_D].elem_bits, &why->d.place).text);
    doc_cell(s->doc, NULL, "%s[%u][%u]", name, element->at.row, element->at.col);
    number_text(layout, element->bits, number);
    if (layout->elem_bits > 1)
        doc_cell(s->doc, NULL, "%s", number);
    else
        doc_cell(s->doc, NULL, "%08" PRIx64, element->bits);
    if (k >= 0)
        doc_cell(s->doc, NULL, "%d", k);
}

static void look_factors(struct search *s, const struct wsim_why *why) {
    for (unsigned block = 0; block < why->blocks; block++) {
        if (is_source(s, WSIM_SFA, &why->factors[block].a))
            note(s, why, WSIM_SFA, &why->factors[block].a, -1);
        if (is_source(s, WSIM_SFB, &why->factors[block].b))
            note(s, why, WSIM_SFB, &why->factors[block].b, -1);
    }
}

/* A nibble of metadata, once for all elements of its group. */
static void look_pair(struct search *s, const struct wsim_why *why, unsigned i) {
    const struct wsim_why_term *term = &why->term[i];
    struct wsim_why_element pair = {.place = term->pair, .places = 1, .bits = term->nibble};
    if (!s->run->has[WSIM_E] || s->source->is_byte || s->source->operand != WSIM_E)
        return;
    if (i && term[-1].pair.lane == term->pair.lane && term[-1].pair.elem == term->pair.elem)
        return;
    pair.at = wsim_layout_coord(&s->run->layout[WSIM_E], term->pair.lane, term->pair.elem);
    if (term->pair.lane == s->source->lane)
        note(s, why, WSIM_E, &pair, -1);
}

static void look(struct search *s, const struct wsim_why *why) {
    if (is_source(s, WSIM_C, &why->c))
        note(s, why, WSIM_C, &why->c, -1);
    if (is_source(s, WSIM_D, &why->d))
        note(s, why, WSIM_D, &why->d, -1);
    look_factors(s, why);
    for (unsigned i = 0; i < why->terms; i++) {
        if (is_source(s, WSIM_A, &why->term[i].a))
            note(s, why, WSIM_A, &why->term[i].a, why->term[i].k);
        if (is_source(s, WSIM_B, &why->term[i].b))
            note(s, why, WSIM_B, &why->term[i].b, why->term[i].k);
        look_pair(s, why, i);
    }
}

static void search_all(struct search *s, struct wsim_diag *refused) {
    const struct wsim_layout *d = &s->run->layout[WSIM_D];
    struct wsim_why *why = memory_make(1, sizeof *why);
    unsigned count = (unsigned)d->batches * d->rows * d->cols;
    for (unsigned i = 0; i < count; i++) {
        struct wsim_coord at = {(uint16_t)(i / d->cols / d->rows),
                                (uint16_t)(i / d->cols % d->rows), (uint16_t)(i % d->cols)};
        if (!refused->status && !wsim_why(&s->run->code, &s->run->io, at, why, refused))
            look(s, why);
    }
    free(why);
}

/* --- the answer --- */

static void add_source(struct doc *doc, const struct why_source *source) {
    doc_enter(doc, "from");
    if (source->is_byte)
        doc_set(doc, "byte", json_integer(source->byte));
    else
        doc_pack(doc, "{s:s, s:i, s:i}", "operand", wsim_operand_name(source->operand), "lane",
                 (int)source->lane, "reg", (int)source->reg);
    doc_leave(doc);
}

int why_forward(const struct exec_run *run, const struct why_feeds *feeds,
                const struct why_source *source, enum tool_format format) {
    struct search s = {run, feeds, source, NULL, 0};
    struct wsim_diag refused = {0};
    char words[48];
    if (source->is_byte && !run->is_group && !feeds->of[0].given && !feeds->of[1].given)
        tool_fail("--byte: no operand is in shared memory; give the addresses of its loads "
                  "with --a-addr and --b-addr");
    s.doc = doc_open(format, "wsim.why.forward");
    exec_add_head(s.doc, run);
    exec_add_sources(s.doc, run);
    add_source(s.doc, source);
    doc_list(s.doc, "enters");
    search_all(&s, &refused);
    if (s.found)
        doc_leave(s.doc);
    doc_leave(s.doc);
    word_source(&s, words);
    if (!s.found)
        doc_line(s.doc, "%s affects no element of d", words);
    if (refused.status) {
        doc_close(s.doc, TOOL_USAGE);
        return why_refused(run, &refused, format);
    }
    return doc_close(s.doc, TOOL_FINE);
}
