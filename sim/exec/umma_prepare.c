/* Prepares a product of the Blackwell tensor core: the arithmetic of its row of accum.def for the
 * types and the shape of an instruction descriptor. */
#include "umma.h"

/* Metadata that tcgen05 defines. 6 is the pair (2, 1). Source: PTX ISA 9.0, "Sparse matrices" of
 * tcgen05. */
enum { NIBBLES_PAIRS = 0x7350, NIBBLES_SINGLE = 0x4010 };

/* Bits of an element in shared memory; tf32 has a whole word. */
static uint8_t stored_bits(const struct wsim_format *format) {
    return (uint8_t)(format->bits + format->pad > 16 ? 32 : format->bits);
}

static void choose_sparse(const struct isa_pattern *pattern, struct wsim_code_product *how) {
    how->chunk = pattern->chunk;
    how->kept = pattern->kept;
    how->valid = pattern->kept == 1 ? NIBBLES_SINGLE : NIBBLES_PAIRS;
    how->k = (uint8_t)(how->k_dense / pattern->chunk * pattern->kept);
}

void umma_choose(const struct umma_shape *shape, const struct isa_accum *accum,
                 struct wsim_code_product *how) {
    int wide = shape->d == &isa_formats[FORMAT_F32];
    *how = (struct wsim_code_product){.a = shape->a,
                                      .b = shape->b,
                                      .c = shape->d,
                                      .d = shape->d,
                                      .in_a = shape->a,
                                      .in_b = shape->b,
                                      .result = shape->d,
                                      .factor = shape->factor,
                                      .method = accum->method,
                                      .keep = accum->keep,
                                      .floor = wide ? accum->floor32 : accum->floor16,
                                      .rounding = wide ? WSIM_RZ : WSIM_RN,
                                      .rows = shape->m,
                                      .cols = shape->n,
                                      .k = shape->k,
                                      .k_dense = shape->k,
                                      .blocks = shape->blocks,
                                      .saturate = shape->saturate,
                                      .bits_a = stored_bits(shape->a),
                                      .bits_b = stored_bits(shape->b)};
    how->frac = (uint8_t)(shape->a->frac_bits + shape->b->frac_bits);
    how->result_frac = wide ? accum->f32_frac : shape->d->frac_bits;
    if (shape->pattern != PATTERN_NONE)
        choose_sparse(&isa_patterns[shape->pattern], how);
    how->width = accum->width < how->k ? accum->width : how->k;
    if (shape->factor)
        how->scale_frac = (uint8_t)(2u * shape->factor->frac_bits);
}
