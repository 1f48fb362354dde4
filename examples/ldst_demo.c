/* ldst_demo.c - shows what ldmatrix and stmatrix do, on numbers one can follow by eye.
 *
 * Shared memory holds the 16-bit numbers 0, 1, 2, ... Eight lanes give the addresses of the eight
 * rows of one 8x8 matrix (16 bytes each), the next eight lanes those of the next matrix. Every lane
 * then holds two neighbours of every matrix, one matrix a register. stmatrix is the way back. */
#include "moves.h"

#include <stdio.h>

static void show_load(const struct move *move, struct facts *facts) {
    struct wsim_layout layout = move_layout(move);
    struct wsim_regs regs = move_load(move, facts);
    int all = layout.regs == 4;
    printf("\n%s\n  rows at %s\n", move->spelling, move->rows);
    show_lanes(&layout, &regs, 0, all ? 31 : 3);
    if (!all) {
        printf("  ...\n");
        show_lanes(&layout, &regs, 31, 31);
    }
}

static void show_store(const struct move *move, struct facts *facts) {
    uint16_t memory[MOVES_BYTES / 2];
    unsigned i, written = move_store(move, memory, facts);
    printf("\n%s\n  rows at %s; register j holds 2*lane + 64*j and the next\n"
           "  number; then memory holds\n",
           move->spelling, move->rows);
    for (i = 0; i < written; i++)
        printf("%4u%s", memory[i], i % 16 == 15 ? "\n" : "");
}

int main(void) {
    struct facts facts = {0};
    unsigned i;
    printf("shared memory holds 0, 1, 2, ... in 16 bits each\n");
    for (i = 0; i < MOVES_EACH; i++)
        show_load(&moves_ldmatrix[i], &facts);
    for (i = 0; i < MOVES_EACH; i++)
        show_store(&moves_stmatrix[i], &facts);
    return facts_end(&facts);
}
