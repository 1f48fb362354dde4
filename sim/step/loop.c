/* Finds basic blocks that jump to themselves, and prepares them for quick_loop.h. */
#include "loop.h"

#include "../decode/build.h"
#include "flow.h"
#include "quick.h"

/* A row that an operation reads or writes. */
struct touch {
    uint32_t at, bytes;
    uint8_t bits, writes;
};
enum { TOUCHES = 2 * (WSIM_SCALAR_IN + WSIM_SCALAR_OUT) + ACCESS_MOST };
struct touches {
    unsigned n;
    struct touch touch[TOUCHES];
};

/* Predicates are words of their own. */
static void touch(struct touches *touches, uint32_t at, unsigned bits, int writes) {
    if (bits > 1)
        touches->touch[touches->n++] =
            (struct touch){at,
                           RUN_LANES * (bits > 64   ? 16
                                        : bits > 32 ? 8
                                                    : 4),
                           (uint8_t)(bits <= 32 ? 32 : bits), (uint8_t)writes};
}

/* 0: the step may do more than a loop knows. */
static int find_touches(const struct run_op *op, struct touches *touches) {
    const struct data *data = op->more;
    const struct reach_plan *reach = op->more;
    unsigned bits;
    touches->n = 0;
    switch (quick_sort_of(op, &bits)) {
    case QUICK_DATA:
        for (unsigned i = 0; i < data->ins; i++)
            touch(touches, data->in[i].at, data->in[i].bits, 0);
        for (unsigned i = 0; i < data->outs; i++)
            touch(touches, data->out[i].at, data->out[i].bits, 1);
        return 1;
    case QUICK_ACCESS:
        touch(touches, reach->base.at, reach->base.bits, 0);
        for (unsigned e = 0; e < reach->elements; e++)
            touch(touches, reach->row[e].at, reach->row[e].bits, reach->kind == RUN_READ);
        return 1;
    case QUICK_JOIN:
        touch(touches, op->at[0], bits, 1);
        touch(touches, op->at[1], 32, 0);
        touch(touches, op->at[2], 32, 0);
        return 1;
    case QUICK_SPLIT:
        touch(touches, op->at[2], bits, 0);
        for (unsigned i = 0; i < 2; i++)
            if (op->immediate >> i & 1)
                touch(touches, op->at[i], 32, 1);
        return 1;
    default: return flow_does_nothing(op);
    }
}

/* --- rows with numbers --- */

static uint8_t number_of(const struct run_loop *loop, uint32_t at) {
    uint32_t i = 0;
    while (i < loop->n_rows && loop->rows[i].at != at)
        i++;
    return (uint8_t)(i < loop->n_rows ? i : LOOP_NONE);
}

/* 1: a row has got a number. */
static int give_number(struct run_loop *loop, uint32_t at, uint8_t bits) {
    if (loop->n_rows == LOOP_ROWS || number_of(loop, at) != LOOP_NONE)
        return 0;
    loop->rows[loop->n_rows++] = (struct loop_row){.at = at, .bits = bits};
    return 1;
}

static uint8_t width_of(const struct touches *touches, uint32_t at) {
    for (unsigned i = 0; i < touches->n; i++)
        if (touches->touch[i].at == at)
            return touches->touch[i].bits;
    return 0;
}

static void number_operands(struct run_loop *loop, const struct run_op *op, unsigned n,
                            int *found) {
    struct touches touches;
    find_touches(op, &touches);
    for (unsigned i = 0; i < n; i++)
        *found |= give_number(loop, op->at[1 + i], width_of(&touches, op->at[1 + i]));
}

static int computes(const struct loop_op *in) {
    return in->kind == LOOP_SUM_32 || in->kind == LOOP_SUM_64 || in->kind == LOOP_ONE;
}
static int accesses(const struct loop_op *in) {
    return in->kind >= LOOP_LOAD_GLOBAL_4;
}
static int loads(const struct loop_op *in) {
    return accesses(in) && !((in->kind - LOOP_LOAD_GLOBAL_4) & LOOP_STORES);
}

/* Rows that even rows are made of. */
static void number_sources(struct run_loop *loop, const struct run_op *ops) {
    int found = 1;
    while (found) {
        found = 0;
        for (uint32_t i = loop->n; i-- > 0;)
            if (computes(&loop->ops[i]) && number_of(loop, ops[i].at[0]) != LOOP_NONE)
                number_operands(loop, &ops[i], loop->ops[i].n_in, &found);
    }
}

/* Addresses first, then compared values, then factors that are loaded. */
static void number_rows(struct run_loop *loop, const struct run_op *ops) {
    int found;
    for (uint32_t i = 0; i < loop->n; i++) {
        const struct reach_plan *reach = ops[i].more;
        if (accesses(&loop->ops[i]))
            give_number(loop, reach->base.at, reach->base.bits);
    }
    number_sources(loop, ops);
    for (uint32_t i = 0; i < loop->n; i++)
        if (loop->ops[i].kind == LOOP_TEST)
            number_operands(loop, &ops[i], 2, &found);
    number_sources(loop, ops);
    for (uint32_t i = 0; i < loop->n; i++)
        for (uint32_t j = 0; loop->ops[i].kind == LOOP_PRODUCT && j < loop->n; j++) {
            const struct reach_plan *reach = ops[j].more;
            if (loads(&loop->ops[j]) &&
                (reach->row[0].at == ops[i].at[1] || reach->row[0].at == ops[i].at[2]))
                give_number(loop, reach->row[0].at, reach->row[0].bits);
        }
}

/* Constants of the function are the same in all lanes. */
static int is_constant(const struct run_function *function, uint32_t at) {
    for (uint32_t i = 0; i < function->n_constants; i++)
        if (function->constants[i].at == at)
            return 1;
    return 0;
}

/* Which rows with numbers an operation touches. 0: one of them by parts. */
static int note_touches(struct run_loop *loop, const struct touches *touches, struct loop_op *in,
                        uint64_t *written) {
    for (unsigned t = 0; t < touches->n; t++) {
        const struct touch *touch = &touches->touch[t];
        for (uint32_t r = 0; r < loop->n_rows; r++) {
            struct loop_row *row = &loop->rows[r];
            const uint32_t end = row->at + row->bits / 8u * RUN_LANES;
            if (touch->at >= end || touch->at + touch->bytes <= row->at)
                continue;
            if (touch->at != row->at || touch->bits != row->bits)
                return 0;
            *(touch->writes ? &in->writes : &in->reads) |= UINT64_C(1) << r;
        }
    }
    for (uint32_t r = 0; r < loop->n_rows; r++) {
        const uint64_t first = (in->guarded ? in->reads | in->writes : in->reads) & ~*written;
        loop->rows[r].enters |= first >> r & 1;
    }
    *written |= in->writes;
    return 1;
}

/* --- operations --- */

/* Numbers of operands. An operation that computes even rows needs all numbers. */
static void number_operation(const struct run_loop *loop, const struct run_op *op,
                             struct loop_op *in) {
    const struct reach_plan *reach = op->more;
    unsigned missing = 0;
    if (accesses(in)) {
        in->in[0] = number_of(loop, reach->base.at);
        in->to = number_of(loop, reach->row[0].at);
        if (!loads(in) && in->to != LOOP_NONE)
            in->stores = UINT64_C(1) << in->to;
        missing = in->in[0] == LOOP_NONE;
    }
    switch (in->kind) {
    case LOOP_PRODUCT:
        for (unsigned i = 0; i < 3; i++)
            in->in[i] = number_of(loop, op->at[1 + i]);
        missing = in->in[0] == LOOP_NONE && in->in[1] == LOOP_NONE;
        break;
    case LOOP_SUM_32:
    case LOOP_SUM_64:
    case LOOP_ONE:
    case LOOP_TEST:
        in->to = number_of(loop, op->at[0]);
        for (unsigned i = 0; i < in->n_in; i++)
            missing |= (in->in[i] = number_of(loop, op->at[1 + i])) == LOOP_NONE;
        missing |= in->kind != LOOP_TEST && in->to == LOOP_NONE;
        break;
    default: break;
    }
    if (missing)
        in->kind = LOOP_STEP;
}

/* Whether nothing reads the row of a load after operation `at`. A register of this block alone has
 * it, and the next access of the row writes. */
static int is_over(const struct run_loop *loop, const struct run_function *function,
                   const struct run_op *ops, uint32_t at, uint32_t row) {
    if (row < function->brief || row >= function->brief_end)
        return 0;
    while (++at + 1 < loop->n) {
        struct touches touches;
        int written = 0;
        find_touches(&ops[at], &touches);
        for (unsigned t = 0; t < touches.n; t++) {
            if (touches.touch[t].at != row)
                continue;
            if (!touches.touch[t].writes || loop->ops[at].guarded)
                return 0;
            written = 1;
        }
        if (written)
            return 1;
    }
    return 1;
}

/* Two loads and a product of what they load are one operation, if nothing else reads that. */
static void join_loads(struct run_loop *loop, const struct run_function *function,
                       const struct run_op *ops) {
    for (uint32_t i = 0; i + 3 < loop->n; i++) {
        struct loop_op *in = &loop->ops[i];
        const uint32_t a = in[0].row, b = in[1].row;
        const uint32_t *product = ops[i + 2].at;
        if (in[0].kind == LOOP_LOAD_GLOBAL_4 && in[1].kind == LOOP_LOAD_GLOBAL_4 &&
            in[2].kind == LOOP_PRODUCT && a != b && product[3] != a && product[3] != b &&
            ((product[1] == a && product[2] == b) || (product[1] == b && product[2] == a)) &&
            is_over(loop, function, ops, i + 2, a) && is_over(loop, function, ops, i + 2, b))
            in->kind = LOOP_LOADED;
    }
}

/* Whether an operation accesses bytes of a row. */
static int touches_row(const struct run_op *op, uint32_t row) {
    struct touches touches;
    find_touches(op, &touches);
    for (unsigned t = 0; t < touches.n; t++)
        if (touches.touch[t].at < row + 4 * RUN_LANES &&
            row < touches.touch[t].at + touches.touch[t].bytes)
            return 1;
    return 0;
}

/* Products that add to the one before, whose sum nothing else reads. */
static void chain_products(struct run_loop *loop, const struct run_function *function,
                           const struct run_op *ops) {
    uint32_t before = UINT32_MAX;
    for (uint32_t i = 0; i + 3 < loop->n; i++) {
        if (loop->ops[i].kind == LOOP_LOADED) {
            const uint32_t sum = ops[i + 2].at[3], to = ops[i + 2].at[0];
            loop->ops[i].chains =
                before == sum && (to == sum || is_over(loop, function, ops, i + 2, sum));
            before = to;
            i += 2;
        } else if (before != UINT32_MAX && touches_row(&ops[i], before)) {
            before = UINT32_MAX;
        }
    }
}

/* How many operations of the loop write a predicate. */
static unsigned count_writers(const struct run_loop *loop, const struct run_op *ops, uint32_t at) {
    unsigned bits, n = 0;
    for (uint32_t i = 0; i + 1 < loop->n; i++) {
        const struct data *data = ops[i].more;
        if (quick_sort_of(&ops[i], &bits) != QUICK_DATA)
            continue;
        for (unsigned k = 0; k < data->outs; k++)
            n += data->out[k].bits == 1 && data->out[k].at == at;
    }
    return n;
}

/* Finds the test that the jump asks, and the one sum that moves its first operand. */
static void find_counter(struct run_loop *loop, const struct run_op *ops) {
    const uint32_t guard = ops[loop->n - 1].guard;
    const struct loop_op *test = NULL;
    uint8_t step = LOOP_NONE, writers = 0;
    for (uint32_t i = 0; i + 1 < loop->n; i++)
        if (loop->ops[i].is_test && ops[i].at[0] == guard)
            test = &loop->ops[i];
    if (!test || test->shape.is_long || loop->written >> test->in[1] & 1)
        return;
    for (uint32_t i = 0; i + 1 < loop->n; i++) {
        const struct loop_op *in = &loop->ops[i];
        if (!(in->writes >> test->in[0] & 1))
            continue;
        writers++;
        if (in->kind == LOOP_SUM_32 && in->in[0] == test->in[0])
            step = in->in[1];
    }
    if (writers != 1 || step == LOOP_NONE || loop->written >> step & 1)
        return;
    loop->counter = (struct loop_counter){loop->rows[test->in[0]].at, loop->rows[step].at,
                                          loop->rows[test->in[1]].at, test};
}

/* The row that a register moves by in each round. */
static uint8_t step_of(const struct run_loop *loop, uint32_t row) {
    uint8_t step = LOOP_NONE;
    unsigned writers = 0;
    for (uint32_t i = 0; i + 1 < loop->n; i++) {
        const struct loop_op *in = &loop->ops[i];
        if (!(in->writes >> row & 1))
            continue;
        writers++;
        if (in->kind == LOOP_SUM_32 || in->kind == LOOP_SUM_64)
            step = in->in[0] == row ? in->in[1] : in->in[1] == row ? in->in[0] : LOOP_NONE;
    }
    return writers == 1 && step != LOOP_NONE && !(loop->written >> step & 1) ? step : LOOP_NONE;
}

static void find_row_steps(struct run_loop *loop) {
    loop->are_counters = 1;
    for (uint32_t r = 0; r < loop->n_rows; r++) {
        loop->rows[r].step = step_of(loop, r);
        if (loop->rows[r].enters && loop->written >> r & 1 && loop->rows[r].step == LOOP_NONE)
            loop->are_counters = 0;
    }
}

/* Prepares a loop for batches of rounds. */
static void prepare_batch(struct run_loop *loop, const struct run_function *function,
                          const struct run_op *ops) {
    loop->may_batch = 1;
    for (uint32_t i = 0; i + 1 < loop->n; i++) {
        struct loop_op *in = &loop->ops[i];
        in->is_test =
            in->kind == LOOP_TEST && !(ops[i].immediate & QUICK_WITH) &&
            count_writers(loop, ops, ops[i].at[0]) == 1 &&
            (!(ops[i].immediate & QUICK_OPPOSITE) || count_writers(loop, ops, ops[i].at[4]) == 1);
        in->is_idle = (uint8_t)flow_does_nothing(&ops[i]);
        loop->written |= in->writes;
        if (in->accesses && in->kind != LOOP_LOADED && in->kind < LOOP_LOAD_GLOBAL_4)
            loop->may_batch = 0;
    }
    chain_products(loop, function, ops);
    find_counter(loop, ops);
    find_row_steps(loop);
}

/* Loads whose addresses may go on in constant steps. */
static void number_runs(struct run_loop *loop, const struct run_op *ops) {
    unsigned bits;
    for (uint32_t i = 0; i < loop->n; i++) {
        struct loop_op *in = &loop->ops[i];
        const int goes_on = in->kind == LOOP_LOAD_GLOBAL_4 || in->kind == LOOP_LOAD_GLOBAL_8;
        in->accesses = quick_sort_of(&ops[i], &bits) == QUICK_ACCESS;
        in->run = (uint8_t)(goes_on && loop->n_runs < LOOP_RUNS ? loop->n_runs++ : LOOP_RUNS);
    }
}

/* 0: it gains nothing. */
static int prepare(struct run_loop *loop, const struct run_function *function,
                   const struct run_op *ops) {
    uint64_t written = 0;
    uint32_t even = 0;
    for (uint32_t i = 0; i + 1 < loop->n; i++) {
        quick_in_loop(&ops[i], &loop->ops[i]);
        loop->ops[i].guarded = ops[i].guard != RUN_ALWAYS;
        if (loop->ops[i].guarded)
            loop->ops[i].kind = LOOP_STEP;
    }
    loop->ops[loop->n - 1].kind = LOOP_END;
    number_rows(loop, ops);
    for (uint32_t i = 0; i + 1 < loop->n; i++) {
        struct touches touches;
        number_operation(loop, &ops[i], &loop->ops[i]);
        find_touches(&ops[i], &touches);
        if (!note_touches(loop, &touches, &loop->ops[i], &written))
            return 0;
        even += loop->ops[i].kind != LOOP_STEP;
    }
    for (uint32_t r = 0; r < loop->n_rows; r++)
        loop->rows[r].is_constant = (uint8_t)is_constant(function, loop->rows[r].at);
    number_runs(loop, ops);
    join_loads(loop, function, ops);
    prepare_batch(loop, function, ops);
    return 3 * even >= loop->n;
}

static int are_known(const struct run_op *ops, uint32_t n) {
    struct touches touches;
    for (uint32_t i = 0; i < n; i++)
        if ((i && ops[i].leads & RUN_LEADS) || ops[i].leads & RUN_LEAVES ||
            (i + 1 < n && !find_touches(&ops[i], &touches)))
            return 0;
    return 1;
}

/* 0: no memory. */
static int add_loop(struct run_build *build, uint32_t first, uint32_t last) {
    struct run_op *ops = &build->ops[first];
    struct run_loop *loop = run_arena_get(&build->module->arena, sizeof *loop);
    if (!loop)
        return 0;
    loop->run = quick_rounds();
    loop->first = first;
    loop->n = last - first + 1;
    loop->ops = run_arena_get(&build->module->arena, loop->n * sizeof *loop->ops);
    if (!loop->ops)
        return 0;
    if (prepare(loop, build->function, ops)) {
        build->ops[last].leads |= RUN_LOOPS;
        build->ops[last].more = loop;
    }
    return 1;
}

int loop_plans(struct run_build *build) {
    if (build->module->flags & (WSIM_MODULE_PLAIN | WSIM_MODULE_ONE_BY_ONE) || !memory_is_host())
        return 1;
    for (uint32_t i = build->function->first; i < build->n_ops; i++) {
        const uint32_t first = flow_target(&build->ops[i]);
        if (first < i && first >= build->function->first &&
            are_known(&build->ops[first], i - first + 1) && !add_loop(build, first, i))
            return 0;
    }
    return 1;
}
