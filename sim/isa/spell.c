/* An operation as text, and all operations one after another. */
#include "../base/base.h"
#include "isa.h"

#include <string.h>

const char *isa_family_name(enum wsim_family family) {
    return isa_families[family].name;
}

const struct isa_word *isa_word_of(int p, unsigned v) {
    return &isa_words[isa_place_at[p] + v];
}

const char *isa_word_text(int p, unsigned v) {
    if (v == 0)
        return "";
    return isa_place_has_types(p) ? isa_formats[v].name : isa_word_of(p, v)->text;
}

int isa_place_inner(int p) {
    return !isa_place_has_types(p) && isa_word_of(p, 1)->flags & WORD_INNER;
}

void isa_word_put(struct base_text *text, const struct wsim_op *op, int p) {
    const char *word = isa_word_text(p, op->q[p]), *star = strchr(word, '*');
    if (star)
        base_put(text, "%.*s%s%s", (int)(star - word), word, isa_word_text(p + 1, op->q[p + 1]),
                 star + 1);
    else
        base_put(text, "%s", word);
}

/* The places in the order in which a family is spelled, as in qualifier.def unless there is one. */
static const uint8_t orders[WSIM_FAMILIES][PLACE_COUNT + 1] = {
#define ORDER(id, ...) [WSIM_##id] = {__VA_ARGS__, PLACE_COUNT},
#include "family.def"
};

/* Qualifiers that all operations of a shape and its types have, or that change nothing. */
static int is_left_out(int p) {
    switch (p) {
    case PLACE_SYNC:
    case PLACE_ALIGNED:
    case PLACE_ALAYOUT:
    case PLACE_BLAYOUT:
    case PLACE_BLOCK:
    case PLACE_SPACE:
    case PLACE_SOURCE:
    case PLACE_COMPLETION: return 1;
    default: return 0;
    }
}

static void spell(const struct wsim_op *op, int in_short, struct base_text *text) {
    const uint8_t *order = orders[isa_form(op)->family];
    int i, p;
    base_put(text, "%s", isa_family(op)->name);
    for (i = 0; i < PLACE_COUNT && (p = order[0] ? order[i] : i) < PLACE_COUNT; i++)
        if (op->q[p] && !isa_place_inner(p) && !(in_short && is_left_out(p))) {
            base_put(text, ".");
            isa_word_put(text, op, p);
        }
}

void wsim_op_spell(const struct wsim_op *op, char out[WSIM_SPELLING_MAX]) {
    struct base_text text = {out, WSIM_SPELLING_MAX, 0};
    out[0] = '\0';
    if (isa_op_known(op))
        spell(op, 0, &text);
}

struct isa_op_text isa_op_called(const struct wsim_op *op) {
    struct isa_op_text called;
    struct base_text text = {called.text, sizeof called.text, 0};
    spell(op, 1, &text);
    return called;
}

static int enumerated(const struct isa_form *form, int p, unsigned v) {
    return isa_form_allows(form, p, v) &&
           (v == 0 || isa_place_has_types(p) || !(isa_word_of(p, v)->flags & WORD_SYNONYM));
}

/* The least value of place p that is at least v; 64 if there is none. */
static unsigned value_from(const struct isa_form *form, int p, unsigned v) {
    uint64_t allow = form->allow[p] ? form->allow[p] : 1; /* 1: not written */
    while (v < 64 && allow >> v && !enumerated(form, p, v))
        v++;
    return v < 64 && allow >> v ? v : 64;
}

static void first_of_form(struct wsim_op *op, unsigned form) {
    int p;
    op->form = (uint16_t)form;
    for (p = 0; p < PLACE_COUNT; p++)
        op->q[p] = (uint8_t)value_from(&isa_forms[form], p, 0);
}

/* The next combination of this form, counting like an odometer; 0: that was the last. */
static int next_of_form(struct wsim_op *op) {
    const struct isa_form *form = isa_form(op);
    int p;
    for (p = PLACE_COUNT - 1; p >= 0; p--) {
        unsigned v = value_from(form, p, op->q[p] + 1u);
        if (v < 64) {
            op->q[p] = (uint8_t)v;
            return 1;
        }
        op->q[p] = (uint8_t)value_from(form, p, 0);
    }
    return 0;
}

int wsim_op_next(uint32_t *cursor, struct wsim_op *op) {
    unsigned form = op->form;
    if (*cursor && !isa_op_known(op))
        return 0;
    if (*cursor && next_of_form(op)) {
        ++*cursor;
        return 1;
    }
    if (*cursor)
        form++;
    while (form < FORM_COUNT && isa_forms[form].undocumented)
        form++;
    if (form >= FORM_COUNT)
        return 0;
    first_of_form(op, form);
    ++*cursor;
    return 1;
}
