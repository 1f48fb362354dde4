/* mma, wmma.mma and movmatrix: what a warp computes out of its registers. */
#include "matrix.h"

#include "../decode/build.h"
#include "../decode/contract.h"
#include "../exec/strip.h"
#include "../exec/work.h"
#include "../isa/isa.h"
#include "../num/real.h"
#include "taint.h"
#include "taint_matrix.h"

/* A product in C that machine code adds unrounded (decode/contract.h): its register of C, rows of
 * its factors. */
struct added {
    uint32_t reg, factors[2];
    int negative;
};
struct added_list {
    unsigned n;
    uint32_t zero;  /* a row of -0                                      */
    uint8_t method; /* of the products, of targets on which they are so */
    struct added of[];
};

/* Neighbouring products with one A, of which none reads or writes what another one writes. The
 * first one executes all, as A is decoded once then. */
#define ROW_MOST 8
struct mma_row {
    unsigned n; /* products */
    uint32_t b[ROW_MOST * MATRIX_REGISTERS], c[ROW_MOST * MATRIX_REGISTERS],
        d[ROW_MOST * MATRIX_REGISTERS];
};

/* op->more. */
struct mma {
    struct matrix_regs d, a, b, c;
    struct run_row e, factors_a, factors_b;
    struct run_row ids[4]; /* of block scales: byte and thread of A, then of B */
    uint32_t selector;
    uint32_t space; /* of the frame: rows of 64 bits as words; 0: there are none */
    uint8_t sparse, scaled;
    const struct added_list *added; /* NULL: none */
    const struct mma_row *row;      /* of the first of a row */
};

/* A number that is the same in all lanes. */
static uint32_t number_of(uint8_t *frame, struct run_row row, uint32_t lanes) {
    return (uint32_t)run_get(frame, row, run_lowest(lanes));
}

/* The registers of a product, and the operands of the door. */
struct operands {
    uint32_t *d[MATRIX_REGISTERS], *a[MATRIX_REGISTERS], *b[MATRIX_REGISTERS], *c[MATRIX_REGISTERS];
    struct wsim_io io;
};

static void point(uint8_t *frame, const struct mma *product, struct operands *of) {
    matrix_point(frame, &product->d, of->d);
    matrix_point(frame, &product->a, of->a);
    matrix_point(frame, &product->b, of->b);
    matrix_point(frame, &product->c, of->c);
    of->io = (struct wsim_io){.mma = {.d = of->d,
                                      .a = (const uint32_t *const *)of->a,
                                      .b = (const uint32_t *const *)of->b,
                                      .c = (const uint32_t *const *)of->c}};
}

/* D, which has the products without C, becomes the sum with factors that are multiplied there. */
static void add_product(uint8_t *frame, const struct added *added, const struct wsim_format *format,
                        uint32_t *d, uint32_t lanes) {
    static const struct real_mode nearest;
    const uint32_t *first = run_words(frame, added->factors[0]);
    const uint32_t *second = run_words(frame, added->factors[1]);
    const unsigned bits = format->bits;
    const uint32_t mask = UINT32_MAX >> (32 - bits), sign = added->negative ? 1u << (bits - 1) : 0;
    for (; lanes; lanes &= lanes - 1) {
        const unsigned l = run_lowest(lanes);
        uint32_t sum = 0;
        for (unsigned at = 0; at < 32; at += bits)
            sum |= (uint32_t)real_fma(format, &nearest, (first[l] >> at & mask) ^ sign,
                                      second[l] >> at & mask, d[l] >> at & mask)
                   << at;
        d[l] = sum;
    }
}

static enum run_next run_it(uint8_t *frame, struct run_warp *warp, const struct run_op *op,
                            struct operands *of, uint32_t lanes) {
    const struct mma *product = op->more;
    const struct wsim_code *code = matrix_code(warp, op);
    const struct wsim_code_product *how = &work_of(code)->product;
    const struct added_list *added = product->added;
    struct wsim_diag diag;
    if (added && added->method != how->method)
        added = NULL;
    for (unsigned i = 0; added && i < added->n; i++)
        of->c[added->of[i].reg] = run_words(frame, added->zero); /* changes no number */
    if (wsim_run(code, &of->io, &diag))
        return run_refused(warp, op, RUN_LANES, &diag);
    for (unsigned i = 0; added && i < added->n; i++)
        add_product(frame, &added->of[i], how->d, of->d[added->of[i].reg], lanes);
    return RUN_ON;
}

static enum run_next multiply(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp) {
    struct operands of;
    enum run_next next = sync_together(warp, op, lanes);
    if (next)
        return next;
    point(frame, op->more, &of);
    return run_it(frame, warp, op, &of, lanes);
}

/* With metadata, or scales. */
static enum run_next multiply_selected(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                       struct run_warp *warp) {
    const struct mma *product = op->more;
    const uint32_t *e = run_words(frame, product->e.at);
    const uint32_t *factors_a = run_words(frame, product->factors_a.at);
    const uint32_t *factors_b = run_words(frame, product->factors_b.at);
    struct operands of;
    enum run_next next = sync_together(warp, op, lanes);
    if (next)
        return next;
    point(frame, product, &of);
    if (product->sparse) {
        of.io.mma.e = &e;
        of.io.mma.selector = product->selector;
    }
    if (product->scaled) {
        of.io.mma.sfa = &factors_a;
        of.io.mma.sfb = &factors_b;
        of.io.mma.bid_a = number_of(frame, product->ids[0], lanes);
        of.io.mma.tid_a = number_of(frame, product->ids[1], lanes);
        of.io.mma.bid_b = number_of(frame, product->ids[2], lanes);
        of.io.mma.tid_b = number_of(frame, product->ids[3], lanes);
    }
    return run_it(frame, warp, op, &of, lanes);
}

static unsigned words_of(const struct matrix_regs *regs) {
    return (unsigned)regs->n << regs->wide;
}

/* Results of f64. */
static enum run_next multiply_wide(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                   struct run_warp *warp) {
    const struct mma *product = op->more;
    uint32_t *words_a = run_words(frame, product->space);
    uint32_t *words_b = words_a + words_of(&product->a) * RUN_LANES;
    uint32_t *words_c = words_b + words_of(&product->b) * RUN_LANES;
    struct operands of;
    enum run_next next = sync_together(warp, op, lanes);
    if (next)
        return next;
    point(frame, product, &of);
    matrix_split(frame, &product->a, words_a, of.a);
    matrix_split(frame, &product->b, words_b, of.b);
    matrix_split(frame, &product->c, words_c, of.c);
    for (unsigned i = 0; i < words_of(&product->d); i++)
        of.d[i] = words_c + i * RUN_LANES;
    next = run_it(frame, warp, op, &of, lanes);
    if (next == RUN_ON)
        matrix_join(frame, &product->d, words_c, lanes);
    return next;
}

/* {byte-id, thread-id} after the factors in operand `index`. */
static enum wsim_status factors_plan(struct run_plan *plan, uint32_t index, struct run_row *factors,
                                     struct run_row ids[2]) {
    uint32_t count;
    const struct ptx_operand *parts = plan_parts(plan, index + 1, &count);
    TRY(matrix_word_plan(plan, index, factors));
    if (factors->bits != 32 || count != 2)
        return plan_refuse(plan, "scale factors are a register and { byte-id, thread-id }");
    TRY(plan_row_of(plan, &parts[0], 32, &ids[0]));
    return plan_row_of(plan, &parts[1], 32, &ids[1]);
}

static enum wsim_status selected_plan(struct run_plan *plan, struct mma *product) {
    const struct isa_form *form = isa_form(&plan->opcode->op);
    uint32_t next = 4;
    product->sparse = form->pattern != PATTERN_NONE;
    product->scaled = form->blocks != 0;
    if (product->sparse) {
        uint64_t selector;
        TRY(matrix_word_plan(plan, next, &product->e));
        if (product->e.bits != 32 || !plan_constant(plan, next + 1, &selector))
            return plan_refuse(plan, "metadata are a register and a selector, a constant");
        product->selector = (uint32_t)selector;
        next += 2;
    }
    if (product->scaled) {
        TRY(factors_plan(plan, next, &product->factors_a, &product->ids[0]));
        TRY(factors_plan(plan, next + 2, &product->factors_b, &product->ids[2]));
        next += 4;
    }
    if (plan->count != next)
        return plan_refuse(plan, "it has a wrong number of operands");
    return WSIM_OK;
}

/* Products in C. */
static enum wsim_status added_plan(struct run_plan *plan, struct mma *product) {
    uint32_t count;
    const struct ptx_operand *parts = plan_parts(plan, 3, &count);
    struct added added[MATRIX_REGISTERS];
    struct added_list *list;
    enum wsim_status status;
    struct run_row zero;
    unsigned n = 0;
    for (uint32_t i = 0; i < count && i < MATRIX_REGISTERS; i++) {
        added[n].reg = i;
        TRY(contract_added(plan, &parts[i], added[n].factors, &added[n].negative));
        n += added[n].factors[0] != 0;
    }
    if (!n)
        return WSIM_OK;
    list = matrix_keep(plan, sizeof *list + n * sizeof *added, &status);
    TRY(status);
    TRY(plan_fixed(plan, 32,
                   isa_op_type(&plan->opcode->op, PLACE_D)->bits == 16 ? 0x80008000 : 0x80000000,
                   &zero));
    *list = (struct added_list){.n = n, .zero = zero.at, .method = contract_added_method(plan)};
    memcpy(list->of, added, n * sizeof *added);
    product->added = list;
    return WSIM_OK;
}

enum wsim_status matrix_mma_plan(struct run_plan *plan) {
    enum wsim_status status;
    struct mma *product = matrix_keep(plan, sizeof *product, &status);
    TRY(status);
    TRY(matrix_code_plan(plan));
    TRY(matrix_regs_plan(plan, 0, WSIM_D, &product->d));
    TRY(matrix_regs_plan(plan, 1, WSIM_A, &product->a));
    TRY(matrix_regs_plan(plan, 2, WSIM_B, &product->b));
    TRY(matrix_regs_plan(plan, 3, WSIM_C, &product->c));
    TRY(selected_plan(plan, product));
    TRY(added_plan(plan, product));
    plan->op->more = product;
    plan->op->step = product->sparse || product->scaled ? multiply_selected : multiply;
    if (product->d.wide) {
        uint32_t words = words_of(&product->a) + words_of(&product->b) + words_of(&product->c);
        product->space = matrix_space(plan, words * RUN_LANES * (uint32_t)sizeof(uint32_t));
        if (!product->space)
            return plan_refuse(plan, "the function has too many registers");
        plan->op->step = multiply_wide;
    }
    return WSIM_OK;
}

/* --- rows --- */

/* Whether the first product of a row executes all. Each product of it has the same answer. */
static int is_joined(const struct run_warp *warp, const struct wsim_code *code) {
    return !warp->worker->launch->look && strip_is_row(code);
}

static void point_list(uint8_t *frame, const uint32_t *at, unsigned n, uint32_t **to) {
    for (unsigned i = 0; i < n; i++)
        to[i] = run_words(frame, at[i]);
}

static enum run_next multiply_first(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                    struct run_warp *warp) {
    const struct mma *product = op->more;
    const struct mma_row *row = product->row;
    const struct wsim_code *code = matrix_code(warp, op);
    uint32_t *a[MATRIX_REGISTERS], *b[ROW_MOST * MATRIX_REGISTERS];
    uint32_t *c[ROW_MOST * MATRIX_REGISTERS], *d[ROW_MOST * MATRIX_REGISTERS];
    if (sync_together(warp, op, lanes) || !is_joined(warp, code))
        return multiply(frame, op, lanes, warp);
    matrix_point(frame, &product->a, a);
    point_list(frame, row->b, row->n * product->b.n, b);
    point_list(frame, row->c, row->n * product->c.n, c);
    point_list(frame, row->d, row->n * product->d.n, d);
    strip_row(code, (const uint32_t *const *)a, (const uint32_t *const *)b,
              (const uint32_t *const *)c, d, row->n);
    return RUN_ON;
}

static enum run_next multiply_next(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                   struct run_warp *warp) {
    return is_joined(warp, matrix_code(warp, op)) ? RUN_ON : multiply(frame, op, lanes, warp);
}

static int share(const struct matrix_regs *x, const struct matrix_regs *y) {
    for (unsigned i = 0; i < x->n; i++)
        for (unsigned k = 0; k < y->n; k++)
            if (x->at[i] == y->at[k])
                return 1;
    return 0;
}

/* Whether neither product touches what the other one writes. */
static int are_apart(const struct mma *x, const struct mma *y) {
    return !share(&x->d, &y->d) && !share(&x->d, &x->a) && !share(&y->d, &x->a) &&
           !share(&x->d, &y->b) && !share(&x->d, &y->c) && !share(&y->d, &x->b) &&
           !share(&y->d, &x->c);
}

static int may_join(const struct run_op *first, const struct run_op *op) {
    const struct mma *x = first->more, *y = op->more;
    return op->step == multiply && op->guard == RUN_ALWAYS && !op->flip && !y->added &&
           op->immediate == first->immediate && x->a.n == y->a.n &&
           !memcmp(x->a.at, y->a.at, x->a.n * sizeof x->a.at[0]);
}

/* The number of products from `first` on that are a row; at most `most`. */
static unsigned row_of(const struct run_op *first, unsigned most) {
    unsigned n = 0;
    for (; n < most && may_join(first, &first[n]) && (!n || !(first[n].leads & RUN_LEADS)); n++)
        for (unsigned i = 0; i < n; i++)
            if (!are_apart(first[i].more, first[n].more))
                return n;
    return n;
}

/* 0: no memory. */
static int make_row(struct run_build *build, struct run_op *first, unsigned n) {
    struct mma *of = run_arena_get(&build->module->arena, sizeof *of);
    struct mma_row *row = run_arena_get(&build->module->arena, sizeof *row);
    if (!of || !row)
        return 0;
    row->n = n;
    for (unsigned i = 0; i < n; i++) {
        const struct mma *product = first[i].more;
        memcpy(&row->b[i * product->b.n], product->b.at, product->b.n * sizeof row->b[0]);
        memcpy(&row->c[i * product->c.n], product->c.at, product->c.n * sizeof row->c[0]);
        memcpy(&row->d[i * product->d.n], product->d.at, product->d.n * sizeof row->d[0]);
        first[i].step = i ? multiply_next : multiply_first;
    }
    *of = *(const struct mma *)first->more;
    of->row = row;
    first->more = of;
    return 1;
}

int matrix_join_products(struct run_build *build) {
    const uint32_t end = build->n_ops;
    if (build->module->flags & (WSIM_MODULE_PLAIN | WSIM_MODULE_ONE_BY_ONE))
        return 1;
    for (uint32_t i = build->function->first, n; i < end; i += n ? n : 1) {
        struct run_op *first = &build->ops[i];
        n = first->step == multiply ? row_of(first, end - i < ROW_MOST ? end - i : ROW_MOST) : 0;
        if (n > 1 && !make_row(build, first, n))
            return 0;
    }
    return 1;
}

/* --- uninitialised bits --- */

static struct taint_matrix matrix_of(const struct wsim_op *instruction, enum wsim_operand operand,
                                     const struct matrix_regs *regs, struct taint_frame *mirror) {
    struct taint_matrix matrix = {.at = regs->at, .wide = regs->wide, .mirror = {mirror}};
    wsim_op_layout(instruction, NULL, operand, &matrix.layout, NULL);
    return matrix;
}

/* The origin of a register that all elements depend on. */
static uint16_t origin_of(const struct taint_frame *mirror, struct run_row row) {
    const uint32_t lanes = taint_lanes(mirror, row, UINT32_MAX);
    return lanes ? (uint16_t)mirror->origins[taint_place(row, run_lowest(lanes))] : 0;
}

void taint_mma(const struct wsim_op *instruction, const struct run_op *op,
               struct taint_frame *mirror) {
    const struct mma *product = op->more;
    const struct taint_matrix a = matrix_of(instruction, WSIM_A, &product->a, mirror);
    const struct taint_matrix b = matrix_of(instruction, WSIM_B, &product->b, mirror);
    const struct taint_matrix c = matrix_of(instruction, WSIM_C, &product->c, mirror);
    const struct taint_matrix d = matrix_of(instruction, WSIM_D, &product->d, mirror);
    uint16_t sum[TAINT_ELEMENTS] = {0};
    struct taint_lines lines = {.sum = sum, .all = origin_of(mirror, product->e)};
    if (!lines.all)
        lines.all = origin_of(mirror, product->factors_a);
    if (!lines.all)
        lines.all = origin_of(mirror, product->factors_b);
    if (taint_matrix_any(&a, product->a.n))
        taint_matrix_rows(&a, &lines);
    if (taint_matrix_any(&b, product->b.n))
        taint_matrix_columns(&b, &lines);
    if (taint_matrix_any(&c, product->c.n))
        taint_matrix_sums(&c, &lines);
    taint_matrix_put(&d, &lines);
}

/* --- movmatrix --- */

struct exchange {
    struct matrix_regs d, a;
};

static enum run_next exchange(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp) {
    const struct exchange *exchange = op->more;
    uint32_t *d[MATRIX_REGISTERS], *a[MATRIX_REGISTERS];
    struct wsim_io io = {.move = {.d = d, .a = (const uint32_t *const *)a}};
    struct wsim_diag diag;
    enum run_next next = sync_together(warp, op, lanes);
    if (next)
        return next;
    matrix_point(frame, &exchange->d, d);
    matrix_point(frame, &exchange->a, a);
    if (wsim_run(matrix_code(warp, op), &io, &diag))
        return run_refused(warp, op, RUN_LANES, &diag);
    return RUN_ON;
}

/* Bits of the mirror move as the registers do. */
void taint_exchange(const struct run_op *op, struct run_warp *warp, struct taint_frame *mirror) {
    const struct exchange *exchange = op->more;
    uint32_t *d[MATRIX_REGISTERS], *a[MATRIX_REGISTERS], origin = 0;
    struct wsim_io io = {.move = {.d = d, .a = (const uint32_t *const *)a}};
    for (unsigned i = 0; i < exchange->a.n && !origin; i++)
        origin = origin_of(mirror, (struct run_row){.at = exchange->a.at[i], .bits = 32});
    matrix_point(mirror->bits, &exchange->d, d);
    matrix_point(mirror->bits, &exchange->a, a);
    wsim_run(matrix_code(warp, op), &io, NULL);
    for (unsigned i = 0; i < exchange->d.n && origin; i++)
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            mirror->origins[exchange->d.at[i] / 4 + lane] = origin;
}

enum wsim_status matrix_exchange_plan(struct run_plan *plan) {
    enum wsim_status status;
    struct exchange *kept = matrix_keep(plan, sizeof *kept, &status);
    TRY(status);
    TRY(matrix_code_plan(plan));
    TRY(matrix_regs_plan(plan, 0, WSIM_D, &kept->d));
    TRY(matrix_regs_plan(plan, 1, WSIM_A, &kept->a));
    return plan_does_with(plan, exchange, kept);
}
