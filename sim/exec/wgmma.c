/* wgmma.mma_async: each warp of the group multiplies its 16 rows of A by B, 8 columns at a time, as
 * an m16n8 mma does. Matrices come from registers or through descriptors. */
#include "mma.h"

#include <wsim/wgmma.h>

#define WARPS (WSIM_GROUP_THREADS / WSIM_LANES)
#define COLS 8
#define ELEMS (EXEC_MAX_ROWS * COLS / WSIM_LANES) /* of D that a lane has in 8 columns */

/* A matrix in shared memory: where it lies and how its elements are read. */
struct source {
    const char *name;
    const struct wsim_wgmma *io;
    const struct wsim_format *as;
    struct wsim_descriptor descriptor;
    struct wsim_tile tile;
    unsigned negate;
};

/* --- checks --- */

static enum wsim_status check_flag(const struct wsim_op *op, const char *name, unsigned value,
                                   int allowed, struct wsim_diag *diag) {
    if (value > 1)
        return base_refuse(diag, RULE_WGMMA_FLAG_RANGE, 0, "%s is %u: it can be 0 or 1", name,
                           value);
    if (value && !allowed)
        return base_refuse(diag, RULE_WGMMA_FLAG_NONE, 0, "%s: %s has no such immediate", name,
                           isa_form(op)->name);
    return WSIM_OK;
}

static enum wsim_status check_flags(const struct wsim_op *op, const struct wsim_wgmma *io,
                                    struct wsim_diag *diag) {
    const struct isa_form *form = isa_form(op);
    enum wsim_status status = check_flag(op, "scale_d", io->scale_d, 1, diag);
    if (!status)
        status = check_flag(op, "negate_a", io->negate_a, form->signs, diag);
    if (!status)
        status = check_flag(op, "negate_b", io->negate_b, form->signs, diag);
    if (!status)
        status = check_flag(op, "trans_a", io->trans_a, form->majors, diag);
    if (!status)
        status = check_flag(op, "trans_b", io->trans_b, form->majors, diag);
    if (!status && io->trans_a && io->a)
        status = base_refuse(diag, RULE_WGMMA_TRANSPOSE_REGISTERS, 0,
                             "trans_a: A is in registers, only a matrix in shared memory can be "
                             "transposed");
    return status;
}

static enum wsim_status check_operands(const struct wsim_op *op, const struct wsim_wgmma *io,
                                       struct wsim_diag *diag) {
    enum wsim_status status = exec_need(io->d, "d", diag);
    if (!status && io->scale_d)
        status = exec_need(io->c, "c", diag);
    if (!status)
        status = exec_need(io->smem, "smem", diag);
    return status ? status : check_flags(op, io, diag);
}

static int inside(const struct wsim_wgmma *io, uint32_t address, unsigned bytes) {
    return address >= io->smem_base && address - io->smem_base < io->smem_size &&
           io->smem_size - (address - io->smem_base) >= bytes;
}

static unsigned bytes_of(const struct wsim_tile *tile) {
    return tile->bits < 8 ? 1 : tile->bits / 8u;
}

static enum wsim_status check_bounds(const struct source *source, struct wsim_diag *diag) {
    const struct wsim_wgmma *io = source->io;
    unsigned row, k, step = source->tile.bits < 8 ? 8u / source->tile.bits : 1;
    for (row = 0; row < source->tile.rows; row++)
        for (k = 0; k < source->tile.k; k += step) {
            uint32_t at = wsim_descriptor_address(&source->descriptor, &source->tile, row, k);
            if (!inside(io, at, bytes_of(&source->tile)))
                return base_refuse(diag, RULE_MEMORY_BOUNDS, 0,
                                   "%s, row %u, k %u: address 0x%x lies outside the shared memory "
                                   "given, 0x%x to before 0x%x",
                                   source->name, row, k, (unsigned)at, (unsigned)io->smem_base,
                                   (unsigned)(io->smem_base + io->smem_size));
        }
    return WSIM_OK;
}

/* Fills *source and checks that all of it can be read. Bits of a descriptor that mean nothing are
 * ignored, as by the hardware. */
static enum wsim_status open_source(const struct wsim_op *op, const struct wsim_wgmma *io,
                                    enum wsim_operand operand, struct source *source,
                                    struct wsim_diag *diag) {
    int is_a = operand == WSIM_A;
    enum wsim_status status =
        wsim_wgmma_tile(op, operand, (int)(is_a ? io->trans_a : io->trans_b), &source->tile, diag);
    source->name = is_a ? "A" : "B";
    source->io = io;
    source->negate = is_a ? io->negate_a : io->negate_b;
    source->as = isa_op_type(op, is_a ? PLACE_A : PLACE_B);
    wsim_descriptor_decode(is_a ? io->desc_a : io->desc_b, &source->descriptor, NULL);
    return status ? status : check_bounds(source, diag);
}

/* --- elements --- */

static struct num_elem decoded(const struct wsim_format *as, unsigned bits, uint64_t raw,
                               unsigned negate) {
    struct num_elem elem = num_decode(as, bits, raw);
    if (negate)
        elem.sig = -elem.sig;
    return elem;
}

/* Row `row` of a matrix in shared memory as a list of k. */
static void load_row(const struct source *source, unsigned row, struct num_elem *out) {
    const struct wsim_tile *tile = &source->tile;
    unsigned k, byte;
    for (k = 0; k < tile->k; k++) {
        uint32_t at = wsim_descriptor_address(&source->descriptor, tile, row, k);
        const uint8_t *from = source->io->smem + (at - source->io->smem_base);
        uint64_t raw = tile->bits < 8 ? from[0] >> k * tile->bits % 8 : 0;
        for (byte = 0; byte < tile->bits / 8u; byte++)
            raw |= (uint64_t)from[byte] << 8 * byte;
        out[k] = decoded(source->as, tile->bits, raw, source->negate);
    }
}

/* The rows of A that a warp has, from its registers. */
static void gather_a(struct mma_job *job, const struct wsim_wgmma *io, unsigned warp) {
    struct wsim_layout layout;
    unsigned lane, elem;
    wsim_op_layout(job->op, WSIM_A, &layout, NULL);
    for (lane = warp * WSIM_LANES; lane < (warp + 1) * WSIM_LANES; lane++)
        for (elem = 0; elem < layout.elems; elem++) {
            struct wsim_coord at = wsim_layout_coord(&layout, lane, elem);
            struct wsim_place place = wsim_layout_place(&layout, lane, elem);
            job->a.num[at.row % EXEC_MAX_ROWS * job->k + at.col] =
                decoded(job->in_a, layout.elem_bits, wsim_words_get(&layout, io->a->r[0], place),
                        io->negate_a);
        }
}

static void load_a(struct mma_job *job, const struct source *a, unsigned warp) {
    unsigned row;
    for (row = 0; row < EXEC_MAX_ROWS; row++)
        load_row(a, warp * EXEC_MAX_ROWS + row, job->a.num + row * job->k);
}

/* --- the whole --- */

/* The results of one warp in 8 columns; `c` may be `d`. */
static void multiply(const struct mma_job *job, const struct wsim_layout *layout,
                     const struct wsim_wgmma *io, unsigned warp, unsigned tile) {
    unsigned lane, elem;
    for (lane = warp * WSIM_LANES; lane < (warp + 1) * WSIM_LANES; lane++)
        for (elem = tile * ELEMS; elem < (tile + 1) * ELEMS; elem++) {
            struct wsim_coord at = wsim_layout_coord(layout, lane, elem);
            struct wsim_place place = wsim_layout_place(layout, lane, elem);
            uint64_t acc = io->scale_d ? wsim_words_get(layout, io->c->r[0], place) : 0;
            wsim_words_set(layout, io->d->r[0], place,
                           mma_dot(job, at.row % EXEC_MAX_ROWS, at.col % COLS, acc));
        }
}

static void execute(struct mma_job *job, const struct exec_columns *columns, const struct source *a,
                    const struct source *b, const struct wsim_wgmma *io) {
    struct wsim_layout layout;
    unsigned warp, tile, col;
    wsim_op_layout(job->op, WSIM_D, &layout, NULL);
    for (warp = 0; warp < WARPS; warp++) {
        job->columns = columns[warp];
        if (io->a)
            gather_a(job, io, warp);
        else
            load_a(job, a, warp);
        for (tile = 0; tile < b->tile.rows / COLS; tile++) {
            for (col = 0; col < COLS; col++)
                load_row(b, tile * COLS + col, job->b.num + col * job->k_dense);
            multiply(job, &layout, io, warp, tile);
        }
    }
}

enum wsim_status wsim_wgmma_run(const struct wsim_op *op, const struct wsim_arch *arch,
                                const struct wsim_wgmma *io, struct wsim_diag *diag) {
    const struct isa_accum *accum;
    struct exec_columns columns[WARPS];
    struct source a, b;
    struct mma_job job;
    unsigned warp;
    enum wsim_status status = wsim_op_check(op, arch, diag);
    if (status)
        return status;
    if (isa_form(op)->family != WSIM_WGMMA)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s is not wgmma.mma_async",
                           isa_form(op)->name);
    accum = isa_accum(op, arch);
    if (!accum)
        return base_refuse(diag, RULE_MMA_ARITHMETIC_UNMODELLED, 0,
                           "no model of the arithmetic of %s on %s", isa_form(op)->name,
                           arch->name);
    mma_choose(&job, op, accum);
    status = check_operands(op, io, diag);
    if (!status && !io->a)
        status = open_source(op, io, WSIM_A, &a, diag);
    if (!status)
        status = open_source(op, io, WSIM_B, &b, diag);
    for (warp = 0; warp < WARPS && !status && job.form->pattern; warp++)
        status = exec_read_columns(op, io->e, io->selector, warp, &columns[warp], diag);
    if (!status)
        execute(&job, columns, &a, &b, io);
    return status;
}
