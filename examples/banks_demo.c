/* banks_demo.c - shows the cost of reading a row-major tile by columns, and two remedies.
 *
 * Shared memory has 32 banks of 4 bytes. A wavefront is one pass of the access through them;
 * different words of one bank need one pass each. Padding makes rows begin in different banks, but
 * takes memory; an XOR of the column with the row takes none. */
#include "show.h"

#include <stdio.h>

/* The tile has rows of 128 bytes, 32 banks wide, so a column lies in one bank. */
enum { PITCH = 128 };

/* Byte address of chunk `chunk` of `bytes` in row `row`, placed in three ways. */
static uint32_t plain(unsigned row, unsigned chunk, unsigned bytes) {
    return row * PITCH + chunk * bytes;
}
static uint32_t padded(unsigned row, unsigned chunk, unsigned bytes) {
    return row * (PITCH + bytes) + chunk * bytes;
}
static uint32_t swizzled(unsigned row, unsigned chunk, unsigned bytes) {
    return row * PITCH + (chunk ^ row % (PITCH / bytes)) * bytes;
}

struct placement {
    const char *name;
    uint32_t (*address)(unsigned row, unsigned chunk, unsigned bytes);
};
static const struct placement placements[] = {
    {"row-major", plain}, {"padded", padded}, {"swizzled", swizzled}};

enum { PLACEMENTS = sizeof placements / sizeof *placements };

/* Lanes read down a column: one row each, or (ldmatrix, A of an mma) 16 rows of two chunks. */
struct access {
    const char *spelling, *what;
    unsigned bytes, rows;
    unsigned wavefronts[PLACEMENTS], ideal; /* what the rule of the header gives by hand */
};
static const struct access accesses[] = {
    {"ld.shared.u32", "lane l reads word 5 of row l", 4, 32, {32, 1, 1}, 1},
    {"ld.shared.v4.u32", "lane l reads 16 bytes, chunk 5 of row l", 16, 32, {32, 4, 4}, 4},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16",
     "rows lane%16, chunk 5 + lane/16",
     16,
     16,
     {32, 4, 4},
     4},
};

static void show_banks(const uint32_t addr[WSIM_LANES]) {
    unsigned lane;
    printf("             banks of lanes 0-7:");
    for (lane = 0; lane < 8; lane++)
        printf(" %2u", addr[lane] / 4 % WSIM_BANKS);
    printf(" ...\n");
}

static void count(const struct access *access, unsigned placement, struct facts *facts) {
    struct wsim_op op = must_parse(access->spelling);
    struct wsim_banks banks;
    uint32_t addr[WSIM_LANES];
    unsigned lane;
    for (lane = 0; lane < WSIM_LANES; lane++)
        addr[lane] = placements[placement].address(lane % access->rows, 5 + lane / access->rows,
                                                   access->bytes);
    fact(facts,
         wsim_banks_count(&op, must_find("sm_90a"), addr, ~(uint32_t)0, &banks, NULL) == WSIM_OK,
         "the access was refused");
    printf("  %-10s %2u wavefronts, ideal %u, %2u conflicts\n", placements[placement].name,
           banks.wavefronts, banks.ideal, banks.conflicts);
    show_banks(addr);
    fact(facts, banks.wavefronts == access->wavefronts[placement], "by hand: %u wavefronts",
         access->wavefronts[placement]);
    fact(facts, banks.ideal == access->ideal, "by hand: ideal %u", access->ideal);
    fact(facts, banks.conflicts == access->wavefronts[placement] - access->ideal,
         "by hand: %u conflicts", access->wavefronts[placement] - access->ideal);
}

int main(void) {
    struct facts facts = {0};
    unsigned i, placement;
    printf("a tile with rows of %u bytes, read by columns\n", PITCH);
    for (i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        printf("\n%s, %s\n", accesses[i].spelling, accesses[i].what);
        for (placement = 0; placement < PLACEMENTS; placement++)
            count(&accesses[i], placement, &facts);
    }
    return facts_end(&facts);
}
