/* Digits of sums: the aligned bits of each term, so that lost bits are visible. */
#include "why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    LOST = 14,  /* columns below the kept bits; lower ones share one               */
    MOST = 80,  /* columns of powers of two                                                  */
    EVERY = 4,  /* exponents that stand above the columns                                    */
    BIAS = 8192 /* exponents are numbers from 0 on in panel->part                            */
};

/* --- rows of digits --- */

enum row_kind { BEFORE, OTHER, PRODUCT, GROUP, SUM, AFTER };

struct row {
    enum row_kind kind;
    int64_t sig; /* its value is sig * 2^exp ...                                     */
    int exp;
    int cls;   /* ... if this is WSIM_FINITE                    */
    int lost;  /* exponent below which its ones are lost        */
    int floor; /* ... and below which its zeros are no digits   */
    const struct wsim_why_step *step;
    const struct wsim_why_term *term; /* of PRODUCT, and the first one of GROUP      */
    unsigned terms;
};

static uint64_t magnitude(int64_t sig) {
    return sig < 0 ? 0 - (uint64_t)sig : (uint64_t)sig;
}

static int length_of(uint64_t bits) {
    int n = 0;
    for (; bits; bits >>= 1)
        n++;
    return n;
}

static void set_value(struct row *row, struct wsim_value value) {
    row->cls = value.cls;
    row->sig = (int64_t)(value.cls > WSIM_FINITE ? 1 : value.sig) * (value.negative ? -1 : 1);
    row->exp = value.exp;
}

/* The exponent of the lowest bit of a result; lower bits were rounded off. */
static int lowest_of(const struct wsim_why_step *step, uint64_t before) {
    struct wsim_value value = wsim_format_decode(step->format, step->after);
    if (value.cls == WSIM_ZERO && before)
        return BIAS; /* all of it */
    if (value.cls != WSIM_FINITE)
        return -BIAS;
    return value.exp + (step->kind == WSIM_WHY_ALIGNED ? step->format->frac_bits - step->frac : 0);
}

static struct row row_after(const struct wsim_why_step *step) {
    struct row row = {.kind = AFTER, .lost = -BIAS, .floor = -BIAS, .step = step};
    set_value(&row, wsim_format_decode(step->format, step->after));
    if (step->kind == WSIM_WHY_ALIGNED)
        row.floor = step->unit;
    return row;
}

static struct row aligned_row(const struct wsim_why *why, const struct show_sum_block *b,
                              unsigned number) {
    const struct wsim_why_step *step = &why->step[b->step];
    const struct wsim_why_addend *addend = &why->addend[b->addend + number];
    struct row row = {.kind = BEFORE,
                      .cls = WSIM_FINITE,
                      .lost = step->unit,
                      .floor = -BIAS,
                      .step = step,
                      .term = &why->term[b->term]};
    if (number > step->addends)
        return row_after(step);
    if (number == step->addends) {
        row.kind = SUM;
        row.sig = step->sum;
        row.exp = step->unit;
        row.lost = lowest_of(step, magnitude(step->sum));
        return row;
    }
    row.sig = addend->sig;
    row.exp = addend->exp;
    row.terms = addend->terms;
    row.kind = !addend->terms ? BEFORE : addend->terms > 1 ? GROUP : PRODUCT;
    for (unsigned i = 0; i < number; i++)
        row.term += why->addend[b->addend + i].terms;
    return row;
}

/* The accumulator, then alternately a product and a result. */
static struct row chain_row(const struct wsim_why_card *card, const struct show_sum_block *b,
                            unsigned number) {
    const struct wsim_why *why = card->why;
    const struct wsim_why_step *step = &why->step[b->step + (number ? (number - 1) / 2 : 0)];
    struct row row = {.kind = BEFORE, .lost = -BIAS, .floor = -BIAS, .step = step};
    struct wsim_value x, y;
    if (number == 0) {
        set_value(&row, wsim_format_decode(step->from, step->before));
        return row;
    }
    if (number % 2 == 0)
        return row_after(step);
    row.kind = PRODUCT;
    row.term = &why->term[b->term + (number - 1) / 2];
    x = show_sum_value(card, WSIM_A, row.term->a.bits);
    y = show_sum_value(card, WSIM_B, row.term->b.bits);
    row.cls = x.cls > y.cls ? x.cls : y.cls;
    row.sig = (int64_t)(x.sig * y.sig) * (x.negative ^ y.negative ? -1 : 1);
    row.exp = x.exp + y.exp;
    row.lost = lowest_of(step, x.sig * y.sig);
    return row;
}

/* The old value, the addend if any, and the result in the format of the step.
 */
static struct row simple_row(const struct wsim_why *why, const struct show_sum_block *b,
                             unsigned number) {
    const struct wsim_why_step *step = &why->step[b->step];
    int other = step->kind == WSIM_WHY_ADD && number == 1;
    struct row row = {.kind = other ? OTHER : BEFORE, .floor = -BIAS, .step = step};
    if (number > (unsigned)(step->kind == WSIM_WHY_ADD))
        return row_after(step);
    set_value(&row, wsim_format_decode(step->from, other ? step->other : step->before));
    row.lost = lowest_of(step, magnitude(row.sig));
    return row;
}

static struct row row_of(const struct wsim_why_card *card, const struct show_sum_block *b,
                         unsigned number) {
    switch ((enum wsim_why_kind)card->why->step[b->step].kind) {
    case WSIM_WHY_ALIGNED: return aligned_row(card->why, b, number);
    case WSIM_WHY_FMA: return chain_row(card, b, number);
    default: return simple_row(card->why, b, number);
    }
}

static unsigned count_rows(const struct wsim_why *why, const struct show_sum_block *b) {
    const struct wsim_why_step *step = &why->step[b->step];
    switch ((enum wsim_why_kind)step->kind) {
    case WSIM_WHY_ALIGNED: return step->addends + 2u;
    case WSIM_WHY_FMA: return 2 * b->steps + 1;
    case WSIM_WHY_ADD: return 3;
    default: return 2;
    }
}

/* True if its digits are shown: a rounded sum that fits into 63 bits. */
int show_sum_has_digits(const struct wsim_why_card *card, const struct show_sum_block *b) {
    switch ((enum wsim_why_kind)card->why->step[b->step].kind) {
    case WSIM_WHY_ALIGNED:
    case WSIM_WHY_ADD:
    case WSIM_WHY_CONVERT: return 1;
    case WSIM_WHY_FMA:
        return show_sum_format(card, WSIM_A)->frac_bits + show_sum_format(card, WSIM_B)->frac_bits +
                   2 <
               63;
    default: return 0;
    }
}

/* --- columns of digits: the sign, powers of two, a bar, what is lost, the rest of it --- */

struct columns {
    int high, unit, low; /* exponents; low < unit: there is a bar */
    int more;            /* there are ones further down           */
};

static struct columns columns_of(const struct wsim_why_card *card, const struct show_sum_block *b) {
    const struct wsim_why_step *step = &card->why->step[b->step];
    int aligned = step->kind == WSIM_WHY_ALIGNED, lowest = BIAS, kept = BIAS;
    struct columns c = {.high = -BIAS};
    for (unsigned i = 0; i < count_rows(card->why, b); i++) {
        struct row row = row_of(card, b, i);
        uint64_t bits = magnitude(row.sig);
        int low = row.exp;
        if (row.cls != WSIM_FINITE || !bits)
            continue;
        if (row.exp + length_of(bits) - 1 > c.high)
            c.high = row.exp + length_of(bits) - 1;
        for (; !(bits & 1); bits >>= 1)
            low++;
        lowest = low < lowest ? low : lowest;
        if (row.kind == AFTER && row.exp < kept)
            kept = row.exp;
    }
    if (aligned && step->top > c.high)
        c.high = step->top;
    if (c.high == -BIAS) /* nothing but zeros, infinities and NaN */
        c.high = lowest = 0;
    c.unit = aligned ? step->unit : kept < lowest ? lowest : kept;
    if (c.unit > c.high)
        c.unit = c.high;
    if (c.unit < c.high - MOST)
        c.unit = c.high - MOST;
    c.low = lowest < c.unit ? lowest : c.unit;
    c.more = c.low < c.unit - LOST;
    c.low = c.more ? c.unit - LOST : c.low;
    return c;
}

static struct show_sum_block block_of(const struct wsim_panel *p) {
    return (struct show_sum_block){p->part[NUMBER], p->part[STEP],   p->part[STEPS],
                                   p->part[TERM],   p->part[ADDEND], p->part[TERMS]};
}

static int part(const struct wsim_panel *p, int which) {
    return (int)p->part[which] - BIAS;
}

enum column { SIGN, DIGIT, BAR, REST };

/* The kind of a column, and its exponent. */
static enum column column_of(const struct wsim_panel *p, uint32_t col, int *exp) {
    int kept = part(p, HIGH) - part(p, UNIT) + 1, lost = part(p, UNIT) - part(p, LOW);
    int at = (int)col - 1;
    *exp = part(p, LOW) - 1;
    if (col == 0)
        return SIGN;
    if (at == kept)
        return BAR;
    *exp = part(p, HIGH) - (at > kept ? at - 1 : at);
    return at > kept + lost ? REST : DIGIT;
}

/* True if a one is below the last column. */
static int has_rest(const struct wsim_panel *p, const struct row *row) {
    int below = part(p, LOW) - row->exp;
    uint64_t bits = magnitude(row->sig);
    return row->cls == WSIM_FINITE && below > 0 && (below > 63 ? bits : bits << (64 - below)) != 0;
}

static void put_digit(const struct wsim_panel *p, const struct row *row, int exp,
                      struct wsim_cell *cell) {
    uint64_t bits = magnitude(row->sig);
    int at = exp - row->exp, lost = exp < row->lost;
    int there = row->cls == WSIM_FINITE && at >= 0 && at < length_of(bits) && exp >= row->floor;
    int one = there && (bits >> at & 1);
    int outside = lost || exp < part(p, UNIT);
    cell->text[0] = there ? (char)('0' + one) : '.';
    cell->value = !there || (outside && !one) ? -1 : one + (one && lost);
    cell->flags = one && lost ? WSIM_CELL_MARKED
                  : one       ? 0
                  : outside   ? WSIM_CELL_OUTSIDE | (there ? 0 : WSIM_CELL_EMPTY)
                  : there     ? 0
                              : WSIM_CELL_EMPTY;
}

static void digit_cell(struct wsim_panel *p, uint32_t number, uint32_t col,
                       struct wsim_cell *cell) {
    struct show_sum_block b = block_of(p);
    struct row row = row_of(p->about, &b, number);
    int exp;
    enum column column = column_of(p, col, &exp);
    cell->text[1] = '\0';
    cell->value = -1;
    cell->flags = 0;
    if (column == DIGIT) {
        put_digit(p, &row, exp, cell);
        return;
    }
    if (column == REST) {
        int rest = has_rest(p, &row), lost = part(p, LOW) <= row.lost;
        cell->text[0] = rest ? '+' : '.';
        cell->value = rest ? 1 + lost : -1;
        cell->flags = !rest ? WSIM_CELL_OUTSIDE | WSIM_CELL_EMPTY : lost ? WSIM_CELL_MARKED : 0;
        return;
    }
    cell->text[0] = column == BAR                            ? '|'
                    : row.cls != WSIM_FINITE || row.sig == 0 ? '.'
                    : row.sig < 0                            ? '-'
                                                             : '+';
    if (column == SIGN && cell->text[0] == '.')
        cell->flags = WSIM_CELL_EMPTY;
}

static struct wsim_value value_from(int64_t sig, int exp) {
    return (struct wsim_value){sig ? WSIM_FINITE : WSIM_ZERO, sig < 0, (int16_t)exp,
                               sig < 0 ? 0 - (uint64_t)sig : (uint64_t)sig};
}

static void put_row_value(struct base_text *text, const struct row *row) {
    struct wsim_value value = value_from(row->sig, row->exp);
    if (row->kind == AFTER) {
        char number[WSIM_NUMBER_TEXT];
        wsim_format_write(row->step->format, row->step->after, number);
        base_put(text, "%s", number);
        return;
    }
    if (row->cls > WSIM_FINITE) {
        value.cls = (uint8_t)row->cls;
        value.negative = row->sig < 0;
    }
    show_sum_put_value(text, value);
}

static const char *after_name(const struct wsim_why_step *step) {
    switch ((enum wsim_why_kind)step->kind) {
    case WSIM_WHY_ALIGNED: return "rounded";
    case WSIM_WHY_CONVERT: return step->format->name;
    default: return "sum, rounded";
    }
}

static void put_row_name(struct base_text *text, const struct row *row) {
    switch (row->kind) {
    case BEFORE: base_put(text, "accumulator"); return;
    case OTHER: base_put(text, "added"); return;
    case PRODUCT: base_put(text, "k = %u", row->term->k); return;
    case GROUP: base_put(text, "%u from k = %u", row->terms, row->term->k); return;
    case SUM: base_put(text, "sum"); return;
    case AFTER: base_put(text, "%s", after_name(row->step)); return;
    }
}

static void digit_row(struct wsim_panel *p, uint32_t number, char out[WSIM_CELL_TEXT]) {
    struct show_sum_block b = block_of(p);
    struct row row = row_of(p->about, &b, number);
    char name[64], value[64];
    struct base_text name_text = {name, sizeof name, 0}, value_text = {value, sizeof value, 0};
    put_row_name(&name_text, &row);
    put_row_value(&value_text, &row);
    snprintf(out, WSIM_CELL_TEXT, "%s %14s", name, value);
}

static void digit_col(struct wsim_panel *p, uint32_t col, char out[WSIM_CELL_TEXT]) {
    int exp;
    enum column column = column_of(p, col, &exp);
    out[0] = '\0';
    if (column == DIGIT && exp % EVERY == 0)
        snprintf(out, WSIM_CELL_TEXT, "%d", exp);
    else if (column == REST)
        snprintf(out, WSIM_CELL_TEXT, "...");
}

static void put_product(struct base_text *text, const struct wsim_why_card *card,
                        const struct wsim_why_term *term) {
    base_put(text, ": ");
    show_sum_put_term(text, card, term, SUM_A);
    base_put(text, " (");
    show_sum_put_place(text, "a", card->a_bits, &term->a);
    base_put(text, ") x ");
    show_sum_put_term(text, card, term, SUM_B);
    base_put(text, " (");
    show_sum_put_place(text, "b", card->b_bits, &term->b);
    base_put(text, ")");
}

static void digit_title(struct wsim_panel *p, uint32_t number, uint32_t col,
                        char out[WSIM_CELL_TEXT]) {
    const struct wsim_why_card *card = p->about;
    struct show_sum_block b = block_of(p);
    struct row row = row_of(card, &b, number);
    struct base_text text = {out, WSIM_CELL_TEXT, 0};
    struct wsim_cell cell;
    int exp;
    enum column column = column_of(p, col, &exp);
    out[0] = '\0';
    if (column == BAR)
        return;
    put_row_name(&text, &row);
    if (row.kind == PRODUCT)
        put_product(&text, card, row.term);
    base_put(&text, " = ");
    put_row_value(&text, &row);
    digit_cell(p, number, col, &cell);
    if (column == DIGIT)
        base_put(&text, "; 2^%d%s", exp, cell.flags & WSIM_CELL_MARKED ? " is lost" : "");
    else if (column == REST && cell.flags & WSIM_CELL_MARKED)
        base_put(&text, "; bits below 2^%d are lost", exp + 1);
}

/* The addend with the largest exponent. */
static void put_largest(struct base_text *text, const struct wsim_why *why,
                        const struct show_sum_block *b) {
    const struct wsim_why_step *step = &why->step[b->step];
    for (unsigned i = 0; i < step->addends; i++) {
        const struct wsim_why_addend *addend = &why->addend[b->addend + i];
        if (!addend->absent && addend->exponent == step->top) {
            struct row row = aligned_row(why, b, i);
            base_put(text, "that of ");
            if (row.kind == BEFORE)
                base_put(text, "the ");
            put_row_name(text, &row);
            return;
        }
    }
    base_put(text, "the least that there is");
}

void show_sum_digits(const struct wsim_why_card *card, const struct show_sum_block *b,
                     struct wsim_panel *p) {
    const struct wsim_why_step *step = &card->why->step[b->step];
    struct columns c = columns_of(card, b);
    struct base_text caption = {p->caption, sizeof p->caption, 0},
                     note = {p->note, sizeof p->note, 0};
    p->part[HIGH] = (uint32_t)(c.high + BIAS);
    p->part[UNIT] = (uint32_t)(c.unit + BIAS);
    p->part[LOW] = (uint32_t)(c.low + BIAS);
    p->glyphs = p->ruler = 1;
    p->hue = WSIM_HUE_DIGIT;
    p->values = 3;
    p->rows = count_rows(card->why, b);
    p->cols = 1u + (uint32_t)(c.high - c.low + 1) + (c.low < c.unit) + (uint32_t)c.more;
    p->cell = digit_cell;
    p->row_head = digit_row;
    p->col_head = digit_col;
    p->title = digit_title;
    snprintf(p->corner, sizeof p->corner, "power of two");
    if (step->kind != WSIM_WHY_ALIGNED)
        return;
    base_put(&caption, "The largest exponent is %d, ", step->top);
    put_largest(&caption, card->why, b);
    base_put(&caption, ": bits below 2^%d are truncated, lost digits are marked.", step->unit);
    base_put(&note, "The sum of the terms is %" PRId64 " * 2^%d; rounded %s to %s it is ",
             step->sum, step->unit, wsim_rounding_words((enum wsim_rounding)step->rounding),
             step->format->name);
    if (step->frac != step->format->frac_bits)
        base_put(&note, "with %u fraction bits ", step->frac);
    show_sum_put_format(&note, step->format, step->after);
    base_put(&note, ".");
}
