/* Prepares a product of the Blackwell tensor core. Its arithmetic is a row of accum.def; types,
 * shape and places in tensor memory follow from the instruction descriptor. */
#include "umma.h"

#include <stdio.h>

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

void umma_choose(const struct wsim_umma *umma, const struct wsim_umma_shape *shape,
                 const struct isa_accum *accum, struct wsim_code_product *how) {
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
                                      .blocks = umma->factors,
                                      .saturate = shape->saturate,
                                      .bits_a = stored_bits(shape->a),
                                      .bits_b = stored_bits(shape->b)};
    how->frac = (uint8_t)(shape->a->frac_bits + shape->b->frac_bits);
    how->result_frac = wide ? accum->f32_frac : shape->d->frac_bits;
    if (umma->sparse)
        choose_sparse(&isa_patterns[isa_umma_kinds[umma->kind].pattern], how);
    how->width = accum->width < how->k ? accum->width : how->k;
    if (shape->factor)
        how->scale_frac = (uint8_t)(2u * shape->factor->frac_bits);
}

/* The places of D in tensor memory. Every form and M has a layout. */
static void choose_places(const struct wsim_umma *umma, const struct wsim_umma_shape *shape,
                          struct wsim_code_tensor *to) {
    const struct isa_umma_layout *layout = isa_umma_layouts;
    while (layout->m != shape->m || isa_umma_form(umma) & ~(unsigned)layout->form)
        layout++;
    to->blocks = umma->blocks;
    to->stationary = umma->stationary;
    to->rows = layout->rows;
    to->parts = layout->parts;
    to->spread = layout->spread;
    to->part_cols = (uint16_t)(shape->n / to->parts);
}

const struct isa_accum *umma_accum(unsigned products, const struct wsim_arch *arch) {
    for (size_t i = 0; i < isa_accum_count; i++)
        if (isa_accums[i].generation == arch->generation && isa_accums[i].products == products)
            return &isa_accums[i];
    return NULL;
}

/* Refuses products that no source describes. */
static enum wsim_status check_known(const struct wsim_umma_shape *shape, uint32_t idesc,
                                    struct wsim_diag *diag) {
    const char *what = NULL;
    if (shape->k == 96)
        what = "K is 96; no source says how the groups of its scale factors lie";
    else if (shape->selector)
        what = "no source says where metadata of another selector than 0 lie";
    else if (shape->most_shift && shape->m == 32)
        what = "a maximum shift with M = 32 traps on a B200, although the ISA allows 16";
    if (!what)
        return WSIM_OK;
    return base_refuse(diag, RULE_TCGEN_MMA_OPEN, 0, "instruction descriptor 0x%08x: %s",
                       (unsigned)idesc, what);
}

static enum wsim_status check_arch(const struct wsim_umma *umma, const struct wsim_arch *arch,
                                   struct wsim_diag *diag) {
    enum isa_feature feature = umma->kind == WSIM_UMMA_I8 ? FEATURE_TCGEN_INT : FEATURE_TCGEN;
    char what[48];
    if (!arch)
        return base_refuse(diag, RULE_ARCH_MISSING, 0, "no architecture is given");
    snprintf(what, sizeof what, "tcgen05.mma.kind::%s", isa_umma_kinds[umma->kind].name);
    return isa_need(feature, arch, what, UINT32_C(1) << feature, diag);
}

enum wsim_status wsim_umma_prepare(const struct wsim_umma *umma, uint32_t idesc,
                                   const struct wsim_arch *arch, uint32_t flags,
                                   struct wsim_code *code, struct wsim_diag *diag) {
    struct wsim_code made = {.arch = arch, .flags = flags};
    struct wsim_code_work *work = work_to(&made);
    const struct isa_accum *accum;
    struct wsim_umma_shape shape;
    enum wsim_status status = umma_check_form(umma, diag);
    if (!status)
        status = check_arch(umma, arch, diag);
    if (!status)
        status = exec_check_flags(flags, diag);
    if (!status)
        status = wsim_umma_decode(umma, idesc, &shape, diag);
    if (!status)
        status = check_known(&shape, idesc, diag);
    if (status)
        return status;
    accum = umma_accum(isa_umma_kinds[umma->kind].products, arch);
    if (!accum)
        return base_refuse(diag, RULE_MMA_ARITHMETIC_UNMODELLED, 0,
                           "no model of the arithmetic of tcgen05.mma on %s", arch->name);
    work->door = isa_umma_door;
    work->warps = 1;
    work->shared_end = isa_shared_end(arch);
    umma_choose(umma, &shape, accum, &work->product);
    work->tensor = (struct wsim_code_tensor){.idesc = idesc, .most_shift = shape.most_shift};
    choose_places(umma, &shape, &work->tensor);
    work->tensor.meta_halves = umma->kind == WSIM_UMMA_F16 || umma->kind == WSIM_UMMA_TF32;
    work->tensor.narrow[0] = (uint8_t)umma_narrow_bits(umma, shape.a);
    work->tensor.narrow[1] = (uint8_t)umma_narrow_bits(umma, shape.b);
    for (unsigned i = 0; i < 2; i++) {
        work->tensor.trans[i] = shape.trans[i];
        work->tensor.negate[i] = shape.negate[i];
        work->tensor.factor_id[i] = shape.factor_id[i];
    }
    umma_strip_prepare(&made);
    *code = made;
    return WSIM_OK;
}
