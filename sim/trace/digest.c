/* A digest: cases by number, which the GPU made as the model does, and one sum over their results.
 */
#include "../base/base.h"
#include "trace.h"

#include <wsim/harness/cases.h>

static enum wsim_status add_case(struct wsim_trace *trace, const struct wsim_arch *arch,
                                 uint64_t number, uint64_t *digest, struct wsim_diag *diag) {
    const uint64_t *field = trace->now.number;
    struct trace_block *block = &trace->block;
    struct wsim_case c =
        wsim_case_at(&block->plan, field[TRACE_SEED], number, (unsigned)field[TRACE_DIST]);
    struct wsim_diag why = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status;
    wsim_case_fill(&block->plan, &c, block->in);
    status = wsim_case_run(&trace->now.op, arch, &block->plan, block->in, block->out, &why);
    if (status)
        return base_repeat(diag, &why, 0, "case %llu: %s", (unsigned long long)number, why.text);
    *digest += wsim_case_digest(number, block->out, block->plan.out_rows * WSIM_LANES);
    return WSIM_OK;
}

/* As a number for wsim_plan_make, which refuses what is too large. */
static unsigned selector_of(const struct trace_case *now) {
    uint64_t selector = trace_has(now, TRACE_SEL) ? now->number[TRACE_SEL] : 0;
    return selector < UINT32_MAX ? (unsigned)selector : UINT32_MAX;
}

enum wsim_status trace_digest(struct wsim_trace *trace, const struct wsim_arch *arch,
                              uint64_t *digest, struct wsim_diag *diag) {
    const struct trace_case *now = &trace->now;
    uint64_t stream = now->number[TRACE_STREAM], sum = 0, i;
    enum wsim_status status;
    if (stream != WSIM_STREAM)
        return base_refuse(diag, RULE_TRACE_DIGEST_STREAM, 0,
                           "operands of stream %llu; this wsim makes those of stream %d",
                           (unsigned long long)stream, WSIM_STREAM);
    status = wsim_op_check(&now->op, arch, diag);
    if (!status)
        status = wsim_plan_make(&now->op, selector_of(now), &trace->block.plan, diag);
    for (i = 0; i < now->number[TRACE_CASES] && !status; i++)
        status = add_case(trace, arch, now->number[TRACE_FIRST] + i, &sum, diag);
    if (!status)
        *digest = sum;
    return status;
}

int wsim_trace_is_digest(const struct wsim_trace *trace, struct wsim_trace_digest *digest) {
    const uint64_t *number = trace->now.number;
    if (!(trace->now.runs & RUN_DIGEST))
        return 0;
    digest->stream = number[TRACE_STREAM];
    digest->seed = number[TRACE_SEED];
    digest->first = number[TRACE_FIRST];
    digest->cases = number[TRACE_CASES];
    digest->dist = (unsigned)number[TRACE_DIST];
    digest->selector = selector_of(&trace->now);
    digest->sum = number[TRACE_DIGEST];
    return 1;
}
