/* Words of tensor memory that nothing wrote, and collector buffers that nothing filled. A word has
 * two bits, as an f16 result leaves its upper half. Source: PTX ISA 9.0, tcgen05.alloc, tcgen05.mma
 * ("Collector buffer"). It names nothing but lastuse and discard that ends a fill. */
#include "tensor.h"

enum { PER_WORD = 32, QUARTERS = 4, QUARTER = 32 };

/* --- bits --- */

/* Bits of columns `from` to `to` - 1 of a group of 32. */
static uint64_t bits_of(unsigned from, unsigned to, unsigned halves) {
    uint64_t each = (halves & TENSOR_LOW ? UINT64_C(0x5555555555555555) : 0) |
                    (halves & TENSOR_HIGH ? UINT64_C(0xAAAAAAAAAAAAAAAA) : 0);
    uint64_t ones = to == PER_WORD ? UINT64_MAX : (UINT64_C(1) << 2 * to) - 1;
    return each & ones & ~((UINT64_C(1) << 2 * from) - 1);
}

static unsigned end_of(unsigned column, unsigned end) {
    unsigned next = (column / PER_WORD + 1) * PER_WORD;
    return next < end ? next : end;
}

void tensor_known_put(struct run_tensor *tensor, unsigned lane, unsigned column, unsigned columns,
                      unsigned halves) {
    unsigned end = column + columns < UMMA_COLUMNS ? column + columns : UMMA_COLUMNS;
    for (unsigned to; column < end; column = to) {
        unsigned base = column / PER_WORD * PER_WORD;
        to = end_of(column, end);
        tensor->known[lane][column / PER_WORD] |= bits_of(column - base, to - base, halves);
    }
}

void tensor_known_drop(struct run_tensor *tensor, unsigned column, unsigned columns) {
    for (unsigned lane = 0; lane < UMMA_LANES; lane++)
        memset(&tensor->known[lane][column / PER_WORD], 0, columns / PER_WORD * sizeof(uint64_t));
}

unsigned tensor_known_until(const struct run_tensor *tensor, unsigned lane, unsigned column,
                            unsigned columns, unsigned halves) {
    unsigned end = column + columns < UMMA_COLUMNS ? column + columns : UMMA_COLUMNS;
    for (unsigned to; column < end; column = to) {
        unsigned base = column / PER_WORD * PER_WORD;
        uint64_t missing;
        to = end_of(column, end);
        missing =
            bits_of(column - base, to - base, halves) & ~tensor->known[lane][column / PER_WORD];
        if (missing)
            return base + base_lowest(missing) / 2;
    }
    return end;
}

/* --- products --- */

struct product_words {
    struct run_warp *warp;
    const struct run_op *op;
    unsigned lane; /* that issues the product */
    const struct run_tensor *tensor;
    const struct wsim_code_product *product;
    const struct wsim_code_tensor *how;
    const struct wsim_io_umma *io;
    unsigned odd;
};

static int is_masked(const struct product_words *p, unsigned lane) {
    return p->io->mask && p->io->mask[4 * p->odd + lane / 32] >> lane % 32 & 1;
}

static enum run_next find(const struct product_words *p, const char *name, unsigned lane,
                          unsigned column, unsigned columns, unsigned halves) {
    unsigned until = tensor_known_until(p->tensor, lane, column, columns, halves);
    if (until >= column + columns || until >= UMMA_COLUMNS)
        return RUN_ON;
    return run_finding(p->warp, p->op, p->lane, RULE_INIT_TENSOR, 0,
                       "%s of the product: the word in lane %u, column %u of tensor memory is "
                       "uninitialised",
                       name, lane, until);
}

/* Rows of a block in `columns` columns: D or A. */
static enum run_next find_rows(const struct product_words *p, const char *name, uint32_t address,
                               unsigned columns, unsigned halves, int is_d) {
    enum run_next next = RUN_ON;
    for (unsigned part = 0; part < p->how->parts; part++)
        for (unsigned row = 0; row < p->how->rows && !next; row++) {
            unsigned lane = umma_row_lane(p->how, row, part) + umma_lane(address);
            if (!is_d || !is_masked(p, lane))
                next = find(p, name, lane, umma_column(address), columns, halves);
        }
    return next;
}

static enum run_next find_metadata(const struct product_words *p) {
    unsigned chunks = p->product->k_dense / p->product->chunk, lane, column, bit;
    enum run_next next = RUN_ON;
    for (unsigned part = 0; part < p->how->parts; part++)
        for (unsigned row = 0; row < p->how->rows; row++)
            for (unsigned chunk = 0; chunk < chunks && !next; chunk += 4) {
                umma_nibble_at(p->how, part, row, chunk, &lane, &column, &bit);
                next = find(p, "the metadata", lane + umma_lane(p->io->e),
                            umma_column(p->io->e) + column, 1, bit < 16 ? TENSOR_LOW : TENSOR_HIGH);
            }
    return next;
}

/* Factors of `count` rows (which 0) or columns, in all quarters. */
static enum run_next find_factors(const struct product_words *p, unsigned which, unsigned count) {
    uint32_t address = which ? p->io->sfb : p->io->sfa;
    unsigned first = p->how->factor_id[which], last = first + p->product->blocks - 1u;
    unsigned halves = (first < 2 ? TENSOR_LOW : 0u) | (last > 1 ? TENSOR_HIGH : 0u);
    enum run_next next = RUN_ON;
    for (unsigned quarter = 0; quarter < QUARTERS; quarter++)
        for (unsigned at = 0; at < count && !next; at++)
            next = find(p, which ? "the scale factors of B" : "the scale factors of A",
                        QUARTER * quarter + at % QUARTER, umma_column(address) + at / QUARTER, 1,
                        halves);
    return next;
}

enum run_next tensor_known_product(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                   const struct run_block *block, unsigned odd,
                                   const struct wsim_code *code, const struct wsim_io_umma *io) {
    const struct product_words p = {.warp = warp,
                                    .op = op,
                                    .lane = lane,
                                    .tensor = block->tensor,
                                    .product = &work_of(code)->product,
                                    .how = &work_of(code)->tensor,
                                    .io = io,
                                    .odd = odd};
    unsigned halves = p.product->d->bits == 16 ? TENSOR_LOW : TENSOR_WORDS;
    enum run_next next = RUN_ON;
    if (!tensor_known_asked(warp))
        return RUN_ON;
    if (io->adds)
        next = find_rows(&p, "D", io->d, p.how->part_cols, halves, 1);
    if (!next && io->a_in_tensor)
        next = find_rows(&p, "A", io->a, umma_columns(code, io, UMMA_A), TENSOR_WORDS, 0);
    if (!next && p.product->kept)
        next = find_metadata(&p);
    if (!next && p.product->blocks)
        next = find_factors(&p, 0, p.how->rows);
    if (!next && p.product->blocks)
        next = find_factors(&p, 1, p.how->part_cols);
    return next == RUN_STOP ? next : RUN_ON;
}

void tensor_known_result(struct run_block *block, unsigned odd, const struct wsim_code *code,
                         const struct wsim_io_umma *io) {
    const struct product_words p = {.how = &work_of(code)->tensor, .io = io, .odd = odd};
    unsigned halves = work_of(code)->product.d->bits == 16 ? TENSOR_LOW : TENSOR_WORDS;
    for (unsigned part = 0; part < p.how->parts; part++)
        for (unsigned row = 0; row < p.how->rows; row++) {
            unsigned lane = umma_row_lane(p.how, row, part) + umma_lane(io->d);
            if (!is_masked(&p, lane))
                tensor_known_put(block->tensor, lane, umma_column(io->d), p.how->part_cols, halves);
        }
}

/* --- collectors --- */

enum run_next tensor_collector(struct run_warp *warp, const struct run_op *op, unsigned lane,
                               const struct wsim_io_umma *io, unsigned collector) {
    struct run_tensor *tensor = warp->block->tensor;
    unsigned number = collector / 8, what = collector % 8;
    struct run_tensor_buffer *buffer, now = {.holds = 1};
    const char *why = NULL;
    static const char *const names[RUN_TENSOR_BUFFERS] = {"a", "b0", "b1", "b2", "b3"};
    if (!tensor)
        return RUN_ON;
    buffer = &tensor->buffer[number];
    now.in_tensor = !number && io->a_in_tensor;
    now.operand = number ? io->desc_b : io->a_in_tensor ? io->a : io->desc_a;
    if (what == SCALAR_COLLECTOR_USE || what == SCALAR_COLLECTOR_LASTUSE)
        why = !buffer->holds ? "no earlier product has filled it, or a later one has discarded it"
              : buffer->operand != now.operand || buffer->in_tensor != now.in_tensor
                  ? "the product that filled it has another operand there"
                  : NULL;
    if (what == SCALAR_COLLECTOR_FILL)
        *buffer = now;
    else if (what != SCALAR_COLLECTOR_USE)
        buffer->holds = 0;
    if (!why || !sync_checks(warp))
        return RUN_ON;
    return run_finding(warp, op, lane, RULE_TCGEN_COLLECTOR_FILL, 0,
                       "the product uses collector buffer %s: %s", names[number], why) == RUN_STOP
               ? RUN_STOP
               : RUN_ON;
}
