/* transpose.c - transposes a matrix of floats in tiles of 32x32 through tensor maps, and counts the
 * cost of every access to shared memory. The four versions are plain, with the 128-byte swizzle
 * on both tiles, with several elements a thread, and with blocks of 16 bytes.
 *
 * A row of a tile is 128 bytes, all 32 banks, so a column lies in one bank. The swizzle moves
 * pieces of 16 bytes, so a column of pieces uses all banks, as the programming guide shows
 * with int4. A column of floats uses only one word of each of the 8 pieces. Several elements a
 * thread mean fewer threads but no fewer wavefronts, until a thread has whole pieces of both
 * tiles. */
#include "block.h"

#include <stdio.h>
#include <string.h>

enum { N = 256, TILE = 32, TILES = N / TILE * (N / TILE) };
enum { IN_AT = 0, OUT_AT = TILE * TILE * 4, MOST = 4 };

static uint8_t source[N * N * 4], target[N * N * 4];
static struct matrix in = {
    {.bytes = source, .size = sizeof source, .base = 0x100000, .space = WSIM_GLOBAL},
    WSIM_TENSOR_FLOAT32,
    4,
    N,
    N,
    N * 4};
static struct matrix out = {
    {.bytes = target, .size = sizeof target, .base = 0x200000, .space = WSIM_GLOBAL},
    WSIM_TENSOR_FLOAT32,
    4,
    N,
    N,
    N * 4};

struct spot {
    unsigned y, x;
};

/* A thread has `high` x `wide` elements of a tile, the first at spot(thread), and moves `each`
 * at a time. */
struct version {
    const char *name;
    enum wsim_swizzle swizzle;
    unsigned high, wide, each;
    struct spot (*spot)(unsigned thread);
    unsigned read, write; /* wavefronts of an access of a warp, by hand    */
    const char *why_read, *why_write;
};

static struct spot by_rows(unsigned thread) {
    return (struct spot){thread / 32, thread % 32};
}
static struct spot by_fours(unsigned thread) {
    return (struct spot){thread / 8, thread % 8 * 4};
}
/* Eight threads have the blocks of a diagonal, with different rows and different columns. */
static struct spot by_diagonals(unsigned thread) {
    unsigned col = thread % 8, row = col ^ thread / 8;
    return (struct spot){row * 4, col * 4};
}

static const struct version versions[] = {
    {"plain", WSIM_SWIZZLE_NONE, 1, 1, 1, by_rows, 1, 32, "a row: 32 words in 32 banks",
     "a column: 32 words in one bank"},
    {"swizzled", WSIM_SWIZZLE_128B, 1, 1, 1, by_rows, 1, 4,
     "a row, its pieces in another order: 32 words in 32 banks",
     "a column: row%8 moves its piece, so 8 banks, and in each the words of 4 rows"},
    {"batched", WSIM_SWIZZLE_128B, 1, 4, 1, by_fours, 4, 4,
     "every 4th word of 4 rows: one word of each piece, so 8 banks, and in each 4 rows",
     "4 words of 8 rows that are 4 apart: row%8 has two values, so 2 pieces of 4 banks, and in "
     "each 4 rows"},
    {"blocks", WSIM_SWIZZLE_128B, 4, 4, 4, by_diagonals, 4, 4,
     "16 bytes a lane, 8 lanes at a time: their 8 pieces fill the 32 banks, 4 times",
     "the same, because a diagonal has 8 different pieces either way"},
};

/* Accesses of warps, and their costs. */
struct tally {
    unsigned accesses, wavefronts, least, most, ideal;
};

static void count(struct tally *tally, struct wsim_banks banks) {
    if (!tally->accesses || banks.wavefronts < tally->least)
        tally->least = banks.wavefronts;
    if (banks.wavefronts > tally->most)
        tally->most = banks.wavefronts;
    tally->accesses++;
    tally->wavefronts += banks.wavefronts;
    tally->ideal += banks.ideal;
}

/* The address of element (y, x) of a tile. */
static uint32_t place(const struct version *version, unsigned y, unsigned x) {
    unsigned key = version->swizzle == WSIM_SWIZZLE_128B ? y % 8 : 0;
    return y * 128 + (x / 4 ^ key) * 16 + x % 4 * 4;
}

/* The registers of a warp: element (i, j) of each thread. */
struct held {
    uint32_t word[MOST][MOST][WSIM_LANES];
};

static void read_row(struct block *block, const struct version *version, unsigned warp, unsigned i,
                     unsigned j, struct held *held, struct tally *tally) {
    struct wsim_regs regs;
    uint32_t addr[WSIM_LANES];
    unsigned lane, e;
    for (lane = 0; lane < WSIM_LANES; lane++) {
        struct spot spot = version->spot(warp * WSIM_LANES + lane);
        addr[lane] = IN_AT + place(version, spot.y + i, spot.x + j);
    }
    count(tally, block_access(block, version->each == 4 ? "ld.shared.v4.f32" : "ld.shared.f32",
                              addr, &regs));
    for (e = 0; e < version->each; e++)
        memcpy(held->word[i][j + e], regs.r[e], sizeof regs.r[e]);
}

static void write_row(struct block *block, const struct version *version, unsigned warp, unsigned i,
                      unsigned j, const struct held *held, struct tally *tally) {
    struct wsim_regs regs;
    uint32_t addr[WSIM_LANES];
    unsigned lane, e;
    for (lane = 0; lane < WSIM_LANES; lane++) {
        struct spot spot = version->spot(warp * WSIM_LANES + lane);
        addr[lane] = OUT_AT + place(version, spot.x + j, spot.y + i);
    }
    for (e = 0; e < version->each; e++)
        memcpy(regs.r[e], held->word[i + e][j], sizeof regs.r[e]);
    count(tally, block_access(block, version->each == 4 ? "st.shared.v4.f32" : "st.shared.f32",
                              addr, &regs));
}

static void transpose_warp(struct block *block, const struct version *version, unsigned warp,
                           struct tally *reads, struct tally *writes) {
    struct held held;
    unsigned i, j;
    for (i = 0; i < version->high; i++)
        for (j = 0; j < version->wide; j += version->each)
            read_row(block, version, warp, i, j, &held, reads);
    for (j = 0; j < version->wide; j++)
        for (i = 0; i < version->high; i += version->each)
            write_row(block, version, warp, i, j, &held, writes);
}

static unsigned threads(const struct version *version) {
    return TILE * TILE / (version->high * version->wide);
}

static void transpose(const struct version *version, struct tally *reads, struct tally *writes) {
    static struct block block;
    struct wsim_tensor_map map_in = matrix_map(&in, version->swizzle, TILE, TILE);
    struct wsim_tensor_map map_out = matrix_map(&out, version->swizzle, TILE, TILE);
    unsigned row, col, warp;
    for (row = 0; row < N; row += TILE)
        for (col = 0; col < N; col += TILE) {
            block_start(&block);
            block_load(&block, &in, &map_in, IN_AT, row, col);
            block_wait(&block, TILE * TILE * 4);
            for (warp = 0; warp < threads(version) / WSIM_LANES; warp++)
                transpose_warp(&block, version, warp, reads, writes);
            block_store(&block, &out, &map_out, OUT_AT, col, row);
        }
}

/* The number of wrong elements of `out`. */
static unsigned wrong(void) {
    unsigned row, col, number = 0;
    for (row = 0; row < N; row++)
        for (col = 0; col < N; col++)
            number += matrix_get(&out, row, col) != matrix_get(&in, col, row);
    return number;
}

static void show_tally(const char *what, const struct tally *tally, unsigned by_hand,
                       const char *why, struct facts *facts) {
    printf("  %-6s %2u accesses a tile, %2u wavefronts each, %4u in all (ideal %2u)\n         %s\n",
           what, tally->accesses / TILES, tally->most, tally->wavefronts / TILES,
           tally->ideal / TILES, why);
    fact(facts, tally->least == by_hand && tally->most == by_hand,
         "by hand: %u, and counted %u to %u", by_hand, tally->least, tally->most);
}

static void show(const struct version *version, struct facts *facts) {
    struct tally reads = {0}, writes = {0};
    memset(target, 0, sizeof target);
    transpose(version, &reads, &writes);
    printf("\n%s: %u threads, %ux%u elements each, %u at a time\n", version->name, threads(version),
           version->high, version->wide, version->each);
    show_tally("reads", &reads, version->read, version->why_read, facts);
    show_tally("writes", &writes, version->write, version->why_write, facts);
    printf("  together %u wavefronts a tile; %u of %u elements are wrong\n",
           (reads.wavefronts + writes.wavefronts) / TILES, wrong(), N * N);
    fact(facts, wrong() == 0, "it is not the transpose");
}

int main(void) {
    struct facts facts = {0};
    unsigned i;
    for (i = 0; i < N * N; i++)
        matrix_put(&in, i / N, i % N, i * 2654435761u); /* all different */
    printf("%ux%u floats in tiles of %ux%u\n", N, N, TILE, TILE);
    for (i = 0; i < sizeof versions / sizeof *versions; i++)
        show(&versions[i], &facts);
    return facts_end(&facts);
}
