/* From a register or a byte of shared memory to the elements of D that it enters: every element of
 * D is explained, and those that took something from there are told. */
#include "why.h"
#include "why_words.h"
#include "../common/grid.h"
#include "../common/memory.h"
#include "../common/number_json.h"
#include "../common/screen.h"
#include "../exec/exec_print.h"
#include "../layout/layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct search {
    const struct exec_run *run;
    const struct why_feeds *feeds;
    const struct why_source *source;
    enum tool_format format;
    struct grid grid;
    json_t *list;
    unsigned found;
};

/* --- what is there --- */

static int same_coord(struct wsim_coord x, struct wsim_coord y) {
    return x.batch == y.batch && x.row == y.row && x.col == y.col;
}

/* Whether the register that is asked for holds the element; several may. */
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

/* --- what was found --- */

static json_t *coord_json(const char *name, struct wsim_coord at) {
    return json_pack("{s:s, s:i, s:i, s:i}", "operand", name, "batch", at.batch, "row", at.row,
                     "col", at.col);
}

/* An element of `operand` enters the element of D that `why` explains; k: -1 if it is no factor. */
static void note(struct search *s, const struct wsim_why *why, enum wsim_operand operand,
                 const struct wsim_why_element *element, int k) {
    const struct wsim_layout *layout = &s->run->layout[operand];
    const char *name = wsim_operand_name(operand);
    s->found++;
    if (s->format == TOOL_JSON) {
        json_t *one = json_pack("{s:o, s:i, s:i, s:o}", "d", coord_json("d", why->d.at), "lane",
                                why->d.place.lane, "reg", why->d.place.reg, "through",
                                coord_json(name, element->at));
        if (k >= 0)
            json_object_set_new(one, "k", json_integer(k));
        json_array_append_new(s->list, one);
        return;
    }
    grid_row(&s->grid, layout->batches > 1 ? "d[%u][%u] of #%u" : "d[%u][%u]", why->d.at.row,
             why->d.at.col, why->d.at.batch);
    grid_cell(&s->grid, "%u", why->d.place.lane);
    grid_cell(&s->grid, "%s",
              why_register(WSIM_D, s->run->layout[WSIM_D].elem_bits, &why->d.place).text);
    grid_cell(&s->grid, "%s[%u][%u]", name, element->at.row, element->at.col);
    if (layout->elem_bits > 1) {
        char number[NUMBER_TEXT];
        number_text(layout, element->bits, number);
        grid_cell(&s->grid, "%s", number);
    } else {
        grid_cell(&s->grid, "%08" PRIx64, element->bits);
    }
    if (k >= 0)
        grid_cell(&s->grid, "%d", k);
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

static int search_all(struct search *s) {
    const struct wsim_layout *d = &s->run->layout[WSIM_D];
    struct wsim_why *why = memory_make(1, sizeof *why);
    unsigned count = (unsigned)d->batches * d->rows * d->cols;
    struct wsim_diag diag;
    int status = TOOL_GO;
    for (unsigned i = 0; i < count && status == TOOL_GO; i++) {
        struct wsim_coord at = {(uint16_t)(i / d->cols / d->rows),
                                (uint16_t)(i / d->cols % d->rows), (uint16_t)(i % d->cols)};
        if (wsim_why(&s->run->code, &s->run->io, at, why, &diag))
            status = why_refused(s->run, &diag, s->format);
        else
            look(s, why);
    }
    free(why);
    return status;
}

/* --- the whole --- */

static void word_source(const struct search *s, char out[80]) {
    const char *ends = s->found ? "enters" : "enters no element of d";
    if (s->source->is_byte)
        snprintf(out, 80, "byte 0x%05lx %s", (unsigned long)s->source->byte, ends);
    else
        snprintf(out, 80, "%s%lu of lane %lu %s", wsim_operand_name(s->source->operand),
                 (unsigned long)s->source->reg, (unsigned long)s->source->lane, ends);
}

static int print_text(struct search *s) {
    char words[80];
    word_source(s, words);
    exec_print_head(s->run);
    printf("\n%s\n", words);
    if (s->found)
        grid_print(&s->grid);
    return TOOL_FINE;
}

static int print_page(struct search *s) {
    char title[WSIM_SPELLING_MAX + 32], words[80];
    struct page page;
    word_source(s, words);
    snprintf(title, sizeof title, "%s on %s", s->run->spelling, wsim_arch_name(s->run->arch));
    page_open(&page, title);
    if (s->format != TOOL_CSV) {
        exec_page_evidence(s->run, &page);
        exec_page_sources(s->run, &page);
    }
    s->grid.whole = s->format == TOOL_CSV;
    if (s->found || s->format == TOOL_CSV)
        page_grid(&page, words, "", &s->grid);
    else
        page_line(&page, WSIM_LINES_ABOVE, "%s", words);
    return page_print(&page, s->format);
}

static int print_json(const struct search *s) {
    json_t *source =
        s->source->is_byte
            ? json_pack("{s:I}", "byte", (json_int_t)s->source->byte)
            : json_pack("{s:s, s:i, s:i}", "operand", wsim_operand_name(s->source->operand), "lane",
                        (int)s->source->lane, "reg", (int)s->source->reg);
    tool_print_json(json_pack("{s:s, s:i, s:s, s:s, s:o, s:o}", "schema", "wsim.why.forward",
                              "version", 1, "spelling", s->run->spelling, "arch",
                              wsim_arch_name(s->run->arch), "from", source, "enters", s->list));
    return TOOL_FINE;
}

int why_forward(const struct exec_run *run, const struct why_feeds *feeds,
                const struct why_source *source, enum tool_format format) {
    static const char *const heads[] = {"lane", "reg", "through", "value", "k", NULL};
    struct search s = {run, feeds, source, format, grid_open("element", heads), NULL, 0};
    int status;
    if (source->is_byte && !run->is_group && !feeds->of[0].given && !feeds->of[1].given)
        return tool_error("--byte: no operand is in shared memory; give the addresses of its loads "
                          "with --a-addr and --b-addr");
    if (format == TOOL_JSON)
        s.list = json_array();
    status = search_all(&s);
    if (status == TOOL_GO) {
        status = format == TOOL_JSON   ? print_json(&s)
                 : format == TOOL_TEXT ? print_text(&s)
                                       : print_page(&s);
    } else {
        json_decref(s.list);
    }
    grid_free(&s.grid);
    return status;
}
