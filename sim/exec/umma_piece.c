/* A strip of rows of a product of tcgen05, 16 neighbouring lanes of tensor memory, by a kernel. */
#include "umma_piece.h"

#include <string.h>

/* --- tensor memory --- */

static unsigned lane_of(const struct umma_piece *p, uint32_t address) {
    return umma_row_lane(p->run->how, p->row, p->part) + umma_lane(address);
}

static uint8_t *words_at(const struct umma_piece *p, unsigned lane, unsigned column) {
    return p->run->tensor[p->block]->bytes + umma_byte(lane, column);
}

void umma_piece_load_a(const struct umma_piece *p, uint32_t (*to)[WSIM_LANES]) {
    const struct wsim_code_product *product = p->run->product.how;
    uint32_t at = p->run->io->umma.a, words[2 * WORDS], negate = 0;
    unsigned lane = lane_of(p, at);
    if (p->run->how->negate[0])
        negate = umma_signs(product->a, product->bits_a, 0);
    for (unsigned row = 0; row < ROWS; row++) {
        memory_read_words(words, words_at(p, lane + row, umma_column(at)), 2 * WORDS);
        for (unsigned i = 0; i < 2 * WORDS; i++)
            to[2 * (i / WORDS) + row / 8][WORDS * (row % 8) + i % WORDS] = words[i] ^ negate;
    }
}

/* The metadata of the strip: four nibbles lie in half of a word. */
static void load_meta(const struct umma_piece *p, uint32_t (*to)[ROWS]) {
    unsigned chunks = p->how->k_dense / p->how->chunk, lane, column, bit;
    uint32_t at = p->run->io->umma.e;
    for (unsigned chunk = 0; chunk < chunks; chunk += 4)
        for (unsigned row = 0; row < ROWS; row++) {
            uint32_t *word = &to[chunk / 8][row], half;
            umma_nibble_at(p->run->how, p->part, p->row + row, chunk, &lane, &column, &bit);
            half = umma_word(p->run->tensor[p->block], lane + umma_lane(at),
                             umma_column(at) + column) >>
                       bit &
                   0xFFFF;
            *word = chunk % 8 ? *word | half << 16 : half;
        }
}

/* The factors of `count` rows or columns from `at` on, in the quarter of the lanes that computes
 * the strip. Each has a word, which begins with the first factor. */
static void load_scales(const struct umma_piece *p, unsigned which, unsigned at, unsigned count,
                        uint8_t *to) {
    const struct wsim_io_umma *io = &p->run->io->umma;
    const unsigned shift = 8u * p->run->how->factor_id[which];
    const uint8_t *from =
        words_at(p, lane_of(p, io->d) / 32 * 32, umma_column(which ? io->sfb : io->sfa));
    unsigned order[COLS];
    for (unsigned i = 0; i < COLS; i++)
        order[i] = which ? umma_column_of(p->how, i) : i;
    for (unsigned i = 0; i < count; i++, to += PRODUCT_MAX_BLOCKS) {
        const unsigned n = at + i / COLS * COLS + order[i % COLS];
        uint32_t word;
        memory_read_words(&word, from + umma_byte(n % 32, n / 32), 1);
        word = word >> shift | (uint32_t)((uint64_t)word << (32 - shift));
        memory_write_words(to, &word, 1);
    }
}

/* Columns of f16 lie in the low halves of words: a register has two. The high halves stay. */
static void split_half(const uint8_t *from, uint32_t *pairs) {
    uint32_t words[COLS];
    memory_read_words(words, from, COLS);
    for (unsigned t = 0; t < WORDS; t++)
        pairs[t] = (words[2 * t] & 0xFFFF) | words[2 * t + 1] << 16;
}

static void join_half(uint8_t *to, const uint32_t *pairs) {
    uint32_t words[COLS];
    memory_read_words(words, to, COLS);
    for (unsigned t = 0; t < WORDS; t++) {
        words[2 * t] = (words[2 * t] & 0xFFFF0000) | (pairs[t] & 0xFFFF);
        words[2 * t + 1] = (words[2 * t + 1] & 0xFFFF0000) | pairs[t] >> 16;
    }
    memory_write_words(to, words, COLS);
}

/* Columns of a row in two registers of each group. */
static void load_row(const uint8_t *from, unsigned count, uint32_t *to) {
    for (unsigned g = 0; g < count; g++, from += 4 * COLS, to += REGS_D * WSIM_LANES) {
        memory_read_words(to, from, WORDS);
        memory_read_words(to + WSIM_LANES, from + 4 * WORDS, WORDS);
    }
}

static void save_row(uint8_t *to, unsigned count, const uint32_t *from) {
    for (unsigned g = 0; g < count; g++, to += 4 * COLS, from += REGS_D * WSIM_LANES) {
        memory_write_words(to, from, WORDS);
        memory_write_words(to + 4 * WORDS, from + WSIM_LANES, WORDS);
    }
}

/* C of the rows of a strip, as registers: `count` groups of columns. */
static void load_c(const struct umma_piece *p, unsigned column, unsigned count,
                   uint32_t (*to)[WSIM_LANES]) {
    const uint8_t *from = words_at(p, lane_of(p, p->run->io->umma.d), column);
    const int halves = p->how->d->bits == 16;
    for (unsigned row = 0; row < ROWS; row++, from += umma_byte(1, 0)) {
        unsigned high = row / 8, first = WORDS * (row % 8);
        if (!halves)
            load_row(from, count, &to[2 * high][first]);
        for (unsigned g = 0; halves && g < count; g++)
            split_half(from + 4 * COLS * g, &to[2 * g + high][first]);
    }
}

static void save_d(const struct umma_piece *p, unsigned column, unsigned count,
                   uint32_t (*from)[WSIM_LANES]) {
    const unsigned lane = lane_of(p, p->run->io->umma.d);
    const int halves = p->how->d->bits == 16;
    uint8_t *to = words_at(p, lane, column);
    for (unsigned row = 0; row < ROWS; row++, to += umma_byte(1, 0)) {
        unsigned high = row / 8, first = WORDS * (row % 8);
        if (umma_is_masked(p->run, p->block, lane + row))
            continue;
        if (!halves)
            save_row(to, count, &from[2 * high][first]);
        for (unsigned g = 0; halves && g < count; g++)
            join_half(to + 4 * COLS * g, &from[2 * g + high][first]);
    }
}

/* --- strips --- */

void umma_piece_multiply(const struct umma_piece *p, const uint32_t (*a)[WSIM_LANES],
                         const uint32_t (*b)[WSIM_LANES], unsigned first, unsigned count) {
    const struct wsim_code_strip *strip = &work_of(p->run->code)->strip;
    uint32_t words[GROUPS * REGS_D][WSIM_LANES], meta[2][ROWS];
    uint8_t scales_a[ROWS][PRODUCT_MAX_BLOCKS], scales_b[GROUPS * COLS][PRODUCT_MAX_BLOCKS];
    const uint32_t *in_a[REGS_A], *in_b[REGS_B];
    uint32_t *d[GROUPS * REGS_D];
    unsigned regs = strip->regs_d, column = umma_column(p->run->io->umma.d) + COLS * first;
    struct num_strip in = {.a = in_a,
                           .b = in_b,
                           .c = (const uint32_t *const *)d,
                           .d = d,
                           .groups = count,
                           .meta = meta[0],
                           .scales_a = scales_a[0],
                           .scales_b = scales_b[0]};
    for (unsigned i = 0; i < REGS_A; i++)
        in_a[i] = a[i];
    for (unsigned i = 0; i < count * strip->regs_b; i++)
        in_b[i] = b[i];
    for (unsigned i = 0; i < count * regs; i++)
        d[i] = words[i]; /* D takes the place of C */
    if (p->run->io->umma.adds)
        load_c(p, column, count, words);
    else
        memset(words, 0, count * regs * sizeof words[0]);
    if (p->how->kept)
        load_meta(p, meta);
    if (p->how->blocks) {
        load_scales(p, 0, p->row, ROWS, scales_a[0]);
        load_scales(p, 1, COLS * first, COLS * count, scales_b[0]);
    }
    num_kernel_at((enum wsim_path)strip->path, strip->kernel)->run(p->how, &in);
    save_d(p, column, count, words);
}
