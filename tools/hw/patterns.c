/* patterns.c - which addresses to measure: the patterns of patterns.def and random ones, for each
 * kind of access. A kind is what is one to the hardware: spellings that differ only in how a type
 * of the same size is called, or in the space of the address, take turns. */
#include "access.h"
#include "command.h"

#include <stdio.h>
#include <string.h>

enum { MOST_OPS = 512 };

struct spelled {
    struct wsim_op op;
    uint32_t size; /* of a copy */
    char spelling[WSIM_SPELLING_MAX], kind[WSIM_SPELLING_MAX];
};

/* A stream of numbers. */
struct draws {
    uint64_t key, count;
};

static uint32_t below(struct draws *draws, uint32_t bound) {
    return (uint32_t)((wsim_stream_hash(draws->key, draws->count++) >> 32) * bound >> 32);
}

static uint32_t bits(struct draws *draws) {
    return (uint32_t)(wsim_stream_hash(draws->key, draws->count++) >> 32);
}

static int chance(struct draws *draws, uint32_t of_8) {
    return below(draws, 8) < of_8;
}

/* One access: `w` bytes a lane, `n` such units in the window. */
struct access {
    uint32_t addr[WSIM_LANES], mask, w, n;
    const char *name;
};

/* The fixed patterns, as functions of a lane. */
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

static void draw_fixed(struct access *a, int which) {
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = fixed_address(which, i, a->w);
    a->mask = fixed[which].mask;
    a->name = fixed[which].name;
}

/* The random ones. */
static void draw_permutation(struct access *a, struct draws *draws) {
    uint32_t base = below(draws, a->n - WSIM_LANES);
    for (uint32_t i = 0; i < WSIM_LANES; i++) {
        uint32_t j = below(draws, i + 1);
        a->addr[i] = a->addr[j];
        a->addr[j] = (base + i) * a->w;
    }
}

static void draw_any(struct access *a, struct draws *draws) {
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = below(draws, a->n) * a->w;
}

static void draw_near(struct access *a, struct draws *draws) {
    uint32_t base = below(draws, a->n - 2 * WSIM_LANES);
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = (base + below(draws, 2 * WSIM_LANES)) * a->w;
}

static void draw_few(struct access *a, struct draws *draws) {
    uint32_t unit[12], units = 2 + below(draws, 11);
    for (uint32_t i = 0; i < units; i++)
        unit[i] = below(draws, a->n) * a->w;
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = unit[below(draws, units)];
}

static void draw_one_bank(struct access *a, struct draws *draws) {
    uint32_t base = below(draws, 128 / a->w) * a->w, lines = 2 + below(draws, 30);
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = base + below(draws, lines) * 128;
}

static void draw_stride(struct access *a, struct draws *draws) {
    uint32_t base = below(draws, a->n), stride = 1 + below(draws, 64), swap = below(draws, 32);
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = (base + (i ^ swap) * stride) % a->n * a->w;
}

/* Each bit of the lane changes some bits of the address: what swizzles and transposes do. */
static void draw_linear(struct access *a, struct draws *draws) {
    uint32_t base = below(draws, a->n), change[5];
    for (int bit = 0; bit < 5; bit++)
        change[bit] = chance(draws, 1) ? 0 : below(draws, chance(draws, 4) ? 128 : a->n);
    for (uint32_t i = 0; i < WSIM_LANES; i++) {
        uint32_t unit = base;
        for (int bit = 0; bit < 5; bit++)
            unit ^= i >> bit & 1 ? change[bit] : 0;
        a->addr[i] = unit % a->n * a->w;
    }
}

/* Rows of a tile with padding between them, `across` lanes to a row. */
static void draw_padded(struct access *a, struct draws *draws) {
    uint32_t across = 1u << below(draws, 6), base = below(draws, WSIM_LANES);
    uint32_t pitch = (16u << below(draws, 5)) / a->w + below(draws, 4);
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = (base + i / across * pitch + i % across) % a->n * a->w;
}

/* A column of a swizzled tile: pieces of 16 bytes, exchanged by the row. */
static void draw_swizzle(struct access *a, struct draws *draws) {
    uint32_t span = 32u << below(draws, 4), lanes = 1u << below(draws, 4), piece = below(draws, 16);
    for (uint32_t i = 0; i < WSIM_LANES; i++) {
        uint32_t at = i / lanes * span + (piece + i % lanes) * 16 % span;
        at ^= (at >> 7 & 7) << 4;
        a->addr[i] = at % HW_ACCESS_WINDOW + (a->w < 16 ? i * a->w % 16 : 0);
    }
}

/* Lanes i and i^k at one address; now and then one lane strays. */
static void draw_shared(struct access *a, struct draws *draws) {
    uint32_t k = chance(draws, 5) ? 1 + below(draws, 2) : 1u << below(draws, 5);
    uint32_t room = chance(draws, 4) ? a->n : 4 * WSIM_LANES;
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = (i ^ k) < i ? a->addr[i ^ k] : below(draws, room) * a->w;
    if (chance(draws, 3))
        a->addr[below(draws, WSIM_LANES)] = below(draws, room) * a->w;
}

static void draw_fours(struct access *a, struct draws *draws) {
    uint32_t unit[8];
    for (int i = 0; i < 8; i++)
        unit[i] = below(draws, a->n) * a->w;
    for (uint32_t i = 0; i < WSIM_LANES; i++)
        a->addr[i] = unit[chance(draws, 6) ? i / 4 : i % 8];
}

static uint32_t draw_mask(struct draws *draws) {
    static const uint32_t regular[] = {0x55555555, 0xaaaaaaaa, 0x33333333, 0x99999999,
                                       0x0f0f0f0f, 0x00ff00ff, 0xffff0000, 0x00ffff00,
                                       0x7fffffff, 0x00010001, 0x01010101, 0x80000001};
    switch (below(draws, 10)) {
    case 0: return bits(draws);
    case 1: return bits(draws) & bits(draws);
    case 2: return bits(draws) | bits(draws);
    case 3: return UINT32_MAX >> below(draws, WSIM_LANES);
    case 4: return regular[below(draws, sizeof regular / sizeof *regular)];
    case 5: return 1u << below(draws, WSIM_LANES) | 1u << below(draws, WSIM_LANES);
    default: return UINT32_MAX;
    }
}

static void draw_random(struct access *a, struct draws *draws) {
    static const struct {
        const char *name;
        void (*draw)(struct access *a, struct draws *draws);
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
    uint32_t which = below(draws, sizeof family / sizeof *family);
    family[which].draw(a, draws);
    a->name = family[which].name;
    a->mask = draw_mask(draws);
}

/* A matrix move is executed by the whole warp; lanes that give no row may hold anything. */
static void finish_rows(struct access *a, uint32_t rows, struct draws *draws) {
    int hostile = chance(draws, 4);
    a->mask = UINT32_MAX;
    for (uint32_t i = rows; i < WSIM_LANES && hostile; i++)
        a->addr[i] = bits(draws) | 1;
}

/* Where a copy reads: consecutive from a line boundary, or any of the random ones somewhere. */
static const char *draw_source(struct hw_pattern *pattern, const struct access *to,
                               struct draws *draws) {
    struct access from = {{0}, 0, to->w, to->n, "consecutive"};
    uint32_t base = below(draws, (HW_ACCESS_SOURCE - HW_ACCESS_WINDOW) / 128) * 128;
    if (chance(draws, 3))
        for (uint32_t i = 0; i < WSIM_LANES; i++)
            from.addr[i] = i * from.w;
    else
        draw_random(&from, draws);
    for (int i = 0; i < WSIM_LANES; i++)
        pattern->src[i] = base + from.addr[i];
    return from.name;
}

/* `number` of its kind: the first two of a copy are of nobody, cold and warm, which tells what
 * their kernel costs itself. */
static void print_access(FILE *file, const struct spelled *spelled, struct access *a,
                         uint64_t number, struct draws *draws) {
    struct hw_pattern pattern = {.op = spelled->op, .size = spelled->size};
    int is_first = pattern.size && number < 2;
    if (is_first) {
        a->mask = 0;
        a->name = "nobody";
    }
    if (pattern.size)
        pattern.warm = is_first ? (uint32_t)number : (uint32_t)chance(draws, 3);
    pattern.mask = a->mask;
    memcpy(pattern.addr, a->addr, sizeof pattern.addr);
    fprintf(file, "# %s", a->name);
    if (pattern.size)
        fprintf(file, " from %s", draw_source(&pattern, a, draws));
    fputc('\n', file);
    hw_pattern_print(file, &pattern);
}

/* The kind of a spelling: without the letters of its type, and without the space; of a copy with
 * its size. */
static void kind_of(const char *spelling, uint32_t size, char kind[WSIM_SPELLING_MAX]) {
    const char *type = strrchr(spelling, '.') + 1, *space = strstr(spelling, ".shared");
    size_t before = (size_t)((space ? space : type - 1) - spelling);
    if (size) {
        hw_access_symbol(spelling, size, kind);
        return;
    }
    memcpy(kind, spelling, before);
    snprintf(kind + before, WSIM_SPELLING_MAX - before, "%.*s.%s",
             space ? (int)(type - 1 - space - 7) : 0, space ? space + 7 : "",
             type + strcspn(type, "0123456789"));
}

static int next_fixed(int from, uint32_t w, int rows) {
    while (from < FIXED && !is_for(&fixed[from], w, rows))
        from++;
    return from;
}

/* `count` patterns of one kind: fixed and random ones by turns, until the fixed have been. */
static void print_kind(FILE *file, const struct spelled *const *member, unsigned members,
                       uint64_t count, uint64_t seed) {
    struct wsim_op_info info = wsim_op_info(&member[0]->op);
    uint32_t bytes = member[0]->size ? member[0]->size : info.bytes;
    struct access a = {{0}, 0, bytes, HW_ACCESS_WINDOW / bytes, ""};
    struct draws draws = {wsim_stream_mix(seed), 0};
    int rows = info.matrices > 0, which = next_fixed(0, a.w, rows);
    for (const char *p = member[0]->kind; *p; p++)
        draws.key = wsim_stream_hash(draws.key, (unsigned char)*p);
    for (uint64_t i = 0; i < count; i++) {
        if (i / members % 2 == 0 && which < FIXED) {
            draw_fixed(&a, which);
            which = next_fixed(which + 1, a.w, rows);
        } else {
            draw_random(&a, &draws);
        }
        if (rows)
            finish_rows(&a, info.matrices * 8u, &draws);
        print_access(file, member[i % members], &a, i, &draws);
    }
}

static unsigned list_ops(const struct wsim_arch *arch, const char *filter, struct spelled *list) {
    struct wsim_op op;
    uint32_t cursor = 0;
    unsigned n = 0;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        unsigned sizes = hw_access_sizes(&op);
        if (wsim_op_check(&op, arch, NULL))
            continue;
        for (unsigned size = 1; size <= sizes && n < MOST_OPS; size *= 2) {
            list[n].op = op;
            list[n].size = size > 1 ? size : 0;
            wsim_op_spell(&op, list[n].spelling);
            kind_of(list[n].spelling, list[n].size, list[n].kind);
            n += (sizes & size) && hw_matches(filter, list[n].spelling);
        }
    }
    return n;
}

unsigned hw_patterns_print(FILE *file, const struct wsim_arch *arch, const char *filter,
                           uint64_t count, uint64_t seed) {
    static struct spelled list[MOST_OPS];
    const struct spelled *member[MOST_OPS];
    unsigned n = list_ops(arch, filter, list), kinds = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned members = 0, seen = 0;
        for (unsigned j = 0; j < n; j++)
            if (strcmp(list[j].kind, list[i].kind) == 0) {
                seen |= j < i;
                member[members++] = &list[j];
            }
        if (seen)
            continue;
        print_kind(file, member, members, count, seed);
        kinds++;
    }
    return kinds;
}
