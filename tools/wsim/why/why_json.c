/* Elements, products and steps as JSON. */
#include "why.h"
#include "../common/number_json.h"

#include <inttypes.h>

static json_t *hex_json(uint64_t bits, unsigned width) {
    char text[24];
    snprintf(text, sizeof text, "%0*" PRIx64, (int)(width + 3) / 4, bits);
    return json_string(text);
}

static json_t *element_json(const struct why_answer *x, enum wsim_operand operand,
                            const struct wsim_why_element *element) {
    const struct wsim_layout *layout = &x->run->layout[operand];
    unsigned bits = layout->elem_bits == 1 ? 32 : layout->elem_bits;
    json_t *root =
        json_pack("{s:i, s:i, s:i, s:o}", "batch", element->at.batch, "row", element->at.row, "col",
                  element->at.col, "hex", hex_json(element->bits, bits));
    struct why_byte byte;
    if (layout->elem_bits > 1)
        json_object_set_new(root, "value", number_json(layout, element->bits));
    if (element->places)
        json_object_update_new(root,
                               json_pack("{s:i, s:i, s:i, s:i}", "lane", element->place.lane,
                                         element->in_tensor ? "column" : "reg", element->place.reg,
                                         "bit", element->place.lsb, "bits", bits));
    if ((operand == WSIM_A || operand == WSIM_B) &&
        why_feed_at(x->run, x->feeds, operand, element, &byte)) {
        json_object_update_new(root, json_pack("{s:I, s:i}", "address", (json_int_t)byte.address,
                                               "bank", (int)(byte.address / 4 % WSIM_BANKS)));
        if (byte.swizzled)
            json_object_set_new(root, "unswizzled", json_integer(byte.linear));
    }
    return root;
}

static json_t *term_json(const struct why_answer *x, const struct wsim_why_term *term) {
    json_t *root =
        json_pack("{s:i, s:o, s:o}", "k", term->k, "a", element_json(x, WSIM_A, &term->a), "b",
                  element_json(x, WSIM_B, &term->b));
    if (x->run->has[WSIM_E])
        json_object_set_new(root, "metadata",
                            json_pack("{s:i, s:i, s:i}", "nibble", term->nibble, "lane",
                                      term->pair.lane, "bit", term->pair.lsb));
    if (x->why->blocks)
        json_object_set_new(root, "block", json_integer(term->block));
    return root;
}

static json_t *terms_json(const struct why_answer *x) {
    json_t *list = json_array();
    for (unsigned i = 0; i < x->why->terms; i++)
        json_array_append_new(list, term_json(x, &x->why->term[i]));
    return list;
}

static const char *kind_name(unsigned kind) {
    static const char *const names[] = {
        [WSIM_WHY_ALIGNED] = "aligned", [WSIM_WHY_SPECIAL] = "special", [WSIM_WHY_FMA] = "fma",
        [WSIM_WHY_ADD] = "add",         [WSIM_WHY_WHOLE] = "whole",     [WSIM_WHY_COUNT] = "count",
        [WSIM_WHY_CONVERT] = "convert"};
    return names[kind];
}

static json_t *bits_json(const struct wsim_format *format, uint64_t bits) {
    const struct wsim_layout layout = {.format = format, .elem_bits = format->bits};
    return json_pack("{s:s, s:o, s:o}", "format", format->name, "hex", hex_json(bits, format->bits),
                     "value", number_json(&layout, bits));
}

static json_t *addend_json(const struct wsim_why_addend *addend) {
    json_t *root =
        json_pack("{s:I, s:i, s:I, s:i}", "sig", (json_int_t)addend->sig, "exp", addend->exp,
                  "kept", (json_int_t)addend->kept, "products", addend->terms);
    json_object_set_new(root, "exponent",
                        addend->absent ? json_null() : json_integer(addend->exponent));
    return root;
}

/* `addend` are those of the step. */
static json_t *step_json(const struct wsim_why_step *step, const struct wsim_why_addend *addend) {
    json_t *root = json_pack("{s:s, s:i, s:o}", "kind", kind_name(step->kind), "products",
                             step->terms, "before", bits_json(step->from, step->before));
    if (step->kind == WSIM_WHY_ADD)
        json_object_set_new(root, "other", bits_json(step->from, step->other));
    if (step->kind == WSIM_WHY_ALIGNED) {
        json_t *list = json_array();
        for (unsigned i = 0; i < step->addends; i++)
            json_array_append_new(list, addend_json(&addend[i]));
        json_object_update_new(root, json_pack("{s:i, s:i, s:o, s:I}", "top", step->top, "unit",
                                               step->unit, "addends", list, "sum",
                                               (json_int_t)step->sum));
    }
    if (step->kind == WSIM_WHY_WHOLE || step->kind == WSIM_WHY_COUNT)
        json_object_set_new(root, "sum", json_integer((json_int_t)step->sum));
    if (step->run)
        json_object_set_new(root, "run", json_integer(step->run));
    json_object_set_new(root, "after", bits_json(step->format, step->after));
    return root;
}

static json_t *steps_json(const struct wsim_why *why) {
    json_t *list = json_array();
    unsigned addend = 0;
    for (unsigned i = 0; i < why->steps; i++) {
        json_array_append_new(list, step_json(&why->step[i], &why->addend[addend]));
        addend += why->step[i].addends;
    }
    return list;
}

static json_t *factors_json(const struct why_answer *x) {
    json_t *list = json_array();
    for (unsigned i = 0; i < x->why->blocks; i++)
        json_array_append_new(
            list, json_pack("{s:o, s:o}", "sfa", element_json(x, WSIM_SFA, &x->why->factors[i].a),
                            "sfb", element_json(x, WSIM_SFB, &x->why->factors[i].b)));
    return list;
}

static json_t *arithmetic_json(const struct wsim_arithmetic *x) {
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:s, s:s}", "method",
                     wsim_method_name((enum wsim_method)x->method), "width", x->width, "keep",
                     x->keep, "floor", x->floor, "fraction", x->result_frac, "result",
                     x->result->name, "words", why_arithmetic(x).text);
}

void why_add_json(struct doc *doc, const struct why_answer *x) {
    const struct wsim_why *why = x->why;
    if (!doc_is(doc, TOOL_JSON))
        return;
    doc_set(doc, "d", element_json(x, WSIM_D, &why->d));
    if (why->adds)
        doc_set(doc, "c", element_json(x, WSIM_C, &why->c));
    doc_set(doc, "arithmetic", arithmetic_json(&why->arithmetic));
    if (why->blocks)
        doc_set(doc, "factors", factors_json(x));
    if (why->negate_a || why->negate_b)
        doc_pack(doc, "{s:b, s:b}", "negate_a", why->negate_a, "negate_b", why->negate_b);
    doc_set(doc, "products", terms_json(x));
    doc_set(doc, "steps", steps_json(why));
}
