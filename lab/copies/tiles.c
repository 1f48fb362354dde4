/* tiles.c - tiles that the hardware should move: loads, stores, interleave, numbers on their way.
 */
#include "draw.h"

#include <stdio.h>

void draw_tile(struct set *s, int interleaved, int strided) {
    struct wsim_tensor *t = &s->t;
    uint32_t i, unit;
    do {
        struct wsim_tensor_tile tile;
        draw_kind(s);
        if (interleaved) {
            t->interleave = (enum wsim_tensor_interleave)(1 + draw(2));
            t->rank = 3 + draw(3);
            if (t->interleave == WSIM_TENSOR_INTERLEAVE_32B)
                t->swizzle = WSIM_SWIZZLE_32B;
        }
        unit = 16 / type_bytes(t);
        for (i = 0; i < t->rank; i++) {
            t->dims[i] = 1 + draw(i ? 12 : interleaved ? 20 : 6 * unit + 40);
            t->box[i] = 1 + draw(i ? 6 : 12);
            t->estrides[i] = strided && draw(2) ? 1 + draw(4) : 1;
        }
        if (!interleaved)
            t->box[0] = unit * (1 + draw(8));
        if (interleaved)
            t->box[0] = round_up(t->box[0], unit);
        if (!lay_out(t, slice_bytes(t) == 32 ? 32 : 16) || !is_map(t))
            continue;
        tile = wsim_tensor_measure(t);
        if (tile.room <= (draw(16) ? 2048 : WINDOW))
            break;
    } while (1);
    s->at = 128 * draw(8);
    s->offset[0] = s->offset[1] = s->offset[2] = 0;
}

void draw_place(struct set *s, int negative) {
    const struct wsim_tensor *t = &s->t;
    uint32_t i;
    for (i = 0; i < t->rank; i++) {
        uint32_t span = (uint32_t)t->dims[i] + 3, before = negative ? 4 : 0;
        int64_t unit = i == 0 && !slice_bytes(t) ? 16 / type_bytes(t) : 1;
        s->coord[i] = (int64_t)draw(span + before) - before;
        s->coord[i] -= s->coord[i] % unit;
        if (draw(4) == 0)
            s->coord[i] = 0;
    }
}

static void loads(void) {
    struct set s = fresh(LOAD);
    draw_tile(&s, 0, 1);
    draw_place(&s, 1);
    print_set(&s);
}

static void interleaved_loads(void) {
    struct set s = fresh(LOAD);
    draw_tile(&s, 1, 1);
    draw_place(&s, 1);
    print_set(&s);
}

static void stores(void) {
    struct set s = fresh(STORE);
    draw_tile(&s, draw(4) == 0, 0);
    draw_place(&s, 0);
    if (!slice_bytes(&s.t) && draw(3) == 0)
        s.coord[0] += draw(16 / type_bytes(&s.t));
    print_set(&s);
}

/* Element strides up to 8, of loads, stores and additions in turn. */
static void steps(void) {
    static unsigned turn;
    struct set s = fresh((int)(turn++ % 3));
    uint32_t i;
    do {
        draw_tile(&s, draw(4) == 0, 0);
        for (i = 0; i < s.t.rank; i++)
            s.t.estrides[i] = draw(3) ? 1 + draw(8) : 1;
        for (i = 1; i < s.t.rank; i++)
            s.t.box[i] += draw(10);
    } while (!make_integer(&s) || wsim_tensor_measure(&s.t).room > 2048);
    draw_place(&s, s.what == LOAD);
    print_set(&s);
}

/* Five dimensions, loads and stores in turn. */
static void deep(void) {
    static unsigned turn;
    struct set s = fresh((int)(turn++ % 2));
    do
        draw_tile(&s, draw(3) == 0, s.what == LOAD);
    while (s.t.rank != 5);
    draw_place(&s, s.what == LOAD);
    print_set(&s);
}

/* float32 patterns on their way through a load. */
static void conversions(void) {
    static const enum wsim_tensor_type types[] = {WSIM_TENSOR_TFLOAT32, WSIM_TENSOR_TFLOAT32_FTZ,
                                                  WSIM_TENSOR_FLOAT32_FTZ};
    static const uint32_t special[] = {0,          1,          0xfff,      0x1000,     0x1001,
                                       0x2fff,     0x3000,     0x7fffff,   0x7ff000,   0x7fefff,
                                       0x800000,   0x3f800fff, 0x3f801000, 0x3f801001, 0x3f803000,
                                       0x3ffff000, 0x7f7fffff, 0x7f7fefff, 0x7f7ff000, 0x7f800000,
                                       0x7f800001, 0x7fc00000, 0x7fffffff, 0x7fa00000};
    static unsigned turn;
    static char global[1024];
    struct set s = fresh(LOAD);
    char *at = global;
    unsigned i, sign;
    for (sign = 0; sign < 2; sign++)
        for (i = 0; i < 24; i++) {
            uint32_t v = special[i] | (uint32_t)sign << 31;
            at += sprintf(at, "%02x%02x%02x%02x", (unsigned)(v & 255), (unsigned)(v >> 8 & 255),
                          (unsigned)(v >> 16 & 255), (unsigned)(v >> 24));
        }
    s.t.dtype = types[turn++ % 3];
    s.t.rank = 1;
    s.t.dims[0] = 46;
    s.t.box[0] = 48;
    s.t.estrides[0] = 1;
    s.t.oob = WSIM_TENSOR_FILL_NAN;
    s.global = global;
    print_set(&s);
}

const struct kind tile_kinds[] = {
    {"loads", loads},   {"interleaved", interleaved_loads},
    {"stores", stores}, {"conversions", conversions},
    {"steps", steps},   {"deep", deep},
    {NULL, NULL},
};
