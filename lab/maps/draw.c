/* draw.c - parameter sets for tensor maps. A set begins as valid parameters of a map. Then each
 * parameter is replaced with a probability that differs from set to set (never, rarely, often). The
 * replacements crowd at the edges of the rules. The rules play no part here. */
#include "maps.h"

#include <wsim/harness/stream.h>

struct draw {
    uint64_t state;
    unsigned wild; /* of 64 parameters, how many are replaced */
};

static uint64_t bits(struct draw *d) {
    d->state += 0x9e3779b97f4a7c15u;
    return wsim_hash_mix(d->state);
}

static uint64_t below(struct draw *d, uint64_t n) {
    return bits(d) % n;
}

static int one_in(struct draw *d, unsigned n) {
    return below(d, n) == 0;
}

static int wild(struct draw *d) {
    return below(d, 64) < d->wild;
}

#define PICK(d, list) (list)[below(d, sizeof(list) / sizeof(list)[0])]

/* Any number of up to `width` bits, each width as likely as the next. */
static uint64_t spread(struct draw *d, unsigned width) {
    unsigned n = (unsigned)below(d, width) + 1;
    return bits(d) >> (64 - n);
}

/* Bytes of an element as they lie in memory; the packed types: sixteenths of their unit. */
static unsigned element_bytes(enum wsim_tensor_type type) {
    static const uint8_t bytes[WSIM_TENSOR_TYPES] = {1, 2, 4, 4, 8, 8, 2, 4,
                                                     8, 2, 4, 4, 4, 1, 1, 1};
    return bytes[type];
}

static unsigned span(enum wsim_swizzle swizzle) {
    static const uint16_t bytes[WSIM_SWIZZLES] = {2048, 32, 64, 128, 128, 128, 128};
    return bytes[swizzle];
}

static void draw_kinds(struct draw *d, struct wsim_tensor *t) {
    unsigned packed = one_in(d, 24);
    t->dtype = (enum wsim_tensor_type)(packed ? below(d, WSIM_TENSOR_TYPES) : below(d, 13));
    t->rank = (uint32_t)below(d, 5) + 1;
    t->interleave =
        one_in(d, 2) ? WSIM_TENSOR_INTERLEAVE_NONE : (enum wsim_tensor_interleave)below(d, 3);
    if (t->rank < 3 && (t->interleave || t->mode == WSIM_TENSOR_IM2COL))
        t->rank += 2;
    t->swizzle = (enum wsim_swizzle)below(d, one_in(d, 24) ? WSIM_SWIZZLES : 4);
    if (t->interleave == WSIM_TENSOR_INTERLEAVE_32B && !one_in(d, 4))
        t->swizzle = WSIM_SWIZZLE_32B;
    t->oob = t->dtype >= WSIM_TENSOR_FLOAT16 && !packed ? (enum wsim_tensor_fill)below(d, 2)
                                                        : WSIM_TENSOR_FILL_ZERO;
    t->l2 = (uint32_t)below(d, 4);
}

/* --- the tensor --- */

static uint64_t draw_dim(struct draw *d) {
    static const uint64_t edges[] = {0,           1,           2,          255,         256,
                                     65535,       65536,       2147483647, 2147483648u, 4294967295u,
                                     4294967296u, 4294967297u, 1ull << 40, 1ull << 63,  ~0ull};
    if (!wild(d))
        return 1 + below(d, one_in(d, 3) ? 400 : 16);
    return one_in(d, 4) ? spread(d, 64) : PICK(d, edges);
}

static uint64_t draw_stride(struct draw *d, uint64_t natural) {
    static const uint64_t edges[] = {0,
                                     1,
                                     8,
                                     16,
                                     24,
                                     32,
                                     48,
                                     (1ull << 32) - 16,
                                     1ull << 32,
                                     1ull << 36,
                                     (1ull << 40) - 32,
                                     (1ull << 40) - 16,
                                     (1ull << 40) - 1,
                                     1ull << 40,
                                     (1ull << 40) + 16,
                                     1ull << 44,
                                     1ull << 63};
    uint64_t kind;
    if (!wild(d))
        return natural;
    kind = below(d, 4);
    if (kind == 0)
        return natural + (1ull << below(d, 6));
    if (kind == 1)
        return spread(d, 60) & ~(uint64_t)15;
    return kind == 2 ? spread(d, 48) : PICK(d, edges);
}

static void draw_tensor(struct draw *d, struct wsim_tensor *t) {
    uint64_t unit = t->interleave == WSIM_TENSOR_INTERLEAVE_32B ? 32 : 16, natural;
    unsigned i;
    t->base = below(d, 128) * unit;
    if (wild(d))
        t->base = one_in(d, 2) ? t->base + (1ull << below(d, 5)) : spread(d, 57);
    for (i = 0; i < WSIM_TENSOR_RANK; i++) {
        t->dims[i] = draw_dim(d);
        t->estrides[i] = one_in(d, 3) ? 1 + (uint32_t)below(d, 8) : 1;
        if (wild(d))
            t->estrides[i] = (uint32_t)(one_in(d, 8) ? spread(d, 32) : below(d, 11));
    }
    natural = t->dims[0] * element_bytes(t->dtype);
    for (i = 0; i + 1 < WSIM_TENSOR_RANK; i++) {
        natural = (natural + below(d, 3) * unit + unit - 1) / unit * unit;
        t->strides[i] = draw_stride(d, natural % (1ull << 40));
        natural = t->strides[i] * t->dims[i + 1];
    }
}

/* --- the box --- */

/* Elements of dimension 0 that make whole 16-byte pieces and fit into the span. */
static uint32_t draw_inner(struct draw *d, const struct wsim_tensor *t) {
    unsigned each = element_bytes(t->dtype), most = span(t->swizzle);
    if (most > 256 * each)
        most = 256 * each;
    if (t->dtype >= WSIM_TENSOR_16U4_ALIGN8B)
        return 128;
    if (one_in(d, 4)) /* as far as it goes, or a piece too far */
        return (most + 16 * (uint32_t)below(d, 2)) / each;
    return (uint32_t)(1 + below(d, most / 16)) * 16 / each;
}

static uint32_t draw_edge(struct draw *d, uint32_t most) {
    uint64_t kind = below(d, 4);
    if (kind == 0)
        return (uint32_t)spread(d, 32);
    return kind == 1 ? 0 : kind == 2 ? most + 1 : (uint32_t)below(d, most + 2);
}

/* Small boxes, boxes about as large as shared memory, and some whose bytes need more than 32 bits.
 */
static void draw_box(struct draw *d, struct wsim_tensor *t) {
    int powers = one_in(d, 32);
    uint64_t large = below(d, 3), room = 1 + spread(d, 22) / 16, i;
    t->box[0] = draw_inner(d, t);
    for (i = 1; i < WSIM_TENSOR_RANK; i++) {
        uint64_t most = large && room < 256 ? room : 256;
        t->box[i] = 1 + (uint32_t)below(d, large ? most : 8);
        if (large && one_in(d, 3))
            t->box[i] = (uint32_t)most;
        room = room / t->box[i] + 1;
        t->box[i] = wild(d) ? draw_edge(d, 256) : t->box[i];
    }
    if (wild(d))
        t->box[0] = one_in(d, 2) ? 1 + (uint32_t)below(d, 256) : draw_edge(d, 256);
    for (i = 0; powers && i < WSIM_TENSOR_RANK; i++)
        t->box[i] = 256u >> below(d, 3);
}

static int32_t draw_corner(struct draw *d, uint32_t rank) {
    int32_t half = rank == 3 ? 32768 : rank == 4 ? 128 : 16, at;
    if (!wild(d))
        return (int32_t)below(d, 9) - 4;
    at = (int32_t)below(d, 5) - 2;
    switch (below(d, 4)) {
    case 0: return (int32_t)(uint32_t)spread(d, 31) * (one_in(d, 2) ? 1 : -1);
    case 1: return at + half;
    case 2: return at - half;
    default: return (int32_t)below(d, 2 * (uint64_t)half) - half;
    }
}

static void draw_pixels(struct draw *d, struct wsim_tensor *t) {
    unsigned i;
    for (i = 0; i < WSIM_TENSOR_SPATIAL; i++) {
        t->lower[i] = draw_corner(d, t->rank);
        t->upper[i] = draw_corner(d, t->rank);
        if (one_in(d, 6)) /* the box ends where it begins, or next to there */
            t->upper[i] = (int32_t)(t->lower[i] - (int64_t)(t->dims[i + 1] & 0xffff) +
                                    (int64_t)below(d, 4) - 1);
    }
    t->channels = draw_inner(d, t);
    if (wild(d))
        t->channels = one_in(d, 2) ? 1 + (uint32_t)below(d, 256) : draw_edge(d, 256);
    t->pixels = 1 + (uint32_t)below(d, one_in(d, 2) ? 1024 : 32);
    if (wild(d))
        t->pixels = draw_edge(d, 1024);
}

static void replace_kinds(struct draw *d, struct wsim_tensor *t) {
    if (wild(d))
        t->dtype = (enum wsim_tensor_type)below(d, WSIM_TENSOR_TYPES);
    if (wild(d))
        t->rank = (uint32_t)below(d, one_in(d, 4) ? 8 : 6);
    if (wild(d))
        t->interleave = (enum wsim_tensor_interleave)below(d, 3);
    if (wild(d))
        t->swizzle = (enum wsim_swizzle)below(d, WSIM_SWIZZLES);
    if (wild(d))
        t->oob = (enum wsim_tensor_fill)below(d, 2);
    if (wild(d))
        t->l2 = (uint32_t)below(d, 6);
}

void maps_draw(uint64_t seed, uint64_t number, enum wsim_tensor_mode mode,
               struct wsim_tensor *tensor) {
    static const uint8_t chances[] = {0, 1, 3, 8};
    struct draw d = {wsim_hash_mix(seed * 2 + mode) + number * 0xd1342543de82ef95u, 0};
    static const struct wsim_tensor none;
    *tensor = none;
    tensor->mode = mode;
    d.wild = PICK(&d, chances);
    draw_kinds(&d, tensor);
    draw_tensor(&d, tensor);
    if (mode == WSIM_TENSOR_TILED)
        draw_box(&d, tensor);
    else
        draw_pixels(&d, tensor);
    replace_kinds(&d, tensor);
}
