/* One element of D: the method of the accum.def row applied to one row of A and one column of B. */
#include "mma.h"

static uint8_t product_frac(const struct mma_job *job) {
    return (uint8_t)(job->in_a->frac_bits + job->in_b->frac_bits);
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

void mma_choose(struct mma_job *job, const struct wsim_op *op, const struct isa_accum *accum) {
    const struct wsim_format *d = isa_op_type(op, PLACE_D), *c = isa_op_type(op, PLACE_C);
    unsigned step = isa_form(op)->step;
    int wide; /* the result is f32 */
    job->op = op;
    job->form = isa_form(op);
    job->accum = accum;
    job->result = c && c->bits > d->bits ? c : d;
    job->in_a = accum->as ? &isa_formats[accum->as] : isa_op_type(op, PLACE_A);
    job->in_b = accum->as ? &isa_formats[accum->as] : isa_op_type(op, PLACE_B);
    job->k_dense = isa_op_shape(op).k;
    job->k = isa_op_stored_k(op);
    wide = job->result == &isa_formats[FORMAT_F32];
    job->fused.frac = product_frac(job);
    job->fused.keep = accum->keep;
    job->fused.floor = wide ? accum->floor32 : accum->floor16;
    job->fused.width =
        (uint8_t)least(accum->width, accum->method == METHOD_SPLIT ? job->k / 2 : job->k);
    if (step)
        job->fused.width = (uint8_t)least(job->fused.width, step);
    job->fused.result.format = job->result;
    job->fused.result.frac = wide ? accum->f32_frac : job->result->frac_bits;
    job->fused.result.rounding = wide ? WSIM_RZ : WSIM_RN;
}

int mma_decodes(const struct mma_job *job) {
    return job->accum->method != METHOD_CHAIN && job->accum->method != METHOD_SCALAR;
}

/* SPLIT takes k mod 4 in {0,1} first, then {2,3}. */
unsigned mma_order(const struct mma_job *job, unsigned j) {
    if (job->accum->method != METHOD_SPLIT)
        return j;
    return (j >> 1 & 1) * (job->k / 2) + (j >> 2) * 2 + (j & 1);
}

/* What one result is made of. */
struct lists {
    const struct num_elem *a, *b;
    const uint64_t *abits, *bbits;
    unsigned row, col;
};

static uint64_t scaled(const struct mma_job *job, const struct lists *in, uint64_t acc) {
    struct num_elem sa = job->scales.a[in->row][0], sb = job->scales.b[in->col][0];
    if (sa.cls == WSIM_NAN || sb.cls == WSIM_NAN)
        return job->result->nan;
    return num_fused_chain(&job->fused, job->k, in->a, in->b, sa.exp + sb.exp, acc);
}

static uint64_t fused(const struct mma_job *job, const struct lists *in, uint64_t acc) {
    if (job->form->blocks)
        return scaled(job, in, acc);
    return num_fused_chain(&job->fused, job->k, in->a, in->b, 0, acc);
}

static uint64_t split(const struct mma_job *job, const struct lists *in, uint64_t acc) {
    return num_add(job->result, acc, num_fused_chain(&job->fused, job->k, in->a, in->b, 0, 0));
}

/* f32 arithmetic of CUDA cores. x * y is fma(x, y, -0): adding -0 changes nothing. */
static uint64_t fma32(uint64_t a, uint64_t b, uint64_t c) {
    return num_fma(&isa_formats[FORMAT_F32], a, b, c, WSIM_RN, 1);
}

static uint64_t scalar(const struct mma_job *job, const struct lists *in, uint64_t acc) {
    const struct wsim_format *f32 = &isa_formats[FORMAT_F32], *f16 = &isa_formats[FORMAT_F16];
    const uint64_t *a = in->abits, *b = in->bbits, minus_zero = UINT64_C(0x80000000);
    uint64_t t = 0, p01, p23;
    unsigned k;
    if (job->result == f32) {
        for (k = 0; k < job->k; k++)
            t = fma32(a[k], b[k], t);
        return num_add(f32, acc, t);
    }
    p01 = fma32(a[1], b[1], fma32(a[0], b[0], minus_zero));
    p23 = fma32(a[3], b[3], fma32(a[2], b[2], minus_zero));
    t = num_add(f32, num_convert(f16, f32, acc), p01);
    return num_convert(f32, f16, num_add(f32, t, p23));
}

static uint64_t grouped(const struct mma_job *job, const struct lists *in, uint64_t acc) {
    struct num_scale scale[MMA_MAX_BLOCKS];
    const struct wsim_format *type = isa_op_type(job->op, PLACE_STYPE);
    unsigned g, groups = job->k / job->accum->width;
    for (g = 0; g < groups; g++) {
        unsigned block = g * job->form->blocks / groups;
        struct num_elem sa = job->scales.a[in->row][block], sb = job->scales.b[in->col][block];
        scale[g].sig = sa.sig * sb.sig;
        scale[g].exp = (int16_t)(sa.exp + sb.exp);
        scale[g].nan = sa.cls == WSIM_NAN || sb.cls == WSIM_NAN;
    }
    return num_grouped(&job->fused, job->accum->width, groups, in->a, in->b, scale,
                       2u * type->frac_bits, acc);
}

static uint64_t chain(const struct mma_job *job, const struct lists *in, uint64_t acc) {
    unsigned k, place = job->op->q[PLACE_ROUND];
    enum wsim_rounding rounding = place ? (enum wsim_rounding)(WSIM_RN + place - Q_RN) : WSIM_RN;
    for (k = 0; k < job->k; k++)
        acc = num_fma(job->result, in->abits[k], in->bbits[k], acc, rounding, 0);
    return acc;
}

static uint64_t exact(const struct mma_job *job, const struct lists *in, uint64_t acc) {
    return num_dot_int(job->k, in->a, in->b, (uint32_t)acc, job->op->q[PLACE_SATURATE] != 0);
}

static uint64_t count(const struct mma_job *job, const struct lists *in, uint64_t acc) {
    uint32_t ones = 0;
    unsigned k;
    for (k = 0; k < job->k; k++)
        ones += (uint32_t)(job->op->q[PLACE_BITOP] == Q_XOR ? in->a[k].sig ^ in->b[k].sig
                                                            : in->a[k].sig & in->b[k].sig);
    return (uint32_t)acc + ones;
}

/* The column of B that a sparse row meets: the elements its stored columns name, in order. */
static void pick(const struct mma_job *job, unsigned row, unsigned col, struct num_elem *out) {
    const struct num_elem *b = job->b.num + col * job->k_dense;
    unsigned j;
    for (j = 0; j < job->k; j++)
        out[mma_order(job, j)] = b[job->columns.column[row][j]];
}

uint64_t mma_dot(const struct mma_job *job, unsigned row, unsigned col, uint64_t acc) {
    static uint64_t (*const methods[])(const struct mma_job *, const struct lists *, uint64_t) = {
        [METHOD_FUSED] = fused,     [METHOD_SPLIT] = split, [METHOD_SCALAR] = scalar,
        [METHOD_GROUPED] = grouped, [METHOD_CHAIN] = chain, [METHOD_EXACT] = exact,
        [METHOD_COUNT] = count};
    struct num_elem picked[EXEC_MAX_STORED];
    struct lists in = {job->a.num + row * job->k,
                       job->b.num + col * job->k_dense,
                       job->a.bits + row * job->k,
                       job->b.bits + col * job->k_dense,
                       row,
                       col};
    if (job->form->pattern) {
        pick(job, row, col, picked);
        in.b = picked;
    }
    return methods[job->accum->method](job, &in, acc);
}
