/* One element of D: the method of the accum.def row applied to one row of A and one column of B. */
#include "product.h"

#include "../num/watch.h"

int product_decodes(const struct wsim_code_product *how) {
    return how->method != METHOD_CHAIN && how->method != METHOD_SCALAR &&
           how->method != METHOD_COUNT;
}

/* SPLIT takes k mod 4 in {0,1} first, then {2,3}. */
unsigned product_order(unsigned split, unsigned j) {
    return split ? (j >> 1 & 1) * split + (j >> 2) * 2 + (j & 1) : j;
}

/* Reports a step that leaves a number of `format`. The product must have a listener. */
static void product_tell(const struct product *p, enum wsim_why_kind kind,
                         const struct wsim_format *format, struct wsim_why_step step) {
    const struct num_watch *watch = p->fused.watch;
    step.kind = (uint8_t)kind;
    step.format = format;
    step.frac = format->frac_bits;
    if (!step.from)
        step.from = format;
    watch->step(watch->who, &step);
}

/* acc + addend, told. */
static uint64_t add(const struct product *p, const struct wsim_format *format, uint64_t acc,
                    uint64_t addend) {
    uint64_t sum = num_add(format, acc, addend);
    if (p->fused.watch)
        product_tell(p, WSIM_WHY_ADD, format,
                     (struct wsim_why_step){.before = acc, .other = addend, .after = sum});
    return sum;
}

/* acc + product k, told; in run `run`. */
static uint64_t multiply_add(const struct product *p, const struct product_lists *in, unsigned k,
                             const struct wsim_format *format, enum wsim_rounding rounding,
                             uint64_t acc, unsigned run) {
    uint64_t sum = num_fma(format, in->abits[k], in->bbits[k], acc, rounding, run != 0);
    if (p->fused.watch)
        product_tell(p, WSIM_WHY_FMA, format,
                     (struct wsim_why_step){.terms = 1,
                                            .run = (uint8_t)run,
                                            .rounding = (uint8_t)rounding,
                                            .before = acc,
                                            .after = sum});
    return sum;
}

uint64_t product_convert(const struct product *p, const struct wsim_format *from,
                         const struct wsim_format *to, uint64_t bits) {
    uint64_t converted = from == to ? bits : num_convert(from, to, bits);
    if (from != to && p->fused.watch)
        product_tell(p, WSIM_WHY_CONVERT, to,
                     (struct wsim_why_step){.from = from, .before = bits, .after = converted});
    return converted;
}

static struct num_elem factor_of(const struct product *p, const uint8_t *factors, unsigned block) {
    return num_decode(p->how->factor, 8, factors[block]);
}

static uint64_t scaled(const struct product *p, const struct product_lists *in, uint64_t acc) {
    struct num_elem sa = factor_of(p, in->factors_a, 0), sb = factor_of(p, in->factors_b, 0);
    if (sa.cls == WSIM_NAN || sb.cls == WSIM_NAN) {
        if (p->fused.watch)
            product_tell(p, WSIM_WHY_SPECIAL, p->how->result,
                         (struct wsim_why_step){
                             .terms = p->how->k, .before = acc, .after = p->how->result->nan});
        return p->how->result->nan;
    }
    return num_fused_chain(&p->fused, p->how->k, in->a, in->b, sa.exp + sb.exp, acc);
}

static uint64_t fused(const struct product *p, const struct product_lists *in, uint64_t acc) {
    if (p->how->blocks)
        return scaled(p, in, acc);
    return num_fused_chain(&p->fused, p->how->k, in->a, in->b, 0, acc);
}

static uint64_t split(const struct product *p, const struct product_lists *in, uint64_t acc) {
    return add(p, p->how->result, acc, num_fused_chain(&p->fused, p->how->k, in->a, in->b, 0, 0));
}

/* Arithmetic of CUDA cores, run by run. x * y is fma(x, y, -0): adding -0 changes nothing. */
static uint64_t scalar(const struct product *p, const struct product_lists *in, uint64_t acc) {
    const struct wsim_code_product *how = p->how;
    const struct wsim_format *as = how->in_a, *result = how->result;
    uint64_t begin = how->begins == RUN_PRODUCT ? UINT64_C(1) << (as->bits - 1) : 0;
    uint64_t sum = product_convert(p, result, as, acc);
    for (unsigned first = 0; first < how->k; first += how->width) {
        uint64_t run = begin;
        for (unsigned k = first; k < first + how->width; k++)
            run = multiply_add(p, in, k, as, WSIM_RN, run, first / how->width + 1);
        sum = add(p, as, sum, run);
    }
    return product_convert(p, as, result, sum);
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
        acc = multiply_add(p, in, k, p->how->result, (enum wsim_rounding)p->how->direction, acc, 0);
    return acc;
}

/* Integers, without truncation. */
static void tell_addend(const struct product *p, int64_t value, unsigned terms) {
    const struct num_watch *watch = p->fused.watch;
    struct wsim_why_addend addend = {
        .sig = value, .kept = value, .absent = value == 0, .terms = (uint16_t)terms};
    watch->addend(watch->who, &addend);
}

static int64_t signed_of(uint32_t word) {
    return (int64_t)(word ^ UINT32_C(0x80000000)) - INT64_C(0x80000000);
}

static void tell_whole(const struct product *p, enum wsim_why_kind kind, int64_t whole,
                       uint64_t before, uint32_t after) {
    product_tell(p, kind, p->how->result,
                 (struct wsim_why_step){.terms = p->how->k,
                                        .addends = (uint16_t)(p->how->k + 1),
                                        .sum = whole,
                                        .before = before,
                                        .after = after});
}

static uint64_t exact(const struct product *p, const struct product_lists *in, uint64_t acc) {
    int64_t whole;
    uint32_t sum = num_dot_int(p->how->k, in->a, in->b, (uint32_t)acc, p->how->saturate, &whole);
    if (!p->fused.watch)
        return sum;
    tell_addend(p, signed_of((uint32_t)acc), 0);
    for (unsigned k = 0; k < p->how->k; k++)
        tell_addend(p, (int64_t)in->a[k].sig * in->b[k].sig, 1);
    tell_whole(p, WSIM_WHY_WHOLE, whole, acc, sum);
    return sum;
}

static uint32_t ones_of(const struct product *p, const struct product_lists *in, unsigned k) {
    uint32_t a = (uint32_t)in->abits[k], b = (uint32_t)in->bbits[k], ones = 0;
    uint32_t both = p->how->exclusive ? a ^ b : a & b;
    for (; both; both &= both - 1)
        ones++;
    return ones;
}

/* Lists of words: 32 elements each. */
static uint64_t count(const struct product *p, const struct product_lists *in, uint64_t acc) {
    uint32_t ones = 0, sum;
    for (unsigned k = 0; k < p->how->k; k++)
        ones += ones_of(p, in, k);
    sum = (uint32_t)acc + ones;
    if (!p->fused.watch)
        return sum;
    tell_addend(p, signed_of((uint32_t)acc), 0);
    for (unsigned k = 0; k < p->how->k; k++)
        tell_addend(p, ones_of(p, in, k), 1);
    tell_whole(p, WSIM_WHY_COUNT, signed_of((uint32_t)acc) + ones, acc, sum);
    return sum;
}

uint64_t product_dot(const struct product *p, const struct product_lists *in, uint64_t acc) {
    static uint64_t (*const methods[])(const struct product *, const struct product_lists *,
                                       uint64_t) = {
        [METHOD_FUSED] = fused,     [METHOD_SPLIT] = split, [METHOD_SCALAR] = scalar,
        [METHOD_GROUPED] = grouped, [METHOD_CHAIN] = chain, [METHOD_EXACT] = exact,
        [METHOD_COUNT] = count};
    return methods[p->how->method](p, in, acc);
}
