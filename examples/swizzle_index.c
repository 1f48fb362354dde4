/* swizzle_index.c - compares the usual index formula for swizzled tiles with the model of the copy
 * engine, and shows where the formula is wrong.
 *
 * For element x of row y of a tile with NX elements of e bytes a row, pieces of 16 bytes, lines of
 * 128 bytes:
 *     i16 = (y*NX + x)*e / 16    y16 = i16 / 8    x16 = i16 % 8    x16_swz = y16 ^ x16
 *     x_swz = x16_swz*16/e % NX + x % (16/e) */
#include "block.h"

#include <stdio.h>

enum { ROWS = 64, MOST = 128 };

/* `line` is the first line of the tile; line 0 begins the pattern. */
static unsigned formula_at(unsigned line, unsigned y, unsigned x, unsigned elements,
                           unsigned bytes) {
    unsigned i16 = (y * elements + x) * bytes / 16, y16 = line + i16 / 8, x16 = i16 % 8;
    unsigned x16_swz = y16 % 8 ^ x16;
    return x16_swz * 16 / bytes % elements + x % (16 / bytes);
}

static unsigned formula(unsigned y, unsigned x, unsigned elements, unsigned bytes) {
    return formula_at(0, y, x, elements, bytes);
}

/* A row pitch, the swizzle of that span, and the formula in short: piece ^= row >> shift & mask. */
struct pitch {
    unsigned bytes;
    enum wsim_swizzle mode;
    unsigned shift, mask;
    const char *bits;
};
static const struct pitch pitches[] = {
    {32, WSIM_SWIZZLE_32B, 2, 1, "bit 2"},
    {64, WSIM_SWIZZLE_64B, 1, 3, "bits 1 and 2"},
    {128, WSIM_SWIZZLE_128B, 0, 7, "bits 0, 1 and 2"},
};

enum { PITCHES = sizeof pitches / sizeof *pitches };

/* The places of piece 0, 1, ... in eight rows. */
static void show_pieces(const struct pitch *pitch) {
    unsigned y, piece;
    for (y = 0; y < 8; y++) {
        printf("  row %u:", y);
        for (piece = 0; piece < pitch->bytes / 16; piece++)
            printf(" %u", formula(y, piece, pitch->bytes / 16, 16));
        printf("\n");
    }
}

/* Formula, short form and address function agree on every element. */
static void compare(const struct pitch *pitch, unsigned bytes, struct facts *facts) {
    unsigned y, x, elements = pitch->bytes / bytes, differ = 0;
    for (y = 0; y < ROWS; y++)
        for (x = 0; x < elements; x++) {
            uint32_t at = y * pitch->bytes + x * bytes;
            uint32_t told = y * pitch->bytes + formula(y, x, elements, bytes) * bytes;
            differ += told != wsim_swizzle_apply(pitch->mode, at);
            differ += told != (at ^ (y >> pitch->shift & pitch->mask) * 16);
        }
    fact(facts, differ == 0, "%u elements of %u bytes lie elsewhere", differ, bytes);
}

/* Loads a tile of numbers and reads each at the place of the formula. */
static void load(const struct pitch *pitch, struct facts *facts) {
    static uint8_t memory[ROWS * MOST];
    static struct block block;
    struct matrix matrix = {
        {.bytes = memory, .size = ROWS * pitch->bytes, .base = 0x10000, .space = WSIM_GLOBAL},
        WSIM_TENSOR_UINT16,
        2,
        ROWS,
        pitch->bytes / 2,
        pitch->bytes};
    struct wsim_tensor_map map = matrix_map(&matrix, pitch->mode, ROWS, matrix.cols);
    unsigned y, x, found = 0, count = ROWS * matrix.cols;
    for (y = 0; y < ROWS; y++)
        for (x = 0; x < matrix.cols; x++)
            matrix_put(&matrix, y, x, y * matrix.cols + x + 1);
    block_start(&block);
    block_load(&block, &matrix, &map, 0, 0, 0);
    block_wait(&block, ROWS * pitch->bytes);
    for (y = 0; y < ROWS; y++)
        for (x = 0; x < matrix.cols; x++) {
            const uint8_t *at = block.bytes + y * pitch->bytes + formula(y, x, matrix.cols, 2) * 2;
            found += (unsigned)(at[0] | at[1] << 8) == y * matrix.cols + x + 1;
        }
    printf("  %u of %u loaded elements are where the formula says\n", found, count);
    fact(facts, found == count, "%u are not", count - found);
}

/* The number of elements for which the formula and an address function differ. */
static unsigned misplaced(unsigned bytes_a_row, enum wsim_swizzle mode, uint32_t base,
                          unsigned line) {
    unsigned y, x, elements = bytes_a_row / 2, differ = 0;
    for (y = 0; y < ROWS; y++)
        for (x = 0; x < elements; x++)
            differ += base + y * bytes_a_row + formula_at(line, y, x, elements, 2) * 2 !=
                      wsim_swizzle_apply(mode, base + y * bytes_a_row + x * 2);
    return differ;
}

/* The pitch of a tile with rows of 16 bytes. */
static unsigned pitch_of_short_rows(void) {
    struct matrix matrix = {
        {.base = 0x10000, .space = WSIM_GLOBAL}, WSIM_TENSOR_UINT16, 2, ROWS, 64, 128};
    struct wsim_tensor tensor = matrix_tensor(&matrix, WSIM_SWIZZLE_128B, ROWS, 8);
    return wsim_tensor_measure(&tensor).pitch;
}

/* Rows shorter than the span, and a tile that begins inside the pattern. */
struct misuse {
    unsigned bytes_a_row;
    enum wsim_swizzle mode;
    uint32_t base;
    unsigned differ; /* of the elements of 64 rows */
};
static const struct misuse misuses[] = {
    {16, WSIM_SWIZZLE_32B, 0, 256},      {16, WSIM_SWIZZLE_64B, 0, 384},
    {32, WSIM_SWIZZLE_64B, 0, 512},      {16, WSIM_SWIZZLE_128B, 0, 448},
    {32, WSIM_SWIZZLE_128B, 0, 768},     {64, WSIM_SWIZZLE_128B, 0, 1024},
    {128, WSIM_SWIZZLE_128B, 128, 4096},
};

static void show_misuses(struct facts *facts) {
    unsigned i;
    printf("\nwhere it may not be used (elements of 2 bytes, %u rows)\n", ROWS);
    for (i = 0; i < sizeof misuses / sizeof *misuses; i++) {
        const struct misuse *misuse = &misuses[i];
        unsigned differ = misplaced(misuse->bytes_a_row, misuse->mode, misuse->base, 0);
        printf("  rows of %3u bytes, %-4s swizzle, tile at %3u: %4u of %4u elsewhere\n",
               misuse->bytes_a_row, wsim_swizzle_name(misuse->mode), misuse->base, differ,
               ROWS * misuse->bytes_a_row / 2);
        fact(facts, differ == misuse->differ, "expected: %u", misuse->differ);
    }
    fact(facts, misplaced(128, WSIM_SWIZZLE_128B, 128, 1) == 0, "line 1 is not all of it");
    fact(facts, pitch_of_short_rows() == 128, "rows of 16 bytes are not 128 apart");
    printf(
        "the pattern goes by the address: a map's rows are a span apart even if they are shorter,\n"
        "and at 128 it begins with line 1, x16_swz = (y16 + 1) ^ x16\n");
}

int main(void) {
    struct facts facts = {0};
    unsigned i, bytes;
    printf("x16_swz = y16 ^ x16, which piece of 16 bytes of its row is where\n");
    for (i = 0; i < PITCHES; i++) {
        const struct pitch *pitch = &pitches[i];
        printf("\nrows of %u bytes, %s swizzle: piece ^= y>>%u & %u, %s of the row\n", pitch->bytes,
               wsim_swizzle_name(pitch->mode), pitch->shift, pitch->mask, pitch->bits);
        show_pieces(pitch);
        for (bytes = 1; bytes <= 16; bytes *= 2)
            compare(pitch, bytes, &facts);
        load(pitch, &facts);
    }
    show_misuses(&facts);
    return facts_end(&facts);
}
