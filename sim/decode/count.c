/* The code that counts each access of shared memory, and the machine access that it joins. */
#include "count.h"
#include "merge.h"
#include "uses.h"
#include "varying.h"

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

/* The last instruction before `at` that writes a register; PTX_NO_GUARD: there is none. */
static uint32_t writer_before(const struct run_build *build, uint32_t at, uint32_t reg) {
    const struct run_uses *uses = &build->uses;
    while (at-- > 0)
        for (uint32_t u = uses->first[at]; u < uses->first[at + 1]; u++)
            if (uses->reg[u] == reg && uses->what[u] & USES_WRITE)
                return at;
    return PTX_NO_GUARD;
}

/* The instruction that makes an operand of instruction `at`; NULL: it is not known. */
static const struct ptx_instruction *maker_of(const struct run_build *build, uint32_t *at,
                                              const struct ptx_operand *operand) {
    *at =
        operand->kind == PTX_OP_REGISTER ? writer_before(build, *at, operand->index) : PTX_NO_GUARD;
    return *at == PTX_NO_GUARD ? NULL : &build->source->code[*at];
}

static int is_thread(const struct run_build *build, uint32_t at,
                     const struct ptx_operand *operand) {
    const struct ptx_instruction *maker = maker_of(build, &at, operand);
    const struct ptx_operand *source = maker ? &build->source->operands[maker->first + 1] : NULL;
    return maker && maker->count == 2 && source->kind == PTX_OP_SPECIAL &&
           source->index == PTX_SR_TID_X;
}

/* Whether one side is %tid.x, or both are compared as a difference from it. */
static int compares_thread(const struct run_build *build, uint32_t at,
                           const struct ptx_operand *compared) {
    const struct ptx_instruction *maker;
    const struct scalar_meaning *made;
    if (is_thread(build, at, &compared[0]) || is_thread(build, at, &compared[1]))
        return 1;
    maker = maker_of(build, &at, &compared[0]);
    made = maker ? build_meaning(build, at) : NULL;
    return made && made->method == SCALAR_METHOD_SUB_INT && compared[1].kind == PTX_OP_INTEGER &&
           !compared[1].value && is_thread(build, at, &build->source->operands[maker->first + 1]);
}

/* Whether a branch before the block of an atomic leaves it out unless %tid.x has some value. The
 * assembler expects one lane then, and leaves the atomic as it is. */
static int is_of_one_thread(const struct run_build *build, uint32_t at) {
    const struct ptx_instruction *branch;
    const struct scalar_meaning *meaning;
    uint32_t begin = at, set;
    while (begin > 0 && !build->leads[begin])
        begin--;
    branch = begin > 0 ? &build->source->code[begin - 1] : NULL;
    if (!branch || branch->guard == PTX_NO_GUARD)
        return 0;
    set = writer_before(build, begin - 1, branch->guard);
    meaning = set == PTX_NO_GUARD ? NULL : build_meaning(build, set);
    return meaning && meaning->method == SCALAR_METHOD_SETP &&
           meaning->compare == (branch->guard_not ? SCALAR_EQ : SCALAR_NE) &&
           build->source->code[set].count == 3 &&
           compares_thread(build, set,
                           &build->source->operands[build->source->code[set].first + 1]);
}

enum wsim_status count_reduced_plan(struct run_plan *plan, const struct ptx_operand *address,
                                    const struct ptx_operand *value) {
    struct run_build *build = plan->build;
    if (build->module->flags & WSIM_MODULE_AS_WRITTEN || build->source->debug ||
        is_of_one_thread(build, (uint32_t)(plan->instruction - plan->function->code)))
        return WSIM_OK;
    if (!build->varying)
        build->varying = varying_find(build);
    if (!build->varying)
        return base_refuse(plan->diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory");
    if (!varying_is_uniform(build, build->varying, address))
        return WSIM_OK;
    plan->op->at[COUNT_CODE] |= COUNT_REDUCED;
    if (value && !varying_is_uniform(build, build->varying, value))
        plan->op->at[COUNT_CODE] |= COUNT_WHOLE;
    return WSIM_OK;
}

const struct run_merged *count_merged(const struct run_program *program, const struct run_op *op) {
    const int loads_or_stores = op->traffic == RUN_TRAFFIC_LOAD || op->traffic == RUN_TRAFFIC_STORE;
    return program->n_merged && loads_or_stores && op->at[COUNT_CODE] & COUNT_MERGED
               ? &program->merged[op->at[COUNT_CODE] & ~COUNT_MERGED]
               : NULL;
}
