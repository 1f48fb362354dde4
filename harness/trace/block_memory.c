/* The memory of a case as part of its block: the window of a wgmma with its descriptors, and the
 * lines of a wmma. */
#include "../../sim/base/base.h"
#include "trace.h"

#include <string.h>

enum { ROW_BYTES = 4 * WSIM_LANES };

/* Little-endian words of the block; missing bytes are zero. */
static void put_bytes(const struct trace_bytes *from, unsigned rows, uint32_t *words) {
    memset(words, 0, (size_t)rows * ROW_BYTES);
    for (size_t i = 0; i < from->size; i++)
        words[i / 4] |= (uint32_t)from->at[i] << 8 * (i % 4);
}

static enum wsim_status check_size(const struct trace_case *now, unsigned most,
                                   struct wsim_diag *diag) {
    if (now->smem.size <= most)
        return WSIM_OK;
    return base_refuse(diag, RULE_TRACE_BLOCK_SIZE, 0,
                       "the recorded window has 0x%lx bytes, a case at most 0x%x",
                       (unsigned long)now->smem.size, most);
}

/* --- wgmma --- */

static const struct {
    enum trace_field_id field;
    uint8_t how;
} choices[] = {{TRACE_SCALE_D, WSIM_CHOICE_SCALE_D},
               {TRACE_SCALE_A, WSIM_CHOICE_NEGATE_A},
               {TRACE_SCALE_B, WSIM_CHOICE_NEGATE_B},
               {TRACE_TRANSPOSE_A, WSIM_CHOICE_TRANS_A},
               {TRACE_TRANSPOSE_B, WSIM_CHOICE_TRANS_B}};

enum { CHOICES = sizeof choices / sizeof choices[0] };

enum wsim_status trace_group_check(const struct trace_case *now, struct wsim_plan *plan,
                                   struct wsim_diag *diag) {
    struct wsim_plan_input *a = &plan->input[WSIM_IN_MATRIX_A], *b = &plan->input[WSIM_IN_MATRIX_B];
    for (unsigned i = 0; i < CHOICES; i++)
        if (trace_number(now, choices[i].field) > 1)
            return base_refuse(diag, RULE_WGMMA_FLAG_RANGE, 0, "%s=%u: must be 0 or 1",
                               trace_fields[choices[i].field].name,
                               trace_number(now, choices[i].field));
    plan->in_rows -= (uint32_t)a->rows + b->rows;
    a->rows = 0;
    b->first = a->first;
    b->rows = (uint16_t)((now->smem.size + ROW_BYTES - 1) / ROW_BYTES);
    plan->in_rows += b->rows;
    return check_size(now, WSIM_CASE_SHARED_BYTES, diag);
}

void trace_group_put(const struct trace_case *now, const struct wsim_plan *plan, uint32_t *in) {
    const struct wsim_plan_input *b = &plan->input[WSIM_IN_MATRIX_B];
    uint32_t *how = in + plan->input[WSIM_IN_HOW].first * WSIM_LANES;
    uint64_t desc[2] = {trace_has(now, TRACE_DESC_A) ? now->number[TRACE_DESC_A] : 0,
                        now->number[TRACE_DESC_B]};
    memset(how, 0, ROW_BYTES);
    for (unsigned i = 0; i < WSIM_CHOICE_WORD; i++)
        how[i] = (uint32_t)(desc[i / 2] >> 32 * (i % 2));
    for (unsigned i = 0; i < CHOICES; i++)
        how[WSIM_CHOICE_WORD] |= trace_number(now, choices[i].field) ? choices[i].how : 0u;
    if (trace_has(now, TRACE_A))
        how[WSIM_CHOICE_WORD] |= WSIM_CHOICE_REGISTERS;
    else
        memset(in + plan->input[WSIM_IN_A].first * WSIM_LANES, 0,
               (size_t)plan->input[WSIM_IN_A].rows * ROW_BYTES);
    put_bytes(&now->smem, b->rows, in + b->first * WSIM_LANES);
}

/* --- wmma --- */

enum wsim_status trace_lines_check(const struct trace_case *now, const struct wsim_plan *plan,
                                   struct wsim_diag *diag) {
    return check_size(now, plan->input[WSIM_IN_SMEM].rows * (unsigned)ROW_BYTES, diag);
}

void trace_lines_put(const struct trace_case *now, const struct wsim_plan *plan, uint32_t *in,
                     uint32_t *expected) {
    const struct wsim_plan_input *window = &plan->input[WSIM_IN_SMEM];
    uint32_t *how = in + plan->input[WSIM_IN_HOW].first * WSIM_LANES;
    unsigned stride = trace_number(now, TRACE_STRIDE);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        how[lane] = stride ? stride : plan->lines.across;
    memcpy(in + plan->input[WSIM_IN_ADDR].first * WSIM_LANES, now->addr, sizeof now->addr);
    put_bytes(&now->smem, window->rows, in + window->first * WSIM_LANES);
    if (plan->store && expected)
        put_bytes(&now->smem_after, window->rows, expected);
}
