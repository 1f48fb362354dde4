/* run.c - a case as a block of words: made, and executed. */
#include <wsim/cases.h>

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

/* Bytes of the window, little-endian words of the block. */
static void to_bytes(const uint32_t *words, uint8_t *bytes) {
    for (int i = 0; i < WSIM_CASE_WINDOW_BYTES; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}

static void to_words(const uint8_t *bytes, uint32_t *words) {
    memset(words, 0, WSIM_CASE_WINDOW_BYTES);
    for (int i = 0; i < WSIM_CASE_WINDOW_BYTES; i++)
        words[i / 4] |= (uint32_t)bytes[i] << 8 * (i % 4);
}

enum wsim_status wsim_case_run(const struct wsim_op *op, const struct wsim_arch *arch,
                               const struct wsim_plan *plan, const uint32_t *in, uint32_t *out,
                               struct wsim_diag *diag) {
    struct wsim_regs a, b, c, r, d;
    uint8_t bytes[WSIM_CASE_WINDOW_BYTES];
    struct wsim_smem smem = {bytes, sizeof bytes};
    const uint32_t *pick = rows_of(plan, WSIM_IN_PICK, in),
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
                               .addr = rows_of(plan, WSIM_IN_ADDR, in)};
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
