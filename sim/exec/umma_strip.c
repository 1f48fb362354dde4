/* tcgen05.mma by kernels: rows of a block are strips of 16, columns are groups of 8. A strip of D
 * lies in 16 neighbouring lanes of tensor memory. */
#include "umma_piece.h"

#include <string.h>

/* --- matrices in shared memory --- */

/* Sixteen narrow elements of each of 8 lines become bytes, as instructions of one warp have them.
 */
static void widen(const struct wsim_format *format, uint32_t *words) {
    for (unsigned line = 0; line < COLS; line++, words += WORDS) {
        uint64_t low = words[0] | (uint64_t)words[1] << 32, high = words[2];
        uint32_t bytes[WORDS] = {0};
        for (unsigned i = 0, at = 0; i < 16; i++, at += format->bits) {
            uint64_t bits = at < 64 ? low >> at : high >> (at - 64);
            if (at < 64 && at + format->bits > 64)
                bits |= high << (64 - at);
            bytes[i / 4] |= (uint32_t)(bits & ((1u << format->bits) - 1))
                            << (8 * (i % 4) + format->pad);
        }
        memcpy(words, bytes, sizeof bytes);
    }
}

/* Element by element, for MN-major matrices of 8 and 32 bits. */
static void gather(const struct umma_source *source, unsigned row, unsigned block, uint32_t *to) {
    unsigned bits = source->tile.bits, each = 32 / bits;
    memset(to, 0, WSIM_LANES * sizeof *to);
    for (unsigned line = 0; line < COLS; line++)
        for (unsigned i = 0; i < WORDS * each; i++)
            to[WORDS * line + i / each] |=
                (uint32_t)umma_read(source, row + line, block * WORDS * each + i)
                << i % each * bits;
}

/* Columns of B in the order that the kernel gets them. */
static void reorder(const struct wsim_code_product *how, uint32_t *to) {
    uint32_t columns[WSIM_LANES];
    memcpy(columns, to, sizeof columns);
    for (unsigned col = 0; col < COLS; col++)
        memcpy(to + WORDS * col, columns + WORDS * umma_column_of(how, col), WORDS * sizeof *to);
}

/* A register: 8 rows from `row` on, 16 bytes of K from block `block` on. */
static void load(const struct umma_run *run, unsigned which, const struct umma_source *source,
                 unsigned row, unsigned block, uint32_t *to) {
    const struct wsim_tile *tile = &source->tile;
    uint32_t negate = 0;
    if (run->how->negate[which])
        negate = umma_signs(tile->format, tile->bits, source->narrow);
    if (tile->mn_major && tile->bits != 16)
        gather(source, row, block, to);
    else
        strip_load_block(source->shared, &source->descriptor, tile, row, block, 0, to);
    if (source->narrow)
        widen(tile->format, to);
    if (which && run->product.how->d->bits != 16)
        reorder(run->product.how, to);
    for (unsigned i = 0; negate && i < WSIM_LANES; i++)
        to[i] ^= negate;
}

/* --- rows --- */

static void load_strip(const struct umma_piece *p, uint32_t (*to)[WSIM_LANES]) {
    if (p->run->io->umma.a_in_tensor) {
        umma_piece_load_a(p, to);
        return;
    }
    for (unsigned i = 0; i < REGS_A; i++)
        load(p->run, 0, &p->run->a[p->block], p->row + i % 2 * 8, i / 2, to[i]);
}

static void load_rows(struct umma_piece *p, const struct umma_rows *rows) {
    const unsigned row = p->row;
    for (unsigned s = 0; s < rows->strips; s++, p->row += ROWS)
        load_strip(p, rows->a[s / STRIPS] + REGS_A * (s % STRIPS));
    p->row = row;
}

/* Times all columns of the part. */
static void multiply_columns(struct umma_piece *p, const struct umma_rows *rows) {
    uint32_t b[REGS_B][WSIM_LANES];
    const struct umma_run *run = p->run;
    unsigned regs = work_of(run->code)->strip.regs_b, groups = run->how->part_cols / COLS;
    unsigned most = REGS_B / regs < GROUPS ? REGS_B / regs : GROUPS, row = p->row;
    unsigned each = run->product.how->cols / run->how->blocks;
    for (unsigned first = 0, count; first < groups; first += count) {
        count = groups - first < most ? groups - first : most;
        for (unsigned i = 0; i < count * regs; i++) {
            unsigned col = p->part * run->how->part_cols + COLS * (first + i / regs);
            load(run, 1, &run->b[col / each], col % each, i % regs, b[i]);
        }
        for (unsigned s = 0; s < rows->strips; s++) {
            const uint32_t(*a)[WSIM_LANES] = (const uint32_t(*)[WSIM_LANES])rows->a[s / STRIPS];
            p->row = row + ROWS * s;
            umma_piece_multiply(p, a + REGS_A * (s % STRIPS), (const uint32_t(*)[WSIM_LANES])b,
                                first, count);
        }
    }
}

void umma_rows_multiply(struct umma_piece *p, struct umma_rows *rows) {
    uint32_t a[STRIPS * REGS_A][WSIM_LANES];
    rows->a[1] = a;
    load_rows(p, rows);
    multiply_columns(p, rows);
}
