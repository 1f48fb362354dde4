/* Prepares a product of the Blackwell tensor core. Its arithmetic is a row of accum.def; types,
 * shape and places in tensor memory follow from the instruction descriptor. */
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

/* The places of D in tensor memory: layouts A to G of the ISA. */
static void choose_places(const struct umma_form *form, const struct umma_shape *shape,
                          struct wsim_code_tensor *to) {
    to->blocks = form->blocks;
    to->stationary = form->stationary;
    to->rows = (uint16_t)(shape->m / form->blocks);
    to->parts = 1;
    if (form->stationary || (form->blocks == 2 && !form->sparse))
        to->parts = (uint8_t)(UMMA_LANES / to->rows);
    to->spread = to->parts == 1 && to->rows < UMMA_LANES;
    to->part_cols = (uint16_t)(shape->n / to->parts);
}

/* Bits of a narrow element of kinds that give every element a byte of K; 0: packed. */
static uint8_t narrow_bits(const struct umma_form *form, const struct wsim_format *format) {
    int bytes = form->products == PRODUCTS_TENSOR_FP8 || form->products == PRODUCTS_TENSOR_MX8;
    return (uint8_t)(bytes && format->bits < 8 ? format->bits : 0);
}

static const struct isa_accum *accum_of(unsigned products, const struct wsim_arch *arch) {
    for (size_t i = 0; i < isa_accum_count; i++)
        if (isa_accums[i].generation == arch->generation && isa_accums[i].products == products)
            return &isa_accums[i];
    return NULL;
}

enum wsim_status umma_prepare(const struct umma_form *form, uint32_t idesc, struct wsim_code *code,
                              struct wsim_diag *diag) {
    struct wsim_code_tensor *to = &work_to(code)->tensor;
    const struct isa_accum *accum = accum_of(form->products, code->arch);
    struct umma_shape shape;
    enum wsim_status status = umma_decode(form, idesc, &shape, diag);
    if (status)
        return status;
    if (!accum)
        return base_refuse(diag, RULE_MMA_ARITHMETIC_UNMODELLED, 0,
                           "no model of the arithmetic of tcgen05.mma on %s", code->arch->name);
    umma_choose(&shape, accum, &work_to(code)->product);
    *to = (struct wsim_code_tensor){.idesc = idesc, .most_shift = shape.most_shift};
    choose_places(form, &shape, to);
    to->meta_halves =
        form->products == PRODUCTS_TENSOR_HALF || form->products == PRODUCTS_TENSOR_TF32;
    to->narrow[0] = narrow_bits(form, shape.a);
    to->narrow[1] = narrow_bits(form, shape.b);
    for (unsigned i = 0; i < 2; i++) {
        to->trans[i] = shape.trans[i];
        to->negate[i] = shape.negate[i];
        to->factor_id[i] = shape.factor_id[i];
    }
    return WSIM_OK;
}
