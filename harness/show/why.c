/* Elements of products step by step: the digits of each sum, and the factors with their places. */
#include "why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- factors --- */

enum { PAIR = SUM_COLUMNS, BLOCK, TIMES, RUNS, COLUMNS };

static int has_column(const struct wsim_panel *p, int column) {
    const struct wsim_why *why = show_sum_why(p);
    unsigned term = p->part[TERM], kind = why->step[p->part[STEP]].kind;
    switch (column) {
    case PAIR: return why->term[term].a.at.col != why->term[term].k || why->term[term].nibble;
    case BLOCK: return why->blocks > 0;
    case TIMES: return kind == WSIM_WHY_WHOLE || kind == WSIM_WHY_COUNT;
    case RUNS: return kind == WSIM_WHY_FMA;
    default: return 1;
    }
}

/* Column `col` of the present columns. */
static int factor_column(const struct wsim_panel *p, uint32_t col) {
    int column = 0;
    while (!has_column(p, column) || col--)
        column++;
    return column;
}

static void factor_cell(struct wsim_panel *p, uint32_t row, uint32_t col, struct wsim_cell *cell) {
    const struct wsim_why_card *card = p->about;
    const struct wsim_why_term *term = &card->why->term[p->part[TERM] + row];
    const int column = factor_column(p, col);
    struct base_text text = {cell->text, sizeof cell->text, 0};
    cell->text[0] = '\0';
    cell->value = -1;
    cell->flags = 0;
    if (column < SUM_COLUMNS) {
        show_sum_put_term(&text, card, term, (enum show_sum_column)column);
        return;
    }
    switch (column) {
    case PAIR: base_put(&text, "%u: %x", term->pair.lane, term->nibble); break;
    case BLOCK: base_put(&text, "%u", term->block); break;
    case TIMES:
        base_put(&text, "%" PRId64, card->why->addend[p->part[ADDEND] + 1 + row].sig);
        break;
    default: {
        const struct wsim_why_step *step = &card->why->step[p->part[STEP] + row];
        show_sum_put_format(&text, step->format, step->after);
    }
    }
}

static void factor_row(struct wsim_panel *p, uint32_t row, char out[WSIM_CELL_TEXT]) {
    show_decimal(show_sum_why(p)->term[p->part[TERM] + row].k, out);
}

static void factor_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    static const char *const heads[COLUMNS] = {
        "a", "bits", "in lane", "b", "bits", "in lane", "metadata", "block", "product", "runs to"};
    snprintf(out, WSIM_CELL_TEXT, "%s", heads[factor_column(p, col)]);
}

static void factors_panel(const struct wsim_why_card *card, const struct show_sum_block *b,
                          struct wsim_panel *p) {
    const struct wsim_why_step *step = &card->why->step[b->step];
    struct base_text note = {p->note, sizeof p->note, 0};
    snprintf(p->caption, sizeof p->caption, "The factors and their lanes");
    snprintf(p->corner, sizeof p->corner, "k");
    p->rows = b->terms;
    for (int i = 0; i < COLUMNS; i++)
        p->cols += has_column(p, i) != 0;
    p->cell = factor_cell;
    p->row_head = factor_row;
    p->col_head = factor_col;
    if (step->kind == WSIM_WHY_ALIGNED || step->kind == WSIM_WHY_FMA)
        return;
    base_put(&note, "With the accumulator, ");
    show_sum_put_format(&note, step->from, step->before);
    if (step->kind == WSIM_WHY_SPECIAL)
        base_put(&note, ", an infinity or a NaN decides: ");
    else if (step->kind == WSIM_WHY_COUNT)
        base_put(&note, ", the one bits are %" PRId64 "; the lowest 32 bits are ", step->sum);
    else
        base_put(&note, ", the sum is %" PRId64 "; %s 32 bits it is ", step->sum,
                 card->why->arithmetic.saturate ? "clamped to" : "cut to the lowest");
    show_sum_put_format(&note, step->format, step->after);
    base_put(&note, ".");
}

/* --- the whole --- */

static void head_block(const struct wsim_why *why, const struct show_sum_block *b,
                       struct wsim_panel *p) {
    const struct wsim_why_step *step = &why->step[b->step];
    struct base_text text = {p->heading, sizeof p->heading, 0};
    base_put(&text, "Step %u: ", b->number);
    switch ((enum wsim_why_kind)step->kind) {
    case WSIM_WHY_ADD: base_put(&text, "added, rounded "); break;
    case WSIM_WHY_CONVERT: base_put(&text, "converted to %s", step->format->name); return;
    case WSIM_WHY_FMA:
        base_put(&text, "a chain of %u fused multiply-adds%s, each rounded ", b->steps,
                 step->run ? " by itself" : " onto the accumulator");
        break;
    default: base_put(&text, "%u products and the accumulator", b->terms); return;
    }
    base_put(&text, "%s", wsim_rounding_words((enum wsim_rounding)step->rounding));
}

static void why_panel(const struct wsim_picture *picture, uint32_t number, struct wsim_panel *p) {
    const struct wsim_why_card *card = picture->about;
    struct show_sum_block b = {0};
    memset(p, 0, sizeof *p);
    p->about = card;
    if (number == WSIM_PANEL_LIST) {
        show_sum_list(card->why, p);
        return;
    }
    while (show_sum_next(card->why, &b)) {
        uint32_t digits = show_sum_has_digits(card, &b) != 0, panels = digits + (b.terms > 0);
        if (number >= panels) {
            number -= panels;
            continue;
        }
        p->part[NUMBER] = b.number;
        p->part[STEP] = b.step;
        p->part[STEPS] = b.steps;
        p->part[TERM] = b.term;
        p->part[ADDEND] = b.addend;
        p->part[TERMS] = b.terms;
        if (number == 0)
            head_block(card->why, &b, p);
        if (number < digits)
            show_sum_digits(card, &b, p);
        else
            factors_panel(card, &b, p);
        return;
    }
}

static int why_line(const struct wsim_picture *picture, enum wsim_picture_lines where,
                    uint32_t number, char out[WSIM_CAPTION]) {
    const struct wsim_why_card *card = picture->about;
    const struct wsim_why *why = card->why;
    const struct wsim_why_step *last = &why->step[why->steps - 1];
    struct base_text text = {out, WSIM_CAPTION, 0};
    if (where != WSIM_LINES_ABOVE || number > 0 || !why->steps)
        return SHOW_NO_LINE;
    base_put(&text, "d[%u][%u]", why->d.at.row, why->d.at.col);
    if (why->d.at.batch)
        base_put(&text, " of #%u", why->d.at.batch);
    base_put(&text, " = ");
    show_sum_put_format(&text, last->format, last->after);
    base_put(&text, ", in lane ");
    show_sum_put_place(&text, "d", last->format->bits, &why->d);
    return SHOW_LINE;
}

void wsim_picture_why(const struct wsim_why_card *card, struct wsim_picture *picture) {
    struct show_sum_block b = {0};
    memset(picture, 0, sizeof *picture);
    snprintf(picture->title, sizeof picture->title, "%s on %s", card->spelling,
             wsim_arch_name(card->arch));
    picture->about = card;
    picture->list = 1;
    picture->panel = why_panel;
    picture->line = why_line;
    while (show_sum_next(card->why, &b))
        picture->panels += (uint32_t)(show_sum_has_digits(card, &b) != 0) + (b.terms > 0);
}
