/* ldmatrix_tiles.c - shows how ldmatrix loads the operand tiles of an mma from shared memory.
 *
 * One x4 takes the four 8x8 quarters of a 16x16 tile. Lanes 0-15 address the left half of the 16
 * rows, lanes 16-31 the right half. With .trans, lanes receive columns of the rows in memory, so
 * a row-major B becomes the fragment of the mma. */
#include "moves.h"

#include <stdio.h>

/* Memory as a tile: rows of `cols` elements. */
static void show_memory(unsigned rows, unsigned cols) {
    unsigned row, col;
    for (row = 0; row < rows; row++) {
        if (row >= 2 && row % 8 >= 2) { /* the pattern is clear from two rows of each matrix */
            if (row % 8 == 2)
                printf("  ...\n");
            continue;
        }
        printf("  row %2u: ", row);
        for (col = 0; col < cols; col++)
            printf("%4u", row * cols + col);
        printf("\n");
    }
}

static void show_tile(const struct move *move, const char *title, unsigned cols,
                      struct facts *facts) {
    struct wsim_layout layout = move_layout(move);
    struct wsim_regs regs = move_load(move, facts);
    printf("\n%s\n", title);
    show_memory(16, cols);
    printf("%s\n  rows at %s; lane %u is the published one:\n", move->spelling, move->rows,
           move->first_lane);
    show_lanes(&layout, &regs, 0, 5);
}

int main(void) {
    struct facts facts = {0};
    printf("every tile holds 0, 1, 2, ... row by row\n");
    show_tile(&moves_tiles[0], "16 rows of 8 words (32 bits): a tf32 operand", 8, &facts);
    show_tile(&moves_tiles[1], "16 rows of 16 halves (16 bits): an f16 operand", 16, &facts);
    show_tile(&moves_tiles[2], "16 rows of 8 halves (16 bits), transposed", 8, &facts);
    return facts_end(&facts);
}
