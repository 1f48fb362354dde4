/* pixels.c - im2col: base pixels in their box and beside it, offsets. */
#include "draw.h"

#include <stddef.h>
#include <string.h>

void draw_pixels(struct set *s, int interleaved, int flat) {
    struct wsim_tensor *t = &s->t;
    unsigned i, spatial;
    do {
        struct wsim_tensor_tile tile;
        draw_kind(s);
        t->mode = WSIM_TENSOR_IM2COL;
        t->rank = 3 + draw(3);
        spatial = t->rank - 2;
        if (interleaved) {
            t->interleave = (enum wsim_tensor_interleave)(1 + draw(2));
            if (t->interleave == WSIM_TENSOR_INTERLEAVE_32B)
                t->swizzle = WSIM_SWIZZLE_32B;
        }
        for (i = 0; i < t->rank; i++) {
            t->dims[i] = 2 + draw(t->rank == 3 ? 20 : 8);
            t->estrides[i] = !flat && draw(3) == 0 ? 1 + draw(3) : 1;
        }
        if (!interleaved)
            t->dims[0] = 1 + draw(40);
        for (i = 0; i < spatial; i++) {
            t->lower[i] = (int32_t)draw(flat ? 3 : 9) - (flat ? 0 : 5);
            t->upper[i] = flat ? -(int32_t)draw(3) : (int32_t)draw(9) - 5;
        }
        t->channels = 16 / type_bytes(t) * (1 + draw(3));
        t->pixels = 1 + draw(60);
        if (!lay_out(t, slice_bytes(t) == 32 ? 32 : 16) || !is_map(t))
            continue;
        tile = wsim_tensor_tile(t);
        if (tile.room <= 4096)
            break;
    } while (1);
    s->at = 128 * draw(8);
    for (i = 0; i < WSIM_TENSOR_SPATIAL; i++)
        s->offset[i] = draw(2) ? 0 : draw(4);
}

void draw_pixel(struct set *s, int stray) {
    const struct wsim_tensor *t = &s->t;
    unsigned i, first = t->interleave == WSIM_TENSOR_INTERLEAVE_NONE;
    for (i = 0; i < t->rank; i++)
        s->coord[i] = draw((uint32_t)t->dims[i]);
    if (first)
        s->coord[0] -= s->coord[0] % (16 / type_bytes(t));
    for (i = 0; i + 2 < t->rank; i++) {
        int64_t lower = t->lower[i], end = (int64_t)t->dims[i + first] + t->upper[i];
        s->coord[i + first] = lower + draw((uint32_t)(end - lower));
        if (stray)
            s->coord[i + first] += (int64_t)draw(9) - 4;
    }
}

static void pixel_loads(void) {
    struct set s = fresh(LOAD);
    draw_pixels(&s, draw(4) == 0, 0);
    draw_pixel(&s, draw(4) == 0);
    print_set(&s);
}

static void pixel_stores(void) {
    struct set s = fresh(STORE + (draw(3) == 0));
    draw_pixels(&s, draw(4) == 0, draw(5) != 0);
    if (!make_integer(&s))
        return;
    draw_pixel(&s, draw(5) == 0);
    print_set(&s);
}

static void far_offsets(void) {
    static const unsigned far[] = {15, 31, 32, 255, 256, 1000, 65535};
    struct set s = fresh(LOAD);
    draw_pixels(&s, draw(4) == 0, 0);
    draw_pixel(&s, 0);
    s.offset[draw(s.t.rank - 2)] = far[draw(7)];
    print_set(&s);
}

const struct kind pixel_kinds[] = {
    {"pixels", pixel_loads},
    {"pixel_stores", pixel_stores},
    {"offsets", far_offsets},
    {NULL, NULL},
};
