/* pattern_draw.c - addresses and masks; see pattern_draw.h. */
#include "pattern_draw.h"
#include "access_launch.h"

uint32_t hw_below(struct hw_draws *draws, uint32_t bound) {
    return (uint32_t)((wsim_stream_hash(draws->key, draws->count++) >> 32) * bound >> 32);
}

uint32_t hw_bits(struct hw_draws *draws) {
    return (uint32_t)(wsim_stream_hash(draws->key, draws->count++) >> 32);
}

int hw_chance(struct hw_draws *draws, uint32_t of_8) {
    return hw_below(draws, 8) < of_8;
}

/* --- the fixed patterns, as functions of a lane --- */

enum {
#define PATTERN(name, least, most, mask, address) FIXED_##name,
#define ROWS(name, address) FIXED_##name,
#include "patterns.def"
    FIXED
};

static const struct fixed {
    const char *name;
    uint32_t least, most, mask; /* 0 bytes: a matrix row */
} fixed[FIXED] = {
#define PATTERN(name, least, most, mask, address) {#name, least, most, mask},
#define ROWS(name, address) {#name, 0, 0, UINT32_MAX},
#include "patterns.def"
};

#define PATTERN(name, least, most, mask, address) which == FIXED_##name ? (address):
#define ROWS(name, address) which == FIXED_##name ? (address):
static uint32_t fixed_address(int which, uint32_t i, uint32_t w) {
    return
#include "patterns.def"
        0 * w;
}

static int is_for(const struct fixed *f, uint32_t w, int rows) {
    return rows ? f->least == 0 : w >= f->least && w <= f->most;
}

int hw_next_fixed(int from, uint32_t w, int rows) {
    for (int which = from; which < FIXED; which++)
        if (is_for(&fixed[which], w, rows))
            return which;
    return -1;
}

void hw_draw_fixed(struct hw_drawn *a, int which) {
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = fixed_address(which, i, a->w);
    a->mask = fixed[which].mask;
    a->name = fixed[which].name;
}

/* --- the random ones --- */

static void draw_permutation(struct hw_drawn *a, struct hw_draws *draws) {
    uint32_t base = hw_below(draws, a->n - WSIM_LANES);
    for (uint32_t i = 0; i < WSIM_LANES; i++) {
        uint32_t j = hw_below(draws, i + 1);
        a->addr[i] = a->addr[j];
        a->addr[j] = (base + i) * a->w;
    }
}

static void draw_any(struct hw_drawn *a, struct hw_draws *draws) {
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = hw_below(draws, a->n) * a->w;
}

static void draw_near(struct hw_drawn *a, struct hw_draws *draws) {
    uint32_t base = hw_below(draws, a->n - 2 * WSIM_LANES);
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = (base + hw_below(draws, 2 * WSIM_LANES)) * a->w;
}

static void draw_few(struct hw_drawn *a, struct hw_draws *draws) {
    uint32_t unit[12], units = 2 + hw_below(draws, 11);
    for (uint32_t i = 0; i < units; i++)
        unit[i] = hw_below(draws, a->n) * a->w;
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = unit[hw_below(draws, units)];
}

static void draw_one_bank(struct hw_drawn *a, struct hw_draws *draws) {
    uint32_t base = hw_below(draws, 128 / a->w) * a->w, lines = 2 + hw_below(draws, 30);
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = base + hw_below(draws, lines) * 128;
}

static void draw_stride(struct hw_drawn *a, struct hw_draws *draws) {
    uint32_t base = hw_below(draws, a->n), stride = 1 + hw_below(draws, 64),
             swap = hw_below(draws, 32);
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = (base + (i ^ swap) * stride) % a->n * a->w;
}

/* Each bit of the lane changes some bits of the address: what swizzles and transposes do. */
static void draw_linear(struct hw_drawn *a, struct hw_draws *draws) {
    uint32_t base = hw_below(draws, a->n), change[5];
    for (int bit = 0; bit < 5; bit++)
        change[bit] = hw_chance(draws, 1) ? 0 : hw_below(draws, hw_chance(draws, 4) ? 128 : a->n);
    for (uint32_t i = 0; i < WSIM_LANES; i++) {
        uint32_t unit = base;
        for (int bit = 0; bit < 5; bit++)
            unit ^= i >> bit & 1 ? change[bit] : 0;
        a->addr[i] = unit % a->n * a->w;
    }
}

/* Rows of a tile with padding between them, `across` lanes to a row. */
static void draw_padded(struct hw_drawn *a, struct hw_draws *draws) {
    uint32_t across = 1u << hw_below(draws, 6), base = hw_below(draws, WSIM_LANES);
    uint32_t pitch = (16u << hw_below(draws, 5)) / a->w + hw_below(draws, 4);
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = (base + i / across * pitch + i % across) % a->n * a->w;
}

/* A column of a swizzled tile: pieces of 16 bytes, exchanged by the row. */
static void draw_swizzle(struct hw_drawn *a, struct hw_draws *draws) {
    uint32_t span = 32u << hw_below(draws, 4), lanes = 1u << hw_below(draws, 4),
             piece = hw_below(draws, 16);
    for (uint32_t i = 0; i < WSIM_LANES; i++) {
        uint32_t at = i / lanes * span + (piece + i % lanes) * 16 % span;
        at ^= (at >> 7 & 7) << 4;
        a->addr[i] = at % HW_ACCESS_WINDOW + (a->w < 16 ? i * a->w % 16 : 0);
    }
}

/* Lanes i and i^k at one address; now and then one lane strays. */
static void draw_shared(struct hw_drawn *a, struct hw_draws *draws) {
    uint32_t k = hw_chance(draws, 5) ? 1 + hw_below(draws, 2) : 1u << hw_below(draws, 5);
    uint32_t room = hw_chance(draws, 4) ? a->n : 4 * WSIM_LANES;
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = (i ^ k) < i ? a->addr[i ^ k] : hw_below(draws, room) * a->w;
    if (hw_chance(draws, 3))
        a->addr[hw_below(draws, WSIM_LANES)] = hw_below(draws, room) * a->w;
}

static void draw_fours(struct hw_drawn *a, struct hw_draws *draws) {
    uint32_t unit[8];
    for (int i = 0; i < 8; i++)
        unit[i] = hw_below(draws, a->n) * a->w;
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = unit[hw_chance(draws, 6) ? i / 4 : i % 8];
}

static uint32_t draw_mask(struct hw_draws *draws) {
    static const uint32_t regular[] = {0x55555555, 0xaaaaaaaa, 0x33333333, 0x99999999,
                                       0x0f0f0f0f, 0x00ff00ff, 0xffff0000, 0x00ffff00,
                                       0x7fffffff, 0x00010001, 0x01010101, 0x80000001};
    switch (hw_below(draws, 10)) {
    case 0: return hw_bits(draws);
    case 1: return hw_bits(draws) & hw_bits(draws);
    case 2: return hw_bits(draws) | hw_bits(draws);
    case 3: return UINT32_MAX >> hw_below(draws, WSIM_LANES);
    case 4: return regular[hw_below(draws, sizeof regular / sizeof *regular)];
    case 5: return 1u << hw_below(draws, WSIM_LANES) | 1u << hw_below(draws, WSIM_LANES);
    default: return UINT32_MAX;
    }
}

void hw_draw_random(struct hw_drawn *a, struct hw_draws *draws) {
    static const struct {
        const char *name;
        void (*draw)(struct hw_drawn *a, struct hw_draws *draws);
    } family[] = {
        {"random permutation", draw_permutation},
        {"random", draw_any},
        {"random near", draw_near},
        {"random few", draw_few},
        {"random in one bank", draw_one_bank},
        {"random stride", draw_stride},
        {"random linear", draw_linear},
        {"random padded", draw_padded},
        {"random swizzle", draw_swizzle},
        {"random shared", draw_shared},
        {"random shared", draw_shared},
        {"random fours", draw_fours},
    };
    uint32_t which = hw_below(draws, sizeof family / sizeof *family);
    family[which].draw(a, draws);
    a->name = family[which].name;
    a->mask = draw_mask(draws);
}
