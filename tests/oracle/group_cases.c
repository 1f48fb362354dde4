/* group_cases.c - matrices laid out as CUTLASS would, or as any descriptor places them. */
#include "group_cases.h"
#include "values.h"

#include <string.h>

/* Bits of a descriptor that are in no field. */
#define MEANINGLESS (3ull << 14 | 3ull << 30 | 7ull << 46 | 0x3ffull << 52)

/* Draws without repetition: every question has a number. */
static unsigned draw(uint64_t seed, unsigned question, unsigned below) {
    return (unsigned)(cases_hash(seed ^ 0x6709, question) % below);
}

/* A matrix of `lines` lines of `k` elements as a swizzled tile without holes. */
static struct group_view laid_out(int mode, int width, int along_lines, int lines, int k) {
    int span = group_span(mode), bytes = (along_lines ? lines : k) * width / 8;
    int rows = along_lines ? k : lines, panels = (bytes + span - 1) / span;
    uint32_t near = 8 * (uint32_t)span, far = (uint32_t)(span * rows);
    if (!along_lines)
        near *= (uint32_t)panels, far = 8 * (uint32_t)span;
    int swapped = along_lines && mode == 0;
    return (struct group_view){0, swapped ? near : far, swapped ? far : near, mode, 0};
}

static uint64_t descriptor(const struct oracle_op *op, enum place_operand operand, uint64_t seed,
                           int along_lines) {
    int is_a = operand == PLACE_A, width = place_width(op, operand);
    int k = is_a && op->sparse ? op->k / 2 : op->k, mode = (int)draw(seed, 0, 4);
    struct group_view view = laid_out(mode, width, along_lines, is_a ? op->m : op->n, k);
    view.start = GROUP_BASE + (is_a ? 0 : 40960) + 1024 * draw(seed, 1, 8);
    if (draw(seed, 2, 2)) {
        view.start = GROUP_BASE + 16 * draw(seed, 3, 1024);
        view.leading = 16 * draw(seed, 4, 128);
        view.stride = 16 * draw(seed, 5, 128);
        view.base = draw(seed, 13, 2) ? draw(seed, 14, 8) : 0;
    }
    return group_encode(view) | (draw(seed, 15, 4) ? 0 : cases_hash(seed, 16) & MEANINGLESS);
}

static void put(struct group_case *out, uint32_t address, int width, int k, uint64_t bits) {
    uint8_t *to = out->smem + (address - GROUP_BASE);
    if (width == 1) {
        *to = (uint8_t)((*to & ~(1u << k % 8)) | (unsigned)bits << k % 8);
        return;
    }
    for (int i = 0; i < width / 8; i++)
        to[i] = (uint8_t)(bits >> 8 * i);
}

static void fill_b(struct filling f, uint64_t bits, struct group_case *out) {
    int width = place_width(f.op, f.operand);
    for (int col = 0; col < f.op->n; col++)
        for (int k = 0; k < f.op->k; k++)
            put(out, group_where(bits, width, (int)out->io.trans_b, col, k), width, k,
                values_element(&f, (struct place){0, k, col}));
}

static void fill_a(struct filling f, uint64_t bits, struct group_case *out) {
    int width = place_width(f.op, f.operand), stored = f.op->k / (f.op->sparse ? 2 : 1);
    for (int row = 0; row < f.op->m; row++)
        for (int i = 0; i < stored; i++) {
            uint64_t value = values_element(&f, (struct place){0, row, i});
            if (out->io.a)
                group_set(&out->a, width, group_slot_a(width, row, i), value);
            else
                put(out, group_where(bits, width, (int)out->io.trans_a, row, i), width, i, value);
        }
}

static void fill_c(struct filling f, struct group_case *out) {
    int width = place_width(f.op, f.operand);
    for (int row = 0; row < f.op->m; row++)
        for (int col = 0; col < f.op->n; col++)
            group_set(&out->c, width, group_slot_d(row, col),
                      values_element(&f, (struct place){0, row, col}));
}

static void fill_metadata(const struct oracle_op *op, uint64_t seed, struct group_case *out) {
    out->io.e = out->e;
    out->io.selector = draw(seed, 6, (unsigned)place_selectors(op));
    for (int thread = 0; thread < WSIM_GROUP_THREADS; thread++)
        for (int i = 0; i < 8; i++) {
            uint64_t r = cases_hash(seed ^ 0xe, (uint64_t)(8 * thread + i));
            out->e[thread] = out->e[thread] << 4 | cases_nibble(op, r);
        }
}

static void draw_flags(const struct oracle_op *op, uint64_t seed, struct wsim_wgmma *io) {
    int is_float = strcmp(op->type[0], "s32") != 0, halves = place_width(op, PLACE_A) == 16;
    io->scale_d = draw(seed, 7, 4) != 0;
    io->negate_a = is_float && draw(seed, 8, 2);
    io->negate_b = is_float && draw(seed, 9, 2);
    io->trans_a = halves && !io->a && draw(seed, 10, 2);
    io->trans_b = halves && draw(seed, 11, 2);
}

void group_cases_fill(const struct oracle_op *op, enum cases_kind kind, uint64_t seed,
                      struct group_case *out) {
    struct filling f = {op, kind, PLACE_A, seed};
    memset(&out->io, 0, sizeof out->io);
    cases_noise((uint32_t *)(void *)out->smem, GROUP_WINDOW / 4, seed ^ 1);
    cases_noise(&out->a.r[0][0], sizeof out->a.r / 4, seed ^ 2);
    cases_noise(&out->c.r[0][0], sizeof out->c.r / 4, seed ^ 3);
    out->io.c = &out->c, out->io.a = draw(seed, 12, 2) ? &out->a : NULL;
    out->io.smem = out->smem, out->io.smem_base = GROUP_BASE, out->io.smem_size = GROUP_WINDOW;
    draw_flags(op, seed, &out->io);
    out->io.desc_a = descriptor(op, PLACE_A, seed ^ 4, (int)out->io.trans_a);
    out->io.desc_b = descriptor(op, PLACE_B, seed ^ 5, (int)out->io.trans_b);
    fill_a(f, out->io.desc_a, out);
    f.operand = PLACE_B;
    fill_b(f, out->io.desc_b, out);
    f.operand = PLACE_C;
    fill_c(f, out);
    if (op->sparse)
        fill_metadata(op, seed, out);
}
