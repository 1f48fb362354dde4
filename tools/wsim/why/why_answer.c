/* The answer of wsim why for an element: its products, the steps that add them, and the places of
 * the factors. */
#include "why.h"
#include "../../lib/number.h"
#include "../exec/exec.h"

#include <inttypes.h>
#include <string.h>

/* --- cells --- */

/* Elements of one bit come 32 at once. */
static unsigned bits_of(const struct exec_run *run, enum wsim_operand operand) {
    const unsigned bits = run->layout[operand].elem_bits;
    return bits == 1 ? 32 : bits;
}

static void skip_cells(struct doc *doc, unsigned count) {
    while (count--)
        doc_word(doc, NULL);
}

/* The number, and its bits. */
static void put_value(struct doc *doc, const struct why_answer *x, enum wsim_operand operand,
                      const struct wsim_why_element *element) {
    const struct wsim_layout *layout = &x->run->layout[operand];
    char number[NUMBER_TEXT];
    number_text(layout, element->bits, number);
    doc_cell(doc, NULL, "%s", layout->elem_bits == 1 ? "" : number);
    doc_cell(doc, NULL, "%0*" PRIx64, (int)(bits_of(x->run, operand) + 3) / 4, element->bits);
}

/* The lane, the register and the bits in it. */
static void put_place(struct doc *doc, const struct why_answer *x, enum wsim_operand operand,
                      const struct wsim_why_element *element) {
    if (!element->places) {
        skip_cells(doc, 2);
        return;
    }
    doc_cell(doc, NULL, "%u", element->place.lane);
    doc_cell(doc, NULL, "%s", why_place(operand, bits_of(x->run, operand), element).text);
}

/* The address of a factor in shared memory, its bank, and the address without the swizzle. */
static void put_byte(struct doc *doc, const struct why_answer *x, enum wsim_operand operand,
                     const struct wsim_why_element *element) {
    struct why_byte byte;
    if (!why_feed_at(x->run, x->feeds, operand, element, &byte)) {
        skip_cells(doc, 3);
        return;
    }
    doc_cell(doc, NULL, "0x%05lx", (unsigned long)byte.address);
    doc_cell(doc, NULL, "%lu", (unsigned long)byte.address / 4 % WSIM_BANKS);
    if (byte.swizzled)
        doc_cell(doc, NULL, "0x%05lx", (unsigned long)byte.linear);
    else
        skip_cells(doc, 1);
}

/* --- products --- */

/* The addend of a product; NULL: the product is part of a larger one. And its step. */
struct line {
    const struct wsim_why_addend *addend;
    const struct wsim_why_step *step;
};

/* An infinity times zero is a NaN too. */
static struct why_number special_product(struct wsim_value a, struct wsim_value b) {
    struct why_number out = {"nan"};
    if (a.cls != WSIM_NAN && b.cls != WSIM_NAN && a.cls != WSIM_ZERO && b.cls != WSIM_ZERO)
        snprintf(out.text, sizeof out.text, a.negative ^ b.negative ? "-inf" : "inf");
    return out;
}

/* The product by its step; of a fused multiply-add or a group, whose products are exact, by its
 * factors. */
static struct why_number product_of(const struct why_answer *x, const struct wsim_why_term *term,
                                    const struct line *line) {
    struct wsim_value a = number_value(&x->run->layout[WSIM_A], term->a.bits);
    struct wsim_value b = number_value(&x->run->layout[WSIM_B], term->b.bits);
    struct why_number none = {""};
    uint64_t sig = a.sig * b.sig;
    if (line->addend)
        return why_number(line->addend->sig, line->addend->exp, WHY_LONG);
    if (a.cls > WSIM_FINITE || b.cls > WSIM_FINITE)
        return special_product(a, b);
    if ((a.sig | b.sig) >> 31)
        return none;
    return why_number(a.negative ^ b.negative ? -(int64_t)sig : (int64_t)sig, a.exp + b.exp,
                      WHY_LONG);
}

/* A point where nothing is cut off. */
static void put_cut(struct doc *doc, const struct wsim_why_addend *addend,
                    const struct wsim_why_step *step) {
    const struct why_number cut = why_cut(addend, step);
    doc_cell(doc, NULL, "%s", *cut.text ? cut.text : ".");
}

static void add_term(struct doc *doc, const struct why_answer *x, const struct wsim_why_term *term,
                     const struct line *line) {
    doc_row(doc);
    doc_cell(doc, NULL, "%u", term->k);
    put_value(doc, x, WSIM_A, &term->a);
    put_value(doc, x, WSIM_B, &term->b);
    doc_cell(doc, NULL, "%s", product_of(x, term, line).text);
    if (line->addend && line->step->kind == WSIM_WHY_ALIGNED)
        put_cut(doc, line->addend, line->step);
    else
        skip_cells(doc, 1);
    if (line->step->kind == WSIM_WHY_FMA)
        doc_cell(doc, NULL, "%s", why_value(line->step->format, line->step->after).text);
}

static void add_places(struct doc *doc, const struct why_answer *x) {
    static const struct doc_column columns[] = {
        {NULL, "k", 0},         {NULL, "a in lane", 0},  {NULL, "register", 0},
        {NULL, "b in lane", 0}, {NULL, "register", 0},   {NULL, "pair in lane", 0},
        {NULL, "nibble", 0},    {NULL, "block", 0},      {NULL, "a at", 0},
        {NULL, "bank", 0},      {NULL, "unswizzled", 0}, {NULL, "b at", 0},
        {NULL, "bank", 0},      {NULL, "unswizzled", 0}, {NULL, NULL, 0}};
    doc_table(doc, NULL, columns);
    doc_heading(doc, "places of the factors");
    for (unsigned i = 0; i < x->why->terms; i++) {
        const struct wsim_why_term *term = &x->why->term[i];
        doc_row(doc);
        doc_cell(doc, NULL, "%u", term->k);
        put_place(doc, x, WSIM_A, &term->a);
        put_place(doc, x, WSIM_B, &term->b);
        if (x->run->has[WSIM_E]) {
            doc_cell(doc, NULL, "%u", term->pair.lane);
            doc_cell(doc, NULL, "%x", term->nibble);
        } else {
            skip_cells(doc, 2);
        }
        if (x->why->blocks)
            doc_cell(doc, NULL, "%u", term->block);
        else
            skip_cells(doc, 1);
        put_byte(doc, x, WSIM_A, &term->a);
        put_byte(doc, x, WSIM_B, &term->b);
    }
    doc_leave(doc);
}

/* --- steps --- */

/* The position of a step in the lists. */
struct cursor {
    unsigned step, term, addend;
};

/* The product or group with the largest exponent, in words. */
static struct why_number largest_of(const struct wsim_why *why, const struct cursor *at) {
    const struct wsim_why_step *step = &why->step[at->step];
    unsigned term = at->term;
    struct why_number out = {"the floor"};
    for (unsigned i = 0; i < step->addends; i++) {
        const struct wsim_why_addend *addend = &why->addend[at->addend + i];
        if (!addend->absent && addend->exponent == step->top) {
            if (!addend->terms)
                snprintf(out.text, sizeof out.text, "of the accumulator");
            else if (addend->terms > 1)
                snprintf(out.text, sizeof out.text, "of the group from k = %u on",
                         why->term[term].k);
            else
                snprintf(out.text, sizeof out.text, "of k = %u", why->term[term].k);
            break;
        }
        term += addend->terms;
    }
    return out;
}

static void add_groups(struct doc *doc, const struct wsim_why *why, const struct cursor *at) {
    static const struct doc_column columns[] = {{NULL, "group", 0},
                                                {NULL, "exact sum", 0},
                                                {NULL, "exponent", 0},
                                                {NULL, "cut off", 0},
                                                {NULL, NULL, 0}};
    const struct wsim_why_step *step = &why->step[at->step];
    doc_table(doc, NULL, columns);
    for (unsigned i = 1; i < step->addends; i++) {
        const struct wsim_why_addend *addend = &why->addend[at->addend + i];
        doc_row(doc);
        doc_cell(doc, NULL, "%u", i - 1);
        doc_cell(doc, NULL, "%s", why_number(addend->sig, addend->exp, WHY_LONG).text);
        if (addend->absent)
            doc_cell(doc, NULL, "none");
        else
            doc_cell(doc, NULL, "%d", addend->exponent);
        put_cut(doc, addend, step);
    }
    doc_leave(doc);
}

static void word_aligned(struct doc *doc, const struct why_answer *x, const struct cursor *at) {
    const struct wsim_why *why = x->why;
    const struct wsim_why_step *step = &why->step[at->step];
    const struct wsim_why_addend *first = &why->addend[at->addend];
    struct why_number cut = why_cut(first, step);
    if (step->addends && why->arithmetic.method == WSIM_METHOD_GROUPED)
        add_groups(doc, why, at);
    doc_line(doc, "  accumulator: %s%s%s", why_value(step->from, step->before).text,
             *cut.text ? ", cut off: " : "", cut.text);
    doc_line(doc, "  largest exponent: 2^%d, %s; bits below 2^%d are truncated", step->top,
             largest_of(why, at).text, step->unit);
    doc_line(doc, "  sum of the terms: %s = %" PRId64 " * 2^%d",
             why_number(step->sum, step->unit, WHY_EXACT).text, step->sum, step->unit);
    doc_line(doc, "  rounded %s%s to %s: %s",
             wsim_rounding_words((enum wsim_rounding)step->rounding),
             step->frac == step->format->frac_bits ? "" : " to fewer bits", step->format->name,
             why_value(step->format, step->after).text);
}

static void word_end(struct doc *doc, const struct why_answer *x, const struct cursor *at) {
    const struct wsim_why_step *step = &x->why->step[at->step];
    struct why_number before = why_value(step->from, step->before);
    struct why_number after = why_value(step->format, step->after);
    switch ((enum wsim_why_kind)step->kind) {
    case WSIM_WHY_ALIGNED: word_aligned(doc, x, at); break;
    case WSIM_WHY_SPECIAL:
        doc_line(doc, "  accumulator: %s; result of an infinity or a NaN: %s", before.text,
                 after.text);
        break;
    case WSIM_WHY_FMA: break;
    case WSIM_WHY_ADD:
        doc_line(doc, "  %s + %s, rounded %s to %s: %s", before.text,
                 why_value(step->from, step->other).text,
                 wsim_rounding_words((enum wsim_rounding)step->rounding), step->format->name,
                 after.text);
        break;
    case WSIM_WHY_WHOLE:
        doc_line(doc, "  with the accumulator, %s: %" PRId64 "; %s 32 bits: %s", before.text,
                 step->sum, x->why->arithmetic.saturate ? "clamped to" : "the lowest", after.text);
        break;
    case WSIM_WHY_COUNT:
        doc_line(doc, "  one bits and the accumulator, %s: %" PRId64 "; the lowest 32 bits: %s",
                 before.text, step->sum, after.text);
        break;
    case WSIM_WHY_CONVERT:
        doc_line(doc, "  %s in %s: %s", before.text, step->format->name, after.text);
        break;
    }
}

/* The rows of a step. */
static void add_terms(struct doc *doc, const struct why_answer *x, const struct cursor *at) {
    const struct wsim_why_step *step = &x->why->step[at->step];
    const int is_alone = step->addends == step->terms + 1;
    for (unsigned i = 0; i < step->terms; i++) {
        const struct line line = {is_alone ? &x->why->addend[at->addend + 1 + i] : NULL, step};
        add_term(doc, x, &x->why->term[at->term + i], &line);
    }
}

static const char *step_name(const struct wsim_why_step *step) {
    switch ((enum wsim_why_kind)step->kind) {
    case WSIM_WHY_ADD: return "added";
    case WSIM_WHY_CONVERT: return "converted";
    case WSIM_WHY_FMA: return step->run ? "a chain by itself" : "a chain onto the accumulator";
    default: return "products";
    }
}

/* Whether a step continues the chain of the one before: they share a table. */
static int continues(const struct wsim_why *why, unsigned step) {
    const struct wsim_why_step *last = &why->step[step - 1], *next = &why->step[step];
    return last->kind == WSIM_WHY_FMA && next->kind == WSIM_WHY_FMA && last->run == next->run;
}

static void open_step(struct doc *doc, const struct wsim_why_step *step, unsigned number) {
    static const struct doc_column columns[] = {
        {NULL, "k", 0},       {NULL, "a", 0},       {NULL, "bits", 0},
        {NULL, "b", 0},       {NULL, "bits", 0},    {NULL, "product", 0},
        {NULL, "cut off", 0}, {NULL, "runs to", 0}, {NULL, NULL, 0}};
    const int is_chain = step->kind == WSIM_WHY_FMA;
    doc_gap(doc);
    doc_line(doc, "step %u: %s%s%s", number, step_name(step), is_chain ? ", from " : "",
             is_chain ? why_value(step->from, step->before).text : "");
    if (step->terms)
        doc_table(doc, NULL, columns);
}

static void add_steps(struct doc *doc, const struct why_answer *x) {
    const struct wsim_why *why = x->why;
    struct cursor at = {0, 0, 0};
    for (unsigned number = 1; at.step < why->steps; number++) {
        struct cursor first = at;
        open_step(doc, &why->step[at.step], number);
        do {
            add_terms(doc, x, &at);
            at.term += why->step[at.step].terms;
            at.addend += why->step[at.step].addends;
        } while (++at.step < why->steps && continues(why, at.step));
        if (why->step[first.step].terms)
            doc_leave(doc);
        word_end(doc, x, &first);
    }
}

/* --- the answer --- */

static void word_element(struct doc *doc, const struct why_answer *x, enum wsim_operand operand,
                         const struct wsim_why_element *element) {
    const struct wsim_layout *layout = &x->run->layout[operand];
    char number[NUMBER_TEXT], matrix[16] = "";
    number_text(layout, element->bits, number);
    if (layout->batches > 1)
        snprintf(matrix, sizeof matrix, " of #%u", element->at.batch);
    doc_line(doc, "%s[%u][%u]%s = %s (%0*" PRIx64 ") in lane %u, %s", wsim_operand_name(operand),
             element->at.row, element->at.col, matrix, number, (layout->elem_bits + 3) / 4,
             element->bits, element->place.lane,
             why_place(operand, layout->elem_bits, element).text);
}

static void word_factor(struct doc *doc, const struct why_answer *x, enum wsim_operand operand,
                        unsigned block, const struct wsim_why_element *element) {
    char number[NUMBER_TEXT];
    number_text(&x->run->layout[operand], element->bits, number);
    if (element->in_tensor)
        doc_line(doc, "  %s of block %u = %s (%02" PRIx64 ") in lane %u, %s",
                 wsim_operand_name(operand), block, number, element->bits, element->place.lane,
                 why_place(operand, 8, element).text);
    else
        doc_line(doc, "  %s of block %u = %s (%02" PRIx64 ") in lane %u, byte %u",
                 wsim_operand_name(operand), block, number, element->bits, element->place.lane,
                 element->place.elem);
}

struct wsim_why_card why_card(const struct exec_run *run, const struct wsim_why *why) {
    return (struct wsim_why_card){.spelling = run->spelling,
                                  .arch = run->arch,
                                  .why = why,
                                  .a = run->layout[WSIM_A].format,
                                  .b = run->layout[WSIM_B].format,
                                  .a_bits = (uint8_t)bits_of(run, WSIM_A),
                                  .b_bits = (uint8_t)bits_of(run, WSIM_B)};
}

static void word_answer(struct doc *doc, const struct why_answer *x) {
    const struct wsim_why *why = x->why;
    exec_add_head(doc, x->run);
    exec_add_sources(doc, x->run);
    doc_gap(doc);
    word_element(doc, x, WSIM_D, &why->d);
    if (why->adds)
        word_element(doc, x, WSIM_C, &why->c);
    for (unsigned block = 0; block < why->blocks; block++) {
        word_factor(doc, x, WSIM_SFA, block, &why->factors[block].a);
        word_factor(doc, x, WSIM_SFB, block, &why->factors[block].b);
    }
    if (why->negate_a || why->negate_b)
        doc_line(doc, "  negated:%s%s", why->negate_a ? " a" : "", why->negate_b ? " b" : "");
    doc_line(doc, "%s", why_arithmetic(&why->arithmetic).text);
}

void why_answer(struct doc *doc, const struct why_answer *x, const struct wsim_why_card *card,
                int has_digits) {
    word_answer(doc, x);
    why_add_json(doc, x);
    if (has_digits || !doc_is(doc, TOOL_TEXT)) {
        struct wsim_picture picture;
        wsim_picture_why(card, &picture);
        picture.title[0] = '\0'; /* the head has it */
        doc_picture(doc, &picture);
    } else {
        add_steps(doc, x);
    }
    add_places(doc, x);
}
