/* One element of D: the method of the accum.def row applied to one row of A and one column of B. */
#include "product.h"

int product_decodes(const struct wsim_code_product *how) {
    return how->method != METHOD_CHAIN && how->method != METHOD_SCALAR &&
           how->method != METHOD_COUNT;
}

/* SPLIT takes k mod 4 in {0,1} first, then {2,3}. */
unsigned product_order(unsigned split, unsigned j) {
    return split ? (j >> 1 & 1) * split + (j >> 2) * 2 + (j & 1) : j;
}

static struct num_elem factor_of(const struct product *p, const uint8_t *factors, unsigned block) {
    return num_decode(p->how->factor, 8, factors[block]);
}

static uint64_t scaled(const struct product *p, const struct product_lists *in, uint64_t acc) {
    struct num_elem sa = factor_of(p, in->factors_a, 0), sb = factor_of(p, in->factors_b, 0);
    if (sa.cls == WSIM_NAN || sb.cls == WSIM_NAN)
        return p->how->result->nan;
    return num_fused_chain(&p->fused, p->how->k, in->a, in->b, sa.exp + sb.exp, acc);
}

static uint64_t fused(const struct product *p, const struct product_lists *in, uint64_t acc) {
    if (p->how->blocks)
        return scaled(p, in, acc);
    return num_fused_chain(&p->fused, p->how->k, in->a, in->b, 0, acc);
}

static uint64_t split(const struct product *p, const struct product_lists *in, uint64_t acc) {
    return num_add(p->how->result, acc, num_fused_chain(&p->fused, p->how->k, in->a, in->b, 0, 0));
}

/* Arithmetic of CUDA cores, run by run. x * y is fma(x, y, -0): adding -0 changes nothing. */
static uint64_t scalar(const struct product *p, const struct product_lists *in, uint64_t acc) {
    const struct wsim_code_product *how = p->how;
    const struct wsim_format *as = how->in_a, *result = how->result;
    uint64_t begin = how->begins == RUN_PRODUCT ? UINT64_C(1) << (as->bits - 1) : 0;
    uint64_t sum = result == as ? acc : num_convert(result, as, acc);
    for (unsigned first = 0; first < how->k; first += how->width) {
        uint64_t run = begin;
        for (unsigned k = first; k < first + how->width; k++)
            run = num_fma(as, in->abits[k], in->bbits[k], run, WSIM_RN, 1);
        sum = num_add(as, sum, run);
    }
    return result == as ? sum : num_convert(as, result, sum);
}

static uint64_t grouped(const struct product *p, const struct product_lists *in, uint64_t acc) {
    struct num_scale scale[PRODUCT_MAX_BLOCKS];
    unsigned groups = p->how->k / p->how->width;
    for (unsigned g = 0; g < groups; g++) {
        unsigned block = g * p->how->blocks / groups;
        struct num_elem sa = factor_of(p, in->factors_a, block);
        struct num_elem sb = factor_of(p, in->factors_b, block);
        scale[g].sig = sa.sig * sb.sig;
        scale[g].exp = (int16_t)(sa.exp + sb.exp);
        scale[g].nan = sa.cls == WSIM_NAN || sb.cls == WSIM_NAN;
    }
    return num_grouped(&p->fused, p->how->width, groups, in->a, in->b, scale, p->how->scale_frac,
                       acc);
}

static uint64_t chain(const struct product *p, const struct product_lists *in, uint64_t acc) {
    for (unsigned k = 0; k < p->how->k; k++)
        acc = num_fma(p->how->result, in->abits[k], in->bbits[k], acc,
                      (enum wsim_rounding)p->how->direction, 0);
    return acc;
}

static uint64_t exact(const struct product *p, const struct product_lists *in, uint64_t acc) {
    return num_dot_int(p->how->k, in->a, in->b, (uint32_t)acc, p->how->saturate);
}

/* Lists of words: 32 elements each. */
static uint64_t count(const struct product *p, const struct product_lists *in, uint64_t acc) {
    uint32_t ones = 0;
    for (unsigned k = 0; k < p->how->k; k++) {
        uint32_t a = (uint32_t)in->abits[k], b = (uint32_t)in->bbits[k];
        uint32_t both = p->how->exclusive ? a ^ b : a & b;
        for (; both; both &= both - 1)
            ones++;
    }
    return (uint32_t)acc + ones;
}

uint64_t product_dot(const struct product *p, const struct product_lists *in, uint64_t acc) {
    static uint64_t (*const methods[])(const struct product *, const struct product_lists *,
                                       uint64_t) = {
        [METHOD_FUSED] = fused,     [METHOD_SPLIT] = split, [METHOD_SCALAR] = scalar,
        [METHOD_GROUPED] = grouped, [METHOD_CHAIN] = chain, [METHOD_EXACT] = exact,
        [METHOD_COUNT] = count};
    return methods[p->how->method](p, in, acc);
}
