/* group.c - a warpgroup: four warps with 16 rows each, matrices in shared memory by descriptors. */
#include "group.h"
#include "sum.h"

#include <string.h>

uint64_t group_encode(struct group_view view) {
    return view.start / 16 | (uint64_t)(view.leading / 16) << 16 |
           (uint64_t)(view.stride / 16) << 32 | (uint64_t)view.base << 49 |
           (uint64_t)view.mode << 62;
}

static struct group_view decode(uint64_t bits) {
    return (struct group_view){(uint32_t)(bits & 0x3fff) * 16, (uint32_t)(bits >> 16 & 0x3fff) * 16,
                               (uint32_t)(bits >> 32 & 0x3fff) * 16, (int)(bits >> 62),
                               (uint32_t)(bits >> 49 & 7)};
}

int group_span(int mode) {
    return mode == 0 ? 16 : 256 >> mode;
}

/* The 16-byte pieces of a line of 128 bytes are exchanged by its number, from the base on. */
static uint32_t swizzled(struct group_view view, uint32_t address) {
    uint32_t pieces = (uint32_t)group_span(view.mode) / 16;
    return address ^ (address / 128 + 8 - view.base) % pieces * 16;
}

uint32_t group_where(uint64_t descriptor, int width, int along_lines, int line, int k) {
    struct group_view view = decode(descriptor);
    uint32_t span = (uint32_t)group_span(view.mode), row = (uint32_t)line;
    uint32_t byte = (uint32_t)(k * width / 8), near = view.stride, far = view.leading;
    if (along_lines) { /* the roles of line and k exchanged, and without swizzle of the offsets */
        byte = (uint32_t)(line * width / 8);
        row = (uint32_t)k;
        near = view.mode ? view.stride : view.leading;
        far = view.mode ? view.leading : view.stride;
    }
    return swizzled(view,
                    view.start + row % 8 * span + row / 8 * near + byte % span + byte / span * far);
}

static uint64_t load(const struct wsim_wgmma *io, uint32_t address, int width, int k) {
    const uint8_t *from = io->smem + (address - io->smem_base);
    uint64_t bits = 0;
    if (width == 1)
        return *from >> k % 8 & 1;
    for (int i = 0; i < width / 8; i++)
        bits |= (uint64_t)from[i] << 8 * i;
    return bits;
}

struct group_slot group_slot_d(int row, int col) {
    return (struct group_slot){row / 16 * 32 + row % 8 * 4 + col % 8 / 2,
                               col / 8 * 4 + row % 16 / 8 * 2 + col % 2};
}

/* Four registers: rows r and r + 8, then the same of the other half of k. */
struct group_slot group_slot_a(int width, int row, int stored) {
    int p = 32 / width, word = stored / p;
    return (struct group_slot){row / 16 * 32 + row % 8 * 4 + word % 4,
                               (word / 4 * 2 + row % 16 / 8) * p + stored % p};
}

uint64_t group_get(const struct wsim_group_regs *regs, int width, struct group_slot slot) {
    uint32_t word = regs->r[slot.elem * width / 32][slot.thread] >> slot.elem * width % 32;
    return width == 32 ? word : word & ((1u << width) - 1);
}

void group_set(struct wsim_group_regs *regs, int width, struct group_slot slot, uint64_t bits) {
    uint32_t *word = &regs->r[slot.elem * width / 32][slot.thread];
    uint32_t mask = width == 32 ? UINT32_MAX : (1u << width) - 1;
    *word &= ~(mask << slot.elem * width % 32);
    *word |= ((uint32_t)bits & mask) << slot.elem * width % 32;
}

static uint64_t read_a(const struct group_operands *all, int row, int i) {
    int width = place_width(all->op, PLACE_A);
    if (all->io->a)
        return group_get(all->io->a, width, group_slot_a(width, row, i));
    uint32_t at = group_where(all->io->desc_a, width, (int)all->io->trans_a, row, i);
    return load(all->io, at, width, i);
}

static uint64_t read_b(const struct group_operands *all, int col, int k) {
    int width = place_width(all->op, PLACE_B);
    uint32_t at = group_where(all->io->desc_b, width, (int)all->io->trans_b, col, k);
    return load(all->io, at, width, k);
}

void group_read(const struct oracle_op *op, const struct wsim_wgmma *io,
                struct group_operands *all) {
    uint64_t minus = 1ull << (place_width(op, PLACE_A) - 1);
    all->op = op, all->io = io, all->stored = op->k / (op->sparse ? 2 : 1);
    for (int row = 0; row < op->m; row++)
        for (int i = 0; i < all->stored; i++)
            all->a[row * all->stored + i] = read_a(all, row, i) ^ (io->negate_a ? minus : 0);
    for (int col = 0; col < op->n; col++)
        for (int k = 0; k < op->k; k++)
            all->b[col * op->k + k] = read_b(all, col, k) ^ (io->negate_b ? minus : 0);
}

uint64_t group_result(const struct group_operands *all, const char *arch, int row, int col) {
    const struct oracle_op *op = all->op;
    const struct wsim_wgmma *io = all->io;
    struct sum s = {.op = op, .generation = generation_of_group(arch), .count = all->stored};
    if (io->scale_d)
        s.cbits = group_get(io->c, place_width(op, PLACE_C), group_slot_d(row, col));
    for (int i = 0; i < all->stored; i++) {
        int k = i;
        if (op->sparse)
            k = place_logical(op, io->e + row / 16 * 32, (int)io->selector, row % 16, i);
        s.abits[i] = all->a[row * all->stored + i];
        s.bbits[i] = all->b[col * op->k + k];
    }
    sum_decode(&s);
    return sum_choose(op, s.generation)(&s);
}
