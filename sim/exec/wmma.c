/* wmma: fragments between memory and registers. Their product is that of mma (mma.c): larger
 * matrices through other layouts, in the steps that the row says. */
#include "wmma.h"

static unsigned bytes_of_fragment(const struct wsim_layout *layout) {
    return layout->regs * 4u;
}

uint64_t wmma_bit(const struct wmma_matrix *m, struct wsim_coord at) {
    unsigned line = m->by_rows ? at.row : at.col, in_line = m->by_rows ? at.col : at.row;
    return line * m->stride + (uint64_t)in_line * m->bits;
}

int wmma_by_rows(const struct wsim_op *op) {
    return op->q[PLACE_ALAYOUT] == Q_AROW || op->q[PLACE_BLAYOUT] == Q_BROW ||
           op->q[PLACE_CLAYOUT] == Q_CROW;
}

static struct wmma_matrix describe(const struct wsim_op *op, const struct wsim_layout *layout,
                                   const uint32_t addr[WSIM_LANES], uint32_t stride) {
    struct wmma_matrix m;
    m.by_rows = wmma_by_rows(op);
    m.start = addr[0];
    m.across = m.by_rows ? layout->cols : layout->rows;
    m.along = m.by_rows ? layout->rows : layout->cols;
    m.bits = layout->elem_bits;
    m.stride = (uint64_t)(stride ? stride : m.across) * m.bits;
    return m;
}

static enum wsim_status check_address(const uint32_t addr[WSIM_LANES], struct wsim_diag *diag) {
    unsigned lane;
    for (lane = 1; lane < WSIM_LANES; lane++)
        if (addr[lane] != addr[0])
            return base_refuse(diag, RULE_WMMA_ADDRESS_DIFFERS, 0,
                               "address 0x%x of lane %u: all lanes give the same, lane 0 has 0x%x",
                               (unsigned)addr[lane], lane, (unsigned)addr[0]);
    return WSIM_OK;
}

static enum wsim_status check_stride(const struct wmma_matrix *m, unsigned stride, unsigned align,
                                     struct wsim_diag *diag) {
    const char *line = m->by_rows ? "row" : "column";
    if (stride && stride < m->across)
        return base_refuse(diag, RULE_WMMA_STRIDE_SHORT, 0,
                           "stride %u: a %s has %u elements, so it is at least that", stride, line,
                           m->across);
    if (m->start % align)
        return base_refuse(diag, RULE_WMMA_ADDRESS_ALIGN, 0,
                           "address 0x%x is not a multiple of the %u bytes of the fragment of a "
                           "lane; nearest below is 0x%x",
                           (unsigned)m->start, align, (unsigned)(m->start - m->start % align));
    if (m->stride % (8 * align))
        return base_refuse(
            diag, RULE_WMMA_STRIDE_ALIGN, 0,
            "stride %u: a %s starts at a multiple of the %u bytes of the fragment of "
            "a lane, so it is a multiple of %u",
            stride ? stride : m->across, line, align, 8 * align / m->bits);
    return WSIM_OK;
}

static enum wsim_status check_end(const struct wmma_matrix *m, const struct wsim_smem *memory,
                                  struct wsim_diag *diag) {
    uint64_t bits = (m->along - 1) * m->stride + (uint64_t)m->across * m->bits;
    uint64_t end = m->start + (bits + 7) / 8;
    if (end > memory->size)
        return base_refuse(diag, RULE_MEMORY_BOUNDS, 0,
                           "address 0x%x: the matrix ends at 0x%llx, beyond the 0x%x bytes of "
                           "memory given",
                           (unsigned)m->start, (unsigned long long)end, (unsigned)memory->size);
    return WSIM_OK;
}

enum wsim_status wmma_need_fragments(const struct wsim_arch *arch, struct wsim_diag *diag) {
    if (isa_fragments_known(arch))
        return WSIM_OK;
    return base_refuse(diag, RULE_WMMA_FRAGMENT_UNKNOWN, 0,
                       "which lane holds what in a fragment of wmma on %s is not in the tables",
                       arch->name);
}

int wmma_lies_along(const struct wsim_layout *layout, const struct wmma_matrix *m) {
    uint64_t first = wmma_bit(m, wsim_layout_coord(layout, 0, 0));
    return layout->elems > 1 && wmma_bit(m, wsim_layout_coord(layout, 0, 1)) - first == m->bits;
}

/* What the ISA allows and the hardware traps on: in machine code it is an ldmatrix (banks.def). */
static enum wsim_status check_rows(const struct wsim_op *op, const struct wsim_layout *layout,
                                   const struct wmma_matrix *m, struct wsim_diag *diag) {
    const struct isa_fragments *rule =
        isa_fragments(op, layout->elem_bits, wmma_lies_along(layout, m));
    unsigned stride = (unsigned)(m->stride / m->bits);
    if (!rule || rule->unit != ACCESS_ROWS ||
        (m->start % ISA_ROW_BYTES == 0 && m->stride % (8 * ISA_ROW_BYTES) == 0))
        return WSIM_OK;
    return base_refuse(diag, RULE_WMMA_ROW_ALIGN, 0,
                       "address 0x%x, stride %u: rows of 16 bytes of shared memory are loaded at "
                       "once, so the address is a multiple of 16, the stride of %u",
                       (unsigned)m->start, stride, 8 * ISA_ROW_BYTES / m->bits);
}

enum wsim_status wmma_open(const struct wsim_op *op, const uint32_t addr[WSIM_LANES],
                           uint32_t stride, const struct wsim_layout *layout, struct wmma_matrix *m,
                           struct wsim_diag *diag) {
    enum wsim_status status = check_address(addr, diag);
    *m = describe(op, layout, addr, stride);
    if (!status)
        status = check_stride(m, stride, bytes_of_fragment(layout), diag);
    return status ? status : check_rows(op, layout, m, diag);
}

/* The layout of the registers and the matrix in memory, checked. */
static enum wsim_status start(const struct wsim_op *op, const struct wsim_arch *arch,
                              const struct wsim_operands *io, enum wsim_operand operand,
                              const struct wsim_regs *regs, struct wsim_layout *layout,
                              struct wmma_matrix *m, struct wsim_diag *diag) {
    enum wsim_status status = wsim_op_layout(op, operand, layout, diag);
    if (!status)
        status = wmma_need_fragments(arch, diag);
    if (!status)
        status = exec_need(regs, wsim_operand_name(operand), diag);
    if (!status)
        status = exec_need(io->smem, "smem", diag);
    if (!status)
        status = exec_need(io->addr, "addr", diag);
    if (!status)
        status = wmma_open(op, io->addr, io->stride, layout, m, diag);
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
static void move(const struct wsim_layout *layout, const struct wmma_matrix *m, uint8_t *memory,
                 const struct wsim_regs *from, struct wsim_regs *to) {
    unsigned lane, elem, bytes = (m->bits + 7) / 8;
    for (lane = 0; lane < WSIM_LANES; lane++)
        for (elem = 0; elem < layout->elems; elem++) {
            struct wsim_place place = wsim_layout_place(layout, lane, elem);
            uint64_t bit = wmma_bit(m, wsim_layout_coord(layout, lane, elem));
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
    struct wmma_matrix m;
    enum wsim_status status = start(op, arch, io, WSIM_D, io->d, &layout, &m, diag);
    if (!status)
        move(&layout, &m, io->smem->bytes, NULL, io->d);
    return status;
}

enum wsim_status exec_wmma_store(const struct wsim_op *op, const struct wsim_arch *arch,
                                 const struct wsim_operands *io, struct wsim_diag *diag) {
    struct wsim_layout layout;
    struct wmma_matrix m;
    enum wsim_status status = start(op, arch, io, WSIM_R, io->r, &layout, &m, diag);
    if (!status)
        move(&layout, &m, io->smem->bytes, io->r, NULL);
    return status;
}
