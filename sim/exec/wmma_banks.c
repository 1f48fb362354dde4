/* What wmma.load and wmma.store cost: the accesses that they are (FRAGMENTS of banks.def), each
 * counted as such. */
#include "banks.h"
#include "wmma.h"

enum { ROWS_OF_MATRIX = 8, LINES_AT_ONCE = 16, REGISTER_BITS = 32 };

/* One load or store, as far as its accesses need it. */
struct fragment {
    const struct wsim_layout *layout;
    const struct wmma_matrix *m;
    const struct isa_fragments *rule;
    int along, stores;
    unsigned own; /* elements of a lane that are no copies */
};

static uint32_t address_of(const struct fragment *f, unsigned lane, unsigned elem) {
    return f->m->start + (uint32_t)(wmma_bit(f->m, wsim_layout_coord(f->layout, lane, elem)) / 8);
}

/* Row `row` of the matrix that is register `reg`. ALONG: what the four lanes of the row have;
 * ACROSS: element `row` of all rows, which is there in the lanes of the first. */
static uint32_t row_address(const struct fragment *f, unsigned reg, unsigned row) {
    unsigned each = REGISTER_BITS / f->layout->elem_bits;
    if (f->along)
        return address_of(f, WSIM_LANES / ROWS_OF_MATRIX * row, reg * each);
    return address_of(f, row / each, reg * each + row % each);
}

/* Elements `at` and on of a lane. Where two lie ACROSS, each lane takes those of the transposed
 * matrix of 8 x 8. */
static uint32_t lane_address(const struct fragment *f, unsigned lane, unsigned at) {
    if (f->rule->elements == 1 || f->along)
        return address_of(f, lane, at);
    return address_of(f, lane % 4 * ROWS_OF_MATRIX + lane / 8, at + lane / 4 % 2);
}

static unsigned rows_at_once(const struct fragment *f) {
    unsigned regs = f->own * f->layout->elem_bits / REGISTER_BITS;
    unsigned most = LINES_AT_ONCE * f->layout->elem_bits / 64;
    most = most ? most : 1;
    return ROWS_OF_MATRIX * (regs < most ? regs : most);
}

static void fill_rows(const struct fragment *f, unsigned number, struct wsim_fragment_access *to) {
    unsigned row;
    to->bytes = ISA_ROW_BYTES;
    to->rows = (uint8_t)rows_at_once(f);
    for (row = 0; row < to->rows; row++) {
        unsigned at = number * to->rows + row;
        to->addr[row] = row_address(f, at / ROWS_OF_MATRIX, at % ROWS_OF_MATRIX);
    }
}

static void fill_lanes(const struct fragment *f, unsigned number, struct wsim_fragment_access *to) {
    unsigned lane;
    to->bytes = (uint8_t)(f->rule->elements * f->layout->elem_bits / 8u);
    for (lane = 0; lane < WSIM_LANES; lane++)
        to->addr[lane] = lane_address(f, lane, number * f->rule->elements);
}

static unsigned count_accesses(const struct fragment *f) {
    if (f->rule->unit == ACCESS_LANES)
        return f->own / f->rule->elements;
    return f->own * f->layout->elem_bits * ROWS_OF_MATRIX / REGISTER_BITS / rows_at_once(f);
}

static void add(const struct fragment *f, struct wsim_fragment_access *access,
                struct wsim_fragment_banks *out) {
    struct machine_access ask = {access->addr, UINT32_MAX, access->bytes};
    unsigned unit = access->rows ? UNIT_MATRIX : f->stores ? UNIT_ST : UNIT_LD;
    exec_banks_count(isa_bank_rule(unit, access->bytes), &ask,
                     access->rows ? access->rows : WSIM_LANES, &access->banks);
    out->wavefronts += access->banks.wavefronts;
    out->ideal += access->banks.ideal;
    out->conflicts += access->banks.conflicts;
}

static void count_all(const struct fragment *f, struct wsim_fragment_banks *out) {
    unsigned i;
    *out = (struct wsim_fragment_banks){0};
    out->naccesses = (uint8_t)count_accesses(f);
    for (i = 0; i < out->naccesses; i++) {
        (f->rule->unit == ACCESS_ROWS ? fill_rows : fill_lanes)(f, i, &out->access[i]);
        add(f, &out->access[i], out);
    }
}

static enum wsim_status check_space(const struct wsim_op *op, struct wsim_diag *diag) {
    if (!isa_form(op)->role || op->q[PLACE_SPACE] == Q_GLOBAL)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                           "%s moves no fragment from or to shared memory", isa_form(op)->name);
    if (!op->q[PLACE_SPACE])
        return base_refuse(diag, RULE_BANKS_SPACE_UNMEASURED, 0,
                           "%s with a generic address is other accesses than with .shared, which "
                           "were not counted",
                           isa_form(op)->name);
    return WSIM_OK;
}

enum wsim_status wsim_banks_fragment(const struct wsim_op *op, const struct wsim_arch *arch,
                                     const uint32_t addr[WSIM_LANES], uint32_t stride,
                                     struct wsim_fragment_banks *out, struct wsim_diag *diag) {
    struct wsim_layout layout;
    struct wmma_matrix m;
    struct fragment f = {&layout, &m, NULL, 0, 0, 0};
    enum wsim_status status = wsim_op_check(op, arch, diag);
    if (!status)
        status = check_space(op, diag);
    if (status)
        return status;
    f.stores = isa_form(op)->family == WSIM_WMMA_STORE;
    status = wsim_op_layout(op, f.stores ? WSIM_R : WSIM_D, &layout, diag);
    if (!status)
        status = wmma_need_fragments(arch, diag);
    if (!status)
        status = wmma_open(op, addr, stride, &layout, &m, diag);
    if (status)
        return status;
    f.own = (unsigned)layout.rows * layout.cols / WSIM_LANES;
    f.along = wmma_lies_along(&layout, &m);
    f.rule = isa_fragments(op, layout.elem_bits, f.along);
    if (!f.rule)
        return base_refuse(diag, RULE_BANKS_ACCESS_UNMEASURED, 0, "no counted bank rule for %s",
                           isa_form(op)->name);
    count_all(&f, out);
    return WSIM_OK;
}
