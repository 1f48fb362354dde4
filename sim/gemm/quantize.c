/* Quantises matrices for block-scaled instructions, in integers: numbers are significands and
 * powers of two, so every quotient is exact up to the one rounding. */
#include "tile.h"

#include "../exec/map.h"
#include "../isa/isa.h"

/* One operand: the formats, and a block's distance along k. */
struct quantizer {
    const struct wsim_format *type, *element, *scale;
    unsigned bytes, element_bytes, pad;
    struct wsim_value most; /* the largest element                    */
    uint64_t most_bits;
    int top; /* the exponent of its highest bit                  */
};

/* A block under way: `count` numbers from `from` on, `step` bytes apart. */
struct block {
    const uint8_t *from;
    uint8_t *elements, *scale;
    size_t step, element_step, count;
};

static int highest_bit(uint64_t bits) {
    int at = -1;
    for (; bits; bits >>= 1)
        at++;
    return at;
}

/* a / b with bits below those of a; the lowest one stands for the lost bits. `a` has at most 53
 * bits. */
static struct wsim_value divide(struct wsim_value a, struct wsim_value b) {
    enum { BELOW = 10 };
    const uint64_t wide = a.sig << BELOW;
    struct wsim_value quotient = a;
    quotient.sig = wide / b.sig | (wide % b.sig != 0);
    quotient.exp = (int16_t)(a.exp - BELOW - b.exp);
    return quotient;
}

/* Without the sign; numbers of a format are in the order of these bits. */
static uint64_t magnitude(const struct quantizer *q, uint64_t bits) {
    return bits & ((UINT64_C(1) << (q->type->bits - 1)) - 1);
}

static uint64_t scale_of(const struct quantizer *q, uint64_t largest) {
    const struct wsim_value value = wsim_format_decode(q->type, largest);
    int exponent;
    if (value.cls == WSIM_INF || value.cls == WSIM_NAN)
        return q->scale->nan;
    if (value.cls == WSIM_ZERO)
        return 0;
    if (q->scale->frac_bits)
        return wsim_format_encode(q->scale, divide(value, q->most), WSIM_RN);
    exponent = value.exp + highest_bit(value.sig) - q->top + q->scale->bias;
    return exponent < 0                         ? 0
           : (uint64_t)exponent < q->scale->nan ? (uint64_t)exponent
                                                : q->scale->nan - 1;
}

static uint64_t element_of(const struct quantizer *q, uint64_t bits, struct wsim_value scale) {
    const struct wsim_value value = wsim_format_decode(q->type, bits);
    uint64_t element;
    if (value.cls != WSIM_FINITE || scale.cls != WSIM_FINITE)
        return value.cls == WSIM_ZERO && scale.cls != WSIM_NAN
                   ? wsim_format_encode(q->element, value, WSIM_RN)
                   : 0;
    element = wsim_format_encode(q->element, divide(value, scale), WSIM_RN);
    if (wsim_format_decode(q->element, element).cls == WSIM_INF)
        element = q->most_bits | (uint64_t)value.negative << (q->element->bits - 1);
    return element;
}

static void quantize(const struct quantizer *q, const struct block *block) {
    uint64_t largest = 0, bits;
    struct wsim_value scale;
    for (size_t i = 0; i < block->count; i++) {
        bits = magnitude(q, map_get(block->from + i * block->step, q->bytes, 0));
        largest = bits > largest ? bits : largest;
    }
    bits = scale_of(q, largest);
    *block->scale = (uint8_t)bits;
    scale = wsim_format_decode(q->scale, bits);
    for (size_t i = 0; i < block->count; i++) {
        bits = map_get(block->from + i * block->step, q->bytes, 0);
        map_put(block->elements + i * block->element_step, q->element_bytes, 0,
                element_of(q, bits, scale) << q->pad);
    }
}

static enum wsim_status check(const struct wsim_gemm *gemm, enum wsim_operand operand,
                              const struct wsim_format *type, struct wsim_diag *diag) {
    static const uint8_t types[] = {FORMAT_F16, FORMAT_BF16, FORMAT_F32, FORMAT_F64};
    if (!gemm->scale)
        return base_refuse(diag, RULE_GEMM_QUANTIZE_OTHER, 0, "%s has no scale factors",
                           isa_op_called(&gemm->code->op).text);
    if (operand != WSIM_A && operand != WSIM_B)
        return base_refuse(diag, RULE_GEMM_QUANTIZE_OTHER, 0, "operand %d has no scale factors",
                           (int)operand);
    for (size_t i = 0; i < sizeof types; i++)
        if (type == &isa_formats[types[i]])
            return WSIM_OK;
    return base_refuse(diag, RULE_GEMM_QUANTIZE_OTHER, 0,
                       "numbers of %s: those of f16, bf16, f32 and f64 are quantised", type->name);
}

static void open_quantizer(struct quantizer *q, const struct wsim_gemm *gemm, int is_a,
                           const struct wsim_format *type) {
    const struct wsim_value huge = {.cls = WSIM_FINITE, .sig = 1, .exp = 1000};
    const struct wsim_layout *layout = is_a ? &gemm->work.a : &gemm->work.b;
    q->type = type;
    q->bytes = type->bits / 8;
    q->scale = gemm->scale;
    q->element = layout->format;
    q->element_bytes = is_a ? gemm->element_a : gemm->element_b;
    q->pad = layout->elem_bits > q->element->bits ? q->element->pad : 0;
    q->most_bits = wsim_format_encode(q->element, huge, WSIM_RZ);
    q->most = wsim_format_decode(q->element, q->most_bits);
    q->top = q->most.exp + highest_bit(q->most.sig);
}

enum wsim_status wsim_gemm_quantize(const struct wsim_gemm *gemm, enum wsim_operand operand,
                                    const struct wsim_format *type,
                                    const struct wsim_gemm_from *from,
                                    const struct wsim_gemm_to *elements,
                                    const struct wsim_gemm_to *scales, struct wsim_diag *diag) {
    const int is_a = operand == WSIM_A;
    const size_t lines = is_a ? gemm->size.m : gemm->size.n, k = gemm->size.k;
    enum wsim_status status = check(gemm, operand, type, diag);
    struct quantizer q;
    if (status)
        return status;
    open_quantizer(&q, gemm, is_a, type);
    for (size_t line = 0; line < lines; line++)
        for (size_t at = 0, number = 0; at < k; at += gemm->block_k, number++) {
            const size_t row = is_a ? line : at, column = is_a ? at : line;
            const size_t scale_row = is_a ? line : number, scale_column = is_a ? number : line;
            struct block block = {.count = k - at < gemm->block_k ? k - at : gemm->block_k};
            block.from = (const uint8_t *)from->elements +
                         (row * from->row + column * from->column) * q.bytes;
            block.elements = (uint8_t *)elements->elements +
                             (row * elements->row + column * elements->column) * q.element_bytes;
            block.scale = (uint8_t *)scales->elements + scale_row * scales->row +
                          scale_column * scales->column;
            block.step = (is_a ? from->column : from->row) * q.bytes;
            block.element_step = (is_a ? elements->column : elements->row) * q.element_bytes;
            quantize(&q, &block);
        }
    return WSIM_OK;
}
