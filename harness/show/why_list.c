/* Sums as a list: a line for each term. */
#include "why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The factors are side by side, in the order of show_sum_put_term. */
enum {
    L_KIND,
    L_K,
    L_FACTORS,
    L_SIG = L_FACTORS + SUM_COLUMNS,
    L_EXP,
    L_EXPONENT,
    L_KEPT,
    L_UNIT,
    L_VALUE,
    L_BITS,
    LIST
};

/* A line of a step: the accumulator, an addend, a product that is not added, or the result. */
struct entry {
    enum { ACCUMULATOR, ADDENDS, PRODUCTS, RESULT } kind;
    unsigned number, step;
    const struct wsim_why_addend *addend; /* NULL: there is none */
    const struct wsim_why_term *term;     /* NULL: there is none */
};

static const struct wsim_why_addend *addend_of(const struct wsim_why *why, unsigned step,
                                               unsigned first, unsigned number) {
    return number < why->step[step].addends ? &why->addend[first + number] : NULL;
}

/* Groups have their own lines, after those of their products. */
static unsigned groups_of(const struct wsim_why_step *step) {
    return step->addends && step->addends != step->terms + 1 ? step->addends - 1u : 0;
}

static struct entry entry_of(const struct wsim_why *why, uint32_t row) {
    struct entry e = {ACCUMULATOR, 0, 0, NULL, NULL};
    unsigned term = 0, addend = 0;
    struct show_sum_block b = {0};
    for (;; e.step++) {
        const struct wsim_why_step *step = &why->step[e.step];
        unsigned lines = 2u + step->terms + groups_of(step);
        if (row < lines || e.step + 1u == why->steps)
            break;
        row -= lines;
        term += step->terms;
        addend += step->addends;
    }
    do
        show_sum_next(why, &b);
    while (b.step + b.steps <= e.step);
    e.number = b.number;
    if (row == 0) {
        e.addend = addend_of(why, e.step, addend, 0);
    } else if (--row < why->step[e.step].terms) {
        e.kind = PRODUCTS;
        e.term = &why->term[term + row];
        if (!groups_of(&why->step[e.step]))
            e.addend = addend_of(why, e.step, addend, 1 + row);
    } else if ((row -= why->step[e.step].terms) < groups_of(&why->step[e.step])) {
        e.kind = ADDENDS;
        e.addend = addend_of(why, e.step, addend, 1 + row);
    } else {
        e.kind = RESULT;
    }
    return e;
}

static void list_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    show_decimal(entry_of(show_sum_why(p), row).number, out);
}

static void list_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const heads[LIST] = {"kind",     "k",      "a",    "a_bits", "a_in",
                                            "b",        "b_bits", "b_in", "sig",    "exp",
                                            "exponent", "kept",   "unit", "value",  "bits"};
    (void)p;
    snprintf(out, WSIM_CELL_TEXT, "%s", heads[col]);
}

static void put_addend(struct base_text *text, const struct wsim_why_addend *addend, uint32_t col) {
    switch (col) {
    case L_SIG: base_put(text, "%" PRId64, addend->sig); break;
    case L_EXP: base_put(text, "%d", addend->exp); break;
    case L_EXPONENT:
        if (!addend->absent)
            base_put(text, "%d", addend->exponent);
        break;
    case L_KEPT: base_put(text, "%" PRId64, addend->kept); break;
    default: break;
    }
}

static void put_term(struct base_text *text, const struct wsim_why_card *card,
                     const struct wsim_why_term *term, uint32_t col) {
    if (col == L_K)
        base_put(text, "%u", term->k);
    else if (col >= L_FACTORS && col < L_FACTORS + SUM_COLUMNS)
        show_sum_put_term(text, card, term, (enum show_sum_column)(col - L_FACTORS));
}

static void list_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    static const char *const kinds[] = {"accumulator", "group", "product", "result"};
    const struct wsim_why_card *card = p->about;
    struct entry e = entry_of(card->why, row);
    const struct wsim_why_step *step = &card->why->step[e.step];
    const struct wsim_format *format = e.kind == RESULT ? step->format : step->from;
    uint64_t bits = e.kind == RESULT ? step->after : step->before;
    struct base_text text = {cell->text, sizeof cell->text, 0};
    cell->text[0] = '\0';
    cell->value = -1;
    cell->flags = 0;
    if (col == L_KIND)
        base_put(&text, "%s", kinds[e.kind]);
    else if (col == L_UNIT && step->kind == WSIM_WHY_ALIGNED)
        base_put(&text, "%d", step->unit);
    else if (e.addend && col >= L_SIG && col <= L_KEPT)
        put_addend(&text, e.addend, col);
    else if (e.term)
        put_term(&text, card, e.term, col);
    else if (col == L_BITS && e.kind != ADDENDS)
        base_put(&text, "%0*" PRIx64, (format->bits + 3) / 4, bits);
    else if (col == L_VALUE && e.kind != ADDENDS)
        wsim_format_write(format, bits, cell->text);
}

void show_sum_list(const struct wsim_why *why, struct wsim_panel *p) {
    for (unsigned i = 0; i < why->steps; i++)
        p->rows += 2u + why->step[i].terms + groups_of(&why->step[i]);
    snprintf(p->corner, sizeof p->corner, "step");
    p->cols = LIST;
    p->cell = list_cell;
    p->row_head = list_row;
    p->col_head = list_col;
}
