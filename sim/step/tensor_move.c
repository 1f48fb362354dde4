/* tcgen05.ld, ld.red and tcgen05.st: registers of a warp and its quarter of the lanes of tensor
 * memory. */
#include "tensor.h"

#include "../num/real.h"
#include "../state/taint.h"

enum { MOST = 128, QUARTER = 32 };

/* op->more. */
struct move {
    struct matrix_address address;
    uint32_t split; /* .16x32bx2: added to the address for the upper half of the threads  */
    struct run_row r[MOST];
    const struct isa_umma_move *shape;
    uint8_t n, halves, stores;
    struct run_row reduced; /* ld.red: minimum or maximum of the registers of a thread        */
    struct real_mode mode;
    uint8_t operation, letter, absolute; /* 0: none; of its type: 'f' 'u' 's'; .abs           */
};

static uint8_t *word_at(const struct run_block *block, unsigned lane, unsigned column) {
    return block->tensor->memory.bytes + umma_byte(lane, column);
}

static uint32_t get(const uint8_t *at) {
    uint32_t word;
    memory_read_words(&word, at, 1);
    return word;
}

/* With .pack::16b and .unpack::16b two columns hold the halves of a register. The upper halves of
 * stored words are 0. */
static uint32_t load(const struct run_block *block, unsigned halves, unsigned lane,
                     unsigned column) {
    uint32_t word = get(word_at(block, lane, column));
    return halves ? (word & 0xFFFF) | get(word_at(block, lane, column + 1)) << 16 : word;
}

static void store(const struct run_block *block, unsigned halves, unsigned lane, unsigned column,
                  uint32_t value) {
    uint32_t low = halves ? value & 0xFFFF : value, high = value >> 16;
    memory_write_words(word_at(block, lane, column), &low, 1);
    if (halves)
        memory_write_words(word_at(block, lane, column + 1), &high, 1);
}

/* Columns that the registers of a thread take. */
static unsigned columns_of(const struct move *move) {
    return ((isa_umma_move_at(move->shape, RUN_LANES - 1, move->n - 1u) >> 8) + 1) << move->halves;
}

/* A GPU takes the quarter of the warp, whichever quarter the address names: kernels of DeepGEMM
 * rely on that. The ISA allows no other quarter, and the check of the vendor's debug code traps. */
static enum run_next check(struct run_warp *warp, const struct run_op *op, uint32_t *address) {
    const struct move *move = op->more;
    const unsigned lane = umma_lane(*address), quarter = warp->number % 4 * QUARTER;
    const unsigned inside = lane % QUARTER, half = move->shape->shape != SCALAR_32X32B;
    const int begins = !inside || (half && inside == QUARTER / 2);
    if ((!begins || lane - inside != quarter) &&
        run_finding(warp, op, RUN_LANES, RULE_TCGEN_LANE_QUARTER, !begins,
                    "address 0x%08x: the lane is %u; warp %u of the block reaches lanes %u "
                    "to %u, from lane %u%s on",
                    (unsigned)*address, lane, (unsigned)warp->number, quarter,
                    quarter + QUARTER - 1, quarter, half ? " or 16 above" : "") == RUN_STOP)
        return RUN_STOP;
    *address += (quarter + inside - lane) << 16;
    return tensor_check(warp, op, RUN_LANES, warp->block,
                        move->stores ? "tcgen05.st" : "tcgen05.ld", *address, columns_of(move));
}

/* Whether nothing wrote these halves of a column in the quarter that a lane is in. */
static int is_fresh(const struct run_tensor *tensor, unsigned lane, unsigned column,
                    unsigned halves) {
    unsigned at = lane / QUARTER * QUARTER, end = at + QUARTER;
    if (tensor_known_until(tensor, lane, column, 1, halves) != column)
        return 0;
    while (at < end && tensor_known_until(tensor, at, column, 1, halves) == column)
        at++;
    return at == end;
}

/* Marks a register of a load whose column nothing wrote, or only results of 16 bits, which leave
 * the upper half of a word. Single lanes do not count: a product of 64 rows fills half of a
 * quarter, and kernels load the whole quarter. */
static void mark(struct run_warp *warp, const struct run_op *op, const struct move *move,
                 unsigned i, unsigned t, unsigned lane, unsigned column) {
    const struct run_tensor *tensor = warp->block->tensor;
    uint64_t bits = 0;
    struct taint_frame *mirror;
    for (unsigned c = 0; c <= move->halves; c++)
        if (is_fresh(tensor, lane, column + c, TENSOR_LOW))
            bits |= (uint32_t)0xFFFF << 16 * c;
    if (!move->halves && is_fresh(tensor, lane, column, TENSOR_HIGH))
        bits |= UINT32_C(0xFFFF0000);
    if (!bits)
        return;
    mirror = taint_mirror(warp, warp->group->frame);
    if (mirror)
        taint_put(mirror, move->r[i], t, bits,
                  taint_origin(warp, op, TAINT_TENSOR, 0, (uint64_t)lane << 16 | column, NULL));
}

/* Minimum or maximum of two words. NaN is as in min and max: inferred. */
static uint32_t reduce(const struct move *move, uint32_t a, uint32_t b) {
    const struct wsim_format *f32 = &isa_formats[FORMAT_F32];
    const int is_min = move->operation == SCALAR_MIN;
    int less = move->letter == 's' ? (a ^ 0x80000000u) < (b ^ 0x80000000u) : a < b;
    if (move->letter == 'f')
        return (uint32_t)(is_min ? real_min : real_max)(f32, &move->mode, a, b);
    return less == is_min ? a : b;
}

/* The words of all registers of thread `t`, reduced. */
static void reduce_thread(uint8_t *frame, const struct run_block *block, const struct move *move,
                          unsigned t, uint32_t address) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < move->n; i++) {
        uint32_t word = load(block, 0, umma_lane(address) + t, umma_column(address) + i);
        if (move->absolute)
            word &= 0x7FFFFFFFu;
        sum = i ? reduce(move, sum, word) : word;
    }
    if (move->reduced.bits)
        run_put(frame, move->reduced, t, sum);
}

/* All registers of thread `t`. */
static void move_thread(uint8_t *frame, const struct run_op *op, struct run_warp *warp, unsigned t,
                        uint32_t address) {
    const struct move *move = op->more;
    const struct run_block *block = warp->block;
    const int marks = tensor_known_asked(warp);
    for (unsigned i = 0; i < move->n; i++) {
        uint32_t at = isa_umma_move_at(move->shape, t, i);
        uint32_t from = at & ISA_TENSOR_SPLIT ? address + move->split : address;
        unsigned lane = umma_lane(from) + (at & (ISA_TENSOR_SPLIT - 1));
        unsigned column = umma_column(from) + (at >> 8 << move->halves);
        if (move->stores) {
            store(block, move->halves, lane, column, (uint32_t)run_get(frame, move->r[i], t));
            tensor_known_put(block->tensor, lane, column, 1u + move->halves, TENSOR_WORDS);
        } else if (move->r[i].bits) {
            run_put(frame, move->r[i], t, load(block, move->halves, lane, column));
            if (marks)
                mark(warp, op, move, i, t, lane, column);
        }
    }
    if (move->operation)
        reduce_thread(frame, block, move, t, address);
}

static enum run_next step(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                          struct run_warp *warp) {
    const struct move *move = op->more;
    const unsigned halves = move->shape->shape == SCALAR_16X32BX2 ? 2 : 1;
    uint64_t at[RUN_LANES];
    uint32_t part[2];
    enum run_next next = sync_together(warp, op, lanes);
    if (next)
        return next;
    matrix_addresses(frame, &move->address, at);
    for (unsigned t = 1; t < RUN_LANES; t++)
        if (lanes >> t & 1 && at[t] != at[run_lowest(lanes)])
            return run_finding(warp, op, t, RULE_TCGEN_ADDRESS_DIFFERS, 1,
                               "address 0x%08x of lane %u is another one than 0x%08x of lane %u",
                               (unsigned)at[t], t, (unsigned)at[run_lowest(lanes)],
                               run_lowest(lanes));
    for (unsigned half = 0; half < halves; half++) {
        part[half] = (uint32_t)at[run_lowest(lanes)] + half * move->split;
        next = check(warp, op, &part[half]);
        if (next)
            return next;
    }
    for (unsigned half = 0; half < halves; half++) {
        next = tensor_order_move(warp, op, part[half], columns_of(move), move->stores);
        if (next)
            return next;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        move_thread(frame, op, warp, run_lowest(rest), part[0]);
    if (move->stores)
        matrix_event(warp);
    if (warp->taint)
        warp->taint->loads = 0;
    return warp->taint ? RUN_TAINT : RUN_ON;
}

static enum wsim_status plan_reduction(struct run_plan *plan, struct move *move) {
    const struct scalar_meaning *meaning = &plan->meaning;
    if (meaning->tensor_shape == SCALAR_16X32BX2)
        return plan_refuse(plan, "no source says whether .16x32bx2 reduces its halves together");
    move->operation = meaning->operation;
    move->letter = (uint8_t)isa_scalar_types[meaning->type[0]].letter;
    move->mode.nan = meaning->nan;
    move->absolute = meaning->abs;
    return plan_row(plan, 1, 32, &move->reduced);
}

static enum wsim_status plan_move(struct run_plan *plan, int stores) {
    enum wsim_status status;
    struct move *move = matrix_keep(plan, sizeof *move, &status);
    unsigned split = plan->meaning.tensor_shape == SCALAR_16X32BX2;
    uint32_t count, list = stores ? 1 + split : 0;
    const struct ptx_operand *parts;
    uint64_t value = 0;
    TRY(status);
    parts = plan_parts(plan, list, &count);
    if (count > MOST)
        return plan_refuse(plan, "it has more than 128 registers");
    move->n = (uint8_t)count;
    move->shape = isa_umma_moves;
    while (move->shape->shape != plan->meaning.tensor_shape)
        move->shape++;
    move->halves = plan->meaning.halves;
    move->stores = (uint8_t)stores;
    for (uint32_t i = 0; i < count; i++)
        TRY(plan_row_of(plan, &parts[i], 32, &move->r[i]));
    if (plan->meaning.operation)
        TRY(plan_reduction(plan, move));
    TRY(matrix_address_plan(plan,
                            stores            ? 0
                            : move->operation ? 2
                                              : 1,
                            PTX_SHARED, &move->address));
    if (split && !plan_constant(plan, stores ? 1 : 2, &value))
        return plan_refuse(plan, "the offset of the second half is not a constant");
    move->split = (uint32_t)value;
    return plan_does_with(plan, step, move);
}

enum wsim_status tensor_load_plan(struct run_plan *plan) {
    return plan_move(plan, 0);
}

enum wsim_status tensor_store_plan(struct run_plan *plan) {
    return plan_move(plan, 1);
}
