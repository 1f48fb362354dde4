/* Explains one element of a product. The plain path computes it and reports each step. Layouts,
 * metadata and descriptors tell where its factors came from. */
#include "door.h"
#include "map.h"
#include "product.h"
#include "umma.h"
#include "wgmma.h"

#include "../num/watch.h"

#include <string.h>

_Static_assert((int)PRODUCT_MAX_K <= (int)WSIM_WHY_TERMS, "a row of A has room");
_Static_assert((int)PRODUCT_MAX_BLOCKS <= (int)WSIM_WHY_BLOCKS, "the factors have room");
_Static_assert((int)METHOD_FUSED == (int)WSIM_METHOD_FUSED &&
                   (int)METHOD_SPLIT == (int)WSIM_METHOD_SPLIT &&
                   (int)METHOD_SCALAR == (int)WSIM_METHOD_SCALAR &&
                   (int)METHOD_GROUPED == (int)WSIM_METHOD_GROUPED &&
                   (int)METHOD_CHAIN == (int)WSIM_METHOD_CHAIN &&
                   (int)METHOD_EXACT == (int)WSIM_METHOD_EXACT &&
                   (int)METHOD_COUNT == (int)WSIM_METHOD_COUNT,
               "num.h and why.h have the same methods");

/* --- the arithmetic --- */

const char *wsim_method_name(enum wsim_method method) {
    static const char *const names[] = {"fused", "split", "scalar", "grouped",
                                        "chain", "exact", "count"};
    return (unsigned)method < sizeof names / sizeof names[0] ? names[method] : NULL;
}

const char *wsim_rounding_words(enum wsim_rounding rounding) {
    static const char *const words[] = {[WSIM_RN] = "to nearest even",
                                        [WSIM_RZ] = "toward zero",
                                        [WSIM_RM] = "down",
                                        [WSIM_RP] = "up",
                                        [WSIM_RNA] = "to nearest, halves away from zero"};
    return (unsigned)rounding < sizeof words / sizeof words[0] ? words[rounding] : NULL;
}

static enum wsim_status check_product(const struct wsim_code *code, struct wsim_diag *diag) {
    if (exec_doors[work_of(code)->door].explain)
        return WSIM_OK;
    return base_refuse(diag, RULE_OP_DOOR_WRONG, 0,
                       "%s does not multiply: use mma, wgmma.mma_async or wmma.mma",
                       isa_op_called(&code->op).text);
}

/* Whether sums are aligned and cut. */
static int is_aligned(const struct wsim_code_product *how) {
    return how->method == METHOD_FUSED || how->method == METHOD_SPLIT ||
           how->method == METHOD_GROUPED;
}

static struct wsim_arithmetic arithmetic_of(const struct wsim_code_product *how) {
    struct wsim_arithmetic arithmetic = {.method = how->method,
                                         .result_frac = how->result->frac_bits,
                                         .saturate = how->saturate,
                                         .a = how->in_a,
                                         .b = how->in_b,
                                         .result = how->result};
    if (is_aligned(how) || how->method == METHOD_SCALAR)
        arithmetic.width = how->width;
    if (how->method == METHOD_CHAIN)
        arithmetic.rounding = how->direction;
    if (is_aligned(how)) {
        arithmetic.keep = how->keep;
        arithmetic.floor = how->floor;
        arithmetic.result_frac = how->result_frac;
        arithmetic.rounding = how->rounding;
    }
    return arithmetic;
}

enum wsim_status wsim_code_arithmetic(const struct wsim_code *code,
                                      struct wsim_arithmetic *arithmetic, struct wsim_diag *diag) {
    enum wsim_status status = check_product(code, diag);
    if (!status)
        *arithmetic = arithmetic_of(&work_of(code)->product);
    return status;
}

/* --- what the plain path tells --- */

static void take_addend(void *who, const struct wsim_why_addend *addend) {
    struct wsim_why *why = who;
    if (why->addends < WSIM_WHY_ADDENDS)
        why->addend[why->addends++] = *addend;
}

static void take_step(void *who, const struct wsim_why_step *step) {
    struct wsim_why *why = who;
    if (why->steps < WSIM_WHY_STEPS)
        why->step[why->steps++] = *step;
}

/* --- where things are --- */

/* An operand: through which layout it is multiplied, and as which matrix users know it; in
 * registers, or (NULL) in memory. */
struct operand {
    enum wsim_operand which;
    struct wsim_layout factor, shown;
    const uint32_t *const *regs;
    struct wsim_descriptor descriptor;
    struct wsim_tile tile;
};

struct explaining {
    const struct wsim_code *code;
    const struct wsim_io *io;
    struct wsim_why *why;
    unsigned batch, row, col; /* of D, as it is multiplied */
};

static void open_registers(const struct wsim_code *code, enum wsim_operand which,
                           const uint32_t *const *regs, struct operand *o) {
    *o = (struct operand){.which = which, .regs = regs};
    o->factor = isa_factor_layout(&code->op, code->arch, which);
    wsim_op_layout(&code->op, code->arch, which, &o->shown, NULL);
}

/* The mode and the tile are those that the product was checked with. */
static void open_factor(const struct explaining *e, enum wsim_operand which, struct operand *o) {
    const struct wsim_io *io = e->io;
    int is_a = which == WSIM_A;
    if (work_of(e->code)->warps == 1) {
        open_registers(e->code, which, is_a ? io->mma.a : io->mma.b, o);
        return;
    }
    if (is_a && io->wgmma.a) {
        open_registers(e->code, which, io->wgmma.a, o);
        return;
    }
    *o = (struct operand){.which = which};
    wsim_wgmma_tile(&e->code->op, which, is_a ? io->wgmma.trans_a : io->wgmma.trans_b, &o->tile,
                    NULL);
    wsim_descriptor_decode(is_a ? io->wgmma.desc_a : io->wgmma.desc_b, &o->descriptor, NULL);
}

/* The register of a place; registers of the warps of a warpgroup follow each other. */
static uint32_t word_at(const struct explaining *e, const uint32_t *const *regs, unsigned reg,
                        unsigned lane) {
    return regs[reg * work_of(e->code)->warps + lane / WSIM_LANES][lane % WSIM_LANES];
}

static uint64_t bits_at(const struct explaining *e, const struct operand *o,
                        const struct wsim_place *place) {
    unsigned bits = map_unit(o->factor.elem_bits);
    uint64_t word = word_at(e, o->regs, place->reg, place->lane);
    if (bits == 64)
        return word | (uint64_t)word_at(e, o->regs, place->reg + 1u, place->lane) << 32;
    return word >> place->lsb & (bits == 32 ? UINT32_MAX : (UINT64_C(1) << bits) - 1);
}

static struct wsim_why_element in_registers(const struct explaining *e, const struct operand *o,
                                            struct wsim_coord coord) {
    struct wsim_why_element element = {.at = coord};
    element.places = (uint8_t)wsim_layout_places(&o->factor, coord, &element.place, 1);
    element.at = wsim_layout_coord(&o->shown, element.place.lane, element.place.elem);
    element.bits = bits_at(e, o, &element.place);
    return element;
}

static struct wsim_why_element in_memory(const struct explaining *e, const struct operand *o,
                                         struct wsim_coord coord) {
    const struct wsim_descriptor *d = &o->descriptor;
    unsigned row = o->which == WSIM_A ? coord.row : coord.col;
    unsigned k = o->which == WSIM_A ? coord.col : coord.row;
    uint32_t from_row = descriptor_row(d, &o->tile, row), from_k = descriptor_k(d, &o->tile, k);
    struct wsim_why_element element = {.at = coord};
    element.address = descriptor_join(d, from_row, from_k);
    element.linear = d->start + from_row + from_k;
    element.bits = memory_get(e->io->shared, element.address, map_bytes(o->tile.bits));
    return element;
}

static struct wsim_why_element find(const struct explaining *e, const struct operand *o,
                                    unsigned row, unsigned col) {
    struct wsim_coord coord = {(uint16_t)e->batch, (uint16_t)row, (uint16_t)col};
    return o->regs ? in_registers(e, o, coord) : in_memory(e, o, coord);
}

/* --- products --- */

/* The metadata of the chunk that stored element `s` of the row is in. */
static void find_pair(const struct explaining *e, const struct wsim_layout *meta, unsigned s,
                      struct wsim_why_term *term) {
    int is_group = work_of(e->code)->warps > 1;
    const uint32_t *const *regs = is_group ? e->io->wgmma.e : e->io->mma.e;
    uint32_t selector = is_group ? e->io->wgmma.selector : e->io->mma.selector;
    struct wsim_coord coord = {(uint16_t)selector, (uint16_t)e->row,
                               (uint16_t)(s / work_of(e->code)->product.kept)};
    wsim_layout_places(meta, coord, &term->pair, 1);
    term->nibble = (uint8_t)(word_at(e, regs, 0, term->pair.lane) >> 4 * term->pair.elem & 15);
}

/* The row of B for stored element `s`, in elements or words like in lists. */
static unsigned row_of(const struct wsim_code_product *how, unsigned s, unsigned nibble) {
    if (!how->kept)
        return s;
    return s / how->kept * how->chunk +
           product_column(how->chunk, how->kept, nibble, s % how->kept);
}

static unsigned block_of(const struct wsim_code_product *how, unsigned s) {
    return how->method == METHOD_GROUPED ? s / how->width * how->blocks / (how->k / how->width) : 0;
}

static void explain_terms(const struct explaining *e) {
    const struct wsim_code_product *how = &work_of(e->code)->product;
    unsigned word = map_unit(how->a->bits) / how->a->bits;
    struct wsim_layout meta;
    struct operand a, b;
    open_factor(e, WSIM_A, &a);
    open_factor(e, WSIM_B, &b);
    if (how->kept)
        wsim_op_layout(&e->code->op, e->code->arch, WSIM_E, &meta, NULL);
    e->why->terms = how->k;
    for (unsigned s = 0; s < how->k; s++) {
        struct wsim_why_term *term = &e->why->term[product_order(how->split, s)];
        if (how->kept)
            find_pair(e, &meta, s, term);
        term->k = (uint16_t)(row_of(how, s, term->nibble) * word);
        term->block = (uint8_t)block_of(how, s);
        term->a = find(e, &a, e->row, s * word);
        term->b = find(e, &b, term->k, e->col);
    }
}

/* A factor in the byte that byte-id and thread-id select. */
static struct wsim_why_element find_factor(const struct explaining *e, enum wsim_operand which,
                                           unsigned row, unsigned col) {
    const struct wsim_code_product *how = &work_of(e->code)->product;
    const struct wsim_io_mma *io = &e->io->mma;
    int is_a = which == WSIM_SFA;
    unsigned bid = is_a ? io->bid_a : io->bid_b, tid = is_a ? io->tid_a : io->tid_b;
    struct wsim_why_element element = {.places = 1};
    struct wsim_layout layout;
    element.at = (struct wsim_coord){(uint16_t)(tid + bid / how->blocks * how->threads[!is_a]),
                                     (uint16_t)row, (uint16_t)col};
    wsim_op_layout(&e->code->op, e->code->arch, which, &layout, NULL);
    element.places = (uint8_t)wsim_layout_places(&layout, element.at, &element.place, 1);
    element.bits = (is_a ? io->sfa : io->sfb)[0][element.place.lane] >> element.place.lsb & 0xFF;
    return element;
}

static void explain_factors(const struct explaining *e) {
    e->why->blocks = work_of(e->code)->product.blocks;
    for (unsigned block = 0; block < e->why->blocks; block++)
        e->why->factors[block] = (struct wsim_why_factors){find_factor(e, WSIM_SFA, e->row, block),
                                                           find_factor(e, WSIM_SFB, block, e->col)};
}

/* --- tensor memory --- */

/* An element of an operand that lies `at` in tensor memory. */
static struct wsim_why_element in_tensor(const struct explaining *e, enum wsim_operand which,
                                         unsigned row, unsigned col, uint32_t at) {
    const struct wsim_io_umma *io = &e->io->umma;
    struct wsim_why_element element = {.at = {0, (uint16_t)row, (uint16_t)col}, .in_tensor = 1};
    struct wsim_umma_place p, other;
    if (!wsim_umma_place_at(e->code, which, row, col, 0, &p))
        return element;
    while (wsim_umma_place_at(e->code, which, row, col, element.places, &other))
        element.places++;
    element.place.lane = (uint16_t)(umma_lane(at) + p.lane);
    element.place.reg = (uint16_t)(umma_column(at) + p.column);
    element.place.lsb = p.bit;
    element.bits =
        umma_word(p.block ? io->odd_tensor : io->tensor, element.place.lane, element.place.reg) >>
            p.bit &
        ((UINT64_C(1) << p.bits) - 1);
    return element;
}

/* An element of A or B in the shared memory of its block. */
static struct wsim_why_element in_shared(const struct explaining *e, enum wsim_operand which,
                                         unsigned line, unsigned k) {
    const struct wsim_code_tensor *how = &work_of(e->code)->tensor;
    const struct wsim_code_product *product = &work_of(e->code)->product;
    const unsigned is_b = which == WSIM_B, each = is_b ? product->cols / how->blocks : how->rows;
    const struct wsim_memory *shared = line / each ? e->io->umma.odd_shared : e->io->shared;
    struct wsim_why_element element = {
        .at = {0, (uint16_t)(is_b ? k : line), (uint16_t)(is_b ? line : k)}};
    struct umma_source source;
    struct wsim_tile tile = umma_tile(e->code, is_b);
    const unsigned shares = how->narrow[is_b] ? DESCRIPTOR_UNIT : 1;
    umma_open("", is_b ? e->io->umma.desc_b : e->io->umma.desc_a, shared, UINT32_MAX, &tile,
              how->narrow[is_b], &source, NULL);
    element.address =
        wsim_descriptor_address(&source.descriptor, &tile, line % each, k / shares * shares);
    element.linear = source.descriptor.start +
                     descriptor_row(&source.descriptor, &tile, line % each) +
                     descriptor_k(&source.descriptor, &tile, k / shares * shares);
    element.address += k % shares * how->narrow[is_b] / 8;
    element.linear += k % shares * how->narrow[is_b] / 8;
    element.bits = umma_read(&source, line % each, k);
    return element;
}

static void explain_tensor(const struct explaining *e) {
    const struct wsim_code_product *how = &work_of(e->code)->product;
    const struct wsim_io_umma *io = &e->io->umma;
    e->why->terms = how->k;
    for (unsigned s = 0; s < how->k; s++) {
        struct wsim_why_term *term = &e->why->term[s];
        if (how->kept)
            term->nibble = (uint8_t)umma_pair(e->code, e->io, e->row, s / how->kept, &term->pair);
        term->k = (uint16_t)row_of(how, s, term->nibble);
        term->block = (uint8_t)block_of(how, s);
        term->a = io->a_in_tensor ? in_tensor(e, WSIM_A, e->row, s, io->a)
                                  : in_shared(e, WSIM_A, e->row, s);
        term->b = in_shared(e, WSIM_B, e->col, term->k);
    }
    e->why->blocks = how->blocks;
    for (unsigned block = 0; block < how->blocks; block++)
        e->why->factors[block] =
            (struct wsim_why_factors){in_tensor(e, WSIM_SFA, e->row, block, io->sfa),
                                      in_tensor(e, WSIM_SFB, block, e->col, io->sfb)};
}

static enum wsim_status why_tensor(struct explaining *e, struct wsim_coord at,
                                   const struct num_watch *watch, struct wsim_diag *diag) {
    const struct wsim_code_product *how = &work_of(e->code)->product;
    struct wsim_why *why = e->why;
    enum wsim_status status;
    e->row = at.row;
    e->col = at.col;
    if (at.batch || at.row >= how->rows || at.col >= how->cols)
        return base_refuse(diag, RULE_WHY_ELEMENT_OUTSIDE, 0,
                           "row %u, column %u: D has %u rows and %u columns", at.row, at.col,
                           how->rows, how->cols);
    status = umma_watch(e->code, e->io, at.row, at.col, watch, diag);
    if (status)
        return status;
    why->arithmetic = arithmetic_of(how);
    why->adds = e->io->umma.adds;
    why->negate_a = work_of(e->code)->tensor.negate[0];
    why->negate_b = work_of(e->code)->tensor.negate[1];
    why->d = in_tensor(e, WSIM_D, at.row, at.col, e->io->umma.d);
    if (why->adds)
        why->c = why->d;
    why->d.bits = why->step[why->steps - 1].after;
    explain_tensor(e);
    return WSIM_OK;
}

/* --- the whole --- */

/* Where the element of D is, and as what it is multiplied. */
static enum wsim_status locate(struct explaining *e, struct wsim_coord at, struct wsim_diag *diag) {
    const struct wsim_op *op = &e->code->op;
    struct wsim_why_element *d = &e->why->d;
    struct wsim_layout layout, factor = isa_factor_layout(op, e->code->arch, WSIM_D);
    struct wsim_coord coord;
    wsim_op_layout(op, e->code->arch, WSIM_D, &layout, NULL);
    d->at = at;
    d->places = (uint8_t)wsim_layout_places(&layout, at, &d->place, 1);
    if (!d->places && layout.batches > 1)
        return base_refuse(diag, RULE_WHY_ELEMENT_OUTSIDE, 0,
                           "matrix %u, row %u, column %u: D of %s has %u matrices of %u rows and "
                           "%u columns",
                           at.batch, at.row, at.col, isa_op_called(op).text, layout.batches,
                           layout.rows, layout.cols);
    if (!d->places)
        return base_refuse(diag, RULE_WHY_ELEMENT_OUTSIDE, 0,
                           "row %u, column %u: D of %s has %u rows and %u columns", at.row, at.col,
                           isa_op_called(op).text, layout.rows, layout.cols);
    coord = wsim_layout_coord(&factor, d->place.lane, d->place.elem);
    e->batch = coord.batch;
    e->row = coord.row;
    e->col = coord.col;
    return WSIM_OK;
}

enum wsim_status wsim_why(const struct wsim_code *code, const struct wsim_io *io,
                          struct wsim_coord at, struct wsim_why *why, struct wsim_diag *diag) {
    const struct num_watch watch = {take_addend, take_step, why};
    const struct wsim_code_product *how = &work_of(code)->product;
    int is_group = work_of(code)->warps > 1;
    struct explaining e = {.code = code, .io = io, .why = why};
    struct operand c;
    enum wsim_status status = check_product(code, diag);
    memset(why, 0, sizeof *why);
    if (!status && work_of(code)->tensor.rows)
        return why_tensor(&e, at, &watch, diag);
    if (!status)
        status = locate(&e, at, diag);
    if (!status)
        status = exec_doors[work_of(code)->door].explain(
            code, io, e.batch * how->batch_rows + e.row, e.batch * how->batch_cols + e.col, &watch,
            diag);
    if (status)
        return status;
    why->arithmetic = arithmetic_of(how);
    why->adds = !is_group || io->wgmma.scale_d;
    why->negate_a = is_group && io->wgmma.negate_a;
    why->negate_b = is_group && io->wgmma.negate_b;
    why->d.bits = why->step[why->steps - 1].after;
    if (why->adds) {
        open_registers(code, WSIM_C, is_group ? io->wgmma.c : io->mma.c, &c);
        why->c = find(&e, &c, e.row, e.col);
    }
    explain_terms(&e);
    explain_factors(&e);
    return WSIM_OK;
}
