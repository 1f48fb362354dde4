/* Frequent instructions on integers: one loop over 32 lanes that compilers turn into vectors. */
#include "quick.h"

/* All lanes, or those of a part of them. Rows of the same instruction may be the same row. */
#define LOOP(type, expression)                                                                     \
    type *to = (type *)(void *)(frame + op->at[0]);                                                \
    const type *a = (const type *)(const void *)(frame + op->at[1]);                               \
    const type *b = (const type *)(const void *)(frame + op->at[2]);                               \
    (void)warp, (void)a, (void)b;                                                                  \
    if (lanes == 0xFFFFFFFFu)                                                                      \
        for (unsigned i = 0; i < RUN_LANES; i++)                                                   \
            to[i] = (expression);                                                                  \
    else                                                                                           \
        for (unsigned i = 0; i < RUN_LANES; i++)                                                   \
            to[i] = lanes >> i & 1 ? (expression) : to[i];                                         \
    return RUN_ON;

#define BOTH(name, expression)                                                                     \
    static enum run_next name##_32(uint8_t *frame, const struct run_op *op, uint32_t lanes,        \
                                   struct run_warp *warp) {                                        \
        LOOP(uint32_t, expression)                                                                 \
    }                                                                                              \
    static enum run_next name##_64(uint8_t *frame, const struct run_op *op, uint32_t lanes,        \
                                   struct run_warp *warp) {                                        \
        LOOP(uint64_t, expression)                                                                 \
    }

BOTH(copy, a[i])
BOTH(add, a[i] + b[i])
BOTH(subtract, a[i] - b[i])
BOTH(multiply, a[i] * b[i])
BOTH(both, a[i] & b[i])
BOTH(either, a[i] | b[i])
BOTH(one, a[i] ^ b[i])

struct quick {
    uint8_t method;
    run_step *words, *longs;
};

static const struct quick quicks[] = {
    {SCALAR_METHOD_MOVE, copy_32, copy_64},
    {SCALAR_METHOD_ADD_INT, add_32, add_64},
    {SCALAR_METHOD_SUB_INT, subtract_32, subtract_64},
    {SCALAR_METHOD_AND, both_32, both_64},
    {SCALAR_METHOD_MUL_INT, multiply_32, multiply_64},
    {SCALAR_METHOD_OR, either_32, either_64},
    {SCALAR_METHOD_XOR, one_32, one_64},
};

/* Words that change what the loops above compute. */
static int is_plain(const struct scalar_meaning *meaning) {
    return !meaning->sat && !meaning->carry_in && !meaning->carry_out && meaning->types == 1 &&
           (meaning->method != SCALAR_METHOD_MUL_INT || meaning->half == SCALAR_LO);
}

run_step *quick_step(struct run_plan *plan, const struct run_row *out, unsigned outs,
                     const struct run_row *in, unsigned ins) {
    unsigned bits = isa_scalar_types[plan->meaning.type[0]].bits;
    unsigned elements = isa_scalar_types[plan->meaning.type[0]].elements;
    if (outs != 1 || !ins || ins > 2 || !is_plain(&plan->meaning) || elements != 1 ||
        (bits != 32 && bits != 64) || out[0].bits != bits)
        return NULL;
    for (unsigned i = 0; i < ins; i++)
        if (in[i].bits != bits)
            return NULL;
    plan->op->at[0] = out[0].at;
    for (unsigned i = 0; i < ins; i++)
        plan->op->at[1 + i] = in[i].at;
    for (unsigned i = 0; i < sizeof quicks / sizeof quicks[0]; i++)
        if (quicks[i].method == plan->meaning.method)
            return bits == 32 ? quicks[i].words : quicks[i].longs;
    return NULL;
}
