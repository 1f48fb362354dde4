/* The code that counts each access of shared memory, and the machine access that it joins. */
#include "count.h"
#include "merge.h"

#include <stdlib.h>

/* *number: of the code that counts an access, + 1; 0: there is none. */
static enum wsim_status find_code(struct run_plan *plan, enum scalar_method method, unsigned bytes,
                                  uint32_t *number) {
    const uint8_t operation = bytes ? SCALAR_NO_OPERATION : plan->meaning.operation;
    struct wsim_op op, *kept;
    enum wsim_status status;
    *number = 0;
    if (!isa_scalar_access(method, operation, plan->meaning.type[0], bytes, &op))
        return WSIM_OK;
    kept = plan_keep(plan, sizeof *kept);
    if (!kept)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    *kept = op;
    status = plan_code(plan, kept, number);
    *number += !status;
    return status;
}

/* An access that is another one in machine code. */
static enum wsim_status plan_merged(struct run_plan *plan, enum scalar_method method,
                                    const struct build_merge *merge) {
    struct run_program *program = plan->build->program;
    struct run_merged *grown, *merged;
    enum wsim_status status = WSIM_OK;
    if (!(program->n_merged & (program->n_merged - 1))) {
        const size_t room = program->n_merged ? 2u * (size_t)program->n_merged : 1;
        grown = realloc(program->merged, room * sizeof *grown);
        if (!grown)
            return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
        program->merged = grown;
    }
    merged = &program->merged[program->n_merged];
    *merged =
        (struct run_merged){.written = plan->op->at[COUNT_CODE],
                            .function = (uint32_t)(plan->build->function - program->functions),
                            .line = plan->instruction->line,
                            .head = plan->function->code[merge->head - 1].line,
                            .n = merge->n};
    plan->op->at[COUNT_CODE] = COUNT_MERGED | program->n_merged++;
    for (unsigned i = 0; i < merge->n && !status; i++) {
        merged->access[i].from = merge->access[i].from;
        merged->access[i].bytes = merge->access[i].bytes;
        merged->access[i].aligned = merge->access[i].aligned;
        merged->access[i].unrolled = merge->access[i].unrolled;
        status = find_code(plan, method, merge->access[i].bytes, &merged->access[i].code);
    }
    return status;
}

enum wsim_status count_plan(struct run_plan *plan, enum scalar_method method, unsigned bytes) {
    const struct build_merge *merge =
        merge_of(plan->build, (uint32_t)(plan->instruction - plan->function->code));
    enum wsim_status status = find_code(plan, method, bytes, &plan->op->at[COUNT_CODE]);
    return status || !merge ? status : plan_merged(plan, method, merge);
}

const struct run_merged *count_merged(const struct run_program *program, const struct run_op *op) {
    const int loads_or_stores = op->traffic == RUN_TRAFFIC_LOAD || op->traffic == RUN_TRAFFIC_STORE;
    return program->n_merged && loads_or_stores && op->at[COUNT_CODE] & COUNT_MERGED
               ? &program->merged[op->at[COUNT_CODE] & ~COUNT_MERGED]
               : NULL;
}
