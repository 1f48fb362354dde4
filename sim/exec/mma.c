/* mma, dense, sparse and block-scaled: check, gather A B C through their layouts, one dot product
 * for each element of D, scatter. Every row of mma.def takes this one way. */
#include "../layout/layout.h"
#include "mma.h"

/* How one operand becomes lists of k: for A a list is a row, for B a column. */
struct side {
    enum wsim_operand operand;
    const struct wsim_format *as; /* format its elements are held in          */
    unsigned stride;              /* elements of a list                       */
    int reorder;                  /* k in the order of mma_order              */
    struct num_elem *num;
    uint64_t *bits;
};

/* The list and the k of a packed coordinate. */
static unsigned list_of(const struct side *side, const struct wsim_layout *layout, uint32_t at) {
    unsigned batch = at >> 24, row = at & 0xFFF, col = at >> 12 & 0xFFF;
    return side->operand == WSIM_A ? batch * layout->rows + row : batch * layout->cols + col;
}

static unsigned k_of(const struct side *side, uint32_t at) {
    return side->operand == WSIM_A ? at >> 12 & 0xFFF : at & 0xFFF;
}

static void gather(const struct mma_job *job, const struct side *side,
                   const struct wsim_regs *regs) {
    struct wsim_layout layout;
    uint32_t lanes[WSIM_LANES];
    unsigned lane, elem, width;
    wsim_op_layout(job->op, side->operand, &layout, NULL);
    width = job->accum->as ? side->as->bits : layout.elem_bits;
    for (lane = 0; lane < WSIM_LANES; lane++)
        lanes[lane] = layout_packed(&layout, lane, 0);
    for (elem = layout.elems; elem-- > 0;) { /* of copies the first one is multiplied */
        struct wsim_place place = wsim_layout_place(&layout, 0, elem);
        uint32_t first = layout_packed(&layout, 0, elem);
        for (lane = 0; lane < WSIM_LANES; lane++) {
            uint32_t at = first ^ lanes[lane];
            unsigned k = side->reorder ? mma_order(job, k_of(side, at)) : k_of(side, at);
            unsigned i = list_of(side, &layout, at) * side->stride + k;
            uint64_t bits;
            place.lane = (uint16_t)lane;
            bits = wsim_regs_get(&layout, regs, place);
            if (job->accum->as)
                bits = num_convert(layout.format, side->as, bits);
            if (mma_decodes(job))
                side->num[i] = num_decode(side->as, width, bits);
            else
                side->bits[i] = bits;
        }
    }
}

static void gather_a(struct mma_job *job, const struct wsim_regs *regs) {
    struct side side = {WSIM_A, job->in_a, job->k, 1, job->a.num, job->a.bits};
    gather(job, &side, regs);
}

/* With a sparse A the order is taken when a row picks its elements of B. */
static void gather_b(struct mma_job *job, const struct wsim_regs *regs) {
    struct side side = {WSIM_B,     job->in_b,  job->k_dense, !job->form->pattern,
                        job->b.num, job->b.bits};
    gather(job, &side, regs);
}

/* C in the format of the result: an f16 C of an f32 D is widened first. */
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
                d[i] =
                    mma_dot(job, batch * layout->rows + row, batch * layout->cols + col, job->c[i]);
                if (layout->format != job->result)
                    d[i] = num_convert(job->result, layout->format, d[i]);
            }
    wsim_fragment_pack(layout, d, regs);
}

/* --- block scales --- */

#define SCALE_BYTES 4 /* of a scale register: byte-ids are below it */

/* The batches of a SCALE layout count thread-ids first, then the byte-ids that start a vector. */
struct selection {
    const char *name;
    enum wsim_operand operand;
    const uint32_t *regs;
    unsigned bid, tid;
    struct num_elem (*factor)[MMA_MAX_BLOCKS]; /* of a row of A or a column of B */
};

static unsigned thread_ids(const struct wsim_layout *layout, unsigned blocks) {
    return layout->batches * blocks / SCALE_BYTES;
}

static enum wsim_status check_selection(const struct selection *s, unsigned blocks,
                                        unsigned threads, struct wsim_diag *diag) {
    if (s->bid >= SCALE_BYTES || s->bid % blocks)
        return base_refuse(diag, RULE_MMA_BYTE_ID_RANGE, 0,
                           "byte-id %u of scale %s: with %u factors it can be %s", s->bid, s->name,
                           blocks,
                           blocks == 1   ? "0 1 2 3"
                           : blocks == 2 ? "0 2"
                                         : "0");
    if (s->tid >= threads)
        return base_refuse(diag, RULE_MMA_THREAD_ID_RANGE, 0,
                           "thread-id %u of scale %s: it can be 0 to %u", s->tid, s->name,
                           threads - 1);
    return WSIM_OK;
}

/* Factors in the bytes that the selection names. */
static enum wsim_status gather_factors(const struct mma_job *job, const struct selection *s,
                                       struct wsim_diag *diag) {
    struct wsim_layout layout;
    unsigned lane, byte, threads, blocks = job->form->blocks;
    enum wsim_status status = wsim_op_layout(job->op, s->operand, &layout, diag);
    threads = thread_ids(&layout, blocks);
    if (!status)
        status = check_selection(s, blocks, threads, diag);
    for (lane = 0; lane < WSIM_LANES && !status; lane++)
        for (byte = 0; byte < SCALE_BYTES; byte++) {
            struct wsim_coord at = wsim_layout_coord(&layout, lane, byte);
            unsigned line = s->operand == WSIM_SFA ? at.row : at.col;
            unsigned block = s->operand == WSIM_SFA ? at.col : at.row;
            if (at.batch == s->tid + s->bid / blocks * threads)
                s->factor[line][block] =
                    num_decode(layout.format, 8, s->regs[lane] >> 8 * byte & 0xFF);
        }
    return status;
}

static enum wsim_status gather_scales(struct mma_job *job, const struct wsim_operands *io,
                                      struct wsim_diag *diag) {
    struct selection a = {"a", WSIM_SFA, io->sfa, io->bid_a, io->tid_a, job->scales.a};
    struct selection b = {"b", WSIM_SFB, io->sfb, io->bid_b, io->tid_b, job->scales.b};
    enum wsim_status status = exec_need(io->sfa, "sfa", diag);
    if (!status)
        status = exec_need(io->sfb, "sfb", diag);
    if (!status)
        status = gather_factors(job, &a, diag);
    return status ? status : gather_factors(job, &b, diag);
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
        return base_refuse(diag, RULE_MMA_ARITHMETIC_UNMODELLED, 0,
                           "no model of the arithmetic of %s on %s", isa_form(op)->name,
                           arch->name);
    mma_choose(&job, op, accum);
    status = check_registers(io, diag);
    if (!status && job.form->pattern)
        status = exec_read_columns(op, io->e, io->selector, 0, &job.columns, diag);
    if (!status && job.form->blocks)
        status = gather_scales(&job, io, diag);
    if (status)
        return status;
    gather_a(&job, io->a);
    gather_b(&job, io->b);
    wsim_op_layout(op, WSIM_C, &layout, NULL);
    gather_c(&job, &layout, io->c);
    wsim_op_layout(op, WSIM_D, &layout, NULL);
    scatter(&job, &layout, io->d);
    return WSIM_OK;
}
