/* Elements of the inputs; see shrink_unit.h. Knows no judge. */
#include "shrink_unit.h"

#include <string.h>

enum { WINDOW_BITS = 8 };

const char *shrink_refusal(const struct wsim_op *op) {
    struct wsim_op_info info = wsim_op_describe(op);
    const unsigned others = WSIM_DOES_WMMA | WSIM_DOES_COPY | WSIM_DOES_ORDER | WSIM_DOES_EDIT;
    if (info.does & others || info.threads != WSIM_LANES)
        return "only cases of mma and of matrix moves are made small";
    return NULL;
}

static unsigned bits_of(const struct wsim_plan *plan, unsigned which) {
    if (which == WSIM_IN_SMEM || which == WSIM_IN_PICK)
        return WINDOW_BITS;
    return plan->input[which].elem_bits;
}

/* Addresses stay: which rows are moved is the case itself. The choice of scales is the same in
 * every lane, so it is changed as if it stood in one. */
unsigned shrink_units(const struct wsim_plan *plan, struct shrink_unit *units) {
    unsigned n = 0;
    for (unsigned which = 0; which < WSIM_IN_ADDR; which++) {
        unsigned lanes = which == WSIM_IN_PICK ? 1 : WSIM_LANES;
        unsigned elems =
            plan->input[which].rows ? plan->input[which].rows * 32u / bits_of(plan, which) : 0;
        for (unsigned lane = 0; lane < lanes; lane++)
            for (unsigned elem = 0; elem < elems && n < SHRINK_UNITS; elem++)
                units[n++] = (struct shrink_unit){(uint8_t)which, (uint8_t)lane, (uint16_t)elem};
    }
    return n;
}

static unsigned word_of(const struct wsim_plan *plan, struct shrink_unit unit, unsigned *lsb) {
    unsigned bits = bits_of(plan, unit.which), at = unit.elem * bits;
    *lsb = at % 32;
    return (plan->input[unit.which].first + at / 32) * WSIM_LANES + unit.lane;
}

uint64_t shrink_get(const struct wsim_plan *plan, struct shrink_unit unit, const uint32_t *in) {
    unsigned lsb, bits = bits_of(plan, unit.which), word = word_of(plan, unit, &lsb);
    if (bits == 64)
        return in[word] | (uint64_t)in[word + WSIM_LANES] << 32;
    return in[word] >> lsb & wsim_stream_ones(bits);
}

static void set_bits(uint32_t *word, unsigned lsb, unsigned bits, uint64_t value) {
    uint32_t mask = (uint32_t)wsim_stream_ones(bits) << lsb;
    *word = (*word & ~mask) | ((uint32_t)value << lsb & mask);
}

void shrink_set(const struct wsim_plan *plan, struct shrink_unit unit, uint32_t *in,
                uint64_t value) {
    unsigned lsb, bits = bits_of(plan, unit.which), word = word_of(plan, unit, &lsb);
    unsigned lanes = unit.which == WSIM_IN_PICK ? WSIM_LANES : 1;
    for (unsigned i = 0; i < lanes; i++)
        set_bits(&in[word + i], lsb, bits == 64 ? 32 : bits, value);
    if (bits == 64)
        in[word + WSIM_LANES] = (uint32_t)(value >> 32);
}

uint64_t shrink_rest(const struct wsim_plan *plan, struct shrink_unit unit) {
    const struct wsim_plan_input *o = &plan->input[unit.which];
    if (unit.which == WSIM_IN_E) /* where the selector does not look, anything will do */
        return wsim_stream_coord(o, unit.lane, unit.elem) >> 24 == plan->selector ? plan->nibble[0]
                                                                                  : 0;
    if (unit.which == WSIM_IN_SFA || unit.which == WSIM_IN_SFB)
        return (uint64_t)o->bias << o->frac_bits;
    return 0;
}

unsigned shrink_operands(const struct wsim_plan *plan, const uint32_t *in) {
    static const uint8_t counted[] = {WSIM_IN_A, WSIM_IN_B, WSIM_IN_C, WSIM_IN_R, WSIM_IN_SMEM};
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof counted; i++) {
        unsigned which = counted[i];
        unsigned elems =
            plan->input[which].rows ? plan->input[which].rows * 32u / bits_of(plan, which) : 0;
        for (unsigned at = 0; at < elems * WSIM_LANES; at++) {
            struct shrink_unit unit = {(uint8_t)which, (uint8_t)(at % WSIM_LANES),
                                       (uint16_t)(at / WSIM_LANES)};
            count += shrink_get(plan, unit, in) != 0;
        }
    }
    return count;
}

/* --- simpler values --- */

static int log2_of(uint64_t sig) {
    int log2 = 0;
    while (sig >>= 1)
        log2++;
    return log2;
}

/* The highest `n` bits of a significand. */
static uint64_t top_bits(uint64_t sig, int n) {
    int drop = log2_of(sig) + 1 - n;
    return drop > 0 ? sig >> drop << drop : sig;
}

struct values {
    const struct wsim_format *format;
    unsigned pad;
    uint64_t now, *out;
    unsigned n, max;
    int over; /* the value itself came: what follows is not simpler */
};

static void offer(struct values *values, struct wsim_value value) {
    uint64_t bits = wsim_format_encode(values->format, value, WSIM_RZ) << values->pad;
    if (bits == values->now)
        values->over = 1;
    for (unsigned i = 0; i < values->n; i++)
        if (values->out[i] == bits)
            return;
    if (!values->over && bits && values->n < values->max)
        values->out[values->n++] = bits;
}

/* Offers numbers with this significand: near 1 where the format has an exponent, and as it was. */
static void offer_sig(struct values *values, struct wsim_value value, uint64_t sig) {
    struct wsim_value near_one = value;
    value.sig = near_one.sig = sig;
    near_one.exp = (int16_t)-log2_of(sig);
    if (values->format->kind == WSIM_BINARY) /* an integer has no other exponent */
        offer(values, near_one);
    offer(values, value);
}

static void offer_finite(struct values *values, struct wsim_value value) {
    static const int keep[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
    for (unsigned i = 0; i < sizeof keep / sizeof keep[0]; i++)
        if (keep[i] <= log2_of(value.sig))
            offer_sig(values, value, top_bits(value.sig, keep[i]));
    for (int bit = log2_of(value.sig) - 1; bit >= 0; bit--)
        if (value.sig >> bit & 1)
            offer_sig(values, value, value.sig ^ UINT64_C(1) << bit);
    offer_sig(values, value, value.sig);
}

static int operand_of(unsigned which, enum wsim_operand *operand) {
    static const enum wsim_operand operands[] = {WSIM_A, WSIM_B, WSIM_C};
    if (which > WSIM_IN_C)
        return 0;
    *operand = operands[which];
    return 1;
}

unsigned shrink_simpler(const struct wsim_op *op, const struct wsim_plan *plan,
                        struct shrink_unit unit, uint64_t bits, uint64_t *out, unsigned max) {
    struct values values = {NULL, plan->input[unit.which].pad, bits, out, 0, max, 0};
    struct wsim_value one = {WSIM_FINITE, 0, 0, 1}, now;
    enum wsim_operand operand;
    struct wsim_layout layout;
    if (!operand_of(unit.which, &operand) ||
        wsim_op_layout(op, NULL, operand, &layout, NULL) != WSIM_OK)
        return 0;
    values.format = layout.format;
    now = wsim_format_decode(layout.format, bits >> values.pad);
    offer(&values, one);
    one.negative = 1;
    offer(&values, one);
    if (now.cls == WSIM_FINITE)
        offer_finite(&values, now);
    else if (now.cls != WSIM_ZERO)
        offer(&values, (struct wsim_value){now.cls, 0, 0, 0});
    return values.n;
}
