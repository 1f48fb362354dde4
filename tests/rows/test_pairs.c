/* test_pairs.c - all products of two elements of at most 8 bits, and of two scale factors, on every
 * path. This covers decoding and multiplication of a kernel completely. One place along k has
 * elements, another one each time; the others are zeros. */
#include "paths.h"

#include "../../sim/isa/isa.h"

#define PAIR_CODES 256
#define PAIR_ROWS 16
#define PAIR_COLS 8

struct pair_op {
    struct wsim_layout a, b, c, sfa, sfb;
    int scaled;
};

static int pair_look(const struct wsim_op *op, struct pair_op *look) {
    look->scaled = wsim_op_layout(op, NULL, WSIM_SFA, &look->sfa, NULL) == WSIM_OK &&
                   wsim_op_layout(op, NULL, WSIM_SFB, &look->sfb, NULL) == WSIM_OK;
    return wsim_op_describe(op).threads == WSIM_LANES &&
           wsim_op_layout(op, NULL, WSIM_E, &look->a, NULL) != WSIM_OK &&
           wsim_op_layout(op, NULL, WSIM_A, &look->a, NULL) == WSIM_OK &&
           wsim_op_layout(op, NULL, WSIM_B, &look->b, NULL) == WSIM_OK &&
           wsim_op_layout(op, NULL, WSIM_C, &look->c, NULL) == WSIM_OK &&
           look->a.format->kind == WSIM_BINARY && look->a.elem_bits <= 8 &&
           look->a.rows == PAIR_ROWS && look->b.cols == PAIR_COLS;
}

/* The operands of one tile. */
struct pair_tile {
    struct wsim_regs a, b, c, sfa, sfb;
};

/* Rows of A have elements from `first_a` on at place `k`, columns of B from `first_b` on. */
static void pair_fill(const struct pair_op *look, unsigned first_a, unsigned first_b, unsigned k,
                      struct pair_tile *tile) {
    static const uint32_t addends[] = {0, 0x80000000, 0x3F800001, 0xB3000001, 0x00000003};
    static uint64_t matrix[PAIR_ROWS * PAIR_CODES];
    memset(matrix, 0, sizeof matrix);
    for (unsigned row = 0; row < PAIR_ROWS; row++)
        matrix[row * look->a.cols + k] = (first_a + row) % PAIR_CODES;
    wsim_fragment_pack(&look->a, matrix, &tile->a);
    memset(matrix, 0, sizeof matrix);
    for (unsigned col = 0; col < PAIR_COLS; col++)
        matrix[k * PAIR_COLS + col] = (first_b + col) % PAIR_CODES;
    wsim_fragment_pack(&look->b, matrix, &tile->b);
    for (unsigned i = 0; i < PAIR_ROWS * PAIR_COLS; i++) {
        uint32_t c = addends[(first_a / PAIR_ROWS + first_b / PAIR_COLS) % COUNT(addends)];
        matrix[i] = look->c.elem_bits == 16 ? c >> 16 | (c & 3) : c;
    }
    wsim_fragment_pack(&look->c, matrix, &tile->c);
}

/* All rows have one factor after another from `first_a` on, all columns from `first_b` on. */
static void pair_fill_factors(const struct pair_op *look, unsigned first_a, unsigned first_b,
                              struct pair_tile *tile) {
    static uint64_t matrix[4 * PAIR_ROWS * 4];
    for (unsigned i = 0; i < (unsigned)look->sfa.batches * look->sfa.rows * look->sfa.cols; i++)
        matrix[i] = (first_a + i / look->sfa.cols % PAIR_ROWS) % PAIR_CODES;
    wsim_fragment_pack(&look->sfa, matrix, &tile->sfa);
    for (unsigned i = 0; i < (unsigned)look->sfb.batches * look->sfb.rows * look->sfb.cols; i++)
        matrix[i] = (first_b + i % look->sfb.cols) % PAIR_CODES;
    wsim_fragment_pack(&look->sfb, matrix, &tile->sfb);
}

static void pair_run(const struct wsim_code *code, const struct pair_tile *tile,
                     struct wsim_regs *d) {
    uint32_t *out[WSIM_MAX_REGS];
    const uint32_t *a[WSIM_MAX_REGS], *b[WSIM_MAX_REGS], *c[WSIM_MAX_REGS], *sfa[1], *sfb[1];
    struct wsim_io io = {.mma = {.d = out, .a = a, .b = b, .c = c, .sfa = sfa, .sfb = sfb}};
    memset(d, 0xA5, sizeof *d);
    for (int i = 0; i < WSIM_MAX_REGS; i++) {
        out[i] = d->r[i];
        a[i] = tile->a.r[i];
        b[i] = tile->b.r[i];
        c[i] = tile->c.r[i];
    }
    sfa[0] = tile->sfa.r[0];
    sfb[0] = tile->sfb.r[0];
    expect(wsim_run(code, &io, NULL) == WSIM_OK, "refused");
}

static void pair_compare(const struct paths *paths, const struct pair_tile *tile, unsigned first_a,
                         unsigned first_b) {
    static struct wsim_regs judged, d;
    char text[WSIM_SPELLING_MAX];
    pair_run(&paths->plain, tile, &judged);
    for (int i = 0; i < paths->n; i++) {
        pair_run(&paths->fast[i], tile, &d);
        wsim_op_spell(&paths->plain.op, text);
        expect(!memcmp(&judged, &d, sizeof d),
               "%s on %s, %s kernel of %s: products of %02x and more by %02x and more", text,
               paths->plain.arch->name, wsim_code_kernel(&paths->fast[i]),
               wsim_path_name(wsim_code_path(&paths->fast[i])), first_a, first_b);
    }
}

static void pair_each(const struct paths *paths) {
    static struct pair_tile tile;
    struct pair_op look;
    unsigned codes, k = 0;
    if (!pair_look(&paths->plain.op, &look))
        return;
    codes = 1u << look.a.elem_bits;
    memset(&tile, 0, sizeof tile);
    if (look.scaled)
        pair_fill_factors(&look, 120, 120, &tile);
    for (unsigned a = 0; a < codes; a += PAIR_ROWS)
        for (unsigned b = 0; b < codes; b += PAIR_COLS, k++) {
            pair_fill(&look, a, b, k % look.a.cols, &tile);
            pair_compare(paths, &tile, a, b);
        }
    for (unsigned a = 0; look.scaled && a < PAIR_CODES; a += PAIR_ROWS)
        for (unsigned b = 0; b < PAIR_CODES; b += PAIR_COLS, k++) {
            pair_fill(&look, a / 4, b / 8, k % look.a.cols, &tile);
            pair_fill_factors(&look, a, b, &tile);
            pair_compare(paths, &tile, a, b);
        }
}

START_TEST(every_pair) {
    paths_each(_i, pair_each);
}
END_TEST

int main(void) {
    struct every_test tests[] = {{every_pair, 0, every_op_count()}};
    return every_run("pairs", tests, COUNT(tests));
}
