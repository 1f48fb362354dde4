/* quickstart.c - shows the published numbers of ldst_demo and ldmatrix_tiles next to ours, on one
 * screen. Exit status 1 if a number differs. */
#include "moves.h"

#include <stdio.h>

static void heading(const struct move *move) {
    printf("\n%s, rows at %s\n", move->spelling, move->rows);
}

static void line(const char *where, const char *published, const char *ours) {
    printf("%-5s%-37s %s\n", where, published, ours);
}

static void show_lane(const struct move *move, const struct wsim_regs *ours, unsigned lane) {
    struct wsim_layout layout = move_layout(move);
    struct wsim_regs published = move_published(move);
    char number[16], told[LANE_TEXT], got[LANE_TEXT];
    snprintf(number, sizeof number, "%u", lane);
    lane_text(&layout, &published, lane, told);
    lane_text(&layout, ours, lane, got);
    line(number, told, got);
}

static void show_load(const struct move *move, struct facts *facts) {
    struct wsim_regs ours = move_load(move, facts);
    heading(move);
    show_lane(move, &ours, move->first_lane);
    if (move->first_lane != move->last_lane)
        show_lane(move, &ours, move->last_lane);
}

static void show_store(const struct move *move, struct facts *facts) {
    uint16_t memory[MOVES_BYTES / 2];
    unsigned last = move_store(move, memory, facts) - 1;
    char told[LANE_TEXT], got[LANE_TEXT];
    snprintf(told, sizeof told, "0 1 2 3 ... %u", last);
    snprintf(got, sizeof got, "%u %u %u %u ... %u", memory[0], memory[1], memory[2], memory[3],
             memory[last]);
    heading(move);
    line("mem", told, got);
}

int main(void) {
    struct facts facts = {0};
    unsigned i;
    printf("wsim %s as %s: memory holds 0 1 2 ..., what do lanes get? And back.\n", wsim_version(),
           MOVES_ARCH);
    line("lane", "published", "ours");
    for (i = 0; i < MOVES_EACH; i++)
        show_load(&moves_ldmatrix[i], &facts);
    for (i = 0; i < MOVES_EACH; i++)
        show_store(&moves_stmatrix[i], &facts);
    for (i = 0; i < MOVES_EACH; i++)
        show_load(&moves_tiles[i], &facts);
    return facts_end(&facts);
}
