/* A digest: cases by number, which the GPU made as the model does, and one sum over their results.
 */
#include "../base/base.h"
#include "trace.h"

#include <wsim/cases.h>

/* One case of the set. */
struct numbered {
    const struct trace_case *now;
    const struct wsim_arch *arch;
    struct wsim_plan plan;
    uint32_t in[WSIM_CASE_ROWS * WSIM_LANES], out[WSIM_CASE_ROWS * WSIM_LANES];
};

static enum wsim_status add_case(struct numbered *n, uint64_t number, uint64_t *digest,
                                 struct wsim_diag *diag) {
    const uint64_t *field = n->now->number;
    struct wsim_case c =
        wsim_case_at(&n->plan, field[TRACE_SEED], number, (unsigned)field[TRACE_DIST]);
    struct wsim_diag why = {WSIM_OK, 0, 0, ""};
    enum wsim_status status;
    wsim_case_fill(&n->plan, &c, n->in);
    status = wsim_case_run(&n->now->op, n->arch, &n->plan, n->in, n->out, &why);
    if (status)
        return base_refuse(diag, status, 0, "case %llu: %s", (unsigned long long)number, why.text);
    *digest += wsim_case_digest(number, n->out, n->plan.out_rows * WSIM_LANES);
    return WSIM_OK;
}

/* As a number for wsim_plan_make, which refuses what is too large. */
static unsigned selector_of(const struct trace_case *now) {
    uint64_t selector = trace_has(now, TRACE_SEL) ? now->number[TRACE_SEL] : 0;
    return selector < UINT32_MAX ? (unsigned)selector : UINT32_MAX;
}

enum wsim_status trace_digest(const struct trace_case *now, const struct wsim_arch *arch,
                              uint64_t *digest, struct wsim_diag *diag) {
    uint64_t stream = now->number[TRACE_STREAM], sum = 0, i;
    struct numbered n = {.now = now, .arch = arch};
    enum wsim_status status;
    if (stream != WSIM_STREAM)
        return base_refuse(diag, WSIM_UNMODELLED, 0,
                           "operands of stream %llu; this wsim makes those of stream %d",
                           (unsigned long long)stream, WSIM_STREAM);
    status = wsim_op_check(&now->op, arch, diag);
    if (!status)
        status = wsim_plan_make(&now->op, selector_of(now), &n.plan, diag);
    for (i = 0; i < now->number[TRACE_CASES] && !status; i++)
        status = add_case(&n, now->number[TRACE_FIRST] + i, &sum, diag);
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
