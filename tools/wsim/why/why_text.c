/* What wsim why prints of an element. */
#include "why.h"
#include "why_words.h"
#include "../common/grid.h"
#include "../common/screen.h"
#include "../exec/exec_print.h"
#include "../../lib/number.h"

#include <inttypes.h>
#include <string.h>

/* --- cells --- */

static unsigned bits_of(const struct why_answer *x, enum wsim_operand operand) {
    unsigned bits = x->run->layout[operand].elem_bits;
    return bits == 1 ? 32 : bits; /* elements of a bit come 32 at once */
}

/* The number, and its bits. */
static void put_value(const struct why_answer *x, struct grid *grid, enum wsim_operand operand,
                      const struct wsim_why_element *element) {
    const struct wsim_layout *layout = &x->run->layout[operand];
    char number[NUMBER_TEXT];
    number_text(layout, element->bits, number);
    grid_cell(grid, "%s", layout->elem_bits == 1 ? "" : number);
    grid_cell(grid, "%0*" PRIx64, (int)(bits_of(x, operand) + 3) / 4, element->bits);
}

/* The lane, the register and the bits in it. */
static void put_place(const struct why_answer *x, struct grid *grid, enum wsim_operand operand,
                      const struct wsim_why_element *element) {
    if (!element->places) {
        grid_skip(grid, 2);
        return;
    }
    grid_cell(grid, "%u", element->place.lane);
    grid_cell(grid, "%s", why_register(operand, bits_of(x, operand), &element->place).text);
}

int why_put_byte(const struct why_answer *x, struct grid *grid, enum wsim_operand operand,
                 const struct wsim_why_element *element) {
    struct why_byte byte;
    if (!why_feed_at(x->run, x->feeds, operand, element, &byte)) {
        grid_skip(grid, 3);
        return 0;
    }
    grid_cell(grid, "0x%05lx", (unsigned long)byte.address);
    grid_cell(grid, "%lu", (unsigned long)byte.address / 4 % WSIM_BANKS);
    if (byte.swizzled)
        grid_cell(grid, "0x%05lx", (unsigned long)byte.linear);
    else
        grid_skip(grid, 1);
    return 1;
}

/* --- products --- */

static const char *const heads[] = {"a",       "bits",    "b",       "bits",
                                    "product", "cut off", "runs to", NULL};

/* What is known of a product beside its factors. */
struct line {
    const struct wsim_why_addend *addend; /* NULL: it is none by itself           */
    const struct wsim_why_step *step;     /* of which it is                       */
};

/* An infinity times zero is a NaN too. */
static struct why_number special_product(struct wsim_value a, struct wsim_value b) {
    struct why_number out = {"nan"};
    if (a.cls != WSIM_NAN && b.cls != WSIM_NAN && a.cls != WSIM_ZERO && b.cls != WSIM_ZERO)
        snprintf(out.text, sizeof out.text, a.negative ^ b.negative ? "-inf" : "inf");
    return out;
}

/* What the step says of it; of a factor of a fused multiply-add or of a group, which are exact and
 * not told, what the numbers say. */
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
static void put_cut(struct grid *grid, const struct wsim_why_addend *addend,
                    const struct wsim_why_step *step) {
    struct why_number cut = why_cut(addend, step);
    grid_cell(grid, "%s", *cut.text ? cut.text : ".");
}

static void put_term(const struct why_answer *x, struct grid *grid,
                     const struct wsim_why_term *term, const struct line *line) {
    grid_row(grid, "%u", term->k);
    put_value(x, grid, WSIM_A, &term->a);
    put_value(x, grid, WSIM_B, &term->b);
    grid_cell(grid, "%s", product_of(x, term, line).text);
    if (line->addend && line->step->kind == WSIM_WHY_ALIGNED)
        put_cut(grid, line->addend, line->step);
    else
        grid_skip(grid, 1);
    if (line->step->kind == WSIM_WHY_FMA)
        grid_cell(grid, "%s", why_value(line->step->format, line->step->after).text);
}

/* Where the factors of all products were. */
static void print_places(const struct why_answer *x) {
    static const char *const columns[] = {
        "a in lane", "register", "b in lane",  "register", "pair in lane", "nibble",     "block",
        "a at",      "bank",     "unswizzled", "b at",     "bank",         "unswizzled", NULL};
    struct grid grid = grid_open("k", columns);
    for (unsigned i = 0; i < x->why->terms; i++) {
        const struct wsim_why_term *term = &x->why->term[i];
        grid_row(&grid, "%u", term->k);
        put_place(x, &grid, WSIM_A, &term->a);
        put_place(x, &grid, WSIM_B, &term->b);
        if (x->run->has[WSIM_E]) {
            grid_cell(&grid, "%u", term->pair.lane);
            grid_cell(&grid, "%x", term->nibble);
        } else {
            grid_skip(&grid, 2);
        }
        if (x->why->blocks)
            grid_cell(&grid, "%u", term->block);
        else
            grid_skip(&grid, 1);
        why_put_byte(x, &grid, WSIM_A, &term->a);
        why_put_byte(x, &grid, WSIM_B, &term->b);
    }
    puts("\nwhere the factors were");
    grid_print(&grid);
    grid_free(&grid);
}

/* --- steps --- */

/* Where in the lists a step begins. */
struct cursor {
    unsigned step, term, addend;
};

/* Which of the products or groups has the largest exponent, in words. */
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

static void print_groups(const struct wsim_why *why, const struct cursor *at) {
    static const char *const columns[] = {"exact sum", "exponent", "cut off", NULL};
    const struct wsim_why_step *step = &why->step[at->step];
    struct grid grid = grid_open("group", columns);
    for (unsigned i = 1; i < step->addends; i++) {
        const struct wsim_why_addend *addend = &why->addend[at->addend + i];
        grid_row(&grid, "%u", i - 1);
        grid_cell(&grid, "%s", why_number(addend->sig, addend->exp, WHY_LONG).text);
        if (addend->absent)
            grid_cell(&grid, "none");
        else
            grid_cell(&grid, "%d", addend->exponent);
        put_cut(&grid, addend, step);
    }
    grid_print(&grid);
    grid_free(&grid);
}

static void print_aligned(const struct why_answer *x, const struct cursor *at) {
    const struct wsim_why *why = x->why;
    const struct wsim_why_step *step = &why->step[at->step];
    const struct wsim_why_addend *first = &why->addend[at->addend];
    struct why_number cut = why_cut(first, step);
    if (step->addends && why->arithmetic.method == WSIM_METHOD_GROUPED)
        print_groups(why, at);
    screen_fold(2, "  accumulator: %s%s%s", why_value(step->from, step->before).text,
                *cut.text ? ", cut off: " : "", cut.text);
    screen_fold(4, "  largest exponent: 2^%d, %s; bits below 2^%d are cut off", step->top,
                largest_of(why, at).text, step->unit);
    screen_fold(4, "  sum of what is left: %s = %" PRId64 " * 2^%d",
                why_number(step->sum, step->unit, WHY_EXACT).text, step->sum, step->unit);
    screen_fold(4, "  rounded %s%s to %s: %s",
                wsim_rounding_words((enum wsim_rounding)step->rounding),
                step->frac == step->format->frac_bits ? "" : " to fewer bits", step->format->name,
                why_value(step->format, step->after).text);
}

static void print_end(const struct why_answer *x, const struct cursor *at) {
    const struct wsim_why_step *step = &x->why->step[at->step];
    struct why_number before = why_value(step->from, step->before);
    struct why_number after = why_value(step->format, step->after);
    switch ((enum wsim_why_kind)step->kind) {
    case WSIM_WHY_ALIGNED: print_aligned(x, at); break;
    case WSIM_WHY_SPECIAL:
        screen_fold(4, "  accumulator: %s; an infinity or a NaN decides: %s", before.text,
                    after.text);
        break;
    case WSIM_WHY_FMA: break;
    case WSIM_WHY_ADD:
        screen_fold(4, "  %s + %s, rounded %s to %s: %s", before.text,
                    why_value(step->from, step->other).text,
                    wsim_rounding_words((enum wsim_rounding)step->rounding), step->format->name,
                    after.text);
        break;
    case WSIM_WHY_WHOLE:
        screen_fold(4, "  with the accumulator, %s: %" PRId64 "; %s 32 bits: %s", before.text,
                    step->sum, x->why->arithmetic.saturate ? "clamped to" : "the lowest",
                    after.text);
        break;
    case WSIM_WHY_COUNT:
        screen_fold(4, "  one bits and the accumulator, %s: %" PRId64 "; the lowest 32 bits: %s",
                    before.text, step->sum, after.text);
        break;
    case WSIM_WHY_CONVERT:
        screen_fold(4, "  %s in %s: %s", before.text, step->format->name, after.text);
        break;
    }
}

/* Steps that take a product each share a table: those from at->step on of the same run. */
static unsigned together(const struct wsim_why *why, unsigned step) {
    unsigned n = 1;
    if (why->step[step].kind != WSIM_WHY_FMA)
        return 1;
    while (step + n < why->steps && why->step[step + n].kind == WSIM_WHY_FMA &&
           why->step[step + n].run == why->step[step].run)
        n++;
    return n;
}

static void print_terms(const struct why_answer *x, struct cursor at, unsigned steps) {
    struct grid grid = grid_open("k", heads);
    for (; steps; steps--, at.step++) {
        const struct wsim_why_step *step = &x->why->step[at.step];
        int alone = step->addends == step->terms + 1;
        for (unsigned i = 0; i < step->terms; i++, at.term++) {
            struct line line = {alone ? &x->why->addend[at.addend + 1 + i] : NULL, step};
            put_term(x, &grid, &x->why->term[at.term], &line);
        }
        at.addend += step->addends;
    }
    if (grid.rows)
        grid_print(&grid);
    grid_free(&grid);
}

static const char *name_of(const struct wsim_why_step *step) {
    switch ((enum wsim_why_kind)step->kind) {
    case WSIM_WHY_ADD: return "added";
    case WSIM_WHY_CONVERT: return "converted";
    case WSIM_WHY_FMA: return step->run ? "a chain by itself" : "a chain onto the accumulator";
    default: return "products";
    }
}

static void print_steps(const struct why_answer *x) {
    const struct wsim_why *why = x->why;
    struct cursor at = {0, 0, 0};
    unsigned number = 1;
    while (at.step < why->steps) {
        unsigned n = together(why, at.step);
        printf("\nstep %u: %s", number++, name_of(&why->step[at.step]));
        if (why->step[at.step].kind == WSIM_WHY_FMA)
            printf(", from %s", why_value(why->step[at.step].from, why->step[at.step].before).text);
        putchar('\n');
        print_terms(x, at, n);
        for (; n; n--, at.step++) {
            print_end(x, &at);
            at.term += why->step[at.step].terms;
            at.addend += why->step[at.step].addends;
        }
    }
}

/* --- the whole --- */

static void print_element(const struct why_answer *x, enum wsim_operand operand,
                          const struct wsim_why_element *element) {
    const struct wsim_layout *layout = &x->run->layout[operand];
    char number[NUMBER_TEXT], matrix[16] = "";
    number_text(layout, element->bits, number);
    if (layout->batches > 1)
        snprintf(matrix, sizeof matrix, " of #%u", element->at.batch);
    printf("%s[%u][%u]%s = %s (%0*" PRIx64 ") in lane %u, %s\n", wsim_operand_name(operand),
           element->at.row, element->at.col, matrix, number, (layout->elem_bits + 3) / 4,
           element->bits, element->place.lane,
           why_register(operand, layout->elem_bits, &element->place).text);
}

static void print_factor(const struct why_answer *x, enum wsim_operand operand, unsigned block,
                         const struct wsim_why_element *element) {
    char number[NUMBER_TEXT];
    number_text(&x->run->layout[operand], element->bits, number);
    printf("  %s of block %u = %s (%02" PRIx64 ") in lane %u, byte %u\n",
           wsim_operand_name(operand), block, number, element->bits, element->place.lane,
           element->place.elem);
}

void why_print_text(const struct why_answer *x) {
    const struct wsim_why *why = x->why;
    exec_print_head(x->run);
    putchar('\n');
    print_element(x, WSIM_D, &why->d);
    if (why->adds)
        print_element(x, WSIM_C, &why->c);
    for (unsigned block = 0; block < why->blocks; block++) {
        print_factor(x, WSIM_SFA, block, &why->factors[block].a);
        print_factor(x, WSIM_SFB, block, &why->factors[block].b);
    }
    if (why->negate_a || why->negate_b)
        printf("  negated:%s%s\n", why->negate_a ? " a" : "", why->negate_b ? " b" : "");
    screen_fold(0, "%s", why_arithmetic(&why->arithmetic).text);
    print_steps(x);
    print_places(x);
}
