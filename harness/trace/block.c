/* The current case as a block of words (cases.h). Registers are copied. If a window is too large
 * for a block, only the addressed rows are copied. */
#include "../../sim/base/base.h"
#include "trace.h"

#include <string.h>

enum { ROW_BYTES = 16 };

/* The fields that a case must have; wanted: its result. */
static enum wsim_status check_case(const struct trace_case *now, int wanted,
                                   struct wsim_diag *diag) {
    if (!now->fields)
        return base_refuse(diag, RULE_TRACE_CASE_NONE, 0, "there is no current case");
    if (now->known != WSIM_OK)
        return base_repeat(diag, &now->why, now->why.col, "%s", now->why.text);
    if (trace_has(now, TRACE_DIGEST))
        return base_refuse(diag, RULE_TRACE_BLOCK_RESULT, 0,
                           "a digest says of %llu cases that one differs or none, not which",
                           (unsigned long long)now->number[TRACE_CASES]);
    if (trace_has(now, TRACE_TRAP))
        return base_refuse(diag, RULE_TRACE_BLOCK_RESULT, 0, "a trap has no result: trap=1");
    if (trace_has(now, TRACE_D_FNV) && !trace_has(now, TRACE_D) && wanted)
        return base_refuse(diag, RULE_TRACE_BLOCK_RESULT, 0,
                           "of the result only a hash was recorded");
    if (!(now->runs & RUN_EXEC))
        return base_refuse(diag, RULE_TRACE_BLOCK_RESULT, 0,
                           "the case has no result: only executed cases become blocks, not counts");
    return WSIM_OK;
}

/* A byte of a block holds byte-ids and thread-ids; no instruction has more than four of either. */
static enum wsim_status check_pick(const struct trace_case *now, struct wsim_diag *diag) {
    for (unsigned i = 0; i < 4; i++)
        if (trace_number(now, trace_picks[i]) > 0xff)
            return base_refuse(
                diag, RULE_TRACE_PICK_RANGE, 0, "%s=%u: byte-id and thread-id are 0 to 3",
                trace_fields[trace_picks[i]].name, trace_number(now, trace_picks[i]));
    return WSIM_OK;
}

static int fits(const struct trace_case *now, uint32_t address) {
    return now->smem.size >= ROW_BYTES && address <= now->smem.size - ROW_BYTES;
}

static enum wsim_status check_addresses(const struct trace_case *now, unsigned rows,
                                        struct wsim_diag *diag) {
    for (unsigned lane = 0; lane < rows; lane++) {
        uint32_t address = now->addr[lane];
        if (address % ROW_BYTES)
            return base_refuse(diag, RULE_MATRIX_ROW_ALIGN, 0,
                               "row address 0x%x of lane %u is not a multiple of 16",
                               (unsigned)address, lane);
        if (!fits(now, address))
            return base_refuse(diag, RULE_MEMORY_BOUNDS, 0,
                               "row address 0x%x of lane %u lies outside the recorded window of "
                               "0x%lx bytes",
                               (unsigned)address, lane, (unsigned long)now->smem.size);
    }
    return WSIM_OK;
}

/* The place of each lane's row. A window that fits stays unchanged; otherwise a row gets the place
 * of the first lane that addresses it. Addresses of lanes without a row are ignored. */
static void place_rows(const struct trace_case *now, unsigned rows, uint32_t to[WSIM_LANES]) {
    for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
        unsigned first = 0;
        while (now->addr[first] != now->addr[lane])
            first++;
        to[lane] = now->smem.size <= WSIM_CASE_WINDOW_BYTES ? now->addr[lane] : ROW_BYTES * first;
        if (lane >= rows && (now->addr[lane] % ROW_BYTES || !fits(now, now->addr[lane])))
            to[lane] = 0;
    }
}

static void put_window(const struct trace_case *now, const struct trace_bytes *from,
                       const uint32_t to[WSIM_LANES], uint32_t *words) {
    uint8_t bytes[WSIM_CASE_WINDOW_BYTES] = {0};
    if (from->size <= sizeof bytes)
        memcpy(bytes, from->at, from->size);
    for (unsigned lane = 0; lane < WSIM_LANES && from->size > sizeof bytes; lane++)
        if (now->addr[lane] % ROW_BYTES == 0 && fits(now, now->addr[lane]))
            memcpy(bytes + to[lane], from->at + now->addr[lane], ROW_BYTES);
    memset(words, 0, sizeof bytes);
    for (unsigned i = 0; i < sizeof bytes; i++)
        words[i / 4] |= (uint32_t)bytes[i] << 8 * (i % 4);
}

/* Refuses a change outside of stored rows, because the block would not contain it. */
static enum wsim_status check_rest(const struct trace_case *now, unsigned rows,
                                   struct wsim_diag *diag) {
    if (now->smem.size <= WSIM_CASE_WINDOW_BYTES)
        return WSIM_OK;
    for (size_t i = 0; i < now->smem.size; i++) {
        unsigned lane = 0;
        if (now->smem.at[i] == now->smem_after.at[i])
            continue;
        while (lane < rows && i / ROW_BYTES != now->addr[lane] / ROW_BYTES)
            lane++;
        if (lane == rows)
            return base_refuse(diag, RULE_TRACE_BLOCK_STRAY, 0,
                               "byte 0x%lx of the window changed, and no lane stores there",
                               (unsigned long)i);
    }
    return WSIM_OK;
}

/* The number of lanes that give the address of a row; 0 if there is no window. */
static unsigned rows_of(const struct trace_case *now, const struct wsim_plan *plan) {
    struct wsim_layout layout;
    if (!plan->input[WSIM_IN_ADDR].rows)
        return 0;
    wsim_op_layout(&now->op, NULL, plan->store ? WSIM_R : WSIM_D, &layout, NULL);
    return (unsigned)layout.rows * layout.batches;
}

static void put_rows(const struct trace_case *now, const struct wsim_plan *plan, unsigned rows,
                     uint32_t *in, uint32_t *expected) {
    uint32_t to[WSIM_LANES];
    place_rows(now, rows, to);
    memcpy(in + plan->input[WSIM_IN_ADDR].first * WSIM_LANES, to, sizeof to);
    put_window(now, &now->smem, to, in + plan->input[WSIM_IN_SMEM].first * WSIM_LANES);
    if (plan->store && expected)
        put_window(now, &now->smem_after, to, expected);
}

/* A missing operand, such as A in memory, is zeros. */
static void copy_rows(const struct trace_words *words, unsigned rows, uint32_t *to) {
    const size_t row = WSIM_LANES * sizeof *to;
    size_t there = words->rows < rows ? words->rows : rows;
    if (there)
        memcpy(to, words->at, there * row);
    memset(to + there * WSIM_LANES, 0, (rows - there) * row);
}

static void put_regs(const struct trace_case *now, const struct wsim_plan *plan, uint32_t *in) {
    uint32_t picked = 0;
    for (int i = 0; i < WSIM_INPUTS; i++)
        if (trace_operands[i] != WSIM_OPERANDS && plan->input[i].rows)
            copy_rows(&now->regs[trace_operands[i]], plan->input[i].rows,
                      in + plan->input[i].first * WSIM_LANES);
    for (unsigned i = 0; i < 4; i++)
        picked |= (uint32_t)trace_number(now, trace_picks[i]) << 8 * i;
    for (unsigned i = 0; i < plan->input[WSIM_IN_PICK].rows * (unsigned)WSIM_LANES; i++)
        in[plan->input[WSIM_IN_PICK].first * WSIM_LANES + i] = picked;
}

/* Checks a case whose lanes address rows, or that has no memory. */
static enum wsim_status check_rows(const struct trace_case *now, const struct wsim_plan *plan,
                                   unsigned rows, struct wsim_diag *diag) {
    enum wsim_status status = check_pick(now, diag);
    if (!status)
        status = check_addresses(now, rows, diag);
    return !status && plan->store ? check_rest(now, rows, diag) : status;
}

enum wsim_status wsim_trace_block(const struct wsim_trace *trace, struct wsim_plan *plan,
                                  uint32_t *in, uint32_t *expected, struct wsim_diag *diag) {
    const struct trace_case *now = &trace->now;
    struct wsim_plan made;
    unsigned rows = 0;
    enum wsim_status status = check_case(now, expected != NULL, diag);
    if (!status)
        status = wsim_plan_make(&now->op, trace_number(now, TRACE_SEL), &made, diag);
    if (status)
        return status;
    if (made.variants) {
        status = trace_group_check(now, &made, diag);
    } else if (made.lines.along) {
        status = trace_lines_check(now, &made, diag);
    } else {
        rows = rows_of(now, &made);
        status = check_rows(now, &made, rows, diag);
    }
    if (status)
        return status;
    put_regs(now, &made, in);
    if (made.variants)
        trace_group_put(now, &made, in);
    if (made.lines.along)
        trace_lines_put(now, &made, in, expected);
    if (rows)
        put_rows(now, &made, rows, in, expected);
    if (!made.store && expected)
        copy_rows(&now->regs[WSIM_D], made.out_rows, expected);
    *plan = made;
    return WSIM_OK;
}

int wsim_trace_hash(const struct wsim_trace *trace, uint64_t *fnv) {
    const struct trace_case *now = &trace->now;
    if (!trace_has(now, TRACE_D_FNV) || trace_has(now, TRACE_D))
        return 0;
    *fnv = now->number[TRACE_D_FNV];
    return 1;
}
