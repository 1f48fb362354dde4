/* Bank cost of wmma.load and wmma.store, counted access by access (FRAGMENTS of banks.def). */
#include "banks.h"
#include "map.h"
#include "wmma.h"

enum { ROWS_OF_MATRIX = 8, REGISTER_BITS = 32 };

static const struct isa_fragments *rule_of(const struct wsim_code *code) {
    return &isa_fragment_rules[work_of(code)->fragments - 1];
}

static unsigned bits_of(const struct wsim_code *code) {
    return work_of(code)->memory.bits;
}

/* Elements of a lane that are not copies. */
static unsigned own(const struct wsim_code *code) {
    return (unsigned)work_of(code)->memory.across * work_of(code)->memory.along / WSIM_LANES;
}

/* Elements of 1 bit are in the map by 32. */
static unsigned place_of(const struct wsim_code *code, unsigned elem) {
    return work_of(code)->a.elem[elem * bits_of(code) / work_of(code)->a.bits];
}

static uint32_t address_at(const struct wsim_code *code, const struct wmma_matrix *m, unsigned lane,
                           unsigned place) {
    unsigned index = work_of(code)->a.lane[lane] ^ place;
    return (uint32_t)(m->start + wmma_bit(code, m, index) / 8);
}

static uint32_t address_of(const struct wsim_code *code, const struct wmma_matrix *m, unsigned lane,
                           unsigned elem) {
    return address_at(code, m, lane, place_of(code, elem));
}

/* Row `row` of the matrix that is register `reg`. ALONG: what the four lanes of the row have;
 * ACROSS: element `row` of all rows, which is there in the lanes of the first. */
static uint32_t row_address(const struct wsim_code *code, const struct wmma_matrix *m, unsigned reg,
                            unsigned row) {
    unsigned each = REGISTER_BITS / bits_of(code);
    if (work_of(code)->along)
        return address_of(code, m, WSIM_LANES / ROWS_OF_MATRIX * row, reg * each);
    return address_of(code, m, row / each, reg * each + row % each);
}

/* Elements `at` and on of each lane. Where two lie ACROSS, each lane takes those that are the
 * lane's own once they are exchanged. */
static void lane_addresses(const struct wsim_code *code, const struct wmma_matrix *m, unsigned at,
                           uint32_t addr[WSIM_LANES]) {
    int exchanges = rule_of(code)->elements != 1 && !work_of(code)->along;
    unsigned place[] = {place_of(code, at), exchanges ? place_of(code, at + 1) : 0};
    for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
        unsigned from = lane;
        if (exchanges) {
            from = 0;
            for (unsigned bit = 0; bit < sizeof isa_exchange; bit++)
                from += lane >> bit & 1 ? isa_exchange[bit] : 0u;
        }
        addr[lane] = address_at(code, m, from % WSIM_LANES, place[from / WSIM_LANES]);
    }
}

static unsigned rows_at_once(const struct wsim_code *code) {
    unsigned regs = own(code) * bits_of(code) / REGISTER_BITS;
    unsigned most = rule_of(code)->lines * bits_of(code) / 64;
    most = most ? most : 1;
    return ROWS_OF_MATRIX * (regs < most ? regs : most);
}

void exec_banks_fragment_fill(const struct wsim_code *code, const struct wmma_matrix *m,
                              unsigned number, struct wsim_cost_access *to) {
    const struct isa_fragments *rule = rule_of(code);
    to->rows = 0;
    to->bytes = (uint8_t)(rule->elements * bits_of(code) / 8u);
    if (rule->unit == ACCESS_LANES) {
        lane_addresses(code, m, number * rule->elements, to->addr);
        return;
    }
    to->bytes = ISA_ROW_BYTES;
    to->rows = (uint8_t)rows_at_once(code);
    for (unsigned row = 0; row < to->rows; row++) {
        unsigned at = number * to->rows + row;
        to->addr[row] = row_address(code, m, at / ROWS_OF_MATRIX, at % ROWS_OF_MATRIX);
    }
}

unsigned exec_banks_fragment_count(const struct wsim_code *code) {
    if (rule_of(code)->unit == ACCESS_LANES)
        return own(code) / rule_of(code)->elements;
    return own(code) * bits_of(code) * ROWS_OF_MATRIX / REGISTER_BITS / rows_at_once(code);
}

const struct isa_banks *exec_banks_fragment_rule(const struct wsim_code *code,
                                                 const struct wsim_cost_access *access) {
    int stores = isa_does(&code->op, WSIM_DOES_STORE);
    unsigned unit = access->rows ? UNIT_MATRIX : stores ? UNIT_ST : UNIT_LD;
    return isa_bank_rule(unit, access->bytes);
}

enum wsim_status exec_banks_fragment_check(const struct wsim_op *op, struct wsim_diag *diag) {
    if (isa_door(op)->counting != WSIM_COUNT_FRAGMENT || op->q[PLACE_SPACE] == Q_GLOBAL)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                           "%s moves no fragment from or to shared memory", isa_op_called(op).text);
    if (!op->q[PLACE_SPACE])
        return base_refuse(diag, RULE_BANKS_SPACE_UNMEASURED, 0,
                           "%s with a generic address compiles to other accesses than with "
                           ".shared, which were not counted",
                           isa_op_called(op).text);
    return WSIM_OK;
}

enum wsim_status exec_banks_fragment(const struct wsim_code *code, const struct wsim_io *io,
                                     struct exec_banks_sink *sink, struct wsim_diag *diag) {
    struct wmma_matrix m;
    enum wsim_status status = exec_banks_fragment_check(&code->op, diag);
    if (!status)
        status = exec_need(io->move.addr, "addr", diag);
    if (!status)
        status = wmma_open(code, io, &m, diag);
    if (!status && !work_of(code)->fragments)
        status =
            base_refuse(diag, RULE_BANKS_ACCESS_UNMEASURED, 0, "no counted bank rule for %s on %s",
                        isa_op_called(&code->op).text, wsim_arch_name(code->arch));
    for (unsigned i = 0; !status && i < exec_banks_fragment_count(code); i++) {
        struct wsim_cost_access part;
        struct machine_access access;
        exec_banks_fragment_fill(code, &m, i, &part);
        access = (struct machine_access){part.addr, UINT32_MAX, part.bytes};
        if (exec_banks_count(exec_banks_fragment_rule(code, &part), &access,
                             part.rows ? part.rows : WSIM_LANES, i, sink))
            sink->cost.merged = 1;
    }
    return status;
}
