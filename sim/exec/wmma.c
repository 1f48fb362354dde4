/* wmma: fragments between memory and registers. Their product is that of mma (mma.c): larger matrices
 * through other layouts, in the steps that the row says. */
#include "exec.h"

/* Where the elements of a matrix are in memory, in bits from its start. */
struct matrix {
    uint32_t start;               /* of the window, bytes                  */
    unsigned across, along, bits; /* elements a line, and how many lines   */
    uint64_t stride;              /* bits from line to line                */
    int by_rows;
};

static unsigned bytes_of_fragment(const struct wsim_layout *layout) {
    return layout->regs * 4u;
}

static uint64_t bit_of(const struct matrix *m, struct wsim_coord at) {
    unsigned line = m->by_rows ? at.row : at.col, in_line = m->by_rows ? at.col : at.row;
    return line * m->stride + (uint64_t)in_line * m->bits;
}

static struct matrix describe(const struct wsim_op *op, const struct wsim_layout *layout,
                              const struct wsim_operands *io) {
    struct matrix m;
    unsigned stride;
    m.by_rows = op->q[PLACE_ALAYOUT] == Q_AROW || op->q[PLACE_BLAYOUT] == Q_BROW ||
                op->q[PLACE_CLAYOUT] == Q_CROW;
    m.start = io->addr[0];
    m.across = m.by_rows ? layout->cols : layout->rows;
    m.along = m.by_rows ? layout->rows : layout->cols;
    m.bits = layout->elem_bits;
    stride = io->stride ? io->stride : m.across;
    m.stride = (uint64_t)stride * m.bits;
    return m;
}

static enum wsim_status check_address(const struct wsim_operands *io, struct wsim_diag *diag) {
    unsigned lane;
    for (lane = 1; lane < WSIM_LANES; lane++)
        if (io->addr[lane] != io->addr[0])
            return base_refuse(diag, WSIM_OPERAND, 0,
                               "address 0x%x of lane %u: all lanes give the same, lane 0 has 0x%x",
                               (unsigned)io->addr[lane], lane, (unsigned)io->addr[0]);
    return WSIM_OK;
}

static enum wsim_status check_stride(const struct matrix *m, unsigned stride, unsigned align,
                                     struct wsim_diag *diag) {
    const char *line = m->by_rows ? "row" : "column";
    if (stride && stride < m->across)
        return base_refuse(diag, WSIM_OPERAND, 0,
                           "stride %u: a %s has %u elements, so it is at least that", stride, line,
                           m->across);
    if (m->start % align)
        return base_refuse(diag, WSIM_ALIGN, 0,
                           "address 0x%x is not a multiple of the %u bytes of the fragment of a "
                           "lane; nearest below is 0x%x",
                           (unsigned)m->start, align, (unsigned)(m->start - m->start % align));
    if (m->stride % (8 * align))
        return base_refuse(
            diag, WSIM_ALIGN, 0,
            "stride %u: a %s starts at a multiple of the %u bytes of the fragment of "
            "a lane, so it is a multiple of %u",
            stride ? stride : m->across, line, align, 8 * align / m->bits);
    return WSIM_OK;
}

static enum wsim_status check_end(const struct matrix *m, const struct wsim_smem *memory,
                                  struct wsim_diag *diag) {
    uint64_t bits = (m->along - 1) * m->stride + (uint64_t)m->across * m->bits;
    uint64_t end = m->start + (bits + 7) / 8;
    if (end > memory->size)
        return base_refuse(diag, WSIM_BOUNDS, 0,
                           "address 0x%x: the matrix ends at 0x%llx, beyond the 0x%x bytes of "
                           "memory given",
                           (unsigned)m->start, (unsigned long long)end, (unsigned)memory->size);
    return WSIM_OK;
}

/* The layout of the registers and the matrix in memory, checked. */
static enum wsim_status start(const struct wsim_op *op, const struct wsim_arch *arch,
                              const struct wsim_operands *io, enum wsim_operand operand,
                              const struct wsim_regs *regs, struct wsim_layout *layout,
                              struct matrix *m, struct wsim_diag *diag) {
    enum wsim_status status = wsim_op_layout(op, operand, layout, diag);
    if (!status && !isa_fragments_known(arch))
        status = base_refuse(diag, WSIM_UNMODELLED, 0,
                             "which lane holds what in a fragment of wmma on %s is not in the "
                             "tables",
                             arch->name);
    if (!status)
        status = exec_need(regs, wsim_operand_name(operand), diag);
    if (!status)
        status = exec_need(io->smem, "smem", diag);
    if (!status)
        status = exec_need(io->addr, "addr", diag);
    if (!status)
        status = check_address(io, diag);
    if (status)
        return status;
    *m = describe(op, layout, io);
    status = check_stride(m, io->stride, bytes_of_fragment(layout), diag);
    return status ? status : check_end(m, io->smem, diag);
}

static uint64_t take(const uint8_t *from, unsigned bytes) {
    uint64_t raw = 0;
    while (bytes--)
        raw = raw << 8 | from[bytes];
    return raw;
}

static void put(uint8_t *to, unsigned bytes, uint64_t raw) {
    for (; bytes--; raw >>= 8)
        *to++ = (uint8_t)raw;
}

/* Every element of the fragment, to memory or from there. What is stored has whole bytes. */
static void move(const struct wsim_layout *layout, const struct matrix *m, uint8_t *memory,
                 const struct wsim_regs *from, struct wsim_regs *to) {
    unsigned lane, elem, bytes = (m->bits + 7) / 8;
    for (lane = 0; lane < WSIM_LANES; lane++)
        for (elem = 0; elem < layout->elems; elem++) {
            struct wsim_place place = wsim_layout_place(layout, lane, elem);
            uint64_t bit = bit_of(m, wsim_layout_coord(layout, lane, elem));
            uint8_t *at = memory + m->start + bit / 8;
            if (to)
                wsim_regs_set(layout, to, place, take(at, bytes) >> bit % 8);
            else
                put(at, bytes, wsim_regs_get(layout, from, place));
        }
}

enum wsim_status exec_wmma_load(const struct wsim_op *op, const struct wsim_arch *arch,
                                const struct wsim_operands *io, struct wsim_diag *diag) {
    struct wsim_layout layout;
    struct matrix m;
    enum wsim_status status = start(op, arch, io, WSIM_D, io->d, &layout, &m, diag);
    if (!status)
        move(&layout, &m, io->smem->bytes, NULL, io->d);
    return status;
}

enum wsim_status exec_wmma_store(const struct wsim_op *op, const struct wsim_arch *arch,
                                 const struct wsim_operands *io, struct wsim_diag *diag) {
    struct wsim_layout layout;
    struct matrix m;
    enum wsim_status status = start(op, arch, io, WSIM_R, io->r, &layout, &m, diag);
    if (!status)
        move(&layout, &m, io->smem->bytes, io->r, NULL);
    return status;
}
