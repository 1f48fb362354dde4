/* Metadata and scale factors for kernels: what a row has is picked out of registers by a number
 * that is linear over bits, as layouts are: that of the row, of the part of the row, and of what
 * the operand selects, XORed. Anything that is to be refused is left to the plain path, which says
 * why.
 */
#include "map.h"
#include "strip.h"

#include <string.h>

enum {
    META_PARTS = PRODUCT_MAX_CHUNKS / 4, /* of a row: 4 nibbles each, half a register           */
    META_HALVES = 2,
    NUMBER_LANE = WSIM_LANES - 1 /* the bits of a place (map_invert) that are a lane        */
};

/* --- prepared --- */

/* The number of a place, an element of so many parts a register. */
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

/* `rows` of the layout are counted by bits of its rows, or of its columns; the first bits of a part
 * of a row are those inside of it. 0: too many bits. */
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
           compile(&code->work.meta, &layout, 0, 2, META_HALVES);
}

static int compile_scales(struct wsim_code *code) {
    struct wsim_layout a, b;
    wsim_op_layout(&code->op, code->arch, WSIM_SFA, &a, NULL);
    wsim_op_layout(&code->op, code->arch, WSIM_SFB, &b, NULL);
    return compile(&code->work.scale_a, &a, 0, 0, PRODUCT_SCALE_BYTES) &&
           compile(&code->work.scale_b, &b, 1, 0, PRODUCT_SCALE_BYTES);
}

int strip_prepare_picks(struct wsim_code *code) {
    return (!code->work.product.kept || compile_meta(code)) &&
           (!code->work.product.blocks || compile_scales(code));
}

/* --- run --- */

/* The numbers of 16 rows, of what is selected. */
static void number_rows(const struct wsim_code_pick *pick, unsigned selected, uint8_t number[16]) {
    number[0] = 0;
    for (unsigned bit = 0; bit < 4; bit++)
        number[0] ^= selected >> bit & 1 ? pick->select[bit] : 0;
    for (unsigned bit = 0; bit < 4; bit++)
        for (unsigned row = 0; row < 1u << bit; row++)
            number[row + (1u << bit)] = number[row] ^ pick->row[bit];
}

static unsigned part_of(const struct wsim_code_pick *pick, unsigned part) {
    return (part & 1 ? pick->part[0] : 0u) ^ (part & 2 ? pick->part[1] : 0u);
}

/* Whether every nibble below `used` of each word is defined. A nibble of x is 0 where a word has an
 * undefined value; subtracting 1 from each finds whether there is any. */
static int are_defined(unsigned valid, uint32_t used, const uint32_t words[16]) {
    uint32_t any = 0;
    for (unsigned value = 0; value < 16; value++) {
        uint32_t all = value * UINT32_C(0x11111111);
        for (unsigned row = 0; row < 16 && !(valid >> value & 1); row++) {
            uint32_t x = (words[row] ^ all) | ~used;
            any |= (x - UINT32_C(0x11111111)) & ~x & UINT32_C(0x88888888);
        }
    }
    return !any;
}

static int read_meta(const struct wsim_code *code, const uint32_t *e, unsigned selector,
                     strip_meta meta) {
    unsigned chunks = code->work.product.k / code->work.product.kept;
    uint32_t used = chunks < 8 ? (UINT32_C(1) << 4 * chunks) - 1 : UINT32_MAX;
    uint8_t number[16];
    number_rows(&code->work.meta, selector, number);
    for (unsigned part = 0; part < (chunks + 3) / 4; part++) {
        unsigned flip = part_of(&code->work.meta, part);
        for (unsigned row = 0; row < 16; row++) {
            unsigned from = number[row] ^ flip;
            uint32_t half = e[from / META_HALVES] >> 16 * (from % META_HALVES) & 0xFFFF;
            meta[part / 2][row] = part % 2 ? meta[part / 2][row] | half << 16 : half;
        }
    }
    return are_defined(code->work.product.valid, used, meta[0]) &&
           (chunks <= 8 || are_defined(code->work.product.valid, used, meta[1]));
}

int strip_read_meta(const struct wsim_code *code, const uint32_t *const *e, unsigned selector,
                    strip_meta *meta) {
    int defined = selector < code->work.product.selectors;
    for (unsigned warp = 0; warp < code->work.warps && defined; warp++)
        defined = e[warp] && read_meta(code, e[warp], selector, meta[warp]);
    return defined;
}

/* Factors of 16 lines; those beyond the last column are those of others, and of no interest. */
static int read_factors(const struct wsim_code_pick *pick, const uint32_t *const *regs,
                        unsigned blocks, unsigned threads, unsigned bid, unsigned tid,
                        uint8_t (*to)[PRODUCT_MAX_BLOCKS]) {
    uint8_t number[16];
    if (!regs || !regs[0] || bid >= PRODUCT_SCALE_BYTES || bid % blocks || tid >= threads)
        return 0;
    number_rows(pick, tid + bid / blocks * threads, number);
    for (unsigned block = 0; block < blocks; block++) {
        unsigned flip = part_of(pick, block);
        for (unsigned line = 0; line < 16; line++) {
            unsigned from = number[line] ^ flip;
            to[line][block] =
                (uint8_t)(regs[0][from / PRODUCT_SCALE_BYTES] >> 8 * (from % PRODUCT_SCALE_BYTES));
        }
    }
    return 1;
}

int strip_read_scales(const struct wsim_code *code, const struct wsim_io *io,
                      uint8_t (*scales)[16][PRODUCT_MAX_BLOCKS]) {
    const struct wsim_code_product *how = &code->work.product;
    return read_factors(&code->work.scale_a, io->sfa, how->blocks, how->threads[0], io->bid_a,
                        io->tid_a, scales[0]) &&
           read_factors(&code->work.scale_b, io->sfb, how->blocks, how->threads[1], io->bid_b,
                        io->tid_b, scales[1]);
}
