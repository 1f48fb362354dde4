/* A digest: cases by number, which the GPU made as the model does, and one sum over their results.
 */
#include "../base/base.h"
#include "trace.h"

#include <stdlib.h>
#include <wsim/harness/cases.h>

/* One case, made, executed, summed up, and then the next in the same words. */
struct numbered {
    struct wsim_plan plan;
    struct wsim_case_scratch scratch;
    uint32_t in[WSIM_CASE_ROWS * WSIM_LANES], out[WSIM_CASE_RESULTS * WSIM_LANES];
};

static enum wsim_status add_case(const struct trace_case *now, const struct wsim_code *code,
                                 struct numbered *one, uint64_t number, uint64_t *sum,
                                 struct wsim_diag *diag) {
    const struct wsim_plan *plan = &one->plan;
    struct wsim_case c =
        wsim_case_at(plan, now->number[TRACE_SEED], number, (unsigned)now->number[TRACE_DIST]);
    struct wsim_diag why = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status;
    wsim_case_fill(plan, &c, one->in);
    status = wsim_case_run(code, plan, one->in, one->out, &one->scratch, &why);
    if (status)
        return base_repeat(diag, &why, 0, "case %llu: %s", (unsigned long long)number, why.text);
    *sum += wsim_case_digest(number, one->out, plan->out_rows * WSIM_LANES);
    return WSIM_OK;
}

/* What a case needs is on the heap while there are cases: of a warpgroup it is 300 KB and more. */
enum wsim_status trace_digest(const struct trace_case *now, const struct wsim_code *code,
                              uint64_t *digest, struct wsim_diag *diag) {
    uint64_t stream = now->number[TRACE_STREAM], sum = 0;
    struct numbered *one;
    enum wsim_status status;
    if (stream != WSIM_STREAM)
        return base_refuse(diag, RULE_TRACE_DIGEST_STREAM, 0,
                           "operands of stream %llu; this wsim makes those of stream %d",
                           (unsigned long long)stream, WSIM_STREAM);
    one = malloc(sizeof *one);
    if (!one)
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "no memory for the words of a case");
    status = wsim_plan_make(&now->op, trace_number(now, TRACE_SEL), &one->plan, diag);
    for (uint64_t i = 0; i < now->number[TRACE_CASES] && !status; i++)
        status = add_case(now, code, one, now->number[TRACE_FIRST] + i, &sum, diag);
    free(one);
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
