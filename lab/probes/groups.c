/* groups.c - which products share one aligned sum, how many bits it keeps, and when.
 *
 * Three terms: +2^15, -2^15 and a small one, all but the small one in any order. In one sum the
 * small term survives if it is at most F bits below 2^15. In the columns of D it is 22 to 29 bits
 * below. If it enters the sum in another step, it survives always, or never if the large ones are
 * alone when it comes. Every stored position plays every part, one triple a row of A; then C does.
 * Where A is compressed, rows of B that are not selected hold NaN. */
#include "probe.h"

#include <stdio.h>

enum { LARGE_A = 8, LARGE_B = 7, SMALL_A = -6, SMALL_B = -1 }; /* 2^15; 2^-7 and less */

/* Fields of one map. */
struct map {
    struct probe probe;
    unsigned nibble, row, cases;
    char comment[64];
    int brief; /* of each small and first position, only the next second one */
};

static void fill_b(struct map *map, unsigned small) {
    struct probe *p = &map->probe;
    const struct wsim_layout *layout = &p->layout_b;
    unsigned pad = layout->elem_bits > layout->format->bits ? layout->format->pad : 0;
    for (unsigned col = 0; col < p->cols; col++) {
        for (unsigned k = 0; p->info.sparse && k < layout->rows; k++)
            probe_set_b(p, k, col, layout->format->nan << pad);
        for (unsigned s = 0; s < p->stored; s++)
            probe_set_b(p, probe_k(p, map->nibble, s), col,
                        probe_power(layout, 0, s == small ? SMALL_B - (int)col : LARGE_B));
    }
}

static unsigned next_nibble(const struct map *map) {
    unsigned nibble = map->nibble;
    if (!map->probe.info.sparse)
        return 0;
    do
        nibble = (nibble + 1) % 16;
    while (!probe_nibble_is_defined(&map->probe, nibble));
    return nibble;
}

/* An empty case for `small` (a stored position, or none). c_sign 1 or -1: C is c_sign * 2^15; 2: C
 * is the small term; 0: C is zero. */
static void start(struct map *map, unsigned small, int c_sign) {
    struct probe *p = &map->probe;
    map->nibble = next_nibble(map);
    map->row = 0;
    probe_clear(p, map->nibble);
    fill_b(map, small);
    for (unsigned row = 0; c_sign && row < p->rows; row++)
        for (unsigned col = 0; col < p->cols; col++)
            probe_set_c(p, row, col,
                        c_sign == 2 ? probe_power(&p->layout_c, 0, SMALL_A + SMALL_B - (int)col)
                                    : probe_power(&p->layout_c, c_sign < 0, LARGE_A + LARGE_B));
}

static void flush(struct map *map) {
    if (map->row)
        probe_print(&map->probe, map->comment);
    map->cases += map->row != 0;
}

/* One row of A; positions that are not there are at or past `stored`. */
static void put(struct map *map, unsigned plus, unsigned minus, unsigned small, int c_sign) {
    struct probe *p = &map->probe;
    if (map->row == 0)
        start(map, small, c_sign);
    if (plus < p->stored)
        probe_set_a(p, map->row, plus, probe_power(&p->layout_a, 0, LARGE_A));
    if (minus < p->stored)
        probe_set_a(p, map->row, minus, probe_power(&p->layout_a, 1, LARGE_A));
    if (small < p->stored)
        probe_set_a(p, map->row, small, probe_power(&p->layout_a, 0, SMALL_A));
    if (++map->row == p->rows) {
        flush(map);
        map->row = 0;
    }
}

static void end(struct map *map) {
    flush(map);
    map->row = 0;
}

static unsigned after(unsigned position, unsigned small, unsigned stored) {
    unsigned next = (position + 1) % stored;
    return next == small ? (next + 1) % stored : next;
}

static void triples(struct map *map) {
    unsigned stored = map->probe.stored;
    for (unsigned small = 0; small < stored; small++) {
        snprintf(map->comment, sizeof map->comment, "X12 small term at %u", small);
        for (unsigned i = 0; i < stored; i++)
            for (unsigned j = 0; i != small && j < stored; j++)
                if (j != i && j != small && (!map->brief || j == after(i, small, stored)))
                    put(map, i, j, small, 0);
        end(map);
    }
}

static void with_c(struct map *map) {
    unsigned stored = map->probe.stored;
    for (int sign = -1; sign <= 1; sign += 2)
        for (unsigned small = 0; small < stored; small++) {
            snprintf(map->comment, sizeof map->comment, "X12 C is %s, small term at %u",
                     sign < 0 ? "-2^15" : "+2^15", small);
            for (unsigned i = 0; i < stored; i++)
                if (i != small)
                    put(map, sign < 0 ? i : stored, sign < 0 ? stored : i, small, sign);
            end(map);
        }
    snprintf(map->comment, sizeof map->comment, "X12 C is the small term");
    for (unsigned i = 0; i < stored; i++)
        for (unsigned j = 0; j < stored; j++)
            if (j != i && (!map->brief || j == (i + 1) % stored))
                put(map, i, j, stored, 2);
    end(map);
}

static void map_of(const char *spelling, unsigned selector, int brief) {
    static struct map map;
    probe_open(&map.probe, spelling, selector);
    map.nibble = 3;
    map.brief = brief;
    triples(&map);
    with_c(&map);
}

#define DENSE "mma.sync.aligned."
#define SPARSE "mma.sp.sync.aligned."
#define ORDERED "mma.sp::ordered_metadata.sync.aligned."

void probe_groups(void) {
    static const struct {
        const char *spelling;
        unsigned selector;
        int brief;
    } rows[] = {
        {DENSE "m8n8k4.row.col.f32.f16.f16.f32", 0, 0},
        {DENSE "m8n8k4.col.row.f32.f16.f16.f16", 0, 0},
        {DENSE "m8n8k4.row.row.f16.f16.f16.f16", 0, 0},
        {DENSE "m16n8k8.row.col.f16.f16.f16.f16", 0, 0},
        {DENSE "m16n8k8.row.col.f32.f16.f16.f32", 0, 0},
        {DENSE "m16n8k16.row.col.f16.f16.f16.f16", 0, 0},
        {DENSE "m16n8k16.row.col.f32.f16.f16.f32", 0, 0},
        {DENSE "m16n8k8.row.col.f32.bf16.bf16.f32", 0, 0},
        {DENSE "m16n8k16.row.col.f32.bf16.bf16.f32", 0, 0},
        {DENSE "m16n8k4.row.col.f32.tf32.tf32.f32", 0, 0},
        {DENSE "m16n8k8.row.col.f32.tf32.tf32.f32", 0, 0},
        {DENSE "m16n8k16.row.col.f32.e4m3.e4m3.f32", 0, 0},
        {DENSE "m16n8k16.row.col.f16.e4m3.e4m3.f16", 0, 1},
        {DENSE "m16n8k16.row.col.f32.e5m2.e5m2.f32", 0, 1},
        {DENSE "m16n8k16.row.col.f16.e5m2.e5m2.f16", 0, 1},
        {DENSE "m16n8k16.row.col.f32.e4m3.e5m2.f32", 0, 1},
        {DENSE "m16n8k16.row.col.f16.e4m3.e5m2.f16", 0, 1},
        {DENSE "m16n8k16.row.col.f32.e5m2.e4m3.f32", 0, 1},
        {DENSE "m16n8k16.row.col.f16.e5m2.e4m3.f16", 0, 1},
        {DENSE "m16n8k32.row.col.f32.e4m3.e4m3.f32", 0, 0},
        {DENSE "m16n8k32.row.col.f16.e4m3.e4m3.f16", 0, 1},
        {DENSE "m16n8k32.row.col.f32.e5m2.e5m2.f32", 0, 1},
        {DENSE "m16n8k32.row.col.f16.e5m2.e5m2.f16", 0, 1},
        {DENSE "m16n8k32.row.col.f32.e4m3.e5m2.f32", 0, 1},
        {DENSE "m16n8k32.row.col.f16.e4m3.e5m2.f16", 0, 1},
        {DENSE "m16n8k32.row.col.f32.e5m2.e4m3.f32", 0, 1},
        {DENSE "m16n8k32.row.col.f16.e5m2.e4m3.f16", 0, 1},
        {ORDERED "m16n8k16.row.col.f16.f16.f16.f16", 0, 0},
        {SPARSE "m16n8k16.row.col.f32.f16.f16.f32", 3, 0},
        {SPARSE "m16n8k32.row.col.f16.f16.f16.f16", 1, 0},
        {ORDERED "m16n8k32.row.col.f32.f16.f16.f32", 0, 0},
        {SPARSE "m16n8k16.row.col.f32.bf16.bf16.f32", 2, 0},
        {SPARSE "m16n8k32.row.col.f32.bf16.bf16.f32", 0, 0},
        {SPARSE "m16n8k8.row.col.f32.tf32.tf32.f32", 1, 0},
        {SPARSE "m16n8k16.row.col.f32.tf32.tf32.f32", 1, 0},
        {SPARSE "m16n8k64.row.col.f32.e4m3.e4m3.f32", 0, 1},
        {ORDERED "m16n8k64.row.col.f32.e5m2.e5m2.f32", 0, 1},
        {SPARSE "m16n8k64.row.col.f32.e4m3.e5m2.f32", 0, 1},
        {SPARSE "m16n8k64.row.col.f32.e5m2.e4m3.f32", 0, 1},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        map_of(rows[i].spelling, rows[i].selector, rows[i].brief);
}
