/* Chains of truncated fused dot-product-add steps. The width of a step, its kept bits and its
 * rounding are arguments; nothing here depends on an instruction. */
#include "align.h"
#include "watch.h"

/* This bit of the class is set for INF and NAN, and clear for ZERO and FINITE. */
#define SPECIAL 2u

/* The result of a step with an infinity or a NaN among its operands. */
static uint64_t special_step(const struct wsim_format *format, unsigned n, const struct num_elem *a,
                             const struct num_elem *b, struct num_elem c) {
    struct wsim_value value = {WSIM_NAN, 0, 0, 0};
    int plus = c.cls == WSIM_INF && c.sig > 0;
    int minus = c.cls == WSIM_INF && c.sig < 0;
    int nan = c.cls == WSIM_NAN;
    unsigned k;
    for (k = 0; k < n; k++) {
        if (!((a[k].cls | b[k].cls) & SPECIAL))
            continue;
        if (a[k].cls == WSIM_NAN || b[k].cls == WSIM_NAN || a[k].sig == 0 || b[k].sig == 0)
            nan = 1;
        else if ((a[k].sig < 0) != (b[k].sig < 0))
            minus = 1;
        else
            plus = 1;
    }
    value.cls = nan || (plus && minus) ? WSIM_NAN : WSIM_INF;
    value.negative = (uint8_t)minus;
    return wsim_format_encode(format, value, WSIM_RN);
}

/* Reports the accumulator and each product, and their terms under the exponent `top`. */
static void tell_addends(const struct num_fused *fused, unsigned n, const struct num_elem *a,
                         const struct num_elem *b, int scale, struct num_elem c, int top) {
    const struct num_watch *watch = fused->watch;
    int frac = fused->result.format->frac_bits;
    struct wsim_why_addend addend = {
        .sig = c.sig,
        .kept = align_term(c.sig, align_drop(fused->keep, frac, top, c.exp)),
        .exp = (int16_t)(c.exp - frac),
        .exponent = c.exp,
        .absent = c.sig == 0};
    watch->addend(watch->who, &addend);
    for (unsigned k = 0; k < n; k++) {
        int exp = a[k].exp + b[k].exp + scale;
        int32_t sig = a[k].sig * b[k].sig;
        addend = (struct wsim_why_addend){
            .sig = sig,
            .kept = align_term(sig, align_drop(fused->keep, fused->frac, top, exp)),
            .exp = (int16_t)(exp - fused->frac),
            .exponent = (int16_t)exp,
            .absent = sig == 0,
            .terms = 1};
        watch->addend(watch->who, &addend);
    }
}

static void tell_step(const struct num_fused *fused, enum wsim_why_kind kind, unsigned n, int top,
                      int64_t sum, uint64_t before, uint64_t after) {
    const struct wsim_format *format = fused->result.format;
    struct wsim_why_step step = {.kind = (uint8_t)kind,
                                 .rounding = fused->result.rounding,
                                 .frac = fused->result.frac,
                                 .terms = (uint16_t)n,
                                 .addends = (uint16_t)(kind == WSIM_WHY_ALIGNED ? n + 1 : 0),
                                 .top = (int16_t)top,
                                 .unit = (int16_t)(top - fused->keep),
                                 .sum = sum,
                                 .from = format,
                                 .format = format,
                                 .before = before,
                                 .after = after};
    fused->watch->step(fused->watch->who, &step);
}

/* One step. These are the hottest loops: no call and no store per product. */
static uint64_t step(const struct num_fused *fused, unsigned n, const struct num_elem *a,
                     const struct num_elem *b, int scale, uint64_t acc) {
    const struct wsim_format *format = fused->result.format;
    struct num_elem c = num_decode(format, format->bits, acc);
    int top = fused->floor, drop;
    unsigned classes = c.cls, k;
    uint64_t after;
    int64_t sum;

    c.exp = (int16_t)(c.exp - fused->lower);
    if (c.sig && c.exp > top)
        top = c.exp;
    for (k = 0; k < n; k++) {
        int exp = a[k].exp + b[k].exp + scale;
        classes |= (unsigned)a[k].cls | b[k].cls;
        if (exp > top && a[k].sig && b[k].sig) /* a zero product has no exponent */
            top = exp;
    }
    if (classes & SPECIAL) {
        after = special_step(format, n, a, b, c);
        if (fused->watch)
            tell_step(fused, WSIM_WHY_SPECIAL, n, top, 0, acc, after);
        return after;
    }

    sum = align_term(c.sig, align_drop(fused->keep, format->frac_bits, top, c.exp));
    drop = align_drop(fused->keep, fused->frac, top, scale);
    for (k = 0; k < n; k++)
        sum += align_term(a[k].sig * b[k].sig, drop - a[k].exp - b[k].exp);
    after = align_round(&fused->result, sum, top - fused->keep);
    if (fused->watch) {
        tell_addends(fused, n, a, b, scale, c, top);
        tell_step(fused, WSIM_WHY_ALIGNED, n, top, sum, acc, after);
    }
    return after;
}

uint64_t num_fused_chain(const struct num_fused *fused, unsigned n, const struct num_elem *a,
                         const struct num_elem *b, int scale, uint64_t acc) {
    unsigned k;
    for (k = 0; k < n; k += fused->width)
        acc = step(fused, n - k < fused->width ? n - k : fused->width, a + k, b + k, scale, acc);
    return acc;
}
