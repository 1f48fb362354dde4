/* Calls: the number of arguments, and the type of each. */
#include "shape.h"

#include <string.h>

/* An argument, as a parameter is described. */
struct argument {
    struct ptx_type type;
    uint64_t bytes; /* 0: no array */
    uint32_t align;
};

static int is_number(const struct ptx_operand *op) {
    return op->kind == PTX_OP_INTEGER || op->kind == PTX_OP_F32 || op->kind == PTX_OP_F64;
}

/* Describes a register or memory of parameters. Returns 0 for anything else. */
static int describe(const struct reader *r, const struct ptx_operand *op, struct argument *out) {
    uint64_t bytes;
    if (op->kind == PTX_OP_REGISTER) {
        *out =
            (struct argument){.type = VEC_AT(struct ptx_register, r->registers, op->index)->type};
        return !op->negated && !op->part;
    }
    if (op->kind == PTX_OP_VARIABLE) {
        const struct ptx_variable *v = VEC_AT(struct ptx_variable, r->variables, op->index);
        *out = (struct argument){.type = v->type, .align = v->align};
        bytes = v->bytes;
        if (v->space != PTX_PARAM)
            return 0;
    } else if ((op->kind == PTX_OP_PARAM || op->kind == PTX_OP_RESULT) && !r->function->is_entry) {
        const struct ptx_param *p = op->kind == PTX_OP_PARAM ? &r->function->params[op->index]
                                                             : &r->function->results[op->index];
        *out = (struct argument){.type = p->type, .align = p->align};
        bytes = p->bytes;
    } else {
        return 0;
    }
    out->bytes = bytes == (out->type.bits + 7u) / 8 ? 0 : bytes;
    return 1;
}

/* Types of equal width: bits go with all, integers with integers. */
static int types_fit(const struct ptx_type *a, const struct ptx_type *b) {
    const int mixes =
        (a->letter == 'u' || a->letter == 's') && (b->letter == 'u' || b->letter == 's');
    return a->bits == b->bits &&
           (a->letter == 'b' || b->letter == 'b' || mixes || strcmp(a->name, b->name) == 0);
}

static int argument_fits(const struct reader *r, const struct ptx_param *p,
                         const struct ptx_operand *op, int is_result) {
    struct argument argument;
    const uint64_t bytes = p->bytes == (p->type.bits + 7u) / 8 ? 0 : p->bytes;
    if (op->kind == PTX_OP_SINK)
        return is_result && !bytes;
    if (is_number(op))
        return !is_result && !bytes &&
               (p->type.letter == 'b' || (op->kind == PTX_OP_INTEGER) != (p->type.letter == 'f'));
    if (!describe(r, op, &argument) || argument.bytes != bytes)
        return 0;
    return bytes ? argument.type.bits == p->type.bits && argument.align == p->align
                 : types_fit(&p->type, &argument.type);
}

static void check_argument(struct reader *r, const struct ptx_function *f,
                           const struct ptx_param *p, const struct ptx_operand *op, int is_result,
                           struct place at) {
    if (p->open || p->vector > 1 || argument_fits(r, p, op, is_result))
        return;
    if (p->bytes == (p->type.bits + 7u) / 8)
        ptx_complain(r, RULE_PTX_OPERAND_TYPE, at,
                     "'%.60s' of '%.100s' is a .%s: this argument is %s of another type", p->name,
                     f->name, p->type.name, ptx_kind_name(op));
    else
        ptx_complain(r, RULE_PTX_OPERAND_TYPE, at,
                     "'%.60s' of '%.100s' has %u bytes, aligned to %u: this argument differs",
                     p->name, f->name, (unsigned)p->bytes, (unsigned)p->align);
}

static void check_arguments(struct reader *r, const struct ptx_function *f,
                            const struct piece *list, int is_result, struct place at) {
    const struct ptx_param *params = is_result ? f->results : f->params;
    const uint32_t wanted = is_result ? f->n_results : f->n_params;
    const int open = wanted && params[wanted - 1].open;
    uint32_t written = list ? list->op.count : 0;
    if (written == wanted || (open && written + 1 >= wanted)) {
        for (uint32_t i = 0; i < written && i < wanted; i++)
            check_argument(r, f, &params[i], &ELEMENTS_OF(r, &list->op)[i], is_result, list->at);
        return;
    }
    const char *what = is_result ? "results" : "parameters";
    ptx_complain(r, RULE_PTX_OPERAND_COUNT, list ? list->at : at,
                 "'%.100s' has %u %s, but %u %s given", f->name, (unsigned)wanted, what,
                 (unsigned)written, written == 1 ? "is" : "are");
}

/* The prototype that the last piece names, as a function. Returns 0 if it names none. */
static int prototype_of(const struct reader *r, const struct piece *last,
                        struct ptx_function *out) {
    const uint32_t bound = last->waits ? NAME_AT(r, last->waits)->bound : 0;
    if (!bound || BINDING_AT(r, bound)->meaning != MEANS_PROTOTYPE)
        return 0;
    const struct ptx_prototype *p =
        VEC_AT(struct ptx_prototype, r->prototypes, BINDING_AT(r, bound)->index);
    *out = (struct ptx_function){.name = "the prototype",
                                 .params = p->params,
                                 .n_params = p->n_params,
                                 .results = p->results,
                                 .n_results = p->n_results};
    return 1;
}

void ptx_check_call(struct reader *r, struct place at) {
    const struct piece *pieces = r->pieces.at;
    uint32_t target = 0;
    while (target < r->pieces.n && pieces[target].op.kind == PTX_OP_VECTOR)
        target++;
    if (target == r->pieces.n)
        return;
    const struct piece *last = &pieces[r->pieces.n - 1];
    if (pieces[target].op.kind == PTX_OP_REGISTER &&
        (last == &pieces[target] || last->op.kind == PTX_OP_VECTOR))
        ptx_complain(r, RULE_PTX_OPERAND_COUNT, at,
                     "a call through a register ends with the name of .callprototype or "
                     ".calltargets");
    struct ptx_function called;
    if (pieces[target].op.kind == PTX_OP_FUNCTION &&
        VEC_AT(struct ptx_function, r->functions, pieces[target].op.index)->is_entry)
        ptx_complain(r, RULE_PTX_OPERAND_KIND, at, "'call' takes a .func: an entry is launched");
    if (pieces[target].op.kind == PTX_OP_FUNCTION)
        called = *VEC_AT(struct ptx_function, r->functions, pieces[target].op.index);
    else if (!prototype_of(r, last, &called))
        return;
    const struct ptx_function *f = &called;
    const struct piece *behind = target + 1 < r->pieces.n ? &pieces[target + 1] : NULL;
    check_arguments(r, f, target ? &pieces[0] : NULL, 1, at);
    check_arguments(r, f, behind && behind->op.kind == PTX_OP_VECTOR ? behind : NULL, 0, at);
}
