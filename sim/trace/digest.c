/* A digest: cases by number, which the GPU made as the model does, and one sum over their results.
 */
#include "../base/base.h"
#include "trace.h"

#include <stdlib.h>
#include <wsim/harness/cases.h>

/* The words of one case, made, executed, summed up, and then those of the next. */
struct block {
    struct wsim_plan plan;
    uint32_t *in, *out;
};

static enum wsim_status add_case(const struct trace_case *now, const struct wsim_arch *arch,
                                 const struct block *block, uint64_t number, uint64_t *sum,
                                 struct wsim_diag *diag) {
    const struct wsim_plan *plan = &block->plan;
    struct wsim_case c =
        wsim_case_at(plan, now->number[TRACE_SEED], number, (unsigned)now->number[TRACE_DIST]);
    struct wsim_diag why = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status;
    wsim_case_fill(plan, &c, block->in);
    status = wsim_case_run(&now->op, arch, plan, block->in, block->out, &why);
    if (status)
        return base_repeat(diag, &why, 0, "case %llu: %s", (unsigned long long)number, why.text);
    *sum += wsim_case_digest(number, block->out, plan->out_rows * WSIM_LANES);
    return WSIM_OK;
}

/* All cases through the same words, which are on the heap: a warpgroup has up to 300 KB of them. */
static enum wsim_status add_cases(const struct trace_case *now, const struct wsim_arch *arch,
                                  struct block *block, uint64_t *sum, struct wsim_diag *diag) {
    const size_t row = WSIM_LANES * sizeof *block->in;
    enum wsim_status status = WSIM_OK;
    block->in = malloc((block->plan.in_rows + (size_t)block->plan.out_rows) * row);
    if (!block->in)
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "no memory for the words of a case");
    block->out = block->in + block->plan.in_rows * WSIM_LANES;
    for (uint64_t i = 0; i < now->number[TRACE_CASES] && !status; i++)
        status = add_case(now, arch, block, now->number[TRACE_FIRST] + i, sum, diag);
    free(block->in);
    return status;
}

enum wsim_status trace_digest(const struct trace_case *now, const struct wsim_arch *arch,
                              uint64_t *digest, struct wsim_diag *diag) {
    uint64_t stream = now->number[TRACE_STREAM], sum = 0;
    struct block block;
    enum wsim_status status;
    if (stream != WSIM_STREAM)
        return base_refuse(diag, RULE_TRACE_DIGEST_STREAM, 0,
                           "operands of stream %llu; this wsim makes those of stream %d",
                           (unsigned long long)stream, WSIM_STREAM);
    status = wsim_op_check(&now->op, arch, diag);
    if (!status)
        status = wsim_plan_make(&now->op, trace_number(now, TRACE_SEL), &block.plan, diag);
    if (!status)
        status = add_cases(now, arch, &block, &sum, diag);
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
    digest->selector = trace_number(&trace->now, TRACE_SEL);
    digest->sum = number[TRACE_DIGEST];
    return 1;
}
