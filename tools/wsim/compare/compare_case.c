/* The same operands on several architectures: where the results differ, and the first reason. */
#include "compare.h"
#include "../common/memory.h"
#include "../common/number_json.h"
#include "../exec/exec.h"
#include "../why/why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- execution --- */

static void execute(const struct compare *c, struct compare_arch *arch) {
    const struct wsim_layout *d = &arch->run->layout[WSIM_D];
    exec_fill(arch->run, c->options);
    exec_execute(arch->run);
    arch->d = memory_make((size_t)d->batches * d->rows * d->cols, sizeof *arch->d);
    exec_matrix(arch->run, WSIM_D, arch->d);
}

/* --- differences --- */

/* The number of elements of D that differ on arch[i] and arch[j], and the first one. */
static unsigned compare_differences(const struct compare *c, unsigned i, unsigned j,
                                    unsigned *first) {
    unsigned n = 0;
    for (unsigned e = 0; e < c->elements; e++)
        if (c->arch[i].d[e] != c->arch[j].d[e] && n++ == 0)
            *first = e;
    return n;
}

static struct wsim_coord compare_coord(const struct wsim_layout *d, unsigned e) {
    return (struct wsim_coord){(uint16_t)(e / d->cols / d->rows), (uint16_t)(e / d->cols % d->rows),
                               (uint16_t)(e % d->cols)};
}

static void compare_pair_open(const struct compare *c, unsigned i, unsigned j, unsigned e,
                              struct compare_pair *pair) {
    const unsigned which[] = {i, j};
    for (int s = 0; s < 2; s++) {
        const struct exec_run *run = c->arch[which[s]].run;
        struct wsim_diag diag;
        pair->name[s] = wsim_arch_name(run->arch);
        pair->why[s] = memory_make(1, sizeof *pair->why[s]);
        if (wsim_why(&run->code, &run->io, compare_coord(&run->layout[WSIM_D], e), pair->why[s],
                     &diag))
            tool_refuse(NULL, &diag);
    }
}

/* --- the reason --- */

/* An addend of a step: a product, or the accumulator of the first step. */
struct fate {
    int there;
    struct wsim_why_addend addend;
    const struct wsim_why_step *step;
};

/* The fate of product k, or (k = -1) of the incoming accumulator. */
static struct fate fate_of(const struct wsim_why *why, int k) {
    unsigned term = 0, addend = 0;
    for (unsigned s = 0; s < why->steps; s++) {
        const struct wsim_why_step *step = &why->step[s];
        unsigned at = term;
        for (unsigned i = 0; i < step->addends; i++) {
            const struct wsim_why_addend *one = &why->addend[addend + i];
            if (k < 0 && s == 0 && i == 0 && why->arithmetic.method != WSIM_METHOD_SPLIT)
                return (struct fate){1, *one, step};
            if (one->terms == 1 && why->term[at].k == k)
                return (struct fate){1, *one, step};
            at += one->terms;
        }
        term += step->terms;
        addend += step->addends;
    }
    return (struct fate){0, {0}, NULL};
}

static void word_fate(char *out, size_t size, const char *name, const struct fate *fate) {
    struct why_number cut = why_cut(&fate->addend, fate->step);
    if (!*cut.text)
        snprintf(out, size, "%s keeps all of it (largest exponent 2^%d, bits down to 2^%d)", name,
                 fate->step->top, fate->step->unit);
    else
        snprintf(out, size, "%s truncates it by %s (largest exponent 2^%d, bits down to 2^%d)",
                 name, cut.text, fate->step->top, fate->step->unit);
}

/* The accumulator or first product that is cut differently. */
static int find_cut(const struct compare_pair *pair, struct why_words *words) {
    for (int i = -1; i < (int)pair->why[0]->terms; i++) {
        int k = i < 0 ? -1 : pair->why[0]->term[i].k;
        struct fate one = fate_of(pair->why[0], k), other = fate_of(pair->why[1], k);
        char first[320], second[320], what[64] = "the accumulator";
        if (!one.there || !other.there ||
            strcmp(why_cut(&one.addend, one.step).text, why_cut(&other.addend, other.step).text) ==
                0)
            continue;
        if (k >= 0)
            snprintf(what, sizeof what, "the product of k = %d", k);
        word_fate(first, sizeof first, pair->name[0], &one);
        word_fate(second, sizeof second, pair->name[1], &other);
        snprintf(words->text, sizeof words->text, "%s, %s: %s; %s.", what,
                 why_number(one.addend.sig, one.addend.exp, WHY_LONG).text, first, second);
        return 1;
    }
    return 0;
}

/* The number of products that are summed after a step. */
static unsigned summed_after(const struct wsim_why *why, unsigned step) {
    unsigned terms = 0;
    for (unsigned s = 0; s <= step; s++)
        terms += why->step[s].terms;
    return terms;
}

/* The first pair of steps after the same products whose results differ. */
static void find_step(const struct compare_pair *pair, struct why_words *words) {
    const struct wsim_why *one = pair->why[0], *other = pair->why[1];
    for (unsigned s = 0; s < one->steps; s++)
        for (unsigned t = 0; t < other->steps; t++)
            if (summed_after(one, s) == summed_after(other, t) &&
                one->step[s].kind == other->step[t].kind &&
                one->step[s].after != other->step[t].after) {
                snprintf(words->text, sizeof words->text, "after %u products %s has %s, %s has %s.",
                         summed_after(one, s), pair->name[0],
                         why_value(one->step[s].format, one->step[s].after).text, pair->name[1],
                         why_value(other->step[t].format, other->step[t].after).text);
                return;
            }
    snprintf(words->text, sizeof words->text, "they sum in another order: %u and %u steps.",
             one->steps, other->steps);
}

static struct why_words compare_reason(const struct compare_pair *pair) {
    struct why_words words = {""};
    if (!find_cut(pair, &words))
        find_step(pair, &words);
    return words;
}

/* --- the answer --- */

/* A first difference; its pictures live until the document is closed. */
struct shown {
    struct compare_pair pair;
    struct wsim_why_card card[2];
};

static void add_bits(struct doc *doc, const struct wsim_layout *d, uint64_t bits) {
    doc_object(doc, NULL, "{s:o, s:o}", "hex",
               json_sprintf("%0*" PRIx64, (d->elem_bits + 3) / 4, bits), "value",
               number_json(d, bits));
}

/* The panels of a sum, but for the factors, which both sums share. */
static void add_sum(struct doc *doc, const struct exec_run *run, struct shown *shown, int side) {
    struct wsim_picture picture;
    shown->card[side] = why_card(run, shown->pair.why[side]);
    wsim_picture_why(&shown->card[side], &picture);
    for (uint32_t i = 0; i < picture.panels; i++) {
        char step[WSIM_CAPTION];
        struct wsim_panel panel;
        picture.panel(&picture, i, &panel);
        if (!panel.ruler)
            continue;
        snprintf(step, sizeof step, "%s", panel.heading);
        snprintf(panel.heading, sizeof panel.heading, "%.30s: s%.400s", shown->pair.name[side],
                 step + 1);
        doc_add_panel(doc, &panel);
    }
}

static void add_difference(struct doc *doc, const struct compare *c, unsigned i, unsigned j,
                           unsigned e, struct shown *shown) {
    const struct compare_pair *pair = &shown->pair;
    const struct wsim_layout *d = &c->arch[i].run->layout[WSIM_D];
    const struct wsim_why_element *element = &pair->why[0]->d;
    const struct why_words arithmetic =
        why_difference(&pair->why[0]->arithmetic, &pair->why[1]->arithmetic);
    const struct wsim_coord at = compare_coord(d, e);
    char matrix[16] = "";
    if (d->batches > 1)
        snprintf(matrix, sizeof matrix, " of #%u", at.batch);
    doc_enter(doc, NULL);
    doc_pack(doc, "{s:[s, s], s:i, s:i, s:i, s:i, s:i, s:s, s:s}", "arch", pair->name[0],
             pair->name[1], "batch", at.batch, "row", at.row, "col", at.col, "lane",
             element->place.lane, "reg", element->place.reg, "arithmetic", arithmetic.text,
             "reason", compare_reason(pair).text);
    doc_list(doc, "d");
    add_bits(doc, d, c->arch[i].d[e]);
    add_bits(doc, d, c->arch[j].d[e]);
    doc_leave(doc);
    doc_leave(doc);
    doc_gap(doc);
    doc_line(doc, "first difference of %s and %s: d[%u][%u]%s, lane %u, %s", pair->name[0],
             pair->name[1], at.row, at.col, matrix, element->place.lane,
             why_register(WSIM_D, d->elem_bits, &element->place).text);
    doc_line(doc, "  %s %s", pair->name[0], why_value(d->format, c->arch[i].d[e]).text);
    doc_line(doc, "  %s %s", pair->name[1], why_value(d->format, c->arch[j].d[e]).text);
    doc_line(doc, "  %s", arithmetic.text);
    doc_line(doc, "  %s", compare_reason(pair).text);
    if (doc_is(doc, DOC_PAGES)) {
        add_sum(doc, c->arch[i].run, shown, 0);
        add_sum(doc, c->arch[j].run, shown, 1);
    }
}

/* The first difference of each architecture from the first one that it differs from. */
static int add_differences(struct doc *doc, const struct compare *c, struct shown *shown) {
    int status = TOOL_FINE;
    doc_list(doc, "differences");
    for (unsigned i = 1; i < c->n; i++)
        for (unsigned j = 0; j < i && c->arch[i].same == i; j++) {
            unsigned e = 0;
            if (c->arch[j].same != j || !compare_differences(c, j, i, &e))
                continue;
            status = TOOL_FOUND;
            compare_pair_open(c, j, i, e, &shown[i].pair);
            add_difference(doc, c, j, i, e, &shown[i]);
            break;
        }
    doc_leave(doc);
    return status;
}

static void add_csv_row(struct doc *doc, const struct compare *c, unsigned i, unsigned j) {
    const struct wsim_layout *d = &c->arch[i].run->layout[WSIM_D];
    unsigned e = 0, n = compare_differences(c, i, j, &e);
    struct wsim_coord at = compare_coord(d, e);
    doc_row_of(doc, "ssuu", compare_name(c, i), compare_name(c, j), c->elements, n);
    if (!n)
        return;
    doc_number(doc, at.batch);
    doc_number(doc, at.row);
    doc_number(doc, at.col);
    doc_cell(doc, NULL, "%0*" PRIx64, (d->elem_bits + 3) / 4, c->arch[i].d[e]);
    doc_cell(doc, NULL, "%0*" PRIx64, (d->elem_bits + 3) / 4, c->arch[j].d[e]);
}

static void add_csv(struct doc *doc, const struct compare *c) {
    static const struct doc_column columns[] = {
        {"arch", "", 0},       {"other", "", 0}, {"elements", "", 0}, {"different", "", 0},
        {"batch", "", 0},      {"row", "", 0},   {"col", "", 0},      {"bits", "", 0},
        {"other_bits", "", 0}, {NULL, NULL, 0}};
    doc_only(doc, TOOL_CSV);
    doc_table(doc, NULL, columns);
    for (unsigned i = 1; i < c->n; i++)
        for (unsigned j = 0; j < i; j++)
            add_csv_row(doc, c, j, i);
    doc_leave(doc);
    doc_only(doc, 0);
}

static int answer(const struct compare *c, enum tool_format format) {
    struct doc *doc = doc_open(format, "wsim.compare");
    struct compare_matrix *m = memory_make(1, sizeof *m);
    struct shown *shown = memory_make(COMPARE_ARCHS, sizeof *shown);
    int status;
    *m = (struct compare_matrix){.c = c, .all = c->elements, .what = "elements"};
    for (unsigned i = 0; i < c->n; i++)
        for (unsigned j = 0; j < i; j++)
            m->differ[i][j] = compare_differences(c, j, i, &(unsigned){0});
    add_csv(doc, c);
    doc_fact(doc, "spelling", json_string(c->arch[0].run->spelling), "%s",
             c->arch[0].run->spelling);
    exec_add_sources(doc, c->arch[0].run);
    compare_add_archs(doc, c);
    compare_add_matrix(doc, m);
    status = doc_close(doc, add_differences(doc, c, shown));
    for (unsigned i = 0; i < COMPARE_ARCHS; i++) {
        free(shown[i].pair.why[0]);
        free(shown[i].pair.why[1]);
    }
    free(shown);
    free(m);
    return status;
}

int compare_case(struct compare *c, enum tool_format format) {
    const struct wsim_layout *d = &c->arch[0].run->layout[WSIM_D];
    c->elements = (unsigned)d->batches * d->rows * d->cols;
    for (unsigned i = 0; i < c->n; i++)
        execute(c, &c->arch[i]);
    return answer(c, format);
}
