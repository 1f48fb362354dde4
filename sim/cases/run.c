/* run.c - a case as a block of words: made, and executed. */
#include <wsim/harness/cases.h>
#include <wsim/wgmma.h>

#include <string.h>

void wsim_case_fill(const struct wsim_plan *plan, const struct wsim_case *c, uint32_t *in) {
    for (unsigned row = 0; row < plan->in_rows; row++)
        for (unsigned lane = 0; lane < WSIM_LANES; lane++)
            *in++ = wsim_case_word(plan, c, row, lane);
}

static const uint32_t *rows_of(const struct wsim_plan *plan, enum wsim_input which,
                               const uint32_t *in) {
    return plan->input[which].rows ? in + plan->input[which].first * WSIM_LANES : NULL;
}

static const struct wsim_regs *regs_of(const struct wsim_plan *plan, enum wsim_input which,
                                       const uint32_t *in, struct wsim_regs *regs) {
    const uint32_t *from = rows_of(plan, which, in);
    if (!from)
        return NULL;
    memcpy(regs, from, plan->input[which].rows * sizeof regs->r[0]);
    return regs;
}

/* Bytes of a window, little-endian words of the block. */
static void to_bytes(const uint32_t *words, uint32_t size, uint8_t *bytes) {
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}

static void to_words(const uint8_t *bytes, uint32_t size, uint32_t *words) {
    memset(words, 0, size);
    for (uint32_t i = 0; i < size; i++)
        words[i / 4] |= (uint32_t)bytes[i] << 8 * (i % 4);
}

/* --- a warpgroup --- */

static void group_regs(const struct wsim_plan *plan, enum wsim_input which, const uint32_t *in,
                       struct wsim_group_regs *regs) {
    memcpy(regs, rows_of(plan, which, in), plan->input[which].rows * WSIM_LANES * sizeof *in);
}

static uint64_t two_words(const uint32_t *words) {
    return words[0] | (uint64_t)words[1] << 32;
}

/* Both parts of the window, which stand one behind the other. */
static enum wsim_status run_group(const struct wsim_op *op, const struct wsim_arch *arch,
                                  const struct wsim_plan *plan, const uint32_t *in, uint32_t *out,
                                  struct wsim_diag *diag) {
    struct wsim_group_regs a, d;
    uint8_t bytes[WSIM_CASE_SHARED_BYTES];
    const uint32_t *how = rows_of(plan, WSIM_IN_HOW, in);
    uint32_t choice = how[WSIM_HOW_WORD];
    struct wsim_wgmma io = {
        .d = &d,
        .c = &d,
        .a = choice & WSIM_HOW_REGISTERS ? &a : NULL,
        .desc_a = two_words(how),
        .desc_b = two_words(how + 2),
        .smem = bytes,
        .smem_size = (plan->input[WSIM_IN_MATRIX_A].rows + plan->input[WSIM_IN_MATRIX_B].rows) *
                     (uint32_t)sizeof(uint32_t[WSIM_LANES]),
        .e = rows_of(plan, WSIM_IN_E, in),
        .selector = plan->selector,
        .scale_d = (choice & WSIM_HOW_SCALE_D) != 0,
        .negate_a = (choice & WSIM_HOW_NEGATE_A) != 0,
        .negate_b = (choice & WSIM_HOW_NEGATE_B) != 0,
        .trans_a = (choice & WSIM_HOW_TRANS_A) != 0,
        .trans_b = (choice & WSIM_HOW_TRANS_B) != 0};
    enum wsim_status status;
    group_regs(plan, WSIM_IN_A, in, &a);
    group_regs(plan, WSIM_IN_C, in, &d);
    to_bytes(in + plan->input[WSIM_IN_MATRIX_A].first * WSIM_LANES, io.smem_size, bytes);
    status = wsim_wgmma_run(op, arch, &io, diag);
    if (!status)
        memcpy(out, &d, plan->out_rows * WSIM_LANES * sizeof *out);
    return status;
}

/* --- a warp --- */

static enum wsim_status run_warp(const struct wsim_op *op, const struct wsim_arch *arch,
                                 const struct wsim_plan *plan, const uint32_t *in, uint32_t *out,
                                 struct wsim_diag *diag) {
    struct wsim_regs a, b, c, r, d;
    uint8_t bytes[WSIM_CASE_LINES_BYTES];
    struct wsim_smem smem = {bytes, plan->input[WSIM_IN_SMEM].rows *
                                        (uint32_t)sizeof(uint32_t[WSIM_LANES])};
    const uint32_t *pick = rows_of(plan, WSIM_IN_PICK, in), *how = rows_of(plan, WSIM_IN_HOW, in),
                   *window = rows_of(plan, WSIM_IN_SMEM, in);
    uint32_t picked = pick ? pick[0] : 0;
    struct wsim_operands io = {.d = plan->store ? NULL : &d,
                               .a = regs_of(plan, WSIM_IN_A, in, &a),
                               .b = regs_of(plan, WSIM_IN_B, in, &b),
                               .c = regs_of(plan, WSIM_IN_C, in, &c),
                               .r = regs_of(plan, WSIM_IN_R, in, &r),
                               .e = rows_of(plan, WSIM_IN_E, in),
                               .selector = plan->selector,
                               .sfa = rows_of(plan, WSIM_IN_SFA, in),
                               .sfb = rows_of(plan, WSIM_IN_SFB, in),
                               .bid_a = picked & 0xff,
                               .tid_a = picked >> 8 & 0xff,
                               .bid_b = picked >> 16 & 0xff,
                               .tid_b = picked >> 24,
                               .smem = window ? &smem : NULL,
                               .addr = rows_of(plan, WSIM_IN_ADDR, in),
                               .stride = how ? how[0] : 0};
    enum wsim_status status;
    if (window)
        to_bytes(window, smem.size, bytes);
    status = wsim_exec(op, arch, &io, diag);
    if (status)
        return status;
    if (plan->store)
        to_words(bytes, smem.size, out);
    else
        memcpy(out, &d, plan->out_rows * sizeof d.r[0]);
    return WSIM_OK;
}

enum wsim_status wsim_case_run(const struct wsim_op *op, const struct wsim_arch *arch,
                               const struct wsim_plan *plan, const uint32_t *in, uint32_t *out,
                               struct wsim_diag *diag) {
    return (plan->variants ? run_group : run_warp)(op, arch, plan, in, out, diag);
}
