/* tma_add_one.c - adds one to every element of a matrix, tile by tile through a tensor map, without
 * a swizzle and with the 32-byte swizzle. Tutorials of the copy engine begin with this kernel.
 *
 * A kernel with a wrong index still adds one to every element, so the matrix is right. Here all
 * elements differ, and every thread checks the one that it reads. */
#include "block.h"

#include <stdio.h>
#include <string.h>

/* The last tiles exceed the matrix in both directions; each row has 16 bytes of padding. */
enum { ROWS = 80, COLS = 100, PITCH = COLS * 4 + 16, TILE = 32, WARPS = TILE };

static uint8_t memory[ROWS * PITCH], expected[ROWS * PITCH];
static struct matrix matrix = {
    {.bytes = memory, .size = sizeof memory, .base = 0x20000, .space = WSIM_GLOBAL},
    WSIM_TENSOR_INT32,
    4,
    ROWS,
    COLS,
    PITCH};

/* The layout of a 32x32 tile in shared memory, and the elements of each thread. */
struct kernel {
    const char *name, *how, *index;
    enum wsim_swizzle swizzle;
    unsigned box_cols; /* a tile is TILE / box_cols copies, one after another */
    uint32_t (*address)(unsigned y, unsigned x);
    unsigned warp_cols;          /* columns of a tile for each warp                  */
    unsigned wavefronts, misses; /* by hand: of each access of a warp; of all threads, those
                                    that read the element of another                 */
};

static uint32_t in_rows(unsigned y, unsigned x) {
    return y * 128 + x * 4;
}
/* Four panels of 32 rows of 32 bytes. */
static uint32_t in_panels(unsigned y, unsigned x) {
    return x / 8 * 1024 + y * 32 + x % 8 * 4;
}
/* Row y is in line y / 4 of 128 bytes. In odd lines, the two pieces of a row are exchanged. */
static uint32_t fixed(unsigned y, unsigned x) {
    return in_panels(y, x) ^ (y >> 2 & 1) * 16;
}

/* Without the fix, threads of these rows read the element of another thread. This affects 40 of the
 * 80 rows, with 96 columns and the last 4 with their 4 neighbours. */
static const struct kernel kernels[] = {
    {"no swizzle", "one copy of 32 rows of 32 ints", "y*128 + x*4", WSIM_SWIZZLE_NONE, 32, in_rows,
     32, 1, 0},
    {"32B swizzle, index as without one", "four copies of 32 rows of 8 ints, 1024 bytes apart",
     "x/8*1024 + y*32 + x%8*4", WSIM_SWIZZLE_32B, 8, in_panels, 32, 4, 40 * (96 + 8)},
    {"32B swizzle, index fixed", "the same four copies", "(the same) ^ (y>>2 & 1)*16",
     WSIM_SWIZZLE_32B, 8, fixed, 32, 4, 0},
    {"32B swizzle, index fixed, a warp takes 4 rows of a panel", "the same four copies",
     "(the same) ^ (y>>2 & 1)*16", WSIM_SWIZZLE_32B, 8, fixed, 8, 1, 0},
};

/* The sums of one tile, or of all tiles. */
struct tally {
    unsigned tiles, misses, wavefronts, accesses;
    uint64_t outside;
};

static void copy_tile(struct block *block, const struct kernel *kernel, int stores, unsigned row,
                      unsigned col, struct tally *tally) {
    struct wsim_tensor_map map = matrix_map(&matrix, kernel->swizzle, TILE, kernel->box_cols);
    unsigned x;
    for (x = 0; x < TILE; x += kernel->box_cols) {
        uint32_t at = x * TILE * 4;
        if (stores)
            block_store(block, &matrix, &map, at, row, col + x);
        else
            tally->outside += block_load(block, &matrix, &map, at, row, col + x).outside;
    }
}

/* The element before the kernel; outside of the matrix the copy fills in zeros. */
static uint32_t element(unsigned row, unsigned col) {
    return row < ROWS && col < COLS ? row * COLS + col + 1 : 0;
}

/* The element of a thread, in the tile. */
struct spot {
    unsigned y, x;
};
static struct spot spot_of(const struct kernel *kernel, unsigned warp, unsigned lane) {
    unsigned cols = kernel->warp_cols, across = TILE / cols, down = WSIM_LANES / cols;
    return (struct spot){warp / across * down + lane / cols, warp % across * cols + lane % cols};
}

/* One warp loads its elements, adds one and stores them. */
static void add_one(struct block *block, const struct kernel *kernel, unsigned warp, unsigned row,
                    unsigned col, struct tally *tally) {
    uint32_t addr[WSIM_LANES];
    struct wsim_regs regs;
    unsigned lane;
    for (lane = 0; lane < WSIM_LANES; lane++) {
        struct spot spot = spot_of(kernel, warp, lane);
        addr[lane] = kernel->address(spot.y, spot.x);
    }
    tally->wavefronts += block_access(block, "ld.shared.u32", addr, &regs).wavefronts;
    for (lane = 0; lane < WSIM_LANES; lane++) {
        struct spot spot = spot_of(kernel, warp, lane);
        tally->misses += regs.r[0][lane] != element(row + spot.y, col + spot.x);
        regs.r[0][lane]++;
    }
    tally->wavefronts += block_access(block, "st.shared.u32", addr, &regs).wavefronts;
    tally->accesses += 2;
}

static struct tally run(const struct kernel *kernel) {
    static struct block block;
    struct tally tally = {0};
    unsigned row, col, warp;
    for (row = 0; row < ROWS; row += TILE)
        for (col = 0; col < COLS; col += TILE, tally.tiles++) {
            block_start(&block);
            copy_tile(&block, kernel, 0, row, col, &tally);
            block_wait(&block, TILE * TILE * 4); /* bytes outside count too */
            for (warp = 0; warp < WARPS; warp++)
                add_one(&block, kernel, warp, row, col, &tally);
            copy_tile(&block, kernel, 1, row, col, &tally);
        }
    return tally;
}

static void fill(void) {
    struct matrix after = matrix;
    unsigned row, col;
    after.memory.bytes = expected;
    memset(memory, 0xee, sizeof memory);
    memset(expected, 0xee, sizeof expected);
    for (row = 0; row < ROWS; row++)
        for (col = 0; col < COLS; col++) {
            matrix_put(&matrix, row, col, element(row, col));
            matrix_put(&after, row, col, element(row, col) + 1);
        }
}

static void show(const struct kernel *kernel, struct facts *facts) {
    struct tally tally;
    fill();
    tally = run(kernel);
    printf("\n%s: a tile is %s\n  thread (y, x) at %s\n", kernel->name, kernel->how, kernel->index);
    printf("  %u tiles, %u bytes outside of the matrix\n", tally.tiles, (unsigned)tally.outside);
    printf("  a warp takes %2u columns: %u wavefronts a load or store\n", kernel->warp_cols,
           tally.wavefronts / tally.accesses);
    printf("  %u of %u threads found the element of another\n", tally.misses,
           tally.tiles * TILE * TILE);
    fact(facts, memcmp(memory, expected, sizeof memory) == 0, "the matrix is not one more");
    fact(facts, tally.wavefronts == kernel->wavefronts * tally.accesses, "by hand: %u wavefronts",
         kernel->wavefronts);
    fact(facts, tally.misses == kernel->misses, "by hand: %u threads", kernel->misses);
    fact(facts, tally.outside == tally.tiles * TILE * TILE * 4 - ROWS * COLS * 4,
         "by hand: what the tiles have more than the matrix");
}

int main(void) {
    struct facts facts = {0};
    struct wsim_tensor whole = matrix_tensor(&matrix, WSIM_SWIZZLE_32B, TILE, TILE);
    struct wsim_diag diag;
    unsigned i;
    printf("%ux%u ints, rows %u bytes apart, in tiles of %ux%u\n", ROWS, COLS, PITCH, TILE, TILE);
    for (i = 0; i < sizeof kernels / sizeof *kernels; i++)
        show(&kernels[i], &facts);
    fact(&facts, wsim_tensor_check(&whole, must_find(BLOCK_ARCH), &diag) != WSIM_OK,
         "a row of 128 bytes fits a swizzle of 32");
    printf("\nwhy four copies: %s\n", diag.text);
    return facts_end(&facts);
}
