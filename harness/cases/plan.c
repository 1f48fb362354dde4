/* plan.c - operands from the layouts of wsim_op_layout; knows no instruction by name. */
#include "../../sim/base/base.h"
#include "../../sim/exec/exec.h"
#include "../../sim/exec/wmma.h"
#include "../../sim/isa/isa.h"
#include "plan.h"

#include <string.h>

static const char *const dist_names[WSIM_DISTS + 1] = {
    "raw",      "near-one", "finite", "cancelling", "subnormal", "wide",     "specials",
    "overflow", "c-alone",  "narrow", "one-hot",    "position",  "extremes", "all"};

const char *wsim_dist_name(unsigned dist) {
    return dist <= WSIM_DISTS ? dist_names[dist] : NULL;
}

int wsim_dist_find(const char *name) {
    for (int i = 0; i <= WSIM_DISTS; i++)
        if (strcmp(dist_names[i], name) == 0)
            return i;
    return -1;
}

static uint64_t key_of(const struct wsim_op *op) {
    char spelling[WSIM_SPELLING_MAX];
    uint64_t key = 0;
    wsim_op_spell(op, spelling);
    for (const char *p = spelling; *p; p++)
        key = wsim_stream_hash(key, (unsigned char)*p);
    return key;
}

/* A vector with one factor per block of k can start at several bytes of a register, in several
 * threads of a quad. The layout has one batch for each start. */
static void count_picks(const struct wsim_layout *layout, unsigned blocks, uint8_t *bytes,
                        uint8_t *threads) {
    *bytes = (uint8_t)(sizeof(uint32_t) / blocks);
    *threads = (uint8_t)(layout->batches / *bytes);
}

static void add(const struct wsim_op *op, enum wsim_operand operand, enum wsim_input which,
                struct wsim_plan *plan) {
    struct wsim_layout layout;
    struct wsim_plan_input *o;
    if (wsim_op_layout(op, NULL, operand, &layout, NULL))
        return;
    o = plan_place(plan, which, layout.regs * (unsigned)layout.lanes / WSIM_LANES);
    plan_describe(o, layout.format, layout.elem_bits);
    memcpy(o->lane, layout.lane, sizeof o->lane);
    memcpy(o->elem, layout.elem, sizeof o->elem);
    o->extent = operand == WSIM_A ? layout.cols : layout.rows;
    if (operand == WSIM_SFA)
        count_picks(&layout, layout.cols, &plan->bytes_a, &plan->threads_a);
    if (operand == WSIM_SFB)
        count_picks(&layout, layout.rows, &plan->bytes_b, &plan->threads_b);
}

/* The model reads the defined nibbles only. */
static void find_nibbles(const struct wsim_op *op, struct wsim_plan *plan) {
    unsigned valid = exec_valid_nibbles(op);
    for (unsigned nibble = 0; nibble < 16; nibble++)
        if (valid >> nibble & 1)
            plan->nibble[plan->nibbles++] = (uint8_t)nibble;
}

/* --- wmma: a matrix in memory --- */

static void add_lines(const struct wsim_op *op, struct wsim_plan *plan) {
    struct wsim_plan_lines *l = &plan->lines;
    struct wsim_layout layout;
    int by_rows = wmma_by_rows(op);
    wsim_op_layout(op, NULL, plan->store ? WSIM_R : WSIM_D, &layout, NULL);
    l->along = by_rows ? layout.rows : layout.cols;
    l->across = by_rows ? layout.cols : layout.rows;
    l->bits = layout.elem_bits;
    l->align = (uint8_t)wmma_line_align(op, &layout);
    plan_place(plan, WSIM_IN_SMEM, WSIM_CASE_LINES_ROWS);
    plan_place(plan, WSIM_IN_ADDR, 1);
    plan_place(plan, WSIM_IN_HOW, 1);
}

static void measure_result(const struct wsim_op *op, struct wsim_plan *plan) {
    struct wsim_layout layout;
    wsim_op_layout(op, NULL, plan->store ? WSIM_R : WSIM_D, &layout, NULL);
    plan->elements = (uint32_t)layout.lanes * layout.elems;
    plan->out_rows = plan->store ? plan->input[WSIM_IN_SMEM].rows
                                 : layout.regs * (uint32_t)layout.lanes / WSIM_LANES;
}

/* True if `op` has cases, with this selector. */
static enum wsim_status check(const struct wsim_op *op, unsigned selector, struct wsim_diag *diag) {
    enum wsim_status status = isa_refuse_foreign(op, diag);
    struct wsim_op_info info;
    struct wsim_layout layout;
    unsigned selectors;
    char range[BASE_RANGE];
    if (status)
        return status;
    info = wsim_op_describe(op);
    selectors = info.selectors ? info.selectors : 1;
    if (wsim_op_layout(op, NULL, WSIM_D, &layout, NULL) &&
        wsim_op_layout(op, NULL, WSIM_R, &layout, NULL))
        return base_refuse(diag, RULE_CASES_FAMILY_NONE, 0,
                           "%s has no cases: only mma, wgmma, wmma and matrix moves have",
                           info.family_name);
    if (selector >= selectors)
        return base_refuse(diag, RULE_MMA_SELECTOR_RANGE, 0, "selector %u: %s has %s", selector,
                           isa_op_called(op).text, base_range(range, selectors - 1));
    return WSIM_OK;
}

static void add_registers(const struct wsim_op *op, struct wsim_plan *plan) {
    add(op, WSIM_A, WSIM_IN_A, plan);
    add(op, WSIM_B, WSIM_IN_B, plan);
    add(op, WSIM_C, WSIM_IN_C, plan);
    add(op, WSIM_E, WSIM_IN_E, plan);
    add(op, WSIM_SFA, WSIM_IN_SFA, plan);
    add(op, WSIM_SFB, WSIM_IN_SFB, plan);
    if (plan->bytes_a)
        plan_place(plan, WSIM_IN_PICK, 1);
    add(op, WSIM_R, WSIM_IN_R, plan);
}

static void add_memory(const struct wsim_op *op, struct wsim_plan *plan) {
    if (isa_door(op)->counting == WSIM_COUNT_FRAGMENT)
        add_lines(op, plan);
    if (isa_is_group(op))
        plan_add_group(op, plan);
    if (isa_door(op)->counting == WSIM_COUNT_ROWS) {
        plan_place(plan, WSIM_IN_SMEM, WSIM_CASE_WINDOW_ROWS);
        plan_place(plan, WSIM_IN_ADDR, 1);
    }
}

enum wsim_status wsim_plan_make(const struct wsim_op *op, unsigned selector, struct wsim_plan *plan,
                                struct wsim_diag *diag) {
    enum wsim_status status = check(op, selector, diag);
    struct wsim_op_info info;
    unsigned first = 0;
    if (status)
        return status;
    info = wsim_op_describe(op);
    memset(plan, 0, sizeof *plan);
    plan->key = key_of(op);
    plan->selector = (uint8_t)selector;
    plan->sparse = info.sparse;
    plan->threads = info.threads;
    plan->store = (uint8_t)isa_op_has(op, WSIM_R);
    add_registers(op, plan);
    add_memory(op, plan);
    if (info.sparse)
        find_nibbles(op, plan);
    for (int i = 0; i < WSIM_INPUTS; i++) {
        plan->input[i].first = (uint16_t)first;
        first += plan->input[i].rows;
    }
    measure_result(op, plan);
    return WSIM_OK;
}
