/* Metadata and scale factors for kernels. The register and lane of a row's part are found by a
 * number that is linear over bits, as layouts are. It XORs the numbers of the row, of its part and
 * of the selector. Operands that must be refused go to the plain path, which reports the reason. */
#include "map.h"
#include "strip.h"

#include <string.h>

enum {
    META_PARTS = PRODUCT_MAX_CHUNKS / 4, /* of a row: 4 nibbles each, half a register           */
    META_HALVES = 2,
    NUMBER_LANE = WSIM_LANES - 1 /* the bits of a place (map_invert) that are a lane        */
};

/* --- prepared --- */

/* The number of a place, an element, in a register of `parts` parts. */
static uint8_t number_of(uint16_t place, unsigned skipped, unsigned parts) {
    unsigned part = place >> MAP_ELEM_BIT >> skipped;
    return (uint8_t)((place & NUMBER_LANE) * parts + part);
}

static unsigned bits_below(unsigned size) {
    unsigned bits = 0;
    while (1u << bits < size)
        bits++;
    return bits;
}

/* Bits of the layout's rows (or of its columns, with by_columns) count `rows`. The lowest bits
 * along the other axis are places inside a part. Returns 0 if there are too many bits. */
static int compile(struct wsim_code_pick *pick, const struct wsim_layout *layout, int by_columns,
                   unsigned inside, unsigned parts) {
    struct wsim_code_place place = {{0}, {0}, 0, 0};
    unsigned rows = bits_below(layout->rows), cols = bits_below(layout->cols);
    unsigned lines = by_columns ? cols : rows, blocks = by_columns ? rows : cols;
    unsigned batches = bits_below(layout->batches);
    if (blocks > inside + 2 || batches > 4 || rows + batches > 8)
        return 0;
    map_invert(&place, layout);
    memset(pick, 0, sizeof *pick);
    /* Further bits of a row are warps of a group. */
    for (unsigned bit = 0; bit < 4; bit++)
        if (bit < lines)
            pick->row[bit] = number_of(by_columns ? place.col[bit] : place.row[bit], inside, parts);
    for (unsigned bit = 0; bit < 2; bit++)
        if (inside + bit < blocks)
            pick->part[bit] = number_of(
                by_columns ? place.row[inside + bit] : place.col[inside + bit], inside, parts);
    for (unsigned bit = 0; bit < 4; bit++)
        if (bit < batches)
            pick->select[bit] = number_of(place.row[rows + bit], inside, parts);
    return 1;
}

/* Four neighbouring chunks of a row are half a register, in order. */
static int compile_meta(struct wsim_code *code) {
    struct wsim_layout layout;
    wsim_op_layout(&code->op, code->arch, WSIM_E, &layout, NULL);
    return layout.elem[0] == UINT32_C(1) << 12 && layout.elem[1] == UINT32_C(2) << 12 &&
           compile(&work_to(code)->meta, &layout, 0, 2, META_HALVES);
}

static int compile_scales(struct wsim_code *code) {
    struct wsim_layout a, b;
    wsim_op_layout(&code->op, code->arch, WSIM_SFA, &a, NULL);
    wsim_op_layout(&code->op, code->arch, WSIM_SFB, &b, NULL);
    return compile(&work_to(code)->scale_a, &a, 0, 0, PRODUCT_SCALE_BYTES) &&
           compile(&work_to(code)->scale_b, &b, 1, 0, PRODUCT_SCALE_BYTES);
}

int strip_prepare_picks(struct wsim_code *code) {
    return (!work_to(code)->product.kept || compile_meta(code)) &&
           (!work_to(code)->product.blocks || compile_scales(code));
}

/* --- run --- */

/* The numbers of 16 selected rows, a byte each. */
struct numbers {
    uint64_t of[2];
};

static struct numbers number_rows(const struct wsim_code_pick *pick, unsigned selected) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    struct numbers numbers = {{0, 0}};
    for (unsigned bit = 0; bit < 4; bit++)
        numbers.of[0] ^= selected >> bit & 1 ? pick->select[bit] * ones : 0;
    numbers.of[0] ^= pick->row[0] * ones & UINT64_C(0xFF00FF00FF00FF00);
    numbers.of[0] ^= pick->row[1] * ones & UINT64_C(0xFFFF0000FFFF0000);
    numbers.of[0] ^= pick->row[2] * ones & UINT64_C(0xFFFFFFFF00000000);
    numbers.of[1] = numbers.of[0] ^ pick->row[3] * ones;
    return numbers;
}

static unsigned number_at(const struct numbers *numbers, unsigned row) {
    return (unsigned)(numbers->of[row / 8] >> 8 * (row % 8) & 0xFF);
}

static unsigned part_of(const struct wsim_code_pick *pick, unsigned part) {
    return (part & 1 ? pick->part[0] : 0u) ^ (part & 2 ? pick->part[1] : 0u);
}

static int read_meta(const struct wsim_code *code, const uint32_t *e, unsigned selector,
                     strip_meta to) {
    unsigned chunks = work_of(code)->product.k / work_of(code)->product.kept;
    struct numbers numbers = number_rows(&work_of(code)->meta, selector);
    const struct wsim_code_strip *strip = &work_of(code)->strip;
    struct num_meta meta = {.e = e,
                            .numbers = {numbers.of[0], numbers.of[1]},
                            .blocks = (chunks + 7) / 8,
                            .flip = {0, part_of(&work_of(code)->meta, 2)},
                            .next = work_of(code)->meta.part[0],
                            .valid = work_of(code)->product.valid,
                            .used = chunks < 8 ? (UINT32_C(1) << 4 * chunks) - 1 : UINT32_MAX};
    return num_kernel_at((enum wsim_path)strip->path, strip->kernel)->read_meta(&meta, to);
}

int strip_read_meta(const struct wsim_code *code, const uint32_t *const *e, unsigned selector,
                    strip_meta *meta) {
    int defined = selector < work_of(code)->product.selectors;
    for (unsigned warp = 0; warp < work_of(code)->warps && defined; warp++)
        defined = e[warp] && read_meta(code, e[warp], selector, meta[warp]);
    return defined;
}

/* Factors of 16 lines; those beyond the last column do not matter. */
static int read_factors(const struct wsim_code_pick *pick, const uint32_t *const *regs,
                        unsigned blocks, unsigned threads, unsigned bid, unsigned tid,
                        uint8_t (*to)[PRODUCT_MAX_BLOCKS]) {
    struct numbers numbers;
    if (!regs || !regs[0] || bid >= PRODUCT_SCALE_BYTES || bid % blocks || tid >= threads)
        return 0;
    numbers = number_rows(pick, tid + bid / blocks * threads);
    for (unsigned block = 0; block < blocks; block++) {
        unsigned flip = part_of(pick, block);
        for (unsigned line = 0; line < 16; line++) {
            unsigned from = number_at(&numbers, line) ^ flip;
            to[line][block] =
                (uint8_t)(regs[0][from / PRODUCT_SCALE_BYTES] >> 8 * (from % PRODUCT_SCALE_BYTES));
        }
    }
    return 1;
}

int strip_read_scales(const struct wsim_code *code, const struct wsim_io *io,
                      uint8_t (*scales)[16][PRODUCT_MAX_BLOCKS]) {
    const struct wsim_code_product *how = &work_of(code)->product;
    return read_factors(&work_of(code)->scale_a, io->mma.sfa, how->blocks, how->threads[0],
                        io->mma.bid_a, io->mma.tid_a, scales[0]) &&
           read_factors(&work_of(code)->scale_b, io->mma.sfb, how->blocks, how->threads[1],
                        io->mma.bid_b, io->mma.tid_b, scales[1]);
}
