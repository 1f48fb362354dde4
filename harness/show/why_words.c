/* Pictures of sums: groups of steps, and numbers and places in words. */
#include "why.h"

#include <inttypes.h>

const struct wsim_why *show_sum_why(const struct wsim_panel *p) {
    return ((const struct wsim_why_card *)p->about)->why;
}

/* Steps of one product each form a group if they belong to one run. */
static unsigned together(const struct wsim_why *why, unsigned step) {
    unsigned n = 1;
    if (why->step[step].kind != WSIM_WHY_FMA)
        return 1;
    while (step + n < why->steps && why->step[step + n].kind == WSIM_WHY_FMA &&
           why->step[step + n].run == why->step[step].run)
        n++;
    return n;
}

/* The first block after *block = {0}, then the next one; 0 at the end. */
int show_sum_next(const struct wsim_why *why, struct show_sum_block *block) {
    for (unsigned i = 0; i < block->steps; i++) {
        block->term += why->step[block->step + i].terms;
        block->addend += why->step[block->step + i].addends;
    }
    block->step += block->steps;
    if (block->step >= why->steps)
        return 0;
    block->number++;
    block->steps = together(why, block->step);
    block->terms = 0;
    for (unsigned i = 0; i < block->steps; i++)
        block->terms += why->step[block->step + i].terms;
    return 1;
}

/* --- words --- */

const struct wsim_format *show_sum_format(const struct wsim_why_card *card,
                                          enum wsim_operand operand) {
    return operand == WSIM_A ? card->a : card->b;
}

static unsigned bits_of(const struct wsim_why_card *card, enum wsim_operand operand) {
    return operand == WSIM_A ? card->a_bits : card->b_bits;
}

/* The first bit of the value in its container. */
static unsigned shift_of(const struct wsim_why_card *card, enum wsim_operand operand) {
    const struct wsim_format *format = show_sum_format(card, operand);
    return bits_of(card, operand) >= (unsigned)format->bits + format->pad ? format->pad : 0;
}

struct wsim_value show_sum_value(const struct wsim_why_card *card, enum wsim_operand operand,
                                 uint64_t container) {
    return wsim_format_decode(show_sum_format(card, operand), container >> shift_of(card, operand));
}

/* The number in a few digits, without floating point: as an f32, or as an f64 if it is no f32. */
void show_sum_put_value(struct base_text *text, struct wsim_value value) {
    const struct wsim_format *format = wsim_format_find("f32");
    uint64_t bits = wsim_format_encode(format, value, WSIM_RN);
    char number[WSIM_NUMBER_TEXT];
    if (value.cls == WSIM_FINITE && wsim_format_decode(format, bits).cls != WSIM_FINITE) {
        format = wsim_format_find("f64");
        bits = wsim_format_encode(format, value, WSIM_RN);
    }
    wsim_format_write(format, bits, number);
    base_put(text, "%s", number);
}

void show_sum_put_format(struct base_text *text, const struct wsim_format *format, uint64_t bits) {
    char number[WSIM_NUMBER_TEXT];
    wsim_format_write(format, bits, number);
    base_put(text, "%s (%0*" PRIx64 ")", number, (format->bits + 3) / 4, bits);
}

static void put_factor(struct base_text *text, const struct wsim_why_card *card,
                       enum wsim_operand operand, const struct wsim_why_element *element) {
    const struct wsim_format *format = show_sum_format(card, operand);
    char number[WSIM_NUMBER_TEXT];
    if (format->kind == WSIM_BITS || format->bits == 1) {
        base_put(text, "%0*" PRIx64, (int)(bits_of(card, operand) + 3) / 4, element->bits);
        return;
    }
    if (format->bits < 32) { /* exactly, 65536, not in the fewest digits, 65500 */
        show_sum_put_value(text, show_sum_value(card, operand, element->bits));
        return;
    }
    wsim_format_write(format, element->bits >> shift_of(card, operand), number);
    base_put(text, "%s", number);
}

/* "12: a0[15:0]", or the byte. */
void show_sum_put_place(struct base_text *text, const char *name, unsigned bits,
                        const struct wsim_why_element *element) {
    if (!element->places)
        base_put(text, "byte 0x%lx", (unsigned long)element->address);
    else if (element->in_tensor && bits < 32)
        base_put(text, "%u: column %u[%u:%u]", element->place.lane, element->place.reg,
                 element->place.lsb + bits - 1, element->place.lsb);
    else if (element->in_tensor)
        base_put(text, "%u: column %u", element->place.lane, element->place.reg);
    else if (bits == 64)
        base_put(text, "%u: %s%u-%u", element->place.lane, name, element->place.reg,
                 element->place.reg + 1u);
    else if (bits < 32)
        base_put(text, "%u: %s%u[%u:%u]", element->place.lane, name, element->place.reg,
                 element->place.lsb + bits - 1, element->place.lsb);
    else
        base_put(text, "%u: %s%u", element->place.lane, name, element->place.reg);
}

void show_sum_put_term(struct base_text *text, const struct wsim_why_card *card,
                       const struct wsim_why_term *term, enum show_sum_column column) {
    const enum wsim_operand operand = column < SUM_B ? WSIM_A : WSIM_B;
    const struct wsim_why_element *element = column < SUM_B ? &term->a : &term->b;
    const unsigned bits = bits_of(card, operand);
    switch (column) {
    case SUM_A:
    case SUM_B: put_factor(text, card, operand, element); break;
    case SUM_A_BITS:
    case SUM_B_BITS: base_put(text, "%0*" PRIx64, (int)(bits + 3) / 4, element->bits); break;
    default: show_sum_put_place(text, wsim_operand_name(operand), bits, element);
    }
}
