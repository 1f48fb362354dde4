/* One block-scaled sum of 4-bit products. Sums inside a group are exact; the exponents of the
 * scales alone align the groups. */
#include "align.h"
#include "watch.h"

/* One group before alignment. */
struct group {
    int32_t sig; /* product sum times the significands of the scales           */
    int absent;  /* all products or a scale are zero, so there is no exponent;
                    a group of products that cancel has an exponent            */
};

/* Elements have exponents >= 0 (e2m1: 0..2), so products are whole in units of the fraction. A sum
 * has at most 12 bits, and the scales 8. */
static struct group sum_group(unsigned n, const struct num_elem *a, const struct num_elem *b,
                              int32_t scale) {
    struct group group = {0, 1};
    unsigned k;
    for (k = 0; k < n; k++) {
        int32_t product = a[k].sig * b[k].sig;
        group.sig += product * (INT32_C(1) << (a[k].exp + b[k].exp));
        group.absent &= product == 0;
    }
    group.sig *= scale;
    group.absent |= scale == 0;
    return group;
}

static int any_nan(unsigned n, const struct num_scale *scale, struct num_elem c) {
    int nan = c.cls == WSIM_NAN;
    unsigned g;
    for (g = 0; g < n; g++)
        nan |= scale[g].nan;
    return nan;
}

/* Reports the accumulator or a group of `terms`, and its term under the exponent `top`. */
static void tell_addend(const struct num_fused *fused, unsigned terms, struct group group, int frac,
                        int exp, int top) {
    struct wsim_why_addend addend = {
        .sig = group.sig,
        .kept = align_term(group.sig, align_drop(fused->keep, frac, top, exp)),
        .exp = (int16_t)(exp - frac),
        .exponent = (int16_t)exp,
        .absent = (uint8_t)group.absent,
        .terms = (uint16_t)terms};
    fused->watch->addend(fused->watch->who, &addend);
}

static void tell_step(const struct num_fused *fused, struct wsim_why_step step) {
    step.rounding = fused->result.rounding;
    step.frac = fused->result.frac;
    step.from = step.format = fused->result.format;
    fused->watch->step(fused->watch->who, &step);
}

/* Reports and returns an infinite or NaN result. */
static uint64_t special(const struct num_fused *fused, unsigned terms, uint64_t acc,
                        uint64_t result) {
    if (fused->watch)
        tell_step(fused, (struct wsim_why_step){.kind = WSIM_WHY_SPECIAL,
                                                .terms = (uint16_t)terms,
                                                .before = acc,
                                                .after = result});
    return result;
}

uint64_t num_grouped(const struct num_fused *fused, unsigned group, unsigned ngroups,
                     const struct num_elem *a, const struct num_elem *b,
                     const struct num_scale *scale, unsigned scale_frac, uint64_t acc) {
    const struct wsim_format *format = fused->result.format;
    struct num_elem c = num_decode(format, format->bits, acc);
    int frac = fused->frac + (int)scale_frac, top = fused->floor;
    uint64_t after;
    int64_t sum;
    unsigned g;

    if (any_nan(ngroups, scale, c))
        return special(fused, ngroups * group, acc, format->nan);
    if (c.cls == WSIM_INF) /* 4-bit products are finite */
        return special(fused, ngroups * group, acc, acc);
    if (c.sig && c.exp > top)
        top = c.exp;
    for (g = 0; g < ngroups; g++)
        if (scale[g].exp > top &&
            !sum_group(group, a + g * group, b + g * group, scale[g].sig).absent)
            top = scale[g].exp;
    sum = align_term(c.sig, align_drop(fused->keep, format->frac_bits, top, c.exp));
    for (g = 0; g < ngroups; g++)
        sum += align_term(sum_group(group, a + g * group, b + g * group, scale[g].sig).sig,
                          align_drop(fused->keep, frac, top, scale[g].exp));
    after = align_round(&fused->result, sum, top - fused->keep);
    if (!fused->watch)
        return after;
    tell_addend(fused, 0, (struct group){c.sig, c.sig == 0}, format->frac_bits, c.exp, top);
    for (g = 0; g < ngroups; g++)
        tell_addend(fused, group, sum_group(group, a + g * group, b + g * group, scale[g].sig),
                    frac, scale[g].exp, top);
    tell_step(fused, (struct wsim_why_step){.kind = WSIM_WHY_ALIGNED,
                                            .terms = (uint16_t)(ngroups * group),
                                            .addends = (uint16_t)(ngroups + 1),
                                            .top = (int16_t)top,
                                            .unit = (int16_t)(top - fused->keep),
                                            .sum = sum,
                                            .before = acc,
                                            .after = after});
    return after;
}
