/* tcgen05.mma by kernels: what is prepared, and the rows of each block. */
#include "umma_piece.h"

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

int umma_strips(const struct umma_run *run) {
    const struct wsim_code_product how = arithmetic(work_of(run->code));
    struct umma_piece p = {.run = run, .how = &how};
    uint32_t a[STRIPS * REGS_A][WSIM_LANES];
    struct umma_rows some = {.a = {a}};
    unsigned rows = run->how->rows;
    if (!work_of(run->code)->strip.path || run->io->umma.scale_d || run->io->umma.zero_columns)
        return 0;
    for (p.block = 0; p.block < run->how->blocks; p.block++)
        for (p.part = 0; p.part < run->how->parts; p.part++)
            for (unsigned row = 0; row < rows; row += 2 * STRIPS * ROWS) {
                unsigned left = (rows - row) / ROWS;
                p.row = row;
                some.strips = left < 2 * STRIPS ? left : 2 * STRIPS;
                umma_rows_multiply(&p, &some);
            }
    return 1;
}
