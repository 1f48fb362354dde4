/* Chains of truncated fused dot-product-add steps. Knows no instruction: how wide a step is, what
 * it keeps and how it rounds come in. */
#include "align.h"

/* With INF and NAN, and with neither ZERO nor FINITE, this bit of the class is set. */
#define SPECIAL 2u

/* The step when some operand is an infinity or a NaN. */
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

/* The hot loops of the house: no call and no store per product. */
static uint64_t step(const struct num_fused *fused, unsigned n, const struct num_elem *a,
                     const struct num_elem *b, int scale, uint64_t acc) {
    const struct wsim_format *format = fused->result.format;
    struct num_elem c = num_decode(format, format->bits, acc);
    int top = fused->floor, drop;
    unsigned classes = c.cls, k;
    int64_t sum;

    if (c.sig && c.exp > top)
        top = c.exp;
    for (k = 0; k < n; k++) {
        int exp = a[k].exp + b[k].exp + scale;
        classes |= (unsigned)a[k].cls | b[k].cls;
        if (exp > top && a[k].sig && b[k].sig) /* a zero product has no exponent */
            top = exp;
    }
    if (classes & SPECIAL)
        return special_step(format, n, a, b, c);

    sum = align_term(c.sig, align_drop(fused->keep, format->frac_bits, top, c.exp));
    drop = align_drop(fused->keep, fused->frac, top, scale);
    for (k = 0; k < n; k++)
        sum += align_term(a[k].sig * b[k].sig, drop - a[k].exp - b[k].exp);
    return align_round(&fused->result, sum, top - fused->keep);
}

uint64_t num_fused_chain(const struct num_fused *fused, unsigned n, const struct num_elem *a,
                         const struct num_elem *b, int scale, uint64_t acc) {
    unsigned k;
    for (k = 0; k < n; k += fused->width)
        acc = step(fused, n - k < fused->width ? n - k : fused->width, a + k, b + k, scale, acc);
    return acc;
}
