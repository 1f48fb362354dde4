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
        tile = wsim_tensor_measure(t);
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

/* Element strides up to 8, up to 300 pixels, now and then corners as far as they go. */
static void spread(struct set *s, int flat) {
    static const int32_t most[] = {0, 0, 0, 32767, 127, 15};
    struct wsim_tensor drawn = s->t, *t = &s->t;
    unsigned i, far;
    do {
        *t = drawn;
        far = !flat && draw(4) == 0;
        for (i = 0; i < t->rank; i++)
            if (draw(3) == 0)
                t->estrides[i] = 1 + draw(8);
        for (i = 0; i + 2 < t->rank && far; i++) {
            t->lower[i] = -(int32_t)draw((uint32_t)most[t->rank] + 2);
            t->upper[i] = (int32_t)draw((uint32_t)most[t->rank] + 1) - most[t->rank] / 2;
        }
        t->pixels = 1 + draw(draw(2) ? 300 : 40);
    } while (!is_map(t) || wsim_tensor_measure(t).room > WINDOW);
}

/* Channels, slices and batch: before the tensor (if `negative`), in it or past it. */
static void draw_beside(struct set *s, int negative) {
    unsigned last = s->t.rank - 1, unit = slice_bytes(&s->t) ? 1 : 16 / type_bytes(&s->t);
    unsigned channel = slice_bytes(&s->t) ? last - 1 : 0;
    if (draw(3) == 0)
        s->coord[channel] += unit * ((int64_t)draw(7) - 3);
    if (draw(3) == 0)
        s->coord[last] += (int64_t)draw(9) - 4;
    if (!negative && s->coord[channel] < 0)
        s->coord[channel] = 0;
    if (!negative && s->coord[last] < 0)
        s->coord[last] = 0;
}

static void walks(void) {
    struct set s = fresh(LOAD);
    draw_pixels(&s, draw(4) == 0, 0);
    spread(&s, 0);
    draw_pixel(&s, 0);
    draw_beside(&s, 1);
    print_set(&s);
}

/* Every reduction of 32 bits in turn, and stores. */
static void writes(void) {
    static unsigned turn;
    struct set s = fresh(STORE + (draw(2) == 0));
    draw_pixels(&s, draw(4) == 0, 1);
    s.reduction = (int)(turn++ % REDUCTIONS);
    if (!make_integer(&s))
        return;
    spread(&s, 1);
    draw_pixel(&s, 0);
    draw_beside(&s, 0);
    print_set(&s);
}

/* A pixel of 16 bytes in a tensor as long as offsets reach; of rank 5 all together do. */
static void offsets(void) {
    static const uint64_t dims[][WSIM_TENSOR_RANK] = {
        {4, 4000, 1}, {4, 330, 12, 1}, {4, 12, 330, 1}, {4, 34, 40, 3, 1}, {4, 3, 34, 38, 1},
    };
    static const unsigned ranks[] = {3, 4, 4, 5, 5};
    static const unsigned reach[] = {16,  24,  31,  32,  33,   64,   127,   128,   200,
                                     255, 256, 257, 300, 1000, 3000, 32768, 40000, 65535};
    struct set s = fresh(LOAD);
    unsigned which = draw(5), i;
    s.t.mode = WSIM_TENSOR_IM2COL;
    s.t.dtype = WSIM_TENSOR_UINT32;
    s.t.rank = ranks[which];
    s.t.channels = 4;
    s.t.pixels = 1 + draw(20);
    for (i = 0; i < s.t.rank; i++) {
        s.t.dims[i] = dims[which][i];
        s.t.estrides[i] = 1;
        if (i)
            s.t.strides[i - 1] = i > 1 ? s.t.strides[i - 2] * s.t.dims[i - 1] : 16;
    }
    for (i = 0; i + 2 < s.t.rank; i++) {
        s.t.lower[i] = -(int32_t)draw(3);
        s.t.upper[i] = -(int32_t)draw(2);
        s.coord[i + 1] = s.t.lower[i] + (int64_t)draw(3);
        s.offset[i] = draw(3) ? reach[draw(18)] : draw(4);
    }
    print_set(&s);
}

/* A map whose box has a margin of one on every side, and its middle. */
static struct set margins(int what, unsigned rank, int interleaved) {
    struct set s = fresh(what);
    unsigned i;
    s.t.mode = WSIM_TENSOR_IM2COL;
    s.t.dtype = WSIM_TENSOR_UINT32;
    s.t.rank = rank;
    s.t.interleave = interleaved ? WSIM_TENSOR_INTERLEAVE_16B : WSIM_TENSOR_INTERLEAVE_NONE;
    s.t.channels = 4;
    s.t.pixels = 1 + draw(12);
    for (i = 0; i < rank; i++) {
        s.t.dims[i] = i || interleaved ? 4 : 8;
        s.t.estrides[i] = 1;
        if (i)
            s.t.strides[i - 1] = i > 1 ? s.t.strides[i - 2] * 4 : interleaved ? 64 : 32;
    }
    for (i = 0; i + 2 < rank; i++) {
        s.t.lower[i] = 1;
        s.t.upper[i] = -1;
        s.coord[i + !interleaved] = 1 + draw(2);
    }
    s.room = 1 << 14;
    return s;
}

/* Breaks one rule, or comes as near as it can without. */
static void brink(void) {
    static unsigned turn;
    unsigned n = turn++, how = n % 16, rank = 3 + n / 16 % 3, interleaved = n / 48 % 2;
    struct set s = margins((int)draw(3), rank, (int)interleaved);
    unsigned i = draw(rank - 2), dim = i + !interleaved, channel = interleaved ? rank - 2 : 0;
    switch (how) {
    case 0: s.coord[dim] = 0; break;
    case 1: s.coord[dim] = 3; break;
    case 2: s.t.lower[i] = -1; break;
    case 3: s.t.upper[i] = 1; break;
    case 4: s.coord[0] += 1 + draw(3); break;
    case 5: s.coord[channel] = interleaved ? -1 : -4; break;
    case 6: s.coord[channel] = 8; break;
    case 7: s.coord[rank - 1] = -1 - (int64_t)draw(2); break;
    case 8: s.coord[rank - 1] = 4 + draw(2); break;
    case 9: s.t.dims[rank - 1] = (UINT64_C(1) << 31) + draw(2); break;
    case 10: s.t.dims[channel] = (UINT64_C(1) << 31) + draw(2); break;
    case 11: s.t.dims[dim] = UINT64_C(0xffffffff), s.t.upper[i] = 4; break;
    case 12: s.at = 16 << draw(3); break;
    case 13: s.dims = rank == 3 ? 4 : 3; break;
    case 14: s.wrong = 1; break;
    default: s.t.estrides[draw(rank)] = 2 + draw(3); break;
    }
    print_set(&s);
}

const struct kind pixel_kinds[] = {
    {"pixels", pixel_loads},
    {"pixel_stores", pixel_stores},
    {"walks", walks},
    {"writes", writes},
    {"offsets", offsets},
    {"brink", brink},
    {NULL, NULL},
};
