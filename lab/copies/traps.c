/* traps.c - tiles that the hardware may refuse to move. */
#include "draw.h"

#include <stddef.h>

static void unaligned(void) { /* inner coordinates, of loads and stores */
    struct set s = fresh((int)draw(2));
    do
        draw_tile(&s, 0, 0);
    while (type_bytes(&s.t) == 16);
    draw_place(&s, 0);
    s.coord[0] += 1 + draw(16 / type_bytes(&s.t) - 1);
    print_set(&s);
}

static void misaligned(void) { /* shared addresses */
    static const uint32_t off[] = {1, 4, 8, 16, 32, 48, 64, 96};
    struct set s = fresh((int)draw(3));
    draw_tile(&s, draw(4) == 0, 0);
    if (!make_integer(&s))
        return;
    draw_place(&s, 0);
    s.at += off[draw(8)];
    print_set(&s);
}

static void extremes(void) {
    static const int64_t far[] = {INT32_MIN, INT32_MIN + 64, -65536,         65536,
                                  1 << 30,   INT32_MAX - 63, INT32_MAX - 15, INT32_MAX};
    struct set s = fresh(draw(3) == 0);
    draw_tile(&s, draw(4) == 0, s.what == LOAD);
    draw_place(&s, s.what == LOAD);
    s.coord[draw(s.t.rank)] = far[draw(8)];
    if (!slice_bytes(&s.t) && draw(4))
        s.coord[0] = s.coord[0] / 16 * 16;
    print_set(&s);
}

static void negatives(void) {
    struct set s = fresh(STORE + (int)draw(2));
    draw_tile(&s, draw(4) == 0, 0);
    if (!make_integer(&s))
        return;
    draw_place(&s, 0);
    s.coord[draw(s.t.rank)] = -1 - (int64_t)draw(3);
    print_set(&s);
}

static void strided_stores(void) { /* one element stride, each dimension in turn */
    static unsigned turn;
    struct set s = fresh(STORE);
    do
        draw_tile(&s, turn % 4 == 3, 0);
    while (s.t.rank < 2 + turn % 3);
    s.t.estrides[turn % 4 == 3 ? 0 : turn % 3] = 2;
    turn++;
    if (!is_map(&s.t))
        return;
    draw_place(&s, 0);
    print_set(&s);
}

static void mismatches(void) { /* rank or mode of the map not that of the instruction */
    struct set s = fresh((int)draw(2));
    do
        draw_tile(&s, 0, 0);
    while (s.t.rank < 3);
    draw_place(&s, 0);
    if (draw(2))
        s.dims = s.t.rank == 3 || draw(2) ? s.t.rank - 1 : s.t.rank == 5 ? 4 : s.t.rank + 1;
    else
        s.wrong = 1;
    print_set(&s);
}

const struct kind trap_kinds[] = {
    {"unaligned", unaligned},
    {"misaligned", misaligned},
    {"extremes", extremes},
    {"negatives", negatives},
    {"strided", strided_stores},
    {"mismatches", mismatches},
    {NULL, NULL},
};
