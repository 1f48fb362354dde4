/* tcgen05.mma by kernels: rows of a block are strips of 16, columns are groups of 8. A strip of D
 * lies in 16 neighbouring lanes of tensor memory. */
#include "umma_piece.h"

#include <string.h>

/* The arithmetic as the kernel has it: narrow elements become bytes. */
static struct wsim_code_product arithmetic(const struct wsim_code_work *work) {
    struct wsim_code_product how = work->product;
    how.bits_a = work->tensor.narrow[0] ? 8 : how.bits_a;
    how.bits_b = work->tensor.narrow[1] ? 8 : how.bits_b;
    return how;
}

void umma_strip_prepare(struct wsim_code *code) {
    struct wsim_code_work *work = work_to(code);
    struct wsim_code_product how = arithmetic(work);
    struct wsim_code_strip *strip = &work->strip;
    if (how.k * how.bits_a != 8 * WORDS * 8 || !strip_choose(code, &how))
        return;
    strip->regs_a = REGS_A;
    strip->regs_b = (uint8_t)(how.k_dense * how.bits_b / 128);
    strip->regs_c = strip->regs_d = how.d->bits == 16 ? 2 : REGS_D;
}

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

/* Up to STRIPS strips from row `p->row` on, times all columns of the part. */
static void multiply_rows(struct umma_piece *p, unsigned strips) {
    uint32_t a[STRIPS * REGS_A][WSIM_LANES], b[REGS_B][WSIM_LANES];
    const struct umma_run *run = p->run;
    unsigned regs = work_of(run->code)->strip.regs_b, groups = run->how->part_cols / COLS;
    unsigned most = REGS_B / regs < GROUPS ? REGS_B / regs : GROUPS, row = p->row;
    unsigned each = run->product.how->cols / run->how->blocks;
    for (unsigned s = 0; s < strips; s++) {
        p->row = row + ROWS * s;
        load_strip(p, a + REGS_A * s);
    }
    for (unsigned first = 0, count; first < groups; first += count) {
        count = groups - first < most ? groups - first : most;
        for (unsigned i = 0; i < count * regs; i++) {
            unsigned col = p->part * run->how->part_cols + COLS * (first + i / regs);
            load(run, 1, &run->b[col / each], col % each, i % regs, b[i]);
        }
        for (unsigned s = 0; s < strips; s++) {
            p->row = row + ROWS * s;
            umma_piece_multiply(p, (const uint32_t(*)[WSIM_LANES])a + REGS_A * s,
                                (const uint32_t(*)[WSIM_LANES])b, first, count);
        }
    }
}

int umma_strips(const struct umma_run *run) {
    const struct wsim_code_product how = arithmetic(work_of(run->code));
    struct umma_piece p = {.run = run, .how = &how};
    unsigned rows = run->how->rows;
    if (!work_of(run->code)->strip.path || run->io->umma.scale_d || run->io->umma.zero_columns)
        return 0;
    for (p.block = 0; p.block < run->how->blocks; p.block++)
        for (p.part = 0; p.part < run->how->parts; p.part++)
            for (unsigned row = 0; row < rows; row += STRIPS * ROWS) {
                unsigned left = (rows - row) / ROWS;
                p.row = row;
                multiply_rows(&p, left < STRIPS ? left : STRIPS);
            }
    return 1;
}
