/* mma.c - D of an mma: the elements that meet, and their sum. */
#include "fused.h"
#include "place.h"
#include "sum.h"

#include <string.h>

enum { MAX_A = 16 * 256, MAX_B = 256 * 8, MAX_C = 4 * 16 * 16 };

/* The operands as matrices of raw bits: a[(quad * m + row) * stored + col] and so on; `stored` is
 * the columns of A that are there. b is k x n also where A is sparse. */
struct matrices {
    int stored;
    uint64_t a[MAX_A], b[MAX_B], c[MAX_C], d[MAX_C];
};

static void gather(const struct oracle_op *op, enum place_operand operand,
                   const struct wsim_regs *regs, int rows, int cols, uint64_t *matrix) {
    int width = place_width(op, operand);
    for (int lane = 0; lane < WSIM_LANES; lane++)
        for (int elem = 0; elem < place_own(op, operand); elem++) {
            struct place place = place_of(op, operand, lane, elem);
            matrix[(place.quad * rows + place.row) * cols + place.col] =
                place_get(regs, width, lane, elem);
        }
}

static void fill_terms(struct sum *s, const struct matrices *all, const struct wsim_operands *io,
                       struct place d) {
    const struct oracle_op *op = s->op;
    s->count = all->stored;
    s->cbits = all->c[(d.quad * op->m + d.row) * op->n + d.col];
    for (int i = 0; i < all->stored; i++) {
        int k = op->sparse ? place_logical(op, io->e, (int)io->selector, d.row, i) : i;
        s->abits[i] = all->a[(d.quad * op->m + d.row) * all->stored + i];
        s->bbits[i] = all->b[(d.quad * op->k + k) * op->n + d.col];
    }
    for (int quarter = 0; quarter < 4 && op->scales > 0; quarter++) {
        int j = quarter * op->scales / 4;
        s->scale_a[quarter] = fused_scale(op->scale_type, place_scale_a(io, d.row, j));
        s->scale_b[quarter] = fused_scale(op->scale_type, place_scale_b(io, d.col, j));
    }
    sum_decode(s);
}

const char *oracle_generation(const char *arch) {
    const struct generation *generation = generation_of(arch);
    return generation ? generation->name : NULL;
}

struct oracle_op oracle_on(const struct oracle_op *op, const char *arch) {
    const struct generation *generation = generation_of(arch);
    struct oracle_op there = *op;
    there.squares = op->move >= ORACLE_WMMA && generation && strcmp(generation->name, "volta") == 0;
    return there;
}

/* The publication covers one shape on a V100, with f32 results. */
int oracle_has_fragments(const struct oracle_op *op, const char *arch) {
    int wide = strcmp(op->type[PLACE_D], "f32") == 0 && strcmp(op->type[PLACE_C], "f32") == 0;
    if (!generation_of(arch))
        return 0;
    return !oracle_on(op, arch).squares ||
           (strcmp(arch, "sm_70") == 0 && op->m == 16 && op->n == 16 && op->k == 16 &&
            (op->move != ORACLE_WMMA || wide));
}

int oracle_mma(const struct oracle_op *op, const char *arch, const struct wsim_operands *io,
               struct wsim_regs *d) {
    struct matrices all = {.stored = op->sparse ? op->k / 2 : op->k};
    struct sum s = {.op = op, .generation = generation_of(arch)};
    if (!s.generation || (op->move == ORACLE_WMMA && !oracle_has_fragments(op, arch)))
        return 0;
    sum_function *function = sum_choose(op, s.generation);
    if (!function)
        return 0;
    gather(op, PLACE_A, io->a, op->m, all.stored, all.a);
    gather(op, PLACE_B, io->b, op->k, op->n, all.b);
    gather(op, PLACE_C, io->c, op->m, op->n, all.c);
    for (int lane = 0; lane < WSIM_LANES; lane++)
        for (int elem = 0; elem < place_elems(op, PLACE_D); elem++) {
            fill_terms(&s, &all, io, place_of(op, PLACE_D, lane, elem));
            place_set(d, place_width(op, PLACE_D), lane, elem, function(&s));
        }
    return 1;
}
