/* Arithmetic in words; see why.h. */
#include "why.h"
#include "../../lib/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct why_number why_number(int64_t sig, int exp, int most) {
    double number = ldexp((double)sig, exp);
    struct why_number out;
    int digits = 1;
    if (fabs(number) < 1e15 && number == (double)(int64_t)number) { /* rint would need libm */
        snprintf(out.text, sizeof out.text, "%.0f", number);
        return out;
    }
    do
        snprintf(out.text, sizeof out.text, "%.*g", digits, number);
    while (digits++ < most && strtod(out.text, NULL) != number);
    return out;
}

struct why_number why_cut(const struct wsim_why_addend *addend, const struct wsim_why_step *step) {
    int up = step->unit - addend->exp; /* from the lowest bit of the addend to the unit */
    int64_t kept = up <= 0 || !addend->kept ? 0 : addend->kept * (INT64_C(1) << up);
    struct why_number none = {""};
    return up <= 0 || kept == addend->sig ? none
                                          : why_number(addend->sig - kept, addend->exp, WHY_SHORT);
}

struct why_number why_value(const struct wsim_format *format, uint64_t bits) {
    const struct wsim_layout layout = {.format = format, .elem_bits = format->bits};
    char number[NUMBER_TEXT];
    struct why_number out;
    number_text(&layout, bits, number);
    snprintf(out.text, sizeof out.text, "%s (%0*" PRIx64 ")", number, (format->bits + 3) / 4, bits);
    return out;
}

struct why_number why_register(enum wsim_operand operand, unsigned bits,
                               const struct wsim_place *place) {
    const char *name = wsim_operand_name(operand);
    struct why_number out;
    if (bits == 64)
        snprintf(out.text, sizeof out.text, "%s%u-%u", name, place->reg, place->reg + 1u);
    else if (bits < 32)
        snprintf(out.text, sizeof out.text, "%s%u[%u:%u]", name, place->reg, place->lsb + bits - 1,
                 place->lsb);
    else
        snprintf(out.text, sizeof out.text, "%s%u", name, place->reg);
    return out;
}

struct why_number why_place(enum wsim_operand operand, unsigned bits,
                            const struct wsim_why_element *element) {
    struct why_number out;
    if (!element->in_tensor)
        return why_register(operand, bits, &element->place);
    snprintf(out.text, sizeof out.text, "column %u", element->place.reg);
    if (bits < 32)
        snprintf(out.text, sizeof out.text, "column %u[%u:%u]", element->place.reg,
                 element->place.lsb + bits - 1, element->place.lsb);
    return out;
}

/* --- arithmetic --- */

/* The result of an aligned step: "f32", or fewer bits. */
static struct why_number result_of(const struct wsim_arithmetic *x) {
    struct why_number out;
    if (x->result_frac == x->result->frac_bits)
        snprintf(out.text, sizeof out.text, "%s", x->result->name);
    else
        snprintf(out.text, sizeof out.text, "%u fraction bits of %s", x->result_frac,
                 x->result->name);
    return out;
}

static void put_aligned(char *out, size_t size, const struct wsim_arithmetic *x, const char *what) {
    snprintf(out, size,
             "%s are aligned to their largest exponent (at least 2^%d) and truncated %u bits below "
             "it, then summed exactly and rounded %s to %s.",
             what, x->floor, x->keep, wsim_rounding_words((enum wsim_rounding)x->rounding),
             result_of(x).text);
}

struct why_words why_arithmetic(const struct wsim_arithmetic *x) {
    struct why_words words = {""};
    char what[160], steps[400];
    switch ((enum wsim_method)x->method) {
    case WSIM_METHOD_FUSED:
        snprintf(what, sizeof what, "%u products at a time and the accumulator", x->width);
        put_aligned(words.text, sizeof words.text, x, what);
        break;
    case WSIM_METHOD_SPLIT:
        snprintf(what, sizeof what,
                 "Products with k mod 4 = 0, 1 first, from +0 on, then the others: %u of them "
                 "(taken as %s) and the sum so far",
                 x->width, x->a->name);
        put_aligned(steps, sizeof steps, x, what);
        snprintf(words.text, sizeof words.text, "%s C is added last, to nearest even.", steps);
        break;
    case WSIM_METHOD_GROUPED:
        snprintf(what, sizeof what,
                 "Exact sums of %u products with their scales, and the accumulator,", x->width);
        put_aligned(words.text, sizeof words.text, x, what);
        break;
    case WSIM_METHOD_SCALAR:
        snprintf(words.text, sizeof words.text,
                 "Fused multiply-adds of CUDA cores in %s, %u in a chain, each rounded to nearest "
                 "even; chains are added to the accumulator one after another, rounded too.",
                 x->a->name, x->width);
        break;
    case WSIM_METHOD_CHAIN:
        snprintf(words.text, sizeof words.text,
                 "A chain of fused multiply-adds in %s, k ascending, each rounded %s.",
                 x->result->name, wsim_rounding_words((enum wsim_rounding)x->rounding));
        break;
    case WSIM_METHOD_EXACT:
        snprintf(words.text, sizeof words.text,
                 "All products and the accumulator are summed exactly, then %s 32 bits once.",
                 x->saturate ? "clamped to" : "wrapped to");
        break;
    case WSIM_METHOD_COUNT:
        snprintf(words.text, sizeof words.text,
                 "The one bits of combined words are counted and added to the accumulator.");
        break;
    }
    return words;
}

/* Sentences so far, and one more part. */
struct parts {
    char *text;
    size_t size, used;
};

static void put_part(struct parts *parts, const char *what, int one, int other) {
    if (one == other || parts->used >= parts->size)
        return;
    parts->used += (size_t)snprintf(parts->text + parts->used, parts->size - parts->used,
                                    "%s%d and %d %s", parts->used ? "; " : "", one, other, what);
}

static int is_aligned(const struct wsim_arithmetic *x) {
    return x->method == WSIM_METHOD_FUSED || x->method == WSIM_METHOD_SPLIT ||
           x->method == WSIM_METHOD_GROUPED;
}

struct why_words why_difference(const struct wsim_arithmetic *one,
                                const struct wsim_arithmetic *other) {
    struct why_words words = {""};
    struct parts parts = {words.text, sizeof words.text, 0};
    if (one->method != other->method)
        parts.used = (size_t)snprintf(words.text, sizeof words.text, "method %s and %s",
                                      wsim_method_name((enum wsim_method)one->method),
                                      wsim_method_name((enum wsim_method)other->method));
    if (is_aligned(one) != is_aligned(other))
        return words;
    put_part(&parts, "bits below the largest exponent", one->keep, other->keep);
    put_part(&parts, "products at a time", one->width, other->width);
    put_part(&parts, "fraction bits of a sum", one->result_frac, other->result_frac);
    put_part(&parts, "as the least exponent of alignment", one->floor, other->floor);
    if (one->rounding != other->rounding && parts.used < parts.size)
        snprintf(parts.text + parts.used, parts.size - parts.used, "%ssums rounded %s and %s",
                 parts.used ? "; " : "", wsim_rounding_words((enum wsim_rounding)one->rounding),
                 wsim_rounding_words((enum wsim_rounding)other->rounding));
    return words;
}
