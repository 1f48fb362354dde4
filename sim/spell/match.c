/* Finds the row that has a combination of words, or else the nearest row and the wrong word.
 * Knows only the masks of the rows, so a rule cannot be written here and forgotten there. */
#include "match.h"

#include <string.h>

static int allows(uint64_t mask, unsigned v) {
    return mask ? (int)(mask >> v & 1) : v == 0;
}

/* --- what a row allows --- */

/* A row of the forms, and one of the ways in which its words go together; NULL where its family has
 * none. */
struct choice {
    const struct isa_form *form;
    const struct isa_manner *manner;
};

static uint64_t mask_of(const struct choice *choice, int p) {
    for (unsigned k = 0; choice->manner && k < ISA_MANNER_PLACES; k++)
        if (isa_manner_places[k] == p)
            return choice->manner->allow[k];
    return choice->form->allow[p];
}

/* The manner of a family after `last` (NULL: the first); NULL: no more. */
static const struct isa_manner *next_manner(enum wsim_family family,
                                            const struct isa_manner *last) {
    for (size_t i = last ? (size_t)(last - isa_manners) + 1 : 0; i < isa_manner_count; i++)
        if (isa_manners[i].family == family)
            return &isa_manners[i];
    return NULL;
}

/* --- a row that says just this --- */

/* Types fill the places that the row has for them, in the order D A B C STYPE. */
static int types_fit(const struct isa_form *form, const struct isa_written *written) {
    unsigned n = 0;
    for (int p = PLACE_D; p <= PLACE_STYPE; p++)
        if (form->allow[p] & ~UINT64_C(1)) {
            if (n < written->type_count && form->allow[p] >> written->types[n] & 1)
                n++;
            else if (!(form->allow[p] & 1))
                return 0;
        }
    return n == written->type_count;
}

static int words_fit(const struct isa_form *form, const struct isa_written *written) {
    for (int p = 0; p < PLACE_COUNT; p++)
        if (!isa_place_has_types(p) && !allows(form->allow[p], written->q[p]))
            return 0;
    return 1;
}

/* Puts the types of an operation of this row into their places. */
static void fill(const struct isa_form *form, const struct isa_written *written,
                 struct wsim_op *op) {
    unsigned n = 0;
    memset(op, 0, sizeof *op);
    op->form = (uint16_t)(form - isa_forms);
    memcpy(op->q, written->q, sizeof written->q);
    for (int p = PLACE_D; p <= PLACE_STYPE; p++)
        if (n < written->type_count && form->allow[p] >> written->types[n] & 1)
            op->q[p] = written->types[n++];
}

int isa_match(const struct isa_written *written, struct wsim_op *op) {
    for (unsigned i = 0; i < FORM_COUNT; i++) {
        const struct isa_form *form = &isa_forms[i];
        struct wsim_op found;
        if (form->family != written->family || !types_fit(form, written) ||
            !words_fit(form, written))
            continue;
        fill(form, written, &found);
        if (isa_manner_fits(&found)) {
            *op = found;
            return 1;
        }
    }
    return 0;
}

/* --- how much a row changes --- */

#define NEVER (~0u)

static unsigned ratio(unsigned a, unsigned b) { /* steps of two between a and b */
    unsigned n = 0;
    for (; a && a < b; a *= 2)
        n++;
    for (; b && b < a; b *= 2)
        n++;
    return n;
}

static unsigned lowest(uint64_t mask) {
    unsigned v = 0;
    while (!(mask >> v & 1))
        v++;
    return v;
}

/* How unlike two types are: widths most, then what the bits mean, then signs. */
static unsigned type_distance(unsigned a, unsigned b) {
    const struct wsim_format *x = &isa_formats[a], *y = &isa_formats[b];
    unsigned kinds = x->kind == y->kind ? 0 : 4;
    if (kinds && (x->kind == WSIM_BITS || y->kind == WSIM_BITS))
        kinds = 2;
    return kinds + 4 * ratio(x->bits + x->pad, y->bits + y->pad) + (x->is_signed != y->is_signed);
}

/* The type of `mask` that is most like `type`; of several the first. */
static unsigned nearest_type(uint64_t mask, unsigned type, unsigned *distance) {
    unsigned best = 0;
    *distance = NEVER;
    for (unsigned v = 1; v < FORMAT_COUNT; v++)
        if (mask >> v & 1) {
            unsigned d = type_distance(type, v);
            if (d < *distance) {
                *distance = d;
                best = v;
            }
        }
    return best;
}

/* Weights of types: high for a type that the user hardly wants changed. Factors weigh most, then
 * the result, then C. An unwritten type costs little. */
static unsigned type_weight(uint64_t mask, int p, unsigned type) {
    enum { FACTOR = 60, RESULT = 50, ADDEND = 40, ADDED = 3, DROPPED = 45 };
    if (allows(mask, type))
        return 0;
    if (!type)
        return ADDED;
    if (!mask)
        return DROPPED;
    return p == PLACE_D ? RESULT : p == PLACE_C ? ADDEND : FACTOR;
}

/* The same, and of types that are changed the more the less they are alike. */
static unsigned type_cost(uint64_t mask, int p, unsigned type) {
    unsigned distance = 0;
    if (type && mask && !allows(mask, type))
        nearest_type(mask, type, &distance);
    return type_weight(mask, p, type) + distance;
}

static unsigned shape_distance(uint64_t mask, unsigned v) {
    struct wsim_op a = {0}, b = {0};
    struct isa_shape x, y;
    a.q[PLACE_SHAPE] = (uint8_t)v;
    b.q[PLACE_SHAPE] = (uint8_t)lowest(mask);
    x = isa_op_shape(&a);
    y = isa_op_shape(&b);
    return ratio(x.m, y.m) + ratio(x.n, y.n) + ratio(x.k, y.k);
}

/* Adding a word such as .sync or .aligned costs little, as it says nothing new. Removing a word
 * costs more than replacing one. */
static unsigned word_cost(uint64_t mask, int p, unsigned v) {
    enum {
        DEED = 70, /* what the instruction does */
        SPARSITY = 50,
        KIND = 20,
        SHAPE = 40,
        LAYOUT = 12,
        OTHER = 15,
        GONE = 18,
        NEW = 12,
        SAME = 4
    };
    if (!v)
        return p == PLACE_SPARSE ? SPARSITY
               : p == PLACE_SYNC || p == PLACE_ALIGNED || p == PLACE_SHAPE ||
                       (p >= PLACE_ALAYOUT && p <= PLACE_CLAYOUT)
                   ? SAME
                   : NEW;
    switch (p) {
    case PLACE_FIELD:
    case PLACE_REDUCTION:
    case PLACE_ATOMIC: return DEED;
    case PLACE_SPARSE: return SPARSITY;
    case PLACE_SHAPE: return SHAPE + (mask ? 2 * shape_distance(mask, v) : 0);
    case PLACE_KIND: return KIND;
    case PLACE_ALAYOUT:
    case PLACE_BLAYOUT: return LAYOUT;
    default: return mask ? OTHER : GONE;
    }
}

/* The comparison of a row with a spelling. */
struct fit {
    struct choice choice;
    unsigned cost;
    uint64_t wrong;             /* bit p: place p has to be changed                 */
    uint8_t types[MATCH_TYPES]; /* the words written for D A B C STYPE, 0: none */
};

/* Gives the written types places, in order, so that they cost least. As many as D A B C stand best
 * where they are written; a shorter list leaves places out, also such as the row has. */
static unsigned align(struct fit *fit, const struct isa_written *written) {
    enum { WHOLE = 4 };
    const uint64_t *mask = &fit->choice.form->allow[PLACE_D];
    unsigned cost[MATCH_TYPES + 1][MATCH_TYPES + 1], n = written->type_count;
    uint8_t put[MATCH_TYPES][MATCH_TYPES + 1] = {{0}};
    /* cost[k][i]: of places k and on with types i and on; put[k][i]: type i stands in place k */
    for (unsigned i = 0; i <= n; i++)
        cost[MATCH_TYPES][i] = i < n ? NEVER / 2 : 0;
    for (int p = PLACE_STYPE; p >= PLACE_D; p--)
        for (unsigned i = 0, k = (unsigned)(p - PLACE_D); i <= n; i++) {
            cost[k][i] = cost[k + 1][i] + type_cost(mask[k], p, 0);
            if (i < n) {
                unsigned here = cost[k + 1][i + 1] + type_cost(mask[k], p, written->types[i]) +
                                (n >= WHOLE && k != i);
                put[k][i] = here <= cost[k][i];
                cost[k][i] = put[k][i] ? here : cost[k][i];
            }
        }
    for (unsigned k = 0, i = 0; k < MATCH_TYPES; k++)
        fit->types[k] = put[k][i] ? written->types[i++] : 0;
    return cost[0][0];
}

/* Whether the row has as many places as types. */
static int is_complete(const struct isa_form *form, const struct isa_written *written) {
    unsigned n = 0;
    for (int p = PLACE_D; p <= PLACE_STYPE; p++)
        n += form->allow[p] != 0;
    return n == written->type_count;
}

/* Puts as many types as the row has places each in its own. */
static unsigned place_types(struct fit *fit, const struct isa_written *written, unsigned most) {
    const uint64_t *mask = &fit->choice.form->allow[PLACE_D];
    unsigned cost = 0, n = 0;
    for (unsigned k = 0; k < MATCH_TYPES; k++) {
        fit->types[k] = mask[k] ? written->types[n++] : 0;
        cost += type_weight(mask[k], PLACE_D + (int)k, fit->types[k]);
    }
    if (cost >= most)
        return cost;
    for (unsigned k = cost = 0; k < MATCH_TYPES; k++)
        cost += type_cost(mask[k], PLACE_D + (int)k, fit->types[k]);
    return cost;
}

static int hold_types(struct fit *fit, const struct isa_written *written, int complete,
                      unsigned most, uint64_t may) {
    const uint64_t *mask = &fit->choice.form->allow[PLACE_D];
    fit->cost += complete ? place_types(fit, written, most) : align(fit, written);
    for (unsigned k = 0; k < MATCH_TYPES; k++)
        if (!allows(mask[k], fit->types[k]))
            fit->wrong |= UINT64_C(1) << (PLACE_D + k);
    return fit->cost < most && !(fit->wrong & ~may);
}

static int hold_words(struct fit *fit, const struct isa_written *written, unsigned most,
                      uint64_t may) {
    for (int p = 0; p < PLACE_COUNT; p++) {
        uint64_t mask = mask_of(&fit->choice, p);
        if (isa_place_has_types(p) || allows(mask, written->q[p]))
            continue;
        fit->cost += word_cost(mask, p, written->q[p]);
        fit->wrong |= UINT64_C(1) << p;
        if (fit->cost >= most || fit->wrong & ~may)
            return 0;
    }
    return 1;
}

/* Compares the row with the spelling while the cost is below `most` and all changed places are in
 * `may`; 0: no match. Quick mismatches come first. */
static int hold(struct fit *fit, const struct isa_written *written, unsigned most, uint64_t may) {
    const int complete = is_complete(fit->choice.form, written);
    fit->cost = 0;
    fit->wrong = 0;
    return (!complete || hold_types(fit, written, 1, most, may)) &&
           hold_words(fit, written, most, may) &&
           (complete || hold_types(fit, written, 0, most, may));
}

static struct fit nearest(const struct isa_written *written) {
    struct fit best = {{NULL, NULL}, NEVER, 0, {0}};
    for (unsigned i = 0; i < FORM_COUNT; i++) {
        const struct isa_form *form = &isa_forms[i];
        if (form->family != written->family || form->undocumented)
            continue;
        struct fit fit = {{form, next_manner(form->family, NULL)}, 0, 0, {0}};
        do {
            if (hold(&fit, written, best.cost, ~UINT64_C(0)))
                best = fit;
            if (fit.choice.manner)
                fit.choice.manner = next_manner(form->family, fit.choice.manner);
        } while (fit.choice.manner);
    }
    return best;
}

/* --- the operation that was meant --- */

/* The value of `mask` that differs least from `v`; of two the lower. */
static unsigned nearest_value(uint64_t mask, unsigned v) {
    unsigned d = 0;
    while (!(v >= d && mask >> (v - d) & 1) && !(v + d < 64 && mask >> (v + d) & 1))
        d++;
    return v >= d && mask >> (v - d) & 1 ? v - d : v + d;
}

static unsigned widest(uint64_t mask) {
    unsigned best = lowest(mask);
    for (unsigned v = best + 1; v < FORMAT_COUNT; v++)
        if (mask >> v & 1 && isa_formats[v].bits > isa_formats[best].bits)
            best = v;
    return best;
}

/* The closest allowed value: C like D, B like A, a similar width, a type of equal kind. Products
 * take the widest sum. Optional words are left out; otherwise the first value counts. */
static unsigned repaired(uint64_t mask, const struct wsim_op *op, int p) {
    unsigned distance;
    if (p == PLACE_C && allows(mask, op->q[PLACE_D]))
        return op->q[PLACE_D];
    if (p == PLACE_B && allows(mask, op->q[PLACE_A]))
        return op->q[PLACE_A];
    if (p == PLACE_N && mask)
        return nearest_value(mask, op->q[p]);
    if (isa_place_has_types(p) && mask && op->q[p])
        return nearest_type(mask, op->q[p], &distance);
    if (p == PLACE_D && mask && isa_form(op)->products != PRODUCTS_NONE)
        return widest(mask);
    return mask ? lowest(mask) : 0;
}

static void repair(const struct fit *fit, const struct wsim_op *wrong, struct wsim_op *op) {
    *op = *wrong;
    for (int p = 0; p < PLACE_COUNT; p++)
        if (fit->wrong >> p & 1)
            op->q[p] = (uint8_t)repaired(mask_of(&fit->choice, p), op, p);
}

/* The written words, as an operation of the nearest row. */
static struct wsim_op written_op(const struct fit *fit, const struct isa_written *written) {
    struct wsim_op op = {0};
    op.form = (uint16_t)(fit->choice.form - isa_forms);
    memcpy(op.q, written->q, sizeof written->q);
    memcpy(op.q + PLACE_D, fit->types, sizeof fit->types);
    return op;
}

/* --- what is wrong --- */

/* All values of place p in rows that agree in everything else that the nearest row does. */
static uint64_t legal_values(const struct isa_written *written, const struct fit *best, int p) {
    uint64_t values = 0;
    for (unsigned i = 0; i < FORM_COUNT; i++) {
        const struct isa_form *form = &isa_forms[i];
        struct fit fit = {{form, NULL}, 0, 0, {0}};
        if (form->family != written->family || form->undocumented)
            continue;
        fit.choice.manner = next_manner(form->family, NULL);
        do {
            uint64_t mask = mask_of(&fit.choice, p);
            if (hold(&fit, written, NEVER, best->wrong))
                values |= mask ? mask : 1;
            if (fit.choice.manner)
                fit.choice.manner = next_manner(form->family, fit.choice.manner);
        } while (fit.choice.manner);
    }
    return values;
}

static void put_values(struct base_text *text, const struct wsim_op *op, int p, uint64_t values) {
    const char *comma = "";
    for (unsigned v = 1; v < 64; v++)
        if (values >> v & 1) {
            struct wsim_op one = *op;
            one.q[p] = (uint8_t)v;
            base_put(text, isa_place_inner(p) ? "%s" : "%s.", comma);
            isa_word_put(text, &one, p);
            comma = " ";
        }
}

/* Names a place in a sentence: by what it is for, or by its word if it can only have that one. */
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

static void explain(struct base_text *text, const struct isa_written *written,
                    const struct fit *best, const struct wsim_op *op) {
    int p = 0;
    uint64_t values;
    while (!(best->wrong >> p & 1))
        p++;
    values = legal_values(written, best, p);
    put_subject(text, op, p);
    if (op->q[p] && !(values & ~UINT64_C(1))) {
        base_put(text, " cannot be combined with these qualifiers");
        return;
    }
    base_put(text, op->q[p] ? " is not allowed here" : " is missing");
    if (!op->q[p] && *isa_place_words[p] == '.')
        return;
    base_put(text, "; allowed: ");
    put_values(text, op, p, values);
}

void isa_match_nearest(const struct isa_written *written, struct wsim_op *op,
                       struct base_text *why) {
    struct fit best = nearest(written);
    struct wsim_op wrong = written_op(&best, written);
    if (best.wrong)
        explain(why, written, &best, &wrong);
    repair(&best, &wrong, op);
}
