/* test_why.c - explanations: the steps of an element lead to the bits that wsim_run leaves, and are
 * true of what they say. Every product, on an architecture of each arithmetic; the distributions of
 * operands take turns. */
#include "dossier.h"

#include <wsim/harness/harness.h>

static struct wsim_case_scratch scratch;
static uint32_t in[WSIM_CASE_ROWS * WSIM_LANES], out[WSIM_CASE_RESULTS * WSIM_LANES];
static struct wsim_why why;

struct explained {
    const struct wsim_code *code;
    const struct wsim_plan *plan;
    struct wsim_layout layout[WSIM_OPERANDS]; /* no lanes: not in registers */
    struct wsim_io io;
    char text[WSIM_SPELLING_MAX + 80];
};

static int is_group(const struct explained *e) {
    return wsim_op_describe(&e->code->op).view == WSIM_VIEW_WGMMA;
}

/* --- values --- */

static uint64_t magnitude(int64_t value) {
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

/* Whether `kept` units are sig * 2^exp cut toward zero. */
static int is_cut(const struct wsim_why_addend *addend, int unit) {
    uint64_t sig = magnitude(addend->sig), kept = magnitude(addend->kept);
    int up = addend->exp - unit;
    if (addend->kept && (addend->kept < 0) != (addend->sig < 0))
        return 0;
    if (!sig || up < -63)
        return !kept;
    return up >= 0 ? sig << up == kept && sig << up >> up == sig : sig >> -up == kept;
}

static struct wsim_value value_of(const struct explained *e, enum wsim_operand operand,
                                  uint64_t bits) {
    struct wsim_layout layout = e->layout[operand];
    struct wsim_tile tile;
    if (!layout.lanes) {
        expect(!wsim_wgmma_tile(&e->code->op, operand, 0, &tile, NULL), "no tile");
        layout = (struct wsim_layout){.format = tile.format, .elem_bits = tile.bits};
    }
    if (layout.elem_bits > layout.format->bits)
        bits >>= layout.format->pad;
    return wsim_format_decode(layout.format, bits);
}

/* An odd number and the exponent that belongs to it; 0 has the exponent 0. */
static void normalise(uint64_t *sig, int *exp) {
    *exp = *sig ? *exp : 0;
    for (; *sig && !(*sig & 1); *sig >>= 1)
        ++*exp;
}

/* The exponents that power-of-two scales add to products. */
static int scale_of(const struct explained *e) {
    struct wsim_value a = value_of(e, WSIM_SFA, why.factors[0].a.bits);
    struct wsim_value b = value_of(e, WSIM_SFB, why.factors[0].b.bits);
    return a.exp + b.exp;
}

/* Whether an addend is the product of two elements; `scale` is what block scales add. */
static int is_product(const struct explained *e, const struct wsim_why_term *term,
                      const struct wsim_why_addend *addend, int scale) {
    struct wsim_value a = value_of(e, WSIM_A, term->a.bits);
    struct wsim_value b = value_of(e, WSIM_B, term->b.bits);
    uint64_t product = a.sig * b.sig, sig = magnitude(addend->sig);
    int product_exp = a.exp + b.exp + scale, sig_exp = addend->exp;
    int negative = a.negative ^ b.negative ^ why.negate_a ^ why.negate_b;
    normalise(&product, &product_exp);
    normalise(&sig, &sig_exp);
    return product == sig && product_exp == sig_exp && (!sig || negative == (addend->sig < 0));
}

/* --- steps --- */

static void check_aligned(const struct explained *e, const struct wsim_why_step *step,
                          unsigned term, unsigned first) {
    int scale = why.arithmetic.method == WSIM_METHOD_FUSED && why.blocks ? scale_of(e) : 0;
    int top = why.arithmetic.floor;
    int64_t sum = 0;
    for (unsigned i = first; i < first + step->addends; i++) {
        const struct wsim_why_addend *addend = &why.addend[i];
        expect(is_cut(addend, step->unit), "%s: addend %u is not cut as it says", e->text, i);
        sum += addend->kept;
        top = !addend->absent && addend->exponent > top ? addend->exponent : top;
        if (addend->terms == 1)
            expect(is_product(e, &why.term[term], addend, scale), "%s: product %u is another",
                   e->text, term);
        term += addend->terms;
    }
    expect(top == step->top && top - why.arithmetic.keep == step->unit,
           "%s: the largest exponent is another", e->text);
    expect(sum == step->sum, "%s: addends make another sum", e->text);
}

/* Whole numbers and one bits, of which nothing is cut off. */
static void check_whole(const struct explained *e, const struct wsim_why_step *step, unsigned term,
                        unsigned first) {
    int64_t sum = 0;
    for (unsigned i = first; i < first + step->addends; i++) {
        const struct wsim_why_addend *addend = &why.addend[i];
        expect(addend->kept == addend->sig && addend->exp == 0, "%s: something is cut off",
               e->text);
        if (step->kind == WSIM_WHY_WHOLE && addend->terms == 1)
            expect(is_product(e, &why.term[term], addend, 0), "%s: product %u is another", e->text,
                   term);
        sum += addend->kept;
        term += addend->terms;
    }
    expect(sum == step->sum, "%s: addends make another sum", e->text);
}

static void check_steps(const struct explained *e) {
    unsigned terms = 0, addends = 0, runs = 0;
    uint64_t held = why.adds ? why.c.bits : 0, run = 0;
    for (unsigned s = 0; s < why.steps; s++) {
        const struct wsim_why_step *step = &why.step[s];
        int begins = why.arithmetic.method == WSIM_METHOD_SPLIT && terms == 0;
        if (step->kind == WSIM_WHY_ALIGNED)
            check_aligned(e, step, terms, addends);
        else if (step->addends)
            check_whole(e, step, terms, addends);
        if (step->run)
            expect(s == 0 || why.step[s - 1].run != step->run || step->before == run,
                   "%s: step %u goes on from elsewhere", e->text, s);
        else if (step->kind == WSIM_WHY_ADD && why.arithmetic.method == WSIM_METHOD_SPLIT)
            expect(step->other == held, "%s: step %u adds another", e->text, s);
        else
            expect(begins || step->before == held, "%s: step %u goes on from elsewhere", e->text,
                   s);
        if (step->kind == WSIM_WHY_ADD && why.arithmetic.method == WSIM_METHOD_SCALAR)
            expect(step->other == run, "%s: step %u adds another run", e->text, s);
        if (why.arithmetic.method == WSIM_METHOD_SCALAR && step->kind == WSIM_WHY_FMA)
            expect(step->run == runs + 1, "%s: step %u is of another run", e->text, s);
        runs += step->kind == WSIM_WHY_ADD;
        terms += step->terms;
        addends += step->addends;
        if (step->run)
            run = step->after;
        else
            held = step->after;
    }
    expect(terms == why.terms, "%s: %u products of %u", e->text, terms, why.terms);
    expect(addends == why.addends, "%s: %u addends of %u", e->text, addends, why.addends);
}

/* --- places --- */

static uint64_t words_at(const struct explained *e, const uint32_t *const *regs,
                         const struct wsim_place *place, unsigned bits) {
    unsigned warps = e->layout[WSIM_D].lanes / WSIM_LANES;
    unsigned row = place->reg * warps + place->lane / WSIM_LANES, lane = place->lane % WSIM_LANES;
    uint64_t word = regs[row][lane];
    if (bits == 64)
        return word | (uint64_t)regs[row + warps][lane] << 32;
    return word >> place->lsb & (bits == 32 || bits == 1 ? UINT32_MAX : (1u << bits) - 1);
}

/* The place holds the bits and, by the layout that users have, the element that is named. */
static void check_element(const struct explained *e, enum wsim_operand operand,
                          const struct wsim_why_element *element, const uint32_t *const *regs) {
    const struct wsim_layout *layout = &e->layout[operand];
    struct wsim_coord at;
    if (!element->places)
        return;
    at = wsim_layout_coord(layout, element->place.lane, element->place.elem);
    expect(at.batch == element->at.batch && at.row == element->at.row && at.col == element->at.col,
           "%s: an element of %s is elsewhere", e->text, wsim_operand_name(operand));
    expect(words_at(e, regs, &element->place, layout->elem_bits) == element->bits,
           "%s: an element of %s has other bits", e->text, wsim_operand_name(operand));
}

/* Rows and columns are those of the element, and k goes with it; dense rows of B come in order. */
static void check_term(const struct explained *e, const struct wsim_why_term *term) {
    const struct wsim_why_element *a = &term->a, *b = &term->b;
    check_element(e, WSIM_A, a, is_group(e) ? e->io.wgmma.a : e->io.mma.a);
    check_element(e, WSIM_B, b, is_group(e) ? NULL : e->io.mma.b);
    expect(a->at.batch == why.d.at.batch && b->at.batch == why.d.at.batch &&
               a->at.row == why.d.at.row && b->at.col == why.d.at.col && b->at.row == term->k,
           "%s: a product is of another element", e->text);
    expect(e->plan->sparse || a->at.col == term->k, "%s: k of A is not that of B", e->text);
    expect(term->block == (why.blocks ? a->at.col * why.blocks / e->layout[WSIM_A].cols : 0),
           "%s: a product has the scales of another block", e->text);
}

static void check_places(const struct explained *e) {
    for (unsigned i = 0; i < why.terms; i++)
        check_term(e, &why.term[i]);
    check_element(e, WSIM_C, &why.c, is_group(e) ? e->io.wgmma.c : e->io.mma.c);
    for (unsigned i = 0; i < why.blocks; i++) {
        check_element(e, WSIM_SFA, &why.factors[i].a, e->io.mma.sfa);
        check_element(e, WSIM_SFB, &why.factors[i].b, e->io.mma.sfb);
    }
}

/* --- the whole --- */

static void explain(const struct explained *e, struct wsim_coord at) {
    struct wsim_diag diag;
    const uint32_t *rows[WSIM_CASE_RESULTS];
    for (unsigned i = 0; i < e->plan->out_rows; i++)
        rows[i] = out + i * WSIM_LANES;
    expect(!wsim_why(e->code, &e->io, at, &why, &diag), "%s: %s", e->text, diag.text);
    expect(why.steps && why.d.places, "%s: no steps", e->text);
    expect(why.step[why.steps - 1].after ==
               words_at(e, rows, &why.d.place, e->layout[WSIM_D].elem_bits),
           "%s: row %u, column %u: the last step is not the result", e->text, at.row, at.col);
    check_element(e, WSIM_D, &why.d, rows);
    check_steps(e);
    check_places(e);
}

enum { ELEMENTS = 3 }; /* of a case */

static void explain_case(const struct wsim_code *code, const struct wsim_plan *plan, unsigned dist,
                         uint64_t number) {
    static uint64_t seed = 10;
    struct explained e = {.code = code, .plan = plan};
    struct wsim_case c = wsim_case_at(plan, 21, number, dist % WSIM_DISTS);
    for (int i = 0; i < WSIM_OPERANDS; i++)
        wsim_op_layout(&code->op, code->arch, (enum wsim_operand)i, &e.layout[i], NULL);
    wsim_op_spell(&code->op, e.text);
    snprintf(e.text + strlen(e.text), 80, " on %s, distribution %u, case %lu",
             wsim_arch_name(code->arch), dist, (unsigned long)number);
    wsim_case_fill(plan, &c, in);
    if (dist >= WSIM_DISTS && dossier_knows(plan))
        dossier_fill(&code->op, code->arch, plan, (enum dossier_dist)(dist - WSIM_DISTS), &seed,
                     in);
    expect(!wsim_case_run(code, plan, in, out, &scratch, NULL), "%s: refused", e.text);
    wsim_case_bind(plan, in, out, &scratch, &e.io);
    for (unsigned i = 0; i < ELEMENTS; i++) {
        uint64_t word = every_random(&seed);
        explain(&e, (struct wsim_coord){(uint16_t)(word % e.layout[WSIM_D].batches),
                                        (uint16_t)((word >> 16) % e.layout[WSIM_D].rows),
                                        (uint16_t)((word >> 32) % e.layout[WSIM_D].cols)});
    }
}

/* Whether an architecture before computes the operation in the same way; if not, it is noted. */
enum { WAYS = 16 };
struct ways {
    struct wsim_arithmetic way[WAYS];
    int n;
};

static int is_seen(struct ways *ways, const struct wsim_arithmetic *wanted) {
    for (int i = 0; i < ways->n; i++)
        if (memcmp(&ways->way[i], wanted, sizeof *wanted) == 0)
            return 1;
    expect(ways->n < WAYS, "more ways than there is room for");
    ways->way[ways->n++] = *wanted;
    return 0;
}

/* Sampled: every operation has two distributions, neighbours in the tables others. */
START_TEST(last_step_is_result) {
    enum { DISTS = (int)WSIM_DISTS + (int)DOSSIER_DISTS, EACH = 2 };
    struct wsim_arithmetic arithmetic;
    struct ways ways = {.n = 0};
    struct wsim_plan plan;
    struct wsim_code code;
    struct wsim_op op;
    every_op(_i, &op);
    for (size_t a = 0; wsim_arch_at(a); a++) {
        unsigned selectors = wsim_op_describe(&op).selectors;
        if (wsim_prepare(&op, wsim_arch_at(a), 0, &code, NULL))
            continue;
        if (wsim_code_arithmetic(&code, &arithmetic, NULL))
            return;
        if (is_seen(&ways, &arithmetic))
            continue;
        expect(!wsim_plan_make(&op, selectors ? (unsigned)_i % selectors : 0, &plan, NULL),
               "no plan");
        for (unsigned i = 0; i < EACH; i++)
            explain_case(&code, &plan, ((unsigned)_i * EACH + i + (unsigned)a) % DISTS,
                         (uint64_t)_i);
    }
}
END_TEST

int main(void) {
    struct every_test tests[] = {{last_step_is_result, 0, every_op_count()}};
    return every_run("why", tests, COUNT(tests));
}
