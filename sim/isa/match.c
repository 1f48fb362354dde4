/* Which row has a combination of qualifiers; and if none has, which comes nearest and what is
 * wrong. Knows only the masks of the rows, so a rule cannot be written here and forgotten there. */
#include "match.h"

static uint64_t mismatches(const struct isa_form *form, const struct wsim_op *op) {
    uint64_t where = 0;
    int p;
    for (p = 0; p < PLACE_COUNT; p++)
        if (!isa_form_allows(form, p, op->q[p]))
            where |= UINT64_C(1) << p;
    return where;
}

static unsigned ratio(unsigned a, unsigned b) { /* steps of two between a and b */
    unsigned n = 0;
    for (; a && a < b; a *= 2)
        n++;
    for (; b && b < a; b *= 2)
        n++;
    return n;
}

static unsigned shape_distance(const struct isa_form *form, const struct wsim_op *op) {
    struct wsim_op like = {0};
    struct isa_shape a = isa_op_shape(op), b;
    while (form->allow[PLACE_SHAPE] >> like.q[PLACE_SHAPE] > 1)
        like.q[PLACE_SHAPE]++;
    b = isa_op_shape(&like);
    return ratio(a.m, b.m) + ratio(a.n, b.n) + ratio(a.k, b.k);
}

/* What somebody who wrote this place wrong is least likely to want changed weighs most: the types
 * multiplied, then the sparsity, then shape (the nearer, the better) and kind, then the rest. */
static unsigned weight(const struct isa_form *form, const struct wsim_op *op, int p) {
    switch (p) {
    case PLACE_A:
    case PLACE_B: return 30;
    case PLACE_SPARSE: return 25;
    case PLACE_SHAPE: return 20 + 2 * shape_distance(form, op);
    case PLACE_KIND: return 20;
    default: return 15;
    }
}

static unsigned cost(const struct isa_form *form, const struct wsim_op *op, uint64_t where) {
    unsigned n = 0;
    int p;
    for (p = 0; p < PLACE_COUNT; p++)
        if (where >> p & 1)
            n += weight(form, op, p);
    return n;
}

static const struct isa_form *nearest(const struct wsim_op *op, enum wsim_family family,
                                      int guessed, uint64_t *where) {
    const struct isa_form *best = NULL;
    unsigned i, least = ~0u;
    for (i = 0; i < FORM_COUNT; i++) {
        const struct isa_form *form = &isa_forms[i];
        uint64_t here = mismatches(form, op);
        unsigned n = cost(form, op, here);
        if (form->family != family || ((n || guessed) && form->undocumented) || n >= least)
            continue;
        best = form;
        least = n;
        *where = here;
    }
    return best;
}

static unsigned lowest(uint64_t mask) {
    unsigned v = 0;
    while (!(mask >> v & 1))
        v++;
    return v;
}

/* The value of `mask` that differs least from `v`; of two the lower. */
static unsigned nearest_value(uint64_t mask, unsigned v) {
    unsigned d = 0;
    while (!(v >= d && mask >> (v - d) & 1) && !(v + d < 64 && mask >> (v + d) & 1))
        d++;
    return v >= d && mask >> (v - d) & 1 ? v - d : v + d;
}

/* The closest allowed value: C like D, a width near by, leave out what may be left out, else the
 * first. */
static unsigned repaired(const struct isa_form *form, const struct wsim_op *op, int p) {
    if (p == PLACE_C && isa_form_allows(form, p, op->q[PLACE_D]))
        return op->q[PLACE_D];
    if (p == PLACE_B && isa_form_allows(form, p, op->q[PLACE_A]))
        return op->q[PLACE_A];
    if (p == PLACE_N && form->allow[p])
        return nearest_value(form->allow[p], op->q[p]);
    return form->allow[p] ? lowest(form->allow[p]) : 0;
}

static void repair(const struct isa_form *form, struct wsim_op *op) {
    int p;
    op->form = (uint16_t)(form - isa_forms);
    for (p = 0; p < PLACE_COUNT; p++)
        if (!isa_form_allows(form, p, op->q[p]))
            op->q[p] = (uint8_t)repaired(form, op, p);
}

/* All values of place p that some row allows beside the other qualifiers of `op`. */
static uint64_t legal_values(const struct wsim_op *op, enum wsim_family family, int p) {
    uint64_t values = 0;
    unsigned i;
    for (i = 0; i < FORM_COUNT; i++) {
        const struct isa_form *form = &isa_forms[i];
        if (form->family == family && !form->undocumented &&
            !(mismatches(form, op) & ~(UINT64_C(1) << p)))
            values |= form->allow[p] ? form->allow[p] : 1;
    }
    return values;
}

static void put_values(struct base_text *text, const struct wsim_op *op, int p, uint64_t values) {
    const char *comma = "";
    unsigned v;
    for (v = 1; v < 64; v++)
        if (values >> v & 1) {
            struct wsim_op one = *op;
            one.q[p] = (uint8_t)v;
            base_put(text, isa_place_inner(p) ? "%s" : "%s.", comma);
            isa_word_put(text, &one, p);
            comma = " ";
        }
}

/* What stands, or is missing, in place p; one that has a single word is called by it. */
static void put_subject(struct base_text *text, const struct wsim_op *op, int p) {
    const char *words = isa_place_words[p];
    if (!op->q[p] || *words != '.')
        base_put(text, "%s", words);
    if (!op->q[p])
        return;
    base_put(text, "%s'%s", *words == '.' ? "" : " ", isa_place_inner(p) ? "" : ".");
    isa_word_put(text, op, p);
    base_put(text, "'");
}

static void explain(struct base_text *text, const struct wsim_op *op, enum wsim_family family,
                    const struct isa_form *form, int p) {
    uint64_t values = legal_values(op, family, p);
    if (!values)
        values = form->allow[p] ? form->allow[p] : 1;
    put_subject(text, op, p);
    if (op->q[p] && !(values & ~UINT64_C(1))) {
        base_put(text, " does not go with these qualifiers");
        return;
    }
    base_put(text, op->q[p] ? " is illegal here" : " is missing");
    if (!op->q[p] && *isa_place_words[p] == '.')
        return;
    base_put(text, ", it can be ");
    put_values(text, op, p, values);
}

int isa_match(struct wsim_op *op, enum wsim_family family, int guessed, struct base_text *why) {
    uint64_t where = 0;
    const struct isa_form *form = nearest(op, family, guessed, &where);
    int p = 0;
    if (where) {
        while (!(where >> p & 1))
            p++;
        explain(why, op, family, form, p);
    }
    repair(form, op);
    return where == 0;
}
