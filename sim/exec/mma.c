/* mma, dense, sparse and block-scaled: check, gather A B C through their layouts, one dot product
 * for each element of D, scatter. Every row of mma.def takes this one way. */
#include "../layout/layout.h"
#include "mma.h"

/* Calls for every element: its packed coordinate and its raw bits. */
struct walk {
    const struct wsim_layout *layout;
    uint32_t lane[WSIM_LANES], elem[1u << WSIM_LAYOUT_ELEM_BITS];
};

static void start_walk(struct walk *walk, const struct wsim_layout *layout) {
    unsigned i;
    walk->layout = layout;
    for (i = 0; i < WSIM_LANES; i++)
        walk->lane[i] = layout_packed(layout, i, 0);
    for (i = 0; i >> layout->elem_log2 == 0; i++)
        walk->elem[i] = layout_packed(layout, 0, i);
}

static unsigned row_of(uint32_t packed) {
    return packed & 0xFFF;
}

static unsigned col_of(uint32_t packed) {
    return packed >> 12 & 0xFFF;
}

static unsigned batch_of(uint32_t packed) {
    return packed >> 24;
}

/* One element into a list, in the form the method wants. */
static void hold(const struct mma_job *job, const struct wsim_layout *layout,
                 const struct wsim_format *as, uint64_t bits, struct num_elem *num,
                 uint64_t *raw) {
    unsigned width = layout->elem_bits;
    if (job->accum->as) {
        bits = num_convert(layout->format, as, bits);
        width = as->bits;
    }
    if (mma_decodes(job))
        *num = num_decode(as, width, bits);
    else
        *raw = bits;
}

static void gather_a(struct mma_job *job, const struct wsim_layout *layout,
                     const struct wsim_regs *regs) {
    struct walk walk;
    unsigned lane, elem;
    start_walk(&walk, layout);
    for (lane = 0; lane < WSIM_LANES; lane++)
        for (elem = 0; elem >> layout->elem_log2 == 0; elem++) {
            uint32_t at = walk.lane[lane] ^ walk.elem[elem];
            unsigned list = batch_of(at) * layout->rows + row_of(at);
            unsigned i = list * job->k + mma_order(job, col_of(at));
            hold(job, layout, job->in_a,
                 wsim_regs_get(layout, regs, wsim_layout_place(layout, lane, elem)),
                 &job->a.num[i], &job->a.bits[i]);
        }
}

/* With a sparse A the order is taken when a row picks its elements of B. */
static void gather_b(struct mma_job *job, const struct wsim_layout *layout,
                     const struct wsim_regs *regs) {
    struct walk walk;
    unsigned lane, elem;
    start_walk(&walk, layout);
    for (lane = 0; lane < WSIM_LANES; lane++)
        for (elem = 0; elem >> layout->elem_log2 == 0; elem++) {
            uint32_t at = walk.lane[lane] ^ walk.elem[elem];
            unsigned list = batch_of(at) * layout->cols + col_of(at);
            unsigned k = job->form->pattern ? row_of(at) : mma_order(job, row_of(at));
            unsigned i = list * job->k_dense + k;
            hold(job, layout, job->in_b,
                 wsim_regs_get(layout, regs, wsim_layout_place(layout, lane, elem)),
                 &job->b.num[i], &job->b.bits[i]);
        }
}

/* C in the format of D: an f16 C of an f32 D is widened first. */
static void gather_c(struct mma_job *job, const struct wsim_layout *layout,
                     const struct wsim_regs *regs) {
    unsigned i, n = (unsigned)layout->batches * layout->rows * layout->cols;
    wsim_fragment_unpack(layout, regs, job->c);
    for (i = 0; layout->format != job->result && i < n; i++)
        job->c[i] = num_convert(layout->format, job->result, job->c[i]);
}

static void scatter(const struct mma_job *job, const struct wsim_layout *layout,
                    struct wsim_regs *regs) {
    unsigned batch, row, col;
    uint64_t d[MMA_MAX_C];
    for (batch = 0; batch < layout->batches; batch++)
        for (row = 0; row < layout->rows; row++)
            for (col = 0; col < layout->cols; col++) {
                unsigned i = (batch * layout->rows + row) * layout->cols + col;
                d[i] = mma_dot(job, batch * layout->rows + row, batch * layout->cols + col,
                               job->c[i]);
            }
    wsim_fragment_pack(layout, d, regs);
}

/* --- block scales --- */

struct selection {
    const char *name;
    unsigned bid, tid, threads; /* byte-id, thread-id, number of thread-ids */
};

static enum wsim_status check_selection(const struct selection *s, unsigned blocks,
                                        struct wsim_diag *diag) {
    if (s->bid > 3 || s->bid % blocks)
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "byte-id %u of scale %s: with %u factors it can be %s", s->bid, s->name,
                           blocks, blocks == 1 ? "0 1 2 3" : blocks == 2 ? "0 2" : "0");
    if (s->tid >= s->threads)
        return base_refuse(diag, WSIM_OPERAND, 0, "thread-id %u of scale %s: it can be 0 to %u",
                           s->tid, s->name, s->threads - 1);
    return WSIM_OK;
}

/* Factors in the bytes that the selection names: factor[line][block], where a line is a row of A
 * or a column of B. */
static void gather_factors(const struct mma_job *job, enum wsim_operand operand,
                           const uint32_t *regs, const struct selection *s,
                           struct num_elem (*factor)[MMA_MAX_BLOCKS]) {
    struct wsim_layout layout;
    unsigned lane, byte, selected = s->tid + s->bid / job->form->blocks * s->threads;
    wsim_op_layout(job->op, operand, &layout, NULL);
    for (lane = 0; lane < WSIM_LANES; lane++)
        for (byte = 0; byte < 4; byte++) {
            struct wsim_coord at = wsim_layout_coord(&layout, lane, byte);
            unsigned line = operand == WSIM_SFA ? at.row : at.col;
            unsigned block = operand == WSIM_SFA ? at.col : at.row;
            if (at.batch == selected)
                factor[line][block] = num_decode(layout.format, 8, regs[lane] >> 8 * byte & 0xFF);
        }
}

static enum wsim_status gather_scales(struct mma_job *job, const struct wsim_operands *io,
                                      struct wsim_diag *diag) {
    struct selection a = {"a", io->bid_a, io->tid_a, 2}, b = {"b", io->bid_b, io->tid_b, 4};
    enum wsim_status status = exec_need(io->sfa, "sfa", diag);
    if (!status)
        status = exec_need(io->sfb, "sfb", diag);
    if (!status)
        status = check_selection(&a, job->form->blocks, diag);
    if (!status)
        status = check_selection(&b, job->form->blocks, diag);
    if (status)
        return status;
    gather_factors(job, WSIM_SFA, io->sfa, &a, job->scales.a);
    gather_factors(job, WSIM_SFB, io->sfb, &b, job->scales.b);
    return WSIM_OK;
}

/* --- the whole --- */

static enum wsim_status check_registers(const struct wsim_operands *io, struct wsim_diag *diag) {
    enum wsim_status status = exec_need(io->d, "d", diag);
    if (!status)
        status = exec_need(io->a, "a", diag);
    if (!status)
        status = exec_need(io->b, "b", diag);
    return status ? status : exec_need(io->c, "c", diag);
}

enum wsim_status exec_mma(const struct wsim_op *op, const struct wsim_arch *arch,
                          const struct wsim_operands *io, struct wsim_diag *diag) {
    const struct isa_accum *accum = isa_accum(op, arch);
    struct mma_job job;
    struct wsim_layout layout;
    enum wsim_status status;
    if (!accum)
        return base_refuse(diag, WSIM_UNMODELLED, 0, "no model of the arithmetic of %s on %s",
                           isa_form(op)->name, arch->name);
    mma_choose(&job, op, accum);
    status = check_registers(io, diag);
    if (!status && job.form->pattern)
        status = exec_read_columns(op, io->e, io->selector, &job.columns, diag);
    if (!status && job.form->blocks)
        status = gather_scales(&job, io, diag);
    if (status)
        return status;
    wsim_op_layout(op, WSIM_A, &layout, NULL);
    gather_a(&job, &layout, io->a);
    wsim_op_layout(op, WSIM_B, &layout, NULL);
    gather_b(&job, &layout, io->b);
    wsim_op_layout(op, WSIM_C, &layout, NULL);
    gather_c(&job, &layout, io->c);
    wsim_op_layout(op, WSIM_D, &layout, NULL);
    scatter(&job, &layout, io->d);
    return WSIM_OK;
}
