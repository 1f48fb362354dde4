/* tcgen05.mma, element by element: the plain path, which defines the result. A and B come from
 * shared memory or tensor memory, D is in tensor memory. All checks come before the first write. */
#include "umma.h"

/* --- places --- */

static enum wsim_status check_columns(const char *name, uint32_t address, unsigned columns,
                                      unsigned lanes, struct wsim_diag *diag) {
    unsigned lane = umma_lane(address);
    if (lane != 0 && lane != lanes)
        return base_refuse(diag, RULE_TCGEN_MMA_ADDRESS, 0,
                           "address 0x%08x of %s: the lane is %u, must be %s", (unsigned)address,
                           name, lane, lanes ? "0 or 16" : "0");
    if ((address & 0xFFFF) + columns > UMMA_COLUMNS)
        return base_refuse(diag, RULE_TCGEN_MMA_ADDRESS, 0,
                           "address 0x%08x of %s: columns %u to %u; tensor memory has %d",
                           (unsigned)address, name, (unsigned)(address & 0xFFFF),
                           (unsigned)(address & 0xFFFF) + columns - 1, UMMA_COLUMNS);
    return WSIM_OK;
}

uint32_t umma_address(const struct wsim_io_umma *io, enum umma_operand operand) {
    const uint32_t at[UMMA_OPERANDS] = {io->d, io->a, io->e, io->sfa, io->sfb};
    return at[operand];
}

unsigned umma_columns(const struct wsim_code *code, const struct wsim_io_umma *io,
                      enum umma_operand operand) {
    const struct wsim_code_product *product = &work_of(code)->product;
    const struct wsim_code_tensor *how = &work_of(code)->tensor;
    switch (operand) {
    case UMMA_D: return how->part_cols;
    case UMMA_A: return io->a_in_tensor ? product->k * product->bits_a / 32u : 0;
    case UMMA_E:
        if (!product->kept)
            return 0;
        return how->meta_halves ? 1 : product->k_dense / product->chunk / 8u;
    case UMMA_SFA: return product->blocks ? (how->rows + 31u) / 32 : 0;
    default: return product->blocks ? (how->part_cols + 31u) / 32 : 0;
    }
}

static enum wsim_status check_places(const struct umma_run *run, struct wsim_diag *diag) {
    static const char *const names[UMMA_OPERANDS] = {
        "D", "A", "the metadata", "the scale factors of A", "the scale factors of B"};
    const struct wsim_io_umma *io = &run->io->umma;
    enum wsim_status status = WSIM_OK;
    for (unsigned i = 0; i < UMMA_OPERANDS && !status; i++) {
        unsigned columns = umma_columns(run->code, io, (enum umma_operand)i);
        unsigned half = run->how->spread && i < UMMA_SFA ? 16 : 0;
        if (columns)
            status = check_columns(names[i], umma_address(io, (enum umma_operand)i), columns, half,
                                   diag);
    }
    return status;
}

/* --- metadata, scale factors, masks --- */

/* The nibble of a chunk of a row; *lane is where it lies. */
static unsigned nibble_of(const struct umma_run *run, unsigned block, unsigned part, unsigned row,
                          unsigned chunk, unsigned *lane) {
    uint32_t address = run->io->umma.e;
    unsigned column, bit;
    umma_nibble_at(run->how, part, row, chunk, lane, &column, &bit);
    *lane += umma_lane(address);
    return umma_word(run->tensor[block], *lane, umma_column(address) + column) >> bit & 15;
}

static enum wsim_status check_metadata(const struct umma_run *run, struct wsim_diag *diag) {
    const struct wsim_code_product *how = run->product.how;
    unsigned chunks = how->kept ? how->k_dense / how->chunk : 0, lane;
    for (unsigned block = 0; block < run->how->blocks; block++)
        for (unsigned part = 0; part < run->how->parts; part++)
            for (unsigned row = 0; row < run->how->rows; row++)
                for (unsigned chunk = 0; chunk < chunks; chunk++) {
                    unsigned nibble = nibble_of(run, block, part, row, chunk, &lane);
                    if (!(how->valid >> nibble & 1))
                        return base_refuse(
                            diag, RULE_MMA_METADATA_UNDEFINED, 0,
                            "metadata of row %u, chunk %u, in lane %u of tensor memory are 0x%x: "
                            "tcgen05 defines %s",
                            row, chunk, lane, nibble,
                            how->kept == 1 ? "4 and e" : "4, 6, 8, 9, c, d and e");
                }
    return WSIM_OK;
}

/* Factor `factor` of a row (which 0) or column (1) of a block, as the quarter of the lanes has it
 * that computes it. */
static uint8_t factor_of(const struct umma_run *run, unsigned block, unsigned which,
                         unsigned quarter, unsigned at, unsigned factor) {
    uint32_t address = which ? run->io->umma.sfb : run->io->umma.sfa;
    uint32_t word =
        umma_word(run->tensor[block], 32 * quarter + at % 32, umma_column(address) + at / 32);
    return (uint8_t)(word >> 8 * ((run->how->factor_id[which] + factor) & 3));
}

/* Fields of a zero-column mask. A sub-mask has runs of columns in turn: `use` as they are, then
 * `skip` zeros. Source: PTX ISA 9.0, "Zero-column mask descriptor" of tcgen05 (Table 45). */
static int is_zeroed(const struct umma_run *run, unsigned col) {
    uint64_t mask = run->io->umma.zero_columns;
    unsigned part = col / run->how->part_cols, at = col % run->how->part_cols;
    unsigned start = mask >> 8 * part & 0xFF, first_zero = mask >> (32 + part) & 1;
    unsigned skip = (mask >> 40 & 0xFF) + 1, use = (mask >> 48 & 0xFF) + 1;
    if (!(mask >> 39 & 1))
        return 0;
    at = (at + start) % (skip + use);
    return first_zero ? at < skip : at >= use;
}

static unsigned column_shift(const struct umma_run *run) {
    return run->io->umma.zero_columns >> 56 & 63;
}

/* --- elements --- */

static uint64_t a_bits(const struct umma_run *run, unsigned block, unsigned part, unsigned row,
                       unsigned k) {
    const struct wsim_code_product *how = run->product.how;
    uint32_t address = run->io->umma.a, word;
    unsigned bit = k * how->bits_a;
    if (!run->io->umma.a_in_tensor)
        return umma_read(&run->a[block], row, k);
    word = umma_word(run->tensor[block], umma_row_lane(run->how, row, part) + umma_lane(address),
                     umma_column(address) + bit / 32);
    return word >> bit % 32 & ((UINT64_C(1) << how->bits_a) - 1);
}

static void load_a(const struct umma_run *run, unsigned block, unsigned part, unsigned row,
                   const struct product_list *list) {
    const struct wsim_code_product *how = run->product.how;
    for (unsigned k = 0; k < how->k; k++)
        product_decode(how, how->a, how->in_a, how->bits_a, run->how->negate[0],
                       a_bits(run, block, part, row, k), list, k);
}

/* Column `col` of B. Each block of a pair has half of the columns. */
static void load_b(const struct umma_run *run, unsigned col, const struct product_list *list,
                   unsigned first) {
    const struct wsim_code_product *how = run->product.how;
    unsigned each = how->cols / run->how->blocks, shift = column_shift(run);
    const struct umma_source *b = &run->b[col / each];
    int zeroed = is_zeroed(run, col);
    for (unsigned k = 0; k < how->k_dense; k++)
        product_decode(how, how->b, how->in_b, how->bits_b, run->how->negate[1],
                       zeroed ? 0 : umma_read(b, col % each + shift, k), list, first + k);
}

/* For each element of a sparse row, the row of B that it meets. */
static void find_rows(const struct umma_run *run, unsigned block, unsigned part, unsigned row,
                      uint8_t *rows) {
    const struct wsim_code_product *how = run->product.how;
    unsigned lane;
    for (unsigned k = 0; k < how->k; k++) {
        unsigned chunk = k / how->kept;
        unsigned nibble = nibble_of(run, block, part, row, chunk, &lane);
        rows[k] = (uint8_t)(chunk * how->chunk +
                            product_column(how->chunk, how->kept, nibble, k % how->kept));
    }
}

static uint64_t d_word(const struct umma_run *run, unsigned block, unsigned lane, unsigned col) {
    return umma_word(run->tensor[block], lane, umma_column(run->io->umma.d) + col);
}

/* An f16 result takes the low half of its word; the other half stays. */
static void put_d(const struct umma_run *run, unsigned block, unsigned lane, unsigned col,
                  uint64_t bits) {
    const struct wsim_memory *tensor = run->tensor[block];
    memory_put(tensor, tensor->base + umma_byte(lane, umma_column(run->io->umma.d) + col),
               run->product.how->d->bits / 8, bits);
}

/* --- results --- */

/* Columns first .. first + count - 1 of all rows of a block; they lie in one part. */
static void multiply(const struct umma_run *run, unsigned block, unsigned first, unsigned count,
                     const struct num_elem *columns) {
    const struct wsim_code_product *how = run->product.how;
    unsigned part = first / run->how->part_cols, at = first % run->how->part_cols;
    struct num_elem a[UMMA_MOST_K], picked[UMMA_MOST_K];
    struct product_list list = {a, NULL};
    uint8_t rows[UMMA_MOST_K], factors[2][PRODUCT_MAX_BLOCKS];
    for (unsigned row = run->first; row < run->last; row++) {
        unsigned lane = umma_row_lane(run->how, row, part) + umma_lane(run->io->umma.d);
        struct product_lists in = {.a = a, .factors_a = factors[0], .factors_b = factors[1]};
        if (umma_is_masked(run, block, lane) && !run->product.fused.watch)
            continue;
        load_a(run, block, part, row, &list);
        if (how->kept)
            find_rows(run, block, part, row, rows);
        for (unsigned f = 0; f < how->blocks; f++)
            factors[0][f] = factor_of(run, block, 0, lane / 32, row, f);
        for (unsigned i = 0; i < count; i++) {
            uint64_t acc = run->io->umma.adds ? d_word(run, block, lane, at + i) : 0;
            in.b = columns + (size_t)i * how->k_dense;
            for (unsigned k = 0; how->kept && k < how->k; k++)
                picked[k] = in.b[rows[k]];
            if (how->kept)
                in.b = picked;
            for (unsigned f = 0; f < how->blocks; f++)
                factors[1][f] = factor_of(run, block, 1, lane / 32, at + i, f);
            if (how->d->bits < 32)
                acc &= 0xFFFF;
            acc = product_dot(&run->product, &in, acc);
            if (!run->product.fused.watch)
                put_d(run, block, lane, at + i, acc);
        }
    }
}

/* Columns that are decoded at once: as many as there is room for, of one part. */
static unsigned at_once(const struct umma_run *run) {
    unsigned count = PRODUCT_MAX_LIST / run->product.how->k_dense;
    if (count > PRODUCT_MAX_COLUMNS)
        count = PRODUCT_MAX_COLUMNS;
    while (run->how->part_cols % count)
        count--;
    return count;
}

static void multiply_all(const struct umma_run *run) {
    const struct wsim_code_product *how = run->product.how;
    struct num_elem columns[PRODUCT_MAX_LIST];
    struct product_list list = {columns, NULL};
    unsigned count = at_once(run);
    for (unsigned col = 0; col < how->cols; col += count) {
        for (unsigned i = 0; i < count; i++)
            load_b(run, col + i, &list, i * how->k_dense);
        for (unsigned block = 0; block < run->how->blocks; block++)
            multiply(run, block, col, count, columns);
    }
}

/* --- the whole --- */

static enum wsim_status check_flags(const struct umma_run *run, struct wsim_diag *diag) {
    const struct wsim_io_umma *io = &run->io->umma;
    unsigned shift = column_shift(run);
    if (io->scale_d > 15)
        return base_refuse(diag, RULE_TCGEN_MMA_FLAG, 0, "scale-input-d is %u, must be 0 to 15",
                           io->scale_d);
    if (io->zero_columns && !run->how->stationary)
        return base_refuse(diag, RULE_TCGEN_MMA_FLAG, 0,
                           "zero-column mask: only tcgen05.mma.ws has one");
    if (shift > run->how->most_shift)
        return base_refuse(diag, RULE_TCGEN_MMA_FLAG, 0,
                           "zero-column mask: the shift is %u; the instruction descriptor allows "
                           "at most %u",
                           shift, run->how->most_shift);
    if (io->a_in_tensor && (run->how->narrow[0] || run->how->trans[0]))
        return base_refuse(diag, run->how->trans[0] ? RULE_TCGEN_MMA_FLAG : RULE_TCGEN_MMA_OPEN, 0,
                           run->how->trans[0]
                               ? "A is in tensor memory, only a matrix in shared memory can be "
                                 "MN-major"
                               : "no source says where elements of 4 or 6 bits lie in the bytes of "
                                 "an A in tensor memory");
    return WSIM_OK;
}

struct wsim_tile umma_tile(const struct wsim_code *code, unsigned which) {
    const struct wsim_code_product *product = &work_of(code)->product;
    const struct wsim_code_tensor *how = &work_of(code)->tensor;
    return (struct wsim_tile){.rows = (uint16_t)(which ? product->cols / how->blocks : how->rows),
                              .k = which ? product->k_dense : product->k,
                              .bits = how->narrow[which] ? 8
                                      : which            ? product->bits_b
                                                         : product->bits_a,
                              .mn_major = how->trans[which],
                              .format = which ? product->b : product->a};
}

/* Rows of A (0), or columns of B (1), of one block in shared memory. */
static enum wsim_status open_source(const struct umma_run *run, unsigned which,
                                    const struct wsim_memory *shared, unsigned rows,
                                    struct umma_source *source, struct wsim_diag *diag) {
    struct wsim_tile tile = umma_tile(run->code, which);
    tile.rows = (uint16_t)rows;
    return umma_open(which ? "B" : "A", which ? run->io->umma.desc_b : run->io->umma.desc_a, shared,
                     work_of(run->code)->shared_end, &tile, run->how->narrow[which], source, diag);
}

static enum wsim_status open_sources(struct umma_run *run, struct wsim_diag *diag) {
    const struct wsim_io *io = run->io;
    unsigned cols = run->product.how->cols / run->how->blocks + column_shift(run);
    enum wsim_status status = WSIM_OK;
    for (unsigned i = 0; i < run->how->blocks && !status; i++) {
        const struct wsim_memory *shared = i ? io->umma.odd_shared : io->shared;
        run->tensor[i] = i ? io->umma.odd_tensor : io->umma.tensor;
        status = memory_need(run->tensor[i], WSIM_TENSOR, diag);
        if (!status)
            status = memory_check(run->tensor[i], run->tensor[i]->base, umma_byte(UMMA_LANES, 0), 1,
                                  diag);
        if (!status && !io->umma.a_in_tensor)
            status = open_source(run, 0, shared, run->how->rows, &run->a[i], diag);
        if (!status)
            status = open_source(run, 1, shared, cols, &run->b[i], diag);
    }
    return status;
}

/* Reports the words of `columns` columns of the lanes of a block's rows. */
static void tell_tensor(const struct umma_run *run, unsigned block, uint32_t address,
                        unsigned columns, enum wsim_touch_kind kind) {
    for (unsigned part = 0; part < run->how->parts; part++)
        for (unsigned row = 0; row < run->how->rows; row++) {
            unsigned lane = umma_row_lane(run->how, row, part) + umma_lane(address);
            if (kind == WSIM_TOUCH_READ || !umma_is_masked(run, block, lane))
                exec_tell(run->io, run->tensor[block],
                          run->tensor[block]->base + umma_byte(lane, umma_column(address)),
                          4 * columns, WSIM_NO_LANE, kind);
        }
}

static void tell(const struct umma_run *run) {
    for (unsigned block = 0; block < run->how->blocks; block++) {
        if (!run->io->umma.a_in_tensor)
            umma_tell_source(&run->a[block], run->io);
        umma_tell_source(&run->b[block], run->io);
        if (!run->tensor[block]->watch)
            continue;
        if (run->io->umma.a_in_tensor)
            tell_tensor(run, block, run->io->umma.a,
                        umma_columns(run->code, &run->io->umma, UMMA_A), WSIM_TOUCH_READ);
        tell_tensor(run, block, run->io->umma.d, run->how->part_cols,
                    run->io->umma.adds ? WSIM_TOUCH_UPDATE : WSIM_TOUCH_WRITE);
    }
}

/* Checks all operands. */
static enum wsim_status open_run(struct umma_run *run, struct wsim_diag *diag) {
    enum wsim_status status;
    product_start(&run->product, run->code);
    run->product.fused.lower = run->io->umma.scale_d;
    run->last = run->how->rows;
    status = check_flags(run, diag);
    if (!status)
        status = check_places(run, diag);
    if (!status)
        status = open_sources(run, diag);
    return status ? status : check_metadata(run, diag);
}

enum wsim_status umma_run(const struct wsim_code *code, const struct wsim_io *io,
                          struct wsim_diag *diag) {
    struct umma_run run = {.code = code, .io = io, .how = &work_of(code)->tensor};
    enum wsim_status status = open_run(&run, diag);
    if (status)
        return status;
    tell(&run);
    if (!umma_strips(&run))
        multiply_all(&run);
    return WSIM_OK;
}

enum wsim_status umma_watch(const struct wsim_code *code, const struct wsim_io *io, unsigned row,
                            unsigned col, const struct num_watch *watch, struct wsim_diag *diag) {
    struct umma_run run = {.code = code, .io = io, .how = &work_of(code)->tensor};
    struct num_elem column[PRODUCT_MAX_LIST];
    struct product_list list = {column, NULL};
    enum wsim_status status = open_run(&run, diag);
    if (status)
        return status;
    run.product.fused.watch = watch;
    run.first = row % run.how->rows;
    run.last = run.first + 1;
    load_b(&run, col, &list, 0);
    multiply(&run, row / run.how->rows, col, 1, column);
    return WSIM_OK;
}

int umma_pair(const struct wsim_code *code, const struct wsim_io *io, unsigned row, unsigned chunk,
              struct wsim_place *place) {
    struct umma_run run = {.code = code, .io = io, .how = &work_of(code)->tensor};
    const unsigned block = row / run.how->rows;
    unsigned lane, column, bit;
    run.tensor[block] = block ? io->umma.odd_tensor : io->umma.tensor;
    umma_nibble_at(run.how, 0, row % run.how->rows, chunk, &lane, &column, &bit);
    *place = (struct wsim_place){.elem = (uint16_t)(bit / 4), .lsb = (uint16_t)bit};
    place->reg = (uint16_t)(umma_column(io->umma.e) + column);
    bit = nibble_of(&run, block, 0, row % run.how->rows, chunk, &lane);
    place->lane = (uint16_t)lane;
    return (int)bit;
}
