/* plan.c - operands as the layouts of wsim_op_layout have them; knows no instruction by name. */
#include "plan.h"

#include <string.h>

static const char *const dist_names[HW_DISTS + 1] = {
    "raw",      "near-one", "finite", "cancelling", "subnormal", "wide",     "specials",
    "overflow", "c-alone",  "narrow", "one-hot",    "position",  "extremes", "all"};

const char *hw_dist_name(unsigned dist) {
    return dist_names[dist];
}

int hw_dist_find(const char *name) {
    for (int i = 0; i <= HW_DISTS; i++)
        if (strcmp(dist_names[i], name) == 0)
            return i;
    return -1;
}

int hw_covers(const struct wsim_op *op) {
    struct wsim_op_info info = wsim_op_info(op);
    return info.documented && info.family <= WSIM_MOVMATRIX;
}

static uint64_t key_of(const struct wsim_op *op) {
    char spelling[WSIM_SPELLING_MAX];
    uint64_t key = 0;
    wsim_op_spell(op, spelling);
    for (const char *p = spelling; *p; p++)
        key = hw_hash(key, (unsigned char)*p);
    return key;
}

static struct hw_operand *place(struct hw_plan *plan, enum hw_input which, unsigned rows) {
    struct hw_operand *o = &plan->input[which];
    o->rows = (uint16_t)rows;
    plan->in_rows += rows;
    return o;
}

static void describe(struct hw_operand *o, const struct wsim_layout *layout) {
    const struct wsim_format *format = layout->format;
    o->elem_bits = layout->elem_bits;
    o->bits = format->bits < layout->elem_bits ? format->bits : layout->elem_bits;
    o->pad = layout->elem_bits > format->bits ? format->pad : 0;
    o->is_float = format->kind == WSIM_BINARY;
    o->exp_bits = format->exp_bits;
    o->frac_bits = format->frac_bits;
    o->infinities = format->specials == WSIM_SPECIALS_IEEE;
    o->has_nan = format->specials != WSIM_SPECIALS_NONE;
    o->bias = format->bias;
    memcpy(o->lane, layout->lane, sizeof o->lane);
    memcpy(o->elem, layout->elem, sizeof o->elem);
}

static void add(const struct wsim_op *op, enum wsim_operand operand, enum hw_input which,
                struct hw_plan *plan) {
    struct wsim_layout layout;
    struct hw_operand *o;
    if (wsim_op_layout(op, operand, &layout, NULL))
        return;
    o = place(plan, which, layout.regs);
    describe(o, &layout);
    o->extent = operand == WSIM_A ? layout.cols : layout.rows;
    if (operand == WSIM_SFA)
        plan->bytes_a = (uint8_t)(layout.batches / 2); /* two thread-ids */
    if (operand == WSIM_SFB)
        plan->bytes_b = (uint8_t)(layout.batches / 4); /* four */
}

/* The defined nibbles are those that the model expands. */
static void find_nibbles(const struct wsim_op *op, struct hw_plan *plan) {
    static const struct wsim_regs a;
    uint64_t dense[16 * 256];
    uint32_t e[WSIM_LANES];
    for (unsigned nibble = 0; nibble < 16; nibble++) {
        for (int lane = 0; lane < WSIM_LANES; lane++)
            e[lane] = nibble * 0x11111111u;
        if (wsim_sparse_expand(op, &a, e, plan->selector, dense, NULL) == WSIM_OK)
            plan->nibble[plan->nibbles++] = (uint8_t)nibble;
    }
}

static void measure_result(const struct wsim_op *op, struct hw_plan *plan) {
    struct wsim_layout layout;
    plan->store = wsim_op_info(op).family == WSIM_STMATRIX;
    wsim_op_layout(op, plan->store ? WSIM_R : WSIM_D, &layout, NULL);
    plan->elements = (uint32_t)WSIM_LANES << layout.elem_log2;
    plan->out_rows = plan->store ? HW_WINDOW_ROWS : layout.regs;
}

void hw_plan_make(const struct wsim_op *op, unsigned selector, struct hw_plan *plan) {
    struct wsim_op_info info = wsim_op_info(op);
    unsigned first = 0;
    memset(plan, 0, sizeof *plan);
    plan->key = key_of(op);
    plan->selector = (uint8_t)selector;
    plan->sparse = info.sparse;
    add(op, WSIM_A, HW_A, plan);
    add(op, WSIM_B, HW_B, plan);
    add(op, WSIM_C, HW_C, plan);
    add(op, WSIM_E, HW_E, plan);
    add(op, WSIM_SFA, HW_SFA, plan);
    add(op, WSIM_SFB, HW_SFB, plan);
    if (plan->bytes_a)
        place(plan, HW_PICK, 1);
    add(op, WSIM_R, HW_R, plan);
    if (info.family == WSIM_LDMATRIX || info.family == WSIM_STMATRIX) {
        place(plan, HW_SMEM, HW_WINDOW_ROWS);
        place(plan, HW_ADDR, 1);
    }
    if (info.sparse)
        find_nibbles(op, plan);
    for (int i = 0; i < HW_INPUTS; i++) {
        plan->input[i].first = (uint16_t)first;
        first += plan->input[i].rows;
    }
    measure_result(op, plan);
}

void hw_case_fill(const struct hw_plan *plan, const struct hw_case *c, uint32_t *in) {
    for (unsigned row = 0; row < plan->in_rows; row++)
        for (unsigned lane = 0; lane < WSIM_LANES; lane++)
            *in++ = hw_word(plan, c, row, lane);
}

static const uint32_t *rows_of(const struct hw_plan *plan, enum hw_input which,
                               const uint32_t *in) {
    return plan->input[which].rows ? in + plan->input[which].first * WSIM_LANES : NULL;
}

static const struct wsim_regs *regs_of(const struct hw_plan *plan, enum hw_input which,
                                       const uint32_t *in, struct wsim_regs *regs) {
    const uint32_t *from = rows_of(plan, which, in);
    if (!from)
        return NULL;
    memcpy(regs, from, plan->input[which].rows * sizeof regs->r[0]);
    return regs;
}

/* Bytes of the window, little-endian words of the block. */
static void to_bytes(const uint32_t *words, uint8_t *bytes) {
    for (int i = 0; i < HW_WINDOW_BYTES; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}

static void to_words(const uint8_t *bytes, uint32_t *words) {
    memset(words, 0, HW_WINDOW_BYTES);
    for (int i = 0; i < HW_WINDOW_BYTES; i++)
        words[i / 4] |= (uint32_t)bytes[i] << 8 * (i % 4);
}

enum wsim_status hw_model(const struct wsim_op *op, const struct wsim_arch *arch,
                          const struct hw_plan *plan, const uint32_t *in, uint32_t *out,
                          struct wsim_diag *diag) {
    struct wsim_regs a, b, c, r, d;
    uint8_t bytes[HW_WINDOW_BYTES];
    struct wsim_smem smem = {bytes, sizeof bytes};
    const uint32_t *pick = rows_of(plan, HW_PICK, in), *window = rows_of(plan, HW_SMEM, in);
    uint32_t picked = pick ? pick[0] : 0;
    struct wsim_operands io = {.d = plan->store ? NULL : &d,
                               .a = regs_of(plan, HW_A, in, &a),
                               .b = regs_of(plan, HW_B, in, &b),
                               .c = regs_of(plan, HW_C, in, &c),
                               .r = regs_of(plan, HW_R, in, &r),
                               .e = rows_of(plan, HW_E, in),
                               .selector = plan->selector,
                               .sfa = rows_of(plan, HW_SFA, in),
                               .sfb = rows_of(plan, HW_SFB, in),
                               .bid_a = picked & 0xff,
                               .tid_a = picked >> 8 & 0xff,
                               .bid_b = picked >> 16 & 0xff,
                               .tid_b = picked >> 24,
                               .smem = window ? &smem : NULL,
                               .addr = rows_of(plan, HW_ADDR, in)};
    enum wsim_status status;
    if (window)
        to_bytes(window, bytes);
    status = wsim_exec(op, arch, &io, diag);
    if (status)
        return status;
    if (plan->store)
        to_words(bytes, out);
    else
        memcpy(out, &d, plan->out_rows * sizeof d.r[0]);
    return WSIM_OK;
}
