/* place.c - fragments, metadata and scale factors as arithmetic, formula by formula. */
#include "place.h"

#include <string.h>

static int is(const char *name, const char *other) {
    return strcmp(name, other) == 0;
}

static int is_quads(const struct oracle_op *op) {
    return op->m == 8 && op->k == 4 && is(op->type[1], "f16");
}

int place_width(const struct oracle_op *op, enum place_operand operand) {
    static const struct {
        const char *type;
        int width;
    } widths[] = {{"f64", 64},  {"f32", 32}, {"s32", 32}, {"tf32", 32}, {"f16", 16},
                  {"bf16", 16}, {"s4", 4},   {"u4", 4},   {"b1", 1}};
    const char *type = op->type[operand];
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (is(type, widths[i].type))
            return widths[i].width;
    return is(type, "e2m1") && op->kind[0] == 'm' && !is(op->kind, "mxf8f6f4") ? 4 : 8;
}

static int is_wmma(const struct oracle_op *op) {
    return op->move >= ORACLE_WMMA;
}

/* Fragments of f16 have eight registers, also where four or two would do. */
static int wmma_elems(const struct oracle_op *op, enum place_operand operand) {
    int lines = operand == PLACE_A ? op->m : op->n;
    if (operand == PLACE_C || operand == PLACE_D)
        return op->m * op->n / WSIM_LANES;
    return is(op->type[operand], "f16") ? 16 : lines * op->k / WSIM_LANES;
}

int place_elems(const struct oracle_op *op, enum place_operand operand) {
    int quads = is_quads(op) ? 4 : 1;
    if (is_wmma(op))
        return wmma_elems(op, operand);
    switch (operand) {
    case PLACE_A: return quads * op->m * op->k / (op->sparse ? 2 : 1) / WSIM_LANES;
    case PLACE_B: return quads * op->k * op->n / WSIM_LANES;
    default: return quads * op->m * op->n / WSIM_LANES;
    }
}

int place_own(const struct oracle_op *op, enum place_operand operand) {
    int copies = is_wmma(op) && !op->squares && (operand == PLACE_A || operand == PLACE_B);
    return copies ? (operand == PLACE_A ? op->m : op->n) * op->k / WSIM_LANES
                  : place_elems(op, operand);
}

/* m8n8k4 of f16: four multiplications, each by four lanes and the four that are 16 above. */
static struct place quad_place(const struct oracle_op *op, enum place_operand operand, int lane,
                               int i) {
    int u = lane % 4, h = lane >= 16 ? 4 : 0, quad = lane / 4 % 4;
    int wide = is(op->type[operand], "f32");
    struct place place = {quad, u + h, i}; /* A row; C and D of f16 */
    if (operand == PLACE_A && op->col_a)
        place = (struct place){quad, i + h, u};
    if (operand == PLACE_B && op->col_b)
        place = (struct place){quad, i, u + h};
    if (operand == PLACE_B && !op->col_b)
        place = (struct place){quad, u, i + h};
    if ((operand == PLACE_C || operand == PLACE_D) && wide)
        place = (struct place){quad, (lane & 1) + (i & 2) + h, (i & 4) + (lane & 2) + (i & 1)};
    return place;
}

/* Line and k of A (B: column and k) of wmma: fragments of mma, one after another. They have 16
 * lines if the matrix has 32 or is a 16 x k A, else 8. Surplus registers repeat elements. */
static struct place wmma_factor(const struct oracle_op *op, int is_b, int lane, int elem) {
    int lines = is_b ? op->n : op->m, wide = lines == 32 || (lines == 16 && !is_b);
    int width = place_width(op, is_b ? PLACE_B : PLACE_A), p = width >= 32 ? 1 : 32 / width;
    int halves = wide ? 2 : 1, tile = 8 * halves * op->k / WSIM_LANES;
    int own = elem % (lines * op->k / WSIM_LANES), r = own % tile / p;
    int line = own / tile * 8 * halves + lane / 4 + 8 * (r % halves);
    int k = r / halves * 4 * p + lane % 4 * p + own % p;
    return is_b ? (struct place){0, k, line} : (struct place){0, line, k};
}

/* 16 x 8 accumulators of mma, side by side or one below the other; 8 x 32 is 32 x 8 exchanged. */
static struct place wmma_result(const struct oracle_op *op, int lane, int elem) {
    int tile = elem / 4, exchanged = op->n == 32;
    int row = lane / 4 + elem % 4 / 2 * 8, col = lane % 4 * 2 + elem % 2;
    if (op->m == 16)
        col += 8 * tile;
    else
        row += 16 * tile;
    return exchanged ? (struct place){0, col, row} : (struct place){0, row, col};
}

/* wmma before Turing: lanes 4q to 4q + 3 and those 16 above hold an 8 x 8 corner of the result.
 * They also hold its 8 rows of A and 8 columns of B with all of k. So A and B are held twice, and
 * each corner multiplies its own copies. */
static struct place square_place(const struct oracle_op *op, enum place_operand operand, int lane,
                                 int i) {
    int quad = lane / 4 % 4, u = lane % 4, line = lane / 16 * 4;
    int top = quad % 2 * 8 + line, left = quad / 2 * 8 + line;
    int by_columns = op->move == ORACLE_WMMA && operand == PLACE_B ? op->col_b : op->col_a;
    if (operand == PLACE_A)
        return by_columns ? (struct place){quad, top + i % 4, i / 4 * 4 + u}
                          : (struct place){quad, top + u, i};
    if (operand == PLACE_B)
        return by_columns ? (struct place){quad, i, left + u}
                          : (struct place){quad, i / 4 * 4 + u, left + i % 4};
    if (is(op->type[operand], "f16"))
        return (struct place){quad, top + u, quad / 2 * 8 + i};
    return (struct place){quad, top + u % 2 + i / 2 % 2 * 2,
                          quad / 2 * 8 + i % 2 + u / 2 * 2 + i / 4 * 4};
}

struct place place_of(const struct oracle_op *op, enum place_operand operand, int lane, int elem) {
    int g = lane / 4, t = lane % 4, width = place_width(op, operand);
    int p = width >= 32 ? 1 : 32 / width, r = elem / p, s = elem % p, halves = op->m / 8;
    if (is_wmma(op) && op->squares)
        return square_place(op, operand, lane, elem);
    if (is_wmma(op) && (operand == PLACE_A || operand == PLACE_B))
        return wmma_factor(op, operand == PLACE_B, lane, elem);
    if (is_wmma(op))
        return wmma_result(op, lane, elem);
    if (is_quads(op))
        return quad_place(op, operand, lane, elem);
    if (operand == PLACE_A)
        return (struct place){0, g + 8 * (r % halves), r / halves * 4 * p + t * p + s};
    if (operand == PLACE_B)
        return (struct place){0, r * 4 * p + t * p + s, g};
    return (struct place){0, g + 8 * (elem / 2), 2 * t + elem % 2};
}

uint64_t place_get(const struct wsim_regs *regs, int width, int lane, int elem) {
    if (width == 64)
        return regs->r[2 * elem][lane] | (uint64_t)regs->r[2 * elem + 1][lane] << 32;
    uint32_t word = regs->r[elem * width / 32][lane] >> elem * width % 32;
    return width == 32 ? word : word & ((1u << width) - 1);
}

void place_set(struct wsim_regs *regs, int width, int lane, int elem, uint64_t bits) {
    if (width == 64) {
        regs->r[2 * elem][lane] = (uint32_t)bits;
        regs->r[2 * elem + 1][lane] = (uint32_t)(bits >> 32);
        return;
    }
    uint32_t *word = &regs->r[elem * width / 32][lane];
    uint32_t mask = width == 32 ? UINT32_MAX : (1u << width) - 1;
    *word &= ~(mask << elem * width % 32);
    *word |= ((uint32_t)bits & mask) << elem * width % 32;
}

int place_chunk_width(const struct oracle_op *op) {
    int width = place_width(op, PLACE_A);
    return width == 32 ? 2 : width == 4 ? 8 : 4;
}

int place_chunk_kept(const struct oracle_op *op) {
    return place_chunk_width(op) / 2;
}

/* The classes of the manual's pictures: how many lanes of a group of four share the nibbles, and
 * how. 16 and 32 bits: one lane holds both rows. Narrower: each row has its lane. */
enum metadata { META_ONE, META_PAIR_K, META_PAIR_M, META_ALL };

static enum metadata metadata_class(const struct oracle_op *op) {
    int chunks = op->k / place_chunk_width(op);
    if (place_width(op, PLACE_A) >= 16)
        return chunks == 4 ? META_ONE : META_PAIR_K;
    return chunks == 8 ? META_PAIR_M : META_ALL;
}

int place_selectors(const struct oracle_op *op) {
    static const int selectors[] = {4, 2, 2, 1};
    return selectors[metadata_class(op)];
}

void place_nibble(const struct oracle_op *op, int selector, int row, int chunk, int *lane,
                  int *bit) {
    int four = 4 * (row % 8), half = row / 8;
    switch (metadata_class(op)) {
    case META_ONE:
        *lane = four + selector;
        *bit = 16 * half + 4 * chunk;
        break;
    case META_PAIR_K:
        *lane = four + 2 * selector + chunk / 4;
        *bit = 16 * half + 4 * (chunk % 4);
        break;
    case META_PAIR_M:
        *lane = four + 2 * selector + half;
        *bit = 4 * chunk;
        break;
    case META_ALL:
        *lane = four + 2 * (chunk / 8) + half;
        *bit = 4 * (chunk % 8);
        break;
    }
}

int place_logical(const struct oracle_op *op, const uint32_t *e, int selector, int row,
                  int stored) {
    int kept = place_chunk_kept(op), chunk = stored / kept, within = stored % kept, lane, bit;
    place_nibble(op, selector, row, chunk, &lane, &bit);
    unsigned nibble = e[lane] >> bit & 15;
    int index[2] = {(int)(nibble & 3), (int)(nibble >> 2)};
    switch (kept) {
    case 1: return 2 * chunk + (nibble == 0xe);
    case 2: return 4 * chunk + index[within];
    default: return 8 * chunk + 2 * index[within / 2] + within % 2;
    }
}

unsigned place_scale_a(const struct wsim_operands *io, int row, int j) {
    uint32_t word = io->sfa[4 * (row % 8) + 2 * (int)io->tid_a + row / 8];
    return word >> 8 * ((int)io->bid_a + j) & 0xff;
}

unsigned place_scale_b(const struct wsim_operands *io, int col, int j) {
    uint32_t word = io->sfb[4 * col + (int)io->tid_b];
    return word >> 8 * ((int)io->bid_b + j) & 0xff;
}
