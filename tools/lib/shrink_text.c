/* The account of a case; see shrink_text.h. */
#include "shrink_text.h"

#include "number.h"

#include <inttypes.h>
#include <string.h>

enum { ELEMENTS = 1 << 13, LISTED = 16 };

/* A matrix operand as the manual has it; a sparse A is expanded. */
struct matrix {
    struct wsim_layout layout; /* of the element    */
    unsigned rows, cols;
    uint64_t at[ELEMENTS];
};

static void regs_of(const struct wsim_plan *plan, unsigned which, const uint32_t *in,
                    struct wsim_regs *regs) {
    memcpy(regs, in + plan->input[which].first * WSIM_LANES,
           plan->input[which].rows * sizeof regs->r[0]);
}

static void read_matrix(const struct shrink *shrink, enum wsim_operand operand, unsigned which,
                        const uint32_t *in, struct matrix *matrix) {
    const struct wsim_plan *plan = &shrink->plan;
    struct wsim_regs regs;
    regs_of(plan, which, in, &regs);
    wsim_op_layout(&shrink->op, NULL, operand, &matrix->layout, NULL);
    matrix->rows = matrix->layout.rows;
    matrix->cols = matrix->layout.cols;
    if (operand != WSIM_A || !plan->sparse) {
        wsim_fragment_unpack(&matrix->layout, &regs, matrix->at);
        return;
    }
    matrix->cols = wsim_op_describe(&shrink->op).k;
    wsim_sparse_expand(&shrink->op, &regs, in + plan->input[WSIM_IN_E].first * WSIM_LANES,
                       plan->selector, matrix->at, NULL);
}

static uint64_t element(const struct matrix *matrix, unsigned batch, unsigned row, unsigned col) {
    return matrix->at[(batch * matrix->rows + row) * matrix->cols + col];
}

static void put_element(FILE *file, const struct wsim_layout *layout, uint64_t bits) {
    char text[NUMBER_TEXT];
    number_text(layout, bits, text);
    fprintf(file, "%0*" PRIx64 " (%s)", (layout->elem_bits + 3) / 4, bits, text);
}

static void put_name(FILE *file, char name, const struct matrix *matrix, struct wsim_coord at) {
    if (matrix->layout.batches > 1)
        fprintf(file, "%c%u[%u][%u]", name, at.batch, at.row, at.col);
    else
        fprintf(file, "%c[%u][%u]", name, at.row, at.col);
}

/* True if a product can matter. A zero factor removes it, unless the other is not finite or the
 * instruction counts bits of a xor. */
static int counts(const struct matrix *a, uint64_t x, const struct matrix *b, uint64_t y) {
    unsigned left = number_value(&a->layout, x).cls, right = number_value(&b->layout, y).cls;
    if (a->layout.elem_bits == 1)
        return x || y;
    return (left != WSIM_ZERO && right != WSIM_ZERO) || left >= WSIM_INF || right >= WSIM_INF;
}

static void put_products(FILE *file, const char *prefix, const struct shrink *shrink,
                         const uint32_t *in) {
    static struct matrix a, b;
    struct wsim_coord at = shrink->target.at, left = at, right = at;
    read_matrix(shrink, WSIM_A, WSIM_IN_A, in, &a);
    read_matrix(shrink, WSIM_B, WSIM_IN_B, in, &b);
    for (unsigned k = 0; k < a.cols; k++) {
        uint64_t x = element(&a, at.batch, at.row, k), y = element(&b, at.batch, k, at.col);
        if (!counts(&a, x, &b, y))
            continue;
        left.col = right.row = (uint16_t)k;
        fprintf(file, "%s  ", prefix);
        put_name(file, 'A', &a, left);
        fputs(" * ", file);
        put_name(file, 'B', &b, right);
        fputs(" = ", file);
        put_element(file, &a.layout, x);
        fputs(" * ", file);
        put_element(file, &b.layout, y);
        fputc('\n', file);
    }
}

static void put_c(FILE *file, const char *prefix, const struct shrink *shrink, const uint32_t *in) {
    static struct matrix c;
    struct wsim_coord at = shrink->target.at;
    read_matrix(shrink, WSIM_C, WSIM_IN_C, in, &c);
    fprintf(file, "%s  ", prefix);
    put_name(file, 'C', &c, at);
    fputs(" = ", file);
    put_element(file, &c.layout, element(&c, at.batch, at.row, at.col));
    fputc('\n', file);
}

static const char *name_of(unsigned which) {
    static const char *const names[WSIM_INPUTS] = {
        [WSIM_IN_A] = "a", [WSIM_IN_SFA] = "sfa", [WSIM_IN_SFB] = "sfb", [WSIM_IN_R] = "r"};
    return names[which];
}

static void put_unit(FILE *file, const char *prefix, const struct wsim_plan *plan,
                     struct shrink_unit unit, const uint32_t *in) {
    unsigned long long bits = shrink_get(plan, unit, in);
    if (unit.which == WSIM_IN_SMEM)
        fprintf(file, "%s  smem byte 0x%x = %02llx\n", prefix,
                unit.elem / 4u * 128u + unit.lane * 4u + unit.elem % 4u, bits);
    else
        fprintf(file, "%s  %s of lane %u, element %u = %llx\n", prefix, name_of(unit.which),
                unit.lane, unit.elem, bits);
}

/* The units of these inputs that are not at rest. */
static void put_units(FILE *file, const char *prefix, const struct shrink *shrink, unsigned inputs,
                      const uint32_t *in) {
    static struct shrink_unit units[SHRINK_UNITS];
    unsigned n = shrink_units(&shrink->plan, units), listed = 0;
    for (unsigned i = 0; i < n; i++)
        if (inputs >> units[i].which & 1 &&
            shrink_get(&shrink->plan, units[i], in) != shrink_rest(&shrink->plan, units[i]) &&
            listed++ < LISTED)
            put_unit(file, prefix, &shrink->plan, units[i], in);
    if (listed > LISTED)
        fprintf(file, "%s  and %u more\n", prefix, listed - LISTED);
}

static void put_target(FILE *file, const char *prefix, const struct shrink *shrink,
                       const uint32_t *expected, const uint32_t *got) {
    const struct shrink_target *target = &shrink->target;
    uint64_t was = shrink_result(target, expected), is = shrink_result(target, got);
    static struct matrix d;
    if (shrink->plan.store) {
        fprintf(file, "%ssmem_after byte 0x%x: expected %02x, got %02x\n", prefix,
                target->reg * 128 + target->lane * 4 + target->lsb / 8, (unsigned)was,
                (unsigned)is);
        return;
    }
    wsim_op_layout(&shrink->op, NULL, WSIM_D, &d.layout, NULL);
    fputs(prefix, file);
    put_name(file, 'D', &d, target->at);
    fprintf(file, " (lane %u, register %u): expected ", target->lane, target->reg);
    put_element(file, &d.layout, was);
    fputs(", got ", file);
    put_element(file, &d.layout, is);
    fputc('\n', file);
}

void shrink_print(FILE *file, const char *prefix, const struct shrink *shrink, const uint32_t *in,
                  const uint32_t *expected, const uint32_t *got) {
    put_target(file, prefix, shrink, expected, got);
    if (!(wsim_op_describe(&shrink->op).operands >> WSIM_C & 1)) { /* it moves, and adds nothing */
        put_units(file, prefix, shrink, 1u << WSIM_IN_A | 1u << WSIM_IN_R | 1u << WSIM_IN_SMEM, in);
        return;
    }
    put_products(file, prefix, shrink, in);
    put_c(file, prefix, shrink, in);
    put_units(file, prefix, shrink, 1u << WSIM_IN_SFA | 1u << WSIM_IN_SFB, in);
}
