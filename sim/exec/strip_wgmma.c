/* wgmma by kernels: matrices in memory as registers of strips.
 *
 * A register of A or B in the layout of a strip is 8 rows of 16 bytes. These are 16 bytes each of
 * 8 lines of a swizzle pattern, and they are contiguous in every mode. In an MN-major matrix a
 * line is a k. */
#include "wgmma.h"

enum { BLOCK_ROWS = 8, BLOCK_LINES = DESCRIPTOR_LINES };

/* The 16 bytes as words. */
static void copy_words(const uint8_t *from, uint32_t *to) {
    for (unsigned i = 0; i < 4; i++, from += 4)
        to[i] =
            from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* Line `k` of a transposed block: an element of 16 bits of each row. */
static void copy_across(const uint8_t *from, unsigned k, uint32_t *to) {
    for (unsigned row = 0; row < BLOCK_ROWS; row++, from += 2) {
        uint32_t half = from[0] | (uint32_t)from[1] << 8;
        to[4 * row + k / 2] = k % 2 ? to[4 * row + k / 2] | half << 16 : half;
    }
}

void strip_load_block(const struct wsim_memory *shared, const struct wsim_descriptor *d,
                      const struct wsim_tile *tile, unsigned row, unsigned block, uint32_t negate,
                      uint32_t *to) {
    unsigned k = block * DESCRIPTOR_UNIT * 8 / tile->bits;
    uint32_t from_row = descriptor_row(d, tile, row), from_k = descriptor_k(d, tile, k);
    uint32_t width = descriptor_width(d);
    for (unsigned line = 0; line < BLOCK_LINES; line++) {
        uint32_t at = descriptor_join(d, from_row + line * width, from_k);
        const uint8_t *bytes = memory_at(shared, at);
        if (tile->mn_major)
            copy_across(bytes, line, to);
        else
            copy_words(bytes, to + 4 * line);
    }
    for (unsigned i = 0; i < WSIM_LANES; i++)
        to[i] ^= negate;
}

static void load_block(const struct wgmma_source *source, unsigned row, unsigned block,
                       uint32_t negate, uint32_t *to) {
    strip_load_block(source->io->shared, &source->descriptor, &source->tile, row, block, negate,
                     to);
}

/* The sign bits of a word of elements; 0 unless they are to be flipped. */
static uint32_t sign_bits(const struct wsim_format *format, unsigned bits, unsigned negate) {
    uint32_t one = UINT32_C(1) << (format->bits - 1 + format->pad), all = 0;
    for (unsigned at = 0; negate && at < 32; at += bits)
        all |= one << at;
    return all;
}

/* A as registers of strips: [warp][register]. */
static void load_strips(const struct wsim_code *code, const struct wsim_io *io,
                        const struct wgmma_source *a, uint32_t (*to)[WSIM_LANES]) {
    const struct wsim_code_product *how = &work_of(code)->product;
    unsigned regs = work_of(code)->strip.regs_a, warps = work_of(code)->warps;
    uint32_t negate = sign_bits(how->a, how->bits_a, io->wgmma.negate_a);
    for (unsigned warp = 0; warp < warps; warp++)
        for (unsigned reg = 0; reg < regs; reg++, to++) {
            if (!io->wgmma.a) {
                load_block(a, warp * 16 + reg % 2 * 8, reg / 2, negate, to[0]);
                continue;
            }
            for (unsigned lane = 0; lane < WSIM_LANES; lane++)
                to[0][lane] =
                    io->wgmma.a[work_of(code)->strip.a[reg] * warps + warp][lane] ^ negate;
        }
}

void wgmma_strips(const struct wsim_code *code, const struct wgmma_source *a,
                  const struct wgmma_source *b, uint32_t (*words)[WSIM_LANES],
                  struct strip_group *group) {
    const struct wsim_code_strip *how = &work_of(code)->strip;
    uint32_t columns[2 * STRIP_GROUPS][WSIM_LANES];
    unsigned most = 2 * STRIP_GROUPS / how->regs_b;
    uint32_t negate =
        sign_bits(work_of(code)->product.b, work_of(code)->product.bits_b, b->io->wgmma.negate_b);
    load_strips(code, b->io, a, words);
    group->a = (const uint32_t(*)[WSIM_LANES])words;
    group->b = (const uint32_t(*)[WSIM_LANES])columns;
    for (group->first = 0; group->first < how->groups; group->first += group->count) {
        group->count = how->groups - group->first < most ? how->groups - group->first : most;
        for (unsigned i = 0; i < group->count * how->regs_b; i++)
            load_block(b, (group->first + i / how->regs_b) * 8, i % how->regs_b, negate,
                       columns[i]);
        strip_groups(code, group);
    }
}
