/* run.c - executes a case, a block of words. */
#include <wsim/harness/cases.h>

enum { ROW_BYTES = 4 * WSIM_LANES };

static const uint32_t *words_of(const struct wsim_plan *plan, enum wsim_input which,
                                const uint32_t *in) {
    return plan->input[which].rows ? in + plan->input[which].first * WSIM_LANES : NULL;
}

/* Registers in the block have the form of struct wsim_io: one row each. */
static const uint32_t *const *rows_of(const struct wsim_plan *plan, enum wsim_input which,
                                      const struct wsim_case_scratch *scratch) {
    return plan->input[which].rows ? scratch->in + plan->input[which].first : NULL;
}

static void point(const struct wsim_plan *plan, const uint32_t *in, uint32_t *out,
                  struct wsim_case_scratch *scratch) {
    for (unsigned row = 0; row < plan->input[WSIM_IN_SMEM].first; row++)
        scratch->in[row] = in + row * WSIM_LANES;
    for (unsigned row = 0; row < plan->out_rows && !plan->store; row++)
        scratch->out[row] = out + row * WSIM_LANES;
}

/* Memory of the case in rows of the block: a window, or the two consecutive parts of a warpgroup's
 * window. */
static unsigned find_window(const struct wsim_plan *plan, enum wsim_input *first) {
    *first = plan->variants ? WSIM_IN_MATRIX_A : WSIM_IN_SMEM;
    return plan->variants
               ? (unsigned)plan->input[WSIM_IN_MATRIX_A].rows + plan->input[WSIM_IN_MATRIX_B].rows
               : plan->input[WSIM_IN_SMEM].rows;
}

static void to_bytes(const uint32_t *words, uint32_t size, uint8_t *bytes) {
    for (uint32_t i = 0; i < size / 4; i++)
        for (unsigned k = 0; k < 4; k++)
            bytes[4 * i + k] = (uint8_t)(words[i] >> 8 * k);
}

static void to_words(const uint8_t *bytes, uint32_t size, uint32_t *words) {
    for (uint32_t i = 0; i < size; i += 4)
        words[i / 4] = bytes[i] | (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16 |
                       (uint32_t)bytes[i + 3] << 24;
}

static uint64_t two_words(const uint32_t *words) {
    return words[0] | (uint64_t)words[1] << 32;
}

/* The choices of a case of a warpgroup are in `how`. */
static struct wsim_io_wgmma bind_wgmma(const struct wsim_plan *plan, const uint32_t *how,
                                       struct wsim_case_scratch *scratch) {
    uint32_t choice = how[WSIM_CHOICE_WORD];
    int in_registers = (choice & WSIM_CHOICE_REGISTERS) != 0;
    return (struct wsim_io_wgmma){
        .d = scratch->out,
        .a = in_registers ? rows_of(plan, WSIM_IN_A, scratch) : NULL,
        .c = rows_of(plan, WSIM_IN_C, scratch),
        .e = rows_of(plan, WSIM_IN_E, scratch),
        .desc_a = two_words(how),
        .desc_b = two_words(how + 2),
        .selector = plan->selector,
        .scale_d = (choice & WSIM_CHOICE_SCALE_D) != 0,
        .negate_a = (choice & WSIM_CHOICE_NEGATE_A) != 0,
        .negate_b = (choice & WSIM_CHOICE_NEGATE_B) != 0,
        .trans_a = (choice & WSIM_CHOICE_TRANS_A) != 0,
        .trans_b = (choice & WSIM_CHOICE_TRANS_B) != 0,
    };
}

static struct wsim_io_mma bind_mma(const struct wsim_plan *plan, const uint32_t *pick,
                                   struct wsim_case_scratch *scratch) {
    uint32_t picked = pick ? pick[0] : 0;
    return (struct wsim_io_mma){.d = scratch->out,
                                .a = rows_of(plan, WSIM_IN_A, scratch),
                                .b = rows_of(plan, WSIM_IN_B, scratch),
                                .c = rows_of(plan, WSIM_IN_C, scratch),
                                .e = rows_of(plan, WSIM_IN_E, scratch),
                                .sfa = rows_of(plan, WSIM_IN_SFA, scratch),
                                .sfb = rows_of(plan, WSIM_IN_SFB, scratch),
                                .selector = plan->selector,
                                .bid_a = picked & 0xff,
                                .tid_a = picked >> 8 & 0xff,
                                .bid_b = picked >> 16 & 0xff,
                                .tid_b = picked >> 24};
}

void wsim_case_bind(const struct wsim_plan *plan, const uint32_t *in, uint32_t *out,
                    struct wsim_case_scratch *scratch, struct wsim_io *io) {
    enum wsim_input first;
    uint32_t size = find_window(plan, &first) * ROW_BYTES;
    const uint32_t *how = words_of(plan, WSIM_IN_HOW, in);
    scratch->shared = wsim_memory_over(WSIM_SHARED, scratch->memory, size, 0);
    scratch->global = wsim_memory_over(WSIM_GLOBAL, scratch->memory, size, 0);
    point(plan, in, out, scratch);
    to_bytes(in + plan->input[first].first * WSIM_LANES, size, scratch->memory);
    *io = (struct wsim_io){.shared = size ? &scratch->shared : NULL,
                           .global = size ? &scratch->global : NULL};
    if (plan->variants)
        io->wgmma = bind_wgmma(plan, how, scratch);
    else if (plan->input[WSIM_IN_B].rows)
        io->mma = bind_mma(plan, words_of(plan, WSIM_IN_PICK, in), scratch);
    else
        io->move = (struct wsim_io_move){.d = plan->store ? NULL : scratch->out,
                                         .a = rows_of(plan, WSIM_IN_A, scratch),
                                         .r = rows_of(plan, WSIM_IN_R, scratch),
                                         .addr = words_of(plan, WSIM_IN_ADDR, in),
                                         .mask = UINT32_MAX,
                                         .stride = how ? how[0] : 0};
}

enum wsim_status wsim_case_run(const struct wsim_code *code, const struct wsim_plan *plan,
                               const uint32_t *in, uint32_t *out, struct wsim_case_scratch *scratch,
                               struct wsim_diag *diag) {
    struct wsim_io io;
    enum wsim_status status;
    wsim_case_bind(plan, in, out, scratch, &io);
    status = wsim_run(code, &io, diag);
    if (!status && plan->store)
        to_words(scratch->memory, (uint32_t)scratch->shared.size, out);
    return status;
}
