/* ldmatrix, stmatrix, movmatrix: elements between rows of 16 bytes and registers, through the
 * layout of the row of move.def. */
#include "exec.h"

static enum wsim_status check_addresses(const struct wsim_operands *io, unsigned lanes,
                                        struct wsim_diag *diag) {
    unsigned l;
    for (l = 0; l < lanes; l++)
        if (io->addr[l] % ISA_ROW_BYTES)
            return base_refuse(diag, RULE_MATRIX_ROW_ALIGN, 0,
                               "row address 0x%x of lane %u is not a multiple of 16; nearest below "
                               "is 0x%x",
                               (unsigned)io->addr[l], l, (unsigned)(io->addr[l] & ~15u));
    for (l = 0; l < lanes; l++)
        if (io->smem->size < ISA_ROW_BYTES || io->addr[l] > io->smem->size - ISA_ROW_BYTES)
            return base_refuse(diag, RULE_MEMORY_BOUNDS, 0,
                               "row address 0x%x of lane %u: 16 bytes from there do not fit into "
                               "the shared window of 0x%x bytes",
                               (unsigned)io->addr[l], l, (unsigned)io->smem->size);
    return WSIM_OK;
}

static enum wsim_status check_memory(const struct wsim_operands *io, unsigned lanes,
                                     struct wsim_diag *diag) {
    enum wsim_status status = exec_need(io->smem, "smem", diag);
    if (!status)
        status = exec_need(io->addr, "addr", diag);
    return status ? status : check_addresses(io, lanes, diag);
}

static unsigned rows_of(const struct wsim_layout *layout) {
    return (unsigned)layout->rows * layout->batches;
}

/* What a move between memory and registers needs: the layout of its registers, these, and rows. */
static enum wsim_status start(const struct wsim_op *op, const struct wsim_arch *arch,
                              const struct wsim_operands *io, enum wsim_operand operand,
                              const struct wsim_regs *regs, struct wsim_layout *layout,
                              struct wsim_diag *diag) {
    enum wsim_status status = wsim_op_layout(op, operand, layout, diag);
    if (!status)
        status = exec_need(regs, wsim_operand_name(operand), diag);
    return status ? status : check_memory(io, isa_address_lanes(arch, rows_of(layout)), diag);
}

/* The memory row that an element lies in: lane rows * batch + row gives its address. */
static uint8_t *row_of(const struct wsim_operands *io, const struct wsim_layout *layout,
                       struct wsim_coord at) {
    return io->smem->bytes + io->addr[at.batch * layout->rows + at.row];
}

/* `width` (at most 16) bits of a row from bit `bit` upward. */
static uint32_t row_bits(const uint8_t *row, unsigned bit, unsigned width) {
    uint32_t bits = row[bit / 8];
    if (bit % 8 + width > 8)
        bits |= (uint32_t)row[bit / 8 + 1] << 8;
    return bits >> bit % 8 & ((1u << width) - 1);
}

enum wsim_status exec_ldmatrix(const struct wsim_op *op, const struct wsim_arch *arch,
                               const struct wsim_operands *io, struct wsim_diag *diag) {
    struct wsim_layout layout;
    unsigned lane, elem, width;
    enum wsim_status status = start(op, arch, io, WSIM_D, io->d, &layout, diag);
    if (status)
        return status;
    width = op->q[PLACE_A] ? isa_op_type(op, PLACE_A)->bits : layout.elem_bits;
    for (lane = 0; lane < WSIM_LANES; lane++)
        for (elem = 0; elem < layout.elems; elem++) {
            struct wsim_coord at = wsim_layout_coord(&layout, lane, elem);
            wsim_regs_set(&layout, io->d, wsim_layout_place(&layout, lane, elem),
                          row_bits(row_of(io, &layout, at), at.col * width, width));
        }
    return WSIM_OK;
}

/* Which of two stores to one place wins is not defined, so it is refused. */
static enum wsim_status check_disjoint(const struct wsim_operands *io, unsigned rows,
                                       struct wsim_diag *diag) {
    unsigned i, j;
    for (i = 0; i < rows; i++)
        for (j = 0; j < i; j++)
            if (io->addr[i] == io->addr[j])
                return base_refuse(diag, RULE_MATRIX_ROW_TWICE, 0,
                                   "lanes %u and %u store a row to the same address 0x%x: which "
                                   "one stays is undefined",
                                   j, i, (unsigned)io->addr[i]);
    return WSIM_OK;
}

enum wsim_status exec_stmatrix(const struct wsim_op *op, const struct wsim_arch *arch,
                               const struct wsim_operands *io, struct wsim_diag *diag) {
    struct wsim_layout layout;
    unsigned lane, elem, byte;
    enum wsim_status status = start(op, arch, io, WSIM_R, io->r, &layout, diag);
    if (!status)
        status = check_disjoint(io, rows_of(&layout), diag);
    if (status)
        return status;
    for (lane = 0; lane < WSIM_LANES; lane++)
        for (elem = 0; elem < layout.elems; elem++) {
            struct wsim_coord at = wsim_layout_coord(&layout, lane, elem);
            uint64_t bits = wsim_regs_get(&layout, io->r, wsim_layout_place(&layout, lane, elem));
            uint8_t *row = row_of(io, &layout, at) + at.col * layout.elem_bits / 8;
            for (byte = 0; byte < layout.elem_bits / 8u; byte++)
                row[byte] = (uint8_t)(bits >> 8 * byte);
        }
    return WSIM_OK;
}

enum wsim_status exec_movmatrix(const struct wsim_op *op, const struct wsim_arch *arch,
                                const struct wsim_operands *io, struct wsim_diag *diag) {
    struct wsim_layout from, to;
    uint64_t matrix[8 * 8];
    enum wsim_status status = exec_need(io->a, "a", diag);
    (void)arch;
    if (!status)
        status = exec_need(io->d, "d", diag);
    if (!status)
        status = wsim_op_layout(op, WSIM_A, &from, diag);
    if (!status)
        status = wsim_op_layout(op, WSIM_D, &to, diag);
    if (status)
        return status;
    wsim_fragment_unpack(&from, io->a, matrix);
    wsim_fragment_pack(&to, matrix, io->d);
    return WSIM_OK;
}
