/* A digest: cases by number, with equal operands on GPU and model, and one sum over their results.
 */
#include "../../sim/base/base.h"
#include "trace.h"

#include <stdlib.h>
#include <wsim/harness/cases.h>

/* Cases are made and executed one after another in one block of words. The results of several are
 * kept and then summed together. */
enum { TOGETHER = 16 };

struct numbered {
    struct wsim_plan plan;
    struct wsim_case_scratch scratch;
    uint32_t in[WSIM_CASE_ROWS * WSIM_LANES], out[TOGETHER * WSIM_CASE_RESULTS * WSIM_LANES];
};

static enum wsim_status run_case(const struct trace_case *now, const struct wsim_code *code,
                                 struct numbered *some, uint64_t number, uint32_t *out,
                                 struct wsim_diag *diag) {
    const struct wsim_plan *plan = &some->plan;
    struct wsim_case c =
        wsim_case_at(plan, now->number[TRACE_SEED], number, (unsigned)now->number[TRACE_DIST]);
    struct wsim_diag why;
    enum wsim_status status;
    wsim_case_fill(plan, &c, some->in);
    status = wsim_case_run(code, plan, some->in, out, &some->scratch, &why);
    if (status)
        return base_repeat(diag, &why, 0, "case %llu: %s", (unsigned long long)number, why.text);
    return WSIM_OK;
}

static enum wsim_status add_cases(const struct trace_case *now, const struct wsim_code *code,
                                  struct numbered *some, uint64_t first, uint32_t cases,
                                  uint64_t *sum, struct wsim_diag *diag) {
    uint32_t words = some->plan.out_rows * WSIM_LANES;
    enum wsim_status status = WSIM_OK;
    for (uint32_t i = 0; i < cases && !status; i++)
        status = run_case(now, code, some, first + i, some->out + i * words, diag);
    if (!status)
        *sum += wsim_case_digests(first, cases, some->out, words);
    return status;
}

/* The memory of cases is on the heap: a warpgroup needs more than 300 KB. */
enum wsim_status trace_digest(const struct trace_case *now, const struct wsim_code *code,
                              uint64_t *digest, struct wsim_diag *diag) {
    uint64_t stream = now->number[TRACE_STREAM], cases = now->number[TRACE_CASES], sum = 0;
    struct numbered *some;
    enum wsim_status status;
    if (stream != WSIM_STREAM)
        return base_refuse(diag, RULE_TRACE_DIGEST_STREAM, 0,
                           "operands of stream %llu; this wsim makes stream %d",
                           (unsigned long long)stream, WSIM_STREAM);
    some = malloc(sizeof *some);
    if (!some)
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "no memory for the words of a case");
    status = wsim_plan_make(&now->op, trace_number(now, TRACE_SEL), &some->plan, diag);
    for (uint64_t i = 0; i < cases && !status; i += TOGETHER)
        status = add_cases(now, code, some, now->number[TRACE_FIRST] + i,
                           cases - i < TOGETHER ? (uint32_t)(cases - i) : TOGETHER, &sum, diag);
    free(some);
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
