/* Operations of a program while it is decoded. */
#include "build.h"

#include <stdlib.h>

struct run_op *build_op(struct run_build *build, uint32_t where) {
    if (build->n_ops == build->room_ops) {
        uint32_t room = build->room_ops ? 2 * build->room_ops : 256;
        struct run_op *ops = realloc(build->ops, room * sizeof *ops);
        uint32_t *places;
        if (!ops)
            return NULL;
        build->ops = ops;
        places = realloc(build->where, room * sizeof *places);
        if (!places)
            return NULL;
        build->where = places;
        build->room_ops = room;
    }
    build->where[build->n_ops] = where;
    memset(&build->ops[build->n_ops], 0, sizeof build->ops[0]);
    return &build->ops[build->n_ops++];
}

const struct scalar_meaning *build_meaning(const struct run_build *build, uint32_t instruction) {
    uint32_t opcode = build->source->code[instruction].opcode;
    return build->ptx->opcodes[opcode].kind == PTX_SCALAR ? &build->module->meanings[opcode] : NULL;
}

/* Inserts an operation before the instruction's own, which moves after it. */
struct run_op *plan_before(struct run_plan *plan) {
    struct run_build *build = plan->build;
    uint32_t where = build->where[build->n_ops - 1];
    struct run_op *op = build_op(build, where);
    if (!op)
        return NULL;
    build->ops[build->n_ops - 1] = build->ops[build->n_ops - 2];
    op = &build->ops[build->n_ops - 2];
    memset(op, 0, sizeof *op);
    op->position = build->ops[build->n_ops - 1].position;
    op->leads = build->ops[build->n_ops - 1].leads;
    build->ops[build->n_ops - 1].leads = 0;
    build->where[build->n_ops - 2] = RUN_NOWHERE;
    plan->op = &build->ops[build->n_ops - 1];
    return op;
}
