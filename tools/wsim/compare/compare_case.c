/* The same operands on several architectures: where the results differ, and the first reason. */
#include "compare.h"
#include "../common/memory.h"
#include "../common/number_json.h"
#include "../common/screen.h"
#include "../exec/exec_print.h"
#include "../why/why_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- execution --- */

static int execute(const struct compare *c, struct compare_arch *arch) {
    const struct wsim_layout *d = &arch->run->layout[WSIM_D];
    int status = exec_fill(arch->run, c->options);
    if (status == TOOL_GO)
        status = exec_execute(arch->run);
    if (status != TOOL_GO)
        return status;
    arch->d = memory_make((size_t)d->batches * d->rows * d->cols, sizeof *arch->d);
    wsim_words_unpack(d, arch->run->regs[WSIM_D].words, arch->d);
    return TOOL_GO;
}

/* --- differences --- */

unsigned compare_differences(const struct compare *c, unsigned i, unsigned j, unsigned *first) {
    unsigned n = 0;
    for (unsigned e = 0; e < c->elements; e++)
        if (c->arch[i].d[e] != c->arch[j].d[e] && n++ == 0)
            *first = e;
    return n;
}

struct wsim_coord compare_coord(const struct wsim_layout *d, unsigned e) {
    return (struct wsim_coord){(uint16_t)(e / d->cols / d->rows), (uint16_t)(e / d->cols % d->rows),
                               (uint16_t)(e % d->cols)};
}

int compare_open(const struct compare *c, unsigned i, unsigned j, unsigned e,
                 struct compare_pair *pair) {
    const unsigned which[] = {i, j};
    for (int s = 0; s < 2; s++) {
        const struct exec_run *run = c->arch[which[s]].run;
        struct wsim_diag diag;
        pair->name[s] = wsim_arch_name(run->arch);
        pair->why[s] = memory_make(1, sizeof *pair->why[s]);
        if (wsim_why(&run->code, &run->io, compare_coord(&run->layout[WSIM_D], e), pair->why[s],
                     &diag))
            return tool_refused(NULL, &diag);
    }
    return TOOL_GO;
}

/* --- the reason --- */

/* What became of an addend: of products, and of the accumulator of the first step. */
struct fate {
    int there;
    struct wsim_why_addend addend;
    const struct wsim_why_step *step;
};

/* That of product k, or (k = -1) of the accumulator that came in. */
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

static void tell_fate(char *out, size_t size, const char *name, const struct fate *fate) {
    struct why_number cut = why_cut(&fate->addend, fate->step);
    if (!*cut.text)
        snprintf(out, size, "%s keeps all of it (largest exponent 2^%d, bits down to 2^%d)", name,
                 fate->step->top, fate->step->unit);
    else
        snprintf(out, size, "%s cuts %s off it (largest exponent 2^%d, bits down to 2^%d)", name,
                 cut.text, fate->step->top, fate->step->unit);
}

/* The first product, or the accumulator before them, that is cut otherwise. */
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
        tell_fate(first, sizeof first, pair->name[0], &one);
        tell_fate(second, sizeof second, pair->name[1], &other);
        snprintf(words->text, sizeof words->text, "%s, %s: %s; %s.", what,
                 why_number(one.addend.sig, one.addend.exp, WHY_LONG).text, first, second);
        return 1;
    }
    return 0;
}

/* The products up to which a step has summed. */
static unsigned taken(const struct wsim_why *why, unsigned step) {
    unsigned terms = 0;
    for (unsigned s = 0; s <= step; s++)
        terms += why->step[s].terms;
    return terms;
}

/* The first step of either after which the other has not rounded, or has rounded to other bits. */
static void find_step(const struct compare_pair *pair, struct why_words *words) {
    const struct wsim_why *one = pair->why[0], *other = pair->why[1];
    for (unsigned s = 0; s < one->steps; s++)
        for (unsigned t = 0; t < other->steps; t++)
            if (taken(one, s) == taken(other, t) && one->step[s].kind == other->step[t].kind &&
                one->step[s].after != other->step[t].after) {
                snprintf(words->text, sizeof words->text, "after %u products %s has %s, %s has %s.",
                         taken(one, s), pair->name[0],
                         why_value(one->step[s].format, one->step[s].after).text, pair->name[1],
                         why_value(other->step[t].format, other->step[t].after).text);
                return;
            }
    snprintf(words->text, sizeof words->text, "they sum in another order, %u against %u steps.",
             one->steps, other->steps);
}

/* In words why the two elements differ. */
struct why_words compare_reason(const struct compare_pair *pair) {
    struct why_words words = {""};
    if (!find_cut(pair, &words))
        find_step(pair, &words);
    return words;
}

/* --- printing --- */

static void print_arch(const struct compare *c, unsigned i) {
    unsigned first, n;
    compare_print_arithmetic(c, i);
    for (unsigned j = 0; j < i; j++)
        if (c->arch[j].same == j) {
            n = compare_differences(c, i, j, &first);
            if (n)
                printf("  %u of %u elements differ from %s\n", n, c->elements, compare_name(c, j));
            else
                printf("  all %u elements are those of %s\n", c->elements, compare_name(c, j));
        }
}

static void print_difference(const struct compare *c, unsigned i, unsigned j, unsigned e,
                             const struct compare_pair *pair) {
    const struct exec_run *run = c->arch[i].run;
    const struct wsim_layout *d = &run->layout[WSIM_D];
    struct wsim_coord at = compare_coord(d, e);
    printf("\nfirst difference of %s and %s: d[%u][%u]", pair->name[0], pair->name[1], at.row,
           at.col);
    if (d->batches > 1)
        printf(" of #%u", at.batch);
    printf(", lane %u, %s\n", pair->why[0]->d.place.lane,
           why_register(WSIM_D, d->elem_bits, &pair->why[0]->d.place).text);
    printf("  %s %s\n  %s %s\n", pair->name[0], why_value(d->format, c->arch[i].d[e]).text,
           pair->name[1], why_value(d->format, c->arch[j].d[e]).text);
    screen_fold(2, "  %s",
                why_difference(&pair->why[0]->arithmetic, &pair->why[1]->arithmetic).text);
    screen_fold(2, "  %s", compare_reason(pair).text);
}

static json_t *bits_json(const struct wsim_layout *d, uint64_t bits) {
    char hex[24];
    snprintf(hex, sizeof hex, "%0*" PRIx64, (d->elem_bits + 3) / 4, bits);
    return json_pack("{s:s, s:o}", "hex", hex, "value", number_json(d, bits));
}

static json_t *difference_json(const struct compare *c, unsigned i, unsigned j, unsigned e,
                               const struct compare_pair *pair) {
    const struct wsim_layout *d = &c->arch[i].run->layout[WSIM_D];
    struct wsim_coord at = compare_coord(d, e);
    return json_pack("{s:[s, s], s:i, s:i, s:i, s:i, s:i, s:[o, o], s:s, s:s}", "arch",
                     pair->name[0], pair->name[1], "batch", at.batch, "row", at.row, "col", at.col,
                     "lane", pair->why[0]->d.place.lane, "reg", pair->why[0]->d.place.reg, "d",
                     bits_json(d, c->arch[i].d[e]), bits_json(d, c->arch[j].d[e]), "arithmetic",
                     why_difference(&pair->why[0]->arithmetic, &pair->why[1]->arithmetic).text,
                     "reason", compare_reason(pair).text);
}

/* --- the whole --- */

/* Tells of each architecture the first difference from the first one that it differs from. */
static int tell_differences(const struct compare *c, json_t *list) {
    int found = 0, status = TOOL_GO;
    for (unsigned i = 1; i < c->n && status == TOOL_GO; i++)
        for (unsigned j = 0; j < i && c->arch[i].same == i; j++) {
            struct compare_pair pair = {.why = {NULL, NULL}};
            unsigned e = 0;
            if (c->arch[j].same != j || !compare_differences(c, j, i, &e))
                continue;
            found = 1;
            status = compare_open(c, j, i, e, &pair);
            if (status == TOOL_GO && list)
                json_array_append_new(list, difference_json(c, j, i, e, &pair));
            else if (status == TOOL_GO)
                print_difference(c, j, i, e, &pair);
            free(pair.why[0]);
            free(pair.why[1]);
            break;
        }
    return status != TOOL_GO ? status : found ? TOOL_FOUND : TOOL_FINE;
}

static int print_json(const struct compare *c) {
    json_t *archs = json_array(), *differences = json_array();
    int status;
    for (unsigned i = 0; i < c->n; i++)
        json_array_append_new(archs, compare_arch_json(c, i));
    status = tell_differences(c, differences);
    tool_print_json(json_pack("{s:s, s:i, s:s, s:o, s:o}", "schema", "wsim.compare", "version", 1,
                              "spelling", c->arch[0].run->spelling, "archs", archs, "differences",
                              differences));
    return status;
}

static int any(const struct compare *c) {
    unsigned e;
    for (unsigned i = 1; i < c->n; i++)
        if (compare_differences(c, 0, i, &e))
            return 1;
    return 0;
}

static int print_page(const struct compare *c, enum tool_format format) {
    int status = format == TOOL_CSV ? compare_case_csv(c) : compare_case_page(c, format);
    return status == TOOL_FINE && any(c) ? TOOL_FOUND : status;
}

int compare_case(struct compare *c, enum tool_format format) {
    const struct wsim_layout *d = &c->arch[0].run->layout[WSIM_D];
    int status = TOOL_GO;
    c->elements = (unsigned)d->batches * d->rows * d->cols;
    for (unsigned i = 0; i < c->n && status == TOOL_GO; i++)
        status = execute(c, &c->arch[i]);
    if (status != TOOL_GO)
        return status;
    if (format == TOOL_JSON)
        return print_json(c);
    if (format != TOOL_TEXT)
        return print_page(c, format);
    screen_fold(2, "%s", c->arch[0].run->spelling);
    exec_print_sources(c->arch[0].run);
    for (unsigned i = 0; i < c->n; i++)
        if (c->arch[i].same == i)
            print_arch(c, i);
    return tell_differences(c, NULL);
}
