/* Products by kernels. All fragments of 16 rows are the same matrix of 32-bit words. A layout is
 * therefore known by the place of each register in a strip, which is derived from it. Layouts of
 * other matrices (m8n8k4) stay on the plain path. */
#include "strip.h"

#include "map.h"

#include <string.h>

/* --- prepared --- */

/* Bits of a coordinate that one bit of a lane or of an element sets. */
static uint32_t row(unsigned bit) {
    return bit;
}

static uint32_t col(unsigned bit) {
    return (uint32_t)bit << 12;
}

/* An operand, with its words along k (A, B) or along the row (C, D). */
struct side {
    struct wsim_layout layout;
    unsigned per;  /* elements of a register                                               */
    unsigned each; /* registers of an element                                              */
    unsigned regs; /* without copies                                                       */
};

static void look(const struct wsim_code *code, enum wsim_operand operand, struct side *side) {
    unsigned elems;
    wsim_op_layout(&code->op, code->arch, operand, &side->layout, NULL);
    elems = (unsigned)side->layout.rows * side->layout.cols / side->layout.lanes;
    side->per = side->layout.elem_bits < 32 ? 32u / side->layout.elem_bits : 1;
    side->each = side->layout.elem_bits > 32 ? 2 : 1;
    side->regs = elems * side->layout.elem_bits / 32;
}

/* Lanes 0 to 3 go along the words, the others along lines, and so do the elements of a word. */
static int is_regular(const struct side *side, uint32_t (*along)(unsigned),
                      uint32_t (*across)(unsigned), unsigned per) {
    const struct wsim_layout *layout = &side->layout;
    int same =
        layout->batches == 1 && layout->lane[0] == along(per) && layout->lane[1] == along(2 * per);
    for (unsigned bit = 0; bit < 3; bit++)
        same = same && layout->lane[2 + bit] == across(1u << bit);
    for (unsigned bit = 0; 1u << bit < side->per; bit++)
        same = same && layout->elem[bit] == along(1u << bit);
    return same;
}

/* Where register `reg` begins: what lane 0 has there. */
static struct wsim_coord begins(const struct side *side, unsigned reg) {
    return wsim_layout_coord(&side->layout, 0, reg / side->each * side->per);
}

/* Puts registers into `room` places. Returns 0 if a place stays empty. */
static int place(const struct side *side, uint8_t *places, unsigned room,
                 unsigned (*place_of)(const struct wsim_code_strip *, const struct side *,
                                      struct wsim_coord),
                 const struct wsim_code_strip *strip) {
    memset(places, WSIM_CODE_NO_REG, room);
    for (unsigned reg = 0; reg < side->regs; reg++) {
        unsigned at = place_of(strip, side, begins(side, reg)) * side->each + reg % side->each;
        if (at >= room)
            return 0;
        places[at] = (uint8_t)reg;
    }
    return 1;
}

static unsigned place_a(const struct wsim_code_strip *strip, const struct side *side,
                        struct wsim_coord at) {
    unsigned words = strip->regs_a / side->each / 2;
    return (at.row / 16u * words + at.col / (4 * side->per)) * 2 + at.row / 8u % 2;
}

static unsigned place_b(const struct wsim_code_strip *strip, const struct side *side,
                        struct wsim_coord at) {
    return at.col / 8u * (strip->regs_b / side->each) + at.row / (4 * side->per);
}

static unsigned place_c(const struct wsim_code_strip *strip, const struct side *side,
                        struct wsim_coord at) {
    unsigned group = at.row / 16u * strip->groups + at.col / 8u, high = at.row / 8u % 2;
    return side->per == 2 ? group * 2 + high : group * 4 + high * 2 + at.col % 2;
}

static unsigned blocks(unsigned size, unsigned block) {
    return (size + block - 1) / block;
}

static int are_in_place(const uint8_t *places, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (places[i] != i)
            return 0;
    return 1;
}

/* Registers of the first group of columns, or of all if they fit. */
static int compile_results(struct wsim_code *code, struct side *side, uint8_t *places,
                           uint8_t *regs) {
    struct wsim_code_strip *strip = &work_to(code)->strip;
    if (side->per > 2 || !is_regular(side, col, row, 2))
        return 0;
    *regs = (uint8_t)(side->per == 2 ? 2 : 4 * side->each);
    if (work_to(code)->warps > 1)
        side->regs = side->regs < *regs ? side->regs : *regs;
    return place(side, places, sizeof strip->c, place_c, strip);
}

static int compile_factors(struct wsim_code *code) {
    struct wsim_code_strip *strip = &work_to(code)->strip;
    struct side a, b;
    look(code, WSIM_A, &a);
    strip->regs_a = (uint8_t)(blocks(a.layout.cols, 4 * a.per) * 2 * a.each);
    if (!is_regular(&a, col, row, a.per) || !place(&a, strip->a, sizeof strip->a, place_a, strip))
        return 0;
    if (!isa_op_has(&code->op, WSIM_B)) {
        strip->regs_b =
            (uint8_t)(work_to(code)->product.k_dense * work_to(code)->product.bits_b / 128);
        return strip->regs_b <= sizeof strip->b;
    }
    look(code, WSIM_B, &b);
    strip->regs_b = (uint8_t)(blocks(b.layout.rows, 4 * b.per) * b.each);
    return is_regular(&b, row, col, b.per) && place(&b, strip->b, sizeof strip->b, place_b, strip);
}

static int compile(struct wsim_code *code) {
    struct wsim_code_strip *strip = &work_to(code)->strip;
    struct side c, d;
    look(code, WSIM_C, &c);
    look(code, WSIM_D, &d);
    strip->strips = (uint8_t)blocks(work_to(code)->product.rows / work_to(code)->warps, 16);
    strip->groups = (uint8_t)blocks(work_to(code)->product.cols, 8);
    return compile_results(code, &c, strip->c, &strip->regs_c) &&
           compile_results(code, &d, strip->d, &strip->regs_d) && compile_factors(code);
}

int strip_choose(struct wsim_code *code, const struct wsim_code_product *how) {
    struct wsim_code_strip *strip = &work_to(code)->strip;
    enum wsim_path most = WSIM_PATH_AVX512, path = WSIM_PATH_PLAIN;
    const struct num_kernel *kernel;
    if (code->flags >> 4)
        most = (enum wsim_path)((code->flags >> 4) - 1);
    if (code->flags & WSIM_PLAIN)
        return 0;
    kernel = num_kernel_choose(how, most, &path);
    if (!kernel)
        return 0;
    strip->path = (uint8_t)path;
    strip->kernel = (uint8_t)(kernel - num_kernel_at(path, 0));
    return 1;
}

void strip_prepare(struct wsim_code *code) {
    struct wsim_code_strip *strip = &work_to(code)->strip;
    if (!strip_choose(code, &work_to(code)->product))
        return;
    if (!compile(code) || !strip_prepare_picks(code)) {
        strip->path = WSIM_PATH_PLAIN;
        return;
    }
    strip->in_place = strip->strips * strip->groups == 1 && are_in_place(strip->a, strip->regs_a) &&
                      are_in_place(strip->b, strip->regs_b) &&
                      are_in_place(strip->c, strip->regs_c) &&
                      are_in_place(strip->d, strip->regs_d);
}

enum wsim_path wsim_code_path(const struct wsim_code *code) {
    return (enum wsim_path)work_of(code)->strip.path;
}

const char *wsim_code_kernel(const struct wsim_code *code) {
    const struct wsim_code_strip *strip = &work_of(code)->strip;
    return strip->path ? num_kernel_at((enum wsim_path)strip->path, strip->kernel)->name : NULL;
}

/* --- run --- */

static const uint32_t zeros[WSIM_LANES];

static num_kernel_run *run_of(const struct wsim_code_strip *how) {
    return num_kernel_at((enum wsim_path)how->path, how->kernel)->run;
}

static void find(const uint8_t *places, unsigned count, const uint32_t *const *regs,
                 const uint32_t **found) {
    for (unsigned i = 0; i < count; i++)
        found[i] = places[i] == WSIM_CODE_NO_REG ? zeros : regs[places[i]];
}

/* Registers that are moved: results are kept until all are there, as a register of D may be one of
 * A or B. */
static void run_moved(const struct wsim_code *code, const struct wsim_io *io,
                      const struct num_strip *given, num_kernel_run *run) {
    const struct wsim_code_strip *how = &work_of(code)->strip;
    const uint32_t *a[sizeof how->a], *b[sizeof how->b], *c[sizeof how->c];
    uint32_t *d[sizeof how->d], words[sizeof how->d][WSIM_LANES];
    struct num_strip strip = *given;
    unsigned results = (unsigned)how->groups * how->regs_d;
    find(how->a, how->regs_a * how->strips, io->mma.a, a);
    find(how->b, how->regs_b * how->groups, io->mma.b, b);
    find(how->c, how->regs_c * how->groups * how->strips, io->mma.c, c);
    for (unsigned i = 0; i < results * how->strips; i++)
        d[i] = words[i];
    strip.b = b;
    for (unsigned s = 0; s < how->strips; s++) {
        strip.a = a + s * how->regs_a;
        strip.c = c + s * how->groups * how->regs_c;
        strip.d = d + s * results;
        run(&work_of(code)->product, &strip);
    }
    for (unsigned i = 0; i < results * how->strips; i++)
        if (how->d[i] != WSIM_CODE_NO_REG)
            memcpy(io->mma.d[how->d[i]], words[i], sizeof words[i]);
}

int strip_mma(const struct wsim_code *code, const struct wsim_io *io) {
    const struct wsim_code_strip *how = &work_of(code)->strip;
    const struct wsim_code_product *product = &work_of(code)->product;
    struct num_strip strip = {.a = io->mma.a, .b = io->mma.b, .c = io->mma.c, .d = io->mma.d};
    uint8_t scales[2][16][PRODUCT_MAX_BLOCKS];
    strip_meta meta;
    strip.groups = how->groups;
    strip.meta = meta[0];
    strip.scales_a = scales[0][0];
    strip.scales_b = scales[1][0];
    if (product->kept && !(io->mma.e && strip_read_meta(code, io->mma.e, io->mma.selector, &meta)))
        return 0;
    if (product->blocks && !strip_read_scales(code, io, scales))
        return 0;
    if (how->in_place)
        run_of(how)(product, &strip);
    else
        run_moved(code, io, &strip, run_of(how));
    return 1;
}

void strip_row(const struct wsim_code *code, const uint32_t *const *a, const uint32_t *const *b,
               const uint32_t *const *c, uint32_t *const *d, unsigned count) {
    struct num_strip strip = {.a = a, .b = b, .c = c, .d = d, .groups = count};
    num_kernel_run *run = run_of(&work_of(code)->strip);
    run(&work_of(code)->product, &strip);
}

/* --- a warpgroup --- */

void strip_groups(const struct wsim_code *code, const struct strip_group *group) {
    const struct wsim_code_strip *how = &work_of(code)->strip;
    const uint32_t *a[NUM_STRIP_A], *b[STRIP_GROUPS * NUM_STRIP_B], *c[STRIP_GROUPS * NUM_STRIP_C];
    uint32_t *d[STRIP_GROUPS * NUM_STRIP_C];
    unsigned warps = work_of(code)->warps;
    struct num_strip strip = {.a = a, .b = b, .c = c, .d = d, .groups = group->count};
    for (unsigned i = 0; i < group->count * how->regs_b; i++)
        b[i] = group->b[i];
    for (unsigned warp = 0; warp < warps; warp++) {
        for (unsigned i = 0; i < how->regs_a; i++)
            a[i] = group->a[warp * how->regs_a + i];
        for (unsigned i = 0; i < group->count * how->regs_c; i++)
            c[i] = product_in_at(&group->c, (group->first * how->regs_c + i) * warps + warp, zeros);
        for (unsigned i = 0; i < group->count * how->regs_d; i++)
            d[i] = product_out_at(&group->d, (group->first * how->regs_d + i) * warps + warp);
        if (work_of(code)->product.kept)
            strip.meta = group->meta[warp][0];
        run_of(how)(&work_of(code)->product, &strip);
    }
}
